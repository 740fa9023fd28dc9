//===- Elements.cpp - Pieces of HTML pages about launches ---------------------------------===//
#include "html/Elements.h"
#include "html/Format.h"
#include "html/LinkedLines.h"
#include "html/Style.h"
#include <iterator>

namespace pocm::html {

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string grouped(double value) {
  std::string digits = format("%.0f", value), out;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k && (digits.size() - k) % 3 == 0)
      out += ',';
    out += digits[k];
  }
  return out;
}

std::string scaled(double value, const char *unit) {
  static constexpr const char *prefixes[] = {"", "K", "M", "G", "T"};
  unsigned k = 0;
  for (; value >= 1000 && k + 1 < std::size(prefixes); ++k)
    value /= 1000;
  return format(value < 10 ? "%.2f %s%s" : "%.0f %s%s", value, prefixes[k], unit);
}

std::string color(std::size_t n) { return format("var(--c%zu)", n % 10); }

std::string tiles(const std::vector<std::pair<std::string, const char *>> &values) {
  std::string out = "<div class=tiles>";
  for (const auto &[value, what] : values)
    out += "<div><b>" + value + "</b><span>" + what + "</span></div>";
  return out + "</div>\n";
}

std::string row(const std::string &what, const std::string &value, const std::string &note) {
  return "<tr><td>" + escaped(what) + "<td class=n>" + value + "<td class=dim>" + escaped(note) + "</tr>\n";
}

std::string pageOf(const std::string &title, const std::string &about, const std::string &body) {
  const std::string name = escaped(title);
  return "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
         "content=\"width=device-width\"><title>" +
         name + "</title><style>" + Style + "</style></head><body>\n<h1>" + name + "</h1>\n<p class=dim>" + about +
         "</p>\n" + body + "<script>" + LinkedLinesScript + "</script></body></html>\n";
}

} // namespace pocm::html
