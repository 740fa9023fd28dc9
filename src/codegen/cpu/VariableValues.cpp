//===- VariableValues.cpp - Variables of optimised code, for debuggers ----------------===//
//
//     #dbg_value(<16 x i32> %add, !"v")   ->   #dbg_value(<8 x i32> %a0, !"v", bytes 0 to 31)
//                                              #dbg_value(<8 x i32> %a1, !"v", bytes 32 to 63)
//
// In a program of -g and -O1 or more, LLVM's records say what the source's variables hold, since promotion has made
// values of them. They are no uses: code is the same with and without them. Passes carry them along as LLVM's own do:
// what a value is replaced by holds the variable then, what is dropped holds none. SplitVectors.cpp makes records of
// pieces. At the end giveValues() makes them records of the variables that debuggers see, those of which it is certain.
//
// A pass may compute something else in elements and bits that nobody reads. So a value counts where all of it is read,
// which is what the code needs it for, or where it was made by what passes do not make smaller. Of vectors,
// the first elements may count alone: records cannot name others.
//
// Not shown: arrays and structures in memory, references, pointers, and the CM thread in kernels with barriers.
//
//===-----------------------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/CodeGen.h"
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/Scopes.h"
#include "codegen/cpu/ShownTypes.h"
#include "ir/KeptVariables.h"
#include "passes/LiveElements.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

SmallVector<DbgVariableRecord *, 32> recordsOf(Function &F) {
  SmallVector<DbgVariableRecord *, 32> All;
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      All.push_back(&Record);
  return All;
}

/// A value of the variable, and no address of it.
bool tellsValue(const DbgVariableRecord &Record) {
  return Record.isDbgValue() && isOfSource(Record) && !referredObject(Record.getVariable()->getType()) &&
         none_of(Record.location_ops(), [](const Value *V) { return V->getType()->isPtrOrPtrVectorTy(); });
}

/// Some bits of a variable of so many; without them all.
DIExpression *fragment(LLVMContext &C, std::uint64_t At, std::uint64_t Bits, std::uint64_t Size) {
  DIExpression *All = DIExpression::get(C, {});
  return Bits == Size ? All : *DIExpression::createFragmentExpression(All, unsigned(At), unsigned(Bits));
}

/// What the variable, or the part of it, held before ends here.
void lose(DbgVariableRecord &Record, std::optional<DIExpression::FragmentInfo> Part) {
  LLVMContext &C = Record.getVariable()->getContext();
  Record.setRawLocation(ValueAsMetadata::get(PoisonValue::get(Type::getInt32Ty(C))));
  Record.setExpression(Part ? fragment(C, Part->OffsetInBits, Part->SizeInBits, 0) : DIExpression::get(C, {}));
}

/// Records that say nothing new, which would take time only.
void forgetRepeated(Function &F) {
  for (BasicBlock &Block : F)
    RemoveRedundantDbgInstrs(&Block);
}

/// Which values are certainly what the source computes.
class Certain {
public:
  explicit Certain(Function &F) : Elements(F), Assumptions(F), Tree(F), Bits(F, Assumptions, Tree) {}

  /// How many of the first elements are; of numbers one.
  unsigned elements(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    const unsigned Count = unsigned(countOf(V->getType()));
    if (!I)
      return Count;
    if (!wholeBits(*I) && !isMade(V, 0))
      return 0;
    if (!V->getType()->isVectorTy())
      return 1;
    const BitVector *Read = Elements.find(V);
    const int Unread = Read ? Read->find_first_unset() : 0;
    return Unread < 0 ? Count : unsigned(Unread);
  }

private:
  LiveElements Elements;
  AssumptionCache Assumptions;
  DominatorTree Tree;
  DemandedBits Bits;

  bool wholeBits(Instruction &I) {
    return !I.getType()->isIntOrIntVectorTy() || (!Bits.isInstructionDead(&I) && Bits.getDemandedBits(&I).isAllOnes());
  }

  /// Of operations that stay as they are when fewer bits are needed.
  bool isMade(Value *V, unsigned Depth) {
    constexpr unsigned Most = 6;
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return !isa<Constant>(V);
    if (isa<LoadInst>(I) || !I->getType()->isIntOrIntVectorTy() || wholeBits(*I))
      return true;
    const bool Shift = I->isShift() && isa<Constant>(I->getOperand(1));
    if (Depth == Most || !(Shift || isa<CastInst, BinaryOperator, ExtractElementInst>(I)))
      return false;
    return isMade(I->getOperand(0), Depth + 1) &&
           (Shift || !isa<BinaryOperator>(I) || isMade(I->getOperand(1), Depth + 1));
  }
};

class Giver {
public:
  Giver(Function &F, DIBuilder &Builder, Scopes &Blocks)
      : F(F), Builder(Builder), Blocks(Blocks), Types(Builder, F.getSubprogram()->getFile()) {}

  void run() {
    const auto Records = recordsOf(F);
    if (Records.empty())
      return;
    Sure.emplace(F);
    for (DbgVariableRecord *Record : Records)
      give(*Record);
    if (F.getName() == entrySymbol)
      position();
  }

private:
  Function &F;
  DIBuilder &Builder;
  Scopes &Blocks;
  ShownTypes Types;
  std::optional<Certain> Sure;
  DenseMap<std::pair<DILocalVariable *, DILocation *>, DILocalVariable *> Described;

  DILocalVariable *shown(DILocalVariable *V, DILocation *InlinedAt) {
    DILocalVariable *&Here = Described[{V, InlinedAt}];
    if (!Here) {
      DILocalScope *Scope = Blocks.of(V->getScope(), InlinedAt);
      Here = Builder.createAutoVariable(Scope, V->getName(), Scope->getFile(), V->getLine(), Types.of(V->getType()),
                                        /*AlwaysPreserve=*/true);
    }
    return Here;
  }

  void give(DbgVariableRecord &Record) {
    DILocalVariable *Variable = shown(Record.getVariable(), Record.getDebugLoc()->getInlinedAt());
    Record.setVariable(Variable);
    Record.setDebugLoc(DILocation::get(F.getContext(), Variable->getLine(), 0, Variable->getScope()));
    const std::uint64_t Size = sizeOf(Variable->getType());
    DIExpression *Way = Record.getExpression();
    auto Part = Way->getFragmentInfo();
    const std::uint64_t At = Part ? Part->OffsetInBits : 0;
    const std::uint64_t All = Part ? Part->SizeInBits : Size;
    if (At + All > Size)
      return lose(Record, std::nullopt);
    if (Part && All == Size) // of what fills the class, nothing is seen
      Record.setExpression(Way = DIExpression::get(F.getContext(), {})), Part = std::nullopt;
    if (Record.isKillLocation())
      return;
    if (Record.hasArgList() || Way->getNumElements() != (Part ? 3 : 0))
      return any_of(Record.location_ops(), [&](Value *V) { return !isNumber(V) || !Sure->elements(V); })
                 ? lose(Record, Part)
                 : void();
    Value *V = Record.getVariableLocationOp(0);
    const std::uint64_t Bits = V->getType()->getPrimitiveSizeInBits();
    if (auto *C = dyn_cast<Constant>(V); C && V->getType()->isVectorTy())
      return constant(Record, *C, At, All);
    const unsigned Count = unsigned(countOf(V->getType())), Known = Sure->elements(V);
    const std::uint64_t Element = Bits / Count, Told = std::min(All, Known * Element);
    if (!Told || (!V->getType()->isVectorTy() && Bits < All) || Element % 8)
      return lose(Record, Part);
    if (Told == All)
      return;
    insert(Record, PoisonValue::get(V->getType()), At, All);
    Record.setExpression(fragment(F.getContext(), At, Told, Size));
  }

  static bool isNumber(Value *V) { return V->getType()->isIntegerTy() || V->getType()->isFloatingPointTy(); }

  static std::uint64_t sizeOf(const DIType *T) {
    for (; T; T = cast<DIDerivedType>(T)->getBaseType())
      if (T->getSizeInBits() || !isa<DIDerivedType>(T))
        return T->getSizeInBits();
    return 0;
  }

  /// In front of a record.
  void insert(DbgVariableRecord &Record, Value *V, std::uint64_t At, std::uint64_t Bits) {
    auto *New = Record.clone();
    New->setRawLocation(ValueAsMetadata::get(V));
    New->setExpression(fragment(F.getContext(), At, Bits, sizeOf(Record.getVariable()->getType())));
    New->insertBefore(&Record);
  }

  /// LLVM describes numbers, element by element.
  void constant(DbgVariableRecord &Record, Constant &C, std::uint64_t At, std::uint64_t All) {
    constexpr unsigned Most = 64;
    const unsigned Count = unsigned(countOf(C.getType()));
    const std::uint64_t Bits = C.getType()->getScalarSizeInBits();
    const auto Part = Record.getExpression()->getFragmentInfo();
    if (Count <= Most && Bits % 8 == 0 && Count * Bits <= All) {
      insert(Record, PoisonValue::get(C.getType()), At, All);
      for (unsigned K = 0; K < Count; ++K)
        if (Constant *Element = C.getAggregateElement(K); Element && !isa<UndefValue>(Element))
          insert(Record, Element, At + K * Bits, Bits);
      Record.eraseFromParent();
      return;
    }
    lose(Record, Part);
  }

  /// The walker notes which CM thread runs, for messages.
  void position() {
    DISubprogram *Kernel = F.getSubprogram();
    DIType *Int = Builder.createBasicType("int", 32, dwarf::DW_ATE_signed);
    DILocation *Line = DILocation::get(F.getContext(), 0, 0, Kernel);
    for (auto [Name, Offset] : {std::pair{"cm_thread_x", offsetof(Group, x)}, {"cm_thread_y", offsetof(Group, y)}}) {
      auto *Variable = Builder.createAutoVariable(Kernel, Name, Kernel->getFile(), 0, Int);
      const std::uint64_t Way[] = {dwarf::DW_OP_plus_uconst, Offset, dwarf::DW_OP_deref};
      Builder.insertDbgValueIntrinsic(F.getArg(2), Variable, Builder.createExpression(Way), Line,
                                      F.getEntryBlock().getFirstInsertionPt());
    }
  }
};

} // namespace

void takeValues(Function &F, bool Wanted) {
  Value *Unknown = PoisonValue::get(Type::getInt32Ty(F.getContext()));
  for (Instruction &I : instructions(F))
    for (DbgRecord &Record : make_early_inc_range(I.getDbgRecordRange())) {
      auto *Variable = dyn_cast<DbgVariableRecord>(&Record);
      if (Wanted && Variable && tellsValue(*Variable))
        continue;
      if (Wanted && Variable && isOfSource(*Variable)) // debuggers know that it is there
        DbgVariableRecord::createDbgVariableRecord(Unknown, Variable->getVariable(),
                                                   DIExpression::get(F.getContext(), {}), Variable->getDebugLoc(),
                                                   *Variable);
      Record.eraseFromParent();
    }
  forgetRepeated(F);
}

void giveValues(Function &F, DIBuilder &Builder, Scopes &Blocks) {
  forgetRepeated(F);
  Giver(F, Builder, Blocks).run();
}

} // namespace pocm::cpu
