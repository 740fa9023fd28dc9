//===- SpecConstants.h - Specialised programs, made by a process of its own -----------------===//
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pocm {

/// CM IR with values for its specialisation constants; `words` are ids, each with its value (program/OwnProcess.h).
std::vector<char> makeSpecialized(std::span<const std::string> words, std::span<const std::uint8_t> ir);

} // namespace pocm
