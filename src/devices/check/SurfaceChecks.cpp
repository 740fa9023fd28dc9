//===- SurfaceChecks.cpp - Checks of messages ----------------------------------------===//
//
//     %v = oword.ld(0, %in, %owords)   ->   call @pocm_check_block(%record, @site, %in, %offset)
//                                           %v = oword.ld(0, %in, %owords)
//
//===---------------------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "devices/check/Instrumenter.h"
#include "devices/check/Together.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::check {

void Instrumenter::media(CallInst &I, Access How) {
  constexpr uint64_t Top = 1, Bottom = 2; // modifiers of the operation
  auto Number = [&](Role What) {
    auto *Constant = dyn_cast<ConstantInt>(operandOf(I, What));
    return Constant ? Constant->getZExtValue() : 0;
  };
  auto Width = std::uint32_t(Number(Role::Width));
  unsigned Pitch = std::max(4u, unsigned(PowerOf2Ceil(Width))); // rows of the value are padded
  Type *Data = dataTypeOf(I);
  std::uint32_t Rows = unsigned(countOf(Data) * elementBytes(Data)) / Pitch;
  std::uint32_t Part = std::uint32_t(Number(Role::Plane) & MediaPlane) |
                       (Number(Role::Modifiers) & Top ? MediaTop : 0) |
                       (Number(Role::Modifiers) & Bottom ? MediaBottom : 0);
  Value *Surface = operandOf(I, Role::Surface), *X = operandOf(I, Role::X), *Y = operandOf(I, Role::Y);
  noteUse(Surface, How);
  What W{"media block", How, Width, How == Access::Write ? Blocks.lookup(&I) : 1, Rows, 1, Part};
  if (!W.Count)
    return; // along with one above
  if (How == Access::Read)
    W.Used = usedBytes(I, Width, Pitch);
  if (mayBeReadable(W, Surface) && !Part)
    unlessReadableImage(I, W, Surface, X, Y);
  else
    B.SetInsertPoint(earliest(I, {Surface, X, Y}));
  call(MediaHelper, {Record, site(I, W), Surface, X, Y});
}

void Instrumenter::stretch(CallInst &I, What W, Value *Surface, Value *Offset, unsigned Shift) {
  if (isPrinting(Surface))
    return;
  Value *Given;
  const APInt *Mask;
  if (I.getMetadata(AlignedMetadata)) {
    Given = B.CreateShl(wide(Offset), Shift);
  } else if (Shift && match(Offset, m_Shr(m_Value(Given), m_SpecificInt(Shift)))) {
    W.Align = 1u << Shift;
    Given = wide(Given);
  } else if (W.Align > 1 && match(Offset, m_And(m_Value(Given), m_APInt(Mask))) && Mask->isNegatedPowerOf2()) {
    Given = wide(Given);
  } else {
    Given = B.CreateShl(wide(Offset), Shift);
  }
  noteUse(Surface, W.How);
  if (W.How == Access::Read)
    W.Used = usedBytes(I, W.Bytes);
  if (mayBeReadable(W, Surface))
    unlessReadable(I, W, Surface, Given, Given);
  else
    B.SetInsertPoint(earliest(I, {Surface, Given}));
  call(BlockHelper, {Record, site(I, W), Surface, Given});
}

void Instrumenter::lanes(Instruction &I, What W, Value *Surface, Value *Predicate, Value *Where, Value *Add,
                         Value *Shift) {
  noteUse(Surface, W.How);
  if (W.How == Access::Read && W.Used.empty())
    for (std::uint8_t Flag : usedOf(I, W.Count * W.Rows))
      W.Used.insert(W.Used.end(), W.Bytes, Flag);
  if (mayBeReadable(W, Surface))
    lanesUnlessReadable(I, W, Surface, Predicate, Where, Add, Shift);
  call(LanesHelper,
       {Record, site(I, W), Surface, wide(Add, false), B.CreateZExtOrTrunc(Shift, B.getInt32Ty()), flags(Predicate),
        inMemory(Offsets, B.CreateZExtOrTrunc(Where, vectorLike(B.getInt32Ty(), Where->getType())))});
}

void Instrumenter::lanesUnlessReadable(Instruction &I, What W, Value *Surface, Value *Predicate, Value *Where,
                                       Value *Add, Value *Shift) {
  Type *Dwords = vectorLike(B.getInt32Ty(), Where->getType());
  Where = B.CreateZExtOrTrunc(Where, Dwords);
  Add = B.CreateZExtOrTrunc(Add, B.getInt32Ty());
  Where =
      B.CreateAdd(Where, Where->getType()->isVectorTy() ? B.CreateVectorSplat(unsigned(countOf(Dwords)), Add) : Add);
  if (!match(Predicate, m_AllOnes()))
    Where = B.CreateSelect(Predicate, Where, Constant::getNullValue(Dwords));
  auto First = [&](Value *V) { return B.CreateShl(wide(V, false), wide(Shift, false)); };
  const bool Several = Dwords->isVectorTy();
  W.Bytes *= W.Part ? unsigned(llvm::bit_width(W.Part)) : W.Rows; // of a lane, all elements
  unlessReadable(I, W, Surface, First(Several ? B.CreateIntMaxReduce(Where) : Where),
                 W.Align > 1 ? First(Several ? B.CreateOrReduce(Where) : Where) : nullptr);
}

void Instrumenter::block(CallInst &I, const MessageInfo &Info, Access How) {
  constexpr std::uint32_t Dword = 4;
  Type *T = dataTypeOf(I);
  What W{Info.name(), How, std::uint32_t(countOf(T) * elementBytes(T))};
  if (Info.Of == MessageInfo::Memory::Address)
    return address(I, W, operandOf(I, Role::Address));
  if (Info.OfOwords && Info.Unit == 1)
    W.Align = Dword;
  stretch(I, W, operandOf(I, Role::Surface), operandOf(I, Role::Offset), Log2_32(unsigned(Info.Unit)));
}

void Instrumenter::scattered(CallInst &I, const MessageInfo &Info, Access How) {
  Value *Predicate = operandOf(I, Role::Predicate), *Where = operandOf(I, Role::Places);
  auto OrZero = [&](Role What) { return has(operationOf(&I), What) ? operandOf(I, What) : B.getInt32(0); };
  What W{Info.name(), How, elementOf(dataTypeOf(I))};
  if (How == Access::Atomic)
    W.Align = W.Bytes;
  if (Info.Of == MessageInfo::Memory::Address)
    return addresses(I, W, Predicate, Where);
  W.Count = unsigned(countOf(Where->getType()));
  Value *Surface = operandOf(I, Role::Surface);
  if (!isPrinting(Surface))
    lanes(I, W, Surface, Predicate, Where, OrZero(Role::GlobalOffset), OrZero(Role::Log2Scale));
}

void Instrumenter::typed(CallInst &I, What W) {
  const Op Operation = operationOf(&I);
  constexpr unsigned Red = 1;
  Value *Channels = has(Operation, Role::Components) ? operandOf(I, Role::Components) : B.getInt32(Red);
  Value *Slices = has(Operation, Role::R) ? operandOf(I, Role::R) : nullptr;
  auto *Mask = dyn_cast<ConstantInt>(Channels);
  W.Count = unsigned(countOf(operandOf(I, Role::U)->getType()));
  W.Part = Mask ? unsigned(Mask->getZExtValue()) : 0;
  if (W.How == Access::Read && Mask) { // a lane is used when any of its channels is
    auto Channels = usedOf(I, W.Count * unsigned(popcount(W.Part)));
    for (unsigned K = 0; K < Channels.size(); ++K)
      if (K < W.Count)
        W.Used.push_back(Channels[K]);
      else
        W.Used[K % W.Count] |= Channels[K];
  }
  noteUse(operandOf(I, Role::Surface), W.How);
  auto Dwords = [&](Value *V) { return B.CreateZExtOrTrunc(V, vectorLike(B.getInt32Ty(), V->getType())); };
  Value *Third = Slices ? inMemory(Scratch::Third, Dwords(Slices)) : ConstantPointerNull::get(B.getPtrTy());
  call(TypedHelper,
       {Record, site(I, W), operandOf(I, Role::Surface), flags(operandOf(I, Role::Predicate)),
        inMemory(Offsets, Dwords(operandOf(I, Role::U))), inMemory(Second, Dwords(operandOf(I, Role::V))), Third});
}

void Instrumenter::sampled(CallInst &I, const What &W) {
  Value *Surface = operandOf(I, Role::Surface);
  noteUse(Surface, W.How);
  call(SurfaceHelper, {Record, site(I, W), Surface});
}

void Instrumenter::message(CallInst &I, const MessageInfo &Info) {
  using Form = MessageInfo::Form;
  using Action = MessageInfo::Action;
  if (Info.IsLsc || Info.Of == MessageInfo::Memory::Frame || Info.Does == Action::Prefetch)
    return; // the first is visitLsc's and visitBlock2d's
  const Access How = Info.Does == Action::Read    ? Access::Read
                     : Info.Does == Action::Write ? Access::Write
                                                  : Access::Atomic;
  switch (Info.Is) {
  case Form::Image:
    return media(I, How);
  case Form::Block:
    return block(I, Info, How);
  case Form::Lanes:
    return scattered(I, Info, How);
  case Form::Pixels:
    return typed(I, {Info.name(), How});
  case Form::Samples:
    return sampled(I, {Info.name(), How, 1, unsigned(countOf(operandOf(I, Role::U)->getType()))});
  case Form::Matrix:
    return; // there is none beside those of the load/store cache
  }
}

void Instrumenter::address(Instruction &I, const What &W, Value *Address) {
  noteAddress(W.How);
  call(AddressHelper, {Record, site(I, W), wide(Address, false)});
}

void Instrumenter::addresses(Instruction &I, What W, Value *Predicate, Value *Where, uint64_t Add) {
  noteAddress(W.How);
  W.Count = unsigned(countOf(Where->getType()));
  Value *Wide = B.CreateZExt(Where, vectorLike(B.getInt64Ty(), Where->getType()));
  call(AddressesHelper, {Record, site(I, W), B.getInt64(Add), flags(Predicate), inMemory(Offsets, Wide)});
}

void Instrumenter::visitLsc(const lsc::Message &L) {
  if (L.What == lsc::Kind::Prefetch)
    return;
  bool Atomic = L.What == lsc::Kind::Atomic, ByAddress = L.Where == lsc::Space::Stateless;
  What W{"lsc", Atomic ? Access::Atomic : L.reads() ? Access::Read : Access::Write, L.bytes()};
  Value *Predicate = L.predicate(), *Where = L.places();
  if (!Atomic && L.isBlock()) { // the elements lie in a row at the first place
    W.Message = ByAddress ? "lsc block by address" : "lsc block";
    W.Align = W.Bytes;
    W.Bytes *= L.elements();
    if (W.How == Access::Read && !ByAddress)
      W.Used = usedBytes(*L.Call, W.Bytes);
    if (Where->getType()->isVectorTy())
      Where = B.CreateExtractElement(Where, uint64_t(0));
    if (Predicate->getType()->isVectorTy())
      Predicate = B.CreateExtractElement(Predicate, uint64_t(0));
  } else {
    W.Message = Atomic ? ByAddress ? "lsc atomic by address" : "lsc atomic" : ByAddress ? "lsc by address" : "lsc";
    W.Count = unsigned(countOf(Where->getType()));
    W.Align = Atomic ? W.Bytes : 1;
    W.Rows = Atomic ? 1 : L.elements();
    W.Part = L.isQuad() ? L.number(lsc::Components) : 0;
  }
  if (ByAddress)
    return addresses(*L.Call, W, Predicate, Where, L.number(lsc::Offset));
  Value *Surface = L.Where == lsc::Space::Slm ? B.getInt32(SlmSurface) : L.surface();
  lanes(*L.Call, W, Surface, Predicate, Where, B.getInt32(L.number(lsc::Offset)), B.getInt32(0));
}

void Instrumenter::visitBlock2d(const lsc::Block2d &Block) {
  Op Operation = operationOf(Block.Call);
  if (Operation == Op::LscPrefetch2d)
    return;
  What W{"lsc 2d block",
         Operation == Op::LscStore2d ? Access::Write : Access::Read,
         std::uint32_t(Block.width() * Block.bytes()) * Block.number(lsc::Blocks),
         1,
         std::uint32_t(Block.height()),
         std::uint32_t(Block.bytes())};
  noteAddress(W.How);
  SmallVector<Value *, 8> Operands{Record, site(*Block.Call, W), wide(Block.operand(lsc::Base), false)};
  for (unsigned K = 0; K < 3; ++K)
    Operands.push_back(wide(Block.operand(lsc::Matrix + K), false));
  Operands.push_back(B.CreateMul(wide(Block.operand(lsc::X)), B.getInt64(uint64_t(Block.bytes()))));
  Operands.push_back(wide(Block.operand(lsc::Y)));
  call(MatrixHelper, Operands);
}

} // namespace pocm::check
