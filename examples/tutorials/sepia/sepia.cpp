// Turns a photograph to sepia; writes sepia.png when a folder is given.
//
//     sepia PROGRAM.isa PHOTO [FOLDER]
#include "image/Photo.h"
#include "tutorial.h"
#include <algorithm>

namespace {
std::uint8_t clamped(float x) { return std::uint8_t(std::min(x, 255.0f)); }

int run(const std::string &path, const std::string &photoPath, const char *folder) {
  tutorial::Session session(path);
  pocm::image::Photo photo = pocm::image::load(photoPath);
  std::size_t count = std::size_t(photo.width) * photo.height;
  std::vector<std::uint8_t> pixels(count * 4), got(count * 4);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      pixels[i * 4 + c] = photo.pixels[i * 3 + 2 - c]; // RGB to B, G, R, A
    pixels[i * 4 + 3] = 255;
  }
  CmSurface2D *in = nullptr, *out = nullptr;
  CHECK(session.device->CreateSurface2D(photo.width, photo.height, CM_SURFACE_FORMAT_A8R8G8B8, in));
  CHECK(session.device->CreateSurface2D(photo.width, photo.height, CM_SURFACE_FORMAT_A8R8G8B8, out));
  CHECK(in->WriteSurface(pixels.data(), nullptr));
  CmKernel *kernel = session.kernel("sepia");
  tutorial::setAll(kernel, in, out);
  double time = session.run(session.task({kernel}), session.space((photo.width + 7) / 8, (photo.height + 3) / 4));
  CHECK(out->ReadSurface(got.data(), nullptr));

  bool correct = true;
  for (std::size_t i = 0; i < count; ++i) {
    float blue = pixels[i * 4], green = pixels[i * 4 + 1], red = pixels[i * 4 + 2];
    const std::uint8_t want[4] = {clamped(red * 0.272f + green * 0.534f + blue * 0.131f),
                                  clamped(red * 0.349f + green * 0.686f + blue * 0.168f),
                                  clamped(red * 0.393f + green * 0.769f + blue * 0.189f), 255};
    // The kernel's sums round once where these round twice: what is cut off may differ by one.
    correct &= std::equal(want, want + 4, &got[i * 4], [](int w, int g) { return std::abs(w - g) <= 1; });
  }
  if (folder) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        photo.pixels[i * 3 + c] = got[i * 4 + 2 - c];
    pocm::image::savePng(std::string(folder) + "/sepia.png", photo);
  }
  return tutorial::report("sepia", correct, time);
}
} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s PROGRAM.isa PHOTO [FOLDER]\n", argv[0]);
    return 2;
  }
  try {
    return run(argv[1], argv[2], argc > 3 ? argv[3] : nullptr);
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s: %s\n", argv[0], problem.what());
    return 2;
  }
}
