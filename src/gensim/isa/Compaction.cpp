//===- Compaction.cpp - Short instructions as long ones --------------------------------===//
//
// Fields of the short form are indices into tables of the combinations that occur most;
// rows below say which bits of a table's value go where.
//
//===----------------------------------------------------------------------===//
#include "gensim/isa/Compaction.h"
#include "gensim/isa/CompactionTables.h"
#include <initializer_list>

namespace pocm::gensim {
namespace {

/// Bits of the long form that the next bits of a value go to, lowest first.
struct Range {
  unsigned last, first;
};

void spread(Bits &to, std::uint64_t value, std::initializer_list<Range> ranges) {
  for (Range r : ranges) {
    to.set(r.last, r.first, value);
    value >>= r.last - r.first + 1;
  }
}

std::int64_t signExtended(std::uint64_t value, unsigned bits) {
  return std::int64_t(value << (64 - bits)) >> (64 - bits);
}

bool isTernary(std::uint64_t opcode, Generation generation) {
  if (generation <= Generation::Gen11)
    return opcode == 0x12 || opcode == 0x18 || opcode == 0x1A || (opcode >= 0x5B && opcode <= 0x5D);
  return opcode == 0x72 || opcode == 0x78 || opcode == 0x7A || opcode == 0x6B || opcode == 0x52 || opcode == 0x58 ||
         opcode == 0x59 || opcode == 0x5A || opcode == 0x5B || opcode == 0x5D;
}

/// Whether only src0 is there.
bool hasOneSource(std::uint64_t opcode, bool upTo11, unsigned mathFunction) {
  if (opcode == 0x38)
    return mathFunction <= 7 || mathFunction == 15;
  switch (upTo11 ? opcode : opcode < 0x60 ? opcode : opcode - 0x60) {
  case 0x01:
    return upTo11 || opcode == 0x61;
  case 0x03:
  case 0x04:
  case 0x17:
  case 0x43:
  case 0x44:
  case 0x45:
  case 0x46:
  case 0x47:
  case 0x4A:
  case 0x4B:
  case 0x4C:
  case 0x4D:
    return true;
  default:
    return false;
  }
}

Bits expandGen9(Bits in, Generation generation) {
  Bits out;
  std::uint64_t opcode = in.get(6, 0);
  out.set(6, 0, opcode);
  if (isTernary(opcode, generation)) {
    if (generation != Generation::Gen9)
      throw Problem("a short instruction of three sources, which Gen11 does not have");
    spread(out, Gen9TernaryControl[in.get(9, 8)], {{28, 8}, {36, 32}});
    spread(out, Gen9TernarySource[in.get(11, 10)],
           {{55, 37}, {72, 65}, {90, 86}, {93, 91}, {114, 107}, {84, 83}, {105, 104}, {126, 125}});
    out.set(30, 30, in.get(7));
    out.set(31, 31, in.get(31));
    out.set(62, 56, in.get(18, 12));
    out.set(64, 64, in.get(28));
    out.set(85, 85, in.get(32));
    out.set(106, 106, in.get(33));
    out.set(75, 73, in.get(36, 34));
    out.set(96, 94, in.get(39, 37));
    out.set(117, 115, in.get(42, 40));
    out.set(82, 76, in.get(49, 43));
    out.set(103, 97, in.get(56, 50));
    out.set(124, 118, in.get(63, 57));
    return out;
  }
  spread(out, Gen9Control[in.get(12, 8)], {{8, 8}, {34, 34}, {10, 9}, {23, 12}, {31, 31}, {33, 32}});
  const auto &datatypes = generation == Generation::Gen9 ? Gen9Datatype : Gen11Datatype;
  spread(out, datatypes[in.get(17, 13)], {{46, 35}, {94, 89}, {63, 61}});
  out.set(28, 28, in.get(23));
  out.set(27, 24, in.get(27, 24));
  out.set(30, 30, in.get(7));
  out.set(60, 53, in.get(47, 40));
  bool one = hasOneSource(opcode, true, unsigned(in.get(27, 24)));
  bool immediate = (one ? out.get(42, 41) : out.get(90, 89)) == 3;
  std::uint64_t subregisters = Gen9Subregister[in.get(22, 18)];
  out.set(52, 48, subregisters);
  if (!one || !immediate) {
    out.set(68, 64, subregisters >> 5);
    out.set(88, 77, Gen9Source[in.get(34, 32) << 2 | in.get(31, 30)]);
    out.set(76, 69, in.get(55, 48));
  }
  if (immediate) {
    out.set(127, 96, std::uint64_t(signExtended(in.get(39, 35) << 8 | in.get(63, 56), 13)));
  } else if (!one) {
    out.set(100, 96, subregisters >> 10);
    out.set(120, 109, Gen9Source[in.get(39, 35)]);
    out.set(108, 101, in.get(63, 56));
  }
  return out;
}

/// What the 12 bits of a short immediate stand for, by the code of its type.
std::uint64_t immediateGen12(std::uint64_t type, std::uint64_t value) {
  auto both = [](std::uint64_t word) { return (word & 0xFFFF) | (word & 0xFFFF) << 16; };
  switch (type) {
  case 1: // uw
    return both(value);
  case 5: // w
    return both(std::uint64_t(signExtended(value, 12)));
  case 6: // d
    return std::uint64_t(signExtended(value, 12));
  case 9: // hf
    return both(value << 4);
  case 10: // f
    return value << 20;
  default:
    return value;
  }
}

Bits expandGen12(Bits in, Generation generation) {
  Bits out;
  bool hpg = generation == Generation::XeHpg;
  std::uint64_t opcode = in.get(6, 0);
  out.set(6, 0, opcode);
  out.set(30, 30, in.get(7));
  out.set(15, 8, in.get(15, 8));
  out.set(63, 56, in.get(23, 16));
  std::uint64_t control = in.get(28, 24), second = in.get(34, 32) << 2 | in.get(31, 30);
  if (isTernary(opcode, generation)) {
    if (hpg)
      spread(out, XeHpgTernaryControl[control],
             {{28, 16}, {31, 31}, {34, 32}, {42, 36}, {50, 48}, {82, 80}, {89, 88}, {90, 90}, {95, 92}});
    else
      spread(out, Gen12TernaryControl[control],
             {{28, 16}, {31, 31}, {34, 32}, {42, 36}, {48, 48}, {50, 50}, {82, 80}, {90, 88}, {95, 92}});
    spread(out, hpg ? XeHpgTernarySource[second] : Gen12TernarySource[second],
           {{35, 35}, {47, 43}, {66, 64}, {87, 83}, {91, 91}, {98, 96}, {114, 112}});
    spread(out, Gen12TernarySubregister[in.get(39, 35)], {{55, 51}, {71, 67}, {103, 99}, {119, 115}});
    out.set(79, 72, in.get(47, 40));
    out.set(127, 120, in.get(55, 48));
    out.set(111, 104, in.get(63, 56));
    return out;
  }
  spread(out, Gen12Control[control], {{28, 16}, {31, 31}, {34, 32}, {95, 92}});
  spread(out, Gen12Datatype[second], {{43, 35}, {50, 46}, {66, 66}, {91, 88}, {98, 98}});
  std::uint64_t subregisters = Gen12Subregister[in.get(39, 35)];
  out.set(55, 51, subregisters);
  bool one = hasOneSource(opcode, false, unsigned(out.get(95, 92)));
  bool immediate0 = out.get(46), immediate1 = out.get(47);
  if (immediate0) { // of one source: its 12 bits take the place of the others
    out.set(127, 96, immediateGen12(out.get(43, 40), in.get(63, 52)));
    return out;
  }
  out.set(71, 67, subregisters >> 5);
  out.set(79, 72, in.get(47, 40));
  spread(out, hpg ? XeHpgSource0[in.get(51, 48)] : Gen12Source0[in.get(51, 48)], {{45, 44}, {65, 64}, {87, 80}});
  if (immediate1) {
    out.set(127, 96, immediateGen12(out.get(91, 88), in.get(63, 52)));
  } else if (!one) {
    out.set(103, 99, subregisters >> 10);
    spread(out, hpg ? XeHpgSource1[in.get(55, 52)] : Gen12Source1[in.get(55, 52)], {{97, 96}, {121, 112}});
    out.set(111, 104, in.get(63, 56));
  }
  return out;
}

Bits expandXeHpcTernary(Bits in) {
  constexpr std::uint64_t dpas = 0x59;
  Bits out;
  const std::uint64_t opcode = in.get(6, 0), control = in.get(21, 18), source = in.get(25, 22);
  out.set(6, 0, opcode);
  out.set(30, 30, in.get(7));
  out.set(17, 8, in.get(17, 8));
  out.set(63, 56, in.get(39, 32));
  spread(out, opcode == dpas ? XeHpcDpasControl[control] : XeHpcTernaryControl[control],
         {{28, 18}, {31, 31}, {32, 32}, {34, 34}, {42, 36}, {50, 48}, {82, 80}, {90, 88}, {95, 92}});
  spread(out, opcode == dpas ? XeHpcDpasSource[source] : XeHpcTernarySource[source],
         {{35, 35}, {47, 43}, {66, 64}, {87, 83}, {91, 91}, {98, 96}, {114, 112}});
  spread(out, XeHpcTernarySubregister[in.get(31, 30) << 3 | in.get(28, 26)],
         {{55, 51}, {71, 67}, {103, 99}, {119, 115}});
  out.set(79, 72, in.get(47, 40));
  out.set(127, 120, in.get(55, 48));
  out.set(111, 104, in.get(63, 56));
  return out;
}

Bits expandXeHpc(Bits in, Generation generation) {
  const std::uint64_t opcode = in.get(6, 0);
  if (isTernary(opcode, generation))
    return expandXeHpcTernary(in);
  Bits out;
  out.set(6, 0, opcode);
  out.set(30, 30, in.get(7));
  out.set(17, 8, in.get(17, 8));
  out.set(63, 56, in.get(39, 32));
  spread(out, XeHpcControl[in.get(22, 18)], {{28, 18}, {31, 31}, {32, 32}, {34, 34}, {95, 92}});
  spread(out, XeHpcDatatype[in.get(31, 30) << 3 | in.get(28, 26)], {{43, 35}, {50, 46}, {66, 66}, {91, 88}, {98, 98}});
  const std::uint64_t subregisters = XeHpcSubregister[in.get(51, 48)];
  spread(out, subregisters, {{33, 33}, {55, 51}});
  const bool one = hasOneSource(opcode, false, unsigned(out.get(95, 92)));
  const bool immediate0 = out.get(46), immediate1 = out.get(47);
  if (immediate0) { // of one source: its 12 bits take the place of the others
    out.set(127, 96, immediateGen12(out.get(43, 40), in.get(63, 52)));
    return out;
  }
  spread(out, subregisters >> 6, {{71, 67}, {87, 87}});
  out.set(79, 72, in.get(47, 40));
  spread(out, XeHpcSource0[in.get(25, 23)], {{45, 44}, {65, 64}, {86, 80}});
  if (immediate1) {
    out.set(127, 96, immediateGen12(out.get(91, 88), in.get(63, 52)));
  } else if (!one) {
    spread(out, XeHpcSource1[in.get(55, 52)], {{97, 96}, {103, 99}, {118, 112}, {121, 120}});
    out.set(111, 104, in.get(63, 56));
  }
  return out;
}

} // namespace

Bits expand(std::uint64_t compacted, const Platform &platform) {
  Bits in{compacted, 0};
  Generation generation = platform.generation;
  if (generation <= Generation::Gen11)
    return expandGen9(in, generation);
  if (generation <= Generation::XeHpg)
    return expandGen12(in, generation);
  return expandXeHpc(in, generation);
}

} // namespace pocm::gensim
