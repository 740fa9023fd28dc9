//===- VisaDeclarations.cpp - What vISA text declares -------------------------------===//
#include "codegen/gen/VisaDeclarations.h"
#include "codegen/gen/VisaText.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace pocm::gen {

std::string VisaDeclarations::add(StringRef Statement, VisaFlow &Flow) {
  StringRef Name = Statement.split(' ').second.split(' ').first, Kind = valueOf(Statement, "v_type");
  int Count = 0;
  valueOf(Statement, "num_elts").getAsInteger(10, Count);
  if (Variables.count(Name) || Predicates.count(Name) || Others.contains(Name) || Addresses.count(Name))
    return (Name + " is declared twice").str();
  if (Kind == "P")
    Predicates[Name] = Count;
  else if (Kind == "A")
    Addresses[Name] = Count;
  else if (Kind != "G")
    Others.insert(Name);
  if (Kind != "G") {
    Flow.declare(Name, 1, /*Whole=*/true);
    return "";
  }
  General G;
  G.Letter = valueOf(Statement, "type").str();
  G.ElementBytes = sizeOfLetter(G.Letter);
  G.Bytes = unsigned(Count) * G.ElementBytes;
  G.Root = Name.str();
  if (!G.ElementBytes || Count <= 0)
    return (Name + " has no type or no elements").str();
  std::string Wrong;
  size_t Alias = Statement.find("alias=<");
  if (Alias != StringRef::npos) {
    auto [Of, Offset] = Statement.substr(Alias + 7).split('>').first.split(',');
    auto Root = Variables.find(Of.trim());
    if (Root == Variables.end())
      return (Name + " is another name of nothing").str();
    int Bytes = 0;
    Offset.trim().getAsInteger(10, Bytes);
    G.Root = Root->second.Root;
    G.Offset = Root->second.Offset + Bytes;
    if (unsigned(Bytes) + G.Bytes > Root->second.Bytes)
      Wrong = (Name + " ends behind " + Of).str();
  } else {
    Flow.declare(Name, G.Bytes, /*Whole=*/false);
  }
  Variables[Name] = G;
  return Wrong;
}

} // namespace pocm::gen
