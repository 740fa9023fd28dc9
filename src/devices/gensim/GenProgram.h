//===- GenProgram.h - Gen code of one kernel of a program -------------------------------===//
#pragma once

#include "program/Container.h"

namespace pocm::gensim {

/// The kernel's Gen code for a target: what the program holds, else it is compiled. Throws Error.
GenKernel genKernelOf(const program::Container &program, const std::string &kernel, const std::string &target);

} // namespace pocm::gensim
