//===- VisaFlow.cpp - Whether what vISA text reads was written before -----------------------===//
#include "codegen/gen/VisaFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pocm::gen {

void VisaFlow::declare(StringRef Name, unsigned Bytes, bool Whole) {
  Ranges[Name] = {Bits, Bytes, Whole};
  Bits += Bytes;
}

void VisaFlow::given(StringRef Name, unsigned First, unsigned Bytes) {
  if (auto Found = Ranges.find(Name); Found != Ranges.end())
    Given.push_back({Found->second.First + First, std::min(Bytes, Found->second.Bytes)});
}

void VisaFlow::read(unsigned Line, StringRef Name, ArrayRef<unsigned> Bytes, bool All) {
  auto Found = Ranges.find(Name);
  if (Found == Ranges.end() || Bytes.empty())
    return;
  Access A{Line, Name.str(), {}, All};
  for (unsigned Byte : Bytes)
    if (Byte < Found->second.Bytes)
      A.Bits.push_back(Found->second.First + Byte);
  Blocks.back().Accesses.push_back(std::move(A));
}

void VisaFlow::read(unsigned Line, StringRef Name) {
  if (auto Found = Ranges.find(Name); Found != Ranges.end())
    read(Line, Name, to_vector(seq(0u, Found->second.Bytes)));
}

void VisaFlow::write(StringRef Name, unsigned First, unsigned Bytes) {
  auto Found = Ranges.find(Name);
  if (Found == Ranges.end())
    return;
  Access A{0, Name.str(), {}};
  for (unsigned Byte = First; Byte < std::min(First + Bytes, Found->second.Bytes); ++Byte)
    A.Bits.push_back(Found->second.First + Byte);
  Blocks.back().Accesses.push_back(std::move(A));
}

void VisaFlow::write(StringRef Name) { write(Name, 0, ~0u >> 1); }

void VisaFlow::newBlock() {
  unsigned Function = Blocks.back().Function;
  Blocks.emplace_back().Function = Function;
}

void VisaFlow::label(StringRef Name) {
  newBlock();
  Places[Name] = unsigned(Blocks.size()) - 1;
}

void VisaFlow::function(StringRef Name) {
  if (Blocks.size() > 1) // nobody falls into a subroutine
    Blocks.back().FallsThrough = false;
  label(Name);
  Blocks.back().Function = unsigned(Blocks.size()) - 1;
}

void VisaFlow::jump(StringRef To, bool Conditional) {
  Blocks.back().To.push_back(To.str());
  Blocks.back().FallsThrough = Conditional;
  newBlock();
}

void VisaFlow::call(StringRef To) {
  Blocks.back().To.push_back(To.str());
  Blocks.back().Calls = true;
  newBlock();
}

void VisaFlow::end() {
  Blocks.back().FallsThrough = false;
  Blocks.back().Ends = true;
  newBlock();
}

/// Behind a call there is what its function has written, and for all that is known on every path what was there before.
void VisaFlow::connect() {
  for (unsigned K = 0; K < Blocks.size(); ++K) {
    Block &B = Blocks[K];
    if (B.FallsThrough && K + 1 < Blocks.size())
      B.Next.push_back(K + 1);
    for (const std::string &To : B.To) {
      auto Found = Places.find(To);
      if (Found == Places.end())
        continue;
      B.Next.push_back(Found->second);
      if (B.Calls)
        for (Block &Other : Blocks)
          if (Other.Ends && Other.Function == Found->second)
            Other.Returns.push_back(K + 1);
    }
  }
}

void VisaFlow::apply(const Block &B, BitVector &Written) {
  for (const Access &A : B.Accesses)
    if (!A.Line)
      for (unsigned Bit : A.Bits)
        Written.set(Bit);
}

void VisaFlow::solve() {
  std::vector<bool> Reached(Blocks.size(), false);
  for (Block &B : Blocks)
    B.Some.resize(Bits);
  Blocks[0].Every.resize(Bits);
  for (auto [First, Count] : Given) {
    Blocks[0].Some.set(First, First + Count);
    Blocks[0].Every.set(First, First + Count);
  }
  Reached[0] = true;
  for (SmallVector<unsigned, 16> Left{0}; !Left.empty();) {
    const Block &B = Blocks[Left.pop_back_val()]; // the list of blocks does not grow
    BitVector Some = B.Some, Every = B.Every;
    apply(B, Some);
    apply(B, Every);
    auto Go = [&](unsigned N, bool Returns) {
      Block &Next = Blocks[N];
      bool Changed = !Reached[N];
      BitVector New = Some;
      New.reset(Next.Some);
      Changed |= New.any();
      Next.Some |= Some;
      if (Returns && !Reached[N])
        return; // by its call first
      if (!Reached[N])
        Next.Every = Every;
      else if (BitVector Lost = Next.Every; !Returns && Lost.reset(Every).any()) {
        Next.Every.reset(Lost);
        Changed = true;
      }
      Reached[N] = true;
      if (Changed)
        Left.push_back(N);
    };
    for (unsigned N : B.Next)
      Go(N, false);
    for (unsigned N : B.Returns)
      Go(N, true);
  }
  for (unsigned K = 0; K < Blocks.size(); ++K)
    if (!Reached[K]) // whatever stands there is not executed
      Blocks[K].Accesses.clear();
}

std::vector<std::string> VisaFlow::problems() {
  connect();
  solve();
  std::vector<std::string> All;
  for (const Block &B : Blocks) {
    BitVector Some = B.Some, Every = B.Every;
    for (const Access &A : B.Accesses) {
      if (!A.Line) {
        for (unsigned Bit : A.Bits)
          Some.set(Bit), Every.set(Bit);
        continue;
      }
      const BitVector &Known = Ranges.find(A.Name)->second.Whole ? Every : Some;
      auto IsKnown = [&](unsigned Bit) { return Known.test(Bit); };
      if (A.All ? !all_of(A.Bits, IsKnown) : none_of(A.Bits, IsKnown))
        All.push_back("line " + std::to_string(A.Line) + ": " + A.Name + " is read, and not " +
                      (A.All ? "all of it " : "") + "written before");
    }
  }
  return All;
}

} // namespace pocm::gen
