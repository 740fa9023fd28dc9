//===- Crew.h - A launch's groups on several host threads ----------------------------------------===//
//
//     Crew crew(kernel, world, {4, optionsOf});
//     crew.run(groups, [&](std::size_t group, std::vector<Dispatch> &threads) { ... return nameOf(group); }, {});
//
// Every host thread has a machine of its own and takes the next few groups. Whoever called learns of groups that have
// ended in their order, and of the first that failed, so that what a launch says does not depend on the number of host
// threads. Groups of kernels whose results depend on their order run one after another (`needsOrder`).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Machine.h"

namespace pocm::gensim {

/// Whether groups see each other's order: they swap, exchange or read what others have added.
bool needsOrder(const Kernel &kernel);

class Crew {
public:
  /// Fills in what the threads of a group have in registers; returns the group's name in messages. Any host thread.
  using Filler = std::function<std::string(std::size_t group, unsigned member, std::vector<Dispatch> &threads)>;
  /// Called on a member's thread behind a group of it; what it returns is called in order on the caller's thread.
  using Ending = std::function<std::function<void()>(unsigned member)>;

  struct Setup {
    unsigned members = 1;                                          ///< Host threads.
    std::function<Machine::Options(unsigned member)> options = {}; ///< Of a member's machine.
    Ending ending = {};                                            ///< May be empty.
  };
  Crew(const Kernel &kernel, const World &world, Setup setup);

  /// Runs all groups. Throws the Problem of the first group that has one; those behind it may have run.
  void run(std::size_t groups, const Filler &fill);

  std::vector<std::string> findings() const;
  std::uint64_t instructions() const;

private:
  struct Shared;
  void runChunk(Shared &shared, unsigned member, std::size_t chunk);
  void help(Shared &shared, unsigned member);

  const Kernel &kernel;
  World world;
  Setup setup;
  std::vector<std::unique_ptr<Machine>> machines;
};

} // namespace pocm::gensim
