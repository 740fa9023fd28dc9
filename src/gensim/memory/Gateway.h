//===- Gateway.h - Barriers of a thread group ---------------------------------------------===//
//
// Threads send messages to the gateway when they arrive at a barrier, and wait for its
// notification. Up to DG2 a group has one barrier, of all its threads. On PVC it has 32,
// and each message says which one is meant, what the thread is, and how many there are:
//
//     dword 2 of the payload    7:0    barrier
//                               15:14  0 producer and consumer, 1 producer, 2 consumer
//                               23:16  producers, 31:24 consumers
//
// A barrier opens when as many of both have arrived; its consumers are notified then. The
// whole group's barrier is number 0, which all of them come to as both.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/eu/Thread.h"
#include <span>

namespace pocm::gensim {

class Gateway {
public:
  /// A group of threads begins.
  void begin(std::span<const std::unique_ptr<Thread>> threads);
  /// A thread arrives at the barrier of the whole group.
  void arrive(Thread &thread);
  /// A thread arrives at the barrier that dword 2 of its message describes. Throws Problem where messages contradict
  /// each other, or more threads come than they say.
  void arrive(Thread &thread, std::uint32_t message);
  /// Takes a barrier's notification, if it is there.
  static bool takeNotification(Thread &thread, unsigned barrier);
  /// Whether threads of the group have met at barriers of some of them, so that there are no common phases.
  bool metInParts() const { return inParts; }

private:
  enum Role : std::uint8_t { Both, Producer, Consumer };
  struct Barrier {
    void close() {
      producers = consumers = 0;
      toNotify.clear();
    }
    unsigned producers = 0, consumers = 0;                 ///< That have arrived.
    unsigned expectedProducers = 0, expectedConsumers = 0; ///< As the first of them says.
    std::vector<Thread *> toNotify;
  };
  void arrive(Thread &thread, unsigned number, Role role, unsigned producers, unsigned consumers);

  unsigned groupSize = 0;
  bool inParts = false;
  Barrier barriers[MostBarriers];
};

} // namespace pocm::gensim
