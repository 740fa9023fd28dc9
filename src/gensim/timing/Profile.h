//===- Profile.h - What a launch took, and where ------------------------------------------------===//
#pragma once

#include "gensim/Machine.h"
#include "gensim/timing/Caches.h"
#include "gensim/timing/Costs.h"
#include "gensim/timing/SourceLines.h"
#include <array>
#include <iosfwd>

namespace pocm::gensim::timing {

struct InstructionTimes {
  std::uint64_t executions = 0, clocks = 0; ///< Of a pipe.
  std::uint64_t waited = 0;                 ///< Clocks of threads before it issued.
  std::array<std::uint64_t, std::size_t(Reason::Count)> waits{};
};

struct Profile {
  const Kernel *kernel = nullptr;
  const Parameters *parameters = nullptr;
  Clock clocks = 0;
  std::uint64_t threads = 0, groups = 0;
  std::vector<InstructionTimes> instructions; ///< As the kernel's.
  Traffic traffic;
  /// Sums over execution units, clocks: some pipe busy; some thread there; each pipe busy.
  std::uint64_t active = 0, resident = 0;
  std::array<std::uint64_t, Pipes> pipeBusy{};
  /// A thread's stay on an execution unit.
  struct Span {
    std::uint32_t unit, slot, group;
    Clock begin, end;
  };
  static constexpr std::size_t mostSpans = 200'000;
  std::vector<Span> spans; ///< Of the first threads.
  SourceLines lines;
  double portBusy = 0, bankBusy = 0, gtiBusy = 0, dramBusy = 0;

  double milliseconds() const { return double(clocks) / parameters->megahertz / 1000; }
  std::uint64_t executed() const;
  double units() const { return parameters->subslices * parameters->unitsPerSubslice; }
  std::array<std::uint64_t, std::size_t(Reason::Count)> waits() const;
  /// Executions by class of instruction: moves, arithmetic of floats, messages, ...
  std::map<std::string, std::uint64_t> classes() const;
};

/// Some lines for people, with the `most` instructions, and source lines, that threads waited longest for.
void print(std::ostream &out, const Profile &profile, unsigned most = 12);

} // namespace pocm::gensim::timing
