//===- KeptVariables.cpp - Variables of the source that debuggers find ---------------------===//
//
//     !pocm.kept       = !{ !{!DILocalVariable(v), !DILocation(where f was called) or null} ... }
//     !pocm.kept.names = !{ !{!DILocalVariable(r), the same, i32 number of the variable, i32 offset} ... }
//
//===----------------------------------------------------------------------------------------===//
#include "ir/KeptVariables.h"
#include "ir/Lines.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr const char *VariablesName = "pocm.kept", *NamesName = "pocm.kept.names";

Metadata *numberOf(LLVMContext &C, std::uint64_t N) {
  return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), N));
}

std::optional<KeptVariable> read(const MDNode &Node, unsigned Operands) {
  if (Node.getNumOperands() != Operands)
    return std::nullopt;
  auto *Variable = dyn_cast_or_null<DILocalVariable>(Node.getOperand(0).get());
  if (!Variable)
    return std::nullopt;
  return KeptVariable{Variable, dyn_cast_or_null<DILocation>(Node.getOperand(1).get())};
}

DICompositeType *classOf(DIType *T) {
  while (auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    if (Derived->getTag() == dwarf::DW_TAG_pointer_type)
      return nullptr;
    T = Derived->getBaseType();
  }
  return dyn_cast_or_null<DICompositeType>(T);
}

DIType *firstParameter(const DICompositeType &Class) {
  DITemplateParameterArray Parameters = Class.getTemplateParams();
  return Parameters.size() ? Parameters[0]->getType() : nullptr;
}

/// Of the last dimension of an array with two; 0 for one with less.
std::uint64_t columnsOf(const DIType *T) {
  auto *Array = dyn_cast_or_null<DICompositeType>(T);
  if (!Array || Array->getElements().size() != 2)
    return 0;
  auto *Range = dyn_cast<DISubrange>(Array->getElements()[1]);
  auto *Count = Range ? dyn_cast_if_present<ConstantInt *>(Range->getCount()) : nullptr;
  return Count ? Count->getZExtValue() : 0;
}

} // namespace

unsigned noteKept(Module &M, DILocalVariable &Variable, DILocation *InlinedAt) {
  NamedMDNode *List = M.getOrInsertNamedMetadata(VariablesName);
  List->addOperand(MDNode::get(M.getContext(), {&Variable, InlinedAt}));
  return List->getNumOperands() - 1;
}

void noteName(Module &M, DILocalVariable &Variable, DILocation *InlinedAt, unsigned Number, std::uint64_t Offset) {
  LLVMContext &C = M.getContext();
  M.getOrInsertNamedMetadata(NamesName)->addOperand(
      MDNode::get(C, {&Variable, InlinedAt, numberOf(C, Number), numberOf(C, Offset)}));
}

std::vector<std::optional<KeptVariable>> keptVariables(const Module &M) {
  std::vector<std::optional<KeptVariable>> All;
  if (const NamedMDNode *List = M.getNamedMetadata(VariablesName))
    for (const MDNode *Node : List->operands())
      All.push_back(read(*Node, 2));
  return All;
}

std::vector<KeptName> keptNames(const Module &M) {
  std::vector<KeptName> All;
  if (const NamedMDNode *List = M.getNamedMetadata(NamesName))
    for (const MDNode *Node : List->operands())
      if (auto Known = read(*Node, 4)) {
        auto *Number = mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(2));
        auto *Offset = mdconst::dyn_extract_or_null<ConstantInt>(Node->getOperand(3));
        if (Number && Offset)
          All.push_back({*Known, unsigned(Number->getZExtValue()), Offset->getZExtValue()});
      }
  return All;
}

void forgetKept(Module &M) {
  for (const char *Name : {VariablesName, NamesName})
    if (NamedMDNode *List = M.getNamedMetadata(Name))
      List->eraseFromParent();
}

bool isOfSource(const DbgVariableRecord &Record) {
  const DILocalVariable &Variable = *Record.getVariable();
  return !Variable.isArtificial() && !Variable.getName().empty() && !Variable.getFilename().starts_with(headerFolder());
}

DIType *elementsOf(DIType *T) {
  DICompositeType *Class = classOf(T);
  if (!Class || !(Class->getName().starts_with("vector_of<") || Class->getName().starts_with("matrix_of<")))
    return nullptr;
  return firstParameter(*Class);
}

std::optional<Referred> referredObject(DIType *T) {
  for (DIType *Named = T; auto *Derived = dyn_cast_or_null<DIDerivedType>(Named); Named = Derived->getBaseType())
    if (Derived->getTag() == dwarf::DW_TAG_reference_type || Derived->getTag() == dwarf::DW_TAG_rvalue_reference_type)
      return Referred{Derived->getBaseType()};
  DICompositeType *Class = classOf(T);
  if (!Class || !(Class->getName().starts_with("vector_ref_of<") || Class->getName().starts_with("matrix_ref_of<")))
    return std::nullopt;
  DIType *Elements = firstParameter(*Class);
  if (!Elements)
    return std::nullopt;
  return Referred{Elements, true, columnsOf(Elements)};
}

} // namespace pocm
