//===- Memory.h - What surfaces are made of -----------------------------------===//
//
// Bytes of a device seen as rows: a buffer is one row. Devices read the geometry, hosts
// copy in and out. Who uses it at the moment is known, so that a host copy can wait.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"
#include "runtime/Addresses.h"
#include "runtime/Storage.h"
#include "runtime/Written.h"
#include <atomic>
#include <mutex>

namespace pocm::runtime {

class Event;
class Footprint;

struct Geometry {
  std::uint32_t width = 0, height = 0; ///< Pixels; a buffer has one row of bytes.
  std::uint32_t pixelBytes = 1;
  std::uint64_t pitch = 0;     ///< Bytes from a row to the next.
  std::uint32_t format = 0;    ///< Number of a row of Formats.def; 0 for none.
  std::uint32_t planeRows = 0; ///< Rows that the planes of chroma take behind the `height` rows of the first.
  std::uint32_t depth = 1;     ///< Slices, whose rows `height` counts one after another.
  std::uint32_t rows() const { return height + planeRows; }
  std::uint64_t rowBytes() const { return std::uint64_t(width) * pixelBytes; }
};

/// From now on surfaces are listed by address, and know what of them was written, for devices that check that. Any
/// thread.
void listAddresses();
/// Those that are there now, in order. Any thread.
std::vector<AddressRange> listedAddresses();
/// Frees memory of std::aligned_alloc that kernels could reach by address, `bytes` of it. Where surfaces are listed,
/// some of it stays, so that nobody else gets it soon. Any thread.
void freeReachable(void *memory, std::uint64_t bytes);
/// What stays of it. Any thread.
std::vector<AddressRange> freedAddresses();

class Memory {
public:
  ~Memory();
  /// Zero-filled memory with room behind its end that may be read. Throws Error when there is no memory.
  static std::shared_ptr<Memory> buffer(Heap &heap, std::uint64_t bytes);
  /// Rows start at multiples of 64 bytes.
  static std::shared_ptr<Memory> image(Heap &heap, std::uint32_t width, std::uint32_t height, std::uint32_t pixelBytes,
                                       std::uint32_t format = 0);

  /// Slices of `height` rows, one behind the other.
  static std::shared_ptr<Memory> volume(Heap &heap, std::uint32_t width, std::uint32_t height, std::uint32_t depth,
                                        std::uint32_t pixelBytes, std::uint32_t format);

  /// A buffer over memory of the host's, which must outlive it. Nothing behind its end is read.
  static std::shared_ptr<Memory> over(Heap &heap, void *host, std::uint64_t bytes, Lending how = Lending::AsSurface);
  /// Rows over memory of the host's.
  static std::shared_ptr<Memory> over(Heap &heap, void *host, const Geometry &shape);
  /// The geometry that image() gives.
  static Geometry imageShape(std::uint32_t width, std::uint32_t height, std::uint32_t pixelBytes, std::uint32_t format);
  /// Another look at the same memory, `offset` bytes into it. Whoever uses it uses `of`. Throws Error when that leaves
  /// the memory.
  static std::shared_ptr<Memory> view(std::shared_ptr<Memory> of, const Geometry &shape, std::uint64_t offset);
  /// Whether all rows of this shape, those of its format's planes included, lie in the memory.
  bool holds(const Geometry &shape, std::uint64_t offset) const;
  /// Kernels see this instead of the whole memory from the next capture on. Throws Error when that leaves the memory.
  /// Any thread.
  void showAs(const Geometry &shape, std::uint64_t offset);
  /// What kernels see of the memory.
  static std::shared_ptr<Memory> seen(const std::shared_ptr<Memory> &memory);

  /// Its bytes count as written by nobody, where surfaces are listed. Before anybody else knows it.
  void leaveUndefined();
  /// Which bytes of the whole memory were written, this one's from the offset on; null where nobody asks.
  struct Record {
    Written *written;
    std::uint64_t offset;
  };
  Record record() const;
  void noteWritten(std::uint64_t offset, std::uint64_t count);

  const Geometry &geometry() const { return shape; }
  /// Whether it was made as a buffer, not as an image that has one row.
  bool isBuffer() const { return linear; }
  /// What kernels know its first byte by; one past the last that may be read. Where the device has memory of its own,
  /// there is nothing for the host.
  std::uint8_t *address() const { return storage->address() + start; }
  const std::uint8_t *end() const { return storage->address() + storage->size(); }
  /// Where the device has it.
  const std::shared_ptr<Storage> &place() const { return storage; }

  /// Copies rows of `rowBytes()` bytes, `stride` bytes apart on the host side. Waits for work that uses the memory.
  void readRows(std::uint8_t *to, std::uint64_t stride);
  void writeRows(const std::uint8_t *from, std::uint64_t stride);
  /// The same without waiting, and at most `rowBytes` of `rows` rows of a plane; the second plane begins `planeStride`
  /// rows after the first on the host side.
  struct HostRows {
    std::uint64_t stride, planeStride;
    std::uint64_t rowBytes = 1u << 31; ///< More than any row has.
    std::uint32_t rows = ~0u;
  };
  /// Bytes from the first to the last that a copy moves on the host side.
  std::uint64_t hostBytes(const HostRows &host) const;
  void copyOut(std::uint8_t *to, const HostRows &host) const;
  void copyIn(const std::uint8_t *from, const HostRows &host);
  /// The rows that both have, plane by plane. Does not wait.
  void copyFrom(const Memory &from);
  /// Copies a stretch of a buffer. Waits for work that uses the memory.
  void read(void *to, std::uint64_t count, std::uint64_t offset);
  void write(const void *from, std::uint64_t count, std::uint64_t offset);
  void readNow(void *to, std::uint64_t count, std::uint64_t offset) const; ///< Without waiting.
  void writeNow(const void *from, std::uint64_t count, std::uint64_t offset);
  /// Repeats a dword over all rows.
  void fill(std::uint32_t pattern);
  void fillNow(std::uint32_t pattern); ///< Without waiting.

  /// A task touches it: where kernels find it, and the host if it lent it.
  void addTo(Footprint &touched) const;
  /// Notes that the launch behind `event` uses this memory. Any thread.
  void usedBy(const std::shared_ptr<Event> &event);
  /// Waits until no launch that was noted so far uses the memory. Any thread.
  void waitUntilFree();
  /// The host takes back what it lent: nobody may use the memory from now on. Waits for those who do.
  void retire();
  bool retired() const { return (owner ? owner->gone : gone).load(std::memory_order_relaxed); }

private:
  Memory(Geometry shape, std::uint64_t bytes, std::shared_ptr<Storage> storage, std::uint64_t start = 0)
      : shape(shape), bytesUsed(bytes), storage(std::move(storage)), start(start) {}
  static std::shared_ptr<Memory> listed(Geometry shape, std::uint64_t bytes, std::shared_ptr<Storage> storage);

  struct Look {
    Geometry shape;
    std::uint64_t offset;
  };
  Geometry shape;
  std::uint64_t bytesUsed; // without what is only there to be read over
  std::shared_ptr<Storage> storage;
  std::uint64_t start;           // in the storage
  std::shared_ptr<Memory> owner; // of a view
  std::optional<Look> shown;
  const void *lent = nullptr; ///< By the host, as many bytes as are used.
  std::unique_ptr<Written> written;
  bool isListed = false, linear = false;
  void list();
  std::atomic<bool> gone = false;
  std::mutex lock; // guards what follows, and `shown`
  struct Use {
    std::shared_ptr<Event> event;
    std::uint64_t number;
  };
  std::vector<Use> uses;  // all that are not finished, and perhaps others
  std::size_t lookAt = 0; // how many there are when those that are finished are looked for
  void forgetFinished();
  std::uint64_t nextUse = 0;
};

} // namespace pocm::runtime
