//===- Checks.cpp - Mistakes of kernels, found while they are executed -----------------------------===//
#include "gensim/watch/Checks.h"
#include "gensim/isa/Printer.h"

namespace pocm::gensim {

static std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llX", static_cast<unsigned long long>(value));
  return text;
}

void Checks::groupBegins(const GroupView &view) {
  world = &view.world;
  ++groups;
  firstOfGroup = nextThread;
  nextThread += std::uint32_t(view.threads.size());
  moments.assign(view.threads.size(), 0);
  slm.assign(view.world.slm.bytes, {});
}

void Checks::find(Kind kind, const Instruction &i, const std::function<std::string()> &text) {
  Finding &f = found[{i.address, kind}];
  if (!f.count++)
    f.text = text();
}

std::string Checks::nameOf(std::uint32_t thread) const {
  return thread >= firstOfGroup ? "thread " + std::to_string(thread - firstOfGroup) : "a thread of another group";
}

/// Whether a barrier lies between another thread's use and what a thread does now, or it is the same thread. Where some
/// threads of a group meet without the others, phases say nothing, and everything counts as ordered.
bool Checks::isOrdered(std::uint32_t other, std::uint32_t itsMoment, const Thread &thread) const {
  if (!other || other == firstOfGroup + thread.number)
    return true;
  if (other < firstOfGroup)
    return orderedGroups;
  return itsMoment < moments[thread.number] || world->gateway->metInParts();
}

void Checks::use(Shadow &s, const Thread &thread, const Instruction &i, const Touch &touch) {
  std::uint32_t me = firstOfGroup + thread.number, now = moments[thread.number];
  bool bothAtomic = touch.atomic && s.atomic;
  auto report = [&](const char *did, std::uint32_t other) {
    find(Kind::Race, i, [&] {
      std::string where = touch.where == Touch::Where::Slm
                              ? " of shared local memory, from " + hex(touch.address) + " on,"
                          : touch.surface == 255 ? " of memory"
                                                 : " of surface " + std::to_string(touch.surface);
      return std::string(touch.write ? "writes" : "reads") + " bytes" + where + " that " + nameOf(other) + " has " +
             did + " with no barrier in between";
    });
  };
  if (!bothAtomic && !isOrdered(s.writer, s.writtenIn, thread))
    report("written", s.writer);
  else if (touch.write && !bothAtomic &&
           (!isOrdered(s.reader, s.readIn, thread) ||
            (s.severalReaders && s.readIn == now && s.reader >= firstOfGroup && !world->gateway->metInParts())))
    report("read", s.reader);
  if (touch.write) {
    s.writer = me;
    s.writtenIn = now;
    s.atomic = touch.atomic;
    return;
  }
  s.severalReaders = s.reader != me && s.reader >= firstOfGroup && s.readIn == now;
  s.reader = me;
  s.readIn = now;
}

void Checks::executed(const Thread &thread, const Instruction &i, std::uint32_t active,
                      std::span<const Touch> touches) {
  constexpr unsigned Gateway = 3;
  bool isMessage = i.format == Format::Send || i.format == Format::Splitsend;
  if (isMessage && i.unit == Gateway && !i.endOfThread) {
    if (active != thread.dispatched)
      find(Kind::Barrier, i,
           [&] { return "reached by channels " + hex(active) + " of " + hex(thread.dispatched) + " alone"; });
    ++moments[thread.number];
  }
  for (const Touch &t : touches) {
    bool isSlm = t.where == Touch::Where::Slm;
    if (!isSlm && t.where != Touch::Where::Memory)
      continue;
    if (t.outside) {
      find(Kind::Outside, i, [&] {
        bool isSurface = t.surface < world->surfaces.size();
        std::uint64_t bytes = isSlm ? world->slm.bytes : isSurface ? world->surfaces[t.surface].bytes : 0;
        return std::string(t.write ? "writes " : "reads ") + std::to_string(t.bytes) + " bytes from " + hex(t.address) +
               " on of " + (isSlm ? "shared local memory" : "surface " + std::to_string(t.surface)) + ", which has " +
               std::to_string(bytes);
      });
      continue;
    }
    if (isSlm && !t.write)
      for (std::uint32_t k = 0; k < t.bytes; ++k)
        if (slm[t.address + k].writer == 0) {
          find(Kind::Unwritten, i, [&] {
            return "reads " + std::to_string(t.bytes) + " bytes from " + hex(t.address) +
                   " on of shared local memory that nobody in the group has written";
          });
          break;
        }
    for (std::uint32_t k = 0; k < t.bytes; ++k) {
      std::uint64_t at = t.address + k;
      if (isSlm) {
        use(slm[at], thread, i, t);
        continue;
      }
      auto &page = pages[at / pageBytes];
      if (page.empty())
        page.resize(pageBytes);
      use(page[at % pageBytes], thread, i, t);
    }
  }
}

std::vector<std::string> Checks::findings() const {
  std::vector<std::string> lines;
  for (const auto &[where, f] : found)
    lines.push_back("kernel '" + kernel.name + "' at " + hex(where.first) + ": " +
                    textOf(kernel.at(where.first), *kernel.platform) + ": " + f.text + " (" + std::to_string(f.count) +
                    (f.count == 1 ? " time)" : " times)"));
  return lines;
}

} // namespace pocm::gensim
