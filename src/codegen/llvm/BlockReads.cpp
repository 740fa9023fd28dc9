//===- BlockReads.cpp - Blocks of one surface that lie at constant distances --------------------===//
//
//     %a = oword.ld(%s, ashr(%i, 4)); %b = oword.ld(%s, ashr(%i + 128, 4))
//     %c = oword.ld(%s, ashr(%i, 4) + 16)
//     ->  origin (%s, %i, shift 4), starts 0, 128 and 256, together 0 to 384
//
// Where they leave the surface they share a buffer on the stack, though offsets wrap and blocks overlap: a block that
// begins beyond the last offset lies in front of the surface then and reads zeros only, and those are what blocks read
// that lead there, as a surface ends there at the latest. That is so for buffers, of 2 GiB at most. Images may be
// larger; messages for buffers have no business there, and get either bytes of the image or zeros.
//
// Needs:    blocks as CM IR has them, before BufferAccess.cpp lowers them.
// Not done: blocks that are written.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/BlockReads.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

constexpr unsigned OwordShift = 4, OwordBytes = 1u << OwordShift;
constexpr int64_t MostBytes = 4096; ///< Of reads together: what stands for them over the end is on the stack.

/// Takes constants off a sum of 32 bits, which wraps.
int takeConstants(Value *&V) {
  uint32_t Sum = 0;
  Value *X;
  const APInt *C;
  while (match(V, m_AddLike(m_Value(X), m_APInt(C)))) {
    Sum += uint32_t(C->getZExtValue());
    V = X;
  }
  if (match(V, m_APInt(C))) {
    Sum += uint32_t(C->getZExtValue());
    V = nullptr;
  }
  return int(Sum);
}

/// The origin of a read, and how many bytes behind it the read begins.
std::optional<std::pair<BlockOrigin, int64_t>> originOf(const CallInst &Call) {
  Op Operation = operationOf(&Call);
  if (Operation != Op::OwordRead && Operation != Op::OwordReadUnaligned)
    return std::nullopt;
  BlockOrigin O{operandOf(Call, Role::Surface), operandOf(Call, Role::Offset), 0, 1, 0};
  int Behind = 0; // the shift, in bytes
  if (Operation == Op::OwordRead) {
    O.Unit = OwordBytes;
    Value *Owords = O.Base, *Bytes;
    int Some = takeConstants(Owords);
    // In front of the shift the constant wraps sooner, at an offset where no buffer is.
    if (Owords && Some >= -MostBytes && Some <= MostBytes &&
        match(Owords, m_AShr(m_Value(Bytes), m_SpecificInt(OwordShift)))) {
      O.Base = Bytes;
      O.Shift = OwordShift;
      O.Exact = cast<PossiblyExactOperator>(Owords)->isExact();
      Behind = Some * int(OwordBytes);
    }
  }
  int Constant = int(uint32_t(takeConstants(O.Base)) + uint32_t(Behind));
  if (!O.Shift)
    return std::pair(O, int64_t(Constant) * O.Unit);
  O.Rest = Constant & int(OwordBytes - 1);
  return std::pair(O, int64_t(Constant) - O.Rest);
}

/// Puts a read to the others, where they do not take too much together.
bool join(BlockReads &Reads, CallInst &Call, const BlockOrigin &Origin, int64_t Start, int64_t Bytes) {
  int64_t Low = std::min(Reads.Low, Start), High = std::max(Reads.High, Start + Bytes);
  if (Reads.Origin != Origin || High - Low > MostBytes)
    return false;
  Reads.Calls.push_back(&Call);
  Reads.Starts.push_back(Start);
  Reads.Low = Low;
  Reads.High = High;
  return true;
}

} // namespace

Value *BlockOrigin::offset(IRBuilder<> &B, int64_t Bytes) const {
  int64_t Constant = Shift ? Bytes + Rest : Bytes / Unit;
  Value *Sum = B.getInt32(uint32_t(Constant));
  if (Base)
    Sum = B.CreateAdd(Base, Sum);
  if (Exact)
    return B.CreateSExt(Sum, B.getInt64Ty());
  return B.CreateMul(B.CreateSExt(Shift ? B.CreateAShr(Sum, Shift) : Sum, B.getInt64Ty()), B.getInt64(Unit));
}

int64_t BlockOrigin::reach() const { return (int64_t(1) << 31) * (Shift ? 1 : Unit); }

std::vector<BlockReads> connectedReads(Function &F) {
  std::vector<BlockReads> All;
  for (BasicBlock &Block : F) {
    size_t Open = All.size(); // reads from here on can be joined
    for (Instruction &I : Block) {
      if (I.mayWriteToMemory()) {
        Open = All.size();
        continue;
      }
      auto *Call = dyn_cast<CallInst>(&I);
      auto Where = Call ? originOf(*Call) : std::nullopt;
      if (!Where)
        continue;
      auto [Origin, Start] = *Where;
      int64_t Bytes = int64_t(countOf(Call->getType())) * elementBytes(Call->getType());
      if (none_of(make_range(All.begin() + long(Open), All.end()),
                  [&](BlockReads &R) { return join(R, *Call, Origin, Start, Bytes); }))
        All.push_back({Origin, {Call}, {Start}, Start, Start + Bytes});
    }
  }
  erase_if(All, [](const BlockReads &R) { return R.Calls.size() < 2; });
  return All;
}

} // namespace pocm
