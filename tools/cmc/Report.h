//===- Report.h - What the Gen compiler made of a source -------------------------------===//
//
// `cmc --report`: where each variable lives and which rule decided, loops that were unrolled,
// accesses that cost time, messages, spills and how full the registers are. As text, or as
// one HTML page with the source beside vISA and Gen code.
//
//===------------------------------------------------------------------------------------===//
#pragma once

#include "pocm/gen.h"
#include <string>

class Report {
public:
  explicit Report(bool html) : html(html) {}
  void add(const pocm::GenKernel &kernel, const std::string &target);
  /// The whole report; `source` is the file that was compiled.
  std::string finish(const std::string &source) const;

private:
  bool html;
  std::string body;
  unsigned kernels = 0;
};
