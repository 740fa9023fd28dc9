// Random CM programs through the whole toolchain: vectors and matrices of all types, regions, SIMD control flow of
// every width with breaks in loops in branches, subroutines, thread groups, blocks, scattered access and atomics of
// every size to surfaces, shared local memory and addresses; on targets that have them messages to the load/store cache
// and systolic products. A program comes with a model of itself (RandomProgram.h), which tells what has to be in memory
// after a launch on the cpu device and, as Gen code, on the simulated GPU. Every instruction of that reads as Intel's
// disassembler reads it, and has the bits that the documents allow.
//
//     cm-fuzz --programs 1000 --jobs 2 [--first SEED] [--target skl] [--cpu-only] [--no-cpu]
//         prints "1000 programs, 1000 run, 0 problems"
//
//     cm-fuzz --times ...        prints after each source how much processor time all so far have taken, and for what
//     cm-fuzz --no-listing ...   without Intel's disassembler
//     cm-fuzz --long ...         longer programs
//     cm-fuzz --in-turn ...      each source on the cpu device or the simulated GPU, not on both: half the time
//     cm-fuzz --check ...        on the check device too, which must find nothing, but what is planted: buffers cut in
//                                front of the last access, a variable that is never given anything
//     cm-fuzz --print SEED       the program
//     cm-fuzz --reduce SEED      as much of it as shows its problem, and what that is; passes whose absence cures it
//     cm-fuzz --program FILE SEED    how the program in FILE, with the seed's arguments, differs from the cpu device's
//                                    results: for more reductions, by hand
//
// Without --target the seed chooses one, and the CPU that the cpu device plays. Programs of 100 seeds are one source,
// which the headers are read for once. Most are short; with --long in front they are longer, and of 25 seeds (the mixes
// are in program/Amounts.h).
#include "../gensim/Listing.h"
#include "Jobs.h"
#include "RandomProgram.h"
#include "frontend/Frontend.h"
#include "pocm/gen.h"
#include "pocm/passes.h"
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <sys/resource.h>

using namespace pocm;
using namespace pocm::fuzz;

namespace {

struct Options {
  Cases cases;
  std::string target;
  std::string headers; ///< Parsed once, in a file.
  std::vector<std::string> disabledPasses;
  Mix mix = shortPrograms;
  bool onCpu = true, onGen = true, inTurn = false, onCheck = false, listed = true, times = false;

  /// Of the program with this seed, which is in a source with others. All targets and CPUs have their turns.
  bool runsOnGen(unsigned seed) const { return onGen && (!inTurn || isGensTurn(seed)); }
  bool runsOnCpu(unsigned seed) const { return onCpu && (!inTurn || !isGensTurn(seed)); }

private:
  bool isGensTurn(unsigned seed) const { return seed / mix.together % 2; }
};

/// Programs of one source have one target.
std::string targetOf(unsigned seed, const Options &options) {
  static const char *const targets[] = {"skl", "icllp", "tgllp", "dg2", "pvc"};
  return options.target.empty() ? targets[seed / options.mix.together % std::size(targets)] : options.target;
}
/// The plain CPU's code is longer, and takes LLVM three times as long.
std::string cpuOf(unsigned seed, const Mix &mix) { return seed / mix.together / 5 % mix.plain ? "native" : "x86-64"; }
ProgramFeatures featuresOf(const std::string &target) {
  const bool newer = target == "dg2" || target == "pvc";
  return {.wordAtomics = newer,
          .doubles = target == "skl" || target == "pvc",
          .brainFloats = newer,
          .cacheMessages = newer,
          .rectangles = target == "pvc",
          .systolicColumns = target == "pvc" ? 16
                             : newer         ? 8
                                             : 0};
}

Device &deviceOf(const std::string &name, const std::string &cpu) {
  static std::map<std::string, Device> devices;
  return devices.try_emplace(name + cpu, Device::open(name, {1, cpu})).first->second;
}

/// Processor time by what it is for, of this process and those that it has started: --times.
class Times {
public:
  void add(const char *what) {
    const double now = used();
    for (auto &[name, seconds] : all)
      if (name == what) {
        seconds += now - last;
        last = now;
        return;
      }
    all.emplace_back(what, now - last);
    last = now;
  }
  void begin() { last = used(); }
  void print() const {
    std::string line;
    for (const auto &[name, seconds] : all)
      line += fmt::format("{}{} {:.2f} s", line.empty() ? "" : ", ", name, seconds);
    std::fprintf(stderr, "%s\n", line.c_str());
  }

private:
  static double used() {
    double seconds = 0;
    for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
      rusage usage;
      getrusage(who, &usage);
      for (const timeval &t : {usage.ru_utime, usage.ru_stime})
        seconds += double(t.tv_sec) + 1e-6 * double(t.tv_usec);
    }
    return seconds;
  }
  std::vector<std::pair<std::string, double>> all;
  double last = 0;
};
Times times;

/// Of blocks of two dimensions in memory by address, and so far from other memory that nobody takes it for that.
constexpr std::size_t blockAlignment = 1024;

/// Bytes of buffers that are there.
struct Sizes {
  std::size_t in, out;
};

/// What a launch leaves in memory.
ProgramMemory execute(const RandomProgram &program, const Program &compiled, Device &device, const Sizes &sizes) {
  Kernel kernel = device.createKernel(compiled, program.name);
  ProgramMemory all = program.memory();
  Buffer in = device.createBuffer(sizes.in), out = device.createBuffer(sizes.out);
  in.write(all.in.data(), sizes.in);
  out.write(all.out.data(), sizes.out);
  Bytes room(all.addressed.size() + 3 * blockAlignment);
  auto address =
      reinterpret_cast<std::uint64_t>(room.data() + 2 * blockAlignment - 1) / blockAlignment * blockAlignment;
  auto *addressed = reinterpret_cast<std::uint8_t *>(address);
  std::copy(all.addressed.begin(), all.addressed.end(), addressed);
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  kernel.setArgument(2, &address, 8);
  kernel.setArgument(3, &program.number, 4);
  kernel.setArgument(4, program.words.data(), program.words.size() * 2);
  auto image = [&](const Bytes &bytes) {
    const auto each = unsigned(program.pixelBytes());
    Image made = device.createImage(RandomProgram::imageWidth / each, RandomProgram::imageHeight, each);
    made.write(bytes.data(), RandomProgram::imageWidth);
    return made;
  };
  Image picture = image(all.picture), canvas = image(all.canvas);
  kernel.setArgument(5, picture);
  kernel.setArgument(6, canvas);
  device.enqueueGroups(kernel, {{program.groups, 1, 1}, {program.threads, 1, 1}}).wait();
  out.read(all.out.data(), sizes.out);
  canvas.read(all.canvas.data(), RandomProgram::imageWidth);
  std::copy_n(addressed, all.addressed.size(), all.addressed.begin());
  return all;
}

ProgramMemory execute(const RandomProgram &program, const Program &compiled, const std::string &name,
                      const std::string &cpu) {
  const ProgramMemory all = program.memory();
  return execute(program, compiled, deviceOf(name, cpu), {all.in.size(), all.out.size()});
}

/// What differs first from what the model says; empty where nothing does.
std::string differenceOf(const std::string &where, const RandomProgram &program, const ProgramMemory &got,
                         const ProgramMemory &right) {
  for (std::size_t i = 0; i < right.out.size(); ++i)
    if (got.out[i] != right.out[i]) {
      std::uint32_t words[2];
      std::memcpy(&words[0], &got.out[i & ~3u], 4);
      std::memcpy(&words[1], &right.out[i & ~3u], 4);
      return fmt::format("{}: surface byte {} ({}) is {:#x}, not {:#x}", where, i, program.nameOf(i), words[0],
                         words[1]);
    }
  for (std::size_t i = 0; i < right.addressed.size(); ++i)
    if (got.addressed[i] != right.addressed[i])
      return fmt::format("{}: memory byte {} is {:#x}, not {:#x}", where, i, got.addressed[i], right.addressed[i]);
  for (std::size_t i = 0; i < right.canvas.size(); ++i)
    if (got.canvas[i] != right.canvas[i])
      return fmt::format("{}: canvas byte {} is {:#x}, not {:#x}", where, i, got.canvas[i], right.canvas[i]);
  return "";
}

CompileOptions optionsFor(const Options &options, const std::string &source) {
  CompileOptions wanted;
  wanted.headers = options.headers;
  wanted.disabledPasses = options.disabledPasses;
  wanted.file = "random.cpp";
  wanted.source = source;
  wanted.initializedGlobals = true;
  return wanted;
}

/// Programs make no mistakes: what the check device finds is one of its own. Threads of some read images far from them
/// only, which they may, and which the device says of those who do not do it on purpose.
std::string problemOnCheck(const RandomProgram &program, const Program &compiled, const ProgramMemory &right) {
  std::string problem = differenceOf("check", program, execute(program, compiled, "check", ""), right);
  static std::size_t known = 0;
  const std::vector<Finding> found = deviceOf("check", "").findings();
  for (; known < found.size(); ++known)
    if (problem.empty() && !found[known].message.starts_with("media block"))
      problem = fmt::format("check: line {}: {} [{}]", found[known].line, found[known].message, found[known].kind);
  return problem;
}

/// Where the last dword of `in` lies that results depend on, by the model; nothing where they depend on none.
std::optional<std::size_t> lastReadOf(const RandomProgram &program, const ProgramMemory &right) {
  auto depends = [&](std::size_t from) {
    ProgramMemory other = program.memory();
    for (std::size_t k = from; k < other.in.size(); ++k)
      other.in[k] ^= 0xA5;
    return !differenceOf("model", program, program.execute(std::move(other)), right).empty();
  };
  if (!depends(0))
    return std::nullopt;
  std::size_t does = 0, doesNot = right.in.size();
  while (does + 4 < doesNot) {
    const std::size_t middle = (does + doesNot) / 8 * 4;
    (depends(middle) ? does : doesNot) = middle;
  }
  return does;
}

/// Whether the check device finds a mistake that a program makes by its model, on buffers of those sizes; `what` is for
/// the problem's text.
std::string problemOfPlanted(const RandomProgram &program, const Program &compiled, const Sizes &sizes,
                             std::string_view kind, const std::string &what) {
  Device device = Device::open("check", {1, ""});
  execute(program, compiled, device, sizes);
  std::string kinds;
  for (const Finding &finding : device.findings()) {
    if (finding.kind == kind)
      return "";
    kinds += " " + finding.kind;
  }
  return fmt::format("check: no {} is found, but{}: {}", kind, kinds.empty() ? " nothing" : kinds, what);
}

std::string problemOfCutBuffers(const RandomProgram &program, const Program &compiled, const ProgramMemory &right) {
  const std::size_t in = right.in.size(), out = right.out.size();
  std::string problem =
      problemOfPlanted(program, compiled, {in, out - 4}, "beyond-surface", "the last dword of `out` is not there");
  if (const auto last = lastReadOf(program, right); last && *last && problem.empty())
    problem = problemOfPlanted(program, compiled, {*last, out}, "beyond-surface",
                               fmt::format("the dword at {} of `in` is not there", *last));
  return problem;
}

/// Programs in which one variable is never given anything: where the results depend on what it held, by the model.
std::vector<std::string> problemsOfForgetful(const std::vector<std::unique_ptr<RandomProgram>> &programs,
                                             CompileOptions wanted) {
  wanted.source = RandomProgram::heading();
  for (const auto &program : programs)
    *wanted.source += program->text;
  std::vector<std::string> problems(programs.size());
  const CompileResult compiled = compile(wanted);
  if (!compiled.ok)
    return {programs.size(), "does not compile without a variable's first value: " + compiled.diagnostics};
  const Program loaded = Program::load(compiled.program);
  for (std::size_t k = 0; k < programs.size(); ++k) {
    const ProgramMemory one = programs[k]->execute(programs[k]->memory(), 3),
                        other = programs[k]->execute(programs[k]->memory(), 77);
    if (!differenceOf("model", *programs[k], one, other).empty())
      problems[k] = problemOfPlanted(*programs[k], loaded, {one.in.size(), one.out.size()}, "unwritten-value",
                                     "a variable is never given its first value");
  }
  return problems;
}

/// What reads otherwise in kernels' code than Intel's disassembler reads it, or than the documents say.
std::string problemOfListing(const std::vector<GenKernel> &kernels, const std::string &target) {
  std::string names;
  std::vector<std::uint8_t> all;
  for (const GenKernel &kernel : kernels) { // one run of the disassembler for all
    names += (names.empty() ? "" : ", ") + kernel.name;
    all.insert(all.end(), kernel.code.begin(), kernel.code.end());
  }
  const gensim::Kernel code(names, gensim::platformNamed(target), all);
  const std::string difference = test::compareListing(code, all).difference;
  return difference.empty() ? "" : fmt::format("{}: listing: {}", target, difference);
}

using Programs = std::vector<std::unique_ptr<RandomProgram>>;

/// What a look at programs of one source found: what is wrong with all, or each one's problem.
struct Outcome {
  std::string ofAll;
  std::vector<std::string> problems;
  unsigned run = 0;
};

Outcome outcomeOf(const Programs &programs, unsigned seed, const Options &options) {
  const std::string target = targetOf(seed, options), cpu = cpuOf(seed, options.mix);
  Outcome outcome;
  outcome.problems.resize(programs.size());
  std::string source = RandomProgram::heading();
  for (const auto &program : programs)
    source += program->text;
  times.add("programs");
  CompileOptions wanted = optionsFor(options, source);
  CompileResult compiled = compile(wanted);
  times.add("compiling");
  if (!compiled.ok) {
    outcome.ofAll = "does not compile: " + compiled.diagnostics;
    return outcome;
  }
  try {
    std::vector<ProgramMemory> right;
    for (const auto &program : programs)
      right.push_back(program->execute());
    times.add("models");
    auto each = [&](auto look) {
      for (std::size_t k = 0; k < programs.size(); ++k)
        if (outcome.problems[k].empty())
          try {
            outcome.problems[k] = look(*programs[k], right[k]);
          } catch (const std::exception &problem) {
            outcome.problems[k] = problem.what();
          }
    };
    auto eachOn = [&](const std::string &where, const std::vector<std::uint8_t> &file, const std::string &device,
                      const std::string &plays) {
      const Program loaded = Program::load(file);
      each([&](const RandomProgram &program, const ProgramMemory &result) {
        return differenceOf(where, program, execute(program, loaded, device, plays), result);
      });
    };
    if (options.runsOnCpu(seed))
      eachOn("cpu " + cpu, compiled.program, "cpu", cpu);
    times.add("cpu");
    outcome.run = unsigned(programs.size());
    if (options.onCheck) {
      wanted.debugInfo = wanted.keepUnwritten = true;
      CompileResult noted = compile(wanted);
      if (!noted.ok) {
        outcome.ofAll = "does not compile for the check device: " + noted.diagnostics;
        return outcome;
      }
      const Program loaded = Program::load(noted.program);
      each([&](const RandomProgram &program, const ProgramMemory &result) {
        const std::string problem = problemOnCheck(program, loaded, result);
        return problem.empty() ? problemOfCutBuffers(program, loaded, result) : problem;
      });
      Programs forgetful;
      for (const auto &program : programs)
        forgetful.push_back(program->forgetful());
      const auto problems = problemsOfForgetful(forgetful, wanted);
      for (std::size_t k = 0; k < programs.size(); ++k)
        if (outcome.problems[k].empty())
          outcome.problems[k] = problems[k];
      times.add("check");
    }
    if (!options.runsOnGen(seed))
      return outcome;
    GenOptions gen;
    gen.check = true;
    const std::vector<GenKernel> kernels = genCode(compiled.program, target, gen);
    const auto file = addGenCode(compiled.program, target, kernels);
    times.add("Gen code");
    if (options.listed)
      outcome.ofAll = problemOfListing(kernels, target);
    times.add("listing");
    eachOn(target, file, "gensim:" + target, "");
    times.add("gensim");
  } catch (const std::exception &problem) {
    outcome.ofAll = target + ": " + problem.what();
  }
  return outcome;
}

Programs programOf(unsigned seed, const Options &options, const std::set<int> &without = {}) {
  Programs one;
  one.push_back(std::make_unique<RandomProgram>(seed, featuresOf(targetOf(seed, options)), without, options.mix));
  return one;
}
/// The problem of a program alone.
std::string problemOf(unsigned seed, const Options &options, const std::set<int> &without = {}) {
  Outcome outcome = outcomeOf(programOf(seed, options, without), seed, options);
  return outcome.ofAll.empty() ? outcome.problems[0] : outcome.ofAll;
}

/// Looks at programs of one source; where there is a problem, at each of them alone.
unsigned look(unsigned first, unsigned count, const Options &options, const Report &report) {
  times.begin();
  Programs programs;
  for (unsigned seed = first; seed < first + count; ++seed)
    programs.push_back(std::move(programOf(seed, options)[0]));
  Outcome outcome = outcomeOf(programs, first, options);
  if (options.times)
    times.print();
  bool found = false;
  for (unsigned seed = first; seed < first + count; ++seed) {
    std::string problem = outcome.problems[seed - first];
    if (problem.empty() && outcome.ofAll.empty())
      continue;
    std::string alone = problemOf(seed, options);
    if (alone.empty() && !problem.empty())
      alone = problem + " [only beside others of its source]";
    if (!alone.empty())
      report(seed, alone);
    found |= !alone.empty();
  }
  if (!outcome.ofAll.empty() && !found)
    report(first, outcome.ofAll + " [only all programs of its source together]");
  return outcome.run;
}

/// The problem of a program that is that of the seed but for its text: the cpu device is its model.
std::string problemOfText(const std::string &file, unsigned seed, const Options &options) {
  std::string target = targetOf(seed, options);
  RandomProgram program(seed, featuresOf(target), {}, options.mix);
  CompileOptions wanted = optionsFor(options, "");
  wanted.file = file;
  wanted.source.reset();
  CompileResult compiled = compile(wanted);
  if (!compiled.ok)
    return compiled.diagnostics;
  try {
    ProgramMemory right = execute(program, Program::load(compiled.program), "cpu", "native");
    auto gen = addGenCode(compiled.program, target, genCode(compiled.program, target, GenOptions()));
    return differenceOf(target, program, execute(program, Program::load(gen), "gensim:" + target, ""), right);
  } catch (const std::exception &problem) {
    return target + ": " + problem.what();
  }
}

/// A problem without the numbers, names and places in it.
std::string kindOf(const std::string &problem) {
  std::string kind = problem.substr(0, std::min({problem.find(" byte"), problem.find('\n'), problem.find(" in  %")}));
  std::erase_if(kind, [](unsigned char c) { return std::isdigit(c); });
  return kind;
}

std::string textOf(unsigned seed, const Options &options, const std::set<int> &without = {}) {
  return RandomProgram::heading() + programOf(seed, options, without)[0]->text;
}

/// One source with several programs.
std::string sourceOf(const Cases &cases, const Options &options) {
  std::string text = RandomProgram::heading();
  for (unsigned k = 0; k < cases.count; ++k)
    text += programOf(cases.first + k, options)[0]->text;
  return text;
}

/// The program of a seed without statements that its problem does not need, and what it says then.
void printReduced(unsigned seed, const Options &options) {
  auto problemWithout = [&](const std::set<int> &without) { return problemOf(seed, options, without); };
  std::string problem = problemWithout({});
  std::set<int> without;
  int count = programOf(seed, options)[0]->statementCount();
  for (int size = std::max(count / 4, 1); !problem.empty(); size /= 2) {
    for (int first = 0; first < count; first += size) {
      std::set<int> more = without;
      for (int k = first; k < std::min(count, first + size); ++k)
        more.insert(k);
      if (more == without)
        continue;
      if (std::string now = problemWithout(more); kindOf(now) == kindOf(problem))
        std::tie(without, problem) = std::pair(more, now);
    }
    if (size == 1)
      break;
  }
  std::printf("%s// %s\n", textOf(seed, options, without).c_str(), problem.c_str());
  for (const PassInfo &pass : passes()) {
    Options fewer = options;
    fewer.disabledPasses = {pass.name};
    if (!problem.empty() && problemOf(seed, fewer, without).empty())
      std::printf("// no problem without the pass %s\n", pass.name.c_str());
  }
}

int usage() {
  std::fputs("usage: cm-fuzz [--long] [--programs N] [--first SEED] [--jobs N] [--target NAME] [--cpu-only] [--no-cpu] "
             "[--in-turn] [--no-listing] [--check] [--times] [--source] [--print SEED] [--reduce SEED] [--program FILE SEED]\n",
             stderr);
  return 2;
}

} // namespace

int main(int count, char **arguments) {
  Options options;
  std::optional<unsigned> reduced;
  std::string file;
  bool source = false;
  for (int k = 1; k < count; ++k) {
    std::string_view name = arguments[k];
    if (name == "--cpu-only") {
      options.onGen = false;
      continue;
    }
    if (name == "--no-cpu") {
      options.onCpu = false;
      continue;
    }
    if (name == "--in-turn") {
      options.inTurn = true;
      continue;
    }
    if (name == "--no-listing") {
      options.listed = false;
      continue;
    }
    if (name == "--source") {
      source = true;
      continue;
    }
    if (name == "--times") {
      options.times = true;
      continue;
    }
    if (name == "--long") {
      options.mix = longPrograms;
      continue;
    }
    if (name == "--check") {
      options.onCheck = true;
      continue;
    }
    if (name == "--program" && k + 2 < count)
      file = arguments[++k];
    if (++k == count)
      return usage();
    auto value = unsigned(std::strtoul(arguments[k], nullptr, 10));
    if (name == "--print") {
      std::fputs(textOf(value, options).c_str(), stdout);
      return 0;
    }
    if (name == "--reduce")
      reduced = value;
    else if (name == "--program")
      options.cases.first = value;
    else if (name == "--target")
      options.target = arguments[k];
    else if (name == "--programs")
      options.cases.count = value;
    else if (name == "--first")
      options.cases.first = value;
    else if (name == "--jobs" && value)
      options.cases.jobs = value;
    else
      return usage();
  }
  if (source)
    return std::fputs(sourceOf(options.cases, options).c_str(), stdout) < 0;
  setenv("POCM_CACHE_DIR", "off", 0);
  options.cases.together = options.mix.together;
  auto headers = std::filesystem::temp_directory_path() / fmt::format("cm-fuzz-{}.pch", getpid());
  options.headers = headers.string();
  const auto parsed = frontend::precompileHeaders({});
  int result = 1;
  if (!parsed || !std::ofstream(headers, std::ios::binary).write(parsed->data(), std::streamsize(parsed->size())))
    std::fputs("cm-fuzz: the language's headers cannot be parsed and kept\n", stderr);
  else if (!file.empty())
    std::puts(problemOfText(file, options.cases.first, options).c_str());
  else if (reduced)
    printReduced(*reduced, options);
  else
    result = runTogether(options.cases, "program", [&](unsigned first, unsigned count, const Report &report) {
      return look(first, count, options, report);
    });
  std::filesystem::remove(headers);
  return result;
}
