//===- InOrder.cpp - Machine instructions that stay in the order of ours --------------------------===//
#include "codegen/cpu/InOrder.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace pocm::cpu {

InOrder::InOrder(const Module &M) : Context(M.getContext()), Before(Context.getOptPassGate()) {
  for (const Function &F : M)
    if (F.hasFnAttribute(InOrderAttribute))
      Functions.insert(("function (" + F.getName() + ")").str());
  Context.setOptPassGate(*this);
}

InOrder::~InOrder() { Context.setOptPassGate(Before); }

bool InOrder::isEnabled() const { return !Functions.empty() || Before.isEnabled(); }

bool InOrder::shouldRunPass(StringRef Pass, StringRef Where) const {
  if (Pass == "machine-scheduler" && Functions.contains(Where))
    return false;
  return !Before.isEnabled() || Before.shouldRunPass(Pass, Where);
}

} // namespace pocm::cpu
