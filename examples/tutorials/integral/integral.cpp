// Integral image: every pixel becomes the sum of all pixels above and to the left of it. Blocks of 32 x 8 depend on
// those to their left and above: a wavefront at 45 degrees.
//
//     integral PROGRAM.isa [WIDTH HEIGHT [RUNS]]
#include "tutorial.h"
#include <algorithm>

int main(int argc, char **argv) {
  auto number = [&](int i, UINT otherwise) { return argc > i ? UINT(std::atoi(argv[i])) : otherwise; };
  const UINT width = number(2, 1920), height = number(3, 1084),
             runs = number(4, 1); // 1084: the last blocks are half full
  return tutorial::main(std::min(argc, 2), argv, [=](const std::string &path) {
    tutorial::Session session(path);
    std::vector<std::uint8_t> pixels(width * height);
    std::mt19937 random(2);
    for (std::uint8_t &p : pixels)
      p = std::uint8_t(random());
    CmSurface2D *in = nullptr, *out = nullptr;
    CHECK(session.device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R8_UINT, in));
    CHECK(session.device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R32_UINT, out));
    CHECK(in->WriteSurface(pixels.data(), nullptr));
    CmKernel *kernel = session.kernel("integral");
    tutorial::setAll(kernel, in, out);
    CmThreadSpace *space = session.space((width + 31) / 32, (height + 7) / 8);
    CHECK(space->SelectThreadDependencyPattern(CM_WAVEFRONT));
    CmTask *task = session.task({kernel});
    std::vector<double> times;
    for (UINT i = 0; i < std::max(1u, runs); ++i)
      times.push_back(session.run(task, space));
    std::sort(times.begin(), times.end());
    double time = times[times.size() / 2];

    std::vector<std::uint32_t> got(width * height), want(width * height);
    CHECK(out->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), nullptr));
    for (UINT y = 0; y < height; ++y) {
      std::uint32_t row = 0;
      for (UINT x = 0; x < width; ++x) {
        row += pixels[y * width + x];
        want[y * width + x] = row + (y ? want[(y - 1) * width + x] : 0);
      }
    }
    return tutorial::report("integral", got == want, time);
  });
}
