//===- GenPasses.h - From CM IR to what Gen instructions can do -------------------------===//
//
// One function per pass of GenPasses.def. What they leave is still CM IR and can be run
// on any device; codegen/gen/Emitter.h then prints a bale as an instruction.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/GenTarget.h"
#include "passes/Passes.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace pocm::gen {

bool keepCalls(llvm::Module &M, const GenTarget &Target);
bool endThreads(llvm::Module &M, const GenTarget &Target);
bool promoteArrays(llvm::Module &M, const GenTarget &Target);
bool placeInThreadMemory(llvm::Module &M, const GenTarget &Target);
bool boundAbsolutes(llvm::Module &M, const GenTarget &Target);
bool narrowSaturation(llvm::Module &M, const GenTarget &Target);
bool widenBfloats(llvm::Module &M, const GenTarget &Target);
bool selectRotations(llvm::Module &M, const GenTarget &Target);
/// The middle end's own.
bool expandIntrinsics(llvm::Module &M, const GenTarget &Target);
bool expandFloatFunctions(llvm::Module &M, const GenTarget &Target);
bool expandExactQuotients(llvm::Module &M, const GenTarget &Target);
bool removeDeadElements(llvm::Module &M, const GenTarget &Target);
bool expandDivision(llvm::Module &M, const GenTarget &Target);
bool narrowPredicates(llvm::Module &M, const GenTarget &Target);
bool predicate(llvm::Module &M, const GenTarget &Target);
bool scheduleBlocks(llvm::Module &M, const GenTarget &Target);
bool orderPredicates(llvm::Module &M, const GenTarget &Target);
bool selectOperations(llvm::Module &M, const GenTarget &Target);
bool widenOddIntegers(llvm::Module &M, const GenTarget &Target);
bool splitInt64(llvm::Module &M, const GenTarget &Target);
bool cutMessages(llvm::Module &M, const GenTarget &Target);
/// Elements that a shuffle of numbers picks, by regions; a part of gen-regions.
bool pickElements(llvm::Module &M);
bool simplifyRegions(llvm::Module &M, const GenTarget &Target);
bool askOnce(llvm::Module &M, const GenTarget &Target);
bool countAhead(llvm::Module &M, const GenTarget &Target);
bool combineInserts(llvm::Module &M, const GenTarget &Target);
bool combineExtracts(llvm::Module &M, const GenTarget &Target);
bool placeConstants(llvm::Module &M, const GenTarget &Target);
bool selectEarly(llvm::Module &M, const GenTarget &Target);
bool readLatestVersions(llvm::Module &M, const GenTarget &Target);
bool formBales(llvm::Module &M, const GenTarget &Target);
bool legalize(llvm::Module &M, const GenTarget &Target);
bool decompose(llvm::Module &M, const GenTarget &Target);
bool shareWrites(llvm::Module &M, const GenTarget &Target);
bool takeResults(llvm::Module &M, const GenTarget &Target);
bool orderBlocks(llvm::Module &M, const GenTarget &Target);

/// Whether threads with these functions are dispatched in groups.
bool usesGroups(llvm::ArrayRef<llvm::Function *> Functions);

/// The passes, in order.
std::vector<PassDescription> genPassDescriptions();
/// Runs one pass, of GenPasses.def or any that runPasses knows. Returns an error message, empty on success.
std::string runGenPass(llvm::Module &M, const GenTarget &Target, const std::string &Name);
/// Runs the passes up to and including `Last` (all when it is empty), without those that are disabled, and checks what
/// each leaves, or the last one alone. Returns an error message, empty on success.
std::string runGenPasses(llvm::Module &M, const GenTarget &Target, llvm::StringRef Last = {},
                         const std::vector<std::string> &Disabled = {}, bool VerifyEach = false);

} // namespace pocm::gen
