//===- Operands.h - Operands of operations by what they mean ---------------------------------===//
//
//     llvm.genx.oword.st(i32 %surface, i32 %offset, <8 x i32> %data)
//     operandOf(Call, Role::Data)   ->   %data
//
// Which operand means what, and what types they have, is said once, in Intrinsics.def. Nothing outside of ir/ knows an
// operand's number.
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Intrinsics.h"
#include <array>
#include <optional>

namespace pocm {

enum class Role : unsigned char {
#define ROLE(name) name,
#include "ir/Roles.def"
};

/// The type of an operand or of a result. Lanes are counted by those of the first operand that has an element for each.
enum class Shape : unsigned char {
  Void,
  I1,
  I8,
  I16,
  I32,
  I64,
  Owords,     ///< An i32 that counts owords.
  AtDword,    ///< An i32 that counts bytes, to where a dword is.
  Index,      ///< An integer.
  Pointer,    ///< To any address space.
  Any,        ///< A number or a vector of numbers.
  Offsets,    ///< An integer, or a vector of as many as the result or the data has elements.
  Flags,      ///< An i1, or as many as the data has elements.
  Result,     ///< As the result, or as the first operand where there is none.
  LaneFlag,   ///< An i1 for each lane.
  LaneDword,  ///< An i32 for each lane.
  LaneQword,  ///< An i64 for each lane.
  LaneFloat,  ///< A float for each lane.
  LaneNumber, ///< A number for each lane.
  LaneValues, ///< One or several numbers for each lane, that of the first lane's first.
};

struct OperandInfo {
  Role What;
  Shape Type;
};

/// An operation's operands, in their order.
llvm::ArrayRef<OperandInfo> operandsOf(Op Operation);
Shape resultOf(Op Operation);

bool has(Op Operation, Role What);
/// The number of an operand that the operation has.
unsigned indexOf(Op Operation, Role What);
/// An operand of a call of an operation that has it.
llvm::Value *operandOf(const llvm::CallBase &Call, Role What);
void setOperand(llvm::CallBase &Call, Role What, llvm::Value *New);

/// What of an access goes along with its lanes: the data of one that writes, of others what stays in lanes that are
/// off.
Role valueRole(Op Operation);
/// The sources of an atomic, the first or the second.
llvm::Value *sourceOf(const llvm::CallBase &Call, unsigned K);

/// The operands that have an element for each lane, but for one that has the several values of a lane.
llvm::SmallVector<unsigned, 6> laneOperands(Op Operation);

/// What is written by an operation, or what it returns: the type of the data that it moves.
llvm::Type *dataTypeOf(const llvm::CallBase &Call);

/// Why the operands and the result of a call of an operation are not those that Intrinsics.def gives it; empty when
/// they are. Numbers of messages are not looked at.
std::string wrongOperands(const llvm::CallBase &Call);

/// The shape of a region in memory (MemoryRead, MemoryWrite), where it is constant: from row to row in bytes, the width
/// and from column to column in elements.
struct MemoryShape {
  std::int64_t RowStride, Width, Stride;
};
std::optional<MemoryShape> constantShapeOf(const llvm::CallBase &Call);

// Calls that are no operations of ours: of functions of LLVM's, and of builtins of headers.

/// x and y of f(x) and f(x, y).
inline llvm::Value *firstArgument(const llvm::CallBase &Call) { return Call.getArgOperand(0); }
inline llvm::Value *secondArgument(const llvm::CallBase &Call) { return Call.getArgOperand(1); }
inline void setFirstArgument(llvm::CallBase &Call, llvm::Value *New) { Call.setArgOperand(0, New); }
/// The first N.
template <std::size_t N> std::array<llvm::Value *, N> argumentsOf(const llvm::CallBase &Call) {
  assert(Call.arg_size() >= N);
  std::array<llvm::Value *, N> All;
  for (std::size_t K = 0; K < N; ++K)
    All[K] = Call.getArgOperand(unsigned(K));
  return All;
}

} // namespace pocm
