// The paper's example (section 5): a 6x24 selection at (1,3) of an 8x32 matrix of bytes becomes floats in exactly nine
// moves of 16 channels; the linear filter sends two messages and ends.
// RUN: cmc -march=ICLLP %s -S -o - | FileCheck --check-prefix=VISA %s
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cmc -march=SKL -mdump_asm %s -o %t/a.isa && FileCheck --check-prefix=ASM %s < %t/six.asm && grep -c ':ub  ' %t/six.asm | FileCheck --check-prefix=COUNT %s
// RUN: cmc -march=ICLLP -mdump_asm %s -o %t/a.isa && FileCheck --check-prefix=ASM %s < %t/six.asm && grep -c ':ub  ' %t/six.asm | FileCheck --check-prefix=COUNT %s
// RUN: cmc -march=TGLLP -mdump_asm %s -o %t/a.isa && FileCheck --check-prefix=ASM %s < %t/six.asm && grep -c ':ub  ' %t/six.asm | FileCheck --check-prefix=COUNT %s
// RUN: cmc -march=SKL -mdump_asm %examples/linear/linear_genx.cpp -o %t/a.isa && grep -cE '^[^/]*send' %t/linear.asm | FileCheck --check-prefix=SENDS %s
// RUN: cmc -march=ICLLP -mdump_asm %examples/linear/linear_genx.cpp -o %t/a.isa && grep -cE '^[^/]*send' %t/linear.asm | FileCheck --check-prefix=SENDS %s
// RUN: cmc -march=TGLLP -mdump_asm %examples/linear/linear_genx.cpp -o %t/a.isa && grep -cE '^[^/]*send' %t/linear.asm | FileCheck --check-prefix=SENDS %s
// SENDS: {{^3$}}
#include <cm/cm.h>

// VISA: media_ld.nomod (32,8) T6 0:ud 0:ud [[M:V[0-9]+_ub]].0
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](1,3)<1;1,0>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](1,19)<16;8,1>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](2,11)<1;1,0>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](3,3)<1;1,0>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](3,19)<16;8,1>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](4,11)<1;1,0>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](5,3)<1;1,0>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](5,19)<16;8,1>
// VISA-DAG: mov (M1, 16) {{.*}} [[M]](6,11)<1;1,0>

// ASM: send{{(.dc1)?}} (8|M0) r[[#R:]]
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+1]].3<8;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+1]].19<16;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+2]].11<8;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+3]].3<8;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+3]].19<16;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+4]].11<8;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+5]].3<8;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+5]].19<16;8,1>:ub
// ASM-DAG: mov (16|M0) {{.*}}:f r[[#R+6]].11<8;8,1>:ub
// COUNT: {{^9$}}
extern "C" _GENX_MAIN_ void six(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 8, 32> m;
  vector<float, 144> f;
  read(in, 0, 0, m);
  f = m.select<6, 1, 24, 1>(1, 3);
  write(out, 0, f.select<32, 1>(0));
  write(out, 128, f.select<32, 1>(32));
  write(out, 256, f.select<32, 1>(64));
  write(out, 384, f.select<32, 1>(96));
  write(out, 512, f.select<16, 1>(128));
}
