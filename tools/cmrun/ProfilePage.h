//===- ProfilePage.h - Where a kernel's time goes, as a page -------------------------------===//
//
// What Profile.h prints, in one HTML file: bytes of each surface, the roofline as a picture, the source with each
// line's share of the samples beside the code that the cpu device runs.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "Profile.h"
#include "pocm/report.h"
#include <string>

namespace cmrun {

/// `about`: how the kernel was launched. Writes the page to a file; throws pocm::Error when that fails.
void writePage(const std::string &file, const Profiled &profiled, const std::string &about,
               const pocm::CpuReport &code);

} // namespace cmrun
