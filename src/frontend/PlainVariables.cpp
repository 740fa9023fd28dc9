//===- PlainVariables.cpp - Where variables are, without an address space ---------------===//
//
//     #dbg_declare(ptr %v, !"v", !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef))
//  -> #dbg_declare(ptr %v, !"v", !DIExpression())
//
// Clang says for SPIR targets in which address space a variable lies. LLVM's passes forget
// variables with such expressions when they split them or put them into values, and nobody
// asks for the address space of what becomes a value.
//
//===----------------------------------------------------------------------===//
#include "frontend/PlainVariables.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace pocm::frontend {

void forgetAddressSpacesOfVariables(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::instructions(F))
      for (llvm::DbgVariableRecord &Record : llvm::filterDbgVars(I.getDbgRecordRange())) {
        llvm::ArrayRef<uint64_t> Steps = Record.getExpression()->getElements();
        if (Steps.size() == 4 && Steps[0] == llvm::dwarf::DW_OP_constu && Steps[2] == llvm::dwarf::DW_OP_swap &&
            Steps[3] == llvm::dwarf::DW_OP_xderef)
          Record.setExpression(llvm::DIExpression::get(M.getContext(), {}));
      }
}

} // namespace pocm::frontend
