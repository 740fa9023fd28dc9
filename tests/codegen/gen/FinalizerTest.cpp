// What the finalizer says is read for what it means: code that never ends is no code.
#include "codegen/gen/Finalizer.h"
#include <gtest/gtest.h>

using namespace pocm::gen;

namespace {

/// A loop around a message, with what stands behind it and its jump back in either order.
std::string loop(bool JumpLast) {
  const std::string Jump = "BB_2:\n    jmp (M1, 1) BB_1\n", End = "BB_3:\n    ret (M1, 1)\n";
  return ".version 3.6\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n.decl P1 v_type=P num_elts=1\n"
         ".decl T6 v_type=T num_elts=1\n.input T6 offset=32 size=4\n.kernel_attr Target=\"cm\"\n"
         ".kernel_attr OutputAsmPath=\"k\"\n.function \"k_BB_0\"\n    mov (M1, 8) V32(0,0)<1> 1:d\nBB_1:\n"
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

} // namespace
