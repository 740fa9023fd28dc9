//===- Written.h - Which bytes of a surface anybody has written ------------------===//
//
// A surface that a host creates holds nothing that a kernel may count on. Devices that look
// for such reads ask here; hosts' copies and kernels' writes are noted here. A bit for each
// byte. Any thread.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace pocm::runtime {

class Written {
public:
  explicit Written(std::uint64_t bytes) : bytes(bytes), bits(new std::atomic<std::uint64_t>[bytes / 64 + 1]()) {}

  void mark(std::uint64_t at, std::uint64_t count) {
    eachWord(at, count, [&](std::uint64_t word, std::uint64_t mask) {
      if ((bits[word].load(std::memory_order_relaxed) & mask) != mask)
        bits[word].fetch_or(mask, std::memory_order_relaxed);
      return true;
    });
  }
  /// As many bytes from the first on were written when findBegin() was called last.
  std::uint64_t begin() const { return known.load(std::memory_order_relaxed); }
  void findBegin() {
    std::uint64_t from = begin();
    known.store(unwritten(from, bytes - from), std::memory_order_relaxed); // what was written stays so
  }
  /// The first of these bytes that nobody has written; behind the last when there is none.
  std::uint64_t unwritten(std::uint64_t at, std::uint64_t count) const {
    std::uint64_t first = at + count;
    eachWord(at, count, [&](std::uint64_t word, std::uint64_t mask) {
      std::uint64_t missing = mask & ~bits[word].load(std::memory_order_relaxed);
      if (missing)
        first = word * 64 + unsigned(__builtin_ctzll(missing));
      return missing == 0;
    });
    return first;
  }

private:
  /// Until `visit` says no.
  template <class Visit> static void eachWord(std::uint64_t at, std::uint64_t count, Visit visit) {
    for (std::uint64_t end = at + count; at < end;) {
      std::uint64_t next = at / 64 * 64 + 64, upTo = next < end ? next : end;
      if (!visit(at / 64, (upTo - at == 64 ? ~0ull : (1ull << (upTo - at)) - 1) << at % 64))
        return;
      at = upTo;
    }
  }

  const std::uint64_t bytes;
  std::atomic<std::uint64_t> known = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[]> bits;
};

} // namespace pocm::runtime
