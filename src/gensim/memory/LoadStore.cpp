//===- LoadStore.cpp - The load/store cache of DG2 and PVC -----------------------------------===//
//
// A payload's rows have room for as many lanes as the addresses' registers hold, however
// few channels the instruction has.
//
//===----------------------------------------------------------------------===//
#include "gensim/memory/Memory.h"
#include <algorithm>

namespace pocm::gensim {
namespace {

unsigned bits(std::uint32_t value, unsigned last, unsigned first) {
  return value >> first & ((2u << (last - first)) - 1);
}

constexpr const char *AddressUnwritten = "uses an address that nobody has written";

enum Operation : unsigned {
  Load = 0,
  LoadQuad = 2,
  LoadBlock2d = 3,
  Store = 4,
  StoreQuad = 6,
  StoreBlock2d = 7,
  FirstAtomic = 8,
  LastAtomic = 0x1A,
  Fence = 0x1F
};

/// How many bytes an element has in memory and in a register, and where it lies there.
struct Element {
  unsigned memory, place, shift;
};
constexpr Element Elements[] = {{1, 1, 0}, {2, 2, 0}, {4, 4, 0}, {8, 8, 0}, {1, 4, 0}, {2, 4, 0}, {2, 4, 2}};

struct Access {
  const Message &m;
  Element element;
  unsigned addressBytes, room; ///< Lanes that a row has room for.
  bool byAddress;
  Space space;

  explicit Access(const Message &m) : m(m) {
    unsigned size = bits(m.descriptor, 8, 7), data = bits(m.descriptor, 11, 9), kind = bits(m.descriptor, 30, 29);
    if (data >= std::size(Elements) || size == 0)
      m.refuse("elements or addresses of that size");
    element = Elements[data];
    addressBytes = 1u << size;
    room = m.length * m.thread.registerBytes / addressBytes;
    constexpr unsigned Slm = 0xE;
    byAddress = m.i.unit != Slm && kind == 0;
    if (m.i.unit == Slm)
      space = m.world.slm;
    else if (kind == 3)
      space = m.space(m.extended >> 24);
    else if (kind != 0) // a surface state by its place: scratch memory has the only one that is reached so
      space = m.space(binding::StatelessCoherent);
    if (byAddress && addressBytes != 8)
      m.refuse("addresses of less than 64 bits without a surface");
  }

  unsigned row() const { // bytes of a row of values
    unsigned bytes = room * element.place, whole = m.thread.registerBytes;
    return (bytes + whole - 1) / whole * whole;
  }
  std::uint64_t address(unsigned lane) const {
    unsigned at = lane * addressBytes;
    return addressBytes == 8   ? m.value<std::uint64_t>(at, AddressUnwritten)
           : addressBytes == 4 ? m.value<std::uint32_t>(at, AddressUnwritten)
                               : m.value<std::uint16_t>(at, AddressUnwritten);
  }
  void move(std::uint64_t from, unsigned place, bool write) const {
    Space to = byAddress ? Space{m.host(from, element.memory), nullptr, element.memory} : space;
    std::uint64_t at = byAddress ? 0 : addressBytes == 4 ? std::uint32_t(from) : from;
    if (write) {
      std::uint8_t *marks,
          *data = m.payload(m.length * m.thread.registerBytes + place + element.shift, element.memory, &marks);
      m.store(to, at, element.memory, data, marks);
      return;
    }
    std::uint8_t data[8] = {}, marks[8] = {};
    m.load(to, at, element.memory, data + element.shift, marks + element.shift);
    m.respond(place, data, marks, element.place);
  }
};

void transfer(const Message &m, bool write, bool quad) {
  static constexpr unsigned Counts[] = {1, 2, 3, 4, 8, 16, 32, 64};
  Access a(m);
  unsigned count = Counts[bits(m.descriptor, 14, 12)];
  if (!quad && bits(m.descriptor, 15, 15)) { // one address, elements one behind the other
    if (!(m.enabled & 1))
      return;
    std::uint64_t at = a.address(0);
    for (unsigned k = 0; k < count; ++k)
      a.move(at + k * a.element.memory, k * a.element.place, write);
    return;
  }
  unsigned components = quad ? bits(m.descriptor, 15, 12) : (1u << std::min(count, 4u)) - 1;
  for (unsigned n = 0; n < m.i.size && n < a.room; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    std::uint64_t at = a.address(n);
    unsigned row = 0;
    for (unsigned c = 0; c < 4; ++c)
      if (components >> c & 1)
        a.move(at + c * a.element.memory, row++ * a.row() + n * a.element.place, write);
    if (!quad)
      for (unsigned c = 4; c < count; ++c)
        a.move(at + c * a.element.memory, row++ * a.row() + n * a.element.place, write);
  }
}

/// Which atomic of the data ports an operation is; those of floats from FloatAtomic on.
constexpr unsigned FloatAtomic = 16, AtomicLoad = 0;
unsigned atomicOf(const Message &m, unsigned operation) {
  static constexpr unsigned Meaning[] = {5,
                                         6,
                                         AtomicLoad,
                                         4,
                                         7,
                                         8,
                                         0xB,
                                         0xA,
                                         0xD,
                                         0xC,
                                         0xE,
                                         FloatAtomic + 4,
                                         FloatAtomic + 5,
                                         FloatAtomic + 2,
                                         FloatAtomic + 1,
                                         FloatAtomic + 3,
                                         1,
                                         2,
                                         3};
  if (operation < FirstAtomic || operation > LastAtomic)
    m.refuse("of the load/store cache, operation " + std::to_string(operation));
  return Meaning[operation - FirstAtomic];
}

void atomic(const Message &m, unsigned operation) {
  Access a(m);
  unsigned meaning = atomicOf(m, operation);
  bool isFloat = meaning >= FloatAtomic, two = meaning == 0xE || meaning == FloatAtomic + 3;
  bool none = meaning == 5 || meaning == 6 || meaning == AtomicLoad;
  for (unsigned n = 0; n < m.i.size && n < a.room; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    std::uint64_t at = a.address(n), values[2] = {}, old = 0;
    for (unsigned k = 0; k < (none ? 0u : two ? 2u : 1u); ++k) {
      unsigned where = m.length * m.thread.registerBytes + k * a.row() + n * a.element.place + a.element.shift;
      constexpr const char *what = "gives an atomic a value that nobody has written";
      values[k] = a.element.memory == 8   ? m.value<std::uint64_t>(where, what)
                  : a.element.memory == 4 ? m.value<std::uint32_t>(where, what)
                                          : m.value<std::uint16_t>(where, what);
    }
    if (!a.byAddress)
      m.touch(a.space, at, a.element.memory, Message::Use::Atomic);
    if (a.byAddress || a.space.holds(at, a.element.memory)) {
      std::uint8_t *memory = a.byAddress ? m.host(at, a.element.memory) : a.space.data + at;
      if (a.byAddress)
        m.touch(Space{memory, nullptr, a.element.memory}, 0, a.element.memory, Message::Use::Atomic);
      if (a.space.marks && !a.byAddress)
        std::memset(a.space.marks + at, 0, a.element.memory);
      if (meaning == AtomicLoad)
        std::memcpy(&old, memory, a.element.memory);
      else
        old = isFloat ? applyFloatAtomic(meaning - FloatAtomic, memory, a.element.memory, values[0], values[1])
                      : applyAtomic(meaning, memory, a.element.memory, values[0], values[1]);
    }
    if (m.responseLength) {
      old <<= a.element.shift * 8;
      m.respond(n * a.element.place, &old, nullptr, a.element.place);
    }
  }
}

/// Blocks of a matrix in memory, which the payload describes.
void block2d(const Message &m, bool write) {
  constexpr const char *what = "describes a matrix by what nobody has written";
  auto base = m.value<std::uint64_t>(0, what);
  auto dword = [&](unsigned k) { return m.value<std::uint32_t>(k * 4, what); };
  std::int64_t width = std::int64_t(dword(2)) + 1, height = std::int64_t(dword(3)) + 1,
               pitch = std::int64_t(dword(4)) + 1;
  auto x = std::int64_t(std::int32_t(dword(5))), y = std::int64_t(std::int32_t(dword(6)));
  std::uint32_t shape = dword(7);
  unsigned columns = bits(shape, 7, 0) + 1, rows = bits(shape, 15, 8) + 1, count = bits(shape, 19, 16) + 1;
  unsigned size = bits(m.descriptor, 11, 9);
  bool transposed = bits(m.descriptor, 15, 15), pairs = bits(m.descriptor, 7, 7);
  if (size >= std::size(Elements) || (pairs && Elements[size].memory > 4))
    m.refuse("a block of elements of that size");
  unsigned bytes = Elements[size].memory;
  auto padded = [](unsigned n) {
    unsigned power = 1;
    while (power < n)
      power *= 2;
    return power;
  };
  // A row of a block takes a power of two of elements, a block whole registers.
  unsigned group = pairs ? 4 / bytes : 1; // rows that interleave
  unsigned rowElements = transposed ? padded(rows) : padded(columns);
  unsigned rowCount = transposed ? columns : (rows + group - 1) / group * group;
  unsigned blockBytes = rowElements * rowCount * bytes;
  blockBytes = (blockBytes + m.thread.registerBytes - 1) / m.thread.registerBytes * m.thread.registerBytes;
  for (unsigned b = 0; b < count; ++b)
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c) {
        unsigned place = transposed ? c * rowElements + r
                         : pairs    ? (r / group * rowElements + c) * group + r % group
                                    : r * rowElements + c;
        place = b * blockBytes + place * bytes;
        std::int64_t column = (x + b * columns + c) * bytes, row = y + r;
        bool inside = column >= 0 && column + bytes <= width && row >= 0 && row < height;
        std::uint64_t at = base + std::uint64_t(row) * std::uint64_t(pitch) + std::uint64_t(column);
        std::uint8_t data[8] = {}, marks[8] = {};
        if (write) {
          std::uint8_t *fromMarks, *from = m.payload(m.length * m.thread.registerBytes + place, bytes, &fromMarks);
          if (inside)
            m.store({m.host(at, bytes), nullptr, bytes}, 0, bytes, from, fromMarks);
        } else {
          if (inside)
            m.load({m.host(at, bytes), nullptr, bytes}, 0, bytes, data, marks);
          if (m.responseLength)
            m.respond(place, data, marks, bytes);
        }
      }
}

/// Pixels by coordinates: a register each for u, v and r, as many lanes as a register has dwords.
void typed(const Message &m, unsigned operation) {
  unsigned block = m.thread.registerBytes, lanes = block / 4, components = bits(m.descriptor, 15, 12);
  if (bits(m.descriptor, 8, 7) != 2 || bits(m.descriptor, 11, 9) != 2 || bits(m.descriptor, 30, 29) != 3)
    m.refuse("of typed surfaces, other than dwords");
  const Surface &s = m.surface(m.extended >> 24);
  for (unsigned n = 0; n < lanes && n < m.i.size; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    std::uint32_t where[3] = {}, rgba[4] = {};
    for (unsigned k = 0; k < 3 && k < m.length; ++k)
      where[k] = m.value<std::uint32_t>(k * block + n * 4, AddressUnwritten);
    bool atomic = operation != LoadQuad && operation != StoreQuad;
    m.touchPixel(s, {where[0], where[1], where[2]},
                 atomic                   ? Message::Use::Atomic
                 : operation == StoreQuad ? Message::Use::Store
                                          : Message::Use::Load);
    auto operand = [&](unsigned row) {
      return m.value<std::uint32_t>((m.length + row) * block + n * 4, "stores what nobody has written");
    };
    if (operation == LoadQuad || operation == StoreQuad) {
      if (s.pixels && operation == LoadQuad)
        s.pixels->read(where[0], where[1], where[2], rgba);
      unsigned row = 0;
      for (unsigned c = 0; c < 4; ++c) {
        if (!(components >> c & 1))
          continue;
        if (operation == LoadQuad)
          m.respond(row * block + n * 4, &rgba[c], nullptr, 4);
        else if (std::uint32_t value = operand(row); s.pixels)
          s.pixels->write(where[0], where[1], where[2], c, value);
        ++row;
      }
      continue;
    }
    unsigned meaning = atomicOf(m, operation);
    bool isFloat = meaning >= FloatAtomic, two = meaning == 0xE || meaning == FloatAtomic + 3;
    bool none = meaning == 5 || meaning == 6 || meaning == AtomicLoad;
    std::uint64_t first = none ? 0 : operand(0), second = two ? operand(1) : 0, old = 0;
    if (std::uint8_t *pixel = s.pixels ? s.pixels->at(where[0], where[1], where[2]) : nullptr) {
      if (meaning == AtomicLoad)
        std::memcpy(&old, pixel, 4);
      else
        old = isFloat ? applyFloatAtomic(meaning - FloatAtomic, pixel, 4, first, second)
                      : applyAtomic(meaning, pixel, 4, first, second);
    }
    if (m.responseLength)
      m.respond(n * 4, &old, nullptr, 4);
  }
}

} // namespace

void loadStoreCache(const Message &m) {
  constexpr unsigned Typed = 0xD;
  unsigned operation = bits(m.descriptor, 5, 0);
  if (operation == Fence) {
    std::uint8_t zeros[MostRegisterBytes] = {};
    if (m.responseLength)
      m.respond(0, zeros, nullptr, m.thread.registerBytes);
    return;
  }
  if (m.i.unit == Typed)
    return typed(m, operation);
  bool prefetches = m.i.to.kind != Operand::Kind::General;
  switch (operation) {
  case Load:
  case LoadQuad:
    if (!prefetches)
      transfer(m, false, operation == LoadQuad);
    return;
  case Store:
  case StoreQuad:
    return transfer(m, true, operation == StoreQuad);
  case LoadBlock2d:
    if (!prefetches)
      block2d(m, false);
    return;
  case StoreBlock2d:
    return block2d(m, true);
  default:
    return atomic(m, operation);
  }
}

} // namespace pocm::gensim
