//===- Passes.h - The target-independent middle end --------------------------===//
//
// One function per pass of Passes.def, which says what each does, and the pipeline that
// runs them. Each returns whether it changed the module.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <iosfwd>
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

#define PASS(name, function, description) bool function(llvm::Module &M);
#define LLVM_PASS(name, pipeline, description)
#include "passes/Passes.def"

/// Attribute of functions that their source marks never to be inlined (keepSubroutines).
constexpr const char *SubroutineAttribute = "cm.subroutine";
/// Whether it is one of them.
bool isSubroutine(const llvm::Function &F);
/// Those that `Which` wants, all without it, are inlined after all, for devices that cannot call them.
bool inlineSubroutines(llvm::Module &M, llvm::function_ref<bool(const llvm::Function &)> Which = nullptr);
/// Variables that promoteArrays would take.
llvm::SmallVector<llvm::AllocaInst *, 8> promotableArrays(llvm::Function &F, unsigned MostBytes);
/// Arrays and structures of at most `MostBytes` bytes become whole values as well, with offsets known at run time, but
/// for `Others`.
bool promoteArrays(llvm::Module &M, unsigned MostBytes, const llvm::DenseSet<const llvm::AllocaInst *> &Others = {});
/// What collapseRegions does, where vectors are registers: nothing is read of what one was before a write when others
/// read what it is then, for both would need registers.
bool collapseRegionsInPlace(llvm::Module &M);

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

/// How passes are looked at while they run.
struct PassWatch {
  bool VerifyEach = false;         ///< Check the IR after each pass that changed it, and that a pass which did says so.
  std::ostream *Changes = nullptr; ///< Gets the IR after each pass that changed it, and the names of the others.
};

/// Runs a pass, which returns whether it changed the module. Returns what the watch finds wrong: that it is a bug of
/// PoCM, and the pass's name; empty when all is well.
std::string runWatched(llvm::Module &M, llvm::StringRef Pass, const PassWatch &Watch, llvm::function_ref<bool()> Run);

/// The message about the first of these names that no pass of the middle end has; empty when all have one.
std::string unknownPass(const std::vector<std::string> &Names);

/// Runs the whole middle end without the passes of those names. Returns an error message, empty on success: an unknown
/// name, or a pass that left broken IR.
std::string runMiddleEnd(llvm::Module &M, const std::vector<std::string> &Disabled = {}, const PassWatch &Watch = {});

/// Runs the named passes only, in the order given; names are those of Passes.def, or LLVM's own pipeline text.
std::string runPasses(llvm::Module &M, const std::vector<std::string> &Names, const PassWatch &Watch = {true});

/// What makes the IR that this pass left invalid; empty when it is valid.
std::string brokenBy(llvm::Module &M, llvm::StringRef Pass);

/// Runs a stretch of LLVM's passes given in `opt -passes=` syntax; whether it changed the module. The text is trusted:
/// a mistake in it aborts.
bool runLlvmPasses(llvm::Module &M, llvm::StringRef Pipeline, llvm::TargetMachine *Target = nullptr);

} // namespace pocm
