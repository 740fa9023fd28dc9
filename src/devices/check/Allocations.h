//===- Allocations.h - Memory that kernels may reach by address --------------------===//
#pragma once

#include "runtime/Memory.h"
#include <cstdint>
#include <optional>

namespace pocm::check {

/// Where an access leaves memory that it may use.
struct Outside {
  std::int64_t offset; ///< In the allocation that lies nearest;
  std::uint64_t size;  ///< of so many bytes, 0 when none is near.
  bool gone = false;   ///< The access is in the allocation, but the host has destroyed that.
};

/// What the host allocated through the device, as it is when this is made, and whatever else of the host's has memory.
/// Addresses that are in neither, just outside of an allocation or in one that was destroyed, are mistakes.
class Allocations {
public:
  Allocations();
  /// Nothing when the access is inside. Takes no memory.
  std::optional<Outside> outside(std::uint64_t address, std::uint64_t bytes);

  const std::vector<runtime::AddressRange> &all() const { return ranges; }

private:
  bool mapped(std::uint64_t page);
  std::vector<runtime::AddressRange> ranges, freed;
  std::uint64_t known[64] = {}; // pages that are there, by number
};

} // namespace pocm::check
