//===- CpuReport.cpp - What the cpu device's compiler made of a kernel, as text ---------===//
#include "CpuReport.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>

using pocm::CpuLine;
using pocm::CpuReport;
using pocm::GenRemark;

namespace {

std::string place(const std::string &file, unsigned line) {
  return line ? fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line) : "";
}

/// Lines of the source, read when they are first asked for.
class Source {
public:
  std::string line(const std::string &file, unsigned number) {
    auto [found, isNew] = files.try_emplace(file);
    if (isNew) {
      std::ifstream stream(file);
      for (std::string text; std::getline(stream, text);)
        found->second.push_back(text);
    }
    return number && number <= found->second.size() ? found->second[number - 1] : "";
  }

private:
  std::map<std::string, std::vector<std::string>> files;
};

std::string list(const char *title, const std::vector<GenRemark> &all) {
  std::string text = all.empty() ? "" : fmt::format("\n  {}\n", title);
  for (const GenRemark &r : all)
    text += fmt::format("    {:<24} {}\n", place(r.file, r.line), r.text);
  return text;
}

std::string variables(const CpuReport &report) {
  std::string text = "\n  variables\n";
  for (const pocm::GenVariable &v : report.variables) {
    std::string where = v.place;
    if (!v.indexedLines.empty())
      where += fmt::format("; element chosen in line {}", fmt::join(v.indexedLines, ", "));
    if (!v.directLines.empty())
      where += fmt::format("; known after unrolling in line {}", fmt::join(v.directLines, ", "));
    text += fmt::format("    {:<24} {:<16} {:<28} {:>6} bytes  {}: {}\n", place(v.file, v.line), v.name, v.type,
                        v.bytes, where, v.rule);
  }
  return report.variables.empty() ? "" : text;
}

std::string code(const CpuReport &report) {
  const bool inner = std::any_of(report.lines.begin(), report.lines.end(),
                                 [&](const CpuLine &l) { return l.loops > report.threadLoops; });
  std::string text = inner ? "\n  code of loops\n" : "\n  code of a thread\n";
  Source source;
  std::pair<std::uint32_t, std::uint32_t> shown;
  bool gap = true;
  for (const CpuLine &l : report.lines) {
    if (l.loops < report.threadLoops + (inner ? 1 : 0)) {
      gap = true;
      continue;
    }
    if (gap && !text.ends_with("\n  code of loops\n") && !text.ends_with("\n  code of a thread\n"))
      text += "    ...\n";
    gap = false;
    if (l.line && shown != std::pair(l.file, l.line)) {
      shown = {l.file, l.line};
      const std::string &file = report.files[l.file];
      text += fmt::format("    {:<24} {}\n", place(file, l.line), source.line(file, l.line));
    }
    text += fmt::format("    {:<24}   {}{}\n", "", l.text.ends_with(":") ? "" : "  ", l.text);
  }
  return text;
}

} // namespace

std::string asText(const CpuReport &report) {
  std::string text = fmt::format("kernel {} for {}: {} instructions, registers of {} bytes\n", report.kernel,
                                 report.cpu, report.instructions, report.registerBytes);
  text += variables(report);
  text += list("loops", report.loops);
  text += list("what costs time", report.remarks);
  text += list("spills", report.spills);
  return text + code(report) + "\n";
}

std::string asRemarks(const std::vector<GenRemark> &remarks, const std::string &kernel) {
  std::string text;
  for (const GenRemark &r : remarks)
    text += r.line ? fmt::format("{}:{}: remark: {} [-Rcm]\n", r.file, r.line, r.text)
                   : fmt::format("remark: kernel '{}': {} [-Rcm]\n", kernel, r.text);
  return text;
}
