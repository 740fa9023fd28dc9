//===- further.cpp - Kernels that nothing was tuned for, beside plain C++ ------------------===//
//
//     bench-further [--device NAME] [--check] [KERNEL ...]
//
// Every kernel of this folder computes what a loop of plain_further.cpp does, on the same data; the
// results are compared first. Prints medians of both on one host thread and their ratio, and the
// geometric mean. --check compares only, on small inputs, on any device.
//
//===--------------------------------------------------------------------------------------===//
#include "Harness.h"
#include "Programs.h"
#include "Work.h"
#include <cmath>
#include <map>
#include <numbers>

namespace {

/// The factors of the six steps of a transform of 64: 32 real and 32 imaginary parts each.
Surface fourierFactors() {
  Surface s = buffer(6 * 256);
  for (int step = 0, apart = 1; step < 6; ++step, apart *= 2)
    for (int i = 0; i < 32; ++i) {
      double angle = -2 * std::numbers::pi * (i / apart) * apart / 64;
      s.as<float>()[64 * step + i] = float(std::cos(angle));
      s.as<float>()[64 * step + 32 + i] = float(std::sin(angle));
    }
  return s;
}

Surface cosineFactors() {
  Surface s = buffer(512);
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 8; ++k) {
      auto c = float(std::cos((2 * k + 1) * i * std::numbers::pi / 16) * (i ? 0.5 : std::sqrt(0.125)));
      s.as<float>()[8 * i + k] = c;
      s.as<float>()[64 + 8 * k + i] = c;
    }
  return s;
}

Surface crcTable() {
  Surface s = buffer(1024);
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k)
      c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
    s.as<std::uint32_t>()[i] = c;
  }
  return s;
}

/// The first 32 bits of the fractions of the cube roots of the first 64 primes.
Surface shaConstants() {
  Surface s = buffer(256);
  int found = 0;
  for (int n = 2; found < 64; ++n) {
    bool isPrime = true;
    for (int d = 2; d * d <= n; ++d)
      isPrime &= n % d != 0;
    if (isPrime) {
      long double root = std::cbrt(static_cast<long double>(n));
      s.as<std::uint32_t>()[found++] = std::uint32_t((root - std::floor(root)) * 4294967296.0L);
    }
  }
  return s;
}

/// Matrices whose diagonal is larger than what is beside it.
Surface matrices(int count) {
  Surface s = floats(buffer(std::size_t(count) * 1024), -1, 1);
  for (int n = 0; n < count; ++n)
    for (int i = 0; i < 16; ++i)
      s.as<float>()[256 * n + 17 * i] += 20;
  return s;
}

std::vector<Work> pixels(int width, int height) {
  Surface in = randomBytes(image(width, height, 1)), out = image(width, height, 1, true);
  pocm::ThreadSpace blocks{threads(width, 28), threads(height, 8)};
  auto filter = [=](const char *kernel, Compare how, auto plain) {
    return Work{"pixels", kernel, {in, out}, {}, blocks, how, [=](auto &s) {
                  plain(s[0].bytes.data(), s[1].bytes.data(), width, height);
                }};
  };
  return {filter("median", Compare::Exact, plainMedian), filter("sobel", Compare::Exact, plainSobel),
          filter("bilateral", Compare::Close, plainBilateral),
          Work{"pixels",
               "smaller",
               {in, image(width / 2, height / 2, 1, true)},
               {},
               {threads(width, 32), threads(height, 8)},
               Compare::Exact,
               [=](auto &s) { plainSmaller(s[0].bytes.data(), s[1].bytes.data(), width, height); }},
          Work{"pixels",
               "nv12",
               {in, randomBytes(image(width, height / 2, 1)), image(4 * width, height, 1, true)},
               {},
               {threads(width, 16), threads(height, 4)},
               Compare::Exact,
               [=](auto &s) { plainNv12(s[0].bytes.data(), s[1].bytes.data(), s[2].bytes.data(), width, height); }}};
}

std::vector<Work> signals(int width, int height, int transforms) {
  Surface in = randomBytes(image(width, height, 2)), out = image(width, height, 2, true);
  for (std::size_t i = 1; i < in.bytes.size(); i += 2)
    in.bytes[i] = 0; // words of a byte
  const auto bytes = std::size_t(transforms) * 512;
  return {Work{"signals",
               "fft64",
               {floats(buffer(bytes), -1, 1), fourierFactors(), buffer(bytes, true)},
               {},
               {unsigned(transforms), 1},
               Compare::Close,
               [=](auto &s) {
                 plainFft64(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(),
                            transforms);
               }},
          Work{"signals",
               "dct",
               {in, cosineFactors(), out},
               {},
               {unsigned(width / 8), unsigned(height / 8)},
               Compare::Almost,
               [=](auto &s) {
                 plainDct(s[0].template as<std::int16_t>(), s[1].template as<float>(), s[2].template as<std::int16_t>(),
                          width, height);
               }},
          Work{"signals",
               "haar",
               {in, out},
               {},
               {unsigned(width / 16), unsigned(height / 16)},
               Compare::Exact,
               [=](auto &s) {
                 plainHaar(s[0].template as<std::int16_t>(), s[1].template as<std::int16_t>(), width, height);
               }}};
}

std::vector<Work> numbers(int width, int height, int count) {
  const auto n = std::size_t(count);
  const int options = count * 16, steps = 256, high = std::min(count, 1024); // images have 16384 rows
  const float x0 = -2, y0 = -1.25f, step = 2.5f / float(height);
  Surface prices = floats(buffer(n * 64), 20, 100);
  return {
      Work{"numbers",
           "mandelbrot",
           {image(width, height, 4, true)},
           {number(x0), number(y0), number(step), number(steps)},
           {unsigned(width / 16), unsigned(height)},
           Compare::Almost,
           [=](auto &s) { plainMandelbrot(s[0].template as<std::int32_t>(), x0, y0, step, steps, width, height); }},
      Work{"numbers",
           "options",
           {prices, floats(buffer(n * 64), 30, 90), floats(buffer(n * 64), 0.2f, 3), buffer(n * 64, true),
            buffer(n * 64, true)},
           {},
           {unsigned(count), 1},
           Compare::Close,
           [=](auto &s) {
             plainOptions(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(),
                          s[3].template as<float>(), s[4].template as<float>(), options);
           }},
      Work{"numbers",
           "lu",
           {matrices(count), buffer(n * 1024, true)},
           {},
           {unsigned(count), 1},
           Compare::Close,
           [=](auto &s) { plainLu(s[0].template as<float>(), s[1].template as<float>(), count); }},
      Work{"numbers",
           "centres",
           {floats(buffer(n * 1024), 0, 10), randomBytes(floats(buffer(n * 1024), 0, 10), 0),
            floats(buffer(128), 0, 10), buffer(n * 192, true)},
           {},
           {unsigned(count), 1},
           Compare::Close,
           [=](auto &s) {
             plainCentres(s[0].template as<float>(), s[1].template as<float>(), s[2].template as<float>(),
                          s[3].template as<float>(), count);
           }},
      Work{"numbers",
           "softmax",
           {floats(buffer(n * 1024), -5, 5), buffer(n * 1024, true)},
           {},
           {unsigned(count), 1},
           Compare::Close,
           [=](auto &s) { plainSoftmax(s[0].template as<float>(), s[1].template as<float>(), count); }},
      Work{"numbers",
           "bytes",
           {randomBytes(image(1024, high * 16, 1)), randomBytes(buffer(1024)), buffer(std::size_t(high) * 64, true)},
           {number(1024)},
           {unsigned(high), 1},
           Compare::Exact,
           [=](auto &s) {
             plainBytes(s[0].template as<std::int8_t>(), s[1].template as<std::int8_t>(),
                        s[2].template as<std::int32_t>(), 1024, high * 16);
           }},
      Work{"numbers",
           "heat",
           {floats(image(width, height, 4), 0, 100), image(width, height, 4, true)},
           {},
           {threads(width, 8), threads(height, 4)},
           Compare::Close,
           [=](auto &s) { plainHeat(s[0].template as<float>(), s[1].template as<float>(), width, height); }},
      Work{"numbers",
           "quarter",
           {buffer(n * 64, true)},
           {number(steps)},
           {unsigned(count), 1},
           Compare::Exact,
           [=](auto &s) { plainQuarter(s[0].template as<std::uint32_t>(), steps, count * 16); }}};
}

std::vector<Work> bits(int count) {
  const auto n = std::size_t(count);
  const int dwords = 64, rows = count, words = 64, pitch = 4 * words + 32;
  const std::vector<Bytes> pattern = {1, 0, 1, 1, 0, 1, 0, 0};
  std::vector<Bytes> query(32);
  for (std::size_t i = 0; i < query.size(); ++i)
    query[i] = Bytes(37 * i);
  return {
      Work{"bits",
           "crc",
           {randomBytes(buffer(n * 64 * dwords)), crcTable(), buffer(n * 64, true)},
           {number(dwords)},
           {unsigned(count), 1},
           Compare::Exact,
           [=](auto &s) {
             plainCrc(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(),
                      s[2].template as<std::uint32_t>(), dwords, count);
           }},
      Work{"bits",
           "search",
           {randomBytes(buffer(n * 224 + 32), 1), buffer(n * 16, true)},
           {pattern},
           {unsigned(count), 1},
           Compare::Exact,
           [=](auto &s) { plainSearch(s[0].bytes.data(), s[1].template as<std::uint32_t>(), pattern.data(), count); }},
      Work{"bits",
           "hamming",
           {randomBytes(buffer(n * 512)), buffer(n * 64, true)},
           {query},
           {unsigned(count), 1},
           Compare::Exact,
           [=](auto &s) {
             std::uint32_t words[8];
             std::memcpy(words, query.data(), sizeof words);
             plainHamming(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(), words, count * 16);
           }},
      Work{"bits",
           "life",
           {randomBytes(buffer(std::size_t((rows + 2) * pitch))), buffer(std::size_t((rows + 2) * pitch), true)},
           {number(pitch)},
           {unsigned(words / 16), unsigned(rows)},
           Compare::Exact,
           [=](auto &s) {
             plainLife(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(), pitch, words, rows);
           }},
      Work{"bits",
           "sha256",
           {randomBytes(buffer(n * 1024)), shaConstants(), buffer(n * 512, true)},
           {},
           {unsigned(count), 1},
           Compare::Exact,
           [=](auto &s) {
             plainSha256(s[0].template as<std::uint32_t>(), s[1].template as<std::uint32_t>(),
                         s[2].template as<std::uint32_t>(), count);
           }},
      Work{"bits",
           "base64",
           {randomBytes(buffer(n * 96)), buffer(n * 128, true)},
           {},
           {unsigned(count), 1},
           Compare::Exact,
           [=](auto &s) { plainBase64(s[0].bytes.data(), s[1].bytes.data(), count * 96); }}};
}

bool same(Surface &mine, Surface &theirs, Compare how) {
  if (how == Compare::Exact)
    return mine.bytes == theirs.bytes;
  if (how == Compare::Almost) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < mine.count<std::uint16_t>(); ++i)
      different += mine.as<std::uint16_t>()[i] != theirs.as<std::uint16_t>()[i];
    return different * 100 <= mine.count<std::uint16_t>();
  }
  if (mine.pixel == 1) {
    for (std::size_t i = 0; i < mine.bytes.size(); ++i)
      if (std::abs(mine.bytes[i] - theirs.bytes[i]) > 1)
        return false;
    return true;
  }
  for (std::size_t i = 0; i < mine.count<float>(); ++i)
    if (float a = mine.as<float>()[i], b = theirs.as<float>()[i];
        !(std::fabs(a - b) <= 1e-3f * std::max(1.0f, std::fabs(b))))
      return false;
  return true;
}

/// A kernel ready to run, and its results.
class Launch {
  pocm::Device device;
  pocm::Kernel kernel;
  pocm::ThreadSpace space;
  std::vector<pocm::Buffer> buffers;
  std::vector<pocm::Image> images;
  std::vector<std::function<void(Surface &)>> read; // of each surface

public:
  Launch(pocm::Device device, const pocm::Program &program, Work &work)
      : device(device), kernel(this->device.createKernel(program, work.kernel)), space(work.space) {
    unsigned at = 0;
    for (Surface &s : work.surfaces)
      if (s.pixel) {
        pocm::Image i = this->device.createImage(s.width, s.height, s.pixel);
        i.write(s.bytes.data(), s.width * s.pixel);
        kernel.setArgument(at++, i);
        read.push_back([i](Surface &to) mutable { i.read(to.bytes.data(), to.width * to.pixel); });
        images.push_back(i);
      } else {
        pocm::Buffer b = this->device.createBuffer(s.bytes.size());
        b.write(s.bytes.data(), s.bytes.size());
        kernel.setArgument(at++, b);
        read.push_back([b](Surface &to) mutable { b.read(to.bytes.data(), to.bytes.size()); });
        buffers.push_back(b);
      }
    for (const auto &n : work.numbers)
      kernel.setArgument(at++, n.data(), n.size());
  }

  void run() { device.enqueue(kernel, space).wait(); }

  bool correct(Work &work) {
    std::vector<Surface> mine = work.surfaces, theirs = work.surfaces;
    work.plain(theirs);
    bool all = true;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (mine[i].isOutput) {
        read[i](mine[i]);
        all &= same(mine[i], theirs[i], work.how);
      }
    return all;
  }
};

struct Options {
  std::string device = "cpu";
  bool check = false;
  std::vector<std::string> kernels;
};

Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    if (text == "--check")
      o.check = true;
    else if (text == "--device" && i + 1 < argc)
      o.device = argv[++i];
    else if (text.starts_with("-"))
      throw pocm::Error("usage: bench-further [--device NAME] [--check] [KERNEL ...]");
    else
      o.kernels.push_back(text);
  }
  return o;
}

std::vector<Work> all(bool small) {
  std::vector<Work> work;
  for (auto &&some :
       {small ? pixels(96, 40) : pixels(1920, 1080), small ? signals(64, 32, 3) : signals(1920, 1072, 1 << 14),
        small ? numbers(64, 32, 3) : numbers(1024, 768, 1 << 12), small ? bits(3) : bits(1 << 12),
        small ? samples(96, 40, 3) : samples(1920, 1080, 1 << 12),
        small ? records(96, 40, 3) : records(1920, 1080, 1 << 12),
        small ? scenes(96, 40, 3) : scenes(1920, 1080, 1 << 12), small ? lists(96, 48, 3) : lists(1920, 1080, 1 << 12),
        small ? models(96, 48, 3) : models(1920, 1080, 1 << 12),
        small ? places(96, 40, 3) : places(1920, 1080, 1 << 12)})
    work.insert(work.end(), some.begin(), some.end());
  return work;
}

} // namespace

int main(int argc, char **argv) try {
  Options options = parse(argc, argv);
  pocm::Device device = pocm::Device::open(options.device, {1, ""});
  std::map<std::string, pocm::Program> programs;
  int wrong = 0, count = 0;
  double logs = 0;
  for (Work &work : all(options.check)) {
    if (!options.kernels.empty() &&
        std::find(options.kernels.begin(), options.kernels.end(), work.kernel) == options.kernels.end())
      continue;
    if (!programs.contains(work.file)) {
      pocm::CompileOptions compile;
      compile.file = std::string(POCM_SOURCE_DIR "/bench/further/") + work.file + "_genx.cpp";
      programs.emplace(work.file, bench::compiled(compile));
    }
    Launch launch(device, programs.at(work.file), work);
    launch.run();
    if (!launch.correct(work)) {
      std::printf("%-12s wrong\n", work.kernel);
      ++wrong;
      continue;
    }
    if (options.check) {
      std::printf("%-12s right\n", work.kernel);
      continue;
    }
    constexpr int rounds = 31;
    double mine = 1e9, theirs = 1e9; // the least, which other work on the machine changes less
    std::vector<Surface> surfaces = work.surfaces;
    for (int round = 0; round < rounds; ++round) {
      mine = std::min(mine, bench::milliseconds([&] { launch.run(); }));
      theirs = std::min(theirs, bench::milliseconds([&] { work.plain(surfaces); }));
    }
    double ratio = mine / theirs;
    std::printf("%-12s %9.3f ms   plain %9.3f ms   ratio %5.2f\n", work.kernel, mine, theirs, ratio);
    std::fflush(stdout);
    logs += std::log(ratio);
    ++count;
  }
  if (count)
    std::printf("%d kernels, geometric mean %.2f\n", count, std::exp(logs / count));
  return wrong ? 1 : 0;
} catch (const std::exception &problem) {
  std::fprintf(stderr, "bench-further: %s\n", problem.what());
  return 2;
}
