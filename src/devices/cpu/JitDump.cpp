//===- JitDump.cpp - Compiled kernels with their lines, for perf --------------------===//
#include "devices/cpu/JitDump.h"
#include "devices/cpu/FaultLines.h"
#include "program/DiskCache.h"
#include <cstdio>
#include <ctime>
#include <elf.h>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pocm::cpu {
namespace {

// As tools/perf/Documentation/jitdump-specification.txt of Linux has them.
struct Header {
  std::uint32_t magic = 0x4A695444, version = 1, bytes = sizeof(Header), machine, pad = 0, process;
  std::uint64_t time, flags = 0;
};
struct Prefix {
  std::uint32_t id, bytes;
  std::uint64_t time;
};
enum : std::uint32_t { CodeLoad = 0, DebugInfo = 2 };
struct Load {
  std::uint32_t process, thread;
  std::uint64_t place, code, bytes, index;
};
struct Lines {
  std::uint64_t code, count;
};
struct Line {
  std::uint64_t address;
  std::uint32_t line, discriminator;
};

/// Of the clock that `perf record -k mono` takes.
std::uint64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::uint64_t(t.tv_sec) * 1'000'000'000u + std::uint64_t(t.tv_nsec);
}

/// What a record is made of, behind one another.
class Record {
public:
  template <class T> Record &operator<<(const T &part) {
    const char *bytes = reinterpret_cast<const char *>(&part);
    text.append(bytes, sizeof(part));
    return *this;
  }
  void name(const std::string &name) { text.append(name.c_str(), name.size() + 1); }
  void code(const CompiledFunction &f) {
    text.append(reinterpret_cast<const char *>(std::uintptr_t(f.address)), f.bytes);
  }
  void write(std::FILE *to, std::uint32_t id) const {
    const Prefix prefix{id, std::uint32_t(sizeof(Prefix) + text.size()), now()};
    std::fwrite(&prefix, sizeof(prefix), 1, to);
    std::fwrite(text.data(), text.size(), 1, to);
  }

private:
  std::string text;
};

/// The file of this process, opened when it is first asked for; null without one.
std::FILE *file() {
  static std::FILE *const open = [] {
    const std::string folder = program::environment("POCM_JITDUMP");
    std::FILE *made =
        folder.empty() ? nullptr : openForProfilers(folder + "/jit-" + std::to_string(getpid()) + ".dump", false);
    if (!made)
      return made;
    Header header;
#if defined(__x86_64__)
    header.machine = EM_X86_64;
#else
    header.machine = EM_AARCH64;
#endif
    header.process = std::uint32_t(getpid());
    header.time = now();
    std::fwrite(&header, sizeof(header), 1, made);
    std::fflush(made);
    // perf finds the file by this: it records what is mapped to be executed. Stays as long as the process.
    mmap(nullptr, std::size_t(sysconf(_SC_PAGESIZE)), PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(made), 0);
    return made;
  }();
  return open;
}

} // namespace

std::FILE *openForProfilers(const std::string &path, bool append) {
  const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (append ? O_APPEND : 0);
  const int file = open(path.c_str(), flags, 0644); // perf may be another user
  struct stat info;
  const bool ours = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
                    info.st_nlink == 1 && (append || ftruncate(file, 0) == 0);
  std::FILE *stream = ours ? fdopen(file, append ? "a" : "w+") : nullptr;
  if (!stream && file >= 0)
    close(file);
  return stream;
}

void dumpForPerf(const std::vector<CompiledFunction> &functions, const std::vector<char> &object, std::uint64_t walk) {
  static std::mutex lock; // guards the file and `index`
  static std::uint64_t index = 0;
  std::FILE *to = file();
  if (!to)
    return;
  const FaultLines known(object);
  const std::vector<FaultLines::Place> places = known.places(walk);
  std::lock_guard guard(lock);
  for (const CompiledFunction &f : functions) {
    Record lines, load;
    Lines head{f.address, 0};
    for (const FaultLines::Place &p : places)
      head.count += p.line && p.address >= f.address && p.address < f.address + f.bytes;
    lines << head;
    for (const FaultLines::Place &p : places)
      if (p.line && p.address >= f.address && p.address < f.address + f.bytes) {
        lines << Line{p.address, p.line, 0};
        lines.name(*p.file);
      }
    if (head.count) // in front of the code
      lines.write(to, DebugInfo);
    load << Load{std::uint32_t(getpid()), std::uint32_t(syscall(SYS_gettid)), f.address, f.address, f.bytes, index++};
    load.name(f.name);
    load.code(f);
    load.write(to, CodeLoad);
  }
  std::fflush(to);
}

} // namespace pocm::cpu
