//===- Findings.h - What is wrong with a kernel, in words ------------------------===//
//
//     k.cpp:7: error: oword block read of 64 bytes at offset 4096 leaves 'in', which has 4096 bytes [beyond-surface]
//     k.cpp:7: note: kernel 'k', thread (64, 0); 3 more times
//
//===----------------------------------------------------------------------===//
#pragma once

#include "devices/check/Abi.h"
#include "pocm/pocm.h"
#include "program/KernelInterface.h"
#include <string>
#include <vector>

namespace pocm::check {

/// Kinds of mistakes, by the names that reports and JSON have.
enum class Kind : std::uint32_t {
#define FINDING(id, name) id,
#include "devices/check/Findings.def"
};

/// Slots of what is no surface of the launch.
constexpr std::uint32_t SlmSlot = SlmSurface, AddressSlot = ~0u;

/// A thread as reports name it.
struct ThreadPlace {
  std::uint32_t x, y;
  std::uint32_t group[3], local[3];
  bool byGroups;
};

/// A mistake as helpers note it while kernels run: nothing that needs memory.
struct RawFinding {
  Kind kind;
  const Site *site, *other; ///< The other access of a race, or null.
  ThreadPlace thread, otherThread;
  std::uint32_t slot;
  std::int64_t offset, second; ///< x and y of blocks and pixels.
  std::uint64_t bytes, size;   ///< Of the access, and of what it leaves; the rows of that.
  std::uint64_t rows;
  std::uint64_t count; ///< How often.
  bool gone;           ///< What it leaves has been destroyed.
};

/// Whether a place only says which part of an object is meant.
bool isBounds(const Site &site);

/// In words. `surface` is the name of what `slot` means.
Finding inWords(const RawFinding &raw, const std::string &kernel, const std::string &surface);
/// Lines of text, as above.
std::string textOf(const Finding &finding);

} // namespace pocm::check
