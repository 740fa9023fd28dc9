//===- Parameters.h - What the model of time knows of a platform ------------------------------===//
//
// Fields.def says what there is; Skl.def, Icllp.def and Tgllp.def have the values with their
// sources. A field that a platform's file forgets, or names twice, does not compile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/isa/Types.h"
#include <cstdint>
#include <span>

namespace pocm::gensim::timing {

struct Parameters {
#define FIELD(name, what) double name;
#include "gensim/timing/Fields.def"

  double clocksOfNanoseconds(double ns) const { return ns * megahertz / 1000; }
  double bytesPerClock(double gigabytesPerSecond) const { return gigabytesPerSecond * 1000 / megahertz; }
};

struct ParameterText {
  const char *name, *value, *source;
};

/// Null for a platform without a model of time.
const Parameters *parametersOf(const Platform &platform);
/// As the platform's file has them, for people.
std::span<const ParameterText> textsOf(const Platform &platform);

} // namespace pocm::gensim::timing
