#include <cm/cm.h>

// A thread makes 8 x 4 pixels of an A8R8G8B8 surface, bytes B, G, R, A: each new colour is a weighted sum of the three
// old ones, clamped to 255.
extern "C" _GENX_MAIN_ void sepia(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 32, y = get_thread_origin_y() * 4;
  matrix<uchar, 4, 32> pixels;
  read(in, x, y, pixels);
  matrix<float, 4, 8> blue = pixels.select<4, 1, 8, 4>(0, 0);
  matrix<float, 4, 8> green = pixels.select<4, 1, 8, 4>(0, 1);
  matrix<float, 4, 8> red = pixels.select<4, 1, 8, 4>(0, 2);
  pixels.select<4, 1, 8, 4>(0, 0) = matrix<uchar, 4, 8>(red * 0.272f + green * 0.534f + blue * 0.131f, SAT);
  pixels.select<4, 1, 8, 4>(0, 1) = matrix<uchar, 4, 8>(red * 0.349f + green * 0.686f + blue * 0.168f, SAT);
  pixels.select<4, 1, 8, 4>(0, 2) = matrix<uchar, 4, 8>(red * 0.393f + green * 0.769f + blue * 0.189f, SAT);
  write(out, x, y, pixels);
}
