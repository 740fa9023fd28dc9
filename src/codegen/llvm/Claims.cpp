//===- Claims.cpp - What a program says of its own values is not believed ---------------------===//
//
//     define @k(i32 range(i32 0, 16) %n)                   define @k(i32 %n)
//     call void @llvm.assume(i1 %inside)                     -
//     %i = sub nuw i32 15, %n                          ->  %i = sub i32 15, %n
//     %v = load i32, ptr %p, !range !0, !noundef !1        %v = load i32, ptr %p
//     unreachable                                          ret void
//     %z = cttz %n, true (not of 0)                        %z = cttz %n, false
//     br %more, %loop, %end, !llvm.loop !{mustprogress}    br %more, %loop, %end
//
// Accesses to variables, vectors and surfaces are kept inside by comparisons and masks (BoundStorage.cpp and others).
// LLVM leaves those out where it knows that they change nothing, and it knows what the program says: a program from a
// file, or one that is mistaken, would be let out of its memory by a word. What values really have, LLVM finds itself.
//
// Needs:    one function of all that a kernel calls, before anything is bounded or simplified.
// Leaves:   values of which LLVM knows what it can show, for simplification behind it.
// Not done: claims about what variables have the same bytes (alias scopes, tbaa), on which no bound rests.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "llvm/Analysis/LoopInfo.h"
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
constexpr unsigned OtherClaims[] = {LLVMContext::MD_noundef, LLVMContext::MD_dereferenceable,
                                    LLVMContext::MD_dereferenceable_or_null};

AttributeMask claims() {
  AttributeMask All;
  for (Attribute::AttrKind Kind : Claims)
    All.addAttribute(Kind);
  return All;
}

template <class Owner> bool dropAttributes(Owner &Of, unsigned Parameters) {
  const AttributeMask All = claims();
  const AttributeList Before = Of.getAttributes();
  Of.removeFnAttr(Attribute::NoReturn);
  Of.removeRetAttrs(All);
  for (unsigned K = 0; K < Parameters; ++K)
    Of.removeParamAttrs(K, All);
  return Of.getAttributes() != Before;
}

/// The last operand of ctlz, cttz and abs: that the value is none for which they have no result.
bool dropExceptions(Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || !is_contained({Intrinsic::ctlz, Intrinsic::cttz, Intrinsic::abs}, Call->getIntrinsicID()))
    return false;
  Use &Excepts = *std::prev(Call->arg_end());
  const bool Had = !cast<Constant>(Excepts)->isNullValue();
  Excepts = ConstantInt::getFalse(I.getContext());
  return Had;
}

/// That a loop ends: how often it runs would be taken for what it is if it does.
bool dropProgress(Instruction &I) {
  constexpr StringRef Progress = "llvm.loop.mustprogress";
  MDNode *Loop = I.getMetadata(LLVMContext::MD_loop);
  if (!Loop || !findOptionMDForLoopID(Loop, Progress))
    return false;
  MDNode *Rest = makePostTransformationMetadata(I.getContext(), Loop, {Progress}, {});
  I.setMetadata(LLVMContext::MD_loop, Rest->getNumOperands() > 1 ? Rest : nullptr); // the first is itself
  return true;
}

bool dropClaimsOf(Instruction &I) {
  bool Changed = I.hasPoisonGeneratingMetadata() || I.hasPoisonGeneratingFlags();
  I.dropPoisonGeneratingMetadata();
  I.dropPoisonGeneratingFlags();
  Changed |= dropExceptions(I);
  Changed |= dropProgress(I);
  for (unsigned Kind : OtherClaims) {
    Changed |= I.hasMetadata(Kind);
    I.setMetadata(Kind, nullptr);
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    Changed |= dropAttributes(*Call, Call->arg_size());
  return Changed;
}

} // namespace

bool dropClaims(Function &F) {
  bool Changed = dropAttributes(F, F.arg_size()) || !F.hasFnAttribute(Attribute::NullPointerIsValid);
  for (Attribute::AttrKind Kind : {Attribute::MustProgress, Attribute::WillReturn}) {
    Changed |= F.hasFnAttribute(Kind);
    F.removeFnAttr(Kind);
  }
  F.addFnAttr(Attribute::NullPointerIsValid); // what is written there is no reason to leave out the way to it
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
