//===- BlockReads.cpp - Blocks of one surface that lie at constant distances, or in rows --------===//
//
//     %a = oword.ld(%s, ashr(%i, 4)); %b = oword.ld(%s, ashr(%i + 128, 4))
//     %c = oword.ld(%s, ashr(%i, 4) + 16)
//     ->  origin (%s, %i, shift 4), starts 0, 128 and 256, together 0 to 384
//
//     %a = oword.ld(%s, ashr(%i, 4)); %b = oword.ld(%s, ashr(%i + %w, 4)); %c = oword.ld(%s, ashr(%i + %w * 2, 4))
//     ->  origin (%s, %i, shift 4), rows 0, 1 and 2, %w apart
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
#include "codegen/llvm/Waits.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

constexpr unsigned OwordShift = 4, OwordBytes = 1u << OwordShift;
constexpr int64_t MostBytes = 4096; ///< Of reads together: what stands for them over the end is on the stack.
/// Some may lie farther apart: so much from the first byte to the last, and so much stack for all that are.
constexpr int64_t MostApart = 16384, MostStack = 65536;

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
    Value *Owords = O.Base;
    int Some = takeConstants(Owords);
    // In front of the shift the constant wraps sooner, at an offset where no buffer is.
    if (Value *Bytes = Owords && Some >= -MostBytes && Some <= MostBytes ? shiftedBy(Owords, OwordShift) : nullptr) {
      O.Base = Bytes;
      O.Shift = OwordShift;
      O.Exact = cast<PossiblyExactOperator>(Owords)->isExact();
      Behind = Some * int(OwordBytes);
    } else {
      O.Unit = OwordBytes;
      O.Fits = computeKnownBits(O.Base, Call.getDataLayout()).countMinLeadingZeros() > OwordShift;
    }
  }
  int Constant = int(uint32_t(takeConstants(O.Base)) + uint32_t(Behind));
  if (!O.Shift)
    return std::pair(O, int64_t(Constant) * O.Unit);
  O.Rest = Constant & int(OwordBytes - 1);
  return std::pair(O, int64_t(Constant) - O.Rest);
}

/// A sum of products of values and constants, and a constant, all of 32 bits, which wrap.
struct LinearSum {
  MapVector<Value *, uint32_t> Factors;
  uint32_t Constant = 0;

  void add(Value *V, uint32_t Factor, unsigned Depth = 0) {
    constexpr unsigned MostDepth = 8;
    Value *X, *Y;
    const APInt *C;
    if (Depth == MostDepth)
      Factors[V] += Factor;
    else if (match(V, m_APInt(C)))
      Constant += Factor * uint32_t(C->getZExtValue());
    else if (match(V, m_AddLike(m_Value(X), m_Value(Y))))
      add(X, Factor, Depth + 1), add(Y, Factor, Depth + 1);
    else if (match(V, m_Sub(m_Value(X), m_Value(Y))))
      add(X, Factor, Depth + 1), add(Y, -Factor, Depth + 1);
    else if (match(V, m_Mul(m_Value(X), m_APInt(C))))
      add(X, Factor * uint32_t(C->getZExtValue()), Depth + 1);
    else if (match(V, m_Shl(m_Value(X), m_APInt(C))) && C->ult(32))
      add(X, Factor << C->getZExtValue(), Depth + 1);
    else if (match(V, m_Freeze(m_Value(X)))) // whatever it is, rows are computed from one value of it
      add(X, Factor, Depth + 1);
    else
      Factors[V] += Factor;
  }
};

/// How many bytes one origin is behind another, as a constant; nothing where it is none, or they do not wrap alike.
std::optional<int64_t> constantDistance(const BlockOrigin &From, const BlockOrigin &To) {
  if (From == To)
    return 0;
  if (From.Surface != To.Surface || !From.isSum() || !To.isSum())
    return std::nullopt;
  LinearSum Sum;
  if (To.Base)
    Sum.add(To.Base, To.Unit);
  if (From.Base)
    Sum.add(From.Base, -From.Unit);
  if (any_of(Sum.Factors, [](const auto &Product) { return Product.second != 0; }))
    return std::nullopt;
  return int32_t(Sum.Constant + uint32_t(To.Rest) - uint32_t(From.Rest));
}

/// Puts a read to the others, where they do not take too much together. `Stack`: what is left for those far apart.
bool join(BlockReads &All, CallInst &Call, const BlockOrigin &Origin, int64_t Start, int64_t Bytes, int64_t &Stack) {
  const auto Behind = constantDistance(All.Origin, Origin);
  if (!Behind)
    return false;
  Start += *Behind;
  int64_t Low = std::min(All.Low, Start), High = std::max(All.High, Start + Bytes);
  auto far = [](int64_t Span) { return Span > MostBytes ? Span : 0; };
  const int64_t More = far(High - Low) - far(All.High - All.Low);
  if (High - Low > MostApart || More > Stack)
    return false;
  Stack -= More;
  if (Origin.Shift != All.Origin.Shift || Origin.Rest != All.Origin.Rest) { // no whole units behind a shift any more
    for (BlockRead &Read : All.Reads)
      Read.Start += All.Origin.Rest;
    Low += All.Origin.Rest, High += All.Origin.Rest, Start += All.Origin.Rest;
    All.Origin.Shift = 0, All.Origin.Rest = 0, All.Origin.Exact = false;
  }
  All.Reads.push_back({&Call, 0, Start});
  All.Low = Low;
  All.High = High;
  return true;
}

/// How far one origin is from another: a multiple of one value, and a constant.
struct Distance {
  Value *Step;
  int32_t Factor, Constant;
};
std::optional<Distance> distance(const BlockOrigin &From, const BlockOrigin &To) {
  if (From.Surface != To.Surface || From.Shift != To.Shift || From.Unit != To.Unit || From.Fits != To.Fits ||
      From.Rest != To.Rest || !From.Base || !To.Base)
    return std::nullopt;
  LinearSum Sum;
  Sum.add(To.Base, 1);
  Sum.add(From.Base, ~0u);
  Distance D{nullptr, 0, int32_t(Sum.Constant)};
  for (auto [V, Factor] : Sum.Factors)
    if (Factor && D.Step)
      return std::nullopt;
    else if (Factor)
      D.Step = V, D.Factor = int32_t(Factor);
  if (!D.Step || (From.Shift && D.Constant % int32_t(OwordBytes)) || std::abs(int64_t(D.Constant)) > MostBytes)
    return std::nullopt;
  return D;
}

/// Whether a value is there where an instruction is.
bool isThere(const Value *V, const Instruction *Where) {
  auto *I = dyn_cast<Instruction>(V);
  return !I || I->getParent() != Where->getParent() || I->comesBefore(Where);
}

/// Intervals of one surface that are in rows become rows of one; those are null afterwards.
void joinRows(MutableArrayRef<std::optional<BlockReads>> Intervals) {
  constexpr size_t LeastRows = 3; // two checks are as many as two rows have
  constexpr int64_t MostRows = 64;
  for (std::optional<BlockReads> &First : Intervals) {
    if (!First)
      continue;
    struct Row {
      std::optional<BlockReads> *Interval;
      Distance From;
    };
    SmallVector<Row, 16> Others;
    for (std::optional<BlockReads> &Other : make_range(&First + 1, Intervals.end()))
      if (auto D = Other ? distance(First->Origin, Other->Origin) : std::nullopt;
          D && isThere(D->Step, First->first()) && (Others.empty() || D->Step == Others[0].From.Step))
        Others.push_back({&Other, *D});
    if (Others.size() + 1 < LeastRows)
      continue;
    BlockReads All = *First;
    All.Step = Others[0].From.Step;
    for (const Row &R : Others)
      All.Scale = int32_t(std::gcd(int64_t(All.Scale), int64_t(R.From.Factor)));
    for (const Row &R : Others) {
      const int64_t Number = R.From.Factor / All.Scale,
                    Behind = int64_t(R.From.Constant) * (All.Origin.Shift ? 1 : All.Origin.Unit);
      for (const BlockRead &Read : (*R.Interval)->Reads)
        All.Reads.push_back({Read.Call, Number, Read.Start + Behind});
      All.Low = std::min(All.Low, (*R.Interval)->Low + Behind);
      All.High = std::max(All.High, (*R.Interval)->High + Behind);
      All.FirstRow = std::min(All.FirstRow, Number);
      All.LastRow = std::max(All.LastRow, Number);
      All.Origin.Exact &= (*R.Interval)->Origin.Exact;
    }
    if (All.rows() > MostRows || All.rows() * All.bytesOfRow() > MostBytes)
      continue;
    for (const Row &R : Others)
      R.Interval->reset();
    First = std::move(All);
  }
}

} // namespace

Value *wholeUnits(IRBuilder<> &B, Value *Bytes, unsigned Shift, bool Exact) {
  return Exact ? Bytes : B.CreateAnd(Bytes, B.getInt32(~0u << Shift));
}

Value *shiftedBy(Value *V, unsigned Shift) {
  Value *Bytes;
  if (match(V, m_AShr(m_Value(Bytes), m_SpecificInt(Shift))))
    return Bytes;
  if (match(V, m_LShr(m_Value(Bytes), m_SpecificInt(Shift))) &&
      isKnownNonNegative(Bytes, cast<Instruction>(V)->getDataLayout()))
    return Bytes;
  return nullptr;
}

Value *BlockOrigin::offset(IRBuilder<> &B, int64_t Bytes, Value *More) const {
  Value *Sum = Base;
  auto add = [&](Value *V) { Sum = Sum ? B.CreateAdd(Sum, V) : V; };
  const int64_t Constant = Shift ? Bytes + Rest : Fits ? Bytes : Bytes / Unit;
  if (More && Fits)
    add(More);
  if (Sum && Fits)
    Sum = B.CreateMul(Sum, B.getInt32(Unit));
  add(B.getInt32(uint32_t(Constant)));
  if (More && !Fits)
    add(More);
  if (Shift || Fits)
    return B.CreateSExt(wholeUnits(B, Sum, Shift, Exact || Fits), B.getInt64Ty());
  return B.CreateMul(B.CreateSExt(Sum, B.getInt64Ty()), B.getInt64(Unit));
}

Value *BlockOrigin::unrounded(IRBuilder<> &B, int64_t Bytes) const {
  BlockOrigin Same = *this;
  Same.Exact = true;
  return Same.offset(B, Bytes);
}

int64_t BlockOrigin::reach() const { return (int64_t(1) << 31) * (isSum() ? 1 : Unit); }

/// Whether threads wait in a function, and keep there what is on their stacks.
static bool threadsWait(Function &F) { return any_of(instructions(F), isWait); }

std::vector<BlockReads> connectedReads(Function &F) {
  std::vector<BlockReads> All;
  int64_t Stack = threadsWait(F) ? 0 : MostStack;
  for (BasicBlock &Block : F) {
    std::vector<std::optional<BlockReads>> Open; // intervals between which nothing is written
    auto Close = [&] {
      joinRows(Open);
      for (std::optional<BlockReads> &R : Open)
        if (R && R->Reads.size() > 1)
          All.push_back(std::move(*R));
      Open.clear();
    };
    for (Instruction &I : Block) {
      if (changesMemory(I))
        Close();
      auto *Call = dyn_cast<CallInst>(&I);
      auto Where = Call ? originOf(*Call) : std::nullopt;
      if (!Where)
        continue;
      auto [Origin, Start] = *Where;
      int64_t Bytes = int64_t(countOf(Call->getType())) * elementBytes(Call->getType());
      if (none_of(Open, [&](std::optional<BlockReads> &R) { return join(*R, *Call, Origin, Start, Bytes, Stack); }))
        Open.push_back(BlockReads{Origin, {{Call, 0, Start}}, Start, Start + Bytes});
    }
    Close();
  }
  return All;
}

} // namespace pocm
