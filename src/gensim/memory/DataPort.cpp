//===- DataPort.cpp - The data ports up to Gen12 -------------------------------------------===//
//
// Payloads are rows of values: block k of a message of n lanes begins at byte k * n * size.
//
//===----------------------------------------------------------------------===//
#include "gensim/memory/Memory.h"
#include <algorithm>
#include <array>

namespace pocm::gensim {
namespace {

constexpr unsigned OwordBytes = 16, DwordBytes = 4;

unsigned bits(std::uint32_t value, unsigned last, unsigned first) {
  return value >> first & ((2u << (last - first)) - 1);
}

constexpr const char *AddressUnwritten = "uses an address that nobody has written";

/// Blocks of owords whose place a header names. `at`: the first byte in the surface.
void owordBlock(const Message &m, const Space &space, std::uint64_t at, unsigned code, bool write, bool byAddress) {
  unsigned dataAt = m.thread.registerBytes;
  static constexpr unsigned Owords[] = {1, 1, 2, 4, 8, 16};
  if (code >= std::size(Owords))
    m.refuse("a block of that size");
  unsigned count = Owords[code], shift = code == 1 ? OwordBytes : 0;
  for (unsigned k = 0; k < count; ++k) {
    std::uint8_t data[OwordBytes], marks[OwordBytes];
    std::uint64_t offset = byAddress ? at + k * OwordBytes : std::uint32_t(at + k * OwordBytes);
    if (write) {
      std::uint8_t *fromMarks, *from = m.payload(dataAt + shift + k * OwordBytes, OwordBytes, &fromMarks);
      if (!m.i.noMask) { // a channel for each dword
        for (unsigned d = 0; d < 4; ++d)
          if (m.enabled >> ((k * 4 + d) % m.i.size) & 1)
            m.store(space, offset + d * DwordBytes, DwordBytes, from + d * DwordBytes, fromMarks + d * DwordBytes);
      } else {
        m.store(space, offset, OwordBytes, from, fromMarks);
      }
    } else {
      m.load(space, offset, OwordBytes, data, marks);
      m.respond(shift + k * OwordBytes, data, marks, OwordBytes);
    }
  }
}

Space hostSpace(const Message &m, std::uint64_t address, unsigned bytes) {
  return {m.host(address, bytes), nullptr, bytes};
}

/// Elements of `bytes` bytes for each lane; each takes a dword, or two of 8 bytes, of the payload.
struct Scattered {
  unsigned lanes, bytes;
  unsigned elements = 1; ///< For each lane, one behind the other in memory.
  bool byAddress = false;
  std::uint64_t scale = 1,
                base = 0; ///< The sum of offset and base wraps at 32 bits, their product by the scale does not.
  unsigned addressesAt = 0, dataAt = 0;
  bool packed = false; ///< Several bytes of a lane in one dword.
};

void scattered(const Message &m, const Space &space, const Scattered &s, bool write) {
  unsigned stride = std::max(s.bytes, DwordBytes), lanes = s.lanes;
  for (unsigned n = 0; n < lanes && n < m.i.size; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    std::uint64_t at = s.byAddress ? m.value<std::uint64_t>(s.addressesAt + n * 8, AddressUnwritten)
                                   : m.value<std::uint32_t>(s.addressesAt + n * 4, AddressUnwritten);
    at = s.byAddress ? at : std::uint32_t(at + s.base) * s.scale;
    Space to = s.byAddress ? hostSpace(m, at, s.bytes * s.elements) : space;
    std::uint64_t first = s.byAddress ? 0 : at;
    for (unsigned k = 0; k < s.elements; ++k) {
      unsigned where = (k * lanes + n) * stride;
      if (write) {
        std::uint8_t *marks, *data = m.payload(s.dataAt + where, s.bytes, &marks);
        m.store(to, first + k * s.bytes, s.bytes, data, marks);
      } else {
        std::uint8_t data[8] = {}, marks[8] = {};
        m.load(to, first + k * s.bytes, s.bytes, data, marks);
        m.respond(where, data, marks, stride);
      }
    }
  }
}

/// Hwords, 32 bytes each, at a place that is counted in them, whatever a register has.
void scratchBlock(const Message &m) {
  constexpr unsigned HwordBytes = 32;
  unsigned header = m.thread.registerBytes, hwords = 1u << bits(m.descriptor, 13, 12),
           offset = bits(m.descriptor, 11, 0) * HwordBytes;
  Space space = m.space(binding::StatelessCoherent);
  for (unsigned k = 0; k < hwords * HwordBytes / DwordBytes; ++k) {
    std::uint8_t data[DwordBytes], marks[DwordBytes];
    if (bits(m.descriptor, 17, 17)) {
      std::uint8_t *fromMarks, *from = m.payload(header + k * DwordBytes, DwordBytes, &fromMarks);
      if (m.enabled >> (k % m.i.size) & 1)
        m.store(space, offset + k * DwordBytes, DwordBytes, from, fromMarks);
    } else {
      m.load(space, offset + k * DwordBytes, DwordBytes, data, marks);
      m.respond(k * DwordBytes, data, marks, DwordBytes);
    }
  }
}

void fence(const Message &m) {
  if (!m.responseLength)
    return;
  std::uint8_t zeros[MostRegisterBytes] = {};
  m.respond(0, zeros, nullptr, m.thread.registerBytes);
}

/// Components of each lane: block after block of dwords, those that the descriptor does not disable.
void untyped(const Message &m, bool byAddress, bool write) {
  unsigned mode = bits(m.descriptor, 13, 12);
  if (mode != 1 && mode != 2)
    m.refuse("SIMD4x2");
  unsigned lanes = mode == 1 ? 16 : 8, disabled = bits(m.descriptor, 11, 8), at = 0;
  Space space = byAddress ? Space{} : m.space(bits(m.descriptor, 7, 0));
  unsigned header = bits(m.descriptor, 19, 19) ? m.thread.registerBytes : 0, addressBytes = byAddress ? 8 : 4;
  for (unsigned c = 0; c < 4; ++c) {
    if (disabled >> c & 1)
      continue;
    for (unsigned n = 0; n < lanes && n < m.i.size; ++n) {
      if (!(m.enabled >> n & 1))
        continue;
      std::uint64_t offset = byAddress ? m.value<std::uint64_t>(header + n * 8, AddressUnwritten)
                                       : m.value<std::uint32_t>(header + n * 4, AddressUnwritten);
      offset = (offset & ~std::uint64_t(3)) + c * DwordBytes;
      Space to = byAddress ? hostSpace(m, offset, DwordBytes) : space;
      std::uint64_t where = byAddress ? 0 : std::uint32_t(offset);
      unsigned place = (at * lanes + n) * DwordBytes;
      if (write) {
        std::uint8_t *marks, *data = m.payload(header + lanes * addressBytes + place, DwordBytes, &marks);
        m.store(to, where, DwordBytes, data, marks);
      } else {
        std::uint8_t data[DwordBytes], marks[DwordBytes];
        m.load(to, where, DwordBytes, data, marks);
        m.respond(place, data, marks, DwordBytes);
      }
    }
    ++at;
  }
}

enum class Number { Integer, Float };

/// Atomics: `bytes` of an element in memory; payload values take 4 bytes, or 8.
void atomic(const Message &m, unsigned lanes, bool byAddress, unsigned bytes, Number kind) {
  unsigned operation = kind == Number::Float ? bits(m.descriptor, 10, 8) : bits(m.descriptor, 11, 8);
  unsigned header = bits(m.descriptor, 19, 19) ? m.thread.registerBytes : 0, addressBytes = byAddress ? 8 : 4;
  unsigned stride = std::max(bytes, DwordBytes), operands = header + lanes * addressBytes;
  bool returns = bits(m.descriptor, 13, 13);
  bool noOperand = kind == Number::Integer && (operation == 5 || operation == 6 || operation == 0xF);
  bool two = kind == Number::Integer ? operation == 0xE : operation == 3;
  Space space = byAddress ? Space{} : m.space(bits(m.descriptor, 7, 0));
  if (m.enabled >> lanes)
    throw Problem("an atomic for more than the " + std::to_string(lanes) + " channels of its message");
  for (unsigned n = 0; n < lanes && n < m.i.size; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    std::uint64_t at = byAddress ? m.value<std::uint64_t>(header + n * 8, AddressUnwritten)
                                 : m.value<std::uint32_t>(header + n * 4, AddressUnwritten) & space.addressed;
    auto operand = [&](unsigned k) -> std::uint64_t {
      unsigned where = operands + (k * lanes + n) * stride;
      constexpr const char *what = "gives an atomic a value that nobody has written";
      return stride == 8  ? m.value<std::uint64_t>(where, what)
             : bytes == 2 ? m.value<std::uint16_t>(where, what)
                          : m.value<std::uint32_t>(where, what);
    };
    std::uint64_t first = noOperand ? 0 : operand(0), second = two ? operand(1) : 0, old = 0;
    if (!byAddress)
      m.touch(space, at, bytes, Message::Use::Atomic);
    if (byAddress || space.holds(at, bytes)) {
      std::uint8_t *memory = byAddress ? m.host(at, bytes) : space.data + at;
      if (byAddress)
        m.touch(Space{memory, nullptr, bytes}, 0, bytes, Message::Use::Atomic);
      if (space.marks && !byAddress)
        std::memset(space.marks + at, 0, bytes);
      old = kind == Number::Float ? applyFloatAtomic(operation, memory, bytes, first, second)
                                  : applyAtomic(operation, memory, bytes, first, second);
    }
    if (returns)
      m.respond(n * stride, &old, nullptr, stride);
  }
}

void mediaBlock(const Message &m, bool write) {
  const Surface &surface = m.surface(bits(m.descriptor, 7, 0));
  auto x = std::int64_t(m.value<std::int32_t>(0, AddressUnwritten)),
       y = std::int64_t(m.value<std::int32_t>(4, AddressUnwritten));
  auto shape = m.value<std::uint32_t>(8, "reads or writes a block whose size nobody has written");
  unsigned width = bits(shape, 5, 0) + 1, height = bits(shape, 21, 16) + 1, pitch = 4;
  while (pitch < width)
    pitch *= 2;
  Surface s = surface;
  unsigned field = bits(m.descriptor, 10, 8);
  if (field == 6 || field == 7) {
    int first = field == 7;
    s.base += s.pitch * first;
    s.height = (s.height + 1 - first) / 2;
    s.pitch *= 2;
  } else if (field != 0) {
    m.refuse("a field of a surface");
  }
  bool null = s.width <= 0 || s.height <= 0;
  std::int64_t pixel = std::max(s.pixelBytes, 1);
  auto modulo = [](std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; };
  bool wholeRows = !null && x >= 0 && x + width <= s.width;
  for (unsigned r = 0; r < height; ++r) {
    m.touchRow(s, x, y + r, width, write ? Message::Use::Store : Message::Use::Load);
    if (wholeRows && !write) {
      std::int64_t row = std::clamp<std::int64_t>(y + r, 0, s.height - 1);
      m.respond(r * pitch, s.base + row * s.pitch + x, nullptr, width);
      continue;
    }
    if (wholeRows && y + r >= 0 && y + r < s.height) {
      // A register at a time: a message has its payload in two places.
      for (unsigned c = 0; c < width; c += m.thread.registerBytes) {
        unsigned count = std::min(width - c, m.thread.registerBytes);
        std::uint8_t *marks, *data = m.payload(m.thread.registerBytes + r * pitch + c, count, &marks);
        if (std::any_of(marks, marks + count, [](std::uint8_t mark) { return mark != 0; }))
          m.report(m.i, "stores what nobody has written");
        std::memcpy(s.base + (y + r) * s.pitch + x + c, data, count);
      }
      continue;
    }
    for (unsigned c = 0; c < width; ++c) {
      std::int64_t column = x + c, row = y + r;
      if (write) {
        std::uint8_t *marks, *data = m.payload(m.thread.registerBytes + r * pitch + c, 1, &marks);
        if (null || column < 0 || column >= s.width || row < 0 || row >= s.height)
          continue;
        if (*marks)
          m.report(m.i, "stores what nobody has written");
        s.base[row * s.pitch + column] = *data;
      } else {
        std::uint8_t value = 0;
        if (!null) {
          if (column < 0)
            column = modulo(column, pixel);
          else if (column >= s.width)
            column = s.width - pixel + (column - s.width) % pixel;
          value = s.base[std::clamp<std::int64_t>(row, 0, s.height - 1) * s.pitch + column];
        }
        m.respond(r * pitch + c, &value, nullptr, 1);
      }
    }
  }
}

/// Eight up to Gen12; as many as a register has dwords later, or the instruction's.
unsigned typedLanes(const Message &m) {
  constexpr unsigned few = 8;
  bool later = m.platform.generation >= Generation::XeHpg;
  return later ? std::max<unsigned>(m.thread.registerBytes / DwordBytes, m.i.size) : few;
}

/// A lane's u, v and r, as many as the message has; the others are 0.
std::array<std::uint32_t, 3> pixelOf(const Message &m, unsigned lane, unsigned header, unsigned block, unsigned count) {
  std::array<std::uint32_t, 3> where{};
  for (unsigned k = 0; k < std::min<std::size_t>(where.size(), count); ++k)
    where[k] = m.value<std::uint32_t>(header + k * block + lane * DwordBytes, AddressUnwritten);
  return where;
}

/// Pixels by u, v and r, converted by the surface's format.
void typed(const Message &m, bool write) {
  unsigned lanes = typedLanes(m);
  unsigned disabled = bits(m.descriptor, 11, 8), header = bits(m.descriptor, 19, 19) ? m.thread.registerBytes : 0;
  unsigned enabledCount = 4 - unsigned(__builtin_popcount(disabled));
  unsigned blockRegisters = std::max(1u, lanes * DwordBytes / m.thread.registerBytes);
  unsigned all = m.length + m.extraLength - header / m.thread.registerBytes;
  unsigned coordinates = (write ? all / blockRegisters - enabledCount : all / blockRegisters);
  unsigned block = blockRegisters * m.thread.registerBytes;
  const Surface &s = m.surface(bits(m.descriptor, 7, 0));
  for (unsigned n = 0; n < lanes && n < m.i.size; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    auto where = pixelOf(m, n, header, block, coordinates);
    m.touchPixel(s, where, write ? Message::Use::Store : Message::Use::Load);
    std::uint32_t rgba[4] = {};
    if (!write && s.pixels)
      s.pixels->read(where[0], where[1], where[2], rgba);
    unsigned at = 0;
    for (unsigned c = 0; c < 4; ++c) {
      if (disabled >> c & 1)
        continue;
      if (!write)
        m.respond(at * block + n * DwordBytes, &rgba[c], nullptr, DwordBytes);
      else if (std::uint32_t value = m.value<std::uint32_t>(header + (coordinates + at) * block + n * DwordBytes,
                                                            "stores what nobody has written");
               s.pixels)
        s.pixels->write(where[0], where[1], where[2], c, value);
      ++at;
    }
  }
}

void typedAtomic(const Message &m) {
  unsigned operation = bits(m.descriptor, 11, 8), header = bits(m.descriptor, 19, 19) ? m.thread.registerBytes : 0;
  unsigned lanes = typedLanes(m), block = std::max(lanes * DwordBytes, m.thread.registerBytes);
  bool noOperand = operation == 5 || operation == 6 || operation == 0xF, two = operation == 0xE;
  unsigned operands = noOperand ? 0 : two ? 2 : 1;
  unsigned coordinates = (m.length + m.extraLength) - header / m.thread.registerBytes - operands;
  const Surface &s = m.surface(bits(m.descriptor, 7, 0));
  for (unsigned n = 0; n < lanes && n < m.i.size; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    auto where = pixelOf(m, n, header, block, coordinates);
    std::uint64_t values[2] = {}, old = 0;
    for (unsigned k = 0; k < operands; ++k)
      values[k] = m.value<std::uint32_t>(header + (coordinates + k) * block + n * DwordBytes,
                                         "gives an atomic a value that nobody has written");
    m.touchPixel(s, where, Message::Use::Atomic);
    if (std::uint8_t *pixel = s.pixels ? s.pixels->at(where[0], where[1], where[2]) : nullptr)
      old = applyAtomic(operation, pixel, DwordBytes, values[0], values[1]);
    if (bits(m.descriptor, 13, 13))
      m.respond(n * DwordBytes, &old, nullptr, DwordBytes);
  }
}

} // namespace

void dataPort0(const Message &m) {
  std::uint32_t d = m.descriptor;
  if (bits(d, 18, 18))
    return scratchBlock(m);
  unsigned type = bits(d, 17, 14), index = bits(d, 7, 0), header = bits(d, 19, 19) ? m.thread.registerBytes : 0;
  auto offset = [&](unsigned dword) {
    return m.value<std::uint32_t>(dword * DwordBytes, "uses a header that nobody has written");
  };
  unsigned lanes = bits(d, 8, 8) ? 16 : 8;
  switch (type) {
  case 0:
  case 8:
    return owordBlock(m, m.space(index), std::uint64_t(offset(2)) * OwordBytes, bits(d, 10, 8), type == 8, false);
  case 1:
    return owordBlock(m, m.space(index), offset(2), bits(d, 10, 8), false, false);
  case 3:
  case 0xB: {
    Scattered s{lanes, DwordBytes};
    s.scale = DwordBytes;
    s.base = header ? offset(2) : 0;
    s.addressesAt = header;
    s.dataAt = header + lanes * DwordBytes;
    return scattered(m, m.space(index), s, type == 0xB);
  }
  case 4:
  case 0xC: {
    if (bits(d, 11, 10) == 3)
      m.refuse("elements of that size");
    Scattered s{lanes, 1u << bits(d, 11, 10)};
    s.base = header ? offset(2) : 0;
    s.addressesAt = header;
    s.dataAt = header + lanes * DwordBytes;
    return scattered(m, m.space(index), s, type == 0xC);
  }
  case 7:
    return fence(m);
  default:
    m.refuse("of data port 0, type " + std::to_string(type));
  }
}

void dataPort1(const Message &m) {
  std::uint32_t d = m.descriptor;
  unsigned type = bits(d, 18, 14), header = bits(d, 19, 19) ? m.thread.registerBytes : 0;
  unsigned simd8 = bits(d, 12, 12);
  switch (type) {
  case 1:
  case 9:
    return untyped(m, false, type == 9);
  case 0x11:
  case 0x19:
    return untyped(m, true, type == 0x19);
  case 2:
    return atomic(m, simd8 ? 8 : 16, false, 4, Number::Integer);
  case 3:
    return atomic(m, simd8 ? 8 : 16, false, 2, Number::Integer);
  case 0x1B:
    return atomic(m, simd8 ? 8 : 16, false, 4, Number::Float);
  case 0x1C:
    return atomic(m, simd8 ? 8 : 16, false, 2, Number::Float);
  case 0x12:
    return atomic(m, 8, true, simd8 ? 8 : 4, Number::Integer);
  case 0x13:
    return atomic(m, 8, true, 2, Number::Integer);
  case 0x1D:
    return atomic(m, 8, true, simd8 ? 8 : 4, Number::Float);
  case 4:
  case 0xA:
    return mediaBlock(m, type == 0xA);
  case 5:
  case 0xD:
    return typed(m, type == 0xD);
  case 6:
    return typedAtomic(m);
  case 0x10:
  case 0x1A: {
    unsigned size = bits(d, 9, 8), count = 1u << bits(d, 11, 10);
    Scattered s{bits(d, 12, 12) ? 16u : 8u, 0};
    s.byAddress = true;
    s.bytes = size == 0 ? count : size == 1 ? 4 : 8;
    s.elements = size == 0 ? 1 : count;
    s.addressesAt = header;
    s.dataAt = header + s.lanes * 8;
    return scattered(m, {}, s, type == 0x1A);
  }
  case 0x14:
  case 0x15: {
    static constexpr unsigned Owords[] = {1, 1, 2, 4, 8, 16};
    auto address = m.value<std::uint64_t>(0, AddressUnwritten);
    unsigned code = bits(d, 10, 8);
    if (bits(d, 12, 11) == 3 || code >= std::size(Owords))
      m.refuse("a block of that size");
    return owordBlock(m, hostSpace(m, address, Owords[code] * OwordBytes), 0, code, type == 0x15, true);
  }
  default:
    m.refuse("of data port 1, type " + std::to_string(type));
  }
}

} // namespace pocm::gensim
