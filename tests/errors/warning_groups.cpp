// Regions that reach out of their objects are a group of warnings, by Intel's name of it or Clang's.
// RUN: cmc %s -o %t.isa 2>&1 | FileCheck --check-prefix=WARNED --implicit-check-not=warning: %s
// RUN: cmc -Wno-cm-bounds-check %s -o %t.isa 2>&1 | FileCheck --allow-empty --implicit-check-not=warning: %s
// RUN: cmc -Wno-array-bounds -Wno-cm-buffer-not-supported %s -o %t.isa 2>&1 | FileCheck --allow-empty --implicit-check-not=warning: %s
// RUN: not cmc -Werror=cm-bounds-check %s -o %t.isa 2>&1 | FileCheck --check-prefix=REFUSED %s
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wcm-fp-enabled"
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s) {
  vector<int, 8> v = 0;
  // WARNED: warning_groups.cpp:[[@LINE+2]]:{{[0-9]+}}: warning: select: 4 elements from 5 on reach element 8 of 8; {{.*}} [-Warray-bounds]
  // REFUSED: warning_groups.cpp:[[@LINE+1]]:{{[0-9]+}}: error: select: 4 elements from 5 on reach element 8 of 8; {{.*}} [-Werror,-Warray-bounds]
  v.select<4, 1>(5) = 1;
  write(s, 0, v);
}
#pragma clang diagnostic pop
