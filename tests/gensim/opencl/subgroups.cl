// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Subgroups of 8, 16 and 32 work items. The CPU computes the same through local memory.
#ifndef PEER
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#define SUBGROUP(N) __attribute__((intel_reqd_sub_group_size(N)))
#define SHUFFLE(x, k, N) intel_sub_group_shuffle(x, (k) & (N - 1))
#define ADD(x, N) sub_group_reduce_add(x)
#define SCAN(x, N) sub_group_scan_exclusive_add(x)
#define BROADCAST(x, k, N) sub_group_broadcast(x, k)
#define DOWN(x, y, k, N) intel_sub_group_shuffle_down(x, y, k)
#define XOR(x, k, N) intel_sub_group_shuffle_xor(x, k)
#define LANE(N) get_sub_group_local_id()
#define READ(p, N) intel_sub_group_block_read((const global uint *)(p))
#define WRITE(p, x, N) intel_sub_group_block_write((global uint *)(p), x)
#define SHARED
#else
#define SUBGROUP(N)
#define SHARED local uint shared_[64]; uint value_;
#define ALL(N, EXPRESSION) ({ barrier(CLK_LOCAL_MEM_FENCE); (EXPRESSION); })
#define FIRST(N) (get_local_id(0) / N * N)
#define LANE(N) (get_local_id(0) % N)
uint put(local uint *shared_, uint x) {
  barrier(CLK_LOCAL_MEM_FENCE);
  shared_[get_local_id(0)] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  return 0;
}
uint sum(local uint *shared_, uint from, uint to) {
  uint s = 0;
  for (uint k = from; k < to; ++k)
    s += shared_[k];
  return s;
}
#define SHUFFLE(x, k, N) (put(shared_, x), shared_[FIRST(N) + ((k) & (N - 1))])
#define ADD(x, N) (put(shared_, x), sum(shared_, FIRST(N), FIRST(N) + N))
#define SCAN(x, N) (put(shared_, x), sum(shared_, FIRST(N), get_local_id(0)))
#define BROADCAST(x, k, N) (put(shared_, x), shared_[FIRST(N) + k])
#define DOWN(x, y, k, N) (put(shared_, x), LANE(N) + k < N ? shared_[FIRST(N) + LANE(N) + k] : y)
#define XOR(x, k, N) (put(shared_, x), shared_[FIRST(N) + (LANE(N) ^ k)])
#define READ(p, N) ((p)[LANE(N)])
#define WRITE(p, x, N) ((p)[LANE(N)] = x)
#endif

#define KERNELS(N)                                                                                                     \
  SUBGROUP(N) kernel void shuffles_##N(global const uint *a, global const uint *b, global uint *to) {                  \
    SHARED size_t i = get_global_id(0), n = get_global_size(0);                                                        \
    uint x = a[i], k = b[i];                                                                                           \
    to[i] = SHUFFLE(x, k, N);                                                                                          \
    to[i + n] = XOR(x, 3, N);                                                                                          \
    to[i + 2 * n] = BROADCAST(x, 5, N);                                                                                \
    to[i + 3 * n] = LANE(N);                                                                                           \
  }                                                                                                                    \
  SUBGROUP(N) kernel void reductions_##N(global const uint *a, global uint *to) {                                      \
    SHARED size_t i = get_global_id(0), n = get_global_size(0);                                                        \
    uint x = a[i];                                                                                                     \
    to[i] = ADD(x, N);                                                                                                 \
    to[i + n] = SCAN(x, N);                                                                                            \
  }
#define BLOCKS(N) \
  SUBGROUP(N) kernel void blocks_##N(global const uint *a, global uint *to) {                                          \
    size_t first = get_global_id(0) / N * N;                                                                           \
    uint x = READ(a + first, N);                                                                                       \
    WRITE(to + first, x * 3 + 1, N);                                                                                   \
  }
// launch: shuffles_8 global=64 local=32 in=uint:64 in=uint:64 zero=uint:256
// launch: reductions_8 global=64 local=32 in=uint:64 zero=uint:128
// launch: blocks_8 global=64 local=32 in=uint:64 zero=uint:64
KERNELS(8)
BLOCKS(8)
// launch: shuffles_16 global=64 local=32 in=uint:64 in=uint:64 zero=uint:256
// launch: reductions_16 global=64 local=32 in=uint:64 zero=uint:128
// launch: blocks_16 global=64 local=32 in=uint:64 zero=uint:64
KERNELS(16)
BLOCKS(16)
// launch: shuffles_32 global=64 local=32 in=uint:64 in=uint:64 zero=uint:256
// launch: reductions_32 global=64 local=32 in=uint:64 zero=uint:128
KERNELS(32)
