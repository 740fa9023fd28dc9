// Transposes a matrix of floats, 16x16 elements at a time in registers.
//
//     transpose --width 4096 --height 4096
#include "application.h"
#include <chrono>
#include <cstring>
#include <random>

namespace {

using Matrix = std::vector<float>;

CmSurface2D *surface(host::Session &session, unsigned width, unsigned height) {
  CmSurface2D *s = nullptr;
  CHECK(session.device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R32F, s));
  return s;
}

/// Bits, so that a not-a-number is an element like any other.
bool isTransposed(const Matrix &a, const Matrix &b, unsigned width, unsigned height) {
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      if (std::memcmp(&a[y * width + x], &b[x * height + y], sizeof(float)))
        return false;
  return true;
}

double timeCopy(const Matrix &from, Matrix &to) {
  auto begin = std::chrono::steady_clock::now();
  std::memcpy(to.data(), from.data(), from.size() * sizeof(float));
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

int main(int argc, char **argv) {
  application::App app("transpose", "Transposes a matrix of 4-byte elements.");
  unsigned width = 4096, height = 4096;
  app.number("--width", width, "columns of the matrix", 1, 16384);
  app.number("--height", height, "rows of the matrix", 1, 16384);
  return app.run(argc, argv, [&](host::Session &session) {
    Matrix a(std::size_t(width) * height), b(a.size());
    std::mt19937 random(1);
    for (float &e : a)
      e = float(random()) * 0x1p-32f;
    CmSurface2D *in = surface(session, width, height), *out = surface(session, height, width);
    CHECK(in->WriteSurface(reinterpret_cast<unsigned char *>(a.data()), nullptr));

    CmKernel *kernel = session.kernel("transpose");
    host::setAll(kernel, in, out);
    CmThreadSpace *space = session.space((width + 15) / 16, (height + 15) / 16);
    CmTask *task = session.task({kernel}, false);
    session.run(task, space);
    CHECK(out->ReadSurface(reinterpret_cast<unsigned char *>(b.data()), nullptr));
    bool right = isTransposed(a, b, width, height);
    double ms = app.time([&] { return session.run(task, space); }), copy = app.time([&] { return timeCopy(a, b); });
    std::printf("%ux%u floats: %s, %.3f ms, %.1f GB/s read and written; memcpy of the same bytes %.3f ms\n", width,
                height, right ? "correct" : "WRONG", ms, 8.0 * double(a.size()) / ms / 1e6, copy);
    return right;
  });
}
