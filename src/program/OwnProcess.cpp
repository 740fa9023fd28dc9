//===- OwnProcess.cpp - Work of LLVM's in a process of its own -----------------------------===//
//
// Request and answer go through a socket, for which limits of files do not count. The process
// reads all of the request, then writes all of the answer. One that is cut off says that the
// process has failed, whatever becomes of its exit status, which a host that waits for all of its
// children may take.
//
//===----------------------------------------------------------------------------------------===//
#include "program/OwnProcess.h"
#include "BuildId.h"
#include "pocm/pocm.h"
#include "program/Compiling.h"
#include "program/DiskCache.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <new>
#include <set>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POCM_SHADOWED 1 // by terabytes of addresses
#endif
#endif

namespace pocm::program {
namespace {

constexpr rlim_t mostSeconds = 60; // of the processor
constexpr unsigned mostWait = 600; // seconds of the clock
constexpr int requestFile = 0;     // the socket, as cm-codegen sees it

/// What an answer is: `Refusal` an Error of the worker's, `Failure` LLVM's.
enum Kind : char { None = 0, Result = 'R', Refusal = 'E', Failure = 'F', OtherBuild = 'B' };

class File {
public:
  explicit File(int number) : number(number) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (number >= 0)
      close(number);
  }

private:
  int number;
};

/// A socket's two ends; their numbers are none of those that another process is given, even where the host has closed
/// its own. -1 when there are none to be had.
std::pair<int, int> connected() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return {-1, -1};
  File first(ends[0]), second(ends[1]);
  return {fcntl(ends[0], F_DUPFD_CLOEXEC, 3), fcntl(ends[1], F_DUPFD_CLOEXEC, 3)};
}

/// Whether all was taken.
bool sendAll(int socket, const void *bytes, std::size_t count) {
  for (const char *from = static_cast<const char *>(bytes); count;) {
    ssize_t sent = send(socket, from, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    from += sent;
    count -= std::size_t(sent);
  }
  return true;
}

/// The next `count` bytes, or what there is of them before the end.
std::vector<char> receive(int socket, std::size_t count) {
  constexpr std::size_t atOnce = 1u << 20;
  std::vector<char> all;
  while (all.size() < count) {
    const std::size_t at = all.size();
    all.resize(at + std::min(atOnce, count - at));
    ssize_t came;
    do
      came = recv(socket, all.data() + at, all.size() - at, 0);
    while (came < 0 && errno == EINTR);
    all.resize(at + std::size_t(std::max<ssize_t>(came, 0)));
    if (came <= 0)
      break;
  }
  return all;
}

/// Sends a number of bytes and them.
bool sendCounted(int socket, const void *bytes, std::size_t count) {
  const std::uint64_t size = count;
  return sendAll(socket, &size, sizeof(size)) && sendAll(socket, bytes, count);
}
/// What was sent so; none when it is cut off.
std::optional<std::vector<char>> receiveCounted(int socket) {
  std::uint64_t size = 0;
  std::vector<char> bytes = receive(socket, sizeof(size));
  if (bytes.size() < sizeof(size))
    return {};
  std::memcpy(&size, bytes.data(), sizeof(size));
  bytes = receive(socket, size);
  return bytes.size() == size ? std::optional(std::move(bytes)) : std::nullopt;
}

/// A request as it is written: the number of words, each with its length, then the input.
std::vector<char> packed(std::span<const std::string> words, std::span<const std::uint8_t> input) {
  std::vector<char> all;
  auto number = [&](std::uint64_t n) {
    const char *bytes = reinterpret_cast<const char *>(&n);
    all.insert(all.end(), bytes, bytes + sizeof(n));
  };
  number(words.size());
  for (const std::string &word : words) {
    number(word.size());
    all.insert(all.end(), word.begin(), word.end());
  }
  all.insert(all.end(), input.begin(), input.end());
  return all;
}

/// The words of a request, and where its input begins.
std::pair<std::vector<std::string>, std::size_t> unpacked(const std::vector<char> &all) {
  std::size_t at = 0;
  auto number = [&] {
    std::uint64_t n = 0;
    if (sizeof(n) > all.size() - at)
      throw Error("the request is cut off");
    std::memcpy(&n, all.data() + at, sizeof(n));
    at += sizeof(n);
    if (n > all.size() - at)
      throw Error("the request is cut off");
    return n;
  };
  std::vector<std::string> words;
  for (std::uint64_t count = number(); count; --count) {
    const std::uint64_t length = number();
    words.emplace_back(all.data() + at, length);
    at += length;
  }
  return {words, at};
}

/// The file that this code was loaded from, as the system knows it: the loader's name of it may begin at a folder that
/// was the current one then, and is another now.
std::string loadedFrom() {
  static const char here = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(&here);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    // 7f5e2c000000-7f5e2c021000 r--p 00000000 08:01 1234   /usr/lib/libpocm.so.0.1.0
    std::uintptr_t begin = 0, end = 0;
    int at = 0;
    if (std::sscanf(line.c_str(), "%zx-%zx %*s %*s %*s %*s %n", &begin, &end, &at) == 2 && at > 0 && address >= begin &&
        address < end)
      return line.substr(std::size_t(at));
  }
  Dl_info info; // where there is no /proc
  return dladdr(&here, &info) && info.dli_fname && *info.dli_fname == '/' ? info.dli_fname : "";
}

/// cm-codegen: beside the library, or where it is installed from there. Empty when it is nowhere.
const std::string &codegenProgram() {
  const Compiling working; // a fork waits
  static const std::string path = [] {
    const std::string file = loadedFrom();
    const std::string folder = file.substr(0, file.rfind('/') + 1);
    for (const char *place : {"cm-codegen", POCM_CODEGEN_PLACE})
      if (std::string candidate = folder + place; !folder.empty() && access(candidate.c_str(), X_OK) == 0)
        return candidate;
    return std::string();
  }();
  return path;
}

/// Starts the program with this end of a socket; none when it cannot be started.
std::optional<pid_t> start(const std::string &path, int socket) {
  std::string name = path, build = POCM_BUILD_ID;
  char *const arguments[] = {name.data(), build.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0); // Ctrl-C is for the host
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  bool started = posix_spawn_file_actions_adddup2(&files, socket, requestFile) == 0 &&
                 posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0) == 0 &&
                 posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) == 0 &&
                 posix_spawn_file_actions_addclosefrom_np(&files, 3) == 0 &&
                 posix_spawn(&process, path.c_str(), &files, &attributes, arguments, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return started ? std::optional(process) : std::nullopt;
}

/// The status of a process that ends; -1 when somebody else has taken it.
int statusOf(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) != process)
    if (errno != EINTR)
      return -1;
  return status;
}

/// What the process has of a resource, where it may have no more than `most`: the host may have less itself.
rlim_t least(int resource, rlim_t most) {
  rlimit now;
  return getrlimit(__rlimit_resource_t(resource), &now) == 0 ? std::min(now.rlim_cur, most) : most;
}

/// Why a process has no answer.
std::string causeOf(int status) {
  const int signal = status != -1 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU)
    return "it takes more than " + std::to_string(least(RLIMIT_CPU, mostSeconds)) + " seconds";
  if (signal == SIGALRM)
    return "it takes more than " + std::to_string(mostWait) + " seconds";
  return signal ? "it crashes (signal " + std::to_string(signal) + ")" : "it ends without an answer";
}

/// Where cm-codegen is: the answer, given once.
[[noreturn]] void answer(Kind kind, const void *bytes, std::size_t count) {
  static std::atomic_flag given = ATOMIC_FLAG_INIT;
  if (given.test_and_set())
    _exit(1);
  const char mark = kind;
  (void)(sendAll(requestFile, &mark, 1) && sendCounted(requestFile, bytes, count));
  _exit(0); // nothing of LLVM's is destroyed
}
[[noreturn]] void answer(Kind kind, const char *text) { answer(kind, text, std::strlen(text)); }

void limit(int resource, rlim_t most) {
  rlimit now;
  if (getrlimit(__rlimit_resource_t(resource), &now) != 0)
    return;
  now.rlim_cur = least(resource, most);
  setrlimit(__rlimit_resource_t(resource), &now);
}

void takeLimits() {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody waits for the answer then
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, mostSeconds);
#ifndef POCM_SHADOWED
  constexpr rlim_t mostMemory = rlim_t(4096) << 20; // bytes of addresses, a stack of a gibibyte among them
  limit(RLIMIT_AS, mostMemory);
#endif
  alarm(mostWait);
  std::set_new_handler([] { answer(Failure, "it takes too much memory"); });
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { answer(Failure, "it takes too much memory"); });
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) { answer(Failure, reason); });
}

using Digest = std::array<std::uint8_t, 32>;
Digest digestOf(std::span<const std::uint8_t> ir) {
  llvm::BLAKE3 hash;
  hash.update(llvm::ArrayRef<std::uint8_t>(ir.data(), ir.size()));
  return hash.final<32>();
}

/// Never destroyed: threads may compile while the process ends.
struct Own {
  std::mutex lock;
  std::set<Digest> programs;
};
Own &own() {
  static Own &all = *new Own;
  return all;
}

} // namespace

std::optional<std::vector<char>> inOwnProcess(const std::string &purpose, const std::vector<std::string> &work,
                                              std::span<const std::uint8_t> input) {
  const std::string &path = codegenProgram();
  if (path.empty() || environment("POCM_CODEGEN") == "inside")
    return {};
  std::optional<pid_t> process;
  int here;
  {
    Compiling working; // a forked child would keep their end open
    const auto [ours, there] = connected();
    File theirs(there);
    here = ours;
    if (ours >= 0 && there >= 0)
      process = start(path, there);
  }
  File ours(here);
  if (!process)
    return {};
  const std::vector<char> request = packed(work, input);
  (void)sendCounted(here, request.data(), request.size()); // or the process has ended before, and says why
  const std::vector<char> mark = receive(here, 1);
  Kind kind = mark.empty() ? None : Kind(mark.front());
  const std::optional<std::vector<char>> answer = receiveCounted(here);
  const int status = statusOf(*process);
  if (!answer && kind != OtherBuild)
    kind = None;
  const std::string text = answer ? std::string(answer->begin(), answer->end()) : causeOf(status);
  switch (kind) {
  case Result:
    return answer;
  case OtherBuild:
    return {};
  case Refusal:
    throw Error(text);
  case Failure:
  case None:
    break;
  }
  throw Error("LLVM cannot " + purpose + ": " + text);
}

namespace {
std::atomic<Guard> guarded = nullptr;
}
void guardWith(Guard guard) { guarded = guard; }

void workHere(const std::string &purpose, const std::function<void()> &work) {
  withLargeStack([&] {
    if (Guard guard = guarded)
      guard(purpose, work);
    else
      work();
  });
}

int workInOwnProcess(int argc, char **argv, const std::map<std::string, Worker> &workers) {
  struct stat info;
  if (argc != 2 || fstat(requestFile, &info) != 0 || !S_ISSOCK(info.st_mode)) {
    constexpr std::string_view text = "cm-codegen makes code for PoCM's libraries, which start it themselves\n";
    return write(2, text.data(), text.size()) < 0 ? 1 : 2;
  }
  if (std::strcmp(argv[1], POCM_BUILD_ID) != 0)
    answer(OtherBuild, "");
  takeLimits();
  try {
    const std::vector<char> request = receiveCounted(requestFile).value();
    const auto [words, at] = unpacked(request);
    const std::span input(reinterpret_cast<const std::uint8_t *>(request.data()) + at, request.size() - at);
    const Worker &worker = workers.at(words.at(0));
    std::vector<char> result;
    withLargeStack([&] { result = worker(std::span(words).subspan(1), input); });
    answer(Result, result.data(), result.size());
  } catch (const std::exception &problem) {
    answer(Refusal, problem.what());
  }
}

void noteOwn(std::span<const std::uint8_t> ir) {
  const Digest digest = digestOf(ir);
  const Compiling working; // a fork waits for the lock
  Own &all = own();
  std::lock_guard guard(all.lock);
  all.programs.insert(digest);
}

bool isOwn(std::span<const std::uint8_t> ir) {
  const Digest digest = digestOf(ir);
  const Compiling working; // a fork waits for the lock
  Own &all = own();
  std::lock_guard guard(all.lock);
  return all.programs.contains(digest);
}

} // namespace pocm::program
