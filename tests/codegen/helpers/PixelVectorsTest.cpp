// Pixels that are read, written and sampled 16 at a time are those that Pixels.cpp computes one by one, bit by bit: of
// every format, in and beyond the surface, in every mode of a sampler, of any number of lanes.
#include "codegen/helpers/Helpers.h"
#include "program/Formats.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace pocm;

namespace {

struct Format {
  const char *name;
  FormatNumber number;
  int bytes;
};
constexpr Format formats[] = {
    {"none", FormatNumber::None, 4},
    {"none of 3 bytes", FormatNumber::None, 3},
    {"none of 16 bytes", FormatNumber::None, 16},
#define FORMAT(name, bytes, pairs) {#name, FormatNumber::F_##name, bytes},
#include "program/Formats.def"
};
constexpr unsigned counts[] = {1, 4, 8, 13, 16, 32};

/// A surface of random bytes, which end where it ends.
class Pixels {
public:
  SurfaceView view{};
  std::vector<std::uint8_t> bytes;

  Pixels(const Format &format, int width, int height, int depth, int gap, std::mt19937 &random) {
    view.pitch = width * format.bytes + gap;
    bytes.resize(std::size_t(view.pitch * height * depth - gap));
    for (std::uint8_t &byte : bytes)
      byte = std::uint8_t(random());
    view.base = bytes.data();
    view.end = bytes.data() + bytes.size();
    view.width = width * format.bytes;
    view.height = height;
    view.depth = depth;
    view.bytes = std::int64_t(bytes.size());
    view.pixel = format.bytes;
    view.format = std::uint32_t(format.number);
  }
};

/// Both the same bits, or NaN.
bool same(std::uint32_t a, std::uint32_t b) {
  return a == b || (std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b)));
}

struct Coordinates {
  std::vector<std::uint32_t> u, v, w;
  std::vector<std::uint8_t> wanted;

  Coordinates(unsigned count, std::mt19937 &random) {
    auto coordinate = [&] { return random() % 8 ? random() % 9 : std::uint32_t(random()); };
    for (unsigned k = 0; k < count; ++k) {
      u.push_back(coordinate());
      v.push_back(coordinate());
      w.push_back(coordinate() % 4);
      wanted.push_back(std::uint8_t(random() % 4 ? random() % 2 * 254 + 1 : 0));
    }
  }
};

TEST(PixelVectors, TypedReadsAreThoseOfSinglePixels) {
  std::mt19937 random(1);
  for (const Format &format : formats)
    for (unsigned count : counts)
      for (int round = 0; round < 8; ++round) {
        Pixels pixels(format, 1 + int(random() % 8), 1 + int(random() % 8), round % 4 ? 1 : 3, int(random() % 5),
                      random);
        Coordinates at(count, random);
        const std::uint32_t mask = round ? 1 + random() % 15 : 15;
        std::vector<std::uint32_t> all(count * 4 + 1, 77), each = all;
        pocm_typed_read(&pixels.view, mask, count, at.wanted.data(), at.u.data(), at.v.data(), at.w.data(), all.data());
        pocm_typed_read_any(&pixels.view, mask, count, at.wanted.data(), at.u.data(), at.v.data(), at.w.data(),
                            each.data());
        for (std::size_t k = 0; k < all.size(); ++k)
          ASSERT_TRUE(same(all[k], each[k])) << format.name << ", mask " << mask << ", " << count << " lanes: " << k;
      }
}

TEST(PixelVectors, TypedWritesAreThoseOfSinglePixels) {
  std::mt19937 random(2);
  for (const Format &format : formats)
    for (unsigned count : counts)
      for (int round = 0; round < 8; ++round) {
        Pixels all(format, 1 + int(random() % 8), 1 + int(random() % 8), round % 4 ? 1 : 3, int(random() % 5), random);
        Pixels each = all;
        each.view.base = each.bytes.data();
        Coordinates at(count, random);
        const std::uint32_t mask = round % 3 ? 15 : 1 + random() % 15;
        std::vector<std::uint32_t> data(count * 4);
        for (std::uint32_t &value : data) {
          const float some[] = {float(random() % 3000) / 2000 - 0.2f, float(random() % 511) / 510, NAN, INFINITY,
                                -0.0f};
          value = random() % 8 ? std::bit_cast<std::uint32_t>(some[random() % 8 < 6 ? random() % 2 : random() % 5])
                               : std::uint32_t(random());
        }
        pocm_typed_write(&all.view, mask, count, at.wanted.data(), at.u.data(), at.v.data(), at.w.data(), data.data());
        pocm_typed_write_any(&each.view, mask, count, at.wanted.data(), at.u.data(), at.v.data(), at.w.data(),
                             data.data());
        ASSERT_EQ(all.bytes, each.bytes) << format.name << ", mask " << mask << ", " << count << " lanes";
      }
}

TEST(PixelVectors, SamplesAreThoseOfSinglePixels) {
  std::mt19937 random(3);
  for (const Format &format : formats)
    for (unsigned count : counts)
      for (std::uint32_t mode = 0; mode < 6; ++mode)
        for (std::uint32_t filter = 0; filter < 2; ++filter) {
          Pixels pixels(format, 1 + int(random() % 8), 1 + int(random() % 8), random() % 8 ? 1 : 2, int(random() % 5),
                        random);
          SamplerView state{filter, mode, std::uint32_t(random() % 6), std::uint32_t(random() % 5), {0.5f, -1, 2, 1}};
          SurfaceView samplers{};
          samplers.base = reinterpret_cast<std::uint8_t *>(&state);
          samplers.bytes = sizeof state;
          std::vector<float> u(count), v(count), w(count), reference(count);
          auto coordinate = [&] {
            constexpr float rare[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e8f, 0, 1, -0.0f};
            return random() % 8
                       ? float(random() % 4000) / (random() % 2 ? 4001.0f : 1000.0f) - (random() % 4 ? 0 : 1.5f)
                       : rare[random() % 8];
          };
          for (unsigned k = 0; k < count; ++k) {
            u[k] = coordinate();
            v[k] = coordinate();
            w[k] = coordinate();
            reference[k] = float(random() % 100) / 100;
          }
          const std::uint32_t mask = (1 + random() % 15) | (random() % 2 ? 0 : std::uint32_t(random() % 4096) << 16);
          const float *compared = random() % 8 ? nullptr : reference.data();
          std::vector<std::uint32_t> all(count * 4 + 1, 77), each = all;
          pocm_sample(&pixels.view, &samplers, 0, mask, count, u.data(), v.data(), w.data(), compared, all.data());
          pocm_sample_any(&pixels.view, &samplers, 0, mask, count, u.data(), v.data(), w.data(), compared, each.data());
          for (std::size_t k = 0; k < all.size(); ++k)
            ASSERT_TRUE(same(all[k], each[k]))
                << format.name << ", mode " << mode << ", filter " << filter << ", mask " << mask << ", " << count
                << " lanes, " << pixels.view.width / pixels.view.pixel << "x" << pixels.view.height << ": " << k << ": "
                << std::bit_cast<float>(all[k]) << ", not " << std::bit_cast<float>(each[k]);
        }
}

TEST(PixelVectors, AnEmptySurfaceGivesNothing) {
  SurfaceView nothing{}, samplers{};
  std::uint32_t at[16] = {}, channels[64];
  float u[16] = {};
  std::uint8_t wanted[16];
  std::memset(wanted, 1, sizeof wanted);
  std::memset(channels, 7, sizeof channels);
  pocm_typed_read(&nothing, 15, 16, wanted, at, at, at, channels);
  EXPECT_EQ(std::vector<std::uint32_t>(channels, channels + 64), std::vector<std::uint32_t>(64));
  pocm_typed_write(&nothing, 15, 16, wanted, at, at, at, channels);
  std::memset(channels, 7, sizeof channels);
  pocm_sample(&nothing, &samplers, 3, 15, 16, u, u, u, nullptr, channels);
  EXPECT_EQ(std::vector<std::uint32_t>(channels, channels + 64), std::vector<std::uint32_t>(64));
}

} // namespace
