//===- Binary.h - Intel's OpenCL device binaries -------------------------------------------===//
//
// What `ocloc compile` writes for one device, in either of its two forms, as one record: the
// code of each kernel and what a launch has to put into registers, bind and allocate.
//
//     Binary binary = readBinary(bytesOf("kernels_Gen9core.bin"));
//     binary.platform->name            // "skl"
//     binary.kernel("add").simd        // 32: work items of a hardware thread
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/isa/Types.h"
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pocm::opencl {

using gensim::Problem;

/// What a place in a thread's payload holds.
enum class Content : std::uint8_t {
  GlobalOffset, ///< Of three dimensions; a payload may hold one of them (`sourceOffset`).
  LocalSize,
  EnqueuedLocalSize,
  GlobalSize,
  GroupCount,
  WorkDimensions,
  Value,        ///< Bytes of an argument.
  Address,      ///< Of a buffer.
  BufferOffset, ///< Of a buffer in its surface: 0.
  LocalOffset,  ///< Of a local argument, in bytes of shared local memory.
  PrivateBase,
  ConstantBase, ///< Of the program's constants and variables.
  GlobalBase,
  ImageWidth,
  ImageHeight,
  ImageDepth,
  ImageArraySize,
  ImageChannelType,
  ImageChannelOrder,
  ImageSamples,
  ImageLevels,
  SamplerAddress,
  SamplerNormalized,
  SamplerSnaps, ///< Whether the kernel rounds coordinates itself.
  PrintBuffer,
  SimdSize,
  Zero ///< What no launch here has a use for: 0.
};

struct Payload {
  Content content;
  std::uint32_t offset; ///< From the beginning of the cross-thread data.
  std::uint32_t bytes;
  std::uint32_t argument = 0;
  std::uint32_t sourceOffset = 0; ///< Of what is taken from the content.
};

enum class ArgumentKind : std::uint8_t { Value, Buffer, Local, Image, Sampler };

struct Argument {
  ArgumentKind kind = ArgumentKind::Value;
  std::uint32_t bytes = 0;             ///< Of a value.
  std::optional<unsigned> binding;     ///< Index in the binding table.
  std::optional<unsigned> samplerSlot; ///< Index of a sampler.
  std::uint32_t alignment = 1;         ///< Of a local argument.
  std::string name, type;              ///< As the source has them; empty when the binary does not tell.
};

/// A sampler that the source declares.
struct InlineSampler {
  unsigned slot = 0;
  bool normalized = false, linear = false;
  std::uint32_t address = 0; ///< As clCreateSampler numbers them: CL_ADDRESS_NONE and 0x1131 to 0x1134.
};

/// An address in code or data that is known when the program is loaded.
struct Relocation {
  enum class Target : std::uint8_t { Constants, Globals, Strings, Functions } target;
  std::uint64_t addend = 0;
  std::uint32_t offset = 0;
  enum class Part : std::uint8_t { Whole, Low, High } part = Part::Whole;
};

struct Kernel {
  std::string name;
  std::vector<std::uint8_t> code;
  unsigned simd = 8, registers = 128;
  std::uint32_t slmBytes = 0;     ///< Without those of local arguments.
  std::uint32_t scratchBytes = 0; ///< Of a thread.
  std::uint32_t privateBytes = 0; ///< Of a thread, at PrivateBase.
  bool hasBarrier = false;
  std::uint32_t requiredGroup[3] = {}; ///< 0: any.
  unsigned localIds = 0;               ///< Dimensions whose local ids lie in registers.
  std::uint32_t crossThreadBytes = 0;
  bool passesFirst = false; ///< The first register of what all threads have comes in r1, where kernels load the rest.
  std::vector<Payload> payloads;
  std::vector<Argument> arguments;
  std::vector<InlineSampler> samplers;
  std::vector<Relocation> relocations;
  std::map<std::uint32_t, std::string> strings; ///< That its calls of printf name by numbers.
  std::optional<unsigned> constantsBinding, globalsBinding, privateBinding;

  /// The argument of that number, made when there is none yet. Throws Problem when the number is absurd.
  Argument &argument(std::uint32_t number);
};

struct Binary {
  const gensim::Platform *platform = nullptr;
  std::vector<Kernel> kernels;
  std::vector<std::uint8_t> constants, globals; ///< What the program's own memory begins with.
  std::vector<std::uint8_t> strings;            ///< That calls of printf name by addresses; empty: by numbers.
  std::vector<std::uint8_t> functions;          ///< Code of those that kernels call by address.
  std::vector<Relocation> constantRelocations, globalRelocations, functionRelocations;

  /// Throws Problem with the names there are.
  const Kernel &kernel(const std::string &name) const;
};

/// Reads either form. Throws Problem for anything that is damaged or that no launch here can honour.
Binary readBinary(std::span<const std::uint8_t> bytes);

/// The two forms: sections with a description in YAML, and a table of tokens.
Binary readZebin(std::span<const std::uint8_t> bytes);
Binary readPatchTokens(std::span<const std::uint8_t> bytes);

} // namespace pocm::opencl
