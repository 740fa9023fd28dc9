//===- Internalize.cpp - Everything but the kernels becomes private ----------===//
//
// Initialisers of file-scope variables run at the start of every kernel, for each thread
// has variables of its own.
//
// A program is closed: only kernels are called from outside. Device functions get
// internal linkage and the wish to be inlined:
// references passed to them (vector_ref) then resolve to regions of the caller's
// variables. Those that are marked never to be inlined keep a note of that for keepSubroutines.
//
// Needs:    kernels whose parameters are values.
// Leaves:   functions without callers outside, for LLVM to inline and to drop.
//
//===----------------------------------------------------------------------===//
#include "ir/Kernel.h"
#include "passes/Passes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace pocm {

namespace {

/// Calls what C++ would run before main at the start of each kernel.
bool runInitializersInKernels(Module &M) {
  GlobalVariable *List = M.getNamedGlobal("llvm.global_ctors");
  if (!List || !List->hasInitializer())
    return false;
  SmallVector<Function *, 4> Initializers;
  if (auto *Entries = dyn_cast<ConstantArray>(List->getInitializer()))
    for (Value *Entry : Entries->operands())
      if (auto *F = dyn_cast<Function>(cast<ConstantStruct>(Entry)->getOperand(1)))
        Initializers.push_back(F);
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    IRBuilder<> B(&Kernel.Entry->getEntryBlock(), Kernel.Entry->getEntryBlock().getFirstInsertionPt());
    if (DISubprogram *Where = Kernel.Entry->getSubprogram())
      B.SetCurrentDebugLocation(DILocation::get(M.getContext(), Where->getLine(), 0, Where));
    for (Function *F : Initializers)
      B.CreateCall(F)->setCallingConv(F->getCallingConv());
  }
  List->eraseFromParent();
  return true;
}

/// Forgets that constants stay as their initialisers leave them, which is said by name of a variable that each kernel
/// has its own of.
void forgetInvariants(Module &M) {
  for (Function &F : M)
    if (F.getIntrinsicID() == Intrinsic::invariant_start)
      for (User *Call : make_early_inc_range(F.users()))
        cast<Instruction>(Call)->eraseFromParent();
}

} // namespace

bool internalize(Module &M) {
  runInitializersInKernels(M);
  forgetInvariants(M);
  SmallPtrSet<const Function *, 8> Entries;
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    Entries.insert(Kernel.Entry);
    Kernel.Entry->removeFnAttr(Attribute::AlwaysInline);
  }
  bool Changed = false;
  for (GlobalVariable &G : M.globals())
    if (!G.isDeclaration() && !G.getName().starts_with("llvm.")) {
      G.setLinkage(GlobalValue::InternalLinkage);
      G.setComdat(nullptr);
    }
  for (Function &F : M) {
    if (F.isDeclaration() || Entries.contains(&F))
      continue;
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setComdat(nullptr);
    if (F.hasFnAttribute(Attribute::NoInline))
      F.addFnAttr(SubroutineAttribute);
    F.removeFnAttr(Attribute::NoInline); // how a function is called changes no result
    F.addFnAttr(Attribute::AlwaysInline);
    Changed = true;
  }
  return Changed;
}

} // namespace pocm
