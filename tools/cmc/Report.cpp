//===- Report.cpp - What the Gen compiler made of a source ------------------------------===//
#include "cmc/Report.h"
#include "cmc/ReportPage.h"
#include "html/LinkedLines.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <vector>

using pocm::GenKernel;
using pocm::GenLine;
using pocm::GenRemark;

namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// The vISA line that a line of assembly comes from; none for comments and declarations.
const GenLine *originOf(const GenKernel &kernel, const std::string &assembly) {
  std::size_t dollar = assembly.rfind("// $"), other = assembly.rfind("; $");
  std::size_t at = dollar != std::string::npos ? dollar + 4 : other != std::string::npos ? other + 3 : assembly.size();
  if (at >= assembly.size() || assembly[at] < '0' || assembly[at] > '9')
    return nullptr;
  std::size_t line = kernel.visaStart + std::stoul(assembly.substr(at, 9));
  return line < kernel.lines.size() ? &kernel.lines[line] : nullptr;
}

/// The instruction without the finalizer's comments and its column of blanks.
std::string instructionOf(const std::string &assembly) {
  std::string text = assembly.substr(0, assembly.find("//"));
  std::string packed;
  for (char c : text)
    if (c != ' ' || (!packed.empty() && packed.back() != ' '))
      packed += c;
  while (!packed.empty() && packed.back() == ' ')
    packed.pop_back();
  return packed;
}

/// Whether an instruction is a message to something outside the execution unit.
bool isSend(const std::string &instruction) {
  std::size_t at = instruction.starts_with('(') ? instruction.find(") ") : 0;
  std::string_view opcode = std::string_view(instruction).substr(at == 0 ? 0 : std::min(at + 2, instruction.size()));
  for (std::string_view name : {"send", "load", "store", "atomic", "fence"})
    if (opcode.starts_with(name))
      return true;
  return false;
}

struct Message {
  const GenLine *from;
  std::string text;
};

std::vector<Message> sendsOf(const GenKernel &kernel) {
  std::vector<Message> all;
  for (const std::string &line : linesOf(kernel.assembly)) {
    const GenLine *from = originOf(kernel, line);
    std::string text = instructionOf(line);
    if (from && isSend(text))
      all.push_back({from, text});
  }
  return all;
}

std::string shortName(const std::string &file) { return std::filesystem::path(file).filename().string(); }

std::string place(const std::string &file, unsigned line) {
  return line ? fmt::format("{}:{}", shortName(file), line) : "";
}

std::string place(const GenKernel &kernel, const GenLine &line) {
  return place(kernel.files.empty() ? "" : kernel.files[line.file], line.line);
}

std::string joined(const std::vector<std::uint32_t> &lines) { return fmt::format("{}", fmt::join(lines, ", ")); }

/// "registers; indexed in 12, 15; direct in 20".
std::string whereabouts(const pocm::GenVariable &variable) {
  std::string text = variable.place;
  if (!variable.indexedLines.empty())
    text += "; element chosen at run time in line " + joined(variable.indexedLines);
  if (!variable.directLines.empty())
    text += "; known after unrolling in line " + joined(variable.directLines);
  return text;
}

std::string summary(const GenKernel &kernel, const std::string &target, std::size_t sends) {
  return fmt::format("kernel {} for {}: {} instructions, {} sends, {} of {} registers, {} bytes spilled, {} bytes of "
                     "variables in scratch memory",
                     kernel.name, target, kernel.instructions, sends, kernel.registers, kernel.registersThere,
                     kernel.spillBytes, kernel.frameBytes);
}

/// The most bytes in use at once in each line of the source.
std::map<std::string, std::map<unsigned, unsigned>> pressureOf(const GenKernel &kernel) {
  std::map<std::string, std::map<unsigned, unsigned>> all;
  for (const GenLine &line : kernel.lines)
    if (line.line) {
      unsigned &most = all[kernel.files[line.file]][line.line];
      most = std::max(most, line.liveBytes);
    }
  return all;
}

std::string asText(const GenKernel &kernel, const std::string &target) {
  std::vector<Message> sends = sendsOf(kernel);
  std::string text = summary(kernel, target, sends.size()) + "\n";
  text += "\n  variables\n";
  for (const pocm::GenVariable &v : kernel.variables)
    text += fmt::format("    {:<24} {:<16} {:<28} {:>6} bytes  {}: {}\n", place(v.file, v.line), v.name, v.type,
                        v.bytes, whereabouts(v), v.rule);
  auto remarks = [&](const char *title, const std::vector<GenRemark> &all) {
    if (all.empty())
      return;
    text += fmt::format("\n  {}\n", title);
    for (const GenRemark &r : all)
      text += fmt::format("    {:<24} {}\n", place(r.file, r.line), r.text);
  };
  remarks("loops", kernel.loops);
  remarks("what costs time", kernel.remarks);
  remarks("spills", kernel.spills);
  text += "\n  sends\n";
  for (const Message &m : sends)
    text += fmt::format("    {:<24} {}\n", place(kernel, *m.from), m.text);
  unsigned there = kernel.registersThere * kernel.registerBytes;
  text += fmt::format("\n  bytes of variables in use at once, of {} (#: 1/40)\n", there);
  for (const auto &[file, lines] : pressureOf(kernel))
    for (auto [line, bytes] : lines)
      text += fmt::format("    {:<24} {:>6} {}\n", place(file, line), bytes,
                          std::string(there ? std::size_t(bytes) * 40 / there : 0, '#'));
  return text + "\n";
}

// HTML

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string mark(const GenLine *line) {
  return line && line->line ? fmt::format(" data-at=\"{}:{}\"", line->file, line->line) : "";
}

std::string sourcePane(const GenKernel &kernel) {
  std::map<std::string, std::map<unsigned, unsigned>> pressure = pressureOf(kernel);
  std::string out = "<div class=pane><b>source</b>\n";
  for (const auto &[file, used] : pressure) {
    std::size_t number = std::size_t(std::find(kernel.files.begin(), kernel.files.end(), file) - kernel.files.begin());
    std::ifstream stream(file);
    if (pressure.size() > 1 || !stream)
      out += fmt::format("<div><i>{}{}</i></div>", escaped(file), stream ? "" : " (cannot be read any more)");
    std::string line;
    for (unsigned at = 1; std::getline(stream, line); ++at)
      out += fmt::format("<div{}><i>{:>4}</i>  {}</div>\n",
                         used.contains(at) ? fmt::format(" data-at=\"{}:{}\"", number, at) : "", at, escaped(line));
  }
  return out + "</div>";
}

std::string visaPane(const GenKernel &kernel) {
  std::string out = "<div class=pane><b>vISA, and how full the registers are</b>\n";
  std::vector<std::string> lines = linesOf(kernel.visa);
  unsigned there = kernel.registersThere * kernel.registerBytes;
  for (std::size_t k = kernel.visaStart; k < lines.size(); ++k) {
    const GenLine *line = k < kernel.lines.size() ? &kernel.lines[k] : nullptr;
    unsigned bytes = line ? line->liveBytes : 0, share = there ? std::min(bytes * 100 / there, 100u) : 0;
    out += fmt::format("<div{}><span class=load title=\"{} bytes\"><u{} style=\"width:{}%\"></u></span>{}</div>\n",
                       mark(line), bytes, bytes > there ? " class=full" : "", share, escaped(lines[k]));
  }
  return out + "</div>";
}

std::string assemblyPane(const GenKernel &kernel) {
  std::string out = "<div class=pane><b>Gen code</b>\n";
  for (const std::string &line : linesOf(kernel.assembly)) {
    if (line.empty() || line.starts_with("//"))
      continue;
    const GenLine *from = originOf(kernel, line);
    bool hot = line.find("scratch space") != std::string::npos;
    out += fmt::format("<div{}{}>{}</div>\n", mark(from), hot ? " class=hot" : "",
                       escaped(line.substr(0, line.find("//"))));
  }
  return out + "</div>";
}

std::string row(const std::vector<std::string> &cells) {
  std::string out = "<tr>";
  for (const std::string &cell : cells)
    out += "<td>" + escaped(cell) + "</td>";
  return out + "</tr>\n";
}

std::string asHtml(const GenKernel &kernel, const std::string &target) {
  std::vector<Message> sends = sendsOf(kernel);
  std::string out = "<h2>" + escaped(summary(kernel, target, sends.size())) + "</h2>\n";
  out += "<h3>Variables</h3><table><tr><th>line<th>name<th>type<th>bytes<th>lives in<th>because</tr>\n";
  for (const pocm::GenVariable &v : kernel.variables)
    out += row({place(v.file, v.line), v.name, v.type, std::to_string(v.bytes), whereabouts(v), v.rule});
  out += "</table>\n";
  auto remarks = [&](const char *title, const std::vector<GenRemark> &all) {
    if (all.empty())
      return;
    out += fmt::format("<h3>{}</h3><table>\n", title);
    for (const GenRemark &r : all)
      out += row({place(r.file, r.line), r.text});
    out += "</table>\n";
  };
  remarks("Loops", kernel.loops);
  remarks("What costs time", kernel.remarks);
  remarks("Spills", kernel.spills);
  out += "<details><summary>" + std::to_string(sends.size()) + " sends</summary><table>\n";
  for (const Message &m : sends)
    out += row({place(kernel, *m.from), m.text});
  out +=
      "</table></details>\n<p class=dim>Point at a line to mark what belongs to it, click to bring it into view.</p>\n";
  return out + "<div class=code>" + sourcePane(kernel) + visaPane(kernel) + assemblyPane(kernel) + "</div>\n";
}

} // namespace

void Report::add(const GenKernel &kernel, const std::string &target) {
  body += html ? asHtml(kernel, target) : asText(kernel, target);
  ++kernels;
}

std::string Report::finish(const std::string &source) const {
  if (!html)
    return body;
  return fmt::format(
      "<!doctype html>\n<html lang=en><meta charset=utf-8><title>{0}</title><style>{1}</style>\n<h1>{0}: {2} "
      "kernel{3}</h1>\n{4}<script>{5}</script></html>\n",
      escaped(shortName(source)), ReportStyle, kernels, kernels == 1 ? "" : "s", body, pocm::html::LinkedLinesScript);
}
