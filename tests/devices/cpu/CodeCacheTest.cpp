#include "devices/cpu/CodeCache.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using pocm::cpu::CodeCache;

namespace {

struct TemporaryFolder {
  std::string path = std::filesystem::temp_directory_path() / ("pocm-cache-test-" + std::to_string(getpid()));
  TemporaryFolder() { std::filesystem::remove_all(path); }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

const std::vector<char> object{'o', 'b', 'j', 'e', 'c', 't'};

TEST(CodeCache, findsWhatWasStored) {
  TemporaryFolder folder;
  CodeCache cache(folder.path);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", object);
  EXPECT_EQ(cache.find("key"), object);
  EXPECT_EQ(CodeCache(folder.path).find("key"), object);
}

TEST(CodeCache, damagedEntriesAreAbsent) {
  TemporaryFolder folder;
  CodeCache cache(folder.path);
  cache.store("key", object);
  std::string file = folder.path + "/key";
  std::filesystem::resize_file(file, 10);
  EXPECT_FALSE(cache.find("key"));
  std::filesystem::resize_file(file, 3);
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", object);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(9).put('X');
  EXPECT_FALSE(cache.find("key"));
}

TEST(CodeCache, keysDifferByEveryPart) {
  std::vector<std::uint8_t> a{1, 2}, b{1, 3};
  std::string key = CodeCache::key(a, "k", "cpu");
  EXPECT_EQ(key, CodeCache::key(a, "k", "cpu"));
  EXPECT_NE(key, CodeCache::key(b, "k", "cpu"));
  EXPECT_NE(key, CodeCache::key(a, "l", "cpu"));
  EXPECT_NE(key, CodeCache::key(a, "k", "cpv"));
  EXPECT_NE(CodeCache::key(a, "ab", "c"), CodeCache::key(a, "a", "bc"));
}

TEST(CodeCache, aFolderThatCannotBeUsedKeepsNothingAndHarmsNothing) {
  CodeCache cache("/proc/no-such-folder");
  cache.store("key", object);
  EXPECT_FALSE(cache.find("key"));
  CodeCache off("");
  off.store("key", object);
  EXPECT_FALSE(off.find("key"));
}

TEST(CodeCache, severalWritersOfOneEntry) {
  TemporaryFolder folder;
  CodeCache cache(folder.path);
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&] {
      for (int n = 0; n < 50; ++n) {
        cache.store("key", object);
        auto found = cache.find("key");
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, object);
      }
    });
  for (auto &w : writers)
    w.join();
}

} // namespace
