//===- KnownAttributes.cpp - What is said of functions ------------------------===//
//
// Sources can say of functions what concerns the code of other languages (#pragma clang
// optimize off, __attribute__((target(...)))). Programs that say more than those of CM do are
// not trusted (ir/Trust.h), and this is how ours come not to. No result depends on it.
//
// Needs:    nothing.
// Leaves:   what CM means by attributes of functions: kernels, inlining, float control.
//
//===----------------------------------------------------------------------===//
#include "ir/Trust.h"
#include "passes/Passes.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {

namespace {
/// The list without what is not known; the same one where all is.
AttributeList known(AttributeList All, LLVMContext &Context) {
  AttributeList Kept = All;
  for (unsigned Index : All.indexes()) {
    AttributeMask Others;
    for (Attribute A : All.getAttributes(Index))
      if (!isKnownAttribute(A))
        Others.addAttribute(A);
    Kept = Kept.removeAttributesAtIndex(Context, Index, Others);
  }
  return Kept;
}

/// Gives a function or call the list that is left. Whether it had another one.
template <class Holder> bool keepKnown(Holder &Of, LLVMContext &Context) {
  const AttributeList Kept = known(Of.getAttributes(), Context);
  const bool Changed = Kept != Of.getAttributes();
  Of.setAttributes(Kept);
  return Changed;
}
} // namespace

bool keepKnownAttributes(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    Changed |= keepKnown(F, M.getContext());
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Changed |= keepKnown(*Call, M.getContext());
  }
  return Changed;
}

} // namespace pocm
