//===- Instruction.h - One decoded instruction --------------------------------------===//
//
// What the bits of an instruction say, the same for all generations: the decoder fills
// it, the printer and the execution unit read it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/isa/Types.h"

namespace pocm::gensim {

enum class Format : std::uint8_t {
  Basic,
  Ternary,
  Math,
  Send,
  Splitsend,
  Branch, ///< The first of those that may go elsewhere.
  TwoBranch,
  Jump,
  Call,
  Ret, ///< The last.
  Wait,
  Sync,
  Dpas,
  Bfn,
  Nop
};

enum class Opcode : std::uint8_t {
#define OPCODE(id, name, gen9, gen12, format, sources) id,
#include "gensim/isa/Opcodes.def"
};

struct OpcodeInfo {
  Opcode id;
  std::string_view name;
  int gen9, gen12; ///< Numbers; -1 where it does not exist.
  Format format;
  unsigned sources;
};

const OpcodeInfo &infoOf(Opcode opcode);

/// Architecture registers, by the upper half of their code.
enum class Arf : std::uint8_t { Null, A, Acc, F, Ce, Msg, Sp, Sr, Cr, N, Ip, Tdr, Tm, Fc, Reserved, Dbg };

enum class Condition : std::uint8_t { None, Eq, Ne, Gt, Ge, Lt, Le, Reserved, Overflow, Unordered };

/// How a predicate's bits become one for each channel.
enum class Predicate : std::uint8_t {
  None,
  Sequential,
  AnyV,
  AllV,
  Any2,
  All2,
  Any4,
  All4,
  Any8,
  All8,
  Any16,
  All16,
  Any32,
  All32,
  Any, ///< Of the whole instruction.
  All,
  X, ///< Align16: the first bit of each four, for all four.
  Y,
  Z,
  W
};

enum class MathFunction : std::uint8_t {
  Inv = 1,
  Log,
  Exp,
  Sqt,
  Rsqt,
  Sin,
  Cos,
  Fdiv = 9,
  Pow,
  Idiv,
  Iqot,
  Irem,
  Invm,
  Rsqtm
};

struct Operand {
  enum class Kind : std::uint8_t { None, General, Architecture, Indirect, Immediate };
  Kind kind = Kind::None;
  Type type = Type::Invalid;
  bool negate = false, absolute = false; ///< Of logic operations, `negate` is "not".
  std::uint8_t number = 0;               ///< Of the register; of architecture registers the lower half of the code.
  Arf arf = Arf::Null;
  std::uint8_t offset = 0;              ///< In the register, bytes.
  std::uint8_t vertical = 0, width = 1; ///< Elements.
  std::uint8_t horizontal = 0;
  bool eachRow = false;           ///< Indirect: an address register for each row.
  std::uint8_t address = 0;       ///< Indirect: its number of the address register's words.
  std::int16_t addressOffset = 0; ///< Indirect: added to the address.
  std::uint8_t accumulator = 8;   ///< Of macros: the extended accumulator; 8 is none.
  std::uint64_t immediate = 0;
};

enum SyncFunction : std::uint8_t { SyncAllRead = 2, SyncAllWritten = 3, SyncBarrier = 14 };

struct Instruction {
  Opcode opcode = Opcode::Nop;
  Format format = Format::Nop;
  std::uint32_t address = 0; ///< Bytes from the kernel's beginning.
  std::uint8_t bytes = 16;
  std::uint8_t size = 1;    ///< Channels.
  std::uint8_t channel = 0; ///< Its first.
  bool noMask = false, saturate = false, writesAccumulator = false, branchControl = false, atomic = false;
  bool endOfThread = false;
  Predicate predicate = Predicate::None;
  bool inverse = false;
  std::uint8_t flag = 0, flagHalf = 0;
  Condition condition = Condition::None;
  MathFunction function{};
  Operand to, from[3];

  // Branches: byte addresses in the kernel.
  std::uint32_t jump = 0, update = 0;
  bool jumpByRegister = false; ///< To from[0].

  // Messages
  std::uint8_t unit = 0;                                         ///< SFID.
  bool descriptorByRegister = false, extendedByRegister = false; ///< In a0.0, in an address register's dword.
  std::uint8_t extendedRegister = 0;                             ///< Which dword.
  std::uint32_t descriptor = 0, extended = 0;
  std::uint8_t extendedLength = 0; ///< Registers of the second part, where the instruction says it.
  bool surfaceBase = false;        ///< The extended descriptor is a surface's offset alone (ExBSO).

  std::uint8_t syncFunction = 0;      ///< A SyncFunction, or one that does nothing here.
  std::uint8_t table = 0;             ///< Of bfn.
  std::uint8_t depth = 0, repeat = 0; ///< Of dpas.
  std::uint8_t bits[3] = {};          ///< Of dpas: bits of an element of sources smaller than a byte, else 0.

  std::uint16_t scoreboard = 0; ///< SWSB; timing and listings alone.
  std::uint8_t dependency = 0, threadControl = 0;

  std::uint32_t next() const { return address + bytes; }
  /// Whether it says where the thread, or some channels, go on.
  bool branches() const { return format >= Format::Branch && format <= Format::Ret; }
  bool waitsAtBarrier() const {
    return format == Format::Wait || (format == Format::Sync && syncFunction == SyncBarrier);
  }
};

} // namespace pocm::gensim
