// Mistakes with LSC functions (ERR-21 LSC-04 LSC-19 LCH-01 LCH-02 LCH-03 LCH-04 LCH-05 L2D-04 L2D-08 L2D-09 L2D-10 L2D-11 L2D-12).
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=note: --implicit-check-not=cm/detail %s
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf, uint *p) {
  vector<uint, 8> u = 0;
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint
  u = cm_load<uint, VectorSize::N1, DataSize::U32, CacheHint::WriteBack, CacheHint::Cached>(buf, u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint
  cm_store<uint, VectorSize::N1, DataSize::U32, CacheHint::Cached, CacheHint::Cached>(buf, u, u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint
  cm_atomic<AtomicOp::IINC, uint, VectorSize::N1, DataSize::U32, CacheHint::Streaming, CacheHint::Cached>(buf, u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint
  cm_prefetch<VectorSize::N1, DataSize::U32, CacheHint::Uncached, CacheHint::Uncached>(buf, u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC block: 1, 2, 3, 4, 8, 16, 32 or 64 elements, not 5
  cm_load<uint, 5>(buf, 0u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC block: elements of 4 or 8 bytes; narrower data is moved as dwords
  cm_load<uchar, 4>(buf, 0u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 'cm_load<unsigned int, VectorSize::N4, DataSize::Default>' is deprecated: give the number of elements as an integer
  cm_load<uint, VectorSize::N4>(buf, 0u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC quads: a store takes the channels R, GR, BGR or ABGR
  cm_store4<uint, CM_AR_ENABLE>(buf, u, vector<uint, 16>(0));
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'cm_atomic'
  cm_atomic<AtomicOp::ICAS, uint>(buf, u);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC 2D block: transposed and transformed exclude each other
  cm_ptr_load<uint, 4, 4, 1, true, true>(p, 63, 3, 63, 0, 0);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC 2D block: 33 rows; a load has 1 to 32, a store 1 to 8
  cm_ptr_load<uint, 4, 33>(p, 63, 3, 63, 0, 0);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC 2D block: rows of 128 bytes; they have a multiple of 4 and at most 64
  cm_ptr_load<uint, 16, 4, 2>(p, 63, 3, 63, 0, 0);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC 2D block: 9 rows; a load has 1 to 32, a store 1 to 8
  cm_ptr_store<uint, 4, 9>(p, 63, 3, 63, 0, 0, vector<uint, 36>(0));
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC 2D block: a transformed load has elements of 1 or 2 bytes
  cm_ptr_load<uint, 4, 4, 1, false, true>(p, 63, 3, 63, 0, 0);
  // CHECK-DAG: lsc.cpp:[[@LINE+1]]:{{[0-9]+}}: error: LSC 2D block: rows of 512 bytes to prefetch; there are at most 256, and 32 rows
  cm_ptr_prefetch<uint, 128, 4>(p, 63, 3, 63, 0, 0);
}
