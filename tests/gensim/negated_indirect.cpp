// A saturating sum of words with a negated operand at a run-time offset: `add.sat (8|M0) r:uw r:w (-)r[a0.0]:uw`.
// RUN: cmc %s -S -march=SKL -o - | FileCheck --check-prefix=VISA %s
// VISA: add.sat (M1, 16) {{.*}}_uw{{.*}} (-)r[A1(0),0]<1;1,0>:uw
// RUN: cmc %s -march=SKL -g --report -o %t.isa | FileCheck --check-prefix=REPORT %s
// REPORT: vector<unsigned short, 32> {{.*}} registers, indexed; element chosen at run time in line 25, 26:
// RUN: cmrun %s k --threads 1x1 --arg buffer:zero=64,out=%t --arg int:3 && od -An -tu2 -v -w32 %t | FileCheck %s
// RUN: cmrun %s k --threads 1x1 --device gensim:skl --arg buffer:zero=64,out=%t --arg int:3 && od -An -tu2 -v -w32 %t | FileCheck %s
// RUN: cmrun %s k --threads 1x1 --device gensim:icllp --arg buffer:zero=64,out=%t --arg int:3 && od -An -tu2 -v -w32 %t | FileCheck %s
// RUN: cmrun %s k --threads 1x1 --device gensim:tgllp --arg buffer:zero=64,out=%t --arg int:3 && od -An -tu2 -v -w32 %t | FileCheck %s
// RUN: cmrun %s k --threads 1x1 --device gensim:dg2 --arg buffer:zero=64,out=%t --arg int:3 && od -An -tu2 -v -w32 %t | FileCheck %s
// RUN: cmrun %s k --threads 1x1 --device gensim:pvc --arg buffer:zero=64,out=%t --arg int:3 && od -An -tu2 -v -w32 %t | FileCheck %s
// CHECK: 0 0 0 0 0 0 21142 17723 14304 10885 7466 4047 628 0 59326 0
// CHECK-NEXT: 0 0 0 0 0 0 21142 17723 14304 10885 7466 4047 628 0 59326 0
#include <cm/cm.h>

const ushort numbers[32] = {123, 8042, 15961, 23880, 31799, 39718, 47637, 55556, 63475, 5858, 13777, 21696, 29615, 37534, 45453, 53372, 61291, 3674, 11593, 19512, 27431, 35350, 43269, 51188, 59107, 1490, 9409, 17328, 25247, 33166, 41085, 49004};

extern "C" _GENX_MAIN_ void k(SurfaceIndex out, int n) {
  vector<ushort, 32> v(numbers);
  v += ushort(n - 3);
  vector<ushort, 16> base;
  for (int i = 0; i < 16; i++)
    base(i) = i * 4500 + (n - 3);
  vector<ushort, 32> all = 0;
  all.select<16, 1>(0) = vector<ushort, 16>(base - v.select<16, 1>(n), SAT);
  all.select<16, 1>(16) = cm_max<ushort>(base, v.select<16, 1>(n)) - v.select<16, 1>(n);
  write(out, 0, all);
}
