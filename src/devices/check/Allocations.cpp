//===- Allocations.cpp - Memory that kernels may reach by address ------------------===//
#include "devices/check/Allocations.h"
#include <algorithm>
#include <sys/uio.h>
#include <unistd.h>

namespace pocm::check {
namespace {
constexpr std::uint64_t page = 4096;
/// How far from an allocation an address still means that one.
constexpr std::uint64_t near = 256;
} // namespace

Allocations::Allocations() : ranges(runtime::listedAddresses()), freed(runtime::freedAddresses()) {}

std::optional<Outside> Allocations::outside(std::uint64_t address, std::uint64_t bytes) {
  std::optional<Outside> just;
  auto behind = std::upper_bound(ranges.begin(), ranges.end(), address + near,
                                 [](std::uint64_t a, const runtime::AddressRange &r) { return a < r.begin; });
  while (behind != ranges.begin()) {
    const runtime::AddressRange &r = *--behind;
    if (address >= r.begin && address + bytes <= r.end)
      return std::nullopt;
    if (!just && address < r.end + near)
      just = Outside{std::int64_t(address - r.begin), r.end - r.begin};
    if (just && r.end + near < address)
      break;
  }
  for (const runtime::AddressRange &r : freed)
    if (address >= r.begin && address < r.end)
      return Outside{std::int64_t(address - r.begin), r.end - r.begin, true};
  if (just)
    return just;
  if (address + bytes < address || !mapped(address / page) || !mapped((address + bytes - 1) / page))
    return Outside{std::int64_t(address), 0};
  return std::nullopt;
}

/// A page stays there while a launch runs.
bool Allocations::mapped(std::uint64_t number) {
  std::uint64_t &slot = known[number % 64];
  if (number && slot == number)
    return true;
  char byte;
  iovec to{&byte, 1}, from{reinterpret_cast<void *>(number * page), 1};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1)
    return false;
  slot = number;
  return true;
}

} // namespace pocm::check
