//===- Predicates.h - Predicates as numbers, and back -----------------------------------===//
//
// Predicates have no regions and no arithmetic: what is to be moved about is made words,
// one per channel, and words are compared with zero.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace pocm::gen {

/// -1 where a predicate is set, 0 elsewhere, in words; a scalar for a scalar.
llvm::Value *asWords(llvm::IRBuilderBase &B, llvm::Value *Predicate);
/// Set where a word is not 0.
llvm::Value *asPredicate(llvm::IRBuilderBase &B, llvm::Value *Words);
/// Channels [Start, Start + Have) of V, a predicate or a vector, and zeros behind them: `Count` in all. With AnyRest
/// what lies behind them in a vector is anything.
llvm::Value *channels(llvm::IRBuilderBase &B, llvm::Value *V, int Start, int Have, int Count, bool AnyRest = false);

} // namespace pocm::gen
