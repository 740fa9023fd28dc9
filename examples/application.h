// What the applications share: a command line, the kernels' program, time measured over rounds, what is printed.
//
//     int main(int argc, char **argv) {
//       unsigned width = 4096;
//       application::App app("transpose", "Transposes a matrix of floats.");
//       app.number("--width", width, "columns", 1, 16384);
//       return app.run(argc, argv, [&](host::Session &session) { return right; });
//     }
#pragma once

#include "host.h"
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <unistd.h>

namespace application {

/// Shows on a terminal how far long work is, from its third second on; the line disappears at the end.
class Progress {
public:
  explicit Progress(std::string what) : what(std::move(what)) {}
  ~Progress() {
    if (shown)
      std::fprintf(stderr, "\r%*s\r", int(what.size()) + 40, "");
  }
  Progress(const Progress &) = delete;

  /// `done` of `all` steps are taken.
  void at(std::size_t done, std::size_t all) {
    using namespace std::chrono;
    double seconds = duration<double>(steady_clock::now() - begin).count();
    if (!isatty(STDERR_FILENO) || seconds < 2 || done == 0)
      return;
    shown = true;
    std::fprintf(stderr, "\r%s: %zu of %zu, about %.0f s left   ", what.c_str(), done, all,
                 seconds * double(all - done) / double(done));
  }

private:
  std::string what;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  bool shown = false;
};

/// A whole file.
std::vector<char> readBytes(const std::string &path);
/// A file of raw little-endian words of 32 bits: from 1 to `most` of them.
std::vector<std::uint32_t> readWords(const std::string &path, std::size_t most);
void writeWords(const std::string &path, const std::vector<std::uint32_t> &words);
/// The same of floats: exactly `count`.
std::vector<float> readFloats(const std::string &path, std::size_t count);
void writeFloats(const std::string &path, const std::vector<float> &values);

/// A program with its command line. Options that replace each other are in one `either`: a file, or what is made
/// instead.
class App {
public:
  App(std::string name, const std::string &description);
  ~App();

  App &number(const std::string &flags, unsigned &value, const std::string &help, unsigned least, unsigned most);
  App &number(const std::string &flags, double &value, const std::string &help);
  /// Numbers with commas between, as many as there are in `values`.
  App &numbers(const std::string &flags, std::vector<unsigned> &values, const std::string &help);
  App &choice(const std::string &flags, std::string &value, const std::string &help,
              const std::vector<std::string> &of);
  App &flag(const std::string &flags, bool &value, const std::string &help);
  App &output(const std::string &flags, std::string &path, const std::string &help);
  /// A file that exists; with it, none of `instead` may be given.
  App &input(const std::string &flags, std::string &path, const std::string &help,
             const std::vector<std::string> &instead);

  /// Parses the command line and calls body(session), which says whether all results were right. The exit status: 0,
  /// 1 for a wrong result, 2 for what could not be done.
  int run(int argc, char **argv, const std::function<bool(host::Session &)> &body);

  /// Median milliseconds of `rounds` runs.
  double time(const std::function<double()> &once) const {
    std::vector<double> times;
    Progress progress("timing");
    for (unsigned i = 0; i < rounds; ++i) {
      times.push_back(once());
      progress.at(i + 1, rounds);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
  }

private:
  struct Line; // the command line of a library, which is slow to compile
  std::string name, program;
  unsigned rounds = 9;
  std::unique_ptr<Line> line;
};

} // namespace application
