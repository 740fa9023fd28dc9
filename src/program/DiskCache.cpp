//===- DiskCache.cpp - What was made once and may be wanted again -----------------===//
//
// Entry: a mark, the length of its name and the name, a digest of name and contents, the
// contents. An entry is written under a name that nobody can foresee and renamed, so that a
// reader never sees half of one. Everything is opened below the folder's own descriptor, which
// was looked at first. The times of files say what was used last.
//
//===----------------------------------------------------------------------===//
#include "program/DiskCache.h"
#include "pocm/pocm.h"
#include "llvm/Support/BLAKE3.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <new>
#include <string_view>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pocm::program {
namespace {

constexpr char mark[8] = {'P', 'o', 'C', 'M', 'k', 'e', 'p', '2'};
constexpr const char *unfinished = ".new."; // how names of files begin that are being written
constexpr std::time_t forgotten = 3600;     // seconds after which nobody writes one any more

class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
  explicit operator bool() const { return number >= 0; }
  int get() const { return number; }

private:
  int number;
};

/// Whether nobody but the effective user could have written it.
bool isOurs(const struct stat &info) { return info.st_uid == geteuid() && !(info.st_mode & (S_IWGRP | S_IWOTH)); }

/// Makes the folder, and those above it, for this user alone.
void makeFolder(const std::string &folder) {
  for (std::size_t end = folder.find('/', 1);; end = folder.find('/', end + 1)) {
    mkdir(folder.substr(0, end).c_str(), 0700);
    if (end == std::string::npos)
      return;
  }
}

/// The folder, when it may be used.
Descriptor openFolder(const std::string &folder) {
  if (folder.empty())
    return Descriptor(-1);
  Descriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat info;
  if (!directory || fstat(directory.get(), &info) != 0 || !isOurs(info))
    return Descriptor(-1);
  return directory;
}

/// The entry, when it is a file that may be used.
Descriptor openEntry(int directory, const std::string &name, struct stat &info) {
  Descriptor file(openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) || !isOurs(info))
    return Descriptor(-1);
  return file;
}

using Digest = std::array<std::uint8_t, 32>;
Digest digestOf(const std::string &name, std::span<const char> contents) {
  llvm::BLAKE3 hash;
  std::uint64_t length = name.size();
  hash.update(llvm::StringRef(reinterpret_cast<const char *>(&length), sizeof(length)));
  hash.update(llvm::StringRef(name));
  hash.update(llvm::StringRef(contents.data(), contents.size()));
  return hash.final<32>();
}

/// A file at its size limit is a failed write, not a signal that ends the host.
class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    sigemptyset(&only);
    sigaddset(&only, SIGXFSZ);
    sigset_t waiting;
    sigpending(&waiting);
    already = sigismember(&waiting, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &only, &before);
  }
  ~NoFileSizeSignal() {
    const timespec now{};
    while (!already && sigtimedwait(&only, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t only, before;
  bool already;
};

bool writeAll(int file, const void *bytes, std::size_t count) {
  auto *from = static_cast<const char *>(bytes);
  while (count) {
    ssize_t n = write(file, from, count);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    from += n;
    count -= std::size_t(n);
  }
  return true;
}

bool readAll(int file, void *to, std::size_t count) {
  auto *at = static_cast<char *>(to);
  while (count) {
    ssize_t n = read(file, at, count);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    count -= std::size_t(n);
  }
  return true;
}

constexpr const char *digits = "0123456789abcdef";
constexpr std::size_t randomBytes = 16;

/// A name that nobody can foresee; empty when the system has no random numbers.
std::string newName() {
  std::array<std::uint8_t, randomBytes> random;
  if (getrandom(random.data(), random.size(), 0) != ssize_t(random.size()))
    return "";
  std::string name = unfinished;
  for (std::uint8_t byte : random) {
    name += digits[byte >> 4];
    name += digits[byte & 15];
  }
  return name;
}

/// Whether it is one of those.
bool isNewName(std::string_view name) {
  const std::size_t prefix = std::strlen(unfinished);
  return name.starts_with(unfinished) && name.size() == prefix + 2 * randomBytes &&
         name.find_first_not_of(digits, prefix) == name.npos;
}

/// Whether the file begins as an entry does, of this version or another one. To look is not to use it.
bool looksLikeEntry(int directory, const std::string &name) {
  struct stat info;
  char sign[sizeof(mark)];
  Descriptor file = openEntry(directory, name, info);
  if (!file)
    return false;
  const bool quiet = fcntl(file.get(), F_SETFL, O_NONBLOCK | O_NOATIME) == 0;
  const bool whole = readAll(file.get(), sign, sizeof(sign));
  const timespec times[2] = {info.st_atim, {0, UTIME_OMIT}};
  if (!quiet)
    futimens(file.get(), times);
  return whole && !std::memcmp(sign, mark, sizeof(mark) - 1);
}

std::string chooseFolder() {
  if (std::string own = environment("POCM_CACHE_DIR"); !own.empty())
    return own == "off" ? "" : own;
  if (std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty())
    return xdg + "/pocm";
  if (std::string home = environment("HOME"); !home.empty())
    return home + "/.cache/pocm";
  return "";
}

std::uint64_t chooseSize() {
  constexpr std::uint64_t usual = 1024, most = 1u << 30, mebibyte = 1u << 20;
  std::string text = environment("POCM_CACHE_SIZE");
  std::uint64_t size = usual;
  if (text.empty())
    return size * mebibyte;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (problem != std::errc() || end != text.data() + text.size())
    throw Error("POCM_CACHE_SIZE is '" + text + "'; it must be a number of mebibytes");
  return std::min(size, most) * mebibyte;
}

} // namespace

std::string environment(const char *name) {
  const char *value = secure_getenv(name);
  return value ? value : "";
}

DiskCache::DiskCache() : DiskCache(chooseFolder()) {}
DiskCache::DiskCache(std::string folder) : folder(std::move(folder)), most(chooseSize()) {}

std::optional<std::vector<char>> DiskCache::find(const std::string &name) const {
  Descriptor directory = openFolder(folder);
  struct stat info;
  Descriptor file = directory ? openEntry(directory.get(), name, info) : Descriptor(-1);
  if (!file)
    return std::nullopt;
  char sign[sizeof(mark)];
  std::uint64_t length;
  Digest digest;
  const std::uint64_t header = sizeof(sign) + sizeof(length) + name.size() + digest.size();
  if (info.st_size < 0 || std::uint64_t(info.st_size) <= header || std::uint64_t(info.st_size) > most + header)
    return std::nullopt;
  std::string key(name.size(), 0);
  std::vector<char> contents;
  try {
    contents.resize(std::size_t(info.st_size) - header);
  } catch (const std::bad_alloc &) { // it is larger than what was made
    return std::nullopt;
  }
  bool whole = readAll(file.get(), sign, sizeof(sign)) && readAll(file.get(), &length, sizeof(length)) &&
               !std::memcmp(sign, mark, sizeof(mark)) && length == name.size() &&
               readAll(file.get(), key.data(), key.size()) && key == name &&
               readAll(file.get(), digest.data(), digest.size()) &&
               readAll(file.get(), contents.data(), contents.size()) && digest == digestOf(name, contents);
  if (!whole)
    return std::nullopt;
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}}; // used now, written then
  futimens(file.get(), times);
  return contents;
}

void DiskCache::store(const std::string &name, std::span<const char> contents) const {
  if (folder.empty() || contents.size() > most)
    return;
  makeFolder(folder);
  Descriptor directory = openFolder(folder);
  std::string temporary = newName();
  if (!directory || temporary.empty())
    return;
  bool whole;
  {
    Descriptor file(
        openat(directory.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file)
      return;
    NoFileSizeSignal quiet;
    std::uint64_t length = name.size();
    Digest digest = digestOf(name, contents);
    whole = writeAll(file.get(), mark, sizeof(mark)) && writeAll(file.get(), &length, sizeof(length)) &&
            writeAll(file.get(), name.data(), name.size()) && writeAll(file.get(), digest.data(), digest.size()) &&
            writeAll(file.get(), contents.data(), contents.size());
  }
  if (!whole || renameat(directory.get(), temporary.c_str(), directory.get(), name.c_str()) != 0)
    unlinkat(directory.get(), temporary.c_str(), 0);
  evict(directory.get());
}

void DiskCache::remove(const std::string &name) const {
  if (Descriptor directory = openFolder(folder))
    unlinkat(directory.get(), name.c_str(), 0);
}

void DiskCache::evict(int directory) const {
  struct Entry {
    timespec used;
    std::uint64_t bytes;
    std::string name;
  };
  std::unique_ptr<DIR, int (*)(DIR *)> list(fdopendir(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
                                            &closedir);
  if (!list)
    return;
  std::vector<Entry> entries;
  std::uint64_t all = 0;
  const std::time_t now = std::time(nullptr);
  while (const dirent *each = readdir(list.get())) {
    struct stat info;
    std::string name = each->d_name;
    if (fstatat(directory, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode) ||
        info.st_uid != geteuid())
      continue;
    if (isNewName(name)) {
      if (now - info.st_mtime > forgotten)
        unlinkat(directory, name.c_str(), 0);
      continue;
    }
    all += std::uint64_t(info.st_size);
    entries.push_back({info.st_atim, std::uint64_t(info.st_size), std::move(name)});
  }
  if (all <= most)
    return;
  // The folder may be one where the user keeps other things.
  std::erase_if(entries, [&](const Entry &entry) {
    const bool foreign = !looksLikeEntry(directory, entry.name);
    all -= foreign ? entry.bytes : 0;
    return foreign;
  });
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  const std::uint64_t goal = most / 10 * 9; // so that the next ones find room
  for (const Entry &entry : entries) {
    if (all <= goal)
      return;
    if (unlinkat(directory, entry.name.c_str(), 0) == 0)
      all -= entry.bytes;
  }
}

} // namespace pocm::program
