//===- Container.h - The program file (.isa) --------------------------------===//
//
// What cmc writes and every device reads: the kernels with their parameters, CM IR,
// and code per target. Little endian:
//
//     magic "PoCM.isa"  u64 checksum of all that follows  u32 version  u32 sections  u64 file size
//     per section: u32 kind  u32 reserved  u64 offset  u64 size
//     section Kernels:  u32 count, per kernel: name, u32 parameters, per parameter: kind, element, count, bytes
//     section Uses:     behind Kernels: a byte per parameter, for which kind of surface it is used
//     section Ir:       CM IR as LLVM bitcode
//     section Code:     target name, then the target's code
//     section Data:     the initial bytes of the program's __global variables; absent when it has none
//
// Strings are a u32 length and the bytes. Parsing checks every length against the file.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm::program {

struct TargetCode {
  std::string target;
  std::vector<std::uint8_t> code;
  bool operator==(const TargetCode &) const = default;
};

struct Container {
  std::vector<KernelSignature> kernels;
  std::vector<std::uint8_t> ir;
  std::vector<TargetCode> code;
  std::vector<std::uint8_t> data; ///< Initial bytes of the program's __global variables.
};

/// The bytes of a program file.
std::vector<std::uint8_t> write(const Container &container);

/// Parses a program file. Throws Error: "... is not a PoCM program: ...", "... is damaged: ...".
Container read(std::span<const std::uint8_t> file);

/// 64-bit FNV-1a: detects damage, no defence against intent.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

} // namespace pocm::program
