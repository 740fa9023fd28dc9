//===- FaultLines.h - Which source line an instruction of a kernel comes from -------===//
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pocm::cpu {

/// Lines of an object file that was made from a program compiled with -g; empty for others.
class FaultLines {
public:
  FaultLines() = default;
  explicit FaultLines(const std::vector<char> &object);
  /// "file.cpp:12" for the instruction at `pc`, where the walker of the object lies at `walk`; "" when it is not known.
  std::string at(std::uintptr_t pc, std::uintptr_t walk) const;
  /// Where the code with lines begins and ends, for the same walker; nothing when there is none.
  std::pair<std::uintptr_t, std::uintptr_t> range(std::uintptr_t walk) const;
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
  std::uint64_t walker = 0; ///< Offset of the walker.
};

} // namespace pocm::cpu
