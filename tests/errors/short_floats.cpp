// Clang knows no conversion between scalars of half and bfloat16: the way out is said.
// RUN: not cmc -march=PVC %s -o %t.isa 2>&1 | FileCheck %s
// RUN: cmc -march=PVC -DRIGHT %s -o %t.isa
#ifdef RIGHT
#define CONVERT(x) float(x)
#else
#define CONVERT(x) (x)
#endif
// CHECK: short_floats.cpp:[[@LINE+2]]:{{[0-9]+}}: error: static_cast from 'half' {{.*}}__bf16') is not allowed
// CHECK: {{^}}note: there is no conversion between half and bfloat16; write float(x) between them
_GENX_ bfloat16 cast(half x) { return static_cast<bfloat16>(CONVERT(x)); }
// CHECK: short_floats.cpp:[[@LINE+3]]:{{[0-9]+}}: error: cannot initialize return object of type 'half' (aka '_Float16') with an lvalue of type {{.*}}__bf16'
// CHECK: {{^}}note: there is no conversion between half and bfloat16; write float(x) between them
_GENX_ half result(bfloat16 x) {
  return CONVERT(x);
}
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s, half h) {
  bfloat16 b = 1.0f;
  // CHECK: short_floats.cpp:[[@LINE+2]]:{{[0-9]+}}: error: assigning to {{.*}}__bf16') from incompatible type 'half' (aka '_Float16')
  // CHECK: {{^}}note: there is no conversion between half and bfloat16; write float(x) between them
  b = CONVERT(h);
  vector<bfloat16, 16> objects = vector<half, 16>(result(cast(h))); // those convert
  write(s, 0, vector<half, 16>(objects + b));
}
