#include "Kernels.h"
#include "ir/Bitcode.h"
#include "program/Container.h"
#include "program/DiskCache.h"
#include "program/Inside.h"
#include "runtime/Queue.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include <atomic>
#include <cstring>
#include <filesystem>
#include <functional>
#include <unistd.h>

namespace {

constexpr const char *marks = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void mark(SurfaceIndex out, uchar value) {
  vector<uchar, 4> v = value;
  v(1) = get_thread_origin_x();
  v(2) = get_thread_origin_y();
  write(out, get_thread_origin_x() * 4, get_thread_origin_y(), v);
}
)";

TEST(CpuDevice, everyThreadRunsOnceWhateverTheShapeAndTheHostThreads) {
  pocm::Program program = test::compile(marks);
  for (unsigned hosts : {1u, 2u, 5u}) {
    pocm::Device device = test::open("native", hosts);
    pocm::Kernel kernel = device.createKernel(program, "mark");
    for (auto [w, h] : {std::pair{1u, 1u}, {200u, 1u}, {1u, 200u}, {37u, 41u}, {255u, 3u}}) {
      pocm::Image image = device.createImage(w, h, 4);
      std::uint8_t value = 77;
      kernel.setArgument(0, image);
      kernel.setArgument(1, &value, 1);
      device.enqueue(kernel, {w, h}).wait();
      std::vector<std::uint8_t> bytes(w * h * 4);
      image.read(bytes.data(), w * 4);
      for (unsigned i = 0; i < w * h; ++i) {
        ASSERT_EQ(bytes[i * 4], 77);
        ASSERT_EQ(bytes[i * 4 + 1], i % w);
        ASSERT_EQ(bytes[i * 4 + 2], i / w);
      }
    }
  }
}

constexpr const char *transposition = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void transpose(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  matrix<uint, 4, 16> m;
  read(in, x * 64, y * 16, m);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    matrix<uint, 4, 16> row;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      matrix<uint, 4, 16> part;
      read(in, x * 64, y * 16 + k * 4, part);
#pragma unroll
      for (int r = 0; r < 4; r++)
        row.select<4, 1, 1, 1>(0, k * 4 + r) = part.select<1, 1, 4, 1>(r, i * 4);
    }
    write(out, y * 64, x * 16 + i * 4, row);
  }
}
)";

/// Whether the transposition of an image of this size is right.
void expectTransposed(pocm::Device &device, const pocm::Kernel &made, std::uint32_t w, std::uint32_t h) {
  pocm::Kernel kernel = made;
  pocm::Image in = device.createImage(w, h, 4), out = device.createImage(h, w, 4);
  std::vector<std::uint32_t> pixels(std::size_t(w) * h), turned(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = std::uint32_t(i * 2654435761u);
  in.write(reinterpret_cast<std::uint8_t *>(pixels.data()), w * 4);
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  device.enqueue(kernel, {(w + 15) / 16, (h + 15) / 16}).wait();
  out.read(reinterpret_cast<std::uint8_t *>(turned.data()), h * 4);
  std::size_t wrong = 0;
  for (std::size_t y = 0; y < h; ++y)
    for (std::size_t x = 0; x < w; ++x)
      wrong += turned[x * h + y] != pixels[y * w + x];
  EXPECT_EQ(wrong, 0u) << w << " x " << h;
}

TEST(CpuDevice, aKernelThatWalksAcrossASurfaceIsRightInTilesOfAllShapes) {
  pocm::Program program = test::compile(transposition);
  for (unsigned hosts : {1u, 2u, 5u}) {
    pocm::Device device = test::open("native", hosts);
    pocm::Kernel kernel = device.createKernel(program, "transpose");
    for (auto [w, h] : {std::pair{1u, 1u}, {16u, 2000u}, {2000u, 16u}, {529u, 530u}, {1041u, 37u}, {64u, 64u}})
      expectTransposed(device, kernel, w, h);
  }
}

TEST(CpuDevice, aSideOfAThreadSpaceHasOneTo65536Threads) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void count(SurfaceIndex out) {
  vector<uint, 8> v;
  write_atomic<ATOMIC_INC>(out, vector<uint, 8>(0), v);
}
)");
  pocm::Device device = test::open("native");
  pocm::Kernel kernel = device.createKernel(program, "count");
  pocm::Buffer out = device.createBuffer(64);
  const std::vector<std::uint8_t> zeros(64);
  kernel.setArgument(0, out);
  constexpr std::uint32_t most = 1u << 16;
  for (pocm::ThreadSpace bad : {pocm::ThreadSpace{0, 1}, {1, 0}, {0, 0}, {most + 1, 1}, {1, most + 1}})
    EXPECT_THROW(device.enqueue(kernel, bad), pocm::Error) << bad.width << " x " << bad.height;
  for (pocm::ThreadSpace good : {pocm::ThreadSpace{1, 1}, {most, 1}, {1, most}}) {
    out.write(zeros.data(), zeros.size());
    device.enqueue(kernel, good).wait();
    std::uint32_t counted = 0;
    out.read(reinterpret_cast<std::uint8_t *>(&counted), sizeof(counted));
    EXPECT_EQ(counted, 8 * good.width * good.height) << good.width << " x " << good.height;
  }
}

TEST(CpuDevice, whatIsWrittenAroundTheCacheArrives) {
  pocm::Program program = test::compile(transposition);
  for (unsigned hosts : {1u, 2u}) {
    pocm::Device device = test::open("native", hosts);
    pocm::Kernel kernel = device.createKernel(program, "transpose");
    expectTransposed(device, kernel, 4096, 3000); // 48 MB: more than caches have
    expectTransposed(device, kernel, 4000, 3003); // rows over the edge
  }
}

TEST(CpuDevice, lanesBeyondTheEndOfABufferReadZeroAndWriteNothing) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void lanes(SurfaceIndex in, SurfaceIndex where, SurfaceIndex out) {
  vector<uint, 16> at;
  vector<uint, 16> v = 7;
  read(where, 0, at);
  read(in, 0, at, v);
  write(out, 0, v);
  v += 100;
  write(in, 0, at, v);
}
)");
  const std::uint32_t places[16] = {0,          15,         16,         17,         0x3FFFFFFF, 0x40000000,
                                    0x40000001, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xBFFFFFFF, 0xC0000000,
                                    0xC0000003, 0xFFFFFFFE, 0xFFFFFFFF, 3};
  for (const char *cpu : {"native", "x86-64"}) {
    pocm::Device device = test::open(cpu, 1);
    pocm::Kernel kernel = device.createKernel(program, "lanes");
    for (std::uint32_t bytes : {64u, 62u, 4u, 2u}) { // of which elements of four bytes lie inside: 16, 15, 1, none
      std::vector<std::uint8_t> contents(bytes, 1), after(bytes);
      pocm::Buffer in = device.createBuffer(bytes), where = device.createBuffer(64), out = device.createBuffer(64);
      in.write(contents.data(), bytes);
      where.write(places, sizeof(places));
      kernel.setArgument(0, in);
      kernel.setArgument(1, where);
      kernel.setArgument(2, out);
      device.enqueue(kernel, {1, 1}).wait();
      std::uint32_t read[16];
      out.read(read, sizeof(read));
      in.read(after.data(), bytes);
      for (int i = 0; i < 16; ++i) {
        bool inside = std::uint64_t(places[i]) * 4 + 4 <= bytes;
        EXPECT_EQ(read[i], inside ? 0x01010101u : 0u) << cpu << ", " << bytes << " bytes, lane " << i;
        if (inside) {
          std::uint32_t element;
          std::memcpy(&element, &after[places[i] * 4], 4);
          EXPECT_EQ(element, 0x01010101u + 100);
        }
      }
    }
  }
}

TEST(CpuDevice, surfacesOfFormerLaunchesAreNoneOfTheNext) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void many(SurfaceIndex a, SurfaceIndex b, SurfaceIndex c, SurfaceIndex out) {
  vector<uint, 16> v;
  read(c, 0, v);
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void one(SurfaceIndex out) {
  vector<uint, 16> sum = 0;
  for (uint k = 1; k < 64; ++k) {
    vector<uint, 16> v = 0;
    read(SurfaceIndex(k), 0, v);
    sum |= v;
  }
  write(out, 0, sum);
}
)");
  pocm::Device device = test::open("native", 1);
  pocm::Kernel many = device.createKernel(program, "many"), one = device.createKernel(program, "one");
  std::vector<std::uint32_t> words(16, 0xabababab), got(16);
  const std::size_t size = words.size() * sizeof(words[0]);
  pocm::Buffer of[] = {device.createBuffer(size), device.createBuffer(size), device.createBuffer(size)},
               out = device.createBuffer(size), none = device.createBuffer(size);
  for (unsigned k = 0; k < 3; ++k) {
    of[k].write(words.data(), size);
    many.setArgument(k, of[k]);
  }
  many.setArgument(3, out);
  one.setArgument(0, none);
  for (int time = 0; time < 3; ++time) {
    device.enqueue(many, {1, 1}).wait();
    out.read(got.data(), size);
    EXPECT_EQ(got, words);
    device.enqueue(one, {1, 1}).wait();
    none.read(got.data(), size);
    EXPECT_EQ(got, std::vector<std::uint32_t>(16));
  }
}

TEST(CpuDevice, launchesTellHowFarTheyAre) {
  pocm::DeviceOptions options{1, ""};
  options.progress = true;
  pocm::Device device = pocm::Device::open("cpu", options);
  pocm::Kernel kernel = device.createKernel(test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void turn(SurfaceIndex out, int times) {
  vector<uint, 16> v = get_thread_origin_x();
  for (int i = 0; i < times; i++) v = v * 1664525 + 1013904223;
  write(out, get_thread_origin_x() * 64, v);
})"),
                                            "turn");
  pocm::Buffer out = device.createBuffer(4000 * 64);
  kernel.setArgument(0, out);
  const int times = 20000;
  kernel.setArgument(1, &times, sizeof(times));
  bool between = false;
  for (int tries = 0; tries < 50 && !between; ++tries) {
    pocm::Event first = device.enqueue(kernel, {4000, 1}), second = device.enqueue(kernel, {1, 1});
    double last = 0;
    while (!first.finished()) {
      const double behind = second.progress(), now = first.progress(); // in this order
      EXPECT_GE(now, last);
      EXPECT_LE(now, 1);
      if (now < 1) {
        EXPECT_EQ(behind, 0) << "it waits for the other";
      }
      between |= now > 0 && now < 1;
      last = now;
    }
    second.wait();
    EXPECT_EQ(first.progress(), 1);
    EXPECT_EQ(second.progress(), 1);
  }
  EXPECT_TRUE(between);
}

TEST(CpuDevice, argumentsAreCapturedAtEnqueue) {
  pocm::Program program = test::compile(marks);
  pocm::Device device = test::open("native");
  pocm::Kernel kernel = device.createKernel(program, "mark");
  std::vector<pocm::Image> images;
  std::vector<pocm::Event> events;
  for (std::uint8_t value = 1; value < 50; ++value) {
    images.push_back(device.createImage(1, 1, 4));
    kernel.setArgument(0, images.back());
    kernel.setArgument(1, &value, 1);
    events.push_back(device.enqueue(kernel, {1, 1}));
  }
  events.back().wait();
  for (std::size_t i = 0; i < images.size(); ++i) {
    EXPECT_TRUE(events[i].finished());
    std::uint8_t pixel[4];
    images[i].read(pixel, 4);
    EXPECT_EQ(pixel[0], i + 1);
  }
}

TEST(CpuDevice, memoryByItsAddressIsReadWhenItsLaunchesAreDone) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void count(int *to [[type("svmptr_t")]], int rounds) {
  int n = to[0];
  for (int i = 0; i < rounds; ++i)
    n = n * 5 + i;
  to[0] = n;
}
)");
  constexpr int rounds = 20'000'000;
  unsigned want = 1;
  for (unsigned i = 0; i < rounds; ++i)
    want = want * 5 + i;
  pocm::Device device = test::open("native");
  pocm::Kernel kernel = device.createKernel(program, "count");
  {
    pocm::Buffer buffer = device.createBuffer(64);
    const int one = 1;
    buffer.write(&one, sizeof(one));
    kernel.setArgument(0, buffer);
    kernel.setArgument(1, &rounds, sizeof(rounds));
    device.enqueue(kernel, {1, 1});
    unsigned result = 0;
    buffer.read(&result, sizeof(result)); // waits
    EXPECT_EQ(result, want);
  }
  device.enqueue(kernel, {1, 1}).wait(); // the kernel keeps the memory that it was given
}

std::string problemOf(const std::function<void()> &work) {
  try {
    work();
    return "";
  } catch (const pocm::Error &e) {
    return e.what();
  }
}

TEST(CpuDevice, misuseIsRefusedWithAReason) {
  pocm::Program program = test::compile(marks);
  pocm::Device device = test::open("native");
  pocm::Kernel kernel = device.createKernel(program, "mark");
  pocm::Buffer buffer = device.createBuffer(16);
  std::uint8_t value = 1;
  EXPECT_EQ(problemOf([&] { device.enqueue(kernel, {1, 1}); }),
            "kernel 'mark' cannot be launched: 2 of its arguments are not set");
  EXPECT_EQ(problemOf([&] { kernel.setArgument(2, &value, 1); }),
            "kernel 'mark' has 2 parameters; there is no argument 2");
  EXPECT_EQ(problemOf([&] { kernel.setArgument(1, &value, 4); }), "argument 1 of kernel 'mark' takes 1 bytes, not 4");
  EXPECT_EQ(problemOf([&] { kernel.setArgument(0, &value, 1); }),
            "argument 0 of kernel 'mark' is a surface, not a value");
  EXPECT_EQ(problemOf([&] { kernel.setArgument(1, buffer); }),
            "argument 1 of kernel 'mark' is a value of type uchar, not a surface");
  EXPECT_EQ(problemOf([&] { device.createBuffer(0); }), "a buffer has 1 to 2147483648 bytes, not 0");
  EXPECT_EQ(problemOf([&] { device.createImage(3, 0, 4); }), "an image has 1 to 16384 pixels a side, not 3x0");
  EXPECT_EQ(problemOf([&] { device.createImage(16384, 1, 16), device.createImage(1, 16384, 1); }), "");
  EXPECT_EQ(problemOf([&] { device.createImage(16385, 1, 1); }), "an image has 1 to 16384 pixels a side, not 16385x1");
  EXPECT_EQ(problemOf([&] { device.createImage(1, 16385, 1); }), "an image has 1 to 16384 pixels a side, not 1x16385");
  EXPECT_EQ(problemOf([&] { device.createImage(3, 3, 3); }), "a pixel has 1, 2, 4, 8 or 16 bytes, not 3");
  EXPECT_EQ(problemOf([&] { buffer.write(&value, 1, 16); }), "write of 1 bytes at 16 leaves a buffer of 16 bytes");
  EXPECT_EQ(problemOf([&] { pocm::Device::open("tpu"); }), "no device 'tpu'; there is: cpu, check, gensim");
  EXPECT_NE(problemOf([&] { pocm::Device::open("cpu", {1, "i8051"}); }).find("unknown CPU 'i8051'"), std::string::npos);
}

TEST(CpuDevice, optionsAreTheDevicesOwn) {
  auto refusal = [](const char *name, const pocm::DeviceOptions &how) {
    return problemOf([&] { pocm::Device::open(name, how); });
  };
  EXPECT_EQ(refusal("gensim:skl", {1, "haswell"}),
            "the gensim device has no option 'cpu'; there is: unwritten, trace, check, debug, timing");
  EXPECT_EQ(refusal("cpu:json=found.json", {}), "the cpu device has no option 'json'; there is: cpu, order");
  EXPECT_EQ(refusal("check:stop,speed=2", {}), "the check device has no option 'speed'; there is: cpu, order, json");
  EXPECT_EQ(refusal("check:stop,summary", {}),
            "device 'check:stop,summary': 'summary' is no option; those are NAME=VALUE, behind the variant");
  EXPECT_EQ(refusal("cpu:fast", {}), "the cpu device has no variants, such as 'fast'");
  EXPECT_EQ(refusal("cpu:cpu=x86-64", {1, "haswell"}), "device 'cpu:cpu=x86-64': the option 'cpu' is given twice");
  EXPECT_NE(refusal("cpu:order=sideways", {}).find("sideways"), std::string::npos);
  EXPECT_NE(refusal("cpu:order=serial,cpu=i8051", {}).find("unknown CPU 'i8051'"), std::string::npos);
  pocm::DeviceOptions other;
  other.own = {{"cpu", "i8051"}};
  EXPECT_NE(refusal("check:stop", other).find("unknown CPU 'i8051'"), std::string::npos);
}

TEST(CpuDevice, codeComesFromTheCacheAndADamagedEntryIsMadeAgain) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("pocm-device-test-" + std::to_string(getpid()));
  fs::remove_all(folder);
  pocm::Program program = test::compile(marks);
  test::WithVariable cache("POCM_CACHE_DIR", folder.c_str());
  auto runs = [&] {
    pocm::Device device = pocm::Device::open("cpu", {1, ""});
    pocm::Kernel kernel = device.createKernel(program, "mark");
    pocm::Image image = device.createImage(1, 1, 4);
    std::uint8_t value = 9, pixel[4];
    kernel.setArgument(0, image);
    kernel.setArgument(1, &value, 1);
    device.enqueue(kernel, {1, 1}).wait();
    image.read(pixel, 4);
    return pixel[0] == 9;
  };
  EXPECT_TRUE(runs());
  ASSERT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  fs::path entry = fs::directory_iterator(folder)->path();
  auto made = fs::last_write_time(entry);
  EXPECT_TRUE(runs());
  EXPECT_EQ(fs::last_write_time(entry), made);
  fs::resize_file(entry, 100);
  EXPECT_TRUE(runs());
  EXPECT_GT(fs::file_size(entry), 100u);
  // An entry that is whole, and nothing that can be linked.
  pocm::program::DiskCache(folder).store(entry.filename(), std::vector<char>(1000, 'x'));
  EXPECT_TRUE(runs());
  EXPECT_GT(fs::file_size(entry), 1100u);
  fs::remove_all(folder);
}

TEST(CpuDevice, aFileWhoseParametersAreNotThoseOfItsCodeIsRefused) {
  pocm::Program program = test::compile(marks);
  auto changed = std::make_shared<pocm::program::Container>(*pocm::Inside::of(program));
  changed->kernels[0].parameters[1].bytes = 8;
  pocm::Device device = test::open("native");
  EXPECT_EQ(problemOf([&] { device.createKernel(pocm::Inside::around<pocm::Program>(changed), "mark"); }),
            "the program file and its CM IR disagree about the parameters of kernel 'mark'");
  auto cut = std::make_shared<pocm::program::Container>(*changed); // devices know the first one by now
  cut->kernels[0].parameters[1].bytes = 1;
  cut->ir.resize(cut->ir.size() / 2);
  EXPECT_NE(
      problemOf([&] { device.createKernel(pocm::Inside::around<pocm::Program>(cut), "mark"); }).find("cannot be read"),
      std::string::npos);
}

// Blocks may be read where they lie in memory, but not later than a write to the same surface.
TEST(CpuDevice, aBlockKeepsWhatItReadWhenItsSurfaceIsWritten) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void shift_down(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 4, 16> block;
  vector<uchar, 16> zero = 0;
  read(in, 0, 0, block);
  write(out, 0, 0, zero);
  write(out, 0, 1, block.row(0));
  write(out, 0, 2, block.row(1));
  write(out, 0, 3, block.row(2));
}
extern "C" _GENX_MAIN_ void loop(SurfaceIndex in, SurfaceIndex out, int n) {
  matrix<uchar, 4, 16> block;
  read(in, 0, 0, block);
  for (int i = 0; i < n; i++)
    write(out, 0, 3 - i, block.row(i));
})");
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    pocm::Image image = device.createImage(16, 4, 1); // both arguments
    std::vector<std::uint8_t> before(64), after(64);
    for (std::size_t i = 0; i < before.size(); ++i)
      before[i] = std::uint8_t(i + 1);
    pocm::Kernel kernel = device.createKernel(program, "shift_down");
    image.write(before.data(), 16);
    kernel.setArgument(0, image);
    kernel.setArgument(1, image);
    device.enqueue(kernel, {1, 1}).wait();
    image.read(after.data(), 16);
    for (std::size_t i = 0; i < after.size(); ++i)
      EXPECT_EQ(after[i], i < 16 ? 0 : before[i - 16]) << cpu << " " << i;

    int n = 4;
    pocm::Kernel loop = device.createKernel(program, "loop");
    image.write(before.data(), 16);
    loop.setArgument(0, image);
    loop.setArgument(1, image);
    loop.setArgument(2, &n, sizeof(n));
    device.enqueue(loop, {1, 1}).wait();
    image.read(after.data(), 16);
    for (std::size_t i = 0; i < after.size(); ++i)
      EXPECT_EQ(after[i], before[(3 - i / 16) * 16 + i % 16]) << cpu << " " << i;
  }
}

// Indices into arrays, arrays of vectors and through pointers: what leads out touches nobody else's data.
TEST(CpuDevice, indicesOfArraysStayInside) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
struct Pair { int first; vector<int, 4> rest; };
extern "C" _GENX_MAIN_ void outside(SurfaceIndex out, int n, int m) {
  int before[16], table[16], after[16];
  vector<int, 8> vectors[4], others[4];
  Pair pairs[3];
  for (int i = 0; i < 16; i++)
    before[i] = table[i] = after[i] = m - 3 + i;
  for (int i = 0; i < 4; i++) {
    vectors[i] = m;
    others[i] = m + 1;
  }
  for (int i = 0; i < 3; i++) {
    pairs[i].first = m + 2;
    pairs[i].rest = m + 2;
  }
  table[n] = 1000;
  vectors[n].select<2, 1>(1) = 1000;
  pairs[n].rest(n) = 1000;
  int *p = m > 5 ? before : table;
  for (int i = 0; i < n; i++)
    *p++ = 1000;
  vector<int, 8> v;
  v(0) = before[(m + 3) & 15];
  v(1) = after[(m + 1) & 15];
  v(2) = others[m & 3](m & 7);
  v(3) = table[(m + 2) & 15] == 1000 ? m - 3 : 0;
  v(4) = vectors[m & 1](0);
  v(5) = pairs[m & 1].first;
  v(6) = table[n] - table[n];
  v(7) = m;
  write(out, 0, v);
})");
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    pocm::Kernel kernel = device.createKernel(program, "outside");
    pocm::Buffer out = device.createBuffer(32);
    for (int n : {16, 17, 40, 1000, 1 << 28, -1, -16, -1000, INT32_MIN}) {
      int m = 3, got[8];
      kernel.setArgument(0, out);
      kernel.setArgument(1, &n, 4);
      kernel.setArgument(2, &m, 4);
      device.enqueue(kernel, {1, 1}).wait();
      out.read(got, 32);
      EXPECT_EQ(got[0], 6) << cpu << " " << n;
      EXPECT_EQ(got[1], 4) << cpu << " " << n;
      EXPECT_EQ(got[2], 4) << cpu << " " << n;
      EXPECT_EQ(got[4], 3) << cpu << " " << n;
      EXPECT_EQ(got[5], 5) << cpu << " " << n;
      EXPECT_EQ(got[6], 0) << cpu << " " << n;
      EXPECT_EQ(got[7], 3) << cpu << " " << n;
    }
  }
}

TEST(CpuDevice, aFrameThatNoHostThreadHasRoomForIsRefused) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void frame(SurfaceIndex out, uint n) {
  uint table[300000];
  for (uint i = 0; i < n; i++)
    table[i * 7 % 300000] = i;
  vector<uint, 8> v = table[n];
  write(out, 0, v);
})");
  pocm::Device device = test::open("native");
  EXPECT_NE(problemOf([&] { device.createKernel(program, "frame"); }).find("at most 1048576 are allowed"),
            std::string::npos);
}

// Hundreds of objects of the largest size, with elements chosen at run time: an answer in seconds.
TEST(CpuDevice, moreVectorsThanCodeCanBeMadeOfAreRefused) {
  std::string text = "#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void many(SurfaceIndex out, int n) {\n";
  auto each = [&](const std::string &line) {
    for (int i = 0; i < 300; ++i)
      for (char c : line + "\n")
        text += c == '#' ? std::to_string(i) : c == '@' ? std::to_string((i + 1) % 300) : std::string(1, c);
  };
  each("vector<int, 8192> v# = n + #;");
  each("v#.select<8, 1>(n + #) = v@.select<8, 1>(n);");
  text += "vector<int, 8> r = 0;\n";
  each("r += v#.select<8, 1>(n * 3);");
  pocm::Program program = test::compile(text + "write(out, 0, r); }");
  pocm::Device device = test::open("native");
  EXPECT_NE(problemOf([&] { device.createKernel(program, "many"); }).find("MiB of vectors"), std::string::npos);
}

/// LLVM IR as a program file holds it.
std::vector<std::uint8_t> bitcodeOf(const std::string &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  if (!module)
    throw std::runtime_error(problem.getMessage().str() + " in " + text);
  return pocm::writeBitcode(*module);
}

// CM IR that is no program of CM's, in a container that is sealed as it should be.
TEST(CpuDevice, programsThatAreNotOfCmAreRefused) {
  auto refusal = [](const std::string &body, const std::string &outside = "") {
    std::string text = outside + "\ndefine spir_func void @k(i32 %out) {\n" + body +
                       "\n  ret void\n}\n!genx.kernels = !{!0}\n!0 = !{ptr @k, !\"k\", !1, i32 0, i32 0, !2}\n"
                       "!1 = !{i32 2}\n!2 = !{!\"SurfaceIndex 1\"}\n";
    pocm::program::Container file;
    pocm::KernelSignature k;
    k.name = "k";
    pocm::Parameter out;
    out.kind = pocm::ParameterKind::Surface;
    out.element = "SurfaceIndex";
    out.count = 1;
    out.bytes = 4;
    k.parameters.push_back(out);
    file.kernels.push_back(k);
    file.ir = bitcodeOf(text);
    pocm::Program program = pocm::Program::load(pocm::program::write(file));
    pocm::Device device = test::open("native");
    return problemOf([&] { device.createKernel(program, "k"); });
  };
  const std::string no = "the program's CM IR is not used: ";
  EXPECT_EQ(refusal(""), "");
  EXPECT_EQ(refusal("call void asm sideeffect \"syscall\", \"\"()"), no + "it holds assembly");
  EXPECT_EQ(refusal("", "module asm \".globl x\""), no + "it holds assembly");
  EXPECT_EQ(refusal("call void @system()", "declare void @system()"),
            no + "it calls 'system', which is no operation of CM");
  EXPECT_EQ(refusal("call void inttoptr (i64 4096 to ptr)()"), no + "it calls an address");
  EXPECT_EQ(refusal("call void @llvm.trap()", "declare void @llvm.trap()"),
            no + "it calls 'llvm.trap', which is no operation of CM");
  EXPECT_NE(refusal("", "define void @f() { ret void }\n@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
                        "[{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]")
                .find("functions run by themselves"),
            std::string::npos);
  EXPECT_NE(refusal("%v = load i32, ptr @environ", "@environ = external global i32").find("lies outside"),
            std::string::npos);
  EXPECT_EQ(refusal("%v = alloca i8, i32 %out"), no + "a variable's size is known at run time only");
  EXPECT_NE(refusal("%v = alloca [60000000 x i8]\n%w = alloca [60000000 x i8]").find("take more than"),
            std::string::npos);
  EXPECT_NE(refusal("%v = add <131072 x i32> zeroinitializer, zeroinitializer").find("131072 elements of a vector"),
            std::string::npos);
  EXPECT_EQ(refusal("call void @f()", "define void @f() prologue i32 -1869574000 { ret void }"),
            no + "function 'f' has more than instructions");
  EXPECT_EQ(refusal("", "@table = internal constant [1 x ptr] [ptr @f]\n"
                        "define internal void @f() prologue i32 -1869574000 { ret void }"),
            no + "function 'f' has more than instructions");
  // What a kernel has nothing to do with is not read, and no part of its code.
  EXPECT_EQ(refusal("", "define void @f() prologue i32 -1869574000 { ret void }"), "");
  EXPECT_EQ(refusal("%v = call <4 x i32> @llvm.genx.oword.ld.v8i32(i32 0, i32 %out, i32 0)",
                    "declare <4 x i32> @llvm.genx.oword.ld.v8i32(i32, i32, i32)"),
            no + "operation 'llvm.genx.oword.ld.v8i32' has other types than its name says");
}

TEST(CpuDevice, moreThreadsThanCanBeCountedAreRefused) {
  pocm::Program program = test::compile(marks);
  pocm::Device device = test::open("native");
  pocm::Kernel kernel = device.createKernel(program, "mark");
  pocm::Image image = device.createImage(1, 1, 4);
  std::uint8_t value = 1;
  kernel.setArgument(0, image);
  kernel.setArgument(1, &value, 1);
  EXPECT_NE(problemOf([&] { device.enqueueGroups(kernel, {{1u << 30, 1, 1}, {8, 1, 1}}); }).find("threads a side"),
            std::string::npos);
  // At the bounds, and in each dimension.
  EXPECT_EQ(problemOf([&] { device.enqueueGroups(kernel, {{1, 1, 1}, {16, 8, 8}}).wait(); }), "");
  EXPECT_EQ(problemOf([&] { device.enqueueGroups(kernel, {{1, 1, 1}, {205, 5, 1}}); }),
            "a thread group has 1 to 1024 threads, not 205x5x1");
  EXPECT_EQ(problemOf([&] { device.enqueueGroups(kernel, {{1, 1, 1}, {2, 3, 0}}); }),
            "a thread group has 1 to 1024 threads, not 2x3x0");
  EXPECT_EQ(problemOf([&] { device.enqueueGroups(kernel, {{1u << 20, 1u << 11, 2}, {1, 1, 1}}); }),
            "a launch has 1 to 2147483648 groups, not 1048576x2048x2");
  EXPECT_EQ(problemOf([&] { device.enqueueGroups(kernel, {{3, 0, 2}, {1, 1, 1}}); }),
            "a launch has 1 to 2147483648 groups, not 3x0x2");
  pocm::Device listing = pocm::Device::open("cpu:order=reverse");
  pocm::Kernel listed = listing.createKernel(program, "mark");
  listed.setArgument(0, image);
  listed.setArgument(1, &value, 1);
  EXPECT_NE(problemOf([&] { listing.enqueue(listed, {65536, 65536}).wait(); }).find("4294967296 are more than"),
            std::string::npos);
}

TEST(CpuDevice, aLaunchEndsWhenTheHostAsks) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP(); // signals are kept until compiled code has come back
#endif
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void endless(SurfaceIndex out) {
  vector<uint, 8> v = 1;
  while (v(0) != 5)
    read(out, 0, v);
})");
  pocm::Device device = test::open("native");
  pocm::Kernel kernel = device.createKernel(program, "endless");
  pocm::Buffer out = device.createBuffer(32);
  kernel.setArgument(0, out);
  pocm::Event first = device.enqueue(kernel, {100, 100}), second = device.enqueue(kernel, {1, 1});
  second.end("not wanted");
  first.end("long enough");
  EXPECT_EQ(problemOf([&] { first.wait(); }), "long enough");
  EXPECT_EQ(problemOf([&] { second.wait(); }), "not wanted");
}

// A host thread that waits with a limit runs a launch together with helpers, and leaves it in the middle: in a kernel,
// or while it waits for what helpers still run. Each thread goes on until its gate is open.
TEST(CpuDevice, aWaitEndsAtItsLimitWhereTheLaunchIsShared) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
_GENX_ void pass(svmptr_t gates, svmptr_t rounds, int i) {
  vector<uint, 8> open = 0, n = 0;
  while (open(0) == 0) {
    cm_svm_block_read(gates + i * 32, open);
    n += 1;
    cm_svm_block_write(rounds + i * 32, n);
  }
}
extern "C" _GENX_MAIN_ void slow(SurfaceIndex out, svmptr_t gates, svmptr_t rounds) {
  int i = get_thread_origin_x();
  pass(gates, rounds, i);
  vector<uint, 8> v = 77;
  write(out, i * 32, v);
}
extern "C" _GENX_MAIN_ void slow_groups(SurfaceIndex out, svmptr_t gates, svmptr_t rounds) {
  int i = cm_group_id(0);
  pass(gates, rounds, i);
  cm_barrier();
  vector<uint, 8> v = 77;
  write(out, i * 32, v);
}
)");
  constexpr std::uint32_t threads = 4;
  struct alignas(32) Line {
    std::atomic<std::uint32_t> word[8] = {};
  };
  pocm::Device device = test::open("native", 2);
  for (bool groups : {false, true})
    for (int attempt = 0; attempt < 3; ++attempt) {
      Line gates[threads], rounds[threads];
      pocm::Kernel kernel = device.createKernel(program, groups ? "slow_groups" : "slow");
      pocm::Buffer out = device.createBuffer(threads * 32);
      kernel.setArgument(0, out);
      const std::uint64_t places[] = {reinterpret_cast<std::uint64_t>(gates), reinterpret_cast<std::uint64_t>(rounds)};
      kernel.setArgument(1, &places[0], sizeof(std::uint64_t));
      kernel.setArgument(2, &places[1], sizeof(std::uint64_t));
      pocm::Event event =
          groups ? device.enqueueGroups(kernel, {{threads, 1, 1}, {1, 1, 1}}) : device.enqueue(kernel, {threads, 1});
      for (Line &gate : gates) {
        EXPECT_FALSE(pocm::Inside::of(event)->waitFor(std::chrono::milliseconds(3)));
        gate.word[0] = 1;
      }
      event.wait();
      std::uint32_t values[threads * 8];
      out.read(values, sizeof(values));
      for (std::uint32_t i = 0; i < threads; ++i)
        EXPECT_EQ(values[i * 8 + 1], 77u);
    }
}

TEST(CpuDevice, denormalsAreFlushed) {
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void half_of(SurfaceIndex out, float x) {
  vector<float, 1> v = x;
  v *= 0.5f;
  write(out, 0, 0, v);
})");
  pocm::Device device = test::open("native");
  pocm::Kernel kernel = device.createKernel(program, "half_of");
  pocm::Image image = device.createImage(1, 1, 4);
  kernel.setArgument(0, image);
  for (auto [in, want] : {std::pair{4.0f, 2.0f}, {1.17549435e-38f, 0.0f}, {1e-40f, 0.0f}}) {
    kernel.setArgument(1, &in, 4);
    device.enqueue(kernel, {1, 1}).wait();
    float out = -1;
    image.read(&out, 4);
    EXPECT_EQ(out, want) << in;
  }
  // The host's own arithmetic keeps its denormals.
  volatile float tiny = 1e-40f;
  EXPECT_NE(tiny * 0.5f, 0.0f);
}

} // namespace
