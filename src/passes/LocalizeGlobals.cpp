//===- LocalizeGlobals.cpp - File-scope variables are per thread ---------------------===//
//
// A variable at file scope exists once per thread and is lost with it. After inlining it
// is a variable of each kernel that uses it:
//
//     @g = internal global <8 x i32> zeroinitializer
//     define void @k() { ... load ptr @g ... }
//  -> define void @k() { %g = alloca <8 x i32>; store zeroinitializer, %g ... load ptr %g ... }
//
// In programs for the check device, those that the source does not initialise begin without a
// value: they are zeros here and in C++, and whatever was in the registers elsewhere. Debug
// information has them as variables of the kernel.
//
// Needs:    device functions inlined; variables internal (internalize).
// Leaves:   constants; variables used outside of kernels; variables of named address spaces.
//
//===----------------------------------------------------------------------===//
#include "ir/Kernel.h"
#include "ir/Lines.h"
#include "ir/Unwritten.h"
#include "passes/Lifetimes.h"
#include "passes/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace pocm {
namespace {

/// What debug information knows of a variable of the source; null for those of the headers.
const DIGlobalVariable *inSource(const GlobalVariable &G) {
  SmallVector<DIGlobalVariableExpression *, 1> Known;
  G.getDebugInfo(Known);
  const DIGlobalVariable *V = Known.empty() ? nullptr : Known.front()->getVariable();
  return V && !V->getFilename().starts_with(headerFolder()) ? V : nullptr;
}

/// The copy's name, line and type, as those of a variable of the kernel.
void describe(AllocaInst &Local, const GlobalVariable &G, Function &Entry) {
  const DIGlobalVariable *V = inSource(G);
  DISubprogram *Kernel = Entry.getSubprogram();
  if (!V || !Kernel || !Kernel->getUnit())
    return;
  DIBuilder B(*Entry.getParent(), /*AllowUnresolved=*/false, Kernel->getUnit());
  DILocalVariable *Variable = B.createAutoVariable(Kernel, V->getName(), V->getFile(), V->getLine(), V->getType());
  B.insertDeclare(&Local, Variable, B.createExpression(),
                  DILocation::get(Entry.getContext(), Kernel->getLine(), 0, Kernel),
                  Local.getNextNode()->getIterator());
}

/// Whether nothing in the source gives it a value.
bool isUnwritten(const GlobalVariable &G) {
  const Module &M = *G.getParent();
  return M.getModuleFlag(KeepUnwrittenFlag) && inSource(G) && !M.getModuleFlag(InitializedGlobalsFlag) &&
         G.getInitializer()->isNullValue() && G.getMetadata(UninitializedMetadata);
}

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
  StoreInst *First = B.CreateStore(G.getInitializer(), Local);
  describe(*Local, G, Entry);
  if (isUnwritten(G))
    beginLife(*Local, *First->getNextNode());
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
