// Kernel parameters become plain values, and the program remembers their CM types.
// RUN: cmc %s -S -o - | FileCheck %s
// RUN: cmc %s -S -o - | FileCheck --check-prefix=BOOL %s
// RUN: cmc %s -S -o - | FileCheck --check-prefix=INSTANCE %s
// RUN: cmc -march=SKL -verify-each %s -o %t.isa
#include <cm/cm.h>

// CHECK: define spir_func void @parameters(i32 %out, i32 %n, <3 x float> %v, <6 x i16> %m, i8 %b)
// CHECK: !{!"SurfaceIndex 1", !"uint 1", !"float 3", !"short 6", !"uchar 1"}
extern "C" _GENX_MAIN_ void parameters(SurfaceIndex out, uint n, vector<float, 3> v, matrix<short, 2, 3> m, uchar b) {
  vector<float, 4> r = n + b;
  r.select<3, 1>(0) += v;
  r(3) += m(1, 2);
  write(out, 0, 0, r);
}

// A bool is a byte of the host's.
// BOOL: define spir_func void @decides(i32 %out, i8 %b)
// BOOL: icmp {{eq|ne}} i8 %b, 0
extern "C" _GENX_MAIN_ void decides(SurfaceIndex out, bool b) { write(out, 0, vector<int, 4>(b ? 5 : 7)); }

// Instances of a template are kernels like others, which nothing else is merged with.
// INSTANCE: define spir_func void @_Z6storedIsEv12SurfaceIndexT_({{[^)]*}}) #{{[0-9]+}} {
// INSTANCE: define spir_func void @_Z6storedIfEv12SurfaceIndexT_({{[^)]*}}) #{{[0-9]+}} {
template <class T> _GENX_MAIN_ void stored(SurfaceIndex out, T value) { write(out, 0, vector<T, 16>(value)); }
template void stored<short>(SurfaceIndex, short);
template void stored<float>(SurfaceIndex, float);
