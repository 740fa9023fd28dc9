// The documents' tables of fields, typed in once more as bits that an instruction may have, so that an error which
// Intel's finalizer and disassembler share, or our decoder and they, does not hide: what is set elsewhere is a problem.
// Where branches lead and how long messages are follows from what the documents say of each.
#include "Encoding.h"
#include "gensim/isa/Compaction.h"
#include "gensim/isa/Layouts.h"
#include "gensim/isa/Printer.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace test {
namespace {

using namespace pocm::gensim;

struct Range {
  unsigned last, first;
};

/// Bits that an instruction may have.
struct Allowed {
  Bits bits;
  void add(std::initializer_list<Range> ranges) {
    for (Range r : ranges)
      bits.set(r.last, r.first, ~std::uint64_t(0));
  }
};

bool isFlow(const Instruction &i) {
  return i.format == Format::TwoBranch || i.format == Format::Branch || i.format == Format::Jump ||
         i.format == Format::Call || i.format == Format::Ret;
}

void addBranchTargets(Allowed &a, const Instruction &i) {
  if (!i.jumpByRegister)
    a.add({{127, 96}});
  if (i.format == Format::TwoBranch)
    a.add({{95, 64}});
}

// Up to Gen11

void addSourceGen9(Allowed &a, const Operand &o, unsigned at) {
  if (o.kind == Operand::Kind::Immediate)
    return a.add({{127, sizeOf(o.type) == 8 ? 64u : 96u}});
  a.add({{at + 15, at + 13}, {at + 17, at + 16}, {at + 20, at + 18}, {at + 24, at + 21}, {at + 12, at}});
  if (o.kind == Operand::Kind::Indirect)
    a.add({at == 64 ? Range{95, 95} : Range{121, 121}});
}

void addTernaryGen9(Allowed &a, const Instruction &i, bool gen9) {
  if (i.from[0].kind == Operand::Kind::Immediate)
    a.add({{82, 67}});
  if (i.from[2].kind == Operand::Kind::Immediate)
    a.add({{124, 109}});
  a.add({{38, 37}, {40, 39}, {42, 41}, {28, 28}, {27, 24}});
  if (gen9)
    a.add({{36, 35},   {45, 43},  {48, 46},   {52, 49},   {55, 53},   {63, 56},   {64, 64},
           {72, 65},   {75, 73},  {84, 84},   {83, 76},   {85, 85},   {93, 86},   {96, 94},
           {105, 105}, {104, 97}, {106, 106}, {114, 107}, {117, 115}, {126, 126}, {125, 118}});
  else
    a.add({{35, 35}, {36, 36}, {45, 43},  {48, 46},   {49, 49},   {55, 54},   {63, 56},
           {66, 64}, {68, 67}, {70, 69},  {75, 71},   {83, 76},   {87, 85},   {89, 88},
           {91, 90}, {96, 92}, {104, 97}, {108, 106}, {112, 111}, {117, 113}, {125, 118}});
}

Bits allowedGen9(const Instruction &i, bool gen9) {
  Allowed a;
  a.add({{6, 0}, {10, 9}, {13, 11}, {15, 14}, {20, 16}, {23, 21}, {31, 30}, {33, 32}, {34, 34}});
  bool ternary = i.format == Format::Ternary;
  if (gen9 && (ternary || isMacro(i))) // Align16
    a.add({{8, 8}});
  if (i.format == Format::Nop)
    return a.bits;
  if (ternary) {
    addTernaryGen9(a, i, gen9);
    return a.bits;
  }
  bool split = i.format == Format::Splitsend;
  if (i.format == Format::Send || split) {
    a.add({{28, 28}, {27, 24}, {127, 127}, {76, 69}, {60, 53}, {62, 61}}); // a step of 1
    if (split)
      a.add({{36, 35}, {40, 37}, {51, 44}, {77, 77}, {126, 96}, {61, 61}, {95, 80}, {67, 64}});
    else
      a.add({{36, 35}, {40, 37}, {42, 41}, {46, 43}, {90, 89}, {126, 96}, {94, 91}, {88, 85}, {83, 80}, {67, 64}});
    return a.bits;
  }
  if (isFlow(i)) {
    a.add({{28, 28}, {36, 35}, {40, 37}, {62, 61}, {42, 41}, {46, 43}, {90, 89}, {94, 91}});
    addBranchTargets(a, i);
    if (i.format == Format::Call || i.opcode == Opcode::Jmpi) // with registers
      a.add({{63, 48}, {88, 64}});
    if (i.jumpByRegister || i.format == Format::Ret)
      a.add({{88, 64}, {120, 96}});
    return a.bits;
  }
  a.add({{27, 24}, {28, 28}, {36, 35}, {40, 37}, {42, 41}, {46, 43}, {52, 48}, {63, 53}});
  if (i.to.kind == Operand::Kind::Indirect)
    a.add({{47, 47}, {56, 48}});
  addSourceGen9(a, i.from[0], 64);
  if (sourcesOf(i) > 1 || i.from[0].kind == Operand::Kind::Immediate)
    a.add({{90, 89}, {94, 91}});
  if (sourcesOf(i) > 1)
    addSourceGen9(a, i.from[1], 96);
  return a.bits;
}

// From Gen12 on

void addSourceGen12(Allowed &a, const Operand &o, unsigned at) {
  if (o.kind == Operand::Kind::Immediate)
    return a.add({{127, sizeOf(o.type) == 8 ? 64u : 96u}});
  a.add({{at + 15, at}, {at + 16, at + 16}, {at + 19, at + 17}, {at + 23, at + 20}});
  if (at != 64) // the first one's modifiers lie elsewhere
    a.add({{121, 120}});
}

Bits allowedGen12(const Instruction &i, Generation generation) {
  bool hpc = generation == Generation::XeHpc, hpg = generation >= Generation::XeHpg;
  Allowed a;
  if (hpc)
    a.add({{6, 0}, {17, 8}, {20, 18}, {25, 24}, {21, 21}, {23, 22}, {27, 26}, {28, 28}, {31, 30}});
  else
    a.add({{6, 0}, {15, 8}, {18, 16}, {21, 19}, {22, 22}, {23, 23}, {27, 24}, {28, 28}, {31, 30}});
  if (i.format == Format::Nop)
    return a.bits;
  if (i.format == Format::Sync) {
    a.add({{95, 92}, {46, 46}, {43, 40}, {49, 48}, {127, 96}, {87, 64}}); // null with a step of 1
    return a.bits;
  }
  if (i.format == Format::Send) {
    a.add({{95, 92}, {34, 34}, {50, 50}, {63, 56},   {66, 66}, {79, 72}, {98, 98},   {111, 104},
           {48, 48}, {49, 49}, {91, 81}, {121, 113}, {55, 51}, {71, 67}, {123, 122}, {103, 99},
           {47, 35}, {65, 64}, {97, 96}, {127, 124}, {32, 32}, {33, 33}});
    return a.bits;
  }
  a.add({{32, 32}});
  if (isFlow(i)) {
    a.add({{33, 33}, {50, 48}, {47, 46}, {39, 36}, {43, 40}}); // both targets are immediates
    addBranchTargets(a, i);
    if (i.format == Format::Call)
      a.add({{63, 48}});
    if (i.jumpByRegister || i.format == Format::Ret)
      a.add({{87, 64}});
    return a.bits;
  }
  a.add({{34, 34}});
  if (!hpc || i.format == Format::Basic || i.format == Format::Math || i.format == Format::Ternary)
    a.add({{33, 33}});
  if (i.format == Format::Dpas) {
    a.add({{49, 48}, {45, 43}, {90, 88},  {87, 86},   {82, 80},   {85, 84},   {39, 39},
           {38, 36}, {42, 40}, {50, 50},  {55, 51},   {63, 56},   {66, 66},   {71, 67},
           {79, 72}, {98, 98}, {103, 99}, {111, 104}, {114, 114}, {119, 115}, {127, 120}});
    return a.bits;
  }
  if (i.format == Format::Ternary || i.format == Format::Bfn) {
    a.add({{38, 36},   {39, 39}, {48, 48}, {50, 50},   {55, hpg ? 51u : 54u},
           {63, 56},   {35, 35}, {43, 43}, {42, 40},   {45, 44},
           {46, 46},   {47, 47}, {79, 64}, {90, 88},   {87, 86},
           {83, 83},   {91, 91}, {97, 96}, {98, 98},   {103, 99},
           {111, 104}, {82, 80}, {85, 84}, {127, 112}, {95, 92}}); // the condition, or a part of bfn's table
    return a.bits;
  }
  a.add({{35, 35}, {39, 36}, {43, 40}, {45, 44}, {46, 46}, {47, 47}, {63, 48}, {95, 92}});
  addSourceGen12(a, i.from[0], 64);
  if (sourcesOf(i) > 1) {
    a.add({{91, 88}});
    addSourceGen12(a, i.from[1], 96);
  }
  return a.bits;
}

std::string unknownBits(const Instruction &i, const Bits &bits, const Platform &platform) {
  Bits may = allowedBits(i, platform);
  std::string text;
  for (unsigned bit = 0; bit < 128; ++bit)
    if (bits.get(bit) && !may.get(bit))
      text += " " + std::to_string(bit);
  return text.empty() ? "" : "bits that belong to no field:" + text;
}

/// Where branches of structured code and `goto` lead.
std::string wrongTarget(const Instruction &i, const Kernel &kernel) {
  if (!isFlow(i) || i.format == Format::Ret || i.jumpByRegister)
    return "";
  auto find = [&](std::uint32_t address) {
    auto found = std::lower_bound(kernel.instructions.begin(), kernel.instructions.end(), address,
                                  [](const Instruction &a, std::uint32_t b) { return a.address < b; });
    return found != kernel.instructions.end() && found->address == address ? &*found : nullptr;
  };
  const Instruction *jump = find(i.jump), *update = i.format == Format::TwoBranch ? find(i.update) : nullptr;
  if (!jump || (i.format == Format::TwoBranch && !update))
    return "a branch that leads to no instruction";
  bool forward = i.jump > i.address;
  auto isOf = [](const Instruction *target, Opcode opcode) { return target->opcode == opcode; };
  switch (i.opcode) {
  case Opcode::If:
    if (!forward || !isOf(update, Opcode::Endif))
      return "an if without its endif";
    return isOf(jump, Opcode::Endif) || isOf(jump - 1, Opcode::Else)
               ? ""
               : "an if that leads neither behind else nor to endif";
  case Opcode::Else:
    return forward && isOf(jump, Opcode::Endif) && jump == update ? "" : "an else without its endif";
  case Opcode::While:
    return forward ? "a loop that leads forward" : "";
  case Opcode::Break:
  case Opcode::Cont:
    return forward && isOf(update, Opcode::While) ? "" : "a break without its loop";
  case Opcode::Goto:
    if (i.branchControl && i.update <= i.address)
      return isOf(jump, Opcode::Join) || jump == &i + 1 ? "" : "a goto back whose others do not meet behind it";
    return forward && isOf(update, Opcode::Join) ? "" : "a goto that does not lead to a join";
  case Opcode::Endif:
  case Opcode::Join:
    return i.jump >= i.address ? "" : "an end of a branch that leads back";
  default:
    return "";
  }
}

/// Registers that a message takes and gives, by its descriptor.
struct Lengths {
  int payload, response; ///< Any: what the documents leave open.
  static constexpr int any = -1;
};

unsigned bitsOf(std::uint32_t value, unsigned last, unsigned first) {
  return value >> first & ((1u << (last - first + 1)) - 1);
}

/// Of the data port's first unit, by the type of message.
Lengths lengthsOfFirst(std::uint32_t d) {
  constexpr Lengths open{Lengths::any, Lengths::any};
  if (d >> 18 & 1) { // scratch
    int registers = 1 << bitsOf(d, 13, 12);
    bool writes = d >> 17 & 1;
    return {1 + (writes ? registers : 0), writes ? 0 : registers};
  }
  static constexpr int owords[] = {1, 1, 2, 4, 8, 16};
  int lanes = (d >> 8 & 1) ? 2 : 1, header = int(d >> 19 & 1); // registers of dwords
  switch (bitsOf(d, 17, 14)) {
  case 0:
  case 1:
  case 8: {
    unsigned code = bitsOf(d, 10, 8);
    if (code >= std::size(owords))
      return open;
    int data = (owords[code] + 1) / 2;
    return bitsOf(d, 17, 14) == 8 ? Lengths{1 + data, 0} : Lengths{1, data};
  }
  case 3:
  case 4:
    return {header + lanes, lanes};
  case 7:
    return {1, int(d >> 13 & 1)};
  case 0xB:
  case 0xC:
    return {header + 2 * lanes, 0};
  default:
    return open;
  }
}

/// Operands of an atomic on integers.
int operandsOf(unsigned operation) {
  switch (operation) {
  case 5:
  case 6:
  case 0xF:
    return 0;
  case 0xE:
    return 2;
  default:
    return 1;
  }
}

/// Of its second unit.
Lengths lengthsOfSecond(std::uint32_t d) {
  constexpr Lengths open{Lengths::any, Lengths::any};
  int header = int(d >> 19 & 1), parts = 4 - std::popcount(bitsOf(d, 11, 8));
  unsigned mode = bitsOf(d, 13, 12);
  int lanes = mode == 1 ? 2 : 1;
  bool returns = d >> 13 & 1;
  switch (bitsOf(d, 18, 14)) {
  case 1: // untyped
    return mode ? Lengths{header + lanes, lanes * parts} : open;
  case 9:
    return mode ? Lengths{header + lanes * (1 + parts), 0} : open;
  case 0x11: // by address, of which a register holds four
    return mode ? Lengths{header + 2 * lanes, lanes * parts} : open;
  case 0x19:
    return mode ? Lengths{header + lanes * (2 + parts), 0} : open;
  case 2: {
    lanes = (d >> 12 & 1) ? 1 : 2;
    return {header + lanes * (1 + operandsOf(bitsOf(d, 11, 8))), returns ? lanes : 0};
  }
  case 0x12: {
    int wide = (d >> 12 & 1) ? 2 : 1;
    unsigned operation = bitsOf(d, 11, 8);
    return operation ? Lengths{header + 2 + wide * operandsOf(operation), returns ? wide : 0} : open;
  }
  case 5: // typed: pixels of eight channels
    return {Lengths::any, mode ? parts : Lengths::any};
  case 0xD:
    return {Lengths::any, 0};
  case 0x10:
  case 0x1A: {
    unsigned kind = bitsOf(d, 9, 8);
    lanes = mode & 1 ? 2 : 1;
    int data = lanes * (kind == 0 ? 1 : (kind == 2 ? 2 : 1) << bitsOf(d, 11, 10));
    return bitsOf(d, 18, 14) == 0x10 ? Lengths{header + 2 * lanes, data} : Lengths{header + 2 * lanes + data, 0};
  }
  default:
    return open;
  }
}

/// Of the load/store cache, for so many channels. Addresses and data of all channels begin in a register each.
Lengths lengthsOfLoadStore(std::uint32_t d, unsigned channels, unsigned registerBytes) {
  constexpr Lengths open{Lengths::any, Lengths::any};
  unsigned operation = bitsOf(d, 5, 0), addressCode = bitsOf(d, 8, 7);
  static constexpr unsigned vectors[] = {1, 2, 3, 4, 8, 16, 32, 64}, dataBytes[] = {1, 2, 4, 8, 4, 4, 4, 4};
  bool loads = operation == 0, stores = operation == 4;
  if ((!loads && !stores) || !addressCode)
    return open;
  auto registers = [&](unsigned bytes) { return int((bytes + registerBytes - 1) / registerBytes); };
  unsigned data = dataBytes[bitsOf(d, 11, 9)], vector = vectors[bitsOf(d, 14, 12)];
  bool block = d >> 15 & 1;
  int addresses = block ? 1 : registers(channels << addressCode),
      values = block ? registers(vector * data) : int(vector) * registers(channels * data);
  return {addresses + (stores ? values : 0), loads ? values : 0};
}

/// Whether an instruction's message is as long; one whose extended descriptor is in a register may have a second part
/// there.
bool agrees(const Instruction &i, Lengths wanted) {
  int payload = int(bitsOf(i.descriptor, 28, 25)), response = int(bitsOf(i.descriptor, 24, 20));
  bool known = !i.extendedByRegister || i.surfaceBase;
  if (known)
    payload += i.extendedLength;
  bool fits = wanted.payload == Lengths::any || payload == wanted.payload || (!known && payload < wanted.payload);
  // Answers may be left out.
  return fits && (wanted.response == Lengths::any || response == wanted.response || !response);
}

bool hasItsLengths(const Instruction &i, const Platform &platform) {
  constexpr unsigned first = 0xA, second = 0xC, untyped = 0xF, slm = 0xE;
  bool message = i.format == Format::Send || i.format == Format::Splitsend;
  if (!message || i.descriptorByRegister)
    return true;
  if (platform.generation < Generation::XeHpg)
    return i.unit == first    ? agrees(i, lengthsOfFirst(i.descriptor))
           : i.unit == second ? agrees(i, lengthsOfSecond(i.descriptor))
                              : true;
  if (i.unit != untyped && i.unit != slm)
    return true;
  // A message may be for more channels than its instruction has.
  unsigned most = platform.generation == Generation::XeHpc ? 32 : 16;
  for (unsigned channels = i.size; channels <= most; channels *= 2)
    if (agrees(i, lengthsOfLoadStore(i.descriptor, channels, platform.grfBytes)))
      return true;
  return false;
}

} // namespace

Bits allowedBits(const Instruction &i, const Platform &platform) {
  return platform.generation <= Generation::Gen11 ? allowedGen9(i, platform.generation == Generation::Gen9)
                                                  : allowedGen12(i, platform.generation);
}

std::string encodingProblem(const Kernel &kernel, const std::vector<std::uint8_t> &code) {
  const Platform &platform = *kernel.platform;
  for (const Instruction &i : kernel.instructions) {
    Bits bits;
    std::memcpy(&bits.low, code.data() + i.address, 8);
    if (i.bytes == 8)
      bits = expand(bits.low, platform);
    else
      std::memcpy(&bits.high, code.data() + i.address + 8, 8);
    for (const std::string &problem : {unknownBits(i, bits, platform), wrongTarget(i, kernel)})
      if (!problem.empty())
        return textOf(i, platform) + ": " + problem;
    if (!hasItsLengths(i, platform))
      return textOf(i, platform) + ": a message of other lengths than its descriptor's";
  }
  return "";
}

} // namespace test
