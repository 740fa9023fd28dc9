//===- LineTable.cpp - Source lines in native code --------------------------------===//
//
//     load ..., !dbg line 12 of a header, inlined at line 7 of k.cpp   ->   .debug_line: 7 of k.cpp
//
// A program that was compiled with -g has debug information, which the passes here would tear
// to pieces. They carry on the lines of instructions, as all passes do, and what variables hold
// (VariableValues.cpp), but nothing else; at the end each is the line that the user wrote, and
// belongs to the function that it has come to be in. The device reads them for messages about
// faults (devices/cpu/FaultLines.cpp).
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/CodeGen.h"
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/Scopes.h"
#include "ir/Lines.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {

void takeLines(Module &M) {
  if (M.debug_compile_units().empty()) {
    StripDebugInfo(M);
    return;
  }
  const bool Copied = M.getModuleFlag(KeepVariablesFlag); // they have memory
  for (Function &F : M) {
    F.setSubprogram(nullptr);
    takeValues(F, /*Wanted=*/!Copied);
    for (Instruction &I : instructions(F))
      I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
  }
  for (Function &F : make_early_inc_range(M))
    if (F.isIntrinsic() && F.getName().starts_with("llvm.dbg.")) {
      for (User *U : make_early_inc_range(F.users()))
        cast<Instruction>(U)->eraseFromParent();
      F.eraseFromParent();
    }
  for (GlobalVariable &G : M.globals())
    G.eraseMetadata(LLVMContext::MD_dbg);
}

void giveLines(Module &M, StringRef Kernel) {
  DenseMap<const Instruction *, const DILocation *> Lines;
  const DIFile *First = nullptr;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const DILocation *Line = userLine(I); Line && Line->getLine()) {
        Lines[&I] = Line;
        First = First ? First : Line->getFile();
      }
  if (NamedMDNode *Before = M.getNamedMetadata("llvm.dbg.cu")) // what the lines belonged to so far
    Before->eraseFromParent();
  if (!First) {
    StripDebugInfo(M);
    return;
  }
  if (!M.getModuleFlag("Debug Info Version"))
    M.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  DIBuilder Builder(M);
  auto *File = const_cast<DIFile *>(First);
  DICompileUnit *Unit = Builder.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C_plus_plus), File, "PoCM", true,
                                                  "", 0, "", DICompileUnit::FullDebug);
  DISubroutineType *Type = Builder.createSubroutineType(Builder.getOrCreateTypeArray({}));
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    StringRef Name = F.getName() == entrySymbol ? Kernel : F.getName(); // what debuggers show
    DISubprogram *Scope = Builder.createFunction(Unit, Name, StringRef(), File, 0, Type, 0, DINode::FlagZero,
                                                 DISubprogram::SPFlagDefinition);
    F.setSubprogram(Scope);
    Scopes Blocks(Builder, *Scope);
    for (Instruction &I : instructions(F)) {
      if (marksVariable(I))
        continue;
      updateLoopMetadataDebugLocations(I, [](Metadata *Part) { return isa<DILocation>(Part) ? nullptr : Part; });
      const DILocation *Line = Lines.lookup(&I);
      if (!Line) {
        I.setDebugLoc(DebugLoc());
        continue;
      }
      I.setDebugLoc(DILocation::get(M.getContext(), Line->getLine(), 0, Blocks.of(*Line)));
    }
    if (M.getModuleFlag(KeepVariablesFlag))
      giveVariables(F, Builder, Blocks);
    else
      giveValues(F, Builder, Blocks);
  }
  Builder.finalize();
}

} // namespace pocm::cpu
