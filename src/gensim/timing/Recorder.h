//===- Recorder.h - What a group has done, for the model of time -----------------------------===//
//
// The machine executes a group; what decides its time later are the ways of its branches and
// the lines of its messages:
//
//     while (8) -> 0x120, 0x120, 0x1F0      targets, in turn
//     send ... 8 owords of surface 1        4 lines, 8 clocks of the port
//
// Host addresses become numbers of pages in the order of their first use when groups come to
// the model in their order (`Pages`), so that the same launch has the same time anywhere.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Observer.h"
#include "gensim/timing/Parameters.h"
#include <unordered_map>

namespace pocm::gensim::timing {

struct MessageRecord {
  enum class Kind : std::uint8_t { None, Memory, Slm, Sampler, Gateway, Fence, End };
  Kind kind = Kind::None;
  bool writes = false, atomic = false, typed = false;
  std::uint8_t payload = 0, extra = 0, response = 0; ///< Registers.
  std::uint32_t firstLine = 0, lines = 0;            ///< Of ThreadTrace::lines.
  std::uint32_t clocks = 0;                          ///< Of the port, or of shared local memory with its conflicts.
  std::uint32_t bytes = 0;
  std::uint32_t repeats = 0; ///< Of atomics: lanes of the busiest line but the first.
};

struct ThreadTrace {
  std::vector<std::uint32_t> targets; ///< Where branches lead, in turn.
  std::vector<MessageRecord> messages;
  std::vector<std::uint64_t> lines;
};

using GroupTrace = std::vector<ThreadTrace>;

class Recorder : public Observer {
public:
  explicit Recorder(const Parameters &parameters) : p(parameters) {}
  bool wantsAll() const override { return false; }
  void groupBegins(const GroupView &view) override { group.assign(view.threads.size(), {}); }
  void executed(const Thread &thread, const Instruction &i, std::uint32_t active,
                std::span<const Touch> touches) override;
  GroupTrace take() { return std::move(group); }

private:
  void record(const Thread &thread, const Instruction &i, std::span<const Touch> touches);

  const Parameters &p;
  GroupTrace group;
  std::vector<std::uint32_t> repeats; ///< Of a message's lines.
  std::vector<Touch> inside;
};

/// Numbers of the host's pages.
class Pages {
public:
  explicit Pages(const Parameters &parameters) : lineBytes(std::uint64_t(parameters.lineBytes)) {}
  /// Replaces the host's lines by those of numbered pages, in order within a message.
  void place(GroupTrace &group);

private:
  std::uint64_t lineBytes;
  std::unordered_map<std::uint64_t, std::uint64_t> numbers;
  std::uint64_t lastPage = ~std::uint64_t(0), lastNumber = 0;
};

} // namespace pocm::gensim::timing
