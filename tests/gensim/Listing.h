// Our listing of a kernel beside Intel's, and its bits beside the documents.
#pragma once

#include "gensim/Machine.h"
#include <string>

namespace test {

struct Listing {
  std::size_t instructions = 0;
  std::string difference; ///< The first; empty when both read the same.
};

/// What the decoder makes of code, compared with what iga64 makes of it, and with what the documents allow. Throws
/// std::runtime_error when that fails.
Listing compareListing(const pocm::gensim::Kernel &kernel, const std::vector<std::uint8_t> &code);

/// The first half of that.
Listing compareText(const pocm::gensim::Kernel &kernel, const std::vector<std::uint8_t> &code);

} // namespace test
