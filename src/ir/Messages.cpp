//===- Messages.cpp - What an operation is as a message to memory ----------------------------===//
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

using Form = MessageInfo::Form;
using Memory = MessageInfo::Memory;
using Action = MessageInfo::Action;

std::optional<Shape> shapeOf(Op Operation, Role What) {
  return has(Operation, What) ? std::optional(operandsOf(Operation)[indexOf(Operation, What)].Type) : std::nullopt;
}

Form formOf(Op Operation) {
  if (has(Operation, Role::MatrixWidth))
    return Form::Matrix;
  if (has(Operation, Role::Sampler))
    return Form::Samples;
  if (has(Operation, Role::U))
    return Form::Pixels;
  if (has(Operation, Role::X))
    return Form::Image;
  return has(Operation, Role::Places) ? Form::Lanes : Form::Block;
}

Memory memoryOf(Op Operation) {
  if (has(Operation, Role::Frame))
    return Memory::Frame;
  const bool ByAddress = has(Operation, Role::Address) || shapeOf(Operation, Role::Places) == Shape::LaneQword;
  return ByAddress ? Memory::Address : Memory::Surface;
}

Action actionOf(Op Operation) {
  if (has(Operation, Role::Data))
    return Action::Write;
  if (resultOf(Operation) == Shape::Void)
    return Action::Prefetch;
  return mayWrite(Operation) ? Action::Atomic : Action::Read;
}

bool isMessage(Op Operation) {
  return Operation != Op::None &&
         (has(Operation, Role::Surface) || has(Operation, Role::Places) || has(Operation, Role::Frame) ||
          (has(Operation, Role::Address) && touchesMemory(Operation)));
}

} // namespace

std::optional<MessageInfo> messageOf(Op Operation) {
  if (!isMessage(Operation))
    return std::nullopt;
  MessageInfo Info{formOf(Operation), memoryOf(Operation), actionOf(Operation)};
  Info.IsLsc = has(Operation, Role::CacheL1);
  const std::optional<Shape> Place = shapeOf(Operation, Role::Offset);
  constexpr int Oword = 16;
  Info.OfOwords = Info.Is == Form::Block && (Place == Shape::Owords || Place == Shape::AtDword);
  Info.Unit = Place == Shape::Owords ? Oword : 1;
  return Info;
}

bool changesMemory(const Instruction &I) {
  if (!I.mayWriteToMemory())
    return false;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::prefetch)
    return false;
  const auto Info = messageOf(operationOf(&I));
  return !Info || Info->Does != MessageInfo::Action::Prefetch;
}

bool isPayload(Op Operation, unsigned Index) {
  const auto Info = messageOf(Operation);
  if (!Info)
    return false;
  const OperandInfo &Operand = operandsOf(Operation)[Index];
  switch (Operand.What) {
  case Role::Data:
  case Role::Source:
  case Role::Second:
  case Role::U:
  case Role::V:
  case Role::R:
    return true;
  case Role::Places:
    return Info->Of != Memory::Frame; // to which the frame's beginning is added
  default:
    return false;
  }
}

std::string MessageInfo::kind() const {
  static constexpr StringRef Names[] = {"block", "media block", "scattered", "typed", "sampler", "2d block"};
  if (Is == Form::Lanes && Does == Action::Atomic)
    return "atomic";
  return (Twine(IsLsc      ? "lsc "
                : OfOwords ? "oword "
                           : "") +
          Names[unsigned(Is)] + (Does == Action::Atomic ? " atomic" : ""))
      .str();
}

std::string MessageInfo::name() const { return Of == Memory::Address && !IsLsc ? kind() + " by address" : kind(); }

std::string MessageInfo::nameDoing() const {
  if (Does == Action::Atomic)
    return kind();
  static constexpr StringRef Actions[] = {" read", " write", "", " prefetch"};
  return (Twine(kind()) + Actions[unsigned(Does)] + (Of == Memory::Address && !IsLsc ? " by address" : "")).str();
}

} // namespace pocm
