// What is wrong in several instances of a template is said of each, once, with the caller of each.
// RUN: not cmc -march=PVC %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not=cm/detail %s
#include <cm/cm.h>

template <DataSize DS> void ahead(SurfaceIndex In, unsigned Offset) {
  cm_prefetch<4, DS>(In, Offset);
}
template <CacheHint L1> vector<uint, 32> lanes(SurfaceIndex In) {
  return cm_load<uint, VectorSize::N1, DataSize::U32, L1, CacheHint::Cached>(In, vector<uint, 32>(0));
}

// CHECK: instances.cpp:6:3: error: LSC block: elements of 4 or 8 bytes
// CHECK: instances.cpp:[[@LINE+2]]:{{[0-9]+}}: note: in instantiation of function template specialization 'ahead<DataSize::U8>' requested here
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex In) {
  ahead<DataSize::U8>(In, 0);
  ahead<DataSize::U8>(In, 64);
}
// CHECK: instances.cpp:6:3: error: LSC block: elements of 4 or 8 bytes
// CHECK: instances.cpp:[[@LINE+2]]:{{[0-9]+}}: note: in instantiation of function template specialization 'ahead<DataSize::U16>' requested here
extern "C" _GENX_MAIN_ void words(SurfaceIndex In) {
  ahead<DataSize::U16>(In, 0);
  ahead<DataSize::U32>(In, 0);
}
// CHECK: instances.cpp:9:10: error: unsupported cache hint
// CHECK: note: in instantiation of function template specialization 'lanes<CacheHint::WriteBack>' requested here
// CHECK: instances.cpp:9:10: error: unsupported cache hint
// CHECK: note: in instantiation of function template specialization 'lanes<CacheHint::WriteThrough>' requested here
extern "C" _GENX_MAIN_ void hints(SurfaceIndex In) {
  vector<uint, 32> v = lanes<CacheHint::WriteBack>(In);
  v += lanes<CacheHint::Cached>(In);
  v += lanes<CacheHint::WriteThrough>(In);
  cm_store<uint, VectorSize::N1, DataSize::U32>(In, vector<uint, 32>(0), v);
}
// The same of memory that is reached in another way.
// CHECK: instances.cpp:[[@LINE+2]]:24: error: unsupported cache hint
template <CacheHint L1> void addresses(uint *P, SurfaceIndex Out) {
  vector<uint, 32> v = cm_ptr_load<uint, VectorSize::N1, DataSize::U32, L1, CacheHint::Cached>(P, vector<uint, 32>(0));
  cm_store<uint, VectorSize::N1, DataSize::U32>(Out, vector<uint, 32>(0), v);
}
// CHECK: note: in instantiation of function template specialization 'addresses<CacheHint::WriteBack>' requested here
extern "C" _GENX_MAIN_ void pointers(uint *P, SurfaceIndex Out) { addresses<CacheHint::WriteBack>(P, Out); }
// CHECK: 5 errors generated
