// CM IR from files: operations have the operands of their rows. (What else is refused: devices/cpu/CpuDeviceTest.cpp.)
#include "ir/Trust.h"
#include "ir/Bitcode.h"
#include "ir/SampleCalls.h"
#include "pocm/pocm.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamWriter.h"
#include "llvm/IR/DebugInfoMetadata.h"
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

TEST(Trust, nothingLeadsOutOfVariables) {
  const std::string region =
      "declare <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)";
  auto read = [&](const std::string &strides) {
    return problemOf("%o = trunc i32 %out to i16\n%v = call <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32> "
                     "zeroinitializer, " +
                         strides + ", i16 %o, i32 0)",
                     region);
  };
  EXPECT_EQ(read("i32 8, i32 2, i32 1"), "");
  EXPECT_EQ(read("i32 2147483647, i32 2, i32 1"), "a region chosen at run time is larger than its vector");
  EXPECT_EQ(read("i32 -4, i32 2, i32 1"), "a region chosen at run time is larger than its vector");
  EXPECT_EQ(problemOf("%v = call ptr @cm.local.base(i32 %out, i32 4)", "declare ptr @cm.local.base(i32, i32)"),
            "the place of a variable is known at run time only");
  EXPECT_EQ(problemOf("call void @llvm.assume(i1 true) [\"align\"(ptr null, i32 8)]", "declare void @llvm.assume(i1)"),
            "");
  EXPECT_NE(
      problemOf("call void @f() [\"deopt\"(i32 7)]", "define void @f() {\n ret void\n}").find("has operand bundles"),
      std::string::npos);
  EXPECT_EQ(problemOf("store i32 7, ptr @k", ""), "it takes the address of a function");
  EXPECT_EQ(problemOf("%v = sub i64 ptrtoint (ptr @k to i64), 8", ""), "it takes the address of a function");
  EXPECT_EQ(problemOf("%v = insertelement <2 x ptr> poison, ptr null, i32 %out", ""),
            "a value has a type that CM does not have, or is too large");
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
    record(bitc::CST_CODE_DATA, {1, 70000, 3, 4}); // more than a function's attributes may be of
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

/// Why a module is not used.
std::string distrustOf(const std::string &text) {
  LLVMContext context;
  SMDiagnostic problem;
  auto module = parseAssemblyString(text, problem, context);
  return module ? distrust(*module) : "not read: " + problem.getMessage().str();
}

/// A module with a function that has these attributes, and calls another one.
std::string function(const std::string &attributes, const std::string &convention = "spir_func",
                     const std::string &body = "ret void") {
  return "define internal spir_func void @h(i32 %a) { ret void }\ndefine " + convention + " void @k(i32 %out) " +
         attributes + " {\n" + body + "\n}\n";
}

TEST(Trust, whatClangSaysOfFunctionsIsKnownAndNothingElse) {
  for (const char *known : {"", "nounwind willreturn memory(none) mustprogress noinline", "alwaysinline norecurse",
                            "\"CMGenxMain\" \"denormal-fp-math\"=\"dynamic,dynamic\" \"no-builtins\""})
    EXPECT_EQ(distrustOf(function(known)), "") << known;
  for (const char *other : {"optnone noinline",
                            "sspreq",
                            "safestack",
                            "shadowcallstack",
                            "sanitize_address",
                            "presplitcoroutine",
                            "returns_twice",
                            "strictfp",
                            "noimplicitfloat",
                            "uwtable",
                            "alignstack(256)",
                            "vscale_range(1,16)",
                            "\"probe-stack\"=\"foo\"",
                            "\"target-cpu\"=\"nonsense\"",
                            "\"target-features\"=\"+avx512f\"",
                            "\"patchable-function-entry\"=\"1000000\"",
                            "\"split-stack\"",
                            "\"fentry-call\"=\"true\"",
                            "\"frame-pointer\"=\"all\"",
                            "\"min-legal-vector-width\"=\"100000000\"",
                            "\"warn-stack-size\"=\"1\""})
    EXPECT_NE(distrustOf(function(other)).find("which CM does not use"), std::string::npos) << other;
  EXPECT_NE(distrustOf(function("", "spir_func", "call spir_func void @h(i32 inreg 1)\nret void")).find("'inreg'"),
            std::string::npos);
  EXPECT_NE(distrustOf(function("align 1073741824")).find("more than instructions"), std::string::npos);
  for (const char *convention : {"ghccc", "preserve_allcc", "swiftcc", "tailcc", "win64cc", "cc 1000", "anyregcc"})
    EXPECT_NE(distrustOf(function("", convention)).find("not called as those of CM"), std::string::npos) << convention;
  EXPECT_NE(distrustOf(function("", "spir_func", "call ghccc void @h(i32 1)\nret void")).find("not one as CM has it"),
            std::string::npos);
  EXPECT_NE(distrustOf(function("", "spir_func", "musttail call spir_func void @h(i32 1)\nret void"))
                .find("not one as CM has it"),
            std::string::npos);
  EXPECT_NE(
      distrustOf(function("", "spir_func", "br label %a\na:\n%v = ptrtoint ptr blockaddress(@k, %a) to i64\nret void"))
          .find("address inside"),
      std::string::npos);
}

TEST(Trust, sizesOfTypesDoNotWrapAround) {
  const std::string wraps = "[16777216 x [16777216 x [65536 x i8]]]"; // 2^64 bytes
  EXPECT_NE(problemOf("%v = alloca " + wraps, "").find("too large"), std::string::npos);
  EXPECT_NE(problemOf("", "@g = internal global " + wraps + " zeroinitializer").find("too large"), std::string::npos);
  std::string doubled; // 2^60 fields, of which each is looked at once
  for (int i = 0; i < 60; ++i)
    doubled +=
        "%T" + std::to_string(i) + " = type { %T" + std::to_string(i + 1) + ", %T" + std::to_string(i + 1) + " }\n";
  EXPECT_NE(problemOf("%v = alloca %T0", doubled + "%T60 = type { i32 }").find("too large"), std::string::npos);
  EXPECT_NE(problemOf("%v = insertvalue [100000 x i32] zeroinitializer, i32 %out, 5", "").find("too large"),
            std::string::npos);
  for (const char *nothing : {"{}", "[0 x i32]", "{ [0 x i8], {} }"}) // of which LLVM makes as many values
    EXPECT_NE(
        problemOf("%v = insertvalue [1000000 x " + std::string(nothing) + "] poison, " + nothing + " poison, 5", "")
            .find("too large"),
        std::string::npos)
        << nothing;
  std::string many = "{ {}";
  for (int i = 0; i < 2000; ++i)
    many += ", {}";
  EXPECT_NE(problemOf("%v = insertvalue " + many + " } poison, {} poison, 5", "").find("too large"), std::string::npos);
  EXPECT_EQ(problemOf("%v = alloca [60000000 x i8]", ""), "");
  EXPECT_NE(problemOf("%v = alloca i32, align 2097152", "").find("aligned to more than"), std::string::npos);
  EXPECT_NE(problemOf("", "@g = internal global i32 0, align 4294967296").find("aligned to more than"),
            std::string::npos);
  EXPECT_NE(problemOf("%v = inttoptr i64 0 to ptr addrspace(257)", "").find("too large"), std::string::npos);
}

TEST(Trust, callsComeToAnEnd) {
  EXPECT_NE(problemOf("call spir_func void @k(i32 %out)", "").find("no recursion"), std::string::npos);
  auto chain = [](int length, const std::string &variables) {
    std::string text = "define internal spir_func void @f0() { ret void }\n";
    for (int i = 1; i <= length; ++i) {
      const std::string call = "call spir_func void @f" + std::to_string(i - 1) + "()\n";
      text += "define internal spir_func void @f" + std::to_string(i) + "() {\n" + variables + call + call +
              "ret void\n}\n";
    }
    return text;
  };
  EXPECT_EQ(distrustOf(chain(10, "")), "");
  EXPECT_NE(distrustOf(chain(30, "")).find("instructions with those that it calls"), std::string::npos);
  EXPECT_NE(distrustOf(chain(10, "%v = alloca [1000000 x i8]\n")).find("and of what it calls take more"),
            std::string::npos);
}

TEST(Trust, whatIsForLinkersIsRefused) {
  EXPECT_NE(distrustOf("@g = weak global i32 0").find("lies outside"), std::string::npos);
  EXPECT_NE(distrustOf("@g = common global i32 0").find("lies outside"), std::string::npos);
  EXPECT_NE(distrustOf("@g = internal global i32 0, partition \"x\"").find("lies outside"), std::string::npos);
  EXPECT_NE(distrustOf("@g = internal global i32 0, sanitize_memtag").find("lies outside"), std::string::npos);
  EXPECT_NE(distrustOf("!llvm.linker.options = !{!0}\n!0 = !{!\"-lfoo\"}").find("not for CM"), std::string::npos);
  EXPECT_NE(distrustOf("define spir_func i32 @k() { ret i32 5 }\n!genx.kernels = !{!0}\n"
                       "!0 = !{ptr @k, !\"k\", !1, i32 0, i32 0, !1}\n!1 = !{}")
                .find("returns something"),
            std::string::npos);
}

// LLVM's reader ends the process for such a module, when it says that it has debug information.
TEST(Trust, modulesThatAreNotValidAreRefused) {
  LLVMContext context;
  SMDiagnostic problem;
  auto module = parseAssemblyString("define spir_func void @k() naked { ret void }", problem, context);
  ASSERT_TRUE(module);
  module->getFunction("k")->addFnAttr(Attribute::OptimizeNone); // without noinline
  module->addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  const std::vector<std::uint8_t> bytes = writeBitcode(*module);
  try {
    readBitcode(bytes, context);
    FAIL();
  } catch (const pocm::Error &refusal) {
    EXPECT_NE(std::string(refusal.what()).find("is not valid: "), std::string::npos) << refusal.what();
  }
}

} // namespace
