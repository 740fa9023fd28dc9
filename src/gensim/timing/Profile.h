//===- Profile.h - What a launch took, and where ------------------------------------------------===//
#pragma once

#include "gensim/Machine.h"
#include "gensim/timing/Caches.h"
#include "gensim/timing/Costs.h"
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
  double portBusy = 0, bankBusy = 0, gtiBusy = 0, dramBusy = 0;

  double milliseconds() const { return double(clocks) / parameters->megahertz / 1000; }
  std::uint64_t executed() const;
  double units() const { return parameters->subslices * parameters->unitsPerSubslice; }
  std::array<std::uint64_t, std::size_t(Reason::Count)> waits() const;
};

/// Some lines for people, with the `most` instructions that threads waited longest for.
void print(std::ostream &out, const Profile &profile, unsigned most = 12);

} // namespace pocm::gensim::timing
