//===- CpuReport.h - What the cpu device's compiler made of a kernel, as text -----------===//
#pragma once

#include "pocm/report.h"
#include <string>

/// Where variables live and why, what costs time, registers that go to memory, and the source beside the code of the
/// kernel's loops; of all of the kernel where it has none.
std::string asText(const pocm::CpuReport &report);

/// "k.cpp:7: remark: ..." for each of a list, as -Rcm prints them.
std::string asRemarks(const std::vector<pocm::GenRemark> &remarks, const std::string &kernel);
