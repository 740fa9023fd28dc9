// The Gaussian by PoCM and by ispc, one host thread each: the same bytes away from the edges, then the least times of 500 runs in turn.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <pocm/pocm.h>

using Bytes = std::vector<std::uint8_t>;
extern "C" void gauss_ispc(const std::uint8_t *in, std::uint8_t *out, std::uint16_t *column, int pitch, int height);

int main() {
  constexpr int width = 1024, height = 768, pitch = 3 * width, rounds = 500;
  std::ifstream file("photo.raw", std::ios::binary);
  const Bytes photo((std::istreambuf_iterator<char>(file)), {});
  if (photo.size() != pitch * height)
    return std::puts("photo.raw: another size"), 1;
  auto device = pocm::Device::open("cpu", {.threads = 1});
  auto kernel = device.createKernel(pocm::Program::load(pocm::compile({.file = "gauss_genx.cpp"}).program), "gauss");
  auto in = device.createImage(pitch / 4, height, 4), out = device.createImage(pitch / 4, height, 4);
  in.write(photo.data(), pitch);
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);

  Bytes ours(photo.size()), theirs(photo.size());
  std::vector<std::uint16_t> column(pitch);
  auto milliseconds = [](auto work) {
    auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<double> cm, ispc;
  for (int round = 0; round < rounds; ++round) {
    cm.push_back(milliseconds([&] { device.enqueue(kernel, {96, 96}).wait(); }));
    ispc.push_back(milliseconds([&] { gauss_ispc(photo.data(), theirs.data(), column.data(), pitch, height); }));
    out.read(ours.data(), pitch);
    for (int y = 2; y < height - 2; ++y)
      if (!std::equal(&ours[y * pitch + 6], &ours[(y + 1) * pitch - 6], &theirs[y * pitch + 6]))
        return std::printf("row %d: other bytes\n", y), 1;
  }
  const double least = *std::min_element(cm.begin(), cm.end()), leastOfIspc = *std::min_element(ispc.begin(), ispc.end());
  std::printf("PoCM %.3f ms, ispc %.3f ms, %.2f of ispc's time; the same bytes\n", least, leastOfIspc, least / leastOfIspc);
}
