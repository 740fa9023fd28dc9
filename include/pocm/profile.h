//===- profile.h - Where launches spend their time, and what they move ------===//
//
//     pocm::startProfile(device, kernel);
//     device.enqueue(kernel, space).wait();      as often as it takes to have samples
//     pocm::Profile profile = pocm::endProfile(device);
//
//     auto counting = pocm::Device::open("check:count");      launches of this count
//     pocm::Work work = pocm::workOf(counting);
//
//===--------------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm {

/// Samples of CPU time in a line of the source, functions that it calls included.
struct LineSamples {
  std::string place; ///< "k.cpp:12"; empty where the line is not known.
  std::uint64_t samples = 0;
};

/// Where launches of a kernel have spent their time.
struct Profile {
  std::uint64_t samples = 0;      ///< In the kernel.
  std::uint64_t elsewhere = 0;    ///< In host threads that run it, but not in its code.
  double period = 0;              ///< Seconds of CPU time for each.
  std::vector<LineSamples> lines; ///< Most of them first.
};

/// What messages of launches have read and written of a surface.
struct SurfaceWork {
  std::string surface;  ///< The argument's name, in quotes; "shared local memory", "memory by address".
  bool isMemory = true; ///< Not shared local memory, which lies in caches.
  std::uint64_t bytesRead = 0, bytesWritten = 0;
  std::uint64_t elementsRead = 0, elementsWritten = 0; ///< Of the type that the kernel's vectors have.
};

/// What launches have done.
struct Work {
  std::vector<SurfaceWork> surfaces;
  std::uint64_t operations = 0; ///< On elements of vectors: sums, products, logic; a multiply-add is two.
  std::uint64_t launches = 0;
};

/// From here on launches of the kernel on the device are sampled: on the cpu device, one kernel at a time, for a
/// program with lines (CompileOptions::debugInfo). Throws Error elsewhere.
POCM_API void startProfile(Device &device, const Kernel &kernel);
POCM_API Profile endProfile(Device &device);

/// What launches on a counting device ("check:count") have done; empty on others.
POCM_API Work workOf(const Device &device);

} // namespace pocm
