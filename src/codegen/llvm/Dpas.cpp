//===- Dpas.cpp - Systolic matrix products as vector arithmetic --------------------------===//
//
//     %d = dpas2(%c, %b, %a, precision b, precision a, depth 8, rows, ...)
//  -> for each row r, for each k:   acc(r) += splat(a[r][k]) * b[k]      k = 0 .. 8 * ops - 1
//     integers on x86, k and k + 1 as the words of a dword:  acc(r) += pmaddwd(splat(a[r][k, k + 1]), b[k, k + 1])
//     bytes, where the CPU adds four products:               acc(r) = vpdpbusd(acc(r), b[k .. k + 3], splat(a[r][k .. k
//     + 3])); elements of 4 bits become bytes first
//     bfloat16, where the CPU adds two:                      acc(r) = vdpbf16ps(acc(r), splat(a[r][k, k + 1]), b[k, k +
//     1])
//
// That instruction takes bytes without a sign and bytes with one. Where both have a sign or none, 128 is added to or
// taken from those of b (their highest bits change), and 128 times the sum of a's row taken from or added to acc(r):
// one sum for all columns, which a CPU's loop takes away when it ends (codegen/cpu/LateDifferences.cpp); elements of a
// still come from memory. Products by the same a are found together, so that an element of a is in a register for all
// of them.
//
// b holds, for each of N columns, K elements packed into dwords, lowest k in the low bits,
// dword j of all columns together. a holds its rows one after another, packed. Integers
// wrap at 32 bits; floats are multiplied and added in float, in the order of k, whether in one operation or in two:
// products of elements of 19 bits and less are exact, but for those that no float is large or small enough for. Of two
// bfloat16 in a dword the second comes first, as that instruction has it.
// (Language reference, chapter 9.)
//
// Needs:    nothing.
// Leaves:   products and sums of whole columns, splats of elements of a.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace pocm {
namespace {

/// CM_PRECISION_*: what an element is.
struct Precision {
  unsigned Number, Bits;
  bool Signed, Float;
};
constexpr Precision Precisions[] = {{2, 2, false, false}, {3, 2, true, false},  {4, 4, false, false},
                                    {5, 4, true, false},  {6, 8, false, false}, {7, 8, true, false},
                                    {8, 16, true, true},  {9, 16, true, true},  {11, 32, true, true},
                                    {12, 8, true, true},  {13, 8, true, true},  {14, 4, true, true}};
using namespace precision;

const Precision *precisionOf(Value *Number) {
  auto *C = dyn_cast<ConstantInt>(Number);
  for (const Precision &P : Precisions)
    if (C && C->getZExtValue() == P.Number)
      return &P;
  return nullptr;
}

class Product {
public:
  Product(CallInst &Call, const Precision &PB, const Precision &PA, DpasFeatures Has)
      : Call(Call), B(&Call), PB(PB), PA(PA), Rows(number(Role::Rows)), Lanes(unsigned(countOf(Call.getType())) / Rows),
        Ops(std::min({32 / PA.Bits, 32 / PB.Bits, 8u})), Depth(number(Role::Depth)), Has(Has) {}

  /// Products by one A, which come behind all that they take: each element of A is taken for all of them at once.
  static void expandTogether(MutableArrayRef<std::unique_ptr<Product>> All) {
    for (auto &P : All)
      P->begin();
    if (All[0]->canAddFours() || All[0]->canAddBfloats())
      addDwords(All);
    else
      addSingly(All);
    for (auto &P : All)
      P->replace(P->joined(P->Sums));
  }

  /// Replaces the operation by products of pairs.
  void expand() {
    begin();
    SmallVector<Value *, 64> Columns;
    for (unsigned K = 0; K < Depth * Ops; ++K)
      Columns.push_back(column(K));
    addPairs(Columns, elementsOfDwords(operandOf(Call, Role::MatrixA)));
    replace(joined(Sums));
  }

  bool canAddFours() const {
    const bool AreBytes = !PB.Float && PA.Bits <= 8 && PB.Bits <= 8 && PA.Bits >= 4 && PB.Bits >= 4;
    return Has.Fours && AreBytes && isPowerOf2_32(Depth) && Depth >= LeastLanes && Lanes >= LeastLanes;
  }
  bool canAddPairs() const { return !PB.Float && Has.PairBits; }
  bool canAddBfloats() const {
    return Has.Bfloats && PA.Number == Bf && PB.Number == Bf && isPowerOf2_32(Lanes) && Lanes >= LeastLanes;
  }

  /// Whether it takes the elements of A that the other one does.
  bool sharesRows(const Product &Other) const {
    return operandOf(Call, Role::MatrixA) == operandOf(Other.Call, Role::MatrixA) && &PA == &Other.PA &&
           &PB == &Other.PB && Rows == Other.Rows && Lanes == Other.Lanes && Depth == Other.Depth;
  }
  CallInst &call() const { return Call; }
  /// Of `Count` of its like that follow each other, how many are found together. Sums that all fit into registers stay
  /// there, around a loop, too. Those of more go to memory and back anyway: half of the registers is best then,
  /// and an element of A that is loaded again costs less than sums that leave their registers in between.
  unsigned mostTogether(unsigned Count) const {
    const unsigned Register = Has.PairBits ? Has.PairBits / 32 : LeastLanes; // of other CPUs: 128 bits
    const unsigned Each = Rows * divideCeil(Lanes, std::min(Lanes, Register));
    return Count * Each <= Has.Registers ? Count : std::max(Has.Registers / 2 / Each, 1U);
  }
  void insertBefore(Instruction &Where) { B.SetInsertPoint(&Where); }

private:
  /// The accumulator's rows.
  void begin() {
    Value *All = converted(operandOf(Call, Role::Accumulator), PB.Float ? B.getFloatTy() : B.getInt32Ty());
    for (unsigned R = 0; R < Rows; ++R) {
      SmallVector<int, 16> Part;
      for (unsigned N = 0; N < Lanes; ++N)
        Part.push_back(int(R * Lanes + N));
      Sums.push_back(B.CreateShuffleVector(All, Part));
    }
  }
  void replace(Value *Result) {
    Call.replaceAllUsesWith(converted(Result, Call.getType()->getScalarType()));
    Call.eraseFromParent();
  }

  /// b[k] of all columns.
  Value *column(unsigned K) { return decoded(dwordOfB(K * PB.Bits / 32), PB, K * PB.Bits % 32); }
  /// The elements of A at each place of a dword, of all of these dwords.
  SmallVector<Value *, 16> elementsOfDwords(Value *Dwords) {
    SmallVector<Value *, 16> OfDwords;
    for (unsigned Bit = 0; Bit < 32; Bit += PA.Bits)
      OfDwords.push_back(decoded(Dwords, PA, Bit));
    return OfDwords;
  }
  /// Dwords of A. As a region, so that rows of a block stay apart.
  Value *dwordsOfA(unsigned First, unsigned Number) {
    return RegionRead::create(B, FixedVectorType::get(B.getInt32Ty(), Number), operandOf(Call, Role::MatrixA),
                              contiguous(Number, First));
  }

  /// Of products that share A.
  static void addSingly(MutableArrayRef<std::unique_ptr<Product>> All) {
    Product &One = *All[0];
    const unsigned K = One.Depth * One.Ops, RowBits = K * One.PA.Bits;
    const unsigned Step = RowBits % 32 == 0 ? 1 : One.Rows; // rows that are whole dwords
    SmallVector<SmallVector<Value *, 16>, 8> OfRows;
    for (unsigned R = 0; R < One.Rows; R += Step)
      OfRows.push_back(One.elementsOfDwords(One.dwordsOfA(R * RowBits / 32, unsigned(divideCeil(Step * RowBits, 32)))));
    const unsigned Turned = One.PA.Number == Bf && One.PB.Number == Bf; // of a dword the second first
    for (unsigned N = 0; N < K; ++N) {
      const unsigned I = N ^ Turned;
      SmallVector<Value *, 4> Columns;
      for (auto &P : All)
        Columns.push_back(P->column(I));
      for (unsigned R = 0; R < One.Rows; ++R) { // which do not wait for each other
        const unsigned At = R % Step * RowBits + I * One.PA.Bits;
        Value *A = One.splat(OfRows[R / Step][At % 32 / One.PA.Bits], At / 32, One.Lanes);
        for (auto [P, OfB] : zip_equal(All, Columns))
          P->addSingle(R, A, OfB);
      }
    }
  }
  void addSingle(unsigned R, Value *OfA, Value *OfB) {
    if (PB.Float && Has.Fused)
      Sums[R] = B.CreateIntrinsic(Intrinsic::fma, {OfA->getType()}, {OfA, OfB, Sums[R]});
    else
      Sums[R] = PB.Float ? B.CreateFAdd(Sums[R], B.CreateFMul(OfA, OfB)) : B.CreateAdd(Sums[R], B.CreateMul(OfA, OfB));
  }

  /// Elements k and k' as the words of a dword: those of B in columns, those of A in all its dwords.
  struct Pairs {
    Value *OfB;
    Value *OfA;
    unsigned Dword; ///< Where those of A stand in a row.
  };

  /// Neighbours, of integers of 8 bits at most.
  Value *together(Value *Low, Value *High) {
    auto Number = [&](unsigned N) { return ConstantInt::get(Low->getType(), N); };
    return B.CreateOr(B.CreateAnd(Low, Number(0xffff)), B.CreateShl(High, Number(16)));
  }

  /// The integers at bits `At` and `At` + 16 of every dword.
  Value *apart(Value *Dwords, const Precision &P, unsigned At) {
    Value *Words = words(Dwords);
    auto Number = [&](unsigned N) { return ConstantInt::get(Words->getType(), N); };
    Words = B.CreateShl(Words, Number(16 - P.Bits - At));
    Words = P.Signed ? B.CreateAShr(Words, Number(16 - P.Bits)) : B.CreateLShr(Words, Number(16 - P.Bits));
    return B.CreateBitCast(Words, Dwords->getType());
  }

  /// Elements that are 16 bits apart take less to find, but must be so in A and B.
  SmallVector<Pairs, 32> allPairs(ArrayRef<Value *> Columns, ArrayRef<Value *> OfDwords) {
    SmallVector<Pairs, 32> All;
    unsigned K = unsigned(Columns.size());
    if (PA.Bits == PB.Bits) {
      SmallVector<Value *, 8> OfA;
      for (unsigned At = 0; At < 16; At += PA.Bits)
        OfA.push_back(apart(operandOf(Call, Role::MatrixA), PA, At));
      for (unsigned Dword = 0; Dword < K * PB.Bits / 32; ++Dword)
        for (unsigned N = 0; N < OfA.size(); ++N)
          All.push_back({apart(dwordOfB(Dword), PB, N * PB.Bits), OfA[N], Dword});
      return All;
    }
    SmallVector<Value *, 8> OfA;
    for (unsigned N = 0; N < OfDwords.size(); N += 2)
      OfA.push_back(together(OfDwords[N], OfDwords[N + 1]));
    for (unsigned I = 0; I < K; I += 2)
      All.push_back({together(Columns[I], Columns[I + 1]), OfA[I * PA.Bits % 32 / (2 * PA.Bits)], I * PA.Bits / 32});
    return All;
  }

  void addPairs(ArrayRef<Value *> Columns, ArrayRef<Value *> OfDwords) {
    unsigned Register = std::min(Lanes, Has.PairBits / 32), OfRow = unsigned(Columns.size()) * PA.Bits / 32;
    Intrinsic::ID Id = Register == 16  ? Intrinsic::x86_avx512_pmaddw_d_512
                       : Register == 8 ? Intrinsic::x86_avx2_pmadd_wd
                                       : Intrinsic::x86_sse2_pmadd_wd;
    for (const Pairs &P : allPairs(Columns, OfDwords))
      for (unsigned Start = 0; Start < Lanes; Start += Register) {
        Value *Right = words(part(P.OfB, Start, Register));
        for (unsigned R = 0; R < Rows; ++R) { // which do not wait for each other
          Value *Left = words(splat(P.OfA, R * OfRow + P.Dword, Register));
          Value *Sum = B.CreateAdd(part(Sums[R], Start, Register), B.CreateIntrinsic(Id, {}, {Left, Right}));
          Sums[R] = Register == Lanes
                        ? Sum
                        : RegionWrite::create(B, Sums[R], Sum, Region::contiguous(int(Register), int(Start)));
        }
      }
  }

  /// Adds products of four bytes to dwords, of a whole register.
  Value *fours(Value *Sums, Value *Unsigned, Value *Signed) {
    unsigned Count = unsigned(countOf(Sums->getType()));
    Intrinsic::ID Id = Count == 16  ? Intrinsic::x86_avx512_vpdpbusd_512
                       : Count == 8 ? Intrinsic::x86_avx512_vpdpbusd_256
                                    : Intrinsic::x86_avx512_vpdpbusd_128;
    Function *Four = Intrinsic::getOrInsertDeclaration(Call.getModule(), Id);
    Type *Bytes = Four->getFunctionType()->getParamType(1);
    return B.CreateCall(Four, {Sums, B.CreateBitCast(Unsigned, Bytes), B.CreateBitCast(Signed, Bytes)});
  }

  static constexpr unsigned LeastLanes = 4;        ///< For products of fours and twos.
  static constexpr uint32_t SignBits = 0x80808080; ///< Of the bytes of a dword.

  /// Of a row of A, and a column of B, as they are multiplied.
  unsigned dwordsOfRow() const { return PB.Float ? Depth * Ops / 2 : Depth * Ops / 4; }
  /// Integers of 4 bits at even or odd places of dwords, as bytes.
  Value *halfOf(Value *Dwords, const Precision &P, bool Odd) {
    auto Number = [&](Value *Like, unsigned N) { return ConstantInt::get(Like->getType(), N); };
    Value *Half = B.CreateAnd(Odd ? B.CreateLShr(Dwords, Number(Dwords, 4)) : Dwords, Number(Dwords, 0x0f0f0f0f));
    if (!P.Signed)
      return Half;
    Value *Bytes = bytes(Half), *Sign = Number(Bytes, 8);
    return B.CreateBitCast(B.CreateSub(B.CreateXor(Bytes, Sign), Sign), Dwords->getType());
  }
  /// Four elements of each column of B as bytes; of 4 bits, those at even places of a dword and then those at odd ones.
  Value *bytesOfB(unsigned Number) {
    return PB.Bits == 8 ? dwordOfB(Number) : halfOf(dwordOfB(Number / 2), PB, Number % 2);
  }
  /// Rows of A as they are multiplied, bytes in the order of B's.
  Value *rowsOfA() {
    Value *All = operandOf(Call, Role::MatrixA);
    if (PB.Float)
      return All;
    const auto Dwords = unsigned(countOf(All->getType()));
    SmallVector<int, 256> Order;
    if (PA.Bits == 4) {
      Value *Even = halfOf(All, PA, false), *Odd = halfOf(All, PA, true);
      if (PB.Bits == 8) // in their own
        Even = bytes(Even), Odd = bytes(Odd);
      const int Count = countOf(Even->getType());
      for (int N = 0; N < Count; ++N)
        Order.append({N, Count + N});
      All = B.CreateShuffleVector(Even, Odd, Order);
    } else if (PB.Bits == 4) {
      for (int N = 0; N < int(4 * Dwords); N += 8)
        Order.append({N, N + 2, N + 4, N + 6, N + 1, N + 3, N + 5, N + 7});
      All = B.CreateShuffleVector(bytes(All), Order);
    }
    return B.CreateBitCast(All, FixedVectorType::get(B.getInt32Ty(), Rows * dwordsOfRow()));
  }

  /// A dword of each column of B, as it is multiplied.
  Value *columnDword(unsigned Number) {
    if (PB.Float)
      return dwordOfB(Number);
    return alike() ? changed(bytesOfB(Number)) : bytesOfB(Number);
  }

  /// Of products that share A: an element of it is in a register for all of them, and no longer.
  static void addDwords(MutableArrayRef<std::unique_ptr<Product>> All) {
    Product &One = *All[0];
    const unsigned Register = std::min(One.Lanes, One.Has.PairBits / 32);
    Value *Rows = One.rowsOfA();
    for (unsigned Dword = 0; Dword < One.dwordsOfRow(); ++Dword) {
      SmallVector<Value *, 4> Columns;
      for (auto &P : All)
        Columns.push_back(P->columnDword(Dword));
      for (unsigned R = 0; R < One.Rows; ++R) // which do not wait for each other
        for (unsigned Start = 0; Start < One.Lanes; Start += Register) {
          Value *OfA = One.dwordOf(Rows, R * One.dwordsOfRow() + Dword, Register);
          for (auto [P, OfB] : zip_equal(All, Columns))
            P->addDword(R, OfA, P->part(OfB, Start, Register), Start);
        }
    }
    if (!One.PB.Float && One.alike())
      for (unsigned R = 0; R < One.Rows; ++R) {
        Value *TooMuch = One.splat(One.changeOfRow(Rows, R), 0, Register);
        for (auto &P : All)
          P->takeAway(R, TooMuch);
      }
  }
  bool alike() const { return PA.Signed == PB.Signed; }
  Value *changed(Value *Dwords) { return B.CreateXor(Dwords, ConstantInt::get(Dwords->getType(), SignBits)); }
  /// What the change of B's signs adds to a row's sums, in the first lane.
  Value *changeOfRow(Value *Rows, unsigned R) {
    const unsigned Count = std::min(dwordsOfRow(), Has.PairBits / 32);
    Type *T = FixedVectorType::get(B.getInt32Ty(), Count);
    Value *Sum = Constant::getNullValue(T), *Added = ConstantInt::get(T, SignBits);
    for (unsigned First = 0; First < dwordsOfRow(); First += Count) {
      Value *Row = RegionRead::create(B, T, Rows, contiguous(Count, R * dwordsOfRow() + First));
      Sum = PA.Signed ? fours(Sum, Added, Row) : fours(Sum, Row, Added);
    }
    for (unsigned Half = Count / 2; Half; Half /= 2) {
      SmallVector<int, 16> Other;
      for (unsigned N = 0; N < Count; ++N)
        Other.push_back(int((N + Half) % Count));
      Sum = B.CreateAdd(Sum, B.CreateShuffleVector(Sum, Other));
    }
    return Sum;
  }
  void takeAway(unsigned R, Value *TooMuch) {
    const auto Register = unsigned(countOf(TooMuch->getType()));
    for (unsigned Start = 0; Start < Lanes; Start += Register)
      set(R, Start, B.CreateSub(part(Sums[R], Start, Register), TooMuch));
  }
  void addDword(unsigned R, Value *OfA, Value *OfB, unsigned Start) {
    Value *Before = part(Sums[R], Start, unsigned(countOf(OfB->getType())));
    set(R, Start,
        PB.Float    ? addTwos(B, Before, OfA, OfB)
        : PA.Signed ? fours(Before, OfB, OfA)
                    : fours(Before, OfA, OfB));
  }
  /// A register of a sum, from a column on.
  void set(unsigned R, unsigned Start, Value *Part) {
    const auto Register = unsigned(countOf(Part->getType()));
    Sums[R] = Register == Lanes ? Part : RegionWrite::create(B, Sums[R], Part, contiguous(Register, Start));
  }

  static Region contiguous(unsigned Count, unsigned Start) { return Region::contiguous(int(Count), int(Start)); }

  /// A dword of A's rows in all lanes. As a region, so that it comes from memory where a block stays there.
  Value *dwordOf(Value *Rows, unsigned Number, unsigned Count) {
    Type *One = FixedVectorType::get(B.getInt32Ty(), 1);
    return splat(RegionRead::create(B, One, Rows, contiguous(1, Number)), 0, Count);
  }

  /// The dword of all columns.
  Value *dwordOfB(unsigned Number) {
    SmallVector<int, 16> Which;
    for (unsigned N = 0; N < Lanes; ++N)
      Which.push_back(int(Number * Lanes + N));
    return B.CreateShuffleVector(operandOf(Call, Role::MatrixB), Which);
  }

  Value *splat(Value *V, unsigned Element, unsigned Count) {
    return B.CreateShuffleVector(V, SmallVector<int, 16>(Count, int(Element)));
  }
  Value *part(Value *V, unsigned Start, unsigned Count) {
    if (Count == Lanes)
      return V;
    SmallVector<int, 16> Which;
    for (unsigned N = 0; N < Count; ++N)
      Which.push_back(int(Start + N));
    return B.CreateShuffleVector(V, Which);
  }
  Value *bytes(Value *Dwords) {
    return B.CreateBitCast(Dwords, FixedVectorType::get(B.getInt8Ty(), 4 * unsigned(countOf(Dwords->getType()))));
  }
  Value *words(Value *Dwords) {
    return B.CreateBitCast(
        Dwords, FixedVectorType::get(B.getInt16Ty(), 2 * cast<FixedVectorType>(Dwords->getType())->getNumElements()));
  }

  unsigned number(Role What) { return unsigned(cast<ConstantInt>(operandOf(Call, What))->getZExtValue()); }

  Value *joined(ArrayRef<Value *> Parts) {
    Type *T = FixedVectorType::get(Parts[0]->getType()->getScalarType(), Rows * Lanes);
    Value *Whole = PoisonValue::get(T);
    for (unsigned R = 0; R < Rows; ++R)
      Whole = RegionWrite::create(B, Whole, Parts[R], Region::contiguous(int(Lanes), int(R * Lanes)));
    return Whole;
  }

  Value *converted(Value *V, Type *Element) {
    Type *T = FixedVectorType::get(Element, unsigned(countOf(V->getType())));
    return V->getType() == T ? V : B.CreateFPCast(V, T);
  }

  /// A vector type of as many elements.
  static Type *likewise(Type *Element, Type *Vector) {
    return FixedVectorType::get(Element, cast<FixedVectorType>(Vector)->getNumElements());
  }

  /// The element at bit `At` of every dword, as float or i32.
  Value *decoded(Value *Dwords, const Precision &P, unsigned At) {
    Type *T = Dwords->getType(), *F = likewise(B.getFloatTy(), T);
    auto Number = [&](unsigned N) { return ConstantInt::get(T, N); };
    if (!P.Float) {
      Value *Up = B.CreateShl(Dwords, Number(32 - P.Bits - At));
      return P.Signed ? B.CreateAShr(Up, Number(32 - P.Bits)) : B.CreateLShr(Up, Number(32 - P.Bits));
    }
    Value *Code = B.CreateLShr(Dwords, Number(At));
    switch (P.Number) {
    case Bf:
      return B.CreateBitCast(B.CreateShl(Code, Number(16)), F);
    case Tf32:
      return B.CreateBitCast(B.CreateAnd(Code, Number(~0x1FFFu)), F);
    case Hf:
      return fromHalf(B.CreateTrunc(Code, likewise(B.getInt16Ty(), T)));
    case Bf8:
      return fromHalf(B.CreateTrunc(B.CreateShl(Code, Number(8)), likewise(B.getInt16Ty(), T)));
    case Hf8:
      return fromE4M3(Code);
    default:
      return fromE2M1(Code);
    }
  }

  Value *fromHalf(Value *Bits) {
    Value *Half = B.CreateBitCast(Bits, likewise(B.getHalfTy(), Bits->getType()));
    return B.CreateFPExt(Half, likewise(B.getFloatTy(), Bits->getType()));
  }

  Value *signedBy(Value *Magnitude, Value *Code, unsigned SignBit) {
    Type *T = Code->getType();
    Value *Negative = B.CreateICmpNE(B.CreateAnd(Code, ConstantInt::get(T, 1u << SignBit)), Constant::getNullValue(T));
    return B.CreateSelect(Negative, B.CreateFNeg(Magnitude), Magnitude);
  }

  Value *fromE4M3(Value *Code) {
    Type *T = Code->getType(), *F = likewise(B.getFloatTy(), T);
    auto Number = [&](unsigned N) { return ConstantInt::get(T, N); };
    Value *Magnitude = B.CreateAnd(Code, Number(0x7F));
    // Exponent 1 of the format is 2^-6; below it the unit is 2^-9.
    Value *Normal = B.CreateBitCast(B.CreateAdd(B.CreateShl(Magnitude, Number(20)), Number(120u << 23)), F);
    Value *Small = B.CreateFMul(B.CreateUIToFP(Magnitude, F), ConstantFP::get(F, 0x1p-9));
    Value *X = B.CreateSelect(B.CreateICmpULT(Magnitude, Number(8)), Small, Normal);
    X = B.CreateSelect(B.CreateICmpEQ(Magnitude, Number(0x7F)), ConstantFP::getNaN(F), X);
    return signedBy(X, Code, 7);
  }

  Value *fromE2M1(Value *Code) {
    Type *T = Code->getType(), *F = likewise(B.getFloatTy(), T);
    auto Number = [&](unsigned N) { return ConstantInt::get(T, N); };
    Value *Magnitude = B.CreateAnd(Code, Number(7));
    Value *Low = B.CreateFMul(B.CreateUIToFP(Magnitude, F), ConstantFP::get(F, 0.5));
    Value *High = B.CreateAdd(B.CreateAnd(Magnitude, Number(1)), Number(2)); // 2, 3, then 4, 6
    High = B.CreateShl(High, B.CreateLShr(B.CreateAnd(Magnitude, Number(2)), Number(1)));
    Value *X = B.CreateSelect(B.CreateICmpULT(Magnitude, Number(4)), Low, B.CreateUIToFP(High, F));
    return signedBy(X, Code, 3);
  }

  CallInst &Call;
  IRBuilder<> B;
  const Precision &PB, &PA;
  unsigned Rows, Lanes, Ops, Depth;
  DpasFeatures Has;
  SmallVector<Value *, 8> Sums; ///< Of rows.
};

using Products = SmallVector<std::unique_ptr<Product>, 4>;

/// Products that follow each other in a block and take the same A.
void expandTogether(Products Waiting) {
  auto alike = [](const auto &P, const auto &Other) {
    return P->call().getParent() == Other->call().getParent() && P->sharesRows(*Other);
  };
  auto End = Waiting.begin(); // of those that are alike
  unsigned Most = 1;
  for (auto Begin = Waiting.begin(); Begin != Waiting.end();) {
    if (Begin == End) {
      End = std::find_if_not(Begin + 1, Waiting.end(), [&](const auto &P) { return alike(P, *Begin); });
      Most = (*Begin)->mostTogether(unsigned(End - Begin));
    }
    Products Group;
    Group.push_back(std::move(*Begin++));
    while (Begin != End && Group.size() < Most) {
      Group.push_back(std::move(*Begin++));
      SmallVector<CallInst *, 8> Calls(map_range(Group, [](const auto &P) { return &P->call(); }));
      if (!moveUsersBehind(Calls)) {
        *--Begin = Group.pop_back_val();
        break;
      }
    }
    Instruction *Behind = Group.back()->call().getNextNode();
    for (auto &P : Group)
      P->insertBefore(*Behind);
    Product::expandTogether(Group);
  }
}

} // namespace

Value *addTwos(IRBuilderBase &B, Value *Sums, Value *OfA, Value *OfB) {
  const auto Count = unsigned(countOf(Sums->getType()));
  const Intrinsic::ID Id = Count == 16  ? Intrinsic::x86_avx512bf16_dpbf16ps_512
                           : Count == 8 ? Intrinsic::x86_avx512bf16_dpbf16ps_256
                                        : Intrinsic::x86_avx512bf16_dpbf16ps_128;
  Type *Twos = FixedVectorType::get(B.getBFloatTy(), 2 * Count);
  return B.CreateIntrinsic(Id, {}, {Sums, B.CreateBitCast(OfA, Twos), B.CreateBitCast(OfB, Twos)});
}

bool moveUsersBehind(ArrayRef<CallInst *> Calls) {
  Instruction *Last = Calls.back();
  SmallPtrSet<Value *, 16> Users;
  SmallVector<Instruction *, 16> Moved;
  for (Instruction *I = Calls.front(); I != Last; I = I->getNextNode()) {
    const bool IsCall = is_contained(Calls, I);
    const bool Uses = any_of(I->operands(), [&](const Use &U) { return Users.contains(U); });
    if (IsCall || Uses)
      Users.insert(I);
    if (!Uses)
      continue;
    if (IsCall || I->mayHaveSideEffects() || I->mayReadFromMemory())
      return false;
    Moved.push_back(I);
  }
  if (any_of(Last->operands(), [&](const Use &U) { return Users.contains(U); }))
    return false;
  for (Instruction *I : reverse(Moved))
    I->moveAfter(Last);
  return true;
}

bool expandDpas(Function &F, DpasFeatures Has) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (CallInst *Call = asOperation(&I, Op::Dpas))
      Calls.push_back(Call);
  Products Together;
  for (CallInst *Call : Calls) {
    const Precision *PB = precisionOf(operandOf(*Call, Role::PrecisionB)),
                    *PA = precisionOf(operandOf(*Call, Role::PrecisionA));
    if (!PB || !PA)
      continue; // not from our headers; reported as not supported later
    auto P = std::make_unique<Product>(*Call, *PB, *PA, Has);
    if (P->canAddPairs() && !P->canAddFours())
      P->expand();
    else
      Together.push_back(std::move(P));
  }
  expandTogether(std::move(Together));
  return !Calls.empty();
}

} // namespace pocm
