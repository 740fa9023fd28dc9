#include "codegen/helpers/Helpers.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace pocm;

namespace {

struct Surface {
  int width, height, pixel, pitch;
  std::vector<std::uint8_t> bytes;
  SurfaceView view;

  Surface(int width, int height, int pixel)
      : width(width), height(height), pixel(pixel), pitch(width + 5), bytes(std::size_t(pitch * height)) {
    std::mt19937 random(7);
    for (auto &b : bytes)
      b = std::uint8_t(random());
    view = {
        bytes.data(), bytes.data() + bytes.size(), pitch, width, height, pitch * (height - 1) + width, pixel, 0, 1, 0};
  }
  /// The rule, byte by byte: the pixel is clamped, the byte within the pixel kept.
  std::uint8_t at(int x, int y) const {
    int column = x >= 0 ? x / pixel : (x - pixel + 1) / pixel, part = x - column * pixel;
    column = std::min(std::max(column, 0), width / pixel - 1);
    return bytes[std::size_t(std::min(std::max(y, 0), height - 1) * pitch + column * pixel + part)];
  }
};

TEST(MediaEdges, readsRepeatTheNearestPixelOnAllSides) {
  for (int pixel : {1, 2, 4, 8})
    for (int columns : {1, 2, 9})
      for (int height : {1, 3})
        for (int x = -70; x < 90; x += 1)
          for (int y : {-5, -1, 0, 2, 7}) {
            Surface s(columns * pixel, height, pixel);
            constexpr int width = 24, rows = 4, pitch = 32;
            std::uint8_t block[rows * pitch] = {};
            pocm_media_read(&s.view, x, y, width, rows, block, pitch);
            for (int r = 0; r < rows; ++r)
              for (int c = 0; c < width; ++c)
                ASSERT_EQ(block[r * pitch + c], s.at(x + c, y + r))
                    << "pixel " << pixel << " x " << x << " y " << y << " r " << r << " c " << c;
          }
}

TEST(MediaEdges, writesOutsideAreDropped) {
  for (int x = -30; x < 30; ++x)
    for (int y = -6; y < 6; ++y) {
      Surface s(20, 4, 4), before = s;
      s.view.base = s.bytes.data();
      constexpr int width = 12, rows = 3, pitch = 16;
      std::uint8_t block[rows * pitch];
      for (int i = 0; i < rows * pitch; ++i)
        block[i] = std::uint8_t(i + 100);
      pocm_media_write(&s.view, x, y, width, rows, block, pitch);
      for (int i = 0; i < s.pitch * s.height; ++i) {
        int column = i % s.pitch, row = i / s.pitch;
        bool written = column < s.width && column >= x && column < x + width && row >= y && row < y + rows;
        ASSERT_EQ(s.bytes[std::size_t(i)],
                  written ? block[(row - y) * pitch + column - x] : before.bytes[std::size_t(i)])
            << x << "," << y << " byte " << i;
      }
    }
}

TEST(MediaEdges, theNullSurfaceReadsZerosAndDropsWrites) {
  SurfaceView null = {};
  std::uint8_t block[32];
  std::fill(std::begin(block), std::end(block), 9);
  pocm_media_read(&null, 0, 0, 8, 4, block, 8);
  for (auto b : block)
    EXPECT_EQ(b, 0);
  pocm_media_write(&null, 0, 0, 8, 4, block, 8);
}

TEST(MediaEdges, extremeCoordinatesDoNotOverflow) {
  Surface s(16, 4, 4);
  std::uint8_t block[4 * 32];
  for (int x : {INT32_MIN, INT32_MAX - 8, INT32_MAX})
    for (int y : {INT32_MIN, INT32_MAX}) {
      pocm_media_read(&s.view, x, y, 24, 4, block, 32);
      pocm_media_write(&s.view, x, y, 24, 4, block, 32);
    }
}

} // namespace
