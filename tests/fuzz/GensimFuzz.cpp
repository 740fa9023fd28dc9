//===- GensimFuzz.cpp - Hostile code and binaries for the simulated GPU ------------------------===//
//
//     gensim-fuzz BINARY... [--inputs N] [--seed S]
//
// Executes, on every target: random bytes as instructions; instructions of the binaries with bits changed; random
// registers, a small surface, shared local memory, a limit of instructions. Reads the binaries with bytes changed, cut
// and repeated, and launches what can still be read, with sizes that may be absurd. Nothing but Problem comes out.
//
//===------------------------------------------------------------------------------------===//
#include "gensim/isa/Printer.h"
#include "gensim/watch/Checks.h"
#include "opencl/Program.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <random>

namespace {

using namespace pocm;
using Bytes = std::vector<std::uint8_t>;

class Fuzzer {
public:
  Fuzzer(std::uint64_t seed, std::vector<Bytes> files) : random(seed), binaries(std::move(files)) {
    for (const Bytes &file : binaries) {
      opencl::Binary binary = opencl::readBinary(file);
      for (const opencl::Kernel &k : binary.kernels)
        codes.push_back({binary.platform, k.code});
    }
  }

  void one() {
    switch (below(4)) {
    case 0:
      return execute(gensim::Platforms[below(gensim::Platforms.size())], randomBytes(16 * (1 + below(24))));
    case 1:
    case 2: {
      const auto &[platform, code] = codes[below(codes.size())];
      return execute(*platform, changed(code, 16));
    }
    default:
      return launch(changed(binaries[below(binaries.size())], 0));
    }
  }

  std::uint64_t decoded = 0, instructions = 0, refused = 0, launches = 0;

private:
  std::uint64_t below(std::uint64_t n) { return random() % n; }
  Bytes randomBytes(std::size_t count) {
    Bytes bytes(count);
    for (std::uint8_t &b : bytes)
      b = std::uint8_t(random());
    return bytes;
  }

  /// Bits and bytes changed, stretches of `unit` bytes (0: any) moved.
  Bytes changed(Bytes bytes, std::size_t unit) {
    for (std::uint64_t n = 1 + below(6); n && !bytes.empty(); --n) {
      std::size_t at = below(bytes.size());
      switch (below(5)) {
      case 0:
      case 1:
        bytes[at] ^= std::uint8_t(1u << below(8));
        break;
      case 2:
        bytes[at] = std::uint8_t(random());
        break;
      case 3: {
        std::size_t step = unit ? unit : 1 + below(64), from = below(bytes.size()) / step * step, to = at / step * step;
        for (std::size_t k = 0; k < step && from + k < bytes.size() && to + k < bytes.size(); ++k)
          bytes[to + k] = bytes[from + k];
        break;
      }
      default:
        if (below(8) == 0)
          bytes.resize(unit ? at / unit * unit : at);
      }
    }
    return bytes;
  }

  /// Registers of any bits, of which a fifth nobody has written; surfaces that are small, empty or absent.
  void execute(const gensim::Platform &platform, const Bytes &code) {
    try {
      gensim::Kernel kernel("fuzz", platform, code);
      ++decoded;
      for (const gensim::Instruction &i : kernel.instructions)
        textOf(i, platform);
      Bytes memory(4096);
      gensim::World world;
      world.surfaces.resize(4);
      world.surfaces[0] = surfaceOf(memory, 64);
      world.surfaces[1] = surfaceOf(memory, 1);
      auto begin = reinterpret_cast<std::uint64_t>(memory.data());
      world.isMapped = [=](std::uint64_t address, std::uint64_t bytes) {
        return address >= begin && bytes <= 4096 && address - begin <= 4096 - bytes;
      };
      gensim::Checks checks(kernel);
      gensim::Machine::Options options;
      options.mostInstructions = 3000;
      options.slmBytes = 1024;
      options.scratchBytes = 1024;
      options.registers = below(4) ? 128 : 256;
      options.loadsArguments = below(4) == 0;
      options.argumentsFrom = std::uint32_t(below(256));
      if (below(2))
        options.observers.push_back(&checks);
      gensim::Machine machine(kernel, world, options);
      std::vector<gensim::Dispatch> group(1 + below(3));
      for (gensim::Dispatch &d : group) {
        d.channels = below(2) ? ~0u : std::uint32_t(random());
        for (std::uint32_t at = 0; at < 127 * platform.grfBytes; at += 4)
          if (below(5))
            d.set(at, below(3) ? std::uint32_t(below(4096)) : std::uint32_t(random()));
      }
      machine.runGroup(group);
      instructions += machine.instructions();
    } catch (const gensim::Problem &) {
      ++refused;
    }
  }

  gensim::Surface surfaceOf(Bytes &memory, std::int64_t rows) {
    gensim::Surface s;
    s.base = memory.data();
    s.bytes = memory.size() / 2;
    s.pitch = std::int64_t(s.bytes) / rows;
    s.width = std::int32_t(s.pitch);
    s.height = std::int32_t(rows);
    s.pixelBytes = below(2) ? 4 : 1;
    return s;
  }

  void launch(const Bytes &file) {
    try {
      opencl::Program program(opencl::readBinary(file));
      if (program.binary().kernels.empty())
        return;
      const opencl::Kernel &k = program.binary().kernels[below(program.binary().kernels.size())];
      std::vector<Bytes> buffers(k.arguments.size(), Bytes(4096));
      std::vector<opencl::Setting> settings(k.arguments.size());
      for (std::size_t n = 0; n < settings.size(); ++n) {
        opencl::Setting &s = settings[n];
        s.kind = k.arguments[n].kind;
        s.value.resize(std::min<std::uint32_t>(k.arguments[n].bytes, 4096));
        s.buffer = buffers[n];
        s.localBytes = below(16) ? 256 : std::uint32_t(random());
        if (s.kind == opencl::ArgumentKind::Image)
          s.image = std::make_shared<opencl::Image>(opencl::ImageFormat::named("RGBA8_UNORM"), 16, 16, 1);
      }
      opencl::Range range;
      bool absurd = below(16) == 0;
      range.local[0] = absurd ? std::uint32_t(random()) : std::uint32_t(1 + below(32));
      range.global[0] = absurd ? std::uint32_t(random()) : range.local[0] * std::uint32_t(1 + below(2));
      opencl::LaunchOptions options;
      options.mostInstructions = 3000;
      options.checks = below(2);
      instructions += program.run(k.name, range, settings, options).instructions;
      ++launches;
    } catch (const opencl::Problem &) { // gensim's, too
      ++refused;
    }
  }

  std::mt19937_64 random;
  std::vector<Bytes> binaries;
  std::vector<std::pair<const gensim::Platform *, Bytes>> codes;
};

Bytes contentsOf(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> names;
  std::uint64_t inputs = 1000, seed = 1;
  CLI::App app{"Hostile code and OpenCL binaries for the simulated GPU.", "gensim-fuzz"};
  app.add_option("binaries", names, "what ocloc has written for a device")->required();
  app.add_option("--inputs", inputs, "how many")->capture_default_str();
  app.add_option("--seed", seed, "of the first")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::vector<Bytes> binaries;
  for (const std::string &name : names)
    binaries.push_back(contentsOf(name));
  Fuzzer all(seed, binaries);
  for (std::uint64_t n = 0; n < inputs; ++n) {
    Fuzzer each(seed + n, binaries);
    each.one();
    all.decoded += each.decoded;
    all.instructions += each.instructions;
    all.refused += each.refused;
    all.launches += each.launches;
    if ((n + 1) % 20000 == 0)
      fmt::print(stderr, "{} inputs\n", n + 1);
  }
  fmt::print("{} inputs: {} decoded, {} launched, {} refused, {} instructions executed\n", inputs, all.decoded,
             all.launches, all.refused, all.instructions);
}
