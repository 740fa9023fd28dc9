// Kernels for printf.test: a conversion of every type, vectors, strings, calls of some work items, of many groups.
kernel void types(global const int *a, float f) {
  int i = (int)get_global_id(0);
  printf("%d: %5.1f|%-6s|%c|%%|%#x\n", i, f + i, "text", 'x' + i, a[i]);
  if (i == 3)
    printf("%v4d %v2hhx %v3hlf %lu %+hd\n", (int4)(-1, 2, 3, a[i]), (uchar2)(200, 7), (float3)(1.5f, 2, -3),
           (ulong)i << 33, (short)-9);
}

kernel void groups(int most) {
  if (get_local_id(0) == 5 && (int)get_group_id(0) < most)
    printf("group %d\n", (int)get_group_id(0));
}
