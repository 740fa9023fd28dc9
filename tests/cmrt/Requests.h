// Requests for memory, seen before they are answered: this program's malloc() and its like, which the C library,
// libstdc++ and LLVM call, ask here first. Not under sanitizers, which have a malloc of their own.
#pragma once

#include <atomic>
#include <cstdlib>

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define POCM_SEES_REQUESTS 1

namespace test {
/// Called for each request; false: there is no memory. Null: all are answered.
extern std::atomic<bool (*)()> onRequest;

/// Each of these tests is a process of its own, so a third of what they could look at has to do; POCM_TEST_ALL=1: all.
inline long stepOf(long step) { return std::getenv("POCM_TEST_ALL") ? step : 3 * step; }
} // namespace test

#endif
