//===- Gpu.cpp - Execution units, their threads, and who gets which ----------------------------===//
#include "gensim/timing/Gpu.h"
#include <algorithm>

namespace pocm::gensim::timing {

constexpr Clock Never = ~Clock(0);

/// Threads that share a barrier.
struct Gpu::Group {
  unsigned subslice = 0, left = 0, threads = 0;
  std::uint32_t number = 0;
  unsigned arrived = 0, released = 0; ///< At the barrier; how often it has opened.
  Clock lastArrival = 0, opened = 0;
  std::vector<std::pair<std::uint32_t, Slot *>> waiting; ///< With their units.
};

struct Value {
  Clock ready = 0;
  Reason why = Reason::None;
  void set(Clock at, Reason by) {
    ready = at;
    why = by;
  }
};

struct Gpu::Slot {
  bool used = false, waits = false, ends = false;
  std::uint8_t number = 0; ///< In its unit.
  std::shared_ptr<Group> group;
  ThreadTrace trace;
  std::size_t target = 0, message = 0;
  std::uint32_t index = 0; ///< Of the instruction to issue next.
  unsigned barriers = 0;   ///< That it has passed.
  Clock ready = 0, since = 0, began = 0;
  Reason why = Reason::None;
  std::array<Value, MostRegisters> registers, payloads;
  RegisterSet pending, held; ///< Of both: those that may not be ready.
  std::array<Value, 4> flags;
  Value accumulator, address, control;
  std::array<Value, 16> tokenResults, tokenPayloads;
  std::array<Value, 8> inOrder; ///< The last ones, for distances.
  unsigned inOrderCount = 0;
  Clock latest = 0; ///< When all of these are ready.
};

struct Gpu::Unit {
  std::uint32_t number = 0, subslice = 0;
  std::vector<Slot> slots;
  std::array<Clock, Pipes> pipeFree{};
  std::array<Clock, Pipes> pipeBusy{};
  static constexpr unsigned mostSlots = 8;
  std::array<Clock, mostSlots> ready;         ///< When each thread's next instruction may issue; Never without one.
  std::array<std::uint8_t, mostSlots> wanted; ///< Its pipes.
  Clock activeUntil = 0, active = 0, residentSince = 0, resident = 0;
  unsigned residents = 0, last = 0;
  std::uint64_t threadClocks = 0;
};

struct Gpu::Subslice {
  unsigned freeSlots = 0, barriers = 0;
  double slm = 0;
  Clock dispatchFree = 0;
};

Gpu::Gpu(const Kernel &kernel, const Parameters &parameters, const Launch &launch)
    : kernel(kernel), p(parameters), launch(launch), units(std::size_t(p.subslices * p.unitsPerSubslice)),
      subslices(std::size_t(p.subslices)), caches(p), pages(p) {
  for (const Instruction &i : kernel.instructions)
    costs.push_back(costOf(i, p, kernel.platform->grfBytes));
  for (std::uint32_t k = 0; k < units.size(); ++k) {
    units[k].number = k;
    units[k].subslice = k / unsigned(p.unitsPerSubslice);
    units[k].slots.resize(std::min<std::size_t>(Unit::mostSlots, std::size_t(p.threadsPerUnit)));
    units[k].ready.fill(Never);
    units[k].wanted.fill(0);
  }
  for (Subslice &s : subslices) {
    s.freeSlots = unsigned(p.unitsPerSubslice * p.threadsPerUnit);
    s.barriers = unsigned(p.barriers);
    s.slm = p.slmBytes;
  }
  next.assign(units.size(), Never);
  profile.kernel = &kernel;
  profile.parameters = &p;
  profile.lines = launch.lines;
  profile.instructions.resize(kernel.instructions.size());
}

Gpu::~Gpu() = default;

void Gpu::wake(Unit &unit, Clock at) { next[unit.number] = std::min(next[unit.number], at); }

/// Lets the unit know what a thread does next.
void Gpu::publish(Unit &unit, const Slot &slot) {
  unit.ready[slot.number] = slot.used && !slot.waits ? slot.ready : Never;
  unit.wanted[slot.number] = slot.ends ? 0 : std::uint8_t(costs[slot.index].pipes);
}

void Gpu::wait(Slot &slot, Clock until, Reason why) {
  if (until <= slot.ready)
    return;
  slot.ready = until;
  slot.why = why;
}

void Gpu::add(GroupTrace &&group) {
  if (group.size() > std::size_t(p.unitsPerSubslice * p.threadsPerUnit) || launch.slmBytes > p.slmBytes)
    throw Problem("kernel '" + kernel.name + "': a group of " + std::to_string(group.size()) + " threads and " +
                  std::to_string(launch.slmBytes) + " bytes of shared local memory is larger than a subslice");
  pages.place(group);
  while (!place(group)) {
    freed = false;
    while (!freed)
      if (!advance())
        throw Problem("kernel '" + kernel.name + "': no room for a group on an idle machine");
  }
  ++profile.groups;
}

bool Gpu::place(GroupTrace &group) {
  Subslice *best = nullptr;
  for (std::size_t k = 0; k < subslices.size(); ++k) {
    Subslice &s = subslices[(nextSubslice + k) % subslices.size()];
    if (s.freeSlots < group.size() || s.slm < launch.slmBytes || (launch.hasBarrier && !s.barriers))
      continue;
    if (!best || s.freeSlots > best->freeSlots)
      best = &s;
  }
  if (!best)
    return false;
  const auto number = unsigned(best - subslices.data());
  nextSubslice = (number + 1) % subslices.size();
  auto shared = std::make_shared<Group>();
  shared->subslice = number;
  shared->number = std::uint32_t(profile.groups);
  shared->left = shared->threads = unsigned(group.size());
  best->slm -= launch.slmBytes;
  best->barriers -= launch.hasBarrier;
  auto first = std::size_t(number * p.unitsPerSubslice), count = std::size_t(p.unitsPerSubslice);
  for (ThreadTrace &trace : group) {
    Unit *unit = std::min_element(&units[first], &units[first] + count,
                                  [](const Unit &a, const Unit &b) { return a.residents < b.residents; });
    auto slot = std::find_if(unit->slots.begin(), unit->slots.end(), [](const Slot &s) { return !s.used; });
    Clock begins = std::max(now, best->dispatchFree);
    best->dispatchFree = begins + Clock(std::max(p.dispatchClocks, launch.payloadRegisters * p.registerDispatch));
    --best->freeSlots;
    start(*slot, *unit, std::move(trace), shared, best->dispatchFree);
  }
  return true;
}

void Gpu::start(Slot &slot, Unit &unit, ThreadTrace &&trace, std::shared_ptr<Group> group, Clock at) {
  slot = Slot();
  slot.number = std::uint8_t(&slot - unit.slots.data());
  slot.used = true;
  slot.group = std::move(group);
  slot.trace = std::move(trace);
  slot.since = slot.began = at;
  slot.ready = at;
  if (!unit.residents++)
    unit.residentSince = at;
  ++profile.threads;
  prepare(slot, at);
  publish(unit, slot);
  wake(unit, slot.ready);
}

/// When the next instruction of a thread may issue, and what it waits for.
void Gpu::prepare(Slot &slot, Clock earliest) {
  slot.ready = earliest;
  slot.why = Reason::None;
  if (slot.latest <= earliest)
    return;
  const Cost &c = costs[slot.index];
  auto await = [&](const Value &v) { wait(slot, v.ready, v.why); };
  await(slot.control);
  if (!p.scoreboard) {
    const Swsb &s = c.swsb;
    if (s.distance && s.distance <= slot.inOrderCount)
      await(slot.inOrder[(slot.inOrderCount - s.distance) % slot.inOrder.size()]);
    // A token that is in use is waited for before it is given away again.
    if (s.token == Swsb::Token::AwaitResult || s.token == Swsb::Token::Set)
      await(slot.tokenResults[s.number]);
    if (s.token == Swsb::Token::AwaitPayload)
      await(slot.tokenPayloads[s.number]);
    for (unsigned t = 0; t < slot.tokenResults.size(); ++t) {
      if (s.results >> t & 1)
        await(slot.tokenResults[t]);
      if (s.payloads >> t & 1)
        await(slot.tokenPayloads[t]);
    }
    return;
  }
  auto awaitOne = [&](RegisterSet &set, const std::array<Value, MostRegisters> &values, unsigned k) {
    await(values[k]);
    if (values[k].ready <= earliest)
      set.remove(k);
  };
  auto awaitAll = [&](RegisterSet &set, const std::array<Value, MostRegisters> &values, const RegisterSet &which) {
    set.eachOfBoth(which, [&](unsigned k) { awaitOne(set, values, k); });
  };
  awaitAll(slot.pending, slot.registers, c.uses);
  awaitAll(slot.held, slot.payloads, c.writes);
  for (unsigned f = 0; f < slot.flags.size(); ++f)
    if ((c.readsFlags | c.writesFlags) >> f & 1)
      await(slot.flags[f]);
  if (c.readsAccumulator)
    await(slot.accumulator);
  if (c.readsAddress)
    await(slot.address);
  if (!c.isSend)
    return;
  const Instruction &i = kernel.instructions[slot.index];
  const MessageRecord &m = slot.trace.messages[slot.message];
  auto range = [&](const Operand &o, unsigned count, bool writes) {
    for (unsigned k = 0; k < count && o.kind == Operand::Kind::General && o.number + k < MostRegisters; ++k) {
      if (slot.pending.has(o.number + k))
        awaitOne(slot.pending, slot.registers, o.number + k);
      if (writes && slot.held.has(o.number + k))
        awaitOne(slot.held, slot.payloads, o.number + k);
    }
  };
  range(i.from[0], m.payload, false);
  range(i.from[1], m.extra, false);
  range(i.to, m.response, true);
}

/// Runs the next unit that has something to do, by clock and number.
bool Gpu::advance() {
  while (true) {
    for (; sweep < next.size(); ++sweep)
      if (next[sweep] == now) {
        next[sweep] = Never;
        run(units[sweep++], now);
        return true;
      }
    Clock least = *std::min_element(next.begin(), next.end());
    if (least == Never)
      return false;
    now = least;
    sweep = 0;
  }
}

void Gpu::run(Unit &unit, Clock at) {
  unsigned used = 0, count = unsigned(unit.slots.size()), begin = unit.last;
  for (unsigned k = 1; k <= count; ++k) {
    unsigned n = begin + k >= count ? begin + k - count : begin + k;
    if (unit.ready[n] > at)
      continue;
    Slot &slot = unit.slots[n];
    if (slot.ends) {
      end(unit, slot, at);
      continue;
    }
    unsigned wanted = unit.wanted[n];
    if (!wanted) { // needs none
      issue(unit, slot, Pipes, at);
      continue;
    }
    for (unsigned pipe = 0; pipe < Pipes; ++pipe)
      if (wanted >> pipe & 1 && !(used >> pipe & 1) && unit.pipeFree[pipe] <= at) {
        used |= 1u << pipe;
        unit.last = n;
        issue(unit, slot, pipe, at);
        break;
      }
  }
  // When one of an instruction's pipes is free, by which it can take.
  const auto &free = unit.pipeFree;
  Clock freeAt[1 << Pipes] = {at};
  for (unsigned pipe = 0; pipe < Pipes; ++pipe)
    freeAt[1u << pipe] = free[pipe];
  constexpr unsigned both = 1u << FirstPipe | 1u << SecondPipe;
  freeAt[both] = std::min(free[FirstPipe], free[SecondPipe]);
  Clock soonest = Never;
  for (unsigned n = 0; n < count; ++n)
    soonest = std::min(soonest, std::max({unit.ready[n], freeAt[unit.wanted[n]], at + 1}));
  if (soonest != Never)
    wake(unit, soonest);
}

void Gpu::issue(Unit &unit, Slot &slot, unsigned pipe, Clock at) {
  const Instruction &i = kernel.instructions[slot.index];
  const Cost &c = costs[slot.index];
  auto set = [&](Value &value, Clock ready, Reason why) {
    value.set(ready, why);
    slot.latest = std::max(slot.latest, ready);
  };
  auto &line = profile.instructions[slot.index];
  ++line.executions;
  line.waits[unsigned(slot.why)] += slot.ready - slot.since;
  line.waits[unsigned(Reason::Pipe)] += at - slot.ready;
  line.waited += at - slot.since;
  line.clocks += c.clocks;
  slot.since = at + 1;
  if (pipe < Pipes) {
    unit.pipeFree[pipe] = at + c.clocks;
    unit.pipeBusy[pipe] += c.clocks;
    Clock until = at + c.clocks;
    if (until > unit.activeUntil) {
      unit.active += until - std::max(at, unit.activeUntil);
      unit.activeUntil = until;
    }
  }
  Clock earliest = at + 1;
  Reason by = c.isMath ? Reason::Math : Reason::Alu;
  Clock done = at + c.latency;
  if (!p.scoreboard && c.swsb.token == Swsb::Token::Set && !c.isSend)
    set(slot.tokenResults[c.swsb.number], done, by);
  if (c.inOrder)
    set(slot.inOrder[slot.inOrderCount++ % slot.inOrder.size()], done, by);
  for (unsigned k = c.write.first; k <= c.write.last && !c.write.empty(); ++k)
    set(slot.registers[k], done, by), slot.pending.add(k);
  for (unsigned f = 0; f < slot.flags.size(); ++f)
    if (c.writesFlags >> f & 1)
      set(slot.flags[f], at + Clock(p.flagLatency), Reason::Alu);
  if (c.writesAccumulator)
    set(slot.accumulator,
        at + Clock(p.accumulatorLatency) + c.clocks - Clock(std::min<double>(c.clocks, p.leastPipeClocks)),
        Reason::Alu);
  if (c.writesAddress)
    set(slot.address, at + Clock(p.addressLatency), Reason::Alu);
  if (c.usesControl)
    set(slot.control, at + Clock(p.controlLatency), Reason::Alu);
  std::uint32_t next = i.next();
  switch (i.format) {
  case Format::Send:
  case Format::Splitsend:
    send(unit, slot, i, at);
    if (slot.ends)
      return publish(unit, slot);
    break;
  case Format::Jump:
  case Format::Branch:
  case Format::TwoBranch:
  case Format::Call:
  case Format::Ret: {
    std::uint32_t to = slot.trace.targets[slot.target++];
    earliest = at + Clock(to == next ? p.branchPassed : p.branchTaken);
    next = to;
    break;
  }
  case Format::Wait:
  case Format::Sync: {
    if (!i.waitsAtBarrier())
      break;
    Group &group = *slot.group;
    if (slot.barriers++ < group.released) {
      earliest = std::max(earliest, group.opened);
      break;
    }
    slot.waits = true;
    group.waiting.push_back({unit.number, &slot});
    break;
  }
  default:
    break;
  }
  bool follows = slot.index + 1 < kernel.instructions.size() && kernel.instructions[slot.index + 1].address == next;
  slot.index = follows ? slot.index + 1 : std::uint32_t(&kernel.at(next) - kernel.instructions.data());
  prepare(slot, earliest);
  if (earliest > at + 1 && slot.ready == earliest)
    slot.why = Reason::Branch;
  publish(unit, slot);
}

void Gpu::send(Unit &unit, Slot &slot, const Instruction &i, Clock at) {
  using Kind = MessageRecord::Kind;
  const MessageRecord &m = slot.trace.messages[slot.message++];
  unsigned registers = m.payload + m.extra;
  Clock leaves = at + Clock(p.payloadClocks + p.payloadRegisterClocks * (registers ? registers - 1 : 0));
  Clock done = caches.serve(slot.trace, m, unit.subslice, leaves);
  Reason why = m.kind == Kind::Slm ? Reason::Slm : m.kind == Kind::Sampler ? Reason::Sampler : Reason::Memory;
  auto set = [&](Value &value, Clock ready, Reason by) {
    value.set(ready, by);
    slot.latest = std::max(slot.latest, ready);
  };
  auto hold = [&](const Operand &o, unsigned count) {
    for (unsigned k = 0; k < count && o.kind == Operand::Kind::General && o.number + k < MostRegisters; ++k)
      set(slot.payloads[o.number + k], leaves, Reason::Payload), slot.held.add(o.number + k);
  };
  hold(i.from[0], m.payload);
  hold(i.from[1], m.extra);
  for (unsigned k = 0; k < m.response && i.to.kind == Operand::Kind::General && i.to.number + k < MostRegisters; ++k)
    set(slot.registers[i.to.number + k], done, why), slot.pending.add(i.to.number + k);
  if (const Swsb &s = costs[slot.index].swsb; s.token == Swsb::Token::Set) {
    set(slot.tokenResults[s.number], m.response ? done : leaves, m.response ? why : Reason::Payload);
    set(slot.tokenPayloads[s.number], leaves, Reason::Payload);
  }
  if (m.kind == Kind::End) {
    slot.ends = true;
    slot.ready = at + Clock(p.endClocks);
    return;
  }
  if (m.kind != Kind::Gateway)
    return;
  Group &group = *slot.group;
  group.lastArrival = std::max(group.lastArrival, done);
  if (++group.arrived < group.threads)
    return;
  group.arrived = 0;
  ++group.released;
  group.opened = group.lastArrival + Clock(p.barrierRelease);
  for (auto [number, waiting] : group.waiting) {
    waiting->waits = false;
    wait(*waiting, group.opened, Reason::Barrier);
    publish(units[number], *waiting);
    wake(units[number], waiting->ready);
  }
  group.waiting.clear();
}

void Gpu::end(Unit &unit, Slot &slot, Clock at) {
  Group &group = *slot.group;
  Subslice &s = subslices[group.subslice];
  ++s.freeSlots;
  if (!--group.left) {
    s.slm += launch.slmBytes;
    s.barriers += launch.hasBarrier;
  }
  if (!--unit.residents)
    unit.resident += at - std::min(at, unit.residentSince);
  if (profile.spans.size() < Profile::mostSpans)
    profile.spans.push_back({unit.number, slot.number, group.number, slot.began, at});
  slot.used = false;
  slot.group.reset();
  publish(unit, slot);
  freed = true;
  profile.clocks = std::max(profile.clocks, at);
}

Profile Gpu::finish() {
  while (advance()) {
  }
  profile.traffic = caches.traffic;
  for (const Unit &unit : units) {
    profile.active += unit.active;
    profile.resident += unit.resident;
    for (unsigned k = 0; k < Pipes; ++k)
      profile.pipeBusy[k] += unit.pipeBusy[k];
  }
  for (const Queue &q : caches.ports)
    profile.portBusy += q.busy;
  for (const Queue &q : caches.banks)
    profile.bankBusy += q.busy;
  profile.gtiBusy = caches.gtiRead.busy;
  profile.dramBusy = caches.dram.busy;
  return std::move(profile);
}

} // namespace pocm::gensim::timing
