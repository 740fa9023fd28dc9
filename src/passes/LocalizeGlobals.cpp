//===- LocalizeGlobals.cpp - File-scope variables are per thread ---------------------===//
//
// A variable at file scope exists once per thread and is lost with it. After inlining it
// is a variable of each kernel that uses it:
//
//     @g = internal global <8 x i32> zeroinitializer
//     define void @k() { ... load ptr @g ... }
//  -> define void @k() { %g = alloca <8 x i32>; store zeroinitializer, %g ... load ptr %g ... }
//
// Needs:    device functions inlined; variables internal (internalize).
// Leaves:   constants; variables used outside of kernels; variables of named address spaces.
//
//===----------------------------------------------------------------------===//
#include "ir/Kernel.h"
#include "passes/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace pocm {
namespace {

/// Gives `Entry` its own copy of the variable.
bool localize(GlobalVariable &G, Function &Entry) {
  SmallVector<Use *, 16> Uses;
  for (Use &U : G.uses())
    if (auto *I = dyn_cast<Instruction>(U.getUser()); I && I->getFunction() == &Entry)
      Uses.push_back(&U);
  if (Uses.empty())
    return false;
  IRBuilder<> B(&Entry.getEntryBlock(), Entry.getEntryBlock().getFirstInsertionPt());
  auto *Local = B.CreateAlloca(G.getValueType(), nullptr, G.getName());
  Local->setAlignment(G.getAlign().valueOrOne());
  B.CreateStore(G.getInitializer(), Local);
  for (Use *U : Uses)
    U->set(Local);
  return true;
}

} // namespace

bool localizeGlobals(Module &M) {
  bool Changed = false;
  for (GlobalVariable &G : M.globals()) {
    if (G.isConstant() || G.getAddressSpace() || !G.hasInternalLinkage() || !G.hasInitializer() ||
        G.getName().starts_with("llvm."))
      continue;
    convertUsersOfConstantsToInstructions({&G});
    for (const KernelInfo &Kernel : kernelsOf(M))
      Changed |= localize(G, *Kernel.Entry);
  }
  return Changed;
}

} // namespace pocm
