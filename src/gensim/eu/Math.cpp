//===- Math.cpp - Elementary functions and integer division -------------------------------===//
#include "gensim/eu/Execute.h"
#include "gensim/isa/Layouts.h"
#include <cmath>

namespace pocm::gensim {
namespace {

double compute(MathFunction function, double a, double b) {
  switch (function) {
  case MathFunction::Inv:
    return 1 / a;
  case MathFunction::Log:
    return std::log2(a);
  case MathFunction::Exp:
    return std::exp2(a);
  case MathFunction::Sqt:
    return std::sqrt(a);
  case MathFunction::Rsqt:
    return 1 / std::sqrt(a);
  case MathFunction::Sin:
    return std::sin(a);
  case MathFunction::Cos:
    return std::cos(a);
  case MathFunction::Fdiv:
  case MathFunction::Invm:
    return a / b;
  case MathFunction::Rsqtm:
    return std::sqrt(a);
  case MathFunction::Pow:
    return std::pow(std::fabs(a), b);
  default:
    throw Problem("this elementary function is not supported by the simulator");
  }
}

std::int64_t divided(std::int64_t a, std::int64_t b, bool isSigned, bool remainder) {
  if (b == 0)
    return remainder ? a : !isSigned ? 0xFFFFFFFF : a < 0 ? -0x80000000ll : 0x7FFFFFFF;
  return remainder ? a % b : a / b;
}

} // namespace

void executeMath(Thread &t, const Instruction &i) {
  ChannelMask predicate = predicateOf(t, i);
  std::uint32_t channels = enabledChannels(t, i) & (predicate.bits | predicate.marks),
                unknown = predicate.marks & channels;
  if (!channels)
    return;
  unsigned sources = sourcesOf(i);
  Lanes s[2], r;
  for (unsigned k = 0; k < sources; ++k)
    fetch(t, i.from[k], i.size, channels, false, true, s[k], packedStep(i));
  for (unsigned n = 0; n < i.size; ++n)
    r.marks[n] = s[0].marks[n] | (sources > 1 ? s[1].marks[n] : 0) ? ~std::uint64_t(0) : 0;
  bool divides = i.function >= MathFunction::Idiv && i.function <= MathFunction::Irem;
  if (!divides) {
    bool macro = isMacro(i);
    for (unsigned k = 0; k < sources; ++k)
      if (!isFloat(i.from[k].type))
        throw Problem("an elementary function of integers");
    if (i.from[0].type == Type::DF && !macro)
      throw Problem("this elementary function of doubles is not supported by the simulator");
    for (unsigned n = 0; n < i.size; ++n)
      if (channels >> n & 1)
        r.number[n] = compute(i.function, s[0].number[n], sources > 1 ? s[1].number[n] : 0);
    finish(t, i, channels, unknown, true, r);
    // What hardware only does for special cases: the result is there, and the flag skips the steps that would refine
    // it.
    if (macro)
      setFlags(t, i, channels, channels, unknown);
    return;
  }
  for (unsigned k = 0; k < sources; ++k)
    if (isFloat(i.from[k].type) || sizeOf(i.from[k].type) > 4)
      throw Problem("an integer division of this type, which the math unit does not have");
  bool isSignedDivision = isSigned(i.from[0].type);
  for (unsigned n = 0; n < i.size; ++n)
    r.integer[n] = channels >> n & 1
                       ? divided(s[0].integer[n], s[1].integer[n], isSignedDivision, i.function == MathFunction::Irem)
                       : 0;
  finish(t, i, channels, unknown, false, r);
  if (i.function != MathFunction::Idiv)
    return;
  for (unsigned n = 0; n < i.size; ++n)
    r.integer[n] = channels >> n & 1 ? divided(s[0].integer[n], s[1].integer[n], isSignedDivision, true) : 0;
  Instruction rest = i;
  rest.to.number = std::uint8_t(rest.to.number + 1);
  finish(t, rest, channels, unknown, false, r);
}

} // namespace pocm::gensim
