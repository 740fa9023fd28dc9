//===- KernelArgument.h - cmrun's --arg -------------------------------------------------===//
//
//     int:42   float:0.5,1,2
//     buffer:in=FILE,out=FILE            buffer:zero=BYTES,out=FILE
//     buffer:zero=BYTES,compare=FILE,as=float
//     image:in=photo.jpg,out=result.png  image:zero,width=W,height=H,format=A8R8G8B8,out=raw.bin
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"
#include <memory>
#include <optional>
#include <vector>

namespace cmrun {

/// One --arg, bound to a kernel parameter. Every mistake is a pocm::Error that names the argument and the fix.
class KernelArgument {
public:
  virtual ~KernelArgument() = default;
  /// Creates what the argument needs on the device and sets it.
  virtual void bind(pocm::Device &device, pocm::Kernel &kernel) = 0;
  /// Writes the argument's out= file, if it has one.
  virtual void store() {}
  /// What the surface holds now; nothing for what is no surface.
  virtual std::optional<std::vector<std::uint8_t>> contents() const { return std::nullopt; }
  /// Compares it with the compare= file, if there is one, prints the difference, and says whether there is none.
  virtual bool compare() const { return true; }

  /// Parses `text` for parameter `index` of a kernel.
  static std::unique_ptr<KernelArgument> parse(const std::string &text, unsigned index,
                                               const pocm::KernelSignature &kernel);
};

} // namespace cmrun
