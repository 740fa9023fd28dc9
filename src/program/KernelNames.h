//===- KernelNames.h - What kernels may be called ---------------------------------===//
//
// Names of kernels become those of files and stand in assembly, and program files come from
// strangers: whoever takes a name from one asks here.
//
//===----------------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <string_view>

namespace pocm::program {

/// An identifier as C++ has it, with letters beyond ASCII as UTF-8, and behind it the arguments of a template, in which
/// there is no slash, backslash or quote.
inline bool isKernelName(std::string_view name) {
  auto isAscii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  auto isLetter = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || !isAscii(c);
  };
  const std::size_t end = std::min(name.find('<'), name.size());
  const std::string_view plain = name.substr(0, end), arguments = name.substr(end);
  return !plain.empty() && isLetter(plain.front()) &&
         std::ranges::all_of(plain, [&](char c) { return isLetter(c) || isDigit(c); }) &&
         (arguments.empty() || arguments.ends_with('>')) && std::ranges::all_of(arguments, [&](char c) {
           return !isAscii(c) || (c >= ' ' && c <= '~' && std::string_view("/\\\"").find(c) == std::string_view::npos);
         });
}

} // namespace pocm::program
