// Photographs: what is written is what is read, sizes change by interpolation, and wrong files are refused by name.
#include "image/Photo.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace pocm::image;

namespace {

class Photos : public testing::Test {
protected:
  Photos() { std::filesystem::create_directory(folder); }
  ~Photos() override { std::filesystem::remove_all(folder); }

  std::string file(const std::string &name, const std::string &bytes) {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string path(const std::string &name) { return (folder / name).string(); }
  /// What load() says of the file; empty where it reads it.
  static std::string problemOf(const std::string &path) {
    try {
      load(path);
      return "";
    } catch (const std::runtime_error &problem) {
      return problem.what();
    }
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("pocm-photos-" + std::to_string(::getpid()));
};

/// Another byte at each place.
Photo sample(unsigned width, unsigned height, unsigned channels) {
  Photo photo{width, height, channels, {}};
  for (unsigned k = 0; k < width * height * channels; ++k)
    photo.pixels.push_back(std::uint8_t(k * 37 + k / 7));
  return photo;
}

std::string bytesOf(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::string raccoon = std::string(POCM_SOURCE_DIR) + "/examples/linear/raccoon.jpg";

TEST_F(Photos, pngsAreReadAsTheyWereWritten) {
  const Photo written = sample(17, 5, 3);
  savePng(path("a.png"), written);
  const Photo read = load(path("a.png"));
  EXPECT_EQ(read.width, 17u);
  EXPECT_EQ(read.height, 5u);
  EXPECT_EQ(read.channels, 3u);
  EXPECT_EQ(read.pixels, written.pixels);
  EXPECT_TRUE(isPhoto(path("a.png")));
}

TEST_F(Photos, greyIsReadAsThreeEqualChannels) {
  const Photo written = sample(9, 4, 1);
  savePng(path("grey.png"), written);
  const Photo read = load(path("grey.png"));
  ASSERT_EQ(read.pixels.size(), written.pixels.size() * 3);
  for (std::size_t k = 0; k < read.pixels.size(); ++k)
    EXPECT_EQ(read.pixels[k], written.pixels[k / 3]) << k;
}

TEST_F(Photos, fourChannelsKeepTheirColoursWhereTheyAreOpaque) {
  Photo written = sample(6, 6, 4);
  for (std::size_t k = 3; k < written.pixels.size(); k += 4)
    written.pixels[k] = 255;
  savePng(path("opaque.png"), written);
  const Photo read = load(path("opaque.png"));
  ASSERT_EQ(read.pixels.size(), 6u * 6 * 3);
  for (std::size_t k = 0; k < 36; ++k)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(read.pixels[k * 3 + c], written.pixels[k * 4 + c]) << k;
}

TEST_F(Photos, jpegsHaveTheirSize) {
  const Photo read = load(raccoon);
  EXPECT_EQ(read.width, 1024u);
  EXPECT_EQ(read.height, 768u);
  EXPECT_EQ(read.pixels.size(), 1024u * 768 * 3);
  EXPECT_TRUE(isPhoto(raccoon));
}

TEST_F(Photos, filesThatAreNoneAreRefusedByName) {
  const std::string text = file("text.png", "not a photograph");
  EXPECT_FALSE(isPhoto(text));
  EXPECT_EQ(problemOf(text), "cannot read photograph '" + text + "': it is neither a PNG nor a JPEG");
  EXPECT_EQ(problemOf(path("none.png")),
            "cannot read photograph '" + path("none.png") + "': No such file or directory");
  EXPECT_FALSE(isPhoto(file("short.png", "\x89PNG")));
  EXPECT_FALSE(isPhoto(file("two.jpg", "\xff\xd8")));
  EXPECT_TRUE(isPhoto(file("three.jpg", "\xff\xd8\xff")));
}

TEST_F(Photos, whatIsCutOffIsRefused) {
  savePng(path("whole.png"), sample(40, 40, 3));
  const std::string whole = bytesOf(path("whole.png"));
  EXPECT_NE(problemOf(file("half.png", whole.substr(0, whole.size() / 2))), "");
  EXPECT_NE(problemOf(file("head.jpg", bytesOf(raccoon).substr(0, 20))), "");
}

TEST_F(Photos, largerOnesThanThereMayBeAreRefused) {
  Photo wide{(1u << 15) + 1, 1, 1, {}};
  wide.pixels.resize(wide.width);
  savePng(path("wide.png"), wide);
  EXPECT_NE(problemOf(path("wide.png")).find("more than 32768 pixels a side"), std::string::npos);
  wide.width = 1u << 15;
  savePng(path("widest.png"), wide);
  EXPECT_EQ(problemOf(path("widest.png")), "");
}

TEST_F(Photos, thatCannotBeWrittenAreRefusedByName) {
  try {
    savePng(path("nowhere/a.png"), sample(2, 2, 3));
    FAIL();
  } catch (const std::runtime_error &problem) {
    EXPECT_EQ(std::string(problem.what()).find("cannot write '" + path("nowhere/a.png") + "'"), 0u) << problem.what();
  }
}

TEST(Scaled, theSameSizeIsTheSamePhotograph) {
  for (unsigned channels : {1u, 3u, 4u}) {
    const Photo photo = sample(13, 7, channels);
    EXPECT_EQ(scaled(photo, 13, 7).pixels, photo.pixels);
  }
}

TEST(Scaled, halfTheSizeIsTheMeanOfFour) {
  const Photo photo{4, 2, 1, {0, 10, 20, 31, 2, 4, 100, 201}};
  EXPECT_EQ(scaled(photo, 2, 1).pixels, (std::vector<std::uint8_t>{4, 88}));
}

TEST(Scaled, twiceTheSizeGoesFromPixelToPixelInQuarters) {
  const Photo photo{2, 1, 1, {0, 100}};
  EXPECT_EQ(scaled(photo, 4, 1).pixels, (std::vector<std::uint8_t>{0, 25, 75, 100}));
  EXPECT_EQ(scaled({1, 2, 1, {0, 100}}, 1, 4).pixels, (std::vector<std::uint8_t>{0, 25, 75, 100}));
}

TEST(Scaled, channelsDoNotMix) {
  const Photo photo{2, 1, 3, {0, 50, 200, 100, 50, 0}};
  EXPECT_EQ(scaled(photo, 1, 1).pixels, (std::vector<std::uint8_t>{50, 50, 100}));
}

} // namespace
