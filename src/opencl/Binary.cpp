//===- Binary.cpp - Intel's OpenCL device binaries -----------------------------------------===//
#include "opencl/Binary.h"
#include "llvm/Object/ELF.h"
#include <cstring>

using namespace llvm;

namespace pocm::opencl {

Argument &Kernel::argument(std::uint32_t number) {
  constexpr std::uint32_t most = 1024;
  if (number >= most)
    throw Problem("kernel '" + name + "' of the OpenCL binary has an argument " + std::to_string(number));
  if (arguments.size() <= number)
    arguments.resize(number + 1);
  return arguments[number];
}

const Kernel &Binary::kernel(const std::string &name) const {
  std::string names;
  for (const Kernel &k : kernels) {
    if (k.name == name)
      return k;
    names += (names.empty() ? "" : ", ") + k.name;
  }
  throw Problem("the OpenCL binary has no kernel '" + name + "'; it has: " + names);
}

/// The section in which ocloc wraps a table of tokens.
static std::span<const std::uint8_t> wrapped(std::span<const std::uint8_t> bytes) {
  constexpr std::uint32_t DeviceBinary = 0xFF000005;
  auto refuse = [](Error error) { throw Problem("damaged OpenCL binary: " + toString(std::move(error))); };
  auto file = object::ELF64LEFile::create({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  if (!file)
    refuse(file.takeError());
  auto sections = file->sections();
  if (!sections)
    refuse(sections.takeError());
  for (const auto &section : *sections)
    if (section.sh_type == DeviceBinary) {
      auto contents = file->getSectionContents(section);
      if (!contents)
        refuse(contents.takeError());
      return {contents->data(), contents->size()};
    }
  throw Problem("the OpenCL binary holds no code of a device");
}

Binary readBinary(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t typeAt = 16;
  constexpr std::uint16_t executable = 0xFF04;
  auto begins = [&](StringRef magic) {
    return bytes.size() >= magic.size() && !std::memcmp(bytes.data(), magic.data(), magic.size());
  };
  if (begins("CTNI"))
    return readPatchTokens(bytes);
  if (begins("!<arch>"))
    throw Problem("an archive of several devices' binaries; compile for one device");
  if (!begins("\x7F"
              "ELF") ||
      bytes.size() < sizeof(object::ELF64LE::Ehdr))
    throw Problem("this is no OpenCL binary; make one with: ocloc compile -file kernels.cl -device skl");
  if (bytes[typeAt] == (executable & 0xFF) && bytes[typeAt + 1] == executable >> 8)
    return readPatchTokens(wrapped(bytes));
  return readZebin(bytes);
}

} // namespace pocm::opencl
