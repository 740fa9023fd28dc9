//===- VisaForms.cpp - Instructions that the finalizer gets wrong by themselves -----------===//
#include "codegen/gen/VisaForms.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// Bytes of one variable are read and written by different channels: of two halves the second reads what the first
/// wrote.
bool shiftsInPlace(const VisaOperand &To, const VisaOperand &From) {
  if (To.Bytes != 1 || !To.Of || !From.Of || To.Of->Variable != From.Of->Variable)
    return false;
  for (size_t I = 0; I < To.Of->Offsets.size(); ++I)
    for (size_t J = 0; J < From.Of->Offsets.size(); ++J) {
      const int Written = To.Of->Offsets[I], Read = From.Of->Offsets[J];
      if ((I != J || From.Bytes > 1) && Read <= Written && Written < Read + int(From.Bytes))
        return true;
    }
  return false;
}

/// A row of several reaches into the next register.
bool breaksRow(const VisaOperand &From, int Channels, unsigned GrfBytes) {
  if (!From.Of || !From.Aligned || From.Width == 1 || From.Width == Channels || all_equal(From.Of->Offsets))
    return false;
  const auto &At = From.Of->Offsets;
  for (size_t K = 0; K < At.size(); K += size_t(From.Width))
    if (At[K] / int(GrfBytes) != (At[K + size_t(From.Width) - 1] + int(From.Bytes) - 1) / int(GrfBytes))
      return true;
  return false;
}

/// A negative immediate of 16 bits.
bool isNegativeWord(const VisaOperand &From) {
  int Number = 0;
  return !From.isRegister() && !From.Text.split(':').first.getAsInteger(0, Number) && Number < 0 && Number >= -32768;
}

std::string wrongSource(const VisaInstruction &I, size_t Index, const GenTarget &Target) {
  const VisaOperand &From = I.From[Index], &To = I.To;
  const std::string Name = "'" + From.Text.str() + "' ";
  constexpr unsigned Qword = 8;
  if (I.Name == "mul" && To.Bytes == Qword && !Target.has(HasInt64) && isNegativeWord(From))
    return Name + "is a factor of a word, with which the upper half of the product is wrong";
  if (I.Channels == 1)
    return "";
  if (shiftsInPlace(To, From))
    return Name + "is read in place by what writes bytes elsewhere";
  if (From.AtRunTime && From.Width > 1)
    return Name + "has several rows at a run-time place";
  if (From.isChosen() && From.Bytes == 1 && isFloatLetter(To.Letter))
    return Name + "is read as words where it becomes a float";
  if (From.isChosen() && From.Bytes < Qword && To.Bytes == Qword)
    return Name + "is read at the first address for both of two channels";
  const bool Moves = I.Name == "mov" && !I.Saturates && To.Letter == From.Letter && !From.Text.starts_with("(");
  if (To.AtRunTime && From.isRegister() && !Moves &&
      (From.Letter == "hf" || (To.Bytes == Qword && From.Bytes < Qword / 2)))
    return Name + "is written at a run-time place, a byte behind where it belongs";
  if (Index && breaksRow(From, I.Channels, Target.GrfBytes))
    return Name + "is a second operand with a row in two registers";
  return "";
}

} // namespace

std::string wrongForm(const VisaInstruction &I, const GenTarget &Target) {
  if (I.Name == "mad" && I.Channels == 32 && I.To.Letter == "hf")
    return "'mad' of 32 halves rounds twice";
  if (I.Name == "mad" && I.Channels == 2 && Target.has(HasAlign16Ternary))
    return "'mad' has no form of two channels there";
  for (size_t K = 0; K < I.From.size(); ++K)
    if (std::string Wrong = wrongSource(I, K, Target); !Wrong.empty())
      return Wrong;
  return "";
}

} // namespace pocm::gen
