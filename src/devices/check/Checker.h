//===- Checker.h - What a launch does, looked at while it runs --------------------===//
//
// The helpers that instrumented kernels call, for one launch. Threads run one after the
// other on one host thread, those of a group in turn, so nothing here is locked; what could
// happen at the same time on hardware is found by what orders accesses, not by when they
// come. Compiled code may be left by a jump at any moment, so helpers hold no lock, throw
// nothing and take no memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"
#include "devices/check/Allocations.h"
#include "devices/check/Findings.h"
#include "devices/check/Histories.h"
#include "devices/check/Reach.h"
#include "devices/cpu/Jit.h"
#include "runtime/Device.h"

namespace pocm::check {

/// What a launch is looked at for: mistakes; mistakes, and what it leaves and writes twice; how much is done.
enum class Purpose { Find, SumUp, Count };

class Checker {
public:
  /// Of a launch whose kernel has these parameters, with arguments at these offsets. `stop` ends it at the first
  /// mistake: called once, may not return.
  Checker(const runtime::Launch &launch, const KernelSignature &signature, const std::vector<std::uint32_t> &layout,
          Histories &histories, std::function<void()> stop, Purpose purpose = Purpose::Find);

  /// Notes that the launch gave up: threads may wait at barriers.
  void gaveUp();
  std::vector<Finding> findings() const;
  /// A line for each argument that is only written, and of which the launch leaves a part as it was, or writes one
  /// twice. Once the launch is over.
  std::vector<std::string> summary() const;
  /// What was done, where it is counted.
  Work work() const;
  /// What kernels of the check device may call.
  static std::vector<cpu::Helper> helpers();

private:
  struct Helpers;

  /// A surface of the launch.
  struct Surface {
    SurfaceView view = {};
    Area *area = nullptr;
    std::uint64_t offset = 0; ///< In the area.
    runtime::Memory::Record record = {};
    bool present = false, buffer = false;
  };

  /// Bytes from the first on of a slot's buffer that are all written, and whose races matter: nothing else is to be
  /// looked at there.
  struct Plain {
    Shadow *shadow;
    std::uint64_t offset, bytes; ///< Where it begins in the shadow; 0 bytes of what is not so.
    bool has(std::uint64_t at, std::uint64_t count) const { return at <= bytes && count <= bytes - at; }
  };

  void makeAreas(const runtime::Launch &launch);
  void markRaces(const KernelSite &kernel);
  void markKnown();
  const Surface *surfaceOf(const ThreadRecord &thread, const Site &site, std::uint32_t slot);
  /// And a buffer, or an image.
  const Surface *surfaceOfKind(const ThreadRecord &thread, const Site &site, std::uint32_t slot, bool buffer);

  void enter(ThreadRecord &thread, const KernelSite &kernel, const Place &place, bool byGroups);
  void leave(ThreadRecord &thread);
  void block(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int64_t offset);
  void media(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int32_t x, std::int32_t y);
  void lanes(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int64_t add, std::uint32_t shift,
             const std::uint8_t *wanted, const std::uint32_t *offsets);
  void typed(ThreadRecord &thread, const Site &site, std::uint32_t slot, const std::uint8_t *wanted,
             const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w);
  void address(ThreadRecord &thread, const Site &site, std::uint64_t address, std::uint64_t bytes);
  void element(const ThreadRecord &thread, const Site &site, std::int64_t offset, std::uint64_t size);
  void value(const ThreadRecord &thread, const Site &site, const std::uint8_t *unwritten);
  void arrive(ThreadRecord &thread, const Site &site, Meeting how);
  void goesOn(const ThreadRecord &thread) {
    waiting[std::min<std::uint32_t>(thread.number - currentGroup, 1024)] = nullptr;
  }

  /// Bytes that an access reaches. `used` has a flag for each; null: all are used.
  struct Bytes {
    std::uint64_t offset, count;
    const std::uint8_t *used;
  };
  /// A message that runs: its number in histories is 0 where none are kept, and when there are no more numbers.
  struct Message {
    const ThreadRecord &thread;
    const Site &site;
    std::uint32_t slot;
    AccessNumber number;
    const Window &window;
  };
  Message messageTo(ThreadRecord &thread, const Site &site, const Surface &surface, std::uint32_t slot);
  Message messageToShared(ThreadRecord &thread, const Site &site);
  AccessNumber begin(const ThreadRecord &thread, const Site &site);
  /// Bytes of a surface that are inside of it.
  void touch(const Message &message, const Surface &surface, const Bytes &bytes);
  static bool dword(Access access, AccessNumber me, const Plain &known, std::uint64_t at, const Window &window);
  static bool choosePart(Surface &surface, std::uint32_t part);
  void touchShared(const Message &message, const Bytes &bytes);
  void checkWritten(const Message &message, const Surface &surface, const Bytes &bytes);
  /// Bytes of a shadow, and how reports name the first of them.
  struct Stretch {
    std::uint64_t at, bytes, named;
  };
  void touchShadow(const Message &message, Shadow &shadow, const Stretch &where, Again *again);
  bool conflict(const ThreadRecord &thread, const Site &site, AccessNumber before);
  bool waitsFor(const ThreadRecord &thread, std::uint32_t other);
  bool isKnown(AccessNumber before) const {
    return orderedRun == window.own && ordered[before % std::size(ordered)] == before;
  }
  bool inOrder(const Message &message, AccessNumber before);
  void meet(const ThreadRecord &thread, std::uint32_t place, bool leaves);
  AccessNumber numberOf(const ThreadRecord &thread, const Site &site);
  void released(const ThreadRecord &thread, AccessNumber me);
  AccessNote &noteOf(AccessNumber number) const { return accesses[number - launchBegin]; }
  bool isFull() const { return lastAccess + 1 - launchBegin == Histories::mostAccesses; }
  void race(const Message &message, AccessNumber before, std::uint64_t offset, std::uint64_t bytes);
  static bool isSame(const Site *a, const Site *b);
  RawFinding *find(Kind kind, const ThreadRecord &thread, const Site &site, const Site *other = nullptr);
  std::string nameOf(std::uint32_t slot) const;

  /// What messages have read and written, by surface and at last by address.
  struct Counted {
    std::uint64_t bytesRead, bytesWritten, elementsRead, elementsWritten;
  };
  void count(const Site &site, std::uint32_t slot, std::uint64_t bytes);
  const Purpose purpose;
  const bool counts;
  Counted counted[SurfaceSlots + 1] = {};
  std::uint64_t operations = 0;

  const runtime::Launch &launch;
  const KernelSignature &signature;
  const std::vector<std::uint32_t> &layout;
  std::function<void()> stop;
  const KernelSite *kernel = nullptr;

  Surface surfaces[SurfaceSlots];
  static_assert(SlotCount == SurfaceSlots);
  Readable readable = {};
  Plain plain[SurfaceSlots] = {};
  std::vector<Area> areas; // by base

  Histories &histories;
  Shadow &shared;      // of the group that runs
  ThreadNote *threads; // by number
  std::uint32_t lastThread = 0;
  const std::uint32_t threadCount;
  AccessNote *accesses; // of the launch
  AccessNumber &lastAccess;
  const AccessNumber launchBegin; // accesses up to this one are of other launches
  Clocks &clocks;
  Allocations allocations;
  Reach reach; // of threads that wait for others

  // The group that runs.
  std::uint32_t currentGroup = 0, groupThreads = 0;
  AccessNumber groupBegin = 0; // accesses up to this one are of other groups
  /// Accesses of the group up to phaseBegin happened before its barrier number `phase`.
  AccessNumber phaseBegin = 0;
  std::uint32_t phase = 0;
  Window window, sharedWindow = {}; // of the thread that runs, for surfaces and for shared local memory
  // Of the thread that runs, accesses that were found to come before it, by number, for as long as window.own stays.
  AccessNumber ordered[16] = {}, orderedRun = 0;
  // Threads that a thread is known to wait for.
  std::uint32_t awaited[16] = {}, awaitedBy = 0;
  const Site *waiting[1024 + 1] = {};
  std::uint32_t waitingThread[1024 + 1] = {};

  bool comesOfARace(const RawFinding &f) const;
  bool comesFromOutside(const RawFinding &f) const;
  bool isSaidBetter(const RawFinding &f) const;

  static constexpr unsigned mostFindings = 256;
  RawFinding found[mostFindings];
  unsigned foundCount = 0;
};

// Here, as every message comes through them.

/// The number of what happens now.
[[gnu::always_inline]] inline AccessNumber Checker::numberOf(const ThreadRecord &thread, const Site &site) {
  const AccessNote last = noteOf(lastAccess);
  const bool goesOn = last.thread == thread.number;
  if (goesOn && last.site == &site && last.arrived == thread.arrived)
    return lastAccess;
  if (isFull())
    return 0;
  if (!goesOn)
    window.mine = lastAccess, window.thread = thread.number;
  if (!goesOn || last.arrived != thread.arrived)
    window.own = lastAccess;
  if (thread.arrived > phase) { // all that the group has noted came before this barrier
    phase = thread.arrived;
    phaseBegin = lastAccess;
  }
  noteOf(++lastAccess) = {thread.number, thread.arrived, &site};
  return lastAccess;
}

/// An access to what has histories.
[[gnu::always_inline]] inline AccessNumber Checker::begin(const ThreadRecord &thread, const Site &site) {
  const AccessNumber me = numberOf(thread, site);
  if (me && site.access == Access::Atomic) [[unlikely]]
    released(thread, me);
  return me;
}

[[gnu::always_inline]] inline void Checker::touchShadow(const Message &message, Shadow &shadow, const Stretch &where,
                                                        Again *again) {
  bool reported = false;
  auto look = [&](AccessNumber before, std::uint64_t at) {
    if (isKnown(before) || reported || inOrder(message, before))
      return;
    race(message, before, where.named + (at - where.at), where.bytes);
    reported = true; // once for an access is enough
  };
  if (message.site.access == Access::Read)
    return shadow.read(where.at, where.bytes, message.number, message.window, look);
  const bool atomic = message.site.access == Access::Atomic;
  if (!atomic && !again && shadow.writeLines(where.at, where.bytes, message.number, message.window))
    return;
  shadow.write(where.at, where.bytes, message.number, atomic, message.window, atomic ? nullptr : again, look);
}

} // namespace pocm::check
