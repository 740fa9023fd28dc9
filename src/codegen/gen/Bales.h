//===- Bales.h - Which IR instructions become one Gen instruction -----------------------===//
//
// A Gen instruction reads regions of registers, extends and negates what it reads, and
// writes a region. In IR these are instructions of their own; a bale is what goes into
// one Gen instruction together:
//
//     %r = rdregion <64 x i16> %m, ...          source region        add (M1, 16) V3(0,0)<2>
//     %e = zext <16 x i16> %r to <16 x i32>     source type    ->        V1(1,3)<16;8,2>
//     %s = add <16 x i32> %e, %b                main instruction         V2(0,0)<1;1,0>
//     %w = wrregion %old, %s, ...               destination region
//
// The last instruction of a bale is its head; only a head defines a register. Membership is read off
// the IR, nothing is stored: an instruction belongs to the bale of its only user in the
// same block when that user's operand can do its work. The pass gen-baling clones
// instructions until every one that could be part of a bale is.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Region.h"

namespace pocm::gen {

/// Whether this instruction is done by an operand of its only user: it defines no register.
bool isBaled(const llvm::Instruction &I);
/// Whether operand `Index` of `User` could do the work of `I` if that were its only use, there.
bool canBale(const llvm::Instruction &I, const llvm::Instruction &User, unsigned Index);
/// Whether the result of `I` is another name of the register of its operand.
bool isAlias(const llvm::Value *V);

/// The predicate that a comparison asks for any or all channels of, as a branch can, or null:
/// icmp eq or ne i16 (bitcast <16 x i1> %p to i16), 0 or -1. One of two or four channels is the lower ones of a byte
/// whose other bits are not set, which can only be asked for any.
llvm::Value *flagsCompared(const llvm::ICmpInst &Compare);

/// Whether a float's bits fit the eight of a packed immediate: a sign, three bits of exponent, four of fraction. What
/// they are then.
std::optional<unsigned> packedFloat(const llvm::APInt &Bits);

/// What `xor x, -1` or `xor -1, x` complements, or null.
llvm::Value *complemented(const llvm::Value *V);

/// The value that V is another name of: V itself unless it is a bitcast.
llvm::Value *registerOf(llvm::Value *V);

/// Whether an offset known at run time is a multiple of that many bytes.
bool isMultipleOf(llvm::Value *Offset, unsigned Bytes);

/// Whether a whole vector is written over, so that reads of it must not move behind.
bool isOverwritten(const llvm::Value *Base);

/// Registers hold it as a predicate: i1, or a vector of i1.
bool isPredicate(const llvm::Type *T);

/// One operand, looked through all that the operand itself does.
struct Source {
  llvm::Value *Base = nullptr;   ///< A register or a constant.
  llvm::Type *Element = nullptr; ///< The type that its elements are read as.
  Region Where;                  ///< Which elements, in elements of that type.
  bool Negate = false;           ///< (-)
  bool Absolute = false;         ///< (abs), before the minus
  bool Complement = false;       ///< (~)
  bool Extended = false;         ///< Read as a narrower integer than the instruction works with ...
  bool Signed = true;            ///< ... and extended with its sign, or with zeros.

  /// V as an operand of an instruction reads it.
  static Source of(llvm::Value *V);
  /// What a region read that is an instruction of its own moves.
  static Source ofRead(const RegionRead &Read);
};

/// Which bytes of its variable each channel's element begins at; nothing where that is known at run time.
std::optional<llvm::SmallVector<int, 32>> placesOf(const Region &R, int Count, int Bytes);

/// The offset of a region, known at run time: an address register holds that of Base, an operand adds up to 512 bytes
/// to it or takes them away.
struct Step {
  llvm::Value *Base;
  int Bytes;

  static Step of(llvm::Value *Offset);
};

/// A bale, from its head.
struct Bale {
  llvm::Instruction *Head = nullptr; ///< Defines the register.
  llvm::Instruction *Main =
      nullptr; ///< What is computed; null when the head only moves something: a region, or into one.
  llvm::Instruction *Result = nullptr; ///< Main, or the saturation that the same instruction does behind it.
  std::optional<RegionWrite> Into;     ///< The head, when it writes a region, perhaps with a mask.

  static Bale of(llvm::Instruction &Head);
  /// The number of channels.
  int count() const;
};

/// Whether operand 0 is a comparison of dwords for this instruction alone, which has dwords itself.
bool asksComparison(const llvm::Instruction &I);
/// Whether it is -1 where a comparison of dwords holds, else 0, which the comparison gives by itself. Only behind
/// legalization (gen-predication): before, a selection stands for it.
bool isMask(const llvm::Instruction &I);
/// The operands of the main instruction that are read as regions (not predicates, addresses of messages, ...).
llvm::SmallVector<unsigned, 4> regionOperandsOf(const llvm::Instruction &Main);
/// Puts a computation, with the operands that belong to it, right before another instruction.
void moveWithOperands(llvm::Instruction &I, llvm::Instruction &To);
/// Whether reads of regions that would move with `I` to `To` find the registers as they are where they stand: no write
/// that could share a register with what they read lies between.
bool canSinkTo(const llvm::Instruction &I, const llvm::Instruction &To);
/// Whether the instruction works channel by channel and its operands and result may be regions.
bool isVectorInstruction(const llvm::Instruction &I);

} // namespace pocm::gen
