//===- Gateway.cpp - Barriers of a thread group --------------------------------------------===//
#include "gensim/memory/Gateway.h"
#include "gensim/memory/Memory.h"

namespace pocm::gensim {

void Gateway::begin(std::span<const std::unique_ptr<Thread>> threads) {
  groupSize = unsigned(threads.size());
  inParts = false;
  for (Barrier &b : barriers)
    b.close();
}

void Gateway::arrive(Thread &t) { arrive(t, 0, Both, groupSize, groupSize); }

void Gateway::arrive(Thread &t, std::uint32_t message) {
  unsigned number = message & 0xFF, role = message >> 14 & 3, producers = message >> 16 & 0xFF,
           consumers = message >> 24;
  if (number >= MostBarriers)
    throw Problem("barrier " + std::to_string(number) + " of a group, which has " + std::to_string(MostBarriers));
  if (role > Consumer)
    throw Problem("an arrival at a barrier that is neither a producer's nor a consumer's");
  // A count has eight bits; the simulator takes larger groups.
  bool ofAll = role == Both && producers == consumers && producers == (groupSize & 0xFF);
  if (ofAll)
    return arrive(t, number, Both, groupSize, groupSize);
  inParts = true;
  arrive(t, number, Role(role), producers, consumers);
}

void Gateway::arrive(Thread &t, unsigned number, Role role, unsigned producers, unsigned consumers) {
  Barrier &b = barriers[number];
  if (!b.producers && !b.consumers) {
    b.expectedProducers = producers;
    b.expectedConsumers = consumers;
  }
  auto refuse = [&](const std::string &what) {
    throw Problem("barrier " + std::to_string(number) + ", which waits for " + std::to_string(b.expectedProducers) +
                  " producers and " + std::to_string(b.expectedConsumers) + " consumers: " + what);
  };
  if (producers != b.expectedProducers || consumers != b.expectedConsumers)
    refuse("a thread arrives that says " + std::to_string(producers) + " and " + std::to_string(consumers));
  b.producers += role != Consumer;
  b.consumers += role != Producer;
  if (b.producers > producers)
    refuse("another producer arrives before they all have met");
  if (b.consumers > consumers)
    refuse("another consumer arrives before they all have met");
  if (role != Producer)
    b.toNotify.push_back(&t);
  if (b.producers < producers || b.consumers < consumers)
    return;
  for (Thread *consumer : b.toNotify)
    consumer->notification.set(number * 4, consumer->notification.get<std::uint32_t>(number * 4) + 1);
  b.close();
}

bool Gateway::takeNotification(Thread &t, unsigned barrier) {
  std::uint32_t notifications = t.notification.get<std::uint32_t>(barrier * 4);
  if (notifications)
    t.notification.set(barrier * 4, notifications - 1);
  return notifications;
}

} // namespace pocm::gensim
