//===- Reports.h - A profile as files -----------------------------------------------------------===//
//
//     report.txt          text for people, appended
//     report.json         everything that the text says, by names
//     report.trace.json   threads on execution units, for chrome://tracing and ui.perfetto.dev
//     report.html         a page: where the time goes, hot lines beside the instructions, a roofline
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/timing/Profile.h"
#include <nlohmann/json_fwd.hpp>

namespace pocm::gensim::timing {

/// Writes what the file's name asks for; "-" is text on standard error. Throws Problem when it cannot be written.
void writeReport(const std::string &file, const Profile &profile);

nlohmann::json jsonOf(const Profile &profile);
nlohmann::json chromeTraceOf(const Profile &profile);
std::string pageOf(const Profile &profile);

/// A source line's part of a launch.
struct LineTimes {
  SourceLines::Line where;
  std::uint64_t executions = 0, waited = 0;
  std::vector<std::size_t> instructions;
};
/// The longest first; instructions without a line are none.
std::vector<LineTimes> linesOf(const Profile &profile);

/// What the work of a launch is limited by: operations a second, and bytes.
struct Roofline {
  double operations = 0; ///< Of lanes; multiply-adds count twice.
  double peak = 0;       ///< A second: multiply-adds of floats on all pipes.
  double memoryBytes = 0, l3Bytes = 0;
  double memoryRate = 0, l3Rate = 0; ///< Bytes a second.
};
Roofline rooflineOf(const Profile &profile);

} // namespace pocm::gensim::timing
