// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Whole numbers of all sizes.
#define PAIRS(T)                                                                                                       \
  kernel void arithmetic_##T(global const T *a, global const T *b, global T *to) {                                     \
    size_t i = get_global_id(0), n = get_global_size(0);                                                               \
    T x = a[i], y = b[i];                                                                                              \
    to[i] = x + y * (T)3;                                                                                              \
    to[i + n] = (x - y) ^ (x & y);                                                                                     \
    to[i + 2 * n] = (x << (y & 7)) | (y >> (x & 7));                                                                   \
    to[i + 3 * n] = x > y ? x - y : (T)(~x);                                                                           \
  }
// launch: arithmetic_char global=64 local=16 in=char:64 in=char:64 zero=char:256
PAIRS(char)
// launch: arithmetic_uchar global=64 local=32 in=uchar:64 in=uchar:64 zero=uchar:256
PAIRS(uchar)
// launch: arithmetic_short global=64 local=64 in=short:64 in=short:64 zero=short:256
PAIRS(short)
// launch: arithmetic_ushort global=64 local=16 in=ushort:64 in=ushort:64 zero=ushort:256
PAIRS(ushort)
// launch: arithmetic_int global=64 local=16 in=int:64 in=int:64 zero=int:256
PAIRS(int)
// launch: arithmetic_uint global=64 local=16 in=uint:64 in=uint:64 zero=uint:256
PAIRS(uint)
// launch: arithmetic_long global=64 local=16 in=long:64 in=long:64 zero=long:256
PAIRS(long)
// launch: arithmetic_ulong global=64 local=16 in=ulong:64 in=ulong:64 zero=ulong:256
PAIRS(ulong)

#define DIVISION(T)                                                                                                    \
  kernel void division_##T(global const T *a, global const T *b, global T *to) {                                       \
    size_t i = get_global_id(0), n = get_global_size(0);                                                               \
    T d = b[i] ? b[i] : (T)3;                                                                                          \
    to[i] = a[i] / d;                                                                                                  \
    to[i + n] = a[i] % d;                                                                                              \
    to[i + 2 * n] = a[i] / (T)7 + a[i] % (T)10;                                                                        \
  }
// launch: division_char global=64 local=16 in=char:64:-100..100 in=char:64:1..100 zero=char:192
DIVISION(char)
// launch: division_ushort global=64 local=16 in=ushort:64 in=ushort:64 zero=ushort:192
DIVISION(ushort)
// launch: division_int global=64 local=16 in=int:64 in=int:64:-1000..1000 zero=int:192
DIVISION(int)
// launch: division_uint global=64 local=16 in=uint:64 in=uint:64 zero=uint:192
DIVISION(uint)
// launch: division_long global=64 local=16 in=long:64 in=long:64:-100000..100000 zero=long:192
DIVISION(long)
// launch: division_ulong global=64 local=16 in=ulong:64 in=ulong:64 zero=ulong:192
DIVISION(ulong)

// launch: built_ins global=128 local=32 in=int:128 in=int:128 in=uint:128 zero=int:2048
kernel void built_ins(global const int *a, global const int *b, global const uint *c, global int *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  int x = a[i], y = b[i];
  uint u = c[i];
  to[i] = abs_diff(x, y);
  to[i + n] = add_sat(x, y);
  to[i + 2 * n] = sub_sat(x, y);
  to[i + 3 * n] = hadd(x, y);
  to[i + 4 * n] = rhadd(u, (uint)x);
  to[i + 5 * n] = clz(u) + clz(y);
  to[i + 6 * n] = clamp(x, -100, 100) + max(x, y) - min(x, y);
  to[i + 7 * n] = mul_hi(x, y);
  to[i + 8 * n] = mul_hi(u, (uint)y);
  to[i + 9 * n] = rotate(x, y);
  to[i + 10 * n] = mad_hi(x, y, 5) + mad24(x & 0xFFF, y & 0xFFF, 3);
  to[i + 11 * n] = popcount(u) + mul24(x & 0x7FFF, y & 0x7FFF);
  to[i + 12 * n] = upsample((short)x, (ushort)u);
  to[i + 13 * n] = mad_sat(x, y, x);
  to[i + 14 * n] = (int)add_sat((uint)x, u) ^ (int)sub_sat((uint)x, u);
  to[i + 15 * n] = isless((float)x, (float)y) + bitselect(x, y, (int)u);
}

// launch: built_ins_small global=64 local=16 in=char:64 in=uchar:64 in=short:64 zero=int:512
kernel void built_ins_small(global const char *a, global const uchar *b, global const short *c, global int *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = add_sat(a[i], (char)c[i]);
  to[i + n] = sub_sat(b[i], (uchar)a[i]);
  to[i + 2 * n] = mul_hi(c[i], (short)b[i]);
  to[i + 3 * n] = clz(b[i]) + clz(c[i]) + popcount(c[i]);
  to[i + 4 * n] = rotate(b[i], (uchar)a[i]);
  to[i + 5 * n] = rhadd(a[i], (char)b[i]);
  to[i + 6 * n] = abs(c[i]) + abs(a[i]);
  to[i + 7 * n] = add_sat(c[i], (short)(b[i] << 8));
}

// launch: built_ins_long global=64 local=16 in=long:64 in=ulong:64 zero=long:576
kernel void built_ins_long(global const long *a, global const ulong *b, global long *to) {
  size_t i = get_global_id(0), n = get_global_size(0);
  to[i] = add_sat(a[i], (long)b[i]);
  to[i + n] = sub_sat(b[i], (ulong)a[i]);
  to[i + 2 * n] = mul_hi(a[i], (long)b[i]);
  to[i + 3 * n] = mul_hi(b[i], (ulong)a[i]);
  to[i + 4 * n] = clz(a[i]) + popcount(b[i]);
  to[i + 5 * n] = rotate(a[i], (long)b[i]);
  to[i + 6 * n] = hadd(a[i], (long)b[i]);
  to[i + 7 * n] = a[i] < (long)b[i] ? max(a[i], 5l) : (long)(b[i] >> (a[i] & 63));
  to[i + 8 * n] = a[i] >> (b[i] & 63) ^ a[i] << (b[i] & 31);
}

// launch: conversions global=64 local=16 in=int:64 in=long:64 in=short:64 zero=char:64 zero=uchar:64 zero=short:64 zero=ushort:64 zero=int:64 zero=uint:64 zero=long:64
kernel void conversions(global const int *a, global const long *b, global const short *c, global char *to0, global uchar *to1,
                        global short *to2, global ushort *to3, global int *to4, global uint *to5, global long *to6) {
  size_t i = get_global_id(0);
  to0[i] = convert_char_sat(a[i]);
  to1[i] = convert_uchar_sat(c[i]);
  to2[i] = convert_short_sat(b[i]);
  to3[i] = convert_ushort_sat(a[i]);
  to4[i] = convert_int_sat(b[i]) ^ (int)b[i] ^ (int)(char)a[i] ^ (int)(uchar)c[i];
  to5[i] = convert_uint_sat(b[i]) + convert_uint_sat(c[i]);
  to6[i] = (long)a[i] + (ulong)(uint)a[i] + (long)c[i] + (long)convert_ulong_sat(b[i]);
}
