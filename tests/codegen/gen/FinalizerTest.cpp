// What the finalizer says is read for what it means: code that never ends is no code.
#include "codegen/gen/Complaints.h"
#include <gtest/gtest.h>

using namespace pocm::gen;

namespace {

/// A loop around a message, with what stands behind it and its jump back in either order.
std::string loop(bool JumpLast) {
  const std::string Jump = "BB_2:\n    jmp (M1, 1) BB_1\n", End = "BB_3:\n    ret (M1, 1)\n";
  return ".version 3.6\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n.decl P1 v_type=P num_elts=1\n"
         ".decl T6 v_type=T num_elts=1\n.input T6 offset=32 size=4\n.kernel_attr Target=\"cm\"\n"
         ".kernel_attr OutputAsmPath=\"kernel\"\n.function \"k_BB_0\"\n    mov (M1, 8) V32(0,0)<1> 1:d\nBB_1:\n"
         "    add (M1, 8) V32(0,0)<1> V32(0,0)<1;1,0> V32(0,0)<0;1,0>\n    oword_st (2) T6 0:ud V32.0\n"
         "    cmp.lt (M1, 1) P1 V32(0,0)<0;1,0> 1000:d\n    (" +
         std::string(JumpLast ? "P1) jmp (M1, 1) BB_2\n" + End + Jump : "!P1) jmp (M1, 1) BB_3\n" + Jump + End);
}

TEST(Finalizer, refusesWhatBranchesToItself) {
  const GenTarget &target = *findGenTarget("tgllp");
  EXPECT_EQ(finalize(loop(false), "k", target, {}).Problem, "");
  EXPECT_NE(finalize(loop(true), "k", target, {}).Problem.find("a branch to itself, 'goto.b"), std::string::npos)
      << finalize(loop(true), "k", target, {}).Assembly;
}

/// Text whose third to fifth lines come from lines 7 to 9 of k.cpp; most lives in the fourth.
VisaKernel kernel() {
  VisaKernel visa;
  visa.Text = ".version 3.6\n.kernel \"k\"\n.function \"k_BB_0\"\n    add (M1, 8) V1 V2\n    ret (M1, 1)\n";
  visa.FirstLine = 2;
  visa.Lines = {{.Source = {"k.cpp", 7}, .LiveBytes = 64},
                {.Source = {"k.cpp", 8}, .LiveBytes = 5000},
                {.Source = {"k.cpp", 9}, .LiveBytes = 32}};
  return visa;
}

TEST(Complaints, nameTheLineOfTheSource) {
  auto said = [](const std::string &problem) { return explain(problem, "k", kernel(), *findGenTarget("skl")); };
  EXPECT_EQ(said("error near line 3: no"), "k.cpp:7: error near line 3: no (that line is '.function \"k_BB_0\"')");
  EXPECT_EQ(said("error at line 4: no"), "k.cpp:8: error at line 4: no (that line is 'add (M1, 8) V1 V2')");
  EXPECT_EQ(said("line 5"), "k.cpp:9: line 5 (that line is 'ret (M1, 1)')");
  EXPECT_EQ(said("line 2"), "line 2 (that line is '.kernel \"k\"')") << "which is no code";
  EXPECT_EQ(said("line 6"), "line 6 (that line is '')");
  EXPECT_EQ(said("line 0"), "line 0");
  EXPECT_EQ(said("it crashed"), "it crashed");
  EXPECT_EQ(said(std::string(600, 'x')), std::string(600, 'x'));
  EXPECT_EQ(said(std::string(601, 'x')), std::string(600, 'x') + " ...");
  EXPECT_EQ(
      said("128 GRF registers are NOT enough to compile kernel k"),
      "k.cpp:8: kernel 'k' needs more registers than SKL has, even with some of them in scratch memory: 5000 bytes "
      "are in use here at once; use fewer or smaller vectors, or compute in a loop that is not unrolled");
}

} // namespace
