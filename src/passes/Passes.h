//===- Passes.h - The target-independent middle end --------------------------===//
//
// One function per pass of Passes.def, and the pipeline that runs them. Each returns
// whether it changed the module.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace pocm {

/// SIMD control flow of the public dialect (goto, join) becomes masks and branches. Throws Error.
void readSimdControlFlow(llvm::Module &M);

/// CM IR as text (or LLVM bitcode), from us or from other tools, whose names for operations that LLVM has become
/// LLVM's; `Name` is the file's for messages. Throws Error.
std::unique_ptr<llvm::Module> readText(std::string_view Text, std::string_view Name, llvm::LLVMContext &Context);
bool lowerBuiltins(llvm::Module &M);
bool passKernelArgumentsByValue(llvm::Module &M);
bool internalize(llvm::Module &M);
/// Attribute of functions that their source marks never to be inlined.
constexpr const char *SubroutineAttribute = "cm.subroutine";
/// Such functions keep their calls, with values for objects, where that is possible; none of them is inlined then.
bool keepSubroutines(llvm::Module &M);
/// Whether it is one of them.
bool isSubroutine(const llvm::Function &F);
/// What a function returns as it came in is not taken from its result.
bool foldUnchangedResults(llvm::Module &M);
/// Those that `Which` wants, all without it, are inlined after all, for devices that cannot call them.
bool inlineSubroutines(llvm::Module &M, llvm::function_ref<bool(const llvm::Function &)> Which = nullptr);
bool makeCallsDirect(llvm::Module &M);
bool unifyAddressSpaces(llvm::Module &M);
/// Notes the source's variables for reports (ir/SourceNotes.h).
bool noteVariables(llvm::Module &M);
bool localizeGlobals(llvm::Module &M);
bool forgetFormerLives(llvm::Module &M);
/// Loops over the elements of a variable are to be unrolled.
bool unrollIndexed(llvm::Module &M);
/// Accesses to a formatted region whose elements do not lie side by side go through a copy.
bool copyFormattedRegions(llvm::Module &M);
bool promoteStorage(llvm::Module &M);
/// Arrays and structures of at most `MostBytes` bytes become whole values as well, with offsets known at run time.
bool promoteArrays(llvm::Module &M, unsigned MostBytes);
bool foldRegionsOfConstants(llvm::Module &M);
bool collapseRegions(llvm::Module &M);
/// The same where vectors are registers: nothing is read of what one was before a write when others read what it is
/// then, for both would need registers.
bool collapseRegionsInPlace(llvm::Module &M);
bool removeDeadElements(llvm::Module &M);
bool contract(llvm::Module &M);

/// Adds the global offset of a gather or scatter to its offsets.
void addGlobalOffset(llvm::CallInst &Access);
/// The same, and the offsets are of bytes afterwards.
void scaleOffsets(llvm::CallInst &Access);

/// LLVM's functions that are several operations become those, for targets without instructions for them.
bool expandIntrinsics(llvm::Module &M);

/// Roundings and scalings of floats too,
bool expandRounding(llvm::Function &F);
/// with those remainders and inverse trigonometric functions.
bool expandFloatFunctions(llvm::Module &M);

/// Conversions of integers to half that may overflow are kept apart from those behind them (HalfOverflow.cpp).
bool keepHalfOverflow(llvm::Function &F);

/// Arithmetic on bfloat becomes arithmetic on float, for targets without it.
bool widenBfloat(llvm::Function &F);

/// The constant with the initial values of a program's __global variables; none when it has no such variables.
constexpr const char *ProgramDataName = "cm.program.data";

/// Gives specialisation constants that the host has given no value (Program::specialized) their defaults.
void takeSpecDefaults(llvm::Module &M);

struct PassDescription {
  const char *Name, *Description;
};
/// The passes of Passes.def, in order.
std::vector<PassDescription> middleEndPasses();

struct PipelineOptions {
  /// Names of passes to leave out.
  std::vector<std::string> Disabled;
  /// Verify the IR after every pass that changed it, and name the pass that broke it.
  bool VerifyEach = false;
};

/// Runs the whole middle end. Returns an error message, empty on success: an unknown name in the options, or a pass
/// that left broken IR (a bug of PoCM, and said so).
std::string runMiddleEnd(llvm::Module &M, const PipelineOptions &Options = {});

/// Runs the named passes only, in the order given; names are those of Passes.def, or LLVM's own pipeline text.
std::string runPasses(llvm::Module &M, const std::vector<std::string> &Names);

/// What makes the IR that this pass left invalid; empty when it is valid.
std::string brokenBy(llvm::Module &M, llvm::StringRef Pass);

/// Runs a stretch of LLVM's passes given in `opt -passes=` syntax. The text is trusted: a mistake in it aborts.
void runLlvmPasses(llvm::Module &M, llvm::StringRef Pipeline, llvm::TargetMachine *Target = nullptr);

} // namespace pocm
