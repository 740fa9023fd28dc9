// The run-lines of IR tests: which function is called, with which arguments, and what it gives.
//
//     ; run: name(ARGUMENT, ...) [as OTHER] [== BYTES]
//
// OTHER is a function of the test that computes the same in LLVM's own operations: before a pass it is called instead
// (run-lines --plain).
// An argument is a value (3, -1, 0.5) or a range (0..31) of each of its elements, a vector's elements one by one (<1,
// 2, 3>), `random`, which is bits of all kinds with the edges of its type among them, `finite`, the same without
// infinities and NaN, or `memory`: 4096 random bytes, by address (ptr) or as a surface (i32), which belong to the
// result. BYTES are hexadecimal digits in pairs, the result's bytes in the order of memory; blanks do not count.
#pragma once

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace pocm::runlines {

struct RunLine {
  std::string Text, Name;
  std::string Plain; ///< The function to call before the pass, when it is another one.
  std::vector<std::string> Arguments;
  std::optional<std::string> Bytes; ///< What the result has to be.
  /// Whether calls differ from each other.
  bool varies() const {
    return llvm::any_of(Arguments, [](llvm::StringRef A) {
      return A == "random" || A == "finite" || A == "memory" || A.contains("..");
    });
  }
};

/// Whether a comment begins as a run-line does, but for blanks, case or its place in the line; RUN: is lit's.
inline bool saysRun(llvm::StringRef Text) {
  const llvm::StringRef Comment = Text.split(';').second.ltrim("; \t"), Word = Comment.take_front(3);
  return Word.equals_insensitive("run") && Word != "RUN" && Comment.drop_front(3).ltrim().starts_with(":");
}

/// The run-lines of a test.
inline std::vector<RunLine> runLinesOf(llvm::StringRef Test) {
  std::vector<RunLine> All;
  llvm::SmallVector<llvm::StringRef, 64> Lines;
  Test.split(Lines, '\n');
  for (llvm::StringRef Text : Lines) {
    if (!Text.consume_front("; run: ")) {
      if (saysRun(Text))
        throw std::runtime_error("'" + Text.str() + "' does not begin with '; run: '");
      continue;
    }
    RunLine Line{Text.str(), Text.take_until([](char C) { return C == '('; }).str(), {}, {}, {}};
    llvm::StringRef Rest = Text.drop_front(Line.Name.size());
    if (!Rest.consume_front("(") || !Rest.contains(')'))
      throw std::runtime_error("'" + Line.Text + "' is not name(arguments)");
    auto [Inside, Behind] = Rest.split(')');
    bool Vector = false;
    std::string Argument;
    for (char C : Inside.str() + ",") {
      Vector = C == '<' || (Vector && C != '>');
      if (C != ',' || Vector)
        Argument += C;
      else if (llvm::StringRef One = llvm::StringRef(Argument).trim(); !One.empty())
        Line.Arguments.push_back(One.str()), Argument.clear();
    }
    if (Behind = Behind.trim(); Behind.consume_front("as ")) {
      Line.Plain = Behind.take_until([](char C) { return C == ' '; }).str();
      Behind = Behind.drop_front(Line.Plain.size()).trim();
    }
    if (Behind.consume_front("==")) {
      std::string Digits;
      llvm::copy_if(Behind, std::back_inserter(Digits), [](char C) { return C != ' '; });
      if (std::string Bytes; llvm::tryGetFromHex(Digits, Bytes) && Digits.size() % 2 == 0)
        Line.Bytes = Bytes;
      else
        throw std::runtime_error("'" + Digits + "' are not bytes");
    } else if (!Behind.empty()) {
      throw std::runtime_error("'" + Behind.str() + "' behind '" + Line.Name + "' is not understood");
    }
    All.push_back(std::move(Line));
  }
  return All;
}

/// Bits of one element.
class Element {
public:
  Element(const llvm::Type &T, std::mt19937_64 &Random)
      : Semantics(T.isFloatingPointTy() ? &T.getFltSemantics() : nullptr), Bits(T.getPrimitiveSizeInBits()),
        Random(Random) {}

  llvm::APInt random(bool Finite) {
    for (;;) {
      llvm::APInt Value = Random() % 3 == 0 ? edge() : anything();
      if (!Finite || !Semantics || llvm::APFloat(*Semantics, Value).isFinite())
        return Value;
    }
  }
  llvm::APInt value(llvm::StringRef Text) {
    if (Semantics) {
      llvm::APFloat Value(*Semantics);
      if (llvm::Expected<llvm::APFloat::opStatus> Status =
              Value.convertFromString(Text, llvm::APFloat::rmNearestTiesToEven))
        return Value.bitcastToAPInt();
      else
        llvm::consumeError(Status.takeError());
    } else if (long long Number; !Text.getAsInteger(0, Number)) {
      return llvm::APInt(Bits, std::uint64_t(Number), true, true);
    }
    throw std::runtime_error("'" + Text.str() + "' is no value of an argument");
  }
  llvm::APInt between(llvm::StringRef Low, llvm::StringRef High) {
    if (Semantics) {
      const double From = real(value(Low)), To = real(value(High));
      llvm::APFloat Value(std::uniform_real_distribution<double>(From, To)(Random));
      bool Inexact = false;
      Value.convert(*Semantics, llvm::APFloat::rmNearestTiesToEven, &Inexact);
      return Value.bitcastToAPInt();
    }
    const std::int64_t From = value(Low).sextOrTrunc(64).getSExtValue(),
                       To = value(High).sextOrTrunc(64).getSExtValue();
    return llvm::APInt(Bits, std::uint64_t(std::uniform_int_distribution<std::int64_t>(From, To)(Random)), true, true);
  }

private:
  const llvm::fltSemantics *Semantics;
  unsigned Bits;
  std::mt19937_64 &Random;

  double real(const llvm::APInt &Value) const {
    llvm::APFloat Number(*Semantics, Value);
    bool Inexact = false;
    Number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &Inexact);
    return Number.convertToDouble();
  }
  llvm::APInt anything() {
    llvm::APInt Value(Bits, Random(), false, true);
    // Small numbers meet each other more often than any bits do.
    return Random() % 4 == 0 ? Value.ashr(unsigned(Random() % Bits)) : Value;
  }
  llvm::APInt edge() {
    if (Semantics) {
      const llvm::APFloat Edges[] = {
          llvm::APFloat::getZero(*Semantics),     llvm::APFloat::getOne(*Semantics),
          llvm::APFloat::getInf(*Semantics),      llvm::APFloat::getLargest(*Semantics),
          llvm::APFloat::getSmallest(*Semantics), llvm::APFloat::getSmallestNormalized(*Semantics),
          llvm::APFloat::getNaN(*Semantics)};
      llvm::APFloat Chosen = Edges[Random() % std::size(Edges)];
      if (Random() % 2)
        Chosen.changeSign();
      return Chosen.bitcastToAPInt();
    }
    const llvm::APInt Edges[] = {llvm::APInt::getZero(Bits), llvm::APInt(Bits, 1), llvm::APInt::getAllOnes(Bits),
                                 llvm::APInt::getSignedMinValue(Bits), llvm::APInt::getSignedMaxValue(Bits)};
    return Edges[Random() % std::size(Edges)];
  }
};

/// The elements of an argument of this type.
inline std::vector<llvm::APInt> elementsOf(llvm::StringRef Argument, const llvm::Type &T, std::mt19937_64 &Random) {
  const auto *Vector = llvm::dyn_cast<llvm::FixedVectorType>(&T);
  const unsigned Count = Vector ? Vector->getNumElements() : 1;
  Element One(*T.getScalarType(), Random);
  std::vector<llvm::APInt> All;
  if (Argument.consume_front("<")) {
    llvm::SmallVector<llvm::StringRef, 16> Values;
    Argument.rtrim('>').split(Values, ',');
    for (llvm::StringRef Value : Values)
      All.push_back(One.value(Value.trim()));
    if (All.size() != Count)
      throw std::runtime_error(std::to_string(All.size()) + " elements, not " + std::to_string(Count));
    return All;
  }
  const auto [Low, High] = Argument.split("..");
  while (All.size() < Count)
    All.push_back(Argument == "random" || Argument == "finite" ? One.random(Argument == "finite")
                  : High.empty()                               ? One.value(Argument)
                                                               : One.between(Low, High));
  return All;
}

} // namespace pocm::runlines
