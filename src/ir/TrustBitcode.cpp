//===- TrustBitcode.cpp - Bitcode from files, before LLVM reads it -----------------------===//
//
//     TYPE_BLOCK { NUMENTRY 3221225472 ...             the reader would make room for so many types
//
//     SETTYPE [ptr], DATA [1, 2, 3, 4]                 it would take the type for one that has elements
//
// Some records of bitcode announce how much follows, or how large something is, and LLVM's
// reader believes them. This walks all blocks of the stream first and compares such numbers
// with what the file can hold, or with what a program may have, and looks whether lists of
// numbers are of types that have such elements.
//
//===--------------------------------------------------------------------------------------===//
#include "ir/Trust.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamReader.h"
#include <vector>

using namespace llvm;

namespace pocm {
namespace {

constexpr std::uint64_t WhatTheFileHolds = 0;        // each thing takes a bit at least
constexpr std::uint64_t ForTheFunction = 0xFFFFFFFF; // attributes: neither of the result nor of a parameter
constexpr std::uint64_t MostParameters = 4096;
constexpr unsigned AnyRecord = ~0u;

/// A number of a record that the reader believes.
struct Limit {
  unsigned Block, Record, Operand;
  std::uint64_t Most, Except; ///< `Except` has a meaning of its own.
  const char *Problem;
};
constexpr Limit Limits[] = {
    {bitc::PARAMATTR_GROUP_BLOCK_ID, AnyRecord, 1, MostParameters, ForTheFunction, "attributes of parameters"},
    {bitc::TYPE_BLOCK_ID_NEW, bitc::TYPE_CODE_NUMENTRY, 0, WhatTheFileHolds, 0, "types"},
    {bitc::TYPE_BLOCK_ID_NEW, bitc::TYPE_CODE_INTEGER, 0, MostIntegerBits, 0, "bits of an integer"},
    {bitc::TYPE_BLOCK_ID_NEW, bitc::TYPE_CODE_VECTOR, 0, MostElements, 0, "elements of a vector"},
    {bitc::TYPE_BLOCK_ID_NEW, bitc::TYPE_CODE_ARRAY, 0, MostVariables, 0, "elements of an array"},
    {bitc::FUNCTION_BLOCK_ID, bitc::FUNC_CODE_DECLAREBLOCKS, 0, WhatTheFileHolds, 0, "blocks of a function"},
};

class Walk {
public:
  explicit Walk(StringRef Bitcode) : Bits(Bitcode.size() * 8), Stream(Bitcode) { Stream.setBlockInfo(&Info); }

  std::string run() {
    if (Expected<SimpleBitstreamCursor::word_t> Magic = Stream.Read(32); !Magic || *Magic != BitcodeMagic)
      return consumeError(Magic.takeError()), "it is no bitcode";
    bool Read = true;
    while (Read && Problem.empty() && !Stream.AtEndOfStream())
      Read = next(AnyRecord, 0);
    return !Problem.empty() ? Problem : Read ? "" : "its bitcode is damaged";
  }

private:
  static constexpr std::uint64_t BitcodeMagic = 0xDEC04342;
  static constexpr unsigned MostDepth = 16;

  bool failed(Error E) {
    bool Any = bool(E);
    consumeError(std::move(E));
    return Any;
  }

  /// Reads a block to its end.
  bool block(unsigned Id, unsigned Depth) {
    if (Depth > MostDepth || failed(Stream.EnterSubBlock(Id)))
      return false;
    Current = ~0ull;
    while (Problem.empty()) {
      Ended = false;
      if (!next(Id, Depth))
        return false;
      if (Ended) {
        Ended = false;
        return true;
      }
    }
    return true;
  }

  /// Reads what comes next in block `Id`: a record, a block, or its end.
  bool next(unsigned Id, unsigned Depth) {
    Expected<BitstreamEntry> Entry = Stream.advance();
    if (!Entry)
      return !failed(Entry.takeError());
    switch (Entry->Kind) {
    case BitstreamEntry::Error:
      return false;
    case BitstreamEntry::EndBlock:
      Ended = true;
      return Depth != 0;
    case BitstreamEntry::Record:
      return record(Id, Entry->ID);
    case BitstreamEntry::SubBlock:
      return Entry->ID == bitc::BLOCKINFO_BLOCK_ID ? abbreviations() : block(Entry->ID, Depth + 1);
    }
    return false;
  }

  bool abbreviations() {
    Expected<std::optional<BitstreamBlockInfo>> Read = Stream.ReadBlockInfoBlock();
    if (!Read)
      return !failed(Read.takeError());
    if (*Read)
      Info = std::move(**Read);
    return Read->has_value();
  }

  bool record(unsigned Id, unsigned Abbreviation) {
    Operands.clear();
    Expected<unsigned> Code = Stream.readRecord(Abbreviation, Operands);
    if (!Code)
      return !failed(Code.takeError());
    if (Id == bitc::TYPE_BLOCK_ID_NEW)
      noteType(*Code);
    if (Id == bitc::CONSTANTS_BLOCK_ID && *Code == bitc::CST_CODE_SETTYPE && !Operands.empty())
      Current = Operands[0];
    if (Id == bitc::CONSTANTS_BLOCK_ID && *Code == bitc::CST_CODE_DATA && kindOf(Current) != NumbersInRow)
      Problem = "it lists numbers of a type that has none";
    for (const Limit &L : Limits) {
      if (L.Block != Id || (L.Record != AnyRecord && L.Record != *Code) || L.Operand >= Operands.size())
        continue;
      std::uint64_t Number = Operands[L.Operand], Most = L.Most == WhatTheFileHolds ? Bits : L.Most;
      if (Number > Most && (!L.Except || Number != L.Except))
        Problem = "it announces " + std::to_string(Number) + " " + L.Problem;
    }
    return true;
  }

  /// What a type is to lists of numbers.
  enum TypeKind : std::uint8_t { Other, Number, NumbersInRow };
  TypeKind kindOf(std::uint64_t Type) const { return Type < Types.size() ? Types[Type] : Other; }

  /// Types are known by their place among the records that make one.
  void noteType(unsigned Code) {
    switch (Code) {
    case bitc::TYPE_CODE_NUMENTRY:
    case bitc::TYPE_CODE_STRUCT_NAME:
      return;
    case bitc::TYPE_CODE_HALF:
    case bitc::TYPE_CODE_BFLOAT:
    case bitc::TYPE_CODE_FLOAT:
    case bitc::TYPE_CODE_DOUBLE:
      return Types.push_back(Number);
    case bitc::TYPE_CODE_INTEGER: {
      const std::uint64_t Width = Operands.empty() ? 0 : Operands[0];
      return Types.push_back(Width == 8 || Width == 16 || Width == 32 || Width == 64 ? Number : Other);
    }
    case bitc::TYPE_CODE_ARRAY:
    case bitc::TYPE_CODE_VECTOR:
      return Types.push_back(Operands.size() > 1 && kindOf(Operands[1]) == Number ? NumbersInRow : Other);
    default:
      return Types.push_back(Other);
    }
  }

  std::uint64_t Bits;
  std::vector<TypeKind> Types;
  std::uint64_t Current = 0; // type of the constants that follow
  BitstreamCursor Stream;
  BitstreamBlockInfo Info;
  SmallVector<std::uint64_t, 64> Operands;
  bool Ended = false;
  std::string Problem;
};

} // namespace

std::string distrust(StringRef Bitcode) { return Bitcode.size() % 4 ? "it is no bitcode" : Walk(Bitcode).run(); }

} // namespace pocm
