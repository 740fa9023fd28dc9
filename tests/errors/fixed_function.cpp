// What only the hardware can do is refused by name, with the reason (ASM-01 ASM-02 ASM-03 ASM-04 ASM-05 ASM-06 ASM-07 ASM-08
// ASM-09 AVS-01 VAN-01 VAN-02 VAN-03 VAN-04 VAN-05 VAN-06 VAN-07 VAN-08 VAN-09 VAN-10 VME-01 VME-02 VME-03 VME-04 VME-05
// VME-06 VME-07 SCF-17 QUA-07 GWY-04 OBJ-11).
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s
#include <cm/cm.h>

// CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: parameter 'vme' of kernel 'motion' has type 'VmeIndex'; kernels take
extern "C" _GENX_MAIN_ void motion(VmeIndex vme) {}

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf) {
  vector<uint, 8> m = SFID_GATEWAY;
  vector<float, 8> f = 0;
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: inline assembly is vISA text for the Gen hardware and has no meaning here; write it in CM
  asm("mov (M1, 8) %0 %1" : "=r"(m) : "r"(f));
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_send: raw messages are bits for the hardware's units; use the memory functions
  cm_send(m, m, 0, 0, 0);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_sends: raw messages
  cm_sends(m, m, m, 0, 0, 0);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_raw_send: raw messages
  cm_raw_send(m, m, NULL, 0, 0, 3, 3, 1, 0, 1);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_raw_sendg: raw messages
  cm_raw_sendg<1, 2, 8>(m, m, 0);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_avs_sampler: fixed-function video hardware is not supported
  cm_avs_sampler(m, buf);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_va_2d_convolve: fixed-function video hardware is not supported
  cm_va_2d_convolve(m, buf);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_va_erode_hdc: fixed-function video hardware is not supported
  cm_va_erode_hdc(buf, buf);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}run_vme_ime: fixed-function video hardware is not supported
  run_vme_ime(m, m);
  // CHECK-DAG: fixed_function.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}cm_vme_hevc_ime: fixed-function video hardware is not supported
  cm_vme_hevc_ime(m);
}

// CHECK-DAG: fixed_function.cpp:[[@LINE+3]]:{{[0-9]+}}: error: {{.*}}SIMT functions are not supported; write the function over vectors
_SIMT8_ void lane(int x);
extern "C" _GENX_MAIN_ void simt() {
  lane(1);
}
