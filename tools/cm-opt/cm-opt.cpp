//===- cm-opt.cpp - Named passes over CM IR text ------------------------------===//
//
//     cm-opt --passes=promote-storage,region-collapsing input.ll
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "pocm/passes.h"
#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char **argv) {
  CLI::App app{"Runs passes over CM IR text and prints the result.", "cm-opt"};
  std::string input = "-", output = "-", target, cpu;
  std::vector<std::string> passes;
  bool list = false, printChanged = false;
  app.add_option("input", input, "IR text; - is standard input")->capture_default_str();
  app.add_option("--passes", passes, "names of PoCM's passes, or of LLVM's, in order")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--march", target,
                 "a Gen target: names of --passes may be those of its middle end; cpu: those for CPUs");
  app.add_option("--mcpu", cpu, "with --march=cpu: which CPU, by LLVM's name; this one by default");
  app.add_option("-o", output, "where to write; - is standard output")->capture_default_str();
  app.add_flag("--print-changed", printChanged, "the IR after each pass that changed it, on standard error");
  app.add_flag("--print-passes", list, "list PoCM's passes");
  app.set_version_flag("--version", std::string("cm-opt (PoCM) ") + pocm::version());
  if (std::optional<int> status = parsed(app, argc, argv))
    return *status;
  if (list) {
    std::vector<pocm::PassInfo> all = pocm::passes(), gen = pocm::genPasses();
    all.insert(all.end(), gen.begin(), gen.end());
    std::vector<pocm::PassInfo> forCpus = pocm::cpuPasses();
    all.insert(all.end(), forCpus.begin(), forCpus.end());
    for (const pocm::PassInfo &pass : all)
      std::cout << pass.name << std::string(26 - std::min<std::size_t>(25, pass.name.size()), ' ') << pass.description
                << "\n";
    return 0;
  }
  std::stringstream text;
  if (input == "-") {
    text << std::cin.rdbuf();
  } else if (std::ifstream file(input); file) {
    text << file.rdbuf();
  } else {
    std::cerr << "cm-opt: error: cannot read '" << input << "'\n";
    return 2;
  }
  try {
    std::ostream *changes = printChanged ? &std::cerr : nullptr;
    std::string result = target.empty()    ? pocm::runPasses(text.str(), input, passes, changes)
                         : target == "cpu" ? pocm::runCpuPasses(text.str(), input, cpu, passes, changes)
                                           : pocm::runGenPasses(text.str(), input, target, passes, changes);
    if (output == "-")
      std::cout << result;
    else if (!(std::ofstream(output) << result))
      throw pocm::Error("cannot write '" + output + "'");
  } catch (const pocm::Error &problem) {
    std::cerr << "cm-opt: error: " << problem.what() << "\n";
    return 1;
  }
}
