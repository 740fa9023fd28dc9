//===- Profile.h - Where a kernel's time goes, in words -----------------------------------===//
//
//     time by line, of 1012 samples
//        61.2%  linear_genx.cpp:14    m += in.select<6, 1, 24, 1>(0, 0);
//     moved by a launch
//        'in'   read 5.0 MB, 5.0 M elements
//     memory: 24.6 GB/s, 71% of the 34.8 GB/s at which this machine copies
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "Limits.h"
#include "pocm/profile.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cmrun {

/// A profiled kernel.
struct Profiled {
  pocm::Profile time;
  pocm::Work work;    ///< Of one launch.
  double seconds = 0; ///< Of one launch.
  Limits limits;

  double bytes() const;    ///< That a launch moves to and from memory.
  double elements() const; ///< That it writes there.
  /// What the machine would compute a second at best, for as many operations a byte.
  double attainable() const;
};

std::string textOf(const Profiled &profiled);
nlohmann::json jsonOf(const Profiled &profiled);

} // namespace cmrun
