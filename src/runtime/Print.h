//===- Print.h - What kernels print ----------------------------------------------------===//
#pragma once

#include "runtime/Memory.h"

namespace pocm::runtime {

/// The buffer that kernels print to. Layout: include/cm/detail/printing.h.
class PrintBuffer {
public:
  static constexpr std::uint64_t defaultBytes = 1u << 20;
  /// Throws Error when there is no memory.
  explicit PrintBuffer(Heap &heap, std::uint64_t bytes = defaultBytes);

  const std::shared_ptr<Memory> &memory() const { return buffer; }
  /// What has been printed since the buffer was cleared, as text; a last line says when the buffer was too small. Waits
  /// for kernels that use it.
  std::string text();
  void clear();
  /// Both.
  std::string take();

private:
  std::shared_ptr<Memory> buffer;
};

/// What the first assertion says that failed since the buffer had `from` bytes; empty when none did. Waits for nobody.
std::string failedAssertion(const Memory &buffer, std::uint32_t from);
/// Bytes that have been printed to a buffer, or should have been. Waits for nobody.
std::uint32_t printedBytes(const Memory &buffer);

/// Formats as printf does. `record` is a record without its first 16 bytes; damaged ones give what can be told.
std::string formatRecord(std::span<const std::uint8_t> record, std::uint32_t formatBytes, std::uint32_t arguments);

} // namespace pocm::runtime
