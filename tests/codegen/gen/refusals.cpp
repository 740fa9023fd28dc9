// What code generation refuses is said of every kernel, a line each.
// RUN: not cmc -march=TGLLP %s -o %t.isa 2>&1 | FileCheck --check-prefix=GEN %s
// RUN: cmc -DCOLUMNS %s -o %t.columns.isa
// RUN: not cmrun %t.columns.isa product --threads 1x1 --arg buffer:zero=256 --arg int:1 --device gensim:pvc 2>&1 | FileCheck --check-prefix=COLUMNS %s
// RUN: not cmc -binary-format=ocl %s -o %t.spv 2>&1 | FileCheck --check-prefix=OCL %s
#ifdef COLUMNS
// COLUMNS: kernel 'product' cannot be compiled for PVC: a systolic product of 8 columns, which are 16 in a source that is compiled with -march=PVC
extern "C" _GENX_MAIN_ void product(SurfaceIndex s, int n) {
  vector<int, 64> a = n, b = n;
  write(s, 0, cm_dpas<CM_PRECISION_S8, CM_PRECISION_S8, 8, 8, int>(0, b, a).select<32, 1>(0));
}
#else
extern "C" _GENX_MAIN_ void doubles(SurfaceIndex s, int n) {
  vector<double, 8> v = n;
  v *= 3.0;
  write(s, 0, vector<int, 8>(v));
}
extern "C" _GENX_MAIN_ void fine(SurfaceIndex s, int n) { write(s, 0, vector<int, 8>(n)); }
extern "C" _GENX_MAIN_ void address(SurfaceIndex s, int n) {
  int x = n;
  printf("%d", n);
  write(s, 0, vector<int, 4>((int)(uintptr_t)&x));
}
extern "C" _GENX_MAIN_ void prints(SurfaceIndex s, int n) { printf("%d", n); }
#endif
// GEN: cmc: error: kernel 'doubles' cannot be compiled for TGLLP: arithmetic on double
// GEN-NEXT: cmc: error: kernel 'address' cannot be compiled for TGLLP: a variable whose address goes into memory
// OCL-NOT: 'doubles'
// OCL: cmc: error: kernel 'address' cannot be an OpenCL program:
// OCL-NEXT: cmc: error: kernel 'prints' cannot be an OpenCL program:
