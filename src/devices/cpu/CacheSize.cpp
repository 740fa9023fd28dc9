//===- CacheSize.cpp - How much a core's caches hold -----------------------------===//
//
//     index0/level 1, index0/size 48K      index2/level 2, index2/size 1024K
//     index3/level 3, index3/size 32768K   ->   33,554,432 bytes
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/CacheSize.h"
#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace pocm::cpu {
namespace {

/// What the file says, "32768K": 0 where it is not there or says something else.
std::int64_t sizeIn(const std::string &path) {
  std::ifstream file(path);
  std::int64_t size = 0;
  char unit = 0;
  if (!(file >> size) || size <= 0 || size > std::int64_t(1) << 30)
    return 0;
  if (!(file >> unit))
    return size;
  return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : unit == 'G' ? size << 30 : 0;
}

} // namespace

std::int64_t lastCacheBytes(const std::string &folder) {
  constexpr std::int64_t usual = 32 << 20;
  std::int64_t size = 0;
  for (int number = 0, last = 0;; ++number) {
    const std::string cache = folder + "/index" + std::to_string(number);
    std::ifstream file(cache + "/level");
    int level = 0;
    if (!(file >> level))
      break;
    if (level >= last)
      size = std::max(level > last ? 0 : size, sizeIn(cache + "/size")), last = level;
  }
#ifdef _SC_LEVEL3_CACHE_SIZE
  // Where Linux says nothing, as in some virtual machines. This may be the sum of all caches of a package (an AMD
  // EPYC's sixteen of 32 MB), of which a core has one.
  if (size <= 0)
    size = std::min<std::int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE), usual);
#endif
  return size > 0 ? size : usual;
}

std::int64_t worthKeeping(std::int64_t lastCacheBytes, bool spread) {
  constexpr std::int64_t beside = 16 << 20;
  return spread ? std::min(lastCacheBytes, beside) : lastCacheBytes;
}

bool lastCacheIsSpread() {
#ifdef __x86_64__
  return __builtin_cpu_is("intel");
#else
  return false;
#endif
}

} // namespace pocm::cpu
