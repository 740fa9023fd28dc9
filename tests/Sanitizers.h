// Whether a test's program has a sanitizer in it. AddressSanitizer's build takes most tests' own code from the
// optimised build (POCM_PLAIN_BUILD), so that only the program can say.
#pragma once

extern "C" __attribute__((weak)) void __asan_init();

namespace test {

inline bool underAddressSanitizer() { return __asan_init != nullptr; }

#if __has_feature(thread_sanitizer)
inline constexpr bool underThreadSanitizer = true;
#else
inline constexpr bool underThreadSanitizer = false;
#endif

} // namespace test
