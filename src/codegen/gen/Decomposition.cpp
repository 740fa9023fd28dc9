//===- Decomposition.cpp - Vectors that fall into pieces ----------------------------------===//
//
//     %w0 = wrregion(undef, %a, 0..15)
//     %w1 = wrregion(%w0, %b, 16..31)
//     %r0 = rdregion(%w1, 0..15)             ->   %a
//     %r1 = rdregion(%w1, 16..31)            ->   %b
//
// Why:      a vector occupies its registers from the first piece written to the last one
//           read; a piece only while it is needed.
// Needs:    legal bales (gen-legalization).
// Leaves:   vectors of which any use needs more than one piece whole.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// The piece that each element of a chain of writes comes from.
struct Chain {
  SmallVector<RegionWrite, 16> Writes;
  SmallVector<int, 64> WriteOf, ElementOf; // per element: which write, which element of its value
};

/// The writes that make up `Last` from nothing, when nobody sees the steps between.
std::optional<Chain> chainTo(CallInst &Last) {
  Chain C;
  int Count = countOf(Last.getType());
  C.WriteOf.assign(size_t(Count), -1);
  C.ElementOf.assign(size_t(Count), -1);
  Value *V = &Last;
  while (auto W = RegionWrite::match(V)) {
    if (!W->Where.isConstant() || (V != &Last && !V->hasOneUse()))
      return std::nullopt;
    for (int K = 0; K < W->count(); ++K) {
      int At = W->Where.element(K);
      if (At < 0 || At >= Count)
        return std::nullopt;
      if (C.WriteOf[size_t(At)] < 0) { // a later write wins
        C.WriteOf[size_t(At)] = int(C.Writes.size());
        C.ElementOf[size_t(At)] = K;
      }
    }
    C.Writes.push_back(*W);
    V = W->old();
  }
  if (!isa<UndefValue>(V) || C.Writes.empty())
    return std::nullopt;
  return C;
}

/// What a read of the chain reads of one piece; none when it needs several.
std::optional<std::pair<Value *, Region>> pieceOf(const Chain &C, const RegionRead &R) {
  if (!R.Where.isConstant())
    return std::nullopt;
  SmallVector<int, 32> Elements;
  int Write = -1;
  for (int K = 0; K < R.count(); ++K) {
    int At = R.Where.element(K);
    if (At < 0 || At >= int(C.WriteOf.size()) || C.WriteOf[size_t(At)] < 0 || (K && C.WriteOf[size_t(At)] != Write))
      return std::nullopt;
    Write = C.WriteOf[size_t(At)];
    Elements.push_back(C.ElementOf[size_t(At)]);
  }
  auto Where = Region::through(Elements);
  auto *Known = dyn_cast<Constant>(C.Writes[size_t(Write)].value());
  if (!Where || (Known && Known->getType()->isVectorTy() && !Known->getSplatValue())) // only a register can be that
    return std::nullopt;
  return std::pair{C.Writes[size_t(Write)].value(), *Where};
}

bool takeApart(CallInst &Last) {
  auto C = chainTo(Last);
  if (!C || Last.use_empty())
    return false;
  SmallVector<std::pair<RegionRead, std::pair<Value *, Region>>, 16> Reads;
  for (User *U : Last.users()) {
    auto R = RegionRead::match(U);
    auto Part = R && R->source() == &Last ? pieceOf(*C, *R) : std::nullopt;
    if (!Part)
      return false;
    Reads.push_back({*R, *Part});
  }
  for (auto &[Read, Part] : Reads) {
    auto &[Value, Where] = Part;
    IRBuilder<> B(Read.Call);
    Type *Wanted = Read.Call->getType();
    llvm::Value *New = Value;
    if (auto *Known = dyn_cast<Constant>(Value)) { // one number, see pieceOf
      Constant *One = Known->getType()->isVectorTy() ? Known->getSplatValue() : Known;
      auto *T = dyn_cast<FixedVectorType>(Wanted);
      New = T ? ConstantVector::getSplat(T->getElementCount(), One) : One;
    } else if (Value->getType() != Wanted || (Wanted->isVectorTy() && !Where.isIdentity(Read.count()))) {
      if (!New->getType()->isVectorTy())
        New = B.CreateBitCast(New, FixedVectorType::get(New->getType(), 1));
      if (New->getType() != Wanted || !Where.isIdentity(Read.count()))
        New = RegionRead::create(B, Wanted, New, Where);
    }
    Read.Call->replaceAllUsesWith(New);
    Read.Call->eraseFromParent();
  }
  for (RegionWrite &W : C->Writes)
    W.Call->eraseFromParent();
  return true;
}

} // namespace

/// Operations on what turned out to be one number become that number.
static void foldNumbers(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (Constant *Known = ConstantFoldInstruction(&I, F.getDataLayout());
        Known && (!Known->getType()->isVectorTy() || Known->getSplatValue())) {
      I.replaceAllUsesWith(Known);
      I.eraseFromParent();
    }
}

bool decompose(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<CallInst *, 32> Ends;
    for (Instruction &I : instructions(F))
      if (RegionWrite::match(&I) && !(I.hasOneUse() && RegionWrite::match(*I.user_begin()) &&
                                      cast<CallInst>(*I.user_begin())->getArgOperand(0) == &I))
        Ends.push_back(cast<CallInst>(&I));
    for (CallInst *End : Ends)
      Changed |= takeApart(*End);
    foldNumbers(F);
  }
  return Changed;
}

} // namespace pocm::gen
