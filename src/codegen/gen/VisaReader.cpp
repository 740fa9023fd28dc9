//===- VisaReader.cpp - A second opinion on vISA text -----------------------------------------===//
#include "codegen/gen/VisaReader.h"
#include "codegen/gen/VisaDeclarations.h"
#include "codegen/gen/VisaFlow.h"
#include "codegen/gen/VisaForms.h"
#include "codegen/gen/VisaText.h"
#include "codegen/gen/VisaTraps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace pocm::gen {
namespace {

class Reader {
  const GenTarget &Target;
  const ExpectedBytes &Expected;
  VisaDeclarations Declared;
  const StringMap<VisaDeclarations::General> &Variables = Declared.Variables;
  const StringMap<int> &Predicates = Declared.Predicates, &Addresses = Declared.Addresses;
  StringSet<> Labels, Jumps, Functions, Calls;
  VisaFlow Flow;
  StringSet<> AddressTaken; // variables that are reached through address registers
  VisaTraps Traps{AddressTaken};
  // Of the instruction
  bool Moves = false, ComparesWithZero = false;
  bool Modified = false;                           // the operand
  std::optional<VisaTraps::Span> Narrow;           // integers that it widens
  bool Signed = false;                             // with their sign
  bool Divides = false, ByParts = false;           // it is a division of signed dwords; a product of all bits, by parts
  bool Anywhere = false;                           // it writes at a run-time place
  VisaOperand *Seen = nullptr;                     // the operand, where it is looked at
  const VisaDeclarations::General *Into = nullptr; // of this variable, where that is known
  bool Reads = false, Same = true;                 // variables, and all channels the same of them
  bool Multiplies = false, Sums = false;
  bool AsAnother = false;           // the result is computed as another type first
  StringRef To;                     // the letter of what is written
  StringMap<std::string> AddressOf; // the variables that address registers point into
  unsigned Line = 0, Index = 0;     // of the text, and of the word in the instruction
  bool InFunction = false;

  void problem(const Twine &What) { Result.Problems.push_back(("line " + Twine(Line) + ": " + What).str()); }

  void declaration(StringRef Statement) {
    if (std::string Wrong = Declared.add(Statement, Flow); !Wrong.empty())
      problem(Wrong);
  }

  /// .input V32 offset=40 size=8, or .implicit_...
  void input(StringRef Statement) {
    StringRef Name = Statement.split(' ').second.split(' ').first;
    unsigned Bytes = 1;
    valueOf(Statement, "size").getAsInteger(10, Bytes);
    auto Found = Variables.find(Name);
    Flow.given(Found == Variables.end() ? Name : StringRef(Found->second.Root),
               Found == Variables.end() ? 0 : unsigned(Found->second.Offset), Bytes);
  }

  /// A whole variable, from a byte on; a predicate, an address or a surface.
  void reads(StringRef Name, unsigned First = 0) {
    auto Found = Variables.find(Name);
    if (Found == Variables.end())
      return Flow.read(Line, Name);
    const VisaDeclarations::General &G = Found->second;
    Flow.read(Line, G.Root, to_vector(seq(unsigned(G.Offset) + First, unsigned(G.Offset) + G.Bytes)));
  }
  void writes(StringRef Name, unsigned First = 0, unsigned Bytes = ~0u >> 2) {
    auto Found = Variables.find(Name);
    if (Found == Variables.end())
      return Flow.write(Name);
    const VisaDeclarations::General &G = Found->second;
    if (First >= G.Bytes)
      return;
    Bytes = std::min(Bytes, G.Bytes - First);
    Flow.write(G.Root, unsigned(G.Offset) + First, Bytes);
    Traps.message(G.Root, unsigned(G.Offset) + First, Bytes);
  }

  /// What the emitter says of the word.
  ArrayRef<OperandBytes> meant() const {
    auto Found = Expected.find({Line, Index});
    return Found == Expected.end() ? ArrayRef<OperandBytes>() : ArrayRef(Found->second);
  }

  /// What an instruction writes once it has read its sources.
  OperandBytes Written;
  void finish() {
    for (int At : Written.Offsets)
      Flow.write(Written.Variable, unsigned(At), Written.ElementBytes);
    if (!Written.Offsets.empty())
      Traps.write(Written.Variable, Written.Offsets, Written.ElementBytes,
                  (Reads && Same && Written.Offsets.size() > 1) || AsAnother, Sums);
    if (Into)
      Traps.message(Into->Root, unsigned(Into->Offset), Into->Bytes);
    if (Anywhere)
      Traps.writesAnywhere();
    Into = nullptr;
    Anywhere = false;
    if (!Written.Offsets.empty() && Narrow)
      Traps.widens(spanOf(Written), *Narrow, Signed,
                   Written.Offsets.back() - Written.Offsets.front() !=
                       int((Written.Offsets.size() - 1) * Written.ElementBytes));
    Written = {};
  }

  VisaTraps::Span spanOf(const OperandBytes &B) {
    return {Variables.find(B.Variable)->first(), *min_element(B.Offsets),
            *max_element(B.Offsets) + int(B.ElementBytes)};
  }

  static bool isOneOf(int X, std::initializer_list<int> All) { return is_contained(All, X); }

  /// Bytes of a region of a variable, checked.
  void region(StringRef Word, const DirectOperand &D, int Channels, bool Destination) {
    auto Found = Variables.find(D.Name);
    if (Found == Variables.end()) {
      if (!D.Name.starts_with("%"))
        problem(D.Name + " is not declared");
      return;
    }
    const VisaDeclarations::General &G = Found->second;
    int V = 0, W = 1, H = 0;
    if (Destination) {
      if (D.Region.size() != 1 || !isOneOf(D.Region[0], {1, 2, 4}))
        return problem("destination '" + Word + "' has no legal stride");
      V = D.Region[0];
      distance(Word, V, G.ElementBytes, Channels, 2);
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
    SmallVector<unsigned, 64> Bytes;
    for (int At : Here.Offsets)
      for (unsigned K = 0; K < G.ElementBytes; ++K)
        Bytes.push_back(unsigned(At) + K);
    if (Destination)
      Written = Here;
    else
      Flow.read(Line, G.Root, Bytes);
    if (Seen)
      *Seen = {Word, G.Letter, G.ElementBytes, false, W, Variables.at(G.Root).Bytes >= Target.GrfBytes, Here};
    if (!Destination) {
      Same &= all_of(Here.Offsets, [&](int At) { return At == Here.Offsets[0]; });
      Reads = true;
      AsAnother |= Multiplies ? sizeOfLetter(To) == 1 : G.Letter == "hf" && !isFloatLetter(To);
    }
    if (ComparesWithZero && Traps.isComputedAside(G.Root, Here.Offsets))
      problem("'" + Word + "' is compared by the finalizer where one channel, or another type, of it is computed");
    if (ComparesWithZero && Channels == 2 && Target.has(CutsGuardedPairs) && G.ElementBytes != 4)
      problem("'" + Word + "' is compared by the finalizer where it is computed, which it may cut in two");
    if (Destination) {
      To = G.Letter;
      ByParts = Multiplies && sizeOfLetter(To) == 8 && !Target.has(HasInt64);
    }
    bool Copies = Moves && sizeOfLetter(To) == G.ElementBytes &&
                  (To == G.Letter || !(isFloatLetter(To) || isFloatLetter(G.Letter)));
    if (!Destination && Copies && !AddressTaken.contains(G.Root) &&
        Traps.movesPieces(G.Root, Here.Offsets, G.ElementBytes))
      problem("'" + Word + "' is moved from pieces between whose elements the finalizer keeps the distance");
    if (!Destination && Moves && To == "hf" && G.Letter == "f" && Traps.isSum(G.Root, Here.Offsets))
      problem("'" + Word + "' is computed by the finalizer in halves, in a sum and a product");
    if (!Destination && Traps.readsKept(spanOf(Here), Modified))
      problem("'" + Word + "' is read by the finalizer from what it has kept of the narrow integers");
    if (!Destination && ((Divides && G.Letter == "d" && Traps.readsWidened(spanOf(Here), false)) ||
                         (ByParts && Traps.readsWidened(spanOf(Here), true))))
      problem("'" + Word + "' is taken by the finalizer as the narrow integers that it was widened from");
    if (!Destination && widens(G.Letter)) {
      Narrow = spanOf(Here);
      Signed = !StringRef(G.Letter).starts_with("u");
    }
    for (const OperandBytes &Meant : meant()) {
      ++Result.Compared;
      if (Meant != Here)
        problem("'" + Word + "' does not name the bytes of its bale");
    }
  }

  /// Whether the instruction moves integers of that type to where they have more bits.
  bool widens(StringRef Letter) const {
    return Moves && !isFloatLetter(To) && !isFloatLetter(Letter) && sizeOfLetter(To) > sizeOfLetter(Letter);
  }

  /// How far apart the elements of 64 bits may lie that the finalizer writes as dwords.
  void distance(StringRef Word, int Stride, unsigned ElementBytes, int Channels, int Furthest) {
    if (Target.has(LacksWideMoves) && ElementBytes == 8 && Channels > 1 && Stride > Furthest)
      problem("'" + Word + "' is written by the finalizer as dwords too far apart");
  }

  void indirect(StringRef Word, int Channels, bool Destination) {
    if (int Stride = 0; Destination && !Word.split("]<").second.consumeInteger(10, Stride))
      distance(Word, Stride, sizeOfLetter(Word.rsplit(':').second), Channels, 1);
    if (Seen) {
      StringRef Letter = Word.rsplit(':').second, Rows = Word.split(';').second;
      *Seen = {Word, Letter, sizeOfLetter(Letter), true, 1, false, std::nullopt};
      Rows.consumeInteger(10, Seen->Width);
    }
    StringRef Inside = Word.substr(2).split(']').first;
    auto [Address, Offset] = Inside.split("),");
    StringRef Name = Address.split('(').first;
    if (!Addresses.count(Name))
      problem("'" + Word + "': no such address variable");
    Flow.read(Line, Name);
    if (auto Of = AddressOf.find(Name); Destination && Of != AddressOf.end())
      if (auto Found = Variables.find(Of->second); Found != Variables.end()) {
        Into = &Found->second; // some element
        Flow.write(Into->Root, unsigned(Into->Offset), Into->Bytes);
      }
    Anywhere |= Destination;
    if (StringRef Letter = Word.rsplit(':').second; Destination)
      To = Letter;
    else if (widens(Letter)) {
      Narrow = VisaTraps::Span{};
      Signed = !Letter.starts_with("u");
    }
    int N = 0;
    if (!Offset.empty() && (Offset.getAsInteger(10, N) || N < -512 || N > 511))
      problem("'" + Word + "': the offset is not in -512 .. 511");
  }

  void operand(StringRef Word, int Channels, bool Destination) {
    Modified = Word.starts_with("(");
    while (Word.starts_with("(")) { // modifiers
      Word = Word.split(')').second;
      if (Destination)
        problem("a destination has no modifiers");
      Moves = false; // but calculates
    }
    if (Word.starts_with("r[")) {
      Same = false;
      return indirect(Word, Channels, Destination);
    }
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

  /// Variables that a word names: V1.32, V1(0,0)<1;1,0>, V1:d32, flat[V1+0x20]:a64, bti(V1)[V2,V3]:a32.
  void readsOf(StringRef Word) {
    StringSet<> Named;
    for (size_t Begin = 0; Begin < Word.size();) {
      size_t End = Begin;
      while (End < Word.size() && (isAlnum(Word[End]) || Word[End] == '_' || Word[End] == '%'))
        ++End;
      StringRef Name = Word.slice(Begin, End);
      unsigned First = 0;
      if (Variables.count(Name) && Word.substr(End).starts_with("."))
        Word.drop_front(End + 1).consumeInteger(10, First);
      if (Variables.count(Name) || Predicates.count(Name) || Declared.Others.contains(Name))
        reads(Name, First);
      if (auto Found = Variables.find(Name); Found != Variables.end())
        Named.insert(Found->second.Root);
      Begin = std::max(End, Begin + 1);
    }
    for (const OperandBytes &Meant : meant())
      if (Meant.All)
        takes(Word, Meant, Named);
      else
        takesElement(Word, Meant, Named);
  }

  /// A message takes one element of a variable, as an offset, a coordinate or the number of a surface.
  void takesElement(StringRef Word, const OperandBytes &Meant, const StringSet<> &Named) {
    ++Result.Compared;
    auto D = directOperand(Word);
    auto Found = D ? Variables.find(D->Name) : Variables.end();
    if (Found == Variables.end()) {
      if (!Named.contains(Meant.Variable))
        problem("'" + Word + "' does not name the variable of its bale");
      return;
    }
    const VisaDeclarations::General &G = Found->second;
    int At = G.Offset + D->Row * int(Target.GrfBytes) + D->Column * int(G.ElementBytes);
    if (Meant != OperandBytes{G.Root, G.ElementBytes, {At}})
      problem("'" + Word + "' does not name the bytes of its bale");
  }

  /// A message takes what the source defines of a variable, whole registers of it.
  void takes(StringRef Word, const OperandBytes &Meant, const StringSet<> &Named) {
    ++Result.Compared;
    if (!Named.contains(Meant.Variable))
      problem("'" + Word + "' does not name the variable of its bale");
    Flow.read(Line, Meant.Variable, SmallVector<unsigned, 0>(Meant.Offsets.begin(), Meant.Offsets.end()),
              /*All=*/true);
  }

  void message(ArrayRef<StringRef> Words, int Channels) {
    for (StringRef Word : Words.drop_front())
      raw(Word);
    const std::optional<int> Writes = destinationOf(Words[0]);
    if (!Writes)
      return problem("'" + Words[0] + "' is no message that this reader knows");
    if (Words[0].starts_with("svm_atomic") && Channels > 8)
      problem("'" + Words[0] + "' has more than the message's 8 channels");
    if (Words[0].starts_with("lsc_atomic") && !is_contained(Words.take_back(2), StringRef("%null")))
      for (StringRef Word : Words.take_back(2))
        if (auto Found = Variables.find(Word); Found != Variables.end() && Found->second.Offset)
          problem("'" + Word +
                  "' is a part of a variable: of two sources each is taken from where its variable begins");
    if (Words[0] == "setp" && Channels == 32)
      if (auto D = directOperand(Words.back()); D && Variables.count(D->Name) && Variables.at(D->Name).ElementBytes < 4)
        problem("'" + Words.back() + "' sets 16 channels alone");
    int Destination = *Writes < 0 ? int(Words.size()) + *Writes : *Writes;
    for (int K = 1; K < int(Words.size()); ++K) {
      Index = unsigned(K);
      if (K != Destination || !Destination)
        readsOf(Words[size_t(K)]);
    }
    if (Destination <= 0 || Destination >= int(Words.size()))
      return;
    StringRef To = Words[size_t(Destination)];
    auto [Name, Rest] = To.split(To.contains(':') ? ':' : To.contains('(') ? '(' : '.');
    unsigned First = 0;
    if (!To.contains(':') && !To.contains('('))
      Rest.getAsInteger(10, First);
    writes(Name, First, resultBytes(Words[0], To, Channels));
  }

  void function(StringRef Name) {
    InFunction = true;
    Functions.insert(Name);
    Flow.function(Name);
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
      Flow.read(Line, Name);
      Predicated = true;
      Words.erase(Words.begin());
    }
    if (Words.empty())
      return problem("an instruction without a name");
    StringRef Name = Words[0].split('.').first;
    if (Predicated && isOneOfNames(Name, {"cmp", "min", "max", "gather", "scatter"}))
      problem("'" + Name + "' takes no predicate");
    if (control(Name, Words, Predicated))
      return;
    int Channels = 0;
    bool Sized = Words.size() > 1 && Words[1].starts_with("(M");
    if (Sized &&
        (Words[1].split(',').second.trim(" )").getAsInteger(10, Channels) || !isOneOf(Channels, {1, 2, 4, 8, 16, 32})))
      return problem("no execution size has '" + Words[1] + "'");
    Moves = Name == "mov";
    Reads = false;
    Narrow = std::nullopt;
    Same = true;
    Multiplies = Name == "mul";
    Sums = Name == "mad";
    Divides = isOneOfNames(Name, {"div", "mod"});
    AsAnother = ByParts = ComparesWithZero = false;
    To = "";
    Index = 2;
    if (Name.starts_with("sample") && Words.size() > 2) // texel offsets, then a sampler, a surface and whole variables
      operand(Words[2], 1, false);
    if (!Sized || destinationOf(Name))
      return message(Words, Channels);
    if (Name == "addr_add") {
      StringRef To = Words[2].split('(').first;
      for (Index = 3; Index < Words.size(); ++Index)
        if (StringRef Word = Words[Index]; Word.starts_with("&"))
          AddressOf[To] = Word.drop_front().str();
        else if (Word.starts_with("r["))
          problem("addr_add takes no element at an address, as " + Word + " is");
        else
          operand(Word, Channels, false);
      return Flow.write(To);
    }
    StringRef Predicate; // that is written
    VisaInstruction Form{Name, Words[0].ends_with(".sat"), Channels, {}, {}};
    ComparesWithZero = Name == "cmp" && Predicates.count(Words[2]) && Words.size() == 5 && Words[4].starts_with("0:");
    for (Index = 2; Index < Words.size(); ++Index) {
      if (Predicates.count(Words[Index])) {
        if (Predicates.at(Words[Index]) != Channels && Name != "mov")
          problem(Words[Index] + " has not as many bits as the instruction has channels");
        if (Index == 2)
          Predicate = Words[Index];
        else
          Flow.read(Line, Words[Index]);
        continue;
      }
      Seen = Index == 2 ? &Form.To : &Form.From.emplace_back();
      Seen->Text = Words[Index];
      operand(Words[Index], Channels, Index == 2);
      Seen = nullptr;
    }
    chosenSecond(Name, Words);
    if (std::string Wrong = wrongForm(Form, Target); !Wrong.empty())
      problem(Wrong);
    const bool Copies = bytes(Form) && Moves && !Form.Saturates;
    if (Name == "cmp" && Words[2].starts_with("r["))
      problem("'cmp' writes no elements at a run-time place");
    if ((Predicated || Name == "sel") && Channels == 2 && Target.has(CutsGuardedPairs) && !To.empty() &&
        sizeOfLetter(To) < 4)
      problem("'" + Words[2] + "' takes no predicate: the finalizer may cut the two channels in two");
    finish();
    if (Copies && !Predicated)
      Traps.putsAside(*Form.To.Of, *Form.From[0].Of);
    if (!Predicate.empty())
      Flow.write(Predicate);
    mixed(Name, Words);
  }

  /// Whether several bytes are computed or moved, from one of which each is made where that is a move.
  bool bytes(const VisaInstruction &I) {
    if (I.Channels == 1 || I.To.Bytes != 1 || !I.To.Of)
      return false;
    for (const VisaOperand &From : I.From)
      if (From.Bytes == 1 && From.Of && Traps.readsPutAside(*I.To.Of, *From.Of))
        problem("'" + From.Text + "' was put aside by a move: the finalizer reads it in place");
    return I.From.size() == 1 && I.From[0].Bytes == 1 && I.From[0].Of && I.From[0].Of->Variable != I.To.Of->Variable;
  }

  /// Elements that are chosen channel by channel are copied as numbers with a sign, unless they are the first operand
  /// or can be made the first.
  void chosenSecond(StringRef Name, ArrayRef<StringRef> Words) {
    auto IsChosen = [](StringRef Word) { return Word.contains("]<1,0>"); };
    bool Swaps = isOneOfNames(Name, {"add", "and", "or", "xor", "cmp"}), First = false;
    for (size_t K = 3; K < Words.size(); ++K) {
      bool Float = isFloatLetter(Words[K].rsplit(':').second);
      bool Takes = !isOneOfNames(Name, {"div", "mod"}) && (K == 3 || (!First && (Swaps || (Name == "mul" && Float))));
      if (IsChosen(Words[K]) && !Takes && !(Name == "div" && Float))
        problem("'" + Words[K] + "' is no operand of '" + Name + "' there");
      First |= IsChosen(Words[K]);
    }
  }

  bool control(StringRef Name, ArrayRef<StringRef> Words, bool Predicated) {
    if (Name == "ret") {
      Flow.end();
    } else if (isOneOfNames(Name, {"jmp", "goto"}) && Words.size() > 2) {
      Jumps.insert(Words[2]);
      Traps.block();
      Flow.jump(Words[2], Predicated);
    } else if (Name == "call" && Words.size() > 2) {
      Calls.insert(Words[2]);
      Flow.call(Words[2]);
    } else {
      return false;
    }
    return true;
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
        Letter = Variables.at(D->Name).Letter;
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
    for (size_t At = Text.find(" &"); At != StringRef::npos; At = Text.find(" &", At + 1))
      AddressTaken.insert(Text.substr(At + 2).take_while([](char C) { return C != ' ' && C != '_'; }));
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
        function(Statement.split('"').second.split('"').first);
      else if (Statement.starts_with(".input") || Statement.starts_with(".implicit"))
        input(Statement);
      else if (Statement.starts_with("."))
        continue;
      else if (Statement.ends_with(":")) {
        if (Indented)
          problem("a label has to begin its line");
        Labels.insert(Statement.drop_back());
        Flow.label(Statement.drop_back());
        Traps.block();
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
    append_range(Result.Problems, Flow.problems());
  }
};

} // namespace

ReadingResult readVisa(const std::string &Text, const GenTarget &Target, const ExpectedBytes &Expected) {
  Reader R(Target, Expected);
  R.run(Text);
  return std::move(R.Result);
}

} // namespace pocm::gen
