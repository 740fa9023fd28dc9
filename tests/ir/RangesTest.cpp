// What integers can be, through regions and arithmetic.
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/IR/LLVMContext.h"
#include <gtest/gtest.h>
#include <random>

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

// Each sum is seen through both of its operands: in time, whatever the number of ways to a value.
TEST_F(Ranges, sumsOfSumsTakeNoLongerThanOthers) {
  Value *last = b.CreateShl(b.CreateZExt(byte, dword), 4), *before = last;
  for (int i = 0; i < 45; ++i) {
    Value *sum = b.CreateAdd(before, last);
    before = std::exchange(last, sum);
  }
  EXPECT_EQ(of(last), Pair(0, 0xFFFFFFFF));
  EXPECT_LE(trailingZeros(last), 4u);
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

// What is hidden by later writes counts no more; what nobody has written does as long as some of it stays.
TEST_F(Ranges, ofWrittenVectorsAreThoseOfWhatIsSeen) {
  auto some = [&](unsigned most, unsigned count) {
    Value *bytes = b.CreateAnd(b.CreateVectorSplat(count, b.CreateTrunc(number, word)), most);
    EXPECT_EQ(of(bytes), Pair(0, most));
    return bytes;
  };
  const Region even{2, 1, 1, 0, nullptr}, odd{2, 1, 1, 1, nullptr};
  Value *half = RegionWrite::create(b, UndefValue::get(words), some(7, 4), even);
  EXPECT_EQ(of(half), Pair(0, 0xFFFF));
  EXPECT_EQ(of(RegionRead::create(b, word, half, Region::contiguous(1, 2))), Pair(0, 7));
  EXPECT_EQ(of(RegionRead::create(b, word, half, Region::contiguous(1, 3))), Pair(0, 0xFFFF));
  Value *whole = RegionWrite::create(b, half, some(15, 4), odd);
  EXPECT_EQ(of(whole), Pair(0, 15));
  EXPECT_EQ(of(RegionWrite::create(b, whole, some(3, 4), odd)), Pair(0, 7));
  EXPECT_EQ(of(RegionWrite::create(b, whole, some(63, 2), even)), Pair(0, 63));
  EXPECT_EQ(of(RegionWrite::create(b, whole, b.getInt16(100), Region::contiguous(1, 5))), Pair(0, 100));
  // The last of what one region writes to a place is seen there.
  Value *two =
      RegionWrite::create(b, PoisonValue::get(FixedVectorType::get(word, 2)), b.getInt16(9), Region::contiguous(1, 0));
  two = RegionWrite::create(b, two, some(3, 1), Region::contiguous(1, 1));
  Value *twice = RegionWrite::create(b, whole, two, {0, 1, 1, 4, nullptr});
  EXPECT_EQ(of(RegionRead::create(b, word, twice, Region::contiguous(1, 4))), Pair(0, 3));
  // With a mask, or at a place that is known at run time only, nothing is hidden.
  Value *mask = b.CreateICmpUGT(some(1, 4), Constant::getNullValue(FixedVectorType::get(word, 4)));
  EXPECT_EQ(of(RegionWrite::create(b, whole, some(3, 4), odd, mask)), Pair(0, 15));
  Region somewhere = Region::contiguous(4);
  somewhere.Dynamic = b.CreateTrunc(number, word);
  EXPECT_EQ(of(RegionWrite::create(b, whole, some(31, 4), somewhere)), Pair(0, 31));
  EXPECT_EQ(of(RegionWrite::create(b, half, some(31, 4), somewhere)), Pair(0, 0xFFFF));
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
  auto withSign = floatRange(b.CreateSIToFP(number, b.getFloatTy())),
       without = floatRange(b.CreateUIToFP(number, b.getFloatTy()));
  ASSERT_TRUE(withSign && without);
  EXPECT_LE(withSign->Low, -0x1p31);
  EXPECT_GE(withSign->High, 0x1p31 - 1);
  EXPECT_LT(withSign->High, 0x1p31 * 1.001);
  EXPECT_EQ(without->Low, 0);
  EXPECT_GE(without->High, 0x1p32 - 1);
}

/// A loop whose counter begins with `start`, goes on by `step`, and whose branch goes back where `how` holds between
/// the counter (its next value with `asksNext`) and `bound`.
struct Loop {
  PHINode *counter;
  Loop(Function *f, int start, int step, CmpInst::Predicate how, int bound, bool asksNext, bool turned = false) {
    LLVMContext &c = f->getContext();
    auto *entry = BasicBlock::Create(c, "entry", f), *body = BasicBlock::Create(c, "body", f),
         *edge = BasicBlock::Create(c, "edge", f), *end = BasicBlock::Create(c, "end", f);
    IRBuilder<> b(entry);
    b.CreateBr(body);
    b.SetInsertPoint(body);
    counter = b.CreatePHI(b.getInt16Ty(), 2);
    Value *next = b.CreateAdd(counter, b.getInt16(uint16_t(step)));
    Value *asked = asksNext ? next : counter;
    Value *goesOn = b.CreateICmp(turned ? CmpInst::getInversePredicate(how) : how, asked, b.getInt16(uint16_t(bound)));
    turned ? b.CreateCondBr(goesOn, end, edge) : b.CreateCondBr(goesOn, edge, end);
    IRBuilder<>(edge).CreateBr(body);
    IRBuilder<>(end).CreateRetVoid();
    counter->addIncoming(b.getInt16(uint16_t(start)), entry);
    counter->addIncoming(next, edge);
  }
};

TEST_F(Ranges, ofOneElementAreItsOwn) {
  Value *limited =
      b.CreateAnd(vector, ConstantVector::get({b.getInt16(9), PoisonValue::get(word), b.getInt16(5), b.getInt16(7),
                                               b.getInt16(1), b.getInt16(1), b.getInt16(1), b.getInt16(1)}));
  auto element = [&](int k) { return RegionRead::create(b, word, limited, Region::contiguous(1, k)); };
  EXPECT_EQ(of(element(0)), Pair(0, 9));
  EXPECT_EQ(of(element(2)), Pair(0, 5));
  EXPECT_EQ(of(element(1)), Pair(0, 0xFFFF)) << "which is anything";
  EXPECT_EQ(of(b.CreateShl(element(3), 2)), Pair(0, 28));
  Value *some = RegionRead::create(b, FixedVectorType::get(word, 2), limited, {0, 2, 2, 0, nullptr});
  EXPECT_EQ(of(some), Pair(0, 0xFFFF)) << "several are all of them";
  EXPECT_EQ(of(RegionRead::create(b, word, some, Region::contiguous(1, 1))), Pair(0, 5));
}

TEST_F(Ranges, ofCountersEndWithTheirLoops) {
  auto counted = [&](auto... how) { return of(Loop(f, how...).counter); };
  constexpr auto different = CmpInst::ICMP_NE, below = CmpInst::ICMP_ULT, atMost = CmpInst::ICMP_ULE;
  EXPECT_EQ(counted(0, 32, different, 128, true), Pair(0, 96));
  EXPECT_EQ(counted(0, 32, different, 128, false), Pair(0, 128));
  EXPECT_EQ(counted(0, 32, different, 128, true, /*turned=*/true), Pair(0, 96));
  EXPECT_EQ(counted(96, -32, different, 0, true), Pair(32, 96));
  EXPECT_EQ(counted(96, -32, different, 0, false), Pair(0, 96));
  EXPECT_EQ(counted(4, 3, below, 11, true), Pair(4, 10));
  EXPECT_EQ(counted(4, 3, atMost, 11, true), Pair(4, 11));
  EXPECT_EQ(counted(4, 3, below, 11, false), Pair(4, 13));
  EXPECT_EQ(counted(9, 3, below, 5, true), Pair(9, 9)) << "once around";
  EXPECT_EQ(counted(40, -4, CmpInst::ICMP_SGT, 7, true), Pair(8, 40));
  EXPECT_EQ(counted(40, -4, CmpInst::ICMP_SGE, 7, false), Pair(3, 40));
  EXPECT_EQ(integerRange(Loop(f, -5, 2, CmpInst::ICMP_SLT, 5, true).counter),
            ConstantRange(APInt(16, uint64_t(-5), true), APInt(16, 5)));
}

TEST_F(Ranges, ofCountersThatMayBeginAnewAreOpen) {
  const Pair all(0, 0xFFFF);
  auto counted = [&](auto... how) { return of(Loop(f, how...).counter); };
  EXPECT_EQ(counted(0, 3, CmpInst::ICMP_NE, 100, true), all) << "it never meets the bound";
  EXPECT_EQ(counted(8, 1, CmpInst::ICMP_NE, 8, true), all) << "it meets the bound after all others";
  EXPECT_EQ(counted(8, 1, CmpInst::ICMP_NE, 8, false), Pair(8, 8));
  EXPECT_EQ(counted(0, 3, CmpInst::ICMP_EQ, 3, true), all);
  EXPECT_EQ(counted(0, 7, CmpInst::ICMP_ULT, 0xFFFF, true), all) << "it passes the greatest number";
  EXPECT_EQ(counted(0, 1, CmpInst::ICMP_ULE, 0xFFFF, true), all);
  EXPECT_EQ(counted(0, 1, CmpInst::ICMP_ULT, 0xFFFF, true), Pair(0, 0xFFFE));
  EXPECT_EQ(counted(40, -3, CmpInst::ICMP_UGT, 1, true), all) << "it passes zero";
  EXPECT_EQ(counted(40, -3, CmpInst::ICMP_UGT, 2, true), Pair(3, 40));
  EXPECT_EQ(counted(9, 3, CmpInst::ICMP_UGT, 5, true), all) << "away from the bound";
}

// Loops of all kinds near the ends of numbers, counted out.
TEST_F(Ranges, ofCountersHoldAllThatLoopsCount) {
  std::mt19937 random(17);
  auto some = [&](std::initializer_list<int> centres) {
    return uint16_t(centres.begin()[random() % centres.size()] + int(random() % 9) - 4);
  };
  unsigned known = 0;
  for (int loops = 0; loops < 4000; ++loops) {
    const uint16_t start = some({0, 40, 0x7FFF, 0x8000, 0xFFFF}), bound = some({0, 40, 90, 0x7FFF, 0x8000, 0xFFFF}),
                   step = some({0, 0, 0, 32, -32, 9000});
    const auto how = CmpInst::Predicate(CmpInst::FIRST_ICMP_PREDICATE + random() % 10);
    const bool asksNext = random() % 2, turned = random() % 2;
    PHINode *counter = Loop(f, start, step, how, bound, asksNext, turned).counter;
    if (random() % 2) { // the same phi
      Value *first = counter->getIncomingValue(0);
      BasicBlock *entry = counter->getIncomingBlock(0);
      counter->setIncomingValue(0, counter->getIncomingValue(1));
      counter->setIncomingBlock(0, counter->getIncomingBlock(1));
      counter->setIncomingValue(1, first);
      counter->setIncomingBlock(1, entry);
    }
    const ConstantRange range = integerRange(counter);
    known += !range.isFullSet();
    uint16_t at = start;
    for (int i = 0; i <= 0x10000; ++i) {
      ASSERT_TRUE(range.contains(APInt(16, at)))
          << start << " + " << step << ", " << CmpInst::getPredicateName(how).str() << " " << bound << ": " << at;
      const uint16_t next = uint16_t(at + step);
      if (!ICmpInst::compare(APInt(16, asksNext ? next : at), APInt(16, bound), how) || next == start)
        break;
      at = next;
    }
    counter->getFunction()->deleteBody();
  }
  EXPECT_GT(known, 1000u);
}

TEST_F(Ranges, ofOtherPhisAreOpen) {
  Loop loop(f, 0, 1, CmpInst::ICMP_ULT, 8, true);
  loop.counter->setIncomingValue(0, vector->getType() == words ? b.CreateExtractElement(vector, uint64_t(0)) : vector);
  EXPECT_EQ(of(loop.counter), Pair(0, 0xFFFF)) << "it begins anywhere";
}

TEST_F(Ranges, knowsZerosAtTheEnd) {
  Value *shifted = b.CreateShl(vector, ConstantInt::get(words, 5));
  Value *one = RegionRead::create(b, word, shifted, Region::contiguous(1, 3));
  EXPECT_EQ(trailingZeros(one), 5u);
  EXPECT_EQ(trailingZeros(b.CreateZExt(one, dword)), 5u);
  EXPECT_EQ(trailingZeros(b.CreateShl(b.CreateSExt(one, dword), 1)), 6u);
  EXPECT_EQ(trailingZeros(b.CreateAdd(one, b.getInt16(64))), 5u);
  EXPECT_EQ(trailingZeros(b.CreateAdd(one, b.getInt16(8))), 3u);
  EXPECT_EQ(trailingZeros(b.CreateSub(b.getInt16(48), one)), 4u);
  EXPECT_EQ(trailingZeros(b.CreateOr(one, b.CreateZExt(byte, word))), 0u);
  EXPECT_EQ(trailingZeros(b.CreateMul(one, one)), 0u) << "not followed";
  EXPECT_EQ(
      trailingZeros(RegionRead::create(b, Type::getInt8Ty(context),
                                       b.CreateBitCast(shifted, FixedVectorType::get(Type::getInt8Ty(context), 16)),
                                       Region::contiguous(1, 3))),
      0u)
      << "parts of elements end elsewhere";
  EXPECT_EQ(trailingZeros(b.CreateShl(one, 12)), 16u);
}

} // namespace
