//===- ShownTypes.cpp - Types of the source as debuggers show them --------------------===//
//
//     vector<int, 16>   class vector_of<int[16]> in namespace cm::detail   ->   typedef int[16]
//
// What the language's headers make its objects of is nothing that a user wrote. Debuggers print arrays, and need no
// pretty printers.
//
//===-----------------------------------------------------------------------------------===//
#include "codegen/cpu/ShownTypes.h"
#include "ir/KeptVariables.h"
#include "ir/ObjectNames.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace pocm::cpu {

static bool isName(const DIDerivedType &T) {
  return is_contained(
      {dwarf::DW_TAG_typedef, dwarf::DW_TAG_template_alias, dwarf::DW_TAG_const_type, dwarf::DW_TAG_volatile_type},
      T.getTag());
}

DIType *ShownTypes::of(DIType *T) {
  if (auto To = referredObject(T))
    return To->IsClass ? named(*To->Object, T->getName()) : of(To->Object);
  if (DIType *Elements = elementsOf(T))
    return named(*Elements, T->getName());
  return changed(T);
}

DIType *ShownTypes::named(DIType &Elements, StringRef Name) {
  return Builder.createTypedef(&Elements, withObjectNames(Name), File, 0, File);
}

/// A type with others in place of those in it; itself when there are none.
DIType *ShownTypes::changed(DIType *T) {
  if (auto Already = Known.find(T); Already != Known.end())
    return Already->second;
  Known[T] = T; // of a type in itself, behind a pointer
  DIType *Now = T;
  if (auto *Composite = dyn_cast_or_null<DICompositeType>(T))
    Now = T->getTag() == dwarf::DW_TAG_array_type ? changedArray(*Composite) : changedMembers(*Composite);
  else if (auto *Derived = dyn_cast_or_null<DIDerivedType>(T); Derived && isName(*Derived))
    Now = changedName(*Derived);
  return Known[T] = Now;
}

DIType *ShownTypes::changedName(DIDerivedType &T) {
  DIType *Base = T.getBaseType(), *Now = Base ? of(Base) : nullptr;
  if (Now == Base)
    return &T;
  return T.getName().empty() ? Now : Builder.createTypedef(Now, T.getName(), File, 0, File);
}

DIType *ShownTypes::changedArray(DICompositeType &T) {
  DIType *Base = T.getBaseType(), *Now = Base ? of(Base) : nullptr;
  return Now == Base ? &T : Builder.createArrayType(T.getSizeInBits(), T.getAlignInBits(), Now, T.getElements());
}

DIType *ShownTypes::changedMembers(DICompositeType &T) {
  SmallVector<std::pair<DIDerivedType *, DIType *>, 8> Members;
  bool Any = false;
  for (DINode *Element : T.getElements()) {
    auto *Member = dyn_cast<DIDerivedType>(Element);
    const unsigned Tag = Member ? Member->getTag() : 0;
    if ((Tag != dwarf::DW_TAG_member && Tag != dwarf::DW_TAG_inheritance) || Member->isStaticMember())
      continue;
    DIType *Now = referredObject(Member->getBaseType()) ? Member->getBaseType() : of(Member->getBaseType());
    Any |= Now != Member->getBaseType();
    Members.push_back({Member, Now});
  }
  if (!Any || (T.getTag() != dwarf::DW_TAG_structure_type && T.getTag() != dwarf::DW_TAG_class_type))
    return &T;
  DICompositeType *Now = Builder.createStructType(File, T.getName(), File, T.getLine(), T.getSizeInBits(),
                                                  T.getAlignInBits(), DINode::FlagZero, nullptr, {});
  SmallVector<Metadata *, 8> All;
  for (auto [Member, Type] : Members)
    All.push_back(Member->getTag() == dwarf::DW_TAG_member
                      ? Builder.createMemberType(Now, Member->getName(), File, Member->getLine(),
                                                 Member->getSizeInBits(), 0, Member->getOffsetInBits(),
                                                 DINode::FlagZero, Type)
                      : Builder.createInheritance(Now, Type, Member->getOffsetInBits(), 0, DINode::FlagZero));
  Builder.replaceArrays(Now, Builder.getOrCreateArray(All));
  return Now;
}

} // namespace pocm::cpu
