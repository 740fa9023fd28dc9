//===- linear.cpp - The linear filter against its peers --------------------------------===//
//
//     bench-linear [THREADS] [ROUNDS]       3840x2160 RGB bytes; THREADS host threads for every case
//
// Speeds are relative to the plain float loop. scripts/bench-linear runs it with one thread
// and with two.
//
//===----------------------------------------------------------------------===//
#include "Harness.h"
#include "OpenClPeer.h"
#include "image/Photo.h"
#include "linear/plain.h"
#include "linear/reference.h"
#include "pocm/pocm.h"
#include <cstdlib>
#include <fstream>
#include <functional>

#ifdef POCM_BENCH_ISPC
extern "C" void ispc_float(const std::uint8_t *, std::uint8_t *, int, int, int);
extern "C" void ispc_integer(const std::uint8_t *, std::uint8_t *, int, int, int);
#endif

namespace {

constexpr int width = 3840, height = 2160, pitch = width * 3;
using bench::Case;

/// Whether two images agree, but for `tolerance`, away from the edge.
bool close(const std::vector<std::uint8_t> &got, const std::vector<std::uint8_t> &want, int tolerance, int lastColumn) {
  for (int y = 1; y < height - 1; ++y)
    for (int x = 3; x < lastColumn; ++x) {
      std::size_t i = std::size_t(y) * pitch + std::size_t(x);
      if (std::abs(int(got[i]) - int(want[i])) > tolerance)
        return false;
    }
  return true;
}

struct Inputs {
  std::vector<std::uint8_t> in, out, wantFloat, wantShort;
};

Inputs makeInputs() {
  pocm::image::Photo photo =
      pocm::image::scaled(pocm::image::load(POCM_SOURCE_DIR "/examples/linear/raccoon.jpg"), width, height);
  linear::Bytes bytes{pitch, height, photo.pixels};
  return {photo.pixels, std::vector<std::uint8_t>(photo.pixels.size()), linear::reference("linear", bytes).data,
          linear::reference("linear1d2", bytes).data};
}

/// A loop over rows, of which each host thread has as many.
Case rows(const std::string &name, unsigned threads, Inputs &data, int tolerance, std::function<void(int, int)> work) {
  return {name,
          [threads, work, crew = std::make_shared<bench::Crew>(threads)] {
            crew->run([&](unsigned i) {
              work(1 + (height - 2) * int(i) / int(threads), 1 + (height - 2) * int(i + 1) / int(threads));
            });
          },
          [&data, tolerance] { return close(data.out, data.wantFloat, tolerance, pitch - 3); }};
}

class CmCase {
public:
  CmCase(pocm::Device device, const pocm::Program &program, const std::string &name, const Inputs &data)
      : device(device), input(device.createImage(pitch / 4, height, 4)),
        output(device.createImage(pitch / 4, height, 4)), kernel(device.createKernel(program, name)) {
    input.write(data.in.data(), pitch);
    kernel.setArgument(0, input);
    kernel.setArgument(1, output);
  }
  void run() { device.enqueue(kernel, {pitch / 24, height / 6}).wait(); }
  std::vector<std::uint8_t> result() const {
    std::vector<std::uint8_t> bytes(std::size_t(pitch) * height);
    output.read(bytes.data(), pitch);
    return bytes;
  }

private:
  pocm::Device device;
  pocm::Image input, output;
  pocm::Kernel kernel;
};

/// The example's program, compiled by the build. The compiler itself is not linked in: its Clang would meet the one
/// that the OpenCL peer brings along.
pocm::Program exampleProgram() {
  std::ifstream file(POCM_EXAMPLE_PROGRAM, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  return pocm::Program::load({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
}

bool filters(const pocm::Program &program, unsigned threads, int rounds) {
  Inputs data = makeInputs();
  pocm::Device device = pocm::Device::open("cpu", {threads, ""});
  const std::uint8_t *in = data.in.data();
  std::uint8_t *out = data.out.data();
  std::vector<Case> cases;
  cases.push_back(rows("plain loop, float (g++ -O3 -march=native)", threads, data, 0,
                       [=](int a, int b) { plain_float(in, out, pitch, height, a, b); }));
  cases.push_back(rows("plain loop, integer", threads, data, 1,
                       [=](int a, int b) { plain_integer(in, out, pitch, height, a, b); }));
#ifdef POCM_BENCH_ISPC
  cases.push_back(rows("ispc, float", threads, data, 0, [=](int a, int b) { ispc_float(in, out, pitch, a, b); }));
  cases.push_back(rows("ispc, integer", threads, data, 1, [=](int a, int b) { ispc_integer(in, out, pitch, a, b); }));
#endif
  std::vector<std::shared_ptr<CmCase>> kept;
  for (std::string_view kernel : linear::kernels) {
    auto cm = std::make_shared<CmCase>(device, program, std::string(kernel), data);
    const auto &want = kernel == "linear" ? data.wantFloat : data.wantShort;
    std::string name = "PoCM cpu, " + std::string(kernel) + (kernel == "linear" ? " (Algorithm 2, float)" : "");
    cases.push_back({name, [cm] { cm->run(); }, [cm, &want] { return cm->result() == want; }});
  }
  auto peer = std::shared_ptr<bench::OpenClPeer>(bench::OpenClPeer::open(data.in, width, height));
  if (peer) {
    cases.push_back({"OpenCL, images (Algorithm 1)", [peer] { peer->runImages(); },
                     [peer, &data] {
                       std::vector<std::uint8_t> rgba = peer->readImages(), rgb(data.in.size());
                       for (std::size_t i = 0; i < rgb.size(); ++i)
                         rgb[i] = rgba[i / 3 * 4 + i % 3];
                       return close(rgb, data.wantFloat, 1, pitch - 3);
                     }});
    cases.push_back({"OpenCL, work item a byte, integer", [peer] { peer->runBytes(); },
                     [peer, &data] { return close(peer->readBytes(), data.wantFloat, 1, pitch / 128 * 128 - 128); }});
    std::printf("OpenCL peer: %s\n", peer->name().c_str());
  } else {
    std::printf("OpenCL peer: none found\n");
  }
#ifndef POCM_BENCH_ISPC
  std::printf("ispc peer: none on the PATH when this was built\n");
#endif
  std::printf("\n3x3 box filter, %dx%d RGB bytes, %u thread%s, %d rounds\n", width, height, threads,
              threads == 1 ? "" : "s", rounds);
  return bench::table(cases, rounds);
}

} // namespace

int main(int argc, char **argv) {
  unsigned threads = argc > 1 ? unsigned(std::atoi(argv[1])) : 1;
  int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  if (threads < 1 || threads > 64 || rounds < 1) {
    std::fprintf(stderr, "usage: bench-linear [THREADS] [ROUNDS]\n");
    return 2;
  }
  try {
    return filters(exampleProgram(), threads, rounds) ? 0 : 1;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "bench-linear: %s\n", problem.what());
    return 2;
  }
}
