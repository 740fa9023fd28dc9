//===- ObjectNames.cpp - The language's objects by the names that users know ------------===//
//
// vector<T, N> is an alias of a class over the array type T[N], which Clang, debug
// information and demangled names spell out:
//
//     cm::detail::matrix_of<unsigned char [4][8]>   ->   matrix<unsigned char, 4, 8>
//
//===----------------------------------------------------------------------===//
#include "ir/ObjectNames.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr StringRef Names[] = {"vector_ref", "matrix_ref", "vector", "matrix"};

/// The position behind the '>' that closes what was opened before `From`.
size_t closing(StringRef Text, size_t From) {
  int Depth = 1;
  for (size_t At = From; At < Text.size(); ++At) {
    Depth += Text[At] == '<' ? 1 : Text[At] == '>' ? -1 : 0;
    if (Depth == 0)
      return At + 1;
  }
  return StringRef::npos;
}

/// "float, 2, 8" of "float [2][8]"; empty when it is no such thing.
std::string arguments(StringRef Array) {
  std::string Sizes;
  while (Array.consume_back("]")) {
    auto [Rest, Size] = Array.rsplit('[');
    if (Rest.size() == Array.size())
      return "";
    Sizes = (", " + Size + Sizes).str();
    Array = Rest.rtrim();
  }
  return Sizes.empty() ? "" : withObjectNames(Array) + Sizes;
}

/// Removes the explanations that say the same again.
void dropEmptyExplanations(std::string &Text) {
  for (size_t At = Text.find("' (aka '"); At != std::string::npos; At = Text.find("' (aka '", At + 1)) {
    size_t From = At + 8, End = Text.find("')", From), Size = End - From;
    if (End != std::string::npos && At >= Size + 1 && Text[At - Size - 1] == '\'' &&
        StringRef(Text).substr(At - Size, Size) == StringRef(Text).substr(From, Size))
      Text.erase(At + 1, End + 2 - At - 1);
  }
}

/// Removes cache hints, which nobody wrote like that, and what is deduced behind them from lists of template arguments.
void dropHints(std::string &Text) {
  constexpr StringRef Hint = ", cm::detail::lsc_hint{";
  for (size_t At = Text.find(Hint); At != std::string::npos; At = Text.find(Hint, At)) {
    size_t End = closing(Text, At);
    if (End == StringRef::npos)
      return;
    Text.erase(At, End - 1 - At);
  }
}

} // namespace

std::string withObjectNames(StringRef Text) {
  std::string Out, Templates;
  for (StringRef N : Names) // class templates without arguments
    if (std::string Template = ("'cm::detail::" + N + "_of'").str(); Text.contains(Template)) {
      Templates = Text.str();
      for (size_t At = Templates.find(Template); At != std::string::npos; At = Templates.find(Template, At))
        Templates.replace(At, Template.size(), ("'" + N + "'").str());
      return withObjectNames(Templates);
    }
  for (size_t At = Text.find("_of<"); At != StringRef::npos; At = Text.find("_of<")) {
    StringRef Front = Text.take_front(At), Name;
    for (StringRef N : Names)
      if (Name.empty() && Front.ends_with(N))
        Name = N;
    size_t End = closing(Text, At + 4);
    std::string Arguments = Name.empty() || End == StringRef::npos ? "" : arguments(Text.slice(At + 4, End - 1));
    if (Arguments.empty()) {
      Out += Text.take_front(At + 4);
      Text = Text.drop_front(At + 4);
      continue;
    }
    Front = Front.drop_back(Name.size());
    Front.consume_back("cm::detail::");
    Out += (Front + Name + "<" + Arguments + ">").str();
    Text = Text.drop_front(End);
  }
  Out += Text;
  dropHints(Out);
  dropEmptyExplanations(Out);
  return Out;
}

} // namespace pocm
