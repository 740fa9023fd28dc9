// Which kind of surface a kernel takes a parameter for, as far as its uses are seen.
#include "ir/SurfaceUse.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace pocm;
using namespace llvm;

namespace {

SurfaceUse useOf(const std::string &body) {
  LLVMContext context;
  SMDiagnostic problem;
  auto module =
      parseAssemblyString("declare <8 x i32> @llvm.genx.oword.ld.v8i32(i32, i32, i32)\n"
                          "declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)\n"
                          "declare <8 x i8> @llvm.genx.media.ld.v8i8(i32, i32, i32, i32, i32, i32)\n"
                          "declare void @elsewhere(i32)\n"
                          "define void @reads(i32 %s) {\n"
                          "  %v = call <8 x i32> @llvm.genx.oword.ld.v8i32(i32 0, i32 %s, i32 0)\n  ret void\n}\n"
                          "define void @k(i32 %s, i32 %t, ptr %p, i1 %c) {\n" +
                              body + "\n  ret void\n}\n",
                          problem, context);
  if (!module) {
    ADD_FAILURE() << problem.getMessage().str();
    return SurfaceUse::Any;
  }
  return surfaceUseOf(*module->getFunction("k")->getArg(0));
}

constexpr const char *read = "%v = call <8 x i32> @llvm.genx.oword.ld.v8i32(i32 0, i32 %s, i32 0)\n",
                     *image =
                         "%m = call <8 x i8> @llvm.genx.media.ld.v8i8(i32 0, i32 %s, i32 0, i32 8, i32 0, i32 0)\n";

TEST(SurfaceUse, isWhatAllMessagesWant) {
  EXPECT_EQ(useOf(read), SurfaceUse::Buffer);
  EXPECT_EQ(useOf(image), SurfaceUse::Image);
  EXPECT_EQ(useOf(std::string(read) + image), SurfaceUse::Any);
  EXPECT_EQ(useOf(""), SurfaceUse::Any);
}

TEST(SurfaceUse, isFollowedIntoCallees) {
  EXPECT_EQ(useOf("call void @reads(i32 %s)"), SurfaceUse::Buffer);
  EXPECT_EQ(useOf(std::string(image) + "call void @reads(i32 %s)"), SurfaceUse::Any);
  EXPECT_EQ(useOf(std::string(read) + "call void @elsewhere(i32 %s)"), SurfaceUse::Any);
}

// What becomes of it is not seen: as a number, in memory, as what is written, or chosen.
TEST(SurfaceUse, isAnyWhereItIsNotSeen) {
  EXPECT_EQ(useOf(std::string(read) + "%n = add i32 %s, 1"), SurfaceUse::Any);
  EXPECT_EQ(useOf(std::string(read) + "store i32 %s, ptr %p"), SurfaceUse::Any);
  EXPECT_EQ(useOf(std::string(read) + "%n = select i1 %c, i32 %s, i32 %t"), SurfaceUse::Any);
  EXPECT_EQ(useOf(std::string(read) + "%w = insertelement <8 x i32> zeroinitializer, i32 %s, i32 0\n"
                                      "call void @llvm.genx.oword.st.v8i32(i32 %t, i32 0, <8 x i32> %w)"),
            SurfaceUse::Any);
}

} // namespace
