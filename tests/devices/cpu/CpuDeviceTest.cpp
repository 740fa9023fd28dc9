#include "Kernels.h"
#include "program/Container.h"
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
  EXPECT_EQ(problemOf([&] { device.createImage(3, 3, 3); }), "a pixel has 1, 2, 4, 8 or 16 bytes, not 3");
  EXPECT_EQ(problemOf([&] { buffer.write(&value, 1, 16); }), "write of 1 bytes at 16 leaves a buffer of 16 bytes");
  EXPECT_EQ(problemOf([&] { pocm::Device::open("tpu"); }), "no device 'tpu'; there is: cpu");
  EXPECT_NE(problemOf([&] { pocm::Device::open("cpu", {1, "i8051"}); }).find("unknown CPU 'i8051'"), std::string::npos);
}

TEST(CpuDevice, codeComesFromTheCacheAndADamagedEntryIsMadeAgain) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("pocm-device-test-" + std::to_string(getpid()));
  fs::remove_all(folder);
  pocm::Program program = test::compile(marks);
  auto runs = [&] {
    setenv("POCM_CACHE_DIR", folder.c_str(), 1);
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
  fs::remove_all(folder);
}

TEST(CpuDevice, aFileWhoseParametersAreNotThoseOfItsCodeIsRefused) {
  pocm::Program program = test::compile(marks);
  auto changed = std::make_shared<pocm::program::Container>(*program.container);
  changed->kernels[0].parameters[1].bytes = 8;
  pocm::Device device = test::open("native");
  EXPECT_EQ(problemOf([&] { device.createKernel(pocm::Program(changed), "mark"); }),
            "the program file and its CM IR disagree about the parameters of kernel 'mark'");
  changed->kernels[0].parameters[1].bytes = 1;
  changed->ir.resize(changed->ir.size() / 2);
  EXPECT_NE(problemOf([&] { device.createKernel(pocm::Program(changed), "mark"); }).find("cannot be read"),
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
