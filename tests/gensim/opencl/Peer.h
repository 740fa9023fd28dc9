// OpenCL on this machine's CPU, by PoCL: what gensim's results are compared with.
#pragma once

#include "Launch.h"
#include <memory>

namespace test {

class Peer {
public:
  /// Compiles a source. Throws std::runtime_error with the compiler's words.
  Peer(const std::string &source, const std::string &options);
  ~Peer();
  /// Contents of each buffer and image after the launch; of other arguments nothing.
  std::vector<std::vector<std::uint8_t>> run(const KernelLaunch &launch);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace test
