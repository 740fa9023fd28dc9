kernel void add(global int *to, read_only image2d_t image) {
  int i = get_global_id(0);
  to[i] += read_imagei(image, (int2)(i, 0)).x;
}
