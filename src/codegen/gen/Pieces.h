//===- Pieces.h - Moves that the finalizer takes apart --------------------------------------===//
//
//     asr (M1, 4) V1(0,1)<2> ...
//     asr (M1, 4) V1(1,1)<2> ...
//     mov (M1, 8) V2(0,0)<1> V1(0,1)<2;1,0>     ->   or (M1, 8) V2(0,0)<1> V1(0,1)<2;1,0> 0:w
//
// Where a move brings together what several instructions of the block wrote, all of them between the first and the last
// element that it moves, the finalizer lets these write to where the elements go at once: but with the distance between
// elements that they had, and the elements that are not moved as well. The emitter prints such copies as what is no
// move; the second reader refuses the others by itself. ->VisaTraps.h
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Bales.h"
#include "codegen/gen/Variables.h"

namespace pocm::gen {

/// Whether the finalizer would take a move of these elements apart wrongly, in that block.
bool isTakenApart(const Source &From, int Count, const llvm::BasicBlock &Block, const Variables &Registers);

} // namespace pocm::gen
