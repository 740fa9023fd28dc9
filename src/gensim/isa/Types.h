//===- Types.h - Element types and generations of the Gen instruction set ------------===//
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pocm::gensim {

/// A request that the simulator cannot meet, or code that it cannot execute; what() is one line.
class Problem : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class Generation : std::uint8_t { Gen9, Gen11, Gen12, XeHpg, XeHpc };

/// A target whose code can be executed.
struct Platform {
  std::string_view name; ///< As cmc's -march takes it.
  Generation generation;
  unsigned grfBytes;    ///< Of a register.
  std::string_view iga; ///< As iga64 -p takes it.
};

constexpr std::array<Platform, 6> Platforms{{
    {"skl", Generation::Gen9, 32, "9"},
    {"icllp", Generation::Gen11, 32, "11"},
    {"tgllp", Generation::Gen12, 32, "12p1"},
    {"dg2", Generation::XeHpg, 32, "12p71"},
    {"pvc", Generation::XeHpc, 64, "12p72"},
    {"pvcxt", Generation::XeHpc, 64, "12p72"},
}};

/// The platform of that name. Throws Problem with the names there are.
const Platform &platformNamed(std::string_view name);

enum class Type : std::uint8_t { UB, B, UW, W, UD, D, UQ, Q, HF, F, DF, BF, NF, TF32, UV, V, VF, Invalid };

constexpr unsigned sizeOf(Type type) {
  switch (type) {
  case Type::UB:
  case Type::B:
    return 1;
  case Type::UW:
  case Type::W:
  case Type::HF:
  case Type::BF:
  case Type::UV: // elements of packed vectors are words and floats
  case Type::V:
    return 2;
  case Type::UD:
  case Type::D:
  case Type::F:
  case Type::NF:
  case Type::TF32:
  case Type::VF:
    return 4;
  default:
    return 8;
  }
}

constexpr bool isFloat(Type type) {
  return type == Type::HF || type == Type::F || type == Type::DF || type == Type::BF || type == Type::NF ||
         type == Type::TF32 || type == Type::VF;
}

constexpr bool isSigned(Type type) {
  return type == Type::B || type == Type::W || type == Type::D || type == Type::Q || type == Type::V;
}

std::string_view nameOf(Type type);

} // namespace pocm::gensim
