//===- OpenClProgram.cpp - A program as SPIR-V for OpenCL ------------------------------------===//
#include "codegen/spirv/SpirvWriter.h"
#include "ir/Bitcode.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "pocm/gen.h"
#include "program/Container.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace pocm {

std::vector<std::uint8_t> openClProgram(const std::vector<std::uint8_t> &File) {
  constexpr unsigned MostArrayBytes = 3072 - 1; // what the vector compiler keeps in registers
  program::Container Container = program::read(File);
  LLVMContext Context;
  std::unique_ptr<Module> M = readBitcode(Container.ir, Context);
  forgetUnwritten(*M);
  takeSpecDefaults(*M);
  inlineSubroutines(*M);
  promoteArrays(*M, MostArrayBytes);
  spirv::makeMessagesPublic(*M);
  runLlvmPasses(*M, "function(instcombine<no-verify-fixpoint>,early-cse,adce,lower-switch),globaldce");
  expandFloatFunctions(*M);
  expandIntrinsics(*M); // last: simplification finds them again
  std::string Problem;
  std::vector<std::uint32_t> Words = spirv::write(*M, Problem);
  if (!Problem.empty())
    throw Error(Problem);
  auto *First = reinterpret_cast<const std::uint8_t *>(Words.data());
  return {First, First + Words.size() * sizeof(Words[0])};
}

} // namespace pocm
