// Conformance rows: a few CM statements and the values that they must leave in `out`. Rows are text, so that they run
// on every device and CPU; the expected values are written by hand from the language reference.
#pragma once

#include "Kernels.h"
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace test {

struct Row {
  const char *ids;  ///< Rows of the language reference that this one checks, such as "MEM-08 VEC-24".
  const char *type; ///< Element type of `out`.
  /// Statements that assign to `out`. `zero` is an int that is 0, known only at run time; `data` a buffer with the
  /// dwords 0 to 63; `memory` the address of the dwords 100 to 163; `ramp` a vector of 0 to 31.
  const char *statements;
  std::vector<double> values; ///< Elements of `out`.
};

inline int sizeOf(std::string_view type) {
  for (auto [name, size] : {std::pair{"char", 1},
                            {"uchar", 1},
                            {"short", 2},
                            {"ushort", 2},
                            {"half", 2},
                            {"bfloat16", 2},
                            {"int", 4},
                            {"uint", 4},
                            {"float", 4},
                            {"double", 8},
                            {"long long", 8},
                            {"unsigned long long", 8}})
    if (type == name)
      return size;
  throw std::runtime_error("no such element type: " + std::string(type));
}

template <class T> double decode(const std::uint8_t *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return double(value);
}

inline double decodeAs(std::string_view type, const std::uint8_t *bytes) {
  static const std::map<std::string_view, double (*)(const std::uint8_t *)> decoders{
      {"char", decode<std::int8_t>},       {"uchar", decode<std::uint8_t>},
      {"short", decode<std::int16_t>},     {"ushort", decode<std::uint16_t>},
      {"int", decode<std::int32_t>},       {"uint", decode<std::uint32_t>},
      {"long long", decode<std::int64_t>}, {"unsigned long long", decode<std::uint64_t>},
      {"half", decode<_Float16>},
      {"bfloat16",
       [](const std::uint8_t *bytes) {
         float value;
         std::uint32_t bits = std::uint32_t(bytes[0]) << 16 | std::uint32_t(bytes[1]) << 24;
         std::memcpy(&value, &bits, sizeof(value));
         return double(value);
       }},          {"float", decode<float>},
      {"double", decode<double>}};
  return decoders.at(type)(bytes);
}

/// One kernel for each row, named row0, row1, ...; `prelude` stands in front of them.
inline std::string sourceOf(const std::vector<Row> &rows, const std::string &prelude) {
  std::string text = "#include <cm/cm.h>\n" + prelude +
                     "_GENX_VOLATILE_ vector<int, 2> global_counter;\n"
                     "_GENX_ void bump() { global_counter += 1; }\n"
                     "vector<int, 4> started(7); int started_scalar = 3; _GENX_VOLATILE_BINDING_(32) vector<int, 4> bound;\n"
                     "const short table[2][4] = {{1, 2}, {3}}; int plain_table[3] = {10, 20, 30};\n"
                     "template <class T, int N> _GENX_ T first_of(vector_ref<T, N> v) { return v(0); }\n"
                     "_GENX_STACKCALL_ void twice(vector_ref<int, 4> v) { v *= 2; }\n"
                     "CM_NOINLINE _GENX_ vector<int, 4> plus(vector<int, 4> v, int n) { v += n; return v; }\n"
                     "_GENX_ __attribute__((noinline)) matrix<int, 2, 2> rotated(matrix_ref<int, 2, 2> m) {\n"
                     "  matrix<int, 2, 2> r; r(0, 0) = m(1, 0); r(0, 1) = m(0, 0); r(1, 0) = m(1, 1); r(1, 1) = m(0, 1); return r; }\n"
                     "enum colour { red = 5 };\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t count = rows[i].values.size();
    text += fmt::format("extern \"C\" _GENX_MAIN_ void row{}(SurfaceIndex result, int zero, SurfaceIndex data, "
                        "svmptr_t memory) {{\n"
                        "  vector<uint, 32> ramp;\n  for (int i = 0; i < 32; i++) ramp(i) = i + zero;\n"
                        "  vector<{}, {}> out;\n  {}\n"
                        "  vector<uchar, 64> bytes = 0;\n  bytes.select<{}, 1>(0) = out.format<uchar>();\n"
                        "  write(result, 0, 0, bytes);\n}}\n",
                        i, rows[i].type, count, rows[i].statements, count * std::size_t(sizeOf(rows[i].type)));
  }
  return text;
}

/// The values that row `i` leaves in `out` on this CPU.
inline std::vector<double> run(const std::vector<Row> &rows, const pocm::Program &program, std::size_t i,
                               pocm::Device &device) {
  constexpr std::uint32_t width = 64;
  int zero = 0;
  pocm::Image image = device.createImage(width, 1, 1);
  pocm::Kernel kernel = device.createKernel(program, "row" + std::to_string(i));
  kernel.setArgument(0, image);
  kernel.setArgument(1, &zero, sizeof(zero));
  constexpr std::uint32_t dwords = 64;
  std::uint32_t contents[dwords];
  alignas(64) std::uint32_t shared[dwords];
  for (std::uint32_t k = 0; k < dwords; ++k) {
    contents[k] = k;
    shared[k] = 100 + k;
  }
  pocm::Buffer data = device.createBuffer(sizeof(contents));
  data.write(contents, sizeof(contents));
  kernel.setArgument(2, data);
  auto address = reinterpret_cast<std::uint64_t>(shared);
  kernel.setArgument(3, &address, sizeof(address));
  device.enqueueGroups(kernel, {}).wait();
  std::uint8_t bytes[width];
  image.read(bytes, width);
  std::vector<double> values;
  for (std::size_t k = 0; k < rows[i].values.size(); ++k)
    values.push_back(decodeAs(rows[i].type, bytes + k * std::size_t(sizeOf(rows[i].type))));
  return values;
}

/// Checks every row of a chapter on every CPU that this machine can play.
inline void check(const std::vector<Row> &rows, const std::string &prelude = "") {
  pocm::Program program = compile(sourceOf(rows, prelude));
  for (const std::string &cpu : cpus()) {
    pocm::Device device = open(cpu);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<double> got;
      try {
        got = run(rows, program, i, device);
      } catch (const pocm::Error &problem) {
        if (!isKnownToBeRefused(problem.what()))
          ADD_FAILURE() << rows[i].ids << " on " << cpu << ": " << rows[i].statements << "\n" << problem.what();
      }
      for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_TRUE(got[k] == rows[i].values[k] || (std::isnan(got[k]) && std::isnan(rows[i].values[k])))
            << rows[i].ids << " on " << cpu << ": " << rows[i].statements << "\nelement " << k << " is " << got[k]
            << ", not " << rows[i].values[k];
    }
  }
}

} // namespace test
