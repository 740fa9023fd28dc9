// Points of the plane: see Points.h.
#include "Points.h"
#include <charconv>
#include <cmath>
#include <fstream>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string_view>

namespace kmeans {

namespace {

std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> result;
  for (std::size_t begin = 0;;) {
    std::size_t end = line.find_first_of(",;\t", begin);
    result.push_back(line.substr(begin, end - begin));
    if (end == line.npos)
      return result;
    begin = end + 1;
  }
}

bool parse(std::string_view text, float &value) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
    text.remove_suffix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

} // namespace

Points load(const std::string &path, unsigned xColumn, unsigned yColumn) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  Points points;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty())
      continue;
    std::vector<std::string_view> columns = fields(line);
    auto fail = [&](const std::string &problem) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + problem);
    };
    if (columns.size() <= std::max(xColumn, yColumn))
      fail("the line has " + std::to_string(columns.size()) + " columns, no column " +
           std::to_string(std::max(xColumn, yColumn)) + " (the first is 0)");
    float x = 0, y = 0;
    if (parse(columns[xColumn], x) && parse(columns[yColumn], y))
      points.insert(points.end(), {x, y});
    else if (number > 1)
      fail("'" + std::string(columns[xColumn]) + "' and '" + std::string(columns[yColumn]) +
           "' are not two finite numbers");
  }
  if (points.empty())
    throw std::runtime_error(path + ": there are no points");
  return points;
}

std::vector<std::string> kinds() { return {"uniform", "blobs", "ring"}; }

Points make(const std::string &kind, std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> square(0, 100);
  std::normal_distribution<float> near(0, 3);
  float centres[20][2];
  for (auto &c : centres)
    for (float &x : c)
      x = square(random);
  Points points;
  points.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    if (kind == "uniform") {
      points.insert(points.end(), {square(random), square(random)});
    } else if (kind == "blobs") {
      const float *c = centres[random() % 20];
      points.insert(points.end(), {c[0] + near(random), c[1] + near(random)});
    } else {
      float turn = square(random) / 100, angle = 2 * std::numbers::pi_v<float> * turn * turn;
      points.insert(points.end(), {40 * std::cos(angle) + near(random), 40 * std::sin(angle) + near(random)});
    }
  }
  return points;
}

} // namespace kmeans
