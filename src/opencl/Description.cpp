//===- Description.cpp - YAML as a tree ----------------------------------------------------===//
#include "opencl/Description.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <charconv>

using namespace llvm;

namespace pocm::opencl {
namespace {

Description treeOf(yaml::Node *node, unsigned depth) {
  constexpr unsigned deepest = 16;
  if (depth > deepest)
    throw Problem("damaged OpenCL binary: its description is nested too deeply");
  Description d;
  if (auto *scalar = dyn_cast_or_null<yaml::ScalarNode>(node)) {
    SmallString<64> storage;
    d.text = scalar->getValue(storage).str();
  } else if (auto *list = dyn_cast_or_null<yaml::SequenceNode>(node)) {
    for (yaml::Node &item : *list)
      d.items.push_back(treeOf(&item, depth + 1));
  } else if (auto *pairs = dyn_cast_or_null<yaml::MappingNode>(node)) {
    for (yaml::KeyValueNode &pair : *pairs) {
      std::string key = treeOf(pair.getKey(), depth + 1).text;
      d.pairs[key] = treeOf(pair.getValue(), depth + 1);
    }
  }
  return d;
}

} // namespace

const Description &Description::operator[](const std::string &key) const {
  static const Description none;
  auto found = pairs.find(key);
  return found == pairs.end() ? none : found->second;
}

std::uint32_t Description::number(const std::string &key, std::uint32_t otherwise) const {
  if (!has(key))
    return otherwise;
  const std::string &digits = textOf(key);
  std::uint32_t value = 0;
  auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || problem != std::errc() || end != digits.data() + digits.size())
    throw Problem("damaged OpenCL binary: '" + key + ": " + digits + "' in its description is no number");
  return value;
}

Description parseDescription(std::string_view text) {
  SourceMgr sources;
  std::string complaint;
  sources.setDiagHandler(
      [](const SMDiagnostic &d, void *to) { *static_cast<std::string *>(to) = d.getMessage().str(); }, &complaint);
  yaml::Stream stream(StringRef(text.data(), text.size()), sources, false);
  Description d;
  auto document = stream.begin();
  if (document != stream.end())
    d = treeOf(document->getRoot(), 0);
  if (stream.failed())
    throw Problem("damaged OpenCL binary: its description: " + complaint);
  return d;
}

} // namespace pocm::opencl
