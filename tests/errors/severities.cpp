// What is refused, what only gets a warning, and what neither.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not=warning: %s
// RUN: not cmc -DBF16 -march=MTL %s -o %t.isa 2>&1 | FileCheck --check-prefix=BF16 %s
// RUN: not cmc -DVIDEO %s -o %t.isa 2>&1 | FileCheck --check-prefix=VIDEO --implicit-check-not=error: %s
// RUN: not cmc -DASSEMBLY %s -o %t.isa 2>&1 | FileCheck --check-prefix=ASM --implicit-check-not=error: %s
// RUN: not cmc -DPOINTERS %s -o %t.isa 2>&1 | FileCheck --check-prefix=POINTERS %s
#ifdef BF16
extern "C" _GENX_MAIN_ void k() {
  // BF16: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: bfloat16 needs CM_HAS_BF16, which target MTL does not have
  vector<__bf16, 8> v = 1;
  // BF16: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: bfloat16 needs CM_HAS_BF16, which the target does not have
  __bf16 scalar = 1;
}
#elif defined(VIDEO)
extern "C" _GENX_MAIN_ void k() {
  vector<uchar, 64> in = 0;
  // VIDEO: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: VME_SET_UNIInput_SrcX: fixed-function video hardware is not supported
  VME_SET_UNIInput_SrcX(in, 4);
  // VIDEO: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: VMESearchCtrl: fixed-function video hardware is not supported
  VMESearchCtrl search;
}
// VIDEO: 2 errors generated
#elif defined(ASSEMBLY)
extern "C" _GENX_MAIN_ void k() {
  vector<int, 8> v = 1;
  // ASM-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: inline assembly is vISA text for the Gen hardware
  asm("mov (M1, 8) %0 %1" : "=r"(v) : "r"(v));
  // ASM-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: inline assembly is vISA text for the Gen hardware
  asm("mov (M1, 8) %0 %1" : "=a"(v) : "cr"(v));
  // ASM-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: inline assembly is vISA text for the Gen hardware
  asm("mov (M1, 8) %0 %1" : "=r"(v.format<short>()) : "r"(v));
}
// ASM: 3 errors generated
#elif defined(POINTERS)
// POINTERS: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: parameter 'p' of kernel 'k' points to memory that may be a thread's own, which no host has
extern "C" _GENX_MAIN_ void k(__generic float *p) {}
// POINTERS: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: parameter 'p' of kernel 'own' points to memory that may be a thread's own, which no host has
extern "C" _GENX_MAIN_ void own(__private float *p, float *plain, __global float *named) {}
_GENX_ void function(__private float *p, __constant float *c) {
  __private float *q = (__private float *)p;
  // POINTERS: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a cast between 'const __constant float *' and '__local float *': constant memory is no other memory; copy the value
  __local float *l = (__local float *)c;
  // POINTERS: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a cast between 'float *' and 'const __constant float *': constant memory is no other memory; copy the value
  c = (__constant float *)q;
}
#else
_GENX_VOLATILE_ vector<int, 4> of_a_thread;
_GENX_VOLATILE_BINDING_(64) int scalar_of_a_thread;
// CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: function 'rounds_down' has a mode of rounding or of denormal numbers; only kernels have one, with all that they call
_GENX_ROUNDING_MODE_(CM_RTN) _GENX_ float rounds_down(float x) { return x + of_a_thread(0) + scalar_of_a_thread; }
template <class T> _GENX_ void for_size(SurfaceIndex s) {
  vector<T, 16> v;
  if (sizeof(T) == 2)
    v = 65535;
  else
    v = 255;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 256 becomes 0 in elements of type 'unsigned char'
  v = sizeof(T) == 1 ? 256 : 65535;
  write(s, 0, v);
}
extern "C" _GENX_MAIN_ void k(SurfaceIndex s) {
  vector<int, 16> v = 0, w = 1;
  vector<ushort, 8> i = 1;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a new object, such as iselect, replicate or an operator gives, cannot be assigned to
  v.iselect(i) = 3;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a new object, such as iselect, replicate or an operator gives, cannot be assigned to
  v.replicate<2, 4>(0) = 3;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a new object, such as iselect, replicate or an operator gives, cannot be changed
  v.iselect(i) += 3;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: variable 'local' is marked _GENX_VOLATILE_, which is for variables at file scope
  _GENX_VOLATILE_ vector<int, 4> local = 0;
  v.select<4, 1>(0) = local;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'cm_spec_constant'
  w = cm_spec_constant<bool, 0>();
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'cm_spec_constant'
  w = cm_spec_constant<float, 1, 1.0f>();
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: expression result unused
  v.select<4, 2>(1);
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching member function for call to 'select'
  w = v.select<16>(0);
  char few = 5;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: merge: a scalar mask of 8 bits for 16 elements; the others count as 0
  v.merge(w, few);
  v.select<8, 1>(0).merge(w.select<8, 1>(0), few);
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: equality comparison result unused
  v == w;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: ignoring return value
  v + w;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 2.5 becomes 2 in elements of type 'int'
  vector<int, 16> n = 2.5f;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 300 becomes 44 in elements of type 'unsigned char'
  vector<uchar, 16> narrow = 300;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: -129 becomes 127 in elements of type 'char'
  narrow.format<char>() = -129;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 65535 becomes -1 in elements of type 'short'
  vector<short, 16> words(65535);
  vector<short, 16> bits(0xffff), sign = 0x8000, octal = 0177777; // as many bits as the elements have
  vector<char, 16> top = 0x80;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 128 becomes -128 in elements of type 'char'
  top = 128;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 65536 becomes 0 in elements of type 'short'
  bits = 0x10000;
  if (0)
    narrow = 300;
  while (sizeof(int) == 2)
    narrow = 301;
  for_size<uchar>(s);
  auto lambda = [&] {
    if (sizeof(int) == 2)
      narrow = 302;
    // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 303 becomes 47 in elements of type 'unsigned char'
    narrow = 303;
    return;
    narrow = 304;
  };
  lambda();
  vector<uint, 16> all = -1, most = 255;
  vector<int, 16> same = 0xffffffff;
  narrow = 255, narrow = -128;
  // CHECK-DAG: severities.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: 1.0E+10 becomes 2147483647 in elements of type 'int'
  n.select<4, 1>(0) = 1e10f;
  n = 2.0f;
  v.select<4, 1>(0) += 1;
  v.select_all() = w;
  write(s, 0, v + n);
}
// CHECK: 13 warnings and 8 errors generated
#endif
