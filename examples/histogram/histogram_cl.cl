// The histogram in OpenCL's SIMT style: a group counts in local memory with atomic additions, and adds its counters to
// those of all groups.

// launch: histogram global=128 local=64 in=uchar:1000 zero=uint:256 int=1000
kernel void histogram(global const uchar *bytes, global uint *counts, int count) {
  local uint counter[256];
  for (int v = get_local_id(0); v < 256; v += get_local_size(0))
    counter[v] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < count; i += get_global_size(0))
    atomic_inc(&counter[bytes[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int v = get_local_id(0); v < 256; v += get_local_size(0))
    atomic_add(&counts[v], counter[v]);
}
