// Which cache hints go together is a matter of the target (LCH-01 LCH-02 LCH-03 LCH-04 LCH-05).
// RUN: cmc %s -S -emit-llvm -o %t.ll
// RUN: cmc -march=DG2 -DOLDER %s -S -emit-llvm -o %t.ll
// RUN: cmc -march=LNL -DNEWER %s -S -emit-llvm -o %t.ll
// RUN: cmc -march=CRI -DTHREE %s -S -emit-llvm -o %t.ll
// RUN: not cmc -march=DG2 %s -o %t.isa 2>&1 | FileCheck --check-prefix=DG2 --implicit-check-not=error: %s
// RUN: not cmc -march=LNL -DOLDER -DTHREE %s -o %t.isa 2>&1 | FileCheck --check-prefix=LNL --implicit-check-not=error: %s
#include <cm/cm.h>
#if !defined(OLDER) && !defined(NEWER) && !defined(THREE)
#define OLDER
#define NEWER
#define THREE
#endif

#define LOAD(...) u = cm_load<uint, VectorSize::N1, DataSize::U32, __VA_ARGS__>(buf, u)
#define STORE(...) cm_store<uint, VectorSize::N1, DataSize::U32, __VA_ARGS__>(buf, u, u)
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf) {
  using enum CacheHint;
  vector<uint, 8> u = 0;
  LOAD(Uncached, Cached);
  LOAD(Streaming, Uncached);
  STORE(WriteBack, WriteBack);
  STORE(Streaming, WriteBack);
#ifdef OLDER
  // LNL-DAG: cache_hints.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target LNL
  LOAD(ReadInvalidate, Cached);
#endif
#ifdef NEWER
  // DG2-DAG: cache_hints.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target DG2
  LOAD(ReadInvalidate, ReadInvalidate);
  // DG2-DAG: cache_hints.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target DG2
  LOAD(Cached, ConstCached);
  // DG2-DAG: cache_hints.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target DG2
  cm_prefetch<VectorSize::N1, DataSize::U32, Uncached, ConstCached>(buf, u);
#endif
#ifdef THREE
  // DG2-DAG: cache_hints.cpp:[[@LINE+2]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target DG2
  // LNL-DAG: cache_hints.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target LNL
  LOAD(Cached, Uncached, Cached);
  // DG2-DAG: cache_hints.cpp:[[@LINE+2]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target DG2
  // LNL-DAG: cache_hints.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target LNL
  STORE(WriteBack, Uncached);
  // DG2-DAG: cache_hints.cpp:[[@LINE+2]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target DG2
  // LNL-DAG: cache_hints.cpp:[[@LINE+1]]:{{[0-9]+}}: error: unsupported cache hint: {{.*}} on target LNL
  cm_atomic<AtomicOp::IINC, uint, VectorSize::N1, DataSize::U32, Uncached, Uncached, WriteBack>(buf, u);
#endif
}
