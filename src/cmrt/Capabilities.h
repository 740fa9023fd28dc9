//===- Capabilities.h - What GetCaps says ------------------------------------------------===//
#pragma once

#include "cm_rt.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pocm::cmrt {

/// The hardware that programs are told they run on: CM_RT_PLATFORM, CM_RT_SKU and CM_RT_MAX_THREADS choose it.
struct Platform {
  std::string name;
  std::uint32_t number;       ///< GPU_PLATFORM.
  std::uint32_t gt;           ///< GT_PLATFORM.
  std::uint32_t threads;      ///< Hardware threads.
  std::uint32_t groupThreads; ///< Threads of a group at most.
  CM_PLATFORM_INFO info;
  std::uint32_t l3Configs; ///< Rows of the L3 table.
  /// Throws Error for a name that is none.
  static Platform chosen();
};

/// The bytes of a capability; empty when it is unknown or the platform lacks it.
std::vector<std::uint8_t> capability(CM_DEVICE_CAP_NAME cap, const Platform &platform, std::uint32_t hardwareThreads);

} // namespace pocm::cmrt
