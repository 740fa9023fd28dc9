//===- Message.cpp - Sends: descriptors, payloads, who serves them -------------------------===//
#include "gensim/memory/Memory.h"
#include <algorithm>

namespace pocm::gensim {

std::uint8_t *Message::payload(unsigned at, unsigned bytes, std::uint8_t **marks) const {
  unsigned size = thread.registerBytes, index = at / size;
  if (copy && std::uint64_t(at) + bytes <= (length + extraLength) * size) {
    *marks = copy->marks + at;
    return copy->data + at;
  }
  const Operand *from = &i.from[0];
  if (index >= length) {
    from = &i.from[1];
    index -= length;
    if (index >= extraLength)
      throw Problem("a message whose payload is too short: it reads byte " + std::to_string(at));
  }
  if (from->kind != Operand::Kind::General)
    throw Problem("a message whose payload is no register");
  unsigned byte = (from->number + index) * size + at % size;
  if (byte + bytes > thread.registerCount * size)
    throw Problem("a message's payload that leaves the register file");
  *marks = thread.registers.marks + byte;
  return thread.registers.data + byte;
}

bool Message::overlaps() const {
  auto meets = [&](const Operand &from, unsigned registers) {
    return from.kind == Operand::Kind::General && from.number < i.to.number + responseLength &&
           i.to.number < from.number + registers;
  };
  return i.to.kind == Operand::Kind::General && (meets(i.from[0], length) || meets(i.from[1], extraLength));
}

void Message::copyPayload(PayloadCopy &to) {
  for (unsigned k = 0; k < length + extraLength; ++k) {
    std::uint8_t *marks, *data = payload(k * thread.registerBytes, thread.registerBytes, &marks);
    std::memcpy(to.data + k * thread.registerBytes, data, thread.registerBytes);
    std::memcpy(to.marks + k * thread.registerBytes, marks, thread.registerBytes);
  }
  copy = &to;
}

void Message::respond(unsigned at, const void *data, const void *marks, unsigned bytes) const {
  if (i.to.kind != Operand::Kind::General)
    return;
  unsigned byte = i.to.number * thread.registerBytes + at;
  if (at + bytes > responseLength * thread.registerBytes)
    throw Problem("a message whose response has " + std::to_string(responseLength) + " registers writes byte " +
                  std::to_string(at));
  if (byte + bytes > thread.registerCount * thread.registerBytes)
    throw Problem("a message's response that leaves the register file");
  std::memcpy(thread.registers.data + byte, data, bytes);
  if (marks)
    std::memcpy(thread.registers.marks + byte, marks, bytes);
  else
    std::memset(thread.registers.marks + byte, 0, bytes);
}

namespace {
constexpr unsigned FirstSpecial = 240; ///< From here on numbers of surfaces mean something else.
const Surface null;
} // namespace

const Surface &Message::surface(unsigned index) const {
  if (index >= FirstSpecial)
    refuse("surface " + std::to_string(index));
  return index < world.surfaces.size() ? world.surfaces[index] : null;
}

Space Message::space(unsigned index) const {
  if (index == binding::Slm) {
    Space slm = world.slm;
    slm.addressed = 0xFFFF; // compilers keep a tag above, which makes a pointer to the first byte differ from null
    return slm;
  }
  if (index == binding::Stateless || index == binding::StatelessCoherent)
    return {thread.scratch.data(), thread.scratchMarks.data(), thread.scratch.size(), true};
  const Surface &s = surface(index);
  Space space{s.base, nullptr, s.bytes};
  space.place = s.place;
  space.surface = std::uint8_t(index);
  return space;
}

void Message::load(const Space &from, std::uint64_t offset, unsigned bytes, std::uint8_t *to,
                   std::uint8_t *marks) const {
  offset &= from.addressed;
  touch(from, offset, bytes, Use::Load);
  if (from.holds(offset, bytes)) {
    std::memcpy(to, from.data + offset, bytes);
    if (from.marks)
      std::memcpy(marks, from.marks + offset, bytes);
    else
      std::memset(marks, 0, bytes);
    return;
  }
  std::memset(to, 0, bytes);
  std::memset(marks, 0, bytes);
  if (from.stateless) {
    Space arguments{thread.indirect.data(), nullptr, thread.indirect.size()};
    if (offset >= IndirectBase && arguments.holds(offset - IndirectBase, bytes)) {
      std::memcpy(to, arguments.data + (offset - IndirectBase), bytes);
      return;
    }
    if (!from.holds(offset, bytes))
      throw Problem("a stateless read at byte " + std::to_string(offset) + ", outside of the thread's " +
                    std::to_string(from.bytes) + " bytes of scratch memory");
  }
  for (unsigned k = 0; k < bytes; ++k)
    if (from.holds(offset, k + 1)) {
      to[k] = from.data[offset + k];
      if (from.marks)
        marks[k] = from.marks[offset + k];
    }
}

void Message::store(const Space &to, std::uint64_t offset, unsigned bytes, const std::uint8_t *from,
                    const std::uint8_t *marks) const {
  offset &= to.addressed;
  touch(to, offset, bytes, Use::Store);
  if (to.stateless && !to.holds(offset, bytes))
    throw Problem("a stateless write at byte " + std::to_string(offset) + ", outside of the thread's " +
                  std::to_string(to.bytes) + " bytes of scratch memory");
  if (!to.marks && offset < to.bytes)
    for (unsigned k = 0; k < bytes; ++k)
      if (marks[k]) {
        report(i, "stores what nobody has written");
        break;
      }
  if (to.holds(offset, bytes)) {
    std::memcpy(to.data + offset, from, bytes);
    if (to.marks)
      std::memcpy(to.marks + offset, marks, bytes);
    return;
  }
  for (unsigned k = 0; k < bytes; ++k)
    if (to.holds(offset, k + 1)) {
      to.data[offset + k] = from[k];
      if (to.marks)
        to.marks[offset + k] = marks[k];
    }
}

void placeSurfaces(std::vector<Surface> &surfaces) {
  constexpr std::uint64_t first = std::uint64_t(1) << 44, page = 4096;
  std::uint64_t next = first;
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    Surface &s = surfaces[k];
    auto holds = [&](const Surface &other) { return s.base >= other.base && s.base < other.base + other.bytes; };
    auto same = std::find_if(surfaces.begin(), surfaces.begin() + std::ptrdiff_t(k), holds);
    if (same != surfaces.begin() + std::ptrdiff_t(k)) {
      s.place = same->place + std::uint64_t(s.base - same->base);
      continue;
    }
    s.place = next;
    // Tiles may take more than rows do.
    next += (2 * s.bytes + 32 * std::uint64_t(std::max<std::int64_t>(s.pitch, 0)) + 2 * page) / page * page;
  }
}

std::uint64_t Message::placeOf(std::uint64_t address) const {
  for (const Surface &s : world.surfaces)
    if (auto base = reinterpret_cast<std::uint64_t>(s.base); address >= base && address - base < s.bytes)
      return s.place + (address - base);
  return address;
}

void Message::touch(const Space &space, std::uint64_t offset, unsigned bytes, Use use) const {
  if (!world.touches)
    return;
  Touch t{Touch::Where::Memory, use != Use::Load, use == Use::Atomic, offset, bytes, offset, space.surface};
  if (space.stateless) {
    t.where = offset >= IndirectBase ? Touch::Where::Arguments : Touch::Where::Scratch;
    return world.touches->push_back(t);
  }
  t.outside = offset >= space.bytes || bytes > space.bytes - offset;
  if (space.data && space.data == world.slm.data) {
    t.where = Touch::Where::Slm;
  } else if (!t.outside) {
    t.address = reinterpret_cast<std::uint64_t>(space.data) + offset;
    t.place = space.place ? space.place + offset : placeOf(t.address);
  }
  world.touches->push_back(t);
}

/// Y tiles: 128 bytes by 32 rows, in columns of 16 bytes, so that a line of the cache has 16 bytes of four rows.
void Message::touchRow(const Surface &s, std::int64_t x, std::int64_t y, unsigned bytes, Use use) const {
  if (!world.touches || s.width <= 0 || s.height <= 0)
    return;
  constexpr std::int64_t tileWidth = 128, tileHeight = 32, column = 16;
  y = std::clamp<std::int64_t>(y, 0, s.height - 1);
  std::int64_t last = std::clamp<std::int64_t>(x + bytes - 1, 0, s.width - 1),
               tiles = (s.pitch + tileWidth - 1) / tileWidth;
  for (x = std::clamp<std::int64_t>(x, 0, s.width - 1); x <= last; x = (x / column + 1) * column) {
    std::int64_t tile = y / tileHeight * tiles + x / tileWidth;
    std::int64_t inTile = x % tileWidth / column * column * tileHeight + y % tileHeight * column + x % column;
    auto count = std::uint32_t(std::min(last + 1, (x / column + 1) * column) - x);
    world.touches->push_back({Touch::Where::Memory, use != Use::Load, use == Use::Atomic,
                              reinterpret_cast<std::uint64_t>(s.base) + std::uint64_t(y * s.pitch + x), count,
                              s.place + std::uint64_t(tile * tileWidth * tileHeight + inTile)});
  }
}

void Message::touchPixel(const Surface &s, const std::array<std::uint32_t, 3> &at, Use use) const {
  if (!world.touches || s.width <= 0 || s.height <= 0)
    return;
  std::size_t before = world.touches->size();
  touchRow(s, std::int64_t(at[0]) * s.pixelBytes, at[1], unsigned(s.pixelBytes), use);
  const std::uint8_t *pixel = s.pixels ? s.pixels->at(at[0], at[1], at[2]) : nullptr;
  for (std::size_t k = before; k < world.touches->size(); ++k) {
    Touch &t = (*world.touches)[k];
    t.outside = !pixel;
    if (pixel)
      t.address = reinterpret_cast<std::uint64_t>(pixel);
  }
}

std::uint8_t *Message::host(std::uint64_t address, unsigned bytes) const {
  if (!world.isMapped || !world.isMapped(address, bytes)) {
    char text[64];
    std::snprintf(text, sizeof(text), "an access to memory that is not there: %u bytes at 0x%llX", bytes,
                  static_cast<unsigned long long>(address));
    throw Problem(text);
  }
  return reinterpret_cast<std::uint8_t *>(address);
}

void Message::refuse(const std::string &what) const {
  char text[64];
  std::snprintf(text, sizeof(text), " (unit 0x%X, descriptor 0x%08X)", i.unit, descriptor);
  throw Problem("a message that the simulator does not have: " + what + text);
}

void gateway(const Message &m) {
  constexpr unsigned Barrier = 4, Arrival = 8;
  if ((m.descriptor & 7) != Barrier)
    m.refuse("a function of the gateway");
  if (m.platform.generation < Generation::XeHpc)
    return m.world.gateway->arrive(m.thread);
  m.world.gateway->arrive(m.thread, m.value<std::uint32_t>(Arrival, "arrives at a barrier that nobody has written"));
}

Outcome executeSend(Thread &t, const Instruction &i, const Platform &platform, World &world, const Report &report) {
  ChannelMask predicate = predicateOf(t, i);
  std::uint32_t enabled = enabledChannels(t, i);
  if (enabled & predicate.marks)
    report(i, "sends for channels by a flag that nobody has written");
  enabled &= predicate.bits;
  auto address = [&](unsigned dword) {
    for (unsigned k = 0; k < 4; ++k)
      if (t.addresses.marks[dword * 4 + k]) {
        report(i, "takes a descriptor that nobody has written");
        break;
      }
    return t.addresses.get<std::uint32_t>(dword * 4);
  };
  std::uint32_t descriptor = i.descriptorByRegister ? address(0) : i.descriptor;
  std::uint32_t extended = i.extendedByRegister ? address(i.extendedRegister) : i.extended;
  Message m{t,      i, platform, world, report, descriptor, extended, descriptor >> 25 & 15, 0, descriptor >> 20 & 31,
            enabled};
  bool gen12 = platform.generation >= Generation::Gen12;
  m.extraLength = !i.extendedByRegister || i.surfaceBase ? i.extendedLength
                  : gen12                                ? extended >> 6 & 31
                                                         : extended >> 6 & 15;
  constexpr unsigned ToGateway = 3, Spawner = 7;
  if (i.endOfThread)
    return Outcome::Ends;
  if (!enabled && i.unit != ToGateway)
    return Outcome::Continues;
  PayloadCopy copy;
  if (m.overlaps())
    m.copyPayload(copy);
  bool hpg = platform.generation >= Generation::XeHpg;
  switch (i.unit) {
  case 1:
  case 0xD:
  case 0xE:
  case 0xF:
    if (!hpg)
      m.refuse("a unit that there is not");
    loadStoreCache(m);
    break;
  case 2:
    sampler(m);
    break;
  case ToGateway:
    gateway(m);
    break;
  case Spawner:
    m.refuse("the thread spawner");
  case 9:
  case 0xA:
    dataPort0(m);
    break;
  case 0xC:
    dataPort1(m);
    break;
  default:
    m.refuse("a unit");
  }
  return Outcome::Continues;
}

} // namespace pocm::gensim
