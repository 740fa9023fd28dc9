//===- MaskAnalysis.h - Which integers are masks of N channels ------------------------------------===//
//
//     %bits = bitcast <16 x i1> %c to i16       N = 16: the bits behind the channels are
//     %wide = zext i16 %bits to i32                     zeros
//     %off  = xor i32 %wide, -1                         ones
//     %sum  = add i32 %wide, 1                          not known: no mask
//
// An integer is N channels when its other bits are all zero or all one, wherever it comes from or where nobody reads
// them.
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

namespace pocm::cpu {

/// The type of a vector of bits; null when it is another.
llvm::FixedVectorType *asMask(const llvm::Type *T);
/// An element of a vector without the permutations in between.
std::pair<llvm::Value *, unsigned> elementOf(llvm::Value *V, unsigned Lane);

/// The bits of an integer behind the channels: all zero, all one, now one and now the other, which does where nobody
/// reads them, or not known, as the integer is no mask.
enum class Rest { Open, Zeros, Ones, Either, Unknown };

/// The integers of a function that are N channels. Instructions that are made later are none.
class MaskAnalysis {
public:
  MaskAnalysis(llvm::Function &F, unsigned N);

  unsigned channels() const { return N; }
  /// Those that are, in order.
  llvm::ArrayRef<llvm::Instruction *> found() const { return Found; }
  bool isChannels(llvm::Value *V) const;
  Rest restOf(llvm::Value *V) const;
  Rest restOf(const llvm::APInt &C) const;
  /// A comparison with what has the same bits behind the channels, or others: then its result is known.
  const llvm::APInt *comparedWith(llvm::User *U, llvm::Value *V) const;
  /// Whether it is a vector of all bits of an integer.
  static bool isVector(const llvm::User *U) { return llvm::isa<llvm::BitCastInst>(U) && asMask(U->getType()); }

private:
  bool fits(const llvm::Value *V) const;
  Rest behind(llvm::Value *Vector) const;
  Rest compute(llvm::Instruction &I) const;
  void compute();
  bool dropRead();
  bool readsChannels(llvm::User &Vector) const;

  llvm::Function &F;
  unsigned N;
  llvm::DenseMap<llvm::Value *, Rest> State;
  llvm::SmallVector<llvm::Instruction *, 32> Found;
};

} // namespace pocm::cpu
