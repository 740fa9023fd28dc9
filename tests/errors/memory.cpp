// Mistakes with memory functions, features that a target lacks, deprecated functions (ERR-02 ERR-13 ERR-21 ERR-22 ERR-23
// ERR-25 L2D-14 OBJ-03 LSC-19 MED-04 OWD-04 SCT-05 ATM-03).
// RUN: not cmc -march=TGLLP %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=note: --implicit-check-not=cm/detail %s
// RUN: cmc -march=TGLLP -DLARGE %s -Qxcm_doubleGRF -o %t.isa
#include <cm/cm.h>

#ifdef LARGE
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf) {
  vector<float, 1024> fits = 0;
  write(buf, 0, fits.select<32, 1>(0));
}
#else
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf, int n) {
  vector<int, 8> a = 0;
  vector<uint, 8> u = 0;
  vector<float, 8> f = 0;
  vector<ushort, 64> wide = 0;
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix of 4096 bytes; on target TGLLP an object has less than 4096
  vector<float, 1024> large;
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix of 8192 bytes; on target TGLLP an object has less than 4096
  struct { matrix<int, 32, 64> rows; } member;
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: merge: a scalar mask of {{[0-9]+}} bits for {{[0-9]+}} elements; the others count as 0
  wide.merge(1, n);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: oword block write: 16, 32, 64 or 128 bytes
  write(buf, 0, vector<int, 3>(0));
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: oword block read: at most 128 bytes
  read(buf, 0, vector<int, 64>(0).select_all());
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: scattered read and write: 1, 2, 4, 8, 16 or 32 elements
  write(buf, 0, vector<uint, 3>(0), vector<int, 3>(0));
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: scattered read and write: elements of at most 4 bytes
  write(buf, 0, u, vector<double, 8>(0));
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: write_atomic: this operation works on int or uint
  write_atomic<ATOMIC_ADD>(buf, u, f);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: write_atomic: this operation works on float
  write_atomic<ATOMIC_FADD>(buf, u, a);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: write_atomic: another number of offsets than the template argument says
  write_atomic<ATOMIC_ADD, uint, 16>(buf, u, u);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'write_atomic'
  write_atomic<ATOMIC_CMPXCHG>(buf, u, 1);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_slm_init: more than CM_MAX_SLM_SIZE bytes of shared local memory
  cm_slm_init(65537);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this atomic operation takes another number of sources, or works on the other of integers and floats
  cm_slm_atomic(0, ATOMIC_ADD, u, u);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 'write{{.*}}' is deprecated: use write_atomic
  write(buf, ATOMIC_ADD, 0, u, a, NULL);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 'cm_rdtsc{{.*}}' is deprecated: use cm_clock
  a.select<4, 1>(0) = cm_rdtsc();
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this function needs CM_HAS_LSC, which target TGLLP does not have
  a = cm_load<int>(buf, u);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a 2D block message needs CM_HAS_LSC_UNTYPED_2D, which target TGLLP does not have
  u = cm_ptr_load<uint, 4, 2>((uint *)nullptr, 63, 3, 63, 0, 0);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_bfn needs CM_HAS_BFN, which target TGLLP does not have
  a = cm_bfn<BFN_X & BFN_Y>(a, a, a);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: named barriers need CM_HAS_NAMED_BARRIERS, which target TGLLP does not have
  cm_nbarrier_init(2);
  // CHECK-DAG: memory.cpp:[[@LINE+1]]:{{[0-9]+}}: error: cm_rol on 64-bit integers needs CM_HAS_BIT_ROTATE_64BIT, which target TGLLP does not have
  vector<unsigned long long, 4> r = cm_rol(vector<unsigned long long, 4>(1), 3);
}
#endif
