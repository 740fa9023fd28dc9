// Several host threads give what one gives: memory, findings, the first failure.
#include "gensim/Crew.h"
#include "Iga.h"
#include <gtest/gtest.h>

using namespace pocm::gensim;

namespace {

const Platform &icllp = Platforms[1];

struct Result {
  std::vector<std::uint32_t> memory;
  std::vector<std::string> findings;
  std::vector<std::size_t> ended;
  std::string problem;
};

/// Each group writes its number, in r1.0, to the dword of that number, behind `before`.
Result runGroups(unsigned members, const std::string &before, std::size_t groups) {
  Result result;
  result.memory.resize(groups);
  Kernel kernel("test", icllp,
                test::assembled(before + "(W) mov (8|M0) r9.0<1>:ud r1.0<0;1,0>:ud\n"
                                         "(W) shl (8|M0) r8.0<1>:ud r9.0<8;8,1>:ud 2:ud\n"
                                         "(W) sends (8|M0) null r8 r9 0x4C 0x02026E00\n"
                                         "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n",
                                icllp));
  World world;
  Surface s;
  s.base = reinterpret_cast<std::uint8_t *>(result.memory.data());
  s.bytes = groups * 4;
  world.surfaces.push_back(s);
  Crew::Setup setup;
  setup.members = members;
  setup.options = [](unsigned) { return Machine::Options(); };
  setup.ending = [&](unsigned) { return [&] { result.ended.push_back(result.ended.size()); }; };
  Crew crew(kernel, world, setup);
  try {
    crew.run(groups, [](std::size_t group, unsigned, std::vector<Dispatch> &threads) {
      threads.assign(1, {});
      threads[0].set<std::uint32_t>(0, 0);
      for (std::uint32_t n = 0; n < 8; ++n)
        threads[0].set<std::uint32_t>(32 + n * 4, std::uint32_t(group));
      return std::to_string(group);
    });
  } catch (const Problem &problem) {
    result.problem = problem.what();
  }
  result.findings = crew.findings();
  return result;
}

TEST(Crew, givesTheSameForAnyNumberOfHostThreads) {
  constexpr std::size_t groups = 20'000;
  // What nobody has written decides a jump to the next instruction: a finding of each group.
  Result one = runGroups(1, "(W&f1.0) jmpi L\nL:\n", groups);
  EXPECT_EQ(one.problem, "");
  for (std::size_t n = 0; n < groups; ++n)
    ASSERT_EQ(one.memory[n], n);
  ASSERT_EQ(one.findings.size(), 1u);
  EXPECT_NE(one.findings[0].find("(20000 times)"), std::string::npos);
  for (unsigned members : {2u, 5u}) {
    Result many = runGroups(members, "(W&f1.0) jmpi L\nL:\n", groups);
    EXPECT_EQ(many.memory, one.memory);
    EXPECT_EQ(many.findings, one.findings);
    EXPECT_EQ(many.ended.size(), groups);
  }
}

TEST(Crew, tellsOfTheFirstGroupThatFails) {
  // Groups from 15,000 on loop for ever, each with its number in the loop's address register.
  std::string text = "(W) cmp (1|M0) (ge)f0.0 null<1>:ud r1.0<0;1,0>:ud 15000:ud\nL:\n(W&f0.0) jmpi L\n";
  std::string first = runGroups(1, text, 20'000).problem;
  EXPECT_NE(first.find("endless loop"), std::string::npos) << first;
  Result many = runGroups(3, text, 20'000);
  EXPECT_EQ(many.problem, first);
  EXPECT_GE(many.ended.size(), 14'900u);
  EXPECT_LE(many.ended.size(), 15'000u);
}

TEST(Crew, atomicsWantOneOrder) {
  auto kernelOf = [](const std::string &text) {
    return Kernel("test", icllp, test::assembled(text + "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n", icllp));
  };
  EXPECT_FALSE(needsOrder(kernelOf("(W) sends (8|M0) null r8 r9 0x4C 0x02026E00\n")));
  EXPECT_TRUE(needsOrder(kernelOf("(W) sends (8|M0) r10 r8 r9 0x4C 0x0210B700\n")));  // an untyped atomic of a surface
  EXPECT_FALSE(needsOrder(kernelOf("(W) sends (8|M0) r10 r8 r9 0x4C 0x0210B7FE\n"))); // of shared local memory

  // Descriptors in a0.0, to which code adds the number of a surface.
  const std::string write = "(W) or (1|M0) a0.0<1>:ud r5.1<0;1,0>:ud 0x02026E00:ud\n",
                    atomic = "(W) add (1|M0) a0.0<1>:ud r5.1<0;1,0>:ud 0x0210B700:ud\n",
                    send = "(W) sends (8|M0) r10 r8 r9 0x4C a0.0\n",
                    other = "(W) mov (8|M0) r20.0<1>:ud r21.0<8;8,1>:ud\n";
  EXPECT_FALSE(needsOrder(kernelOf(write + other + send + send)));
  EXPECT_TRUE(needsOrder(kernelOf(atomic + send)));
  EXPECT_TRUE(needsOrder(kernelOf(atomic + send + write + send)));
  EXPECT_FALSE(needsOrder(kernelOf(atomic + write + send)));
  EXPECT_TRUE(needsOrder(kernelOf(write + atomic + send)));
  EXPECT_FALSE(needsOrder(kernelOf("(W) mov (1|M0) a0.0<1>:ud 0x02026E00:ud\n" + send)));
  // What a0.0 holds is not known: nobody wrote it, or wrote all of it, or all paths to the message did not.
  EXPECT_TRUE(needsOrder(kernelOf(send)));
  EXPECT_TRUE(needsOrder(kernelOf("(W) or (1|M0) a0.0<1>:ud r5.1<0;1,0>:ud r5.2<0;1,0>:ud\n" + send)));
  EXPECT_TRUE(needsOrder(kernelOf(write + "(W) mov (1|M0) a0.1<1>:uw 0x0210:uw\n" + send)));
  EXPECT_TRUE(needsOrder(kernelOf("or (1|M0) a0.0<1>:ud r5.1<0;1,0>:ud 0x02026E00:ud\n" + send)));
  EXPECT_TRUE(needsOrder(kernelOf("(W&f0.0) or (1|M0) a0.0<1>:ud r5.1<0;1,0>:ud 0x02026E00:ud\n" + send)));
  EXPECT_TRUE(needsOrder(kernelOf("(W&f0.0) jmpi L\n" + write + "L:\n" + send)));
  EXPECT_TRUE(needsOrder(kernelOf("L:\n" + send + write + "(W&f0.0) jmpi L\n")));
  EXPECT_FALSE(needsOrder(kernelOf("L:\n" + write + send + "(W&f0.0) jmpi L\n")));
}

} // namespace
