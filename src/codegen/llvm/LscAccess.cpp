//===- LscAccess.cpp - Messages to the load/store cache as older ones ------------------------===//
//
//     lsc.load.stateless <16 x i32>, 2 elements of a lane   ->   svm.gather(%a), svm.gather(%a + 4)
//     lsc.load.bti <32 x i32>, transposed                   ->   oword.ld.unaligned
//     lsc.xatomic.slm, iadd                                 ->   dword.atomic.add of surface 254
//     lsc.load2d <64 x f32>, 8 x 8                          ->   %p = inside ? address : zero-filled buffer
//                                                                cm.region.read(%p, ...), and the order of registers
//
// Cache hints change nothing here. Prefetches of blocks are the CPU's, line by line; those of lanes are nothing.
//
// Needs:    a policy that finds surfaces (SurfacePolicy.h).
// Leaves:   older messages, which BufferAccess.cpp lowers; blocks of two dimensions as regions of memory.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "codegen/llvm/SurfaceAccess.h"
#include "ir/Lsc.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "program/KernelInterface.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <cstddef>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

constexpr unsigned CacheLine = 64;

class LscAccess : SurfaceAccess {
public:
  using SurfaceAccess::SurfaceAccess;

  void run() {
    SmallVector<Instruction *, 8> Calls; // what replaces them may divide blocks
    for (Instruction &I : instructions(F))
      if (lsc::Message::match(&I) || lsc::Block2d::match(&I))
        Calls.push_back(&I);
    for (Instruction *I : Calls) {
      if (auto M = lsc::Message::match(I))
        lower(*M);
      else
        lower(*lsc::Block2d::match(I));
      I->eraseFromParent();
    }
  }

private:
  void lower(const lsc::Message &M) {
    switch (M.What) {
    case lsc::Kind::Prefetch:
      return prefetch(M);
    case lsc::Kind::Atomic:
      return atomic(M);
    default:
      return M.isBlock() ? block(M) : M.reads() ? gather(M) : scatter(M);
    }
  }

  static bool byAddress(const lsc::Message &M) { return M.Where == lsc::Space::Stateless; }

  Value *surface(IRBuilder<> &B, const lsc::Message &M) {
    return M.Where == lsc::Space::Slm ? B.getInt32(SlmSurface) : M.surface();
  }

  /// Element K of the lanes is so many bytes behind their places.
  static uint64_t stepTo(const lsc::Message &M, unsigned K) {
    unsigned Step = K;
    if (M.isQuad()) {
      unsigned Mask = M.number(lsc::Components);
      for (; K > 0; --K)
        Mask &= Mask - 1;
      Step = unsigned(countr_zero(Mask));
    }
    return M.number(lsc::Offset) + Step * M.bytes();
  }

  Value *plus(IRBuilder<> &B, Value *Places, uint64_t Bytes) {
    return Bytes ? B.CreateAdd(Places, ConstantInt::get(Places->getType(), Bytes)) : Places;
  }

  /// Operands of a gather or scatter of one element of the lanes; the last is old value or data.
  SmallVector<Value *, 8> operands(IRBuilder<> &B, const lsc::Message &M, Value *Places, uint64_t Step, Value *Last) {
    if (byAddress(M))
      return {M.predicate(), B.getInt32(0), plus(B, Places, Step), Last};
    Value *Size = B.getInt32(Log2_32(unsigned(elementBytes(Last->getType()))));
    return {M.predicate(), Size, B.getInt16(0), surface(B, M), B.getInt32(uint32_t(Step)), Places, Last};
  }

  /// The type of N elements in memory.
  Type *inMemoryType(const lsc::Message &M, Type *Lanes) {
    if (unsigned(elementBytes(Lanes)) == M.bytes())
      return Lanes;
    return FixedVectorType::get(Type::getIntNTy(C, 8 * M.bytes()), unsigned(countOf(Lanes)));
  }

  static bool inHighHalf(const lsc::Message &M) { return M.number(lsc::Size) == lsc::D16U32H; }

  Value *narrowed(IRBuilder<> &B, const lsc::Message &M, Value *Lanes) {
    Type *T = inMemoryType(M, Lanes->getType());
    if (T == Lanes->getType())
      return Lanes;
    return B.CreateTrunc(inHighHalf(M) ? B.CreateLShr(Lanes, 16) : Lanes, T);
  }
  Value *widened(IRBuilder<> &B, const lsc::Message &M, Value *Narrow, Type *T) {
    if (T == Narrow->getType())
      return Narrow;
    Value *Wide = B.CreateZExt(Narrow, T);
    return inHighHalf(M) ? B.CreateShl(Wide, 16) : Wide;
  }

  void gather(const lsc::Message &M) {
    IRBuilder<> B(M.Call);
    int Lanes = countOf(M.places()->getType());
    Type *T = ofCount(M.Call->getType(), Lanes);
    Value *All = PoisonValue::get(M.Call->getType());
    for (unsigned K = 0; K < M.elements(); ++K) {
      Region Where = Region::contiguous(Lanes, int(K) * Lanes);
      Value *Old = RegionRead::create(B, T, M.old(), Where);
      Type *Narrow = inMemoryType(M, T);
      auto Operands = operands(B, M, M.places(), stepTo(M, K), Narrow == T ? Old : Constant::getNullValue(Narrow));
      Value *Read = createOperation(B, byAddress(M) ? Op::SvmGather : Op::Gather, Narrow, Operands);
      if (Narrow != T)
        Read = B.CreateSelect(M.predicate(), widened(B, M, Read, T), Old);
      All = RegionWrite::create(B, All, Read, Where);
    }
    M.Call->replaceAllUsesWith(All);
  }

  void scatter(const lsc::Message &M) {
    IRBuilder<> B(M.Call);
    int Lanes = countOf(M.places()->getType());
    Type *T = ofCount(M.value()->getType(), Lanes);
    for (unsigned K = 0; K < M.elements(); ++K) {
      Value *Part = RegionRead::create(B, T, M.value(), Region::contiguous(Lanes, int(K) * Lanes));
      auto Operands = operands(B, M, M.places(), stepTo(M, K), narrowed(B, M, Part));
      createOperation(B, byAddress(M) ? Op::SvmScatter : Op::Scatter, B.getVoidTy(), Operands);
    }
  }

  /// The place of a message of one lane.
  Value *place(IRBuilder<> &B, const lsc::Message &M) {
    Value *Places = M.places();
    if (Places->getType()->isVectorTy())
      Places = B.CreateExtractElement(Places, uint64_t(0));
    return plus(B, Places, M.number(lsc::Offset));
  }

  /// Elements in a row.
  void block(const lsc::Message &M) {
    IRBuilder<> B(M.Call);
    Value *Place = place(B, M);
    if (!match(M.predicate(), m_AllOnes()))
      return guardedBlock(B, M, Place);
    if (M.reads())
      M.Call->replaceAllUsesWith(byAddress(M) ? createOperation(B, Op::SvmBlockRead, M.Call->getType(), {Place})
                                              : createOperation(B, Op::OwordReadUnaligned, M.Call->getType(),
                                                                {B.getInt32(0), surface(B, M), Place}));
    else if (byAddress(M))
      createOperation(B, Op::SvmBlockWrite, B.getVoidTy(), {Place, M.value()});
    else
      createOperation(B, Op::BlockWrite, B.getVoidTy(), {surface(B, M), Place, M.value()});
  }

  /// The same element by element, when it may be off.
  void guardedBlock(IRBuilder<> &B, const lsc::Message &M, Value *Place) {
    Value *Other = M.writes() ? M.value() : M.old();
    auto N = unsigned(countOf(Other->getType()));
    Value *On =
        M.predicate()->getType()->isVectorTy() ? B.CreateExtractElement(M.predicate(), uint64_t(0)) : M.predicate();
    SmallVector<Constant *, 64> Steps;
    for (unsigned K = 0; K < N; ++K)
      Steps.push_back(ConstantInt::get(Place->getType(), K * M.bytes()));
    Value *Places = B.CreateAdd(B.CreateVectorSplat(N, Place), ConstantVector::get(Steps));
    auto Operands = operands(B, M, Places, 0, Other);
    Operands[0] = B.CreateVectorSplat(N, On);
    Op Operation = byAddress(M) ? M.reads() ? Op::SvmGather : Op::SvmScatter : M.reads() ? Op::Gather : Op::Scatter;
    Value *New = createOperation(B, Operation, M.Call->getType(), Operands);
    if (M.reads())
      M.Call->replaceAllUsesWith(New);
  }

  void prefetchLine(IRBuilder<> &B, Value *Address) {
    B.CreateIntrinsic(Intrinsic::prefetch, {B.getPtrTy()},
                      {B.CreateIntToPtr(Address, B.getPtrTy()), B.getInt32(0), B.getInt32(3), B.getInt32(1)});
  }

  void prefetch(const lsc::Message &M) {
    IRBuilder<> B(M.Call);
    if (!M.isBlock() || M.Where == lsc::Space::Slm || !match(M.predicate(), m_AllOnes()))
      return;
    Value *First = place(B, M);
    if (!byAddress(M)) { // an address outside of the surface does no harm
      Value *Base = field(B, viewOf(B, M.surface()), B.getInt64Ty(), offsetof(SurfaceView, base));
      First = B.CreateAdd(Base, B.CreateZExt(First, B.getInt64Ty()));
    }
    for (unsigned At = 0; At < M.elements() * M.bytes(); At += CacheLine)
      prefetchLine(B, plus(B, First, At));
  }

  void atomic(const lsc::Message &M) {
    IRBuilder<> B(M.Call);
    const lsc::AtomicRow &Row = M.atomic();
    Op Operation = atomicOfNumber(Row.Older, byAddress(M));
    Type *T = M.Call->getType(), *Narrow = inMemoryType(M, T);
    // Elements of an atomic are aligned.
    Value *Places = plus(B, M.places(), M.number(lsc::Offset));
    Places = B.CreateAnd(Places, ConstantInt::getSigned(Places->getType(), -int(M.bytes())));
    SmallVector<Value *, 6> Operands{M.predicate()};
    if (!byAddress(M))
      Operands.push_back(surface(B, M));
    Operands.push_back(Places);
    SmallVector<Value *, 2> Sources(2, Constant::getNullValue(Narrow));
    for (unsigned K = 0; K < Row.Sources; ++K)
      Sources[K] = narrowed(B, M, sourceOf(*M.Call, K));
    if (Row.Swaps)
      std::swap(Sources[0], Sources[1]);
    Operands.append(Sources.begin(), Sources.begin() + atomicInfo(Operation).Sources);
    Operands.push_back(narrowed(B, M, M.value()));
    Value *Before = createOperation(B, Operation, Narrow, Operands);
    M.Call->replaceAllUsesWith(widened(B, M, Before, T));
  }

  // Two dimensions

  /// Where the rows of a block's matrix are: in memory, or in a buffer when the block leaves the matrix.
  struct Rows {
    Value *First, *RowStep, *BlockStep, *Inside;
    SmallVector<Value *, 10> Operands; // of the helper
  };

  static Value *wide(IRBuilder<> &B, const lsc::Block2d &Block, unsigned K, bool Signed) {
    return B.CreateIntCast(Block.operand(K), B.getInt64Ty(), Signed);
  }
  static Value *pitchOf(IRBuilder<> &B, const lsc::Block2d &Block) {
    return B.CreateAdd(wide(B, Block, lsc::Matrix + 2, false), B.getInt64(1));
  }
  /// The first byte's column.
  static Value *columnOf(IRBuilder<> &B, const lsc::Block2d &Block) {
    return B.CreateMul(wide(B, Block, lsc::X, true), B.getInt64(uint64_t(Block.bytes())));
  }

  Rows locate(IRBuilder<> &B, const lsc::Block2d &Block) {
    int RowBytes = Block.width() * Block.bytes(), Blocks = int(Block.number(lsc::Blocks));
    AllocaInst *Buffer = edgeBuffer(unsigned(RowBytes * Block.height() * Blocks));
    Value *Width = B.CreateAnd(B.CreateAdd(wide(B, Block, lsc::Matrix, false), B.getInt64(1)),
                               ConstantInt::getSigned(B.getInt64Ty(), -Block.bytes())); // of whole elements
    Value *Height = B.CreateAdd(wide(B, Block, lsc::Matrix + 1, false), B.getInt64(1));
    Value *Pitch = pitchOf(B, Block);
    Value *X = columnOf(B, Block), *Y = wide(B, Block, lsc::Y, true);
    Value *Right = B.CreateAdd(X, B.getInt64(uint64_t(RowBytes * Blocks)));
    Value *Below = B.CreateAdd(Y, B.getInt64(uint64_t(Block.height())));
    Value *Inside = B.CreateAnd(B.CreateICmpSGE(B.CreateOr(X, Y), B.getInt64(0)),
                                B.CreateAnd(B.CreateICmpSLE(Right, Width), B.CreateICmpSLE(Below, Height)));
    Value *Address = B.CreateAdd(B.CreateAdd(Block.operand(lsc::Base), B.CreateMul(Y, Pitch)), X);
    return {B.CreateSelect(Inside, B.CreateIntToPtr(Address, B.getPtrTy()), Buffer),
            B.CreateSelect(Inside, Pitch, B.getInt64(uint64_t(RowBytes))),
            B.CreateSelect(Inside, B.getInt64(uint64_t(RowBytes)), B.getInt64(uint64_t(RowBytes * Block.height()))),
            Inside,
            {B.CreateIntToPtr(Block.operand(lsc::Base), B.getPtrTy()), Width, Height, Pitch, X, Y,
             B.getInt32(unsigned(RowBytes)), B.getInt32(unsigned(Block.height())), B.getInt32(unsigned(Blocks)),
             Buffer}};
  }

  /// Which element of the registers is which of the matrix's block; -1 for padding.
  static SmallVector<int, 128> arrangement(const lsc::Block2d &Block) {
    SmallVector<int, 128> From(size_t(Block.blockElements()), -1);
    for (int R = 0; R < Block.height(); ++R)
      for (int Column = 0; Column < Block.width(); ++Column)
        From[size_t(Block.placeOf(R, Column))] = R * Block.width() + Column;
    return From;
  }

  void lower(const lsc::Block2d &Block) {
    IRBuilder<> B(Block.Call);
    Op Operation = operationOf(Block.Call);
    if (Operation == Op::LscPrefetch2d)
      return prefetch(B, Block);
    Rows Where = locate(B, Block);
    int Blocks = int(Block.number(lsc::Blocks)), Elements = Block.width() * Block.height();
    SmallVector<int, 128> From = arrangement(Block);
    if (Operation == Op::LscLoad2d) {
      callUnless(Where.Inside, Block.Call, Helper::MatrixRead, Where.Operands);
      B.SetInsertPoint(Block.Call);
      Type *T = ofCount(Block.Call->getType(), Elements);
      for (int &K : From)
        if (K < 0)
          K = Elements; // a zero
      Value *All = PoisonValue::get(Block.Call->getType());
      for (int K = 0; K < Blocks; ++K) {
        Value *First = B.CreateGEP(B.getInt8Ty(), Where.First, B.CreateMul(Where.BlockStep, B.getInt64(uint64_t(K))));
        Value *Matrix =
            createOperation(B, Op::MemoryRead, T,
                            {First, Where.RowStep, B.getInt32(unsigned(Block.width())), B.getInt32(1), B.getInt32(0)});
        Value *Arranged = B.CreateShuffleVector(Matrix, Constant::getNullValue(T), From);
        All = RegionWrite::create(B, All, Arranged, Region::contiguous(int(From.size()), K * int(From.size())));
      }
      Block.Call->replaceAllUsesWith(All);
      return;
    }
    SmallVector<int, 128> To(size_t(Elements), 0);
    for (int K = 0; K < int(From.size()); ++K)
      if (From[size_t(K)] >= 0)
        To[size_t(From[size_t(K)])] = K;
    Value *Matrix = B.CreateShuffleVector(Block.operand(lsc::Data2d), To);
    createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                    {Where.First, Matrix, Where.RowStep, B.getInt32(unsigned(Block.width())), B.getInt32(1)});
    callUnless(Where.Inside, Block.Call, Helper::MatrixWrite, Where.Operands);
  }

  void prefetch(IRBuilder<> &B, const lsc::Block2d &Block) {
    Value *Pitch = pitchOf(B, Block);
    Value *First = B.CreateAdd(Block.operand(lsc::Base), columnOf(B, Block));
    for (int R = 0; R < Block.height(); ++R) {
      Value *Row = B.CreateAdd(wide(B, Block, lsc::Y, true), B.getInt64(uint64_t(R)));
      prefetchLine(B, B.CreateAdd(First, B.CreateMul(Row, Pitch)));
    }
  }
};

} // namespace

void lowerLscAccess(Function &F, const SurfacePolicy &Policy) { LscAccess(F, Policy).run(); }

} // namespace pocm
