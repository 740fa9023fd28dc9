//===- SystolicCalls.cpp - Many systolic products share their code -----------------------------===//
//
// A product of 8 rows and 16 steps is 128 multiply-adds. A kernel whose loop has dozens of them, as one of attention
// has, would be more code than a CPU holds near its decoders, and would wait for code. Such products are calls:
//
//     %d = dpas2(%c, %b, %a, ..)    ->    %0 = %c, %1 = %b, %2 = %a;  call @pocm.systolic.f16.8x8.1x1(%0, %1, %2)
//                                         %d = %0
//
// Those that take the same a, the same b, or as a square two of each, are one call: sums of more rows, or columns,
// which do not wait for each other.
//
// Columns of half a register go in pairs of rows, so that a multiply-add fills the register:
//
//     sums(r, r + 1) += splat(a[r][k], a[r + 1][k]) * (b[k][0], b[k][0], b[k][1], b[k][1], ...)
//
// Each sum is that of Dpas.cpp, in the same order.
//
// Needs:    elements of 16 bits, sums in float, multiply-adds; in front of what expands products in place.
// Leaves:   products of kernels with few of them, which are faster in place.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Lowering.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned Depth = 8, Steps = 2 * Depth;

/// What products that share a function have in common.
struct Shape {
  bool Half; ///< Otherwise bfloat.
  unsigned Rows, Lanes;
  bool operator==(const Shape &) const = default;

  static std::optional<Shape> of(const CallInst &Call) {
    auto Number = [&](Role What) { return cast<ConstantInt>(operandOf(Call, What))->getZExtValue(); };
    constexpr unsigned Bf = 8, Hf = 9; // CM_PRECISION_*
    const std::uint64_t Precision = Number(Role::PrecisionB);
    const bool Floats = Call.getType()->getScalarType()->isFloatTy() &&
                        operandOf(Call, Role::Accumulator)->getType()->getScalarType()->isFloatTy();
    if (!Floats || Number(Role::PrecisionA) != Precision || (Precision != Bf && Precision != Hf) ||
        Number(Role::Depth) != Depth)
      return std::nullopt;
    const auto Rows = unsigned(Number(Role::Rows)), Lanes = unsigned(countOf(Call.getType())) / Rows;
    return isPowerOf2_32(Lanes) ? std::optional(Shape{Precision == Hf, Rows, Lanes}) : std::nullopt;
  }
};

/// Products of one call: by each of `Rows` matrices A and each of `Columns` matrices B.
struct Grid {
  unsigned Rows, Columns;
  unsigned products() const { return Rows * Columns; }
};

std::string nameOf(const Shape &S, const Grid &G) {
  return ("pocm.systolic." + Twine(S.Half ? "f16." : "bf16.") + Twine(S.Rows) + "x" + Twine(S.Lanes) + "." +
          Twine(G.Rows) + "x" + Twine(G.Columns))
      .str();
}

/// The registers of a CPU.
struct Registers {
  unsigned Lanes, Number;
};

/// Where sums are while they are computed.
struct Form {
  unsigned Span;     ///< Matrices B whose columns are in one register.
  unsigned Pair;     ///< Rows whose sums are in one register.
  unsigned Together; ///< Rows whose sums are in registers at a time, which they fill half of.

  Form(const Shape &S, const Grid &G, const Registers &Has)
      : Span(G.Columns * S.Lanes <= Has.Lanes ? G.Columns : 1),
        Pair(2 * Span * S.Lanes == Has.Lanes && S.Rows % 2 == 0 ? 2 : 1) {
    const unsigned OfRows = G.Columns / Span * unsigned(divideCeil(Span * S.Lanes, Has.Lanes)); // registers
    Together = std::max(1U, unsigned(bit_floor(Has.Number / 2 / OfRows))) * Pair;
  }
};

/// So many products are more code than is decoded at once. Those of whole registers take little enough in place to be
/// better off there for longer.
unsigned manyOf(const Shape &S, const Registers &Has) { return S.Lanes == Has.Lanes ? 20 : 12; }

/// Whether each matrix B is widened once for all products.
bool isOnePass(const Shape &S, const Grid &G, const Registers &Has) {
  return G.Rows * S.Rows <= Form(S, G, Has).Together;
}

/// The function for a grid of products: void(sums of each product, each b, each a), pointers all of them.
class Systolic {
public:
  /// Compiled as `Like` is; who asks where time goes is told the line `Where`, of its first call.
  Systolic(Function &Like, DILocation *Where, Shape S, Grid G, Registers Has)
      : S(S), G(G), Shaped(S, G, Has), B(Like.getContext()), Own(create(Like, Where)) {
    B.SetInsertPoint(BasicBlock::Create(Like.getContext(), "", Own));
    if (Where)
      B.SetCurrentDebugLocation(DILocation::get(Like.getContext(), Where->getLine(), 0, Own->getSubprogram()));
    const unsigned All = G.Rows * S.Rows;
    for (unsigned R = 0; R < All; R += Shaped.Together)
      multiply(R, std::min(R + Shaped.Together, All));
    B.CreateRetVoid();
  }
  Function *function() const { return Own; }

private:
  Function *create(Function &Like, const DILocation *Where) {
    Module &M = *Like.getParent();
    SmallVector<Type *, 8> Places(G.products() + G.Rows + G.Columns, B.getPtrTy());
    Function *F = Function::Create(FunctionType::get(B.getVoidTy(), Places, false), GlobalValue::InternalLinkage,
                                   nameOf(S, G), M);
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
    return F;
  }

  /// Sums of rows, of all columns.
  void multiply(unsigned First, unsigned End) {
    SmallVector<Value *, 16> Sums;                        // of (a pair of) rows, all their columns
    SmallVector<std::pair<Value *, Value *>, 16> Factors; // of steps 0 to 7 and 8 to 15
    for (unsigned R = First; R < End; R += Shaped.Pair) {
      Factors.push_back(factors(R));
      for (unsigned C = 0; C < G.Columns; C += Shaped.Span)
        Sums.push_back(loadSums(R, C));
    }
    for (unsigned Dword = 0; Dword < Depth; ++Dword) {
      SmallVector<Value *, 2> OfB;
      for (unsigned C = 0; C < G.Columns; ++C)
        OfB.push_back(widened(load(placeOfB(C), Dword * 2 * S.Lanes, 2 * S.Lanes, B.getInt16Ty())));
      for (unsigned Odd = 0; Odd < 2; ++Odd) {
        SmallVector<Value *, 2> Columns;
        for (unsigned C = 0; C < G.Columns; C += Shaped.Span)
          Columns.push_back(columns(ArrayRef(OfB).slice(C, Shaped.Span), Odd));
        for (auto [N, Sum] : enumerate(Sums)) { // which do not wait for each other
          Value *Column = Columns[N % Columns.size()];
          Sum = B.CreateIntrinsic(Intrinsic::fma, {Column->getType()},
                                  {filled(Factors[N / Columns.size()], 2 * Dword + Odd), Column, Sum});
        }
      }
    }
    unsigned N = 0;
    for (unsigned R = First; R < End; R += Shaped.Pair)
      for (unsigned C = 0; C < G.Columns; C += Shaped.Span)
        storeSums(Sums[N++], R, C);
  }

  /// Step k of all columns, each twice for pairs of rows.
  Value *columns(ArrayRef<Value *> OfB, unsigned Odd) {
    SmallVector<int, 32> Which;
    for (unsigned N = 0; N < OfB.size() * S.Lanes; ++N)
      Which.append(Shaped.Pair, int(2 * N + Odd));
    return OfB.size() == 1 ? B.CreateShuffleVector(OfB[0], Which) : B.CreateShuffleVector(OfB[0], OfB[1], Which);
  }

  /// Elements k of a row, or of two rows beside each other as integers of 64 bits, which fill registers.
  std::pair<Value *, Value *> factors(unsigned R) {
    auto Row = [&](unsigned R) {
      return widened(load(placeOfA(R / S.Rows), R % S.Rows * Steps, Steps, B.getInt16Ty()));
    };
    Value *This = Row(R);
    if (Shaped.Pair == 1)
      return {This, nullptr};
    Value *Next = Row(R + 1);
    auto Half = [&](unsigned From) {
      SmallVector<int, Steps> Which;
      for (unsigned K = From; K < From + Steps / 2; ++K)
        Which.append({int(K), int(K + Steps)});
      return B.CreateBitCast(B.CreateShuffleVector(This, Next, Which), FixedVectorType::get(B.getInt64Ty(), Steps / 2));
    };
    return {Half(0), Half(Steps / 2)};
  }
  Value *filled(std::pair<Value *, Value *> A, unsigned K) {
    const unsigned Lanes = Shaped.Span * S.Lanes, Element = Shaped.Pair == 2 ? K % (Steps / 2) : K;
    Value *From = K != Element ? A.second : A.first;
    return B.CreateBitCast(B.CreateShuffleVector(From, SmallVector<int, 16>(Lanes, int(Element))),
                           FixedVectorType::get(B.getFloatTy(), Lanes * Shaped.Pair));
  }

  Value *loadSums(unsigned R, unsigned C) {
    Value *Sums = load(placeOfSums(R, C), R % S.Rows * S.Lanes, S.Lanes * Shaped.Pair, B.getFloatTy());
    if (Shaped.Span == 1)
      return Shaped.Pair == 1 ? Sums : beside(Sums, 2, S.Lanes);
    Value *More = load(placeOfSums(R, C + 1), R % S.Rows * S.Lanes, S.Lanes * Shaped.Pair, B.getFloatTy());
    return B.CreateShuffleVector(Sums, More, createSequentialMask(0, 2 * S.Lanes, 0));
  }
  void storeSums(Value *Sums, unsigned R, unsigned C) {
    for (unsigned N = 0; N < Shaped.Span; ++N) {
      Value *Part = Shaped.Pair == 2   ? beside(Sums, S.Lanes, 2)
                    : Shaped.Span == 1 ? Sums
                                       : B.CreateShuffleVector(Sums, createSequentialMask(N * S.Lanes, S.Lanes, 0));
      B.CreateAlignedStore(Part, at(placeOfSums(R, C + N), R % S.Rows * S.Lanes, B.getFloatTy()),
                           Align(4 * S.Lanes * Shaped.Pair));
    }
  }

  /// Element n of `Rows` rows of `Columns` columns goes beside those of the other rows.
  Value *beside(Value *V, unsigned Rows, unsigned Columns) {
    SmallVector<int, 32> Which;
    for (unsigned N = 0; N < Columns; ++N)
      for (unsigned R = 0; R < Rows; ++R)
        Which.push_back(int(R * Columns + N));
    return B.CreateShuffleVector(V, Which);
  }

  Value *widened(Value *Words) {
    auto *T = cast<FixedVectorType>(Words->getType());
    Type *Floats = FixedVectorType::get(B.getFloatTy(), T->getNumElements());
    if (S.Half)
      return B.CreateFPExt(B.CreateBitCast(Words, T->getWithNewType(B.getHalfTy())), Floats);
    return B.CreateBitCast(B.CreateShl(B.CreateZExt(Words, T->getWithNewBitWidth(32)), 16), Floats);
  }

  // Arguments.
  Value *placeOfSums(unsigned R, unsigned C) const { return Own->getArg(R / S.Rows * G.Columns + C); }
  Value *placeOfB(unsigned C) const { return Own->getArg(G.products() + C); }
  Value *placeOfA(unsigned R) const { return Own->getArg(G.products() + G.Columns + R); }

  Value *at(Value *Place, unsigned Element, Type *T) { return B.CreateConstInBoundsGEP1_32(T, Place, Element); }
  Value *load(Value *Place, unsigned Element, unsigned Count, Type *T) {
    const unsigned Bytes = Count * T->getScalarSizeInBits() / CHAR_BIT;
    return B.CreateAlignedLoad(FixedVectorType::get(T, Count), at(Place, Element, T), Align(Bytes));
  }

  Shape S;
  Grid G;
  Form Shaped;
  IRBuilder<> B;
  Function *Own;
};

Value *matrixA(const CallInst *Call) { return operandOf(*Call, Role::MatrixA); }
Value *matrixB(const CallInst *Call) { return operandOf(*Call, Role::MatrixB); }

/// So many products are looked at for those that go with one.
constexpr unsigned Window = 8;

/// The first of these and those that one call takes with it, row by row; whatever uses them is moved behind the last of
/// them.
std::pair<SmallVector<CallInst *, 4>, Grid> together(ArrayRef<CallInst *> Calls, const Shape &S, const Registers &Has) {
  CallInst *First = Calls.front();
  ArrayRef<CallInst *> Others = Calls.drop_front().take_front(Window);
  auto fits = [&](SmallVector<CallInst *, 4> All, const Grid &G) {
    if (!isOnePass(S, G, Has))
      return false;
    sort(All, [](const CallInst *One, const CallInst *Other) { return One->comesBefore(Other); });
    return moveUsersBehind(All);
  };
  auto find = [&](Value *A, Value *B) {
    auto *It = find_if(Others, [&](const CallInst *C) { return (!A || matrixA(C) == A) && (!B || matrixB(C) == B); });
    return It == Others.end() ? nullptr : *It;
  };
  CallInst *SameA = find(matrixA(First), nullptr), *SameB = find(nullptr, matrixB(First));
  if (SameA && SameB && SameA != SameB)
    if (CallInst *Fourth = find(matrixA(SameB), matrixB(SameA)); Fourth && fits({First, SameA, SameB, Fourth}, {2, 2}))
      return {{First, SameA, SameB, Fourth}, {2, 2}};
  for (CallInst *Other : Others) {
    const bool HasA = matrixA(Other) == matrixA(First);
    const Grid G = HasA ? Grid{1, 2} : Grid{2, 1};
    if ((HasA || matrixB(Other) == matrixB(First)) && fits({First, Other}, G))
      return {{First, Other}, G};
  }
  return {{First}, {1, 1}};
}

class SystolicCalls {
public:
  SystolicCalls(Function &F, Registers Has) : F(F), Has(Has), AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin()) {}

  /// Products of a block that are alike, in order.
  void replace(SmallVector<CallInst *, 8> Calls, const Shape &S) {
    while (!Calls.empty()) {
      auto [Taken, G] = together(Calls, S, Has);
      erase_if(Calls, [&](CallInst *Call) { return is_contained(Taken, Call); });
      replace(Taken, S, G);
      sort(Calls, [](const CallInst *One, const CallInst *Other) { return One->comesBefore(Other); });
    }
  }

private:
  void replace(ArrayRef<CallInst *> Calls, const Shape &S, const Grid &G) {
    B.SetInsertPoint(
        *max_element(Calls, [](const CallInst *One, const CallInst *Other) { return One->comesBefore(Other); }));
    Places.clear();
    for (CallInst *Call : Calls)
      add(operandOf(*Call, Role::Accumulator));
    for (unsigned C = 0; C < G.Columns; ++C)
      add(matrixB(Calls[C]));
    for (unsigned R = 0; R < G.Rows; ++R)
      add(matrixA(Calls[R * G.Columns]));
    Function *Known = F.getParent()->getFunction(nameOf(S, G));
    if (!Known)
      Known = Systolic(F, Calls.back()->getDebugLoc(), S, G, Has).function();
    B.CreateCall(Known, SmallVector<Value *, 8>(Places.begin(), Places.end()))->setDoesNotThrow();
    for (auto [Call, Place] : zip(Calls, Places))
      Call->replaceAllUsesWith(B.CreateAlignedLoad(Call->getType(), Place, Place->getAlign()));
    for (AllocaInst *Place : Places)
      B.CreateLifetimeEnd(Place);
    for (CallInst *Call : Calls)
      Call->eraseFromParent();
  }

  /// Stores an operand where the function finds it.
  void add(Value *V) {
    AllocaInst *Place = AtEntry.CreateAlloca(V->getType());
    constexpr unsigned Line = 64;
    Place->setAlignment(Align(Line));
    B.CreateLifetimeStart(Place);
    B.CreateAlignedStore(V, Place, Place->getAlign());
    Places.push_back(Place);
  }

  Function &F;
  Registers Has;
  IRBuilder<> AtEntry;
  IRBuilder<> B{F.getContext()};
  SmallVector<AllocaInst *, 8> Places; ///< Of a call's operands.
};

} // namespace

bool shareSystolicCode(Function &F, unsigned VectorBits, unsigned NumberOfRegisters) {
  const Registers Has{VectorBits / 32, NumberOfRegisters};
  using OfBlock = std::pair<BasicBlock *, Shape>;
  std::vector<std::pair<OfBlock, SmallVector<CallInst *, 8>>> All;
  std::vector<std::pair<Shape, unsigned>> Numbers;
  auto at = [](auto &List, const auto &Key) -> auto & {
    auto It = find_if(List, [&](const auto &Known) { return Known.first == Key; });
    return It == List.end() ? List.emplace_back(Key, typename std::decay_t<decltype(List[0])>::second_type{}).second
                            : It->second;
  };
  for (Instruction &I : instructions(F))
    if (CallInst *Call = asOperation(&I, Op::Dpas))
      if (std::optional<Shape> S = Shape::of(*Call)) {
        at(All, OfBlock{I.getParent(), *S}).push_back(Call);
        ++at(Numbers, *S);
      }
  SystolicCalls Calls(F, Has);
  bool Changed = false;
  for (const auto &[Key, Alike] : All)
    if (const Shape &S = Key.second; at(Numbers, S) >= manyOf(S, Has)) {
      Calls.replace(Alike, S);
      Changed = true;
    }
  return Changed;
}

} // namespace pocm::cpu
