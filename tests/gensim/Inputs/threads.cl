// Kernels for threads.test: many groups, whose order nothing but `numbered` shows.

// Private memory: an array that is indexed by what is in memory.
kernel void histogram(global const uchar *a, global uint *to) {
  size_t i = get_global_id(0);
  uint counts[400];
#pragma unroll 1
  for (int k = 0; k < 400; ++k)
    counts[k] = i;
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
    counts[(a[(i * 7 + k) & 4095] + i) % 400] += k + 1;
  uint sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k)
    sum = sum * 31 + counts[(a[k] + k) % 400];
  to[i] = sum;
}

// Local memory and barriers.
kernel void reversed(global const uchar *a, global uint *to, local uint *row) {
  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  row[l] = a[i & 4095] * 257 + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  to[i] = row[n - 1 - l];
}

// The order of groups: atomics of global memory.
kernel void numbered(global uint *next, global uint *to) {
  if (get_local_id(0) == 0)
    to[get_group_id(0)] = atomic_inc(next);
}

// Work items from 30,000 on never end.
kernel void endless(global uint *to) {
  size_t i = get_global_id(0);
  volatile global uint *mine = to + (i & 255);
  while (i >= 30000 && *mine != ~0u)
    ;
  *mine = i;
}
