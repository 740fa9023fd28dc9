// Bits of instructions held against the documents, without Intel's disassembler.
#pragma once

#include "gensim/Machine.h"
#include "gensim/isa/Layouts.h"
#include <string>
#include <vector>

namespace test {

/// What no document allows in code: bits that belong to no field of their instruction, branches that lead where such a
/// branch cannot, messages of other lengths than their descriptors say. The first with its instruction, or "".
std::string encodingProblem(const pocm::gensim::Kernel &kernel, const std::vector<std::uint8_t> &code);

/// The bits that an instruction may have.
pocm::gensim::Bits allowedBits(const pocm::gensim::Instruction &i, const pocm::gensim::Platform &platform);

} // namespace test
