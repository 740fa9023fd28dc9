//===- Report.cpp - What the cpu device's compiler made of a kernel ----------------------===//
//
// LLVM's listing, line by line with what is known of each:
//
//     .LBB0_5:                    # %for.body                          a block in two loops, one of them over threads
//                                 # =>  This Inner Loop Header: Depth=2
//             .loc    0 18 0                                           what follows comes from line 18
//             vmovaps %zmm0, 64(%rsp)   # 64-byte Spill                a register goes to memory
//
// and beside it variables, remarks and loops. For `--report` and -Rcm.
//
//===--------------------------------------------------------------------------------------===//
#include "pocm/report.h"
#include "codegen/cpu/ListedLoops.h"
#include "codegen/cpu/Listing.h"
#include "codegen/llvm/HelperLibrary.h"
#include "program/Container.h"
#include "program/Inside.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <map>

using namespace llvm;

namespace pocm::cpu {
namespace {

class Reader {
public:
  Reader(CpuReport &Into, const Listing::Said &Kernel) : Into(Into) {
    if (Kernel.line)
      OfKernel = {numberOfFile(Kernel.file), Kernel.line};
  }

  void run(StringRef Assembly) {
    SmallVector<StringRef, 0> Lines;
    Assembly.split(Lines, '\n');
    for (StringRef Text : Lines)
      line(Text);
    endBlock();
    for (auto [Line, Around] : zip(Into.lines, listedLoops(Into.lines)))
      Line.loops = std::max(Line.loops, Around);
    std::uint32_t Least = 0;
    for (const CpuLine &L : Into.lines)
      if (L.line && L.loops)
        Least = Least ? std::min(Least, L.loops) : L.loops;
    Into.threadLoops = Least;
    noteSpills();
  }

private:
  CpuReport &Into;
  std::map<unsigned, std::uint32_t> Files; ///< Of the assembly, as places in the report's list.
  std::uint32_t File = 0, Line = 0, Loops = 0;
  using Place = std::pair<std::uint32_t, std::uint32_t>; ///< File and line.
  Place OfKernel;                                        ///< Where moves count that no line asks for.
  struct Moves {
    unsigned Spills = 0, Reloads = 0;
    bool Costs = false;
  };
  struct Move {
    std::size_t At; ///< The line of the listing.
    bool Spill;
  };
  std::map<Place, Moves> Spilled;
  SmallVector<std::size_t, 0> Moved; ///< Lines of the listing that move vectors to memory or back.
  SmallVector<Move, 8> InBlock;      ///< Moves of the block that is read.
  bool Rare = false;                 ///< It calls what is for accesses that leave their surface.

  static unsigned numberOf(StringRef Text) {
    unsigned Number = 0;
    return Text.take_while([](char C) { return isDigit(C); }).getAsInteger(10, Number) ? 0 : Number;
  }

  std::uint32_t numberOfFile(const std::string &Path) {
    auto Known = find(Into.files, Path);
    if (Known == Into.files.end())
      Known = Into.files.insert(Known, Path);
    return std::uint32_t(Known - Into.files.begin());
  }
  Place placeOf(const CpuLine &L) const { return L.line ? Place(L.file, L.line) : OfKernel; }

  /// .file 1 "folder" "k.cpp"
  void file(StringRef Text) {
    SmallVector<StringRef, 6> Parts;
    Text.split(Parts, '"');
    if (Parts.size() < 3 || Parts[0].trim().empty() || !isDigit(Parts[0].ltrim().front()))
      return;
    std::string Path = Parts[1].str();
    if (Parts.size() >= 5)
      Path = Parts[3].starts_with("/") ? Parts[3].str() : Path + "/" + Parts[3].str();
    Files[numberOf(Parts[0].ltrim())] = numberOfFile(Path);
  }

  void line(StringRef Text) {
    auto [Code, Comment] = Text.split('#');
    StringRef Bare = Code.trim();
    const bool Block = (Bare.starts_with(".LBB") && Bare.ends_with(":")) || Comment.starts_with(" %bb.");
    if (Block) {
      endBlock();
      Loops = 0;
    }
    if (size_t At = Comment.find("Depth="); At != StringRef::npos)
      Loops = std::max(Loops, numberOf(Comment.drop_front(At + 6)));
    if (StringRef Rest = Bare; Rest.consume_front(".file"))
      return file(Rest.ltrim());
    if (StringRef Rest = Bare; Rest.consume_front(".loc")) {
      Rest = Rest.ltrim();
      File = Files[numberOf(Rest)];
      Line = numberOf(Rest.drop_while([](char C) { return !isSpace(C); }).ltrim());
      return;
    }
    if (Bare.starts_with(".LBB"))
      Into.lines.push_back({Bare.str(), 0, 0, Loops});
    if (Bare.empty() || Bare.starts_with(".") || Bare.ends_with(":")) {
      if (!Into.lines.empty() && Into.lines.back().text.ends_with(":")) // a label's loops are said behind it
        Into.lines.back().loops = Loops;
      return;
    }
    instruction(Bare, Comment);
  }

  static bool callsRareHelper(StringRef Code) {
#define HELPER(id, symbol, use)                                                                                        \
  if (HelperUse::use == HelperUse::Rare && Code.contains(#symbol))                                                     \
    return true;
#include "codegen/helpers/Helpers.def"
    return false;
  }

  /// What is moved around a call that hardly any thread makes costs nothing.
  void endBlock() {
    if (!Rare)
      for (const Move &M : InBlock) {
        Moves &Here = Spilled[placeOf(Into.lines[M.At])];
        ++(M.Spill ? Here.Spills : Here.Reloads);
        Moved.push_back(M.At);
      }
    InBlock.clear();
    Rare = false;
  }

  void instruction(StringRef Code, StringRef Comment) {
    Rare |= callsRareHelper(Code);
    std::string Text = Code.str();
    for (char &C : Text)
      C = C == '\t' ? ' ' : C;
    const bool Spill = Comment.contains("Spill"), Reload = Comment.contains("Reload");
    if (Spill || Reload) {
      constexpr unsigned Vector = 16; // bytes; numbers of addresses and counters come and go
      if (numberOf(Comment.ltrim()) >= Vector)
        InBlock.push_back({Into.lines.size(), Spill});
      Text += "  # " + Comment.trim().str();
    }
    Into.lines.push_back({Text, File, Line, Loops});
    ++Into.instructions;
  }

  /// Moves cost in loops, where they are many among the instructions of loops as deep; in a kernel that has none, among
  /// those of a thread. Said of the lines with most of them.
  void findCosts() {
    constexpr std::size_t Share = 20;
    std::map<std::uint32_t, std::size_t> All, Moves; // by depth
    for (const CpuLine &L : Into.lines)
      ++All[L.loops];
    for (std::size_t K : Moved)
      ++Moves[Into.lines[K].loops];
    const bool HasLoops = All.rbegin()->first > Into.threadLoops;
    std::map<Place, std::size_t> Lines;
    std::size_t Most = 0;
    for (std::size_t K : Moved)
      if (const CpuLine &L = Into.lines[K];
          L.loops >= Into.threadLoops + HasLoops && Moves[L.loops] * Share >= All[L.loops])
        Most = std::max(Most, ++Lines[placeOf(L)]);
    for (const auto &[Where, Count] : Lines)
      Spilled[Where].Costs = 2 * Count >= Most;
  }

  void noteSpills() {
    if (!Moved.empty())
      findCosts();
    for (auto &[Where, M] : Spilled) {
      const GenRemark Spill{Where.second ? Into.files[Where.first] : "", Where.second,
                            "vectors, " + std::to_string(M.Spills) + " to memory, " + std::to_string(M.Reloads) +
                                " back"};
      Into.spills.push_back(Spill);
      if (M.Costs)
        Into.costlySpills.push_back(Spill);
    }
  }
};

/// The only vector or matrix of that size of which the source chooses elements in that line.
GenVariable *aboutWhich(std::vector<GenVariable> &Variables, const Listing::Said &Remark) {
  GenVariable *Found = nullptr;
  for (GenVariable &V : Variables)
    if (Remark.bytes && V.bytes == Remark.bytes && V.file == Remark.file && is_contained(V.indexedLines, Remark.line)) {
      if (Found)
        return nullptr;
      Found = &V;
    }
  return Found;
}

void addVariables(const Listing &Code, CpuReport &Into) {
  static constexpr const char *Places[] = {"registers", "registers", "memory", "shared local memory", "arguments"};
  for (const VariableNote &N : Code.variables)
    Into.variables.push_back(
        {N.Name, N.Type, N.File, N.Line, N.Bytes, Places[unsigned(N.Place)], N.Rule, N.IndexedLines, {}});
  for (const Listing::Said &Remark : Code.remarks)
    if (GenVariable *V = aboutWhich(Into.variables, Remark)) {
      size_t Told = StringRef(Remark.text).find("run time, ");
      V->rule = Told == StringRef::npos ? Remark.text : Remark.text.substr(Told + StringRef("run time, ").size());
      V->place = StringRef(V->rule).contains("registers") && !StringRef(V->rule).starts_with("lives in memory")
                     ? "registers"
                     : "memory";
    }
  for (GenVariable &V : Into.variables)
    if (V.place == "registers" && none_of(Code.remarks, [&](const Listing::Said &R) {
          return R.bytes == V.bytes && is_contained(V.indexedLines, R.line);
        }))
      std::swap(V.indexedLines, V.directLines);
}

} // namespace
} // namespace pocm::cpu

pocm::CpuReport pocm::cpuReport(const Program &Loaded, std::string_view Kernel, const std::string &Cpu) {
  const KernelSignature &Signature = Loaded.kernel(Kernel);
  std::vector<std::uint32_t> ArgumentBytes;
  for (const Parameter &P : Signature.parameters)
    ArgumentBytes.push_back(P.bytes);
  const cpu::Target Target = cpu::chooseTarget(Cpu, false);
  cpu::Listing Code = cpu::generateListing(Inside::of(Loaded)->ir, Signature.name, ArgumentBytes, Target);
  CpuReport Done;
  Done.kernel = Signature.name;
  Done.cpu = Target.cpu;
  Done.registerBytes = Target.vectorBits / 8;
  cpu::Reader(Done, Code.kernel).run(Code.assembly);
  cpu::addVariables(Code, Done);
  for (const cpu::Listing::Said &S : Code.remarks)
    Done.remarks.push_back({S.file, S.line, S.text});
  for (const cpu::Listing::Said &S : Code.loops)
    Done.loops.push_back({S.file, S.line, S.text});
  return Done;
}
