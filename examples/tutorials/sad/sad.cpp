// Block matching: 16 sums of absolute differences for each block of a picture, then the best of them. All kernels are
// in one task but the last, which needs them all and comes after a sync.
//
//     sad PROGRAM.isa
#include "tutorial.h"
#include <algorithm>

namespace {
constexpr int blocksX = 20, blocksY = 12, width = blocksX * 16, height = blocksY * 16, candidates = 16, perTask = 15;

struct Picture {
  std::vector<std::uint8_t> pixels = std::vector<std::uint8_t>(width * height);
  /// Beyond the edge, the nearest pixel.
  int at(int x, int y) const {
    return pixels[std::size_t(std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1))];
  }
};
int dx(int candidate) { return candidate % 4 * 4 - 8; }
int dy(int candidate) { return candidate / 4 * 3 - 5; }
} // namespace

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    Picture before, now;
    std::mt19937 random(7);
    for (std::uint8_t &p : before.pixels)
      p = std::uint8_t(random());
    for (int y = 0; y < height; ++y) // blocks come from somewhere, with noise
      for (int x = 0; x < width; ++x) {
        int from = (x / 16 * 7 + y / 16 * 3) % candidates;
        now.pixels[std::size_t(y * width + x)] = std::uint8_t(before.at(x + dx(from), y + dy(from)) ^ (random() & 3));
      }
    CmSurface2D *nowSurface = nullptr, *beforeSurface = nullptr;
    CHECK(session.device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R8_UINT, nowSurface));
    CHECK(session.device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R8_UINT, beforeSurface));
    CHECK(nowSurface->WriteSurface(now.pixels.data(), nullptr));
    CHECK(beforeSurface->WriteSurface(before.pixels.data(), nullptr));
    constexpr int blocks = blocksX * blocksY;
    std::vector<std::uint32_t> chosen(blocks), want(blocks);
    CmBuffer *sums = session.buffer(std::vector<std::uint32_t>(blocks * candidates)), *best = session.buffer(chosen);
    CmThreadSpace *space = session.space(blocksX, blocksY);

    // A task holds 16 kernels: the first takes 15 candidates, the second the last one, a sync and the choice.
    CmTask *first = session.task({}), *second = session.task({});
    for (int c = 0; c < candidates; ++c) {
      CmKernel *kernel = session.kernel("differences"); // one for each: a kernel has one set of arguments
      tutorial::setAll(kernel, nowSurface, beforeSurface, sums, dx(c), dy(c), c, int(candidates), int(blocksX));
      CHECK((c < perTask ? first : second)->AddKernel(kernel));
    }
    CmKernel *choice = session.kernel("best");
    tutorial::setAll(choice, sums, best, int(blocksX));
    CHECK(second->AddSync());
    CHECK(second->AddKernel(choice));
    double time = session.run(first, space) + session.run(second, space);
    session.read(best, chosen, nullptr);

    for (int block = 0; block < blocks; ++block) {
      int least = INT32_MAX;
      for (int c = 0; c < candidates; ++c) {
        int sum = 0;
        for (int y = block / blocksX * 16; y < block / blocksX * 16 + 16; ++y)
          for (int x = block % blocksX * 16; x < block % blocksX * 16 + 16; ++x)
            sum += std::abs(now.at(x, y) - before.at(x + dx(c), y + dy(c)));
        if (sum < least) {
          least = sum;
          want[std::size_t(block)] = std::uint32_t(c);
        }
      }
    }
    return tutorial::report("sad", chosen == want, time);
  });
}
