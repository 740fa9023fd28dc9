//===- Kernel.cpp - Which functions of a module are kernels -----------------===//
#include "ir/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include <limits>

using namespace llvm;

namespace pocm {
namespace {
constexpr const char *ListName = "genx.kernels";
constexpr unsigned EntryField = 0, NameField = 1, KindsField = 2, TypesField = 5;
} // namespace

std::vector<KernelInfo> kernelsOf(const Module &M) {
  std::vector<KernelInfo> Kernels;
  auto *List = M.getNamedMetadata(ListName);
  if (!List)
    return Kernels;
  for (const MDNode *Node : List->operands()) {
    if (Node->getNumOperands() <= KindsField)
      continue;
    auto *Entry = mdconst::dyn_extract_or_null<Function>(Node->getOperand(EntryField));
    auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(NameField));
    auto *Kinds = dyn_cast_or_null<MDNode>(Node->getOperand(KindsField));
    if (!Entry || !Name || !Kinds)
      continue;
    KernelInfo Kernel{Entry, Name->getString().str(), {}};
    auto *Types =
        Node->getNumOperands() > TypesField ? dyn_cast_or_null<MDNode>(Node->getOperand(TypesField)) : nullptr;
    for (unsigned I = 0; I < Kinds->getNumOperands(); ++I) {
      KernelParameter Parameter;
      if (auto *Number = mdconst::dyn_extract_or_null<ConstantInt>(Kinds->getOperand(I)))
        Parameter.Kind = ParameterKind(Number->getLimitedValue(std::numeric_limits<std::uint8_t>::max()));
      if (Types && I < Types->getNumOperands())
        if (auto *Text = dyn_cast_or_null<MDString>(Types->getOperand(I))) {
          auto [Element, Count] = Text->getString().split(' ');
          Parameter.Element = Element.str();
          Count.getAsInteger(10, Parameter.Count);
        }
      Kernel.Parameters.push_back(std::move(Parameter));
    }
    Kernels.push_back(std::move(Kernel));
  }
  return Kernels;
}

std::vector<Function *> functionsOf(const KernelInfo &Kernel) {
  std::vector<Function *> All{Kernel.Entry};
  for (size_t K = 0; K < All.size(); ++K)
    for (Instruction &I : instructions(*All[K]))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && !Callee->isDeclaration() && !is_contained(All, Callee))
          All.push_back(Callee);
  return All;
}

void setKernels(Module &M, const std::vector<KernelInfo> &Kernels) {
  LLVMContext &C = M.getContext();
  auto *List = M.getOrInsertNamedMetadata(ListName);
  List->clearOperands();
  auto Number = [&](unsigned N) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), N)); };
  for (const KernelInfo &Kernel : Kernels) {
    SmallVector<Metadata *, 8> Kinds, Types;
    for (const KernelParameter &Parameter : Kernel.Parameters) {
      Kinds.push_back(Number(unsigned(Parameter.Kind)));
      Types.push_back(MDString::get(C, Parameter.Element + " " + std::to_string(Parameter.Count)));
    }
    List->addOperand(MDNode::get(C, {ValueAsMetadata::get(Kernel.Entry), MDString::get(C, Kernel.Name),
                                     MDNode::get(C, Kinds), Number(0), Number(0), MDNode::get(C, Types)}));
  }
}

unsigned floatControlOf(const Function &F) {
  unsigned Bits = 0;
  F.getFnAttribute(FloatControlAttribute).getValueAsString().getAsInteger(10, Bits);
  return Bits;
}

void setDenormalMode(Function &F, unsigned FloatControl) {
  auto Mode = [&](unsigned Kept, unsigned All) -> const char * {
    if (FloatControl & RoundingMode || (Kept && Kept != All))
      return "dynamic,dynamic";
    return Kept ? "ieee,ieee" : "preserve-sign,preserve-sign";
  };
  constexpr unsigned Others = DoubleDenormals | HalfDenormals;
  F.addFnAttr("denormal-fp-math", Mode(FloatControl & Others, Others));
  F.addFnAttr("denormal-fp-math-f32", Mode(FloatControl & FloatDenormals, FloatDenormals));
}

} // namespace pocm
