//===- Advice.cpp - What costs time in a kernel's loops, by lines of the source ---------===//
//
//     for (...) { read(in, 0, at, v); }      at = {n, n + 1, n + 2, ...}
//         k.cpp:7: a gather in a loop whose elements lie side by side; a block, read(surface, offset, v), is one load
//
// For `--report` and -Rcm; does nothing while nobody listens. Loops are those that are left after unrolling. Which
// objects live in memory InPlace.cpp says itself.
//
// Needs:    operations as the source has them, with lines.
// Leaves:   everything as it was; remarks.
//
//===------------------------------------------------------------------------------------===//
#include "codegen/cpu/Advice.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Remarks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

std::optional<std::int64_t> stepOfConstant(const Constant &C) {
  auto Element = [&](unsigned K) { return dyn_cast_or_null<ConstantInt>(C.getAggregateElement(K)); };
  const unsigned Count = unsigned(countOf(C.getType()));
  if (Count < 2 || !Element(0) || !Element(1))
    return std::nullopt;
  const std::int64_t Step = Element(1)->getSExtValue() - Element(0)->getSExtValue();
  for (unsigned K = 2; K < Count; ++K)
    if (!Element(K) || Element(K)->getSExtValue() - Element(K - 1)->getSExtValue() != Step)
      return std::nullopt;
  return Step;
}

/// From one element of a vector of numbers to the next, where it is the same everywhere.
std::optional<std::int64_t> stepOf(Value *V, unsigned Depth = 8) {
  if (getSplatValue(V))
    return 0;
  if (auto *C = dyn_cast<Constant>(V))
    return stepOfConstant(*C);
  Value *A, *B;
  const APInt *Number;
  if (!Depth--)
    return std::nullopt;
  auto Both = [&](auto Combine) -> std::optional<std::int64_t> {
    auto First = stepOf(A, Depth), Second = stepOf(B, Depth);
    return First && Second ? std::optional(Combine(*First, *Second)) : std::nullopt;
  };
  if (match(V, m_AddLike(m_Value(A), m_Value(B))))
    return Both(std::plus<std::int64_t>());
  if (match(V, m_Sub(m_Value(A), m_Value(B))))
    return Both(std::minus<std::int64_t>());
  auto Scaled = [&](std::int64_t Factor) {
    auto Step = stepOf(A, Depth);
    return Step ? std::optional(*Step * Factor) : std::nullopt;
  };
  if (match(V, m_Mul(m_Value(A), m_APInt(Number))))
    return Scaled(Number->getSExtValue());
  if (match(V, m_Shl(m_Value(A), m_APInt(Number))) && Number->ult(32))
    return Scaled(std::int64_t(1) << Number->getZExtValue());
  if (match(V, m_ZExtOrSExt(m_Value(A))))
    return Scaled(1);
  return std::nullopt;
}

/// How much a number grows from one run of a loop to the next, where it always is the same.
std::optional<std::int64_t> growthOf(Value *V, const Loop &Around, unsigned Depth = 12) {
  if (Around.isLoopInvariant(V))
    return 0;
  if (!Depth--)
    return std::nullopt;
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    const APInt *Step;
    BasicBlock *Latch = Around.getLoopLatch();
    if (!Latch || Phi->getParent() != Around.getHeader() ||
        !match(Phi->getIncomingValueForBlock(Latch), m_AddLike(m_Specific(Phi), m_APInt(Step))))
      return std::nullopt;
    return Step->getSExtValue();
  }
  Value *A, *B;
  const APInt *Number;
  auto One = [&](auto Change) -> std::optional<std::int64_t> {
    auto Growth = growthOf(A, Around, Depth);
    return Growth ? Change(*Growth) : std::nullopt;
  };
  auto Scaled = [&](std::int64_t Factor) {
    return One([&](std::int64_t Growth) { return std::optional(Growth * Factor); });
  };
  if (match(V, m_AddLike(m_Value(A), m_Value(B))) || match(V, m_Sub(m_Value(A), m_Value(B)))) {
    auto First = growthOf(A, Around, Depth), Second = growthOf(B, Around, Depth);
    const std::int64_t Sign = cast<Instruction>(V)->getOpcode() == Instruction::Sub ? -1 : 1;
    return First && Second ? std::optional(*First + Sign * *Second) : std::nullopt;
  }
  if (match(V, m_Mul(m_Value(A), m_APInt(Number))))
    return Scaled(Number->getSExtValue());
  if (match(V, m_Shl(m_Value(A), m_APInt(Number))) && Number->ult(32))
    return Scaled(std::int64_t(1) << Number->getZExtValue());
  if (match(V, m_Shr(m_Value(A), m_APInt(Number))) && Number->ult(32))
    return One([&](std::int64_t Growth) {
      const std::int64_t Unit = std::int64_t(1) << Number->getZExtValue();
      return Growth % Unit ? std::nullopt : std::optional(Growth / Unit);
    });
  if (match(V, m_ZExtOrSExt(m_Value(A))) || match(V, m_Trunc(m_Value(A))))
    return Scaled(1);
  return std::nullopt;
}

class Adviser {
public:
  Adviser(Function &F, bool FlushesHalves) : F(F), FlushesHalves(FlushesHalves), Dominators(F), Loops(Dominators) {}

  void run() {
    for (BasicBlock &Block : F)
      if (const Loop *Around = Loops.getLoopFor(&Block))
        for (Instruction &I : Block)
          division(I, *Around), scattered(I), partialBlock(I), crossingBlock(I, *Around), inDouble(I), flushed(I);
  }

private:
  Function &F;
  const bool FlushesHalves;
  bool SaysFlushes = false; ///< For one line: the others are alike.
  DominatorTree Dominators;
  LoopInfo Loops;

  static void division(const Instruction &I, const Loop &Around) {
    if (I.getOpcode() == Instruction::FDiv) {
      Value *Divisor = I.getOperand(1);
      if (!isa<Constant>(Divisor) && Around.isLoopInvariant(Divisor))
        remark(I, [] {
          return std::string("a division in a loop by what stays the same; multiply by its reciprocal, computed before "
                             "the loop, where the last bit may differ");
        });
      return;
    }
    if (I.isIntDivRem() && !isa<Constant>(I.getOperand(1)))
      remark(I, [&] {
        const int Count = countOf(I.getType());
        return "a division of " + (Count > 1 ? std::to_string(Count) + " integers" : std::string("an integer")) +
               " in a loop; divide by a constant, or shift where the divisor is a power of 2";
      });
  }

  /// Gathers and scatters of elements that lie side by side.
  static void scattered(const Instruction &I) {
    const Op Operation = operationOf(&I);
    const bool Reads = is_contained({Op::Gather, Op::SvmGather}, Operation);
    if (!Reads && !is_contained({Op::Scatter, Op::SvmScatter}, Operation))
      return;
    auto &Call = cast<CallInst>(I);
    Value *Places = operandOf(Call, Role::Places);
    const int Lanes = countOf(Places->getType());
    auto Step = Lanes > 1 ? stepOf(Places) : std::nullopt;
    if (!Step)
      return;
    std::int64_t Bytes = 0;
    if (has(Operation, Role::Log2Bytes)) {
      auto *Size = dyn_cast<ConstantInt>(operandOf(Call, Role::Log2Bytes));
      auto *Scale = dyn_cast<ConstantInt>(operandOf(Call, Role::Log2Scale));
      if (!Size || !Scale || Scale->getZExtValue() > 8)
        return;
      Bytes = std::int64_t(1) << (Size->getZExtValue() & 7);
      *Step *= std::int64_t(1) << Scale->getZExtValue();
    } else {
      Type *Data = dataTypeOf(Call);
      Bytes = countOf(Data) / Lanes * elementBytes(Data);
    }
    constexpr std::int64_t LeastBlock = 16;
    if (*Step == Bytes && Lanes * Bytes >= LeastBlock)
      remark(I, [&] {
        const std::string Block = !has(Operation, Role::Surface) ? Reads ? "cm_svm_block_read" : "cm_svm_block_write"
                                  : Reads
                                      ? "read(surface, offset, v), or read(DWALIGNED(surface), offset, v) where the "
                                        "offset is no multiple of 16,"
                                      : "write(surface, offset, v)";
        return std::string(Reads ? "a gather" : "a scatter") + " in a loop whose elements lie side by side; " + Block +
               " moves them as a block";
      });
  }

  /// Blocks of buffers that lie in two lines of the cache where one would do.
  static void crossingBlock(const Instruction &I, const Loop &Around) {
    auto Info = messageOf(operationOf(&I));
    if (!Info || Info->Is != MessageInfo::Form::Block || Info->IsLsc || Info->Of == MessageInfo::Memory::Frame ||
        Info->Does == MessageInfo::Action::Prefetch)
      return;
    auto &Call = cast<CallInst>(I);
    Value *Offset = operandOf(Call, Info->Of == MessageInfo::Memory::Address ? Role::Address : Role::Offset);
    Type *Data = dataTypeOf(Call);
    constexpr std::uint64_t Line = 64;
    const std::uint64_t Bytes = std::uint64_t(countOf(Data)) * std::uint64_t(elementBytes(Data));
    const std::uint64_t Wanted = std::min(PowerOf2Ceil(Bytes), Line), Unit = std::max(1, int(Info->Unit));
    auto Growth = growthOf(Offset, Around);
    if (!Growth || !*Growth)
      return;
    const std::uint64_t Apart = std::uint64_t(std::abs(*Growth)) * Unit;
    const KnownBits Known = computeKnownBits(Offset, I.getDataLayout());
    const bool Odd = ((Known.One.getLoBits(32) & (Wanted - 1)).getZExtValue() * Unit) % Wanted;
    if (Apart % Wanted || Odd)
      remark(I, [&] {
        return "a block of " + std::to_string(Bytes) + " bytes in a loop, at offsets that are no multiples of " +
               std::to_string(Wanted) + ", " + std::to_string(Apart) +
               " apart: it often lies in two lines of the cache; rows of a multiple of " + std::to_string(Wanted) +
               " bytes and blocks that begin with them are in one";
      });
  }

  /// Whether a value in double comes of numbers of smaller types and of constants.
  static bool isOfConstants(Value *V, bool &Constants, unsigned Depth = 6) {
    const APFloat *Number;
    if (match(V, m_APFloat(Number)))
      return Constants = true;
    if (match(V, m_FPExt(m_Value())))
      return true;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Depth ||
        !(isa<BinaryOperator>(I) || match(I, m_FNeg(m_Value())) ||
          (isa<IntrinsicInst>(I) && cast<IntrinsicInst>(I)->getIntrinsicID() == Intrinsic::fma)))
      return false;
    return all_of(isa<CallBase>(I) ? cast<CallBase>(I)->args() : I->operands(),
                  [&](Value *Operand) { return isOfConstants(Operand, Constants, Depth - 1); });
  }

  /// Floats that are computed in double because of a constant.
  static void inDouble(const Instruction &I) {
    bool Constants = false;
    if (isa<FPTruncInst>(I) && I.getOperand(0)->getType()->getScalarType()->isDoubleTy() && I.getType()->isVectorTy() &&
        isOfConstants(I.getOperand(0), Constants) && Constants)
      remark(I, [&] {
        return std::to_string(countOf(I.getType())) + " numbers in a loop are computed in double, as a constant is "
                                                      "one; with f behind it, as in 0.5f, they stay "
                                                      "as they are, which takes a fraction of the time";
      });
  }

  /// Arithmetic of halves whose denormals count as zero.
  void flushed(const Instruction &I) {
    if (!FlushesHalves || SaysFlushes || !isa<BinaryOperator>(I) || !I.getType()->getScalarType()->isHalfTy() ||
        !I.getType()->isVectorTy())
      return;
    SaysFlushes = true;
    remark(I, [] {
      return std::string(
          "arithmetic of halves in a loop, whose denormals are made zero by two or three instructions for "
          "each operand and result; _GENX_FLOAT_CONTROL_(CM_DENORM_HF_ALLOW) keeps them, and floats need "
          "none");
    });
  }

  /// Rows of media blocks that fill no load or store.
  static void partialBlock(const Instruction &I) {
    const Op Operation = operationOf(&I);
    if (!is_contained({Op::MediaRead, Op::MediaWrite}, Operation))
      return;
    auto &Call = cast<CallInst>(I);
    auto *Width = dyn_cast<ConstantInt>(operandOf(Call, Role::Width));
    Type *Data = dataTypeOf(Call);
    const std::uint64_t Bytes = Width ? Width->getZExtValue() : 0, All = unsigned(countOf(Data) * elementBytes(Data));
    if (Bytes && !isPowerOf2_64(Bytes) && All > Bytes)
      remark(I, [&] {
        return "a block with rows of " + std::to_string(Bytes) +
               " bytes in a loop, each in several pieces; rows of 4, 8, 16, 32 or 64 bytes are one each";
      });
  }
};

} // namespace

void advise(Function &F, bool FlushesHalves) {
  if (remarksWanted(F.getContext()))
    Adviser(F, FlushesHalves).run();
}

} // namespace pocm::cpu
