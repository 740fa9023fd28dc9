//===- Opening.cpp - What a device is opened with -------------------------------===//
#include "runtime/Opening.h"
#include "program/DiskCache.h"
#include <algorithm>

namespace pocm::runtime {
namespace {

std::string listed(std::initializer_list<std::string_view> names) {
  std::string all;
  for (std::string_view name : names)
    all += (all.empty() ? "" : ", ") + std::string(name);
  return all.empty() ? "none" : all;
}

} // namespace

Opening::Opening(std::string_view name, const DeviceOptions &options) : threads(options.threads), own(options.own) {
  auto give = [&](std::string_view option, std::string_view value) {
    if (!own.emplace(option, value).second)
      throw Error("device '" + std::string(name) + "': the option '" + std::string(option) + "' is given twice");
  };
  for (auto [option, value] :
       {std::pair<std::string_view, std::string_view>("cpu", options.cpu), {"order", options.order}})
    if (!value.empty())
      give(option, value);
  const std::size_t colon = std::min(name.find(':'), name.size());
  device = name.substr(0, colon);
  bool first = true;
  for (std::string_view rest = name.substr(std::min(colon + 1, name.size())); !rest.empty(); first = false) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view part = rest.substr(0, comma);
    rest = rest.substr(std::min(comma + 1, rest.size()));
    if (const std::size_t equals = part.find('='); equals != part.npos)
      give(part.substr(0, equals), part.substr(equals + 1));
    else if (first)
      variant = part;
    else
      throw Error("device '" + std::string(name) + "': '" + std::string(part) +
                  "' is no option; those are NAME=VALUE, behind the variant");
  }
}

void Opening::allow(std::initializer_list<std::string_view> variants,
                    std::initializer_list<std::string_view> names) const {
  if (!variant.empty() && variants.size() == 0)
    throw Error("the " + device + " device has no variants, such as '" + variant + "'");
  if (!variant.empty() && std::find(variants.begin(), variants.end(), variant) == variants.end())
    throw Error("the " + device + " device has no variant '" + variant + "'; there is: " + listed(variants));
  allowOptions(names);
}

void Opening::allowOptions(std::initializer_list<std::string_view> names) const {
  for (const auto &[name, value] : own)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error("the " + device + " device has no option '" + name + "'; there is: " + listed(names));
}

std::string Opening::text(const std::string &name, const char *variable) const {
  auto given = own.find(name);
  return given != own.end() && !given->second.empty() ? given->second : program::environment(variable);
}

} // namespace pocm::runtime
