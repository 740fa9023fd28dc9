// The second reader of vISA text finds what is wrong with it, and compares operands with the bytes that were meant.
#include "codegen/gen/VisaReader.h"
#include "codegen/gen/Emitter.h"
#include "pocm/pocm.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace pocm::gen;

namespace {

const GenTarget &target() { return *findGenTarget("icllp"); }

/// A kernel around some instructions.
std::string around(const std::string &body) {
  return ".version 3.6\n.kernel \"k\"\n"
         ".decl V1 v_type=G type=d num_elts=16 align=GRF\n"
         ".decl V1_w v_type=G type=w num_elts=32 alias=<V1, 0>\n"
         ".decl V2 v_type=G type=f num_elts=16 align=GRF\n"
         ".decl V4 v_type=G type=d num_elts=16 align=GRF\n.decl V4_w v_type=G type=w num_elts=32 alias=<V4, 0>\n"
         ".decl P1 v_type=P num_elts=8\n.decl P2 v_type=P num_elts=8\n"
         ".decl A1 v_type=A num_elts=1\n.decl T6 v_type=T num_elts=1\n"
         ".input T6 offset=32 size=4\n.input V1 offset=64 size=64\n.input V2 offset=128 size=64\n"
         ".function \"k_BB_0\"\n" +
         body + "    ret (M1, 1)\n";
}

/// The number of a line of the body in that text.
unsigned lineOf(unsigned ofBody) { return unsigned(llvm::count(around(""), '\n')) + ofBody; }

std::string problemOf(const std::string &body, const ExpectedBytes &expected = {}) {
  ReadingResult result = readVisa(around(body), target(), expected);
  return result.Problems.empty() ? "" : result.Problems.front();
}

TEST(VisaReader, acceptsWhatIsRight) {
  EXPECT_EQ(problemOf("    mov (M1, 8) V1(0,0)<2> V1_w(1,1)<8;4,2>\n"
                      "    cmp.lt (M1, 8) P1 V1(0,0)<1;1,0> 5:d\n"
                      "    (!P1) sel (M1, 8) V2(1,0)<1> (-)V2(0,0)<1;1,0> 0x3f800000:f\n"
                      "    addr_add (M1, 1) A1(0)<1> &V1 V1_w(0,0)<0;1,0>\n"
                      "    mov (M1, 4) r[A1(0),-512]<1>:d V1(1,4)<1;1,0>\n"
                      "BB_1:\n    (P1) jmp (M1, 1) BB_1\n"
                      "    oword_ld (4) T6 0:ud V1.0\n"),
            "");
}

TEST(VisaReader, findsWhatIsWrong) {
  const std::pair<const char *, const char *> cases[] = {
      {"    mov (M1, 16) V1(1,0)<1> V2(0,0)<1;1,0>\n", "'V1(1,0)<1>' reaches byte 64 of V1, which has 64"},
      {"    mov (M1, 8) V1(0,0)<1> V1(0,0)<16;8,4>\n", "reaches byte 64"},
      {"    mov (M1, 8) V1(0,0)<3> V2(0,0)<1;1,0>\n", "destination 'V1(0,0)<3>' has no legal stride"},
      {"    mov (M1, 8) V1(0,0)<1> V2(0,0)<3;1,0>\n", "source 'V2(0,0)<3;1,0>' has no legal region"},
      {"    mov (M1, 4) V1(0,0)<1> V2(0,0)<8;8,1>\n", "has no legal region"},
      {"    mov (M1, 3) V1(0,0)<1> V2(0,0)<1;1,0>\n", "no execution size has '(M1, 3)'"},
      {"    mov (M1, 8) V1(0,0)<1> V9(0,0)<1;1,0>\n", "V9 is not declared"},
      {"    (P7) mov (M1, 8) V1(0,0)<1> V2(0,0)<1;1,0>\n", "predicate P7 is not declared"},
      {"    (P1) cmp.lt (M1, 8) P1 V1(0,0)<1;1,0> 5:d\n", "'cmp' takes no predicate"},
      {"    cmp.lt (M1, 16) P1 V1(0,0)<1;1,0> 5:d\n", "P1 has not as many bits as the instruction has channels"},
      {"    add (M1, 8) V1(0,0)<1> V1(0,0)<1;1,0> V2(0,0)<1;1,0>\n", "sources of float and of integer type"},
      {"    addr_add (M1, 1) A1(0)<1> &V1 0:uw\n    mov (M1, 8) V1(0,0)<1> r[A1(0),512]<1;1,0>:d\n",
       "the offset is not in -512 .. 511"},
      {"    mov (M1, 8) V1(0,0)<1> r[A2(0),0]<1;1,0>:d\n", "no such address variable"},
      {"    addr_add (M1, 1) A1(0)<1> &V1 0:uw\n    cmp.lt (M1, 8) r[A1(0),0]<1>:d V4(0,0)<1;1,0> 5:d\n",
       "'cmp' writes no elements at a run-time place"},
      {"    oword_ld (4) T6 0:ud V1.0\n    media_ld.nomod (4,4) T6 0:ud 0:ud V1.16\n", "does not begin a register"},
      {"    addr_add (M1, 8) A1(0)<8> &V1 V1_w(0,0)<1;1,0>\n"
       "    min (M1, 8) V4(0,0)<1> V1(0,0)<1;1,0> r[A1(0),0]<1,0>:d\n",
       "'r[A1(0),0]<1,0>:d' is no operand of 'min' there"},
      {"    addr_add (M1, 8) A1(0)<8> &V1 V1_w(0,0)<1;1,0>\n"
       "    div (M1, 8) V4(0,0)<1> r[A1(0),0]<1,0>:d V1(0,0)<1;1,0>\n",
       "'r[A1(0),0]<1,0>:d' is no operand of 'div' there"},
      {"    addr_add (M1, 8) A1(0)<8> &V1 V1_w(0,0)<1;1,0>\n"
       "    mul (M1, 8) V4(0,0)<1> V1(0,0)<1;1,0> r[A1(0),0]<1,0>:d\n",
       "'r[A1(0),0]<1,0>:d' is no operand of 'mul' there"},
      {"    svm_atomic.inc (M1, 16) V1.0 %null.0 %null.0 %null.0\n", "has more than the message's 8 channels"},
      {"    jmp (M1, 1) BB_9\n", "no label BB_9"},
      {"  BB_1:\n", "a label has to begin its line"},
      {".decl V1 v_type=G type=d num_elts=1\n", "V1 is declared twice"},
      {".decl V3 v_type=G type=q num_elts=9 alias=<V1, 0>\n", "V3 ends behind V1"},
  };
  for (auto [body, problem] : cases)
    EXPECT_NE(problemOf(body).find(problem), std::string::npos) << body << " gives: " << problemOf(body);
  EXPECT_NE(readVisa("    mov (M1, 1) V1(0,0)<1> 0:d\n", target(), {}).Problems.size(), 0u) << "no .function";
}

// A move from pieces that it brings closer together; not one from pieces that stay as they are, or from one piece.
TEST(VisaReader, refusesMovesThatTheFinalizerTakesApart) {
  const std::string pieces = "    not (M1, 4) V4(0,0)<2> V1(0,0)<1;1,0>\n    not (M1, 4) V4(1,0)<2> V1(0,4)<1;1,0>\n",
                    move = "    mov (M1, 8) V1(0,0)<1> V4(0,0)<2;1,0>\n";
  const char *refused = "'V4(0,0)<2;1,0>' is moved from pieces";
  const std::string moved = "    mov (M1, 4) V4(0,0)<2> V1(0,0)<1;1,0>\n    mov (M1, 4) V4(1,0)<2> V1(1,0)<1;1,0>\n";
  EXPECT_NE(problemOf(moved + move).find(refused), std::string::npos);
  EXPECT_NE(problemOf(pieces + move).find(refused), std::string::npos);
  EXPECT_EQ(problemOf(pieces + "BB_1:\n" + move), "");
  EXPECT_EQ(problemOf(pieces + "    mov (M1, 8) V1(0,0)<1> (abs)V4(0,0)<2;1,0>\n"), "");
  EXPECT_EQ(problemOf("    not (M1, 8) V4(0,0)<2> V1(0,0)<1;1,0>\n" + move), "");
  EXPECT_EQ(problemOf("    not (M1, 4) V4(0,0)<1> V1(0,0)<1;1,0>\n    not (M1, 4) V4(0,4)<1> V1(0,4)<1;1,0>\n"
                      "    mov (M1, 8) V1(0,0)<2> V4(0,0)<1;1,0>\n"),
            "");
  const std::string between = "    not (M1, 4) V4(0,0)<2> V1(0,0)<1;1,0>\n" // begins before what is moved
                              "    not (M1, 4) V4(0,1)<2> V1(0,0)<1;1,0>\n    not (M1, 4) V4(1,1)<2> V1(0,0)<1;1,0>\n";
  EXPECT_NE(problemOf(between + "    mov (M1, 8) V1(0,0)<1> V4(0,1)<2;1,0>\n").find("is moved from pieces"),
            std::string::npos);
}

// Integers that change after they were widened, when those who read the wide ones have modifiers, or they are spread.
TEST(VisaReader, refusesWidenedIntegersThatTheFinalizerKeepsNarrow) {
  const std::string
      bytes = ".decl V5 v_type=G type=ub num_elts=32 align=GRF\n    not (M1, 16) V5(0,0)<1> V1_w(0,0)<1;1,0>\n",
      widen = "    mov (M1, 8) V4(0,0)<1> V5(0,0)<1;1,0>\n", change = "    mov (M1, 1) V5(0,3)<1> V1_w(0,0)<0;1,0>\n",
      other = "    mov (M1, 1) V5(0,9)<1> V1_w(0,0)<0;1,0>\n",
      negate = "    add (M1, 8) V1(0,0)<1> V1(0,0)<1;1,0> (-)V4(0,0)<1;1,0>\n",
      read = "    add (M1, 8) V1(0,0)<1> V1(0,0)<1;1,0> V4(0,0)<1;1,0>\n",
      address = "    addr_add (M1, 1) A1(0)<1> &V5 V1_w(0,0)<0;1,0>\n",
      anywhere = "    mov (M1, 1) r[A1(0),0]<1>:ub V1_w(0,0)<0;1,0>\n",
      spread = "    mov (M1, 4) V4(0,0)<2> V5(0,0)<1;1,0>\n",
      chosen = "    mov (M1, 8) V4(0,0)<1> r[A1(0),0]<1;1,0>:ub\n",
      readSpread = "    add (M1, 4) V1(0,0)<1> V1(0,0)<1;1,0> V4(0,0)<2;1,0>\n",
      refused = "is read by the finalizer from what it has kept";
  for (const std::string &text :
       {widen + change + negate, widen + negate + change + read, address + widen + anywhere + negate,
        spread + change + readSpread, address + chosen + change + negate, address + chosen + anywhere + negate})
    EXPECT_NE(problemOf(bytes + text).find(refused), std::string::npos) << text << problemOf(bytes + text);
  for (const std::string &text :
       {widen + negate + change, widen + change + read, spread + other + readSpread, widen + other + negate,
        address + chosen + negate + change, widen + change + "BB_1:\n" + negate,
        "    or (M1, 8) V4(0,0)<1> V5(0,0)<1;1,0> 0:uw\n" + change + negate})
    EXPECT_EQ(problemOf(bytes + text), "") << text;
}

// Two channels of less than a dword, which the finalizer for PVC cuts in two: for a predicate, or for what a comparison
// with 0 sets, there is no second half.
TEST(VisaReader, refusesPredicatesForPairsThatAreCut) {
  const std::string words = ".decl V5 v_type=G type=w num_elts=2 align=dword\n.decl P3 v_type=P num_elts=2\n",
                    dwords = ".decl V5 v_type=G type=d num_elts=2 align=dword\n.decl P3 v_type=P num_elts=2\n",
                    compare = "    cmp.gt (M1, 2) P3 V1(0,0)<1;1,0> 5:d\n",
                    guarded = "    (P3) mov (M1, 2) V5(0,0)<1> V1(0,0)<1;1,0>\n",
                    selected = "    (P3) sel (M1, 2) V5(0,0)<1> V1_w(0,0)<1;1,0> 0:w\n",
                    compared = "    and (M1, 2) V5(0,0)<1> V1_w(0,3)<2;1,0> 49:w\n"
                               "    cmp.ne (M1, 2) P3 V5(0,0)<1;1,0> 0:w\n";
  auto problemOn = [](const char *name, const std::string &body) {
    ReadingResult result = readVisa(around(body), *findGenTarget(name), {});
    return result.Problems.empty() ? "" : result.Problems.front();
  };
  for (const std::string &text : {compare + guarded, compare + selected, compared}) {
    EXPECT_NE(problemOn("pvc", words + text).find("two"), std::string::npos) << text;
    EXPECT_EQ(problemOn("dg2", words + text), "");
    EXPECT_EQ(problemOn("pvc", dwords + text), "");
  }
}

// Elements of 64 bits that the finalizer for PVC writes as dwords, for which there is no distance of eight.
TEST(VisaReader, refusesDistancesThatDwordsDoNotHave) {
  auto problemOn = [](const char *name, const std::string &body) {
    const std::string wide = ".decl V5 v_type=G type=q num_elts=16 align=GRF\n"
                             "    addr_add (M1, 1) A1(0)<1> &V5 V1_w(0,0)<0;1,0>\n";
    ReadingResult result = readVisa(around(wide + body), *findGenTarget(name), {});
    return result.Problems.empty() ? "" : result.Problems.front();
  };
  for (const char *far : {"V5(0,0)<4>", "r[A1(0),0]<2>:q"}) {
    const std::string move = std::string("    mov (M1, 4) ") + far + " V1(0,0)<1;1,0>\n";
    EXPECT_NE(problemOn("pvc", move).find("dwords too far apart"), std::string::npos) << problemOn("pvc", move);
    EXPECT_EQ(problemOn("skl", move), "");
  }
  EXPECT_EQ(problemOn("pvc", "    mov (M1, 4) V5(0,0)<2> V1(0,0)<1;1,0>\n"), "");
  EXPECT_EQ(problemOn("pvc", "    mov (M1, 4) r[A1(0),0]<1>:q V1(0,0)<1;1,0>\n"), "");
}

// Widened integers that the finalizer takes as the narrow ones: without a sign in signed divisions, with one in
// products of all bits where there are no 64-bit integers.
TEST(VisaReader, refusesOperandsThatTheFinalizerTakesAsNarrow) {
  const std::string more = ".decl V5 v_type=G type=q num_elts=8 align=GRF\n"
                           ".decl V1_uw v_type=G type=uw num_elts=32 alias=<V1, 0>\n",
                    fromSigned = "    mov (M1, 8) V4(0,0)<1> V1_w(0,0)<1;1,0>\n",
                    fromUnsigned = "    mov (M1, 8) V4(0,0)<1> V1_uw(0,0)<1;1,0>\n",
                    hidden = "    or (M1, 8) V4(0,0)<1> V1_uw(0,0)<1;1,0> 0:uw\n",
                    divide = "    div (M1, 8) V1(0,0)<1> V1(0,0)<1;1,0> V4(0,0)<1;1,0>\n",
                    multiply = "    mul (M1, 8) V5(0,0)<1> V1(0,0)<1;1,0> V4(0,0)<1;1,0>\n";
  const char *refused = "is taken by the finalizer as the narrow integers";
  for (const std::string &text : {fromUnsigned + divide, fromSigned + multiply})
    EXPECT_NE(problemOf(more + text).find(refused), std::string::npos) << text << problemOf(more + text);
  for (const std::string &text : {fromSigned + divide, fromUnsigned + multiply, hidden + divide})
    EXPECT_EQ(problemOf(more + text), "") << text;
  EXPECT_TRUE(readVisa(around(more + fromSigned + multiply), *findGenTarget("skl"), {}).Problems.empty());
}

// Bytes that a move has put aside, and that go where others of them lay; not those that something else has put there,
// or that go where each of them was.
TEST(VisaReader, refusesBytesThatTheFinalizerReadsWhereTheyLay) {
  const std::string more = ".decl V1_b v_type=G type=b num_elts=64 alias=<V1, 0>\n"
                           ".decl V5 v_type=G type=b num_elts=32 align=GRF\n",
                    aside = "    mov (M1, 8) V5(0,16)<1> V1_b(0,8)<4;1,0>\n", back = " V5(0,16)<1;1,0> 0:w\n";
  const char *refused = "'V5(0,16)<1;1,0>' was put aside by a move";
  EXPECT_NE(problemOf(more + aside + "    or (M1, 8) V1_b(0,16)<1>" + back).find(refused), std::string::npos);
  EXPECT_NE(
      problemOf(more + aside + "    mov (M1, 8) V1(0,0)<1> 0:d\n    or (M1, 8) V1_b(0,16)<1>" + back).find(refused),
      std::string::npos);
  EXPECT_EQ(problemOf(more + aside + "    or (M1, 8) V1_b(0,8)<4>" + back), "");
  EXPECT_EQ(problemOf(more + aside + "BB_1:\n    or (M1, 8) V1_b(0,16)<1>" + back), "");
  EXPECT_EQ(problemOf(more + "    or (M1, 8) V5(0,16)<1> V1_b(0,8)<4;1,0> 0:w\n    or (M1, 8) V1_b(0,16)<1>" + back),
            "");
  EXPECT_EQ(
      problemOf(more + aside + "    not (M1, 8) V5(0,16)<1> V1_b(0,8)<4;1,0>\n    or (M1, 8) V1_b(0,16)<1>" + back),
      "");
}

// Instructions of which the finalizer makes wrong code whatever stands around them, and their neighbours that are
// right.
TEST(VisaReader, refusesFormsThatTheFinalizerGetsWrong) {
  const std::string more = ".decl V1_b v_type=G type=b num_elts=64 alias=<V1, 0>\n"
                           ".decl V4_b v_type=G type=b num_elts=64 alias=<V4, 0>\n"
                           ".decl V4_d v_type=G type=ud num_elts=8 alias=<V4, 32>\n"
                           ".decl V5 v_type=G type=q num_elts=8 align=GRF\n"
                           ".decl V6 v_type=G type=hf num_elts=32 align=GRF\n"
                           ".decl V7 v_type=G type=f num_elts=16 align=GRF\n"
                           ".decl A2 v_type=A num_elts=8\n.decl P3 v_type=P num_elts=32\n"
                           "    mov (M1, 8) V5(0,0)<1> V1(0,0)<1;1,0>\n    mov (M1, 16) V4(0,0)<1> V1(0,0)<1;1,0>\n"
                           "    mov (M1, 16) V6(0,0)<1> V2(0,0)<1;1,0>\n    mov (M1, 16) V6(1,0)<1> V2(0,0)<1;1,0>\n"
                           "    addr_add (M1, 1) A1(0)<1> &V7 V1_w(0,0)<0;1,0>\n"
                           "    addr_add (M1, 8) A2(0)<1> &V5 V1_w(0,0)<1;1,0>\n";
  auto problemOn = [&](const char *name, const std::string &body) {
    ReadingResult result = readVisa(around(more + body), *findGenTarget(name), {});
    return result.Problems.empty() ? "" : result.Problems.front();
  };
  struct {
    const char *target, *wrong, *problem, *right;
  } const cases[] = {
      {"dg2", "    add (M1, 8) V1_b(0,2)<1> V1_b(0,2)<1;1,0> V1_b(0,1)<1;1,0>\n", "is read in place",
       "    add (M1, 8) V1_b(0,2)<1> V1_b(0,2)<1;1,0> V4_b(0,1)<1;1,0>\n"},
      {"dg2", "    mov (M1, 8) V1_b(0,0)<1> V1(0,0)<1;1,0>\n", "is read in place",
       "    mov (M1, 8) V1_b(0,0)<1> V4(0,0)<1;1,0>\n"},
      {"skl", "    mad (M1, 32) V6(0,0)<1> V6(0,0)<1;1,0> V6(0,0)<1;1,0> V6(0,0)<1;1,0>\n", "rounds twice",
       "    mad (M1, 16) V6(0,0)<1> V6(0,0)<1;1,0> V6(0,0)<1;1,0> V6(0,0)<1;1,0>\n"},
      {"skl", "    mad (M1, 2) V2(0,0)<1> V2(0,0)<1;1,0> V2(0,0)<1;1,0> V2(0,0)<1;1,0>\n", "no form of two channels",
       "    mad (M1, 4) V2(0,0)<1> V2(0,0)<1;1,0> V2(0,0)<1;1,0> V2(0,0)<1;1,0>\n"},
      {"icllp", "    mul (M1, 4) V5(0,0)<1> V1(0,0)<1;1,0> -7:d\n", "is a factor of a word",
       "    mul (M1, 4) V5(0,0)<1> V1(0,0)<1;1,0> -70000:d\n"},
      {"icllp", "    mov (M1, 8) V1(0,0)<1> r[A1(0),0]<8;4,1>:d\n", "has several rows",
       "    mov (M1, 8) V1(0,0)<1> r[A1(0),0]<1;1,0>:d\n"},
      {"dg2", "    mov (M1, 8) V2(0,0)<1> r[A2(0),0]<1,0>:ub\n", "is read as words",
       "    mov (M1, 8) V1(0,0)<1> r[A2(0),0]<1,0>:ub\n"},
      {"tgllp", "    mov (M1, 2) V5(0,0)<1> r[A2(0),0]<1,0>:uw\n", "at the first address",
       "    mov (M1, 2) V5(0,0)<1> r[A2(0),0]<1,0>:q\n"},
      {"dg2", "    mov (M1, 4) r[A1(0),0]<1>:f V6(0,0)<1;1,0>\n", "a byte behind",
       "    mov (M1, 4) r[A1(0),0]<1>:hf V6(0,0)<1;1,0>\n"},
      {"skl", "    add (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0> V4(0,6)<0;4,1>\n", "with a row in two registers",
       "    add (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0> V4(0,4)<0;4,1>\n"},
      {"dg2", "    lsc_atomic_icas.ugm (M1, 8) V5:d32 flat[V5]:a64 V1 V4_d\n", "is a part of a variable",
       "    lsc_atomic_icas.ugm (M1, 8) V5:d32 flat[V5]:a64 V1 V4\n"},
      {"skl", "    setp (M1, 32) P3 V1_w(0,0)<0;1,0>\n", "sets 16 channels", "    setp (M1, 32) P3 V1(0,0)<0;1,0>\n"},
  };
  for (const auto &c : cases) {
    EXPECT_NE(problemOn(c.target, c.wrong).find(c.problem), std::string::npos)
        << c.wrong << " gives: " << problemOn(c.target, c.wrong);
    EXPECT_EQ(problemOn(c.target, c.right), "") << c.right;
  }
}

// A comparison with 0 of what all channels compute from the same, and of what is computed as another type first.
TEST(VisaReader, refusesComparisonsThatTheFinalizerMakesTooEarly) {
  const std::string bytes = ".decl V5 v_type=G type=ub num_elts=8 align=GRF\n",
                    halves = ".decl V5 v_type=G type=q num_elts=8 align=GRF\n"
                             ".decl V6 v_type=G type=hf num_elts=8 alias=<V1, 0>\n",
                    compare = "    cmp.le (M1, 8) P1 V5(0,0)<1;1,0> 0:uw\n", refused = "'V5(0,0)<1;1,0>' is compared";
  for (const std::string &text : {bytes + "    mov.sat (M1, 8) V5(0,0)<1> V2(0,1)<0;1,0>\n",
                                  bytes + "    mul (M1, 8) V5(0,0)<1> V1(0,0)<1;1,0> V1(0,0)<1;1,0>\n",
                                  halves + "    mov.sat (M1, 8) V5(0,0)<1> V6(0,0)<1;1,0>\n",
                                  halves + "    mov (M1, 8) V5(0,0)<1> V1(0,1)<0;1,0>\n"})
    EXPECT_NE(problemOf(text + compare).find(refused), std::string::npos) << text;
  for (const std::string &text : {bytes + "    mov.sat (M1, 8) V5(0,0)<1> V2(0,0)<1;1,0>\n",
                                  halves + "    mul (M1, 8) V5(0,0)<1> V1(0,0)<1;1,0> V1(0,0)<1;1,0>\n"})
    EXPECT_EQ(problemOf(text + compare), "") << text;
}

// What the source defines of what a message takes was written, all of it.
TEST(VisaReader, wantsAllThatMessagesTake) {
  const std::string body = "    mov (M1, 4) V4(0,0)<1> V1(0,0)<1;1,0>\n    oword_st (2) T6 0:ud V4.0\n";
  auto taking = [](int bytes, const char *variable = "V4", unsigned word = 4) {
    OperandBytes all{variable, 1, {}, /*All=*/true};
    for (int k = 0; k < bytes; ++k)
      all.Offsets.push_back(k);
    return ExpectedBytes{{{lineOf(1), word}, {all}}};
  };
  EXPECT_EQ(problemOf(body), "");
  EXPECT_EQ(problemOf(body, taking(16)), "");
  EXPECT_NE(problemOf(body, taking(20)).find("V4 is read, and not all of it written before"), std::string::npos);
  for (const ExpectedBytes &other : {taking(16, "V1"), taking(16, "V4", 2)}) // another variable, the surface's word
    EXPECT_NE(problemOf(body, other).find("does not name the variable of its bale"), std::string::npos);
}

// An offset is the element that its bale means.
TEST(VisaReader, comparesElementsThatMessagesTake) {
  auto taking = [](OperandBytes element, unsigned word) { return ExpectedBytes{{{lineOf(0), word}, {element}}}; };
  const std::string body = "    oword_ld (4) T6 V1(0,1)<0;1,0> V4.0\n",
                    words = "    oword_ld (4) T6 V1_w(0,3)<0;1,0> V4.0\n";
  const char *bytes = "does not name the bytes of its bale";
  EXPECT_EQ(problemOf(body, taking({"V1", 4, {4}}, 3)), "");
  EXPECT_EQ(problemOf(words, taking({"V1", 2, {6}}, 3)), "");
  for (const OperandBytes &other : {OperandBytes{"V1", 4, {8}}, {"V2", 4, {4}}, {"V1", 2, {4}}})
    EXPECT_NE(problemOf(body, taking(other, 3)).find(bytes), std::string::npos);
  EXPECT_NE(problemOf(body, taking({"V1", 4, {4}}, 2)).find("does not name the variable of its bale"),
            std::string::npos);
}

// What is read was written before: a byte of a variable on some path, predicates and addresses on every one.
TEST(VisaReader, wantsWhatIsReadToBeWritten) {
  const std::string define = "    cmp.lt (M1, 8) P1 V1(0,0)<1;1,0> 5:d\n",
                    use = "    (P1) mov (M1, 8) V1(0,0)<1> V2(0,0)<1;1,0>\n",
                    around = "    cmp.lt (M1, 8) P2 V1(0,0)<1;1,0> 5:d\n    (P2.any) jmp (M1, 1) BB_1\n";
  const std::pair<std::string, const char *> cases[] = {
      {define + use, nullptr},
      {use, "P1 is read, and not written before"},
      {use + define, "P1 is read"},
      {around + define + "BB_1:\n" + use, "P1 is read"},
      {define + around + "BB_1:\n" + use, nullptr},
      {"BB_1:\n" + define + use + "    (P1.any) jmp (M1, 1) BB_1\n", nullptr},
      {"    (!P2.any) jmp (M1, 1) BB_1\n" + define + "BB_1:\n", "P2 is read"},
      {"    mov (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0>\n", "V4 is read, and not written before"},
      {"    mov (M1, 1) V4(0,3)<1> 5:d\n    mov (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0>\n", nullptr},
      {"    mov (M1, 1) V4(1,3)<1> 5:d\n    mov (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0>\n", "V4 is read"},
      {"    mov (M1, 1) V4_w(0,3)<1> 5:w\n    mov (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0>\n", nullptr},
      {around + "    mov (M1, 1) V4(0,3)<1> 5:d\nBB_1:\n    mov (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0>\n", nullptr},
      {"    oword_ld (4) T6 0:ud V4.0\n    oword_st (4) T6 0:ud V4.0\n", nullptr},
      {"    oword_st (4) T6 0:ud V4.0\n", "V4 is read"},
      {"    gather_scaled.4 (M1, 8) T6 0:ud V1.0 V4.0\n    mov (M1, 8) V1(0,0)<1> V4(1,0)<1;1,0>\n", "V4 is read"},
      {"    gather_scaled.4 (M1, 16) T6 0:ud V1.0 V4.0\n    mov (M1, 8) V1(0,0)<1> V4(1,0)<1;1,0>\n", nullptr},
      {"    lsc_load.ugm (M1, 8) V4:d32 bti(0x4)[V1]:a32\n    mov (M1, 8) V1(0,0)<1> V4(0,0)<1;1,0>\n", nullptr},
      {"    lsc_store.ugm (M1, 8) bti(0x4)[V4]:a32 V1:d32\n", "V4 is read"},
      {"    mov (M1, 1) V1(0,0)<1> r[A1(0),0]<0;1,0>:d\n", "A1 is read"},
      {"    addr_add (M1, 1) A1(0)<1> &V4 V1(0,0)<0;1,0>\n    mov (M1, 1) r[A1(0),0]<1>:d 1:d\n"
       "    oword_st (4) T6 0:ud V4.0\n",
       nullptr},
      {"    call (M1, 16) SUB\n    oword_st (4) T6 0:ud V4.0\n    ret (M1, 1)\n.function \"SUB\"\n"
       "    mov (M1, 1) V4(0,0)<1> 1:d\n",
       nullptr},
      {define + "    call (M1, 16) SUB\n" + use + "    call (M1, 16) SUB\n    ret (M1, 1)\n.function \"SUB\"\n",
       nullptr},
      {"    call (M1, 16) SUB\n" + use + "    ret (M1, 1)\n.function \"SUB\"\n", "P1 is read"},
      {"    ret (M1, 1)\n" + use, nullptr}, // nobody gets there
  };
  for (const auto &[body, problem] : cases) {
    if (problem)
      EXPECT_NE(problemOf(body).find(problem), std::string::npos) << body << " gives: " << problemOf(body);
    else
      EXPECT_EQ(problemOf(body), "") << body;
  }
}

TEST(VisaReader, comparesBytes) {
  std::string line = "    mov (M1, 4) V1(0,1)<2> V1_w(1,2)<4;2,1>\n";
  const unsigned at = lineOf(0);
  ExpectedBytes expected{{{at, 2}, {{"V1", 4, {4, 12, 20, 28}}}}, {{at, 3}, {{"V1", 2, {36, 38, 44, 46}}}}};
  EXPECT_EQ(problemOf(line, expected), "");
  EXPECT_EQ(readVisa(around(line), target(), expected).Compared, 2u);
  for (auto &[key, bytes] : expected) {
    ExpectedBytes other = expected;
    other[key].front().Offsets[3] += 2;
    EXPECT_NE(problemOf(line, other).find("does not name the bytes of its bale"), std::string::npos) << key.second;
    other = expected;
    other[key].front().Variable = "V2";
    EXPECT_NE(problemOf(line, other), "") << key.second;
  }
}

/// The emitter tells the reader the bytes of every region: of what is written and of each source.
TEST(VisaReader, isToldTheBytesOfEveryRegion) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(R"(
declare <32 x i32> @llvm.genx.oword.ld.v32i32(i32, i32, i32)
declare void @llvm.genx.oword.st.v32i32(i32, i32, <32 x i32>)
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32)
declare <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32>, <8 x i32>, i32, i32, i32, i16, i32, i1)
define spir_func void @k(i32 %in) {
  %v = call <32 x i32> @llvm.genx.oword.ld.v32i32(i32 0, i32 %in, i32 0)
  %a = call <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32> %v, i32 2, i32 1, i32 0, i16 4, i32 0)
  %b = call <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32> %v, i32 8, i32 4, i32 1, i16 64, i32 0)
  %sum = add <8 x i32> %a, %b
  %w = call <32 x i32> @llvm.genx.wrregioni.v32i32.v8i32.i16.i1(<32 x i32> %v, <8 x i32> %sum, i32 8, i32 8, i32 1, i16 32, i32 0, i1 true)
  call void @llvm.genx.oword.st.v32i32(i32 %in, i32 0, <32 x i32> %w)
  ret void
}
)",
                                          problem, context);
  ASSERT_TRUE(module) << problem.getMessage().str();
  pocm::KernelInfo kernel;
  kernel.Name = "k";
  kernel.Entry = module->getFunction("k");
  kernel.Parameters.resize(1);
  kernel.Parameters[0].Kind = pocm::ParameterKind::Surface;
  VisaKernel visa = emitVisa(kernel, target());
  ASSERT_EQ(visa.Problem, "");
  std::vector<std::vector<int>> offsets;
  for (const auto &[operand, all] : visa.Expected)
    for (const OperandBytes &bytes : all)
      offsets.push_back(bytes.Offsets);
  for (std::vector<int> meant : {std::vector{4, 12, 20, 28, 36, 44, 52, 60},
                                 {64, 68, 72, 76, 96, 100, 104, 108},
                                 {32, 36, 40, 44, 48, 52, 56, 60}})
    EXPECT_NE(std::find(offsets.begin(), offsets.end(), meant), offsets.end()) << visa.Text;
  ReadingResult read = readVisa(visa.Text, target(), visa.Expected);
  EXPECT_EQ(read.Compared, 4u); // and what the message takes
  EXPECT_TRUE(read.Problems.empty()) << read.Problems.front();
}

} // namespace
