//===- VisaTraps.h - What the finalizer makes of pieces and of one for all ---------------===//
//
//     asr (M1, 4) V1(0,1)<2> ...
//     asr (M1, 4) V1(1,1)<2> ...
//     mov (M1, 8) V2(0,0)<1> V1(0,1)<2;1,0>  ->  line 3: 'V1(0,1)<2;1,0>' is moved from pieces ...
//
//     mov (M1, 8) V3_ub(0,0)<1> V4(0,1)<0;1,0>
//     cmp.le (M1, 8) P1 V3_ub(0,0)<1;1,0> 0:uw    ->   line 2: 'V3_ub(0,0)<1;1,0>' is compared ...
//
//     mov (M1, 8) V5_ud(0,0)<1> V6_ub(0,0)<1;1,0>
//     mov (M1, 8) V6_ub(0,0)<1> ...
//     add (M1, 8) V7(0,0)<1> V8(0,0)<1;1,0> (-)V5(0,0)<1;1,0>  ->  line 3: '(-)V5(0,0)<1;1,0>' is read without ...
//
// A part of the second reader. The finalizer has pieces written to where they are moved later in the same block; it
// keeps the distance between their elements when the move brings them closer together, and elements that are not moved.
// A comparison with 0 it takes into the instruction before, of which it makes one channel where all have the same in
// them, or computes another type first, and compares that. Where narrow integers change after they were widened, it
// keeps them as they were, with too little room for spread ones, and reads those instead of the wide ones, without the
// modifier. Bytes that a move has put aside it reads from where they lay.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/VisaReader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace pocm::gen {

class VisaTraps {
  const llvm::StringSet<> &Addressed; // variables that are reached through address registers

public:
  explicit VisaTraps(const llvm::StringSet<> &Addressed) : Addressed(Addressed) {}
  /// An instruction writes elements there, each so many bytes long.
  /// `Aside`: all channels compute them from the same, or as another type first.
  /// `Sum`: of products.
  void write(llvm::StringRef Variable, llvm::ArrayRef<int> Offsets, unsigned ElementBytes, bool Aside, bool Sum);
  /// A message writes bytes there, or keeps them: what moves them stays as it is.
  void message(llvm::StringRef Variable, unsigned First, unsigned Bytes);
  /// A label, or what a jump leads past.
  void block() {
    Writers.clear();
    Widened.clear();
    Copies.clear();
  }
  /// Whether a move of these elements is taken apart wrongly.
  bool movesPieces(llvm::StringRef Variable, llvm::ArrayRef<int> Offsets, unsigned ElementBytes) const;
  /// Whether one instruction has computed these elements so.
  bool isComputedAside(llvm::StringRef Variable, llvm::ArrayRef<int> Offsets) const;
  /// Whether some of these elements are sums of products.
  bool isSum(llvm::StringRef Variable, llvm::ArrayRef<int> Offsets) const;

  /// Bytes [First, Last) of a variable; of any that is addressed, where it has no name.
  struct Span {
    llvm::StringRef Variable;
    int First = 0, Last = 0;
    bool isAnywhere() const { return Variable.empty(); }
    bool meets(const Span &Other) const {
      return Variable == Other.Variable && First < Other.Last && Other.First < Last;
    }
  };
  /// A move has widened the integers of the one, with their sign or with zeros, to those of the other, perhaps with
  /// something in between.
  void widens(const Span &To, const Span &From, bool Signed, bool Spread) {
    Widened.push_back({To, From, Signed, false, Spread});
  }
  /// Whether such integers are read: signed division takes the narrow ones, where the other operand has a sign and they
  /// have none, and so do products of all bits by parts, where they have one.
  bool readsWidened(const Span &Read, bool Signed) const;
  /// Somebody writes at a run-time place: for the finalizer, into any variable with an address.
  void writesAnywhere();
  /// Whether a read with or without a modifier is one of widened integers that the finalizer does not keep as they are.
  bool readsKept(const Span &Read, bool Modified);

  /// A move puts bytes into another variable.
  void putsAside(const OperandBytes &To, const OperandBytes &From) { Copies.push_back({To, From}); }
  /// Whether bytes are written where others lay that the same instruction reads of where they were put.
  bool readsPutAside(const OperandBytes &To, const OperandBytes &From) const;

private:
  struct Instruction {
    llvm::SmallVector<int, 32> Offsets; // of the elements that it writes
    int ElementBytes;
    bool Aside, Sum;
  };
  std::vector<Instruction> Instructions;
  llvm::StringMap<llvm::DenseMap<int, unsigned>> Writers; // the number of the instruction, by the byte

  struct Widening {
    Span To, From;
    bool Signed;
    bool Changed, Unlike; // what was widened; and it is spread, or somebody has read it with a modifier
  };
  std::vector<Widening> Widened; // in this block

  struct Copy {
    OperandBytes To, From;
  };
  std::vector<Copy> Copies; // of bytes, in this block
  void changes(const Span &S);

  static bool overlap(const Instruction &W, llvm::ArrayRef<int> Offsets, unsigned ElementBytes);
  static bool keepsDistance(const Instruction &W, llvm::ArrayRef<int> Offsets, unsigned ElementBytes);
};

} // namespace pocm::gen
