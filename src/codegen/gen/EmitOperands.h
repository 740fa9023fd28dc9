//===- EmitOperands.h - Values as operands of vISA instructions ---------------------------===//
//
//     <16 x i8> of %m from byte 35 on   ->   V33_ub(1,3)<1;1,0>
//
// The part of the emitter that knows in which variable a value lies, and how an instruction names it: regions,
// immediates, predicates, addresses. What has to be made first, an address or a constant predicate, is appended to the
// code.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Bales.h"
#include "codegen/gen/Builder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"

namespace pocm::gen {

class EmitOperands {
public:
  EmitOperands(Builder &Out, bool ReuseAddresses) : Out(Out), ReuseAddresses(ReuseAddresses) {}

  // Variables

  /// A variable by its number, which holds values of type T.
  Declaration *variable(unsigned Number, llvm::Type *T);
  Declaration *variable(llvm::Value *Register);
  Declaration *view(llvm::Value *Register, llvm::Type *Element, Sign S) {
    return Out.view(variable(Register), Element, S);
  }

  // Predicates

  /// The predicate that a value is.
  Declaration *predicateOf(llvm::Value *P);
  /// One that can be read; a constant one is set first.
  Declaration *predicate(llvm::Value *P);
  /// None when all channels are on.
  Guard guard(llvm::Value *P);

  // Sources and destinations

  Operand immediate(llvm::Constant *C, llvm::Type *Element, Sign S);
  Operand source(Source S, int Count, Sign Natural);
  Operand source(llvm::Value *V, int Count, Sign Natural) { return source(Source::of(V), Count, Natural); }
  Operand scalar(llvm::Value *V) { return source(V, 1, Sign::Unsigned); }
  /// Where a bale writes.
  Operand destination(const Bale &B, Sign S) { return destination(B, S, B.Head->getType()->getScalarType()); }
  Operand destination(const Bale &B, Sign S, llvm::Type *Element);
  /// Elements from apart in a variable of their own.
  Operand together(Source S, int Count);
  /// A number in a variable, made by an instruction whose result the finalizer does not calculate; bytes in words.
  Operand hiddenNumber(const llvm::ConstantInt &Number, Sign Natural);

  /// The addresses that have been taken are in their registers no longer.
  void forgetAddresses() { Taken.clear(); }

private:
  Builder &Out;
  const bool ReuseAddresses; // gen-addresses
  llvm::DenseMap<unsigned, Declaration *> OfNumber;
  llvm::DenseMap<const llvm::Value *, Declaration *> Predicates;
  /// Addresses that the block being emitted has taken last; few, for address registers are.
  struct TakenAddress {
    Declaration *Variable;
    Source Offset;
    Declaration *Address;
    int Count;
    /// Which of them is an offset's; none where it was not taken here.
    std::optional<unsigned> of(Declaration *Of, const Source &Wanted, int Channels) const;
  };
  static constexpr size_t MostTaken = 4;
  std::vector<TakenAddress> Taken;

  Operand indirect(const Source &S, Declaration *Of, llvm::ArrayRef<int> Elements, int Bytes, Sign Read);
  Address addresses(Declaration *Variable, llvm::Value *Offset, int Count);
  Address take(Declaration *Variable, const Source &Offset, int Count, unsigned Number);
  std::optional<unsigned> neighbours(Declaration *Variable, llvm::Value *Offset, const Source &Of);
  void expect(Operand &O, llvm::Value *Base, llvm::ArrayRef<int> Elements, int Bytes);
};

/// Whether channels choose their elements, which the finalizer would let others read through the addresses (Bales).
bool isChosen(const Source &S);
/// Whether nobody has written what channels read of a register, which is emitted as zeros then.
bool isUndefined(const Source &S, int Count);
/// The integer that an element's bits are.
llvm::Type *bitsOf(llvm::Type *Element);

/// How a value is copied: by a move, or by what the finalizer does not take for one.
enum class Copy { Move, Or };
EmittedInstruction &addCopy(Builder &Out, Copy How, int Channels, Operand To, Operand From);

} // namespace pocm::gen
