// Parts of values in registers, at places known at run time, are permuted where the CPU can; equal elements are selected
// anywhere. Values that are changed often stay in memory.
// RUN: cmc %s -disable-pass=vectorize-elements -S -march=cpu -emit-llvm -stop-after=cpu-chosen-parts -mcpu=icelake-server -o - | FileCheck %s
// RUN: cmc %s -disable-pass=vectorize-elements -S -march=cpu -emit-llvm -stop-after=cpu-chosen-parts -mcpu=skylake-avx512 -o - | FileCheck --check-prefix=OLDER %s
// RUN: cmc %s -disable-pass=vectorize-elements -S -march=cpu -emit-llvm -stop-after=cpu-chosen-parts -mcpu=haswell -o - | FileCheck --check-prefix=HALF %s
// RUN: cmc %s -disable-pass=vectorize-elements -S -march=cpu -emit-llvm -stop-after=cpu-chosen-parts -mcpu=x86-64 -o - | FileCheck --check-prefix=NONE %s
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmrun %s move --threads 1x1 --cpu $cpu --arg buffer:zero=1024,out=%t.$cpu --arg int:3 || exit 1; done
// RUN: cmrun %s move --threads 1x1 --device check --arg buffer:zero=1024,out=%t.check --arg int:3
// RUN: for cpu in x86-64 haswell skylake-avx512 native; do cmp %t.check %t.$cpu || exit 1; done
// RUN: od -An -td4 -v -w16 -j 256 -N 64 %t.native | FileCheck --check-prefix=RESULT %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// CHECK-LABEL: define {{.*}} @move.thread(
// CHECK: call <64 x i8> @llvm.x86.avx512.permvar.qi.512(
// CHECK: call <16 x i32> @llvm.x86.avx512.permvar.si.512(
// CHECK: call <8 x i64> @llvm.x86.avx512.vpermi2var.q.512(
// CHECK-COUNT-4: call <8 x i64> @llvm.x86.avx512.permvar.di.512(
// CHECK-COUNT-2: call <32 x i16> @llvm.x86.avx512.permvar.hi.512(
// CHECK: ret void
// OLDER-LABEL: define {{.*}} @move.thread(
// OLDER-NOT: permvar.qi
// OLDER: call <16 x i32> @llvm.x86.avx512.permvar.si.512(
// HALF-LABEL: define {{.*}} @move.thread(
// HALF-COUNT-2: call <8 x i32> @llvm.x86.avx2.permd(
// HALF: icmp eq <16 x i32>
// NONE-LABEL: define {{.*}} @move.thread(
// NONE-NOT: llvm.x86
// NONE: ret void

// RESULT: {{^ *}}0 1 2 10
// RESULT-NEXT: {{^ *}}11 12 13 7
// RESULT-NEXT: {{^ *}}8 9 10 11
extern "C" _GENX_MAIN_ void move(SurfaceIndex out, int i) {
  vector<uchar, 64> bytes;
  cmtl::cm_vector_assign<uchar, 64>(bytes, 0, 1);
  vector<uchar, 8> eight = bytes.select<8, 1>(32);
  bytes.select<8, 1>(i) = eight;
  write(out, 0, bytes);

  vector<int, 16> numbers, four;
  cmtl::cm_vector_assign<int, 16>(numbers, 0, 1);
  cmtl::cm_vector_assign<int, 16>(four, 10, 1);
  numbers.select<4, 1>(i) = four.select<4, 1>(0);
  write(out, 256, numbers);

  vector<long long, 16> longs;
  cmtl::cm_vector_assign<long long, 16>(longs, i, 1);
  longs.select<4, 2>(i & 7) = longs.select<4, 1>((i & 3) + 5) + longs.select<4, 1>((i & 3) + 5);
  write(out, 512, longs);

  vector<ushort, 32> words;
  cmtl::cm_vector_assign<ushort, 32>(words, i, 3);
  words.select<5, 1>(i) = words.select<5, 1>((i * 2) & 15) * 3;
  words.select<11, 1>((i * 5) & 15) = 9;
  write(out, 768, words);

  vector<float, 16> floats;
  cmtl::cm_vector_assign<float, 16>(floats, 1, 1);
  floats(i + 4) = 7.5f;
  write(out, 896, floats);
}
