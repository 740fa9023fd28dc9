// Random CM programs through the whole toolchain: vectors and matrices of all types, regions, SIMD control flow of
// every width with breaks in loops in branches, thread groups, scattered access and atomics of every size to surfaces,
// shared local memory and addresses. A program comes with a model of itself (RandomProgram.h), which tells what has to
// be in memory after a launch on the cpu device and, as Gen code, on the simulated GPU.
//
//     cm-fuzz --programs 1000 --jobs 2 [--first SEED] [--target skl] [--cpu-only] [--no-cpu]
//         prints "1000 programs, 1000 run, 0 problems"
//
//     cm-fuzz --check ...        on the check device too, which must find nothing
//     cm-fuzz --print SEED       the program
//     cm-fuzz --reduce SEED      as much of it as shows its problem, and what that is; passes whose absence cures it
//     cm-fuzz --program FILE SEED    how the program in FILE, with the seed's arguments, differs from the cpu device's
//                                    results: for more reductions, by hand
//
// Without --target the seed chooses one, and the CPU that the cpu device plays.
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

using namespace pocm;
using namespace pocm::fuzz;

namespace {

struct Options {
  Cases cases;
  std::string target;
  std::string headers; ///< Parsed once, in a file.
  std::vector<std::string> disabledPasses;
  bool onCpu = true, onGen = true, onCheck = false;
};

std::string targetOf(unsigned seed, const Options &options) {
  static const char *const targets[] = {"skl", "icllp", "tgllp", "dg2", "pvc"};
  return options.target.empty() ? targets[seed % std::size(targets)] : options.target;
}
ProgramFeatures featuresOf(const std::string &target) { return {target == "dg2" || target == "pvc"}; }

Device &deviceOf(const std::string &name, const std::string &cpu) {
  static std::map<std::string, Device> devices;
  return devices.try_emplace(name + cpu, Device::open(name, {1, cpu})).first->second;
}

/// What a launch leaves in memory.
ProgramMemory execute(const RandomProgram &program, const Program &compiled, const std::string &name,
                      const std::string &cpu) {
  Device &device = deviceOf(name, cpu);
  Kernel kernel = device.createKernel(compiled, "k");
  ProgramMemory all = program.memory();
  Buffer in = device.createBuffer(all.in.size()), out = device.createBuffer(all.out.size());
  in.write(all.in.data(), all.in.size());
  out.write(all.out.data(), all.out.size());
  auto address = reinterpret_cast<std::uint64_t>(all.addressed.data());
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  kernel.setArgument(2, &address, 8);
  kernel.setArgument(3, &program.number, 4);
  kernel.setArgument(4, program.words.data(), program.words.size() * 2);
  device.enqueueGroups(kernel, {{program.groups, 1, 1}, {program.threads, 1, 1}}).wait();
  out.read(all.out.data(), all.out.size());
  return all;
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
  return "";
}

/// Programs make no mistakes: what the check device finds is one of its own.
std::string problemOnCheck(const RandomProgram &program, CompileOptions how, const ProgramMemory &right) {
  how.debugInfo = how.keepUnwritten = true;
  CompileResult compiled = compile(how);
  if (!compiled.ok)
    return "does not compile for the check device: " + compiled.diagnostics;
  std::string problem =
      differenceOf("check", program, execute(program, Program::load(compiled.program), "check", ""), right);
  static std::size_t known = 0;
  const std::vector<Finding> found = deviceOf("check", "").findings();
  if (problem.empty() && found.size() > known)
    problem = fmt::format("check: line {}: {} [{}]", found[known].line, found[known].message, found[known].kind);
  known = found.size();
  return problem;
}

std::string problemOf(const RandomProgram &program, unsigned seed, const Options &options, bool &run) {
  std::string target = targetOf(seed, options);
  CompileOptions wanted;
  wanted.headers = options.headers;
  wanted.disabledPasses = options.disabledPasses;
  wanted.file = "random.cpp";
  wanted.source = program.text;
  wanted.initializedGlobals = true;
  CompileResult compiled = compile(wanted);
  if (!compiled.ok)
    return "does not compile: " + compiled.diagnostics;
  try {
    ProgramMemory right = program.execute();
    if (options.onCpu) {
      const char *cpu = seed / 5 % 2 ? "native" : "x86-64";
      if (std::string problem = differenceOf(std::string("cpu ") + cpu, program,
                                             execute(program, Program::load(compiled.program), "cpu", cpu), right);
          !problem.empty())
        return problem;
    }
    run = true;
    if (options.onCheck)
      if (std::string problem = problemOnCheck(program, wanted, right); !problem.empty())
        return problem;
    if (!options.onGen)
      return "";
    GenOptions gen;
    gen.check = true;
    auto file = addGenCode(compiled.program, target, genCode(compiled.program, target, gen));
    return differenceOf(target, program, execute(program, Program::load(file), "gensim:" + target, ""), right);
  } catch (const std::exception &problem) {
    return target + ": " + problem.what();
  }
}

/// The problem of a program that is that of the seed but for its text: the cpu device is its model.
std::string problemOfText(const std::string &file, unsigned seed, const Options &options) {
  std::string target = targetOf(seed, options);
  RandomProgram program(seed, featuresOf(target));
  CompileOptions wanted;
  wanted.headers = options.headers;
  wanted.file = file;
  wanted.initializedGlobals = true;
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

/// The program of a seed without statements that its problem does not need, and what it says then.
void printReduced(unsigned seed, const Options &options) {
  ProgramFeatures features = featuresOf(targetOf(seed, options));
  auto problemWithout = [&](const std::set<int> &without) {
    bool run = false;
    return problemOf(RandomProgram(seed, features, without), seed, options, run);
  };
  std::string problem = problemWithout({});
  std::set<int> without;
  int count = RandomProgram(seed, features).statementCount();
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
  std::printf("%s// %s\n", RandomProgram(seed, features, without).text.c_str(), problem.c_str());
  for (const PassInfo &pass : passes()) {
    Options fewer = options;
    fewer.disabledPasses = {pass.name};
    bool run = false;
    if (!problem.empty() && problemOf(RandomProgram(seed, features, without), seed, fewer, run).empty())
      std::printf("// no problem without the pass %s\n", pass.name.c_str());
  }
}

int usage() {
  std::fputs("usage: cm-fuzz [--programs N] [--first SEED] [--jobs N] [--target NAME] [--cpu-only] [--no-cpu] "
             "[--check] [--print "
             "SEED] [--reduce SEED] [--program FILE SEED]\n",
             stderr);
  return 2;
}

} // namespace

int main(int count, char **arguments) {
  Options options;
  std::optional<unsigned> reduced;
  std::string file;
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
      std::fputs(RandomProgram(value, featuresOf(targetOf(value, options))).text.c_str(), stdout);
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
  setenv("POCM_CACHE_DIR", "off", 0);
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
    result = runJobs(options.cases, "program", [&](unsigned seed, bool &run) {
      RandomProgram program(seed, featuresOf(targetOf(seed, options)));
      return problemOf(program, seed, options, run);
    });
  std::filesystem::remove(headers);
  return result;
}
