//===- SystolicCalls.cpp - Many systolic products share their code -----------------------------===//
//
// A product of 8 rows and 16 steps is 128 multiply-adds. A kernel whose loop has dozens of them, as one of attention
// has, would be more code than a CPU holds near its decoders, and would wait for code. Such products are calls:
//
//     %d = dpas2(%c, %b, %a, ..)    ->    %0 = %c, %1 = %b, %2 = %a;  call @pocm.systolic.f16.8x8.1x1(%0, %1, %2)
//                                         %d = %0
//
// Those that take the same a, the same b, or as a square two of each, are one call: sums of more rows, or columns,
// which do not wait for each other. (Those that add to each other's sums were tried as one call, too: nothing was
// gained.)
//
// Needs:    elements of 16 bits, sums in float, multiply-adds; in front of what expands products in place.
// Leaves:   products of loops with few of them, which are faster in place.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/SystolicFunction.h"
#include "codegen/llvm/Lowering.h"
#include "ir/Operands.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// So many products of a loop are more code than is decoded at once. Those of whole registers take little enough in
/// place to be better off there for longer.
unsigned manyOf(const SystolicShape &S, const VectorRegisters &Has) { return S.Lanes == Has.Lanes ? 20 : 12; }

/// So many products are looked at for those that go with one.
constexpr std::size_t Window = 8;

using Products = SmallVector<CallInst *, 32>;

void sortByPlace(Products &Calls) {
  sort(Calls, [](const CallInst *One, const CallInst *Other) { return One->comesBefore(Other); });
}

bool share(Role What, const CallInst *One, const CallInst *Other) {
  return operandOf(*One, What) == operandOf(*Other, What);
}

class SystolicCalls {
public:
  SystolicCalls(Function &F, const SystolicShape &S, const VectorRegisters &Has)
      : F(F), S(S), Has(Has), AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin()) {}

  /// Products of a block.
  void replace(Products Calls) {
    while (!Calls.empty()) {
      sortByPlace(Calls);
      auto [Taken, G] = together(Calls);
      erase_if(Calls, [&](CallInst *Call) { return is_contained(Taken, Call); });
      replace(Taken, G);
    }
  }

private:
  /// Whether one call may take these; whatever uses their sums is behind the last of them then.
  bool fit(Products Calls, const SystolicGrid &G) const {
    if (!fitRegisters(S, G, Has))
      return false;
    sortByPlace(Calls);
    return moveUsersBehind(Calls);
  }

  /// The first of these and those that one call takes with it, row by row.
  std::pair<Products, SystolicGrid> together(ArrayRef<CallInst *> Calls) const {
    CallInst *First = Calls.front();
    const ArrayRef<CallInst *> Others = Calls.drop_front().take_front(Window);
    auto find = [&](auto Fits) {
      auto It = find_if(Others, Fits);
      return It == Others.end() ? nullptr : *It;
    };
    CallInst *OfRow = find([&](CallInst *Call) { return share(Role::MatrixA, Call, First); });
    CallInst *OfColumn = find([&](CallInst *Call) { return share(Role::MatrixB, Call, First); });
    if (OfRow && OfColumn && OfRow != OfColumn)
      if (CallInst *Fourth = find([&](CallInst *Call) {
            return Call != OfRow && Call != OfColumn && share(Role::MatrixA, Call, OfColumn) &&
                   share(Role::MatrixB, Call, OfRow); // one that adds to another sum may take both as well
          }))
        if (Products Square{First, OfRow, OfColumn, Fourth}; fit(Square, {2, 2}))
          return {Square, {2, 2}};
    for (CallInst *Other : Others) {
      const bool Row = share(Role::MatrixA, Other, First);
      const SystolicGrid G = Row ? SystolicGrid{1, 2} : SystolicGrid{2, 1};
      if (Products Pair{First, Other}; (Row || share(Role::MatrixB, Other, First)) && fit(Pair, G))
        return {Pair, G};
    }
    return {{First}, {1, 1}};
  }

  void replace(const Products &Calls, const SystolicGrid &G) {
    Products InOrder = Calls;
    sortByPlace(InOrder);
    B.SetInsertPoint(InOrder.back());
    SmallVector<AllocaInst *, 8> Places;
    for (CallInst *Call : Calls)
      Places.push_back(inMemory(operandOf(*Call, Role::Accumulator)));
    for (unsigned C = 0; C < G.Columns; ++C)
      Places.push_back(inMemory(operandOf(*Calls[C], Role::MatrixB)));
    for (unsigned R = 0; R < G.Rows; ++R)
      Places.push_back(inMemory(operandOf(*Calls[R * G.Columns], Role::MatrixA)));
    const SmallVector<Value *, 8> Operands(Places.begin(), Places.end());
    B.CreateCall(&systolicFunction(F, B.getCurrentDebugLocation(), S, G, Has), Operands)->setDoesNotThrow();
    for (auto [Call, Place] : zip(Calls, Places))
      Call->replaceAllUsesWith(B.CreateAlignedLoad(Call->getType(), Place, Place->getAlign()));
    for (AllocaInst *Place : Places)
      B.CreateLifetimeEnd(Place);
    for (CallInst *Call : Calls)
      Call->eraseFromParent();
  }

  /// A value where the function finds it.
  AllocaInst *inMemory(Value *V) {
    AllocaInst *Place = AtEntry.CreateAlloca(V->getType());
    Place->setAlignment(Align(SystolicAlign));
    B.CreateLifetimeStart(Place);
    B.CreateAlignedStore(V, Place, Place->getAlign());
    return Place;
  }

  Function &F;
  SystolicShape S;
  VectorRegisters Has;
  IRBuilder<> AtEntry;
  IRBuilder<> B{F.getContext()};
};

} // namespace

bool shareSystolicCode(Function &F, const DpasFeatures &Features) {
  const VectorRegisters Has{Features.PairBits / 32, Features.Registers, Features.Bfloats};
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  struct Alike { // of a loop
    SystolicShape S;
    const Loop *In;
    Products Calls;
  };
  std::vector<Alike> All;
  for (Instruction &I : instructions(F))
    if (CallInst *Call = asOperation(&I, Op::Dpas))
      if (std::optional<SystolicShape> S = SystolicShape::of(*Call)) {
        const Loop *In = Loops.getLoopFor(I.getParent());
        auto It = find_if(All, [&](const Alike &A) { return A.S == *S && A.In == In; });
        if (It == All.end())
          It = All.insert(It, {*S, In, {}});
        It->Calls.push_back(Call);
      }
  bool Changed = false;
  for (const auto &[S, In, Alike] : All) {
    if (Alike.size() < manyOf(S, Has))
      continue;
    SystolicCalls Calls(F, S, Has);
    for (ArrayRef<CallInst *> Left = Alike; !Left.empty();) {
      const BasicBlock *Block = Left.front()->getParent();
      const ArrayRef<CallInst *> OfBlock = Left.take_while([&](CallInst *Call) { return Call->getParent() == Block; });
      Left = Left.drop_front(OfBlock.size());
      Calls.replace(Products(OfBlock));
    }
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
