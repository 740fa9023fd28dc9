//===- Elements.h - Pieces of HTML pages about launches -----------------------------------===//
//
//     std::string body = tiles({{"0.617 ms", "a launch"}}) + "<table>" + row("'in'", "4.18 MB", "read") + "</table>";
//     std::string page = pageOf("linear", "1024x768", body);
//
// A page is one file without references to others.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pocm::html {

std::string escaped(std::string_view text);
/// 12,345,678.
std::string grouped(double value);
/// "12 MB/s".
std::string scaled(double value, const char *unit);
/// One of ten, by number.
std::string color(std::size_t n);

/// Values with what they are of.
std::string tiles(const std::vector<std::pair<std::string, const char *>> &values);
/// Of a table of three columns.
std::string row(const std::string &what, const std::string &value, const std::string &note = {});
/// The whole page.
std::string pageOf(const std::string &title, const std::string &about, const std::string &body);

} // namespace pocm::html
