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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

using Numbers = std::vector<unsigned>;

class Graph {
public:
  explicit Graph(const std::vector<CpuLine> &Lines)
      : Next(Lines.size()), Part(Lines.size(), 0), Depths(Lines.size(), 0) {
    StringMap<unsigned> Labels;
    for (auto [Number, Line] : enumerate(Lines))
      if (StringRef Text = Line.text; Text.consume_back(":"))
        Labels[Text] = unsigned(Number);
    for (auto [Number, Line] : enumerate(Lines)) {
      StringRef Text = Line.text, Name = Text.take_until([](char C) { return C == ' '; });
      if (auto Target = Labels.find(Text.rsplit(' ').second); Target != Labels.end() && !Text.ends_with(":"))
        Next[Number].push_back(Target->second);
      if (!is_contained({"jmp", "jmpq", "ret", "retq", "ud2", "b"}, Name) && Number + 1 < Lines.size())
        Next[Number].push_back(unsigned(Number + 1));
    }
  }

  std::vector<std::uint32_t> depths() {
    Numbers All(Next.size());
    for (auto [Number, Line] : enumerate(All))
      Line = unsigned(Number);
    std::vector<Numbers> Todo = loopsOf(All);
    while (!Todo.empty()) {
      const Numbers Loop = std::move(Todo.back());
      Todo.pop_back();
      for (unsigned Line : Loop)
        ++Depths[Line];
      cutEntries(Loop);
      for (Numbers &Inner : loopsOf(Loop))
        Todo.push_back(std::move(Inner));
    }
    return std::move(Depths);
  }

private:
  std::vector<Numbers> Next; ///< Of each line.
  Numbers Part;              ///< Which part of the graph is being taken apart; lines of others do not count.
  std::vector<std::uint32_t> Depths;
  unsigned Parts = 0;

  /// The ways inside a loop to lines at which it is entered from elsewhere go; the first line is entered where none is.
  void cutEntries(const Numbers &Loop) {
    const unsigned Here = ++Parts;
    for (unsigned Line : Loop)
      Part[Line] = Here;
    std::vector<bool> Entered(Next.size(), false);
    bool Any = false;
    for (unsigned From = 0; From < Next.size(); ++From)
      for (unsigned To : Next[From])
        if (Part[From] != Here && Part[To] == Here)
          Any = Entered[To] = true;
    if (!Any)
      Entered[*min_element(Loop)] = true;
    for (unsigned Line : Loop)
      erase_if(Next[Line], [&](unsigned To) { return Entered[To]; });
  }

  /// The strongly connected parts of some lines that have a way back to themselves (Tarjan, without recursion).
  std::vector<Numbers> loopsOf(const Numbers &Lines) {
    const unsigned Here = ++Parts;
    for (unsigned Line : Lines)
      Part[Line] = Here;
    std::vector<Numbers> Found;
    Numbers Order(Next.size(), 0), Low(Next.size(), 0), Open;
    std::vector<bool> OnStack(Next.size(), false);
    unsigned Count = 0;
    for (unsigned Start : Lines) {
      if (Order[Start])
        continue;
      std::vector<std::pair<unsigned, size_t>> Path; // a line, and the next of its ways
      auto Enter = [&](unsigned Line) {
        Order[Line] = Low[Line] = ++Count;
        Open.push_back(Line);
        OnStack[Line] = true;
        Path.push_back({Line, 0});
      };
      Enter(Start);
      while (!Path.empty()) {
        const unsigned Line = Path.back().first;
        if (Path.back().second < Next[Line].size()) {
          const unsigned To = Next[Line][Path.back().second++];
          if (Part[To] != Here)
            continue;
          if (!Order[To])
            Enter(To);
          else if (OnStack[To])
            Low[Line] = std::min(Low[Line], Order[To]);
          continue;
        }
        Path.pop_back();
        if (!Path.empty())
          Low[Path.back().first] = std::min(Low[Path.back().first], Low[Line]);
        if (Low[Line] == Order[Line])
          closeFrom(Line, Open, OnStack, Found);
      }
    }
    return Found;
  }

  void closeFrom(unsigned Line, Numbers &Open, std::vector<bool> &OnStack, std::vector<Numbers> &Found) {
    Numbers Members;
    do {
      Members.push_back(Open.back());
      OnStack[Open.back()] = false;
      Open.pop_back();
    } while (Members.back() != Line);
    if (Members.size() > 1 || is_contained(Next[Line], Line))
      Found.push_back(std::move(Members));
  }
};

} // namespace

std::vector<std::uint32_t> listedLoops(const std::vector<CpuLine> &Lines) { return Graph(Lines).depths(); }

} // namespace pocm::cpu
