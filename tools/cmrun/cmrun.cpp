//===- cmrun.cpp - Launches a kernel from the shell ---------------------------------------===//
//
//     cmrun linear_genx.cpp linear --threads 128x128 --arg image:in=photo.jpg \
//           --arg image:zero,width=1024,height=768,out=filtered.png
//
// Exit status: 0 fine, 1 the kernel's source has errors, --check finds mistakes, or results are not as they should be,
// 2 the command line or a file is wrong, or a launch fails or is interrupted, with one line that says what.
//
//===----------------------------------------------------------------------===//
#include "ArgumentText.h"
#include "CommandLine.h"
#include "Comparison.h"
#include "CpuReport.h"
#include "KernelArgument.h"
#include "Profile.h"
#include "ProfilePage.h"
#include "ProgressBar.h"
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <unistd.h>

namespace {

struct Request {
  std::string device = "cpu", file, kernel, threads, groups, thread, json, html, cpu, check, checkJson, report, remarks;
  std::vector<std::string> arguments, defines, includes, constants;
  unsigned optimization = 2, time = 0, jobs = 0;
  double timeout = 0;
  bool debug = false, orders = false, profile = false;
};

/// The source has errors, or a checking device has found mistakes, which are printed already.
struct Mistakes {};

/// One to three sizes, "8", "8x4" or "8x4x2"; the others are 1.
void parseSizes(const std::string &option, const std::string &text, std::uint32_t (&sizes)[3]) {
  unsigned n = 0;
  for (std::size_t at = 0; n < 3; ++n) {
    std::size_t end = std::min(text.find('x', at), text.size());
    auto [rest, problem] = std::from_chars(text.data() + at, text.data() + end, sizes[n]);
    if (problem != std::errc() || rest != text.data() + end || sizes[n] == 0)
      break;
    at = end + 1;
    if (end == text.size())
      return;
  }
  throw pocm::Error(option + " " + text + ": write sizes from 1 to 4294967295, such as 16 or 160x360 or 4x4x2");
}

/// What to launch: a thread space, or groups.
struct Shape {
  bool grouped = false;
  pocm::ThreadGroups groups;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> one; ///< The only thread to run.

  explicit Shape(const Request &request) : grouped(!request.groups.empty()) {
    parseSizes("--threads", request.threads, groups.threads);
    if (grouped)
      parseSizes("--groups", request.groups, groups.groups);
    else if (request.threads.find('x') == std::string::npos || groups.threads[2] != 1)
      throw pocm::Error("--threads " + request.threads + ": write WIDTHxHEIGHT, both at least 1, such as 160x360");
    if (!request.thread.empty())
      parseThread(request.thread);
  }
  /// --thread X,Y.
  void parseThread(const std::string &text) {
    std::uint32_t x = 0, y = 0;
    auto [comma, first] = std::from_chars(text.data(), text.data() + text.size(), x);
    const char *end = text.data() + text.size();
    if (first != std::errc() || comma == end || *comma != ',')
      throw pocm::Error("--thread " + text + ": write X,Y, such as 3,0");
    auto [rest, second] = std::from_chars(comma + 1, end, y);
    if (second != std::errc() || rest != end)
      throw pocm::Error("--thread " + text + ": write X,Y, such as 3,0");
    if (grouped)
      throw pocm::Error("--thread " + text + ": threads of a group run together; take --groups 1 instead");
    if (x >= groups.threads[0] || y >= groups.threads[1])
      throw pocm::Error(fmt::format("--thread {}: the thread space has {}x{} threads, from 0,0 on", text,
                                    groups.threads[0], groups.threads[1]));
    one = {x, y};
  }
  pocm::Event launch(pocm::Device &device, const pocm::Kernel &kernel) const {
    if (one)
      return device.enqueueThread(kernel, one->first, one->second);
    return grouped ? device.enqueueGroups(kernel, groups)
                   : device.enqueue(kernel, {groups.threads[0], groups.threads[1]});
  }
  /// What host threads take one by one.
  std::uint64_t pieces() const {
    const auto &[g, t] = groups;
    return grouped ? std::uint64_t(g[0]) * g[1] * g[2] : std::uint64_t(t[0]) * t[1];
  }
  std::string text() const {
    const auto &[g, t] = groups;
    return grouped ? fmt::format("{}x{}x{} groups of {}x{}x{} threads", g[0], g[1], g[2], t[0], t[1], t[2])
                   : fmt::format("{}x{} threads", t[0], t[1]);
  }
};

bool isSource(const std::string &path) {
  for (const char *ending : {".cpp", ".cxx", ".cc", ".cm", ".c"})
    if (path.ends_with(ending))
      return true;
  return false;
}

/// The device's name without its variant and options.
std::string deviceOf(const Request &request) { return request.device.substr(0, request.device.find(':')); }
/// Whether mistakes are looked for, and named by their lines.
bool checks(const Request &request) { return deviceOf(request) == "check"; }

/// What sources are compiled for: a simulated GPU's own target, so that they see its macros, limits and features.
/// A variant that is none is the device's to refuse.
std::string targetOf(const Request &request) {
  const std::string device = deviceOf(request);
  if (device != "gensim" || device == request.device)
    return "cpu";
  std::string variant = request.device.substr(device.size() + 1);
  variant = variant.substr(0, variant.find(','));
  return pocm::isTarget(variant) ? variant : "cpu";
}

std::vector<std::uint8_t> programFile(const Request &request) {
  std::ifstream file(request.file, std::ios::binary);
  if (!file)
    throw pocm::Error(fmt::format("cannot read '{}': {}", request.file, std::strerror(errno)));
  if (!isSource(request.file))
    return argument::readFile(request.file);
  pocm::CompileOptions options;
  options.file = request.file;
  options.target = targetOf(request);
  options.defines = request.defines;
  options.includes = request.includes;
  options.optimization = request.optimization;
  options.assertions = request.debug;
  options.debugInfo =
      request.debug || request.profile || checks(request) || !request.report.empty() || !request.remarks.empty();
  options.keepUnwritten = checks(request);
  options.color = isatty(STDERR_FILENO);
  pocm::CompileResult result = pocm::compile(options);
  std::fputs(result.diagnostics.c_str(), stderr);
  if (!result.ok)
    throw Mistakes{};
  return result.program;
}

/// --spec ID=VALUE.
std::map<unsigned, std::string> constants(const Request &request) {
  std::map<unsigned, std::string> values;
  for (const std::string &text : request.constants) {
    unsigned id = 0;
    auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (problem != std::errc() || *rest != '=')
      throw pocm::Error("--spec " + text + ": write ID=VALUE, such as 7=16");
    values[id] = rest + 1;
  }
  return values;
}

pocm::Program loadProgram(const Request &request) {
  std::vector<std::uint8_t> file = programFile(request);
  try {
    return pocm::Program::load(file).specialized(constants(request));
  } catch (const pocm::Error &problem) {
    throw pocm::Error("'" + request.file + "': " + problem.what());
  }
}

/// --report: what the kernel's code is like.
void reportCode(const Request &request, const pocm::Program &program) {
  if (deviceOf(request) != "cpu")
    throw pocm::Error("--report is of the cpu device's code; cmc -march=TARGET --report has that of Gen code");
  std::string text = asText(pocm::cpuReport(program, request.kernel, request.cpu));
  std::FILE *file = request.report == "-" ? stdout : std::fopen(request.report.c_str(), "w");
  bool ok = file && std::fputs(text.c_str(), file) >= 0;
  ok = file && (file == stdout ? std::fflush(file) : std::fclose(file)) == 0 && ok;
  if (!ok)
    throw pocm::Error("cannot write '" + request.report + "'");
}

/// -Rcm: what costs time in the kernel's code, and in a launch that leaves host threads without work.
void printRemarks(const Request &request, const Shape &shape, const pocm::Program &program) {
  if (deviceOf(request) != "cpu")
    throw pocm::Error("-Rcm is of the cpu device's code; cmc -march=TARGET -Rcm has that of Gen code");
  std::vector<pocm::GenRemark> all = pocm::cpuReport(program, request.kernel, request.cpu).remarks;
  const std::uint64_t hosts = pocm::hostThreads(request.jobs);
  if (const std::uint64_t pieces = shape.pieces(); pieces < hosts && !shape.one)
    all.push_back(
        {"", 0,
         fmt::format("a launch of {}, and {} host threads: give each {} less to do, so that there are more of "
                     "them, four for each host thread at least",
                     shape.text(), hosts, shape.grouped ? "group" : "thread")});
  std::fputs(asRemarks(all, request.kernel).c_str(), stderr);
}

std::string describe(const pocm::KernelSignature &kernel) {
  std::string text;
  for (const pocm::Parameter &p : kernel.parameters)
    text += (text.empty() ? "" : ", ") + p.element + (p.count > 1 ? fmt::format(" x {}", p.count) : "");
  return text.empty() ? "none" : text;
}

void report(const Request &request, const Shape &shape, std::vector<std::uint64_t> times, cmrun::Profiled *profiled) {
  std::sort(times.begin(), times.end());
  double median = double(times[times.size() / 2]) / 1e6, least = double(times.front()) / 1e6;
  if (request.time)
    fmt::print("{}: {}, median {:.3f} ms, least {:.3f} ms of {} runs\n", request.kernel, shape.text(), median, least,
               times.size());
  if (profiled) {
    profiled->seconds = double(std::max<std::uint64_t>(1, times[times.size() / 2])) / 1e9;
    fmt::print("profile of {}: {}, median {:.3f} ms of {} runs\n{}", request.kernel, shape.text(), median, times.size(),
               textOf(*profiled));
  }
  if (request.json.empty())
    return;
  nlohmann::json json{{"kernel", request.kernel},  {"device", request.device}, {"threads", shape.groups.threads},
                      {"nanoseconds", times},      {"median_ms", median},      {"min_ms", least},
                      {"version", pocm::version()}};
  if (shape.grouped)
    json["groups"] = shape.groups.groups;
  if (profiled)
    json["profile"] = jsonOf(*profiled);
  std::ofstream file(request.json);
  if (!(file << json.dump(2) << "\n").flush())
    throw pocm::Error("cannot write '" + request.json + "'");
}

/// While it lives, Ctrl-C ends the launch rather than the process: what was printed is shown, and files stay whole.
/// Once more, and the process ends as usual.
class Interruption {
public:
  explicit Interruption(const pocm::Event &event)
      : watcher([this, event] {
          while (wanted.wait(0), !stop)
            if (wanted.exchange(0) == asked)
              event.end("interrupted");
        }) {
    current = this;
    struct sigaction mine = {};
    mine.sa_handler = [](int) {
      current->wanted = asked;
      current->wanted.notify_one();
    };
    mine.sa_flags = int(SA_RESETHAND);
    sigaction(SIGINT, &mine, &before);
  }
  ~Interruption() {
    sigaction(SIGINT, &before, nullptr);
    stop = true;
    wanted = done;
    wanted.notify_one();
    watcher.join();
  }

private:
  enum : int { asked = 1, done = 2 };
  static inline Interruption *current = nullptr;
  std::atomic<int> wanted = 0;
  std::atomic<bool> stop = false;
  struct sigaction before = {};
  std::thread watcher;
};

using Arguments = std::vector<std::unique_ptr<cmrun::KernelArgument>>;

/// One launch on a device, with arguments of its own, until it is done.
void launchOnce(pocm::Device &device, const Request &request, const Shape &shape, const pocm::Program &program,
                Arguments &arguments) {
  pocm::Kernel kernel = device.createKernel(program, request.kernel);
  for (auto &argument : arguments)
    argument->bind(device, kernel);
  pocm::Event event = shape.launch(device, kernel);
  Interruption interruption(event);
  event.wait();
}

/// --orders: runs with threads one by one in several orders, and says where the first results differ.
void compareOrders(const Request &request, const Shape &shape, const pocm::Program &program, Arguments &arguments) {
  std::vector<std::optional<std::vector<std::uint8_t>>> serial;
  bool same = true;
  for (const char *order : {"serial", "reverse", "random:1", "random:2"}) {
    pocm::Device device = pocm::Device::open(request.device, {request.jobs, request.cpu, order, request.timeout});
    launchOnce(device, request, shape, program, arguments);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      auto now = arguments[i]->contents();
      if (std::string_view(order) == "serial") {
        serial.push_back(std::move(now));
      } else if (now) {
        cmrun::Comparison found = cmrun::compare(*now, *serial[i], "uchar");
        if (found.different)
          fmt::print("{}: argument {} is another than in order serial: {}\n", order, i, textOf(found));
        same = same && !found.different;
      }
    }
  }
  if (!same)
    throw Mistakes{};
  fmt::print("{}: the same results in orders serial, reverse, random:1, random:2\n", request.kernel);
}

/// What one launch moves and computes, with arguments of its own.
pocm::Work countWork(const Request &request, const Shape &shape, const pocm::Program &program, Arguments &arguments) {
  pocm::Device device = pocm::Device::open("check:count", {1, request.cpu, "", request.timeout});
  launchOnce(device, request, shape, program, arguments);
  return workOf(device);
}

/// How often to run: as asked, or for a profile until a second of CPU time since `begin` has given samples, however
/// busy the machine is.
bool isEnough(const Request &request, std::size_t done, std::clock_t begin) {
  constexpr std::size_t most = 100'000;
  if (request.time || !request.profile)
    return done >= std::max(1u, request.time);
  return done >= most || (done && std::clock() - begin >= CLOCKS_PER_SEC);
}

void run(const Request &request) {
  Shape shape(request);
  if (request.profile && deviceOf(request) != "cpu")
    throw pocm::Error("--profile is of the cpu device; gensim has its own (docs/gensim-timing.md)");
  pocm::Program program = loadProgram(request);
  const pocm::KernelSignature &signature = program.kernel(request.kernel);
  if (request.arguments.size() != signature.parameters.size())
    throw pocm::Error(fmt::format("kernel '{}' takes {} argument{} ({}), not {}: give one --arg for each",
                                  signature.name, signature.parameters.size(),
                                  signature.parameters.size() == 1 ? "" : "s", describe(signature),
                                  request.arguments.size()));
  if (!request.report.empty())
    reportCode(request, program);
  if (!request.remarks.empty())
    printRemarks(request, shape, program);
  Arguments arguments;
  for (unsigned i = 0; i < request.arguments.size(); ++i)
    arguments.push_back(cmrun::KernelArgument::parse(request.arguments[i], i, signature));
  if (request.orders)
    compareOrders(request, shape, program, arguments);
  cmrun::Profiled profiled;
  if (request.profile)
    profiled.work = countWork(request, shape, program, arguments);
  pocm::Device device = pocm::Device::open(request.device, {request.jobs, request.cpu, "", request.timeout, true});
  pocm::Kernel kernel = device.createKernel(program, request.kernel);
  for (auto &argument : arguments)
    argument->bind(device, kernel);
  if (request.profile)
    startProfile(device, kernel);
  std::vector<std::uint64_t> times;
  const unsigned runs = std::max(1u, request.time);
  std::mutex lock; // guards `current`, which the progress bar asks
  std::optional<pocm::Event> current;
  std::atomic<unsigned> finished = 0;
  std::optional<cmrun::ProgressBar> bar(std::in_place, [&] {
    std::lock_guard guard(lock);
    return (finished + (current ? current->progress() : 0)) / runs;
  });
  const std::clock_t begin = std::clock();
  while (!isEnough(request, times.size(), begin)) {
    pocm::Event event = shape.launch(device, kernel);
    {
      std::lock_guard guard(lock);
      finished = unsigned(std::min<std::size_t>(times.size(), runs - 1));
      current = event;
    }
    Interruption interruption(event);
    try {
      event.wait();
    } catch (const pocm::Error &problem) {
      const auto found = device.findings();
      if (found.empty())
        throw;
      // It is the finding where that ends the launch, and where threads wait at a barrier for others.
      const bool said = (request.device + ",").starts_with("check:stop,") ||
                        (std::string_view(problem.what()).find("wait at the barrier") != std::string_view::npos &&
                         std::any_of(found.begin(), found.end(), [](auto &f) { return f.kind == "barrier"; }));
      if (!said)
        fmt::print(stderr, "cmrun: error: {}\n", problem.what());
      throw Mistakes{};
    }
    times.push_back(event.nanoseconds());
  }
  bar.reset();
  if (request.profile) {
    profiled.time = endProfile(device);
    profiled.limits = cmrun::measureLimits({request.jobs, request.cpu});
  }
  for (auto &argument : arguments)
    argument->store();
  report(request, shape, std::move(times), request.profile ? &profiled : nullptr);
  if (!request.html.empty())
    writePage(request.html, profiled,
              fmt::format("{}, {} samples of CPU time", shape.text(), profiled.time.samples + profiled.time.elsewhere),
              pocm::cpuReport(program, request.kernel, request.cpu));
  bool right = device.findings().empty();
  for (auto &argument : arguments)
    right &= argument->compare();
  if (!right)
    throw Mistakes{};
}

/// --check and --check-json are of the check device.
void chooseChecks(Request &request, bool deviceIsGiven) {
  const char *option = !request.check.empty() ? "--check" : !request.checkJson.empty() ? "--check-json" : nullptr;
  if (!option)
    return;
  const bool checks = deviceOf(request) == "check";
  if (deviceIsGiven && (!checks || (!request.check.empty() && request.device != "check")))
    throw pocm::Error(fmt::format("{} runs the kernel on the check device, not on '{}': leave out one of both", option,
                                  request.device));
  if (!request.check.empty() || !checks)
    request.device = request.check.empty() || request.check == "report" ? "check" : "check:" + request.check;
  if (!request.checkJson.empty())
    setenv("POCM_CHECK_JSON", request.checkJson.c_str(), 1);
}

} // namespace

int main(int argc, char **argv) {
  Request request;
  CLI::App app{"Launches a CM kernel without a host program.", "cmrun"};
  app.add_option("file", request.file, "kernel source (.cpp) or program (.isa)")->required();
  app.add_option("kernel", request.kernel, "name of the kernel")->required();
  app.add_option("--threads", request.threads,
                 "thread space, WIDTHxHEIGHT; with --groups, threads of a group, X[xY[xZ]]")
      ->required();
  app.add_option("--groups", request.groups, "launch thread groups, X[xY[xZ]] of them");
  app.add_option("--thread", request.thread, "run the thread X,Y of the thread space only, to debug it");
  app.add_option("--arg", request.arguments,
                 "one for each kernel parameter, in order, each after an --arg of its own (see below)")
      ->allow_extra_args(false)
      ->option_text("VALUE");
  CLI::Option *device = app.add_option("--device", request.device,
                                       fmt::format("where to run: {}", fmt::join(pocm::Device::names(), ", ")))
                            ->capture_default_str();
  app.add_option("--cpu", request.cpu, "generate code for the CPU of this LLVM name (x86-64, haswell, ...)");
  app.add_option("--jobs", request.jobs, "host threads to use (default: one per core)")->check(CLI::Range(1, 1024));
  app.add_option("--time", request.time, "run N times and print the median")->check(CLI::Range(1, 1000000));
  app.add_option("--timeout", request.timeout,
                 "end the launch when it has run for so many seconds (default: POCM_TIMEOUT, else never)")
      ->check(CLI::Range(0.001, 1e9));
  app.add_option("--json", request.json, "write times and sizes to a file, and the profile");
  app.add_option("--check", request.check,
                 "look for mistakes of the kernel (--device check) and report them all, stop at the first, or sum up "
                 "which results are left unwritten, too")
      ->expected(0, 1)
      ->default_str("report")
      ->check(CLI::IsMember({"report", "stop", "summary"}));
  app.add_option("--check-json", request.checkJson, "write what --check finds to a file");
  app.add_option(
         "--report", request.report,
         "first write what the kernel's code is like to a file (default: standard output): where variables live "
         "and why, what costs time, spills, the source beside the code of loops")
      ->expected(0, 1)
      ->default_str("-");
  app.add_option(
         "-R", request.remarks,
         "-Rcm: remarks with lines and the way out: what costs time in loops of the kernel's code, and launches of "
         "fewer threads than the machine runs at once (cpu device)")
      ->check(CLI::IsMember({"cm"}));
  CLI::Option *profile = app.add_flag(
      "--profile", request.profile,
      "print where the kernel's time goes, line by line, what a launch moves and computes, and how far that is "
      "from what this machine can (cpu device); runs for a second of CPU time, or as often as --time says");
  app.add_option("--html", request.html,
                 "write the profile to a page, too: bytes of surfaces, a roofline, the source with each line's time "
                 "beside its code")
      ->needs(profile);
  app.add_flag("--orders", request.orders,
               "first run threads one by one in several orders, and say where results differ");
  app.add_option("--spec", request.constants, "value of a specialisation constant")
      ->allow_extra_args(false)
      ->option_text("ID=VALUE");
  app.add_option("-D", request.defines, "define a macro")->allow_extra_args(false)->option_text("NAME[=VALUE]");
  app.add_option("-I", request.includes, "search a folder for includes")
      ->allow_extra_args(false)
      ->option_text("FOLDER");
  app.add_flag("-g", request.debug, "keep debug information, and let cm_assert count");
  app.add_option("-O", request.optimization, "optimization level, 0 to 3")->check(CLI::Range(0, 3));
  app.set_version_flag("--version", std::string("cmrun (PoCM) ") + pocm::version());
  app.footer(R"(Arguments:
  int:42, float:0.5,1,2         a scalar or vector of any CM type
  buffer:in=FILE,out=FILE       a buffer with a file's bytes, written back afterwards
  buffer:zero=BYTES,out=FILE    a buffer of zeros; for a pointer or an svmptr_t, the buffer's address
  buffer:...,compare=FILE[,as=float]   raw bytes that it should hold afterwards (exit status 1: it does not); images too
  image:in=photo.png,out=x.png  a photograph's packed RGB rows in an A8R8G8B8 surface of 3/4 its width
  image:in=FILE,width=W,height=H,format=F,out=FILE   raw pixels of a format, such as A8R8G8B8; of NV12, P010, P016,
                                YV12 and I420 all planes, one behind the other
  image:zero,width=W,height=H[,format=F],out=FILE    a surface of zeros; without a format it is one for packed RGB, as
                                for a photograph: 4-byte pixels, 3/4 of W of them in a row, rounded up
  sampler:linear,wrap           a sampler: nearest or linear; wrap, mirror, clamp, border or mirroronce)");
  if (std::optional<int> status = parsed(app, argc, argv, "each argument of the kernel takes an --arg of its own"))
    return *status;
  try {
    if (std::isnan(request.timeout))
      throw pocm::Error("--timeout: write a number of seconds");
    chooseChecks(request, device->count() > 0);
    run(request);
    return 0;
  } catch (const Mistakes &) {
    return 1;
  } catch (const std::exception &problem) {
    fmt::print(stderr, "cmrun: error: {}\n", problem.what());
    return 2;
  }
}
