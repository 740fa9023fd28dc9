// Random kernels in CM IR, for gen-fuzz: regions of all shapes, element types of all sizes, vectors of odd lengths,
// predicates, branches and loops, messages. The same seed gives the same kernel.
#pragma once

#include "ir/Kernel.h"
#include "ir/Lsc.h"
#include "ir/Region.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <random>

namespace pocm::fuzz {

using namespace llvm;

inline constexpr int OutputBytes = 4096;
inline constexpr int MemoryBytes = 4096, ReadBytes = 1024; ///< Of the memory that has an address; the rest is written.

/// What a module may have.
struct Uses {
  bool Lsc, Lsc2d; ///< Messages to the load/store cache, and blocks of two dimensions.
  bool Address;    ///< Memory by its address: in some modules.
};

/// One random kernel: (surface in, surface out, int n, 32 floats, 16 ints, address).
class Generator {
  std::mt19937 Random;
  LLVMContext &Context;
  IRBuilder<> B;
  std::vector<Value *> Pool; // vectors that dominate the insertion point
  Value *In = nullptr, *Out = nullptr, *N = nullptr, *Memory = nullptr;
  int Stored = 0, Written = ReadBytes;
  const Uses May;

  int pick(int Least, int Most) { return std::uniform_int_distribution<int>(Least, Most)(Random); }
  bool chance(int Percent) { return pick(1, 100) <= Percent; }

  Type *element() {
    switch (pick(0, 7)) {
    case 0:
      return B.getInt8Ty();
    case 7:
      return chance(40) ? B.getHalfTy() : B.getInt8Ty();
    case 1:
    case 2:
      return B.getInt16Ty();
    case 3:
      return B.getFloatTy();
    case 4:
      return chance(40) ? B.getInt64Ty() : B.getInt32Ty();
    default:
      return B.getInt32Ty();
    }
  }
  static Type *vectorOf(Type *Element, int Count) { return FixedVectorType::get(Element, unsigned(Count)); }
  int length() {
    static const int Usual[] = {1, 2, 4, 8, 8, 16, 16, 16, 32, 64, 24, 48};
    return chance(70) ? Usual[pick(0, 11)] : pick(1, 70);
  }

  Value *any() { return Pool[size_t(pick(0, int(Pool.size()) - 1))]; }
  void keep(Value *V) {
    Pool.push_back(V);
    if (Pool.size() > 24)
      Pool.erase(Pool.begin() + pick(0, 11));
  }

  /// A region of `Count` elements inside a vector of `Parent` and `Beyond` elements behind it, from element 0 on when
  /// its offset is known at run time.
  Region region(int Parent, int Count, int Beyond = 0) {
    for (int Attempt = 0; Attempt < 20; ++Attempt) {
      int Width = Count;
      for (int W = pick(1, Count); W >= 1; --W)
        if (Count % W == 0) {
          Width = W;
          break;
        }
      Region R{pick(0, 40), Width, pick(0, 4), pick(0, Parent - 1), nullptr};
      bool Inside = true;
      for (int K = 0; K < Count; ++K)
        Inside &= R.element(K) < Parent + Beyond;
      if (Inside)
        return R;
    }
    return {0, 1, 0, pick(0, Parent - 1), nullptr}; // one element everywhere
  }

  /// The same for a destination: no element twice. What is written beyond the vector is written nowhere.
  std::optional<Region> distinct(int Parent, int Count) {
    const int Beyond = chance(10) ? pick(1, 8) : 0;
    for (int Attempt = 0; Attempt < 20; ++Attempt) {
      Region R = region(Parent, Count, Beyond);
      std::vector<bool> Seen(size_t(Parent + Beyond), false);
      bool Fine = true;
      for (int K = 0; K < Count; ++K) {
        Fine &= !Seen[size_t(R.element(K))];
        Seen[size_t(R.element(K))] = true;
      }
      if (Fine)
        return R;
    }
    return std::nullopt;
  }

  /// A run-time offset in bytes that keeps a region of that many elements inside its parent.
  Value *offset(int Elements, int Last, int Bytes) {
    int Room = std::max(1, Elements - Last);
    Value *Index = B.CreateURem(B.CreateTrunc(N, B.getInt16Ty()), B.getInt16(uint16_t(Room)));
    return B.CreateMul(Index, B.getInt16(uint16_t(Bytes)));
  }

  Value *read(Value *From, int Count) {
    Type *Element = From->getType()->getScalarType();
    int Parent = countOf(From->getType());
    Region R = region(Parent, Count);
    if (chance(15)) {
      int Last = 0;
      for (int K = 0; K < Count; ++K)
        Last = std::max(Last, R.element(K) - R.Offset);
      R.Offset = 0;
      R.Dynamic = offset(Parent, Last, elementBytes(Element));
    }
    return RegionRead::create(B, vectorOf(Element, Count), From, R);
  }

  Value *write(Value *Old, Value *New) {
    int Parent = countOf(Old->getType()), Count = countOf(New->getType());
    auto R = Count <= Parent ? distinct(Parent, Count) : std::nullopt;
    if (!R)
      return Old;
    int Last = 0;
    for (int K = 0; K < Count; ++K)
      Last = std::max(Last, R->element(K) - R->Offset);
    if (Last < Parent && chance(10)) {
      R->Offset = 0;
      R->Dynamic = offset(Parent, Last, elementBytes(Old->getType()));
    }
    return RegionWrite::create(B, Old, New, *R);
  }

  /// V with another element type.
  Value *convert(Value *V, Type *Element) {
    Type *T = vectorOf(Element, countOf(V->getType()));
    Type *From = V->getType()->getScalarType();
    if (From == Element)
      return V;
    if (From->isFloatingPointTy() && Element->isFloatingPointTy())
      return From->isHalfTy() ? B.CreateFPExt(V, T) : B.CreateFPTrunc(V, T);
    if (Element->isHalfTy()) // of numbers that it has
      V = B.CreateAnd(V, ConstantInt::get(V->getType(), From->isIntegerTy(8) ? 127 : 2047));
    if (From->isFloatingPointTy())
      return chance(50) ? B.CreateIntrinsic(T, Intrinsic::fptosi_sat, {V})
                        : B.CreateIntrinsic(T, Intrinsic::fptoui_sat, {V});
    if (Element->isFloatingPointTy())
      return chance(50) ? B.CreateSIToFP(V, T) : B.CreateUIToFP(V, T);
    return chance(50) ? B.CreateZExtOrTrunc(V, T) : B.CreateSExtOrTrunc(V, T);
  }

  /// A vector of that type out of the pool: converted, and a region of it when the lengths differ.
  Value *operand(Type *T) {
    if (chance(12))
      return constant(T);
    Value *V = any();
    int Count = countOf(T);
    if (countOf(V->getType()) != Count || chance(25))
      V = read(V, Count);
    return convert(V, T->getScalarType());
  }

  Value *constant(Type *T) {
    SmallVector<Constant *, 64> Elements;
    bool Same = chance(60), Steps = chance(30);
    int First = pick(-9, 100);
    for (int K = 0; K < countOf(T); ++K) {
      int C = Same ? First : Steps ? First + K : pick(-9, 100);
      Elements.push_back(T->getScalarType()->isFloatingPointTy() ? ConstantFP::get(T->getScalarType(), C * 0.5)
                                                                 : ConstantInt::getSigned(T->getScalarType(), C));
    }
    return ConstantVector::get(Elements);
  }

  Value *condition(int Count) {
    Type *T = vectorOf(element(), Count);
    Value *L = operand(T), *R = operand(T);
    if (T->getScalarType()->isFloatingPointTy()) {
      static const CmpInst::Predicate All[] = {CmpInst::FCMP_OLT, CmpInst::FCMP_UGE, CmpInst::FCMP_ONE,
                                               CmpInst::FCMP_UEQ, CmpInst::FCMP_ORD, CmpInst::FCMP_OEQ,
                                               CmpInst::FCMP_UNE};
      return B.CreateFCmp(All[pick(0, 6)], L, R);
    }
    Value *C =
        B.CreateICmp(CmpInst::Predicate(pick(CmpInst::FIRST_ICMP_PREDICATE, CmpInst::LAST_ICMP_PREDICATE)), L, R);
    if (chance(25))
      C = B.CreateXor(C, condition(Count));
    return C;
  }

  Value *arithmetic() {
    Type *T = vectorOf(element(), length());
    Value *L = operand(T), *R = operand(T);
    if (T->getScalarType()->isFloatingPointTy())
      switch (pick(0, 7)) {
      case 0:
        return B.CreateFAdd(L, R);
      case 1:
        return B.CreateFSub(L, B.CreateFNeg(R));
      case 2:
        return B.CreateFMul(L, R);
      case 3:
        return B.CreateIntrinsic(T, Intrinsic::fma, {L, R, operand(T)});
      case 4:
        return B.CreateBinaryIntrinsic(Intrinsic::minnum, L, R);
      case 5:
        return B.CreateUnaryIntrinsic(Intrinsic::fabs, L);
      case 6:
        return B.CreateUnaryIntrinsic(chance(50) ? Intrinsic::floor : Intrinsic::round, L);
      default:
        return B.CreateSelect(condition(countOf(T)), L, R);
      }
    unsigned Bits = T->getScalarSizeInBits();
    auto Count = [&](Value *V) { return B.CreateAnd(V, ConstantInt::get(T, Bits - 1)); };
    switch (pick(0, 23)) {
    case 23:
      return oddSized(L, R);
    case 21:
      return division(countOf(T));
    case 22: { // all bits of a product, by a number or a word with a sign
      Type *Wide = vectorOf(B.getInt64Ty(), countOf(T)), *Narrow = vectorOf(B.getInt32Ty(), countOf(T));
      Value *Factor = chance(50) ? B.CreateSExt(operand(vectorOf(B.getInt16Ty(), countOf(T))), Wide)
                                 : ConstantInt::getSigned(Wide, pick(-40000, 40000));
      return B.CreateMul(chance(50) ? B.CreateSExt(operand(Narrow), Wide) : B.CreateZExt(operand(Narrow), Wide),
                         Factor);
    }
    case 0:
      return B.CreateAdd(L, R);
    case 1:
      return B.CreateSub(L, R);
    case 2:
      return B.CreateMul(L, R);
    case 3:
      return B.CreateAnd(L, B.CreateNot(R));
    case 4:
      return B.CreateOr(L, R);
    case 5:
      return B.CreateXor(L, R);
    case 6:
      return B.CreateShl(L, Count(R));
    case 7:
      return B.CreateLShr(L, Count(R));
    case 8:
      return B.CreateAShr(L, Count(R));
    case 9:
      return B.CreateBinaryIntrinsic(chance(50) ? Intrinsic::smin : Intrinsic::umax, L, R);
    case 10:
      return B.CreateBinaryIntrinsic(chance(50) ? Intrinsic::sadd_sat : Intrinsic::usub_sat, L, R);
    case 11:
      return B.CreateIntrinsic(T, Intrinsic::fshl, {L, chance(50) ? L : R, Count(operand(T))});
    case 12:
      return B.CreateUnaryIntrinsic(chance(50) ? Intrinsic::ctpop : Intrinsic::bitreverse, L);
    case 13:
      return B.CreateIntrinsic(T, chance(50) ? Intrinsic::ctlz : Intrinsic::cttz, {L, B.getFalse()});
    case 14:
      return B.CreateIntrinsic(T, Intrinsic::abs, {L, B.getFalse()});
    case 15: { // questions to a whole predicate
      Value *P = condition(countOf(T));
      Value *Some = chance(50) ? B.CreateOrReduce(P) : B.CreateAndReduce(P);
      return B.CreateSelect(Some, L, R);
    }
    case 16:
      return chance(50) ? B.CreateZExt(condition(countOf(T)), T) : B.CreateSExt(condition(countOf(T)), T);
    case 17: { // what LLVM finds in plain arithmetic
      if (chance(50))
        return B.CreateIntrinsic(T, chance(50) ? Intrinsic::scmp : Intrinsic::ucmp, {L, R});
      static constexpr Intrinsic::ID All[] = {Intrinsic::sadd_with_overflow, Intrinsic::uadd_with_overflow,
                                              Intrinsic::ssub_with_overflow, Intrinsic::usub_with_overflow,
                                              Intrinsic::smul_with_overflow, Intrinsic::umul_with_overflow};
      Value *Both = B.CreateBinaryIntrinsic(All[pick(0, 5)], L, R);
      return B.CreateSelect(B.CreateExtractValue(Both, 1), operand(T), B.CreateExtractValue(Both, 0));
    }
    case 18:
      return Bits > 8 ? B.CreateUnaryIntrinsic(Intrinsic::bswap, L) : B.CreateNot(L);
    default:
      return B.CreateSelect(condition(countOf(T)), L, R);
    }
  }

  /// Of integers of as many bits as no register has: LLVM makes them of shifts and masks.
  Value *oddSized(Value *L, Value *R) {
    Type *T = L->getType();
    unsigned Bits = unsigned(pick(2, int(T->getScalarSizeInBits()) - 1));
    Type *Odd = vectorOf(B.getIntNTy(Bits), countOf(T));
    Value *X = B.CreateTrunc(L, Odd), *Y = chance(50) ? B.CreateTrunc(R, Odd) : constant(Odd);
    Value *Places = B.CreateURem(B.CreateTrunc(R, Odd), ConstantInt::get(Odd, Bits == 2 ? 2 : Bits < 5 ? 3 : 5));
    static constexpr Instruction::BinaryOps All[] = {Instruction::Add, Instruction::Mul, Instruction::Sub,
                                                     Instruction::And, Instruction::Xor, Instruction::Or};
    switch (pick(0, 4)) {
    case 0: {
      auto Question = CmpInst::Predicate(pick(CmpInst::FIRST_ICMP_PREDICATE, CmpInst::LAST_ICMP_PREDICATE));
      X = B.CreateSelect(B.CreateICmp(Question, X, Y), X, Y);
      break;
    }
    case 1:
      X = chance(50) ? B.CreateLShr(X, Places) : B.CreateAShr(X, Places);
      break;
    case 2:
      X = B.CreateBinaryIntrinsic(chance(50) ? Intrinsic::smax : Intrinsic::umin, X, Y);
      break;
    default:
      X = B.CreateBinOp(All[pick(0, 5)], X, Y);
    }
    return chance(50) ? B.CreateSExt(X, T) : B.CreateZExt(X, T);
  }

  /// Of integers that were narrower, with signs and without.
  Value *division(int Count) {
    Type *T = vectorOf(B.getInt32Ty(), Count);
    auto Narrow = [&] { return operand(vectorOf(chance(50) ? B.getInt8Ty() : B.getInt16Ty(), Count)); };
    auto Wide = [&](Value *V) { return chance(50) ? B.CreateSExt(V, T) : B.CreateZExt(V, T); };
    Value *L = chance(70) ? Wide(Narrow()) : operand(T), *By = Narrow();
    Value *R =
        Wide(B.CreateOr(B.CreateAnd(By, ConstantInt::get(By->getType(), 126)), ConstantInt::get(By->getType(), 1)));
    switch (pick(0, 3)) {
    case 0:
      return B.CreateSDiv(L, R);
    case 1:
      return B.CreateSRem(L, R);
    case 2:
      return B.CreateUDiv(L, R);
    default:
      return B.CreateURem(L, R);
    }
  }

  /// Bytes computed from others of the same vector.
  Value *bytesInPlace() {
    Value *V = convert(any(), B.getInt8Ty());
    int All = countOf(V->getType()), Count = pick(1, All);
    Type *T = vectorOf(B.getInt8Ty(), Count);
    auto Part = [&] {
      return RegionRead::create(B, T, V,
                                chance(80) ? Region::contiguous(Count, pick(0, All - Count)) : region(All, Count));
    };
    Value *L = Part(), *R = chance(50) ? Part() : operand(T), *New;
    switch (pick(0, 4)) {
    case 0:
      New = B.CreateSub(L, R);
      break;
    case 1:
      New = B.CreateBinaryIntrinsic(Intrinsic::umax, L, R);
      break;
    case 2:
      New = B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, L, R);
      break;
    case 3:
      New = L;
      break;
    default:
      New = B.CreateAdd(L, R);
    }
    return RegionWrite::create(B, V, New, Region::contiguous(Count, pick(0, All - Count)));
  }

  /// Elements of V that are multiples of one number, plus another.
  Value *multiples(Value *V) {
    Type *T = V->getType(), *Element = T->getScalarType();
    int Count = std::min(countOf(T), chance(50) ? 8 : 16), First = pick(0, countOf(T) - Count);
    if (!Element->isIntegerTy() || Count < 4)
      return V;
    Value *Factor = B.CreateExtractElement(operand(T), uint64_t(0));
    Value *Summand = chance(70) ? B.CreateExtractElement(operand(T), uint64_t(pick(0, countOf(T) - 1))) : nullptr;
    int Step = pick(1, 3), Odd = chance(20) ? pick(0, Count - 1) : -1;
    for (int K = 0; K < Count; ++K) {
      unsigned Times = unsigned(K * Step);
      Value *E = K == Odd              ? Factor
                 : chance(30) && K < 6 ? B.CreateShl(Factor, ConstantInt::get(Element, unsigned(K)))
                                       : B.CreateMul(Factor, ConstantInt::get(Element, Times & 127));
      if (Summand)
        E = chance(50) ? B.CreateAdd(E, Summand) : B.CreateAdd(Summand, E);
      V = B.CreateInsertElement(V, E, uint64_t(First + K));
    }
    return V;
  }

  Value *shape() {
    Value *V = any();
    Type *Element = V->getType()->getScalarType();
    int Count = countOf(V->getType());
    switch (pick(0, 8)) {
    case 8:
      return bytesInPlace();
    case 7:
      return multiples(V);
    case 0:
      return read(V, length());
    case 1:
    case 2: {
      Value *New = operand(vectorOf(Element, std::min(length(), Count)));
      return write(V, New);
    }
    case 3: {
      SmallVector<int, 64> Mask;
      Value *W = operand(V->getType());
      for (int K = length(); K > 0; --K)
        Mask.push_back(pick(0, 2 * Count - 1));
      return B.CreateShuffleVector(V, W, Mask);
    }
    case 4: {
      Value *E = B.CreateExtractElement(V, uint64_t(pick(0, Count - 1)));
      return B.CreateInsertElement(operand(V->getType()), E, uint64_t(pick(0, Count - 1)));
    }
    case 5: { // the same bytes as other elements
      int Bytes = Count * elementBytes(V->getType());
      Type *To = element();
      if (To->isFloatingPointTy() || Element->isFloatingPointTy() || Bytes % elementBytes(To))
        return V;
      return B.CreateBitCast(V, vectorOf(To, Bytes / elementBytes(To)));
    }
    default: {
      if (Element->isFloatingPointTy() || Count < 2)
        return V;
      Value *Sum = chance(50) ? B.CreateAddReduce(V) : B.CreateXorReduce(V);
      return B.CreateInsertElement(V, Sum, uint64_t(0));
    }
    }
  }

  /// The numbers of a message to the load/store cache, some of them with cache hints.
  lsc::Header lscHeader(unsigned Subop, unsigned Size, unsigned Elements, bool Row, unsigned Components) {
    static const unsigned Numbers[] = {0, 1, 2, 3, 4, 0, 0, 0, 5};
    unsigned Number = Elements <= 8 ? Numbers[Elements] : Log2_32(Elements) + 2;
    unsigned Cached = Subop == lsc::LoadSubop || Subop == lsc::LoadQuadSubop ? lsc::Cached : lsc::WriteBack;
    unsigned Hint = chance(50) ? Cached : unsigned(lsc::Default);
    return {Subop, Hint, Hint, Size, Number, unsigned(Row ? lsc::Transpose : lsc::NonTransposed), Components};
  }

  Value *lscLoad() {
    bool Quad = chance(25), Row = !Quad && chance(40);
    unsigned Components = Quad ? unsigned(pick(1, 15)) : 0, Size = lsc::D32;
    unsigned Elements = Quad ? unsigned(popcount(Components)) : unsigned(pick(1, 4));
    int Lanes = Row ? 1 : length();
    if (Row)
      Elements = chance(30) ? Elements : 1u << pick(0, 5);
    if (!Quad && chance(40))
      Size = Row || Elements > 1 ? unsigned(lsc::D64) : unsigned(pick(lsc::D32, lsc::D16U32H));
    Type *T = Size == lsc::D64 ? B.getInt64Ty() : Size == lsc::D32 && chance(30) ? B.getFloatTy() : B.getInt32Ty();
    T = vectorOf(T, Lanes * int(Elements));
    Type *Offsets = vectorOf(B.getInt32Ty(), Lanes);
    Value *Places = B.CreateAnd(operand(Offsets), ConstantInt::get(Offsets, 1016));
    bool ByAddress = May.Address && chance(50);
    bool Whole = chance(50), Plain = Whole && chance(50);
    Value *On = Whole ? cast<Value>(ConstantInt::getTrue(vectorOf(B.getInt1Ty(), Lanes))) : condition(Lanes);
    auto What = Plain  ? Quad ? lsc::Kind::PlainLoadQuad : lsc::Kind::PlainLoad
                : Quad ? lsc::Kind::LoadQuad
                       : lsc::Kind::Load;
    auto Header = lscHeader(Quad ? lsc::LoadQuadSubop : lsc::LoadSubop, Size, Elements, Row, Components);
    auto Operands = lsc::operandsOf(B, Header, On, ByAddress ? addresses(Places) : Places);
    Operands.push_back(ByAddress ? B.getInt32(0) : In);
    if (!Plain)
      Operands.push_back(operand(T));
    return createOperation(B, lsc::Message::operation(What, ByAddress ? lsc::Space::Stateless : lsc::Space::Bti), T,
                           Operands);
  }

  // Memory by its address

  Value *addresses(Value *Offsets) {
    int Count = countOf(Offsets->getType());
    return B.CreateAdd(B.CreateZExt(Offsets, vectorOf(B.getInt64Ty(), Count)),
                       B.CreateVectorSplat(unsigned(Count), Memory));
  }
  Value *address(Value *Offset) { return B.CreateAdd(Memory, B.CreateZExt(Offset, B.getInt64Ty())); }

  Value *loadByAddress() {
    Type *Element = chance(30) ? B.getInt64Ty() : B.getInt32Ty();
    switch (pick(0, May.Lsc2d ? 2 : 1)) {
    case 0:
      return createOperation(B, Op::SvmBlockRead, vectorOf(B.getInt32Ty(), 4 * pick(1, 12)),
                             {address(B.CreateAnd(B.CreateMul(N, B.getInt32(4)), B.getInt32(508)))});
    case 1: {
      int Count = length();
      Type *T = vectorOf(Element, Count), *Offsets = vectorOf(B.getInt32Ty(), Count);
      Value *Places = B.CreateAnd(operand(Offsets), ConstantInt::get(Offsets, 1016));
      Value *On = chance(50) ? condition(Count) : cast<Value>(ConstantInt::getTrue(vectorOf(B.getInt1Ty(), Count)));
      return createOperation(B, Op::SvmGather, T, {On, B.getInt32(0), addresses(Places), operand(T)});
    }
    default:
      return block2d();
    }
  }

  /// A block of the memory as 8 rows of 128 bytes, parts of which may lie outside.
  Value *block2d() {
    unsigned Size = unsigned(pick(lsc::D8, lsc::D64)), Bytes = 1u << (Size - lsc::D8);
    bool Transposed = Size == lsc::D32 && chance(30), Vnni = Bytes < 4 && chance(30);
    unsigned Width = (Transposed ? 1u << pick(0, 3) : std::max(4 / Bytes, 1u) << pick(0, 3)), Height = 1u << pick(2, 4);
    unsigned Blocks = !Transposed && Bytes < 8 && 2 * Width * Bytes <= 64 && chance(40) ? 2 : 1;
    SmallVector<Value *, 16> Operands{ConstantInt::getTrue(vectorOf(B.getInt1Ty(), 1)),
                                      B.getInt8(lsc::Default),
                                      B.getInt8(lsc::Default),
                                      B.getInt8(uint8_t(Size)),
                                      B.getInt8(Transposed ? lsc::Transpose : lsc::NonTransposed),
                                      B.getInt8(uint8_t(Blocks)),
                                      B.getInt16(uint16_t(Width)),
                                      B.getInt16(uint16_t(Height)),
                                      B.getInt8(Vnni),
                                      Memory,
                                      B.getInt32(127),
                                      B.getInt32(7),
                                      B.getInt32(127),
                                      B.CreateMul(B.CreateAnd(N, B.getInt32(7)), B.getInt32(unsigned(pick(-1, 1)) * 4)),
                                      B.CreateSub(B.CreateAnd(N, B.getInt32(3)), B.getInt32(unsigned(pick(0, 4))))};
    return createOperation(B, Op::LscLoad2d, vectorOf(B.getIntNTy(8 * Bytes), int(Blocks * Width * Height)), Operands);
  }

  /// Stores dwords behind what is stored by address already; false where there is no room.
  bool storeByAddress(Value *V) {
    int Count = countOf(V->getType());
    if (Written + 4 * Count > MemoryBytes)
      return false;
    if (chance(50)) {
      createOperation(B, Op::SvmBlockWrite, B.getVoidTy(), {address(B.getInt32(unsigned(Written))), V});
    } else {
      SmallVector<Constant *, 64> Steps;
      for (int K = 0; K < Count; ++K)
        Steps.push_back(B.getInt32(unsigned(Written + 4 * K)));
      Value *On = chance(50) ? condition(Count) : cast<Value>(ConstantInt::getTrue(vectorOf(B.getInt1Ty(), Count)));
      createOperation(B, Op::SvmScatter, B.getVoidTy(), {On, B.getInt32(0), addresses(ConstantVector::get(Steps)), V});
    }
    Written += int(alignTo(uint64_t(4 * Count), 16));
    return true;
  }

  /// Stores dwords of a number that messages have, from that place in the output on.
  void lscStore(Value *V, unsigned Place) {
    int Count = countOf(V->getType());
    bool Row = isPowerOf2_32(unsigned(Count)) && Count <= 64 && chance(40), Quad = !Row && chance(30);
    int Elements = Row ? Count : 1 << pick(0, 2), Lanes = Count / Elements; // Count is a multiple of 4
    SmallVector<Constant *, 64> Steps;
    for (int K = 0; K < Lanes; ++K)
      Steps.push_back(B.getInt32(Place + unsigned(4 * K * Elements)));
    Value *On = chance(50) ? condition(Lanes) : cast<Value>(ConstantInt::getTrue(vectorOf(B.getInt1Ty(), Lanes)));
    auto Header = lscHeader(Quad ? lsc::StoreQuadSubop : lsc::StoreSubop, lsc::D32, unsigned(Elements), Row,
                            Quad ? (1u << Elements) - 1 : 0);
    auto Operands = lsc::operandsOf(B, Header, On, ConstantVector::get(Steps));
    Operands.append({V, Out});
    auto What = Quad ? lsc::Kind::StoreQuad : lsc::Kind::Store;
    createOperation(B, lsc::Message::operation(What, lsc::Space::Bti), B.getVoidTy(), Operands);
  }

  Value *load() {
    if (May.Address && chance(40))
      return loadByAddress();
    if (May.Lsc && chance(60))
      return lscLoad();
    switch (pick(0, 3)) {
    case 3: { // elements of every size, by their place in bytes
      int Count = length(), Size = pick(0, 3);
      Type *Element = Size == 1 && chance(50) ? B.getHalfTy() : cast<Type>(B.getIntNTy(8u << Size));
      Type *T = vectorOf(Element, Count), *Offsets = vectorOf(B.getInt32Ty(), Count);
      Value *At = B.CreateAnd(operand(Offsets), ConstantInt::get(Offsets, 1023 & ~((1 << Size) - 1)));
      Value *On = chance(50) ? condition(Count) : cast<Value>(ConstantInt::getTrue(vectorOf(B.getInt1Ty(), Count)));
      Value *V = createOperation(B, Op::Gather, T,
                                 {On, B.getInt32(unsigned(Size)), B.getInt16(0), In, B.getInt32(0), At, constant(T)});
      // bits of any half are no number to calculate with
      return Element->isHalfTy() ? B.CreateBitCast(V, vectorOf(B.getInt16Ty(), Count)) : V;
    }
    case 0:
      return createOperation(B, Op::OwordRead, vectorOf(B.getInt32Ty(), 4 * pick(1, 12)),
                             {B.getInt32(0), In, B.CreateAnd(N, B.getInt32(15))});
    case 1: {
      int Count = length();
      Type *T = vectorOf(B.getInt32Ty(), Count), *P = vectorOf(B.getInt1Ty(), Count);
      Value *At = B.CreateAnd(operand(T), ConstantInt::get(T, 255));
      Value *On = chance(50) ? condition(Count) : cast<Value>(Constant::getAllOnesValue(P));
      return createOperation(B, Op::Gather, T,
                             {On, B.getInt32(2), B.getInt16(uint16_t(chance(50) ? 2 : 0)), In, B.getInt32(0),
                              B.CreateAnd(At, ConstantInt::get(T, 252)), Constant::getNullValue(T)});
    }
    default:
      return createOperation(B, Op::OwordReadUnaligned, vectorOf(B.getInt32Ty(), 16),
                             {B.getInt32(0), In, B.CreateAnd(B.CreateMul(N, B.getInt32(4)), B.getInt32(60))});
    }
  }

  /// Whole dwords of a value, behind what is stored already.
  void store(Value *V) {
    if (V->getType()->getScalarType()->isFloatingPointTy()) // bits of what is not a number differ
      V = B.CreateIntrinsic(vectorOf(B.getInt32Ty(), countOf(V->getType())), Intrinsic::fptosi_sat, {V});
    int Count = countOf(V->getType());
    V = B.CreateZExtOrTrunc(V, vectorOf(B.getInt32Ty(), Count));
    int Padded = int(alignTo(uint64_t(Count), 4));
    if (16 * Stored + 4 * Padded > OutputBytes)
      return;
    SmallVector<int, 80> Mask;
    for (int K = 0; K < Padded; ++K)
      Mask.push_back(std::min(K, Count - 1));
    V = B.CreateShuffleVector(V, Mask);
    if (May.Address && chance(30) && storeByAddress(V))
      return;
    if (May.Lsc && chance(60))
      lscStore(V, unsigned(16 * Stored));
    else
      createOperation(B, Op::OwordWrite, B.getVoidTy(), {Out, B.getInt32(unsigned(Stored)), V});
    Stored += Padded / 4;
  }

  void statements(int Count, int Depth) {
    for (; Count > 0; --Count) {
      int Kind = pick(1, 100);
      if (Kind <= 55)
        keep(arithmetic());
      else if (Kind <= 85)
        keep(shape());
      else if (Kind <= 92)
        keep(load());
      else if (Depth < 2)
        chance(50) ? branch(Depth) : loop(Depth);
    }
  }

  BasicBlock *block() { return BasicBlock::Create(Context, "", B.GetInsertBlock()->getParent()); }

  void branch(int Depth) {
    std::vector<Value *> Before = Pool;
    Value *Condition =
        B.CreateICmpSLT(B.CreateAnd(N, B.getInt32(unsigned(pick(1, 15)))), B.getInt32(unsigned(pick(0, 8))));
    if (chance(50)) { // any or all channels of a few
      Value *P = condition(1 << pick(1, 5));
      Condition = chance(70) ? B.CreateOrReduce(P) : B.CreateAndReduce(P);
    }
    BasicBlock *From = B.GetInsertBlock(), *Then = block(), *After = block();
    Value *Old = any();
    B.CreateCondBr(Condition, Then, After);
    B.SetInsertPoint(Then);
    statements(pick(1, 4), Depth + 1);
    Value *New = operand(Old->getType());
    BasicBlock *End = B.GetInsertBlock();
    B.CreateBr(After);
    B.SetInsertPoint(After);
    PHINode *Phi = B.CreatePHI(Old->getType(), 2);
    Phi->addIncoming(Old, From);
    Phi->addIncoming(New, End);
    Pool = std::move(Before);
    keep(Phi);
  }

  void loop(int Depth) {
    std::vector<Value *> Before = Pool;
    Value *X0 = any(), *Y0 = operand(X0->getType());
    BasicBlock *From = B.GetInsertBlock(), *Body = block(), *After = block();
    B.CreateBr(Body);
    B.SetInsertPoint(Body);
    PHINode *I = B.CreatePHI(B.getInt32Ty(), 2), *X = B.CreatePHI(X0->getType(), 2), *Y = B.CreatePHI(X0->getType(), 2);
    keep(X);
    keep(Y);
    statements(pick(1, 4), Depth + 1);
    Value *Next = B.CreateAdd(I, B.getInt32(1));
    Value *NewX = chance(40) ? cast<Value>(Y) : operand(X0->getType()),
          *NewY = chance(40) ? cast<Value>(X) : operand(X0->getType());
    BasicBlock *End = B.GetInsertBlock();
    B.CreateCondBr(B.CreateICmpULT(Next, B.getInt32(unsigned(pick(1, 3)))), Body, After);
    I->addIncoming(B.getInt32(0), From);
    I->addIncoming(Next, End);
    X->addIncoming(X0, From);
    X->addIncoming(NewX, End);
    Y->addIncoming(Y0, From);
    Y->addIncoming(NewY, End);
    B.SetInsertPoint(After);
    Pool = std::move(Before);
    keep(X);
    keep(Y);
  }

public:
  Generator(LLVMContext &Context, unsigned Seed, const Uses &May)
      : Random(Seed), Context(Context), B(Context), May(May) {}

  std::unique_ptr<Module> module() {
    auto M = std::make_unique<Module>("fuzz", Context);
    M->setTargetTriple(Triple("spir64-unknown-unknown"));
    M->setDataLayout("e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1");
    Type *Floats = vectorOf(B.getFloatTy(), 32), *Ints = vectorOf(B.getInt32Ty(), 16);
    auto *T = FunctionType::get(B.getVoidTy(),
                                {B.getInt32Ty(), B.getInt32Ty(), B.getInt32Ty(), Floats, Ints, B.getInt64Ty()}, false);
    Function *F = Function::Create(T, Function::ExternalLinkage, "k", *M);
    F->addFnAttr("CMGenxMain");
    F->setCallingConv(CallingConv::SPIR_FUNC);
    In = F->getArg(0);
    Out = F->getArg(1);
    N = F->getArg(2);
    Pool = {F->getArg(3), F->getArg(4)};
    Memory = F->getArg(5);
    B.SetInsertPoint(BasicBlock::Create(Context, "entry", F));
    statements(pick(4, 20), 0);
    for (Value *V : Pool)
      store(V);
    B.CreateRetVoid();
    setKernels(*M, {{F,
                     "k",
                     {{ParameterKind::Surface, "SurfaceIndex", 1},
                      {ParameterKind::Surface, "SurfaceIndex", 1},
                      {ParameterKind::General, "int", 1},
                      {ParameterKind::General, "float", 32},
                      {ParameterKind::General, "int", 16},
                      {ParameterKind::General, "svmptr_t", 1}}}});
    return M;
  }
};

} // namespace pocm::fuzz
