//===- Caches.cpp - Ports, caches and memory of the GPU, as clocks ----------------------------===//
#include "gensim/timing/Caches.h"
#include <algorithm>

namespace pocm::gensim::timing {

TagArray::TagArray(double bytes, double ways, double lineBytes)
    : sets(std::max<std::size_t>(1, std::size_t(bytes / lineBytes / ways))), ways(std::size_t(ways)),
      lines(sets * this->ways) {}

TagArray::Found TagArray::find(std::uint64_t line) {
  // Neighbouring pages spread over the sets.
  std::uint64_t set = (line ^ line >> 16) % sets;
  Line *begin = &lines[set * ways], *oldest = begin;
  ++uses;
  for (Line *l = begin; l != begin + ways; ++l) {
    if (l->tag == line) {
      l->used = uses;
      return {l, true, false};
    }
    if (l->used < oldest->used)
      oldest = l;
  }
  bool dirty = oldest->dirty;
  *oldest = {line, uses, 0, false};
  return {oldest, false, dirty};
}

Caches::Caches(const Parameters &parameters)
    : ports(std::size_t(parameters.subslices)), slm(ports.size()), samplers(ports.size()),
      banks(std::size_t(parameters.l3Banks)), p(parameters), l3(p.l3Bytes, p.l3Ways, p.lineBytes),
      llc(p.llcBytes, p.llcWays, p.lineBytes) {}

/// When a line's data are at the L3 cache's port, less the latency of a hit.
double Caches::lineAt(std::uint64_t line, double arrival, const MessageRecord &m, bool first) {
  ++traffic.lines;
  double clocks = 1 + (m.atomic && first ? m.repeats * p.atomicClocks : 0);
  double served = banks[(line ^ line >> 3 ^ line >> 7) % banks.size()].serve(arrival, clocks) + clocks - 1;
  TagArray::Found there = l3.find(line);
  bool fetches = !m.writes || m.atomic;
  double dramClocks = p.lineBytes / p.bytesPerClock(p.dramGigabytes);
  if (there.evictsDirty) {
    gtiWrite.serve(served, p.lineBytes / p.gtiWriteBytes);
    dram.serve(served, dramClocks);
    ++traffic.dramWrites;
  }
  if (there.hit) {
    ++traffic.l3Hits;
  } else if (fetches) {
    double arrives = gtiRead.serve(served, p.lineBytes / p.gtiReadBytes) + p.llcLatency;
    if (llc.find(line).hit) {
      ++traffic.llcHits;
    } else {
      arrives = dram.serve(arrives, dramClocks) + p.clocksOfNanoseconds(p.dramNanoseconds);
      ++traffic.dramReads;
    }
    there.line->readyAt = arrives;
  }
  there.line->dirty |= m.writes;
  return fetches ? std::max(served, there.line->readyAt) : served;
}

Clock Caches::serve(const ThreadTrace &trace, const MessageRecord &m, unsigned subslice, Clock leaves) {
  using Kind = MessageRecord::Kind;
  auto arrival = double(leaves);
  switch (m.kind) {
  case Kind::Slm:
    traffic.slmBytes += m.bytes;
    traffic.slmClocks += m.clocks;
    return Clock(slm[subslice].serve(arrival, m.clocks) + m.clocks - 1 + p.slmLatency);
  case Kind::Sampler:
    return Clock(samplers[subslice].serve(arrival, m.clocks) + m.clocks - 1 + p.samplerLatency);
  case Kind::Gateway:
    return Clock(arrival + p.gatewayLatency);
  case Kind::Fence:
    return Clock(arrival + p.fenceLatency);
  case Kind::Memory:
    break;
  default:
    return leaves;
  }
  ++traffic.messages;
  traffic.requestedBytes += m.bytes;
  double begin = ports[subslice].serve(arrival, m.clocks), done = begin + m.clocks;
  double each = double(m.clocks) / m.lines;
  for (std::uint32_t k = 0; k < m.lines; ++k)
    done = std::max(done, lineAt(trace.lines[m.firstLine + k], begin + k * each, m, k == 0));
  return Clock(done + p.l3Latency + (m.typed ? p.typedLatency : 0));
}

} // namespace pocm::gensim::timing
