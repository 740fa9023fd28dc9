//===- SystolicFunction.cpp - Functions that kernels call for systolic products ------------------===//
//
// Columns of a whole register are multiplied by elements of A from
// memory; those of half a register go in pairs of rows, so that a multiply-add fills the register:
//
//     sums(r, r + 1) += splat(a[r][k], a[r + 1][k]) * (b[k][0], b[k][0], b[k][1], b[k][1], ...)
//
// Columns of two matrices B beside each other fill one, too. Where the CPU adds products of two bfloat16, elements are
// dwords of two, and nothing is widened. Each sum is that of codegen/llvm/Dpas.cpp, in the same order.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/SystolicFunction.h"
#include "codegen/llvm/Lowering.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned Depth = 8; // of a matrix, in dwords

std::string nameOf(const SystolicShape &S, const SystolicGrid &G) {
  return ("pocm.systolic." + Twine(S.Half ? "f16." : "bf16.") + Twine(S.Rows) + "x" + Twine(S.Lanes) + "." +
          Twine(G.Rows) + "x" + Twine(G.Columns))
      .str();
}

/// Where sums are while they are computed.
struct Form {
  unsigned Span;     ///< Matrices B whose columns are in one register.
  unsigned Pair;     ///< Rows whose sums are in one register.
  unsigned Together; ///< Rows whose sums are in registers at a time, which they fill half of.

  Form(const SystolicShape &S, const SystolicGrid &G, const VectorRegisters &Has)
      : Span(G.Columns * S.Lanes <= Has.Lanes ? G.Columns : 1),
        Pair(2 * Span * S.Lanes == Has.Lanes && S.Rows > 1 ? 2 : 1) {
    const unsigned OfRows = G.Columns / Span * unsigned(divideCeil(Span * S.Lanes, Has.Lanes)); // registers
    Together = std::max(1U, unsigned(bit_floor(Has.Number / 2 / OfRows))) * Pair;
  }
};

/// A function in the making.
class Systolic {
public:
  /// Compiled as `Like` is.
  Systolic(Function &Like, DILocation *Where, const SystolicShape &S, const SystolicGrid &G, const VectorRegisters &Has)
      : S(S), G(G), Shaped(S, G, Has), InTwos(Has.Bfloats && !S.Half), OfDword(InTwos ? 1 : 2), Steps(Depth * OfDword),
        B(Like.getContext()), Own(create(Like, Where)) {
    B.SetInsertPoint(BasicBlock::Create(Like.getContext(), "", &Own));
    if (Where)
      B.SetCurrentDebugLocation(DILocation::get(Like.getContext(), Where->getLine(), 0, Own.getSubprogram()));
    const unsigned All = G.Rows * S.Rows;
    for (unsigned R = 0; R < All; R += Shaped.Together)
      multiply(R, std::min(R + Shaped.Together, All));
    B.CreateRetVoid();
  }
  Function &function() const { return Own; }

private:
  Function &create(Function &Like, const DILocation *Where) {
    Module &M = *Like.getParent();
    SmallVector<Type *, 8> Types(G.products() + G.Rows + G.Columns, B.getPtrTy());
    Function *F =
        Function::Create(FunctionType::get(B.getVoidTy(), Types, false), GlobalValue::InternalLinkage, nameOf(S, G), M);
    F->addFnAttrs(AttrBuilder(M.getContext(), Like.getAttributes().getFnAttrs())); // of the target
    F->addFnAttr(Attribute::NoInline);
    F->addFnAttr(Attribute::WillReturn);
    F->setOnlyAccessesArgMemory();
    for (Argument &A : F->args()) {
      A.addAttr(Attribute::NoAlias);
      A.addAttr(Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
    }
    if (Where) {
      const DISubprogram *Source = Where->getScope()->getSubprogram();
      F->setSubprogram(DISubprogram::getDistinct(
          M.getContext(), Where->getFile(), F->getName(), F->getName(), Where->getFile(), Where->getLine(),
          Source->getType(), Where->getLine(), nullptr, 0, 0, DINode::FlagArtificial,
          DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit, Source->getUnit()));
    }
    return *F;
  }

  /// Sums of rows, of all columns.
  void multiply(unsigned First, unsigned End) {
    SmallVector<Value *, 16> Sums; // of (a pair of) rows, all their columns
    for (unsigned R = First; R < End; R += Shaped.Pair)
      for (unsigned C = 0; C < G.Columns; C += Shaped.Span)
        Sums.push_back(loadSums(R, C));
    addProducts(First, End, Sums);
    unsigned N = 0;
    for (unsigned R = First; R < End; R += Shaped.Pair)
      for (unsigned C = 0; C < G.Columns; C += Shaped.Span)
        storeSums(Sums[N++], R, C);
  }

  void addProducts(unsigned First, unsigned End, MutableArrayRef<Value *> Sums) {
    SmallVector<Factors, 16> OfRows;
    for (unsigned R = First; R < End; R += Shaped.Pair)
      OfRows.push_back(factors(R));
    for (unsigned Dword = 0; Dword < Depth; ++Dword) {
      SmallVector<Value *, 2> Elements;
      for (unsigned C = 0; C < G.Columns; ++C)
        Elements.push_back(elements(placeOfB(C), Dword * OfDword * S.Lanes, OfDword * S.Lanes));
      for (unsigned N = 0; N < OfDword; ++N) {
        const unsigned Element = S.Half ? N : OfDword - 1 - N;
        SmallVector<Value *, 2> Columns;
        for (unsigned C = 0; C < G.Columns; C += Shaped.Span)
          Columns.push_back(columns(ArrayRef(Elements).slice(C, Shaped.Span), Element));
        for (auto [N, Sum] : enumerate(Sums)) // which do not wait for each other
          Sum = multiplyAdd(filled(OfRows[N / Columns.size()], OfDword * Dword + Element), Columns[N % Columns.size()],
                            Sum);
      }
    }
  }

  Value *multiplyAdd(Value *OfA, Value *OfB, Value *Sum) {
    return InTwos ? addTwos(B, Sum, OfA, OfB) : B.CreateIntrinsic(Intrinsic::fma, {Sum->getType()}, {OfA, OfB, Sum});
  }

  /// A step of all columns, each twice for pairs of rows.
  Value *columns(ArrayRef<Value *> Elements, unsigned Element) {
    SmallVector<int, 32> Which;
    for (unsigned N = 0; N < Elements.size() * S.Lanes; ++N)
      Which.append(Shaped.Pair, int(OfDword * N + Element));
    return B.CreateShuffleVector(Elements.front(), Elements.back(), Which);
  }

  /// Elements of a row, or of a pair of rows beside each other as integers of 64 bits: of all steps, or the first and
  /// the second half of them.
  struct Factors {
    Value *First, *Second;
  };
  Factors factors(unsigned R) {
    auto ofRow = [&](unsigned R) { return elements(placeOfA(R / S.Rows), R % S.Rows * Steps, Steps); };
    Value *This = ofRow(R);
    if (Shaped.Pair == 1)
      return {This, nullptr};
    Value *Other = ofRow(otherOf(R));
    auto half = [&](unsigned From) {
      SmallVector<int, 2 * Depth> Which;
      for (unsigned K = From; K < From + Steps / 2; ++K)
        Which.append({int(K), int(K + Steps)});
      return B.CreateBitCast(B.CreateShuffleVector(This, Other, Which),
                             FixedVectorType::get(B.getInt64Ty(), Steps / 2));
    };
    return {half(0), half(Steps / 2)};
  }
  /// A step's, in whole registers: from memory (Broadcasts.cpp).
  Value *filled(const Factors &OfRow, unsigned K) {
    const unsigned Lanes = Shaped.Span * S.Lanes, Element = Shaped.Pair == 2 ? K % (Steps / 2) : K;
    return B.CreateBitCast(
        B.CreateShuffleVector(K == Element ? OfRow.First : OfRow.Second, SmallVector<int, 16>(Lanes, int(Element))),
        FixedVectorType::get(InTwos ? B.getInt32Ty() : B.getFloatTy(), Lanes * Shaped.Pair));
  }

  /// The other row of a pair: the last one may have none but itself.
  unsigned otherOf(unsigned R) const { return std::min(R + 1, G.Rows * S.Rows - 1); }
  bool isPairInMemory(unsigned R) const { return otherOf(R) == R + 1 && (R + 1) % S.Rows; }

  Value *loadSums(unsigned R, unsigned C) {
    if (Shaped.Pair == 2)
      return beside(isPairInMemory(R) ? loadRows(R, C, 2) : joined(loadRows(R, C, 1), loadRows(otherOf(R), C, 1)), 2,
                    S.Lanes);
    Value *Sums = loadRows(R, C, 1);
    return Shaped.Span == 1 ? Sums : joined(Sums, loadRows(R, C + 1, 1));
  }
  void storeSums(Value *Sums, unsigned R, unsigned C) {
    if (Shaped.Pair == 2)
      Sums = beside(Sums, S.Lanes, 2);
    if (Shaped.Pair == 2 ? isPairInMemory(R) : Shaped.Span == 1)
      return storeRows(Sums, R, C);
    auto half = [&](unsigned N) { return B.CreateShuffleVector(Sums, createSequentialMask(N * S.Lanes, S.Lanes, 0)); };
    storeRows(half(0), R, C);
    if (Shaped.Span == 2)
      storeRows(half(1), R, C + 1);
    else if (otherOf(R) != R)
      storeRows(half(1), otherOf(R), C);
  }

  Value *joined(Value *First, Value *Second) {
    return B.CreateShuffleVector(First, Second, createSequentialMask(0, 2 * S.Lanes, 0));
  }
  /// Element n of `Rows` rows of `Columns` columns goes beside those of the other rows.
  Value *beside(Value *V, unsigned Rows, unsigned Columns) {
    SmallVector<int, 32> Which;
    for (unsigned N = 0; N < Columns; ++N)
      for (unsigned R = 0; R < Rows; ++R)
        Which.push_back(int(R * Columns + N));
    return B.CreateShuffleVector(V, Which);
  }

  // Memory.
  Value *placeOfSums(unsigned R, unsigned C) {
    return B.CreateConstInBoundsGEP1_32(B.getFloatTy(), Own.getArg(R / S.Rows * G.Columns + C), R % S.Rows * S.Lanes);
  }
  Value *placeOfB(unsigned C) const { return Own.getArg(G.products() + C); }
  Value *placeOfA(unsigned N) const { return Own.getArg(G.products() + G.Columns + N); }
  static Align alignment(unsigned Dwords) { return commonAlignment(Align(SystolicAlign), Dwords * 4); }

  Value *loadRows(unsigned R, unsigned C, unsigned Count) {
    return B.CreateAlignedLoad(FixedVectorType::get(B.getFloatTy(), S.Lanes * Count), placeOfSums(R, C),
                               alignment(R % S.Rows * S.Lanes));
  }
  void storeRows(Value *Sums, unsigned R, unsigned C) {
    B.CreateAlignedStore(Sums, placeOfSums(R, C), alignment(R % S.Rows * S.Lanes));
  }
  /// Elements of a matrix, as floats, or twos.
  Value *elements(Value *Place, unsigned First, unsigned Count) {
    auto vector = [&](Type *T) { return FixedVectorType::get(T, Count); };
    auto load = [&](Type *T) {
      return B.CreateAlignedLoad(vector(T), B.CreateConstInBoundsGEP1_32(T, Place, First), alignment(First / OfDword));
    };
    if (InTwos)
      return load(B.getInt32Ty());
    if (S.Half)
      return B.CreateFPExt(load(B.getHalfTy()), vector(B.getFloatTy()));
    return B.CreateBitCast(B.CreateShl(B.CreateZExt(load(B.getInt16Ty()), vector(B.getInt32Ty())), 16),
                           vector(B.getFloatTy()));
  }

  SystolicShape S;
  SystolicGrid G;
  Form Shaped;
  const bool InTwos;      ///< Elements are dwords of two bfloat16.
  const unsigned OfDword; ///< Elements.
  const unsigned Steps;   ///< Of a product: elements of a row.
  IRBuilder<> B;
  Function &Own;
};

} // namespace

std::optional<SystolicShape> SystolicShape::of(const CallInst &Dpas) {
  auto number = [&](Role What) { return cast<ConstantInt>(operandOf(Dpas, What))->getZExtValue(); };
  const std::uint64_t Precision = number(Role::PrecisionB);
  const bool Floats = Dpas.getType()->getScalarType()->isFloatTy() &&
                      operandOf(Dpas, Role::Accumulator)->getType()->getScalarType()->isFloatTy();
  if (!Floats || number(Role::PrecisionA) != Precision || (Precision != precision::Bf && Precision != precision::Hf) ||
      number(Role::Depth) != Depth)
    return std::nullopt;
  const auto Rows = unsigned(number(Role::Rows)), Lanes = unsigned(countOf(Dpas.getType())) / Rows;
  return isPowerOf2_32(Lanes) ? std::optional(SystolicShape{Precision == precision::Hf, Rows, Lanes}) : std::nullopt;
}

bool fitRegisters(const SystolicShape &S, const SystolicGrid &G, const VectorRegisters &Has) {
  return G.Rows * S.Rows <= Form(S, G, Has).Together;
}

Function &systolicFunction(Function &F, DILocation *Where, const SystolicShape &S, const SystolicGrid &G,
                           const VectorRegisters &Has) {
  Function *Known = F.getParent()->getFunction(nameOf(S, G));
  return Known ? *Known : Systolic(F, Where, S, G, Has).function();
}

} // namespace pocm::cpu
