//===- Internalize.cpp - Everything but the kernels becomes private ----------===//
//
// A program is closed: only kernels are called from outside. Device functions get
// internal linkage and, unless the source says noinline, the wish to be inlined:
// references passed to them (vector_ref) then resolve to regions of the caller's
// variables.
//
//===----------------------------------------------------------------------===//
#include "ir/Kernel.h"
#include "passes/Passes.h"

using namespace llvm;

namespace pocm {

bool internalize(Module &M) {
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
    if (!F.hasFnAttribute(Attribute::NoInline))
      F.addFnAttr(Attribute::AlwaysInline);
    Changed = true;
  }
  return Changed;
}

} // namespace pocm
