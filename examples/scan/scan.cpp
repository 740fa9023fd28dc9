// Prefix sums of unsigned 32-bit numbers: random ones, or a file of raw little-endian dwords.
//
//     scan [--count 33554432 | --input IN.raw --output OUT.raw]
#include "application.h"
#include <random>

namespace {

using Numbers = std::vector<std::uint32_t>;
constexpr std::uint32_t strip = 4096, stripsAtOnce = 256, mostElements = 1u << 28;

/// In 64 bits, of which the low 32 count.
bool isScan(const Numbers &in, const Numbers &out) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (out[i] != std::uint32_t(sum += in[i]))
      return false;
  return true;
}

/// Enqueues three kernels for each stretch of strips, which stay in the cache in between; milliseconds.
class Scan {
public:
  Scan(host::Session &session, const Numbers &in)
      : session(session), strips((std::uint32_t(in.size()) + strip - 1) / strip) {
    Numbers padded = in;
    padded.resize(std::size_t(strips) * strip);
    out = session.buffer(Numbers(padded.size()));
    sums = session.buffer(Numbers(stripsAtOnce + 32));
    CmBuffer *from = session.buffer(padded);
    for (std::uint32_t first = 0; first < strips; first += stripsAtOnce) {
      CmKernel *totals = session.kernel("totals"), *offsets = session.kernel("offsets"), *add = session.kernel("add");
      host::setAll(totals, from, sums, first);
      host::setAll(offsets, sums);
      host::setAll(add, from, sums, out, first);
      CmThreadSpace *row = session.space(std::min(stripsAtOnce, strips - first), 1), *one = session.space(1, 1);
      CHECK(totals->AssociateThreadSpace(row));
      CHECK(offsets->AssociateThreadSpace(one));
      CHECK(add->AssociateThreadSpace(row));
      tasks.push_back(session.task({totals, offsets, add}));
    }
  }
  double run() {
    CHECK(sums->InitSurface(0, nullptr));
    double ms = 0;
    for (CmTask *task : tasks)
      ms += session.run(task);
    return ms;
  }
  Numbers result(std::size_t count) {
    Numbers numbers(std::size_t(strips) * strip);
    session.read(out, numbers, nullptr);
    numbers.resize(count);
    return numbers;
  }

private:
  host::Session &session;
  std::uint32_t strips;
  CmBuffer *sums = nullptr, *out = nullptr;
  std::vector<CmTask *> tasks;
};

} // namespace

int main(int argc, char **argv) {
  application::App app("scan", "Adds up numbers: each result is the sum of all numbers up to it, modulo 2^32.");
  unsigned count = 1 << 25;
  std::string input, output;
  app.number("--count", count, "how many numbers to make", 1, mostElements);
  app.input("--input", input, "a file of little-endian 32-bit numbers", {"--count"});
  app.output("--output", output, "writes the sums to a file of the same kind");
  return app.run(argc, argv, [&](host::Session &session) {
    Numbers in = input.empty() ? Numbers(count) : application::readWords(input, mostElements);
    std::mt19937 random(1);
    if (input.empty())
      for (std::uint32_t &n : in)
        n = std::uint32_t(random());
    Scan scan(session, in);
    scan.run();
    Numbers out = scan.result(in.size());
    bool right = isScan(in, out);
    double ms = app.time([&] { return scan.run(); });
    std::printf("%zu numbers: %s, %.3f ms, %.2f G/s\n", in.size(), right ? "correct" : "WRONG", ms,
                double(in.size()) / ms / 1e6);
    if (!output.empty())
      application::writeWords(output, out);
    return right;
  });
}
