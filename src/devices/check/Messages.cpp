//===- Messages.cpp - Messages of checked kernels, and the helpers they call ---------===//
//
// A message becomes stretches of bytes of a surface, and what lies outside of it a finding:
//
//     read(surface 3, x, y, 8 rows of 32 bytes)   ->   touch() for each row that is inside
//
//===----------------------------------------------------------------------===//
#include "devices/check/Checker.h"
#include "program/Formats.h"
#include <algorithm>

namespace pocm::check {

const Checker::Surface *Checker::surfaceOf(const ThreadRecord &thread, const Site &site, std::uint32_t slot) {
  const Surface &s = surfaces[slot % SurfaceSlots];
  if (s.present && slot < SurfaceSlots)
    return &s;
  if (RawFinding *f = find(Kind::NoSurface, thread, site))
    f->slot = slot;
  return nullptr;
}

const Checker::Surface *Checker::surfaceOfKind(const ThreadRecord &thread, const Site &site, std::uint32_t slot,
                                               bool buffer) {
  const Surface *s = surfaceOf(thread, site, slot);
  if (!s || s->buffer == buffer)
    return s;
  if (RawFinding *f = find(Kind::WrongSurface, thread, site)) {
    f->slot = slot;
    f->size = !buffer;
  }
  if (auto [written, base] = s->record; written && site.access != Access::Read) // who reads it makes no other mistake
    written->mark(base, std::uint64_t(s->view.pitch) * std::uint64_t(s->view.height) * std::uint64_t(s->view.depth));
  return nullptr;
}

namespace {
/// How far an offset is from the one that hardware takes for it.
std::uint32_t past(const Site &site, std::uint64_t offset) { return std::uint32_t(offset) & (site.align - 1); }
} // namespace

void Checker::block(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int64_t offset) {
  const std::uint32_t over = past(site, std::uint64_t(offset));
  if (const Plain &known = plain[slot % SurfaceSlots]; !over && known.has(std::uint64_t(offset), site.bytes)) {
    const Message message{thread, site, slot, begin(thread, site), window};
    const std::uint64_t place = known.offset + std::uint64_t(offset);
    if (message.number && !known.shadow->touchLines(place, site.bytes, message.number, site.access, window))
      touchShadow(message, *known.shadow, {place, site.bytes, std::uint64_t(offset)}, nullptr);
    return;
  }
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
  const Surface *s = surfaceOfKind(thread, site, slot, /*buffer=*/true);
  if (!s)
    return;
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

/// Makes of an image one of its planes or fields; false when it has no such plane.
bool Checker::choosePart(Surface &s, std::uint32_t part) {
  SurfaceView &v = s.view;
  auto moveBy = [&](std::uint64_t bytes) {
    s.offset += bytes;
    s.record.offset += bytes;
  };
  if (std::uint32_t plane = part & MediaPlane) {
    auto shape = planeOf(v.format, plane, std::uint32_t(v.height), std::uint64_t(v.width), std::uint64_t(v.pitch));
    if (!shape)
      return false;
    moveBy(shape->offset);
    v.pitch = std::int64_t(shape->pitch);
    v.width = std::int32_t(shape->rowBytes);
    v.height = std::int32_t(shape->rows);
  }
  if (part & (MediaTop | MediaBottom)) {
    int first = part & MediaBottom ? 1 : 0;
    moveBy(std::uint64_t(v.pitch * first));
    v.height = (v.height + 1 - first) / 2;
    v.pitch *= 2;
  }
  return true;
}

void Checker::media(ThreadRecord &thread, const Site &site, std::uint32_t slot, std::int32_t x, std::int32_t y) {
  const Surface *given = surfaceOfKind(thread, site, slot, /*buffer=*/false);
  if (!given)
    return;
  Surface part;
  if (site.part) {
    part = *given;
    if (!choosePart(part, site.part)) {
      if (RawFinding *f = find(Kind::NoSurface, thread, site))
        f->slot = slot;
      return;
    }
    given = &part;
  }
  const Surface &s = *given;
  const SurfaceView &v = s.view;
  std::int64_t width = site.bytes, rows = std::int64_t(site.rows) * site.count;
  std::int64_t left = std::max<std::int64_t>(x, 0), right = std::min<std::int64_t>(x + width, v.width);
  std::int64_t top = std::max<std::int64_t>(y, 0), below = std::min<std::int64_t>(y + rows, v.height);
  if (left >= right || top >= below) { // see leave()
    const bool neighbour =
        x < v.width && x + width >= 0 && y < v.height && y + rows >= 0; // left or above, and touching
    if (!thread.outside && !(neighbour && site.access == Access::Read)) {
      thread.outside = &site;
      thread.outsideSlot = slot;
      thread.outsideX = x;
      thread.outsideY = y;
    }
    return;
  }
  thread.reached |= 1ull << slot % 64;
  const Message message = messageTo(thread, site, s, slot);
  const auto inRow = std::uint64_t(right - left);
  auto placeOf = [&](std::int64_t row) { return std::uint64_t(row * v.pitch + left); };
  for (std::int64_t row = top; message.number && row < below; ++row)
    s.area->shadow->expectRow(s.offset + placeOf(row));
  auto [written, base] = s.record;
  const bool all = !written || written->begin() >= base + placeOf(below - 1) + inRow;
  if (purpose == Purpose::Find && (all || site.access == Access::Write)) { // nothing can be unwritten
    for (std::int64_t row = top; !all && row < below; ++row)
      written->mark(base + placeOf(row), inRow);
    if (!message.number)
      return;
    Shadow &shadow = *s.area->shadow;
    std::int64_t row = top;
    if (site.access == Access::Write)
      row += shadow.writeRows(s.offset + placeOf(row), inRow, v.pitch, below - top, message.number, message.window);
    for (; row < below; ++row)
      touchShadow(message, shadow, {s.offset + placeOf(row), inRow, placeOf(row)}, nullptr);
    return;
  }
  for (std::int64_t row = top; row < below; ++row)
    touch(message, s, {placeOf(row), inRow, site.used ? site.used + (row - y) * width + (left - x) : nullptr});
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

/// A lane's access, when nothing is to be said of it.
[[gnu::always_inline]] inline bool Checker::dword(Access access, AccessNumber me, const Plain &known, std::uint64_t at,
                                                  const Window &window) {
  const std::uint64_t place = known.offset + at;
  if (!known.has(at, 4) || place % 4)
    return false;
  if (access == Access::Read)
    return known.shadow->readDword(place, me, window);
  return known.shadow->writeDword(place, me, access == Access::Atomic, window);
}

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
    s = surfaceOfKind(thread, site, slot, /*buffer=*/true);
    if (!s)
      return;
    size = std::uint64_t(s->view.bytes);
  }
  const Message message = shared ? messageToShared(thread, site) : messageTo(thread, site, *s, slot);
  auto touchLanes = [&](const Bytes &bytes) { shared ? touchShared(message, bytes) : touch(message, *s, bytes); };
  auto isOn = [&](std::uint32_t k) { return !wanted || wanted[k]; };
  auto placeOf = [&](std::uint32_t k) { return std::uint64_t(offsets[k] + std::uint32_t(add)) << shift; };
  for (std::uint32_t k = 0; message.number && !shared && k < site.count; ++k)
    if (isOn(k) && placeOf(k) < size)
      s->area->shadow->expect(s->offset + placeOf(k));
  const Plain known = plain[slot % SurfaceSlots];
  const bool asDwords = message.number && site.bytes == 4 && site.rows == 1 && !site.part && known.bytes;
  for (std::uint32_t k = 0; asDwords && k < site.count; ++k)
    if (isOn(k) && known.has(placeOf(k), 4))
      known.shadow->expectCell(known.offset + placeOf(k));
  const Window window = message.window; // no history is a part of it
  for (std::uint32_t k = 0, next = 1; k < site.count; k = next++) {
    if (!isOn(k))
      continue;
    std::uint64_t first = placeOf(k);
    const bool alone = next == site.count || placeOf(next) != first + site.bytes;
    if (asDwords && alone && dword(site.access, message.number, known, first, window))
      continue;
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
  const Surface *s = surfaceOfKind(thread, site, slot, /*buffer=*/false);
  if (!s)
    return;
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
    f->gone = out->gone;
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
  Counted &c = counted[std::min(slot, std::uint32_t(SurfaceSlots))];
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

//===- What kernels call ----------------------------------------------------------------===//

/// The functions behind the names of Abi.h. Each finding may end the launch.
struct Checker::Helpers {
  template <class Do> static void with(ThreadRecord *t, Do check) {
    unsigned before = t->checker->foundCount;
    check(*t->checker);
    if (t->checker->foundCount != before && t->checker->stop)
      t->checker->stop();
  }
  static const Readable *enter(ThreadRecord *t, Checker *c, const KernelSite *k, const Place *p,
                               std::uint32_t byGroups) {
    c->enter(*t, *k, *p, byGroups != 0);
    return &c->readable;
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
  static void arrive(ThreadRecord *t, const Site *s, Meeting how) {
    with(t, [&](Checker &c) { c.arrive(*t, *s, how); });
  }
  static void wait(ThreadRecord *t) {
    ++t->waited;
    Checker &c = *t->checker;
    c.goesOn(*t);
    if (t->kernel->mixed)
      c.meet(*t, Clocks::groupBarrier, false);
  }
  static void named(ThreadRecord *t, std::uint32_t id, std::uint32_t leaves) {
    if (!leaves)
      t->checker->goesOn(*t);
    t->checker->meet(*t, id % Clocks::groupBarrier, leaves != 0);
  }
  static void exchange(ThreadRecord *t, std::uint32_t leaves) {
    std::uint32_t me = t->number - t->checker->currentGroup;
    t->checker->meet(*t, leaves ? Clocks::partner(me) : Clocks::partner(me ^ 1), leaves != 0);
  }
  static void fence(ThreadRecord *t) {
    Checker &c = *t->checker;
    c.threads[c.threads[t->number].group].fenced = c.window.own = c.lastAccess;
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
