// LLVM's code of IR that it makes wrong unless it is told otherwise (initializeLlvm).
#include "codegen/cpu/CodeGen.h"
#include "codegen/cpu/CpuPipeline.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <gtest/gtest.h>
#include <regex>

namespace {

std::string assembly(const char *ir, const char *cpu) {
  const auto machine = pocm::cpu::machineFor(pocm::cpu::chooseTarget(cpu, false));
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, problem, context);
  if (!module)
    return problem.getMessage().str();
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return "no assembly";
  passes.run(*module);
  return text.str().str();
}

// The lower of two numbers in 64 bits is a place. That it has few bits makes the mask needless which takes it out of
// them, but for the number above it.
TEST(Widening, thePlaceIsNotBothNumbers) {
  const char *const ir = R"(
    define i64 @place(<4 x i32> %v, ptr %a) {
      %x = and <4 x i32> %v, splat (i32 1023)
      %w = add <4 x i32> %x, splat (i32 1)
      %b = bitcast <4 x i32> %w to <2 x i64>
      %e = extractelement <2 x i64> %b, i64 0
      %t = trunc i64 %e to i32
      %z = zext i32 %t to i64
      %g = getelementptr i32, ptr %a, i64 %z
      %l = load i64, ptr %g
      ret i64 %l
    })";
  for (const char *cpu : {"x86-64", "haswell", "znver5"}) {
    const std::string text = assembly(ir, cpu);
    EXPECT_TRUE(std::regex_search(text, std::regex(R"(movq\s+%xmm\d, %rax)"))) << text;
    EXPECT_FALSE(std::regex_search(text, std::regex(R"(movq\s+%xmm\d, %rax\s+movq\s+\(%rdi,%rax,4\))"))) << cpu << text;
  }
}

} // namespace
