//===- CheckDevice.cpp - Kernels on the CPU, and what they do wrong ----------------===//
//
// "check" runs kernels as the cpu device does, with calls in their CM IR that look at what
// they do (Instrument.cpp, Checker.cpp). What is wrong is printed after each launch on
// standard error, and given by findings().
//
//     check:stop             the launch fails at the first mistake
//     check:summary          says what a launch leaves unwritten of its results, too
//     check:count            counts what launches read, write and compute, and looks for nothing
//     json=FILE              findings go there too, as JSON, or to the file that POCM_CHECK_JSON names
//
//===----------------------------------------------------------------------===//
#include "devices/check/Checker.h"
#include "devices/check/Instrument.h"
#include "devices/check/Report.h"
#include "devices/cpu/CpuDevice.h"
#include "devices/cpu/Guard.h"
#include "program/DiskCache.h"
#include <algorithm>
#include <cstring>
#include <mutex>

namespace pocm::runtime {
namespace {

/// The kernel with a parameter for the launch's Checker.
KernelSignature withChecker(KernelSignature kernel) {
  kernel.parameters.push_back({ParameterKind::General, "ulonglong", 1, 8});
  return kernel;
}

struct CheckCode : Code {
  CheckCode(std::shared_ptr<const Code> of, const KernelSignature &signature)
      : code(std::move(of)), signature(signature), layout(code->arguments()), checkerPlace(layout.offsets.back()) {
    layout.offsets.pop_back();
  }
  std::string_view name() const override { return code->name(); }
  const ArgumentLayout &arguments() const override { return layout; }
  bool prints() const override { return code->prints(); }
  std::shared_ptr<const Code> code;
  KernelSignature signature;
  ArgumentLayout layout;
  std::uint32_t checkerPlace; ///< Behind the arguments, of the checker's address.
};

class CheckDevice : public Device {
public:
  explicit CheckDevice(const Opening &how)
      : stops(how.variant == "stop"), sums(how.variant == "summary"), counts(how.variant == "count"),
        jsonFile(how.text("json", "POCM_CHECK_JSON")),
        cpu(cpu::openWith(alone(how),
                          {counts ? check::instrumentToCount : check::instrument, counts ? "counted" : "checked",
                           check::Checker::helpers(), counts ? "|count" : "|check"})) {
    listAddresses();
  }

  std::shared_ptr<const Code> load(const SharedProgram &program, const KernelSignature &kernel) override {
    return std::make_shared<CheckCode>(cpu->load(program, withChecker(kernel)), kernel);
  }
  std::uint32_t surfaceSlots() const override { return cpu->surfaceSlots(); }
  void run(const Launch &launch, const std::atomic<bool> &ended) override;
  void interrupt(const std::atomic<bool> &ended) override { cpu->interrupt(ended); }
  void runHostWork(const std::function<void()> &work, bool brief) override { cpu->runHostWork(work, brief); }
  std::vector<Finding> findings() const override {
    std::lock_guard guard(lock);
    return all;
  }
  Work work() const override {
    std::lock_guard guard(lock);
    return done;
  }

private:
  /// Threads run one after the other, so that nothing they note needs a lock.
  static Opening alone(Opening how) {
    how.threads = 1;
    return how;
  }
  void report(std::vector<Finding> found);

  void add(const Work &more);

  /// Histories for one launch, given back at its end.
  struct Borrowed {
    explicit Borrowed(CheckDevice &of) : device(of) {
      std::lock_guard guard(device.lock);
      if (!device.idle.empty()) {
        mine = std::move(device.idle.back());
        device.idle.pop_back();
      }
      if (!mine || mine->isWorn())
        mine = std::make_unique<check::Histories>();
    }
    ~Borrowed() {
      std::lock_guard guard(device.lock);
      device.idle.push_back(std::move(mine));
    }
    CheckDevice &device;
    std::unique_ptr<check::Histories> mine;
  };

  const bool stops, sums, counts;
  const std::string jsonFile;
  std::unique_ptr<Device> cpu;
  mutable std::mutex lock; // guards what follows
  std::vector<Finding> all;
  bool hasJson = false;
  Work done;
  std::vector<std::unique_ptr<check::Histories>> idle;
};

void CheckDevice::run(const Launch &launch, const std::atomic<bool> &ended) {
  const auto &code = static_cast<const CheckCode &>(*launch.code);
  Borrowed histories(*this);
  auto checker = std::make_unique<check::Checker>(
      launch, code.signature, code.layout.offsets, *histories.mine,
      stops ? std::function<void()>([] { cpu::HostThread::mine().giveUp(); }) : nullptr,
      counts ? check::Purpose::Count
      : sums ? check::Purpose::SumUp
             : check::Purpose::Find);
  Launch checked = launch;
  checked.code = code.code;
  auto address = std::uint64_t(reinterpret_cast<std::uintptr_t>(checker.get()));
  auto give = [&](std::uint8_t *block) { std::memcpy(block + code.checkerPlace, &address, sizeof(address)); };
  auto bindings = std::make_shared<Bindings>(*launch.bindings);
  give(bindings->block.data());
  checked.bindings = std::move(bindings);
  if (launch.blocks) {
    auto blocks = std::make_shared<ThreadBlocks>(*launch.blocks);
    for (std::size_t n = 0; n < blocks->count(); ++n)
      give(blocks->at(n));
    checked.blocks = std::move(blocks);
  }
  try {
    cpu->run(checked, ended);
  } catch (...) {
    if (!ended)
      checker->gaveUp();
    std::vector<Finding> found = checker->findings();
    report(found);
    if (stops && !found.empty())
      throw Error(found.front().message);
    throw;
  }
  report(checker->findings());
  if (counts)
    add(checker->work());
  if (sums)
    check::print(checker->summary());
}

void CheckDevice::add(const Work &more) {
  std::lock_guard guard(lock);
  for (const SurfaceWork &s : more.surfaces) {
    auto same = std::find_if(done.surfaces.begin(), done.surfaces.end(),
                             [&](const SurfaceWork &known) { return known.surface == s.surface; });
    if (same == done.surfaces.end()) {
      done.surfaces.push_back(s);
      continue;
    }
    same->bytesRead += s.bytesRead, same->bytesWritten += s.bytesWritten;
    same->elementsRead += s.elementsRead, same->elementsWritten += s.elementsWritten;
  }
  done.operations += more.operations;
  done.launches += more.launches;
}

void CheckDevice::report(std::vector<Finding> found) {
  std::lock_guard guard(lock);
  if (found.empty() && (jsonFile.empty() || hasJson))
    return;
  hasJson = true; // without findings, too: readers look for the file
  check::print(found);
  all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  if (!jsonFile.empty())
    check::writeJson(all, jsonFile);
}

} // namespace

std::unique_ptr<Device> openCheckDevice(const Opening &how) {
  how.allow({"stop", "summary", "count"}, {"cpu", "order", "json"});
  return std::make_unique<CheckDevice>(how);
}

} // namespace pocm::runtime
