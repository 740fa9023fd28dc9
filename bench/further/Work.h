// What a kernel of this folder runs on, and what its loop in C++ computes: further.cpp runs it.
#pragma once

#include "plain_further.h"
#include "pocm/pocm.h"
#include <cstring>
#include <functional>
#include <random>

struct Surface {
  std::uint32_t width, height, pixel; ///< Bytes of a pixel; 0: a buffer of `width` bytes.
  std::vector<Bytes> bytes;
  bool isOutput = false;

  template <class T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
  template <class T> std::size_t count() const { return bytes.size() / sizeof(T); }
};

inline Surface buffer(std::size_t bytes, bool isOutput = false) {
  return {std::uint32_t(bytes), 1, 0, std::vector<Bytes>(bytes), isOutput};
}
inline Surface image(int width, int height, int pixel, bool isOutput = false) {
  return {std::uint32_t(width), std::uint32_t(height), std::uint32_t(pixel),
          std::vector<Bytes>(std::size_t(width * height * pixel)), isOutput};
}

enum class Compare { Exact, Close, Almost }; ///< Floats to 1/1000; bytes to 1; all but a hundredth of dwords.

/// A kernel with its arguments: surfaces, then numbers.
struct Work {
  const char *file, *kernel;
  std::vector<Surface> surfaces;
  std::vector<std::vector<Bytes>> numbers;
  pocm::ThreadSpace space;
  Compare how;
  std::function<void(std::vector<Surface> &)> plain;
};

template <class T> std::vector<Bytes> number(const T &value) {
  std::vector<Bytes> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

inline Surface randomBytes(Surface s, unsigned most = 255) {
  std::mt19937 random(5);
  for (Bytes &b : s.bytes)
    b = Bytes(random() % (most + 1));
  return s;
}

inline Surface floats(Surface s, float least, float most) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> value(least, most);
  for (std::size_t i = 0; i < s.count<float>(); ++i)
    s.as<float>()[i] = value(random);
  return s;
}

/// Dwords below a limit; of 0: of all values.
inline Surface dwords(std::size_t count, std::uint32_t below, unsigned seed) {
  Surface s = buffer(count * 4);
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < count; ++i)
    s.as<std::uint32_t>()[i] = below ? std::uint32_t(random()) % below : std::uint32_t(random());
  return s;
}

inline unsigned threads(int size, int each) { return unsigned((size + each - 1) / each); }

std::vector<Work> samples(int width, int height, int count); // samples.cpp
std::vector<Work> records(int width, int height, int count); // records.cpp
std::vector<Work> scenes(int width, int height, int count);  // scenes.cpp
std::vector<Work> lists(int width, int height, int count);   // lists.cpp
std::vector<Work> models(int width, int height, int count);  // models.cpp
std::vector<Work> places(int width, int height, int count);  // places.cpp
