// Functions of the C library work on the bits of their operands: what is denormal is zero for them, too, as on the GPU.
// REQUIRES: no-sanitizer, x86
// RUN: cmc -w %s -o %t.isa
// RUN: cmrun %t.isa functions --device gensim:dg2 --threads 1x1 --arg buffer:zero=256,out=%t.gen
// RUN: for cpu in x86-64 haswell native; do cmrun %t.isa functions --cpu $cpu --threads 1x1 --arg buffer:zero=256,compare=%t.gen || exit 1; done
// RUN: od -An -w32 -v -t x4 %t.gen | FileCheck %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// Digits and NaNs are each device's own: of the results the sign and the exponent are compared.
_GENX_ vector<uint, 8> head(vector<float, 8> x) {
  x.merge(8.0f, x != x);
  return x.format<uint>() >> 23;
}

// Of 0x1p-140, 0x1p-127, 0x1p-126 and 0.5 with either sign, that nothing computes with before the kernel runs.
extern "C" _GENX_MAIN_ void functions(SurfaceIndex out) {
  vector<uint, 8> raw, zero;
  read(out, 0, zero);
  const uint bits[8] = {0x00000200, 0x80000200, 0x00400000, 0x80400000, 0x00800000, 0x80800000, 0x3F000000, 0xBF000000};
  for (int i = 0; i < 8; i++)
    raw(i) = bits[i];
  raw |= zero;
  vector<float, 8> x = raw.format<float>(), least = x(4), half = x(6);
  // Remainders of what is zero, and by what is zero.
  // CHECK: 00000000 00000100 00000000 00000100 00000001 00000101 0000007e 0000017e
  write(out, 0, head(cm_frem(x, vector<float, 8>(1 + half))));
  // CHECK-NEXT: 00000082 00000082 00000082 00000082 00000000 00000000 00000000 00000000
  write(out, 32, head(cm_frem(half, x)));
  // CHECK-NEXT: 00000000 00000100 00000000 00000100 00000001 00000101
  write(out, 64, head(cm_asin(x)));
  write(out, 96, head(cm_acos(x)));
  write(out, 128, head(cm_atan(x)));
  // CHECK: 000001ff 000001ff 000001ff 000001ff
  vector<float, 8> log = cm_log(x);
  // CHECK-NEXT: 00000000 00000000 00000000 00000000
  vector<float, 8> pow = cm_pow(cm_abs<float>(x), half);
  vector<float, 8> tanh = cm_tanh(x);
  write(out, 160, head(log));
  write(out, 192, head(pow));
  write(out, 224, head(tanh));
}
