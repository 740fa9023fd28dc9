//===- Storage.h - Bytes that a device holds, and where they come from --------------===//
//
//     auto bytes = device.allocate(4096);
//     bytes->upload(from, 0, 4096);          host to device
//     ... kernels know bytes->address() ...
//     bytes->download(to, 0, 4096);          device to host
//
// A device that runs on the host's cores shares its memory and copies nothing that nobody asks
// for. One that has memory of its own allocates, lends and copies in its own way; what lies
// behind an address is nothing for the runtime to look at.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <memory>

namespace pocm::runtime {

/// A stretch of a device's memory. The runtime has waited for launches that write there. Any thread, several at once.
class Storage {
public:
  virtual ~Storage() = default;
  /// What kernels know the first byte by.
  virtual std::uint8_t *address() const = 0;
  /// Bytes from there on that may be read.
  virtual std::uint64_t size() const = 0;
  virtual void download(void *to, std::uint64_t offset, std::uint64_t count) const = 0;
  virtual void upload(const void *from, std::uint64_t offset, std::uint64_t count) = 0;
  /// Bytes of a storage of the same device, of this one perhaps, to `offset`.
  virtual void copy(std::uint64_t offset, const Storage &from, std::uint64_t there, std::uint64_t count) = 0;
};

/// How memory of the host's reaches kernels.
enum class Lending {
  AsSurface, ///< Kernels see what is there when a launch begins, the host what they wrote when it has ended.
  ByAddress, ///< By the host's own addresses, too: bytes are in one place.
};

/// Where memory comes from. This one shares all of it with the host. Any thread.
class Heap {
public:
  virtual ~Heap() = default;
  /// So many bytes of zeros, with room behind them that may be read. Throws Error when there is no memory.
  virtual std::shared_ptr<Storage> allocate(std::uint64_t bytes);
  /// Memory of the host's, which outlives it. Nothing behind its end is read.
  virtual std::shared_ptr<Storage> lend(void *host, std::uint64_t bytes, Lending how);
};

} // namespace pocm::runtime
