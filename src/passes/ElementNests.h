//===- ElementNests.h - Loops around loops over elements -------------------------------===//
//
//     for (int len = 2; len <= 16; len *= 2)      one after another: unrolled
//       for (int i = 0; i < 16; i += len)
//         for (int k = 0; k < len / 2; ++k)       inside a loop over elements: unrolled where that is short
//
//     for (int j = 0; j < 800; ++j)         ->    for (int n = 0; n < 25; ++n)
//       ..                                          for (int j = n * 32; j < n * 32 + 32; ++j)
//                                                     ..
//
// What is done to them before the elements are vectors (VectorizeElements.cpp).
//
//===------------------------------------------------------------------------------------===//
#pragma once

#include "ir/LoopAnalyses.h"

namespace pocm {

constexpr unsigned LeastIterations = 4, MostIterations = 256; ///< Of a loop that becomes vectors.

/// Whether a loop is inside one over elements, or inside others of few iterations that are: then that one may be all
/// vectors, once these are unrolled.
bool isInsideElements(const llvm::Loop &L, llvm::ScalarEvolution &SE);
/// Whether a loop has some inside whose number of iterations is known when that of this one is: its counter is none
/// that is added to, as that over the lengths of a Fourier transform.
bool decidesNumbers(const llvm::Loop &L, llvm::ScalarEvolution &SE);
/// What is read behind a loop, or one around it, goes through a phi there (LCSSA): it may get another value then.
void closeLoop(llvm::Loop &L, LoopAnalyses &Now);
/// Unrolls a loop whose number of iterations is known; false when it cannot be.
bool unroll(llvm::Loop &L, LoopAnalyses &Now);

/// Makes a loop of `Times` iterations, which has no others inside, a loop of loops of `Part` iterations.
void cutLoop(llvm::Loop &L, llvm::ScalarEvolution &SE, unsigned Times, unsigned Part);

/// Values that come out of a loop inside as they went in are not values of it: counters are seen to be some again.
bool foldPhis(llvm::Function &F);

} // namespace pocm
