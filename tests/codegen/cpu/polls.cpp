// Threads that wait for others in a loop: they read each time, run in an order in which those have had their turn, and
// what they have read is one value wherever it is used.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -emit-llvm -o - | FileCheck --check-prefix=LLVM %s
// RUN: cmrun %s in_rows --threads 16x16 --jobs 1 --timeout 20 --arg buffer:zero=1024 --arg buffer:zero=4096 --arg buffer:zero=4096 --arg buffer:zero=65536 --arg int:4 --arg int:16
// RUN: cmrun %s scattered --threads 16x16 --jobs 2 --timeout 20 --arg buffer:zero=1024 --arg int:16
#include <cm/cm.h>

// Of memory by its address, LLVM would read in front of the loop.
// CHECK-LABEL: # kernel pointer
// CHECK: orq $1024
// CHECK: [[LOOP:\.LBB[0-9_]+]]:
// CHECK-NEXT: vmovdqu (
// CHECK-NOT: LBB
// CHECK: je [[LOOP]]
extern "C" _GENX_MAIN_ void pointer(svmptr_t flags) {
  int x = get_thread_origin_x();
  vector<int, 8> v;
  if (x < 32)
    do {
      cm_svm_block_read(flags + (x + 32) * 32, v);
    } while (v(0) == 0);
  v = x + 1;
  cm_svm_block_write(flags + x * 32, v);
}

// In tiles, as what is read both ways asks for, the thread before the first of a row would come later.
// LLVM-LABEL: ; kernel in_rows
// LLVM-NOT: tile.row
// LLVM: !llvm.ident
extern "C" _GENX_MAIN_ void in_rows(SurfaceIndex flags, SurfaceIndex a, SurfaceIndex b, SurfaceIndex c, int depth,
                                    int width) {
  int x = get_thread_origin_x(), y = get_thread_origin_y(), n = y * width + x;
  vector<float, 16> sum = 0, m, s;
  for (int k = 0; k < depth; k++) {
    read(a, (y * depth + k) * 64, m);
    read(b, (x * depth + k) * 64, s);
    sum += m * s;
  }
  vector<uint, 8> got, none = 0, one = 1;
  while (n > 0) {
    write_atomic<ATOMIC_OR, uint, 8>(flags, vector<uint, 8>(n - 1), none, got);
    if (got(0) != 0)
      break;
  }
  write(c, n * 64, sum);
  write_atomic<ATOMIC_OR, uint, 8>(flags, vector<uint, 8>(n), one);
}

// Gathers are in the loop, too: of buffers, of memory by its address and of shared local memory.
// LLVM-LABEL: ; kernel scattered
// LLVM: fence syncscope("singlethread")
// LLVM-NEXT: @llvm.masked.gather
// LLVM: !llvm.ident
extern "C" _GENX_MAIN_ void scattered(SurfaceIndex flags, int width) {
  int n = get_thread_origin_y() * width + get_thread_origin_x();
  vector<uint, 8> v, before = n - 1, at = n, one = 1, got;
  if (n > 0)
    do {
      read(flags, 0, before, v);
    } while (v(0) == 0);
  write_atomic<ATOMIC_OR, uint, 8>(flags, at, one, got);
}

// LLVM-LABEL: ; kernel by_pointers
// LLVM: fence syncscope("singlethread")
// LLVM-NEXT: @llvm.masked.gather
// LLVM: !llvm.ident
extern "C" _GENX_MAIN_ void by_pointers(SurfaceIndex out, vector<svmptr_t, 8> flags) {
  vector<uint, 8> v;
  do {
    cm_svm_scatter_read(flags, v);
  } while (v(0) == 0);
  write(out, 0, v);
}

// LLVM-LABEL: ; kernel untyped
// LLVM: fence syncscope("singlethread")
// LLVM-NEXT: @llvm.masked.gather
// LLVM: !llvm.ident
extern "C" _GENX_MAIN_ void untyped(SurfaceIndex flags, SurfaceIndex out, vector<uint, 16> at) {
  matrix<float, 4, 16> v;
  do {
    read_untyped(flags, CM_ABGR_ENABLE, v, at);
  } while (v(0, 0) == 0);
  write(out, 0, v.format<float>().select<16, 1>(0));
}

// LLVM-LABEL: ; kernel local
// LLVM: fence syncscope("singlethread")
// LLVM-NEXT: @llvm.masked.gather
// LLVM: !llvm.ident
extern "C" _GENX_MAIN_ void local(SurfaceIndex out) {
  cm_slm_init(1024);
  uint memory = cm_slm_alloc(1024);
  vector<uint, 16> v;
  vector<ushort, 16> at = 0;
  do {
    cm_slm_read(memory, at, v);
  } while (v(0) == 0);
  write(out, 0, v);
}

// A search, which reads elsewhere each time, waits for nobody: nothing is kept in its loop.
// CHECK-LABEL: # kernel search
// LLVM-LABEL: ; kernel search
// LLVM-NOT: load volatile
// LLVM-NOT: fence syncscope
// LLVM: !llvm.ident
extern "C" _GENX_MAIN_ void search(svmptr_t text, SurfaceIndex out) {
  vector<uint, 16> v;
  uint at = 0;
  for (;; at += 64) {
    cm_svm_block_read(text + at, v);
    if ((v == 7).any())
      break;
  }
  v = at;
  write(out, 0, v);
}

// What is waited for and what is done with it are one value: overlapping parts of a block are not read one by one.
// LLVM-LABEL: ; kernel job
// LLVM: load volatile <8 x i32>
// LLVM-NOT: load {{.*}}<4 x i32>
// LLVM: !llvm.ident
extern "C" _GENX_MAIN_ void job(SurfaceIndex flags, SurfaceIndex out) {
  matrix<int, 1, 8> v;
  int sum;
  do {
    read(flags, 0, 0, v);
    sum = cm_sum<int>(v.select<1, 1, 4, 1>(0, 0)) * cm_sum<int>(v.select<1, 1, 4, 1>(0, 2));
  } while (sum == 0);
  write(out, 0, vector<int, 8>(sum));
}

// An element that fills a register is that of the vector which is written, too.
// CHECK-LABEL: # kernel once
// CHECK-NOT: {1to16}
// CHECK: vpbroadcastd %xmm
// CHECK-NOT: {1to16}
// CHECK: # kernel
extern "C" _GENX_MAIN_ void once(svmptr_t in, SurfaceIndex out, vector<int, 16> by) {
  vector<int, 8> v;
  cm_svm_block_read(in, v);
  write(out, 0, vector<int, 16>(by * v(0)));
  write(out, 64, v);
}
extern "C" _GENX_MAIN_ void last(SurfaceIndex out) {}
