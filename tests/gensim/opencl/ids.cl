// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Who a work item is.

// launch: three_dimensions global=8,6,4 local=4,3,2 offset=5,7,9 zero=int:2880
kernel void three_dimensions(global int *to) {
  size_t x = get_global_id(0) - 5, y = get_global_id(1) - 7, z = get_global_id(2) - 9, n = (z * get_global_size(1) + y) * get_global_size(0) + x;
  global int *t = to + n * 15;
  for (uint d = 0; d < 3; ++d) {
    t[d] = (int)get_global_id(d);
    t[3 + d] = (int)get_local_id(d) + (int)get_local_size(d) * 100;
    t[6 + d] = (int)get_group_id(d) + (int)get_num_groups(d) * 100;
    t[9 + d] = (int)get_global_size(d);
    t[12 + d] = (int)get_global_offset(d);
  }
}

// launch: odd_group global=21,5 local=7,5 zero=uint:105
kernel void odd_group(global uint *to) {
  uint x = get_global_id(0), y = get_global_id(1);
  to[y * get_global_size(0) + x] = get_work_dim() << 24 | (get_local_id(1) * get_local_size(0) + get_local_id(0)) << 16 | x << 8 | y;
}

// launch: required global=32 local=8 zero=int:32 char=-3 uchar=200 short=-300 int=70000 long=-5000000000 float=2.5
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void required(global int *to, char a, uchar b, short c, int d, long e, float f) {
  size_t i = get_global_id(0);
  to[i] = (int)i + a + b * 2 + c * 3 + d + (int)(e >> 3) + (int)(f * 4);
}

struct Pair { int a; float b; short c[3]; };
// launch: vectors_as_arguments global=16 local=16 zero=float:16 float4=1,2,3,4 int3=5,6,7 uchar16=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 long2=8,9
kernel void vectors_as_arguments(global float *to, float4 a, int3 b, uchar16 c, long2 d) {
  size_t i = get_global_id(0);
  to[i] = a.x + a.w * b.y + b.z + c.s3 * c.sF + d.y + i;
}
