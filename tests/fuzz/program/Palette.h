// What random programs of one source have in common: element types, numbers of elements, shapes. Templates of the
// language's headers are then instantiated once for many programs, which is most of what a program costs; the next
// source has others.
//
//     Palette palette(seed / mix.together);
//     palette.types      {Int, UShort, Half, Char, Long, Float}      palette.lengths    {16, 32, 13, 50}
#pragma once

#include "Model.h"
#include <random>
#include <utility>

namespace pocm::fuzz {

struct Palette {
  std::vector<Type> types;                   ///< As often as they are to come up.
  std::vector<int> widths;                   ///< Of SIMD control flow.
  std::vector<int> lengths;                  ///< Of vectors.
  std::vector<int> parts;                    ///< Elements of regions.
  std::vector<std::pair<int, int>> matrices; ///< Rows and columns.
  int stride;                                ///< Of regions, if not 1.
  int pixelBytes;                            ///< Of images.

  Palette(unsigned source, const ProgramFeatures &may) : random(source * 2654435761u + 1) {
    types = {Type::Int, Type::Int, Type::UShort};
    for (int k = 0; k < 6; ++k)
      types.push_back(may.doubles && pick(0, 9) == 0       ? Type::Double
                      : may.brainFloats && pick(0, 9) == 0 ? Type::BFloat
                                                           : anyType());
    widths = {1 << pick(1, 5), 1 << pick(2, 5)};
    lengths = {8 << pick(0, 3), 8 << pick(0, 3), pick(2, 60), pick(2, 33)};
    parts = {1 << pick(1, 4), 4 << pick(0, 3), pick(2, 24), pick(2, 50)};
    for (int k = 0; k < 3; ++k)
      matrices.emplace_back(pick(2, 6), pick(0, 9) < 6 ? 4 << pick(0, 1) : pick(2, 10));
    stride = pick(2, 4);
    pixelBytes = pick(0, 1) ? 4 : 1;
  }

private:
  std::mt19937 random;
  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); }
  Type anyType() {
    static const Type all[] = {Type::Char,   Type::UChar, Type::UChar, Type::Short, Type::Short,
                               Type::UShort, Type::Int,   Type::UInt,  Type::UInt,  Type::Long,
                               Type::ULong,  Type::Half,  Type::Float, Type::Float};
    return all[std::size_t(pick(0, int(std::size(all)) - 1))];
  }
};

} // namespace pocm::fuzz
