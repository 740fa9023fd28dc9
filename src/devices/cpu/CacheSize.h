//===- CacheSize.h - How much a core's caches hold -------------------------------===//
#pragma once

#include <cstdint>
#include <string>

namespace pocm::cpu {

/// Bytes of the last cache that a core reaches, as Linux describes the caches of a core in `folder`. The C library
/// gives the sum of all such caches of a processor instead, on some that have several; it is asked where there is no
/// folder.
std::int64_t lastCacheBytes(const std::string &folder = "/sys/devices/system/cpu/cpu0/cache");

} // namespace pocm::cpu
