//===- Checker.cpp - What a launch does, looked at while it runs ------------------===//
//
// The launch itself: its surfaces before it begins, its threads, who waits at barriers. What
// messages are is in Messages.cpp, what their bytes mean for each other in Accesses.cpp, what
// is said of it in Summary.cpp.
//
//===----------------------------------------------------------------------===//
#include "devices/check/Checker.h"
#include "devices/cpu/Views.h"
#include "program/Formats.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace pocm::check {

//===- Before the launch ------------------------------------------------------------===//

Zeros::Zeros(std::size_t bytes, bool dense) {
  if (!bytes)
    return;
  constexpr std::size_t large = 2u << 20; // of a large page; less is cleared faster page by page
  const bool onLarge = dense && bytes >= large;
  size = onLarge ? bytes + large : bytes;
  mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    mapped = nullptr;
    throw Error("no memory to check a launch with: " + std::to_string(bytes) + " bytes");
  }
  auto at = reinterpret_cast<std::uintptr_t>(mapped);
  start = reinterpret_cast<void *>(onLarge ? (at + large - 1) / large * large : at);
  madvise(mapped, size, onLarge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Zeros::~Zeros() {
  if (mapped)
    munmap(mapped, size);
}

namespace {
/// Bytes from the first to the last that a surface has, its planes included.
std::uint64_t extentOf(const runtime::Geometry &g) {
  std::uint64_t bytes = g.pitch * (g.height - 1) + g.rowBytes();
  for (unsigned k = 1; k < 3; ++k)
    if (auto plane = planeOf(g.format, k, g.height, g.rowBytes(), g.pitch))
      bytes = std::max(bytes, plane->offset + plane->pitch * (plane->rows - 1) + plane->rowBytes);
  return bytes;
}
} // namespace

Checker::Checker(const runtime::Launch &launch, const KernelSignature &signature,
                 const std::vector<std::uint32_t> &layout, Histories &histories, std::function<void()> stop,
                 Purpose purpose)
    : purpose(purpose), counts(purpose == Purpose::Count), launch(launch), signature(signature), layout(layout),
      stop(std::move(stop)), histories(histories), shared(histories.shared),
      threadCount(std::uint32_t(launch.threadCount())), accesses(histories.accesses()), lastAccess(histories.last),
      launchBegin(histories.begin(launch.threadCount())), clocks(histories.clocks),
      window{launchBegin, launchBegin, launchBegin, 0, accesses, launchBegin} {
  threads = histories.threads();
  if (launch.order)
    reach = Reach(*launch.order);
  makeAreas(launch);
}

/// Surfaces that share memory share an area.
void Checker::makeAreas(const runtime::Launch &of) {
  struct Range {
    std::uint8_t *begin, *end;
  };
  std::vector<Range> ranges;
  auto add = [&](std::size_t slot, runtime::Memory &memory) {
    const runtime::Geometry &g = memory.geometry();
    surfaces[slot].view = cpu::viewOf(memory);
    surfaces[slot].record = memory.record();
    surfaces[slot].present = true;
    surfaces[slot].buffer = memory.isBuffer();
    ranges.push_back({memory.address(), memory.address() + extentOf(g)});
  };
  for (std::size_t slot = 0; slot < of.bindings->surfaces.size(); ++slot)
    if (of.bindings->surfaces[slot])
      add(slot, *of.bindings->surfaces[slot]);
  if (of.data)
    add(ProgramSurface, *of.data);
  for (const runtime::AddressRange &r : allocations.all()) // kernels may have their addresses
    ranges.push_back({reinterpret_cast<std::uint8_t *>(r.begin), reinterpret_cast<std::uint8_t *>(r.end)});
  std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
  std::vector<Range> merged;
  for (const Range &r : ranges)
    if (!merged.empty() && r.begin < merged.back().end)
      merged.back().end = std::max(merged.back().end, r.end);
    else
      merged.push_back(r);
  for (const Range &r : merged)
    areas.push_back(
        {r.begin, std::uint64_t(r.end - r.begin), &histories.of(r.begin, std::uint64_t(r.end - r.begin)), false, {}});
  for (Surface &s : surfaces)
    if (s.present) {
      auto after = std::upper_bound(areas.begin(), areas.end(), s.view.base,
                                    [](const std::uint8_t *p, const Area &a) { return p < a.base; });
      s.area = &*std::prev(after);
      s.offset = std::uint64_t(s.view.base - s.area->base);
    }
}

/// Cells are needed where something is written. What goes by address may go anywhere.
void Checker::markRaces(const KernelSite &of) {
  for (Area &area : areas)
    area.races = (of.anyUse & 2) != 0;
  for (std::uint32_t i = 0; i < of.argumentCount && i < signature.parameters.size(); ++i)
    if (signature.parameters[i].kind == ParameterKind::Surface && of.uses[i] & 2)
      for (std::uint32_t k = 0; k < signature.parameters[i].count; ++k) {
        std::uint32_t slot;
        std::memcpy(&slot, launch.bindings->block.data() + layout[i] + k * sizeof(slot), sizeof(slot));
        if (slot < SurfaceSlots && surfaces[slot].area)
          surfaces[slot].area->races = true;
      }
}

/// Once it is known what races.
void Checker::markKnown() {
  for (std::uint32_t slot = 0; !counts && slot < SurfaceSlots; ++slot) {
    const Surface &s = surfaces[slot];
    if (!s.present)
      continue;
    auto [written, base] = s.record;
    if (written)
      written->findBegin();
    if (!s.buffer) {
      const std::uint64_t end = base + std::uint64_t(s.view.pitch * (s.view.height - 1) + s.view.width);
      if (!s.area->races && (!written || written->begin() >= end))
        readable.image[slot] = {std::uint32_t(s.view.width), std::uint32_t(s.view.height)};
      continue;
    }
    auto bytes = std::uint64_t(s.view.bytes);
    bytes = written ? std::min(bytes, std::max(written->begin(), base) - base) : bytes;
    if (!s.area->races)
      readable.bytes[slot] = bytes;
    else if (purpose == Purpose::Find)
      plain[slot] = {s.area->shadow, s.offset, bytes};
  }
}

//===- Threads ------------------------------------------------------------------------===//

void Checker::enter(ThreadRecord &thread, const KernelSite &of, const Place &place, bool byGroups) {
  if (!kernel) {
    kernel = &of;
    markRaces(of);
    markKnown();
  }
  thread.checker = this;
  thread.kernel = &of;
  thread.number = lastThread = std::min(lastThread + 1, threadCount);
  thread.arrived = thread.waited = 0;
  thread.reached = 0;
  thread.outside = nullptr;
  ThreadNote &note = threads[thread.number];
  note = {};
  note.place = {place.x, place.y, {}, {}, byGroups};
  std::uint32_t inGroup = 1, local = 0;
  thread.group = thread.number;
  if (byGroups) {
    std::copy(place.group, place.group + 3, note.place.group);
    std::copy(place.local, place.local + 3, note.place.local);
    inGroup = place.localSize[0] * place.localSize[1] * place.localSize[2];
    local = (place.local[2] * place.localSize[1] + place.local[1]) * place.localSize[0] + place.local[0];
    // Threads of a group come one after the other.
    thread.group = local && lastThread > 1 ? threads[lastThread - 1].group : lastThread;
  }
  note.group = thread.group;
  note.place.byGroups = inGroup > 1;
  if (thread.group != currentGroup) {
    std::fill_n(waiting, std::min<std::size_t>(groupThreads, std::size(waiting)), nullptr);
    currentGroup = thread.group;
    groupThreads = inGroup;
    groupBegin = phaseBegin = lastAccess;
    phase = 0;
    if (of.mixed)
      clocks.begin(groupThreads);
  }
}

/// Blocks over the edge are what kernels do, and threads at the edge have some that lie behind it. A thread that has
/// nothing of a surface is a mistake, but what it reads beside the first column or above the first row: predictions
/// from neighbours do so in the corner, where edge pixels repeat.
void Checker::leave(ThreadRecord &thread) {
  if (!thread.outside || thread.reached >> thread.outsideSlot % 64 & 1)
    return;
  if (RawFinding *f = find(Kind::BeyondSurface, thread, *thread.outside)) {
    const SurfaceView &v = surfaces[thread.outsideSlot].view;
    f->slot = thread.outsideSlot;
    f->offset = thread.outsideX;
    f->second = thread.outsideY;
    f->bytes = std::uint64_t(thread.outside->bytes) * thread.outside->rows;
    f->size = std::uint64_t(v.width);
    f->rows = std::uint64_t(v.height);
  }
}

void Checker::arrive(ThreadRecord &thread, const Site &site, Meeting how) {
  std::uint32_t here = std::min<std::uint32_t>(thread.number - currentGroup, 1024);
  waiting[here] = &site;
  waitingThread[here] = thread.number;
  if (how == Meeting::Arrives) {
    if (thread.kernel->mixed)
      meet(thread, Clocks::groupBarrier, true);
    ++thread.arrived;
  } else if (how == Meeting::Waits && thread.waited >= thread.arrived)
    if (RawFinding *f = find(Kind::Barrier, thread, site))
      f->bytes = 0;
}

void Checker::gaveUp() {
  // Threads that wait at the same barrier are one finding.
  for (std::uint32_t i = 0; i <= 1024; ++i) {
    if (!waiting[i])
      continue;
    const Site &site = *waiting[i];
    ThreadRecord thread{};
    thread.number = waitingThread[i];
    if (RawFinding *f = find(Kind::Barrier, thread, site)) {
      f->size = groupThreads;
      f->bytes = std::uint64_t(std::count(std::begin(waiting), std::end(waiting), &site));
    }
    for (const Site *&other : waiting)
      if (other == &site)
        other = nullptr;
  }
}

} // namespace pocm::check
