#include "runtime/Memory.h"
#include "runtime/Queue.h"
#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace pocm::runtime;
using namespace std::chrono_literals;

namespace {

Heap heap;

TEST(Memory, isZeroAtFirst) {
  auto buffer = Memory::buffer(heap, 100);
  std::vector<std::uint8_t> bytes(100, 1);
  buffer->read(bytes.data(), 100, 0);
  EXPECT_EQ(bytes, std::vector<std::uint8_t>(100));
}

TEST(Memory, rowsComeBackAndBytesBetweenThemStay) {
  auto image = Memory::image(heap, 3, 2, 4); // rows of 12 bytes
  std::vector<std::uint8_t> in(24), out(20 + 12, 0xee);
  std::iota(in.begin(), in.end(), 1);
  image->writeRows(in.data(), 12);
  image->readRows(out.data(), 20);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(out[std::size_t(i)], i + 1);
    EXPECT_EQ(out[std::size_t(20 + i)], i + 13);
  }
  for (int i = 12; i < 20; ++i)
    EXPECT_EQ(out[std::size_t(i)], 0xee);
}

TEST(Memory, fillRepeatsADword) {
  auto image = Memory::image(heap, 6, 1, 1);
  image->fill(0x04030201);
  std::vector<std::uint8_t> row(6);
  image->readRows(row.data(), 6);
  EXPECT_EQ(row, (std::vector<std::uint8_t>{1, 2, 3, 4, 1, 2}));
}

TEST(Memory, holdsWhatLiesInsideAndIsNotEmpty) {
  auto image = Memory::buffer(heap, 128);
  Geometry whole;
  whole.width = 8, whole.height = 4, whole.pixelBytes = 4, whole.pitch = 32;
  EXPECT_TRUE(image->holds(whole, 0));
  EXPECT_FALSE(image->holds(whole, 1)) << "it would end a byte behind the surface";
  for (auto size : {&Geometry::width, &Geometry::height, &Geometry::depth}) {
    for (unsigned n : {1u, 0u}) {
      Geometry look = whole;
      look.*size = n;
      EXPECT_EQ(image->holds(look, 0), n == 1);
    }
  }
  for (auto size : {&Geometry::width, &Geometry::height}) {
    Geometry more = whole;
    more.*size += 1;
    EXPECT_FALSE(image->holds(more, 0));
  }
  Geometry row = whole;
  row.height = 1;
  EXPECT_TRUE(image->holds(row, 3 * 32));
  EXPECT_FALSE(image->holds(row, 3 * 32 + 1));
  Geometry nothing = whole;
  nothing.pixelBytes = 0;
  EXPECT_FALSE(image->holds(nothing, 0));
}

TEST(Memory, hostCopiesWaitForWorkThatUsesIt) {
  auto buffer = Memory::buffer(heap, 4);
  Queue queue;
  auto event = queue.submit(
      [&](auto &) {
        std::this_thread::sleep_for(20ms);
        const std::uint8_t answer = 42;
        buffer->writeNow(&answer, 1, 0);
      },
      Waiters::None);
  buffer->usedBy(event);
  std::uint8_t byte = 0;
  buffer->read(&byte, 1, 0);
  EXPECT_EQ(byte, 42);
}

/// Memory of the host's that counts what is copied.
class Counting final : public Heap {
public:
  struct Counted final : Storage {
    Counted(std::uint64_t bytes, int &copies) : bytes(bytes), copies(copies) {}
    std::uint8_t *address() const override { return const_cast<std::uint8_t *>(bytes.data()); }
    std::uint64_t size() const override { return bytes.size(); }
    void download(void *to, std::uint64_t offset, std::uint64_t count) const override {
      ++copies;
      std::memcpy(to, bytes.data() + offset, count);
    }
    void upload(const void *from, std::uint64_t offset, std::uint64_t count) override {
      ++copies;
      std::memcpy(bytes.data() + offset, from, count);
    }
    void copy(std::uint64_t, const Storage &, std::uint64_t, std::uint64_t) override {}
    std::vector<std::uint8_t> bytes;
    int &copies;
  };
  std::shared_ptr<Storage> allocate(std::uint64_t bytes) override { return std::make_shared<Counted>(bytes, copies); }
  int copies = 0;
};

TEST(Memory, rowsThatAreDenseOnBothSidesAreOneCopy) {
  Counting counting;
  constexpr std::uint32_t height = 5;
  for (std::uint32_t width : {32u, 30u}) { // of 4 bytes: rows of the surface have 128
    auto image = Memory::image(counting, width, height, 4);
    for (std::uint64_t stride : {width * 4, width * 4 + 64}) {
      const int each = width == 32 && stride == 128 ? 1 : int(height);
      std::vector<std::uint8_t> in(stride * height), out(in.size());
      std::iota(in.begin(), in.end(), std::uint8_t(0));
      counting.copies = 0;
      image->writeRows(in.data(), stride);
      EXPECT_EQ(counting.copies, each);
      image->readRows(out.data(), stride);
      EXPECT_EQ(counting.copies, 2 * each);
      for (std::uint64_t i = 0; i < in.size(); ++i)
        EXPECT_EQ(out[i], i % stride < width * 4 ? in[i] : 0) << i;
    }
  }
}

// However many there are, and in whichever order they finish.
TEST(Memory, hostCopiesWaitForAllThatUsesIt) {
  constexpr std::size_t many = 1000;
  auto buffer = Memory::buffer(heap, many);
  Queue queue;
  const unsigned lanes[] = {0, queue.addLane(), queue.addLane()};
  std::atomic<bool> goes = false;
  std::vector<std::shared_ptr<Event>> events;
  for (std::size_t i = 0; i < many; ++i) {
    const bool waits = i / 16 % 3 == 1; // others may be done when the next comes
    auto work = [&, i, waits](auto &) {
      while (waits && !goes)
        std::this_thread::sleep_for(100us);
      const std::uint8_t answer = 42;
      buffer->writeNow(&answer, 1, i);
    };
    events.push_back(queue.submit(work, Waiters::None, {lanes[i % 3], Footprint::nothing(), nullptr}));
    buffer->usedBy(events.back());
  }
  std::jthread later([&] {
    std::this_thread::sleep_for(5ms);
    goes = true;
  });
  std::uint8_t bytes[many] = {};
  buffer->read(bytes, many, 0);
  for (std::size_t i = 0; i < many; ++i)
    EXPECT_EQ(bytes[i], 42) << i;
  for (auto &event : events)
    EXPECT_TRUE(event->finished());
}

} // namespace
