//===- GenProgram.h - Gen code of one kernel of a program -------------------------------===//
#pragma once

#include "gensim/timing/SourceLines.h"
#include "pocm/gen.h"
#include "program/Container.h"

namespace pocm::gensim {

/// The kernel's Gen code for a target: what the program holds, else it is compiled. Throws Error.
GenKernel genKernelOf(const program::Container &program, const std::string &kernel, const std::string &target);
/// The source line of each of its instructions; nothing for code that was in a program file, or has no debug
/// information.
timing::SourceLines sourceLinesOf(const GenKernel &kernel);

} // namespace pocm::gensim
