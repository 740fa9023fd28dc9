//===- Printer.h - Instructions as text ---------------------------------------------===//
#pragma once

#include "gensim/isa/Instruction.h"

namespace pocm::gensim {

/// An instruction in the syntax of Intel's assembler, without what only schedules it:
/// "(W&f0.0) add (8|M0) r3.0<1>:d r4.0<8;8,1>:d r5.0<0;1,0>:d". Branches name addresses, "L48".
std::string textOf(const Instruction &i, const Platform &platform);

} // namespace pocm::gensim
