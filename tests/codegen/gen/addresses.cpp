// Elements chosen at run time: the offset in bytes goes to an address register, a constant further on into the operand,
// and one address serves what follows in the block.
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck %s
// RUN: cmc -march=SKL -verify-each -disable-pass=gen-addresses -S %s -o - | FileCheck --check-prefix=ANEW %s
#include <cm/cm.h>

// CHECK-LABEL: .kernel "chosen"
// CHECK: oword_ld (8) T6 0:ud [[X:V[0-9]+]]_ud.0
// CHECK: and (M1, 1) [[O:V[0-9]+]](0,0)<1> V{{[0-9]+}}{{.*}} 60:w
// CHECK-NEXT: addr_add (M1, 1) [[A:A[0-9]+]](0)<1> &[[X]] [[O]]_uw(0,0)<0;1,0>
// CHECK-NEXT: add (M1, 8) [[S:V[0-9]+]](0,0)<1> r{{\[}}[[A]](0),0]<1;1,0>:d r{{\[}}[[A]](0),16]<1;1,0>:d
// CHECK-NEXT: mul (M1, 8) V{{[0-9]+}}(0,0)<1> [[S]](0,0)<1;1,0> r{{\[}}[[A]](0),0]<1;1,0>:d
// ANEW-LABEL: .kernel "chosen"
// ANEW: addr_add
// ANEW-NEXT: addr_add
// ANEW-NEXT: add (M1, 8)
// ANEW-NEXT: addr_add
// ANEW-NEXT: mul (M1, 8)
extern "C" _GENX_MAIN_ void chosen(SurfaceIndex s, int i) {
  vector<int, 32> x;
  read(s, 0, x);
  vector<int, 8> y = x.select<8, 1>(i & 15) + x.select<8, 1>((i & 15) + 4);
  y *= x.select<8, 1>(i & 15);
  write(s, 128, y);
}

// An address for each lane; what would leave the vector is moved inside.
// CHECK-LABEL: .kernel "lanes"
// CHECK: shl (M1, 8) [[O:V[0-9]+]](0,0)<1> V{{[0-9]+}}(0,0)<1;1,0> 2:w
// CHECK-NEXT: min (M1, 8) [[I:V[0-9]+]]_uw(0,0)<1> [[O]]_uw(0,0)<1;1,0> 124:uw
// CHECK-NEXT: addr_add (M1, 8) [[A:A[0-9]+]](0)<8> &V{{[0-9]+}} [[I]]_uw(0,0)<1;1,0>
// CHECK-NEXT: or (M1, 8) V{{[0-9]+}}(0,0)<1> r{{\[}}[[A]](0),0]<1,0>:d 0:w
extern "C" _GENX_MAIN_ void lanes(SurfaceIndex s) {
  vector<int, 32> x;
  vector<ushort, 8> i;
  read(s, 0, x);
  read(s, 128, i);
  vector<int, 8> y = x.iselect(i);
  write(s, 160, y);
}

// Written too; i + 3 of 4 bytes are i and 12 bytes.
// CHECK-LABEL: .kernel "written"
// CHECK: addr_add (M1, 1) [[A:A[0-9]+]](0)<1> &[[X:V[0-9]+]]
// CHECK-NEXT: add (M1, 4) r{{\[}}[[A]](0),0]<2>:d V{{[0-9]+}}(0,0)<1;1,0> 1:d
// CHECK-NEXT: add (M1, 4) r{{\[}}[[A]](0),32]<2>:d V{{[0-9]+}}(0,4)<1;1,0> 1:d
// CHECK: add (M1, 1) r{{\[}}[[B:A[0-9]+]](0),12]<1>:d r{{\[}}[[B]](0),12]<0;1,0>:d 7:d
extern "C" _GENX_MAIN_ void written(SurfaceIndex s, uchar i) {
  vector<int, 288> x = 1;
  vector<int, 8> y;
  read(s, 128, y);
  x.select<8, 2>(i) = y + 1;
  x(i + 3) += 7;
  write(s, 0, x.select<32, 1>(0));
}

// The last element of an operand is up to 511 bytes from its address.
// CHECK-LABEL: .kernel "far"
// CHECK: addr_add (M1, 1) [[A:A[0-9]+]](0)<1> &[[X:V[0-9]+]]
// CHECK-NEXT: mov (M1, 1) r{{\[}}[[A]](0),508]<1>:d 8:d
// CHECK: add (M1, 1) r{{\[}}A2(0),0]<1>:d r{{\[}}A2(0),0]<0;1,0>:d 9:d
// CHECK: mov (M1, 8) V{{[0-9]+}}(0,0)<1> r{{\[}}A3(0),0]<1;1,0>:d
extern "C" _GENX_MAIN_ void far(SurfaceIndex s, uchar i) {
  vector<int, 416> x = 1;
  x(i + 127) += 7;
  x(i + 128) += 9;
  vector<int, 8> y = x.select<8, 1>(i + 124);
  write(s, 0, x.select<32, 1>(0));
  write(s, 128, y);
}

// Offsets that are neighbours in a vector become addresses together; the last three, of another eight, do not fill one.
// CHECK-LABEL: .kernel "together"
// CHECK: addr_add (M1, 8) [[A:A[0-9]+]](0)<8> &[[X:V[0-9]+]] [[O:V[0-9]+]]_uw(0,0)<1;1,0>
// CHECK-NEXT: add (M1, 1) r{{\[}}[[A]](0),0]<1>:d r{{\[}}[[A]](0),0]<0;1,0>:d 1:d
// CHECK-NEXT: add (M1, 1) r{{\[}}[[A]](3),0]<1>:d r{{\[}}[[A]](3),0]<0;1,0>:d 2:d
// CHECK-NEXT: add (M1, 1) r{{\[}}[[A]](7),0]<1>:d r{{\[}}[[A]](7),0]<0;1,0>:d 3:d
// CHECK-NEXT: addr_add (M1, 1) [[B:A[0-9]+]](0)<1> &[[X]] [[O]]_uw(0,8)<0;1,0>
// CHECK-NEXT: add (M1, 1) r{{\[}}[[B]](0),0]<1>:d r{{\[}}[[B]](0),0]<0;1,0>:d 4:d
// CHECK-NEXT: addr_add (M1, 1) [[C:A[0-9]+]](0)<1> &[[X]] [[O]]_uw(0,9)<0;1,0>
// CHECK-NEXT: add (M1, 1) r{{\[}}[[C]](0),0]<1>:d r{{\[}}[[C]](0),0]<0;1,0>:d 5:d
// ANEW-LABEL: .kernel "together"
// ANEW-NOT: addr_add (M1, 8)
// ANEW: ret
extern "C" _GENX_MAIN_ void together(SurfaceIndex s) {
  vector<int, 32> x;
  vector<ushort, 16> i;
  read(s, 0, x);
  read(s, 128, i);
  i &= 31;
  x(i(0)) += 1;
  x(i(3)) += 2;
  x(i(7)) += 3;
  x(i(8)) += 4;
  x(i(9)) += 5;
  write(s, 0, x);
}

// Two of eight take an address each, and so does what lies in another variable.
// CHECK-LABEL: .kernel "apart"
// CHECK-NOT: addr_add (M1, 8)
// CHECK: addr_add (M1, 1) {{.*}}_uw(0,0)<0;1,0>
// CHECK: addr_add (M1, 1) {{.*}}_uw(0,1)<0;1,0>
// CHECK: addr_add (M1, 1) {{.*}}_uw(0,2)<0;1,0>
// CHECK-NOT: addr_add (M1, 8)
// CHECK: ret
extern "C" _GENX_MAIN_ void apart(SurfaceIndex s) {
  vector<int, 32> x, y;
  vector<ushort, 16> i;
  read(s, 0, x);
  read(s, 160, y);
  read(s, 128, i);
  i &= 31;
  x(i(0)) += 1;
  x(i(1)) += 2;
  y(i(2)) += 3;
  write(s, 0, x);
  write(s, 160, y);
}

// Constant places need no address.
// CHECK-LABEL: .kernel "constant"
// CHECK-NOT: addr_add
// CHECK: ret
extern "C" _GENX_MAIN_ void constant(SurfaceIndex s) {
  vector<int, 32> x;
  read(s, 0, x);
  for (int i = 0; i < 4; ++i)
    x.select<8, 1>(8 * i) += x(i);
  write(s, 0, x);
}

// A constant address of memory is one number in a register of its own.
// CHECK-LABEL: .kernel "fixed"
// CHECK: .decl [[A:V[0-9]+]] v_type=G type=uq num_elts=1 align=GRF
// CHECK: mov (M1, 1) [[A]](0,0)<1> 0x10000:uq
// CHECK-NEXT: svm_block_ld (1) [[A]](0,0)<0;1,0>
extern "C" _GENX_MAIN_ void fixed(SurfaceIndex s) {
  vector<uint, 4> v;
  cm_svm_block_read((svmptr_t)0x10000, v);
  write(s, 0, v);
}
