//===- Dependencies.h - Rules for make and ninja ---------------------------------===//
#pragma once

#include "Arguments.h"
#include "pocm/pocm.h"
#include <optional>

/// -MD, -MMD, -M and -MM write what a program depends on as a rule of make, the others say how.
struct DependencyRule {
  bool wanted = false;
  bool system = false;              // those from folders of -isystem, too: -MD and -M
  bool alone = false;               // the rule instead of a program: -M and -MM
  bool phony = false;               // -MP
  std::string file;                 // -MF
  std::vector<std::string> targets; // -MT and -MQ

  /// Takes an option of these from the front. False when there is another.
  bool take(Arguments &args);
  /// Where the rule goes; "-" is standard output.
  std::string path(const std::string &output, bool outputNamed) const;
  std::string text(const std::string &output, const std::vector<pocm::SourceFile> &files) const;
};
