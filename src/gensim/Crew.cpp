//===- Crew.cpp - A launch's groups on several host threads ---------------------------------------===//
#include "gensim/Crew.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace pocm::gensim {

/// Messages that read and write memory in one step: atomics of the data ports, and of the load/store cache.
static bool isAtomic(std::uint8_t unit, std::uint32_t descriptor, const Platform &platform) {
  constexpr unsigned DataPort1 = 0xC;
  if (unit == DataPort1) {
    unsigned type = descriptor >> 14 & 31;
    for (unsigned atomic : {2u, 3u, 6u, 0x12u, 0x13u, 0x1Bu, 0x1Cu, 0x1Du})
      if (type == atomic)
        return (descriptor & 0xFF) != binding::Slm;
    return false;
  }
  constexpr unsigned FirstAtomic = 8, LastAtomic = 29; // operations of the load/store cache
  bool cache = unit == 1 || unit >= 0xD;
  unsigned operation = descriptor & 63;
  return cache && platform.generation >= Generation::XeHpg && operation >= FirstAtomic && operation <= LastAtomic;
}

/// What a0.0 holds in front of an instruction but for the number of a surface, which code adds to the rest of a
/// descriptor. Nothing where that is not said by one instruction of the same straight piece of code:
///
///     (W) or (1|M0) a0.0<1>:ud r5.1<0;1,0>:ud 0x02290000:ud      // 0x02290000
///     (W) send (8|M0) r3 r2 0xC a0.0
static std::optional<std::uint32_t> descriptorInRegister(const Kernel &kernel, const std::set<std::uint32_t> &targets,
                                                         std::size_t send) {
  for (std::size_t n = send; n-- > 0 && !targets.contains(kernel.instructions[n + 1].address);) {
    const Instruction &i = kernel.instructions[n];
    if (i.branches())
      return std::nullopt;
    if (i.to.kind != Operand::Kind::Architecture || i.to.arf != Arf::A)
      continue;
    bool whole = i.to.offset == 0 && (i.to.type == Type::UD || i.to.type == Type::D) && i.size == 1 && i.noMask &&
                 i.predicate == Predicate::None;
    bool sum = i.opcode == Opcode::Or || i.opcode == Opcode::Add;
    const Operand &constant = i.from[i.opcode == Opcode::Mov ? 0 : 1];
    if (!whole || !(sum || i.opcode == Opcode::Mov) || constant.kind != Operand::Kind::Immediate)
      return std::nullopt;
    return std::uint32_t(constant.immediate);
  }
  return std::nullopt;
}

bool needsOrder(const Kernel &kernel) {
  std::set<std::uint32_t> targets;
  for (const Instruction &i : kernel.instructions)
    if (i.jumpByRegister)
      return true;
    else if (i.branches())
      targets.insert({i.jump, i.update});
  for (std::size_t n = 0; n < kernel.instructions.size(); ++n) {
    const Instruction &i = kernel.instructions[n];
    if ((i.format != Format::Send && i.format != Format::Splitsend) || i.endOfThread)
      continue;
    std::optional<std::uint32_t> descriptor =
        i.descriptorByRegister ? descriptorInRegister(kernel, targets, n) : i.descriptor;
    if (!descriptor || isAtomic(i.unit, *descriptor, *kernel.platform))
      return true;
  }
  return false;
}

/// What the members of a crew know of a run.
struct Crew::Shared {
  struct Chunk {
    bool done = false;
    std::vector<std::function<void()>> endings;
    std::exception_ptr problem;
  };
  const Filler &fill;
  std::size_t groups, perChunk, chunks;
  std::mutex lock;
  std::condition_variable changed;
  std::size_t next = 0, first = 0; ///< Chunk to take; the one in front of `window`, whose endings come next.
  std::deque<Chunk> window;        ///< Those that are taken and whose endings have not been called.
  bool stop = false;
  std::size_t mostAhead = 0;
};

Crew::Crew(const Kernel &kernel, const World &world, Setup setup)
    : kernel(kernel), world(world), setup(std::move(setup)) {
  machines.resize(std::max(1u, this->setup.members));
}

void Crew::runChunk(Shared &shared, unsigned member, std::size_t chunk) {
  if (!machines[member])
    machines[member] = std::make_unique<Machine>(kernel, world, setup.options(member));
  std::vector<std::function<void()>> endings;
  std::exception_ptr problem;
  try {
    std::vector<Dispatch> threads;
    std::size_t end = std::min(shared.groups, (chunk + 1) * shared.perChunk);
    for (std::size_t group = chunk * shared.perChunk; group < end; ++group) {
      std::string name = shared.fill(group, member, threads);
      machines[member]->runGroup(threads, name);
      if (setup.ending)
        endings.push_back(setup.ending(member));
    }
  } catch (...) {
    problem = std::current_exception();
  }
  std::lock_guard guard(shared.lock);
  Shared::Chunk &mine = shared.window[chunk - shared.first];
  mine.endings = std::move(endings);
  mine.problem = problem;
  mine.done = true;
  shared.stop |= problem != nullptr;
  shared.changed.notify_all();
}

/// Takes chunks until there is none; the caller, member 0, calls endings before it takes one.
void Crew::help(Shared &shared, unsigned member) {
  std::unique_lock guard(shared.lock);
  while (true) {
    if (member == 0 && !shared.window.empty() && shared.window.front().done) {
      Shared::Chunk chunk = std::move(shared.window.front());
      shared.window.pop_front();
      ++shared.first;
      shared.changed.notify_all();
      guard.unlock();
      for (const auto &ending : chunk.endings)
        ending();
      if (chunk.problem)
        std::rethrow_exception(chunk.problem);
      guard.lock();
      continue;
    }
    bool more = shared.next < shared.chunks && !shared.stop;
    if (more && shared.window.size() < shared.mostAhead) {
      std::size_t chunk = shared.next++;
      shared.window.emplace_back();
      guard.unlock();
      runChunk(shared, member, chunk);
      guard.lock();
      continue;
    }
    if (!more && (member != 0 || shared.window.empty()))
      return;
    shared.changed.wait(guard);
  }
}

void Crew::run(std::size_t groups, const Filler &fill) {
  using namespace std::chrono_literals;
  constexpr std::size_t mostInChunk = 64;
  std::size_t members = machines.size();
  std::size_t perChunk = std::clamp<std::size_t>(groups / (members * 16), 1, mostInChunk);
  Shared shared{fill, groups, perChunk, (groups + perChunk - 1) / perChunk, {}, {}, 0, 0, {}, false, members * 8};
  // Short launches are not worth a thread.
  auto begin = std::chrono::steady_clock::now();
  std::size_t alone = members == 1 ? shared.chunks : 0;
  std::size_t chunks = shared.chunks;
  while (shared.next < chunks && (shared.next < alone || std::chrono::steady_clock::now() - begin < 1ms)) {
    shared.chunks = shared.next + 1;
    help(shared, 0);
  }
  shared.chunks = chunks;
  if (shared.next >= chunks)
    return;
  // Signals are the host's.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::vector<std::thread> others;
  std::exception_ptr problem;
  try {
    for (unsigned member = 1; member < members; ++member)
      others.emplace_back([this, &shared, member] { help(shared, member); });
  } catch (const std::system_error &) { // fewer will do
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  try {
    help(shared, 0);
  } catch (...) {
    problem = std::current_exception();
  }
  {
    std::lock_guard guard(shared.lock);
    shared.stop = true;
    shared.changed.notify_all();
  }
  for (std::thread &other : others)
    other.join();
  if (problem)
    std::rethrow_exception(problem);
}

std::vector<std::string> Crew::findings() const {
  Machine::Findings all;
  for (const auto &machine : machines)
    if (machine)
      for (const auto &[where, count] : machine->found())
        all[where] += count;
  return textOf(kernel, all);
}

std::uint64_t Crew::instructions() const {
  std::uint64_t all = 0;
  for (const auto &machine : machines)
    all += machine ? machine->instructions() : 0;
  return all;
}

} // namespace pocm::gensim
