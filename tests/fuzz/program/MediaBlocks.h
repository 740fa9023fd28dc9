// Blocks of two dimensions of a random program, read and written, over the edges of images too:
//
//     read(picture, (s1 & 63) - 12, (n & 127) - 3, m1);      write(canvas, (s2 & 15) * 4 - 8, me * 8 + 2, m1);
//
// The picture is only read. Of the canvas each thread has some rows.
#pragma once

#include "CacheMessages.h"

namespace pocm::fuzz {

class MediaBlocks : protected CacheMessages {
protected:
  using CacheMessages::CacheMessages;

  static constexpr int imageWidth = 48, ownRows = 8, imageHeight = ownRows * mostThreads; ///< Bytes and rows.

  /// A matrix of integers that is one block; -1 if there is none.
  int blockVariable(bool written) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const int v = pick(0, int(variables.size()) - 1);
      const Variable &found = variables[std::size_t(v)];
      const int width = found.columns * factsOf(found.type).bytes;
      int pitch = 4;
      while (pitch < width)
        pitch *= 2;
      if (found.rows && !factsOf(found.type).isFloat && pitch <= 64 && pitch * found.rows <= 256 &&
          found.rows <= ownRows && (!written || width % 4 == 0))
        return v;
    }
    return -1;
  }

  Statement mediaBlock(const Scope &scope) {
    const bool writes = chance(40), canvas = writes || chance(40);
    const int v = scope.width ? -1 : blockVariable(writes);
    if (v < 0)
      return assignment(scope);
    const Variable block = variables[std::size_t(v)];
    const int step = writes || palette.pixelBytes == 4 ? 4 : 1;
    const Expression across = masked(scalarVariable(), 64 / step - 1),
                     down = masked(scalarVariable(), canvas ? 3 : imageHeight - 1);
    const int left = pick(0, 4) * 4, above = pick(0, 5);
    const std::string x = fmt::format("(int){} * {} - {}", across.text, step, left);
    // In the canvas no block leaves its thread's rows.
    const std::string y =
        canvas ? fmt::format("(int)(me * {}) + cm_min<int>((int){}, {})", ownRows, down.text, ownRows - block.rows)
               : fmt::format("(int){} - {}", down.text, above);
    const int columns = block.columns * factsOf(block.type).bytes, rows = block.rows;
    return {
        fmt::format("{}({}, {}, {}, {});", writes ? "write" : "read", canvas ? "canvas" : "picture", x, y, block.name),
        [=, this](ModelThread &t) {
          const int firstX = int(across.value(t)[0]) * step - left, offset = int(down.value(t)[0]);
          const int firstY = canvas ? int(t.number) * ownRows + std::min(offset, ownRows - rows) : offset - above;
          Bytes &image = canvas ? t.memory->canvas : t.memory->picture;
          Bytes &bytes = t.variables[std::size_t(v)];
          for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) {
              std::uint8_t &byte = bytes[std::size_t(r * columns + c)];
              const int column = firstX + c;
              if (!writes)
                byte = image[placeOf(column, firstY + r)];
              else if (column >= 0 && column < imageWidth)
                image[std::size_t((firstY + r) * imageWidth + column)] = byte;
            }
        }};
  }

private:
  /// The byte of the nearest pixel there is.
  std::size_t placeOf(int column, int row) const {
    const int each = palette.pixelBytes, last = imageWidth / each - 1;
    const int pixel = (column < 0 ? column - each + 1 : column) / each, within = column - pixel * each;
    return std::size_t(std::clamp(row, 0, imageHeight - 1) * imageWidth + std::clamp(pixel, 0, last) * each + within);
  }
};

} // namespace pocm::fuzz
