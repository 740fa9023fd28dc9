// What the tutorial programs share: the program that the command line names, what is printed.
#pragma once

#include "host.h"
#include <random>

namespace tutorial {

using host::index, host::set, host::setAll, host::Session;

/// Prints what was computed and whether it is right; the exit status.
inline int report(const std::string &what, bool correct, double milliseconds) {
  std::printf("%s: %s, %.3f ms\n", what.c_str(), correct ? "correct" : "WRONG", milliseconds);
  return correct ? 0 : 1;
}

/// Calls body(path of the program) and reports what goes wrong.
template <class Body> int main(int argc, char **argv, Body body) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s PROGRAM.isa\n", argv[0]);
    return 2;
  }
  try {
    return body(std::string(argv[1]));
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s: %s\n", argv[0], problem.what());
    return 2;
  }
}

} // namespace tutorial
