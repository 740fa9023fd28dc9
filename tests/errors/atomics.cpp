// Atomic operations that a target lacks are refused for it, wherever the operation is said.
// RUN: cmc -march=cpu %s -o %t.isa
// RUN: not cmc -march=SKL %s -o %t.isa 2>&1 | FileCheck --check-prefix=SKL %s
// RUN: not cmc -march=DG2 %s -o %t.isa 2>&1 | FileCheck --check-prefix=DG2 --implicit-check-not=error: %s
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s, svmptr_t p) {
  vector<uint, 16> o = 0;
  vector<ushort, 16> h = 0;
  vector<float, 16> a = 1, r;
  vector<svmptr_t, 16> at = p;
  cm_slm_init(64);
  // SKL: atomics.cpp:[[@LINE+2]]:{{[0-9]+}}: error: target SKL does not have ATOMIC_FADD and ATOMIC_FSUB on shared local memory
  // DG2: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: target DG2 does not have ATOMIC_FADD and ATOMIC_FSUB on shared local memory
  cm_slm_atomic(0, ATOMIC_FADD, h, r, a);
  cm_slm_atomic(0, ATOMIC_FMAX, h, r, a);
  // SKL: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: target SKL does not have ATOMIC_FADD and ATOMIC_FSUB
  cm_svm_atomic(ATOMIC_FSUB, at, r, a);
  // SKL: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: ATOMIC_FADD and ATOMIC_FSUB need CM_HAS_LSC, which target SKL does not have
  write_atomic<ATOMIC_FADD>(s, o, a, r);
  // SKL: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: ATOMIC_FADD and ATOMIC_FSUB need CM_HAS_LSC, which target SKL does not have
  svm_atomic<ATOMIC_FSUB>(at, r, a);
  write_atomic<ATOMIC_FMIN>(s, o, a, r);
#ifdef CM_HAS_LSC
  // DG2: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: target DG2 does not have AtomicOp::FADD and FSUB on shared local memory
  r = cm_atomic_slm<AtomicOp::FADD>(o, a);
  vector<unsigned long long, 16> l = 0;
  // DG2: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: target DG2 does not have this atomic operation of 64 bits on shared local memory
  l = cm_atomic_slm<AtomicOp::IADD>(o, l);
  vector<double, 16> d = 0;
  // DG2: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: atomics of double need CM_HAS_DOUBLE, which target DG2 does not have
  d = cm_atomic<AtomicOp::FADD>(s, o, d);
#endif
}
// DG2: 4 errors generated
