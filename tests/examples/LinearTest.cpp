#include "Kernels.h"
#include "linear/reference.h"
#include <random>

namespace {

using linear::Bytes;

Bytes randomImage(int rowBytes, int rows) {
  Bytes image{rowBytes, rows, std::vector<std::uint8_t>(std::size_t(rowBytes * rows))};
  std::mt19937 random(unsigned(rowBytes * 1000 + rows));
  for (auto &b : image.data)
    b = std::uint8_t(random());
  return image;
}

Bytes filtered(pocm::Device &device, const pocm::Program &program, std::string_view name, const Bytes &in) {
  auto width = std::uint32_t(in.rowBytes / 4), height = std::uint32_t(in.rows);
  pocm::Image input = device.createImage(width, height, 4), output = device.createImage(width, height, 4);
  input.write(in.data.data(), std::size_t(in.rowBytes));
  pocm::Kernel kernel = device.createKernel(program, name);
  kernel.setArgument(0, input);
  kernel.setArgument(1, output);
  device.enqueue(kernel, {std::uint32_t(in.rowBytes + 23) / 24, std::uint32_t(in.rows + 5) / 6}).wait();
  Bytes out = in;
  output.read(out.data.data(), std::size_t(in.rowBytes));
  return out;
}

class Linear : public testing::TestWithParam<std::string> {};

TEST_P(Linear, odd_sizes_and_extreme_pixels_match_the_reference) {
  pocm::CompileOptions options;
  options.file = POCM_SOURCE_DIR "/examples/linear/linear_genx.cpp";
  pocm::CompileResult built = pocm::compile(options);
  ASSERT_TRUE(built.ok) << built.diagnostics;
  pocm::Program program = pocm::Program::load(built.program);
  pocm::Device device = test::open(GetParam(), 2);
  // Bytes in a row and rows: neither multiples of 24 nor of 6, smaller than a block, one pixel.
  const std::pair<int, int> sizes[] = {{4, 1},  {4, 7},    {24, 6},   {28, 6},   {32, 8},   {20, 5},
                                       {76, 1}, {100, 13}, {200, 37}, {252, 61}, {480, 30}, {3000, 11}};
  for (std::string_view kernel : linear::kernels) {
    for (auto [rowBytes, rows] : sizes) {
      Bytes in = randomImage(rowBytes, rows);
      EXPECT_EQ(filtered(device, program, kernel, in).data, linear::reference(kernel, in).data)
          << kernel << " " << rowBytes << "x" << rows;
    }
    for (int value : {0, 1, 254, 255}) {
      Bytes in = randomImage(52, 9);
      std::fill(in.data.begin(), in.data.end(), std::uint8_t(value));
      EXPECT_EQ(filtered(device, program, kernel, in).data, linear::reference(kernel, in).data) << kernel << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, Linear, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
