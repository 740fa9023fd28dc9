// What operations are as messages follows from their rows in Intrinsics.def; here it is said by hand for those that
// passes and devices treat by their kind.
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/SampleCalls.h"
#include <gtest/gtest.h>
#include <map>

using namespace pocm;

namespace {

TEST(Messages, haveNamesByTheirKind) {
  const std::map<Op, std::pair<const char *, const char *>> wanted{
      {Op::MediaRead, {"media block", "media block read"}},
      {Op::MediaWrite, {"media block", "media block write"}},
      {Op::OwordRead, {"oword block", "oword block read"}},
      {Op::OwordReadUnaligned, {"oword block", "oword block read"}},
      {Op::OwordWrite, {"oword block", "oword block write"}},
      {Op::BlockWrite, {"block", "block write"}},
      {Op::Gather, {"scattered", "scattered read"}},
      {Op::Scatter, {"scattered", "scattered write"}},
      {Op::TypedRead, {"typed", "typed read"}},
      {Op::TypedWrite, {"typed", "typed write"}},
      {Op::TypedAtomic, {"typed atomic", "typed atomic"}},
      {Op::Sample, {"sampler", "sampler read"}},
      {Op::SvmBlockRead, {"block by address", "block read by address"}},
      {Op::SvmBlockWrite, {"block by address", "block write by address"}},
      {Op::SvmGather, {"scattered by address", "scattered read by address"}},
      {Op::SvmScatter, {"scattered by address", "scattered write by address"}},
      {Op::AtomicInc, {"atomic", "atomic"}},
      {Op::SvmAtomicAdd, {"atomic by address", "atomic"}},
      {Op::LscLoad2d, {"lsc 2d block", "lsc 2d block read"}},
      {Op::LscStore2d, {"lsc 2d block", "lsc 2d block write"}}};
  for (const auto &[operation, names] : wanted) {
    auto message = messageOf(operation);
    ASSERT_TRUE(message) << names.second;
    EXPECT_EQ(message->name(), names.first);
    EXPECT_EQ(message->nameDoing(), names.second);
  }
}

TEST(Messages, areNoOtherOperations) {
  for (Op operation : {Op::None, Op::RegionRead, Op::MemoryRead, Op::MemoryWrite, Op::LocalOffset, Op::SpaceOf,
                       Op::Dpas, Op::PairExchange, Op::Barrier, Op::Fence, Op::Bounds, Op::SlmInit, Op::Saturate})
    EXPECT_FALSE(messageOf(operation)) << unsigned(operation);
}

TEST(Messages, countInOwordsWhereTheirRowsSaySo) {
  EXPECT_EQ(messageOf(Op::OwordRead)->Unit, 16);
  EXPECT_EQ(messageOf(Op::FrameWrite)->Unit, 16);
  EXPECT_EQ(messageOf(Op::OwordReadUnaligned)->Unit, 1);
  EXPECT_EQ(messageOf(Op::BlockWrite)->Unit, 1);
  EXPECT_FALSE(messageOf(Op::BlockWrite)->OfOwords);
}

/// The numbers of an operation's payloads.
std::vector<unsigned> payloadsOf(Op operation) {
  std::vector<unsigned> all;
  for (unsigned k = 0; k < operandsOf(operation).size(); ++k)
    if (isPayload(operation, k))
      all.push_back(k);
  return all;
}

TEST(Messages, havePayloads) {
  using Numbers = std::vector<unsigned>;
  const std::map<Op, Numbers> wanted{{Op::SvmBlockRead, {}},
                                     {Op::SvmBlockWrite, {1}},
                                     {Op::OwordWrite, {2}},
                                     {Op::FrameWrite, {2}},
                                     {Op::FrameGather, {}},
                                     {Op::FrameScatter, {3}},
                                     {Op::SvmGather, {2}},
                                     {Op::SvmScatter, {2, 3}},
                                     {Op::Gather, {5}},
                                     {Op::Scatter, {5, 6}},
                                     {Op::MediaWrite, {6}},
                                     {Op::TypedRead, {3, 4, 5}},
                                     {Op::TypedWrite, {3, 4, 5, 6}},
                                     {Op::TypedAtomic, {3, 4, 5, 6}},
                                     {Op::Sample, {3, 4, 5}},
                                     {Op::AtomicInc, {2}},
                                     {Op::AtomicCmpxchg, {2, 3, 4}},
                                     {Op::SvmAtomicAdd, {1, 2}},
                                     {Op::LscPrefetchBti, {10}},
                                     {Op::LscLoadBti, {10}},
                                     {Op::LscStoreBti, {10, 11}},
                                     {Op::LscAtomicBti, {10, 11, 12}},
                                     {Op::PairExchange, {}},
                                     {Op::ExactQuotient, {}}};
  for (const auto &[operation, numbers] : wanted)
    EXPECT_EQ(payloadsOf(operation), numbers) << unsigned(operation);
}

} // namespace
