//===- gensim.cpp - Runs Intel's OpenCL binaries on the simulated GPU -----------------------===//
//
//     ocloc compile -file add.cl -device skl -output add
//     gensim info add_Gen9core.bin
//     gensim run add_Gen9core.bin add --global 1024 --local 64 --arg buffer:in=a,out=b --arg int:7
//     gensim disasm add_Gen9core.bin add
//
// Exit status: 0 fine, 2 the command line, a file or the launch is wrong, with one line that
// says what.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "LaunchArgument.h"
#include "gensim/isa/Printer.h"
#include "gensim/watch/Debugger.h"
#include <charconv>
#include <fstream>
#include <iostream>
#include <sched.h>
#include <thread>

namespace {

namespace opencl = pocm::opencl;

/// Cores that this process may run on.
unsigned cores() {
  cpu_set_t mine;
  return sched_getaffinity(0, sizeof(mine), &mine) == 0 ? unsigned(CPU_COUNT(&mine))
                                                        : std::max(1u, std::thread::hardware_concurrency());
}

struct Request {
  std::string file, kernel, global, local, offset, trace, timing;
  std::vector<std::string> arguments;
  std::uint64_t limit = 2'000'000'000;
  unsigned hostThreads = cores();
  bool strict = false, checks = false, debug = false;
};

/// "64", "64,2" or "64,2,1" into sizes; returns how many there are.
unsigned parseSizes(const std::string &option, const std::string &text, std::uint32_t (&sizes)[3]) {
  std::vector<std::string> parts = argument::split(text, ',');
  bool fine = parts.size() <= 3;
  for (std::size_t n = 0; fine && n < parts.size(); ++n) {
    auto [end, problem] = std::from_chars(parts[n].data(), parts[n].data() + parts[n].size(), sizes[n]);
    fine = problem == std::errc() && end == parts[n].data() + parts[n].size() && !parts[n].empty();
  }
  if (!fine)
    argument::fail("{} {}: write one to three sizes, such as 1024 or 64,48", option, text);
  return unsigned(parts.size());
}

opencl::Binary binaryOf(const Request &request) {
  argument::Bytes bytes = argument::readFile(request.file);
  try {
    return opencl::readBinary(bytes);
  } catch (const opencl::Problem &problem) {
    argument::fail("'{}': {}", request.file, problem.what());
  }
}

void run(const Request &request) {
  opencl::Range range;
  range.dimensions = parseSizes("--global", request.global, range.global);
  if (!request.local.empty())
    parseSizes("--local", request.local, range.local);
  if (!request.offset.empty())
    parseSizes("--offset", request.offset, range.offset);
  std::vector<gensim_tool::LaunchArgument> arguments;
  for (const std::string &text : request.arguments)
    arguments.emplace_back(text);
  std::vector<opencl::Setting> settings;
  for (auto &argument : arguments)
    settings.push_back(argument.setting());
  opencl::LaunchOptions options;
  std::ofstream file;
  if (request.trace == "-")
    options.trace = &std::cout;
  else if (!request.trace.empty())
    file.open(request.trace), options.trace = &file;
  options.mostInstructions = request.limit;
  options.timing = request.timing;
  options.checks = request.checks;
  options.hostThreads = request.hostThreads;
  if (request.debug)
    options.observers.push_back(
        [](const auto &kernel) { return std::make_unique<pocm::gensim::Debugger>(kernel, std::cin, std::cout); });
  opencl::Program program(binaryOf(request));
  opencl::LaunchReport report;
  try {
    report = program.run(request.kernel, range, settings, options);
  } catch (const pocm::gensim::Quit &) {
    return;
  }
  fmt::print("{}", report.printed);
  for (const std::string &line : report.findings)
    fmt::print(stderr, "gensim: {}\n", line);
  if (request.strict && !report.findings.empty())
    argument::fail("the kernel has mistakes");
  for (auto &argument : arguments)
    argument.store();
  if (request.trace != "-")
    fmt::print("{}: {} instructions\n", request.kernel, report.instructions);
}

void disassemble(const Request &request) {
  opencl::Program program(binaryOf(request));
  for (const opencl::Kernel &k : program.binary().kernels) {
    if (!request.kernel.empty() && request.kernel != k.name)
      continue;
    fmt::print("// {} for {}\n", k.name, program.binary().platform->name);
    for (const auto &i : program.code(k.name).instructions)
      fmt::print("/* {:05X} */ {}\n", i.address, textOf(i, *program.binary().platform));
  }
  if (!request.kernel.empty())
    program.binary().kernel(request.kernel);
}

void describe(const Request &request) {
  static constexpr const char *kinds[] = {"value", "buffer", "local memory", "image", "sampler"};
  opencl::Binary binary = binaryOf(request);
  fmt::print("a binary for {} with {} kernels, {} bytes of constants and {} of variables\n", binary.platform->name,
             binary.kernels.size(), binary.constants.size(), binary.globals.size());
  for (const opencl::Kernel &k : binary.kernels) {
    fmt::print("{}: {} work items a thread, {} registers, {} bytes of code", k.name, k.simd, k.registers,
               k.code.size());
    for (auto [what, bytes] :
         {std::pair("local", k.slmBytes), {"scratch", k.scratchBytes}, {"private", k.privateBytes}})
      if (bytes)
        fmt::print(", {} bytes of {} memory", bytes, what);
    fmt::print("{}\n", k.hasBarrier ? ", barriers" : "");
    for (const opencl::Argument &a : k.arguments)
      fmt::print("  {} {}: {}\n", a.type, a.name,
                 a.kind == opencl::ArgumentKind::Value ? fmt::format("{} bytes", a.bytes) : kinds[unsigned(a.kind)]);
  }
}

void addLaunchOptions(CLI::App &app, Request &request) {
  app.add_option("file", request.file, "what ocloc wrote for one device")->required();
  app.add_option("kernel", request.kernel, "name of the kernel")->required();
  app.add_option("--global", request.global, "work items, X[,Y[,Z]]")->required();
  app.add_option("--local", request.local, "work items of a group, X[,Y[,Z]] (default: 1)");
  app.add_option("--offset", request.offset, "global offset, X[,Y[,Z]]");
  app.add_option("--arg", request.arguments, "one for each kernel parameter, in order (see gensim --help)")
      ->allow_extra_args(false);
  app.add_option("--limit", request.limit, "instructions of a thread after which it counts as endless")
      ->capture_default_str();
}

} // namespace

int main(int argc, char **argv) {
  Request request;
  CLI::App app{"Runs OpenCL kernels that Intel's compiler has made on a simulated GPU (SKL, ICLLP, TGLLP, and DG2 in "
               "either form, tokens or sections).",
               "gensim"};
  app.require_subcommand(1);
  CLI::App *runs = app.add_subcommand("run", "launches a kernel");
  addLaunchOptions(*runs, request);
  runs->add_flag("--strict", request.strict, "fail when unwritten bits decide something, or --check finds mistakes");
  runs->add_flag(
      "--check", request.checks,
      "look for accesses beyond surfaces, unwritten local memory, races, barriers that not all channels reach");
  runs->add_option("--trace", request.trace, "write every instruction with what it wrote to a file");
  runs->add_option("--timing", request.timing,
                   "write what the launch would take: text (- for standard error), or .json, .trace.json, .html");
  runs->add_option("--threads", request.hostThreads, "host threads; the result does not depend on them")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  CLI::App *traces = app.add_subcommand("trace", "launches a kernel and prints every instruction with what it wrote");
  addLaunchOptions(*traces, request);
  CLI::App *debugs = app.add_subcommand("debug", "launches a kernel and asks at each stop what to do; help lists that");
  addLaunchOptions(*debugs, request);
  CLI::App *disassembles = app.add_subcommand("disasm", "prints the instructions of all kernels or of one");
  disassembles->add_option("file", request.file, "what ocloc wrote for one device")->required();
  disassembles->add_option("kernel", request.kernel, "name of the kernel");
  CLI::App *describes = app.add_subcommand("info", "lists kernels and their parameters");
  describes->add_option("file", request.file, "what ocloc wrote for one device")->required();
  app.footer(R"(Arguments:
  int:42, float:0.5,1,2         a scalar or vector; long and ulong have 64 bits
  buffer:in=FILE,out=FILE       a buffer with a file's bytes, written back afterwards
  buffer:zero=BYTES,out=FILE    a buffer of zeros
  local:BYTES                   local memory
  image:in=FILE,width=W,height=H,format=F,out=FILE   raw pixels of a format, such as RGBA8_UNORM or R32_FLOAT
  image:zero,width=W[,height=H[,depth=D]],format=F,out=FILE   an image of zeros
  sampler:linear,wrap,normalized   a sampler: nearest or linear; none, clamp, border, wrap or mirror)");
  if (std::optional<int> status = parsed(app, argc, argv))
    return *status;
  try {
    if (*traces)
      request.trace = "-";
    request.debug = bool(*debugs);
    if (*runs || *traces || *debugs)
      run(request);
    else if (*disassembles)
      disassemble(request);
    else if (*describes)
      describe(request);
    return 0;
  } catch (const std::exception &problem) {
    fmt::print(stderr, "gensim: error: {}\n", problem.what());
    return 2;
  }
}
