//===- ListedLoops.cpp - Loops of a listing --------------------------------------------------===//
//
//     .LBB0_1:          0
//       jbe .LBB0_3     1    in the loop that is entered here
//     .LBB0_2:          1    and here
//       ...
//     .LBB0_3:          1
//       ja .LBB0_2      1
//
// Strongly connected parts of the graph of lines are loops; each is taken apart again without the ways to its entries.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/ListedLoops.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace {
struct Node {
  SmallVector<Node *, 2> Next;
  unsigned Part = 0; ///< Its strongly connected part.
  bool Entered = false;
};
} // namespace

template <> struct llvm::GraphTraits<Node *> {
  using NodeRef = Node *;
  using ChildIteratorType = SmallVectorImpl<Node *>::iterator;
  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) { return N->Next.begin(); }
  static ChildIteratorType child_end(NodeRef N) { return N->Next.end(); }
};

namespace pocm::cpu {
namespace {

class Graph {
public:
  explicit Graph(const std::vector<CpuLine> &Lines) : Nodes(Lines.size()), Depths(Lines.size(), 0) {
    StringMap<Node *> Labels;
    for (auto [Line, N] : zip(Lines, Nodes)) {
      Root.Next.push_back(&N);
      if (StringRef Text = Line.text; Text.consume_back(":"))
        Labels[Text] = &N;
    }
    for (auto [Line, N] : zip(Lines, Nodes)) {
      StringRef Text = Line.text, Name = Text.take_until([](char C) { return C == ' '; });
      if (auto Target = Labels.find(Text.rsplit(' ').second); Target != Labels.end() && !Text.ends_with(":"))
        N.Next.push_back(Target->second);
      if (!is_contained({"jmp", "jmpq", "ret", "retq", "ud2", "b"}, Name) && &N != &Nodes.back())
        N.Next.push_back(&N + 1);
    }
  }

  std::vector<std::uint32_t> depths() {
    while (takeApart())
      ;
    return std::move(Depths);
  }

private:
  std::vector<Node> Nodes; ///< Of the lines.
  std::vector<std::uint32_t> Depths;
  Node Root; ///< From which there is a way to all of them.

  /// Counts the outermost loops that are left, and cuts the ways to their entries and those out of them; false where
  /// there is none.
  bool takeApart() {
    std::vector<std::vector<Node *>> Loops;
    unsigned Part = 0;
    for (auto At = scc_begin(&Root); !At.isAtEnd(); ++At, ++Part) {
      for (Node *N : *At)
        N->Part = Part;
      if (At.hasCycle())
        Loops.push_back(*At);
    }
    for (Node &N : Nodes)
      for (Node *To : N.Next)
        To->Entered |= To->Part != N.Part;
    for (const std::vector<Node *> &Loop : Loops) {
      if (none_of(Loop, [](Node *N) { return N->Entered; }))
        (*min_element(Loop))->Entered = true;
      for (Node *N : Loop)
        ++Depths[size_t(N - Nodes.data())];
    }
    for (Node &N : Nodes)
      erase_if(N.Next, [&](Node *To) { return To->Part != N.Part || To->Entered; });
    return !Loops.empty();
  }
};

} // namespace

std::vector<std::uint32_t> listedLoops(const std::vector<CpuLine> &Lines) { return Graph(Lines).depths(); }

} // namespace pocm::cpu
