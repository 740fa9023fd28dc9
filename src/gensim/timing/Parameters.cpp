//===- Parameters.cpp - The platforms' files, read -------------------------------------------===//
#include "gensim/timing/Parameters.h"

namespace pocm::gensim::timing {
namespace {

constexpr Parameters Skl = {
#define PARAMETER(name, value, source) .name = value,
#include "gensim/timing/Skl.def"
};
constexpr Parameters Icllp = {
#define PARAMETER(name, value, source) .name = value,
#include "gensim/timing/Icllp.def"
};
constexpr Parameters Tgllp = {
#define PARAMETER(name, value, source) .name = value,
#include "gensim/timing/Tgllp.def"
};

#define PARAMETER(name, value, source) {#name, #value, source},
constexpr ParameterText SklTexts[] = {
#include "gensim/timing/Skl.def"
};
#define PARAMETER(name, value, source) {#name, #value, source},
constexpr ParameterText IcllpTexts[] = {
#include "gensim/timing/Icllp.def"
};
#define PARAMETER(name, value, source) {#name, #value, source},
constexpr ParameterText TgllpTexts[] = {
#include "gensim/timing/Tgllp.def"
};

constexpr std::size_t Fields = 0
#define FIELD(name, what) +1
#include "gensim/timing/Fields.def"
    ;
static_assert(std::size(SklTexts) == Fields && std::size(IcllpTexts) == Fields && std::size(TgllpTexts) == Fields,
              "a platform's file lacks a parameter");

struct Row {
  Generation generation;
  const Parameters *parameters;
  std::span<const ParameterText> texts;
};
constexpr Row Rows[] = {{Generation::Gen9, &Skl, SklTexts},
                        {Generation::Gen11, &Icllp, IcllpTexts},
                        {Generation::Gen12, &Tgllp, TgllpTexts}};

const Row *rowOf(const Platform &platform) {
  for (const Row &row : Rows)
    if (row.generation == platform.generation)
      return &row;
  return nullptr;
}

} // namespace

const Parameters *parametersOf(const Platform &platform) {
  const Row *row = rowOf(platform);
  return row ? row->parameters : nullptr;
}

std::span<const ParameterText> textsOf(const Platform &platform) {
  const Row *row = rowOf(platform);
  return row ? row->texts : std::span<const ParameterText>();
}

} // namespace pocm::gensim::timing
