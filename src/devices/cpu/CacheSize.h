//===- CacheSize.h - How much a core's caches hold -------------------------------===//
#pragma once

#include <cstdint>
#include <string>

namespace pocm::cpu {

/// Bytes of the last cache that a core reaches, as Linux describes the caches of a core in `folder`. The C library
/// gives the sum of all such caches of a processor instead, on some that have several; it is asked where there is no
/// folder.
std::int64_t lastCacheBytes(const std::string &folder = "/sys/devices/system/cpu/cpu0/cache");

/// Surfaces that are larger are written around the caches: all of a last cache that few cores share. Where it is spread
/// over all cores of a socket, as Intel's are, only what the cores beside have of it is worth filling: on processors
/// with 300 and 480 MB, lines of their own written around the cache, and read again by the next launch, take 0.5 to 0.8
/// of the time from 24 MB on, and up to 1.2 below 16 MB.
std::int64_t worthKeeping(std::int64_t lastCacheBytes, bool spread);
/// Whether this processor's last cache is spread over all cores of a socket.
bool lastCacheIsSpread();

} // namespace pocm::cpu
