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
  std::string Known;
  for (const GenTarget &T : Targets)
    Known += (Known.empty() ? "" : &T == std::end(Targets) - 1 ? " and " : ", ") + std::string(T.Name);
  throw Error("no Gen code is made for '" + Name.str() + "'; it is for " + Known);
}

} // namespace pocm::gen
