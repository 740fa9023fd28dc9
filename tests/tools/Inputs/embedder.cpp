#include <cstdio>
#include <pocm/pocm.h>

int main() {
  auto built = pocm::compile({.file = "fill.cpp", .source = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void fill(SurfaceIndex out, uchar value) {
  vector<uchar, 4> v = value;
  write(out, 0, 0, v);
})"});
  std::fputs(built.diagnostics.c_str(), stderr);
  auto program = pocm::Program::load(built.program);
  auto device = pocm::Device::open("cpu");
  auto image = device.createImage(1, 1, 4);
  auto kernel = device.createKernel(program, "fill");
  unsigned char value = 7, pixel[4];
  kernel.setArgument(0, image);
  kernel.setArgument(1, &value, 1);
  device.enqueue(kernel, {1, 1}).wait();
  image.read(pixel, 4);
  std::printf("%d %d %d %d\n", pixel[0], pixel[1], pixel[2], pixel[3]);
  try {
    device.createKernel(program, "none");
  } catch (const pocm::Error &problem) {
    std::puts(problem.what());
  }
}
