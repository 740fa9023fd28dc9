//===- Print.h - vISA instructions as text --------------------------------------------------===//
#pragma once

#include "codegen/gen/Emitter.h"
#include "codegen/gen/Instruction.h"

namespace pocm::gen {

/// Writes a kernel's text, where its lines come from, and which bytes operands mean.
void print(const Assembly &Kernel, const std::string &Name, const GenTarget &Target, VisaKernel &To);

} // namespace pocm::gen
