// The functions that Requests.h speaks of.
#include "Requests.h"
#ifdef POCM_SEES_REQUESTS
#include <cerrno>
#include <cstddef>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

std::atomic<bool (*)()> test::onRequest{nullptr};

namespace {
bool isGone() {
  bool (*ask)() = test::onRequest.load();
  return ask && !ask();
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);

void *malloc(std::size_t n) { return isGone() ? (errno = ENOMEM, nullptr) : __libc_malloc(n); }
void *calloc(std::size_t n, std::size_t m) { return isGone() ? (errno = ENOMEM, nullptr) : __libc_calloc(n, m); }
void *realloc(void *p, std::size_t n) { return isGone() ? (errno = ENOMEM, nullptr) : __libc_realloc(p, n); }
void *memalign(std::size_t a, std::size_t n) { return isGone() ? (errno = ENOMEM, nullptr) : __libc_memalign(a, n); }
void *aligned_alloc(std::size_t a, std::size_t n) { return memalign(a, n); }
int posix_memalign(void **p, std::size_t a, std::size_t n) {
  void *made = memalign(a, n);
  if (made)
    *p = made;
  return made ? 0 : ENOMEM;
}
void *mmap(void *at, std::size_t n, int protection, int flags, int file, off_t offset) noexcept {
  if (isGone())
    return errno = ENOMEM, MAP_FAILED;
  return reinterpret_cast<void *>(syscall(SYS_mmap, at, n, protection, flags, file, offset));
}
}
#pragma GCC visibility pop
#endif
