//===- VisaFlow.h - Whether what vISA text reads was written before -------------------------===//
//
//     cmp.gt (M1, 4) P1 V33(0,0)<1;1,0> 1:d
//     (!P2.any) jmp (M1, 1) BB_3                 ->   line 16: P2 is read, and not written before
//
// A part of the second reader, which notes what each instruction reads and writes: bytes of variables, predicates,
// addresses. Of a variable, some path to the reader has to have written one of the bytes that it reads (what is
// undefined in the source is no mistake here), and all that the source defines of what a message takes; a predicate or
// an address has to be written on every path.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace pocm::gen {

class VisaFlow {
public:
  /// A variable of so many bytes; a predicate or an address, which are whole, has one.
  void declare(llvm::StringRef Name, unsigned Bytes, bool Whole);
  /// What the dispatch has written before the kernel begins.
  void given(llvm::StringRef Name, unsigned First, unsigned Bytes);

  // Instructions, in the order of the text

  void read(unsigned Line, llvm::StringRef Name, llvm::ArrayRef<unsigned> Bytes, bool All = false);
  void write(llvm::StringRef Name, unsigned First, unsigned Bytes);
  /// The same of all of it.
  void read(unsigned Line, llvm::StringRef Name);
  void write(llvm::StringRef Name);

  void label(llvm::StringRef Name);
  void function(llvm::StringRef Name);
  void jump(llvm::StringRef To, bool Conditional);
  void call(llvm::StringRef To);
  void end(); ///< Of the thread, or of a subroutine.

  /// What is wrong: "line 16: ...".
  std::vector<std::string> problems();

private:
  struct Range {
    unsigned First = 0, Bytes = 0;
    bool Whole = false;
  };
  struct Access {
    unsigned Line; // 0: written
    std::string Name;
    llvm::SmallVector<unsigned, 0> Bits;
    bool All = false; // of them have to be written
  };
  struct Block {
    std::vector<Access> Accesses;
    unsigned Function = 0;                // its first block
    llvm::SmallVector<std::string, 2> To; // labels, and the name of a function that is called
    bool FallsThrough = true, Calls = false, Ends = false;
    std::vector<unsigned> Next{}, Returns{};
    llvm::BitVector Some{}, Every{}; // written before it, on some path and on every path
  };
  llvm::StringMap<Range> Ranges;
  llvm::StringMap<unsigned> Places; // labels and functions: their blocks
  std::vector<Block> Blocks{Block()};
  std::vector<std::pair<unsigned, unsigned>> Given; // first bit, and how many
  unsigned Bits = 0;

  void newBlock();
  void connect();
  void solve();
  static void apply(const Block &B, llvm::BitVector &Written);
};

} // namespace pocm::gen
