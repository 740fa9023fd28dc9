// Functions that stand beside kernels in an extern "C" block may return vectors without a warning.
// RUN: cmc %s -o %t.isa 2>&1 | count 0
#include <cm/cm.h>
extern "C" {
_GENX_ vector<int, 16> twice(vector<int, 16> v) { return v * 2; }
_GENX_MAIN_ void kernel(SurfaceIndex data) {
  vector<int, 16> v;
  read(data, 0, v);
  v = twice(v);
  write(data, 0, v);
}
}
