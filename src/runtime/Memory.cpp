//===- Memory.cpp - What surfaces are made of ---------------------------------===//
#include "runtime/Memory.h"
#include "program/Formats.h"
#include "runtime/Queue.h"
#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <pthread.h>
#include <utility>

namespace pocm::runtime {
namespace {

constexpr std::uint64_t RowAlign = 64;

std::uint64_t roundUp(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

} // namespace

namespace {
/// Surfaces by address. Never destroyed, as surfaces may live longer than what a library destroys.
struct Addresses {
  std::atomic<bool> kept = false;
  std::mutex lock;
  std::multimap<std::uintptr_t, std::uintptr_t> ends; // by beginning
  static constexpr std::uint64_t mostFreed = 64u << 20;
  static constexpr std::size_t places = 64;
  AddressRange freed[places]; // in a ring, each place the next one's
  std::size_t nextFreed = 0;
  std::uint64_t bytesFreed = 0; // of all
  AddressRange letGo(AddressRange &range) {
    bytesFreed -= range.end - range.begin;
    return std::exchange(range, {});
  }
};
Addresses &addresses = *new Addresses;

/// A forked child's devices want the lock, too, and have none of the threads that may hold it.
[[maybe_unused]] const int handled =
    pthread_atfork([] { addresses.lock.lock(); }, [] { addresses.lock.unlock(); }, [] { addresses.lock.unlock(); });
} // namespace

void listAddresses() { addresses.kept = true; }

std::vector<AddressRange> listedAddresses() {
  std::lock_guard guard(addresses.lock);
  std::vector<AddressRange> all;
  for (auto [begin, end] : addresses.ends)
    all.push_back({begin, end});
  return all;
}

void freeReachable(void *memory, std::uint64_t bytes) {
  if (!addresses.kept.load(std::memory_order_relaxed) || bytes > Addresses::mostFreed)
    return std::free(memory);
  AddressRange gone[Addresses::places]; // freed without the lock: that may take long
  std::size_t count = 0;
  {
    std::lock_guard guard(addresses.lock);
    const std::size_t here = addresses.nextFreed;
    addresses.nextFreed = (here + 1) % std::size(addresses.freed);
    gone[count++] = addresses.letGo(addresses.freed[here]);
    for (std::size_t oldest = addresses.nextFreed; addresses.bytesFreed + bytes > Addresses::mostFreed;
         oldest = (oldest + 1) % std::size(addresses.freed))
      gone[count++] = addresses.letGo(addresses.freed[oldest]);
    auto begin = reinterpret_cast<std::uintptr_t>(memory);
    addresses.freed[here] = {begin, begin + bytes};
    addresses.bytesFreed += bytes;
  }
  for (std::size_t i = 0; i < count; ++i)
    std::free(reinterpret_cast<void *>(gone[i].begin));
}

std::vector<AddressRange> freedAddresses() {
  std::lock_guard guard(addresses.lock);
  std::vector<AddressRange> all(std::begin(addresses.freed), std::end(addresses.freed));
  std::erase_if(all, [](const AddressRange &r) { return r.begin == r.end; });
  return all;
}

void Memory::list() {
  if (!addresses.kept.load(std::memory_order_relaxed))
    return;
  auto begin = reinterpret_cast<std::uintptr_t>(address());
  std::lock_guard guard(addresses.lock);
  addresses.ends.emplace(begin, begin + bytesUsed);
  isListed = true;
}

void Memory::leaveUndefined() {
  if (isListed)
    written = std::make_unique<Written>(bytesUsed);
}

Memory::Record Memory::record() const {
  if (owner)
    return {owner->written.get(), start - owner->start};
  return {written.get(), 0};
}

void Memory::noteWritten(std::uint64_t offset, std::uint64_t count) {
  if (Record here = record(); here.written)
    here.written->mark(here.offset + offset, count);
}

Memory::~Memory() {
  if (!isListed)
    return;
  std::lock_guard guard(addresses.lock);
  auto begin = reinterpret_cast<std::uintptr_t>(address());
  for (auto [at, last] = addresses.ends.equal_range(begin); at != last; ++at)
    if (at->second == begin + bytesUsed) {
      addresses.ends.erase(at);
      return;
    }
}

std::shared_ptr<Memory> Memory::listed(Geometry shape, std::uint64_t bytes, std::shared_ptr<Storage> storage) {
  std::shared_ptr<Memory> memory(new Memory(shape, bytes, std::move(storage)));
  memory->list();
  return memory;
}

std::shared_ptr<Memory> Memory::buffer(Heap &heap, std::uint64_t count) {
  auto memory = listed({std::uint32_t(count), 1, 1, count, 0, 0}, count, heap.allocate(count));
  memory->linear = true;
  return memory;
}

std::shared_ptr<Memory> Memory::over(Heap &heap, void *host, std::uint64_t count, Lending how) {
  auto memory = listed({std::uint32_t(count), 1, 1, count, 0, 0}, count, heap.lend(host, count, how));
  memory->linear = true;
  memory->lent = host;
  return memory;
}

std::shared_ptr<Memory> Memory::over(Heap &heap, void *host, const Geometry &shape) {
  const std::uint64_t bytes = shape.pitch * shape.rows();
  auto memory = listed(shape, bytes, heap.lend(host, bytes, Lending::AsSurface));
  memory->lent = host;
  return memory;
}

Geometry Memory::imageShape(std::uint32_t width, std::uint32_t height, std::uint32_t pixelBytes, std::uint32_t format) {
  return {width,      height,
          pixelBytes, roundUp(std::uint64_t(width) * pixelBytes, RowAlign),
          format,     chromaRows(format, height)};
}

std::shared_ptr<Memory> Memory::image(Heap &heap, std::uint32_t width, std::uint32_t height, std::uint32_t pixelBytes,
                                      std::uint32_t format) {
  Geometry shape = imageShape(width, height, pixelBytes, format);
  // Rows at such a distance meet in the same few places of a cache: what goes down a column finds nothing there again.
  constexpr std::uint64_t way = 2048, apart = 320, enough = 1u << 20, most = 1u << 17; // a GPU's have 2^18 bytes
  if (shape.pitch % way == 0 && shape.pitch <= most && shape.planeRows == 0 && shape.pitch * height >= enough)
    shape.pitch += apart;
  const std::uint64_t bytes = shape.pitch * shape.rows();
  return listed(shape, bytes, heap.allocate(bytes));
}

std::shared_ptr<Memory> Memory::volume(Heap &heap, std::uint32_t width, std::uint32_t height, std::uint32_t depth,
                                       std::uint32_t pixelBytes, std::uint32_t format) {
  Geometry shape{width, height * depth, pixelBytes, roundUp(std::uint64_t(width) * pixelBytes, RowAlign), format,
                 0,     depth};
  const std::uint64_t bytes = shape.pitch * shape.rows();
  return listed(shape, bytes, heap.allocate(bytes));
}

std::shared_ptr<Memory> Memory::view(std::shared_ptr<Memory> of, const Geometry &shape, std::uint64_t offset) {
  if (of->owner)
    of = of->owner;
  if (!of->holds(shape, offset))
    throw Error("a view leaves its surface");
  auto look = std::shared_ptr<Memory>(new Memory(shape, of->bytesUsed - offset, of->storage, of->start + offset));
  look->linear = of->linear && shape.height == 1 && shape.format == 0;
  look->owner = std::move(of);
  return look;
}

bool Memory::holds(const Geometry &look, std::uint64_t offset) const {
  if (owner)
    return owner->holds(look, offset);
  if (look.width == 0 || look.height == 0 || look.depth == 0 || look.pixelBytes == 0)
    return false;
  using Wide = unsigned __int128; // a pitch times a height has up to 96 bits
  auto inside = [&](std::uint64_t at, std::uint64_t pitch, std::uint64_t rowBytes, std::uint64_t rows) {
    return rows == 0 || Wide(offset) + at + Wide(pitch) * (rows - 1) + rowBytes <= bytesUsed;
  };
  if (look.rowBytes() > look.pitch && look.rows() > 1)
    return false;
  if (!inside(0, look.pitch, look.rowBytes(), look.height))
    return false;
  // Devices find planes by the format. What lies in the memory has no more rows than 64 bits can count.
  for (unsigned k = 1; auto plane = planeOf(look.format, k, look.height, look.rowBytes(), look.pitch); ++k)
    if (!inside(plane->offset, plane->pitch, plane->rowBytes, plane->rows))
      return false;
  return true;
}

void Memory::showAs(const Geometry &look, std::uint64_t offset) {
  if (!holds(look, offset))
    throw Error("a view leaves its surface");
  std::lock_guard guard(lock);
  shown = Look{look, offset};
}

std::shared_ptr<Memory> Memory::seen(const std::shared_ptr<Memory> &memory) {
  if (!memory)
    return nullptr;
  std::optional<Look> look;
  {
    std::lock_guard guard(memory->lock);
    look = memory->shown;
  }
  return look ? view(memory, look->shape, look->offset) : memory;
}

namespace {
/// Calls copy(bytes of the surface, bytes of the host, count) for every row that a copy moves, or for all at once.
template <class Copy> void eachRow(const Geometry &shape, const Memory::HostRows &host, Copy copy) {
  auto plane = [&](unsigned k) {
    return planeOf(shape.planeRows ? shape.format : 0, k, shape.height, shape.rowBytes(), shape.pitch);
  };
  auto u = plane(1), v = plane(2);
  if (u && v && v->offset < u->offset)
    std::swap(u, v);           // the host has them in the same order
  std::uint64_t hostPlane = 0; // where the plane begins on the host side
  for (const auto &plane : {plane(0), u, v}) {
    if (!plane)
      return;
    // Narrower planes have narrower rows on the host side too.
    std::uint64_t stride = host.stride * plane->rowBytes / shape.rowBytes();
    std::uint64_t count = std::min(host.rowBytes * plane->rowBytes / shape.rowBytes(), plane->rowBytes);
    std::uint64_t rows = std::min<std::uint64_t>(plane->rows, std::uint64_t(host.rows) * plane->rows / shape.height);
    if (count == stride && count == plane->pitch) // they lie one behind the other on both sides
      copy(plane->offset, hostPlane, rows * count);
    else
      for (std::uint64_t y = 0; y < rows; ++y)
        copy(plane->offset + y * plane->pitch, hostPlane + y * stride, count);
    hostPlane += plane->offset ? plane->rows * stride : host.planeStride * host.stride;
  }
}
} // namespace

std::uint64_t Memory::hostBytes(const HostRows &host) const {
  std::uint64_t end = 0;
  eachRow(shape, host,
          [&](std::uint64_t, std::uint64_t there, std::uint64_t count) { end = std::max(end, there + count); });
  return end;
}

void Memory::copyOut(std::uint8_t *to, const HostRows &host) const {
  eachRow(shape, host, [&](std::uint64_t here, std::uint64_t there, std::uint64_t count) {
    storage->download(to + there, start + here, count);
  });
}

void Memory::copyIn(const std::uint8_t *from, const HostRows &host) {
  eachRow(shape, host,
          [&](std::uint64_t here, std::uint64_t there, std::uint64_t count) { writeNow(from + there, count, here); });
}

void Memory::copyFrom(const Memory &from) {
  auto plane = [](const Geometry &of, unsigned k) {
    return planeOf(of.planeRows ? of.format : 0, k, of.height, of.rowBytes(), of.pitch);
  };
  for (unsigned k = 0;; ++k) {
    auto here = plane(shape, k), there = plane(from.shape, k);
    if (!here || !there)
      return;
    const std::uint64_t rows = std::min(here->rows, there->rows);
    for (std::uint64_t y = 0; y < rows; ++y)
      storage->copy(start + here->offset + y * here->pitch, *from.storage,
                    from.start + there->offset + y * there->pitch, std::min(here->rowBytes, there->rowBytes));
  }
}

void Memory::readRows(std::uint8_t *to, std::uint64_t stride) {
  waitUntilFree();
  copyOut(to, {stride, shape.height});
}

void Memory::writeRows(const std::uint8_t *from, std::uint64_t stride) {
  waitUntilFree();
  copyIn(from, {stride, shape.height});
}

void Memory::read(void *to, std::uint64_t count, std::uint64_t offset) {
  waitUntilFree();
  readNow(to, count, offset);
}

void Memory::readNow(void *to, std::uint64_t count, std::uint64_t offset) const {
  storage->download(to, start + offset, count);
}

void Memory::write(const void *from, std::uint64_t count, std::uint64_t offset) {
  waitUntilFree();
  writeNow(from, count, offset);
}

void Memory::writeNow(const void *from, std::uint64_t count, std::uint64_t offset) {
  storage->upload(from, start + offset, count);
  noteWritten(offset, count);
}

void Memory::fill(std::uint32_t pattern) {
  waitUntilFree();
  fillNow(pattern);
}

void Memory::fillNow(std::uint32_t pattern) {
  std::uint64_t count = shape.planeRows ? shape.pitch : shape.rowBytes(); // rows of chroma may be of half a pitch
  std::vector<std::uint32_t> stretch(std::min<std::uint64_t>(count / sizeof(pattern) + 1, 4096), pattern);
  const std::uint64_t most = stretch.size() * sizeof(pattern);
  for (std::uint32_t y = 0; y < shape.rows(); ++y)
    for (std::uint64_t x = 0; x < count; x += most)
      writeNow(stretch.data(), std::min(most, count - x), y * shape.pitch + x);
}

void Memory::addTo(Footprint &touched) const {
  if (owner)
    return owner->addTo(touched);
  touched.add(addressesOf(storage->address(), storage->size()));
  if (lent && lent != storage->address())
    touched.add(addressesOf(lent, bytesUsed));
}

/// With the lock held. Next time when there are twice as many as stay, so that each is looked at twice or so, however
/// many are unfinished.
void Memory::forgetFinished() {
  std::erase_if(uses, [](auto &use) { return use.event->finished(); });
  lookAt = std::max<std::size_t>(1, 2 * uses.size());
}

void Memory::usedBy(const std::shared_ptr<Event> &event) {
  if (owner)
    return owner->usedBy(event);
  try {
    std::lock_guard guard(lock);
    if (uses.size() >= lookAt)
      forgetFinished();
    uses.push_back({event, nextUse++});
  } catch (const std::bad_alloc &) {
    event->wait(); // nobody could wait for it later
  }
}

void Memory::waitUntilFree() {
  if (owner)
    return owner->waitUntilFree();
  // Uses stay listed while anybody waits for them: another host thread may come to wait as well. The last first: when
  // it is finished, those before it in its lane are, too.
  std::unique_lock held(lock);
  for (std::uint64_t end = nextUse;
       ;) { // one may not end meanwhile: this host thread is in a handler that interrupted it
    auto last = std::lower_bound(uses.begin(), uses.end(), end, [](auto &use, auto n) { return use.number < n; });
    if (last == uses.begin())
      return;
    end = std::prev(last)->number;
    std::shared_ptr<Event> use = std::prev(last)->event;
    held.unlock();
    use->wait();
    held.lock();
    forgetFinished();
  }
}

void Memory::retire() {
  if (owner)
    return owner->retire();
  gone.store(true, std::memory_order_relaxed);
  waitUntilFree();
}

} // namespace pocm::runtime
