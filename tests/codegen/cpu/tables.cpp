// Elements of a small table are permuted where the CPU can; a table that is changed stays in memory.
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-split-vectors -mcpu=icelake-server -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-split-vectors -mcpu=skylake-avx512 -o - | FileCheck --check-prefix=OLDER %s
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-split-vectors -mcpu=haswell -o - | FileCheck --check-prefix=NONE %s
// RUN: for cpu in haswell skylake-avx512 native; do cmrun %s backwards --threads 1x1 --cpu $cpu --arg buffer:zero=256,out=%t.$cpu --arg int:0 || exit 1; done
// RUN: od -An -tu1 -v -w16 %t.native | FileCheck --check-prefix=RESULT %s
// RUN: cmp %t.haswell %t.skylake-avx512 && cmp %t.haswell %t.native
#include <cm/cm.h>
#include <cm/cmtl.h>

// CHECK-LABEL: define {{.*}} @backwards.thread(
// CHECK-COUNT-6: call <64 x i8> @llvm.x86.avx512.vpermi2var.qi.512(
// CHECK-COUNT-2: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
// CHECK-NOT: vpermi2var
// CHECK: ret void
// OLDER-LABEL: define {{.*}} @backwards.thread(
// OLDER-NOT: vpermi2var.qi
// OLDER-COUNT-2: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
// NONE-LABEL: define {{.*}} @backwards.thread(
// NONE-NOT: vpermi2var
// RESULT: {{^ *}}43 84 41 80 39 76
// RESULT-NEXT: {{^ *}}27 52 25 48
// RESULT-NEXT: {{^ *}}11 20 9 16 {{.*}} 255 252 253 248
// RESULT: {{^ *}}187 116 185 112
// RESULT: {{^ *}}43 42 41 40 39 38 37 36
extern "C" _GENX_MAIN_ void backwards(SurfaceIndex out, int zero) {
  vector<uchar, 300> table;
  cmtl::cm_vector_assign<uchar, 300>(table, zero, 1);
  table.select<150, 2>(0) += table.select<150, 2>(0);
  vector<ushort, 128> at;
  cmtl::cm_vector_assign<ushort, 128>(at, zero, 1);
  vector<uchar, 128> bytes = table.iselect(vector<ushort, 128>(299 - at));
  write(out, 0, bytes);
  vector<float, 40> numbers;
  cmtl::cm_vector_assign<float, 40>(numbers, 4 + zero, 1);
  vector<uchar, 16> few = numbers.iselect(vector<ushort, 16>(39 - at.select<16, 1>(0)));
  write(out, 128, few);
}

// CHECK-LABEL: define {{.*}} @counts.thread(
// CHECK-NOT: vpermi2var
// CHECK: ret void
extern "C" _GENX_MAIN_ void counts(SurfaceIndex in, SurfaceIndex out) {
  vector<ushort, 16> at;
  read(in, 0, at);
  vector<uint, 32> table = 0;
  for (int i = 0; i < 16; ++i)
    table(at(i)) += 1;
  write(out, 0, vector<uint, 16>(table.iselect(at)));
}
