//===- PerThread.h - Something of each host thread -------------------------------===//
//
// What a thread_local object with a destructor is, but for one thing: when there is no memory to
// remember that it must be destroyed, the C library ends the process; here it is an exception.
//
//     PerThread<std::string> messages;
//     messages.mine() = "no such kernel";        this thread's
//
//===-----------------------------------------------------------------------------===//
#pragma once

#include <memory>
#include <new>
#include <pthread.h>

namespace pocm::runtime {

/// Of static storage duration; any thread. What a thread has is destroyed when it ends.
template <class T> class PerThread {
public:
  PerThread() noexcept {
    has = pthread_key_create(&key, [](void *object) { delete static_cast<T *>(object); }) == 0;
  }
  PerThread(const PerThread &) = delete;
  PerThread &operator=(const PerThread &) = delete;

  /// Made when the thread first asks. Throws what T() does, and std::bad_alloc, also when the process has no keys left.
  T &mine() {
    if (T *known = existing())
      return *known;
    auto made = std::make_unique<T>();
    if (!has || pthread_setspecific(key, made.get()) != 0)
      throw std::bad_alloc();
    return *made.release();
  }
  /// Null when the thread has not asked. Handlers of signals may call it.
  T *existing() const { return has ? static_cast<T *>(pthread_getspecific(key)) : nullptr; }

private:
  pthread_key_t key = {};
  bool has = false;
};

} // namespace pocm::runtime
