//===- CpuDevice.h - The cpu device for devices that build on it -----------------===//
//
// A device that runs kernels as the cpu device does, but looks at them first, gives it what
// is to be done to a kernel's CM IR, and the functions that the result calls.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "codegen/cpu/CodeGen.h"
#include "devices/cpu/Jit.h"
#include "runtime/Device.h"
#include "runtime/Opening.h"

namespace pocm::cpu {

/// What another device adds to kernels before code is made of them.
struct Additions {
  Rewrite rewrite;             ///< Of the kernel's CM IR.
  std::string worker;          ///< What of cm-codegen makes code with it.
  std::vector<Helper> helpers; ///< What that calls.
  std::string key;             ///< Text that differs whenever the result may; part of the disk cache's keys.
};

/// Opens the cpu device with additions, which looks at its options "cpu" and "order".
std::unique_ptr<runtime::Device> openWith(const runtime::Opening &how, Additions additions);

/// Host threads that a device uses of which so many are asked for; 0: all. Throws Error when CM_RT_PARALLEL_THREADS is
/// no number.
unsigned hostThreads(unsigned asked);

} // namespace pocm::cpu
