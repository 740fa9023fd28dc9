//===- SystolicFunction.h - Functions that kernels call for systolic products --------------------===//
//
// A function takes products of a few matrices at a time; see SystolicFunction.cpp.
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace pocm::cpu {

/// What products that share a function have in common. Elements have 16 bits, sums are floats.
struct SystolicShape {
  bool Half; ///< Otherwise bfloat.
  unsigned Rows, Lanes;
  bool operator==(const SystolicShape &) const = default;

  /// Of a product; none: there is no function for it.
  static std::optional<SystolicShape> of(const llvm::CallInst &Dpas);
};

/// Products of one call: by each of `Rows` matrices A and each of `Columns` matrices B.
struct SystolicGrid {
  unsigned Rows, Columns;
  unsigned products() const { return Rows * Columns; }
};

/// The vector registers of a CPU, and floats in each; whether it adds two products of bfloat16 to each of those.
struct VectorRegisters {
  unsigned Lanes, Number;
  bool Bfloats;
};

/// Whether sums of all products fit into half of the registers, so that each matrix B is widened once.
bool fitRegisters(const SystolicShape &S, const SystolicGrid &G, const VectorRegisters &Has);

/// Alignment of what a function takes.
constexpr unsigned SystolicAlign = 64;

/// The function of F's module: void(pointers to the sums of each product, row by row, to the matrix B of each column,
/// to the matrix A of each row). Made when it is asked for first, for a product in the line `Where`, if it has one: to
/// who asks where time goes, it is that line.
llvm::Function &systolicFunction(llvm::Function &F, llvm::DILocation *Where, const SystolicShape &S,
                                 const SystolicGrid &G, const VectorRegisters &Has);

} // namespace pocm::cpu
