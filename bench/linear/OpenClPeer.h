//===- OpenClPeer.h - The filter as SIMT kernels on an OpenCL CPU device --------------===//
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// The paper's Algorithm 1 (a work item a pixel, images) and a version with a work item a byte.
class OpenClPeer {
public:
  /// Null when there is no OpenCL CPU device.
  static std::unique_ptr<OpenClPeer> open(const std::vector<std::uint8_t> &rgb, int width, int height);
  virtual ~OpenClPeer() = default;
  virtual std::string name() const = 0;
  virtual void runImages() = 0;
  virtual void runBytes() = 0;
  /// Result of the last runImages, four bytes a pixel, or of the last runBytes, packed.
  virtual std::vector<std::uint8_t> readImages() = 0;
  virtual std::vector<std::uint8_t> readBytes() = 0;
};

} // namespace bench
