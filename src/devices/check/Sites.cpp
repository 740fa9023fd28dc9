//===- Sites.cpp - What helpers of the check device are told -------------------------===//
//
//     %v = oword.ld(0, %in, %owords)   ->   @check = { "oword block", the line, 64 bytes ... }; which of them are used
//
// A site is a constant; lanes lie in variables that all calls share, as bytes of flags and as dwords of offsets.
//
//===---------------------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "devices/check/Instrumenter.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::check {

Constant *Instrumenter::text(StringRef Text) {
  Constant *&Known = Texts[Text];
  if (!Known)
    Known = variable(ConstantDataArray::getString(C, Text));
  return Known;
}

Constant *Instrumenter::textOrNull(StringRef Text) {
  return Text.empty() ? ConstantPointerNull::get(B.getPtrTy()) : text(Text);
}

Constant *Instrumenter::flagsOrNull(ArrayRef<std::uint8_t> Flags) {
  if (Flags.empty())
    return ConstantPointerNull::get(B.getPtrTy());
  return variable(ConstantDataArray::get(C, Flags));
}

GlobalVariable *Instrumenter::variable(Constant *Value) {
  return new GlobalVariable(M, Value->getType(), true, GlobalValue::PrivateLinkage, Value, "check", nullptr,
                            GlobalValue::NotThreadLocal, /*AddressSpace=*/0);
}

Constant *Instrumenter::numbers(ArrayRef<std::uint32_t> Numbers) {
  return variable(ConstantDataArray::get(C, Numbers));
}

Constant *Instrumenter::site(const Instruction &I, const What &W) {
  std::string File;
  unsigned Line = lineOf(I), Column = 0;
  if (const DILocation *Place = userLine(I)) {
    File = Place->getFilename().str();
    Line = Place->getLine();
    Column = Place->getColumn();
  } else if (Line) {
    File = M.getSourceFileName();
  }
  auto Number = [&](std::uint32_t N) { return B.getInt32(N); };
  return variable(
      ConstantStruct::getAnon({textOrNull(File), text(W.Message), textOrNull(W.Object), Number(Line), Number(Column),
                               Number(std::uint32_t(W.How)), Number(W.Bytes), Number(W.Count), Number(W.Rows),
                               Number(W.Align), Number(W.Part), flagsOrNull(W.Used), Number(elementOf(I))}));
}

std::uint32_t Instrumenter::elementOf(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  bool Writes = Call && I.getType()->isVoidTy() && has(operationOf(&I), Role::Data);
  Type *T = Writes ? dataTypeOf(*Call) : I.getType();
  return T->isVoidTy() || T->isPointerTy() ? 1 : std::uint32_t(std::max(1, elementBytes(T)));
}

CallInst *Instrumenter::call(const char *Helper, ArrayRef<Value *> Operands, Type *Result) {
  SmallVector<Type *, 8> Types;
  for (Value *Operand : Operands)
    Types.push_back(Operand->getType());
  auto *T = FunctionType::get(Result ? Result : B.getVoidTy(), Types, false);
  auto *Call = B.CreateCall(M.getOrInsertFunction(Helper, T), Operands);
  for (unsigned I = 0; I < Operands.size(); ++I) // variables of lanes stay out of coroutine frames
    if (Operands[I]->getType()->isPointerTy())
      Call->addParamAttr(I, Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
  return Call;
}

Value *Instrumenter::inMemory(Scratch Which, Value *V) {
  auto N = unsigned(countOf(V->getType())), Bytes = N * unsigned(elementBytes(V->getType()));
  AllocaInst *&Memory = Shared[Which];
  if (!Memory) {
    IRBuilder<> Entry(Record);
    Memory = Entry.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes));
    Memory->setAlignment(Align(64));
  }
  if (cast<ArrayType>(Memory->getAllocatedType())->getNumElements() < Bytes)
    Memory->setAllocatedType(ArrayType::get(B.getInt8Ty(), Bytes));
  if (V->getType()->isVectorTy())
    createOperation(B, Op::MemoryWrite, B.getVoidTy(), {Memory, V, B.getInt64(0), B.getInt32(N), B.getInt32(1)});
  else
    B.CreateStore(V, Memory);
  return Memory;
}

Value *Instrumenter::flags(Value *Predicate) {
  if (match(Predicate, m_AllOnes()))
    return ConstantPointerNull::get(B.getPtrTy());
  Type *Byte = B.getInt8Ty();
  return inMemory(Wanted, B.CreateZExt(Predicate, vectorLike(Byte, Predicate->getType())));
}

Value *Instrumenter::wide(Value *V, bool Signed) { return B.CreateIntCast(V, B.getInt64Ty(), Signed); }

void Instrumenter::noteUse(Value *Surface, Access How) {
  unsigned Bits = How == Access::Read ? 1 : How == Access::Write ? 2 : 3;
  if (auto *A = dyn_cast<Argument>(Surface))
    Uses[A->getArgNo()] |= Bits;
  else if (!isa<ConstantInt>(Surface))
    AnyUse |= Bits;
}

void Instrumenter::noteAddress(Access How) { AnyUse |= How == Access::Read ? 1 : How == Access::Write ? 2 : 3; }

bool Instrumenter::isPrinting(Value *Surface) {
  auto *Index = dyn_cast<ConstantInt>(Surface);
  return Index && Index->getZExtValue() == PrintSurface;
}

std::vector<std::uint8_t> Instrumenter::usedOf(const Instruction &I, unsigned Count) {
  std::vector<std::uint8_t> Flags;
  auto *T = dyn_cast<FixedVectorType>(I.getType());
  if (!T || T->getNumElements() != Count)
    return Flags;
  const BitVector *Known = Live.find(const_cast<Instruction *>(&I));
  if (Known && Known->all())
    return Flags;
  Flags.resize(Count);
  for (unsigned K = 0; Known && K < Count; ++K)
    Flags[K] = Known->test(K);
  return Flags;
}

std::vector<std::uint8_t> Instrumenter::usedBytes(const Instruction &I, unsigned Width, unsigned Pitch) {
  auto Count = unsigned(countOf(I.getType())), Bytes = elementOf(I.getType());
  std::vector<std::uint8_t> Elements = usedOf(I, Count), Flags;
  for (unsigned Row = 0; !Elements.empty() && Row < Count * Bytes / Pitch; ++Row)
    for (unsigned K = 0; K < Width; ++K)
      Flags.push_back(Elements[(Row * Pitch + K) / Bytes]);
  return Flags;
}

std::vector<std::uint8_t> Instrumenter::usedBytes(const Instruction &I, unsigned Bytes) {
  return usedBytes(I, Bytes, Bytes);
}

std::uint32_t Instrumenter::elementOf(Type *T) { return std::uint32_t(elementBytes(T)); }

} // namespace pocm::check
