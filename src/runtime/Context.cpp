//===- Context.cpp - A device with its queue, and kernels bound to it ---------===//
#include "runtime/Context.h"
#include "program/Container.h"
#include "program/DiskCache.h"
#include "program/Uncancelled.h"
#include "runtime/Print.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>

namespace pocm::runtime {

Kernel::Kernel(std::shared_ptr<const program::Container> owner, const KernelSignature &signature, Device &device,
               std::shared_ptr<Memory> data)
    : program(std::move(owner)), description(&signature), code(device.load(program, signature)),
      layout(code->arguments()), set(signature.parameters.size()), data(std::move(data)),
      slotCount(device.surfaceSlots()) {
  bindings->block.resize(layout.bytes);
  bindings->reached.resize(signature.parameters.size());
  std::uint64_t slots = firstSurface;
  for (const Parameter &p : signature.parameters) {
    if (p.kind == ParameterKind::Sampler)
      bindings->samplers.resize(samplerSlots + signature.parameters.size());
    firstSlot.push_back(std::uint32_t(slots));
    slots += p.kind == ParameterKind::Surface ? p.count : 0;
    checkSlots(slots);
  }
  bindings->surfaces.resize(slots);
}

Bindings &Kernel::change() {
  if (captured)
    bindings = std::make_shared<Bindings>(*bindings);
  captured = false;
  return *bindings;
}

void Kernel::checkSlots(std::size_t slots) const {
  if (slots > slotCount)
    throw Error("kernel '" + description->name + "' uses more than " + std::to_string(slotCount - firstSurface) +
                " surfaces, which is as many as a kernel may have");
}

const Parameter &Kernel::parameter(unsigned index) const {
  if (index >= description->parameters.size())
    throw Error("kernel '" + description->name + "' has " + std::to_string(description->parameters.size()) +
                " parameters; there is no argument " + std::to_string(index));
  return description->parameters[index];
}

void Kernel::setValue(unsigned index, const void *value, std::size_t bytes) {
  const Parameter &p = parameter(index);
  std::string name = "argument " + std::to_string(index) + " of kernel '" + description->name + "'";
  if (p.kind != ParameterKind::General)
    throw Error(name + " is a " + (p.kind == ParameterKind::Sampler ? "sampler" : "surface") + ", not a value");
  if (bytes != p.bytes)
    throw Error(name + " takes " + std::to_string(p.bytes) + " bytes, not " + std::to_string(bytes));
  if (set[index] && !bindings->reached[index] &&
      std::memcmp(bindings->block.data() + layout.offsets[index], value, bytes) == 0)
    return;
  Bindings &now = change();
  std::memcpy(now.block.data() + layout.offsets[index], value, bytes);
  now.reached[index] = nullptr;
  set[index] = true;
}

bool Kernel::takesAddress(unsigned index) const {
  const Parameter &p = parameter(index);
  return p.kind == ParameterKind::General && p.count == 1 && p.element == "ulonglong";
}

void Kernel::setAddress(unsigned index, std::shared_ptr<Memory> memory) {
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(memory->address());
  setValue(index, &address, sizeof(address));
  change().reached[index] = std::move(memory);
}

void Kernel::setSurfaces(unsigned index, std::span<const std::shared_ptr<Memory>> memories) {
  const Parameter &p = parameter(index);
  std::string name = "argument " + std::to_string(index) + " of kernel '" + description->name + "'";
  if (p.kind != ParameterKind::Surface)
    throw Error(name + " is a value of type " + p.element + ", not a surface");
  if (memories.size() != p.count)
    throw Error(name + " takes " + std::to_string(p.count) + " surfaces, not " + std::to_string(memories.size()));
  if (set[index] && std::equal(memories.begin(), memories.end(), bindings->surfaces.begin() + firstSlot[index]))
    return;
  Bindings &now = change();
  std::copy(memories.begin(), memories.end(), now.surfaces.begin() + firstSlot[index]);
  place(now, index);
  set[index] = true;
}

/// Writes the slots of a surface parameter to the block of arguments.
void Kernel::place(Bindings &in, unsigned index) const {
  for (std::uint32_t i = 0; i < description->parameters[index].count; ++i) {
    std::uint32_t slot = in.surfaces[firstSlot[index] + i] ? firstSlot[index] + i : 0;
    std::memcpy(in.block.data() + layout.offsets[index] + i * sizeof(slot), &slot, sizeof(slot));
  }
}

void Kernel::pinSurface(std::uint32_t slot, std::shared_ptr<Memory> memory) {
  Bindings &now = change();
  auto &surfaces = now.surfaces;
  for (unsigned i = 0; i < description->parameters.size(); ++i) {
    const Parameter &p = description->parameters[i];
    if (p.kind != ParameterKind::Surface || slot < firstSlot[i] || slot >= firstSlot[i] + p.count)
      continue;
    auto to = std::uint32_t(surfaces.size());
    to = std::max(to, slot + 1);
    checkSlots(to + p.count);
    surfaces.resize(to + p.count);
    std::move(surfaces.begin() + firstSlot[i], surfaces.begin() + firstSlot[i] + p.count, surfaces.begin() + to);
    firstSlot[i] = to;
    if (set[i])
      place(now, i);
  }
  checkSlots(slot + 1);
  surfaces.resize(std::max<std::size_t>(surfaces.size(), slot + 1));
  surfaces[slot] = std::move(memory);
}

void Kernel::pinSampler(std::uint32_t slot, const Sampler &sampler) {
  auto &samplers = change().samplers;
  samplers.resize(std::max<std::size_t>(samplers.size(), samplerSlots));
  samplers[slot] = sampler;
}

void Kernel::setSampler(unsigned index, const Sampler &sampler) {
  const Parameter &p = parameter(index);
  if (p.kind != ParameterKind::Sampler)
    throw Error("argument " + std::to_string(index) + " of kernel '" + description->name + "' is of type " + p.element +
                ", not a sampler");
  std::uint32_t number = samplerSlots + index;
  Bindings &now = change();
  now.samplers[number] = sampler;
  std::memcpy(now.block.data() + layout.offsets[index], &number, sizeof(number));
  set[index] = true;
}

unsigned Kernel::missing() const {
  unsigned n = 0;
  for (bool s : set)
    n += !s;
  return n;
}

Launch Kernel::capture() const {
  for (unsigned i = 0; i < description->parameters.size(); ++i)
    if (const Parameter &p = description->parameters[i]; p.kind == ParameterKind::Surface)
      for (std::uint32_t k = 0; k < p.count; ++k)
        if (const auto &memory = bindings->surfaces[firstSlot[i] + k]; memory && memory->retired())
          throw Error("argument " + std::to_string(i) + " of kernel '" + description->name +
                      "' is a surface that was destroyed");
  Launch launch;
  launch.code = code;
  launch.bindings = bindings;
  launch.data = data;
  captured = true;
  return launch;
}

std::shared_ptr<Kernel> Context::createKernel(std::shared_ptr<const program::Container> program,
                                              const KernelSignature &signature) {
  const Uncancelled all;
  auto variables = dataOf(program);
  std::shared_ptr<Kernel> kernel;
  withRoom([&] { kernel = std::make_shared<Kernel>(std::move(program), signature, *device, std::move(variables)); });
  return kernel;
}

std::shared_ptr<Memory> Context::dataOf(const std::shared_ptr<const program::Container> &program) {
  if (program->data.empty())
    return nullptr;
  std::lock_guard guard(lock);
  std::erase_if(data, [](const auto &entry) { return entry.first.expired(); });
  std::shared_ptr<Memory> &memory = data[program];
  if (!memory) {
    memory = Memory::buffer(*device, program->data.size());
    memory->write(program->data.data(), program->data.size(), 0);
  }
  return memory;
}

namespace {
using Memories = std::vector<std::shared_ptr<Memory>>;

/// What kernels and host work touch that use these memories alone.
Footprint footprintOf(const Memories &memories) {
  Footprint all = Footprint::nothing();
  all.reserve(memories.size());
  for (const auto &memory : memories)
    memory->addTo(all);
  return all;
}

/// The same with what kernels see of the surfaces now.
std::shared_ptr<const Bindings> asSeenNow(std::shared_ptr<const Bindings> bindings) {
  std::shared_ptr<Bindings> changed;
  for (std::size_t slot = 0; slot < bindings->surfaces.size(); ++slot)
    if (const auto &memory = bindings->surfaces[slot]) {
      if (memory->retired())
        throw Error("an argument is a surface that was destroyed");
      if (auto seen = Memory::seen(memory); seen != memory) {
        if (!changed)
          changed = std::make_shared<Bindings>(*bindings);
        changed->surfaces[slot] = std::move(seen);
      }
    }
  return changed ? std::move(changed) : std::move(bindings);
}
} // namespace

std::shared_ptr<Event> Context::enqueue(std::vector<Launch> launches, unsigned lane) {
  constexpr std::uint64_t fewThreads = 64;
  std::uint64_t threads = 0;
  bool endsSoon = true, canHandOver = true, byAddress = false;
  Memories used;
  auto uses = [&](const std::shared_ptr<Memory> &memory) {
    if (memory)
      used.push_back(memory);
  };
  for (Launch &launch : launches) {
    threads += launch.threadCount();
    endsSoon = endsSoon && launch.code->endsSoon() && !launch.condition;
    canHandOver = canHandOver && device->canHandOver(launch) && !launch.condition;
    byAddress = byAddress || launch.code->reachesByAddress();
    launch.bindings = asSeenNow(std::move(launch.bindings));
    if (launch.conditionOn && launch.conditionOn->retired())
      throw Error("a condition is of a surface that was destroyed");
    if (!launch.print && launch.code->prints()) { // nobody reads what it prints, but assertions count
      constexpr std::uint64_t enough = 1u << 16;
      launch.print = PrintBuffer(*device, enough).memory();
    }
    const Bindings &bound = *launch.bindings;
    used.reserve(used.size() + bound.surfaces.size() + bound.reached.size() + 3);
    std::ranges::for_each(bound.surfaces, uses);
    std::ranges::for_each(bound.reached, uses);
    uses(launch.print), uses(launch.data), uses(launch.conditionOn);
  }
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  auto work = [device = device.get(), launches = std::move(launches)](const std::atomic<bool> &ended) {
    for (const Launch &launch : launches) {
      if (launch.condition && !launch.condition())
        return;
      if (ended)
        throw Error("the task was ended");
      std::uint32_t printed = launch.print ? printedBytes(*launch.print) : 0;
      device->run(launch, ended);
      if (launch.print)
        if (std::string failed = failedAssertion(*launch.print, printed); !failed.empty())
          throw Error("kernel '" + std::string(launch.code->name()) + "': " + failed);
    }
  };
  bool few = threads <= fewThreads;
  Waiters who = few && endsSoon ? Waiters::All
                : canHandOver   ? Waiters::Leaving
                : few           ? Waiters::Unlimited
                                : Waiters::None;
  auto event = queue->submit(std::move(work), who, {lane, byAddress ? Footprint() : footprintOf(used), nullptr});
  for (const auto &memory : used)
    memory->usedBy(event);
  return event;
}

std::shared_ptr<Event> Context::enqueue(HostWork work, unsigned lane) {
  Footprint touches = footprintOf(work.memories);
  for (const AddressRange &range : work.host)
    touches.add(range);
  auto event = queue->submit([work = std::move(work.work),
                              device = device.get()](const std::atomic<bool> &) { device->runHostWork(work, false); },
                             Waiters::None, {lane, std::move(touches), std::move(work.after)});
  for (const auto &memory : work.memories)
    memory->usedBy(event);
  return event;
}

//===- Ends -----------------------------------------------------------------------===//

namespace {

/// What is left of a context that was destroyed in the middle of a task of its own: lives as long as the process.
struct Left {
  Queue &queue;
  Device &device;
  void close(std::chrono::steady_clock::time_point then, std::string_view reason) const {
    queue.close(then, reason, [this](const std::atomic<bool> &ended) { device.interrupt(ended); });
  }
};

/// Contexts that are open. Never destroyed, as other threads may still open and close some while the process ends.
struct Open {
  std::mutex lock;
  std::set<Context *> contexts;
  std::vector<Left> left;
  bool exiting = false;
};
std::atomic<Open *> open{new Open};

/// Ends what runs before libraries let go of what it needs.
struct AtExit {
  AtExit() {
    // In a forked child nobody works for what was open, and a thread that is gone may hold the lock.
    pthread_atfork(nullptr, nullptr, [] { open = new Open; });
  }
  ~AtExit() {
    Open &all = *open;
    std::lock_guard guard(all.lock);
    all.exiting = true;
    auto then = std::chrono::steady_clock::now() + Context::patience;
    for (Context *context : all.contexts)
      context->close(then, "the process ends");
    for (const Left &left : all.left)
      left.close(then, "the process ends");
  }
} atExit;

/// POCM_TIMEOUT, or what the host asked for.
std::chrono::milliseconds timeLimit(double seconds) {
  if (seconds == 0)
    if (std::string text = program::environment("POCM_TIMEOUT"); !text.empty()) {
      char *end = nullptr;
      seconds = std::strtod(text.c_str(), &end);
      if (*end || !(seconds >= 0))
        throw Error("POCM_TIMEOUT is '" + text + "'; it must be a number of seconds");
    }
  constexpr double most = 1e9;
  if (!(seconds >= 0))
    throw Error("a limit of time is a number of seconds, at least 0");
  return std::chrono::milliseconds(std::int64_t(std::ceil(std::min(seconds, most) * 1000)));
}

} // namespace

namespace {
std::unique_ptr<Device> openWithRoom(std::string_view name, const DeviceOptions &options) {
  std::unique_ptr<Device> device;
  withRoom([&] { device = openDevice(name, options); });
  return device;
}
} // namespace

Context::Context(std::string_view deviceName, const DeviceOptions &options)
    : countsThreads(options.progress), device(openWithRoom(deviceName, options)),
      queue(std::make_unique<Queue>([to = device.get()](const std::atomic<bool> &ended) { to->handOver(ended); })) {
  if (auto limit = timeLimit(options.timeout); limit.count()) {
    watching = std::make_unique<Watch>();
    watching->limit = limit;
    watching->reason =
        "it ran for longer than the limit of " + std::to_string(double(limit.count()) / 1000) + " seconds";
    watching->thread = OwnThread(
        [watch = watching.get(), queue = queue.get(), device = device.get()] { watch->watch(*queue, *device); });
  }
  Open &all = *open;
  std::lock_guard guard(all.lock);
  all.contexts.insert(this);
  if (all.exiting)
    queue->close({}, "the process ends", {});
}

Context::~Context() {
  const Uncancelled all;
  const bool lost = this->lost(), runsHere = !lost && queue->runsHere();
  if (!lost) {
    Open &all = *open;
    std::lock_guard guard(all.lock);
    all.contexts.erase(this);
    if (runsHere)
      try {
        all.left.push_back({*queue, *device});
      } catch (const std::bad_alloc &) { // then nobody ends it
      }
  }
  if (!lost)
    close(std::chrono::steady_clock::now() + patience, "the device was closed");
  if (lost || runsHere) { // threads that do not exist here wait in these, or what this one runs needs them
    (void)device.release();
    (void)queue.release();
    (void)watching.release();
  }
}

Context::Watch::~Watch() {
  {
    std::lock_guard guard(lock);
    stop = true;
  }
  wake.notify_all();
  thread.join();
}

void Context::close(std::chrono::steady_clock::time_point then, std::string_view reason) {
  queue->close(then, reason, [this](const std::atomic<bool> &ended) { device->interrupt(ended); });
}

namespace {
/// Ends a task of the queue's; one that runs here is only asked to, as it goes on afterwards.
void endTask(Event &task, std::string_view reason, const Queue &queue, Device &device) {
  constexpr std::chrono::milliseconds again{1};
  const Uncancelled all;
  task.end(reason);
  while (task.state() == Event::State::Running && !queue.runsHere()) {
    device.interrupt(task.ended());
    std::this_thread::sleep_for(again);
  }
}
} // namespace

void Context::end(Event &task, std::string_view reason) { endTask(task, reason, *queue, *device); }

void Context::Watch::watch(const Queue &queue, Device &device) {
  // Looks often enough that a task runs for a tenth longer than it may, but is not in the way of others.
  const auto step = std::clamp(limit / 10, std::chrono::milliseconds(1), std::chrono::milliseconds(100));
  std::unique_lock held(lock);
  constexpr std::chrono::milliseconds again{1};
  auto next = step;
  while (!wake.wait_for(held, next, [&] { return stop; })) {
    next = step;
    held.unlock();
    for (const auto &late : queue.runningLongerThan(limit))
      if (late) {
        next = again; // until it has ended
        late->end(reason);
        device.interrupt(late->ended());
      }
    held.lock();
  }
}

} // namespace pocm::runtime
