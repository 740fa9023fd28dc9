#include "program/Container.h"
#include "program/Formats.h"
#include <gtest/gtest.h>

using namespace pocm;

namespace {

program::Container example() {
  program::Container c;
  c.kernels = {
      {"first",
       {{ParameterKind::Surface, "SurfaceIndex", 1, 4, SurfaceUse::Image}, {ParameterKind::General, "float", 3, 12}}},
      {"second", {}}};
  c.ir = {1, 2, 3, 4, 5};
  c.code = {{"SKL", {9, 8, 7}}};
  return c;
}

std::string problemWith(std::span<const std::uint8_t> file) {
  try {
    program::read(file);
    return "";
  } catch (const Error &e) {
    return e.what();
  }
}

TEST(Container, comesBackAsItWasWritten) {
  program::Container c = program::read(program::write(example()));
  ASSERT_EQ(c.kernels.size(), 2u);
  EXPECT_EQ(c.kernels[0].name, "first");
  ASSERT_EQ(c.kernels[0].parameters.size(), 2u);
  EXPECT_EQ(c.kernels[0].parameters[0].use, SurfaceUse::Image);
  EXPECT_EQ(c.kernels[0].parameters[1].use, SurfaceUse::Any);
  EXPECT_EQ(c.kernels[0].parameters[1].element, "float");
  EXPECT_EQ(c.kernels[0].parameters[1].count, 3u);
  EXPECT_EQ(c.kernels[0].parameters[1].bytes, 12u);
  EXPECT_EQ(c.ir, example().ir);
  EXPECT_EQ(c.code, example().code);
}

TEST(Container, everyTruncationIsRefused) {
  auto file = program::write(example());
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(problemWith(std::span(file).first(size)), "") << size;
}

TEST(Container, everyFlippedBitIsRefused) {
  auto file = program::write(example());
  for (std::size_t i = 0; i < file.size() * 8; ++i) {
    auto damaged = file;
    damaged[i / 8] ^= std::uint8_t(1 << (i % 8));
    EXPECT_NE(problemWith(damaged), "") << "bit " << i;
  }
}

// Names become those of files and stand in assembly.
TEST(Container, kernelsHaveIdentifiersAsNames) {
  auto withNames = [](std::string first, std::string second) {
    program::Container c = example();
    c.kernels[0].name = first;
    c.kernels[1].name = second;
    return problemWith(program::write(c));
  };
  EXPECT_EQ(withNames("_a1", "k<float, 'x', ns::S<3> >"), "");
  EXPECT_EQ(withNames("\xC3\xA4", "$b"), "");
  for (const char *name : {"", "1a", "../a", "a b", "a\n", "a\"", "a<1", "a<'/'>", "a<'\\n'>", "a<\n>", "<1>"})
    EXPECT_NE(withNames("first", name).find("the name of a kernel is no identifier"), std::string::npos) << name;
  EXPECT_NE(withNames("twice", "twice").find("two kernels have the same name"), std::string::npos);
}

TEST(Container, saysWhatAForeignFileIs) {
  auto about = [](std::string text) {
    return problemWith({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
  };
  EXPECT_EQ(about(""), "not a PoCM program: it is empty");
  EXPECT_NE(about("CISA\3\6").find("common ISA of Intel's CM compiler"), std::string::npos);
  EXPECT_NE(about("\177ELF....").find("ELF"), std::string::npos);
  EXPECT_NE(about("\x03\x02\x23\x07....").find("SPIR-V"), std::string::npos);
  EXPECT_NE(about("some text").find("does not start with PoCM's mark"), std::string::npos);
}

TEST(Container, aFileOfALaterFormatSaysSo) {
  auto file = program::write(example());
  file[16] = 2;
  EXPECT_EQ(problemWith(file), "the program file has format 2, this PoCM reads format 1; compile the kernel again");
}

TEST(Program, anUnknownKernelIsAnsweredWithTheKnownOnes) {
  Program p = Program::load(program::write(example()));
  EXPECT_EQ(p.kernel("second").name, "second");
  try {
    p.kernel("third");
    FAIL();
  } catch (const Error &e) {
    EXPECT_STREQ(e.what(), "no kernel 'third' in the program; it has: first, second");
  }
}

// Planes of chroma, which lie behind the first; what other formats have is nothing.
TEST(Formats, rowsOfChroma) {
  EXPECT_EQ(chromaRows(formatNumber("NV12"), 480), 240u);
  EXPECT_EQ(chromaRows(formatNumber("A8R8G8B8"), 480), 0u);
  EXPECT_EQ(chromaRows(12345, 480), 0u);
  EXPECT_FALSE(planeOf(12345, 1, 480, 640, 640));
}

} // namespace
