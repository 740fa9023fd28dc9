//===- cmc.cpp - The CM compiler's command line -------------------------------===//
//
//     cmc linear_genx.cpp -o linear_genx.isa      program file
//     cmc linear_genx.cpp -emit-llvm -S -o -      CM IR as text
//
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "cmc/Limits.h"
#include "cmc/Outputs.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace {

constexpr const char *Usage = R"(usage: cmc [options] KERNEL.cpp

Compiles a CM kernel, or CM IR that it has printed (KERNEL.ll), to a program file that cmrun and the CM runtime load.

  -o FILE            write to FILE ("-" is standard output); default: KERNEL.isa, or KERNEL.ll with -S
  -c                 compile (the default; accepted for compatibility)
  -S, -emit-llvm     write CM IR as text instead of a program
  -mdump_asm         write the assembly of each kernel beside the program: KERNEL.asm of Gen code, with its
                     instructions in KERNEL.dat; KERNEL.s of the CPU's
  --report[=FILE]    of Gen code: where each variable lives and why, what is slow, sends, spills, how full the registers
                     are; text, or in FILE.html the source beside vISA and Gen code (may be repeated)
                     with -march=cpu: of the cpu device's code, for -mcpu, with the source beside the code of loops; text
  -Rcm               remarks with lines and the way out: what costs time in loops of the target's code
  -spill-limit=N     an error when a thread takes more than N bytes of scratch memory (default: the hardware's 2 MB)
  -Qxcm_print_asm_count, -mCM_printregusage
                     print the number of instructions of each kernel's Gen code, and of the registers that it uses
  -march=TARGET      compile the language as this target has it: macros, limits, features. cpu (the default) has all;
                     -print-targets lists the others. Programs hold CM IR in any case, and Gen code for SKL, ICLLP,
                     TGLLP, DG2, PVC and PVCXT, which takes Intel's finalizer (GenX_IR of Debian's libigc-tools)
  -march=A,B,...     Gen code of several targets in one program, whose CM IR is that of the first
  -binary-format=ze  a Level Zero program (KERNEL.bin) for one of those targets instead of one for the CM runtime; the
                     threads of a thread space are groups of one thread there
  -binary-format=ocl SPIR-V for OpenCL (KERNEL.spv), which Intel's vector compiler takes:
                     ocloc compile -spirv_input -file KERNEL.spv -options "-vc-codegen" -device ...
  -march=TARGET      with -S: vISA assembly of those; with -S -emit-llvm: CM IR
  -march=cpu         with -S: show the cpu device's code instead of CM IR, as assembly or, with -emit-llvm, as LLVM IR
  -mcpu=NAME         as -march=NAME; or, for the cpu device's code, a CPU that LLVM knows (x86-64, haswell,
                     skylake-avx512, ...; default: this one)
  -Qxcm_revid=N      stepping of the target (CM_GENX_REVID)
  -Qxcm_register_file_size=128|256|auto, -Qxcm_doubleGRF
                     registers of a thread, which limit the size of objects; 256 are there from DG2 on
  -mCM_init_global   allow initialisers of file-scope variables
  -ffp-contract=off  round products before they are added; by default they keep all their bits
  -D NAME[=VALUE]    define a macro
  -I FOLDER, -isystem FOLDER, -iquote FOLDER
                     search FOLDER for includes
  -include FILE      include FILE first
  -MD, -MMD          also write what the program depends on, as a rule of make, to KERNEL.d: with and without files from
                     folders of -isystem; -M, -MM: write it instead of a program. -MF FILE: write it to FILE; -MT TARGET,
                     -MQ TARGET: what depends, as it stands or quoted; -MP: rules without parts for what is included
  -fsyntax-only      compile, and write nothing
  -U NAME            a macro is not defined
  -O0 .. -O3         optimization level (default -O2); -O0 leaves the passes out that only simplify regions
  -g, -g1 .. -g3     keep debug information
  -fcheck            keep what is known of variables that nobody has written, for the check device
  -disable-pass=P    leave out a pass of the middle end, of the Gen middle end, or of those for CPUs (may be repeated)
  -stop-after=P      the program's CM IR, and what -S prints, is what the Gen middle end's pass P leaves: it runs on the
                     cpu device as before. With -S -march=cpu: show what the pass P for CPUs leaves
  -verify-each       check the IR after every pass
  -print-changed     print the IR after every pass that changed it, and the names of the others, on standard error
  -print-passes      list the passes of the middle end, of the Gen middle end and of those for CPUs
  -print-targets     list the targets
  -print-names       list every name of the language: kind, name, header, line, form
  -print-options     list the options of Intel's compiler and what becomes of them here
  -###               print what would be compiled and how, and do nothing
  --version          print the version
  -h, --help         print this
)";

/// What becomes of an option of Intel's compiler.
enum class Fate { Obeyed, Accepted, Warned, Refused };

const char *fateName(Fate fate) {
  switch (fate) {
  case Fate::Obeyed:
    return "obeyed";
  case Fate::Accepted:
    return "accepted";
  case Fate::Warned:
    return "ignored";
  case Fate::Refused:
    return "refused";
  }
  return "";
}

struct LegacyOption {
  const char *name; ///< Without the - or / in front; "=" at the end when a value follows.
  Fate fate;
  const char *text;                                        ///< What it does, or why not.
  bool (*apply)(Request &, const std::string &) = nullptr; ///< False when the value is wrong.
};

const LegacyOption legacyOptions[] = {
#define OPTION(name, fate, text, ...) {name, Fate::fate, text __VA_OPT__(, ) __VA_ARGS__},
#include "Options.def"
};

/// The row of an argument: "-name", "/name"; with a value behind '=', behind ':', or right behind the name.
const LegacyOption *findLegacy(std::string_view arg, std::string &value) {
  if (arg.size() < 2 || (arg[0] != '-' && arg[0] != '/'))
    return nullptr;
  arg.remove_prefix(1);
  for (const LegacyOption &option : legacyOptions) {
    std::string_view name = option.name;
    bool open = name.ends_with('=') || name.ends_with('*'), spaced = name.ends_with(' ');
    std::string_view stem = name.substr(0, name.size() - (open || spaced));
    bool joined = spaced && arg.starts_with(stem) && arg.substr(stem.size()).starts_with('=');
    if (!(open ? arg.starts_with(stem) : arg == stem || joined) || (name == "binary-format=" && !arg.starts_with(name)))
      continue;
    value = arg.substr(stem.size());
    if (!value.empty() && (value[0] == '=' || value[0] == ':'))
      value.erase(0, 1);
    return &option;
  }
  return nullptr;
}

/// Prints why there is no output; several kernels may have a line each.
int fail(std::string message) {
  const std::string next = "\nkernel '";
  for (std::size_t at = 0; (at = message.find(next, at)) != message.npos; at += next.size())
    message.insert(at + 1, "cmc: error: ");
  std::fprintf(stderr, "cmc: error: %s\n", message.c_str());
  return 2;
}

std::string defaultOutput(const Request &request) {
  std::filesystem::path path = std::filesystem::path(request.compile.file).filename();
  if (request.text && generatesGenCode(request))
    return path.replace_extension(".visaasm").string();
  bool assembly = request.text && request.cpu && !request.llvm;
  if (request.levelZero)
    return path.replace_extension(".bin").string();
  if (request.openCl)
    return path.replace_extension(".spv").string();
  return path.replace_extension(assembly ? ".s" : request.text || request.llvm ? ".ll" : ".isa").string();
}

/// One target, or several with commas between them; what is none keeps its name for the message.
void setTargets(Request &request, const std::string &names) {
  auto canonical = [](const std::string &name) { return pocm::isTarget(name) ? pocm::targetNamed(name) : name; };
  std::stringstream list(names + ','); // behind the last comma stands a name, too
  std::string first;
  std::getline(list, first, ',');
  request.compile.target = canonical(first);
  request.cpu = request.compile.target == "cpu";
  request.otherTargets.clear();
  for (std::string name; std::getline(list, name, ',');)
    request.otherTargets.push_back(canonical(name));
}

/// The options that name a target, from the strongest on, wherever they stand; of each kind the last one counts.
struct TargetOptions {
  std::string jit, cpu, arch;
  const std::string &chosen() const { return !jit.empty() ? jit : !cpu.empty() ? cpu : arch; }
};

/// Options of Clang that go to its front end as they are.
bool isClangOption(std::string_view arg) {
  return arg == "-w" || (arg.starts_with("-W") && !arg.starts_with("-Wl,") && !arg.starts_with("-Wa,")) ||
         arg == "-pedantic" || arg == "-pedantic-errors";
}

/// The number of -O0 to -O3, which -O, -Os, -Oz and -Ofast have too; -1 of other arguments.
int optimizationLevel(std::string_view arg) {
  static constexpr std::pair<std::string_view, int> levels[] = {{"-O", 2},  {"-O0", 0}, {"-O1", 1}, {"-O2", 2},
                                                                {"-O3", 3}, {"-Os", 2}, {"-Oz", 2}, {"-Ofast", 3}};
  for (auto [name, level] : levels)
    if (arg == name)
      return level;
  return -1;
}

std::string joinedTargets() {
  std::string all;
  for (const std::string &target : pocm::targets())
    all += (all.empty() ? "" : ", ") + target;
  return all;
}

/// What does not go with the targets that were named; empty when all is well.
std::string checkTargets(const Request &request) {
  const std::vector<std::string> &others = request.otherTargets;
  if (request.compile.target.empty() || std::find(others.begin(), others.end(), "") != others.end())
    return "unknown target ''; targets are " + joinedTargets();
  if (request.levelZero && (!request.otherTargets.empty() || !generatesGenCode(request)))
    return "-binary-format=ze takes one target that Gen code is made for: -march=SKL, ICLLP, TGLLP, DG2, PVC or PVCXT";
  if (request.openCl && (request.text || request.llvm || !request.otherTargets.empty() || request.levelZero))
    return "-binary-format=ocl is a program of one target, not text";
  if ((!request.cpuPasses.last.empty() || !request.cpuPasses.disabled.empty()) && !(request.text && request.cpu))
    return "passes for CPUs are chosen with -S -march=cpu, which shows the code that they make";
  const bool looks = !request.reports.empty() || request.remarks;
  if (looks && !generatesGenCode(request) && !request.cpu)
    return "--report and -Rcm are about the code of a target: -march=cpu, SKL, ICLLP, TGLLP, DG2, PVC or PVCXT";
  if (looks && !generatesGenCode(request) && (request.openCl || !request.stopAfter.empty()))
    return "--report and -Rcm of the cpu device are about its whole code";
  for (const std::string &path : request.reports)
    if (!generatesGenCode(request) && (path.ends_with(".html") || path.ends_with(".htm")))
      return "--report of the cpu device's code is text: name another file than '" + path + "'";
  if (request.otherTargets.empty())
    return "";
  if (request.text || request.llvm || !request.stopAfter.empty())
    return "text and -stop-after are of one target; -march names several";
  for (const std::string &target : request.otherTargets)
    if (!pocm::isGenTarget(target))
      return "no Gen code is made for '" + target + "', which -march names";
  return pocm::isGenTarget(request.compile.target)
             ? ""
             : "no Gen code is made for '" + request.compile.target + "', which -march names";
}

bool isOneOf(const std::vector<pocm::PassInfo> &all, const std::string &name) {
  return std::any_of(all.begin(), all.end(), [&](const pocm::PassInfo &pass) { return pass.name == name; });
}

/// Where the option that leaves out a pass of this name is kept.
std::vector<std::string> &disabledPasses(Request &request, const std::string &name) {
  if (isOneOf(pocm::cpuPasses(), name))
    return request.cpuPasses.disabled;
  return isOneOf(pocm::genPasses(), name) ? request.disabledGenPasses : request.compile.disabledPasses;
}

/// The Gen middle end's passes that -stop-after and -disable-pass leave.
std::vector<std::string> passesUntilStop(const Request &request) {
  std::vector<std::string> names;
  for (const pocm::PassInfo &pass : pocm::genPasses()) {
    const std::vector<std::string> &disabled = request.disabledGenPasses;
    if (std::find(disabled.begin(), disabled.end(), pass.name) == disabled.end())
      names.push_back(pass.name);
    if (pass.name == request.stopAfter)
      break;
  }
  return names;
}

/// What a file that is no source is and what reads it; empty of others.
std::string_view readerOf(const std::filesystem::path &file) {
  static constexpr std::pair<const char *, const char *> readers[] = {
      {".bc", "LLVM's bitcode; cmc compiles sources"},
      {".spv", "SPIR-V, which ocloc reads"},
      {".isa", "a program, which cmrun reads"},
      {".visaasm", "vISA text, which Intel's finalizer reads"},
  };
  for (auto [extension, what] : readers)
    if (file.extension() == extension)
      return what;
  return "";
}

/// An option of the preprocessor that Clang knows as well, and its operand; empty of others.
std::pair<std::string, std::string> preprocessorOption(Arguments &args) {
  std::string value;
  for (const char *option : {"-include", "-isystem", "-iquote", "-U"})
    if (args.joined(option, value))
      return {option, value};
  return {};
}

/// Fills `request`; returns an exit status when there is nothing to compile, -1 otherwise.
int parse(Arguments args, Request &request) {
  TargetOptions named;
  bool onlyFiles = false;
  while (!args.empty()) {
    std::string value;
    std::string arg(args.front());
    if (onlyFiles) {
      if (!request.compile.file.empty())
        return fail("two source files, '" + request.compile.file + "' and '" + arg + "'; compile one at a time");
      request.compile.file = arg, args.next();
      continue;
    }
    if (arg == "-h" || arg == "--help" || arg == "-help") {
      std::fputs(Usage, stdout);
      return 0;
    }
    if (arg == "--version") {
      std::printf("cmc (PoCM) %s\n", pocm::version());
      return 0;
    }
    if (arg == "-print-targets") {
      for (const std::string &target : pocm::targets())
        std::printf("%s\n", target.c_str());
      return 0;
    }
    if (arg == "-print-names") {
      std::fputs(pocm::languageNames().c_str(), stdout);
      return 0;
    }
    if (arg == "-print-options") {
      for (const LegacyOption &option : legacyOptions)
        std::printf("%-34s %-9s %s\n", option.name, fateName(option.fate), option.text);
      return 0;
    }
    if (arg == "-print-passes") {
      for (const pocm::PassInfo &pass : pocm::passes())
        std::printf("%-24s %s\n", pass.name.c_str(), pass.description.c_str());
      for (const pocm::PassInfo &pass : pocm::genPasses())
        std::printf("%-24s %s\n", pass.name.c_str(), pass.description.c_str());
      for (const pocm::PassInfo &pass : pocm::cpuPasses())
        std::printf("%-24s %s\n", pass.name.c_str(), pass.description.c_str());
      return 0;
    }
    if (args.joined("-o", value))
      request.output = value;
    else if (args.joined("-D", value)) {
      request.compile.defines.push_back(value);
      auto &options = request.compile.clangOptions; // which come later: behind a -U, so does this
      if (std::find(options.begin(), options.end(), "-U") != options.end())
        options.insert(options.end(), {"-D", value});
    } else if (args.joined("-I", value))
      request.compile.includes.push_back(value);
    else if (auto [option, operand] = preprocessorOption(args); !option.empty())
      request.compile.clangOptions.insert(request.compile.clangOptions.end(), {option, operand});
    else if (int level = optimizationLevel(arg); level >= 0)
      request.compile.optimization = unsigned(level), args.next();
    else if (arg == "-g" || arg == "-gline-tables-only" ||
             (arg.size() == 3 && arg.starts_with("-g") && arg[2] >= '0' && arg[2] <= '3'))
      request.compile.debugInfo = request.compile.assertions = arg != "-g0", args.next();
    else if (arg == "-fcheck")
      request.compile.keepUnwritten = true, args.next();
    else if (arg == "-c")
      args.next();
    else if (arg == "-fsyntax-only")
      request.onlyCheck = true, args.next();
    else if (request.rule.take(args))
      continue;
    else if (arg == "-S")
      request.text = true, args.next();
    else if (arg == "-emit-llvm")
      request.llvm = true, args.next();
    else if (arg == "-march=" || arg == "-mcpu=")
      return fail("unknown target ''; targets are " + joinedTargets());
    else if (arg.starts_with("-march="))
      named.arch = arg.substr(arg.find('=') + 1), args.next();
    else if (arg.starts_with("-Qxcm_jit_target") || arg.starts_with("/Qxcm_jit_target")) {
      named.jit = arg.substr(std::min(arg.size(), arg.find_first_not_of("=:", std::strlen("-Qxcm_jit_target"))));
      args.next();
      // Alone it says nothing, unless a target's name follows.
      if (named.jit.empty() && !args.empty() && pocm::isTarget(std::string(args.front())))
        named.jit = args.next();
      else if (named.jit.empty() && (arg.ends_with('=') || arg.ends_with(':')))
        return fail("unknown target ''; targets are " + joinedTargets());
    } else if (arg.starts_with("-mcpu=") && pocm::isTarget(arg.substr(arg.find('=') + 1)))
      named.cpu = arg.substr(arg.find('=') + 1), args.next();
    else if (arg.starts_with("-mcpu="))
      request.cpuName = arg.substr(arg.find('=') + 1), args.next();
    else if (arg == "--")
      onlyFiles = true, args.next();
    else if (arg.starts_with("-ferror-limit=")) {
      request.compile.clangOptions.insert(request.compile.clangOptions.end(), {"-ferror-limit", arg.substr(14)});
      args.next();
    } else if (isClangOption(arg))
      request.compile.clangOptions.push_back(std::string(args.next()));
    else if (args.joined("-Xclang", value))
      request.compile.clangOptions.push_back(value);
    else if (args.joined("-x", value)) {
      if (value != "c++" && value != "cm" && value != "c++-header")
        return fail("'-x " + value + "': sources are CM, which is C++");
    } else if (arg.starts_with("-std=") || arg.starts_with("--std=")) // C++20 has what older ones have
      args.next();
    else if (arg == "-emit-spirv")
      request.openCl = true, args.next();
    else if (args.joined("-binary-format", value) && !value.starts_with("=")) {
      if (value != "cm" && value != "ze" && value != "ocl")
        return fail("'-binary-format " + value + "': the formats are cm, ze and ocl");
      request.levelZero = value == "ze", request.openCl = value == "ocl";
    } else if (!value.empty()) { // -binary-format=F
      if (value != "=cm" && value != "=ze" && value != "=ocl")
        return fail("'-binary-format" + value + "': the formats are cm, ze and ocl");
      request.levelZero = value == "=ze", request.openCl = value == "=ocl";
    } else if (arg == "-###")
      request.dry = true, args.next();
    else if (const LegacyOption *legacy = findLegacy(arg, value)) {
      if (legacy->fate == Fate::Refused)
        return fail("'" + arg + "' is not supported: " + legacy->text);
      if (legacy->fate == Fate::Warned)
        std::fprintf(stderr, "cmc: warning: '%s' is ignored: %s\n", arg.c_str(), legacy->text);
      if (legacy->apply && !legacy->apply(request, value))
        return fail("'" + arg + "': " + legacy->text);
      args.next();
      if (std::string_view(legacy->name).ends_with(' ') && value.empty() && !args.empty())
        args.next();
    } else if (arg.starts_with("-disable-pass=")) {
      std::string pass = arg.substr(arg.find('=') + 1);
      disabledPasses(request, pass).push_back(pass), args.next();
    } else if (arg.starts_with("-stop-after=")) {
      std::string pass = arg.substr(arg.find('=') + 1);
      (isOneOf(pocm::cpuPasses(), pass) ? request.cpuPasses.last : request.stopAfter) = pass, args.next();
    } else if (arg == "-Rcm" || arg == "-Rno-cm")
      request.remarks = arg == "-Rcm", args.next();
    else if (arg == "--report" || arg == "-report")
      request.reports.push_back("-"), args.next();
    else if (arg.starts_with("--report=") && arg.size() > 9)
      request.reports.push_back(arg.substr(9)), args.next();
    else if (arg.starts_with("-spill-limit=")) {
      char *end = nullptr;
      unsigned long limit = std::strtoul(arg.c_str() + 13, &end, 10);
      if (!arg[13] || *end || limit > (2 << 20))
        return fail("'" + arg + "': a number of bytes up to 2097152");
      request.spillLimit = std::uint32_t(limit), args.next();
    } else if (arg == "-verify-each")
      request.compile.verifyEachPass = request.cpuPasses.verifyEach = true, args.next();
    else if (arg == "-print-changed")
      request.compile.changes = request.cpuPasses.changes = &std::cerr, args.next();
    else if (arg.size() > 1 && arg[0] == '-')
      return fail("unknown or incomplete option '" + arg + "'; cmc --help says more");
    else if (!request.compile.file.empty())
      return fail("two source files, '" + request.compile.file + "' and '" + arg + "'; compile one at a time");
    else
      request.compile.file = arg, args.next();
  }
  if (!named.chosen().empty())
    setTargets(request, named.chosen());
  if (request.compile.file.empty())
    return fail("no source file; cmc --help says more");
  if (std::string_view what = readerOf(request.compile.file); !what.empty())
    return fail("'" + request.compile.file + "' is " + std::string(what));
  const bool looks = request.cpu && (!request.reports.empty() || request.remarks);
  if (!request.cpuName.empty() && !looks && !(request.text && (request.cpu || named.chosen().empty())))
    return fail("unknown target '" + request.cpuName + "'; targets are " + joinedTargets() +
                "; -mcpu takes a CPU's name with -S -march=cpu");
  return -1;
}

/// What would be done, as a command line.
int describe(const Request &request) {
  const pocm::CompileOptions &compile = request.compile;
  std::string line = "cmc -march=" + compile.target + " -O" + std::to_string(compile.optimization);
  for (const std::string &define : compile.defines)
    line += " -D" + define;
  for (const std::string &include : compile.includes)
    line += " -I" + include;
  line +=
      std::string(compile.debugInfo ? " -g" : "") + (request.text ? " -S" : "") + (request.llvm ? " -emit-llvm" : "");
  std::fprintf(stderr, "%s %s -o %s\n", line.c_str(), compile.file.c_str(), request.output.c_str());
  return 0;
}

/// Where the rule for make goes. Nothing is put beside an output that is no file.
std::string rulePath(const Request &request, bool outputNamed) {
  const bool standard = !request.rule.alone && isStandardOutput(request.output);
  const bool beside = request.rule.alone || isPlainOutput(request.output);
  return request.rule.path(standard ? "-" : beside ? request.output : defaultOutput(request), outputNamed);
}

/// The rule for make. Of a program that -M leaves out, what depends has the name that it would have.
bool writeRule(const Request &request, const std::vector<pocm::SourceFile> &files, bool outputNamed) {
  const std::string text = request.rule.text(request.rule.alone ? defaultOutput(request) : request.output, files);
  return writeFile(rulePath(request, outputNamed), text.data(), text.size());
}

/// Compiles for another target, which has the language as that has it: adds the program and what it alone includes.
/// False when it does not compile.
bool compileToo(const Request &request, const std::string &target, std::vector<pocm::SourceFile> &files,
                std::vector<std::vector<std::uint8_t>> &programs) {
  pocm::CompileOptions options = request.compile;
  options.target = target;
  pocm::CompileResult other = pocm::compile(options);
  if (!other.ok)
    std::fputs(other.diagnostics.c_str(), stderr);
  for (const pocm::SourceFile &file : other.files) {
    auto known = std::find_if(files.begin(), files.end(), [&](const auto &f) { return f.path == file.path; });
    if (known == files.end())
      files.push_back(file);
    else
      known->system &= file.system;
  }
  programs.push_back(std::move(other.program));
  return other.ok;
}

} // namespace

int main(int argc, char **argv) {
  Request request;
  request.compile.color = isatty(STDERR_FILENO);
  if (int status = parse(Arguments(argc, argv), request); status >= 0)
    return status;
  request.openCl |= request.openClPrograms && !request.text && !request.llvm;
  if (request.oldReport && (request.cpu || generatesGenCode(request)))
    request.reports.push_back("-");
  else if (request.oldReport)
    std::fputs("cmc: warning: '-Qxcm_opt_report' is ignored: no code is made for this target\n", stderr);
  if (std::string problem = checkTargets(request); !problem.empty())
    return fail(problem);
  const bool outputNamed = !request.output.empty();
  if (!outputNamed)
    request.output = defaultOutput(request);
  if (std::error_code ignored; std::filesystem::equivalent(request.output, request.compile.file, ignored))
    return fail("'" + request.output + "' is the source; name another output with -o");
  if (request.rule.wanted && !request.rule.alone && !request.onlyCheck && isStandardOutput(request.output) &&
      isStandardOutput(rulePath(request, outputNamed)))
    return fail("the rule of make and the program both go to standard output; name a file for the rule with -MF");
  if (request.dry)
    return describe(request);
  takeLimits();
  const bool keepsDebugInfo = request.compile.debugInfo;
  if (generatesGenCode(request)) { // its messages name lines
    request.compile.keepLines = true;
    request.compile.debugInfo |= !request.reports.empty();
  }
  pocm::CompileResult result = pocm::compile(request.compile);
  std::fputs(result.diagnostics.c_str(), stderr);
  if (!result.ok)
    return 1;
  std::vector<std::vector<std::uint8_t>> others;
  for (const std::string &target : request.otherTargets)
    if (!compileToo(request, target, result.files, others))
      return 1;
  if (request.rule.wanted && !writeRule(request, result.files, outputNamed))
    return fail("cannot write '" + rulePath(request, outputNamed) + "'");
  if (request.rule.alone || request.onlyCheck)
    return 0;
  std::string text = result.ir;
  try {
    if (request.text && request.cpu)
      text = cpuText(result.program, request);
    if (request.openCl)
      result.program = pocm::openClProgram(result.program);
    if (!request.stopAfter.empty()) {
      result.program = pocm::afterGenPasses(result.program, request.compile.target, request.stopAfter,
                                            request.disabledGenPasses, request.compile.changes);
      if (request.text || request.llvm)
        text = pocm::runGenPasses(result.ir, request.compile.file, request.compile.target, passesUntilStop(request));
    }
    if (generatesGenCode(request)) {
      GenOutputs outputs(request, result.program, keepsDebugInfo);
      outputs.add(request.compile.target, result.program);
      for (std::size_t i = 0; i < others.size(); ++i)
        outputs.add(request.otherTargets[i], others[i]);
      outputs.writeReports();
      result.program = outputs.program;
      text = outputs.text;
    }
    if (!generatesGenCode(request) && (!request.reports.empty() || request.remarks)) {
      pocm::CompileOptions looked = request.compile; // the program itself is as without
      looked.debugInfo = true;
      looked.changes = nullptr; // which have been printed
      reportCpuCode(pocm::compile(looked).program, request);
    }
    if (!generatesGenCode(request) && dumpsAssembly(request))
      dumpAssembly(result.program, request);
  } catch (const pocm::Error &problem) {
    return fail(problem.what());
  }
  bool written = request.text || request.llvm ? writeFile(request.output, text.data(), text.size())
                                              : writeFile(request.output, result.program.data(), result.program.size());
  return written ? 0 : fail("cannot write '" + request.output + "'");
}
