//===- Summary.cpp - What a checked launch has to say ------------------------------===//
//
// Findings are kept as they are met, once for each place of the source:
//
//     a race of line 7 with line 9, thread after thread   ->   one RawFinding with a count
//
// and become words, counts and notes when the launch is over.
//
//===----------------------------------------------------------------------===//
#include "devices/check/Checker.h"
#include <algorithm>
#include <cstring>

namespace pocm::check {

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
    // A race of a place with itself belongs to that of two places, whichever is found first.
    auto isOf = [&](const Site *one, const RawFinding &two) { return isSame(two.site, one) || isSame(two.other, one); };
    bool part = isSame(other, &site) && isOf(&site, f),
         more = isSame(f.site, f.other) && (isSame(f.site, &site) || isSame(f.site, other));
    if (f.kind == kind && (same || reverse || (kind == Kind::Race && part))) {
      ++f.count;
      return nullptr;
    }
    if (f.kind == kind && kind == Kind::Race && more) {
      ++f.count;
      f.site = &site;
      f.other = other;
      f.thread = threads[thread.number].place;
      return &f;
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
      std::memcpy(&at, launch.bindings->block.data() + layout[i] + k * sizeof(at), sizeof(at));
      if (at != slot)
        continue;
      std::string name = kernel && i < kernel->argumentCount ? kernel->arguments[i] : "";
      name = name.empty() ? "argument " + std::to_string(i) : "'" + name + "'";
      return p.count > 1 ? name + "[" + std::to_string(k) + "]" : name;
    }
  }
  return "surface number " + std::to_string(slot);
}

/// Whether a read of what nobody has written is what a race of the same place leads to: who reads too soon does both.
bool Checker::comesOfARace(const RawFinding &f) const {
  if (f.kind != Kind::UnwrittenSlm && f.kind != Kind::UnwrittenSurface)
    return false;
  return std::any_of(found, found + foundCount, [&](const RawFinding &race) {
    return race.kind == Kind::Race && (race.site == f.site || race.other == f.site);
  });
}

/// Whether a value that nobody wrote, and that no variable is known to hold, is what a place outside of an object gave:
/// where the place is a constant, the optimizer knows that it holds nothing.
bool Checker::comesFromOutside(const RawFinding &f) const {
  return f.kind == Kind::UnwrittenValue && !f.site->object &&
         std::any_of(found, found + foundCount,
                     [](const RawFinding &other) { return other.kind == Kind::BeyondObject && isBounds(*other.site); });
}

/// Whether another finding says more of a place that leaves its part of an object: that it leaves the whole object, or
/// where it did so first. `m.row(i) += 1` reads and writes the same elements: that is one mistake.
bool Checker::isSaidBetter(const RawFinding &f) const {
  if (f.kind != Kind::BeyondObject || !f.site->line)
    return false;
  if (!isBounds(*f.site))
    return f.site->access == Access::Write && std::any_of(found, &f, [&](const RawFinding &other) {
             return other.kind == Kind::BeyondObject && other.site->file == f.site->file &&
                    other.site->line == f.site->line && other.site->access == Access::Read &&
                    other.site->object == f.site->object && other.offset == f.offset && other.bytes == f.bytes;
           });
  return std::any_of(found, found + foundCount, [&](const RawFinding &other) {
    return other.kind == Kind::BeyondObject && other.site->file == f.site->file && other.site->line == f.site->line &&
           &other != &f && (!isBounds(*other.site) || &other < &f);
  });
}

std::vector<Finding> Checker::findings() const {
  std::vector<Finding> all;
  for (unsigned i = 0; i < foundCount; ++i)
    if (!comesOfARace(found[i]) && !comesFromOutside(found[i]) && !isSaidBetter(found[i]))
      all.push_back(inWords(found[i], signature.name, nameOf(found[i].slot)));
  return all;
}

Work Checker::work() const {
  Work all;
  for (std::uint32_t slot = 0; slot <= SurfaceSlots; ++slot) {
    const Counted &c = counted[slot];
    if (c.bytesRead + c.bytesWritten)
      all.surfaces.push_back({nameOf(slot < SurfaceSlots ? slot : AddressSlot), slot != SlmSlot, c.bytesRead,
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
      std::memcpy(&slot, launch.bindings->block.data() + layout[i] + k * sizeof(slot), sizeof(slot));
      const Surface &s = surfaces[slot % SurfaceSlots];
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

} // namespace pocm::check
