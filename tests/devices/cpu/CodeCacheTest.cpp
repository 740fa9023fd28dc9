#include "devices/cpu/CodeCache.h"
#include "devices/cpu/JitDump.h"
#include "pocm/pocm.h"
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
  const auto a = CodeCache::digest(std::vector<std::uint8_t>{1, 2}),
             b = CodeCache::digest(std::vector<std::uint8_t>{1, 3});
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

// It holds code that will run: what others could have written is not used.
/// A pipe in its place waits for nobody.
TEST(CodeCache, aFolderThatIsNoneKeepsNothing) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path.c_str(), 0700), 0);
  alarm(60);
  CodeCache cache(folder.path);
  cache.store("key", object);
  EXPECT_FALSE(cache.find("key"));
  alarm(0);
}

TEST(CodeCache, whatOthersCouldHaveWrittenIsIgnored) {
  namespace fs = std::filesystem;
  TemporaryFolder folder;
  CodeCache cache(folder.path);
  cache.store("key", object);
  EXPECT_EQ(fs::status(folder.path).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(folder.path + "/key").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  for (fs::perms wide : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(folder.path + "/key", wide, fs::perm_options::add);
    EXPECT_FALSE(cache.find("key"));
    fs::permissions(folder.path + "/key", wide, fs::perm_options::remove);
    fs::permissions(folder.path, wide, fs::perm_options::add);
    EXPECT_FALSE(cache.find("key"));
    cache.store("other", object);
    EXPECT_FALSE(fs::exists(folder.path + "/other"));
    fs::permissions(folder.path, wide, fs::perm_options::remove);
    EXPECT_TRUE(cache.find("key"));
  }
  // Another's file under this name, a link, a pipe, a folder.
  fs::copy_file(folder.path + "/key", folder.path + "/copy");
  EXPECT_FALSE(cache.find("copy"));
  fs::create_symlink("key", folder.path + "/link");
  EXPECT_FALSE(cache.find("link"));
  ASSERT_EQ(mkfifo((folder.path + "/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(cache.find("pipe"));
  fs::create_directory(folder.path + "/folder");
  EXPECT_FALSE(cache.find("folder"));
  if (geteuid() == 0) {
    ASSERT_EQ(chown((folder.path + "/key").c_str(), 1, 1), 0);
    EXPECT_FALSE(cache.find("key"));
    ASSERT_EQ(chown((folder.path + "/key").c_str(), 0, 0), 0);
    ASSERT_EQ(chown(folder.path.c_str(), 1, 1), 0);
    EXPECT_FALSE(cache.find("key"));
  }
}

TEST(CodeCache, aSizeThatIsNoNumberIsRefused) {
  for (const char *size : {"abc", "-1", "10M", "99999999999999999999"}) {
    setenv("POCM_CACHE_SIZE", size, 1);
    EXPECT_THROW(CodeCache("/tmp"), pocm::Error) << size;
  }
  unsetenv("POCM_CACHE_SIZE");
}

TEST(CodeCache, theSizeIsLimitedAndWhatWasUsedLongAgoGoes) {
  namespace fs = std::filesystem;
  TemporaryFolder folder;
  setenv("POCM_CACHE_SIZE", "1", 1);
  CodeCache cache(folder.path);
  unsetenv("POCM_CACHE_SIZE");
  std::vector<char> large(300'000, 'x');
  auto usedBefore = [&](const char *name, int hours) {
    const timespec times[2] = {{std::time(nullptr) - hours * 3600, 0}, {std::time(nullptr) - hours * 3600, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, (folder.path + "/" + name).c_str(), times, 0), 0);
  };
  for (const char *name : {"a", "b", "c"})
    cache.store(name, large);
  usedBefore("a", 3);
  usedBefore("b", 2);
  usedBefore("c", 1);
  EXPECT_TRUE(cache.find("a")); // now it is the one used last
  const std::string left = ".new.0123456789abcdef0123456789abcdef", fresh = ".new.fedcba9876543210fedcba9876543210";
  std::ofstream(folder.path + "/" + left) << "half of an ent";
  usedBefore(left.c_str(), 2);
  std::ofstream(folder.path + "/" + fresh) << "half of an ent";
  cache.store("d", large);
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("d"));
  EXPECT_FALSE(fs::exists(folder.path + "/" + left));
  EXPECT_TRUE(fs::exists(folder.path + "/" + fresh));
  cache.store("huge", std::vector<char>(2'000'000));
  EXPECT_FALSE(cache.find("huge"));
}

// To find what goes, entries are looked at, which is no use of them.
TEST(CodeCache, theOrderOfUseOutlivesWhatGoes) {
  TemporaryFolder folder;
  setenv("POCM_CACHE_SIZE", "1", 1);
  CodeCache cache(folder.path);
  unsetenv("POCM_CACHE_SIZE");
  const std::vector<char> large(300'000, 'x');
  auto usedBefore = [&](const char *name, int hours) { // and written before that
    const timespec times[2] = {{std::time(nullptr) - hours * 3600, 0}, {std::time(nullptr) - 100 * 3600, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, (folder.path + "/" + name).c_str(), times, 0), 0);
  };
  auto usedLast = [&](const std::string &name) {
    struct stat info;
    return stat((folder.path + "/" + name).c_str(), &info) == 0 ? std::time(nullptr) - info.st_atime : -1;
  };
  constexpr int hour = 3600;
  for (const char *name : {"a", "b", "c"})
    cache.store(name, large);
  usedBefore("a", 30); // a system may note a use only once a day
  usedBefore("b", 40);
  usedBefore("c", 50);
  cache.store("d", large);
  EXPECT_EQ(usedLast("c"), -1);
  EXPECT_GT(usedLast("b"), 39 * hour);
  EXPECT_GT(usedLast("a"), 29 * hour);
  usedBefore("d", 45);
  cache.store("e", large);
  EXPECT_EQ(usedLast("d"), -1);
  cache.store("f", large);
  EXPECT_EQ(usedLast("b"), -1);
  EXPECT_TRUE(cache.find("a"));
}

// POCM_CACHE_DIR may name a folder where the user keeps other things: they neither go nor count.
TEST(CodeCache, whatIsNoEntryStays) {
  namespace fs = std::filesystem;
  TemporaryFolder folder;
  setenv("POCM_CACHE_SIZE", "1", 1);
  CodeCache cache(folder.path);
  unsetenv("POCM_CACHE_SIZE");
  cache.store("a", object);
  const timespec times[2] = {{1'000'000, 0}, {1'000'000, 0}};
  for (const char *name : {"thesis.tex", ".new.draft", "empty"}) {
    std::ofstream(folder.path + "/" + name) << std::string(*name == 'e' ? 0 : 2'000'000, 'x');
    ASSERT_EQ(utimensat(AT_FDCWD, (folder.path + "/" + name).c_str(), times, 0), 0);
  }
  cache.store("b", object);
  for (const char *name : {"thesis.tex", ".new.draft", "empty"})
    EXPECT_TRUE(fs::exists(folder.path + "/" + name)) << name;
  EXPECT_TRUE(cache.find("a"));
  EXPECT_TRUE(cache.find("b"));
}

TEST(CodeCache, nothingPartialIsLeftWhenTheDiskIsFull) {
  namespace fs = std::filesystem;
  TemporaryFolder folder;
  CodeCache cache(folder.path);
  cache.store("key", object);
  auto onAFullDisk = [&] {
    rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    cache.store("large", std::vector<char>(100'000));
    auto files = std::distance(fs::directory_iterator(folder.path), fs::directory_iterator());
    _exit(files == 1 && !cache.find("large") && cache.find("key") ? 0 : 1);
  };
  EXPECT_EXIT(onAFullDisk(), testing::ExitedWithCode(0), "");
}

// A file in an entry's place that is larger than memory is no entry, either.
TEST(CodeCache, entriesLargerThanMemoryAreAbsent) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP(); // which take more addresses than there would be
#endif
  TemporaryFolder folder;
  CodeCache cache(folder.path);
  cache.store("key", object);
  std::filesystem::resize_file(folder.path + "/key", 1'000'000'000);
  auto withLittleMemory = [&] {
    rlimit limit{500'000'000, 500'000'000};
    setrlimit(RLIMIT_AS, &limit);
    _exit(cache.find("key") ? 1 : 0);
  };
  EXPECT_EXIT(withLittleMemory(), testing::ExitedWithCode(0), "");
}

// What a profiler is given goes where others may write, under names that they can foresee.
TEST(FilesForProfilers, areNobodyElses) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path);
  const std::string plain = folder.path + "/plain", other = folder.path + "/other";
  for (bool append : {false, true}) {
    std::FILE *file = pocm::cpu::openForProfilers(plain, append);
    ASSERT_TRUE(file);
    std::fputs("text", file);
    std::fclose(file);
  }
  EXPECT_EQ(std::filesystem::file_size(plain), 8u);
  symlink(plain.c_str(), (folder.path + "/link").c_str());
  link(plain.c_str(), other.c_str());
  mkfifo((folder.path + "/pipe").c_str(), 0600);
  for (const char *name : {"/link", "/other", "/pipe", "/plain/none"})
    for (bool append : {false, true})
      EXPECT_FALSE(pocm::cpu::openForProfilers(folder.path + name, append)) << name;
  EXPECT_EQ(std::filesystem::file_size(plain), 8u);
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
