//===- Registry.cpp - Opens devices by name ------------------------------------===//
#include "runtime/Device.h"
#include "runtime/Opening.h"

namespace pocm::runtime {

#define DEVICE(name, function, description) std::unique_ptr<Device> function(const Opening &how);
#include "devices/Devices.def"

std::unique_ptr<Device> openDevice(std::string_view name, const DeviceOptions &options) {
  const Opening how(name, options);
#define DEVICE(id, function, description)                                                                              \
  if (how.device == #id)                                                                                               \
    return function(how);
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
