// The last cache of a core, as Linux describes it: not the first in the list, and not the sum of all.
#include "devices/cpu/CacheSize.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

class CacheSize : public testing::Test {
protected:
  CacheSize() : folder(fs::temp_directory_path() / ("pocm-caches-" + std::to_string(getpid()))) {}
  ~CacheSize() override { fs::remove_all(folder); }
  void cache(int number, const char *level, const char *size) {
    const fs::path at = folder / ("index" + std::to_string(number));
    fs::create_directories(at);
    std::ofstream(at / "level") << level << '\n';
    std::ofstream(at / "size") << size << '\n';
  }
  std::int64_t bytes() const { return pocm::cpu::lastCacheBytes(folder); }
  fs::path folder;
};

TEST_F(CacheSize, IsThatOfTheHighestLevel) {
  cache(0, "1", "48K");
  cache(1, "1", "32K");
  cache(2, "3", "32768K");
  cache(3, "2", "1M");
  EXPECT_EQ(bytes(), 32 << 20);
}

TEST_F(CacheSize, IsThatOfDataWhereALevelHasTwo) {
  cache(0, "1", "48K");
  cache(1, "1", "32K");
  EXPECT_EQ(bytes(), 48 << 10);
}

TEST_F(CacheSize, IsSomethingWhereNothingIsKnownButNotThatOfAllCores) {
  EXPECT_GT(bytes(), 0);
  EXPECT_LE(bytes(), 32 << 20);
  cache(0, "1", "large");
  EXPECT_GT(bytes(), 0);
}

TEST(WorthKeeping, IsAllOfACacheThatFewCoresShareAndAPartOfOneThatIsSpread) {
  EXPECT_EQ(pocm::cpu::worthKeeping(96 << 20, false), 96 << 20);
  EXPECT_EQ(pocm::cpu::worthKeeping(480 << 20, true), 16 << 20);
  EXPECT_EQ(pocm::cpu::worthKeeping(8 << 20, true), 8 << 20);
}

} // namespace
