//===- Dependencies.cpp - Rules for make and ninja --------------------------------===//
//
//     k.isa: k.cpp blocks.h \
//       more/tables.h
//
//===----------------------------------------------------------------------===//
#include "cmc/Dependencies.h"
#include <filesystem>

namespace {

/// As make reads it.
std::string forMake(const std::string &name) {
  std::string text;
  for (char c : name) {
    if (c == ' ' || c == '#' || c == '\t')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

} // namespace

bool DependencyRule::take(Arguments &args) {
  const std::string_view arg = args.front();
  if (arg == "-MD" || arg == "-MMD" || arg == "-M" || arg == "-MM") {
    wanted = true;
    system |= arg == "-MD" || arg == "-M";
    alone |= arg == "-M" || arg == "-MM";
    args.next();
    return true;
  }
  if (arg == "-MP") {
    phony = true;
    args.next();
    return true;
  }
  std::string value;
  if (args.joined("-MF", value))
    file = value;
  else if (args.joined("-MT", value))
    targets.push_back(value);
  else if (args.joined("-MQ", value))
    targets.push_back(forMake(value));
  else
    return false;
  return true;
}

std::string DependencyRule::path(const std::string &output, bool outputNamed) const {
  if (!file.empty())
    return file;
  if (alone)
    return outputNamed ? output : "-";
  return output == "-" ? "-" : std::filesystem::path(output).replace_extension(".d").string();
}

std::string DependencyRule::text(const std::string &output, const std::vector<pocm::SourceFile> &files) const {
  constexpr std::size_t columns = 100;
  std::string rule, line;
  for (const std::string &target : targets)
    line += (line.empty() ? "" : " ") + target;
  if (targets.empty())
    line = forMake(output);
  line += ":";
  std::string rules;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].system && !system)
      continue;
    const std::string name = forMake(files[i].path);
    if (line.size() + 1 + name.size() + 2 > columns) {
      rule += line + " \\\n";
      line = " ";
    }
    line += " " + name;
    if (phony && i > 0)
      rules += name + ":\n";
  }
  return rule + line + "\n" + rules;
}
