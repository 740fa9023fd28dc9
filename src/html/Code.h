//===- Code.h - Source beside instructions, each line with its share of the time ----------===//
//
//     panes({sourcePane({{"k.cpp", 0, {{12, {61.2, 1, "612 samples"}}}}}), "<b>Instructions</b>\n" + codeLine(...)})
//
// Lines with the same mark belong together (LinkedLines.h).
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pocm::html {

/// Of all time, as a bar in one of the colours.
struct Share {
  double percent = 0;
  std::size_t color = 0;
  std::string title = {};
};

/// A file of the source, by its path; the number that marks have for it.
struct SourceFile {
  std::string path;
  std::uint32_t number;
  std::map<std::uint32_t, Share> lines;
};

/// What links lines.
std::string markOf(std::uint32_t file, std::uint32_t line);
/// `mark` is empty where nothing belongs to the line.
std::string codeLine(const std::string &mark, const std::optional<Share> &share, const std::string &number,
                     const std::string &text);
/// The files whole, as far as they can be read; empty when there are none.
std::string sourcePane(const std::vector<SourceFile> &files);
/// Side by side, without those that are empty.
std::string panes(const std::vector<std::string> &contents);

} // namespace pocm::html
