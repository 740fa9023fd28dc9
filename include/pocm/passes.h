//===- passes.h - The compiler's passes by name, for tools ---------------------===//
//
//     for (const pocm::PassInfo &pass : pocm::genPasses()) ...
//     std::string text = pocm::runGenPasses(ir, "k.ll", "SKL", {"gen-regions", "gen-baling"});
//
// What cmc -stop-after and cm-opt do: which passes there are, CM IR as text through some of them, code as text.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm {

struct PassInfo {
  std::string name, description;
};
/// Which of a list of passes run: up to and including `last` (all when it is empty), without those that are disabled.
struct PassChoice {
  std::string last;
  std::vector<std::string> disabled;
  bool verifyEach = false;         ///< Check the IR after each of them.
  std::ostream *changes = nullptr; ///< Gets the IR after each that changed it.
};
/// The middle end's passes, in order.
POCM_API std::vector<PassInfo> passes();

/// Parses CM IR text, runs the named passes (PoCM's, or LLVM pipeline text), returns the resulting text. `changes` gets
/// the IR after each pass that changed it.
POCM_API std::string runPasses(std::string_view irText, std::string_view inputName,
                               const std::vector<std::string> &passNames, std::ostream *changes = nullptr);

/// The code that the cpu device would run for a kernel, as assembly or as the LLVM IR that it is made from. `cpu` is
/// LLVM's name of any CPU; empty means this machine's.
/// With a choice of passes that ends early it is the IR that the last one leaves.
POCM_API std::string cpuCode(const Program &program, std::string_view kernel, const std::string &cpu, bool assembly,
                             const PassChoice &passes = {});
/// The passes from CM IR to code of a CPU, in order.
POCM_API std::vector<PassInfo> cpuPasses();
/// Like runPasses, with those among the names, on each function of the text.
POCM_API std::string runCpuPasses(std::string_view irText, std::string_view inputName, const std::string &cpu,
                                  const std::vector<std::string> &passNames, std::ostream *changes = nullptr);

/// The program with its CM IR as the Gen middle end leaves it after the pass `last` (all passes when it is empty),
/// without those that are disabled: still a program for any device, which does the same.
POCM_API std::vector<std::uint8_t> afterGenPasses(const std::vector<std::uint8_t> &program, const std::string &target,
                                                  const std::string &last,
                                                  const std::vector<std::string> &disabled = {},
                                                  std::ostream *changes = nullptr);
/// Names of the Gen middle end's passes, in order.
POCM_API std::vector<PassInfo> genPasses();
/// Like runPasses, with the Gen middle end's passes for a target among the names.
POCM_API std::string runGenPasses(std::string_view irText, std::string_view inputName, const std::string &target,
                                  const std::vector<std::string> &passNames, std::ostream *changes = nullptr);

} // namespace pocm
