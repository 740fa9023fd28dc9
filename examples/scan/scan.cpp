// Prefix sums of unsigned 32-bit numbers: random ones, or a file of raw little-endian dwords.
//
//     scan [--count 33554432 | --input IN.raw --output OUT.raw]
#include "application.h"
#include <random>

namespace {

using Numbers = std::vector<std::uint32_t>;
constexpr std::uint32_t mostElements = 1u << 28;
constexpr std::uint32_t strips = 16, chunk = strips * 4096, notes = 32; // of the kernel

/// In 64 bits, of which the low 32 count.
bool isScan(const Numbers &in, const Numbers &out) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (out[i] != std::uint32_t(sum += in[i]))
      return false;
  return true;
}

/// The kernel with its surfaces: whole chunks, each a row of two threads for each strip.
class Scan {
public:
  Scan(host::Session &session, const Numbers &in)
      : session(session), chunks((std::uint32_t(in.size()) + chunk - 1) / chunk) {
    Numbers padded = in;
    padded.resize(std::size_t(chunks) * chunk);
    out = session.buffer(Numbers(padded.size()));
    CmKernel *kernel = session.kernel("scan");
    host::setAll(kernel, session.buffer(padded), session.buffer(Numbers((chunks + 1) * notes)), out);
    space = session.space(2 * strips, chunks);
    CHECK(space->SelectThreadDependencyPattern(CM_WAVEFRONT));
    task = session.task({kernel}, false);
  }
  double run() { return session.run(task, space); }
  Numbers result(std::size_t count) {
    Numbers numbers(std::size_t(chunks) * chunk);
    session.read(out, numbers, nullptr);
    numbers.resize(count);
    return numbers;
  }

private:
  host::Session &session;
  std::uint32_t chunks;
  CmBuffer *out = nullptr;
  CmThreadSpace *space = nullptr;
  CmTask *task = nullptr;
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
