//===- Opening.h - What a device is opened with ---------------------------------===//
//
//     "check:stop,json=found.json"      the device check, its variant stop, its option json
//
// A device's options are its own: it names those that it has, and looks at them itself. They come with the device's
// name, or from DeviceOptions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"
#include <initializer_list>
#include <map>

namespace pocm::runtime {

struct Opening {
  std::string device;  ///< Its name in Devices.def.
  std::string variant; ///< Empty where none is asked for.
  unsigned threads;    ///< Host threads; 0: as many as the device likes.
  std::map<std::string, std::string> own;

  /// Of a device's name with variant and options. Throws Error where it cannot be read.
  Opening(std::string_view name, const DeviceOptions &options);
  /// Throws Error for a variant or an option that is not among these; they may be empty.
  void allow(std::initializer_list<std::string_view> variants, std::initializer_list<std::string_view> names) const;
  /// The same where the device knows its variants itself.
  void allowOptions(std::initializer_list<std::string_view> names) const;
  /// An option's text, or else that of a variable of the environment, which may change; empty where there is neither.
  std::string text(const std::string &name, const char *variable) const;
};

} // namespace pocm::runtime
