//===- Recorder.cpp - What a group has done, for the model of time ----------------------------===//
#include "gensim/timing/Recorder.h"
#include <algorithm>
#include <array>

namespace pocm::gensim::timing {
namespace {

constexpr std::uint64_t PageBytes = 4096;
/// Beyond the pages of memory: scratch memory of a thread, and arguments, which all threads share.
constexpr std::uint64_t ScratchBegin = std::uint64_t(1) << 48, ScratchBytes = 1 << 18,
                        ArgumentsBegin = std::uint64_t(1) << 56;

/// Clocks of shared local memory: dwords of one bank are one after another; a dword that several read is read once.
std::uint32_t slmClocks(std::span<const Touch> touches, unsigned banks, bool writes) {
  constexpr unsigned most = 64, dword = 4;
  std::array<std::vector<std::uint64_t>, most> wanted;
  for (const Touch &t : touches)
    for (std::uint64_t at = t.address / dword; at <= (t.address + t.bytes - 1) / dword; ++at)
      wanted[at % std::min(banks, most)].push_back(at);
  std::size_t longest = 1;
  for (auto &bank : wanted) {
    std::sort(bank.begin(), bank.end());
    if (!writes)
      bank.erase(std::unique(bank.begin(), bank.end()), bank.end());
    longest = std::max(longest, bank.size());
  }
  return std::uint32_t(longest);
}

} // namespace

static std::uint64_t placeOf(const Touch &t, const Thread &thread) {
  switch (t.where) {
  case Touch::Where::Scratch:
    return ScratchBegin + thread.number * ScratchBytes + t.address;
  case Touch::Where::Arguments:
    return ArgumentsBegin + t.address;
  default:
    return t.place;
  }
}

void Pages::place(GroupTrace &group) {
  std::uint64_t perPage = PageBytes / lineBytes;
  for (ThreadTrace &trace : group) {
    for (std::uint64_t &line : trace.lines) {
      std::uint64_t page = line / perPage;
      if (line >= ScratchBegin / lineBytes)
        continue;
      if (page != lastPage) {
        lastPage = page;
        lastNumber = numbers.try_emplace(page, numbers.size()).first->second;
      }
      line = lastNumber * perPage + line % perPage;
    }
    for (const MessageRecord &m : trace.messages)
      if (m.lines > 1)
        std::sort(trace.lines.begin() + m.firstLine, trace.lines.begin() + m.firstLine + m.lines);
  }
}

void Recorder::record(const Thread &thread, const Instruction &i, std::span<const Touch> all) {
  constexpr unsigned SamplerUnit = 2, GatewayUnit = 3, DataPort1 = 0xC;
  ThreadTrace &trace = group[thread.number];
  MessageRecord m;
  inside.clear(); // what is beyond a surface goes nowhere
  std::copy_if(all.begin(), all.end(), std::back_inserter(inside), [](const Touch &t) { return !t.outside; });
  std::span<const Touch> touches = inside;
  std::uint32_t descriptor = i.descriptorByRegister ? thread.addresses.get<std::uint32_t>(0) : i.descriptor;
  m.payload = std::uint8_t(descriptor >> 25 & 15);
  m.response = std::uint8_t(descriptor >> 20 & 31);
  m.extra = i.extendedLength;
  m.firstLine = std::uint32_t(trace.lines.size());
  if (i.endOfThread) {
    m.kind = MessageRecord::Kind::End;
  } else if (i.unit == GatewayUnit) {
    m.kind = MessageRecord::Kind::Gateway;
  } else if (i.unit == SamplerUnit) {
    m.kind = MessageRecord::Kind::Sampler;
    m.clocks = std::uint32_t((i.size + p.samplerLanes - 1) / p.samplerLanes);
  } else if (!touches.empty() && touches[0].where == Touch::Where::Slm) {
    m.kind = MessageRecord::Kind::Slm;
    m.clocks = slmClocks(touches, unsigned(p.slmBanks), touches[0].write);
    for (const Touch &t : touches)
      m.bytes += t.bytes;
  } else if (!touches.empty()) {
    m.kind = MessageRecord::Kind::Memory;
    std::uint32_t longest = 0, most = 0;
    repeats.clear();
    for (const Touch &t : touches) {
      m.bytes += t.bytes;
      longest = std::max(longest, t.bytes);
      std::uint64_t at = placeOf(t, thread);
      auto line = std::uint64_t(p.lineBytes);
      for (std::uint64_t k = at / line; k <= (at + t.bytes - 1) / line; ++k) {
        // Neighbours are mostly the last ones seen.
        std::size_t seen = trace.lines.size();
        while (seen > m.firstLine && trace.lines[seen - 1] != k)
          --seen;
        if (seen == m.firstLine) {
          trace.lines.push_back(k);
          repeats.push_back(0);
        } else {
          most = std::max(most, ++repeats[seen - 1 - m.firstLine]);
        }
      }
    }
    m.lines = std::uint32_t(trace.lines.size() - m.firstLine);
    // The port moves whole lines; elements that are addressed one by one go four lanes a clock at most.
    constexpr std::uint32_t block = 16;
    double portLines = m.lines * p.lineBytes / p.portBytes;
    m.clocks = std::uint32_t(std::max(1.0, longest < block ? std::max(portLines, m.bytes / double(block)) : portLines));
    m.repeats = touches[0].atomic ? most : 0;
    m.typed = i.unit == DataPort1 && (descriptor >> 14 & 31) == 5;
  } else {
    m.kind = m.response ? MessageRecord::Kind::Fence : MessageRecord::Kind::None;
  }
  m.writes = !touches.empty() && touches[0].write;
  m.atomic = !touches.empty() && touches[0].atomic;
  trace.messages.push_back(m);
}

void Recorder::executed(const Thread &thread, const Instruction &i, std::uint32_t, std::span<const Touch> touches) {
  switch (i.format) {
  case Format::Jump:
  case Format::Branch:
  case Format::TwoBranch:
  case Format::Call:
  case Format::Ret:
    group[thread.number].targets.push_back(thread.ip);
    break;
  case Format::Send:
  case Format::Splitsend:
    record(thread, i, touches);
    break;
  default:
    break;
  }
}

} // namespace pocm::gensim::timing
