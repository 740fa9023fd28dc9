//===- Storage.cpp - Memory that host and kernels share -----------------------------===//
#include "runtime/Storage.h"
#include "pocm/pocm.h"
#include "runtime/Memory.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace pocm::runtime {
namespace {

constexpr std::uint64_t RowAlign = 64;
constexpr std::uint64_t Slack = 64;          // vector loads may run over the last row
constexpr std::uint64_t HugePage = 2u << 20; // large surfaces are walked in many rows at once: spare the TLB

std::uint64_t roundUp(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

class SharedStorage final : public Storage {
public:
  /// `owned` bytes are wanted of what is freed at the end; none of what the host lends.
  SharedStorage(void *bytes, std::uint64_t count, std::uint64_t owned)
      : bytes(static_cast<std::uint8_t *>(bytes)), count(count), owned(owned) {}
  ~SharedStorage() override {
    if (owned)
      freeReachable(bytes, owned);
  }
  std::uint8_t *address() const override { return bytes; }
  std::uint64_t size() const override { return count; }
  void download(void *to, std::uint64_t offset, std::uint64_t n) const override { std::memcpy(to, bytes + offset, n); }
  void upload(const void *from, std::uint64_t offset, std::uint64_t n) override {
    std::memcpy(bytes + offset, from, n);
  }
  void copy(std::uint64_t offset, const Storage &from, std::uint64_t there, std::uint64_t n) override {
    std::memmove(bytes + offset, from.address() + there, n);
  }

private:
  std::uint8_t *const bytes;
  const std::uint64_t count;
  const std::uint64_t owned;
};

} // namespace

std::shared_ptr<Storage> Heap::allocate(std::uint64_t count) {
  const std::uint64_t size = roundUp(count + Slack, RowAlign), align = size >= HugePage ? HugePage : RowAlign;
  void *p = std::aligned_alloc(align, roundUp(size, align));
  if (!p)
    throw Error("no memory for a surface of " + std::to_string(count) + " bytes");
  std::shared_ptr<Storage> storage = std::make_shared<SharedStorage>(p, size, count);
  if (align == HugePage)
    madvise(p, roundUp(size, align), MADV_HUGEPAGE);
  std::memset(p, 0, size);
  return storage;
}

std::shared_ptr<Storage> Heap::lend(void *host, std::uint64_t count, Lending) {
  return std::make_shared<SharedStorage>(host, count, 0);
}

} // namespace pocm::runtime
