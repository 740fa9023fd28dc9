//===- Messages.h - What an operation is as a message to memory ------------------------------===//
//
//     INTRINSIC(OwordWrite, ..., WriteSurfaces, Void, Surface(I32), Offset(Owords), Data(Any))
//
//     messageOf(Op::OwordWrite)  ->  a block of a surface, which is written, at a place that counts owords
//
// All of it follows from the operation's row in Intrinsics.def: from which operands it has, of which types, and from
// what it does to memory. Who treats messages by their kind asks here and needs no list of them.
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Intrinsics.h"
#include <optional>

namespace pocm {

struct MessageInfo {
  enum class Form : unsigned char {
    Block,   ///< Bytes in a row.
    Image,   ///< A rectangle of an image, of bytes.
    Lanes,   ///< One or several elements for each lane, at offsets or addresses.
    Pixels,  ///< The same at coordinates of an image.
    Samples, ///< What a sampler makes of them.
    Matrix   ///< A rectangle of a matrix that lies at an address.
  };
  enum class Memory : unsigned char { Surface, Address, Frame };
  enum class Action : unsigned char { Read, Write, Atomic, Prefetch };

  Form Is;
  Memory Of;
  Action Does;
  bool IsLsc = false;    ///< To the load/store cache, by numbers of its own (Lsc.h).
  bool OfOwords = false; ///< Of a block: it counts in owords, or begins at a dword.
  int Unit = 1;          ///< Bytes that a block's place counts in.

  bool isImage() const { return Is == Form::Image || Is == Form::Pixels || Is == Form::Samples; }
  /// A block of a surface or of memory by address, in bytes or of an image.
  bool isRow() const { return (Is == Form::Block || Is == Form::Image) && Of != Memory::Frame; }
  /// For people: "oword block", "scattered by address", "typed atomic"; with what it does: "scattered read by address".
  std::string name() const;
  std::string nameDoing() const;

private:
  std::string kind() const;
};

/// Of a message: the offset that the source gives is a multiple of what the message counts in (NoteAlignment.cpp).
constexpr const char *AlignedMetadata = "pocm.aligned";

/// None for operations that are no messages.
std::optional<MessageInfo> messageOf(Op Operation);

/// Whether others may read something else behind an instruction. Prefetches keep their place as if they wrote, and
/// change nothing.
bool changesMemory(const llvm::Instruction &I);

/// Whether an operand is what a message moves, or where: with a value for each lane, or the data.
bool isPayload(Op Operation, unsigned Index);

} // namespace pocm
