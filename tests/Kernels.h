// What tests need to run CM kernels: compile text, open the cpu device for every CPU that this machine can play.
#pragma once

#include "Sanitizers.h"
#include "pocm/gen.h"
#include "pocm/passes.h"
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace test {

/// POCM_TEST_ALL=1: all of what tests do with many things alike.
inline bool testsAll() { return std::getenv("POCM_TEST_ALL") != nullptr; }
/// POCM_TEST_TURN: which part of it otherwise; each commit has the next one.
inline std::size_t testTurn() {
  const char *text = std::getenv("POCM_TEST_TURN");
  return text ? std::strtoul(text, nullptr, 10) : 0;
}

/// LLVM names of CPUs to generate code for: one that is less than this machine, and this one; only this one under
/// AddressSanitizer, which sees what generates the code but not the code.
inline std::vector<std::string> cpus() {
  std::vector<std::string> names;
  if (std::getenv("POCM_TEST_AFTER") || std::getenv("POCM_TEST_GEN") || std::getenv("POCM_TEST_DEVICE"))
    return {"native"};
#if defined(__x86_64__)
  const bool wider = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                     __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!underAddressSanitizer()) {
    if (!wider || testsAll() || testTurn() % 2 == 0)
      names.push_back("x86-64");
    if (wider && (testsAll() || testTurn() % 2 == 1))
      names.push_back("haswell");
  }
#endif
  names.push_back("native");
  return names;
}

/// For tests of thousands of cases: the least and the most; one of them where the code is not what is looked at.
inline std::vector<std::string> leastAndMost() {
  if (std::getenv("POCM_TEST_AFTER") || std::getenv("POCM_TEST_GEN") || std::getenv("POCM_TEST_DEVICE"))
    return {"native"};
#if defined(__x86_64__)
  if (underAddressSanitizer())
    return {"x86-64"};
  return {"x86-64", "native"};
#else
  return {"native"};
#endif
}

/// True when the case with this number of a test with thousands of them is run on a CPU: a third of them where the code
/// is this machine's own, a ninth on other CPUs, other devices and under sanitizers, whose code the same passes make,
/// and others on each of these and with each turn.
inline bool runs(const std::string &cpu, std::size_t number) {
  static const bool all = testsAll();
  static const std::size_t place = [] {
    return underAddressSanitizer()           ? 1
           : std::getenv("POCM_TEST_GEN")    ? 2
           : std::getenv("POCM_TEST_AFTER")  ? 4
           : std::getenv("POCM_TEST_DEVICE") ? 5
                                             : 0;
  }();
  if (all)
    return true;
  static const std::size_t turn = testTurn();
  number += turn;
  if (place == 0)
    return cpu == "native" ? number % 3 == 0 : number % 9 == (cpu == "haswell" ? 7 : 8);
  return number % 9 == place;
}

/// What Gen code is not made of, docs/status.md; anything else that is refused is a mistake. A line for each kernel.
inline bool isKnownToBeRefused(std::string_view problem) {
  if (auto end = problem.find('\n'); end != problem.npos)
    return isKnownToBeRefused(problem.substr(0, end)) && isKnownToBeRefused(problem.substr(end + 1));
  for (std::string_view reason :
       {"arithmetic on double", "llvm.genx.nbarrier", "llvm.genx.dpas", "a systolic product of", "revsub",
        "a media block of", "a message to the load/store cache", "a block of two dimensions", "an oword block of",
        "an atomic by address of"})
    if (problem.find(reason) != problem.npos && problem.ends_with("is not supported there"))
      return true;
  return false;
}

/// Which target of gensim tests run on; empty on other devices.
inline std::string_view simulatedTarget() {
  std::string_view device = std::getenv("POCM_TEST_DEVICE") ? std::getenv("POCM_TEST_DEVICE") : "";
  return device.starts_with("gensim:") ? device.substr(device.find(':') + 1) : "";
}
/// Gen code of targets but SKL and ICLLP multiplies by the reciprocal, docs/numerics.md.
inline bool dividesByReciprocal() {
  return !simulatedTarget().empty() && simulatedTarget() != "skl" && simulatedTarget() != "icllp";
}
/// Whether the target computes with doubles.
inline bool hasDoubles() {
  return simulatedTarget().empty() || simulatedTarget() == "skl" || simulatedTarget() == "pvc";
}
/// Gen code of later targets has powers as logarithm, product and power of two.
inline bool hasPowersByLogarithms() { return dividesByReciprocal(); }

/// POCM_TEST_DEVICE=gensim:icllp: a test all of whose kernels use what that target has not is skipped, and says why.
inline void skipWhatTheTargetHasNot(const std::vector<std::uint8_t> &program) {
  std::string_view target = simulatedTarget();
  if (target.empty())
    return;
  pocm::GenOptions wanted;
  wanted.finalize = false;
  try {
    pocm::genCode(program, std::string(target), wanted);
  } catch (const pocm::Error &problem) {
    std::string_view text = problem.what();
    auto refused = 1 + std::count(text.begin(), text.end(), '\n');
    if (!isKnownToBeRefused(text) || std::size_t(refused) < pocm::Program::load(program).kernels().size())
      return; // the launch tells
    [&] { GTEST_SKIP() << problem.what(); }();
    // Ends the test; what is skipped has been said.
    throw testing::AssertionException({testing::TestPartResult::kSkip, __FILE__, __LINE__, problem.what()});
  }
}

inline pocm::Program compile(const std::string &source, unsigned optimization = 2,
                             std::vector<std::string> withoutPasses = {}) {
  pocm::CompileOptions options;
  options.disabledPasses = std::move(withoutPasses);
  options.file = "test.cpp";
  options.optimization = optimization;
  options.source = source;
  options.verifyEachPass = true;
  const char *device = std::getenv("POCM_TEST_DEVICE");
  options.keepUnwritten = device && std::string_view(device).starts_with("check");
  options.initializedGlobals = true;
  // POCM_TEST_SOURCES=FOLDER: the sources are kept there, by the names of their tests.
  if (const char *folder = std::getenv("POCM_TEST_SOURCES")) {
    static int number = 0;
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    name = name.substr(0, name.find('/')) + "." + std::to_string(++number) + "_genx.cpp";
    std::ofstream(std::string(folder) + "/" + name) << source;
  }
  pocm::CompileResult result = pocm::compile(options);
  if (!result.ok)
    throw std::runtime_error("does not compile:\n" + result.diagnostics.substr(0, 2000));
  // POCM_TEST_GEN=skl: every kernel becomes vISA text for that target, and with POCM_TEST_GEN=skl:code Gen code.
  if (const char *gen = std::getenv("POCM_TEST_GEN")) {
    std::string target(gen), rest = target.find(':') == std::string::npos ? "" : target.substr(target.find(':') + 1);
    pocm::GenOptions wanted;
    wanted.finalize = rest == "code";
    wanted.check = true;
    try {
      pocm::genCode(result.program, target.substr(0, target.find(':')), wanted);
    } catch (const pocm::Error &problem) {
      if (!isKnownToBeRefused(problem.what()))
        ADD_FAILURE() << problem.what() << "\n" << source.substr(0, 4000);
    }
  }
  skipWhatTheTargetHasNot(result.program);
  // POCM_TEST_AFTER=icllp:gen-legalization: what the Gen middle end makes of a kernel has to do the same.
  if (const char *after = std::getenv("POCM_TEST_AFTER")) {
    std::string target(after), pass = target.substr(target.find(':') + 1);
    result.program = pocm::afterGenPasses(result.program, target.substr(0, target.find(':')), pass);
  }
  return pocm::Program::load(result.program);
}

/// A variable of the environment, as long as this lives.
class WithVariable {
public:
  WithVariable(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    setenv(name, value, 1);
  }
  ~WithVariable() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }
  WithVariable(const WithVariable &) = delete;
  WithVariable &operator=(const WithVariable &) = delete;

private:
  const char *name;
  std::optional<std::string> before;
};

/// POCM_TEST_DEVICE=check: every device of a test, until the test is over.
inline std::vector<pocm::Device> &checked() {
  static std::vector<pocm::Device> all;
  return all;
}

/// POCM_TEST_DEVICE=gensim:icllp: tests of the language run there instead of on the cpu device. With "check" they have
/// to be free of mistakes, too (language/CheckedTest.cpp).
inline pocm::Device open(const std::string &cpu, unsigned threads = 1) {
  setenv("POCM_CACHE_DIR", "off", 0);
  if (const char *device = std::getenv("POCM_TEST_DEVICE")) {
    pocm::Device opened = pocm::Device::open(device, {threads, ""});
    if (std::string_view(device) == "check")
      checked().push_back(opened);
    return opened;
  }
  return pocm::Device::open("cpu", {threads, cpu});
}

} // namespace test
