// Regions that reach out of their objects are a group of warnings, by Intel's name of it or Clang's.
// RUN: cmc %s -o %t.isa 2>&1 | FileCheck --check-prefix=WARNED --implicit-check-not=warning: %s
// RUN: cmc -Wno-cm-bounds-check %s -o %t.isa 2>&1 | FileCheck --allow-empty --implicit-check-not=warning: %s
// RUN: cmc -Wno-array-bounds -Wno-cm-buffer-not-supported %s -o %t.isa 2>&1 | FileCheck --allow-empty --implicit-check-not=warning: %s
// RUN: not cmc -Werror=cm-bounds-check %s -o %t.isa 2>&1 | FileCheck --check-prefix=REFUSED %s

// So are the others, which -w silences and -Werror makes errors.
// RUN: cmc -DALL -w %s -o %t.isa 2>&1 | FileCheck --allow-empty --implicit-check-not=warning: %s
// RUN: not cmc -DALL -Werror %s -o %t.isa 2>&1 | FileCheck --check-prefix=ALL --implicit-check-not=warning: %s
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

#ifdef ALL
// ALL-DAG: error: pragma 'cm_nonstrict' is deprecated and has no effect [-Werror,-Wdeprecated]
#pragma cm_nonstrict
void both(vector_ref<int, 8> a, vector_ref<int, 8> b) { a = b + 1; }
extern "C" _GENX_MAIN_ void others(SurfaceIndex s) {
  // ALL-DAG: error: 1.5 becomes 1 in elements of type 'int' [-Werror,-Wliteral-conversion]
  vector<int, 16> v = 1.5f;
  // ALL-DAG: error: merge: a scalar mask of 8 bits for 16 elements; {{.*}} [-Werror,-Wconversion]
  v.merge(1, char(3));
  vector<int, 8> w = v.select<8, 1>(0);
  // ALL-DAG: error: 'w' is passed by reference twice; {{.*}} [-Werror,-Wunsequenced]
  both(w, w);
  // ALL-DAG: error: printf: the format has 1 conversion for 0 arguments [-Werror,-Wformat]
  printf("%d");
  write(s, 0, w);
}
#endif
