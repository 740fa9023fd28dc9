//===- Targets.h - Targets by name, and what each has ------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm::frontend {

/// Macro definitions (NAME=VALUE) that a source sees when it is compiled for a target: the predefined macros of the
/// language, CM_HAS_* of the features that the target has, and POCM_CM_HAS_* (0 or 1) of all. Throws Error with the
/// names there are.
std::vector<std::string> targetMacros(const CompileOptions &options);

} // namespace pocm::frontend
