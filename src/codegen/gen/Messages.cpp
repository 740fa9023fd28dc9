//===- Messages.cpp - Memory accesses of the sizes that messages have -------------------------===//
//
//     gather <40 x i32>                   ->  16, 16 and 8 channels
//     oword.ld of SLM on SKL              ->  a gather of dwords
//     gather <5 x i32>, scaled by 4       ->  8 channels of which nobody reads three
//     scatter <5 x i32>, scaled by 4      ->  8 channels of which three are off, offsets << 2
//     scatter <4 x i32>                   ->  4 channels
//     gather <8 x i64> before DG2         ->  gathers of the lower and of the upper dwords
//     svm.atomic <16 x i32> before DG2    ->  two of 8 channels
//     lsc.prefetch before DG2             ->  nothing: it changes no value, and there is no message for it
//
// Why:      a scattered message has 1, 2, 4, 8 or 16 channels with offsets in bytes, one by address 8 or 16, atomics by
//           address 8; one to the load/store cache up to 16, or 32 on PVC, of which the next element of all channels
//           lies behind the longest, and 8 registers of data at most. Blocks are cut by passes/Blocks.
// Needs:    operations of CM IR with offsets in bytes, data of sizes that registers have.
// Leaves:   media blocks, which the language itself holds to what a message can do.
//
//===--------------------------------------------------------------------------------------------===//
#include "ir/Messages.h"
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Predicates.h"
#include "ir/Lsc.h"
#include "ir/Operands.h"
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

constexpr int MostCompared = 16; ///< Channels of a predicate as it is computed.

/// What the messages of a target can do.
struct Limits {
  int MostOwords = 8, FewestChannels = 8, MostChannels = 16;
  bool Lsc; ///< Offsets in bytes, nothing added to them.
  int LscChannels;
  bool CutsPairs;
  unsigned MostBytes; ///< Of data, in a message to the load/store cache.

  explicit Limits(const GenTarget &Target)
      : Lsc(Target.has(HasLsc)), LscChannels(int(Target.lscChannels())), CutsPairs(Target.has(CutsGuardedPairs)),
        MostBytes(8 * Target.GrfBytes) {
    if (Lsc)
      MostOwords = 16;
    if (Target.GrfBytes == 64) {
      FewestChannels = 16;
      MostChannels = 32;
    }
  }

  /// The power of two of channels for so many, which `Predicate` guards.
  int fewFor(int Have, const Value *Predicate) const {
    auto Few = int(bit_ceil(unsigned(Have)));
    return Few == 2 && CutsPairs && !isa<Constant>(Predicate) ? 4 : Few;
  }
};

/// A block of shared local memory as scattered dwords, where blocks do not reach it.
bool scatterSlmBlock(CallInst &I, const BlockShape &Shape) {
  auto *Surface = dyn_cast<ConstantInt>(operandOf(I, Role::Surface));
  if (!Surface || Surface->getZExtValue() != SlmSurface)
    return false;
  IRBuilder<> B(&I);
  Type *T = dataTypeOf(I);
  const int Bytes = countOf(T) * elementBytes(T), Count = (Bytes + 3) / 4;
  Value *First = operandOf(I, Shape.Place);
  if (Shape.Unit == 16)
    First = B.CreateShl(First, 4);
  if (I.getType()->isVoidTy()) {
    scatterRow(B, Surface, First, operandOf(I, Role::Data), scatteredUnitOf(T));
  } else {
    auto *Dwords = FixedVectorType::get(B.getInt32Ty(), unsigned(Count));
    Value *On = ConstantInt::getTrue(FixedVectorType::get(B.getInt1Ty(), unsigned(Count)));
    Value *Data = createOperation(B, Op::Gather, Dwords,
                                  {On, B.getInt32(2), B.getInt16(0), Surface, B.getInt32(0),
                                   placesFrom(B, First, Count, 4), PoisonValue::get(Dwords)});
    // Of the last dword a part, perhaps.
    Value *Whole = B.CreateBitCast(Data, Bytes % 4 ? ofCount(T, 4 * Count / elementBytes(T)) : T);
    I.replaceAllUsesWith(Bytes % 4 ? RegionRead::create(B, T, Whole, Region::contiguous(countOf(T))) : Whole);
  }
  I.eraseFromParent();
  return true;
}

/// Elements of 8 bytes of a surface as two scattered dwords each, where no message has them.
bool splitQwords(CallInst &I) {
  Op Operation = operationOf(&I);
  if ((Operation != Op::Gather && Operation != Op::Scatter) || elementBytes(dataTypeOf(I)) != 8)
    return false;
  const unsigned Data = indexOf(Operation, valueRole(Operation)), Places = indexOf(Operation, Role::Places);
  scaleOffsets(I);
  IRBuilder<> B(&I);
  Type *T = dataTypeOf(I), *Dwords = vectorLike(B.getInt32Ty(), T);
  int Count = countOf(T);
  Type *Pairs = FixedVectorType::get(B.getInt32Ty(), unsigned(2 * Count));
  auto Half = [&](int K) { return Region{2, 1, 1, K}; };
  Value *Whole = B.CreateBitCast(I.getArgOperand(Data), Pairs), *All = PoisonValue::get(Pairs);
  for (int K = 0; K < 2; ++K) {
    SmallVector<Value *, 8> Operands(I.args());
    Operands[indexOf(Operation, Role::Log2Bytes)] = B.getInt32(2);
    Operands[Places] = B.CreateAdd(Operands[Places], ConstantInt::get(Operands[Places]->getType(), 4 * uint64_t(K)));
    Operands[Data] = RegionRead::create(B, Dwords, Whole, Half(K));
    Value *Part = createOperation(B, Operation, I.getType()->isVoidTy() ? I.getType() : Dwords, Operands);
    if (!I.getType()->isVoidTy())
      All = RegionWrite::create(B, All, Part, Half(K));
  }
  if (!I.getType()->isVoidTy())
    I.replaceAllUsesWith(B.CreateBitCast(All, T));
  I.eraseFromParent();
  return true;
}

// Channels

/// Scattered accesses, of one value for each channel.
bool isScattered(Op Operation) {
  auto Message = messageOf(Operation);
  return Message && !Message->IsLsc && Message->Is == MessageInfo::Form::Lanes && !has(Operation, Role::Components);
}

/// Dwords by their index, all channels on: a message of its own does that.
bool isDwordIndexed(const CallInst &I) {
  return match(operandOf(I, Role::Predicate), m_AllOnes()) && match(operandOf(I, Role::Log2Bytes), m_SpecificInt(2)) &&
         match(operandOf(I, Role::Log2Scale), m_SpecificInt(2));
}

/// One channel of 4 or 8 bytes that is on: a row of one element, for which no other channel has to be off.
bool readRow(CallInst &I) {
  Op Operation = operationOf(&I);
  bool OnSurface = Operation == Op::Gather || Operation == Op::Scatter, Reads = !I.getType()->isVoidTy();
  if (!OnSurface && Operation != Op::SvmGather && Operation != Op::SvmScatter)
    return false;
  Value *Places = operandOf(I, Role::Places), *Last = operandOf(I, valueRole(Operation));
  int Bytes = elementBytes(Last->getType());
  if (countOf(Places->getType()) != 1 || Bytes < 4 || !match(operandOf(I, Role::Predicate), m_AllOnes()))
    return false;
  IRBuilder<> B(&I);
  auto Row = [&](Value *V) { return B.CreateBitCast(V, FixedVectorType::get(V->getType()->getScalarType(), 1)); };
  auto *Surface = OnSurface ? operandOf(I, Role::Surface) : B.getInt32(0);
  auto Where = !OnSurface                                  ? lsc::Space::Stateless
               : match(Surface, m_SpecificInt(SlmSurface)) ? lsc::Space::Slm
                                                           : lsc::Space::Bti;
  lsc::Header Header{.Subop = Reads ? lsc::LoadSubop : lsc::StoreSubop,
                     .Size = Bytes == 8 ? lsc::D64 : lsc::D32,
                     .Order = lsc::Transpose};
  auto Operands = lsc::operandsOf(B, Header, Row(operandOf(I, Role::Predicate)), Row(Places));
  if (!Reads)
    Operands.push_back(Row(Last));
  Operands.push_back(Where == lsc::Space::Slm ? B.getInt32(0) : Surface);
  Type *T = Reads ? FixedVectorType::get(I.getType()->getScalarType(), 1) : I.getType();
  auto What = Reads ? lsc::Kind::PlainLoad : lsc::Kind::Store;
  Value *New = createOperation(B, lsc::Message::operation(What, Where), T, Operands);
  if (Reads)
    I.replaceAllUsesWith(B.CreateBitCast(New, I.getType()));
  I.eraseFromParent();
  return true;
}

bool isPrefetch(Instruction &I) {
  auto Message = lsc::Message::match(&I);
  return operationOf(&I) == Op::LscPrefetch2d || (Message && Message->What == lsc::Kind::Prefetch);
}

bool cutChannels(CallInst &I, const Limits &Limit) {
  Op Operation = operationOf(&I);
  bool Reads = Operation == Op::Gather || Operation == Op::FrameGather;
  bool OnSurface = Operation == Op::Gather || Operation == Op::Scatter;
  bool OnFrame = Operation == Op::FrameGather || Operation == Op::FrameScatter;
  AtomicInfo Atomic = atomicInfo(Operation);
  int Count = countOf(operandOf(I, Role::Places)->getType());
  int Most =
      isa<Constant>(operandOf(I, Role::Predicate)) ? Limit.MostChannels : std::min(Limit.MostChannels, MostCompared);
  if (!Limit.Lsc && Atomic.Sources >= 0 && Atomic.ByAddress) // the finalizer takes more, of which 8 are executed
    Most = Limit.FewestChannels;
  bool Indexed = false, Changed = false;
  if (OnSurface) {
    bool Fills = Count % Most == 0 || Count == Limit.FewestChannels || Count == 1; // no channel is off
    Indexed = !Limit.Lsc && isDwordIndexed(I) && (Fills || Reads);
    bool Scaled = !match(operandOf(I, Role::Log2Scale), m_Zero()),
         Global = !match(operandOf(I, Role::GlobalOffset), m_Zero());
    Changed = Indexed ? Global : Scaled || (Limit.Lsc && Global);
    if (Changed && Indexed)
      addGlobalOffset(I);
    else if (Changed)
      scaleOffsets(I);
  }
  if (Limit.Lsc && readRow(I))
    return true;
  // What takes 32-bit offsets takes few channels too, and so do messages to the load/store cache.
  bool TakesFew = Limit.Lsc || (!Indexed && (OnSurface || OnFrame || (Atomic.Sources >= 0 && !Atomic.ByAddress)));
  auto Padded = [&](int Have) {
    if (Have > Limit.FewestChannels)
      return Most;
    return TakesFew               ? Limit.fewFor(Have, operandOf(I, Role::Predicate))
           : Indexed && Have == 1 ? 1
                                  : Limit.FewestChannels;
  };
  if (Count <= Most && Padded(Count) == Count)
    return Changed;
  IRBuilder<> B(&I);
  SmallVector<Value *, 8> Whole(I.args());
  const unsigned Predicate = indexOf(Operation, Role::Predicate);
  SmallVector<unsigned, 6> PerChannel = laneOperands(Operation);
  PerChannel.push_back(indexOf(Operation, valueRole(Operation)));
  Value *All = I.getType()->isVoidTy() ? nullptr : PoisonValue::get(I.getType());
  for (int Start = 0; Start < Count;) {
    int Have = std::min(Count - Start, Most), Channels = Padded(Have);
    SmallVector<Value *, 8> Operands(Whole);
    bool ReadsRest = Reads && match(Whole[Predicate], m_AllOnes()); // reading more than is wanted does no harm
    for (unsigned K : PerChannel)
      Operands[K] = channels(B, Whole[K], Start, Have, Channels, /*AnyRest=*/!ReadsRest);
    if (ReadsRest)
      Operands[Predicate] = Constant::getAllOnesValue(Operands[Predicate]->getType());
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

// Components

/// Messages whose value has component after component, each of all channels.
struct ComponentShape {
  int Fewest, Most;      // channels of a message
  bool TakesFew = false; // any power of two of them up to the fewest
};

std::optional<ComponentShape> componentShape(const CallInst &I, const Limits &Limit) {
  constexpr int SampleChannels = 16;
  const auto Info = messageOf(operationOf(&I));
  if (Info && !Info->IsLsc) {
    if (Info->Is == MessageInfo::Form::Pixels || Info->Is == MessageInfo::Form::Lanes)
      return ComponentShape{Limit.FewestChannels, Limit.FewestChannels};
    if (Info->Is == MessageInfo::Form::Samples && countOf(operandOf(I, Role::U)->getType()) > SampleChannels)
      return ComponentShape{SampleChannels, SampleChannels};
    return std::nullopt;
  }
  auto M = lsc::Message::match(const_cast<CallInst *>(&I));
  if (!M || M->isBlock())
    return std::nullopt;
  // The next element of all lanes lies behind the registers of as many lanes as the shortest message has.
  int Fewest = M->elements() > 1 ? Limit.LscChannels : Limit.FewestChannels;
  bool Fits = M->elements() * std::max(M->bytes(), 4u) * unsigned(Limit.MostChannels) <= Limit.MostBytes;
  bool AtOnce = isa<Constant>(M->predicate()) || Limit.MostChannels <= MostCompared;
  int Most = Fits && AtOnce ? Limit.MostChannels : Fewest;
  return ComponentShape{Fewest, Most, /*TakesFew=*/M->elements() == 1};
}

/// A message to the load/store cache whose data would be too long: its elements go a few at a time.
bool cutElements(CallInst &I, const Limits &Limit) {
  auto M = lsc::Message::match(&I);
  if (!M || M->isBlock() || M->isQuad() || M->What == lsc::Kind::Atomic)
    return false;
  int Lanes = countOf(M->places()->getType()), Elements = int(M->elements());
  int Most = int(Limit.MostBytes / (std::max(M->bytes(), 4u) * unsigned(Limit.LscChannels)));
  if (Elements <= Most)
    return false;
  IRBuilder<> B(&I);
  Value *All = M->reads() ? PoisonValue::get(I.getType()) : nullptr;
  for (int Start = 0; Start < Elements; Start += Most) {
    int Have = std::min(Most, Elements - Start);
    Region Where = Region::contiguous(Have * Lanes, Start * Lanes);
    SmallVector<Value *, 16> Operands(I.args());
    Operands[lsc::Offset] = B.getInt32(M->number(lsc::Offset) + unsigned(Start) * M->bytes());
    Operands[lsc::Elements] = B.getInt8(uint8_t(Have));
    if (M->hasValue())
      Operands[M->valueOperand()] =
          RegionRead::create(B, ofCount(M->value()->getType(), Have * Lanes), M->value(), Where);
    Type *T = All ? ofCount(I.getType(), Have * Lanes) : I.getType();
    Value *Part = createOperation(B, operationOf(&I), T, Operands);
    if (All)
      All = RegionWrite::create(B, All, Part, Where);
  }
  if (All)
    I.replaceAllUsesWith(All);
  I.eraseFromParent();
  return true;
}

/// Addresses of fewer channels than the shortest message has, with its offset: the finalizer would put the sums into
/// as many registers as the channels fill, where the message reads more (and fails when it spills those).
bool addOffset(CallInst &I, const Limits &Limit) {
  auto M = lsc::Message::match(&I);
  if (!M || M->isBlock() || !M->number(lsc::Offset))
    return false;
  Value *Places = M->places();
  Type *T = Places->getType();
  if (elementBytes(T->getScalarType()) != 8 || countOf(T) >= Limit.LscChannels)
    return false;
  IRBuilder<> B(&I);
  SmallVector<Value *, 16> Operands(I.args());
  Operands[lsc::Places] = B.CreateAdd(Places, ConstantInt::getSigned(T, int32_t(M->number(lsc::Offset))));
  Operands[lsc::Offset] = B.getInt32(0);
  I.replaceAllUsesWith(createOperation(B, operationOf(&I), I.getType(), Operands));
  I.eraseFromParent();
  return true;
}

/// A block of two dimensions as registers of this target hold it: each ends where a register does.
bool padBlocks(lsc::Block2d &Block, const GenTarget &Target) {
  CallInst &I = *Block.Call;
  Op Operation = operationOf(&I);
  if (Operation == Op::LscPrefetch2d || !Target.has(HasLsc2d))
    return false;
  int Have = Block.blockElements(), Used = Block.pitch() * Block.rows();
  int Wanted = int(alignTo(uint64_t(Used * Block.bytes()), Target.GrfBytes)) / Block.bytes();
  if (Have == Wanted)
    return false;
  IRBuilder<> B(&I);
  SmallVector<Value *, 16> Operands(I.args());
  auto Copied = [&](Value *From, int At, int Step, Value *To, int ToStep) {
    Type *T = ofCount(From->getType(), Used);
    Value *Rows = RegionRead::create(B, T, From, Region::contiguous(Used, At * Step));
    return RegionWrite::create(B, To, Rows, Region::contiguous(Used, At * ToStep));
  };
  if (Operation == Op::LscStore2d) {
    Value *&Data = Operands[lsc::Data2d];
    Data = Copied(Data, 0, Have, PoisonValue::get(ofCount(Data->getType(), Wanted)), Wanted);
    createOperation(B, Operation, I.getType(), Operands);
  } else {
    int Blocks = int(Block.number(lsc::Blocks));
    Value *Loaded = createOperation(B, Operation, ofCount(I.getType(), Wanted * Blocks), Operands);
    Value *All = PoisonValue::get(I.getType());
    for (int K = 0; K < Blocks; ++K)
      All = Copied(Loaded, K, Wanted, All, Have);
    I.replaceAllUsesWith(All);
  }
  I.eraseFromParent();
  return true;
}

/// Channels Start to Start + Have of each component, in Channels of each.
Value *cutComponents(IRBuilderBase &B, Value *V, int Components, int Count, int Start, int Have, int Channels) {
  Type *T = ofCount(V->getType(), Components * Channels);
  if (isa<UndefValue>(V) || match(V, m_Zero()))
    return isa<UndefValue>(V) ? cast<Constant>(PoisonValue::get(T)) : Constant::getNullValue(T);
  Value *Cut = PoisonValue::get(T);
  for (int C = 0; C < Components; ++C)
    Cut = RegionWrite::create(B, Cut,
                              RegionRead::create(B, ofCount(T, Have), V, Region::contiguous(Have, C * Count + Start)),
                              Region::contiguous(Have, C * Channels));
  return Cut;
}

/// A predicate of more channels than are computed in one piece, from words that are compared in one instruction;
/// anything else as it is.
Value *compareAtOnce(IRBuilderBase &B, Value *P) {
  int Count = countOf(P->getType());
  if (!isPredicate(P->getType()) || isa<Constant>(P) || Count <= MostCompared)
    return P;
  Value *Words = asWords(B, P), *All = PoisonValue::get(Words->getType());
  for (int Start = 0; Start < Count; Start += MostCompared) {
    Value *Part =
        RegionRead::create(B, ofCount(Words->getType(), MostCompared), Words, Region::contiguous(MostCompared, Start));
    All = RegionWrite::create(B, All, Part, Region::contiguous(MostCompared, Start));
  }
  return asPredicate(B, All);
}

/// Cuts such a message to as many channels as messages have.
bool cutComponents(CallInst &I, const ComponentShape &Shape, const Limits &Limit) {
  Op Operation = operationOf(&I);
  SmallVector<unsigned, 6> PerChannel = laneOperands(Operation);
  int Count = countOf(I.getArgOperand(PerChannel.back())->getType());
  IRBuilder<> B(&I);
  auto Padded = [&](int Have) {
    return Have > Shape.Fewest ? Shape.Most
           : Shape.TakesFew    ? Limit.fewFor(Have, operandOf(I, Role::Predicate))
                               : Shape.Fewest;
  };
  if (Count <= Shape.Most && Padded(Count) == Count) {
    if (!has(Operation, Role::Predicate))
      return false;
    Value *P = operandOf(I, Role::Predicate), *Long = compareAtOnce(B, P);
    setOperand(I, Role::Predicate, Long);
    return Long != P;
  }
  bool Void = I.getType()->isVoidTy();
  Value *All = Void ? nullptr : PoisonValue::get(I.getType());
  for (int Start = 0, Have; Start < Count; Start += Have) {
    Have = std::min(Count - Start, Shape.Most);
    int Channels = Padded(Have);
    SmallVector<Value *, 16> Operands(I.args());
    for (unsigned K : PerChannel)
      Operands[K] = compareAtOnce(B, channels(B, Operands[K], Start, Have, Channels, /*AnyRest=*/true));
    if (has(Operation, valueRole(Operation))) { // with components, as the result
      Value *&V = Operands[indexOf(Operation, valueRole(Operation))];
      V = cutComponents(B, V, countOf(V->getType()) / Count, Count, Start, Have, Channels);
    }
    int Components = Void ? 0 : countOf(I.getType()) / Count;
    Value *Part =
        createOperation(B, Operation, Void ? I.getType() : ofCount(I.getType(), Components * Channels), Operands);
    for (int C = 0; C < Components; ++C)
      All = RegionWrite::create(
          B, All, RegionRead::create(B, ofCount(I.getType(), Have), Part, Region::contiguous(Have, C * Channels)),
          Region::contiguous(Have, C * Count + Start));
  }
  if (!Void)
    I.replaceAllUsesWith(All);
  I.eraseFromParent();
  return true;
}

} // namespace

bool cutMessages(Module &M, const GenTarget &Target) {
  const Limits Limit(Target);
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isPrefetch(I) && !Target.has(operationOf(&I) == Op::LscPrefetch2d ? HasLsc2d : HasLsc)) {
        I.eraseFromParent();
        Changed = true;
      }
  if (!Target.has(HasSlmBlocks))
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (auto Shape = blockShape(operationOf(&I)); Shape && !Shape->ByAddress)
          Changed |= scatterSlmBlock(cast<CallInst>(I), *Shape);
  if (!Limit.Lsc)
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (auto *Call = dyn_cast<CallInst>(&I))
          Changed |= splitQwords(*Call);
  Changed |= cutBlocks(M, Limit.MostOwords);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto Block = lsc::Block2d::match(&I))
        Changed |= padBlocks(*Block, Target);
      else if (auto *Call = dyn_cast<CallInst>(&I); Call && Limit.Lsc)
        Changed |= cutElements(*Call, Limit);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) // those that blocks have left among them
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        if (isScattered(operationOf(Call)))
          Changed |= cutChannels(*Call, Limit);
        else if (auto Components = componentShape(*Call, Limit))
          Changed |= cutComponents(*Call, *Components, Limit);
      }
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Limit.Lsc)
        Changed |= addOffset(*Call, Limit);
  return Changed;
}

} // namespace pocm::gen
