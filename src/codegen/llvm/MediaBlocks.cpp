//===- MediaBlocks.cpp - Media blocks as memory -------------------------------===//
//
// A block that lies inside its surface is read where it is: the regions of the block's
// value become regions of memory, and no copy is made. A block over the edge goes through
// a small buffer that a helper fills with repeated edge pixels; the same loads then
// read the buffer. Planes are rows of their own, and so are fields, twice as far apart.
//
//     %b = media.ld(...)                      %p, %stride = inside ? surface : buffer
//     %r = rdregion(%b, 32, 24, 1, i16 35) -> %r = cm.region.read(%p + %stride + 3, %stride, 24, 1)
//
// Needs:    a policy that finds surfaces (SurfacePolicy.h).
// Leaves:   regions of memory; writes as stores row by row; calls of helpers at edges.
// Not done: a block's value stays lazy only while nothing may write memory, in its own
//           basic block, and not in a loop that waits for other threads, which may write
//           between two regions; otherwise the whole block is loaded at once.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "codegen/llvm/Polls.h"
#include "codegen/llvm/SurfaceAccess.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include <cstddef>

using namespace llvm;

namespace pocm {
namespace {

/// A media block operation, taken apart.
struct Block {
  CallInst *Call;
  bool Write;
  Type *Data; ///< Vector of Rows * Columns elements.
  int Width;  ///< Bytes of a row that count.
  int Pitch;  ///< Bytes of a row in the value, padding included.
  int Rows, Columns;

  Value *surface() const { return operandOf(*Call, Role::Surface); }
  Value *x() const { return operandOf(*Call, Role::X); }
  Value *y() const { return operandOf(*Call, Role::Y); }
};

int paddedPitch(int Width) { return std::max(4, int(PowerOf2Ceil(unsigned(Width)))); }

std::optional<Block> matchBlock(Instruction &I) {
  Op Operation = operationOf(&I);
  if (Operation != Op::MediaRead && Operation != Op::MediaWrite)
    return std::nullopt;
  auto &Call = cast<CallInst>(I);
  Block B{&Call, Operation == Op::MediaWrite, nullptr, 0, 0, 0, 0};
  B.Data = dataTypeOf(Call);
  B.Width = int(cast<ConstantInt>(operandOf(Call, Role::Width))->getZExtValue());
  B.Pitch = paddedPitch(B.Width);
  int Bytes = countOf(B.Data) * elementBytes(B.Data);
  B.Rows = Bytes / B.Pitch;
  B.Columns = B.Pitch / elementBytes(B.Data);
  return B;
}

/// Which part of the surface the block sees, as MediaPart; nothing when that is not a constant.
std::optional<unsigned> partOf(const Block &B) {
  auto *Modifiers = dyn_cast<ConstantInt>(operandOf(*B.Call, Role::Modifiers)),
       *Plane = dyn_cast<ConstantInt>(operandOf(*B.Call, Role::Plane));
  constexpr uint64_t Top = 1, Bottom = 2, Zero = 0x100; // of the operation
  if (!Modifiers || !Plane)
    return std::nullopt;
  uint64_t M = Modifiers->getZExtValue();
  return unsigned(Plane->getZExtValue() & MediaPlane) | (M & Top ? MediaTop : 0) | (M & Bottom ? MediaBottom : 0) |
         (M & Zero ? MediaZero : 0);
}

class MediaBlocks : SurfaceAccess {
public:
  using SurfaceAccess::SurfaceAccess;

  std::string run() {
    SmallVector<Block, 8> Blocks;
    for (Instruction &I : instructions(F))
      if (auto B = matchBlock(I)) {
        if (!partOf(*B))
          return "the plane and the field of a media block are constants";
        Blocks.push_back(*B);
      }
    // Decided before the blocks are split.
    const auto Polling = pollingBlocks(F);
    SmallVector<bool, 8> Lazy;
    for (const Block &B : Blocks)
      Lazy.push_back(!B.Write && !Polling.contains(B.Call->getParent()) && isReadInPlace(B));
    for (auto [B, L] : zip(Blocks, Lazy))
      B.Write ? lowerWrite(B) : lowerRead(B, L);
    return "";
  }

private:
  /// Whether region R of the block's value is a region of the rows in memory.
  static bool isRegionOfRows(const Block &B, const RegionRead &R) {
    if (!R.Where.isConstant() || elementBytes(R.Call->getType()) != elementBytes(B.Data) || R.Where.HStride < 1 ||
        R.Where.Offset < 0)
      return false;
    int Column = R.Where.Offset % B.Columns;
    bool OneRow = R.count() == R.Where.Width;
    return Column + (R.Where.Width - 1) * R.Where.HStride < B.Columns && (OneRow || R.Where.VStride % B.Columns == 0);
  }

  /// Whether all that is done with the block is to read regions of its rows, while they are where they were.
  static bool isReadInPlace(const Block &B) {
    constexpr unsigned FewColumns = 1; // each is loaded element by element
    unsigned Columns = 0;
    SmallVector<const CallInst *, 16> Readers;
    for (User *U : B.Call->users()) {
      auto R = RegionRead::match(U);
      if (!R || !isRegionOfRows(B, *R))
        return false;
      Columns += R->Where.Width == 1 && R->count() > 1;
      Readers.push_back(R->Call);
    }
    return Columns <= FewColumns && stayInMemory(B.Call, Readers);
  }

  AllocaInst *buffer(const Block &Block) { return edgeBuffer(unsigned(Block.Rows * Block.Pitch)); }

  /// Where the rows are that a block sees.
  struct Rows {
    Value *Base, *Pitch, *Width, *Height;
  };
  /// Those of the surface, of a plane, or of a field of either.
  Rows rowsOf(IRBuilder<> &B, Value *View, unsigned Part) {
    Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
    Rows R;
    R.Base = field(B, View, B.getPtrTy(), offsetof(SurfaceView, base));
    if (const unsigned Plane = Part & MediaPlane; !Plane) {
      R.Pitch = field(B, View, I64, offsetof(SurfaceView, pitch));
      R.Width = field(B, View, I32, offsetof(SurfaceView, width));
      R.Height = field(B, View, I32, offsetof(SurfaceView, height));
    } else if (Plane > std::size(SurfaceView{}.planes)) {
      R.Pitch = B.getInt64(0);
      R.Width = R.Height = B.getInt32(0);
    } else {
      const size_t At = offsetof(SurfaceView, planes) + (Plane - 1) * sizeof(PlaneView);
      R.Base = B.CreateGEP(B.getInt8Ty(), R.Base, field(B, View, I64, At + offsetof(PlaneView, offset)));
      R.Pitch = field(B, View, I64, At + offsetof(PlaneView, pitch));
      R.Width = field(B, View, I32, At + offsetof(PlaneView, width));
      R.Height = field(B, View, I32, At + offsetof(PlaneView, height));
    }
    if (Part & (MediaTop | MediaBottom)) {
      if (Part & MediaBottom)
        R.Base = B.CreateGEP(B.getInt8Ty(), R.Base, R.Pitch);
      R.Height = B.CreateLShr(Part & MediaBottom ? R.Height : B.CreateAdd(R.Height, B.getInt32(1)), 1);
      R.Pitch = B.CreateShl(R.Pitch, 1);
    }
    return R;
  }

  /// Whether the whole block lies inside the surface, and its address there.
  std::pair<Value *, Place> inside(IRBuilder<> &B, const Block &Block, Value *View) {
    Type *I64 = B.getInt64Ty();
    const auto [Base, Pitch, Width, Height] = rowsOf(B, View, *partOf(Block));
    // As many places are inside as this; negative ones are large numbers without a sign.
    auto Places = [&](Value *All, int Size) {
      return B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSub(All, B.getInt32(unsigned(Size - 1))), B.getInt32(0));
    };
    Value *Columns = Places(Width, Block.Width), *Rows = Places(Height, Block.Rows);
    Value *X = B.CreateSExt(Block.x(), I64), *Y = B.CreateSExt(Block.y(), I64);
    Value *Offset = B.CreateAdd(B.CreateMul(Y, Pitch), X);
    Value *First = B.CreateGEP(B.getInt8Ty(), Base, Offset);
    Value *Inside = B.CreateAnd(B.CreateICmpULT(Block.x(), Columns), B.CreateICmpULT(Block.y(), Rows));
    if (!Block.Write) {
      // Loads of the last row may run over its end by the slack.
      Value *Bytes = B.CreateSub(B.CreatePtrToInt(field(B, View, B.getPtrTy(), offsetof(SurfaceView, end)), I64),
                                 B.CreatePtrToInt(Base, I64));
      Value *LastByte = B.CreateAdd(B.CreateAdd(Offset, B.CreateMul(B.getInt64(unsigned(Block.Rows - 1)), Pitch)),
                                    B.getInt64(unsigned(Block.Width) + Policy.readSlack()));
      Inside = B.CreateAnd(Inside, B.CreateICmpSLE(LastByte, Bytes));
    }
    return {Inside, {First, Pitch}};
  }

  /// What is done with a block that is not inside: for all of a surface, or for a part, which has a further operand.
  struct Outside {
    Helper Which;
    SmallVector<Value *, 8> Operands;
  };
  static Outside outside(IRBuilder<> &B, const Block &Block, Value *View, Value *Buffer) {
    Outside O{Block.Write ? Helper::MediaWrite : Helper::MediaRead,
              {View, Block.x(), Block.y(), B.getInt32(unsigned(Block.Width)), B.getInt32(unsigned(Block.Rows)), Buffer,
               B.getInt32(unsigned(Block.Pitch))}};
    if (const unsigned Part = *partOf(Block)) {
      O.Which = Block.Write ? Helper::MediaPartWrite : Helper::MediaPartRead;
      O.Operands.push_back(B.getInt32(Part));
    }
    return O;
  }

  Value *readRows(IRBuilder<> &B, const Place &At, Type *T, Value *First, int RowStep, int Width, int Stride) {
    Value *Stride64 = B.CreateMul(At.Stride, B.getInt64(unsigned(RowStep)));
    return createOperation(
        B, Op::MemoryRead, T,
        {First, Stride64, B.getInt32(unsigned(Width)), B.getInt32(unsigned(Stride)), B.getInt32(Policy.readSlack())});
  }

  void lowerRead(const Block &Block, bool Lazy) {
    IRBuilder<> B(Block.Call);
    Value *View = viewOf(B, Block.surface());
    AllocaInst *Buffer = buffer(Block);
    auto [Inside, Direct] = inside(B, Block, View);
    const Outside O = outside(B, Block, View, Buffer);
    Instruction *Rare = callUnless(Inside, Block.Call, O.Which, O.Operands);
    B.SetInsertPoint(Block.Call);
    Place At{behind(Rare, Direct.First, Buffer), behind(Rare, Direct.Stride, B.getInt64(unsigned(Block.Pitch)))};
    if (!Lazy) {
      Block.Call->replaceAllUsesWith(readRows(B, At, Block.Data, At.First, 1, Block.Columns, 1));
    } else {
      for (User *U : make_early_inc_range(Block.Call->users())) {
        RegionRead R = *RegionRead::match(U);
        B.SetInsertPoint(R.Call);
        Value *Row = B.CreateMul(At.Stride, B.getInt64(unsigned(R.Where.Offset / Block.Columns)));
        Value *First = B.CreateGEP(B.getInt8Ty(), At.First, Row);
        // Elements apart are taken from whole rows, which other ones are taken from as well.
        int Column = R.Where.Offset % Block.Columns;
        const int Step = std::max(1, R.Where.HStride), Phase = Column % Step, Whole = R.Where.Width * Step;
        const bool Apart = Step > 1 && Column - Phase + Whole <= Block.Columns;
        if (Apart)
          Column -= Phase;
        First = B.CreateConstGEP1_64(B.getInt8Ty(), First, unsigned(Column * elementBytes(Block.Data)));
        auto read = [&](Type *T, int Width, int Stride) {
          return readRows(B, At, T, First, R.Where.VStride / Block.Columns, Width, Stride);
        };
        Type *T = R.Call->getType();
        R.Call->replaceAllUsesWith(Apart ? RegionRead::create(B, T, read(ofCount(T, countOf(T) * Step), Whole, 1),
                                                              Region{Whole, R.Where.Width, Step, Phase, nullptr})
                                         : read(T, R.Where.Width, R.Where.HStride));
        R.Call->eraseFromParent();
      }
    }
    Block.Call->eraseFromParent();
  }

  void lowerWrite(const Block &Block) {
    IRBuilder<> B(Block.Call);
    Value *View = viewOf(B, Block.surface());
    AllocaInst *Buffer = buffer(Block);
    auto [Inside, Direct] = inside(B, Block, View);
    int Columns = Block.Width / elementBytes(Block.Data);
    Type *Kept = FixedVectorType::get(Block.Data->getScalarType(), unsigned(Block.Rows * Columns));
    Value *Data = operandOf(*Block.Call, Role::Data);
    if (Columns != Block.Columns)
      Data = RegionRead::create(B, Kept, Data, {Block.Columns, Columns, 1, 0, nullptr});
    B.SetInsertPoint(
        store(*Block.Call, View, Inside, Direct, {Buffer, B.getInt64(unsigned(Block.Pitch))}, Data, unsigned(Columns)));
    const Outside O = outside(B, Block, View, Buffer);
    callRarely(B, O.Which, O.Operands);
    Block.Call->eraseFromParent();
  }
};

} // namespace

std::string lowerMediaBlocks(Function &F, const SurfacePolicy &Policy) { return MediaBlocks(F, Policy).run(); }

} // namespace pocm
