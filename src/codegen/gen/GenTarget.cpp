//===- GenTarget.cpp - What the execution units of a target have ------------------------===//
#include "codegen/gen/GenTarget.h"
#include "pocm/pocm.h"

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

const GenTarget &genTargetNamed(llvm::StringRef Name) {
  if (const GenTarget *Target = findGenTarget(Name))
    return *Target;
  throw Error("no Gen code is made for '" + Name.str() + "'; it is for skl, icllp, tgllp, dg2 and pvc");
}

} // namespace pocm::gen
