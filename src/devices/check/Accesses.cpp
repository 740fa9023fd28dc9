//===- Accesses.cpp - Bytes that threads touch, and in which order ------------------===//
//
// Each access gets a number; shadows keep the last ones of every byte (Shadow.h), and the
// notes of two numbers tell whether anything orders them:
//
//     thread 4 writes byte 96 as access 17, thread 5 reads it as 23, no barrier between   ->   a race
//
//===----------------------------------------------------------------------===//
#include "devices/check/Checker.h"
#include <algorithm>

namespace pocm::check {

/// By an atomic: what came before its group's last fence is known to those that take it up.
void Checker::released(const ThreadRecord &thread, AccessNumber me) {
  ThreadNote &ours = threads[threads[thread.number].group];
  if (ours.fenced != ours.released) {
    ours.released = ours.fenced;
    ours.releasedAt = me;
  }
  ours.acquiredAt = me;
}

Checker::Message Checker::messageTo(ThreadRecord &thread, const Site &site, const Surface &surface,
                                    std::uint32_t slot) {
  const AccessNumber me = surface.area->races && !counts ? begin(thread, site) : 0;
  return {thread, site, slot, me, window};
}

/// What came before a barrier that the thread has passed is of no interest to it.
Checker::Message Checker::messageToShared(ThreadRecord &thread, const Site &site) {
  const AccessNumber me = counts ? 0 : begin(thread, site);
  const bool passed = thread.waited >= phase && !thread.kernel->mixed;
  const AccessNumber oldest = passed ? phaseBegin : groupBegin;
  sharedWindow = window;
  sharedWindow.oldest = oldest;
  sharedWindow.mine = std::max(oldest, window.mine);
  sharedWindow.own = std::max(oldest, window.own);
  return {thread, site, SlmSlot, me, sharedWindow};
}

/// A thread leaves what it knows somewhere, or takes what others have left.
void Checker::meet(const ThreadRecord &thread, std::uint32_t place, bool leaves) {
  const std::uint32_t me = thread.number - currentGroup;
  if (!leaves)
    return clocks.take(me, place);
  clocks.leave(me, place, lastAccess);
  if (!isFull()) // what comes next is another access
    noteOf(++lastAccess) = {};
}

/// Whether nothing comes between an earlier access and this one.
bool Checker::conflict(const ThreadRecord &thread, const Site &site, AccessNumber number) {
  const AccessNote &before = noteOf(number);
  if (awaitedBy == thread.number && awaited[before.thread % std::size(awaited)] == before.thread)
    return false;
  if (before.thread == thread.number || (before.site->access == Access::Atomic && site.access == Access::Atomic))
    return false;
  const ThreadNote &mine = threads[thread.number], &other = threads[before.thread];
  if (mine.group == other.group)
    return thread.kernel->mixed ? !clocks.knows(thread.number - currentGroup, before.thread - currentGroup, number)
                                : thread.waited <= before.arrived;
  // Written before a fence and an atomic, and an atomic here since: one may tell the other.
  const ThreadNote &theirs = threads[other.group], &ours = threads[mine.group];
  if (number <= theirs.released && ours.acquiredAt > theirs.releasedAt)
    return false;
  return !reach.any() || !waitsFor(thread, before.thread);
}

/// Answers hold for the thread.
bool Checker::waitsFor(const ThreadRecord &thread, std::uint32_t other) {
  if (awaitedBy != thread.number) {
    awaitedBy = thread.number;
    std::fill(std::begin(awaited), std::end(awaited), 0);
  }
  std::uint32_t &known = awaited[other % std::size(awaited)];
  if (known == other)
    return true;
  const ThreadPlace &mine = threads[thread.number].place, &theirs = threads[other].place;
  if (!reach.waitsFor(mine.x, mine.y, theirs.x, theirs.y))
    return false;
  known = other;
  return true;
}

namespace {
/// What reports call the bytes of an access, several lanes' of which are looked at together.
std::uint64_t bytesOf(const Site &site, std::uint64_t bytes) {
  return site.bytes ? std::min<std::uint64_t>(bytes, site.bytes) : bytes;
}
} // namespace

/// Answers hold as long as the thread goes on: what is ordered stays so. Only plain accesses give them, as atomics may
/// meet where those may not.
bool Checker::inOrder(const Message &message, AccessNumber before) {
  if (orderedRun != window.own) {
    orderedRun = window.own;
    std::fill(std::begin(ordered), std::end(ordered), 0);
  }
  AccessNumber &known = ordered[before % std::size(ordered)];
  if (known == before)
    return true;
  if (conflict(message.thread, message.site, before))
    return false;
  if (message.site.access != Access::Atomic)
    known = before;
  return true;
}

void Checker::race(const Message &message, AccessNumber before, std::uint64_t offset, std::uint64_t bytes) {
  const AccessNote &other = noteOf(before);
  if (RawFinding *f = find(Kind::Race, message.thread, message.site, other.site)) {
    f->otherThread = threads[other.thread].place;
    f->slot = message.slot;
    f->offset = std::int64_t(offset);
    f->bytes = bytesOf(message.site, bytes);
  }
}

namespace {
/// The first byte from `first` on that `next` finds and that is used; `end` when there is none. `next(at)` finds the
/// first at or after `at`.
template <class Next>
std::uint64_t firstUsed(std::uint64_t at, std::uint64_t count, const std::uint8_t *used, Next next) {
  const std::uint64_t begin = at, end = at + count;
  while ((at = next(at)) < end && used && !used[at - begin])
    ++at;
  return std::min(at, end);
}
} // namespace

/// Bytes of surfaces whose first contents nobody has given.
void Checker::checkWritten(const Message &message, const Surface &surface, const Bytes &bytes) {
  auto [written, base] = surface.record;
  const std::uint64_t begin = base + bytes.offset, end = begin + bytes.count;
  if (message.site.access != Access::Write) {
    auto next = [&](std::uint64_t at) { return written->unwritten(at, end - at); };
    if (std::uint64_t first = firstUsed(begin, bytes.count, bytes.used, next); first < end)
      if (RawFinding *f = find(Kind::UnwrittenSurface, message.thread, message.site)) {
        f->slot = message.slot;
        f->offset = std::int64_t(first - base);
        f->bytes = bytesOf(message.site, bytes.count);
      }
  }
  if (message.site.access != Access::Read)
    written->mark(begin, bytes.count);
}

void Checker::touch(const Message &message, const Surface &surface, const Bytes &bytes) {
  if (counts)
    return count(message.site, message.slot, bytes.count);
  if (auto [written, base] = surface.record; written && base + bytes.offset + bytes.count > written->begin())
    checkWritten(message, surface, bytes);
  Area &area = *surface.area;
  if (message.number && bytes.count)
    touchShadow(message, *area.shadow, {surface.offset + bytes.offset, bytes.count, bytes.offset},
                purpose == Purpose::SumUp ? &area.again : nullptr);
}

void Checker::touchShared(const Message &message, const Bytes &bytes) {
  if (counts)
    return count(message.site, SlmSlot, bytes.count);
  const std::uint64_t end = bytes.offset + bytes.count;
  if (message.site.access != Access::Write) {
    auto next = [&](std::uint64_t at) { return shared.unwritten(at, end - at, groupBegin); };
    const std::uint64_t seen = std::min<std::uint64_t>(end, message.thread.kernel->slmByAddress);
    if (std::uint64_t first = firstUsed(bytes.offset, bytes.count, bytes.used, next); first < seen)
      if (RawFinding *f = find(Kind::UnwrittenSlm, message.thread, message.site)) {
        f->slot = SlmSlot;
        f->offset = std::int64_t(first);
        f->bytes = bytesOf(message.site, bytes.count);
      }
  }
  if (message.number)
    touchShadow(message, shared, {bytes.offset, bytes.count, bytes.offset}, nullptr);
}

} // namespace pocm::check
