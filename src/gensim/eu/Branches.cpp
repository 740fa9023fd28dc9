//===- Branches.cpp - Where channels go on ----------------------------------------------===//
//
// Each channel has an address of its own at which it goes on. One that waits elsewhere
// wakes when the thread gets there. Channels beyond the branch's own follow the thread.
//
//===----------------------------------------------------------------------===//
#include "gensim/eu/Execute.h"

namespace pocm::gensim {
namespace {

struct Branching {
  Thread &t;
  const Instruction &i;
  std::uint32_t mine, others; ///< Active channels of the branch, and beyond it.

  void materialize() {
    if (!t.diverged)
      for (std::uint32_t &c : t.at)
        c = t.ip;
    t.diverged = true;
  }
  void send(std::uint32_t channels, std::uint32_t to) {
    for (unsigned c = 0; c < MostChannels; ++c)
      if (channels >> c & 1)
        t.at[c] = to;
  }
  /// Goes on at `to` with those beyond the branch, and forgets channels' addresses when all go on there.
  void go(std::uint32_t to) {
    send(others, to);
    t.ip = to;
    for (unsigned c = 0; c < MostChannels; ++c)
      if ((t.dispatched >> c & 1) && t.at[c] != to)
        return;
    t.diverged = false;
  }
  bool anyOfMineAt(std::uint32_t where) const {
    std::uint32_t all = i.size >= 32 ? ~0u : ((1u << i.size) - 1) << i.channel;
    for (unsigned c = 0; c < MostChannels; ++c)
      if ((all & t.dispatched) >> c & 1 && t.at[c] == where)
        return true;
    return false;
  }
};

/// The dword of a register that a branch takes, whatever type its operand has.
std::uint32_t targetOf(Thread &t, const Instruction &i, const Report &report) {
  Operand from = i.from[0];
  from.type = Type::UD;
  from.vertical = from.horizontal = 0;
  from.width = 1;
  Lanes where;
  fetch(t, from, 1, 1, false, false, where);
  if (where.marks[0])
    report(i, "goes to where nobody has said");
  return std::uint32_t(where.integer[0]);
}

} // namespace

void executeBranch(Thread &t, const Instruction &i, const Platform &platform, const Report &report) {
  std::uint32_t next = i.next();
  std::uint32_t active = t.active();
  std::uint32_t all = i.size >= 32 ? ~0u : ((1u << i.size) - 1) << i.channel;
  ChannelMask predicate = predicateOf(t, i);
  if (i.opcode == Opcode::Jmpi) {
    if (predicate.marks & 1)
      report(i, "jumps by a flag that nobody has written");
    std::uint32_t to = next;
    if (predicate.bits & 1) {
      to = i.jump;
      if (i.jumpByRegister)
        to = targetOf(t, i, report) + (platform.generation <= Generation::Gen11 ? next : i.address);
    }
    if (t.diverged)
      for (unsigned c = 0; c < MostChannels; ++c)
        if (active >> c & 1)
          t.at[c] = to;
    t.ip = to;
    return;
  }
  std::uint32_t mine = (i.noMask ? t.dispatched : active) & all;
  std::uint32_t taken = mine & (predicate.bits << i.channel);
  if (mine & (predicate.marks << i.channel))
    report(i, "branches by a flag that nobody has written");
  Branching b{t, i, mine, active & ~all};
  b.materialize();
  std::uint32_t left = mine & ~taken;
  switch (i.opcode) {
  case Opcode::If:
    b.send(left, i.jump);
    b.send(taken, next);
    return b.go(b.anyOfMineAt(next) ? next : i.jump);
  case Opcode::Else:
    b.send(mine, i.update);
    return b.go(b.anyOfMineAt(next) ? next : i.jump);
  case Opcode::Endif:
  case Opcode::Join:
    b.send(mine, next);
    return b.go(b.anyOfMineAt(next) ? next : i.jump);
  case Opcode::While:
    b.send(taken, i.jump);
    b.send(left, next);
    return b.go(taken ? i.jump : next);
  case Opcode::Break:
    b.send(taken, i.update + 16); // behind the while
    b.send(left, next);
    return b.go(b.anyOfMineAt(next) ? next : i.jump);
  case Opcode::Cont:
  case Opcode::Halt:
    b.send(taken, i.update);
    b.send(left, next);
    return b.go(b.anyOfMineAt(next) ? next : i.jump);
  case Opcode::Goto: {
    if (i.branchControl) {
      b.send(taken, i.update);
      b.send(left, next);
      return b.go(taken ? i.update : i.jump);
    }
    bool onFalse = platform.generation == Generation::Gen9;
    b.send(onFalse ? left : taken, i.update);
    b.send(onFalse ? taken : left, next);
    return b.go(b.anyOfMineAt(next) ? next : i.jump);
  }
  case Opcode::Call:
  case Opcode::Calla: {
    std::uint32_t target = i.jump;
    if (i.jumpByRegister) // before `to` changes
      target = targetOf(t, i, report) + (i.opcode == Opcode::Call ? i.address : 0);
    if (i.jumpByRegister && taken && !target)
      throw Problem("a call of the function at address 0, where the kernel begins");
    std::uint64_t bits[2] = {next, mine}, marks[2] = {};
    Operand to = i.to;
    to.type = Type::UD;
    to.horizontal = 1;
    storeBits(t, to, 2, 3, bits, marks);
    b.send(taken, target);
    b.send(left, next);
    return b.go(taken ? target : next);
  }
  case Opcode::Ret: {
    std::uint32_t target = targetOf(t, i, report);
    b.send(taken, target);
    b.send(left, next);
    return b.go(left ? next : target);
  }
  default:
    throw Problem("this branch is not supported by the simulator");
  }
}

} // namespace pocm::gensim
