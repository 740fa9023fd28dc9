//===- Messages.cpp - Memory accesses of the sizes that messages have -------------------------===//
//
//     gather <40 x i32>                   ->  16, 16 and 8 channels
//     oword.ld of SLM on SKL              ->  a gather of dwords
//     gather <5 x i32>, scaled by 4       ->  8 channels of which nobody reads three
//     scatter <5 x i32>, scaled by 4      ->  8 channels of which three are off, offsets << 2
//     scatter <4 x i32>                   ->  4 channels
//
// Why:      a scattered message has 1, 2, 4, 8 or 16 channels with offsets in bytes; one by address, or to the
//           load/store cache, 8 or 16 (16 on PVC). Blocks are cut by passes/Blocks.
// Leaves:   media blocks, which the language itself holds to what a message can do.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Predicates.h"
#include "passes/Blocks.h"
#include "passes/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

constexpr int MostChannels = 16;

/// What the messages of a target can do.
struct Limits {
  int MostOwords = 8, FewestChannels = 8;
  bool Lsc = false; ///< Offsets in bytes, nothing added to them.

  explicit Limits(const GenTarget &Target) : Lsc(Target.has(HasLsc)) {
    if (Lsc)
      MostOwords = 16;
    if (Target.GrfBytes == 64)
      FewestChannels = 16;
  }
};

/// A block of shared local memory as scattered dwords, where blocks do not reach it.
bool scatterSlmBlock(CallInst &I, const BlockShape &Shape) {
  unsigned At = Shape.Offset - 1;
  auto *Surface = dyn_cast<ConstantInt>(I.getArgOperand(At));
  if (!Surface || Surface->getZExtValue() != SlmSurface)
    return false;
  IRBuilder<> B(&I);
  Type *T = Shape.Data < 0 ? I.getType() : I.getArgOperand(unsigned(Shape.Data))->getType();
  int Count = countOf(T) * elementBytes(T) / 4;
  auto *Dwords = FixedVectorType::get(B.getInt32Ty(), unsigned(Count));
  SmallVector<Constant *, 32> Places;
  for (int K = 0; K < Count; ++K)
    Places.push_back(B.getInt32(unsigned(4 * K)));
  Value *First = Shape.Unit == 16 ? B.CreateShl(I.getArgOperand(Shape.Offset), 4) : I.getArgOperand(Shape.Offset);
  Value *All = splat(B, First, Dwords);
  Value *Offsets = B.CreateAdd(All, ConstantVector::get(Places));
  Value *On = ConstantInt::getTrue(FixedVectorType::get(B.getInt1Ty(), unsigned(Count)));
  Value *Size = B.getInt32(2), *Scale = B.getInt16(0), *Zero = B.getInt32(0);
  if (Shape.Data >= 0) {
    Value *Data = B.CreateBitCast(I.getArgOperand(unsigned(Shape.Data)), Dwords);
    createOperation(B, Op::Scatter, I.getType(), {On, Size, Scale, Surface, Zero, Offsets, Data});
  } else {
    Value *Data =
        createOperation(B, Op::Gather, Dwords, {On, Size, Scale, Surface, Zero, Offsets, PoisonValue::get(Dwords)});
    I.replaceAllUsesWith(B.CreateBitCast(Data, T));
  }
  I.eraseFromParent();
  return true;
}

// Channels

/// Scattered accesses: which operands go channel by channel, and which is the old value.
struct ChannelShape {
  SmallVector<unsigned, 6> PerChannel;
  unsigned Offsets;
};

std::optional<ChannelShape> channelShape(const CallInst &I) {
  Op Operation = operationOf(&I);
  if (Operation == Op::Gather || Operation == Op::Scatter)
    return ChannelShape{{0, 5, 6}, 5};
  if (is_contained({Op::SvmGather, Op::SvmScatter, Op::FrameGather, Op::FrameScatter}, Operation))
    return ChannelShape{{0, 2, 3}, 2};
  AtomicInfo Info = atomicInfo(Operation);
  if (Info.Sources < 0)
    return std::nullopt;
  ChannelShape Shape{{0}, Info.ByAddress ? 1u : 2u};
  for (unsigned K = Shape.Offsets; K < I.arg_size(); ++K)
    Shape.PerChannel.push_back(K);
  return Shape;
}

/// Dwords by their index, all channels on: a message of its own does that.
bool isDwordIndexed(const CallInst &I) {
  return match(I.getArgOperand(0), m_AllOnes()) && match(I.getArgOperand(1), m_SpecificInt(2)) &&
         match(I.getArgOperand(2), m_SpecificInt(2));
}

bool cutChannels(CallInst &I, const ChannelShape &Shape, const Limits &Limit) {
  Op Operation = operationOf(&I);
  bool Reads = Operation == Op::Gather || Operation == Op::FrameGather;
  bool OnSurface = Operation == Op::Gather || Operation == Op::Scatter;
  bool OnFrame = Operation == Op::FrameGather || Operation == Op::FrameScatter;
  AtomicInfo Atomic = atomicInfo(Operation);
  int Count = countOf(I.getArgOperand(Shape.Offsets)->getType());
  bool Indexed = false, Changed = false;
  if (OnSurface) {
    bool Fills = Count % MostChannels == 0 || Count == Limit.FewestChannels || Count == 1; // no channel is off
    Indexed = !Limit.Lsc && isDwordIndexed(I) && (Fills || Reads);
    bool Scaled = !match(I.getArgOperand(2), m_Zero()), Global = !match(I.getArgOperand(4), m_Zero());
    Changed = Indexed ? Global : Scaled || (Limit.Lsc && Global);
    if (Changed && Indexed)
      addGlobalOffset(I);
    else if (Changed)
      scaleOffsets(I);
  }
  // What takes 32-bit offsets takes few channels too; of an LSC message a channel is as good as any number.
  bool TakesFew = !Limit.Lsc && !Indexed && (OnSurface || OnFrame || (Atomic.Sources >= 0 && !Atomic.ByAddress));
  auto Padded = [&](int Have) {
    if (Have > Limit.FewestChannels)
      return MostChannels;
    return TakesFew ? int(bit_ceil(unsigned(Have))) : Indexed && Have == 1 ? 1 : Limit.FewestChannels;
  };
  if (Count <= MostChannels && Padded(Count) == Count)
    return Changed;
  IRBuilder<> B(&I);
  SmallVector<Value *, 8> Whole(I.args());
  Value *All = I.getType()->isVoidTy() ? nullptr : PoisonValue::get(I.getType());
  for (int Start = 0; Start < Count;) {
    int Have = std::min(Count - Start, MostChannels), Channels = Padded(Have);
    SmallVector<Value *, 8> Operands(Whole);
    bool ReadsRest = Reads && match(Whole[0], m_AllOnes()); // reading more than is wanted does no harm
    for (unsigned K : Shape.PerChannel)
      Operands[K] = channels(B, Whole[K], Start, Have, Channels, /*AnyRest=*/!ReadsRest);
    if (ReadsRest)
      Operands[0] = Constant::getAllOnesValue(Operands[0]->getType());
    Type *T = All ? ofCount(I.getType(), Channels) : I.getType();
    Value *Part = createOperation(B, Operation, T, Operands);
    if (All && !I.use_empty()) {
      if (Have == Count && !I.getType()->isVectorTy())
        All = RegionRead::create(B, I.getType(), Part, {0, 1, 0, 0});
      else if (Have == Count)
        All = Channels == Have ? Part : RegionRead::create(B, I.getType(), Part, Region::contiguous(Have));
      else
        All = RegionWrite::create(
            B, All, Channels == Have ? Part : RegionRead::create(B, ofCount(T, Have), Part, Region::contiguous(Have)),
            Region::contiguous(Have, Start));
    }
    Start += Have;
  }
  if (All)
    I.replaceAllUsesWith(All);
  I.eraseFromParent();
  return true;
}

/// Typed accesses go as few channels at a time as messages do. (channel mask, predicate, surface, u, v, r, old value or
/// data)
bool cutTyped(CallInst &I, const Limits &Limit) {
  Op Operation = operationOf(&I);
  bool Atomic = Operation == Op::TypedAtomic, Read = Operation == Op::TypedRead;
  int Count = countOf(I.getArgOperand(3)->getType());
  if (Count == Limit.FewestChannels)
    return false;
  IRBuilder<> B(&I);
  Type *Whole = I.getType()->isVoidTy() ? I.getArgOperand(6)->getType() : I.getType();
  int Components = Atomic ? 1 : countOf(Whole) / Count; // component after component, each of all channels
  Value *All = PoisonValue::get(Whole);
  for (int Start = 0; Start < Count; Start += Limit.FewestChannels) {
    int Have = std::min(Count - Start, Limit.FewestChannels);
    SmallVector<Value *, 8> Operands(I.args());
    unsigned Last = Atomic ? 6 : 5;
    for (unsigned K = 1; K <= Last; ++K)
      if (K != 2)
        Operands[K] = channels(B, Operands[K], Start, Have, Limit.FewestChannels);
    Type *Part = ofCount(Whole, Components * Limit.FewestChannels);
    if (!Atomic) {
      Value *Cut = Read ? cast<Value>(Constant::getNullValue(Part)) : PoisonValue::get(Part);
      for (int C = 0; C < Components && !Read; ++C)
        Cut = RegionWrite::create(
            B, Cut,
            RegionRead::create(B, ofCount(Whole, Have), Operands[6], Region::contiguous(Have, C * Count + Start)),
            Region::contiguous(Have, C * Limit.FewestChannels));
      Operands[6] = Cut;
    }
    Value *Result = createOperation(B, Operation, I.getType()->isVoidTy() ? I.getType() : Part, Operands);
    if (I.getType()->isVoidTy())
      continue;
    for (int C = 0; C < Components; ++C)
      All = RegionWrite::create(
          B, All,
          RegionRead::create(B, ofCount(Whole, Have), Result, Region::contiguous(Have, C * Limit.FewestChannels)),
          Region::contiguous(Have, C * Count + Start));
  }
  if (!I.getType()->isVoidTy())
    I.replaceAllUsesWith(All);
  I.eraseFromParent();
  return true;
}

/// A sample of more places than a message has channels. (components, sampler, surface, u, v, r, reference, compares)
bool cutSample(CallInst &I) {
  int Count = countOf(I.getArgOperand(3)->getType()), Components = countOf(I.getType()) / Count;
  if (Count <= MostChannels || Count % MostChannels)
    return false;
  IRBuilder<> B(&I);
  Value *All = PoisonValue::get(I.getType());
  for (int Start = 0; Start < Count; Start += MostChannels) {
    SmallVector<Value *, 8> Operands(I.args());
    for (unsigned K = 3; K <= 6; ++K)
      Operands[K] = channels(B, Operands[K], Start, MostChannels, MostChannels);
    Value *Part = createOperation(B, Op::Sample, ofCount(I.getType(), Components * MostChannels), Operands);
    for (int C = 0; C < Components; ++C)
      All = RegionWrite::create(B, All,
                                RegionRead::create(B, ofCount(I.getType(), MostChannels), Part,
                                                   Region::contiguous(MostChannels, C * MostChannels)),
                                Region::contiguous(MostChannels, C * Count + Start));
  }
  I.replaceAllUsesWith(All);
  I.eraseFromParent();
  return true;
}

} // namespace

bool cutMessages(Module &M, const GenTarget &Target) {
  const Limits Limit(Target);
  bool Changed = false;
  if (!Target.has(HasSlmBlocks))
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (is_contained({Op::OwordRead, Op::OwordReadUnaligned, Op::OwordWrite}, operationOf(&I)))
          Changed |= scatterSlmBlock(cast<CallInst>(I), *blockShape(operationOf(&I)));
  Changed |= cutBlocks(M, Limit.MostOwords);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) // those that blocks have left among them
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        if (auto Channels = channelShape(*Call))
          Changed |= cutChannels(*Call, *Channels, Limit);
        else if (is_contained({Op::TypedRead, Op::TypedWrite, Op::TypedAtomic}, operationOf(Call)))
          Changed |= cutTyped(*Call, Limit);
        else if (operationOf(Call) == Op::Sample)
          Changed |= cutSample(*Call);
      }
  return Changed;
}

} // namespace pocm::gen
