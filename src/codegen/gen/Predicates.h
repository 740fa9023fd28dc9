//===- Predicates.h - Predicates: as numbers, of fewer channels, and what they guard ----===//
//
// Predicates have no regions and no arithmetic: what is to be moved about is made words,
// one per channel, and words are compared with zero. The lower channels of a predicate are
// lower bits of the same flag register.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace pocm::gen {

/// -1 where a predicate is set, 0 elsewhere, in words; a scalar for a scalar.
llvm::Value *asWords(llvm::IRBuilderBase &B, llvm::Value *Predicate);
/// Set where a word is not 0.
llvm::Value *asPredicate(llvm::IRBuilderBase &B, llvm::Value *Words);
/// Channels [Start, Start + Have) of V, a predicate or a vector, and zeros behind them: `Count` in all. With AnyRest
/// what lies behind them in a vector is anything.
llvm::Value *channels(llvm::IRBuilderBase &B, llvm::Value *V, int Start, int Have, int Count, bool AnyRest = false);

/// Whether this is one instruction that takes a predicate, on every target.
bool canBeGuarded(const llvm::Instruction &I);

/// The channels that a shuffle copies to the lower ones of its result, which are false otherwise; 0 when it does
/// anything else.
unsigned widened(const llvm::ShuffleVectorInst &S);
/// Whether this is the lower channels of a predicate, which the same flag register holds.
bool isLowerChannels(const llvm::Instruction &I);

} // namespace pocm::gen
