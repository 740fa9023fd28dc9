// What SIMD control flow forbids (ERR-18 SCF-07 SCF-09 SCF-14 SCF-15 SCF-18 SCF-22 MED-11 PRG-02 SYN-03 CFL-05 ERR-07 ERR-26
// MOD-05 MTH-18 CFL-03).
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=cm/detail %s
// RUN: cmc -DALLOWED %s -o %t.isa
#include <cm/cm.h>

_GENX_ void add(vector_ref<int, 8> v) { v += 1; }

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf, vector<int, 8> c, int n) {
  vector<int, 8> v = 0, w = 1;
  vector<int, 16> other = 0;
  vector<ushort, 8> mask = 0;
  vector<float, 8> f = 0;
  // What is allowed: scalar control flow that stays inside, functions, scattered access.
  SIMD_IF_BEGIN(c > 0) {
    for (int i = 0; i < n; i++) {
      if (i == 3)
        break;
      v += i;
    }
    switch (n) {
    case 1:
      break;
    default:
      v = n == 2 ? 1 : 2;
    }
    add(v);
    auto f = [](int x) { return x + 1; };
    v += f(n);
    n = 5;
  }
  SIMD_IF_END;
#ifndef ALLOWED
  SIMD_IF_BEGIN(c > 0) {
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:11: error: a statement of 16 elements in SIMD control flow of 8 channels; it has as many elements as channels, or one
    other = 1;
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+2]]:7: error: 'return' jumps out of SIMD control flow; use SIMD_BREAK or SIMD_CONTINUE, or set a variable
    if (n)
      return;
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:5: error: 'goto' jumps out of SIMD control flow
    goto end;
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:5: error: 'cm_pack_mask' has no meaning for single channels; move it out of SIMD control flow
    cm_pack_mask(mask);
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:5: error: 'cm_barrier' has no meaning for single channels
    cm_barrier();
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:9: error: 'cm_dp4' has no meaning for single channels
    f = cm_dp4(f, f);
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:5: error: 'read' has no meaning for single channels; move it out of SIMD control flow, or use scattered reads and writes
    read(buf, 0, v);
    // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:5: error: 'write' has no meaning for single channels
    write(buf, 0, 0, v);
  }
  SIMD_IF_END;
  for (int i = 0; i < n; i++) {
    SIMD_IF_BEGIN(c > 0) {
      // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:7: error: 'continue' jumps out of SIMD control flow
      continue;
    }
    SIMD_IF_END;
  }
  // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:3: error: SIMD_BREAK and SIMD_CONTINUE stand inside a SIMD loop
  SIMD_BREAK;
  // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:3: error: SIMD control flow: 2, 4, 8, 16 or 32 channels
  SIMD_IF_BEGIN((vector<int, 3>(1))) { n = 1; }
  SIMD_IF_END;
  // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:3: error: cm_global_barrier needs a cooperative launch
  cm_global_barrier();
  // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:9: warning: pragma 'cm_nonstrict' is deprecated and has no effect
#pragma cm_nonstrict
  // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:{{[0-9]+}}: error: DWALIGNED is for oword reads of buffers; a media block needs no such mark
  read(DWALIGNED(buf), 0, 0, v);
  // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_sqrt works on floats; convert the operand first
  v = cm_sqrt(v);
  // CHECK-DAG: simd_control_flow.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cannot jump from this goto statement to its label
  goto inside;
  int jumped = 1;
inside:
  n = jumped;
end:
#endif
  write(buf, 0, v + w);
}
