// The host's half of printf: formatting, full and damaged buffers (language reference, DBG-01 DBG-02).
#include "runtime/Print.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace {

using Bytes = std::vector<std::uint8_t>;

void number(Bytes &b, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    b.push_back(std::uint8_t(value >> (8 * i)));
}
void text(Bytes &b, std::string s) {
  s.push_back(0);
  s.resize((s.size() + 15) / 16 * 16);
  b.insert(b.end(), s.begin(), s.end());
}
struct Record {
  Bytes body;
  std::uint32_t formatBytes, arguments = 0;
  explicit Record(const std::string &format) : formatBytes(std::uint32_t(format.size() + 1)) { text(body, format); }
  Record &add(std::uint32_t kind, std::uint32_t bytes, std::uint64_t value) {
    number(body, kind, 4);
    number(body, bytes, 4);
    number(body, value, 8);
    ++arguments;
    return *this;
  }
  Record &add(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, 8);
    return add(3, 8, bits);
  }
  Record &add(const std::string &s) {
    add(4, std::uint32_t(s.size() + 1), 0);
    text(body, s);
    return *this;
  }
  std::string print() const { return pocm::runtime::formatRecord(body, formatBytes, arguments); }
};

TEST(Print, conversions) {
  EXPECT_EQ(Record("nothing but text").print(), "nothing but text");
  EXPECT_EQ(Record("%d %i %u|").add(1, 4, std::uint64_t(-5)).add(1, 8, 1ull << 40).add(2, 4, 7).print(),
            "-5 1099511627776 7|");
  EXPECT_EQ(Record("%x %08X %o").add(1, 4, std::uint64_t(-1)).add(2, 4, 0xBEEF).add(2, 4, 8).print(),
            "ffffffff 0000BEEF 10");
  EXPECT_EQ(Record("%.2f %5.1f %e %g").add(1.005).add(2.25).add(1e10).add(0.5).print(), "1.00   2.2 1.000000e+10 0.5");
  EXPECT_EQ(Record("[%-5s] %c %%").add(std::string("ab")).add(1, 4, 'x').print(), "[ab   ] x %");
  EXPECT_EQ(Record("%ld %hhu %lld").add(1, 8, 3).add(2, 4, 200).add(1, 4, std::uint64_t(-2)).print(), "3 200 -2");
  EXPECT_EQ(Record("%.3f %d %x").add(3, 4, 0x3FDA0000).add(3, 4, 0xC1200000).add(3, 4, 0x41200000).print(),
            "1.703 -10 a");                                                // floats of 4 bytes
  EXPECT_EQ(Record("%f %d").add(1, 4, 3).add(2.75).print(), "3.000000 2"); // the other kind is converted
}

TEST(Print, objects) {
  auto object = [](std::uint32_t columns, std::uint32_t kind, std::uint32_t size, std::vector<std::uint64_t> elements) {
    Record r("[%d]%d");
    r.add(5, std::uint32_t(8 * elements.size()), columns | std::uint64_t(kind | size << 8) << 32);
    for (std::uint64_t e : elements)
      number(r.body, e, 8);
    r.body.resize((r.body.size() + 15) / 16 * 16);
    return r.add(1, 4, 9).print();
  };
  EXPECT_EQ(object(0, 1, 4, {1, std::uint64_t(-2), 3}), "[1 -2 3]9");
  EXPECT_EQ(object(2, 2, 8, {1, 2, 1ull << 40, 4, 5}), "[1 2\n1099511627776 4\n5]9");
  EXPECT_EQ(object(0, 3, 4, {0x40400000, 0xC0000000}), "[3 -2]9");
  EXPECT_EQ(object(0, 1, 4, {}), "[]9");
  EXPECT_EQ(object(7, 9, 77, {1}), "[1]9");                                     // what no kernel of ours writes
  EXPECT_EQ(Record("%d %d").add(5, 1u << 31, 0).add(1, 4, 2).print(), "%d %d"); // longer than its record
}

TEST(Print, whatIsMissingStands) {
  EXPECT_EQ(Record("%d %d").add(1, 4, 1).print(), "1 %d");
  EXPECT_EQ(Record("%p %n %s %").add(1, 8, 1).print(), "%p %n ? %");
  EXPECT_EQ(Record("100%").add(1, 4, 1).print(), "100%"); // an argument more than conversions
  EXPECT_EQ(Record("%8l").add(1, 4, 1).print(), "%8l");
  EXPECT_EQ(Record("%99999999999999999999d").add(1, 4, 1).print(), "%99999999999999999999d");
}

TEST(Print, aBufferThatIsTooSmallSaysSo) {
  pocm::runtime::Heap heap;
  pocm::runtime::PrintBuffer buffer(heap, 64);
  std::uint32_t header[] = {48, 4, 0, 0}, used = 16 + 48 + 48;
  std::uint8_t *bytes = buffer.memory()->address();
  std::memcpy(bytes, &used, 4);
  std::memcpy(bytes + 16, header, sizeof(header));
  std::memcpy(bytes + 32, "abc", 4);
  EXPECT_EQ(buffer.take(), "abc(the print buffer of 64 bytes is full; 48 bytes of output are lost)\n");
  EXPECT_EQ(buffer.take(), "");
}

TEST(Print, damagedBuffersDoNoHarm) {
  std::mt19937 random(3);
  pocm::runtime::Heap heap;
  pocm::runtime::PrintBuffer buffer(heap, 512);
  for (int round = 0; round < 20000; ++round) {
    std::uint8_t *bytes = buffer.memory()->address();
    Record record("%d %s %f %c %x");
    record.add(1, 4, 1).add(std::string("text")).add(0.5).add(1, 4, 'c').add(2, 4, 3);
    std::uint32_t header[] = {std::uint32_t(16 + record.body.size()), record.formatBytes, record.arguments, 0};
    std::uint32_t used = 16 + header[0];
    std::memcpy(bytes, &used, 4);
    std::memcpy(bytes + 16, header, sizeof(header));
    std::memcpy(bytes + 32, record.body.data(), record.body.size());
    for (unsigned n = random() % 8; n > 0; --n)
      bytes[random() % 200] = std::uint8_t(random());
    buffer.take();
  }
}

} // namespace
