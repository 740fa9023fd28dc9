// Every third element of the rows of a block is taken out of loads of what lies between them, where a register holds
// several of those; elements that lie farther apart are loaded one by one.
// RUN: cmc -march=cpu -mcpu=skylake-avx512 -S -emit-llvm -stop-after=cpu-split-vectors %s -o %t
// RUN: FileCheck %s < %t
// RUN: printf "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA9876543210-+" > %t.in
// RUN: for cpu in x86-64 haswell skylake-avx512; do cmrun %s near --threads 1x1 --cpu $cpu --arg image:in=%t.in,width=64,height=2,format=R8_UNORM --arg buffer:zero=64,out=%t.out && head -c 40 %t.out && echo || exit 1; done | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>

// CHECK-LABEL: @near.thread(
// CHECK-NOT: load i8
// CHECK-COUNT-2: load <64 x i8>
// CHECK-NOT: load {{i8|<}}
// CHECK: ret void
// RESULT-COUNT-3: CFILORUXadgjmpsvy147xurolifcZWTQNKHEB852
extern "C" _GENX_MAIN_ void near(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 2, 60> m;
  read(in, 0, 0, m);
  vector<uchar, 64> result = 0;
  result.select<40, 1>(0) = m.select<2, 1, 20, 3>(0, 2);
  write(out, 0, result);
}

// CHECK-LABEL: @far.thread(
// CHECK-NOT: load <
// CHECK-COUNT-4: load float
// CHECK-NOT: load {{float|<}}
// CHECK: ret void
extern "C" _GENX_MAIN_ void far(SurfaceIndex in, SurfaceIndex out) {
  matrix<float, 1, 16> m;
  read(in, 0, 0, m);
  write(out, 0, vector<float, 4>(m.select<1, 1, 2, 9>(0, 1).replicate<2>()));
}
