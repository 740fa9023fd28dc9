//===- Memory.cpp - What surfaces are made of ---------------------------------===//
#include "runtime/Memory.h"
#include "program/Formats.h"
#include "runtime/Queue.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace pocm::runtime {
namespace {

constexpr std::uint64_t RowAlign = 64;
constexpr std::uint64_t Slack = 64;          // vector loads may run over the last row
constexpr std::uint64_t HugePage = 2u << 20; // large surfaces are walked in many rows at once: spare the TLB

std::uint64_t roundUp(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

} // namespace

void Memory::Free::operator()(std::uint8_t *p) const {
  if (owned)
    std::free(p);
}

Memory::Memory(Geometry shape, std::uint64_t count) : shape(shape), size(roundUp(count + Slack, RowAlign)) {
  std::uint64_t align = size >= HugePage ? HugePage : RowAlign;
  auto *p = static_cast<std::uint8_t *>(std::aligned_alloc(align, roundUp(size, align)));
  if (!p)
    throw Error("no memory for a surface of " + std::to_string(count) + " bytes");
  bytes.reset(p);
  if (align == HugePage)
    madvise(p, roundUp(size, align), MADV_HUGEPAGE);
  std::memset(p, 0, size);
}

std::shared_ptr<Memory> Memory::buffer(std::uint64_t count) {
  return std::shared_ptr<Memory>(new Memory({std::uint32_t(count), 1, 1, count, 0, 0}, count));
}

std::shared_ptr<Memory> Memory::over(void *host, std::uint64_t count) {
  return std::shared_ptr<Memory>(new Memory({std::uint32_t(count), 1, 1, count, 0, 0}, count, host));
}

std::shared_ptr<Memory> Memory::over(void *host, const Geometry &shape) {
  return std::shared_ptr<Memory>(new Memory(shape, shape.pitch * shape.rows(), host));
}

Geometry Memory::imageShape(std::uint32_t width, std::uint32_t height, std::uint32_t pixelBytes, std::uint32_t format) {
  return {width,      height,
          pixelBytes, roundUp(std::uint64_t(width) * pixelBytes, RowAlign),
          format,     formatIsPlanar(format) ? height / 2 : 0};
}

std::shared_ptr<Memory> Memory::image(std::uint32_t width, std::uint32_t height, std::uint32_t pixelBytes,
                                      std::uint32_t format) {
  Geometry shape = imageShape(width, height, pixelBytes, format);
  return std::shared_ptr<Memory>(new Memory(shape, shape.pitch * shape.rows()));
}

std::shared_ptr<Memory> Memory::volume(std::uint32_t width, std::uint32_t height, std::uint32_t depth,
                                       std::uint32_t pixelBytes, std::uint32_t format) {
  Geometry shape{width, height * depth, pixelBytes, roundUp(std::uint64_t(width) * pixelBytes, RowAlign), format,
                 0,     depth};
  return std::shared_ptr<Memory>(new Memory(shape, shape.pitch * shape.rows()));
}

std::shared_ptr<Memory> Memory::view(std::shared_ptr<Memory> of, const Geometry &shape, std::uint64_t offset) {
  if (of->owner)
    of = of->owner;
  auto look = std::shared_ptr<Memory>(new Memory(shape, of->size - offset, of->data() + offset));
  look->owner = std::move(of);
  return look;
}

std::shared_ptr<Memory> Memory::seen(const std::shared_ptr<Memory> &memory) {
  return memory && memory->shown ? view(memory, memory->shown->shape, memory->shown->offset) : memory;
}

void Memory::copyOut(std::uint8_t *to, const HostRows &host) const {
  std::uint64_t count = std::min(host.rowBytes, shape.rowBytes());
  for (std::uint32_t y = 0; y < std::min(host.rows, shape.height); ++y)
    std::memcpy(to + y * host.stride, bytes.get() + y * shape.pitch, count);
  for (std::uint32_t y = 0; y < std::min(host.rows / 2, shape.planeRows); ++y)
    std::memcpy(to + (host.planeStride + y) * host.stride, bytes.get() + (shape.height + y) * shape.pitch, count);
}

void Memory::copyIn(const std::uint8_t *from, const HostRows &host) {
  std::uint64_t count = std::min(host.rowBytes, shape.rowBytes());
  for (std::uint32_t y = 0; y < std::min(host.rows, shape.height); ++y)
    std::memcpy(bytes.get() + y * shape.pitch, from + y * host.stride, count);
  for (std::uint32_t y = 0; y < std::min(host.rows / 2, shape.planeRows); ++y)
    std::memcpy(bytes.get() + (shape.height + y) * shape.pitch, from + (host.planeStride + y) * host.stride, count);
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
  std::memcpy(to, bytes.get() + offset, count);
}

void Memory::write(const void *from, std::uint64_t count, std::uint64_t offset) {
  waitUntilFree();
  std::memcpy(bytes.get() + offset, from, count);
}

void Memory::fill(std::uint32_t pattern) {
  waitUntilFree();
  fillNow(pattern);
}

void Memory::fillNow(std::uint32_t pattern) {
  for (std::uint32_t y = 0; y < shape.rows(); ++y)
    for (std::uint64_t x = 0; x < shape.rowBytes(); ++x)
      bytes.get()[y * shape.pitch + x] = std::uint8_t(pattern >> (8 * (x % 4)));
}

void Memory::usedBy(const std::shared_ptr<Event> &event) {
  if (owner)
    return owner->usedBy(event);
  try {
    std::lock_guard guard(lock);
    std::erase_if(uses, [](auto &use) { return use->finished(); });
    uses.push_back(event);
  } catch (const std::bad_alloc &) {
    event->wait(); // nobody could wait for it later
  }
}

void Memory::waitUntilFree() {
  if (owner)
    return owner->waitUntilFree();
  std::vector<std::shared_ptr<Event>> pending;
  {
    std::lock_guard guard(lock);
    pending.swap(uses);
  }
  for (auto &use : pending)
    use->wait();
}

} // namespace pocm::runtime
