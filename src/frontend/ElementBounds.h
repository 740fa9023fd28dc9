//===- ElementBounds.h - Which elements of arrays the source means -----------------------===//
#pragma once

namespace llvm {
class Module;
}

namespace pocm::frontend {

/// What Clang looks at before it takes an element of an array becomes Op::Bounds, for the check device.
void noteElementBounds(llvm::Module &M);

} // namespace pocm::frontend
