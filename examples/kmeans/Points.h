// Points of the plane: read from CSV files, or made.
#pragma once

#include <string>
#include <vector>

namespace kmeans {

/// x, y, x, y ...
using Points = std::vector<float>;

/// Two columns of a CSV file, counted from 0; a first line that is no numbers is a heading. Throws std::runtime_error
/// that names the file, the line and the problem.
Points load(const std::string &path, unsigned xColumn, unsigned yColumn);

/// The names that make() knows.
std::vector<std::string> kinds();
/// Random points, always the same for a name and a number: "uniform" in a square, "blobs" around twenty centres,
/// "ring" of growing density.
Points make(const std::string &kind, std::size_t count);

} // namespace kmeans
