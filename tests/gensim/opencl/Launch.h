// What a kernel of the OpenCL tests is launched with, as a comment line in its source says:
//
//     // launch: add global=256 local=64 in=int:256 zero=int:256 int=7
//
// Arguments come in the kernel's order:
//     in=TYPE:COUNT[:LEAST..MOST]   a buffer of random values; zero=TYPE:COUNT  of zeros
//     TYPE=VALUE[,VALUE...]         a value, such as int=7 or float4=1,2,3,4
//     slm=BYTES                     local memory
//     image=FORMAT:WxH[xD]          a 2D or 3D image of random pixels; array=..., image1d=...
//     sampler=WORD,...              nearest, linear, normalized, none, clamp, border, wrap, mirror
// Also: offset=X[,Y[,Z]], ulp=N (how far floats may be from the peer's), near=X (or how far apart), strict=0 (unwritten
// bits may decide something).
#pragma once

#include "opencl/Program.h"
#include <string>
#include <vector>

namespace test {

struct LaunchArgument {
  enum class Kind { Value, Buffer, Local, Image, ImageArray, Image1d, Sampler } kind;
  std::string type; ///< Of a buffer's elements: char ... ulong, half, float, double.
  std::vector<std::uint8_t> bytes;
  std::uint32_t localBytes = 0;
  pocm::opencl::ImageFormat format;
  std::uint32_t size[3] = {1, 1, 1};
  pocm::opencl::Sampler sampler;

  bool isImage() const { return kind == Kind::Image || kind == Kind::ImageArray || kind == Kind::Image1d; }
};

struct KernelLaunch {
  std::string kernel;
  pocm::opencl::Range range;
  std::vector<LaunchArgument> arguments;
  double ulp = 0, near = 0;
  bool strict = true;
};

/// A source's launches, and what its comments say about compiling it.
struct KernelFile {
  std::string path, source;
  std::vector<std::string> targets{"skl", "icllp", "tgllp"}; ///< "// targets: skl"
  std::string options, internal;                             ///< "// options: -cl-std=CL2.0", "// internal: ..."
  std::vector<KernelLaunch> launches;
};

/// Throws std::runtime_error with the line that is wrong.
KernelFile readKernelFile(const std::string &path, const std::string &source);

/// Where contents differ by more than the launch allows; empty when they do not.
std::string differenceOf(const KernelLaunch &launch, const LaunchArgument &argument,
                         const std::vector<std::uint8_t> &ours, const std::vector<std::uint8_t> &theirs);

} // namespace test
