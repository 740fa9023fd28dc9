//===- Decoder.cpp - Bits to instructions --------------------------------------------===//
#include "gensim/isa/Decoder.h"
#include "gensim/isa/Compaction.h"
#include "gensim/isa/Layouts.h"
#include <cstring>

namespace pocm::gensim {

const Platform &platformNamed(std::string_view name) {
  std::string known;
  for (const Platform &p : Platforms) {
    if (p.name == name)
      return p;
    known += (known.empty() ? "" : ", ") + std::string(p.name);
  }
  throw Problem("no Gen target '" + std::string(name) + "' can be simulated; there is: " + known);
}

static constexpr int None = -1;
static constexpr unsigned MostSize = 32;
static const OpcodeInfo Opcodes[] = {
#define OPCODE(id, name, gen9, gen12, format, sources) {Opcode::id, name, gen9, gen12, Format::format, sources},
#include "gensim/isa/Opcodes.def"
};

const OpcodeInfo &infoOf(Opcode opcode) { return Opcodes[unsigned(opcode)]; }

std::string_view nameOf(Type type) {
  static constexpr std::string_view Names[] = {"ub", "b",  "uw", "w",  "ud",   "d",  "uq", "q", "hf",
                                               "f",  "df", "bf", "nf", "tf32", "uv", "v",  "vf"};
  return type == Type::Invalid ? "?" : Names[unsigned(type)];
}

static const OpcodeInfo *find(unsigned number, Generation generation) {
  static const auto Tables = [] {
    std::array<std::array<const OpcodeInfo *, 128>, 2> tables{};
    for (const OpcodeInfo &info : Opcodes) {
      if (info.gen9 != None)
        tables[0][unsigned(info.gen9)] = &info;
      if (info.gen12 != None)
        tables[1][unsigned(info.gen12)] = &info;
    }
    return tables;
  }();
  return Tables[generation >= Generation::Gen12][number];
}

unsigned sourcesOf(const Instruction &i) {
  if (i.format != Format::Math)
    return infoOf(i.opcode).sources;
  return i.function <= MathFunction::Cos || i.function == MathFunction::Rsqtm ? 1 : 2;
}

/// Refuses codes that mean nothing.
static void check(const Instruction &i, const Platform &platform) {
  if (i.condition == Condition::Reserved || i.condition > Condition::Unordered)
    throw Problem("a condition that there is not");
  bool whole = i.predicate == Predicate::Any || i.predicate == Predicate::All;
  if (whole && platform.generation != Generation::XeHpc)
    throw Problem("a predicate that there is not");
  bool flag = i.predicate == Predicate::Sequential || i.predicate >= Predicate::X || i.condition != Condition::None;
  if (flag && 16u * i.flagHalf + i.channel + i.size > MostSize)
    throw Problem("channels beyond the end of a flag register");
  auto function = unsigned(i.function);
  if (i.format == Format::Math && (function == 0 || function == 8))
    throw Problem("an elementary function that there is not");
  if (i.size > MostSize || i.channel + i.size > MostSize)
    throw Problem("more than 32 channels");
  bool message = i.format == Format::Send || i.format == Format::Splitsend;
  for (const Operand *o : {&i.to, &i.from[0], &i.from[1], &i.from[2]})
    if (o->kind != Operand::Kind::None && o->type == Type::Invalid && !message)
      throw Problem("an operand of a type that there is not");
  for (const Operand &o : i.from)
    if (!o.width) // of three sources the strides say it
      throw Problem("a region whose elements are further apart than its rows");
}

Instruction decode(const Bits &bits, const Platform &platform, std::uint32_t address) {
  auto number = unsigned(bits.get(6, 0));
  const OpcodeInfo *info = find(number, platform.generation);
  if (!info) {
    char text[64];
    std::snprintf(text, sizeof(text), "opcode 0x%02X, which is none", number);
    throw Problem(text);
  }
  Instruction i;
  i.opcode = info->id;
  i.format = info->format;
  i.address = address;
  if (platform.generation <= Generation::Gen11)
    decodeGen9(bits, platform, i);
  else
    decodeGen12(bits, platform, i);
  check(i, platform);
  return i;
}

std::vector<Instruction> decodeAll(std::span<const std::uint8_t> code, const Platform &platform) {
  constexpr std::size_t shortForm = 8, longForm = 16;
  std::vector<Instruction> all;
  for (std::size_t at = 0; at + shortForm <= code.size();) {
    Bits bits;
    std::memcpy(&bits.low, code.data() + at, shortForm);
    bool compacted = bits.get(29);
    try {
      if (!compacted && at + longForm > code.size())
        throw Problem("the code ends in the middle of an instruction");
      if (compacted)
        bits = expand(bits.low, platform);
      else
        std::memcpy(&bits.high, code.data() + at + shortForm, shortForm);
      // Behind the last instruction of a function lie zeros, for a prefetcher.
      if (bits.low == 0 && !all.empty()) {
        at += bits.high == 0 ? longForm : shortForm;
        continue;
      }
      all.push_back(decode(bits, platform, std::uint32_t(at)));
      all.back().bytes = compacted ? shortForm : longForm;
      resolve(all.back(), platform);
    } catch (const Problem &problem) {
      char text[32];
      std::snprintf(text, sizeof(text), "at 0x%zX: ", at);
      throw Problem(text + std::string(problem.what()));
    }
    at += all.back().bytes;
  }
  return all;
}

/// Branch offsets as addresses; `calla` has one.
void resolve(Instruction &i, const Platform &platform) {
  if (i.opcode == Opcode::Calla)
    return;
  bool fromNext = i.opcode == Opcode::Jmpi && platform.generation <= Generation::Gen11;
  std::uint32_t from = fromNext ? i.next() : i.address;
  i.jump += from;
  i.update += from;
}

} // namespace pocm::gensim
