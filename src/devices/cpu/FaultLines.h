//===- FaultLines.h - Which source line an instruction of a kernel comes from -------===//
#pragma once

#include "devices/cpu/CodeRange.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pocm::cpu {

/// Where the code of an object file is, and its lines when it was made from a program compiled with -g.
class FaultLines {
public:
  FaultLines() = default;
  explicit FaultLines(const std::vector<char> &object);
  /// "file.cpp:12" for the instruction at `pc`, where the walker of the object lies at `walk`; "" when it is not known.
  std::string at(std::uintptr_t pc, std::uintptr_t walk) const;
  /// Whether there are lines.
  bool any() const { return !rows.empty(); }
  /// Where the code begins and ends, for the same walker.
  CodeRange range(std::uintptr_t walk) const { return {walk - walker, walk - walker + bytes}; }
  /// An instruction with which a line begins, for the same walker.
  struct Place {
    std::uintptr_t address;
    const std::string *file; ///< Of this object.
    std::uint32_t line;      ///< 0: from here on unknown.
  };
  std::vector<Place> places(std::uintptr_t walk) const &;

private:
  struct Row {
    std::uint64_t offset;     ///< In the code of the object.
    std::uint32_t file, line; ///< Line 0: from here on unknown.
  };
  std::vector<Row> rows; ///< By offset.
  std::vector<std::string> files;
  std::uint64_t walker = 0; ///< Offset of the walker in the section of the code.
  std::uint64_t bytes = 0;  ///< Of that section.
};

} // namespace pocm::cpu
