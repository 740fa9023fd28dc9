// Sorts 32-bit keys: random ones, or a file of raw little-endian keys.
//
//     bitonic_sort [--count 16777216 | --input IN.raw --output OUT.raw] [--type float] [--descending]
#include "application.h"
#include <bit>
#include <cstring>
#include <random>

namespace {

using Keys = std::vector<std::uint32_t>;
constexpr std::uint32_t inRegisters = 256, width = 256, mostKeys = 1u << 28;

/// What all bits of a key are changed with, so that its order is that of unsigned numbers: see `encode` of the kernels.
struct Order {
  std::uint32_t signs = 0, flips = 0;

  Order(const std::string &type, bool descending) {
    if (type != "uint")
      flips = 0x80000000;
    if (type == "float")
      signs = 0x7fffffff;
    if (descending)
      flips = ~flips;
  }
};

/// The same numbers in another order: sums of two functions of them say so, as nobody arranges them.
struct Fingerprint {
  std::uint64_t sum = 0, mixed = 0;

  explicit Fingerprint(const Keys &keys) {
    for (std::uint64_t k : keys) {
      sum += k;
      k = (k + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
      mixed += (k ^ k >> 31) * 0x94d049bb133111eb;
    }
  }
  bool operator==(const Fingerprint &) const = default;
};

/// In the order that C++ has for the type; floats in the total order of IEEE 754, so that there is one for every bit
/// pattern.
bool isSorted(const Keys &keys, const std::string &type, bool descending) {
  auto less = [&](std::uint32_t a, std::uint32_t b) {
    if (type == "uint")
      return a < b;
    if (type == "int")
      return std::int32_t(a) < std::int32_t(b);
    float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    if (x < y || x > y)
      return x < y;
    return std::strong_order(x, y) < 0;
  };
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (descending ? less(keys[i - 1], keys[i]) : less(keys[i], keys[i - 1]))
      return false;
  return true;
}

std::uint32_t roundUp(std::uint32_t n, std::uint32_t to) { return (n + to - 1) / to * to; }

/// Pieces that a cache holds, then passes over all keys, from one buffer to the other.
class Sort {
public:
  Sort(host::Session &session, const Keys &in, Order order)
      : session(session), in(in), padded(roundUp(std::uint32_t(in.size()), inRegisters)) {
    std::uint32_t piece = 65536; // keys; two buffers of them are half a megabyte
    while (piece > 4 * inRegisters && padded / piece < 16)
      piece /= 2;
    // Windows of 256 keys begin at every key.
    for (CmBuffer *&b : buffers) {
      CHECK(session.device->CreateBuffer((padded + inRegisters) * 4, b));
      CHECK(b->InitSurface(0, nullptr));
    }
    CmKernel *pieces = session.kernel("sort_pieces");
    host::setAll(pieces, buffers[0], buffers[1], int(piece), int(in.size()), int(padded), order.signs, order.flips);
    add(pieces, piece);
    for (std::uint32_t length = inRegisters; length < piece; length *= 2)
      last ^= 1;
    std::uint32_t length = piece;
    do {
      bool isLast = 2 * std::uint64_t(length) >= padded;
      CmKernel *merge = session.kernel("merge_runs");
      std::uint32_t strip = std::min(length, 16384u);
      host::setAll(merge, buffers[last], buffers[last ^ 1], int(length), int(strip), int(padded),
                   isLast ? order.signs : 0, isLast ? order.flips : 0);
      add(merge, strip);
      last ^= 1;
      length *= 2;
    } while (length < padded);
  }
  double run() {
    CHECK(buffers[0]->WriteSurface(reinterpret_cast<const unsigned char *>(in.data()), nullptr, in.size() * 4));
    double ms = 0;
    for (CmTask *task : tasks)
      ms += session.run(task);
    return ms;
  }
  Keys result() {
    Keys keys(in.size());
    session.read(buffers[last], keys, nullptr);
    return keys;
  }

private:
  /// A thread of the kernel has so many keys.
  void add(CmKernel *kernel, std::uint32_t keys) {
    std::uint32_t threads = (padded + keys - 1) / keys;
    CmThreadSpace *space = session.space(std::min(threads, width), (threads + width - 1) / width);
    CHECK(kernel->AssociateThreadSpace(space));
    tasks.push_back(session.task({kernel}));
  }

  host::Session &session;
  const Keys &in;
  std::uint32_t padded;
  CmBuffer *buffers[2] = {};
  std::vector<CmTask *> tasks;
  unsigned last = 0; ///< The buffer that the last task writes.
};

} // namespace

int main(int argc, char **argv) {
  application::App app("bitonic_sort", "Sorts keys of 32 bits.");
  unsigned count = 1 << 24;
  std::string input, output, type = "uint";
  bool descending = false;
  app.number("--count", count, "how many random keys to make", 1, mostKeys);
  app.input("--input", input, "a file of little-endian keys", {"--count"});
  app.output("--output", output, "writes the sorted keys to a file of the same kind");
  app.choice("--type", type, "what a key is", {"uint", "int", "float"});
  app.flag("--descending", descending, "the greatest key first");
  return app.run(argc, argv, [&](host::Session &session) {
    Keys in = input.empty() ? Keys(count) : application::readWords(input, mostKeys);
    std::mt19937 random(1);
    if (input.empty())
      for (std::uint32_t &k : in)
        k = std::uint32_t(random());
    Sort sort(session, in, Order(type, descending));
    sort.run();
    Keys out = sort.result();
    bool right = isSorted(out, type, descending) && Fingerprint(in) == Fingerprint(out);
    double ms = app.time([&] { return sort.run(); });
    std::printf("%zu keys: %s, %.3f ms, %.1f M/s\n", in.size(), right ? "correct" : "WRONG", ms,
                double(in.size()) / ms / 1e3);
    if (!output.empty())
      application::writeWords(output, out);
    return right;
  });
}
