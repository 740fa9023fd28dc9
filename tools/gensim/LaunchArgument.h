//===- LaunchArgument.h - gensim's --arg --------------------------------------------------===//
//
//     int:42   float:0.5,1,2   local:1024
//     buffer:in=FILE,out=FILE            buffer:zero=BYTES,out=FILE
//     image:in=FILE,width=W,height=H,format=RGBA8_UNORM,out=FILE   image:zero,...
//     sampler:linear,wrap,normalized
//
//===----------------------------------------------------------------------===//
#pragma once

#include "ArgumentText.h"
#include "opencl/Program.h"

namespace gensim_tool {

/// One --arg: what a kernel's argument is set to, and the file that gets the result.
class LaunchArgument {
public:
  /// Throws std::exception for what is written wrongly.
  explicit LaunchArgument(const std::string &text);
  pocm::opencl::Setting setting();
  /// Writes the out= file, if there is one.
  void store() const;

private:
  void parse(const std::string &kind, const std::string &rest);
  void parseBuffer(const std::string &rest);
  void parseImage(const std::string &rest);
  void parseSampler(const std::string &rest);

  pocm::opencl::Setting given;
  argument::Bytes contents; ///< Of a buffer.
  std::string out;
};

} // namespace gensim_tool
