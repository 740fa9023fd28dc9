//===- Limits.cpp - What a compilation may take ----------------------------------===//
#include "cmc/Limits.h"
#include <csignal>
#include <new>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr rlim_t MostSeconds = 300, MostBytes = rlim_t(8) << 30;

[[noreturn]] void end(std::string_view Text) { _exit(write(STDERR_FILENO, Text.data(), Text.size()) < 0 ? 2 : 1); }
[[noreturn]] void outOfMemory() { end("cmc: error: this takes more memory to compile than 8 GiB, or than there is\n"); }
[[noreturn]] void outOfTime(int) {
  end("cmc: error: this takes longer to compile than five minutes of the processor, or than it may\n");
}

void limit(__rlimit_resource Resource, rlim_t Most) {
  rlimit Now;
  if (getrlimit(Resource, &Now) != 0 || Now.rlim_cur <= Most)
    return;
  Now.rlim_cur = Most;
  setrlimit(Resource, &Now);
}

} // namespace

void takeLimits() {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) // which take terabytes of addresses, and long
  return;
#endif
  std::set_new_handler(
      outOfMemory); // some of LLVM's containers do not ask it, and call abort() with a word of their own
  std::signal(SIGXCPU, outOfTime);
  limit(RLIMIT_AS, MostBytes);
  limit(RLIMIT_CPU, MostSeconds);
}
