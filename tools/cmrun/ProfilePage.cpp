//===- ProfilePage.cpp - Where a kernel's time goes, as a page -----------------------------===//
#include "ProfilePage.h"
#include "html/Code.h"
#include "html/Elements.h"
#include "html/Format.h"
#include "html/Roofline.h"
#include <algorithm>
#include <charconv>
#include <fstream>

using pocm::html::format, pocm::html::grouped, pocm::html::percent, pocm::html::row, pocm::html::scaled;

namespace cmrun {
namespace {

std::string totals(const Profiled &p) {
  return pocm::html::tiles({{format("%.3f ms", p.seconds * 1000), "a launch, median"},
                            {scaled(p.elements() / p.seconds, "/s"), "elements written"},
                            {scaled(p.bytes() / p.seconds, "B/s"), "moved"},
                            {scaled(double(p.work.operations) / p.seconds, "op/s"), "computed"},
                            {grouped(double(p.time.samples + p.time.elsewhere)), "samples"}});
}

std::string surfaces(const pocm::Work &work) {
  std::string out = "<h2>Moved by a launch</h2>\n<table>";
  auto add = [&](const pocm::SurfaceWork &s, std::uint64_t bytes, std::uint64_t elements, const char *how) {
    if (bytes)
      out += row(s.surface, scaled(double(bytes), "B"), how + (" as " + grouped(double(elements)) + " elements"));
  };
  for (const pocm::SurfaceWork &s : work.surfaces) {
    add(s, s.bytesRead, s.elementsRead, "read");
    add(s, s.bytesWritten, s.elementsWritten, "written");
  }
  return out + "</table>\n";
}

std::string roofline(const Profiled &p) {
  const double moved = p.bytes(), operations = double(p.work.operations), rate = operations / p.seconds;
  if (moved <= 0 || operations <= 0)
    return {};
  const pocm::html::Roofline chart{
      rate, p.limits.operations, {{"copies", p.limits.bytes}}, {{"kernel", operations / moved}}};
  return "<h2>Roofline</h2>\n" + chart.svg() + "<p class=dim>" + scaled(rate, "op/s") +
         format(", %.1f %% of what this machine does at best with so many operations a byte%s.</p>\n",
                percent(rate, p.attainable()), rate > p.attainable() ? ": the data stays in caches" : "");
}

/// Numbers of files, by their paths.
class Files {
public:
  explicit Files(const std::vector<std::string> &known) : paths(known) {}
  std::uint32_t numberOf(const std::string &path) {
    auto found = std::find(paths.begin(), paths.end(), path);
    if (found == paths.end())
      found = paths.insert(paths.end(), path);
    return std::uint32_t(found - paths.begin());
  }
  const std::string &path(std::uint32_t number) const { return paths[number]; }

private:
  std::vector<std::string> paths;
};

/// The source with each line's share of the samples; lines that only have instructions, too.
std::string sourcePane(const pocm::Profile &time, const pocm::CpuReport &code) {
  const double all = double(time.samples + time.elsewhere);
  Files files(code.files);
  std::map<std::uint32_t, pocm::html::SourceFile> found;
  auto fileOf = [&](std::uint32_t number) -> pocm::html::SourceFile & {
    return found.try_emplace(number, pocm::html::SourceFile{files.path(number), number, {}}).first->second;
  };
  for (const pocm::LineSamples &line : time.lines) {
    const std::size_t colon = line.place.rfind(':');
    std::uint32_t number = 0;
    if (colon == line.place.npos)
      continue;
    std::from_chars(line.place.data() + colon + 1, line.place.data() + line.place.size(), number);
    fileOf(files.numberOf(line.place.substr(0, colon))).lines[number] = {percent(double(line.samples), all), 1,
                                                                         grouped(double(line.samples)) + " samples"};
  }
  for (const pocm::CpuLine &line : code.lines)
    if (line.line && found.count(line.file))
      found.at(line.file).lines.try_emplace(line.line, pocm::html::Share{});
  std::vector<pocm::html::SourceFile> list;
  for (auto &[number, file] : found)
    list.push_back(std::move(file));
  return pocm::html::sourcePane(list);
}

std::string codePane(const pocm::CpuReport &code) {
  std::string out = "<b>Code for " + pocm::html::escaped(code.cpu) + "</b>\n";
  for (const pocm::CpuLine &line : code.lines)
    out += pocm::html::codeLine(line.line ? pocm::html::markOf(line.file, line.line) : "", std::nullopt,
                                line.line ? std::to_string(line.line) : "", line.text);
  return out;
}

} // namespace

void writePage(const std::string &file, const Profiled &profiled, const std::string &about,
               const pocm::CpuReport &code) {
  const pocm::Profile &time = profiled.time;
  const std::string body = totals(profiled) + "<div class=columns><div>" + surfaces(profiled.work) + "</div><div>" +
                           roofline(profiled) +
                           "</div></div>\n<h2>Code</h2>\n<p class=dim>Each line's share of the samples of CPU time (a "
                           "full bar is a third); " +
                           format("%.1f %% are outside of the kernel. ",
                                  percent(double(time.elsewhere), double(time.samples + time.elsewhere))) +
                           "Point at a line to mark what belongs to it, click to bring it into view.</p>\n" +
                           pocm::html::panes({sourcePane(time, code), codePane(code)});
  std::ofstream out(file);
  if (!(out << pocm::html::pageOf("Profile of " + code.kernel, pocm::html::escaped(about), body)).flush())
    throw pocm::Error("cannot write '" + file + "'");
}

} // namespace cmrun
