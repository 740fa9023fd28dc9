//===- Unwritten.cpp - Variables that have no value yet, as a value --------------------===//
#include "ir/Unwritten.h"
#include "ir/KeptVariables.h"
#include "ir/Operands.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {
constexpr const char *ListName = "pocm.unwritten";
constexpr unsigned NoVariable = ~0u;

Value *create(IRBuilderBase &B, Type *T, unsigned Id) { return createOperation(B, Op::Unwritten, T, {B.getInt32(Id)}); }
} // namespace

Value *createUnwritten(IRBuilderBase &B, Type *T) { return create(B, T, NoVariable); }

Value *createUnwritten(IRBuilderBase &B, Type *T, AllocaInst &Variable) {
  const DILocalVariable *Known = nullptr;
  for (DbgVariableRecord *Record : findDVRDeclares(&Variable))
    Known = Record->getVariable();
  if (!Known || Known->getName().empty() || Known->isArtificial())
    return createUnwritten(B, T);
  LLVMContext &C = B.getContext();
  NamedMDNode *List = Variable.getModule()->getOrInsertNamedMetadata(ListName);
  MDNode *Node = MDNode::get(C, {MDString::get(C, Known->getName()), MDString::get(C, Known->getFilename()),
                                 ConstantAsMetadata::get(B.getInt32(Known->getLine()))});
  const unsigned Count = List->getNumOperands();
  if (!Count || List->getOperand(Count - 1) != Node) // parts of a variable come one after the other
    List->addOperand(Node);
  return create(B, T, List->getNumOperands() - 1);
}

/// The list may come from a file that somebody has changed.
std::optional<UnwrittenVariable> variableOf(const CallInst &Unwritten) {
  auto *Id = dyn_cast<ConstantInt>(operandOf(Unwritten, Role::Id));
  const NamedMDNode *List = Unwritten.getModule()->getNamedMetadata(ListName);
  if (!Id || !List || Id->getValue().uge(List->getNumOperands()))
    return std::nullopt;
  const MDNode *Node = List->getOperand(unsigned(Id->getZExtValue()));
  if (Node->getNumOperands() != 3)
    return std::nullopt;
  auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(0)), *File = dyn_cast_or_null<MDString>(Node->getOperand(1));
  auto *Line = mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(2));
  if (!Name || !File || !Line)
    return std::nullopt;
  return UnwrittenVariable{Name->getString().str(), File->getString().str(), unsigned(Line->getZExtValue())};
}

namespace {
/// What holds variables (passes/MirrorVariables.cpp), where the pass that lets them go is switched off.
bool isFakeUse(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::fake_use;
}
} // namespace

void forgetUnwritten(Module &M) {
  forgetKept(M);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (operationOf(&I) == Op::Unwritten)
        I.replaceAllUsesWith(UndefValue::get(I.getType()));
      else if (!is_contained({Op::Bounds, Op::KeptWrite, Op::SourceLine}, operationOf(&I)) && !isFakeUse(I))
        continue;
      I.eraseFromParent();
    }
}

} // namespace pocm
