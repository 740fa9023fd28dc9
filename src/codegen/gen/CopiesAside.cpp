//===- CopiesAside.cpp - Copies that the finalizer forgets ---------------------------------------===//
//
//     mov (M1, 1) V2(0,0)<1> V1(0,1)<0;1,0>
//     mov (M1, 1) V3(0,0)<1> V1(0,4)<0;1,0>
//     mov (M1, 1) V1(0,1)<1> V4(0,0)<0;1,0>
//     add (M1, 1) V1(0,4)<1> V3(0,0)<0;1,0> 12:d
//     add (M1, 1) V5(0,0)<1> V3(0,0)<0;1,0> V4(0,0)<0;1,0>     reads V1(0,4), as it is now
//     add (M1, 1) V6(0,0)<1> V2(0,0)<0;1,0> V3(0,0)<0;1,0>     goes in front of the third line
//
// To read V1(0,1) instead of the copy V2, version 1.0.12504 of the finalizer has the last instruction run before V1
// changes. That one is the last reader of V3, too, up to which it looks for changes of V1(0,4) from then on: readers
// that were before it, and are behind it now, read the wrong value. Copies are not looked through in such kernels.
//
//===---------------------------------------------------------------------------------------------===//
#include "codegen/gen/CopiesAside.h"
#include "codegen/gen/VisaText.h"
#include "codegen/gen/VisaTraps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringMap.h"
#include <limits>

using namespace llvm;

namespace pocm::gen {
namespace {

using Span = VisaTraps::Span;

class CopyReader {
public:
  explicit CopyReader(unsigned GrfBytes) : GrfBytes(int(GrfBytes)) {}

  /// Whether a statement is such an instruction.
  bool reads(StringRef Line) {
    Line = Line.trim();
    if (Line.starts_with(".decl"))
      declare(Line);
    else if (Line.ends_with(":") || Line.contains(" jmp ") || Line.contains(" goto ") || Line.contains("call"))
      Copies.clear();
    else if (Line.contains("(M1"))
      return instruction(wordsOf(Line));
    return false;
  }

private:
  struct Name {
    StringRef Variable;
    int ElementBytes, At;
  };
  struct Copy {
    Span To, From;
    bool Changed = false; ///< What it was made from.
  };

  const int GrfBytes;
  StringMap<Name> Names;
  SmallVector<Copy, 16> Copies; // in this block

  void declare(StringRef Line) {
    if (valueOf(Line, "v_type") != "G")
      return;
    const StringRef Declared = Line.split(' ').second.ltrim().split(' ').first;
    Name N{Declared, int(sizeOfLetter(valueOf(Line, "type"))), 0};
    if (auto [Of, At] = Line.split("alias=<").second.split(','); !Of.empty()) {
      At.ltrim().consumeInteger(10, N.At);
      const Name Whole = Names.lookup(Of);
      N.Variable = Whole.Variable, N.At += Whole.At;
    }
    Names[Declared] = N;
  }

  std::optional<Span> bytesOf(StringRef Word, int Channels) const {
    const std::optional<DirectOperand> D = directOperand(Word);
    auto Known = D ? Names.find(D->Name) : Names.end();
    if (Known == Names.end())
      return std::nullopt;
    const Name &N = Known->second;
    const ArrayRef<int> R = D->Region;
    const int Elements = R.size() == 1  ? (Channels - 1) * R[0]
                         : R.size() < 3 ? 0
                                        : (Channels - 1) / R[1] * R[0] + std::min(Channels - 1, R[1] - 1) * R[2];
    const int First = N.At + D->Row * GrfBytes + D->Column * N.ElementBytes;
    return Span{N.Variable, First, First + (Elements + 1) * N.ElementBytes};
  }

  void write(const Span &Where) {
    erase_if(Copies, [&](const Copy &C) { return C.To.meets(Where); });
    for (Copy &C : Copies)
      C.Changed |= C.From.meets(Where);
  }

  bool instruction(ArrayRef<StringRef> Words) {
    const bool Guarded = Words[0].starts_with("(");
    Words = Words.drop_front(Guarded);
    int Channels = 0;
    if (Words.size() < 3 || Words[1].split(',').second.ltrim().consumeInteger(10, Channels))
      return false;
    const StringRef Operation = Words[0].split('.').first;
    if (const std::optional<int> To = destinationOf(Operation)) {
      const StringRef Into = *To ? Words[*To < 0 ? Words.size() + std::size_t(*To) : std::size_t(*To)] : "";
      if (auto Known = Names.find(Into.take_until([](char C) { return C == '.' || C == ':' || C == '('; }));
          Known != Names.end())
        write({Known->second.Variable, 0, std::numeric_limits<int>::max()});
      return false;
    }
    SmallSet<const Copy *, 4> Stale;
    for (StringRef Source : Words.drop_front(3))
      if (const std::optional<Span> From =
              bytesOf(Source.substr(Source.starts_with("(") ? Source.find(')') + 1 : 0), Channels))
        for (const Copy &C : Copies)
          if (C.Changed && C.To.meets(*From))
            Stale.insert(&C);
    if (Stale.size() > 1)
      return true;
    const std::optional<Span> To = bytesOf(Words[2], Channels);
    if (Words[2].starts_with("r["))
      for (Copy &C : Copies)
        C.Changed = true;
    if (To)
      write(*To);
    const std::optional<Span> From = To && Words[0] == "mov" && !Guarded ? bytesOf(Words[3], Channels) : std::nullopt;
    if (From)
      Copies.push_back({*To, *From});
    return false;
  }
};

} // namespace

bool readsCopiesAside(StringRef Text, unsigned GrfBytes) {
  CopyReader Copies(GrfBytes);
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  return any_of(Lines, [&](StringRef Line) { return Copies.reads(Line); });
}

} // namespace pocm::gen
