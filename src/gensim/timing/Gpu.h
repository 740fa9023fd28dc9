//===- Gpu.h - Execution units, their threads, and who gets which ------------------------------===//
//
//     Gpu gpu(kernel, parameters, {slmBytes, payloadRegisters});
//     machine.runGroup(...); gpu.add(recorder.take());     // again and again
//     Profile profile = gpu.finish();
//
// Groups that were executed are run again as clocks: each execution unit takes at every
// clock up to one ready instruction for each pipe, from different threads. A group takes
// its places when there are some, so that what is recorded and not yet done stays small.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Machine.h"
#include "gensim/timing/Caches.h"
#include "gensim/timing/Costs.h"
#include "gensim/timing/Profile.h"
#include <array>
#include <memory>

namespace pocm::gensim::timing {

class Gpu {
public:
  struct Launch {
    unsigned slmBytes = 0;         ///< Of a group.
    bool hasBarrier = false;       ///< Its groups take one each.
    unsigned payloadRegisters = 1; ///< That a thread begins with.
    SourceLines lines = {};        ///< For reports.
  };
  Gpu(const Kernel &kernel, const Parameters &parameters, const Launch &launch);
  ~Gpu();

  /// Throws Problem when a group is larger than a subslice.
  void add(GroupTrace &&group);
  Profile finish();

private:
  struct Group;
  struct Slot;
  struct Unit;
  struct Subslice;

  bool place(GroupTrace &group);
  void start(Slot &slot, Unit &unit, ThreadTrace &&trace, std::shared_ptr<Group> group, Clock at);
  bool advance();
  void run(Unit &unit, Clock now);
  void issue(Unit &unit, Slot &slot, unsigned pipe, Clock now);
  void send(Unit &unit, Slot &slot, const Instruction &i, Clock now);
  void prepare(Slot &slot, Clock earliest);
  void end(Unit &unit, Slot &slot, Clock now);
  void wake(Unit &unit, Clock at);
  void publish(Unit &unit, const Slot &slot);
  void wait(Slot &slot, Clock until, Reason why);

  const Kernel &kernel;
  const Parameters &p;
  Launch launch;
  std::vector<Cost> costs;
  std::vector<Unit> units;
  std::vector<Subslice> subslices;
  Caches caches;
  Pages pages;
  std::vector<Clock> next; ///< When each unit has something to do.
  std::size_t sweep = 0;   ///< Units before it are done with this clock.
  Clock now = 0;
  bool freed = false; ///< A thread has ended since this was false.
  std::size_t nextSubslice = 0;
  Profile profile;
};

} // namespace pocm::gensim::timing
