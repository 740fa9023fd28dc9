//===- Sinks.cpp - Where it matters that nobody has written a value ------------------------===//
#include "devices/check/Sinks.h"
#include "devices/check/Frame.h"
#include "ir/Lsc.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::check {
namespace {

/// What messages call what they are told.
struct RoleName {
  Role What;
  const char *Name;
};
constexpr RoleName roleNames[] = {
    {Role::Surface, "surface"},
    {Role::Sampler, "sampler"},
    {Role::Offset, "offset"},
    {Role::GlobalOffset, "offset"},
    {Role::Places, "offsets"},
    {Role::Address, "address"},
    {Role::X, "x"},
    {Role::Y, "y"},
    {Role::U, "coordinates"},
    {Role::V, "coordinates"},
    {Role::R, "coordinates"},
    {Role::Reference, "reference"},
    {Role::Predicate, "predicate"},
    {Role::Data, "data"},
    {Role::Source, "operand"},
    {Role::Second, "operand"},
    {Role::MatrixWidth, "matrix"},
    {Role::MatrixHeight, "matrix"},
    {Role::MatrixPitch, "matrix"},
};

/// The name of what reads or writes surfaces or memory by address; empty for others.
std::string nameOf(const CallInst &I) {
  using Action = MessageInfo::Action;
  auto Info = messageOf(operationOf(&I));
  if (!Info || Info->Of == MessageInfo::Memory::Frame || Info->Does == Action::Prefetch)
    return "";
  if (Info->IsLsc && Info->Is == MessageInfo::Form::Lanes) {
    if (!lsc::Message::match(const_cast<CallInst *>(&I)))
      return "";
    return Info->Does == Action::Atomic ? "lsc atomic" : Info->Does == Action::Read ? "lsc read" : "lsc write";
  }
  return Info->nameDoing();
}

/// How many of Source and Second an atomic takes.
unsigned sourcesOf(const CallInst &I) {
  if (auto Message = lsc::Message::match(const_cast<CallInst *>(&I)))
    return Message->atomic().Sources;
  if (operationOf(&I) != Op::TypedAtomic)
    return 2; // it has no operands that it does not take
  auto *Number = dyn_cast<ConstantInt>(operandOf(I, Role::Number));
  AtomicInfo Info = Number ? atomicInfo(atomicOfNumber(unsigned(Number->getZExtValue()))) : AtomicInfo{};
  return unsigned(std::max(0, Info.Sources));
}

/// Without what fills rows up to a power of two.
BitVector ofMediaBlock(const CallInst &I) {
  Type *T = dataTypeOf(I);
  auto *Width = dyn_cast<ConstantInt>(operandOf(I, Role::Width));
  BitVector All(unsigned(countOf(T)), true);
  if (!Width)
    return All;
  auto Bytes = unsigned(elementBytes(T)), Used = unsigned(Width->getZExtValue());
  unsigned Pitch = std::max(4u, unsigned(PowerOf2Ceil(Used)));
  for (unsigned K = 0; K < All.size(); ++K)
    All[K] = K * Bytes % Pitch < Used;
  return All;
}

BitVector ofMatrixBlock(const lsc::Block2d &Block) {
  BitVector All(unsigned(countOf(Block.operand(lsc::Data2d)->getType())));
  for (unsigned B = 0; B < Block.number(lsc::Blocks); ++B)
    for (int R = 0; R < Block.height(); ++R)
      for (int C = 0; C < Block.width(); ++C)
        if (auto At = B * unsigned(Block.blockElements()) + unsigned(Block.placeOf(R, C)); At < All.size())
          All.set(At);
  return All;
}

/// Everything that is one for each lane, or several.
bool isOfLanes(Shape S) {
  return S == Shape::LaneDword || S == Shape::LaneQword || S == Shape::LaneFloat || S == Shape::LaneValues ||
         S == Shape::Result;
}

void addMessage(SmallVector<Sink, 4> &All, CallInst &I, const std::string &Message) {
  Op Operation = operationOf(&I);
  auto Lsc = lsc::Message::match(&I);
  auto Block2d = lsc::Block2d::match(&I);
  Value *Lanes = has(Operation, Role::Predicate) ? operandOf(I, Role::Predicate) : nullptr;
  if (Lanes && match(Lanes, m_AllOnes()))
    Lanes = nullptr;
  const bool Block = Lsc && Lsc->What != lsc::Kind::Atomic && Lsc->isBlock();
  unsigned K = 0;
  for (const OperandInfo &Info : operandsOf(Operation)) {
    Value *V = I.getArgOperand(K++);
    auto *Named = find_if(roleNames, [&](const RoleName &N) { return N.What == Info.What; });
    if (Named == std::end(roleNames) || (Info.What == Role::Source && sourcesOf(I) < 1) ||
        (Info.What == Role::Second && sourcesOf(I) < 2) ||
        (Lsc && Info.What == Role::Surface && Lsc->Where != lsc::Space::Bti))
      continue;
    Sink S{V, std::string(Named->Name) + " of the " + Message};
    bool First = Block && (Info.What == Role::Places || Info.What == Role::Predicate) && V->getType()->isVectorTy();
    if (First) { // a block has one place
      S.Elements.resize(unsigned(countOf(V->getType())));
      S.Elements.set(0);
    } else if (isOfLanes(Info.Type) && !Block) {
      S.Lanes = Lanes;
    }
    if (Operation == Op::MediaWrite && Info.What == Role::Data)
      S.Elements = ofMediaBlock(I);
    if (Block2d && Info.What == Role::Data)
      S.Elements = ofMatrixBlock(*Block2d);
    if (Lsc && (Info.What == Role::Data || Info.What == Role::Source || Info.What == Role::Second))
      S.Bits = 8 * Lsc->bytes();
    All.push_back(std::move(S));
  }
}

} // namespace

SmallVector<Sink, 4> sinksOf(Instruction &I) {
  SmallVector<Sink, 4> All;
  if (auto *Branch = dyn_cast<BranchInst>(&I); Branch && Branch->isConditional())
    All.push_back({Branch->getCondition(), "condition of a branch"});
  else if (auto *Switch = dyn_cast<SwitchInst>(&I))
    All.push_back({Switch->getCondition(), "condition of a branch"});
  else if (Value *Place = writtenPointer(I))
    All.push_back({Place, "place of an element that is written"});
  else if (auto *Call = dyn_cast<CallInst>(&I))
    if (std::string Message = nameOf(*Call); !Message.empty())
      addMessage(All, *Call, Message);
  return All;
}

} // namespace pocm::check
