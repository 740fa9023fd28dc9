// CM IR from files: operations have the operands of their rows. (What else is refused: devices/cpu/CpuDeviceTest.cpp.)
#include "ir/Trust.h"
#include "ir/SampleCalls.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamWriter.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace pocm;
using namespace llvm;

namespace {

/// What is wrong with a module whose kernel does this.
std::string problemOf(const std::string &body, const std::string &declaration) {
  LLVMContext context;
  SMDiagnostic problem;
  auto module = parseAssemblyString(
      declaration + "\ndefine spir_func void @k(i32 %out) {\n" + body + "\n  ret void\n}\n", problem, context);
  return module ? distrust(*module) : problem.getMessage().str();
}

TEST(Trust, operationsOfEveryRow) {
  for (auto [name, operation] : samples::operations()) {
    samples::Kernel kernel(name, operation);
    EXPECT_EQ(distrust(*kernel.module), "") << name;
  }
}

TEST(Trust, operandsAreCountedAndMeasured) {
  const std::string other = " (it may come from another version of PoCM)";
  EXPECT_EQ(
      problemOf("%v = call ptr addrspace(3) @cm.local.base(i32 0)", "declare ptr addrspace(3) @cm.local.base(i32)"),
      "cm.local.base has 1 operands, not 2" + other)
      << "as it was once";
  EXPECT_EQ(problemOf("call void @llvm.genx.oword.st.v8i32(i32 %out, float 0.0, <8 x i32> zeroinitializer)",
                      "declare void @llvm.genx.oword.st.v8i32(i32, float, <8 x i32>)"),
            "operand 2 of llvm.genx.oword.st.v8i32 has another type than the operation takes" + other);
  EXPECT_EQ(problemOf("%v = call i32 @llvm.genx.barrier()", "declare i32 @llvm.genx.barrier()"),
            "the result of llvm.genx.barrier has another type than it returns" + other);
  EXPECT_EQ(problemOf("%v = call <4 x i32> @llvm.genx.oword.ld.v8i32(i32 0, i32 %out, i32 0)",
                      "declare <4 x i32> @llvm.genx.oword.ld.v8i32(i32, i32, i32)"),
            "operation 'llvm.genx.oword.ld.v8i32' has other types than its name says");
}

/// Bitcode with the types i32, ptr, float, <4 x float> and [4 x ptr], and a list of numbers of one of them.
std::string listOf(unsigned type) {
  SmallVector<char> bytes;
  {
    BitstreamWriter writer(bytes);
    writer.Emit(0xDEC04342, 32);
    auto record = [&](unsigned code, std::initializer_list<std::uint64_t> operands) {
      writer.EmitRecord(code, std::vector(operands));
    };
    writer.EnterSubblock(bitc::TYPE_BLOCK_ID_NEW, 4);
    record(bitc::TYPE_CODE_NUMENTRY, {5});
    record(bitc::TYPE_CODE_INTEGER, {32});
    record(bitc::TYPE_CODE_OPAQUE_POINTER, {0});
    record(bitc::TYPE_CODE_FLOAT, {});
    record(bitc::TYPE_CODE_VECTOR, {4, 2});
    record(bitc::TYPE_CODE_ARRAY, {4, 1});
    writer.ExitBlock();
    writer.EnterSubblock(bitc::CONSTANTS_BLOCK_ID, 4);
    record(bitc::CST_CODE_SETTYPE, {type});
    record(bitc::CST_CODE_DATA, {1, 2, 3, 4});
    writer.ExitBlock();
  }
  return distrust(StringRef(bytes.data(), bytes.size()));
}

// LLVM's reader asks a pointer for its elements.
TEST(Trust, listsOfNumbersAreOfTypesThatHaveThem) {
  EXPECT_EQ(listOf(3), "");
  for (unsigned other : {0u, 1u, 2u, 4u, 5u, 77u})
    EXPECT_EQ(listOf(other), "it lists numbers of a type that has none") << other;
}

} // namespace
