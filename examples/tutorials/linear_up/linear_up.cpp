// The linear filter of examples/linear on memory of the application's own, without a copy: CmSurface2DUP for both
// pictures, threads in the order of a walking pattern.
//
//     linear_up linear_genx.isa
#include "linear/reference.h"
#include "tutorial.h"
#include <cstring>
#include <memory>

namespace {
constexpr UINT width = 192, height = 90; // A8R8G8B8 pixels

struct Free {
  void operator()(std::uint8_t *p) const { std::free(p); }
};
/// Memory for a surface: pages.
std::unique_ptr<std::uint8_t, Free> pages(UINT bytes) {
  constexpr UINT page = 4096;
  return std::unique_ptr<std::uint8_t, Free>(
      static_cast<std::uint8_t *>(std::aligned_alloc(page, (bytes + page - 1) / page * page)));
}
} // namespace

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    UINT pitch = 0, size = 0;
    CHECK(session.device->GetSurface2DInfo(width, height, CM_SURFACE_FORMAT_A8R8G8B8, pitch, size));
    auto from = pages(size), to = pages(size);
    linear::Bytes in{int(width * 4), int(height), std::vector<std::uint8_t>(width * height * 4)};
    std::mt19937 random(1);
    for (std::uint8_t &b : in.data)
      b = std::uint8_t(random());
    for (UINT y = 0; y < height; ++y)
      std::memcpy(from.get() + y * pitch, &in.data[y * width * 4], width * 4);

    CmSurface2DUP *input = nullptr, *output = nullptr;
    CHECK(session.device->CreateSurface2DUP(width, height, CM_SURFACE_FORMAT_A8R8G8B8, from.get(), input));
    CHECK(session.device->CreateSurface2DUP(width, height, CM_SURFACE_FORMAT_A8R8G8B8, to.get(), output));
    CmKernel *kernel = session.kernel("linear");
    tutorial::setAll(kernel, tutorial::index(input), tutorial::index(output));
    CmThreadSpace *space = session.space((width * 4 + 23) / 24, (height + 5) / 6);
    CHECK(space->SelectMediaWalkingPattern(CM_WALK_WAVEFRONT26));
    double time = session.run(session.task({kernel}), space);

    linear::Bytes want = linear::reference("linear", in);
    bool correct = true;
    for (UINT y = 0; y < height; ++y) // the result is there, nothing is read back
      correct &= std::memcmp(to.get() + y * pitch, &want.data[y * width * 4], width * 4) == 0;
    return tutorial::report("linear_up", correct, time);
  });
}
