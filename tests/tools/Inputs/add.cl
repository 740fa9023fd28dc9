kernel void add(global const int *a, global int *b, int c) {
  size_t i = get_global_id(0);
  b[i] = a[i] + c + (int)i;
}
