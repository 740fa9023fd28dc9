//===- Claims.cpp - What a program says of its own values is not believed ---------------------===//
//
//     define @k(i32 range(i32 0, 16) %n)                   define @k(i32 %n)
//     call void @llvm.assume(i1 %inside)                     -
//     %i = sub nuw i32 15, %n                          ->  %i = sub i32 15, %n
//     %v = load i32, ptr %p, !range !0, !noundef !1        %v = load i32, ptr %p
//     unreachable                                          ret void
//
// Accesses to variables, vectors and surfaces are kept inside by comparisons and masks (BoundStorage.cpp and others).
// LLVM leaves those out where it knows that they change nothing, and it knows what the program says: a program from a
// file, or one that is mistaken, would be let out of its memory by a word. What values really have, LLVM finds itself.
//
// Needs:    one function of all that a kernel calls, before anything is bounded or simplified.
// Leaves:   values of which LLVM knows what it can show, for simplification behind it.
// Not done: claims about floats, on which no place in memory depends but through a conversion, which is defined.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr Attribute::AttrKind Claims[] = {Attribute::Range,     Attribute::NoUndef,
                                          Attribute::NonNull,   Attribute::Dereferenceable,
                                          Attribute::NoFPClass, Attribute::DereferenceableOrNull,
                                          Attribute::Returned,  Attribute::Alignment};

AttributeMask claims() {
  AttributeMask All;
  for (Attribute::AttrKind Kind : Claims)
    All.addAttribute(Kind);
  return All;
}

template <class Owner> bool dropAttributes(Owner &Of, unsigned Parameters) {
  const AttributeMask All = claims();
  const AttributeList Before = Of.getAttributes();
  Of.removeRetAttrs(All);
  for (unsigned K = 0; K < Parameters; ++K)
    Of.removeParamAttrs(K, All);
  return Of.getAttributes() != Before;
}

bool dropClaimsOf(Instruction &I) {
  bool Changed = I.hasPoisonGeneratingMetadata() || I.hasMetadata(LLVMContext::MD_noundef);
  I.dropPoisonGeneratingMetadata();
  I.setMetadata(LLVMContext::MD_noundef, nullptr);
  if (I.getType()->isIntOrIntVectorTy() && I.hasPoisonGeneratingFlags()) {
    I.dropPoisonGeneratingFlags();
    Changed = true;
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    Changed |= dropAttributes(*Call, Call->arg_size());
  return Changed;
}

} // namespace

bool dropClaims(Function &F) {
  bool Changed = dropAttributes(F, F.arg_size());
  for (Function &Called : *F.getParent())
    if (Called.isDeclaration())
      Changed |= dropAttributes(Called, Called.arg_size());
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Changed |= dropClaimsOf(I);
    if (isa<AssumeInst>(I)) {
      I.eraseFromParent();
      Changed = true;
    } else if (isa<UnreachableInst>(I) && F.getReturnType()->isVoidTy()) {
      ReturnInst::Create(F.getContext(), nullptr, I.getIterator())->setDebugLoc(I.getDebugLoc());
      I.eraseFromParent();
      Changed = true;
    }
  }
  return Changed;
}

} // namespace pocm
