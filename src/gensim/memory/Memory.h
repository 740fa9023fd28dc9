//===- Memory.h - What messages reach ------------------------------------------------===//
#pragma once

#include "gensim/eu/Execute.h"
#include "gensim/memory/Gateway.h"
#include <array>

namespace pocm::gensim {

/// Binding table indices that are not surfaces.
namespace binding {
constexpr unsigned Bindless = 252, Stateless = 253, Slm = 254, StatelessCoherent = 255;
}

/// Pixels of a surface as messages that know formats see them. Coordinates beyond the surface read 0.
class Pixels {
public:
  virtual ~Pixels() = default;
  virtual void read(std::uint32_t u, std::uint32_t v, std::uint32_t w, std::uint32_t (&rgba)[4]) const = 0;
  virtual void write(std::uint32_t u, std::uint32_t v, std::uint32_t w, unsigned channel,
                     std::uint32_t value) const = 0;
  /// Where a pixel lies; null beyond the surface.
  virtual std::uint8_t *at(std::uint32_t u, std::uint32_t v, std::uint32_t w) const = 0;
  virtual void sample(unsigned sampler, const float (&uvw)[3], const int (&offsets)[3], const float *reference,
                      std::uint32_t (&rgba)[4]) const = 0;
};

/// A surface state: memory of the host's.
struct Surface {
  std::uint8_t *base = nullptr;
  std::uint64_t bytes = 0; ///< From the first to the last byte of rows; 0: the null surface.
  std::int64_t pitch = 0;
  std::int32_t width = 0;      ///< Bytes of a row.
  std::int32_t height = 0;     ///< Rows.
  std::int32_t pixelBytes = 1; ///< What reads beyond an edge repeat.
  std::shared_ptr<const Pixels> pixels;
  std::uint64_t place = 0; ///< Where the model of time thinks it is, the same in each run. The machine chooses.
};

/// Gives surfaces their places, from page to page; views of the same memory share one.
void placeSurfaces(std::vector<Surface> &surfaces);

/// Bytes that messages reach; those without marks count as written.
struct Space {
  /// Whether all of that lies inside.
  bool holds(std::uint64_t offset, std::uint64_t count) const { return offset <= bytes && count <= bytes - offset; }
  std::uint8_t *data = nullptr, *marks = nullptr;
  std::uint64_t bytes = 0;
  bool stateless = false;                      ///< Beyond its end there is nothing, and reaching for it is a mistake.
  std::uint64_t addressed = ~std::uint64_t(0); ///< Bits of an offset that count.
  std::uint64_t place = 0;                     ///< The surface's.
  std::uint8_t surface = 255;                  ///< Its number; 255 where it has none.
};

/// Bytes that a message has reached for, as observers see them. Rows of surfaces of two dimensions lie in tiles.
struct Touch {
  enum class Where : std::uint8_t { Memory, Slm, Scratch, Arguments };
  Where where;
  bool write, atomic;
  std::uint64_t address; ///< The host's; in SLM and scratch memory from their beginning on.
  std::uint32_t bytes;
  std::uint64_t place;        ///< Address for the model of time.
  std::uint8_t surface = 255; ///< Its number; 255 where it has none.
  bool outside = false;       ///< Beyond the surface's end, in whole or in part; then nothing else counts.
};

/// What a launch binds, and a group shares.
struct World {
  std::vector<Surface> surfaces; ///< By binding table index.
  Space slm;
  Gateway *gateway = nullptr;
  std::vector<Touch> *touches = nullptr; ///< Where somebody observes.
  /// Whether that much of the host's memory may be touched.
  std::function<bool(std::uint64_t address, std::uint64_t bytes)> isMapped;
};

/// Where the arguments that a thread loads itself lie in the stateless address space.
constexpr std::uint32_t IndirectBase = 0x10000000;

/// Registers of a payload as they are before the response is written.
struct PayloadCopy {
  static constexpr unsigned most = 15 + 31; ///< Registers that a message can have.
  std::uint8_t data[most * MostRegisterBytes], marks[most * MostRegisterBytes];
};

/// A message: the instruction with the registers that it names read.
struct Message {
  Thread &thread;
  const Instruction &i;
  const Platform &platform;
  World &world;
  const Report &report;
  std::uint32_t descriptor, extended;
  unsigned length, extraLength, responseLength; ///< Registers.
  std::uint32_t enabled;                        ///< Channels of the instruction.
  PayloadCopy *copy = nullptr;                  ///< Where the payload lies when the response overlaps it.

  /// Where byte `at` of the payload lies. Throws Problem beyond it.
  std::uint8_t *payload(unsigned at, unsigned bytes, std::uint8_t **marks) const;
  template <class T> T value(unsigned at, const char *what) const {
    std::uint8_t *marks, *data = payload(at, sizeof(T), &marks);
    for (unsigned k = 0; k < sizeof(T); ++k)
      if (marks[k]) {
        report(i, what);
        break;
      }
    T v;
    std::memcpy(&v, data, sizeof(T));
    return v;
  }
  /// Whether the response takes registers of the payload.
  bool overlaps() const;
  void copyPayload(PayloadCopy &to);
  /// Writes to the response.
  void respond(unsigned at, const void *data, const void *marks, unsigned bytes) const;

  /// The bytes behind a surface's number, or a stateless part of memory.
  Space space(unsigned binding) const;
  const Surface &surface(unsigned binding) const;
  void load(const Space &from, std::uint64_t offset, unsigned bytes, std::uint8_t *to, std::uint8_t *marks) const;
  void store(const Space &to, std::uint64_t offset, unsigned bytes, const std::uint8_t *from,
             const std::uint8_t *marks) const;
  /// Tells observers, where there are some.
  enum class Use : std::uint8_t { Load, Store, Atomic };
  void touch(const Space &space, std::uint64_t offset, unsigned bytes, Use use) const;
  /// The place of a host's address: in a surface, or that address itself.
  std::uint64_t placeOf(std::uint64_t address) const;
  /// The same for a row of a block of a surface, from byte `x` on.
  void touchRow(const Surface &surface, std::int64_t x, std::int64_t y, unsigned bytes, Use use) const;
  /// The same for a pixel.
  void touchPixel(const Surface &surface, const std::array<std::uint32_t, 3> &uvw, Use use) const;
  /// The host's memory at an address. Throws Problem when there is none.
  std::uint8_t *host(std::uint64_t address, unsigned bytes) const;
  [[noreturn]] void refuse(const std::string &what) const;
};

/// What an instruction does to the thread beside its registers. `Meets`: it waits for the other thread of its pair.
enum class Outcome { Continues, Meets, Ends };

Outcome executeSend(Thread &thread, const Instruction &i, const Platform &platform, World &world, const Report &report);

void dataPort0(const Message &m);
void dataPort1(const Message &m);
void loadStoreCache(const Message &m);
void sampler(const Message &m);
void gateway(const Message &m);

/// Applies an atomic of the data ports to `bytes` bytes; returns what a thread gets. Throws Problem for an unknown one.
std::uint64_t applyAtomic(unsigned operation, std::uint8_t *memory, unsigned bytes, std::uint64_t first,
                          std::uint64_t second);
std::uint64_t applyFloatAtomic(unsigned operation, std::uint8_t *memory, unsigned bytes, std::uint64_t first,
                               std::uint64_t second);

} // namespace pocm::gensim
