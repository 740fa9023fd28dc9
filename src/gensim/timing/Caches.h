//===- Caches.h - Ports, caches and memory of the GPU, as clocks ------------------------------===//
//
//     subslice ── port ── L3 banks ── GTI ── last level's cache ── DRAM
//
// Each part is a queue: what arrives while it is busy waits. Caches have tags and no data;
// who asks for a line that is on its way waits for it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/timing/Recorder.h"

namespace pocm::gensim::timing {

using Clock = std::uint64_t;

/// Something that serves one after another.
struct Queue {
  double freeAt = 0, busy = 0;
  /// When it begins to serve what arrives then.
  double serve(double arrival, double clocks) {
    double begin = arrival > freeAt ? arrival : freeAt;
    freeAt = begin + clocks;
    busy += clocks;
    return begin;
  }
};

/// Tags, the least recently used of a set replaced.
class TagArray {
public:
  TagArray(double bytes, double ways, double lineBytes);
  struct Line {
    std::uint64_t tag = ~std::uint64_t(0), used = 0;
    double readyAt = 0;
    bool dirty = false;
  };
  struct Found {
    Line *line;
    bool hit, evictsDirty;
  };
  Found find(std::uint64_t line);

private:
  std::size_t sets, ways;
  std::vector<Line> lines;
  std::uint64_t uses = 0;
};

struct Traffic {
  std::uint64_t messages = 0, lines = 0, l3Hits = 0, llcHits = 0, dramReads = 0, dramWrites = 0, slmBytes = 0,
                slmClocks = 0, requestedBytes = 0;
};

class Caches {
public:
  explicit Caches(const Parameters &parameters);
  /// When a message that leaves an execution unit then has its answer.
  Clock serve(const ThreadTrace &trace, const MessageRecord &message, unsigned subslice, Clock leaves);

  Traffic traffic;
  std::vector<Queue> ports, slm, samplers, banks;
  Queue gtiRead, gtiWrite, dram;

private:
  double lineAt(std::uint64_t line, double arrival, const MessageRecord &m, bool first);

  const Parameters &p;
  TagArray l3, llc;
};

} // namespace pocm::gensim::timing
