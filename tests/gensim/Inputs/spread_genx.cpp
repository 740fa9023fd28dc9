// Writes every fourth word of a register.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void spread(SurfaceIndex out, vector<short, 8> a) {
  vector<int, 16> v = 0;
  v.format<ushort>().select<8, 4>(0) = a * 3;
  write(out, 0, v);
}
