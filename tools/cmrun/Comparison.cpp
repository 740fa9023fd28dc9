//===- Comparison.cpp - Results beside results ----------------------------------------------===//
#include "Comparison.h"
#include "pocm/pocm.h"
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace cmrun {
namespace {

template <class T> Comparison compareAs(const std::vector<std::uint8_t> &is, const std::vector<std::uint8_t> &was) {
  Comparison all;
  all.elements = is.size() / sizeof(T);
  for (std::size_t i = 0; i < all.elements; ++i) {
    T a, b;
    std::memcpy(&a, is.data() + i * sizeof(T), sizeof(T));
    std::memcpy(&b, was.data() + i * sizeof(T), sizeof(T));
    if (std::memcmp(&a, &b, sizeof(T)) == 0)
      continue;
    if (!all.different++) {
      all.first = i;
      all.firstIs = fmt::format("{}", +a);
      all.firstWas = fmt::format("{}", +b);
    }
    double by = std::fabs(double(a) - double(b));
    all.most = std::max(all.most, by == by ? by : HUGE_VAL);
  }
  return all;
}
template <> Comparison compareAs<_Float16>(const std::vector<std::uint8_t> &is, const std::vector<std::uint8_t> &was) {
  auto widened = [](const std::vector<std::uint8_t> &halves) {
    std::vector<std::uint8_t> floats(halves.size() * 2);
    for (std::size_t i = 0; i < halves.size() / 2; ++i) {
      _Float16 half;
      std::memcpy(&half, halves.data() + i * 2, 2);
      auto wide = float(half);
      std::memcpy(floats.data() + i * 4, &wide, 4);
    }
    return floats;
  };
  return compareAs<float>(widened(is), widened(was));
}

struct Row {
  const char *type;
  unsigned bytes;
  Comparison (*compare)(const std::vector<std::uint8_t> &, const std::vector<std::uint8_t> &);
};
constexpr Row rows[] = {
    {"uchar", 1, compareAs<std::uint8_t>},      {"char", 1, compareAs<std::int8_t>},
    {"ushort", 2, compareAs<std::uint16_t>},    {"short", 2, compareAs<std::int16_t>},
    {"uint", 4, compareAs<std::uint32_t>},      {"int", 4, compareAs<std::int32_t>},
    {"ulonglong", 8, compareAs<std::uint64_t>}, {"longlong", 8, compareAs<std::int64_t>},
    {"half", 2, compareAs<_Float16>},           {"float", 4, compareAs<float>},
    {"double", 8, compareAs<double>},
};

} // namespace

Comparison compare(const std::vector<std::uint8_t> &is, const std::vector<std::uint8_t> &was, const std::string &type) {
  if (is.size() != was.size())
    throw pocm::Error(
        fmt::format("there are {} bytes to compare with, but the result has {}, raw, as out=FILE writes them",
                    was.size(), is.size()));
  for (const Row &row : rows)
    if (type == row.type) {
      if (is.size() % row.bytes)
        throw pocm::Error(fmt::format("{} bytes are no whole number of values of type {}", is.size(), type));
      return row.compare(is, was);
    }
  throw pocm::Error("values of type '" + type + "' are not compared; take uchar, int, float or another scalar type");
}

std::string textOf(const Comparison &c) {
  if (!c.different)
    return "equal";
  return fmt::format("{} of {} values differ, by {} at most; the first is value {}: {} instead of {}", c.different,
                     c.elements, c.most, c.first, c.firstIs, c.firstWas);
}

} // namespace cmrun
