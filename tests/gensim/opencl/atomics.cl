// RUN: %build/bin/opencl-check %s --targets $(echo skl icllp tgllp | %some 3) --times %S/times/%{s:basename}.txt | FileCheck --check-prefix=SAME --match-full-lines %s
// SAME: {{[1-9][0-9]* launches, [1-9][0-9]* instructions read, 0 problems}}
// REQUIRES: opencl
// Atomics on global and local memory. What each work item gets back depends on the order, so sums of it are compared.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

// launch: integers global=128 local=32 in=int:128 in=int:16:-50..50
kernel void integers(global const int *a, volatile global int *to) {
  int x = a[get_global_id(0)];
  atomic_add(to, x);
  atomic_sub(to + 1, x);
  atomic_inc(to + 2);
  atomic_dec(to + 3);
  atomic_min(to + 4, x);
  atomic_max(to + 5, x);
  atomic_and(to + 6, x | 0xFFFF);
  atomic_or(to + 7, x & 0x7F0);
  atomic_xor(to + 8, x);
  atomic_min((volatile global uint *)to + 9, (uint)x);
  atomic_max((volatile global uint *)to + 10, (uint)x);
  atomic_xchg(to + 11, 77);
  int seen = atomic_add(to + 12, 1);
  atomic_add(to + 13, seen);
}

// launch: exchange global=64 local=32 zero=int:4 zero=int:64
kernel void exchange(volatile global int *counter, global int *to) {
  int old, i = get_global_id(0);
  do {
    old = *counter;
  } while (atomic_cmpxchg(counter, old, old + i) != old);
  to[i] = atomic_cmpxchg(counter + 1, 5, i) == 0;
}

// launch: locals global=64 local=64 in=int:64 zero=int:8
kernel void locals(global const int *a, global int *to) {
  local int t[6];
  int l = get_local_id(0), x = a[l];
  if (l < 6)
    t[l] = l == 2 ? 0x7FFFFFFF : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(t, x);
  atomic_xor(t + 1, x);
  atomic_min(t + 2, x);
  atomic_max(t + 3, x);
  atomic_or(t + 4, 1 << (l & 31));
  int place = atomic_inc(t + 5);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 6)
    to[l] = t[l];
  atomic_add(to + 6, place);
}

// launch: float_exchange global=32 local=32 in=float:32 zero=float:4 zero=int:32
kernel void float_exchange(global const float *a, volatile global float *to, global int *fine) {
  float old = atomic_xchg(to, 3.25f);
  fine[get_global_id(0)] = old == 0 || old == 3.25f;
  atomic_xchg(to + 1, a[0]);
}

// launch: longs global=64 local=16 in=long:64 zero=long:8
kernel void longs(global const long *a, volatile global long *to) {
  long x = a[get_global_id(0)];
  atom_add(to, x);
  atom_sub(to + 1, x);
  atom_inc(to + 2);
  atom_xchg(to + 3, 55l);
}
