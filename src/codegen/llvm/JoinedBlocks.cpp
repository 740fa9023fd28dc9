//===- JoinedBlocks.cpp - Reads of blocks that were joined read the blocks ------------------------===//
//
// A message has 256 bytes, so that larger blocks are read by several and joined:
//
//     %a = wrregion undef, %block0, 4 rows of 44               %x = rdregion %block0, 4 rows of 32 from 6
//     %b = wrregion %a, %block1, 4 rows of 44 from 176         %y = rdregion %block1, 4 rows of 32 from 6
//     %r = rdregion %b, 8 rows of 32 from 6               ->   %s = wrregion undef, %x, 128
//                                                              %r = wrregion %s, %y, 128 from 128
//
// Left, both blocks are values, and rows that begin at other columns are shuffles of them; right, all of their users
// are rows, which MediaBlocks.cpp reads where they lie: shifted ones cost what others do.
//
// Needs:    media blocks as messages.
// Leaves:   joined values without readers, which LLVM drops.
// Not done: rows of which several blocks have a part; blocks of which something else is read, too.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "codegen/llvm/SurfaceAccess.h"
#include "ir/Region.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace pocm {
namespace {

/// An element of a block; none where nobody wrote.
struct Origin {
  CallInst *Block = nullptr;
  int Element = 0;
};

CallInst *asBlock(Value *V) { return operationOf(V) == Op::MediaRead ? cast<CallInst>(V) : nullptr; }

/// What is joined: of a value that consists of parts of media blocks, which element each is.
class Joined {
public:
  static std::optional<Joined> match(Value *Last) {
    constexpr std::size_t Most = 16; // larger values are in memory
    SmallVector<RegionWrite, Most> Writes;
    Value *Old = Last;
    for (auto W = RegionWrite::match(Old); W; W = RegionWrite::match(Old)) {
      if (!W->Where.isConstant() || Writes.size() == Most || (Old != Last && !Old->hasOneUse()))
        return std::nullopt;
      Writes.push_back(*W);
      Old = W->old();
    }
    if (Writes.size() < 2 || !isa<UndefValue>(Old))
      return std::nullopt;
    Joined J;
    J.Origins.resize(std::size_t(countOf(Last->getType())));
    for (const RegionWrite &W : reverse(Writes))
      if (!J.place(W))
        return std::nullopt;
    return J;
  }

  /// A read as reads of one block each, in order; none if that cannot be.
  struct Part {
    CallInst *Block;
    Region Where;
    int Start, Count; ///< Elements of the read.
  };
  SmallVector<Part, 8> partsOf(const RegionRead &R) const {
    SmallVector<Part, 8> Parts;
    SmallVector<int, 64> Elements;
    auto End = [&] {
      auto Where = Region::through(Elements);
      if (Where && int(Elements.size()) % std::min(R.Where.Width, R.count()) == 0)
        Parts.back().Where = *Where, Parts.back().Count = int(Elements.size());
      Elements.clear();
      return Where && Parts.back().Count;
    };
    for (int K = 0; K < R.count(); ++K) {
      const int E = R.Where.element(K);
      if (E < 0 || std::size_t(E) >= Origins.size())
        return {};
      const Origin &From = Origins[std::size_t(E)];
      if (!From.Block)
        return {};
      if (Parts.empty() || Parts.back().Block != From.Block) {
        if (!Parts.empty() && !End())
          return {};
        Parts.push_back({From.Block, {}, K, 0});
      }
      Elements.push_back(From.Element);
    }
    if (!End())
      Parts.clear();
    return Parts;
  }

  SmallPtrSet<CallInst *, 8> Blocks;

private:
  std::vector<Origin> Origins;

  bool place(const RegionWrite &W) {
    CallInst *Block = asBlock(W.value());
    Region Where = Region::contiguous(W.count());
    if (auto R = RegionRead::match(W.value()); R && R->Where.isConstant())
      Block = asBlock(R->source()), Where = R->Where;
    if (!Block)
      return false;
    const int Size = countOf(Block->getType());
    for (int K = 0; K < W.count(); ++K) {
      const int To = W.Where.element(K), From = Where.element(K);
      if (To < 0 || To >= int(Origins.size()) || From < 0 || From >= Size)
        return false;
      Origins[std::size_t(To)] = {Block, From};
    }
    Blocks.insert(Block);
    return true;
  }
};

bool readBlocksOf(CallInst *Last) {
  SmallVector<RegionRead, 8> Reads;
  SmallVector<const CallInst *, 8> Readers;
  for (User *U : Last->users()) {
    auto R = RegionRead::match(U);
    if (!R || !R->Where.isConstant())
      return false;
    Reads.push_back(*R);
    Readers.push_back(R->Call);
  }
  if (Reads.empty())
    return false;
  auto Of = Joined::match(Last);
  if (!Of || !stayInMemory(SmallVector<const CallInst *, 8>(Of->Blocks.begin(), Of->Blocks.end()), Readers))
    return false;
  SmallVector<SmallVector<Joined::Part, 8>, 8> Parts;
  for (const RegionRead &R : Reads) {
    Parts.push_back(Of->partsOf(R));
    if (Parts.back().empty())
      return false;
  }
  for (auto [R, Of] : zip(Reads, Parts)) {
    IRBuilder<> B(R.Call);
    Type *Result = R.Call->getType();
    Value *All = UndefValue::get(Result);
    for (const Joined::Part &P : Of) {
      Value *One = RegionRead::create(B, Result->isVectorTy() ? ofCount(Result, P.Count) : Result, P.Block, P.Where);
      All = P.Count == R.count() ? One : RegionWrite::create(B, All, One, Region::contiguous(P.Count, P.Start));
    }
    R.Call->replaceAllUsesWith(All);
    R.Call->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructions(Last);
  return true;
}

} // namespace

bool readJoinedBlocks(Function &F) {
  SmallVector<CallInst *, 16> Lasts;
  for (Instruction &I : instructions(F))
    if (!I.use_empty() && RegionWrite::match(&I) && RegionRead::match(*I.user_begin()))
      Lasts.push_back(cast<CallInst>(&I));
  bool Changed = false;
  for (CallInst *Last : Lasts)
    Changed |= readBlocksOf(Last);
  return Changed;
}

} // namespace pocm
