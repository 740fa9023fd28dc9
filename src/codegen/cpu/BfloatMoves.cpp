//===- BfloatMoves.cpp - What is left of bfloat16 are moves of 16 bits -----------------------===//
//
// Arithmetic on bfloat is done in float by now (passes/Bfloat.cpp); only moves have its type. The
// x86 back end without instructions for bfloat takes selections and permutations of it apart, by
// way of float, and rounds each element back in a function that kernels do not have. Words it can
// move.
//
//     select <4 x i1> %m, <4 x bfloat> %a, <4 x bfloat> %b   ->   select <4 x i1> %m, <4 x i16> %a, <4 x i16> %b
//
// Needs:   no operations on bfloat but those that move bits.
// Leaves:  bfloat as the type of arguments and of what is called, with a bitcast beside it.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

bool isBfloat(Type *T) { return T->getScalarType()->isBFloatTy(); }
Type *wordsLike(Type *T) { return vectorLike(Type::getInt16Ty(T->getContext()), T); }

/// Moves bits whatever their type is.
bool onlyMoves(const Instruction &I) {
  return isa<SelectInst, ShuffleVectorInst, InsertElementInst, ExtractElementInst, PHINode, FreezeInst, BitCastInst,
             LoadInst, StoreInst>(I);
}

/// The bits of an operand of bfloat that is no move; a value has them once, behind it.
class Words {
public:
  explicit Words(const DataLayout &Layout) : Layout(Layout) {}

  Value *of(Value *Bfloat) {
    Value *&Known = Made[Bfloat];
    if (Known)
      return Known;
    Type *T = wordsLike(Bfloat->getType());
    if (auto *C = dyn_cast<Constant>(Bfloat))
      return Known = ConstantFoldCastOperand(Instruction::BitCast, C, T, Layout);
    auto *Argument = dyn_cast<llvm::Argument>(Bfloat);
    IRBuilder<> B(Bfloat->getContext());
    B.SetInsertPoint(Argument ? Argument->getParent()->getEntryBlock().getFirstInsertionPt()
                              : *cast<Instruction>(Bfloat)->getInsertionPointAfterDef());
    return Known = B.CreateBitCast(Bfloat, T);
  }

private:
  const DataLayout &Layout;
  DenseMap<Value *, Value *> Made;
};

/// A message of masked lanes to memory, as one of words.
Value *movedAsWords(IntrinsicInst &Call) {
  auto Concerns = [](const Value *V) { return isBfloat(V->getType()); };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
    break;
  default:
    return nullptr;
  }
  if (!Concerns(&Call) && none_of(Call.args(), [&](const Use &U) { return Concerns(U); }))
    return nullptr;
  IRBuilder<> B(&Call);
  SmallVector<Value *, 4> Arguments;
  for (Value *V : Call.args())
    Arguments.push_back(Concerns(V) ? B.CreateBitCast(V, wordsLike(V->getType())) : V);
  Type *Result = Concerns(&Call) ? wordsLike(Call.getType()) : Call.getType();
  CallInst *New = B.CreateIntrinsic(Result, Call.getIntrinsicID(), Arguments);
  New->setAttributes(Call.getAttributes()); // the alignment
  return Concerns(&Call) ? B.CreateBitCast(New, Call.getType()) : New;
}

} // namespace

bool moveBfloatsAsWords(Module &M) {
  bool Changed = replaceEach<IntrinsicInst>(M, movedAsWords);
  SmallVector<Instruction *, 16> Results, Readers;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (onlyMoves(I)) {
        if (isBfloat(I.getType()))
          Results.push_back(&I);
        if (any_of(I.operands(), [](const Use &U) { return isBfloat(U->getType()); }))
          Readers.push_back(&I);
      }
  // Those that stay of bfloat read a bitcast of what becomes words.
  for (Instruction *I : Results) {
    Type *Bfloat = I->getType();
    I->mutateType(wordsLike(Bfloat));
    for (Use &U : make_early_inc_range(I->uses())) {
      auto *Reader = cast<Instruction>(U.getUser());
      if (!onlyMoves(*Reader))
        U = IRBuilder<>(Reader).CreateBitCast(I, Bfloat);
    }
    Changed = true;
  }
  Words Bits(M.getDataLayout());
  for (Instruction *I : Readers)
    for (Use &Operand : I->operands())
      if (isBfloat(Operand->getType()))
        Operand = Bits.of(Operand);
  return Changed || !Readers.empty();
}

} // namespace pocm::cpu
