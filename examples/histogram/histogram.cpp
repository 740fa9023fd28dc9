// Counts the values of an image's bytes: 256 counters in registers of each thread, added up at the end.
//
//     histogram [--image FILE | --kind random|constant|smooth --width 3840 --height 2160] [--bins FILE.csv]
#include "application.h"
#include "image/Photo.h"
#include <array>
#include <random>

namespace {

using Bytes = std::vector<std::uint8_t>;
using Counts = std::vector<std::uint32_t>;

constexpr unsigned block = 256;              // BLOCK of the kernel
constexpr unsigned mostPerThread = 1u << 18; // large images keep more host threads busy

Bytes make(const std::string &kind, unsigned width, unsigned height) {
  Bytes bytes(std::size_t(width) * height);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = kind == "random"     ? std::uint8_t(random() >> 8)
               : kind == "constant" ? 17
                                    : std::uint8_t(i % width / 16 + i / width / 9);
  return bytes;
}

Counts count(const Bytes &bytes) {
  Counts counts(256);
  for (std::uint8_t b : bytes)
    ++counts[b];
  return counts;
}

void save(const std::string &path, const Counts &counts) {
  std::ofstream file(path);
  file << "value,count\n";
  for (std::size_t i = 0; i < counts.size(); ++i)
    file << i << ',' << counts[i] << '\n';
  if (!file.flush())
    throw std::runtime_error("cannot write '" + path + "'");
}

} // namespace

int main(int argc, char **argv) {
  application::App app("histogram", "Counts how often each value is in the bytes of an image (all its channels).");
  std::string image, kind = "random", bins;
  unsigned width = 3840, height = 2160;
  app.choice("--kind", kind, "an image to make", {"random", "constant", "smooth"});
  app.number("--width", width, "its width", 1, 65536).number("--height", height, "its height", 1, 65536);
  app.input("--image", image, "a PNG or JPEG file", {"--kind", "--width", "--height"});
  app.output("--bins", bins, "writes the counters to a CSV file");
  return app.run(argc, argv, [&](host::Session &session) {
    Bytes bytes = image.empty() ? make(kind, width, height) : pocm::image::load(image).pixels;
    Counts got(256), want = count(bytes);
    CmBuffer *in = session.buffer(bytes, block), *counts = session.buffer(got);

    // Few counters are added up at the end, yet there is work for many hardware threads.
    unsigned perThread = std::min(mostPerThread, (unsigned(bytes.size() / 32) + block) / block * block);
    unsigned threads = unsigned((bytes.size() + perThread - 1) / perThread),
             rows = (threads + 255) / 256; // WIDTH of the kernel
    CmKernel *kernel = session.kernel("histogram");
    host::setAll(kernel, in, counts, unsigned(bytes.size()), perThread);
    CmThreadSpace *space = session.space(256, rows);
    CmTask *task = session.task({kernel}, false);
    auto once = [&] {
      CHECK(counts->InitSurface(0, nullptr));
      return session.run(task, space);
    };
    once();
    session.read(counts, got, nullptr);
    bool right = got == want;
    double ms = app.time(once);
    std::printf("%zu bytes: %s, %.3f ms, %.2f Gbyte/s\n", bytes.size(), right ? "correct" : "WRONG", ms,
                double(bytes.size()) / ms / 1e6);
    if (!bins.empty())
      save(bins, got);
    return right;
  });
}
