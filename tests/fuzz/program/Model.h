// What a random program is made of, and the model of a thread that runs it: each piece of text comes with what it does.
#pragma once

#include "../CmValues.h"
#include <functional>
#include <string>

namespace pocm::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// What a launch reads and writes: a buffer of each, memory that has an address, and an image of each.
struct ProgramMemory {
  Bytes in, out, addressed, picture, canvas;
};

/// A thread of the model, and the channels of SIMD control flow that are active in it.
struct ModelThread {
  std::vector<Bytes> variables;
  ProgramMemory *memory = nullptr;
  Bytes *slm = nullptr;
  unsigned number = 0, local = 0;
  int unwritten = 0; ///< What the variable holds that was never given anything.
  int width = 0;     ///< Of SIMD control flow; 0 outside of it.
  std::uint32_t active = 0, broken = 0, continued = 0;

  bool isActive(int lane) const { return width == 0 || (active >> lane & 1); }
};

/// What not every target has.
struct ProgramFeatures {
  bool wordAtomics = false; ///< Atomics of 16 bits, by address.
  bool doubles = false;
  bool brainFloats = false;   ///< bfloat16.
  bool cacheMessages = false; ///< To the load/store cache.
  bool rectangles = false;    ///< Of two dimensions among these.
  int systolicColumns = 0;    ///< 0: no systolic products.
};

using Step = std::function<void(ModelThread &)>;

struct Variable {
  Type type;
  int rows, columns; ///< A vector has no rows, a scalar neither.
  std::string name;
  int elements() const { return std::max(rows, 1) * std::max(columns, 1); }
  bool isScalar() const { return columns == 0; }
};
struct Expression {
  Type type;
  int count; ///< 0: a scalar.
  std::string text;
  Lane bound; ///< No value is further from 0.
  std::function<Lanes(ModelThread &)> value;
};
/// A region of a variable, to be read or written.
struct Place {
  int variable;
  Type type; ///< Of the elements, which need not be the variable's: format.
  int count;
  std::string text;
  std::function<std::vector<int>(ModelThread &)> elements;
};
struct Statement {
  std::string text;
  Step run;
  bool leaves = false; ///< Channels may leave the SIMD loop around it, or its iteration.
};
/// Where a statement stands.
struct Scope {
  int width = 0; ///< Of SIMD control flow around it.
  bool inLoop = false;
  bool mayBeEmpty = false; ///< All channels may have left: what is no channel's own is not said there.
  int depth = 0;
};

} // namespace pocm::fuzz
