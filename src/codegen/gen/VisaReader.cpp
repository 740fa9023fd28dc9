//===- VisaReader.cpp - A second opinion on vISA text -----------------------------------------===//
#include "codegen/gen/VisaReader.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace pocm::gen {
namespace {

unsigned sizeOfLetter(StringRef Letter) {
  static const StringMap<unsigned> Sizes{{"ud", 4}, {"d", 4}, {"uw", 2}, {"w", 2}, {"ub", 1}, {"b", 1},
                                         {"uq", 8}, {"q", 8}, {"hf", 2}, {"f", 4}, {"df", 8}, {"bf", 2}};
  return Sizes.lookup(Letter);
}

bool isFloatLetter(StringRef Letter) { return Letter == "f" || Letter == "hf" || Letter == "df" || Letter == "bf"; }

/// A word of a statement: blanks inside (), <> and [] do not end it.
SmallVector<StringRef, 8> wordsOf(StringRef Line) {
  SmallVector<StringRef, 8> Words;
  size_t Start = StringRef::npos;
  int Depth = 0;
  for (size_t K = 0; K <= Line.size(); ++K) {
    char C = K < Line.size() ? Line[K] : ' ';
    if (C == '(' || C == '<' || C == '[')
      ++Depth;
    if (C == ')' || C == '>' || C == ']')
      --Depth;
    if (C == ' ' && Depth <= 0) {
      if (Start != StringRef::npos)
        Words.push_back(Line.slice(Start, K));
      Start = StringRef::npos;
    } else if (Start == StringRef::npos) {
      Start = K;
    }
  }
  return Words;
}

/// "V3(1,2)<4;2,1>" taken apart.
struct Direct {
  StringRef Name;
  int Row = 0, Column = 0;
  SmallVector<int, 3> Region;
};

bool numbers(StringRef Text, SmallVectorImpl<int> &Out) {
  SmallVector<StringRef, 3> Parts;
  SplitString(Text, Parts, ";,");
  for (StringRef P : Parts) {
    int N;
    if (P.trim().getAsInteger(10, N))
      return false;
    Out.push_back(N);
  }
  return true;
}

std::optional<Direct> directOperand(StringRef Word) {
  size_t Open = Word.find('('), Close = Word.find(')'), Less = Word.find('<');
  if (Open == 0 || Open == StringRef::npos || Close == StringRef::npos || Less != Close + 1 || !Word.ends_with(">"))
    return std::nullopt;
  Direct D;
  D.Name = Word.take_front(Open);
  SmallVector<int, 2> Place;
  if (!numbers(Word.slice(Open + 1, Close), Place) || Place.size() != 2 ||
      !numbers(Word.slice(Less + 1, Word.size() - 1), D.Region))
    return std::nullopt;
  D.Row = Place[0];
  D.Column = Place[1];
  return D;
}

class Reader {
  struct General {
    std::string Root;
    int Offset = 0; // of an alias in its root
    unsigned ElementBytes = 0, Bytes = 0;
    std::string Letter;
  };
  const GenTarget &Target;
  const ExpectedBytes &Expected;
  StringMap<General> Variables;
  StringMap<int> Predicates, Addresses;
  StringSet<> Others, Labels, Jumps, Functions, Calls;
  unsigned Line = 0;
  bool InFunction = false;

  void problem(const Twine &What) { Result.Problems.push_back(("line " + Twine(Line) + ": " + What).str()); }

  static StringRef valueOf(StringRef Statement, StringRef Key) {
    size_t At = Statement.find((" " + Key + "=").str());
    return At == StringRef::npos ? StringRef() : Statement.substr(At + Key.size() + 2).split(' ').first;
  }

  void declaration(StringRef Statement) {
    StringRef Name = Statement.split(' ').second.split(' ').first, Kind = valueOf(Statement, "v_type");
    int Count = 0;
    valueOf(Statement, "num_elts").getAsInteger(10, Count);
    if (Variables.count(Name) || Predicates.count(Name) || Others.contains(Name) || Addresses.count(Name))
      return problem(Name + " is declared twice");
    if (Kind == "P")
      Predicates[Name] = Count;
    else if (Kind == "A")
      Addresses[Name] = Count;
    else if (Kind != "G")
      Others.insert(Name);
    if (Kind != "G")
      return;
    General G;
    G.Letter = valueOf(Statement, "type").str();
    G.ElementBytes = sizeOfLetter(G.Letter);
    G.Bytes = unsigned(Count) * G.ElementBytes;
    G.Root = Name.str();
    if (!G.ElementBytes || Count <= 0)
      return problem(Name + " has no type or no elements");
    size_t Alias = Statement.find("alias=<");
    if (Alias != StringRef::npos) {
      auto [Of, Offset] = Statement.substr(Alias + 7).split('>').first.split(',');
      auto Root = Variables.find(Of.trim());
      if (Root == Variables.end())
        return problem(Name + " is another name of nothing");
      int Bytes = 0;
      Offset.trim().getAsInteger(10, Bytes);
      G.Root = Root->second.Root;
      G.Offset = Root->second.Offset + Bytes;
      if (unsigned(Bytes) + G.Bytes > Root->second.Bytes)
        problem(Name + " ends behind " + Of);
    }
    Variables[Name] = G;
  }

  static bool isOneOf(int X, std::initializer_list<int> All) { return is_contained(All, X); }

  /// Bytes of a region of a variable, checked.
  void region(StringRef Word, const Direct &D, int Channels, bool Destination) {
    auto Found = Variables.find(D.Name);
    if (Found == Variables.end()) {
      if (!D.Name.starts_with("%"))
        problem(D.Name + " is not declared");
      return;
    }
    const General &G = Found->second;
    int V = 0, W = 1, H = 0;
    if (Destination) {
      if (D.Region.size() != 1 || !isOneOf(D.Region[0], {1, 2, 4}))
        return problem("destination '" + Word + "' has no legal stride");
      V = D.Region[0];
    } else {
      if (D.Region.size() != 3 || !isOneOf(V = D.Region[0], {0, 1, 2, 4, 8, 16, 32}) ||
          !isOneOf(W = D.Region[1], {1, 2, 4, 8, 16}) || !isOneOf(H = D.Region[2], {0, 1, 2, 4}) || W > Channels)
        return problem("source '" + Word + "' has no legal region");
    }
    OperandBytes Here{G.Root, G.ElementBytes, {}};
    int First = D.Row * int(Target.GrfBytes) + D.Column * int(G.ElementBytes);
    for (int K = 0; K < Channels; ++K) {
      int At = First + ((K / W) * V + (K % W) * H) * int(G.ElementBytes);
      if (At < 0 || At + int(G.ElementBytes) > int(G.Bytes))
        return problem("'" + Word + "' reaches byte " + Twine(At) + " of " + D.Name + ", which has " + Twine(G.Bytes));
      Here.Offsets.push_back(G.Offset + At);
    }
    auto Meant = Expected.find({Word.str(), Channels});
    if (Meant == Expected.end())
      return;
    ++Result.Compared;
    if (Meant->second != Here)
      problem("'" + Word + "' does not name the bytes of its bale");
  }

  void indirect(StringRef Word) {
    StringRef Inside = Word.substr(2).split(']').first;
    auto [Address, Offset] = Inside.split("),");
    if (!Addresses.count(Address.split('(').first))
      problem("'" + Word + "': no such address variable");
    int N = 0;
    if (!Offset.empty() && (Offset.getAsInteger(10, N) || N < -512 || N > 511))
      problem("'" + Word + "': the offset is not in -512 .. 511");
  }

  void operand(StringRef Word, int Channels, bool Destination) {
    while (Word.starts_with("(")) { // modifiers
      Word = Word.split(')').second;
      if (Destination)
        problem("a destination has no modifiers");
    }
    if (Word.starts_with("r["))
      return indirect(Word);
    if (auto D = directOperand(Word)) {
      if (Addresses.count(D->Name) || D->Name.empty())
        return;
      return region(Word, *D, Channels, Destination);
    }
    raw(Word);
  }

  /// V3.32: whole registers.
  void raw(StringRef Word) {
    auto [Name, Offset] = Word.split('.');
    if (auto Found = Variables.find(Name); Found != Variables.end() && !Offset.empty()) {
      int At = 0;
      if (Offset.getAsInteger(10, At) || At % int(Target.GrfBytes) || At >= int(Found->second.Bytes))
        problem("'" + Word + "' does not begin a register of its variable");
    }
  }

  void payloads(ArrayRef<StringRef> Words) {
    for (StringRef Word : Words.drop_front())
      raw(Word);
  }

  void instruction(StringRef Statement) {
    ++Result.Instructions;
    if (!InFunction)
      problem("an instruction before .function");
    SmallVector<StringRef, 8> Words = wordsOf(Statement);
    bool Predicated = false;
    if (Words[0].starts_with("(")) {
      StringRef Name = Words[0].trim("()!").split('.').first;
      if (!Predicates.count(Name))
        problem("predicate " + Name + " is not declared");
      Predicated = true;
      Words.erase(Words.begin());
    }
    if (Words.empty())
      return problem("an instruction without a name");
    StringRef Name = Words[0].split('.').first;
    if (Predicated && isOneOfNames(Name, {"cmp", "min", "max", "gather", "scatter"}))
      problem("'" + Name + "' takes no predicate");
    if (Name == "jmp" && Words.size() > 2)
      Jumps.insert(Words[2]);
    if (Name == "call" && Words.size() > 2)
      Calls.insert(Words[2]);
    if (Words.size() < 2 || !Words[1].starts_with("(M"))
      return payloads(Words); // messages that say their size in another way
    int Channels = 0;
    if (Words[1].split(',').second.trim(" )").getAsInteger(10, Channels) || !isOneOf(Channels, {1, 2, 4, 8, 16, 32}))
      return problem("no execution size has '" + Words[1] + "'");
    if (isOneOfNames(Name, {"jmp", "call", "ret", "setp", "movs"}) || Name.contains("gather") ||
        Name.contains("scatter") || Name.contains("atomic") || Name.starts_with("lsc_") || Name.starts_with("raw_send"))
      return payloads(Words);
    if (Name.starts_with("sample")) { // texel offsets, then a sampler, a surface and whole variables
      operand(Words[2], 1, false);
      return payloads(ArrayRef(Words).drop_front(2));
    }
    if (Name == "addr_add") {
      for (StringRef Word : ArrayRef(Words).drop_front(3))
        if (!Word.starts_with("&"))
          operand(Word, Channels, false);
      return;
    }
    for (size_t K = 2; K < Words.size(); ++K) {
      if (Predicates.count(Words[K])) {
        if (Predicates[Words[K]] != Channels && Name != "mov")
          problem(Words[K] + " has not as many bits as the instruction has channels");
        continue;
      }
      operand(Words[K], Channels, K == 2);
    }
    mixed(Name, Words);
  }

  static bool isOneOfNames(StringRef Name, std::initializer_list<StringRef> All) { return is_contained(All, Name); }

  /// Floats and integers do not meet in arithmetic.
  void mixed(StringRef Name, ArrayRef<StringRef> Words) {
    if (isOneOfNames(Name, {"mov", "sel", "not"}))
      return;
    bool Float = false, Integer = false;
    for (StringRef Word : Words.drop_front(3)) {
      while (Word.starts_with("("))
        Word = Word.split(')').second;
      StringRef Letter;
      if (auto D = directOperand(Word); D && Variables.count(D->Name))
        Letter = Variables[D->Name].Letter;
      else if (size_t Colon = Word.rfind(':'); Colon != StringRef::npos)
        Letter = Word.substr(Colon + 1);
      if (sizeOfLetter(Letter))
        (isFloatLetter(Letter) ? Float : Integer) = true;
    }
    if (Float && Integer)
      problem("'" + Name + "' has sources of float and of integer type");
  }

public:
  ReadingResult Result;

  Reader(const GenTarget &Target, const ExpectedBytes &Expected) : Target(Target), Expected(Expected) {}

  void run(StringRef Text) {
    while (!Text.empty()) {
      StringRef Statement;
      std::tie(Statement, Text) = Text.split('\n');
      ++Line;
      bool Indented = Statement.starts_with(" ");
      Statement = Statement.split("//").first.trim();
      if (Statement.empty())
        continue;
      if (Statement.starts_with(".decl"))
        declaration(Statement);
      else if (Statement.starts_with(".function"))
        InFunction = true, Functions.insert(Statement.split('"').second.split('"').first);
      else if (Statement.starts_with("."))
        continue;
      else if (Statement.ends_with(":")) {
        if (Indented)
          problem("a label has to begin its line");
        Labels.insert(Statement.drop_back());
      } else
        instruction(Statement);
    }
    for (const auto &Jump : Jumps)
      if (!Labels.contains(Jump.getKey()))
        problem("no label " + Jump.getKey());
    for (const auto &Call : Calls)
      if (!Functions.contains(Call.getKey()))
        problem("no function " + Call.getKey());
    if (!InFunction)
      problem("no .function");
  }
};

} // namespace

ReadingResult readVisa(const std::string &Text, const GenTarget &Target, const ExpectedBytes &Expected) {
  Reader R(Target, Expected);
  R.run(Text);
  return std::move(R.Result);
}

} // namespace pocm::gen
