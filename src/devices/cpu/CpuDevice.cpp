//===- CpuDevice.cpp - Kernels as native code on this machine -------------------===//
//
// The simplest device, to be read in one sitting. load() finds or makes machine code for
// a kernel (disk cache, code generator, JIT linker). run() builds the table of surfaces,
// lets the thread pool walk the thread space, or the row of groups, in as many parts as pay.
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/CpuDevice.h"
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/CodeGen.h"
#include "devices/cpu/CacheSize.h"
#include "devices/cpu/CodeCache.h"
#include "devices/cpu/FaultLines.h"
#include "devices/cpu/Flush.h"
#include "devices/cpu/Groups.h"
#include "devices/cpu/Guard.h"
#include "devices/cpu/Jit.h"
#include "devices/cpu/LaunchViews.h"
#include "devices/cpu/Schedule.h"
#include "devices/cpu/ThreadPool.h"
#include "devices/cpu/TimeSampler.h"
#include "pocm/report.h"
#include "program/Compiling.h"
#include "program/Container.h"
#include "program/OwnProcess.h"
#include "runtime/Cores.h"
#include "runtime/Device.h"
#include "runtime/Fiber.h"
#include <cstdlib>
#include <map>
#include <span>
#include <unistd.h>

namespace pocm::runtime {
namespace {

/// As the walker finds them.
ArgumentLayout layoutOf(const KernelSignature &kernel) {
  ArgumentLayout layout;
  for (const Parameter &p : kernel.parameters) {
    layout.offsets.push_back(layout.bytes);
    layout.bytes = cpu::alignArgument(layout.bytes + p.bytes);
  }
  constexpr unsigned vectorLoad = 64; // a vector argument may be loaded with more lanes than it has
  layout.bytes += vectorLoad;
  return layout;
}

struct CpuCode : Code {
  CpuCode(cpu::Jit::Linked linked, const KernelSignature &signature, const std::vector<char> &object)
      : walk(linked.walk), info(*linked.info), kernel(signature.name), layout(layoutOf(signature)), lines(object),
        range(lines.range(reinterpret_cast<std::uintptr_t>(walk))) {}
  std::string_view name() const override { return kernel; }
  const ArgumentLayout &arguments() const override { return layout; }
  bool prints() const override { return info.prints; }
  bool endsSoon() const override { return info.endsSoon; }
  bool reachesByAddress() const override { return info.byAddress; }
  cpu::Walk walk;
  cpu::KernelInfo info;
  std::string kernel;
  ArgumentLayout layout;
  cpu::FaultLines lines;
  cpu::CodeRange range;
  mutable cpu::Cost threadCost, groupCost; ///< What launches have taken.
};

using program::environment;

/// A launch that runs: what host threads need of it. They have copies, with a copy of the arguments, where those are
/// few.
class Job {
public:
  Job(const Launch &launch, const SurfaceView *table, const std::atomic<bool> &ended)
      : code(static_cast<const CpuCode &>(*launch.code)), table(table), ended(ended), progress(launch.progress.get()),
        block(launch.bindings->block.size() <= sizeof(few) ? nullptr : launch.bindings->block.data()) {
    if (!block)
      std::ranges::copy(launch.bindings->block, few);
  }
  const void *arguments() const { return block ? block : few; }

  const CpuCode &code;
  const SurfaceView *const table;
  const std::atomic<bool> &ended;
  Progress *const progress;

private:
  const std::uint8_t *const block;
  std::uint8_t few[128];
};

/// Where a thread was when it came to no good end.
std::string placeOf(const CpuCode &code, const cpu::Group &group) {
  std::string place =
      "kernel '" + code.kernel + "', thread (" + std::to_string(group.x) + ", " + std::to_string(group.y) + ")";
  if (code.info.byGroups)
    place += " of group (" + std::to_string(group.groupId[0]) + ", " + std::to_string(group.groupId[1]) + ", " +
             std::to_string(group.groupId[2]) + ")";
  return place;
}

/// Calls compiled code; false when a group cannot finish. Throws Error when it faults or is ended. UBSan's check of
/// function types would look for a mark in front of the function that JIT compiled code does not have.
__attribute__((no_sanitize("function"))) bool callWalk(const Job &job, const void *arguments, cpu::Group &group,
                                                       const Rectangle &r) {
  if (job.ended.load(std::memory_order_relaxed))
    throw Error("kernel '" + job.code.kernel + "' was ended");
  cpu::FloatMode mode(job.code.info.floatControl);
  cpu::HostThread &here = cpu::HostThread::now(); // the walk before this one may have come back in another
  cpu::Entry entry(job.ended, job.code.range);
  if (POCM_COMES_HOME(entry.home)) {
    const cpu::Fault fault = entry.fault();
    const auto walk = reinterpret_cast<std::uintptr_t>(job.code.walk);
    std::string line = job.code.lines.at(fault.pc, walk);
    for (std::uintptr_t caller : fault.callers) // of a helper, which the kernel called just before it goes on
      if (line.empty() && caller)
        line = job.code.lines.at(caller - 1, walk);
    throw Error((line.empty() ? "" : line + ": ") + placeOf(job.code, group) + " " + fault.text());
  }
  cpu::TimeSampler::here();
  here.enter(entry); // on a fiber, another host thread may go on
  bool finished = job.code.walk(arguments, job.table, &group, r.x0, r.x1, r.y0, r.y1) == 0;
  cpu::HostThread::now().leave();
  if (job.progress) {
    const auto &size = group.localSize;
    job.progress->done +=
        job.code.info.byGroups ? std::uint64_t(r.x1 - r.x0) * size[0] * size[1] * size[2] : r.threads();
  }
  return finished;
}

/// The first of the problems that host threads meet.
class Problems {
public:
  /// Whether there is one: what has not begun need not.
  bool any() const { return some.load(std::memory_order_relaxed); }
  void add(const std::string &text) {
    std::lock_guard guard(lock);
    if (first.empty())
      first = text;
    some = true;
  }
  /// Throws Error with the first one.
  void report() const {
    if (!first.empty())
      throw Error(first);
  }

private:
  std::atomic<bool> some = false;
  std::mutex lock;
  std::string first;
};

cpu::Target targetFor(const std::string &name) {
  cpu::Target target;
  cpu::callGuarded("say what CPU this is", [&] { target = cpu::chooseTarget(name); });
  return target;
}

/// Asked for once, when a device is opened: a fork waits for that, and its child would for ever wait for a variable
/// that another thread was about to make.
std::int64_t lastCacheOfMachine() {
  static const std::int64_t bytes = cpu::worthKeeping(cpu::lastCacheBytes(), cpu::lastCacheIsSpread());
  return bytes;
}

class CpuDevice : public Device {
public:
  explicit CpuDevice(const Opening &how, cpu::Additions added = {})
      : additions(std::move(added)), jit(additions.helpers), target(targetFor(how.text("cpu", "POCM_CPU"))),
        schedule(how.text("order", "POCM_ORDER")), pool(cpu::hostThreads(how.threads)), runners(pool.threads()) {
    cpu::installHandlers();
  }

  std::shared_ptr<const Code> load(const SharedProgram &program, const KernelSignature &kernel) override;
  std::uint32_t surfaceSlots() const override { return SamplerSurface; } // the first that has another use
  void run(const Launch &launch, const std::atomic<bool> &ended) override;
  void interrupt(const std::atomic<bool> &ended) override { cpu::interrupt(ended); }
  bool canHandOver(const Launch &) const override { return Fiber::available; }
  void handOver(const std::atomic<bool> &ended) override { cpu::handOver(ended); }
  void runHostWork(const std::function<void()> &work, bool brief) override { cpu::copyGuarded(work, brief); }
  void startProfile(std::shared_ptr<const Code> code) override;
  Profile endProfile() override;

private:
  cpu::CodeCache::Digest digestOf(const SharedProgram &program);
  std::shared_ptr<const Code> loadKept(const std::string &key, const KernelSignature &kernel);
  std::vector<char> makeHere(const program::Container &program, const std::string &kernel,
                             const std::vector<std::uint32_t> &argumentBytes);
  std::shared_ptr<const Code> link(const std::vector<char> &object, const KernelSignature &kernel);
  void walkThreads(const Job &job, const Rectangle &threads);
  void walkListed(const Job &job, const Launch &launch);
  void walkGroups(const Job &job, const Grid &grid, std::uint32_t x, std::uint32_t y);

  const cpu::Additions additions;
  cpu::Jit jit;
  cpu::Target target;
  const std::int64_t cacheBytes = lastCacheOfMachine();
  cpu::Schedule schedule;
  cpu::CodeCache cache;
  cpu::ThreadPool pool;
  cpu::RunnerPool runners;
  cpu::SpareTable spareTable;
  std::mutex lock; // guards what follows and orders compilations
  /// Of each program that is still there: to make one for each kernel would take most of the time of known ones.
  std::map<std::weak_ptr<const program::Container>, cpu::CodeCache::Digest, std::owner_less<>> digests;
  std::map<std::string, std::shared_ptr<const Code>> loaded;
  std::shared_ptr<const Code> profiled;
};

/// Whether LLVM was left in the middle of making code here. Locks that it held then are held for ever: another process
/// makes the next code, where one can.
std::atomic<bool> codeGeneratorLeft = false;

namespace {
/// Other work of LLVM's in this process, on programs of strangers, has the same guard.
[[maybe_unused]] const bool guardsOthers =
    (program::guardWith(
         [](std::string_view purpose, const std::function<void()> &work) { cpu::callGuarded(purpose, work); }),
     true);
} // namespace

/// Code of a kernel, made in this process.
std::vector<char> CpuDevice::makeHere(const program::Container &program, const std::string &kernel,
                                      const std::vector<std::uint32_t> &argumentBytes) {
  std::vector<char> object;
  withLargeStack([&] {
    bool whole = true;
    try {
      cpu::callGuarded(
          "make code of kernel '" + kernel + "'",
          [&] { object = cpu::generateObject(program.ir, kernel, argumentBytes, target, additions.rewrite); }, whole);
    } catch (...) {
      codeGeneratorLeft = codeGeneratorLeft || !whole;
      throw;
    }
  });
  return object;
}

cpu::CodeCache::Digest CpuDevice::digestOf(const SharedProgram &program) {
  {
    Compiling compiling; // a fork waits for the lock
    std::lock_guard guard(lock);
    if (auto known = digests.find(program); known != digests.end())
      return known->second;
  }
  const auto digest = cpu::CodeCache::digest(program->ir);
  Compiling compiling;
  std::lock_guard guard(lock);
  std::erase_if(digests, [](const auto &each) { return each.first.expired(); });
  digests[program] = digest;
  return digest;
}

std::shared_ptr<const Code> CpuDevice::load(const SharedProgram &program, const KernelSignature &kernel) {
  std::vector<std::uint32_t> argumentBytes;
  std::string signature = kernel.name;
  for (const Parameter &p : kernel.parameters) {
    argumentBytes.push_back(p.bytes);
    signature += "," + std::to_string(p.bytes);
  }
  const std::string key = cpu::CodeCache::key(digestOf(program), signature, target.key() + additions.key);
  if (auto kept = loadKept(key, kernel))
    return kept;
  std::optional<std::vector<char>> object; // nothing is held while another process works
  if (!program::isOwn(program->ir) || codeGeneratorLeft)
    object = cpu::generateObjectApart(additions.rewrite ? additions.worker : "object", program->ir, kernel.name,
                                      argumentBytes, target);
  Compiling compiling;
  cpu::FloatMode mode(cpu::HostMode); // what the application has chosen is not for LLVM's constants
  std::lock_guard guard(lock);
  std::shared_ptr<const Code> &code = loaded[key];
  if (!code) {
    if (!object)
      object = makeHere(*program, kernel.name, argumentBytes);
    cache.store(key, *object);
    code = link(*object, kernel);
  }
  return code;
}

std::shared_ptr<const Code> CpuDevice::link(const std::vector<char> &object, const KernelSignature &kernel) {
  try {
    const cpu::Jit::Linked made = jit.link(object, kernel.name);
    std::shared_ptr<const Code> code;
    cpu::callGuarded("read lines", [&] { code = std::make_shared<CpuCode>(made, kernel, object); });
    return code;
  } catch (const Error &problem) {
    throw Error("kernel '" + kernel.name + "': " + problem.what());
  }
}

/// Code that this process, or another one before it, has made; null when there is none.
std::shared_ptr<const Code> CpuDevice::loadKept(const std::string &key, const KernelSignature &kernel) {
  Compiling compiling;
  cpu::FloatMode mode(cpu::HostMode);
  std::lock_guard guard(lock);
  if (auto known = loaded.find(key); known != loaded.end() && known->second)
    return known->second;
  auto kept = cache.find(key);
  if (!kept)
    return nullptr;
  try {
    return loaded[key] = link(*kept, kernel);
  } catch (const Error &) { // it is made again
    cache.remove(key);
    return nullptr;
  }
}

/// Marks what is larger than the cache, and of which no other surface of the launch sees a part: kernels may write that
/// around the cache.
void markStreams(std::span<SurfaceView> table, std::int64_t cacheBytes) {
  auto touches = [](const SurfaceView &a, const SurfaceView &b) {
    return a.base < b.base + b.bytes && b.base < a.base + a.bytes;
  };
  for (SurfaceView &view : table)
    view.streams = view.bytes > cacheBytes && std::none_of(table.begin(), table.end(), [&](const SurfaceView &other) {
                     return &other != &view && other.base && touches(view, other);
                   });
}

void CpuDevice::run(const Launch &launch, const std::atomic<bool> &ended) {
  cpu::FloatMode mode(cpu::HostMode); // what the application traps is not for the pool's sums, either
  cpu::LaunchViews views(launch, spareTable);
  const Job job(launch, views.table(), ended);
  if (job.code.info.streams)
    markStreams({views.table(), launch.bindings->surfaces.size()}, cacheBytes);
  bool byGroups = job.code.info.byGroups;
  if (launch.order)
    return walkListed(job, launch);
  for (const Rectangle &r : launch.threads)
    if (byGroups)
      walkGroups(job, {{r.x1 - r.x0, r.y1 - r.y0, 1}, {1, 1, 1}}, r.x0, r.y0);
    else
      walkThreads(job, r);
  if (!launch.grid)
    return;
  const Grid &grid = *launch.grid;
  if (byGroups)
    return walkGroups(job, grid, 0, 0);
  // A kernel that does not ask for its group sees only positions.
  for (std::uint64_t layer = 0; layer < grid.side(2); ++layer)
    walkThreads(job, {0, std::uint32_t(grid.side(0)), 0, std::uint32_t(grid.side(1))});
}

void CpuDevice::startProfile(std::shared_ptr<const Code> code) {
  const auto &known = static_cast<const CpuCode &>(*code);
  if (!known.lines.any())
    throw Error("kernel '" + known.kernel + "' has no lines to profile: compile it with debug information (cmc -g)");
  cpu::TimeSampler::start(known.range);
  profiled = std::move(code);
}

Profile CpuDevice::endProfile() {
  Profile all;
  all.period = cpu::TimeSampler::period;
  if (!profiled)
    return all;
  const auto &code = static_cast<const CpuCode &>(*profiled);
  std::map<std::string, std::uint64_t> lines;
  for (std::uintptr_t place : cpu::TimeSampler::stop())
    if (place) {
      ++all.samples;
      ++lines[code.lines.at(place, reinterpret_cast<std::uintptr_t>(code.walk))];
    } else {
      ++all.elsewhere;
    }
  for (const auto &[place, samples] : lines)
    all.lines.push_back({place, samples});
  std::ranges::sort(all.lines, [](const LineSamples &a, const LineSamples &b) {
    return std::tie(b.samples, a.place) < std::tie(a.samples, b.place);
  });
  profiled = nullptr;
  return all;
}

/// Threads of a rectangle in items of a thread, or a tile of them. The last tiles of a row or column may be smaller.
class TiledThreads {
public:
  TiledThreads(const Job &job, const Rectangle &all, std::uint32_t side)
      : job(job), all(all), side(side), width(items(all.x1 - all.x0, side)), height(items(all.y1 - all.y0, side)) {}
  /// Items in a row or column of so many threads.
  static std::uint32_t items(std::uint32_t threads, std::uint32_t side) {
    return threads / side + (threads % side != 0);
  }
  std::uint32_t rows() const { return height; }
  std::uint32_t rowItems() const { return width; }
  /// Items begin to end - 1 of the rows from y on, counted row by row: at most three rectangles.
  void walk(std::uint32_t y, cpu::Items some) const {
    auto row = [&](std::uint32_t from, std::uint32_t to) {
      const std::uint32_t line = y + from / width, x = from % width;
      rectangle(x, x + (to - from), line, line + 1);
    };
    std::uint32_t begin = some.begin, end = some.end;
    if (begin % width) {
      const std::uint32_t to = std::min(end, begin + (width - begin % width));
      row(begin, to);
      begin = to;
    }
    if (const std::uint32_t whole = (end - begin) / width) {
      rectangle(0, width, y + begin / width, y + begin / width + whole);
      begin += whole * width;
    }
    if (begin < end)
      row(begin, end);
  }

private:
  void rectangle(std::uint32_t x0, std::uint32_t x1, std::uint32_t y0, std::uint32_t y1) const {
    auto at = [&](std::uint32_t from, std::uint32_t to, std::uint32_t n) {
      return std::uint32_t(std::min<std::uint64_t>(from + std::uint64_t(n) * side, to));
    };
    cpu::Group group{};
    callWalk(job, job.arguments(), group,
             {at(all.x0, all.x1, x0), at(all.x0, all.x1, x1), at(all.y0, all.y1, y0), at(all.y0, all.y1, y1)});
  }

  Job job;
  Rectangle all;
  std::uint32_t side, width, height;
};

void CpuDevice::walkThreads(const Job &job, const Rectangle &all) {
  if (schedule.asked()) {
    const TiledThreads single(job, all, 1);
    for (std::uint32_t i : schedule.permutation(all.threads()))
      single.walk(0, {i, i + 1});
    return;
  }
  const bool inSteps = job.progress != nullptr;
  if ((pool.threads() == 1 && !inSteps) || all.threads() == 1) {
    cpu::Group group{};
    callWalk(job, job.arguments(), group, all);
    return;
  }
  // Where there are few tiles, they are divided.
  std::uint32_t side = job.code.info.tileSide;
  auto items = [&](std::uint32_t threads) { return TiledThreads::items(threads, side); };
  constexpr std::uint32_t enough = 16; // for each host thread, so that an uneven load evens out
  while (side > 1 && std::uint64_t(items(all.x1 - all.x0)) * items(all.y1 - all.y0) < enough * pool.threads())
    side /= 2;
  const TiledThreads tiles(job, all, side);
  const std::uint32_t width = tiles.rowItems(), height = tiles.rows();
  constexpr std::uint32_t most = 1u << 31; // items of a job
  const std::uint32_t slab = std::max(1u, most / std::max(1u, width));
  for (std::uint32_t y = 0, rows; y < height; y += rows) {
    rows = std::min(slab, height - y);
    const cpu::Division division{.items = rows * width,
                                 .weight = double(side) * side,
                                 .quantum = width,
                                 .even = job.code.info.endsSoon != 0,
                                 .inSteps = inSteps};
    pool.run(division, job.code.threadCost, [tiles, y](cpu::Share &mine) {
      while (cpu::Items some = mine.next())
        tiles.walk(y, some);
    });
  }
}

void CpuDevice::walkListed(const Job &job, const Launch &launch) {
  Problems problems;
  const Order &order = *launch.order;
  schedule.run(order, !launch.blocks, {pool, job.code.threadCost},
               [&](const ListedThread &thread, std::uint32_t count, std::uint32_t rows) {
                 if (problems.any())
                   return; // but it counts as done: others wait for it
                 const void *arguments =
                     launch.blocks ? launch.blocks->at(thread.block) : launch.bindings->block.data();
                 try {
                   if (!job.code.info.byGroups) {
                     cpu::Group group{};
                     group.color = thread.color;
                     callWalk(job, arguments, group, {thread.x, thread.x + count, thread.y, thread.y + rows});
                     return;
                   }
                   // Every thread is a group of its own.
                   std::unique_ptr<cpu::GroupRunner> runner = runners.take();
                   runner->prepare(job.code.info, {1, 1, 1}, {order.width, order.height, 1});
                   runner->color = thread.color;
                   for (std::uint32_t y = thread.y; y < thread.y + rows; ++y)
                     if (std::uint32_t number = y * order.width + thread.x;
                         !callWalk(job, arguments, *runner, {number, number + count, 0, 0}))
                       problems.add("kernel '" + job.code.kernel + "': " + runner->problem());
                   runner->color = 0;
                   runners.give(std::move(runner));
                 } catch (const std::exception &failure) {
                   problems.add(failure.what());
                 }
               });
  problems.report();
}

void CpuDevice::walkGroups(const Job &job, const Grid &grid, std::uint32_t x, std::uint32_t y) {
  if (grid.groupCount() > UINT32_MAX)
    throw Error(std::to_string(grid.groupCount()) + " thread groups are more than can be counted");
  auto withRunner = [&runners = runners, job, grid, x, y](auto &&walk) {
    std::unique_ptr<cpu::GroupRunner> runner = runners.take();
    runner->prepare(job.code.info, grid.threads, grid.groups);
    runner->origin[0] = x;
    runner->origin[1] = y;
    walk([&](cpu::Items groups) {
      if (!callWalk(job, job.arguments(), *runner, {groups.begin, groups.end, 0, 0}))
        throw Error("kernel '" + job.code.kernel + "': " + runner->problem());
    });
    runners.give(std::move(runner));
  };
  if (schedule.asked())
    return withRunner([&](auto &&groups) {
      for (std::uint32_t g : schedule.permutation(grid.groupCount()))
        groups({g, g + 1});
    });
  const cpu::Division division{.items = std::uint32_t(grid.groupCount()),
                               .even = job.code.info.endsSoon != 0,
                               .inSteps = job.progress != nullptr};
  pool.run(division, job.code.groupCost, [withRunner](cpu::Share &mine) {
    withRunner([&](auto &&groups) {
      while (cpu::Items some = mine.next())
        groups(some);
    });
  });
}

} // namespace

std::unique_ptr<Device> openCpuDevice(const Opening &how) {
  how.allow({}, {"cpu", "order"});
  Compiling compiling; // LLVM looks at this machine
  return std::make_unique<CpuDevice>(how);
}

} // namespace pocm::runtime

std::unique_ptr<pocm::runtime::Device> pocm::cpu::openWith(const runtime::Opening &how, Additions additions) {
  Compiling compiling;
  return std::make_unique<runtime::CpuDevice>(how, std::move(additions));
}

unsigned pocm::cpu::hostThreads(unsigned asked) {
  constexpr unsigned most = 1024;
  if (asked)
    return std::min(asked, most);
  if (std::string text = pocm::program::environment("CM_RT_PARALLEL_THREADS"); !text.empty()) {
    char *end = nullptr;
    unsigned long n = std::strtoul(text.c_str(), &end, 10);
    if (*end || n == 0 || n > most)
      throw pocm::Error("CM_RT_PARALLEL_THREADS is '" + text + "'; it must be a number from 1 to " +
                        std::to_string(most));
    return unsigned(n);
  }
  return runtime::coresToRunOn();
}

unsigned pocm::hostThreads(unsigned asked) { return cpu::hostThreads(asked); }
