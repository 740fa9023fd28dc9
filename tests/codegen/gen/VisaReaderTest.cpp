// The second reader of vISA text finds what is wrong with it, and compares operands with the bytes that were meant.
#include "codegen/gen/VisaReader.h"
#include "pocm/pocm.h"
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
         ".decl P1 v_type=P num_elts=8\n.decl A1 v_type=A num_elts=1\n.decl T6 v_type=T num_elts=1\n"
         ".function \"k_BB_0\"\n" +
         body + "    ret (M1, 1)\n";
}

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
      {"    mov (M1, 8) V1(0,0)<1> r[A1(0),512]<1;1,0>:d\n", "the offset is not in -512 .. 511"},
      {"    mov (M1, 8) V1(0,0)<1> r[A2(0),0]<1;1,0>:d\n", "no such address variable"},
      {"    oword_ld (4) T6 0:ud V1.0\n    media_ld.nomod (4,4) T6 0:ud 0:ud V1.16\n", "does not begin a register"},
      {"    jmp (M1, 1) BB_9\n", "no label BB_9"},
      {"  BB_1:\n", "a label has to begin its line"},
      {".decl V1 v_type=G type=d num_elts=1\n", "V1 is declared twice"},
      {".decl V3 v_type=G type=q num_elts=9 alias=<V1, 0>\n", "V3 ends behind V1"},
  };
  for (auto [body, problem] : cases)
    EXPECT_NE(problemOf(body).find(problem), std::string::npos) << body << " gives: " << problemOf(body);
  EXPECT_NE(readVisa("    mov (M1, 1) V1(0,0)<1> 0:d\n", target(), {}).Problems.size(), 0u) << "no .function";
}

TEST(VisaReader, comparesBytes) {
  std::string line = "    mov (M1, 4) V1(0,1)<2> V1_w(1,2)<4;2,1>\n";
  ExpectedBytes expected{{{"V1(0,1)<2>", 4}, {"V1", 4, {4, 12, 20, 28}}},
                         {{"V1_w(1,2)<4;2,1>", 4}, {"V1", 2, {36, 38, 44, 46}}}};
  EXPECT_EQ(problemOf(line, expected), "");
  EXPECT_EQ(readVisa(around(line), target(), expected).Compared, 2u);
  for (auto &[key, bytes] : expected) {
    ExpectedBytes other = expected;
    other[key].Offsets[3] += 2;
    EXPECT_NE(problemOf(line, other).find("does not name the bytes of its bale"), std::string::npos) << key.first;
    other = expected;
    other[key].Variable = "V2";
    EXPECT_NE(problemOf(line, other), "") << key.first;
  }
}

} // namespace
