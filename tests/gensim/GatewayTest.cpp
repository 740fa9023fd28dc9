// Barriers of groups: who opens them, who is notified, what is refused; and threads that wait for what does not come.
#include "Iga.h"
#include "gensim/Machine.h"
#include <gtest/gtest.h>

namespace pocm::gensim {
namespace {

enum Role : std::uint32_t { Both, Producer, Consumer };

std::uint32_t arrival(unsigned barrier, Role role, unsigned producers, unsigned consumers) {
  return barrier | role << 14 | producers << 16 | consumers << 24;
}

struct Group {
  explicit Group(unsigned size) {
    for (unsigned k = 0; k < size; ++k) {
      threads.push_back(std::make_unique<Thread>());
      threads.back()->start(platformNamed("pvc"), 128);
      threads.back()->number = k;
    }
    gateway.begin(threads);
  }
  void arrive(unsigned thread, std::uint32_t message) { gateway.arrive(*threads[thread], message); }
  bool take(unsigned thread, unsigned barrier) { return Gateway::takeNotification(*threads[thread], barrier); }
  std::string problemOf(unsigned thread, std::uint32_t message) {
    try {
      arrive(thread, message);
    } catch (const Problem &problem) {
      return problem.what();
    }
    return "";
  }

  std::vector<std::unique_ptr<Thread>> threads;
  Gateway gateway;
};

TEST(Gateway, opensTheGroupsBarrierWhenAllHaveArrived) {
  Group g(3);
  for (int round = 0; round < 3; ++round) {
    for (unsigned k = 0; k < 3; ++k) {
      EXPECT_FALSE(g.take(0, 0));
      g.gateway.arrive(*g.threads[k]);
    }
    for (unsigned k = 0; k < 3; ++k) {
      EXPECT_TRUE(g.take(k, 0)) << k;
      EXPECT_FALSE(g.take(k, 0)) << k;
    }
  }
  EXPECT_FALSE(g.gateway.metInParts());
}

TEST(Gateway, notifiesConsumersWhenBothKindsHaveArrived) {
  Group g(5);
  g.arrive(0, arrival(7, Producer, 2, 2));
  g.arrive(1, arrival(7, Consumer, 2, 2));
  g.arrive(2, arrival(7, Consumer, 2, 2));
  EXPECT_FALSE(g.take(1, 7));
  g.arrive(3, arrival(7, Producer, 2, 2));
  EXPECT_FALSE(g.take(1, 6)) << "another barrier";
  EXPECT_TRUE(g.take(1, 7));
  EXPECT_TRUE(g.take(2, 7));
  EXPECT_FALSE(g.take(0, 7)) << "a producer alone";
  EXPECT_FALSE(g.take(4, 7)) << "a thread that did not come";
  EXPECT_TRUE(g.gateway.metInParts());
  // The same barrier again, for others.
  g.arrive(4, arrival(7, Both, 1, 2));
  EXPECT_FALSE(g.take(4, 7));
  g.arrive(0, arrival(7, Consumer, 1, 2));
  EXPECT_TRUE(g.take(4, 7));
  EXPECT_TRUE(g.take(0, 7));
}

TEST(Gateway, knowsGroupsOfMoreThreadsThanAMessageCanSay) {
  Group g(300);
  for (unsigned k = 0; k < 300; ++k) {
    EXPECT_FALSE(g.take(0, 0));
    g.arrive(k, arrival(0, Both, 300 & 0xFF, 300 & 0xFF));
  }
  EXPECT_TRUE(g.take(0, 0));
  EXPECT_TRUE(g.take(299, 0));
  EXPECT_FALSE(g.gateway.metInParts());
}

TEST(Gateway, refusesMessagesThatContradictEachOther) {
  Group g(4);
  g.arrive(0, arrival(1, Producer, 1, 2));
  EXPECT_EQ(
      g.problemOf(1, arrival(1, Producer, 1, 2)),
      "barrier 1, which waits for 1 producers and 2 consumers: another producer arrives before they all have met");
  EXPECT_EQ(g.problemOf(2, arrival(1, Consumer, 1, 3)),
            "barrier 1, which waits for 1 producers and 2 consumers: a thread arrives that says 1 and 3");
  EXPECT_EQ(g.problemOf(2, arrival(32, Both, 4, 4)), "barrier 32 of a group, which has 32");
  EXPECT_EQ(g.problemOf(2, arrival(3, Role(3), 4, 4)),
            "an arrival at a barrier that is neither a producer's nor a consumer's");
}

/// Threads with these dwords in r1.2, which is where barriers' messages say what they are.
std::string problemOf(const std::string &platform, const std::string &text, const std::vector<std::uint32_t> &messages,
                      std::uint64_t *instructions = nullptr) {
  const Platform &p = platformNamed(platform);
  Kernel kernel("test", p, test::assembled(text + "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}\n", p));
  Machine machine(kernel, {}, {});
  std::vector<Dispatch> threads(messages.size());
  for (std::size_t k = 0; k < messages.size(); ++k) {
    threads[k].set<std::uint32_t>(0, 0);
    threads[k].set<std::uint32_t>(p.grfBytes + 8, messages[k]);
  }
  try {
    machine.runGroup(threads, "(0, 0, 0)");
  } catch (const Problem &problem) {
    return problem.what();
  }
  if (instructions)
    *instructions = machine.instructions();
  EXPECT_TRUE(machine.found().empty()) << textOf(kernel, machine.found()).front();
  return "";
}

const std::string send = "(W) send.gtwy (1|M0) null r1 null:0 0x0 0x02000004\n";

TEST(Gateway, isReachedByMessagesAndWaits) {
  std::uint64_t instructions = 0;
  EXPECT_EQ(
      problemOf("pvc", send + "(W) sync.bar 0x5:uw\n", {arrival(5, Both, 2, 2), arrival(5, Both, 2, 2)}, &instructions),
      "");
  EXPECT_EQ(instructions, 6u);
  EXPECT_EQ(problemOf("pvc", send + "(W) sync.bar 0x5:uw\n", {arrival(5, Consumer, 2, 1), arrival(5, Producer, 2, 1)}),
            "kernel 'test': 2 of the 2 threads of group (0, 0, 0) wait at a barrier that the others do not reach, by "
            "number: 5");
  EXPECT_NE(problemOf("pvc", send + "(W) sync.bar 0x20:uw\n", {arrival(5, Both, 1, 1)})
                .find("barrier 32 of a group, which has 32"),
            std::string::npos);
  // Before PVC a group has one barrier, whatever messages hold.
  EXPECT_EQ(problemOf("dg2", send + "(W) sync.bar null\n", {7, 8, 9}, &instructions), "");
  EXPECT_EQ(instructions, 9u);
}

TEST(Gateway, saysThatAPairIsIncomplete) {
  const std::string product = "(W) dpasw.8x2 (8|M0) r20:d null:d r30:b r40.0:ub\n",
                    one = "(W) and (1|M0) (ne)f0.0 null<1>:ud r1.2<0;1,0>:ud 1:ud\n(W&f0.0) jmpi L\n";
  EXPECT_EQ(problemOf("dg2", one + product + "L:\n", {0, 0, 1, 0}),
            "kernel 'test': 1 of the 4 threads of group (0, 0, 0) wait for the other thread of their pair at a product "
            "of both");
  EXPECT_NE(problemOf("dg2", one + product + "L:\n" + product, {0, 1})
                .find("a product of a pair of threads whose other thread is at another one"),
            std::string::npos);
  EXPECT_EQ(problemOf("dg2", one + product + "L:\n", {0, 0, 1, 1}), "");
}

} // namespace
} // namespace pocm::gensim
