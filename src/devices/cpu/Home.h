//===- Home.h - Where to go on after a fault ------------------------------------===//
//
//     Home home;
//     if (!POCM_COMES_HOME(home))
//       walk();               // goHome(home) of what it calls, or a handler, goes on below
//     else
//       whatHappened();
//
// As _setjmp, which takes half of the time of a walk of one short thread: the compiler knows
// which registers are in use, and the C library's function saves them all, and encrypts some.
//
//===----------------------------------------------------------------------===//
#pragma once

#if defined(__x86_64__) && !__has_feature(thread_sanitizer) // which follows jumps of the C library's
#define POCM_OWN_JUMPS 1
#else
#include <csetjmp>
#endif

namespace pocm::cpu {

/// A place in a function that has not returned.
#ifdef POCM_OWN_JUMPS
using Home = void *[5]; ///< As the compiler wants it.
#define POCM_COMES_HOME(home) __builtin_setjmp(home)
#else
using Home = std::jmp_buf;
#define POCM_COMES_HOME(home) _setjmp(home)
#endif

/// Goes on where the home was set, in a function that called this one. Not inlined, as it may not be that function.
[[noreturn, gnu::noinline]] inline void goHome(Home &home) {
#ifdef POCM_OWN_JUMPS
  __builtin_longjmp(home, 1);
#else
  _longjmp(home, 1);
#endif
}

} // namespace pocm::cpu
