//===- Report.cpp - Findings for people and for programs ------------------------------===//
#include "devices/check/Report.h"
#include "devices/check/Findings.h"
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace pocm::check {

void print(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &f : findings)
    text += textOf(f);
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print(const std::vector<std::string> &lines) {
  std::fflush(stdout);
  for (const std::string &line : lines)
    std::fprintf(stderr, "%s\n", line.c_str());
}

void writeJson(const std::vector<Finding> &findings, const std::string &file) {
  nlohmann::json all = nlohmann::json::array();
  for (const Finding &f : findings)
    all.push_back({{"kind", f.kind},
                   {"file", f.file},
                   {"line", f.line},
                   {"column", f.column},
                   {"message", f.message},
                   {"kernel", f.kernel},
                   {"thread", {{"text", f.thread}, {"x", f.x}, {"y", f.y}}},
                   {"surface", f.surface},
                   {"offset", f.offset},
                   {"bytes", f.bytes},
                   {"count", f.count}});
  std::ofstream out(file);
  if (!(out << nlohmann::json{{"findings", std::move(all)}}.dump(2) << "\n").flush())
    throw Error("cannot write '" + file + "'");
}

} // namespace pocm::check
