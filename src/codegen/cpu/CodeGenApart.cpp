//===- CodeGenApart.cpp - Native code made by a process of its own --------------===//
//
// Both ends of a request: the worker, "object" where nothing is added to kernels, the kernel, the target, the bytes of
// each argument.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/CodeGen.h"
#include "pocm/pocm.h"
#include "program/OwnProcess.h"

namespace pocm::cpu {

std::optional<std::vector<char>> generateObjectApart(const std::string &Worker, std::span<const std::uint8_t> Ir,
                                                     const std::string &Kernel,
                                                     std::span<const std::uint32_t> ArgumentBytes, const Target &T) {
  std::vector<std::string> Words{Worker, Kernel, T.triple, T.cpu, T.features, std::to_string(T.vectorBits)};
  for (std::uint32_t Bytes : ArgumentBytes)
    Words.push_back(std::to_string(Bytes));
  return program::inOwnProcess("make code of kernel '" + Kernel + "'", Words, Ir);
}

std::vector<char> makeObject(std::span<const std::string> Words, std::span<const std::uint8_t> Ir,
                             const Rewrite &Added) {
  if (Words.size() < 5)
    throw Error("the request for code lacks the target");
  const Target T{Words[1], Words[2], Words[3], unsigned(std::stoul(Words[4]))};
  std::vector<std::uint32_t> ArgumentBytes;
  for (const std::string &Bytes : Words.subspan(5))
    ArgumentBytes.push_back(std::uint32_t(std::stoul(Bytes)));
  return generateObject(Ir, Words[0], ArgumentBytes, T, Added);
}

} // namespace pocm::cpu
