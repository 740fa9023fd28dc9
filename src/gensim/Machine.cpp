//===- Machine.cpp - Kernels on the simulated GPU ------------------------------------------===//
#include "gensim/Machine.h"
#include "gensim/isa/Printer.h"
#include <algorithm>

namespace pocm::gensim {

Kernel::Kernel(std::string name, const Platform &platform, std::span<const std::uint8_t> code)
    : name(std::move(name)), platform(&platform) {
  constexpr std::size_t unit = 8;
  try {
    instructions = decodeAll(code, platform);
  } catch (const Problem &problem) {
    throw Problem("kernel '" + this->name + "': " + problem.what());
  }
  byAddress.resize(code.size() / unit + 1);
  for (const Instruction &i : instructions)
    plans.push_back(planOf(i, platform));
  for (std::size_t k = 0; k < instructions.size(); ++k)
    byAddress[instructions[k].address / unit] = std::uint32_t(k + 1);
}

const Instruction &Kernel::at(std::uint32_t address) const {
  std::size_t unit = address / 8;
  if (address % 8 || unit >= byAddress.size() || !byAddress[unit])
    throw Problem("execution goes to where no instruction is");
  return instructions[byAddress[unit] - 1];
}

void Dispatch::set(std::uint32_t offset, const void *data, std::size_t bytes) {
  if (!bytes)
    return;
  if (image.size() < offset + bytes) {
    image.resize(offset + bytes);
    written.resize(offset + bytes);
  }
  std::memcpy(image.data() + offset, data, bytes);
  std::memset(written.data() + offset, 1, bytes);
}

Machine::Machine(const Kernel &kernel, World world, const Options &options)
    : kernel(kernel), world(std::move(world)), options(options), slm(options.slmBytes), slmMarks(options.slmBytes) {
  report = [this](const Instruction &i, const char *what) { ++findings[{i.address, what}]; };
  this->world.slm = {slm.data(), slmMarks.data(), slm.size()};
  this->world.gateway = &gateway;
  if (!options.observers.empty()) {
    this->world.touches = &touches;
    placeSurfaces(this->world.surfaces);
  }
  for (Observer *o : options.observers)
    if (o->wantsAll())
      ofAll.push_back(o);
}

/// A thread's number among those of the machine as sr0 holds it from Xe-HPG on, which has more room for threads of a
/// unit and for units than there are: bits 3 and 6 belong to nobody. Kernels take their part of private memory by it.
static std::uint32_t placeOfThread(std::uint32_t number) {
  constexpr unsigned units = 3, slices = 6; // from which bit on
  auto from = [&](unsigned bit) { return number >> bit << bit; };
  number += from(units);
  return number + from(slices);
}

void Machine::start(Thread &t, const Dispatch &d, std::uint32_t number) {
  t.start(*kernel.platform, options.registers);
  t.number = number;
  t.scratch.assign(options.scratchBytes, 0);
  t.scratchMarks.assign(options.scratchBytes, 0xFF);
  t.dispatched = d.channels;
  t.state.set(8, t.dispatched);
  // Where arguments are loaded, only r0 is there in the beginning, and what follows it where that is said.
  std::size_t given = options.loadsArguments ? t.registerBytes + options.passedBytes : d.image.size();
  given = std::min(given, d.image.size());
  if (given > options.registers * t.registerBytes)
    throw Problem("kernel '" + kernel.name + "' begins with more registers than a thread has");
  for (std::size_t at = 0; at < given; ++at)
    if (d.written[at]) {
      t.registers.data[at] = d.image[at];
      t.registers.marks[at] = 0;
    }
  if (!options.loadsArguments)
    return;
  t.indirect.assign(d.image.begin() + std::ptrdiff_t(std::min<std::size_t>(options.argumentsFrom, d.image.size())),
                    d.image.end());
  t.indirect.resize((t.indirect.size() + 1023) / 1024 * 1024 + 4096);
  t.registers.set<std::uint32_t>(0, IndirectBase);
  constexpr unsigned numberAt = 20;            // in r0
  constexpr std::uint32_t numbers = (1u << 9); // behind them the place of scratch memory
  t.state.set(0, placeOfThread(t.registers.get<std::uint32_t>(numberAt) % numbers));
}

void Machine::runGroup(std::span<const Dispatch> dispatches, const std::string &group) {
  while (threads.size() < dispatches.size())
    threads.push_back(std::make_unique<Thread>());
  std::fill(slm.begin(), slm.end(), std::uint8_t(0));
  std::fill(slmMarks.begin(), slmMarks.end(), std::uint8_t(0xFF));
  for (std::size_t k = 0; k < dispatches.size(); ++k)
    start(*threads[k], dispatches[k], std::uint32_t(k));
  groupSize = std::uint32_t(dispatches.size());
  gateway.begin({threads.data(), dispatches.size()});
  for (Observer *o : options.observers)
    o->groupBegins({{threads.data(), dispatches.size()}, world});
  std::size_t left = dispatches.size();
  while (left) {
    bool moved = false;
    for (std::size_t k = 0; k < dispatches.size(); ++k) {
      Thread &t = *threads[k];
      if (t.status == Thread::Status::Waits && Gateway::takeNotification(t, t.barrier))
        t.status = Thread::Status::Runs;
      if (t.status != Thread::Status::Runs)
        continue;
      moved = true;
      std::uint64_t before = t.instructions;
      run(t);
      executed += t.instructions - before;
      left -= t.status == Thread::Status::Ended;
    }
    if (!moved)
      throw Problem(whyStuck(dispatches.size(), left, group));
  }
  for (Observer *o : options.observers)
    o->groupEnds();
}

std::string Machine::whyStuck(std::size_t dispatched, std::size_t left, const std::string &group) const {
  std::set<unsigned> barriers;
  bool meet = false;
  for (std::size_t k = 0; k < dispatched; ++k) {
    meet |= threads[k]->status == Thread::Status::Meets;
    if (threads[k]->status == Thread::Status::Waits)
      barriers.insert(threads[k]->barrier);
  }
  std::string text = "kernel '" + kernel.name + "': " + std::to_string(left) + " of the " + std::to_string(dispatched) +
                     " threads of group " + group + " wait";
  if (!barriers.empty())
    text += " at a barrier that the others do not reach";
  if (!barriers.empty() && *barriers.rbegin() > 0) {
    text += ", by number:";
    for (unsigned number : barriers)
      text += " " + std::to_string(number);
  }
  if (meet)
    text += std::string(barriers.empty() ? "" : ", or") + " for the other thread of their pair at a product of both";
  return text;
}

/// Whether a channel that executes takes an operand by an address that nobody has written.
static bool addressUnknown(const Thread &t, const Instruction &i, const Operand &o) {
  if (o.kind != Operand::Kind::Indirect)
    return false;
  ChannelMask predicate = predicateOf(t, i);
  std::uint32_t channels = enabledChannels(t, i) & (predicate.bits | predicate.marks);
  if (i.opcode == Opcode::Smov && i.from[1].kind == Operand::Kind::Immediate)
    channels &= std::uint32_t(i.from[1].immediate);
  for (unsigned n = 0; n < i.size; ++n) {
    unsigned word = o.address + (o.eachRow ? n / o.width : 0);
    if (channels >> n & 1 && word * 2 < sizeof(t.addresses.marks) && t.addresses.marks[word * 2])
      return true;
  }
  return false;
}

/// Until the thread ends or waits.
void Machine::run(Thread &t) {
  const Instruction *i = nullptr;
  if (!t.instructions)
    for (Observer *o : options.observers)
      o->threadBegins(t);
  try {
    while (t.status == Thread::Status::Runs) {
      i = nullptr;
      i = &kernel.at(t.ip);
      if (++t.instructions > options.mostInstructions)
        throw Problem("more than " + std::to_string(options.mostInstructions) +
                      " instructions of a thread: an endless loop");
      if (options.ended && options.ended->load(std::memory_order_relaxed))
        throw Problem("ended by the host");
      std::uint32_t active = t.active(), before = t.ip;
      if (options.usesPlans && execute(kernel.plans[std::size_t(i - kernel.instructions.data())], t, *i)) {
        t.moveOn(active, i->next());
        if (!ofAll.empty())
          tell(ofAll, t, *i, active);
        continue;
      }
      if (i->branches()) {
        executeBranch(t, *i, *kernel.platform, report);
        if (t.ip == before && t.active() == active)
          throw Problem("an endless loop: it branches to itself");
        tell(options.observers, t, *i, active);
        continue;
      }
      Outcome outcome = step(t, *i);
      if (outcome == Outcome::Meets) { // the other thread takes it along
        t.status = Thread::Status::Meets;
        break;
      }
      t.moveOn(active, i->next());
      if (outcome == Outcome::Ends)
        t.status = Thread::Status::Ended;
      bool isMessage = i->format == Format::Send || i->format == Format::Splitsend;
      tell(isMessage ? options.observers : ofAll, t, *i, active);
    }
  } catch (const Problem &problem) {
    char where[32];
    std::snprintf(where, sizeof(where), "' at 0x%X", t.ip);
    throw Problem("kernel '" + kernel.name + where + (i ? ", " + textOf(*i, *kernel.platform) : "") + ": " +
                  problem.what());
  }
}

/// What is no branch, and has no plan that would do.
Outcome Machine::step(Thread &t, const Instruction &i) {
  switch (i.format) {
  case Format::Send:
  case Format::Splitsend:
    return executeSend(t, i, *kernel.platform, world, report);
  case Format::Math:
    executeMath(t, i);
    break;
  case Format::Dpas:
    if (i.opcode == Opcode::Dpasw)
      return multiplyInPair(t, i);
    executeDpas(t, i, *kernel.platform, rowsOf(t, i, i.repeat));
    break;
  case Format::Nop:
    break;
  case Format::Wait:
  case Format::Sync:
    if (i.waitsAtBarrier())
      waitAtBarrier(t, i);
    break;
  default:
    // An address that decides where operands are has to be known.
    for (const Operand *o : {&i.to, &i.from[0], &i.from[1]})
      if (addressUnknown(t, i, *o))
        report(i, "takes an operand by an address that nobody has written");
    executeArithmetic(t, i, *kernel.platform);
    if (t.beyond)
      report(i, "reads or writes beyond the register file");
    t.beyond = false;
  }
  return Outcome::Continues;
}

/// Up to DG2 there is one barrier; then the instruction says which.
void Machine::waitAtBarrier(Thread &t, const Instruction &i) {
  t.barrier = 0;
  if (kernel.platform->generation >= Generation::XeHpc && i.from[0].kind != Operand::Kind::Architecture) {
    Lanes number;
    fetch(t, i.from[0], 1, 1, false, false, number);
    if (number.marks[0])
      report(i, "waits at a barrier that nobody has written");
    if (number.integer[0] < 0 || number.integer[0] >= MostBarriers)
      throw Problem("barrier " + std::to_string(number.integer[0]) + " of a group, which has " +
                    std::to_string(MostBarriers));
    t.barrier = unsigned(number.integer[0]);
  }
  if (!Gateway::takeNotification(t, t.barrier))
    t.status = Thread::Status::Waits;
}

/// Threads 2k and 2k + 1 of a group execute as one; each has half of the product's source 2. The second one that gets
/// here computes for both.
Outcome Machine::multiplyInPair(Thread &t, const Instruction &i) {
  if ((t.number ^ 1) >= groupSize || threads[t.number ^ 1]->status != Thread::Status::Meets)
    return Outcome::Meets;
  Thread &other = *threads[t.number ^ 1];
  if (other.ip != t.ip)
    throw Problem("a product of a pair of threads whose other thread is at another one");
  if (i.repeat % 2)
    throw Problem("a product of a pair of threads of an odd number of rows");
  Thread &first = t.number % 2 ? other : t, &second = t.number % 2 ? t : other;
  Rows rows = rowsOf(first, i, i.repeat / 2);
  rows.append(rowsOf(second, i, i.repeat / 2));
  executeDpas(other, i, *kernel.platform, rows);
  std::uint32_t active = other.active();
  other.moveOn(active, i.next());
  other.status = Thread::Status::Runs;
  if (!ofAll.empty())
    tell(ofAll, other, i, active);
  executeDpas(t, i, *kernel.platform, rows);
  return Outcome::Continues;
}

void Machine::tell(const std::vector<Observer *> &observers, const Thread &t, const Instruction &i,
                   std::uint32_t active) {
  for (Observer *o : observers)
    o->executed(t, i, active, touches);
  touches.clear();
}

std::vector<std::string> textOf(const Kernel &kernel, const Machine::Findings &findings) {
  std::vector<std::string> lines;
  for (const auto &[where, count] : findings) {
    char address[32];
    std::snprintf(address, sizeof(address), "' at 0x%X: ", where.first);
    lines.push_back("kernel '" + kernel.name + address + textOf(kernel.at(where.first), *kernel.platform) + ": " +
                    where.second + " (" + std::to_string(count) + (count == 1 ? " time)" : " times)"));
  }
  return lines;
}

} // namespace pocm::gensim
