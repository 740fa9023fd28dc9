// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Local memory and barriers.

// launch: reverse global=128 local=32 in=int:128 slm=128
kernel void reverse(global int *a, local int *t) {
  int l = get_local_id(0), n = get_local_size(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[n - 1 - l];
}

// launch: sum global=256 local=64 in=int:256 zero=int:4
kernel void sum(global const int *a, global int *to) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  for (int s = 32; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      t[l] += t[l + s];
  }
  if (l == 0)
    to[get_group_id(0)] = t[0];
}

// launch: scan global=128 local=128 in=uint:128 zero=uint:128
kernel void scan(global const uint *a, global uint *to) {
  local uint t[2][128];
  int l = get_local_id(0), from = 0;
  t[0][l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 128; d *= 2) {
    t[1 - from][l] = l >= d ? t[from][l] + t[from][l - d] : t[from][l];
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  to[l] = t[from][l];
}

// launch: transpose global=32,32 local=16,16 in=float:1024 zero=float:1024
kernel void transpose(global const float *a, global float *to) {
  local float t[16][17];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  t[ly][lx] = a[y * 32 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  to[(get_group_id(0) * 16 + ly) * 32 + get_group_id(1) * 16 + lx] = t[lx][ly];
}

// launch: histogram global=256 local=64 in=uchar:256 zero=uint:64
kernel void histogram(global const uchar *a, global uint *to) {
  local uint bins[16];
  int l = get_local_id(0);
  if (l < 16)
    bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[a[get_global_id(0)] >> 4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16)
    to[get_group_id(0) * 16 + l] = bins[l];
}

// launch: bytes_of_local global=64 local=64 in=uchar:64 zero=uchar:64 zero=ulong:64 slm=64 slm=512
kernel void bytes_of_local(global const uchar *a, global uchar *to, global ulong *wide, local uchar *t, local ulong *w) {
  int l = get_local_id(0);
  t[l ^ 5] = a[l] + 1;
  w[63 - l] = (ulong)a[l] << 40 | l;
  barrier(CLK_LOCAL_MEM_FENCE);
  to[l] = t[(l * 7) & 63];
  wide[l] = w[(l * 3) & 63] + ((local short *)t)[l & 31];
}

// launch: bitonic global=64 local=64 in=int:64
kernel void bitonic(global int *a) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = l ^ j;
      if (other > l && (t[l] > t[other]) == ((l & k) == 0)) {
        int x = t[l];
        t[l] = t[other];
        t[other] = x;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  a[l] = t[l];
}

// launch: product global=16,16 local=8,8 in=float:256 in=float:256 zero=float:256 near=1e-3
kernel void product(global const float *a, global const float *b, global float *to) {
  local float ta[8][8], tb[8][8];
  int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < 16; k += 8) {
    ta[y][x] = a[gy * 16 + k + x];
    tb[y][x] = b[(k + y) * 16 + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; ++j)
      sum += ta[y][j] * tb[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  to[gy * 16 + gx] = sum;
}
