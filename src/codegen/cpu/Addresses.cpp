//===- Addresses.cpp - Whether a kernel reaches memory by address ----------------===//
//
// Launches that share no surface may run at the same time. That is known of a kernel only
// whose pointers all come from its own variables: none is made of a number, read from memory,
// or given as an argument, and no message goes to an address.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Messages.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

bool isPointer(const Value &V) { return V.getType()->isPtrOrPtrVectorTy(); }

/// Whether a constant pointer is into a variable of the module.
bool isOfVariable(const Constant &C) {
  if (isa<GlobalValue>(C))
    return true;
  const auto *Place = dyn_cast<GEPOperator>(&C);
  return Place && isOfVariable(*cast<Constant>(Place->getPointerOperand()));
}

} // namespace

bool reachesByAddress(const Function &Kernel) {
  if (any_of(Kernel.args(), isPointer))
    return true;
  for (const Instruction &I : instructions(Kernel)) {
    if (auto Message = messageOf(operationOf(&I)); Message && Message->Of == MessageInfo::Memory::Address)
      return true;
    if (isPointer(I) && !isa<AllocaInst, GetElementPtrInst, PHINode, SelectInst>(I))
      return true;
    for (const Value *Operand : I.operands())
      if (const auto *C = dyn_cast<Constant>(Operand); C && isPointer(*C) && !isOfVariable(*C))
        return true;
  }
  return false;
}

} // namespace pocm::cpu
