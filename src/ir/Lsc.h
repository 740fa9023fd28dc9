//===- Lsc.h - Operands and numbers of messages to the load/store cache -------------------===//
//
// The operations llvm.genx.lsc.* of Intrinsics.def have many operands, most of which are
// numbers of the message. The numbers are those of the public dialect, and of the enumerations
// in include/cm/detail/lsc.h.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Intrinsics.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace pocm::lsc {

/// Plain loads leave undefined what is off.
enum class Kind { Load, LoadQuad, PlainLoad, PlainLoadQuad, Store, StoreQuad, Prefetch, Atomic };
enum class Space { Bti, Slm, Stateless };

/// Operands of all kinds; a store's data or an atomic's two sources, the surface and the old value of what reads
/// follow.
enum Operand : unsigned {
  Predicate,
  Subop,
  CacheL1,
  CacheL3,
  Scale,
  Offset,
  Size,
  Elements,
  Order,
  Components,
  Places,
  BehindPlaces
};
/// Operands of a block of two dimensions; a store's data follows.
enum Operand2d : unsigned {
  L1Of2d = 1,
  L3Of2d,
  SizeOf2d,
  OrderOf2d,
  Blocks,
  Width,
  Height,
  Vnni,
  Base,
  Matrix,
  X = 13,
  Y,
  Data2d
};

enum Caching : unsigned { Default, Uncached, Cached, WriteBack, WriteThrough, Streaming, ReadInvalidate, ConstCached };
enum DataSize : unsigned { D8 = 1, D16, D32, D64, D8U32, D16U32, D16U32H };
enum DataOrder : unsigned { NonTransposed = 1, Transpose };
enum Subops : unsigned { LoadSubop = 0, LoadQuadSubop = 2, StoreSubop = 4, StoreQuadSubop = 6, FirstAtomic = 8 };

/// The numbers of a message, in the order of its operands.
struct Header {
  unsigned Subop, L1 = Default, L3 = Default, Size = D32, Elements = 1, Order = NonTransposed, Components = 0;
};

/// The operands of a message up to its places.
inline llvm::SmallVector<llvm::Value *, 16> operandsOf(llvm::IRBuilderBase &B, const Header &H, llvm::Value *Predicate,
                                                       llvm::Value *Places) {
  auto Byte = [&](unsigned N) { return B.getInt8(uint8_t(N)); };
  return {Predicate,    Byte(H.Subop),    Byte(H.L1),    Byte(H.L3),         B.getInt16(1), B.getInt32(0),
          Byte(H.Size), Byte(H.Elements), Byte(H.Order), Byte(H.Components), Places};
}

/// Atomics, by their operations less FirstAtomic.
enum class Atomic : unsigned char {
  Inc,
  Dec,
  Load,
  Store,
  Add,
  Sub,
  MinSigned,
  MaxSigned,
  Min,
  Max,
  CompareExchange,
  FloatAdd,
  FloatSub,
  FloatMin,
  FloatMax,
  FloatCompareExchange,
  And,
  Or,
  Xor
};
struct AtomicRow {
  Atomic What;
  unsigned Sources; ///< Operands for more are undefined.
  unsigned Older;   ///< CM's number of the same operation on surfaces (Atomics.def); of a load, or with 0.
  bool Swaps;       ///< That one takes the new value before the one to compare with.
};
inline constexpr AtomicRow Atomics[] = {
    {Atomic::Inc, 0, 0x02, false},
    {Atomic::Dec, 0, 0x03, false},
    {Atomic::Load, 0, 0x09, false},
    {Atomic::Store, 1, 0x06, false},
    {Atomic::Add, 1, 0x00, false},
    {Atomic::Sub, 1, 0x01, false},
    {Atomic::MinSigned, 1, 0x0B, false},
    {Atomic::MaxSigned, 1, 0x0C, false},
    {Atomic::Min, 1, 0x04, false},
    {Atomic::Max, 1, 0x05, false},
    {Atomic::CompareExchange, 2, 0x07, true},
    {Atomic::FloatAdd, 1, 0x13, false},
    {Atomic::FloatSub, 1, 0x14, false},
    {Atomic::FloatMin, 1, 0x11, false},
    {Atomic::FloatMax, 1, 0x10, false},
    {Atomic::FloatCompareExchange, 2, 0x12, false},
    {Atomic::And, 1, 0x08, false},
    {Atomic::Or, 1, 0x09, false},
    {Atomic::Xor, 1, 0x0A, false},
};

/// A message as its operands say.
struct Message {
  Kind What;
  Space Where;
  llvm::CallInst *Call;

  /// None for what is no such message, or one whose numbers are not known or cannot be.
  static std::optional<Message> match(llvm::Value *V) {
    auto Known = matchOperation(V);
    return Known && Known->isWellFormed() ? Known : std::nullopt;
  }
  /// The operation of this kind in this space.
  static Op operation(Kind What, Space Where) {
    constexpr Op Table[][3] = {
#define ROW(kind) {Op::Lsc##kind##Bti, Op::Lsc##kind##Slm, Op::Lsc##kind##Stateless},
        ROW(Load) ROW(LoadQuad) ROW(PlainLoad) ROW(PlainLoadQuad) ROW(Store) ROW(StoreQuad) ROW(Prefetch) ROW(Atomic)
#undef ROW
    };
    return Table[unsigned(What)][unsigned(Where)];
  }

  unsigned number(Operand K) const {
    return unsigned(llvm::cast<llvm::ConstantInt>(Call->getArgOperand(K))->getZExtValue());
  }
  llvm::Value *predicate() const { return Call->getArgOperand(Predicate); }
  llvm::Value *places() const { return Call->getArgOperand(Places); }
  llvm::Value *surface() const { return Call->getArgOperand(surfaceOperand()); }
  unsigned surfaceOperand() const { return BehindPlaces + (What == Kind::Atomic ? 2 : writes() ? 1 : 0); }
  /// Old value or data, as far as there is any.
  unsigned valueOperand() const { return writes() ? unsigned(BehindPlaces) : surfaceOperand() + 1; }
  bool hasValue() const { return What != Kind::Prefetch && What != Kind::PlainLoad && What != Kind::PlainLoadQuad; }
  llvm::Value *value() const { return Call->getArgOperand(valueOperand()); }
  const AtomicRow &atomic() const { return Atomics[number(Subop) - FirstAtomic]; }
  bool isBlock() const { return number(Order) == Transpose; }
  bool isQuad() const { return What == Kind::LoadQuad || What == Kind::PlainLoadQuad || What == Kind::StoreQuad; }
  bool reads() const { return What <= Kind::PlainLoadQuad; }
  bool writes() const { return What == Kind::Store || What == Kind::StoreQuad; }
  /// What a reading message leaves in lanes that are off.
  llvm::Value *old() const { return hasValue() ? value() : llvm::PoisonValue::get(Call->getType()); }
  /// Elements of a lane.
  unsigned elements() const {
    constexpr unsigned Counts[] = {0, 1, 2, 3, 4, 8, 16, 32, 64};
    if (isQuad())
      return unsigned(llvm::popcount(number(Components)));
    return Counts[number(Elements) % std::size(Counts)];
  }
  /// Bytes of an element in memory.
  unsigned bytes() const {
    constexpr unsigned Sizes[] = {4, 1, 2, 4, 8, 1, 2, 2};
    return Sizes[number(Size) % std::size(Sizes)];
  }

private:
  static std::optional<Message> matchOperation(llvm::Value *V) {
    switch (operationOf(V)) {
#define ROW(kind, space)                                                                                               \
  case Op::Lsc##kind##space:                                                                                           \
    return Message{Kind::kind, Space::space, llvm::cast<llvm::CallInst>(V)};
#define ROWS(kind) ROW(kind, Bti) ROW(kind, Slm) ROW(kind, Stateless)
      ROWS(Load)
      ROWS(LoadQuad)
      ROWS(PlainLoad)
      ROWS(PlainLoadQuad)
      ROWS(Store)
      ROWS(StoreQuad)
      ROWS(Prefetch)
      ROWS(Atomic)
#undef ROWS
#undef ROW
    default:
      return std::nullopt;
    }
  }
  bool holdsLanes(llvm::Type *T) const {
    auto CountOf = [](llvm::Type *Of) {
      auto *V = llvm::dyn_cast<llvm::FixedVectorType>(Of);
      return V ? V->getNumElements() : 1;
    };
    return CountOf(T) == elements() * (isBlock() ? 1 : CountOf(places()->getType())) &&
           T->getScalarSizeInBits() == 8 * std::max(4u, bytes());
  }
  bool isWellFormed() const {
    if (Call->arg_size() != (hasValue() ? std::max(surfaceOperand(), valueOperand()) : surfaceOperand()) + 1)
      return false;
    for (unsigned K = Subop; K < Places; ++K)
      if (!llvm::isa<llvm::ConstantInt>(Call->getArgOperand(K)))
        return false;
    if (What == Kind::Atomic && number(Subop) - FirstAtomic >= std::size(Atomics))
      return false;
    return number(Scale) == 1 && elements() > 0 && (number(Size) == D32 || What == Kind::Prefetch || !isQuad()) &&
           (isBlock() ? number(Size) == D32 || number(Size) == D64 : number(Size) >= D32) &&
           (What == Kind::Prefetch || holdsLanes(writes() ? value()->getType() : Call->getType()));
  }
};

/// A block of two dimensions as its operands say.
struct Block2d {
  llvm::CallInst *Call;

  static std::optional<Block2d> match(llvm::Value *V) {
    Op Operation = operationOf(V);
    if (Operation != Op::LscLoad2d && Operation != Op::LscStore2d && Operation != Op::LscPrefetch2d)
      return std::nullopt;
    Block2d B{llvm::cast<llvm::CallInst>(V)};
    if (B.Call->arg_size() != Data2d + (Operation == Op::LscStore2d))
      return std::nullopt;
    for (unsigned K = L1Of2d; K < Base; ++K)
      if (!llvm::isa<llvm::ConstantInt>(B.Call->getArgOperand(K)))
        return std::nullopt;
    return B.isWellFormed() ? std::optional(B) : std::nullopt;
  }
  unsigned number(Operand2d K) const {
    return unsigned(llvm::cast<llvm::ConstantInt>(Call->getArgOperand(K))->getZExtValue());
  }
  llvm::Value *operand(unsigned K) const { return Call->getArgOperand(K); }
  int bytes() const { return 1 << (number(SizeOf2d) - D8); }
  bool isTransposed() const { return number(OrderOf2d) == Transpose; }
  int width() const { return int(number(Width)); }
  int height() const { return int(number(Height)); }
  /// Elements of neighbouring rows that lie together, in a dword.
  int together() const { return number(Vnni) ? std::max(1, 4 / bytes()) : 1; }
  /// Elements of a row in registers, and from one row to the next.
  int row() const { return isTransposed() ? height() : width() * together(); }
  int pitch() const { return int(llvm::PowerOf2Ceil(unsigned(row()))); }
  int rows() const { return isTransposed() ? width() : (height() + together() - 1) / together(); }
  /// Elements of a block in registers: it ends where a register does.
  int blockElements() const {
    llvm::Type *T = operationOf(Call) == Op::LscStore2d ? operand(Data2d)->getType() : Call->getType();
    return int(llvm::cast<llvm::FixedVectorType>(T)->getNumElements() / number(Blocks));
  }
  /// Where in a block's registers the element of that row and column of the matrix lies.
  int placeOf(int R, int C) const {
    return isTransposed() ? C * pitch() + R : R / together() * pitch() + C * together() + R % together();
  }

private:
  bool isWellFormed() const {
    if (number(SizeOf2d) < D8 || number(SizeOf2d) > D64 || number(Blocks) == 0 || width() <= 0 || height() <= 0)
      return false;
    return operationOf(Call) == Op::LscPrefetch2d || blockElements() >= pitch() * rows();
  }
};

} // namespace pocm::lsc
