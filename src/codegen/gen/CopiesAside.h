//===- CopiesAside.h - Copies that the finalizer forgets -----------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace pocm::gen {

/// Whether an instruction of some vISA text reads two values that moves have put aside, both from where something else
/// was written since. Registers are of `GrfBytes` bytes.
bool readsCopiesAside(llvm::StringRef Text, unsigned GrfBytes);

} // namespace pocm::gen
