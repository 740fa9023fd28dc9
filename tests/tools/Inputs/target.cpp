// What a source sees of the target that it is compiled for.
#include <cm/cm.h>
#ifdef CM_HAS_DPAS
constexpr int systolic = 1;
#else
constexpr int systolic = 0;
#endif
extern "C" _GENX_MAIN_ void target(SurfaceIndex out) {
  vector<int, 4> v{CM_GENX, CM_GRF_WIDTH, systolic, 0};
  write(out, 0, v);
}
