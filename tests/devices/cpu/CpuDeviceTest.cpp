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
