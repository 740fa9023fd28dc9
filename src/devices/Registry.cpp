//===- Registry.cpp - Opens devices by name ------------------------------------===//
#include "runtime/Device.h"

namespace pocm::runtime {

#define DEVICE(name, function, description)                                                                            \
  std::unique_ptr<Device> function(std::string_view variant, const DeviceOptions &options);
#include "devices/Devices.def"

std::unique_ptr<Device> openDevice(std::string_view name, const DeviceOptions &options) {
  std::size_t colon = std::min(name.find(':'), name.size());
  std::string_view kind = name.substr(0, colon), variant = name.substr(std::min(colon + 1, name.size()));
#define DEVICE(id, function, description)                                                                              \
  if (kind == #id)                                                                                                     \
    return function(variant, options);
#include "devices/Devices.def"
  std::string known;
  for (const std::string &device : deviceNames())
    known += (known.empty() ? "" : ", ") + device;
  throw Error("no device '" + std::string(name) + "'; there is: " + known);
}

std::vector<std::string> deviceNames() {
  return {
#define DEVICE(id, function, description) #id,
#include "devices/Devices.def"
  };
}

} // namespace pocm::runtime
