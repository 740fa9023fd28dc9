//===- cmc.cpp - The CM compiler's command line -------------------------------===//
//
//     cmc linear_genx.cpp -o linear_genx.isa      program file
//     cmc linear_genx.cpp -emit-llvm -S -o -      CM IR as text
//
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "pocm/pocm.h"
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace {

constexpr const char *Usage = R"(usage: cmc [options] KERNEL.cpp

Compiles a CM kernel to a program file that cmrun and the CM runtime load.

  -o FILE            write to FILE ("-" is standard output); default: KERNEL.isa, or KERNEL.ll with -S
  -c                 compile (the default; accepted for compatibility)
  -S, -emit-llvm     write CM IR as text instead of a program
  -mdump_asm         write the assembly of each kernel beside the program: KERNEL.asm of Gen code, with its
                     instructions in KERNEL.dat; KERNEL.s of the CPU's
  -Qxcm_print_asm_count, -mCM_printregusage
                     print the number of instructions of each kernel's Gen code, and of the registers that it uses
  -march=TARGET      compile the language as this target has it: macros, limits, features. cpu (the default) has all;
                     -print-targets lists the others. Programs hold CM IR in any case, and Gen code for SKL, ICLLP,
                     TGLLP, DG2 and PVC, which takes Intel's finalizer (GenX_IR of Debian's libigc-tools)
  -march=A,B,...     Gen code of several targets in one program, whose CM IR is that of the first
  -binary-format=ze  a Level Zero program (KERNEL.bin) for SKL, ICLLP or TGLLP instead of one for the CM runtime; the
                     threads of a thread space are groups of one thread there
  -march=TARGET      with -S: vISA assembly of those five; with -S -emit-llvm: CM IR
  -march=cpu         with -S: show the cpu device's code instead of CM IR, as assembly or, with -emit-llvm, as LLVM IR
  -mcpu=NAME         as -march=NAME; or, for the cpu device's code, a CPU that LLVM knows (x86-64, haswell,
                     skylake-avx512, ...; default: this one)
  -Qxcm_revid=N      stepping of the target (CM_GENX_REVID)
  -Qxcm_register_file_size=128|256|auto, -Qxcm_doubleGRF
                     registers of a thread, which limit the size of objects; 256 are there on DG2 and PVC
  -mCM_init_global   allow initialisers of file-scope variables
  -ffp-contract=off  round products before they are added; by default they keep all their bits
  -D NAME[=VALUE]    define a macro
  -I FOLDER          search FOLDER for includes
  -O0 .. -O3         optimization level (default -O2); -O0 leaves the passes out that only simplify regions
  -g, -g1 .. -g3     keep debug information
  -disable-pass=P    leave out a pass of the middle end (may be repeated)
  -stop-after=P      the program's CM IR is what the Gen middle end's pass P leaves: it runs on the cpu device as before
  -verify-each       check the IR after every pass
  -print-passes      list the passes of the middle end
  -print-targets     list the targets
  -print-options     list the options of Intel's compiler and what becomes of them here
  -###               print what would be compiled and how, and do nothing
  --version          print the version
  -h, --help         print this
)";

/// What the command line asks for.
struct Request {
  pocm::CompileOptions compile;
  std::string output;
  bool text = false;                     // -S
  bool llvm = false;                     // -emit-llvm
  bool cpu = false;                      // -march=cpu
  bool dry = false;                      // -###
  bool dump = false;                     // -mdump_asm, CM_FORCE_ASSEMBLY_DUMP
  bool countInstructions = false;        // -Qxcm_print_asm_count
  bool levelZero = false;                // -binary-format=ze
  bool countRegisters = false;           // -mCM_printregusage
  std::string stopAfter;                 // -stop-after
  std::vector<std::string> finalizer;    // -mCM_jit_option
  std::string cpuName;                   // -mcpu
  std::vector<std::string> otherTargets; // -march=FIRST,OTHER,...
};

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

/// The row of an argument: "-name", "/name", with or without a value.
const LegacyOption *findLegacy(std::string_view arg) {
  if (arg.size() < 2 || (arg[0] != '-' && arg[0] != '/'))
    return nullptr;
  arg.remove_prefix(1);
  for (const LegacyOption &option : legacyOptions) {
    std::string_view name = option.name;
    if (arg == name || (name.ends_with('=') && arg.starts_with(name)) ||
        (name.ends_with('*') && arg.starts_with(name.substr(0, name.size() - 1))))
      return &option;
  }
  return nullptr;
}

int fail(const std::string &message) {
  std::fprintf(stderr, "cmc: error: %s\n", message.c_str());
  return 2;
}

bool generatesGenCode(const Request &request) {
  return !request.llvm && request.stopAfter.empty() && pocm::isGenTarget(request.compile.target);
}

std::string defaultOutput(const Request &request) {
  std::filesystem::path path = std::filesystem::path(request.compile.file).filename();
  if (request.text && generatesGenCode(request))
    return path.replace_extension(".visaasm").string();
  bool assembly = request.text && request.cpu && !request.llvm;
  if (request.levelZero)
    return path.replace_extension(".bin").string();
  return path.replace_extension(assembly ? ".s" : request.text || request.llvm ? ".ll" : ".isa").string();
}

bool writeFile(const std::string &path, const void *bytes, std::size_t size) {
  if (path == "-")
    return std::fwrite(bytes, 1, size, stdout) == size && std::fflush(stdout) == 0;
  // A failed write leaves no half file behind.
  std::string temporary = path + ".tmp" + std::to_string(getpid());
  std::FILE *file = std::fopen(temporary.c_str(), "wb");
  if (!file)
    return false;
  bool ok = std::fwrite(bytes, 1, size, file) == size;
  ok &= std::fclose(file) == 0;
  std::error_code problem;
  if (ok)
    std::filesystem::rename(temporary, path, problem);
  if (!ok || problem) {
    std::filesystem::remove(temporary, problem);
    return false;
  }
  return true;
}

/// One target, or several with commas between them.
void setTargets(Request &request, const std::string &names) {
  std::stringstream list(names);
  std::getline(list, request.compile.target, ',');
  request.cpu = request.compile.target == "cpu";
  request.otherTargets.clear();
  for (std::string name; std::getline(list, name, ',');)
    request.otherTargets.push_back(name);
}

/// What does not go with the targets that were named; empty when all is well.
std::string checkTargets(const Request &request) {
  if (request.levelZero && (!request.otherTargets.empty() || !generatesGenCode(request)))
    return "-binary-format=ze takes one target that Gen code is made for: -march=SKL, ICLLP or TGLLP";
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

/// Fills `request`; returns an exit status when there is nothing to compile, -1 otherwise.
int parse(Arguments args, Request &request) {
  while (!args.empty()) {
    std::string value;
    std::string arg(args.front());
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
      return 0;
    }
    if (args.joined("-o", value))
      request.output = value;
    else if (args.joined("-D", value))
      request.compile.defines.push_back(value);
    else if (args.joined("-I", value))
      request.compile.includes.push_back(value);
    else if (arg.size() == 3 && arg.starts_with("-O") && arg[2] >= '0' && arg[2] <= '3')
      request.compile.optimization = unsigned(arg[2] - '0'), args.next();
    else if (arg == "-g" || (arg.size() == 3 && arg.starts_with("-g") && arg[2] >= '0' && arg[2] <= '3'))
      request.compile.debugInfo = arg != "-g0", args.next();
    else if (arg == "-c")
      args.next();
    else if (arg == "-S")
      request.text = true, args.next();
    else if (arg == "-emit-llvm")
      request.llvm = true, args.next();
    else if (arg.starts_with("-march=") || arg.starts_with("-Qxcm_jit_target=") || arg.starts_with("/Qxcm_jit_target="))
      setTargets(request, arg.substr(arg.find('=') + 1)), args.next();
    else if (arg.starts_with("-mcpu=") && pocm::isTarget(arg.substr(arg.find('=') + 1)))
      request.compile.target = arg.substr(arg.find('=') + 1), args.next();
    else if (arg.starts_with("-mcpu="))
      request.cpuName = arg.substr(arg.find('=') + 1), args.next();
    else if (arg == "-###")
      request.dry = true, args.next();
    else if (const LegacyOption *legacy = findLegacy(arg)) {
      if (legacy->fate == Fate::Refused)
        return fail("'" + arg + "' is not supported: " + legacy->text);
      if (legacy->fate == Fate::Warned)
        std::fprintf(stderr, "cmc: warning: '%s' is ignored: %s\n", arg.c_str(), legacy->text);
      if (legacy->apply && !legacy->apply(request, arg.substr(std::min(arg.size(), arg.find('=') + 1))))
        return fail("'" + arg + "': " + legacy->text);
      args.next();
    } else if (arg.starts_with("-disable-pass="))
      request.compile.disabledPasses.push_back(arg.substr(arg.find('=') + 1)), args.next();
    else if (arg.starts_with("-stop-after="))
      request.stopAfter = arg.substr(arg.find('=') + 1), args.next();
    else if (arg == "-verify-each")
      request.compile.verifyEachPass = true, args.next();
    else if (arg.size() > 1 && arg[0] == '-')
      return fail("unknown or incomplete option '" + arg + "'; cmc --help lists them");
    else if (!request.compile.file.empty())
      return fail("two source files, '" + request.compile.file + "' and '" + arg + "'; compile one at a time");
    else
      request.compile.file = arg, args.next();
  }
  if (request.compile.file.empty())
    return fail("no source file; cmc --help says more");
  return -1;
}

/// The cpu device's code of every kernel.
std::string cpuText(const std::vector<std::uint8_t> &file, const Request &request) {
  pocm::Program program = pocm::Program::load(file);
  std::string text;
  for (const pocm::KernelSignature &kernel : program.kernels()) {
    text += (request.llvm ? "; kernel " : "# kernel ") + kernel.name + "\n";
    text += pocm::cpuCode(program, kernel.name, request.cpuName, !request.llvm);
  }
  return text;
}

bool isSet(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value && std::string_view(value) != "0";
}

/// KERNEL.s of every kernel, beside the output.
void dumpAssembly(const std::vector<std::uint8_t> &file, const Request &request) {
  pocm::Program program = pocm::Program::load(file);
  std::filesystem::path folder = request.output == "-" ? "." : std::filesystem::path(request.output).parent_path();
  for (const pocm::KernelSignature &kernel : program.kernels()) {
    std::string text = pocm::cpuCode(program, kernel.name, request.cpuName, true);
    std::string path = (folder / (kernel.name + ".s")).string();
    if (!writeFile(path, text.data(), text.size()))
      throw pocm::Error("cannot write '" + path + "'");
  }
}

/// Gen code of a compiled program's kernels: added to `program`, or as text, with the listings and counts that were
/// asked for.
void genOutputs(const Request &request, const std::string &target, const std::vector<std::uint8_t> &compiled,
                std::vector<std::uint8_t> &program, std::string &text) {
  pocm::GenOptions options;
  options.finalize = !request.text || request.dump || request.countInstructions || request.countRegisters;
  options.finalizer = request.finalizer;
  options.check = request.compile.verifyEachPass;
  options.levelZero = request.levelZero;
  options.registers = request.compile.registers;
  std::vector<pocm::GenKernel> kernels = pocm::genCode(compiled, target, options);
  text.clear();
  std::filesystem::path folder = request.output == "-" ? "." : std::filesystem::path(request.output).parent_path();
  for (const pocm::GenKernel &kernel : kernels) {
    text += kernel.visa;
    if (kernel.spillBytes)
      std::fprintf(stderr, "cmc: warning: kernel '%s' spills %u bytes of registers to scratch memory\n",
                   kernel.name.c_str(), kernel.spillBytes);
    if (!kernel.optimized)
      std::fprintf(
          stderr,
          "cmc: warning: the finalizer crashes when it optimizes kernel '%s' for %s; its code is not optimized\n",
          kernel.name.c_str(), target.c_str());
    if (request.countInstructions)
      std::printf("Kernel %s : %u instructions\n", kernel.name.c_str(), kernel.instructions);
    if (request.countRegisters)
      std::printf("Kernel %s : %u registers\n", kernel.name.c_str(), kernel.registers);
    if (!request.dump && !isSet("CM_FORCE_ASSEMBLY_DUMP"))
      continue;
    std::string path = (folder / (kernel.name + (request.otherTargets.empty() ? "" : "." + target))).string();
    if (!writeFile(path + ".asm", kernel.assembly.data(), kernel.assembly.size()) ||
        !writeFile(path + ".dat", kernel.code.data(), kernel.code.size()))
      throw pocm::Error("cannot write '" + path + ".asm' or '.dat'");
  }
  if (request.levelZero && !request.text)
    program = pocm::levelZeroProgram(kernels, target);
  else if (!request.text)
    program = pocm::addGenCode(program, target, kernels);
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

} // namespace

int main(int argc, char **argv) {
  Request request;
  request.compile.color = isatty(STDERR_FILENO);
  if (int status = parse(Arguments(argc, argv), request); status >= 0)
    return status;
  if (std::string problem = checkTargets(request); !problem.empty())
    return fail(problem);
  if (request.output.empty())
    request.output = defaultOutput(request);
  if (request.dry)
    return describe(request);
  pocm::CompileResult result = pocm::compile(request.compile);
  std::fputs(result.diagnostics.c_str(), stderr);
  if (!result.ok)
    return 1;
  std::string text = result.ir;
  try {
    if (request.text && request.cpu)
      text = cpuText(result.program, request);
    if (!request.stopAfter.empty())
      result.program = pocm::afterGenPasses(result.program, request.compile.target, request.stopAfter);
    if (generatesGenCode(request)) {
      const std::vector<std::uint8_t> compiled = result.program;
      genOutputs(request, request.compile.target, compiled, result.program, text);
    }
    for (const std::string &target : request.otherTargets) { // each has the language as its target has it
      pocm::CompileOptions options = request.compile;
      options.target = target;
      pocm::CompileResult other = pocm::compile(options);
      if (!other.ok) {
        std::fputs(other.diagnostics.c_str(), stderr);
        return 1;
      }
      genOutputs(request, target, other.program, result.program, text);
    }
    if (!generatesGenCode(request) && (request.dump || isSet("CM_FORCE_ASSEMBLY_DUMP")))
      dumpAssembly(result.program, request);
  } catch (const pocm::Error &problem) {
    return fail(problem.what());
  }
  bool written = request.text || request.llvm ? writeFile(request.output, text.data(), text.size())
                                              : writeFile(request.output, result.program.data(), result.program.size());
  return written ? 0 : fail("cannot write '" + request.output + "'");
}
