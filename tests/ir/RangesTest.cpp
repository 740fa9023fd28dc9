// What integers can be, through regions and arithmetic.
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/IR/LLVMContext.h"
#include <gtest/gtest.h>

using namespace pocm;
using namespace llvm;

namespace {

class Ranges : public testing::Test {
protected:
  LLVMContext context;
  Module module{"m", context};
  Type *word = Type::getInt16Ty(context), *dword = Type::getInt32Ty(context);
  FixedVectorType *words = FixedVectorType::get(word, 8);
  Function *f =
      Function::Create(FunctionType::get(Type::getVoidTy(context), {words, Type::getInt8Ty(context), dword}, false),
                       GlobalValue::ExternalLinkage, "f", module);
  IRBuilder<> b{BasicBlock::Create(context, "", f)};
  Value *vector = f->getArg(0), *byte = f->getArg(1), *number = f->getArg(2);

  /// The least and the greatest value, without a sign.
  std::pair<uint64_t, uint64_t> of(Value *v) {
    ConstantRange range = integerRange(v);
    return {range.getUnsignedMin().getZExtValue(), range.getUnsignedMax().getZExtValue()};
  }
  using Pair = std::pair<uint64_t, uint64_t>;
};

TEST_F(Ranges, ofConstantsAreThoseOfTheirElements) {
  EXPECT_EQ(of(b.getInt32(7)), Pair(7, 7));
  EXPECT_EQ(of(ConstantVector::get({b.getInt16(9), b.getInt16(3), b.getInt16(5)})), Pair(3, 9));
  EXPECT_EQ(of(ConstantVector::get({b.getInt16(9), PoisonValue::get(word)})), Pair(0, 0xFFFF));
}

TEST_F(Ranges, ofArithmeticFollowOperands) {
  Value *wide = b.CreateZExt(byte, dword);
  EXPECT_EQ(of(wide), Pair(0, 255));
  EXPECT_EQ(of(b.CreateAdd(wide, b.getInt32(10))), Pair(10, 265));
  EXPECT_EQ(of(b.CreateMul(wide, b.getInt32(3))), Pair(0, 765));
  EXPECT_EQ(of(b.CreateShl(wide, 2)), Pair(0, 1020));
  EXPECT_EQ(integerRange(b.CreateShl(b.CreateSub(wide, b.getInt32(100)), 1)).getSignedMin().getSExtValue(), -200);
  EXPECT_EQ(of(b.CreateLShr(wide, 4)), Pair(0, 15));
  EXPECT_EQ(of(b.CreateAnd(number, 31)), Pair(0, 31));
  EXPECT_EQ(of(b.CreateSelect(b.CreateIsNull(number), wide, b.getInt32(300))), Pair(0, 300));
  EXPECT_EQ(of(b.CreateOr(b.CreateShl(wide, 8), wide, "", /*IsDisjoint=*/true)), Pair(0, 65535));
  EXPECT_EQ(of(number), Pair(0, 0xFFFFFFFF));
}

TEST_F(Ranges, seeThroughRegions) {
  Value *few = b.CreateAnd(vector, ConstantInt::get(words, 15));
  Value *one = RegionRead::create(b, word, few, Region::contiguous(1, 3));
  EXPECT_EQ(of(one), Pair(0, 15));
  EXPECT_EQ(of(RegionRead::create(b, FixedVectorType::get(word, 4), few, {0, 4, 2, 0, nullptr})), Pair(0, 15));
  Value *low = RegionRead::create(b, word, b.CreateBitCast(b.CreateAnd(number, 63), FixedVectorType::get(word, 2)),
                                  Region::contiguous(1, 0));
  EXPECT_EQ(of(low), Pair(0, 63)) << "the low word of a dword";
  Value *high = RegionRead::create(b, word, b.CreateBitCast(b.CreateAnd(number, 63), FixedVectorType::get(word, 2)),
                                   Region::contiguous(1, 1));
  EXPECT_EQ(of(high).second, 0xFFFFu) << "the high one is not looked at";
}

TEST_F(Ranges, ofFloatsFollowTheIntegersThatTheyAreMadeOf) {
  Value *x = b.CreateUIToFP(b.CreateZExt(byte, dword), b.getFloatTy());
  auto range = floatRange(x);
  ASSERT_TRUE(range);
  EXPECT_LE(range->Low, 0);
  EXPECT_GE(range->High, 255);
  EXPECT_LT(range->High, 255.01);
  auto sum = floatRange(b.CreateFAdd(x, x));
  ASSERT_TRUE(sum);
  EXPECT_GE(sum->High, 510);
  EXPECT_LT(sum->High, 510.01);
  EXPECT_FALSE(floatRange(b.CreateUIToFP(b.CreateZExt(number, b.getInt64Ty()), b.getFloatTy()))) << "64 bits";
}

} // namespace
