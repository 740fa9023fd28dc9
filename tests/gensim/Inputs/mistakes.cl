// Kernels with a mistake each, and one without; watch.test says which.
kernel void outside(global int *a) { a[get_global_id(0) * 2] = 1; }
kernel void races(global int *out, local int *l) {
  int i = get_local_id(0);
  l[i] = i;
  out[get_global_id(0)] = l[(i + 17) % 64];
}
kernel void fine(global int *out, local int *l) {
  int i = get_local_id(0);
  l[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l[(i + 17) % 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  l[63 - i] = 1;
}
kernel void unwritten(global int *out, local int *l) {
  int i = get_local_id(0);
  if (i < 32) l[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l[i];
}
kernel void everyone(global int *out) { out[0] = get_global_id(0); }
kernel void diverges(global int *out, local int *l) {
  int i = get_local_id(0);
  l[i] = i;
  if (i % 2) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l[i];
}
