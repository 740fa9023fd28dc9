//===- Arguments.h - Compiler-style command lines -----------------------------===//
//
// cmc takes options the way compilers do (-DNAME, -D NAME, -O2, -emit-llvm), which
// general option libraries do not parse.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <span>
#include <string>
#include <string_view>

class Arguments {
public:
  Arguments(int argc, char **argv) : rest(argv + (argc ? 1 : 0), argc ? std::size_t(argc - 1) : 0) {}

  bool empty() const { return rest.empty(); }
  std::string_view front() const { return rest.front(); }
  std::string_view next() {
    std::string_view first = rest.front();
    rest = rest.subspan(1);
    return first;
  }
  /// Takes `-Xvalue` or `-X value`; false, taking nothing, when the front is neither.
  bool joined(std::string_view option, std::string &value) {
    if (!front().starts_with(option))
      return false;
    if (front().size() > option.size()) {
      value = next().substr(option.size());
      return true;
    }
    if (rest.size() < 2)
      return false;
    next();
    value = next();
    return true;
  }

private:
  std::span<char *> rest;
};
