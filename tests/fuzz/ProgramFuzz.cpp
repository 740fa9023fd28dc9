//===- ProgramFuzz.cpp - Programs with hostile CM IR ---------------------------------------===//
//
//     program-fuzz INPUTS [SEED]
//
// Takes programs of the tests' kernels, changes their bitcode (bits, bytes, stretches of it, its
// end) or what the container says of their kernels, seals them again with right checksums, and has
// the cpu device make code of every kernel. Each is refused with a reason or becomes code; the
// process neither ends nor stands still.
//
//===------------------------------------------------------------------------------------===//
#include "pocm/pocm.h"
#include "program/Container.h"
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr const char *source = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void blocks(SurfaceIndex in, SurfaceIndex out, int n) {
  matrix<uchar, 4, 16> m;
  int table[16];
  for (int i = 0; i < 16; i++)
    table[i] = i * n;
  read(in, int(get_thread_origin_x()) * 16, 0, m);
  m.select<2, 2, 8, 2>(0, 1) += table[n & 31];
  write(out, 0, 0, m);
}
extern "C" _GENX_MAIN_ void groups(SurfaceIndex out, float f) {
  cm_slm_init(256);
  vector<float, 8> v = cm_sqrt(vector<float, 8>(f));
  cm_barrier();
  SIMD_IF_BEGIN(v > 2.0f) { v = 1; } SIMD_IF_END;
  write(out, cm_linear_global_id() * 32, v);
}
)";

class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}
  pocm::program::Container changed(const pocm::program::Container &from) {
    pocm::program::Container file = from;
    std::vector<std::uint8_t> &ir = file.ir;
    for (unsigned n = 1 + below(4); n; --n)
      switch (below(8)) {
      case 0:
        ir[below(ir.size())] ^= std::uint8_t(1u << below(8));
        break;
      case 1:
        ir[below(ir.size())] = std::uint8_t(random());
        break;
      case 2:
        ir.resize(4 + below(ir.size()) / 4 * 4);
        break;
      case 3:
      case 4: { // words, as bitcode is made of them
        std::size_t words = ir.size() / 4, a = below(words) * 4, b = below(words) * 4;
        for (int i = 0; i < 4; ++i)
          ir[a + std::size_t(i)] = ir[b + std::size_t(i)];
        break;
      }
      case 5: {
        std::size_t a = below(ir.size()), b = below(ir.size()), count = below(64);
        for (std::size_t i = 0; i < count && a + i < ir.size() && b + i < ir.size(); ++i)
          ir[a + i] = ir[b + i];
        break;
      }
      case 6:
        if (!file.kernels.empty() && !file.kernels[0].parameters.empty())
          file.kernels[0].parameters[0].bytes = unsigned(below(70000));
        break;
      default:
        if (!file.kernels.empty())
          file.kernels[below(file.kernels.size())].name += char('a' + below(26));
      }
    return file;
  }

private:
  std::size_t below(std::size_t n) { return n ? random() % n : 0; }
  std::mt19937 random;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: program-fuzz INPUTS [SEED]\n");
    return 2;
  }
  setenv("POCM_CACHE_DIR", "off", 1);
  pocm::CompileOptions options;
  options.file = "program_fuzz.cpp";
  options.source = source;
  pocm::CompileResult made = pocm::compile(options);
  if (!made.ok) {
    std::fputs(made.diagnostics.c_str(), stderr);
    return 2;
  }
  const pocm::program::Container whole = pocm::program::read(made.program);
  pocm::Device device = pocm::Device::open("cpu", {1, ""});
  unsigned long count = std::strtoul(argv[1], nullptr, 10), seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  unsigned long refused = 0, kernels = 0, faults = 0;
  for (unsigned long i = 0; i < count; ++i) {
    alarm(10);
    if (std::getenv("PROGRAM_FUZZ_TRACE"))
      std::fprintf(stderr, "input %lu\n", seed + i);
    try {
      pocm::Program program = pocm::Program::load(pocm::program::write(Mutator(unsigned(seed + i)).changed(whole)));
      for (const pocm::KernelSignature &kernel : program.kernels())
        try {
          device.createKernel(program, kernel.name);
          ++kernels;
        } catch (const pocm::Error &problem) {
          ++refused;
          faults += std::string(problem.what()).starts_with("LLVM cannot");
        }
    } catch (const pocm::Error &) {
      ++refused;
    }
  }
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  std::printf("%lu inputs: %lu refusals, %lu of them because LLVM faults, %lu kernels; %ld MB at most\n", count,
              refused, faults, kernels, used.ru_maxrss / 1024);
  return used.ru_maxrss / 1024 < 2048 ? 0 : 1;
}
