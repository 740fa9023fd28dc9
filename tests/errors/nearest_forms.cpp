// A call of a built-in that no form fits shows the nearest forms, and why they do not fit.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=cm/detail --implicit-check-not=note: %s
template <class V> void call(V v) { cm_sqrt(v, 1, 2); }
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s) {
  vector<int, 16> v = 0;
  struct other {
    int x;
  } x;
  // CHECK: nearest_forms.cpp:[[@LINE+2]]:3: error: no matching function for call to 'cm_add'
  // CHECK: {{^}}note: cm_add<T0>(Left, Right[, int Flag]): template argument T0 is missing
  cm_add(v, 1);
  // CHECK: nearest_forms.cpp:[[@LINE+2]]:3: error: no matching function for call to 'cm_max'
  // CHECK: {{^}}note: cm_max[<T0>](Left, Right[, int Flag]): 'other' is neither an object nor a number
  cm_max(v, x);
  // CHECK: nearest_forms.cpp:[[@LINE+2]]:3: error: no matching function for call to 'cm_svm_block_read'
  // CHECK: {{^}}note: cm_svm_block_read(svmptr_t Address, To): requires 2 arguments, but 1 was provided
  cm_svm_block_read(v);
  // CHECK: nearest_forms.cpp:[[@LINE+4]]:3: error: no matching function for call to 'read'
  // CHECK: {{^}}note: read<T>(SurfaceIndex Surface, uint Element): template argument T is missing
  // CHECK: {{^}}note: read(SurfaceIndex Surface, int Offset, Block): requires 3 arguments, but 2 were provided
  // CHECK: {{^}}note: read(
  read(s, v);
  // What stands in front of an argument that must be written is written, too, though the call would tell it.
  // CHECK: nearest_forms.cpp:[[@LINE+4]]:3: error: no matching function for call to 'cm_ptr_store'
  // CHECK: {{^}}note: cm_ptr_store<T, W[, H, L1, L2, L3, N]>(Base, uint WidthM1, uint HeightM1, uint PitchM1, int X, int Y, Data): template argument T is a type
  // CHECK: {{^}}note: cm_ptr_store
  // CHECK: {{^}}note: cm_ptr_store
  cm_ptr_store<16, 8>((half *)nullptr, 63, 7, 63, 0, 0, v);
  // CHECK: nearest_forms.cpp:[[@LINE+4]]:3: error: no matching function for call to 'write'
  // CHECK: {{^}}note: write(SurfaceIndex Surface, CmAtomicOpType Op, uint Global, Offsets, Source, Result): requires 6 arguments, but 7 were provided
  // CHECK: {{^}}note: write(
  // CHECK: {{^}}note: write(
  write<uint, 16>(s, ATOMIC_ADD, 0, v, v, v, v);
  // CHECK: nearest_forms.cpp:3:37: error: no matching function for call to 'cm_sqrt'
  // CHECK: nearest_forms.cpp:[[@LINE+2]]:3: note: in instantiation of function template specialization 'call<vector<int, 16>>' requested here
  // CHECK: {{^}}note: cm_sqrt[<T0>](Operand[, int Flag]): requires at most 2 arguments, but 3 were provided
  call(v);
}
