//===- Operands.cpp - Operands of operations by what they mean -------------------------------===//
#include "ir/Operands.h"
#include "ir/Lsc.h"
#include "ir/Region.h"

using namespace llvm;

namespace pocm {
namespace {

/// The columns of Intrinsics.def about operands: Surface(I32) is the operand that is a surface, an i32.
namespace columns {
struct RoleColumn {
  Role What;
  constexpr OperandInfo operator()(Shape Type) const { return {What, Type}; }
};
#define ROLE(name) constexpr RoleColumn name{Role::name};
#include "ir/Roles.def"
using enum Shape;

struct Row {
  Shape Returned;
  unsigned Count;
  std::array<OperandInfo, 17> Operands;

  template <class... Each> constexpr Row(Shape Returned, Each... All)
      : Returned(Returned), Count(sizeof...(All)), Operands{All...} {}
};
constexpr Row All[] = {
#define INTRINSIC(id, builtin, name, overloads, memory, ...) Row(__VA_ARGS__),
#include "ir/Intrinsics.def"
};
} // namespace columns

constexpr const columns::Row &rowOf(Op Operation) { return columns::All[static_cast<unsigned>(Operation)]; }

/// The operand's number, or the number of operands.
constexpr unsigned find(Op Operation, Role What) {
  const columns::Row &R = rowOf(Operation);
  unsigned K = 0;
  while (K < R.Count && R.Operands[K].What != What)
    ++K;
  return K;
}

// What Lsc.h counts is what the table says.
static_assert(find(Op::LscLoadBti, Role::Predicate) == lsc::Predicate);
static_assert(find(Op::LscLoadBti, Role::Places) == lsc::Places);
static_assert(find(Op::LscLoadBti, Role::Components) == lsc::Components);
static_assert(find(Op::LscLoadBti, Role::Surface) == lsc::BehindPlaces);
static_assert(find(Op::LscStoreBti, Role::Data) == lsc::BehindPlaces);
static_assert(find(Op::LscAtomicBti, Role::Source) == lsc::BehindPlaces);
static_assert(find(Op::LscLoad2d, Role::CacheL1) == lsc::L1Of2d);
static_assert(find(Op::LscLoad2d, Role::Address) == lsc::Base);
static_assert(find(Op::LscLoad2d, Role::MatrixWidth) == lsc::Matrix);
static_assert(find(Op::LscLoad2d, Role::X) == lsc::X);
static_assert(find(Op::LscStore2d, Role::Data) == lsc::Data2d);

/// A call of an operation, measured against its row.
struct Measure {
  const CallBase &Call;
  const columns::Row &Row;
  int Lanes; ///< 0 where nothing has lanes.

  explicit Measure(const CallBase &Call) : Call(Call), Row(rowOf(operationOf(&Call))), Lanes(0) {
    for (unsigned K = 0; K < Row.Count && K < Call.arg_size() && !Lanes; ++K)
      if (Row.Operands[K].Type >= Shape::LaneFlag && Row.Operands[K].Type < Shape::LaneValues)
        Lanes = countOf(Call.getArgOperand(K)->getType());
  }

  static bool isNumber(const Type *T) { return T->isIntOrIntVectorTy() || T->isFPOrFPVectorTy(); }
  bool eachLane(Type *T, unsigned Bits) const { return T->isIntOrIntVectorTy(Bits) && countOf(T) == Lanes; }
  /// One, or one for each element of the data.
  bool oneOrAll(Type *T) const { return !T->isVectorTy() || countOf(T) == countOf(dataTypeOf(Call)); }

  bool fits(Shape Wanted, Type *T) const {
    switch (Wanted) {
    case Shape::Void:
      return T->isVoidTy();
    case Shape::I1:
      return T->isIntegerTy(1);
    case Shape::I8:
      return T->isIntegerTy(8);
    case Shape::I16:
      return T->isIntegerTy(16);
    case Shape::I32:
    case Shape::Owords:
    case Shape::AtDword:
      return T->isIntegerTy(32);
    case Shape::I64:
      return T->isIntegerTy(64);
    case Shape::Index:
      return T->isIntegerTy();
    case Shape::Pointer:
      return T->isPointerTy();
    case Shape::Any:
      return isNumber(T);
    case Shape::Offsets:
      return T->isIntOrIntVectorTy() && oneOrAll(T);
    case Shape::Flags:
      return T->isIntOrIntVectorTy(1) && oneOrAll(T);
    case Shape::Result:
      return T == (Row.Returned == Shape::Result ? Call.getArgOperand(0)->getType() : Call.getType());
    case Shape::LaneFlag:
      return eachLane(T, 1);
    case Shape::LaneDword:
      return eachLane(T, 32);
    case Shape::LaneQword:
      return eachLane(T, 64);
    case Shape::LaneFloat:
      return T->getScalarType()->isFloatTy() && countOf(T) == Lanes;
    case Shape::LaneNumber:
      return isNumber(T) && countOf(T) == Lanes;
    case Shape::LaneValues:
      return isNumber(T) && countOf(T) % std::max(Lanes, 1) == 0;
    }
    llvm_unreachable("every shape is listed");
  }
};

} // namespace

ArrayRef<OperandInfo> operandsOf(Op Operation) {
  return ArrayRef(rowOf(Operation).Operands).take_front(rowOf(Operation).Count);
}

Shape resultOf(Op Operation) { return rowOf(Operation).Returned; }

bool has(Op Operation, Role What) { return Operation != Op::None && find(Operation, What) < rowOf(Operation).Count; }

unsigned indexOf(Op Operation, Role What) {
  assert(has(Operation, What));
  return find(Operation, What);
}

Value *operandOf(const CallBase &Call, Role What) { return Call.getArgOperand(indexOf(operationOf(&Call), What)); }

void setOperand(CallBase &Call, Role What, Value *New) { Call.setArgOperand(indexOf(operationOf(&Call), What), New); }

Role valueRole(Op Operation) { return has(Operation, Role::Data) ? Role::Data : Role::Old; }

Value *sourceOf(const CallBase &Call, unsigned K) { return operandOf(Call, K ? Role::Second : Role::Source); }

SmallVector<unsigned, 6> laneOperands(Op Operation) {
  SmallVector<unsigned, 6> All;
  for (auto [K, Operand] : enumerate(operandsOf(Operation)))
    if ((Operand.Type >= Shape::LaneFlag && Operand.Type < Shape::LaneValues) ||
        (Operand.Type == Shape::Result && Operand.What != Role::Old))
      All.push_back(unsigned(K));
  return All;
}

Type *dataTypeOf(const CallBase &Call) {
  return has(operationOf(&Call), Role::Data) ? operandOf(Call, Role::Data)->getType() : Call.getType();
}

std::optional<MemoryShape> constantShapeOf(const CallBase &Call) {
  auto Constant = [&](Role What) { return dyn_cast<ConstantInt>(operandOf(Call, What)); };
  auto *RowStride = Constant(Role::VStride), *Width = Constant(Role::Width), *Stride = Constant(Role::HStride);
  if (!RowStride || !Width || !Stride)
    return std::nullopt;
  return MemoryShape{RowStride->getSExtValue(), Width->getSExtValue(), Stride->getSExtValue()};
}

std::string wrongOperands(const CallBase &Call) {
  Measure M(Call);
  std::string Name = Call.getCalledFunction()->getName().str();
  if (Call.arg_size() != M.Row.Count)
    return Name + " has " + std::to_string(Call.arg_size()) + " operands, not " + std::to_string(M.Row.Count);
  for (unsigned K = 0; K < M.Row.Count; ++K)
    if (!M.fits(M.Row.Operands[K].Type, Call.getArgOperand(K)->getType()))
      return "operand " + std::to_string(K + 1) + " of " + Name + " has another type than the operation takes";
  return M.fits(M.Row.Returned, Call.getType()) ? "" : "the result of " + Name + " has another type than it returns";
}

} // namespace pocm
