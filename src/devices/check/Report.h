//===- Report.h - Findings for people and for programs ------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm::check {

/// Lines of text to standard error, as compilers write them.
void print(const std::vector<Finding> &findings);
void print(const std::vector<std::string> &lines);
/// A file with all of them: {"findings": [{"kind": "race", "file": ..., ...}]}. Throws Error.
void writeJson(const std::vector<Finding> &findings, const std::string &file);

} // namespace pocm::check
