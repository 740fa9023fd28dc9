// Rotations of dwords are one instruction where there is one, unless the finalizer might move a narrower operand into it.
// RUN: cmc -march=TGLLP -S %s -o - | FileCheck %s
// RUN: cmc -march=SKL -S %s -o - | FileCheck --check-prefix=SKL %s
// RUN: cmc -march=TGLLP -S -emit-llvm -stop-after=gen-finish %s -o - | FileCheck --check-prefix=IR %s
#include <cm/cm.h>

// CHECK-LABEL: .kernel "turned"
// CHECK: rol (M1, 16) V{{[0-9]+}}_ud(0,0)<1> V{{[0-9]+}}_ud(0,0)<1;1,0> 7:ud
// CHECK: rol (M1, 16) V{{[0-9]+}}_ud(0,0)<1> V{{[0-9]+}}_ud(0,0)<1;1,0> 19:ud
// CHECK-NOT: shl
// SKL-LABEL: .kernel "turned"
// SKL-NOT: rol
// SKL: shl
// IR-LABEL: @turned(
// IR: call <16 x i32> @cm.rol.v16i32(<16 x i32> {{.*}}, <16 x i32> splat (i32 7))
extern "C" _GENX_MAIN_ void turned(SurfaceIndex io) {
  vector<uint, 16> v;
  read(io, 0, v);
  v = (v << 7) | (v >> 25);
  v += 3;
  v = (v >> 13) | (v << 19);
  write(io, 0, v);
}

// CHECK-LABEL: .kernel "negated"
// CHECK-NOT: rol
// CHECK: shl
// SKL-LABEL: .kernel "negated"
extern "C" _GENX_MAIN_ void negated(SurfaceIndex io) {
  vector<uint, 16> v;
  read(io, 0, v);
  v = 0 - v;
  v = (v << 7) | (v >> 25);
  write(io, 0, v);
}

// CHECK-LABEL: .kernel "widened"
// CHECK-NOT: rol
// CHECK: shl
// SKL-LABEL: .kernel "widened"
extern "C" _GENX_MAIN_ void widened(SurfaceIndex io) {
  vector<ushort, 16> narrow;
  read(io, 0, narrow);
  vector<uint, 16> v = narrow;
  v = (v << 7) | (v >> 25);
  write(io, 0, v);
}

// What a long chain of moves brings to a rotation makes no difference.
// CHECK-LABEL: .kernel "chained"
// CHECK: rol
// CHECK-NOT: shl
// CHECK: oword_st
// SKL-LABEL: .kernel "chained"
extern "C" _GENX_MAIN_ void chained(SurfaceIndex io) {
  matrix<uint, 20, 4> all;
#pragma unroll
  for (int i = 0; i < 20; ++i)
    read(io, i * 16, all.row(i));
  for (int n = 0; n < 4; ++n)
#pragma unroll
    for (int i = 0; i < 20; ++i) {
      vector<uint, 4> v = all.row((i * 7 + 3) % 20);
      all.row(i) += (v << 7) | (v >> 25);
    }
#pragma unroll
  for (int i = 0; i < 20; ++i)
    write(io, i * 16, all.row(i));
}

// By what is known at run time, to both sides; all devices agree.
// RUN: cmrun %s both --threads 16x1 --arg buffer:zero=2048,out=%t.cpu
// RUN: cmc %s -o %t.isa
// RUN: for device in check gensim:skl gensim:icllp gensim:tgllp gensim:dg2 gensim:pvc; do cmrun %t.isa both --device $device --threads 16x1 --arg buffer:zero=2048,out=%t.gen && cmp %t.cpu %t.gen || exit 1; done
// RUN: od -An -tx4 -j128 -N8 %t.cpu | FileCheck --check-prefix=WORDS %s
// WORDS: 00000001 03400000
// CHECK-LABEL: .kernel "both"
// CHECK: rol
// CHECK: rol
#ifdef CM_HAS_BIT_ROTATE
extern "C" _GENX_MAIN_ void both(SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> lane(0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u);
  vector<uint, 16> v = lane * 0xa0000000u + thread, by = lane * 7 + thread - 1;
  write(out, thread * 128, vector<uint, 16>(cm_ror<uint>(v, by)));
  write(out, thread * 128 + 64, vector<uint, 16>(cm_rol<uint>(v, by)));
}
#endif
