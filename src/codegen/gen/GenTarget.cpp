//===- GenTarget.cpp - What the execution units of a target have ------------------------===//
#include "codegen/gen/GenTarget.h"

namespace pocm::gen {

static const GenTarget Targets[] = {
#define GEN_TARGET(name, platform, grf, core, features) {name, platform, grf, core, features},
#include "codegen/gen/GenTargets.def"
};

const GenTarget *findGenTarget(llvm::StringRef Name) {
  for (const GenTarget &T : Targets)
    if (Name.equals_insensitive(T.Name))
      return &T;
  return nullptr;
}

} // namespace pocm::gen
