//===- PlainVariables.cpp - Where variables are, without an address space ---------------===//
//
//     #dbg_declare(ptr %v, !"v", !DIExpression(DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef))
//  -> #dbg_declare(ptr %v, !"v", !DIExpression())
//
// Clang says for SPIR targets in which address space a variable lies. LLVM's passes forget
// variables with such expressions when they split them or put them into values, and nobody
// asks for the address space of what becomes a value.
//
//     #dbg_declare(ptr %Row, !"Row of /pocm/include/cm/detail/objects.h")   ->   nothing
//
// Nobody sees variables of the language's headers, of which there are many more than of the source.
//
//     @_ZGV... = internal addrspace(1) global i8 0     whether a static variable of a function has its first value
//  -> @_ZGV... = internal global i8 0
//
// Each thread has static variables of its own, and therefore these.
//
//===----------------------------------------------------------------------===//
#include "frontend/PlainVariables.h"
#include "ir/KeptVariables.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
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

void forgetVariablesOfHeaders(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::instructions(F))
      for (llvm::DbgRecord &Record : llvm::make_early_inc_range(I.getDbgRecordRange()))
        if (auto *Variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&Record); Variable && !isOfSource(*Variable))
          Record.eraseFromParent();
}

namespace {

void giveEachThread(llvm::GlobalVariable &Guard) {
  auto *Own = new llvm::GlobalVariable(*Guard.getParent(), Guard.getValueType(), /*isConstant=*/false,
                                       llvm::GlobalValue::InternalLinkage, Guard.getInitializer(), "", nullptr,
                                       llvm::GlobalValue::NotThreadLocal, /*AddressSpace=*/0);
  Own->takeName(&Guard);
  Own->setAlignment(Guard.getAlign());
  for (llvm::Use &U : llvm::make_early_inc_range(Guard.uses())) {
    bool Access = llvm::isa<llvm::LoadInst, llvm::StoreInst>(U.getUser());
    U.set(Access ? Own : llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(Own, Guard.getType()));
  }
  Guard.eraseFromParent();
}

} // namespace

void giveEachThreadGuards(llvm::Module &M) {
  for (llvm::GlobalVariable &G : llvm::make_early_inc_range(M.globals()))
    if (G.getName().starts_with("_ZGV") && G.hasInitializer() && G.getAddressSpace())
      giveEachThread(G);
}

} // namespace pocm::frontend
