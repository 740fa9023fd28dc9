// What constants and denormals cost, by lines.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void doubles(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<float, 32> mean = 0, other = 0, x;
  vector<half, 16> h = 1;
  for (int i = 0; i < n; ++i) {
    read(in, i * 128, x);
    mean = mean * 0.9 + x * 0.1;
    other = other * 0.9f + x * 0.1f;
    h = h * h + 0.5f;
    h = h * h;
  }
  write(out, 0, mean);
  write(out, 128, other);
  write(out, 256, h);
}
