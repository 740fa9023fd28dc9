//===- Checker.cpp - What a launch does, looked at while it runs ------------------===//
#include "devices/check/Checker.h"
#include "devices/cpu/Views.h"
#include "program/Formats.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace pocm::check {

using cpu::SurfaceView;

//===- Before the launch ------------------------------------------------------------===//

Zeros::Zeros(std::size_t bytes, bool dense) : size(bytes) {
  if (!bytes)
    return;
  start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    start = nullptr;
    throw Error("no memory to check a launch with: " + std::to_string(bytes) + " bytes");
  }
  madvise(start, bytes, dense ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Zeros::~Zeros() {
  if (start)
    munmap(start, size);
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
      stop(std::move(stop)), histories(histories), shared(histories.shared), accesses(histories.accesses()),
      lastAccess(histories.last), launchBegin(histories.begin(launch.threadCount())), clocks(histories.clocks),
      ownBegin(launchBegin) {
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
    ranges.push_back({memory.data(), memory.data() + extentOf(g)});
  };
  for (std::size_t slot = 0; slot < of.surfaces.size(); ++slot)
    if (of.surfaces[slot])
      add(slot, *of.surfaces[slot]);
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
        std::memcpy(&slot, launch.arguments.data() + layout[i] + k * sizeof(slot), sizeof(slot));
        if (slot < cpu::SurfaceSlots && surfaces[slot].area)
          surfaces[slot].area->races = true;
      }
}

/// Once it is known what races.
void Checker::markReadable() {
  for (std::uint32_t slot = 0; !counts && slot < cpu::SurfaceSlots; ++slot) {
    const Surface &s = surfaces[slot];
    if (!s.present)
      continue;
    auto [written, base] = s.record;
    if (written)
      written->findBegin();
    auto bytes = std::uint64_t(s.view.bytes);
    if (s.buffer && !s.area->races)
      readable[slot] = written ? std::min(bytes, std::max(written->begin(), base) - base) : bytes;
  }
}

//===- Threads ------------------------------------------------------------------------===//

void Checker::enter(ThreadRecord &thread, const KernelSite &of, const Place &place, bool byGroups) {
  if (!kernel) {
    kernel = &of;
    markRaces(of);
    markReadable();
  }
  thread.checker = this;
  thread.kernel = &of;
  thread.number = lastThread = std::min<std::uint32_t>(lastThread + 1, std::uint32_t(launch.threadCount()));
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
/// nothing of a surface is a mistake.
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

void Checker::arrive(ThreadRecord &thread, const Site &site, bool arrives) {
  std::uint32_t here = std::min<std::uint32_t>(thread.number - currentGroup, 1024);
  waiting[here] = &site;
  waitingThread[here] = thread.number;
  if (arrives && thread.kernel && thread.kernel->mixed)
    meet(thread, Clocks::groupBarrier, true);
  if (arrives)
    ++thread.arrived;
  else if (thread.waited >= thread.arrived)
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

//===- Findings -------------------------------------------------------------------------===//

/// Whether people would call it one place: a line of the source can become several messages. Texts are constants of one
/// object file, each there once.
bool Checker::isSame(const Site *a, const Site *b) {
  if (a == b || !a || !b)
    return a == b;
  return a->line && a->line == b->line && a->column == b->column && a->file == b->file && a->message == b->message &&
         a->access == b->access;
}

/// The finding, new or once more; null when it is an old one or there are too many.
RawFinding *Checker::find(Kind kind, const ThreadRecord &thread, const Site &site, const Site *other) {
  if (counts)
    return nullptr;
  for (unsigned i = 0; i < foundCount; ++i) {
    RawFinding &f = found[i];
    bool same = isSame(f.site, &site) && isSame(f.other, other),
         reverse = other && isSame(f.site, other) && isSame(f.other, &site);
    // A race of a place with itself belongs to that of two places.
    bool part = isSame(other, &site) && (isSame(f.site, &site) || isSame(f.other, &site));
    if (f.kind == kind && (same || reverse || (kind == Kind::Race && part))) {
      ++f.count;
      return nullptr;
    }
  }
  if (foundCount == mostFindings)
    return nullptr;
  RawFinding &f = found[foundCount++];
  f = {};
  f.kind = kind;
  f.site = &site;
  f.other = other;
  f.thread = threads[thread.number].place;
  f.count = 1;
  return &f;
}

std::string Checker::nameOf(std::uint32_t slot) const {
  if (slot == AddressSlot)
    return "memory by address";
  if (slot == SlmSlot)
    return "shared local memory";
  if (slot == ProgramSurface)
    return "the program's variables";
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter &p = signature.parameters[i];
    if (p.kind != ParameterKind::Surface)
      continue;
    for (std::uint32_t k = 0; k < p.count; ++k) {
      std::uint32_t at;
      std::memcpy(&at, launch.arguments.data() + layout[i] + k * sizeof(at), sizeof(at));
      if (at != slot)
        continue;
      std::string name = kernel && i < kernel->argumentCount ? kernel->arguments[i] : "";
      name = name.empty() ? "argument " + std::to_string(i) : "'" + name + "'";
      return p.count > 1 ? name + "[" + std::to_string(k) + "]" : name;
    }
  }
  return "surface number " + std::to_string(slot);
}

std::vector<Finding> Checker::findings() const {
  std::vector<Finding> all;
  for (unsigned i = 0; i < foundCount; ++i)
    all.push_back(inWords(found[i], signature.name, nameOf(found[i].slot)));
  return all;
}

Work Checker::work() const {
  Work all;
  for (std::uint32_t slot = 0; slot <= cpu::SurfaceSlots; ++slot) {
    const Counted &c = counted[slot];
    if (c.bytesRead + c.bytesWritten)
      all.surfaces.push_back({nameOf(slot < cpu::SurfaceSlots ? slot : AddressSlot), slot != SlmSlot, c.bytesRead,
                              c.bytesWritten, c.elementsRead, c.elementsWritten});
  }
  all.operations = operations;
  all.launches = 1;
  return all;
}

std::vector<std::string> Checker::summary() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; kernel && i < signature.parameters.size() && i < kernel->argumentCount; ++i) {
    constexpr std::uint32_t onlyWritten = 2;
    if (signature.parameters[i].kind != ParameterKind::Surface || kernel->uses[i] != onlyWritten)
      continue;
    for (std::uint32_t k = 0; k < signature.parameters[i].count; ++k) {
      std::uint32_t slot;
      std::memcpy(&slot, launch.arguments.data() + layout[i] + k * sizeof(slot), sizeof(slot));
      const Surface &s = surfaces[slot % cpu::SurfaceSlots];
      if (!s.present)
        continue;
      std::uint64_t rows = std::uint64_t(s.view.height) * std::uint64_t(s.view.depth),
                    width = s.buffer ? std::uint64_t(s.view.bytes) : std::uint64_t(s.view.width), left = 0, first = 0;
      for (std::uint64_t row = 0; row < rows; ++row) {
        std::uint64_t begin = s.offset + row * std::uint64_t(s.view.pitch), end = begin + width, at = begin;
        while ((at = s.area->shadow->unwritten(at, end - at, launchBegin)) < end)
          if (!left++)
            first = at++ - s.offset;
          else
            ++at;
      }
      std::string name = "kernel '" + signature.name + "': note: ", of = " of " + nameOf(slot);
      if (left)
        lines.push_back(name + std::to_string(left) + " of the " + std::to_string(rows * width) + " bytes" + of +
                        " are not written by this launch, the first at offset " + std::to_string(first));
      if (s.area->again.bytes)
        lines.push_back(name + std::to_string(s.area->again.bytes) + " bytes" + of +
                        " are written more than once, the first at offset " +
                        std::to_string(s.area->again.first - s.offset));
    }
  }
  return lines;
}

//===- Messages -------------------------------------------------------------------------===//

const Checker::Surface *Checker::surfaceOf(const ThreadRecord &thread, const Site &site, std::uint32_t slot) {
  const Surface &s = surfaces[slot % cpu::SurfaceSlots];
  if (s.present && slot < cpu::SurfaceSlots)
    return &s;
  if (RawFinding *f = find(Kind::NoSurface, thread, site))
    f->slot = slot;
  return nullptr;
}

namespace {
/// How far an offset is from the one that hardware takes for it.
std::uint32_t past(const Site &site, std::uint64_t offset) { return std::uint32_t(offset) & (site.align - 1); }
} // namespace

void Checker::block(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int64_t offset) {
  const std::uint32_t over = past(site, std::uint64_t(offset));
  if (over)
    if (RawFinding *f = find(Kind::Misaligned, thread, site)) {
      f->slot = slot;
      f->offset = offset;
    }
  offset -= over;
  if (slot == SlmSurface) {
    bool inside = offset >= 0 && offset + site.bytes <= thread.kernel->slmBytes;
    if (inside)
      return touchShared(messageToShared(thread, site), {std::uint64_t(offset), site.bytes, site.used});
    if (RawFinding *f = find(thread.kernel->slmBytes ? Kind::BeyondSurface : Kind::NoSlm, thread, site)) {
      f->slot = slot;
      f->offset = offset;
      f->bytes = site.bytes;
      f->size = thread.kernel->slmBytes;
    }
    return;
  }
  const Surface *s = surfaceOf(thread, site, slot);
  if (!s)
    return;
  if (!s->buffer)
    if (RawFinding *f = find(Kind::WrongSurface, thread, site))
      f->slot = slot;
  auto size = std::uint64_t(s->view.bytes);
  std::int64_t begin = std::clamp<std::int64_t>(offset, 0, std::int64_t(size));
  std::int64_t end = std::clamp<std::int64_t>(offset + site.bytes, begin, std::int64_t(size));
  if (end - begin < site.bytes)
    if (RawFinding *f = find(Kind::BeyondSurface, thread, site)) {
      f->slot = slot;
      f->offset = offset;
      f->bytes = site.bytes;
      f->size = size;
    }
  touch(messageTo(thread, site, *s, slot), *s,
        {std::uint64_t(begin), std::uint64_t(end - begin), site.used ? site.used + (begin - offset) : nullptr});
}

void Checker::media(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int32_t x, std::int32_t y) {
  const Surface *given = surfaceOf(thread, site, slot);
  if (!given)
    return;
  if (given->buffer) {
    if (RawFinding *f = find(Kind::WrongSurface, thread, site)) {
      f->slot = slot;
      f->size = 1;
    }
    return;
  }
  Surface s = *given;
  SurfaceView &v = s.view;
  if (std::uint32_t plane = site.part & cpu::MediaPlane) {
    auto shape = planeOf(v.format, plane, std::uint32_t(v.height), std::uint64_t(v.width), std::uint64_t(v.pitch));
    if (!shape) {
      if (RawFinding *f = find(Kind::NoSurface, thread, site))
        f->slot = slot;
      return;
    }
    s.offset += shape->offset;
    s.record.offset += shape->offset;
    v.pitch = std::int64_t(shape->pitch);
    v.width = std::int32_t(shape->rowBytes);
    v.height = std::int32_t(shape->rows);
  }
  if (site.part & (cpu::MediaTop | cpu::MediaBottom)) {
    int first = site.part & cpu::MediaBottom ? 1 : 0;
    s.offset += std::uint64_t(v.pitch * first);
    s.record.offset += std::uint64_t(v.pitch * first);
    v.height = (v.height + 1 - first) / 2;
    v.pitch *= 2;
  }
  std::int64_t width = site.bytes, rows = site.rows;
  std::int64_t left = std::max<std::int64_t>(x, 0), right = std::min<std::int64_t>(x + width, v.width);
  std::int64_t top = std::max<std::int64_t>(y, 0), below = std::min<std::int64_t>(y + rows, v.height);
  if (left >= right || top >= below) { // see leave()
    if (!thread.outside) {
      thread.outside = &site;
      thread.outsideSlot = slot;
      thread.outsideX = x;
      thread.outsideY = y;
    }
    return;
  }
  thread.reached |= 1ull << slot % 64;
  const Message message = messageTo(thread, site, s, slot);
  for (std::int64_t row = top; message.number && row < below; ++row)
    s.area->shadow->expect(s.offset + std::uint64_t(row * v.pitch + left));
  for (std::int64_t row = top; row < below; ++row)
    touch(message, s,
          {std::uint64_t(row * v.pitch + left), std::uint64_t(right - left),
           site.used ? site.used + (row - y) * width + (left - x) : nullptr});
}

namespace {
/// Bytes from a lane's first element to element k.
std::uint32_t stepTo(const Site &site, std::uint32_t k) {
  std::uint32_t mask = site.part;
  if (!mask)
    return k * site.bytes;
  for (; k; --k)
    mask &= mask - 1;
  return std::uint32_t(__builtin_ctz(mask)) * site.bytes;
}

/// The flags of a pixel that nobody uses.
constexpr std::uint8_t unused[32] = {};
} // namespace

void Checker::lanes(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int64_t add, std::uint32_t shift,
                    const std::uint8_t *wanted, const std::uint32_t *offsets) {
  bool shared = slot == SlmSurface;
  const Surface *s = nullptr;
  std::uint64_t size = thread.kernel->slmBytes;
  bool any = !wanted;
  for (std::uint32_t k = 0; k < site.count && !any; ++k)
    any = wanted[k];
  if (!any)
    return;
  if (!shared) {
    s = surfaceOf(thread, site, slot);
    if (!s)
      return;
    if (!s->buffer)
      if (RawFinding *f = find(Kind::WrongSurface, thread, site))
        f->slot = slot;
    size = std::uint64_t(s->view.bytes);
  }
  const Message message = shared ? messageToShared(thread, site) : messageTo(thread, site, *s, slot);
  auto touchLanes = [&](const Bytes &bytes) { shared ? touchShared(message, bytes) : touch(message, *s, bytes); };
  auto isOn = [&](std::uint32_t k) { return !wanted || wanted[k]; };
  auto placeOf = [&](std::uint32_t k) { return std::uint64_t(offsets[k] + std::uint32_t(add)) << shift; };
  for (std::uint32_t k = 0; message.number && !shared && k < site.count; ++k)
    if (isOn(k) && placeOf(k) < size)
      s->area->shadow->expect(s->offset + placeOf(k));
  for (std::uint32_t k = 0, next = 1; k < site.count; k = next++) {
    if (!isOn(k))
      continue;
    std::uint64_t first = placeOf(k);
    if (site.rows == 1 && !site.part && !past(site, first)) { // lanes side by side together
      while (next < site.count && isOn(next) && placeOf(next) == first + std::uint64_t(next - k) * site.bytes)
        ++next;
      const std::uint64_t bytes = std::uint64_t(next - k) * site.bytes;
      if (first + bytes <= size) {
        touchLanes({first, bytes, site.used ? site.used + k * site.bytes : nullptr});
        continue;
      }
      next = k + 1;
    }
    if (std::uint32_t over = past(site, first)) {
      if (RawFinding *f = find(Kind::Misaligned, thread, site)) {
        f->slot = slot;
        f->offset = std::int64_t(first);
      }
      first -= over;
    }
    for (std::uint32_t e = 0; e < site.rows; ++e) {
      std::uint64_t at = first + stepTo(site, e);
      if (at + site.bytes <= size) {
        touchLanes({at, site.bytes, site.used ? site.used + (e * site.count + k) * site.bytes : nullptr});
        continue;
      }
      Kind kind = shared && !size ? Kind::NoSlm : Kind::BeyondSurface;
      if (RawFinding *f = find(kind, thread, site)) {
        f->slot = slot;
        f->offset = shared || at < (1ull << 31) ? std::int64_t(at) : std::int64_t(std::int32_t(at));
        f->bytes = site.bytes;
        f->size = size;
      }
    }
  }
}

void Checker::typed(ThreadRecord &thread, const Site &site, std::uint32_t slot, const std::uint8_t *wanted,
                    const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w) {
  const Surface *s = surfaceOf(thread, site, slot);
  if (!s)
    return;
  if (s->buffer) {
    if (RawFinding *f = find(Kind::WrongSurface, thread, site)) {
      f->slot = slot;
      f->size = 1;
    }
    return;
  }
  const SurfaceView &view = s->view;
  auto columns = std::uint32_t(view.width / view.pixel), rows = std::uint32_t(view.height);
  bool deep = view.depth > 1;
  const Message message = messageTo(thread, site, *s, slot);
  for (std::uint32_t k = 0; k < site.count; ++k) {
    if (wanted && !wanted[k])
      continue;
    std::uint32_t slice = deep && w ? w[k] : 0;
    if (u[k] >= columns || v[k] >= rows || slice >= std::uint32_t(view.depth)) {
      if (RawFinding *f = find(Kind::BeyondSurface, thread, site)) {
        f->slot = slot;
        f->offset = std::int32_t(u[k]);
        f->second = std::int32_t(v[k]);
        f->bytes = std::uint64_t(view.pixel);
        f->size = columns;
        f->rows = rows;
      }
      continue;
    }
    std::uint64_t at = (v[k] + std::uint64_t(slice) * rows) * std::uint64_t(view.pitch) +
                       std::uint64_t(u[k]) * std::uint64_t(view.pixel);
    touch(message, *s, {at, std::uint64_t(view.pixel), site.used && !site.used[k] ? unused : nullptr});
  }
}

void Checker::address(ThreadRecord &thread, const Site &site, std::uint64_t address, std::uint64_t bytes) {
  if (counts)
    return count(site, AddressSlot, bytes);
  if (std::uint32_t over = past(site, address)) {
    if (RawFinding *f = find(Kind::Misaligned, thread, site)) {
      f->slot = AddressSlot;
      f->offset = std::int64_t(address);
    }
    address -= over;
  }
  auto at = reinterpret_cast<std::uint8_t *>(address);
  auto after =
      std::upper_bound(areas.begin(), areas.end(), at, [](const std::uint8_t *p, const Area &a) { return p < a.base; });
  if (after != areas.begin()) {
    Area &area = *std::prev(after);
    if (auto offset = std::uint64_t(at - area.base); offset < area.bytes && area.races) {
      Surface here{};
      here.area = &area;
      touch(messageTo(thread, site, here, AddressSlot), here, {offset, std::min(bytes, area.bytes - offset), nullptr});
    }
  }
  std::optional<Outside> out = allocations.outside(address, bytes);
  if (!out)
    return;
  if (RawFinding *f = find(Kind::BeyondAllocation, thread, site)) {
    f->slot = AddressSlot;
    f->bytes = bytes;
    f->offset = out->offset;
    f->size = out->size;
  }
}

void Checker::element(const ThreadRecord &thread, const Site &site, std::int64_t offset, std::uint64_t size) {
  if (RawFinding *f = find(Kind::BeyondObject, thread, site)) {
    f->offset = offset;
    f->bytes = site.bytes;
    f->size = size;
  }
}

void Checker::value(const ThreadRecord &thread, const Site &site, const std::uint8_t *unwritten) {
  if (RawFinding *f = find(Kind::UnwrittenValue, thread, site)) {
    f->offset = std::find(unwritten, unwritten + site.count, 1) - unwritten;
    f->bytes = site.bytes;
  }
}

void Checker::count(const Site &site, std::uint32_t slot, std::uint64_t bytes) {
  Counted &c = counted[std::min(slot, std::uint32_t(cpu::SurfaceSlots))];
  const std::uint64_t elements = bytes / std::max(1u, std::min(site.element, site.bytes));
  if (site.access != Access::Write) {
    c.bytesRead += bytes;
    c.elementsRead += elements;
  }
  if (site.access != Access::Read) {
    c.bytesWritten += bytes;
    c.elementsWritten += elements;
  }
}

//===- Bytes ----------------------------------------------------------------------------===//

AccessNumber Checker::numberOf(const ThreadRecord &thread, const Site &site) {
  const AccessNote &last = noteOf(lastAccess);
  const bool goesOn = last.thread == thread.number;
  if (goesOn && last.site == &site && last.arrived == thread.arrived)
    return lastAccess;
  if (isFull())
    return 0;
  if (!goesOn || last.arrived != thread.arrived)
    ownBegin = lastAccess;
  if (thread.arrived > phase) { // all that the group has noted came before this barrier
    phase = thread.arrived;
    phaseBegin = lastAccess;
  }
  noteOf(++lastAccess) = {thread.number, thread.arrived, &site};
  return lastAccess;
}

/// An access to what has histories.
AccessNumber Checker::begin(const ThreadRecord &thread, const Site &site) {
  const AccessNumber me = numberOf(thread, site);
  if (me && site.access == Access::Atomic) {
    ThreadNote &ours = threads[threads[thread.number].group];
    if (ours.fenced != ours.released) {
      ours.released = ours.fenced;
      ours.releasedAt = me;
    }
    ours.acquiredAt = me;
  }
  return me;
}

Window Checker::windowOf(const ThreadRecord &thread, AccessNumber oldest) const {
  return {oldest, std::max(oldest, ownBegin), thread.number, accesses, launchBegin};
}

Checker::Message Checker::messageTo(ThreadRecord &thread, const Site &site, const Surface &surface,
                                    std::uint32_t slot) {
  const AccessNumber me = surface.area->races && !counts ? begin(thread, site) : 0;
  return {thread, site, slot, me, windowOf(thread, launchBegin)};
}

/// What came before a barrier that the thread has passed is of no interest to it.
Checker::Message Checker::messageToShared(ThreadRecord &thread, const Site &site) {
  const AccessNumber me = counts ? 0 : begin(thread, site);
  const bool passed = thread.waited >= phase && !thread.kernel->mixed;
  return {thread, site, SlmSlot, me, windowOf(thread, passed ? phaseBegin : groupBegin)};
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
bool Checker::conflict(const ThreadRecord &thread, const Site &site, AccessNumber number) const {
  const AccessNote &before = noteOf(number);
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
  if (reach.any())
    return !reach.waitsFor(mine.place.x, mine.place.y, other.place.x, other.place.y);
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
  if (orderedRun != ownBegin) {
    orderedRun = ownBegin;
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

void Checker::touchShadow(const Message &message, Shadow &shadow, const Stretch &where, Again *again) {
  bool reported = false;
  auto look = [&](AccessNumber before, std::uint64_t at) {
    if (reported || inOrder(message, before))
      return;
    race(message, before, where.named + (at - where.at), where.bytes);
    reported = true; // once for an access is enough
  };
  if (message.site.access == Access::Read)
    return shadow.read(where.at, where.bytes, message.number, message.window, look);
  const bool atomic = message.site.access == Access::Atomic;
  shadow.write(where.at, where.bytes, message.number, atomic, message.window, atomic ? nullptr : again, look);
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
    if (std::uint64_t first = firstUsed(bytes.offset, bytes.count, bytes.used, next); first < end)
      if (RawFinding *f = find(Kind::UnwrittenSlm, message.thread, message.site)) {
        f->slot = SlmSlot;
        f->offset = std::int64_t(first);
        f->bytes = bytesOf(message.site, bytes.count);
      }
  }
  if (message.number)
    touchShadow(message, shared, {bytes.offset, bytes.count, bytes.offset}, nullptr);
}

//===- What kernels call ----------------------------------------------------------------===//

/// The functions behind the names of Abi.h. Each finding may end the launch.
struct Checker::Helpers {
  template <class Do> static void with(ThreadRecord *t, Do check) {
    unsigned before = t->checker->foundCount;
    check(*t->checker);
    if (t->checker->foundCount != before && t->checker->stop)
      t->checker->stop();
  }
  static const std::uint64_t *enter(ThreadRecord *t, Checker *c, const KernelSite *k, const Place *p,
                                    std::uint32_t byGroups) {
    c->enter(*t, *k, *p, byGroups != 0);
    return c->readable;
  }
  static void leave(ThreadRecord *t) {
    with(t, [&](Checker &c) { c.leave(*t); });
  }
  static void block(ThreadRecord *t, const Site *s, std::uint32_t slot, std::int64_t offset) {
    with(t, [&](Checker &c) { c.block(*t, *s, slot, offset); });
  }
  static void media(ThreadRecord *t, const Site *s, std::uint32_t slot, std::int32_t x, std::int32_t y) {
    with(t, [&](Checker &c) { c.media(*t, *s, slot, x, y); });
  }
  static void lanes(ThreadRecord *t, const Site *s, std::uint32_t slot, std::int64_t add, std::uint32_t shift,
                    const std::uint8_t *wanted, const std::uint32_t *offsets) {
    with(t, [&](Checker &c) { c.lanes(*t, *s, slot, add, shift, wanted, offsets); });
  }
  static void typed(ThreadRecord *t, const Site *s, std::uint32_t slot, const std::uint8_t *wanted,
                    const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w) {
    with(t, [&](Checker &c) { c.typed(*t, *s, slot, wanted, u, v, w); });
  }
  static void address(ThreadRecord *t, const Site *s, std::uint64_t address) {
    with(t, [&](Checker &c) { c.address(*t, *s, address, s->bytes); });
  }
  static void addresses(ThreadRecord *t, const Site *s, std::uint64_t add, const std::uint8_t *wanted,
                        const std::uint64_t *addresses) {
    with(t, [&](Checker &c) {
      for (std::uint32_t k = 0; k < s->count; ++k)
        for (std::uint32_t e = 0; (!wanted || wanted[k]) && e < s->rows; ++e)
          c.address(*t, *s, addresses[k] + add + stepTo(*s, e), s->bytes);
    });
  }
  /// Rows of a matrix in memory; what lies outside of it is not touched.
  static void matrix(ThreadRecord *t, const Site *s, std::uint64_t base, std::int64_t width, std::int64_t height,
                     std::int64_t pitch, std::int64_t x, std::int64_t y) {
    with(t, [&](Checker &c) {
      std::int64_t left = std::max<std::int64_t>(x, 0), right = std::min<std::int64_t>(x + s->bytes, width + 1);
      for (std::int64_t row = std::max<std::int64_t>(y, 0); row < std::min<std::int64_t>(y + s->rows, height + 1);
           ++row)
        if (left < right)
          c.address(*t, *s, base + std::uint64_t(row * (pitch + 1) + left), std::uint64_t(right - left));
    });
  }
  static void element(ThreadRecord *t, const Site *s, std::int64_t offset, std::uint64_t size) {
    with(t, [&](Checker &c) { c.element(*t, *s, offset, size); });
  }
  static void value(ThreadRecord *t, const Site *s, const std::uint8_t *unwritten) {
    with(t, [&](Checker &c) { c.value(*t, *s, unwritten); });
  }
  static void arrive(ThreadRecord *t, const Site *s, std::uint32_t arrives) {
    with(t, [&](Checker &c) { c.arrive(*t, *s, arrives != 0); });
  }
  static void wait(ThreadRecord *t) {
    ++t->waited;
    Checker &c = *t->checker;
    c.waiting[std::min<std::uint32_t>(t->number - c.currentGroup, 1024)] = nullptr;
    if (t->kernel->mixed)
      c.meet(*t, Clocks::groupBarrier, false);
  }
  static void named(ThreadRecord *t, std::uint32_t id, std::uint32_t leaves) {
    t->checker->meet(*t, id % Clocks::groupBarrier, leaves != 0);
  }
  static void exchange(ThreadRecord *t, std::uint32_t leaves) {
    std::uint32_t me = t->number - t->checker->currentGroup;
    t->checker->meet(*t, leaves ? Clocks::partner(me) : Clocks::partner(me ^ 1), leaves != 0);
  }
  static void fence(ThreadRecord *t) {
    Checker &c = *t->checker;
    c.threads[c.threads[t->number].group].fenced = c.ownBegin = c.lastAccess;
  }
  static void surface(ThreadRecord *t, const Site *s, std::uint32_t slot) {
    with(t, [&](Checker &c) {
      const Surface *image = c.surfaceOf(*t, *s, slot);
      if (image && c.counts) // a pixel for each lane
        c.count(*s, slot, std::uint64_t(s->count) * std::uint64_t(image->view.pixel));
    });
  }
  static void work(ThreadRecord *t, std::uint64_t operations) { t->checker->operations += operations; }
};

std::vector<cpu::Helper> Checker::helpers() {
  auto helper = [](const char *name, auto *function) { return cpu::Helper{name, reinterpret_cast<void *>(function)}; };
  return {helper(EnterHelper, &Helpers::enter),     helper(LeaveHelper, &Helpers::leave),
          helper(BlockHelper, &Helpers::block),     helper(MediaHelper, &Helpers::media),
          helper(LanesHelper, &Helpers::lanes),     helper(TypedHelper, &Helpers::typed),
          helper(AddressHelper, &Helpers::address), helper(AddressesHelper, &Helpers::addresses),
          helper(MatrixHelper, &Helpers::matrix),   helper(ElementHelper, &Helpers::element),
          helper(ArriveHelper, &Helpers::arrive),   helper(WaitHelper, &Helpers::wait),
          helper(FenceHelper, &Helpers::fence),     helper(SurfaceHelper, &Helpers::surface),
          helper(ValueHelper, &Helpers::value),     helper(WorkHelper, &Helpers::work),
          helper(NamedHelper, &Helpers::named),     helper(ExchangeHelper, &Helpers::exchange)};
}

} // namespace pocm::check
