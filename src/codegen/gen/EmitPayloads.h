//===- EmitPayloads.h - Whole registers: what messages take and give, and copies of it ------===//
//
//     gather's %old, where channels are off      ->   mov (M1, 16) V40_ud(0,0)<1> V33_ud(0,0)<1;1,0>
//     a region that a message takes              ->   mov (M1, 8) V41(0,0)<1> V33_ub(1,3)<1;1,0>, and V41.0
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitOperands.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pocm::gen {

/// A variable that a message takes or gives, all of it, and what the source defines of it.
struct Payload {
  Declaration *Of;
  llvm::SmallVector<OperandBytes, 1> Meant{};
  operator Operand() const { return {RawOperand{Of}, Meant}; }
};

/// The channels of a message that its predicate has on.
struct Channels {
  Guard On;
  int Count; // of which the message has as many
};

class EmitPayloads {
public:
  EmitPayloads(Builder &Out, EmitOperands &Operands) : Out(Out), Operands(Operands) {}

  // Payloads

  /// What a message takes: a variable as it is; anything else is moved into one. When Room is given, the variable has
  /// room for so many bytes.
  Payload of(llvm::Value *V, Sign S = Sign::Unsigned, unsigned Room = 0);
  /// The variable that a message writes.
  Payload result(llvm::Instruction *I, Sign S = Sign::Unsigned);
  /// The same as floats, for atomics that the language gives integers.
  Payload asFloats(const Payload &P) {
    return {Out.view(P.Of, llvm::Type::getFloatTy(Out.F.getContext()), Sign::Signed), P.Meant};
  }
  /// That is given by the dispatch, where its input lies.
  void notePlaced(const llvm::Value *V) { GivenAs.insert(V); }
  bool isPlaced(const llvm::Value *V) const { return GivenAs.contains(V); }

  /// The first 1, 2 or 4 channels alone are a message of so many.
  Channels channelsOn(llvm::Value *P, int Lanes);
  /// Channels that are off keep the old value.
  void keepOld(llvm::CallInst &I, llvm::Value *Old, bool Guarded);
  /// Elements of less than a dword, each in a dword of its own.
  void toDwords(Declaration *Dwords, llvm::Value *Data);
  /// The low bytes of dwords become the result. Where two channels take no predicate, the old value is put among the
  /// dwords.
  void fromDwords(llvm::CallInst &I, Declaration *Dwords, Guard G, llvm::Value *Old);

  // Copies

  /// Copies what is defined of a register, as dwords as far as they go.
  void copy(Declaration *To, Declaration *From, const llvm::BitVector &Defined);
  void copy(llvm::Value *To, llvm::Value *From);
  /// Sets a whole register to a constant: runs of one number, of bytes and words as dwords as far as they are whole.
  void constantInto(Declaration *To, llvm::Constant *C);
  void constantInto(llvm::Value *To, llvm::Constant *C) { constantInto(Operands.variable(To), C); }

private:
  Builder &Out;
  EmitOperands &Operands;
  llvm::SmallPtrSet<const llvm::Value *, 4> GivenAs; // instructions whose variables are inputs

  Payload partOf(llvm::Value *Register, unsigned At, llvm::Type *T, Sign S);
  std::optional<Payload> whereItLies(const RegionRead &Read, Sign S);
  Operand narrow(llvm::Value *Data);
  Payload moved(llvm::Value *V, Sign S, unsigned Room);
  void move(Declaration *To, Declaration *From, int Start, int Size);
  void fill(Declaration *To, llvm::Constant *Number, Sign S, int First, int Count);
  template <class Function> void inMoves(int Count, int Bytes, Function Move);
};

/// The bytes of a value that somebody gave it, on some path, as far as writes of regions say.
llvm::BitVector definedBytes(llvm::Value *V);

} // namespace pocm::gen
