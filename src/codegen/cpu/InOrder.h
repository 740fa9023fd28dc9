//===- InOrder.h - Machine instructions that stay in the order of ours ----------------------------===//
//
// LLVM's scheduler of machine instructions moves loads to the front of long blocks. Where sums fill most of the
// registers, as in products of matrices, what was loaded early goes to the stack, and so do sums. Functions with
// InOrderAttribute keep the order that they have, in which loads stand in front of what takes them (SunkLoads.cpp):
// the scheduler is left out for them, by the gate that LLVM's contexts have for passes.
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"

namespace pocm::cpu {

/// Of functions whose instructions stay in their order.
constexpr const char *InOrderAttribute = "pocm-in-order";

/// While it lives, LLVM's scheduler leaves those functions of the module alone. Nothing else that uses LLVM is
/// concerned.
class InOrder : public llvm::OptPassGate {
public:
  explicit InOrder(const llvm::Module &M);
  ~InOrder() override;
  InOrder(const InOrder &) = delete;
  InOrder &operator=(const InOrder &) = delete;

  bool isEnabled() const override;
  bool shouldRunPass(llvm::StringRef Pass, llvm::StringRef Where) const override;

private:
  llvm::LLVMContext &Context;
  llvm::OptPassGate &Before;
  llvm::StringSet<> Functions; ///< As LLVM describes them.
};

} // namespace pocm::cpu
