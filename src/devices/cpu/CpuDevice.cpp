//===- CpuDevice.cpp - Kernels as native code on this machine -------------------===//
//
// The simplest device, to be read in one sitting. load() finds or makes machine code for
// a kernel (disk cache, code generator, JIT linker). run() builds the table of surfaces,
// cuts the thread space, or the row of groups, into stripes and lets the thread pool walk
// them.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/CodeGen.h"
#include "devices/cpu/CodeCache.h"
#include "devices/cpu/Flush.h"
#include "devices/cpu/Groups.h"
#include "devices/cpu/Jit.h"
#include "devices/cpu/Schedule.h"
#include "devices/cpu/ThreadPool.h"
#include "program/Container.h"
#include "runtime/Device.h"
#include <cstdlib>
#include <map>

namespace pocm::runtime {
namespace {

using cpu::SurfaceView;

struct CpuCode : Code {
  CpuCode(cpu::Jit::Linked linked, std::string kernel)
      : walk(linked.walk), info(*linked.info), kernel(std::move(kernel)) {}
  bool prints() const override { return info.prints; }
  cpu::Walk walk;
  cpu::KernelInfo info;
  std::string kernel;
};

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

unsigned chooseThreads(const DeviceOptions &options) {
  constexpr unsigned most = 1024;
  if (options.threads)
    return std::min(options.threads, most);
  if (std::string text = environment("CM_RT_PARALLEL_THREADS"); !text.empty()) {
    char *end = nullptr;
    unsigned long n = std::strtoul(text.c_str(), &end, 10);
    if (*end || n == 0 || n > most)
      throw Error("CM_RT_PARALLEL_THREADS is '" + text + "'; it must be a number from 1 to " + std::to_string(most));
    return unsigned(n);
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Calls compiled code. UBSan's check of function types would look for a mark in front of the function that JIT
/// compiled code does not have.
__attribute__((no_sanitize("function"))) bool
callWalk(const CpuCode &code, const void *arguments, const SurfaceView *table, cpu::Group &group, const Rectangle &r) {
  cpu::FloatMode mode(code.info.floatControl);
  return code.walk(arguments, table, &group, r.x0, r.x1, r.y0, r.y1) == 0;
}

SurfaceView viewOf(Memory &memory) {
  const Geometry &g = memory.geometry();
  SurfaceView view{};
  view.base = memory.data();
  view.end = memory.end();
  view.pitch = std::int64_t(g.pitch);
  view.width = std::int32_t(std::min<std::uint64_t>(g.rowBytes(), INT32_MAX));
  view.height = std::int32_t(g.height / g.depth);
  view.depth = std::int32_t(g.depth);
  view.bytes = view.pitch * (std::int64_t(g.height) - 1) + std::int64_t(g.rowBytes());
  view.pixel = std::int32_t(g.pixelBytes);
  view.format = g.format;
  return view;
}

class CpuDevice : public Device {
public:
  explicit CpuDevice(const DeviceOptions &options)
      : target(cpu::chooseTarget(options.cpu.empty() ? environment("POCM_CPU") : options.cpu)),
        schedule(options.order.empty() ? environment("POCM_ORDER") : options.order), pool(chooseThreads(options)) {}

  std::shared_ptr<const Code> load(const program::Container &program, const KernelSignature &kernel) override;
  std::vector<std::uint32_t> argumentLayout(const KernelSignature &kernel) const override;
  void run(const Launch &launch) override;

private:
  void walkThreads(const Launch &launch, const SurfaceView *table, const Rectangle &threads);
  void walkListed(const Launch &launch, const SurfaceView *table, const Order &order);
  void walkGroups(const Launch &launch, const SurfaceView *table, const Grid &grid, std::uint32_t x, std::uint32_t y);

  cpu::Target target;
  cpu::Schedule schedule;
  cpu::CodeCache cache;
  cpu::Jit jit;
  cpu::ThreadPool pool;
  cpu::RunnerPool runners;
  std::mutex lock; // guards `loaded` and orders compilations
  std::map<std::string, std::shared_ptr<const Code>> loaded;
};

std::shared_ptr<const Code> CpuDevice::load(const program::Container &program, const KernelSignature &kernel) {
  std::vector<std::uint32_t> argumentBytes;
  std::string signature = kernel.name;
  for (const Parameter &p : kernel.parameters) {
    argumentBytes.push_back(p.bytes);
    signature += "," + std::to_string(p.bytes);
  }
  std::string key = cpu::CodeCache::key(program.ir, signature, target.key());
  std::lock_guard guard(lock);
  std::shared_ptr<const Code> &code = loaded[key];
  if (!code) {
    auto object = cache.find(key);
    if (!object) {
      object = cpu::generateObject(program.ir, kernel.name, argumentBytes, target);
      cache.store(key, *object);
    }
    code = std::make_shared<CpuCode>(jit.link(*object), kernel.name);
  }
  return code;
}

std::vector<std::uint32_t> CpuDevice::argumentLayout(const KernelSignature &kernel) const {
  std::vector<std::uint32_t> offsets;
  unsigned at = 0;
  for (const Parameter &p : kernel.parameters) {
    offsets.push_back(at);
    at = cpu::alignArgument(at + p.bytes);
  }
  constexpr unsigned vectorLoad = 64; // a vector argument may be loaded with more lanes than it has
  offsets.push_back(at + vectorLoad);
  return offsets;
}

void CpuDevice::run(const Launch &launch) {
  SurfaceView table[cpu::SurfaceSlots] = {};
  for (std::size_t slot = 0; slot < launch.surfaces.size() && slot < cpu::SurfaceSlots; ++slot)
    if (const auto &memory = launch.surfaces[slot])
      table[slot] = viewOf(*memory);
  if (launch.print)
    table[cpu::PrintSurface] = viewOf(*launch.print);
  if (launch.data)
    table[cpu::ProgramSurface] = viewOf(*launch.data);
  std::vector<cpu::SamplerView> samplers;
  for (const Sampler &s : launch.samplers)
    samplers.push_back({std::uint32_t(s.filter),
                        std::uint32_t(s.u),
                        std::uint32_t(s.v),
                        std::uint32_t(s.w),
                        {s.border[0], s.border[1], s.border[2], s.border[3]}});
  table[cpu::SamplerSurface].base = reinterpret_cast<std::uint8_t *>(samplers.data());
  table[cpu::SamplerSurface].bytes = std::int64_t(samplers.size() * sizeof(cpu::SamplerView));
  bool byGroups = static_cast<const CpuCode &>(*launch.code).info.byGroups;
  if (launch.order)
    return walkListed(launch, table, *launch.order);
  for (const Rectangle &r : launch.threads)
    if (byGroups)
      walkGroups(launch, table, {{r.x1 - r.x0, r.y1 - r.y0, 1}, {1, 1, 1}}, r.x0, r.y0);
    else
      walkThreads(launch, table, r);
  if (!launch.grid)
    return;
  const Grid &grid = *launch.grid;
  if (byGroups)
    return walkGroups(launch, table, grid, 0, 0);
  // A kernel that does not ask for its group sees only positions.
  for (std::uint32_t layer = 0; layer < grid.groups[2] * grid.threads[2]; ++layer)
    walkThreads(launch, table, {0, grid.groups[0] * grid.threads[0], 0, grid.groups[1] * grid.threads[1]});
}

void CpuDevice::walkThreads(const Launch &launch, const SurfaceView *table, const Rectangle &all) {
  constexpr std::uint64_t fewThreads = 64;    // not worth waking anyone
  constexpr std::uint32_t stripesPerHost = 8; // so that an uneven load evens out
  const auto &code = static_cast<const CpuCode &>(*launch.code);
  auto part = [&](std::uint32_t x0, std::uint32_t x1, std::uint32_t y0, std::uint32_t y1) {
    cpu::Group group{};
    callWalk(code, launch.arguments.data(), table, group, {x0, x1, y0, y1});
  };
  std::uint32_t width = all.x1 - all.x0, height = all.y1 - all.y0;
  if (schedule.asked()) {
    for (std::uint32_t i : schedule.permutation(std::uint32_t(all.threads()))) {
      std::uint32_t x = all.x0 + i % width, y = all.y0 + i / width;
      part(x, x + 1, y, y + 1);
    }
    return;
  }
  if (pool.threads() == 1 || all.threads() <= fewThreads)
    return part(all.x0, all.x1, all.y0, all.y1);
  std::uint32_t stripes = pool.threads() * stripesPerHost;
  bool byRows = height >= pool.threads();
  std::uint32_t length = byRows ? height : width;
  stripes = std::min(stripes, length);
  pool.run(stripes, [&](unsigned i) {
    auto from = std::uint32_t(std::uint64_t(length) * i / stripes);
    auto to = std::uint32_t(std::uint64_t(length) * (i + 1) / stripes);
    if (byRows)
      part(all.x0, all.x1, all.y0 + from, all.y0 + to);
    else
      part(all.x0 + from, all.x0 + to, all.y0, all.y1);
  });
}

void CpuDevice::walkListed(const Launch &launch, const SurfaceView *table, const Order &order) {
  const auto &code = static_cast<const CpuCode &>(*launch.code);
  std::mutex problemLock;
  std::string problem;
  schedule.run(order, launch.blocks.empty(), pool, [&](const ListedThread &thread, std::uint32_t count) {
    const void *arguments = (launch.blocks.empty() ? launch.arguments : launch.blocks[thread.block]).data();
    if (!code.info.byGroups) {
      cpu::Group group{};
      group.color = thread.color;
      callWalk(code, arguments, table, group, {thread.x, thread.x + count, thread.y, thread.y + 1});
      return;
    }
    // Every thread is a group of its own.
    std::string mine;
    try {
      std::unique_ptr<cpu::GroupRunner> runner = runners.take();
      runner->prepare(code.info, {1, 1, 1}, {order.width, order.height, 1});
      runner->color = thread.color;
      std::uint32_t number = thread.y * order.width + thread.x;
      if (!callWalk(code, arguments, table, *runner, {number, number + count, 0, 0}))
        mine = runner->problem();
      runner->color = 0;
      runners.give(std::move(runner));
    } catch (const std::exception &failure) {
      mine = failure.what();
    }
    if (mine.empty())
      return;
    std::lock_guard guard(problemLock);
    if (problem.empty())
      problem = mine;
  });
  if (!problem.empty())
    throw Error("kernel '" + code.kernel + "': " + problem);
}

void CpuDevice::walkGroups(const Launch &launch, const SurfaceView *table, const Grid &grid, std::uint32_t x,
                           std::uint32_t y) {
  constexpr std::uint64_t stripesPerHost = 16;
  const auto &code = static_cast<const CpuCode &>(*launch.code);
  std::uint64_t groups = grid.groupCount();
  auto stripes = unsigned(std::min<std::uint64_t>(groups, pool.threads() == 1 ? 1 : pool.threads() * stripesPerHost));
  std::vector<std::uint32_t> oneByOne;
  if (schedule.asked()) {
    oneByOne = schedule.permutation(std::uint32_t(groups));
    stripes = 1;
  }
  std::mutex problemLock;
  std::string problem;
  pool.run(stripes, [&](unsigned i) {
    std::unique_ptr<cpu::GroupRunner> runner;
    std::string mine;
    try {
      runner = runners.take();
      runner->prepare(code.info, grid.threads, grid.groups);
      runner->origin[0] = x;
      runner->origin[1] = y;
      auto from = std::uint32_t(groups * i / stripes), to = std::uint32_t(groups * (i + 1) / stripes);
      bool finished = true;
      if (oneByOne.empty())
        finished = callWalk(code, launch.arguments.data(), table, *runner, {from, to, 0, 0});
      for (std::uint32_t g : oneByOne)
        finished = finished && callWalk(code, launch.arguments.data(), table, *runner, {g, g + 1, 0, 0});
      if (!finished)
        mine = runner->problem();
    } catch (const std::exception &failure) {
      mine = failure.what();
    }
    if (runner)
      runners.give(std::move(runner));
    std::lock_guard guard(problemLock);
    if (problem.empty())
      problem = mine;
  });
  if (!problem.empty())
    throw Error("kernel '" + code.kernel + "': " + problem);
}

} // namespace

std::unique_ptr<Device> openCpuDevice(const DeviceOptions &options) { return std::make_unique<CpuDevice>(options); }

} // namespace pocm::runtime
