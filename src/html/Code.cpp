//===- Code.cpp - Source beside instructions, each line with its share of the time --------===//
#include "html/Code.h"
#include "html/Elements.h"
#include "html/Format.h"
#include <algorithm>
#include <fstream>

namespace pocm::html {
namespace {

/// A full bar is a third.
std::string bar(const Share &s) {
  return "<u title=\"" + escaped(s.title) + "\"><s style=\"width:" + format("%.1f", std::min(100.0, s.percent * 3)) +
         "%;background:" + color(s.color) + "\"></s></u>" + (s.percent >= 5 ? "<em class=hot>" : "<em>") +
         (s.percent >= 0.05 ? format("%.1f %%", s.percent) : "") + "</em>";
}

} // namespace

std::string markOf(std::uint32_t file, std::uint32_t line) { return format(" data-at=\"%u:%u\"", file, line); }

std::string codeLine(const std::string &mark, const std::optional<Share> &share, const std::string &number,
                     const std::string &text) {
  return "<div" + mark + ">" + (share ? bar(*share) : "<u style=\"background:none\"></u><em></em>") + "<i>" + number +
         "</i>" + escaped(text) + "</div>\n";
}

std::string sourcePane(const std::vector<SourceFile> &files) {
  if (files.empty())
    return {};
  std::string out = "<b>Source</b>\n";
  for (const SourceFile &file : files) {
    std::ifstream stream(file.path);
    out += "<div class=dim>" + escaped(file.path) + (stream ? "" : " (cannot be read)") + "</div>\n";
    const std::uint32_t last = file.lines.empty() ? 0 : file.lines.rbegin()->first;
    std::string text;
    for (std::uint32_t number = 1; std::getline(stream, text) || number <= last; ++number, text.clear()) {
      auto found = file.lines.find(number);
      const bool used = found != file.lines.end();
      out += codeLine(used ? markOf(file.number, number) : "", used ? std::optional(found->second) : std::nullopt,
                      std::to_string(number), text);
    }
  }
  return out;
}

std::string panes(const std::vector<std::string> &contents) {
  std::string out;
  unsigned count = 0;
  for (const std::string &content : contents)
    if (!content.empty()) {
      out += "<div class=pane>" + content + "</div>";
      ++count;
    }
  return (count == 1 ? "<div class=\"code one\">" : "<div class=code>") + out + "</div>\n";
}

} // namespace pocm::html
