//===- operations.cpp - Every operation of the language beside the same loop in C++ -----------===//
//
//     bench-operations [--above RATIO] [--cpu NAME] [--device NAME] [--check] [OPERATION ...]
//
// Each row of Operations.def is a kernel of one thread and a loop of plain_operations.cpp, on the same
// elements in the L1 cache. Results are compared first. Prints the time of 16 elements of each and their
// ratio; what stands out has no good code. --check compares only.
//
//===----------------------------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Harness.h"
#include "Programs.h"
#include "plain_operations.h"
#include "pocm/pocm.h"
#include <cmath>
#include <cstring>
#include <optional>
#include <random>

namespace {

using half = _Float16;

/// Elements that a row begins with: integers of all values, floats between 1/2 and 4.
std::vector<std::uint8_t> elements(Element e, unsigned seed) {
  std::vector<std::uint8_t> bytes(std::size_t(plainCount) * 2 * 8);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(0.5, 4);
  auto fill = [&](auto make) {
    for (std::size_t i = 0; i < bytes.size() / sizeof(make()); ++i) {
      auto v = make();
      std::memcpy(&bytes[i * sizeof v], &v, sizeof v);
    }
  };
  switch (e) {
  case Element::Half:
    fill([&] { return half(value(random)); });
    break;
  case Element::Float:
    fill([&] { return float(value(random)); });
    break;
  case Element::Double:
    fill([&] { return value(random); });
    break;
  default:
    fill([&] { return random(); });
  }
  return bytes;
}

/// Integers are equal; floats differ by the steps of a sum or a function at most.
bool same(Element e, const std::vector<std::uint8_t> &mine, const std::vector<std::uint8_t> &theirs) {
  auto close = [&](auto type, double tolerance) {
    for (std::size_t i = 0; i + sizeof type <= mine.size(); i += sizeof type) {
      decltype(type) a, b;
      std::memcpy(&a, &mine[i], sizeof a);
      std::memcpy(&b, &theirs[i], sizeof b);
      if (!(std::fabs(double(a) - double(b)) <= tolerance * std::max(1.0, std::fabs(double(b)))) && !(a == b))
        return false;
    }
    return true;
  };
  switch (e) {
  case Element::Half:
    return close(half(), 1e-2);
  case Element::Float:
    return close(float(), 1e-3);
  case Element::Double:
    return close(double(), 1e-9);
  default:
    return mine == theirs;
  }
}

class Row {
  const Operation &operation;
  std::vector<std::uint8_t> x, y, out;
  pocm::Device device;
  pocm::Kernel kernel;
  pocm::Buffer results;

public:
  Row(pocm::Device d, const pocm::Program &program, const Operation &o)
      : operation(o), x(elements(o.first, 1)), y(elements(o.second, 2)), out(std::size_t(plainCount) * 2 * 8),
        device(d), kernel(device.createKernel(program, o.name)), results(device.createBuffer(out.size())) {
    unsigned at = 0;
    for (const auto *bytes : {&x, &y}) {
      pocm::Buffer b = device.createBuffer(bytes->size());
      b.write(bytes->data(), bytes->size());
      kernel.setArgument(at++, b);
    }
    kernel.setArgument(at, results);
  }
  void run(int rounds) {
    kernel.setArgument(3, &rounds, sizeof rounds);
    device.enqueue(kernel, {1, 1}).wait();
  }
  void plain(int rounds) { operation.plain(x.data(), y.data(), out.data(), rounds); }
  bool correct() {
    run(1);
    plain(1);
    std::vector<std::uint8_t> mine(out.size());
    results.read(mine.data(), mine.size());
    return same(operation.result, mine, out);
  }
};

} // namespace

int main(int argc, char **argv) try {
  CLI::App app{"Times each operation of the language beside the same loop in C++.", "bench-operations"};
  double above = 0;
  std::string cpu, name = "cpu";
  bool check = false;
  std::vector<std::string> names;
  app.add_option("--above", above, "Print those alone whose ratio to the loop is larger");
  app.add_option("--cpu", cpu, "Make code for this CPU instead of the machine's own: znver3, x86-64 ...");
  app.add_option("--device", name, "The device")->capture_default_str();
  app.add_flag("--check", check, "Compare results, time nothing");
  app.add_option("OPERATION", names, "Names of operations, or what they begin with; all");
  if (std::optional<int> status = parsed(app, argc, argv))
    return *status;

  pocm::Device device = pocm::Device::open(name, {1, cpu});
  pocm::CompileOptions options;
  options.file = POCM_SOURCE_DIR "/bench/operations/kernels.cpp";
  options.defines = {"COUNT=" + std::to_string(plainCount)};
  pocm::Program program = bench::compiled(options);
  int wrong = 0, refused = 0, count = 0;
  double logs = 0;
  if (!check)
    std::printf("%-24s %10s %10s %7s\n", "ns for 16 elements", "PoCM", "C++", "ratio");
  for (const Operation &o : operations()) {
    if (!names.empty() && std::none_of(names.begin(), names.end(),
                                       [&](const std::string &n) { return std::string_view(o.name).starts_with(n); }))
      continue;
    ++count;
    std::optional<Row> row;
    try {
      row.emplace(device, program, o);
    } catch (const pocm::Error &problem) {
      std::printf("%-24s refused: %s\n", o.name, problem.what());
      ++refused;
      continue;
    }
    if (!row->correct()) {
      std::printf("%-24s wrong\n", o.name);
      ++wrong;
      continue;
    }
    if (check)
      continue;
    constexpr int times = 7, elements = 1 << 18;
    constexpr int rounds = elements / plainCount;
    double mine = 1e9, theirs = 1e9; // the least, which other work on the machine changes less
    for (int i = 0; i < times; ++i) {
      mine = std::min(mine, bench::milliseconds([&] { row->run(rounds); }));
      theirs = std::min(theirs, bench::milliseconds([&] { row->plain(rounds); }));
    }
    logs += std::log(mine / theirs);
    if (mine / theirs > above)
      std::printf("%-24s %10.2f %10.2f %7.2f\n", o.name, mine * 1e6 * 16 / elements, theirs * 1e6 * 16 / elements,
                  mine / theirs);
    std::fflush(stdout);
  }
  std::printf("%d operations, %d wrong, %d refused", count, wrong, refused);
  if (int timed = count - wrong - refused; !check && timed)
    std::printf(", geometric mean %.2f", std::exp(logs / timed));
  std::printf("\n");
  return wrong ? 1 : 0;
} catch (const std::exception &problem) {
  std::fprintf(stderr, "bench-operations: %s\n", problem.what());
  return 2;
}
