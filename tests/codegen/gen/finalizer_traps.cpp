// What the finalizer makes wrong code of is not printed: vISA text that says the same in another way.
// RUN: for t in SKL ICLLP TGLLP DG2 PVC; do cmc -march=$t -verify-each %s -o %t.isa || exit 1; done
// RUN: cmc -march=ICLLP -verify-each -S %s -o - | FileCheck %s
#include <cm/cm.h>

// Bytes that are computed in place, from other places of the same vector, go through a copy that is no move: it would
// compute them in place after all, one half after the other.
// CHECK-LABEL: .function "bytes_BB_0"
// CHECK: or (M1, 4) [[LAST:V[0-9]+]](0,0)<1> [[V:V[0-9]+]](0,9)<1;1,0> 0:w
// CHECK-NEXT: add (M1, 8) [[T:V[0-9]+]](0,0)<1> [[V]](0,2)<1;1,0> [[V]](0,1)<1;1,0>
// CHECK-NEXT: or (M1, 8) [[V]](0,2)<1> [[T]](0,0)<1;1,0> 0:w
// CHECK-NEXT: add (M1, 4) [[V]](0,10)<1> [[V]](0,10)<1;1,0> [[LAST]](0,0)<1;1,0>
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex s) {
  vector<char, 16> v;
  read(s, 0, v);
  v.select<12, 1>(2) += v.select<12, 1>(1);
  write(s, 0, v);
}

// Each byte where it was needs none.
// CHECK-LABEL: .function "sameBytes_BB_0"
// CHECK: oword_ld (1) T6 0:ud [[V:V[0-9]+]]_ub.0
// CHECK-NEXT: add (M1, 8) [[V]](0,2)<1> [[V]](0,2)<1;1,0> 5:w
// CHECK-NOT: or (M1
// CHECK-LABEL: .function
extern "C" _GENX_MAIN_ void sameBytes(SurfaceIndex s) {
  vector<char, 16> v;
  read(s, 0, v);
  v.select<8, 1>(2) += 5;
  write(s, 0, v);
}

// What short instructions wrote apart is moved together by what is no move: the elements would keep their distance.
// CHECK: "apart_BB_0"
// CHECK: mov (M1, 2) [[V:V[0-9]+]](0,0)<2> r[A1(0),0]<4;1,0>:d
// CHECK: or (M1, 8) {{V[0-9]+}}(0,0)<1> [[V]](0,0)<2;1,0> 0:w
extern "C" _GENX_MAIN_ void apart(SurfaceIndex s, int n) {
  matrix<unsigned long long, 4, 8> m;
  read(s, 0, m.select<2, 1, 8, 1>(0, 0));
  read(s, 128, m.select<2, 1, 8, 1>(2, 0));
  vector<int, 16> r = vector<int, 16>(m.select<4, 1, 4, 2>(0, n), SAT);
  write(s, 0, r);
}

// Elements chosen channel by channel are the first operand, or copied by what is no move: as the second they would get
// a sign.
// CHECK-LABEL: .function "chosen_BB_0"
// CHECK: or (M1, 8) [[E:V[0-9]+]](0,0)<1> r[A1(0),0]<1,0>:d 0:w
// CHECK: min (M1, 8) {{V[0-9]+}}_ud(0,0)<1> {{V[0-9]+}}_ud(0,0)<1;1,0> [[E]]_ud(0,0)<1;1,0>
// CHECK: add (M1, 8) {{V[0-9]+}}(0,0)<1> {{.*}}r[A{{[0-9]}}(0),0]<1,0>:d
extern "C" _GENX_MAIN_ void chosen(SurfaceIndex s) {
  vector<uint, 8> a, b;
  vector<ushort, 8> i;
  read(s, 0, a);
  read(s, 32, b);
  read(s, 64, i);
  write(s, 0, cm_min<uint>(b, a.iselect(i)));
  write(s, 32, b + a.iselect(i));
}

// Words of different signs that are divided with a sign: an extension that is no move.
// CHECK: "divided_BB_0"
// CHECK: mov (M1, 8) [[A:V[0-9]+]](0,0)<1> {{V[0-9]+}}(0,0)<1;1,0>
// CHECK-NEXT: or (M1, 8) [[B:V[0-9]+]]_ud(0,0)<1> {{V[0-9]+}}_uw(0,0)<1;1,0> 0:uw
// CHECK-NEXT: mod (M1, 8) {{V[0-9]+}}(0,0)<1> [[A]](0,0)<1;1,0> [[B]](0,0)<1;1,0>
extern "C" _GENX_MAIN_ void divided(SurfaceIndex s) {
  vector<short, 8> a;
  vector<ushort, 8> b;
  read(s, 0, a);
  read(s, 16, b);
  vector<int, 8> r = vector<int, 8>(a) % vector<int, 8>(b);
  write(s, 0, r);
}

// All bits of a product by a negative word: the upper half is right with a factor of a whole dword only.
// CHECK-LABEL: .function "products_BB_0"
// CHECK: not (M1, 1) [[C:V[0-9]+]](0,0)<1> 0x6:d
// CHECK-NEXT: mul (M1, 8) {{V[0-9]+}}(0,0)<1> [[V:V[0-9]+]](0,0)<1;1,0> [[C]](0,0)<0;1,0>
// CHECK: or (M1, 8) [[W:V[0-9]+]](0,0)<1> {{V[0-9]+}}(0,0)<1;1,0> 0:w
// CHECK: mul (M1, 8) {{V[0-9]+}}(0,0)<1> [[V]](0,0)<1;1,0> [[W]](0,0)<1;1,0>
extern "C" _GENX_MAIN_ void products(SurfaceIndex s) {
  vector<int, 8> v;
  read(s, 0, v);
  vector<short, 8> w;
  read(s, 32, w);
  vector<long long, 8> r = vector<long long, 8>(v) * -7;
  write(s, 0, r);
  r = vector<long long, 8>(v) * vector<long long, 8>(w);
  write(s, 64, r);
}

// A loop that is left for what returns: its jump back does not stand behind the return.
// CHECK-LABEL: .function "left_BB_0"
// CHECK: jmp
// CHECK: ret (M1, 1)
// CHECK-NOT: jmp
extern "C" _GENX_MAIN_ void left(SurfaceIndex s, int n) {
  vector<int, 8> v;
  read(s, 0, v);
  for (int i = 0;; ++i) {
    if (cm_sum<int>(v) > n) {
      v(0) = i;
      break;
    }
    if (v(1) > n) {
      write(s, 64, v);
      return;
    }
    v += i;
  }
  write(s, 0, v);
}

// Several rows at a place that is known at run time: one row at a time.
// CHECK-LABEL: .function "placed_BB_0"
// CHECK-NOT: r[{{.*}}<8;4,1>
// CHECK: add (M1, 4) {{V[0-9]+}}(0,0)<1> r{{\[}}{{A[0-9]+}}(0),{{[0-9]+}}]<1;1,0>
extern "C" _GENX_MAIN_ void placed(SurfaceIndex s, int i) {
  matrix<int, 8, 8> m;
  vector<int, 16> v;
  read(s, 0, v);
  for (int k = 0; k < 4; ++k)
    m.select<2, 1, 8, 1>(2 * k, 0) = v + k;
  vector<int, 16> w = m.select<4, 1, 4, 1>(i & 3, 1) + v;
  write(s, 0, w);
}

// A second operand of several rows has none that reaches into another register.
// CHECK-LABEL: .function "rows_BB_0"
// CHECK-NOT: (0,5)<0;8,1>
// CHECK: ret
extern "C" _GENX_MAIN_ void rows(SurfaceIndex s) {
  vector<float, 32> v;
  read(s, 0, v.select<16, 1>(0));
  read(s, 64, v.select<16, 1>(16));
  vector<float, 16> w = v.select<16, 1>(0) + v.replicate<2, 0, 8, 1>(5);
  write(s, 0, w);
}

// A block at an address that is a number has it in a register.
// CHECK-LABEL: .function "numbers_BB_0"
// CHECK: mov (M1, 1) [[AT:V[0-9]+]](0,0)<1> 0x1000:uq
// CHECK: svm_block_st (2) [[AT]](0,0)<0;1,0>
extern "C" _GENX_MAIN_ void numbers() {
  vector<uint, 8> v = 1;
  cm_svm_block_write(svmptr_t(0x1000), v);
  cm_svm_block_read(svmptr_t(0x2000), v);
  cm_svm_block_write(svmptr_t(0x3000), v);
}

// Pieces whose elements are as far from each other where they are written as where they are moved from: a move does.
// CHECK-LABEL: .function "keeps_BB_0"
// CHECK: mul (M1, 2) [[V:V[0-9]+]](1,4)<1>
// CHECK: mov (M1, 8) {{V[0-9]+}}(0,0)<1> [[V]](0,0)<4;2,1>
extern "C" _GENX_MAIN_ void keeps(SurfaceIndex s) {
  vector<int, 16> a;
  read(s, 0, a);
  matrix<int, 4, 4> m = 0;
  m.select<1, 1, 2, 1>(0, 0) = a.select<2, 1>(0) + 1;
  m.select<1, 1, 2, 1>(1, 0) = a.select<2, 1>(2) * 3;
  m.select<1, 1, 2, 1>(2, 0) = a.select<2, 1>(4) + 5;
  m.select<1, 1, 2, 1>(3, 0) = a.select<2, 1>(6) * 7;
  m.select<4, 1, 2, 1>(0, 2) = a.select<8, 1>(8);
  vector<int, 8> r = m.select<4, 1, 2, 1>(0, 0);
  write(s, 0, r);
  write(s, 64, m);
}

// Words that are extended with a stride, where a vector that addresses point into is written before they are read: a
// move where that is written at known places, and none where it is at others.
// CHECK-LABEL: .function "known_BB_0"
// CHECK-NOT: or (M1, 8) {{.*}} 0:w
// CHECK: mov (M1, 8) {{V[0-9]+}}(0,0)<2> {{V[0-9]+}}(0,0)<1;1,0>
// CHECK: mul (M1, 16)
extern "C" _GENX_MAIN_ void known(SurfaceIndex s, int i) {
  vector<short, 8> a;
  vector<int, 32> t;
  vector<int, 16> x;
  read(s, 0, a);
  read(s, 64, t);
  read(s, 256, x);
  x.select<8, 2>(0) = a;
  t.select<16, 1>(0) *= 3;
  x += t.select<16, 1>(i & 15);
  write(s, 0, x);
  write(s, 64, t);
}
// CHECK-LABEL: .function "unknown_BB_0"
// CHECK: or (M1, 8) {{V[0-9]+}}(0,0)<2> {{V[0-9]+}}(0,0)<1;1,0> 0:w
extern "C" _GENX_MAIN_ void unknown(SurfaceIndex s, int i) {
  vector<short, 8> a;
  vector<int, 32> t;
  vector<int, 16> x;
  read(s, 0, a);
  read(s, 64, t);
  read(s, 256, x);
  x.select<8, 2>(0) = a;
  t.select<16, 1>(i & 7) *= 3;
  x += t.select<16, 1>(i & 15);
  write(s, 0, x);
  write(s, 64, t);
}

// Sums of products that become halves, in one vector and in one that is written in parts.
// CHECK-LABEL: .function "narrowed_BB_0"
// CHECK: mad (M1, 16) [[V:V[0-9]+]](0,0)<1>
// CHECK: mul (M1, 16) {{V[0-9]+}}(0,0)<1> [[V]](0,0)<1;1,0> 0x3f800000:f
// CHECK-NOT: mov (M1, 16) {{.*}}1;1,0>
extern "C" _GENX_MAIN_ void narrowed(SurfaceIndex s) {
  vector<float, 16> y, z;
  read(s, 0, y);
  read(s, 64, z);
  vector<half, 16> o = y * y + z * z;
  write(s, 0, o);
  vector<float, 32> both = 1;
  both.select<16, 1>(0) = y * z + 3;
  both.select<8, 2>(16) = z.select<8, 1>(0) * z.select<8, 1>(8) + y.select<8, 1>(0);
  vector<half, 32> wide = both;
  write(s, 64, wide);
}
