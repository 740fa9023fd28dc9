// Small programs in Intel's assembly, and what they leave in r10. Values are written by hand from the instruction set's
// documents.
#include "Iga.h"
#include "gensim/Machine.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace pocm::gensim;

namespace {

enum Targets : unsigned {
  Skl = 1,
  Icllp = 2,
  Tgllp = 4,
  Dg2 = 8,
  Pvc = 16,
  UpTo11 = 3,
  UpTo12 = 7,
  From12 = 28,
  All = 31
};

struct Row {
  const char *name;
  unsigned targets;
  const char *text;
  const char *type; ///< Of the elements of r10.
  std::vector<double> values;
};

std::string withEnd(const std::string &text, const Platform &platform) {
  const char *end = platform.generation <= Generation::Gen11 ? "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"
                    : platform.generation == Generation::Gen12
                        ? "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n"
                        : "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}\n";
  return text + end;
}

double element(const Thread &t, unsigned at, const std::string &type) {
  const std::uint8_t *from = t.registers.data + at;
  auto as = [&](auto value) {
    std::memcpy(&value, from, sizeof(value));
    return value;
  };
  return type == "b"    ? as(std::int8_t())
         : type == "ub" ? as(std::uint8_t())
         : type == "w"  ? as(std::int16_t())
         : type == "uw" ? as(std::uint16_t())
         : type == "d"  ? as(std::int32_t())
         : type == "ud" ? as(std::uint32_t())
         : type == "q"  ? double(as(std::int64_t()))
         : type == "f"  ? double(as(float()))
         : type == "df" ? as(double())
                        : doubleOf(as(std::uint16_t()));
}

unsigned sizeOfName(const std::string &type) {
  return type == "b" || type == "ub"                   ? 1
         : type == "w" || type == "uw" || type == "hf" ? 2
         : type == "q" || type == "df"                 ? 8
                                                       : 4;
}

const Row rows[] = {
    {"a qword that is shifted keeps its sign, one without sign has none",
     Skl | Pvc,
     "(W) mov (1|M0) r11.0<1>:q -4096:w\n(W) asr (1|M0) r10.0<1>:q r11.0<0;1,0>:q 4:w\n"
     "(W) mov (1|M0) r12.0<1>:uq 0xFFFFFFFFFFFFF000:uq\n(W) asr (1|M0) r13.0<1>:uq r12.0<0;1,0>:uq 60:w\n"
     "(W) mov (1|M0) r10.1<1>:q r13.0<0;1,0>:q\n",
     "q",
     {-256, 15}},
    {"dwords of a packed vector: every other element",
     All,
     "(W) mov (8|M0) r10.0<1>:d 0:d\n(W) mov (4|M0) r10.0<1>:d 0x0E0D0201:v\n",
     "d",
     {1, 2, -3, -2, 0, 0, 0, 0}},
    {"words of a packed vector", All, "(W) mov (8|M0) r10.0<1>:w 0x76543298:v\n", "w", {-8, -7, 2, 3, 4, 5, 6, 7}},
    {"bytes with a stride",
     All,
     "(W) mov (8|M0) r10.0<1>:ud 0x01010101:ud\n(W) mov (8|M0) r11.0<1>:w 0x76543210:v\n"
     "(W) mov (8|M0) r10.1<4>:ub r11.0<8;8,1>:w\n",
     "ud",
     {0x01010001, 0x01010101, 0x01010201, 0x01010301, 0x01010401}},
    {"saturating sum",
     All,
     "(W) mov (1|M0) r11.0<1>:d 2147483000:d\n(W) add (1|M0) (sat)r10.0<1>:d r11.0<0;1,0>:d 1000:d\n"
     "(W) add (1|M0) r10.1<1>:d r11.0<0;1,0>:d 1000:d\n(W) add (1|M0) (sat)r10.2<1>:ud -r11.0<0;1,0>:d 1000:d\n",
     "ud",
     {2147483647, 2147484000, 0}},
    {"floats to integers saturate",
     All,
     "(W) mov (1|M0) r11.0<1>:f 3e10:f\n(W) mov (1|M0) r11.1<1>:f -2.75:f\n(W) mov (1|M0) r11.2<1>:ud 0x7FC00000:ud\n"
     "(W) mov (1|M0) r10.0<1>:d r11.0<0;1,0>:f\n(W) mov (1|M0) r10.1<1>:d r11.1<0;1,0>:f\n"
     "(W) mov (1|M0) r10.2<1>:ud r11.1<0;1,0>:f\n(W) mov (1|M0) r10.3<1>:d r11.2<0;1,0>:f\n",
     "d",
     {2147483647, -2, 0, 0}},
    {"denormals are flushed by arithmetic, not by moves",
     All,
     "(W) mov (1|M0) r11.0<1>:ud 0x00000123:ud\n(W) mov (1|M0) r10.0<1>:f r11.0<0;1,0>:f\n"
     "(W) add (1|M0) r10.1<1>:f r11.0<0;1,0>:f 0.0:f\n",
     "ud",
     {0x123, 0}},
    {"denormals are kept when cr0 says so",
     All,
     "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x80:ud\n(W) mov (1|M0) r11.0<1>:ud 0x00000123:ud\n"
     "(W) add (1|M0) r10.0<1>:f r11.0<0;1,0>:f 0.0:f\n",
     "ud",
     {0x123}},
    {"rounding toward zero",
     All,
     "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x30:ud\n(W) mov (1|M0) r11.0<1>:d 16777219:d\n"
     "(W) mov (1|M0) r10.0<1>:f r11.0<0;1,0>:d\n",
     "f",
     {16777218}},
    {"a fused product",
     UpTo12,
     "(W) mov (8|M0) r11.0<1>:ud 0x3F800001:ud\n(W) mov (8|M0) r12.0<1>:ud 0xBF800002:ud\n"
     "(W) mad (8|M0) r10.0<1>:f r12.0<8;1>:f r11.0<8;1>:f r11.0<1>:f\n",
     "f",
     {0x1p-46}},
    {"a fused product with a condition",
     All & ~Skl, // where operands of a vector have four elements
     "(W) mov (8|M0) r20.0<1>:w 0x76543210:v\n(W) mov (8|M0) r11.0<1>:f r20.0<8;8,1>:w\n(W) mov (8|M0) r12.0<1>:f "
     "3.0:f\n"
     "(W) mov (8|M0) r13.0<1>:f -12.0:f\n(W) mov (8|M0) r10.0<1>:d 0:d\n"
     "mad (8|M0) (gt)f0.0 r14.0<1>:f r13.0<8;1>:f r11.0<8;1>:f r12.0<1>:f\n(f0.0) mov (8|M0) r10.0<1>:d 1:d\n",
     "d",
     {0, 0, 0, 0, 0, 1, 1, 1}},
    {"a fused product of one double",
     Skl,
     "(W) mov (1|M0) r10.0<1>:df 1.0:df\n(W) mov (1|M0) r12.0<1>:df 3.0:df\n(W) mov (1|M0) r12.1<1>:df 5.0:df\n"
     "(W) mad (1|M0) r10.1<1>:df r12.0<0;0>:df r12.1<0;0>:df r12.1<0>:df\n",
     "df",
     {1, 28}},
    {"a product of 32 bits by two of 16",
     UpTo12 & ~Skl,
     "(W) mov (1|M0) r11.0<1>:d -123456789:d\n(W) mov (1|M0) r12.0<1>:d 987654321:d\n"
     "(W) mul (1|M0) acc0.0<1>:d r11.0<0;1,0>:d r12.0<0;1,0>:uw\n"
     "(W) mach (1|M0) r10.0<1>:d r11.0<0;1,0>:d r12.0<0;1,0>:d {AccWrEn}\n(W) mov (1|M0) r10.1<1>:ud "
     "acc0.0<0;1,0>:ud\n",
     "d",
     {-28389653, 67153019}},
    {"a carry",
     UpTo12,
     "(W) mov (8|M0) r11.0<1>:ud 0xFFFFFFF0:ud\n(W) addc (8|M0) r10.0<1>:ud r11.0<8;8,1>:ud 0x11:ud {AccWrEn}\n"
     "(W) mov (1|M0) r10.1<1>:ud acc0.0<0;1,0>:ud\n",
     "ud",
     {1, 1}},
    {"bit fields",
     All,
     "(W) mov (8|M0) r11.0<1>:d 5:d\n(W) mov (8|M0) r12.0<1>:d 4:d\n(W) mov (8|M0) r13.0<1>:d 0x1F0:d\n"
     "(W) bfe (8|M0) r10.0<1>:d r11.0<8;1>:d r12.0<8;1>:d r13.0<1>:d\n(W) mov (1|M0) r14.0<1>:d 3:d\n(W) bfi1 (1|M0) "
     "r10.1<1>:d r14.0<0;1,0>:d r12.0<0;1,0>:d\n",
     "d",
     {-1, 0x70}},
    {"counts of bits",
     All,
     "(W) mov (1|M0) r11.0<1>:ud 0x00F00000:ud\n(W) lzd (1|M0) r10.0<1>:ud r11.0<0;1,0>:ud\n"
     "(W) fbl (1|M0) r10.1<1>:ud r11.0<0;1,0>:ud\n(W) fbh (1|M0) r10.2<1>:ud r11.0<0;1,0>:ud\n"
     "(W) cbit (1|M0) r10.3<1>:ud r11.0<0;1,0>:ud\n(W) bfrev (1|M0) r10.4<1>:ud r11.0<0;1,0>:ud\n",
     "ud",
     {8, 20, 8, 4, 0xF00}},
    {"rotations",
     All & ~Skl,
     "(W) mov (1|M0) r11.0<1>:ud 0x12345678:ud\n(W) rol (1|M0) r10.0<1>:ud r11.0<0;1,0>:ud 8:ud\n"
     "(W) ror (1|M0) r10.1<1>:ud r11.0<0;1,0>:ud 8:ud\n(W) ror (1|M0) r10.2<1>:ud r11.0<0;1,0>:ud 0:ud\n"
     "(W) rol (1|M0) r10.3<1>:ud r11.0<0;1,0>:ud 36:ud\n(W) ror (1|M0) r10.4<1>:ud r11.0<0;1,0>:ud 36:ud\n",
     "ud",
     {0x34567812, 0x78123456, 0x12345678, 0x23456781, 0x81234567}},
    {"a region by an address",
     All,
     "(W) mov (8|M0) r11.0<1>:uw 0x76543210:uv\n(W) mov (1|M0) a0.0<1>:uw 0x160:uw\n"
     "(W) mov (4|M0) r10.0<1>:uw r[a0.0,4]<1;1,0>:uw\n",
     "uw",
     {2, 3, 4, 5}},
    {"regions far before and behind an address",
     All,
     "(W) mov (8|M0) r11.0<1>:uw 0x76543210:uv\n(W) mov (2|M0) a0.0<1>:uw 0x160:uw\n"
     "(W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw 0x200:uw\n(W) add (1|M0) a0.1<1>:uw a0.1<0;1,0>:uw 0xFEB0:uw\n"
     "(W) mov (4|M0) r10.0<1>:uw r[a0.0,-512]<1;1,0>:uw\n(W) mov (4|M0) r10.4<1>:uw r[a0.1,340]<1;1,0>:uw\n"
     "(W) add (4|M0) r10.8<1>:uw r11.0<4;4,1>:uw r[a0.0,-512]<1;1,0>:uw\n"
     "(W) mov (4|M0) r[a0.0,-504]<1>:uw r10.8<4;4,1>:uw\n(W) mov (4|M0) r10.12<1>:uw r11.4<4;4,1>:uw\n",
     "uw",
     {0, 1, 2, 3, 2, 3, 4, 5, 0, 2, 4, 6, 0, 2, 4, 6}},
    {"an address for each channel",
     Skl | Icllp | Tgllp | Dg2,
     "(W) mov (8|M0) r11.0<1>:uw 0x76543210:uv\n(W) mov (8|M0) a0.0<1>:uw 0x13572064:uv\n"
     "(W) mul (8|M0) a0.0<1>:uw a0.0<8;8,1>:uw 2:uw\n(W) add (8|M0) a0.0<1>:uw a0.0<8;8,1>:uw 0x160:uw\n"
     "(W) mov (8|M0) r10.0<1>:uw r[a0.0]<1,0>:uw\n",
     "uw",
     {4, 6, 0, 2, 7, 5, 3, 1}},
    {"comparisons and predicates",
     All,
     "(W) mov (8|M0) r11.0<1>:w 0x76543210:v\n(W) mov (8|M0) r10.0<1>:w -1:w\n"
     "cmp (8|M0) (gt)f0.0 null<1>:w r11.0<8;8,1>:w 4:w\n(f0.0) mov (8|M0) r10.0<1>:w r11.0<8;8,1>:w\n",
     "w",
     {-1, -1, -1, -1, -1, 5, 6, 7}},
    {"a selection by a predicate",
     All,
     "(W) mov (8|M0) r11.0<1>:w 0x76543210:v\n(W) mov (1|M0) f0.1<1>:uw 0xA5:uw\n"
     "(~f0.1) sel (8|M0) r10.0<1>:w r11.0<8;8,1>:w 9:w\n",
     "w",
     {9, 1, 9, 3, 4, 9, 6, 9}},
    {"the smaller float is the one that is a number",
     All,
     "(W) mov (8|M0) r11.0<1>:ud 0x7FC00000:ud\n(W) sel (8|M0) (lt)f0.0 r10.0<1>:f r11.0<8;8,1>:f 2.0:f\n",
     "f",
     {2, 2}},
    {"any of eight",
     UpTo12,
     "(W) mov (1|M0) f0.0<1>:uw 0x10:uw\n(W) mov (8|M0) r10.0<1>:w 0:w\n(f0.0.any8h) mov (8|M0) r10.0<1>:w 1:w\n"
     "(f0.0.all8h) mov (8|M0) r10.0<1>:w 2:w\n",
     "w",
     {1, 1, 1, 1, 1, 1, 1, 1}},
    {"channels part and meet",
     All & ~Skl,
     "(W) mov (16|M0) r10.0<1>:w 0:w\n(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
     "cmp (16|M0) (gt)f0.0 null<1>:w r10.0<16;16,1>:w 3:w\n(f0.0) goto (16|M0) LA LA\n"
     "add (16|M0) r10.0<1>:w r10.0<16;16,1>:w 100:w\nLA:\njoin (16|M0) LB\nLB:\n"
     "add (16|M0) r10.0<1>:w r10.0<16;16,1>:w 1:w\n",
     "w",
     {101, 102, 103, 104, 5, 6, 7, 8, 101}},
    {"channels part where the flag is off",
     Skl,
     "(W) mov (16|M0) r10.0<1>:w 0:w\n(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
     "cmp (16|M0) (gt)f0.0 null<1>:w r10.0<16;16,1>:w 3:w\n(f0.0) goto (16|M0) LA LA\n"
     "add (16|M0) r10.0<1>:w r10.0<16;16,1>:w 100:w\nLA:\njoin (16|M0) LB\nLB:\n"
     "add (16|M0) r10.0<1>:w r10.0<16;16,1>:w 1:w\n",
     "w",
     {1, 2, 3, 4, 105, 106, 107, 108, 1}},
    {"a loop that channels leave one by one",
     All,
     "(W) mov (16|M0) r11.0<1>:w 0:w\n(W) mov (8|M0) r11.0<1>:w 0x76543210:v\n(W) mov (16|M0) r10.0<1>:w 0:w\nLA:\n"
     "add (16|M0) r10.0<1>:w r10.0<16;16,1>:w 10:w\nadd (16|M0) r11.0<1>:w r11.0<16;16,1>:w -1:w\n"
     "cmp (16|M0) (gt)f0.0 null<1>:w r11.0<16;16,1>:w 0:w\n(f0.0) goto.b (16|M0) LB LA\nLB:\njoin (16|M0) LC\nLC:\n",
     "w",
     {10, 10, 20, 30, 40, 50, 60, 70, 10}},
    {"if and else",
     UpTo12,
     "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\ncmp (8|M0) (lt)f0.0 null<1>:w r10.0<8;8,1>:w 3:w\n"
     "(f0.0) if (8|M0) LA LB\nmov (8|M0) r10.0<1>:w 50:w\nelse (8|M0) LB LB\nLA:\nadd (8|M0) r10.0<1>:w r10.0<8;8,1>:w "
     "100:w\n"
     "LB:\nendif (8|M0) LC\nLC:\n",
     "w",
     {50, 50, 50, 103, 104, 105, 106, 107}},
    {"a function",
     All,
     "(W) mov (8|M0) r10.0<1>:w 1:w\ncall (8|M0) r20.0 LF\ncall (8|M0) r20.0 LF\n(W) jmpi LE\nLF:\n"
     "add (8|M0) r10.0<1>:w r10.0<8;8,1>:w 20:w\nret (8|M0) r20.0\nLE:\n",
     "w",
     {41, 41, 41, 41, 41, 41, 41, 41}},
    {"a function by its address from the beginning of the code, as a number and in a register",
     All,
     "(W) mov (8|M0) r10.0<1>:w 1:w\n(W) mov (1|M0) r21.0<1>:ud 80:ud\ncalla (8|M0) r20.0 80\n"
     "calla (8|M0) r20.0 r21.0\n(W) jmpi LE\n"
     "add (8|M0) r10.0<1>:w r10.0<8;8,1>:w 20:w\nret (8|M0) r20.0\nLE:\n",
     "w",
     {41, 41, 41, 41, 41, 41, 41, 41}},
    {"words become floats through half",
     UpTo12,
     "(W) mov (8|M0) r11.0<1>:f 2049.0:f\n(W) mov (8|M0) r10.0<1>:hf r11.0<8;8,1>:f\n",
     "hf",
     {2048}},
    {"floats become halves by rounding to even",
     UpTo12,
     "(W) mov (1|M0) r11.0<1>:f 65504.0:f\n(W) mov (1|M0) r11.1<1>:f 65519.0:f\n(W) mov (1|M0) r11.2<1>:f 65520.0:f\n"
     "(W) mov (1|M0) r11.3<1>:f -65519.0:f\n(W) mov (4|M0) r10.0<1>:hf r11.0<4;4,1>:f\n",
     "hf",
     {65504, 65504, std::numeric_limits<double>::infinity(), -65504}},
    {"floats become halves by rounding down",
     UpTo12,
     "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x20:ud\n(W) mov (1|M0) r11.0<1>:f 2.0:f\n"
     "(W) mov (1|M0) r11.1<1>:f -2.0:f\n(W) mov (1|M0) r11.2<1>:f 2049.0:f\n(W) mov (1|M0) r11.3<1>:f -2049.0:f\n"
     "(W) mov (4|M0) r10.0<1>:hf r11.0<4;4,1>:f\n",
     "hf",
     {2, -2, 2048, -2050}},
    {"floats become halves by rounding up",
     UpTo12,
     "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x10:ud\n(W) mov (1|M0) r11.0<1>:f 2.0:f\n"
     "(W) mov (1|M0) r11.1<1>:f -2.0:f\n(W) mov (1|M0) r11.2<1>:f 2049.0:f\n(W) mov (1|M0) r11.3<1>:f -2049.0:f\n"
     "(W) mov (4|M0) r10.0<1>:hf r11.0<4;4,1>:f\n",
     "hf",
     {2, -2, 2050, -2048}},
    {"what is behind the point",
     All,
     "(W) mov (1|M0) r11.0<1>:f 1.75:f\n(W) mov (1|M0) r11.1<1>:f -2.25:f\n(W) mov (1|M0) r11.2<1>:f -1e-10:f\n"
     "(W) mov (1|M0) r11.3<1>:f 3.0:f\n(W) frc (4|M0) r10.0<1>:f r11.0<4;4,1>:f\n",
     "f",
     {0.75, 0.75, 1 - 0x1p-24, 0}},
    {"a table of three bits",
     Dg2 | Pvc,
     "(W) mov (8|M0) r11.0<1>:ud 0xF0:ud\n(W) mov (8|M0) r12.0<1>:ud 0xCC:ud\n(W) mov (8|M0) r13.0<1>:ud 0xAA:ud\n"
     "(W) bfn.(s0&s1|s2) (8|M0) r10.0<1>:ud r11.0<8;1>:ud r12.0<8;1>:ud r13.0<1>:ud\n",
     "ud",
     {(0xF0 & 0xCC) | 0xAA}},
    {"a scattered move",
     UpTo11,
     "(W) mov (8|M0) r10.0<1>:d 5:d\n(W) mov (8|M0) a0.0<1>:uw 0x140:uw\n(W) mov (1|M0) r11.0<1>:d 77:d\n"
     "(W) smov (8|M0) r[a0.3]<1>:d r11.0<0;1,0>:d 0x14:uw\n",
     "d",
     {5, 5, 77, 5, 77, 5, 5, 5}},
    // Addresses of shared local memory have a tag above; the response takes the addresses of the later lanes.
    {"a response over its payload",
     UpTo11,
     "(W) mov (8|M0) r20.0<1>:uw 0x76543210:uv\n(W) mul (8|M0) r9.0<1>:ud r20.0<8;8,1>:uw 4:uw\n"
     "(W) add (8|M0) r9.0<1>:ud r9.0<8;8,1>:ud 0x10000000:ud\n(W) add (8|M0) r10.0<1>:ud r9.0<8;8,1>:ud 16:ud\n"
     "(W) add (8|M0) r12.0<1>:ud r20.0<8;8,1>:uw 100:uw\n(W) mov (8|M0) r13.0<1>:ud 7:ud\n"
     "(W) sends (8|M0) null r10 r13 0x4C 0x02026EFE\n(W) sends (8|M0) null r9 r12 0x4C 0x02026EFE\n"
     "(W) send (16|M0) r10 r9 0xC 0x04205EFE\n",
     "ud",
     {100, 101, 102, 103, 104, 105, 106, 107, 104, 105, 106, 107, 7, 7, 7, 7}},
    {"an atomic sum of words wraps in words",
     UpTo11,
     "(W) mov (8|M0) r20.0<1>:uw 0x76543210:uv\n(W) mul (8|M0) r9.0<1>:ud r20.0<8;8,1>:uw 4:uw\n"
     "(W) mov (8|M0) r12.0<1>:ud 0x1FFFF:ud\n(W) mov (8|M0) r13.0<1>:ud 1:ud\n"
     "(W) sends (8|M0) null r9 r12 0x4C 0x02026EFE\n(W) sends (8|M0) r11 r9 r13 0x4C 0x0210F7FE\n"
     "(W) send (8|M0) r10 r9 0xC 0x02106EFE\n",
     "ud",
     {0x10000, 0x10000, 0x10000, 0x10000, 0x10000, 0x10000, 0x10000, 0x10000}},
    {"a shift of 64 bits into 32 has a count of six bits",
     Skl | Pvc,
     "(W) mov (1|M0) r11.0<1>:ud 0x12345678:ud\n(W) mov (1|M0) r11.1<1>:ud 0x9ABCDEF0:ud\n"
     "(W) shr (1|M0) r10.0<1>:ud r11.0<0;1,0>:uq 36:w\n(W) shl (1|M0) r12.0<1>:uq r11.0<0;1,0>:ud 36:w\n"
     "(W) mov (2|M0) r10.1<1>:ud r12.0<1;1,0>:ud\n",
     "ud",
     {0x09ABCDEF, 0, 0x23456780}},
    {"doubles",
     Skl,
     "(W) mov (4|M0) r11.0<1>:df 0.1:df\n(W) mul (4|M0) r10.0<1>:df r11.0<4;4,1>:df r11.0<4;4,1>:df\n",
     "df",
     {0.1 * 0.1}},
};

/// The thread of a program after its end, and what was found.
struct Finished {
  Finished(const std::string &text, const Platform &platform)
      : Finished(test::assembled(withEnd(text, platform), platform), platform) {}
  Finished(const std::vector<std::uint8_t> &code, const Platform &platform)
      : kernel("test", platform, code), machine(kernel, {}, withLocalMemory()) {
    Dispatch d;
    d.set<std::uint32_t>(0, 0);
    machine.runGroup({&d, 1});
  }
  static Machine::Options withLocalMemory() {
    Machine::Options options;
    options.slmBytes = 1024;
    return options;
  }
  std::vector<std::string> findings() const { return textOf(kernel, machine.found()); }
  Kernel kernel;
  Machine machine;
};

class Execution : public testing::TestWithParam<Row> {};

TEST_P(Execution, leaves) {
  const Row &row = GetParam();
  for (unsigned n = 0; n < 5; ++n) {
    if (!(row.targets >> n & 1))
      continue;
    SCOPED_TRACE(std::string(Platforms[n].name));
    std::string text = row.text;
    // Programs say registers of 32 bytes where they count in addresses.
    if (Platforms[n].grfBytes == 64)
      for (std::size_t at; (at = text.find("0x160:uw")) != std::string::npos;)
        text.replace(at, 8, "0x2C0:uw");
    Finished run(text, Platforms[n]);
    for (std::size_t k = 0; k < row.values.size(); ++k)
      EXPECT_EQ(
          element(run.machine.thread(0), 10 * Platforms[n].grfBytes + unsigned(k) * sizeOfName(row.type), row.type),
          row.values[k])
          << row.name << ", element " << k;
    EXPECT_TRUE(run.machine.found().empty()) << run.findings().front();
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Execution, testing::ValuesIn(rows), [](const auto &info) {
  std::string name = info.param.name;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

/// Three sources of Gen9 have Align16 code, where one bit of each four may say it for all of them. Which the other flag
/// register holds does not matter.
TEST(Execution, predicatesOfAlign16) {
  auto code = test::assembled(withEnd("(W) mov (1|M0) f0.0<1>:ud 0x35:ud\n(W) mov (1|M0) f1.0<1>:ud 0xCA:ud\n"
                                      "(W) mov (8|M0) r10.0<1>:f 0.0:f\n(W) mov (8|M0) r11.0<1>:f 1.0:f\n"
                                      "(f0.0) mad (8|M0) r10.0<1>:f r11.0<2;1>:f r11.0<2;1>:f r11.0<1>:f\n",
                                      Platforms[0]),
                              Platforms[0]);
  const Kernel kernel("test", Platforms[0], code);
  const auto mad = std::ranges::find(kernel.instructions, Opcode::Mad, &Instruction::opcode);
  ASSERT_NE(mad, kernel.instructions.end());
  constexpr unsigned channels[] = {0, 0x35, 0xFF, 0xF0, 0x0F, 0, 0xFF, 0};
  for (unsigned control = 1; control < std::size(channels); ++control) {
    std::uint8_t &field = code[mad->address + 2];
    field = std::uint8_t((field & 0xF0) | control);
    Finished run(code, Platforms[0]);
    for (unsigned k = 0; k < 8; ++k)
      EXPECT_EQ(element(run.machine.thread(0), 10 * Platforms[0].grfBytes + 4 * k, "f"),
                channels[control] >> k & 1 ? 2 : 0)
          << control << ", channel " << k;
  }
}

TEST(Unwritten, isReportedWhereItDecides) {
  struct {
    const char *text, *finding; // none: nobody minds
  } cases[] = {
      {"(W&f0.0) jmpi L\nL:\n", "jumps by a flag that nobody has written"},
      {"(W) mov (1|M0) r10.0<1>:d r[a0.0]<0;1,0>:d\n", "takes an operand by an address that nobody has written"},
      {"cmp (8|M0) (eq)f0.0 null<1>:d r20.0<8;8,1>:d 0:d\n(W&f0.0.any8h) jmpi L\nL:\n", "jumps by a flag"},
      {"(W) mov (8|M0) r10.0<1>:d r20.0<8;8,1>:d\n", nullptr},
      // One channel that is known to be on makes "any" known.
      {"(W) mov (1|M0) r20.0<1>:d 0:d\ncmp (8|M0) (eq)f0.0 null<1>:d r20.0<8;8,1>:d 0:d\n(W&f0.0.any8h) jmpi L\nL:\n",
       nullptr},
      // Each operand of an elementary function counts.
      {"(W) math.inv (8|M0) r10.0<1>:f r20.0<8;8,1>:f\n(W) cmp (8|M0) (eq)f0.0 null<1>:f r10.0<8;8,1>:f 0.0:f\n"
       "(W&f0.0.any8h) jmpi L\nL:\n",
       "jumps by a flag"},
      {"(W) mov (8|M0) r21.0<1>:f 2.0:f\n(W) math.pow (8|M0) r10.0<1>:f r20.0<8;8,1>:f r21.0<8;8,1>:f\n"
       "(W) cmp (8|M0) (eq)f0.0 null<1>:f r10.0<8;8,1>:f 0.0:f\n(W&f0.0.any8h) jmpi L\nL:\n",
       "jumps by a flag"},
      {"(W) mov (8|M0) r21.0<1>:f 2.0:f\n(W) math.pow (8|M0) r10.0<1>:f r21.0<8;8,1>:f r20.0<8;8,1>:f\n"
       "(W) cmp (8|M0) (eq)f0.0 null<1>:f r10.0<8;8,1>:f 0.0:f\n(W&f0.0.any8h) jmpi L\nL:\n",
       "jumps by a flag"},
      // Bits that a mask takes away do not matter.
      {"(W) mov (1|M0) r20.0<2>:w 5:w\n(W) and (1|M0) r21.0<1>:ud r20.0<0;1,0>:ud 0xFFFF:ud\n"
       "cmp (1|M0) (eq)f0.0 null<1>:d r21.0<0;1,0>:d 5:d\n(W&f0.0) jmpi L\nL:\n",
       nullptr},
      // No channel takes it.
      {"(W) mov (8|M0) f0.0<1>:uw 0:uw\n(f0.0) mov (8|M0) r10.0<1>:d r[a0.0]<0;1,0>:d\n", nullptr},
      // Whatever it is, it equals itself; as a float it may be NaN.
      {"cmp (8|M0) (eq)f0.0 null<1>:d r20.0<8;8,1>:d r20.0<8;8,1>:d\n(W&f0.0) jmpi L\nL:\n", nullptr},
      {"cmp (8|M0) (eq)f0.0 null<1>:f r20.0<8;8,1>:f r20.0<8;8,1>:f\n(W&f0.0) jmpi L\nL:\n", "jumps by a flag"},
  };
  for (const auto &c : cases) {
    Finished run(c.text, platformNamed("icllp"));
    std::vector<std::string> found = run.findings();
    if (!c.finding) {
      EXPECT_TRUE(found.empty()) << c.text << found.front();
      continue;
    }
    ASSERT_EQ(found.size(), 1u) << c.text;
    EXPECT_NE(found[0].find(c.finding), std::string::npos) << found[0];
  }
}

TEST(Execution, namesWhatItCannotDo) {
  auto problemOf = [](const std::string &text, const char *platform) {
    try {
      Finished run(text, platformNamed(platform));
    } catch (const Problem &problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  std::string text = problemOf("(W) mul (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d\n", "icllp");
  EXPECT_EQ(text,
            "kernel 'test' at 0x0, (W) mul (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d: a product of two dwords, "
            "which icllp does not have");
  // Of the later ones only PVC multiplies dwords, to qwords.
  for (const char *platform : {"skl", "icllp", "tgllp", "dg2", "pvc"})
    for (const char *to : {"d", "q"}) {
      std::string product = std::string("(W) mul (4|M0) r10.0<1>:") + to + " r11.0<4;4,1>:d r12.0<4;4,1>:d\n";
      bool has = platform == std::string("skl") || (platform == std::string("pvc") && to == std::string("q"));
      EXPECT_EQ(problemOf(product, platform).find("a product of two dwords") == std::string::npos, has)
          << platform << " to " << to << ": " << problemOf(product, platform);
    }
  EXPECT_NE(problemOf("L:\n(W) jmpi L\n", "icllp").find("an endless loop: it branches to itself"), std::string::npos);
  EXPECT_NE(problemOf("(W) mov (1|M0) r11.0<1>:ud 0x24:ud\n(W) jmpi r11.0\n", "icllp")
                .find("execution goes to where no instruction is"),
            std::string::npos);
  EXPECT_NE(
      problemOf("(W) send (8|M0) r10 r11 0x8 0x02100000\n", "skl").find("a message that the simulator does not have"),
      std::string::npos);
}

} // namespace
