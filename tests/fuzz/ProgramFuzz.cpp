//===- ProgramFuzz.cpp - Programs with hostile CM IR ---------------------------------------===//
//
//     program-fuzz INPUTS [SEED [PROCESSES]]
//
// Takes programs of the tests' kernels, changes their bitcode (bits, bytes, stretches of it, its
// end) or what the container says of their kernels, seals them again with right checksums, and has
// the cpu device make code of every kernel. Each is refused with a reason or becomes code; the
// process neither ends, nor stands still, nor takes much memory.
//
// Most are worked on in the process that checks them, which is forked from one that has LLVM ready:
// where LLVM would take a stranger's code down with it, the next process goes on. Some take the way
// of applications, by cm-codegen, whose start takes ten times as long as an input.
//
//===------------------------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Jobs.h"
#include "pocm/pocm.h"
#include "program/Container.h"
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <sys/resource.h>
#include <sys/time.h>
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

namespace {

/// What becomes of the inputs, of all processes.
struct Counts {
  std::atomic<unsigned long> refused, kernels, faults, apart;
};

/// Works on one input after another.
class Inputs {
public:
  Inputs(const pocm::program::Container &whole, Counts &counts) : whole(whole), counts(counts) {
    if (!std::getenv("PROGRAM_FUZZ_TRACE")) // LLVM says there what it does not like, before it gives up
      used = !std::freopen("/dev/null", "w", stderr);
  }

  /// The problem's text; empty when there is none.
  std::string problemOf(unsigned number, bool &becameCode) {
    constexpr unsigned oneOf = 50;  // goes by cm-codegen
    constexpr long most = 2l << 20; // kibibytes
    begin();
    if (std::getenv("PROGRAM_FUZZ_TRACE"))
      std::fprintf(stderr, "input %u\n", number);
    const bool apart = number % oneOf == 0;
    counts.apart += apart;
    setenv("POCM_CODEGEN", apart ? "apart" : "inside", 1);
    if (!device)
      device = pocm::Device::open("cpu", {1, ""});
    try {
      pocm::Program program = pocm::Program::load(pocm::program::write(Mutator(number).changed(whole)));
      try {
        program.specialized({{0, "1"}});
      } catch (const pocm::Error &problem) {
        noteRefusal(problem, apart);
      }
      for (const pocm::KernelSignature &kernel : program.kernels())
        try {
          device->createKernel(program, kernel.name);
          ++counts.kernels;
          becameCode = true;
        } catch (const pocm::Error &problem) {
          noteRefusal(problem, apart);
        }
    } catch (const pocm::Error &problem) {
      noteRefusal(problem, apart);
    }
    rusage mine, others;
    getrusage(RUSAGE_SELF, &mine);
    getrusage(RUSAGE_CHILDREN, &others);
    const long memory = std::max(mine.ru_maxrss, others.ru_maxrss);
    used |= memory > most;
    return memory > most ? "takes " + std::to_string(memory / 1024) + " MiB" : "";
  }
  /// Whether LLVM was left in the middle of something here.
  bool isUsed() const { return used; }

private:
  /// A new limit: ten seconds of the processor, or minutes where nothing happens at all; then a signal ends the
  /// process.
  static void begin() {
    constexpr itimerval limit{{0, 0}, {10, 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
    alarm(300);
  }
  void noteRefusal(const pocm::Error &problem, bool apart) {
    const bool fault = std::string(problem.what()).starts_with("LLVM cannot");
    ++counts.refused;
    counts.faults += fault;
    used |= fault && !apart;
  }

  const pocm::program::Container &whole;
  Counts &counts;
  std::optional<pocm::Device> device; // of this process
  bool used = false;
};

} // namespace

int main(int argc, char **argv) {
  unsigned number = 0, seed = 1, processes = 1;
  CLI::App app{"Programs with hostile CM IR.", "program-fuzz"};
  app.add_option("INPUTS", number, "how many")->check(CLI::Range(1, 1000000000))->required();
  app.add_option("SEED", seed, "of the first")->capture_default_str();
  app.add_option("PROCESSES", processes, "that share them")->check(CLI::Range(1, 1024))->capture_default_str();
  if (std::optional<int> status = parsed(app, argc, argv))
    return *status;
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
  void *memory = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Counts &counts = *new (memory) Counts{};
  std::unique_ptr<Inputs> inputs; // of each process
  auto mine = [&]() -> Inputs & {
    if (!inputs)
      inputs = std::make_unique<Inputs>(whole, counts);
    return *inputs;
  };
  const int status = pocm::fuzz::runJobs(
      {number, seed, processes}, "input",
      [&](unsigned input, bool &becameCode) { return mine().problemOf(input, becameCode); },
      [&] { return mine().isUsed(); });
  std::printf("%lu refusals, %lu of them because LLVM faults; %lu kernels; %lu inputs by cm-codegen\n",
              counts.refused.load(), counts.faults.load(), counts.kernels.load(), counts.apart.load());
  return status;
}
