//===- ShownRegisters.cpp - What debuggers can read of registers ----------------------===//
//
//     DBG_VALUE $zmm1, "v"    ->   DBG_VALUE $noreg, "v"
//                                  DBG_VALUE $ymm1's bytes 0 to 31, "v"
//     DBG_VALUE $xmm17, "w"   ->   DBG_VALUE $noreg, "w"
//
// DWARF has one number for a register of x86 and those that it is the beginning of. gdb takes 32 bytes of it, and what
// a variable of 64 bytes has above from the next register, which holds something else. It knows no registers
// above xmm15. What is on the stack is whole.
//
//===-----------------------------------------------------------------------------------===//
#include "codegen/cpu/ShownRegisters.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned ReadableBits = 256;
constexpr int LastNumber = 66; ///< Of the registers that gdb knows by DWARF's numbers for x86-64.

class ShownRegisters : public MachineFunctionPass {
public:
  static inline char ID = 0;
  ShownRegisters() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Variables in registers that debuggers read"; }
  void getAnalysisUsage(AnalysisUsage &Uses) const override {
    Uses.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Uses);
  }

  bool runOnMachineFunction(MachineFunction &F) override {
    if (!F.getTarget().getTargetTriple().isX86())
      return false;
    const TargetRegisterInfo &Registers = *F.getSubtarget().getRegisterInfo();
    bool Changed = false;
    for (MachineBasicBlock &Block : F)
      for (MachineInstr &I : make_early_inc_range(Block))
        if (I.isDebugValue())
          Changed |= limit(I, Registers);
    return Changed;
  }

private:
  static bool limit(MachineInstr &Value, const TargetRegisterInfo &Registers) {
    for (const MachineOperand &Operand : Value.debug_operands()) {
      if (!Operand.isReg() || !Operand.getReg())
        continue;
      if (Registers.getDwarfRegNum(Operand.getReg(), /*isEH=*/false) > LastNumber) {
        Value.setDebugValueUndef();
        return true;
      }
    }
    if (Value.getNumDebugOperands() != 1 || Value.isIndirectDebugValue())
      return false;
    const MachineOperand &Operand = Value.getDebugOperand(0);
    if (!Operand.isReg() || !Operand.getReg() ||
        Registers.getRegSizeInBits(*Registers.getMinimalPhysRegClass(Operand.getReg())) <= ReadableBits)
      return false;
    const auto Part = Value.getDebugExpression()->getFragmentInfo();
    const std::uint64_t All = Part ? Part->SizeInBits : Value.getDebugVariable()->getSizeInBits().value_or(0);
    if (All <= ReadableBits)
      return false;
    MachineInstr *Before = Value.getMF()->CloneMachineInstr(&Value); // the whole, which ends there
    Value.getParent()->insert(Value.getIterator(), Before);
    Before->setDebugValueUndef();
    if (auto First = DIExpression::createFragmentExpression(Value.getDebugExpression(), 0, ReadableBits))
      Value.getDebugExpressionOp().setMetadata(*First);
    else
      Value.setDebugValueUndef();
    return true;
  }
};

/// Inserts the pass into the pipeline that LLVM makes. That is the same with it and without otherwise, so that code is.
class WithShownRegisters : public legacy::PassManager {
public:
  void add(Pass *P) override {
    if (P->getPassID() == &TargetPassConfig::ID) // passes of the target are added behind it
      static_cast<TargetPassConfig *>(P)->insertPass(&LiveDebugValuesID, new ShownRegisters);
    legacy::PassManager::add(P); // which deletes an analysis that is there already
  }
};

} // namespace

std::unique_ptr<legacy::PassManager> showRegisters() { return std::make_unique<WithShownRegisters>(); }

} // namespace pocm::cpu
