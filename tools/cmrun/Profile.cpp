//===- Profile.cpp - Where a kernel's time goes, in words ---------------------------------===//
#include "Profile.h"
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace cmrun {

double Profiled::bytes() const {
  double sum = 0;
  for (const pocm::SurfaceWork &s : work.surfaces)
    sum += s.isMemory ? double(s.bytesRead + s.bytesWritten) : 0;
  return sum;
}

double Profiled::elements() const {
  double sum = 0;
  for (const pocm::SurfaceWork &s : work.surfaces)
    sum += s.isMemory ? double(s.elementsWritten) : 0;
  return sum;
}

double Profiled::attainable() const {
  double moved = bytes();
  return moved > 0 ? std::min(limits.operations, double(work.operations) / moved * limits.bytes) : limits.operations;
}

namespace {

/// "12.3 M".
std::string amount(double n) {
  const char *units[] = {"", " k", " M", " G", " T"};
  unsigned k = 0;
  for (; n >= 1000 && k + 1 < std::size(units); ++k)
    n /= 1000;
  return n < 10 && k ? fmt::format("{:.2f}{}", n, units[k]) : fmt::format("{:.{}f}{}", n, k ? 1 : 0, units[k]);
}
std::string bytesText(double n) {
  std::string text = amount(n);
  return text + (text.find(' ') == text.npos ? " bytes" : "B");
}
std::string percent(double part, double whole) { return fmt::format("{:.1f}%", whole > 0 ? 100 * part / whole : 0); }

/// The line of the source that "k.cpp:12" names, without what it is indented by.
std::string sourceLine(const std::string &place) {
  std::size_t colon = place.rfind(':');
  unsigned number = 0;
  if (colon == place.npos)
    return "";
  std::from_chars(place.data() + colon + 1, place.data() + place.size(), number);
  std::ifstream file(place.substr(0, colon));
  std::string text;
  for (unsigned k = 0; k < number; ++k)
    if (!std::getline(file, text))
      return "";
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::string timeByLine(const pocm::Profile &time) {
  const double all = double(time.samples + time.elsewhere);
  std::string text = fmt::format("  time by line, of {} samples\n", time.samples + time.elsewhere);
  if (time.samples == 0)
    text += "    none: the launches took too little time; --time N runs it N times\n";
  for (const pocm::LineSamples &line : time.lines) {
    std::string place = line.place.empty() ? "no line" : std::filesystem::path(line.place).filename().string();
    text += fmt::format("    {:>6}  {:<24} {}\n", percent(double(line.samples), all), place, sourceLine(line.place));
  }
  if (time.elsewhere)
    text += fmt::format("    {:>6}  outside of the kernel\n", percent(double(time.elsewhere), all));
  return text;
}

std::string movedBySurface(const pocm::Work &work) {
  std::string text = "  moved by a launch\n";
  for (const pocm::SurfaceWork &s : work.surfaces)
    text += fmt::format("    {:<24} read {:>12}, {:>8} elements   written {:>12}, {:>8} elements\n", s.surface,
                        bytesText(double(s.bytesRead)), amount(double(s.elementsRead)),
                        bytesText(double(s.bytesWritten)), amount(double(s.elementsWritten)));
  return text;
}

std::string roofline(const Profiled &p) {
  const double moved = p.bytes(), operations = double(p.work.operations), rate = operations / p.seconds;
  std::string text = fmt::format("  a second: {} elements written, {}B moved, {} operations\n",
                                 amount(p.elements() / p.seconds), amount(moved / p.seconds), amount(rate));
  text += fmt::format("  this machine: {}B copied, {} operations in multiply-adds of float\n", amount(p.limits.bytes),
                      amount(p.limits.operations));
  if (operations == 0 || moved == 0)
    return text;
  const bool byMemory = p.attainable() < p.limits.operations;
  text += fmt::format(
      "  roofline: {:.3g} operations a byte, where {} limits the machine to {} operations a second: {}\n",
      operations / moved, byMemory ? "memory" : "arithmetic", amount(p.attainable()), percent(rate, p.attainable()));
  if (rate > p.attainable())
    text += "            more than memory gives: the data stays in caches\n";
  return text;
}

} // namespace

std::string textOf(const Profiled &profiled) {
  return timeByLine(profiled.time) + movedBySurface(profiled.work) + roofline(profiled);
}

nlohmann::json jsonOf(const Profiled &p) {
  nlohmann::json lines = nlohmann::json::array(), surfaces = nlohmann::json::array();
  for (const pocm::LineSamples &line : p.time.lines)
    lines.push_back({{"place", line.place}, {"samples", line.samples}});
  for (const pocm::SurfaceWork &s : p.work.surfaces)
    surfaces.push_back({{"surface", s.surface},
                        {"bytes_read", s.bytesRead},
                        {"bytes_written", s.bytesWritten},
                        {"elements_read", s.elementsRead},
                        {"elements_written", s.elementsWritten}});
  return {{"samples", p.time.samples},
          {"samples_elsewhere", p.time.elsewhere},
          {"sample_seconds", p.time.period},
          {"lines", lines},
          {"surfaces", surfaces},
          {"operations", p.work.operations},
          {"elements_per_second", p.elements() / p.seconds},
          {"bytes_per_second", p.bytes() / p.seconds},
          {"operations_per_second", double(p.work.operations) / p.seconds},
          {"machine_bytes_per_second", p.limits.bytes},
          {"machine_operations_per_second", p.limits.operations},
          {"attainable_operations_per_second", p.attainable()}};
}

} // namespace cmrun
