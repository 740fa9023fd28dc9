//===- VisaText.cpp - Statements of vISA text taken apart -------------------------===//
#include "codegen/gen/VisaText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace pocm::gen {

unsigned sizeOfLetter(StringRef Letter) {
  static const StringMap<unsigned> Sizes{{"ud", 4}, {"d", 4}, {"uw", 2}, {"w", 2}, {"ub", 1}, {"b", 1},
                                         {"uq", 8}, {"q", 8}, {"hf", 2}, {"f", 4}, {"df", 8}, {"bf", 2}};
  return Sizes.lookup(Letter);
}

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

StringRef valueOf(StringRef Statement, StringRef Key) {
  size_t At = Statement.find((" " + Key + "=").str());
  return At == StringRef::npos ? StringRef() : Statement.substr(At + Key.size() + 2).split(' ').first;
}

static bool numbers(StringRef Text, SmallVectorImpl<int> &Out) {
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

std::optional<DirectOperand> directOperand(StringRef Word) {
  size_t Open = Word.find('('), Close = Word.find(')'), Less = Word.find('<');
  if (Open == 0 || Open == StringRef::npos || Close == StringRef::npos || Less != Close + 1 || !Word.ends_with(">"))
    return std::nullopt;
  DirectOperand D;
  D.Name = Word.take_front(Open);
  SmallVector<int, 2> Place;
  if (!numbers(Word.slice(Open + 1, Close), Place) || Place.size() != 2 ||
      !numbers(Word.slice(Less + 1, Word.size() - 1), D.Region))
    return std::nullopt;
  D.Row = Place[0];
  D.Column = Place[1];
  return D;
}

namespace {
struct MessageForm {
  StringRef Name; // how it begins
  int Destination;
};
const MessageForm Messages[] = {
    {"media_ld", -1},  {"media_st", 0},      {"oword_ld", -1},     {"oword_st", 0},    {"gather", -1},
    {"scatter", 0},    {"svm_block_ld", -1}, {"svm_block_st", 0},  {"svm_gather", -1}, {"svm_scatter", 0},
    {"svm_atomic", 3}, {"dword_atomic", -1}, {"typed_atomic", -1}, {"sample", 5},      {"lsc_load", 2},
    {"lsc_store", 0},  {"lsc_atomic", 2},    {"raw_send", 0},      {"dpas", 2},        {"movs", 2},
    {"setp", 2},       {"nbarrier", 0},      {"lsc_fence", 0},     {"fence", 0},       {"barrier", 0},
    {"sbarrier", 0},
};
} // namespace

std::optional<int> destinationOf(StringRef Name) {
  auto Row = find_if(Messages, [&](const MessageForm &R) { return Name.starts_with(R.Name); });
  return Row == std::end(Messages) ? std::nullopt : std::optional(Row->Destination);
}

unsigned resultBytes(StringRef Name, StringRef Operand, int Channels) {
  unsigned Bytes = 0, Elements = 1;
  if (Name.starts_with("gather_scaled.") || Name.starts_with("gather."))
    Bytes = 4;
  if (Name.starts_with("svm_gather."))
    Name.drop_front(11).split('.').first.getAsInteger(10, Bytes);
  if (auto Shape = Operand.split(":d").second; !Shape.empty() && !Shape.contains('.')) {
    Shape.consumeInteger(10, Bytes);
    Bytes = Shape.starts_with("c32") ? 4 : Bytes / 8;
    if (size_t X = Shape.find('x'); X != StringRef::npos)
      Shape.drop_front(X + 1).consumeInteger(10, Elements);
    if (Elements > 1 && !Shape.ends_with("t"))
      return ~0u >> 2; // the next elements lie where the target has them
  }
  return Bytes ? std::max(Bytes, Channels > 1 ? 4u : 1u) * Elements * unsigned(Channels) : ~0u >> 2;
}

} // namespace pocm::gen
