// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Vector types in memory and in registers.

// launch: swizzles global=64 local=16 in=int:256 zero=int:256
kernel void swizzles(global const int4 *a, global int4 *to) {
  size_t i = get_global_id(0);
  int4 v = a[i];
  int4 w = v.wzyx;
  w.xz += v.yw;
  w.lo = w.hi - v.even;
  to[i] = w + (int4)(v.s0, v.s11, 7);
}

// launch: loads global=32 local=16 in=uchar:512 zero=uchar:512 zero=short:96 zero=long:64
kernel void loads(global const uchar *a, global uchar *to, global short *three, global long *two) {
  size_t i = get_global_id(0);
  uchar16 v = vload16(i, a);
  vstore16(v + (uchar16)(3), i, to);
  vstore3(convert_short3(v.s123) * (short3)(5), i, three);
  vstore2(convert_long2(v.s45) << 33, i, two);
}

// launch: shuffles global=32 local=16 in=uint:128 in=uint:128 zero=uint:256
kernel void shuffles(global const uint4 *a, global const uint4 *b, global uint4 *to) {
  size_t i = get_global_id(0);
  to[i] = shuffle(a[i], b[i] & 3);
  to[i + 32] = shuffle2(a[i], b[i], b[i].wxyz & 7);
}

// launch: selects global=32 local=16 in=float:128 in=float:128 in=int:128 zero=float:128 zero=int:64
kernel void selects(global const float4 *a, global const float4 *b, global const int4 *c, global float4 *to, global int *which) {
  size_t i = get_global_id(0);
  to[i] = select(a[i], b[i], c[i]);
  which[i] = any(a[i] < b[i]) + 2 * all(c[i] > 0);
  int4 less = a[i] < b[i];
  which[i + 32] = less.x + less.y * 3 + less.z * 5 + less.w * 7;
}

// launch: bytes_and_words global=32 local=8 in=char:256 in=short:256 zero=short:256 zero=char:256
kernel void bytes_and_words(global const char8 *a, global const short8 *b, global short8 *to, global char8 *sat) {
  size_t i = get_global_id(0);
  to[i] = convert_short8(a[i]) * b[i] + (b[i] >> (short8)(2));
  sat[i] = convert_char8_sat(b[i]) ^ a[i];
}

// launch: reinterpretation global=32 local=16 in=float:128 zero=uint:128 zero=ushort:64
kernel void reinterpretation(global const float4 *a, global uint4 *to, global ushort2 *halves) {
  size_t i = get_global_id(0);
  to[i] = as_uint4(a[i]) ^ as_uint4(as_float4(as_int4(a[i]) << 1));
  halves[i] = as_ushort2(a[i].y);
}

// launch: columns global=16 local=16 in=int:256 zero=int:256
kernel void columns(global const int16 *a, global int16 *to) {
  size_t i = get_global_id(0);
  int16 v = a[i];
  for (int k = 0; k < 3; ++k)
    v = v.s123456789ABCDEF0 + (int16)(v.sF);
  to[i] = v;
}
