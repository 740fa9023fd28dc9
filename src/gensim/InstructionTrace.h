//===- InstructionTrace.h - Every instruction with what it wrote, as text --------------------===//
//
//     [0] 00040 0000FFFF  add (8|M0) r10.0<1>:d r9.0<8;8,1>:d 1:d  -> 4 5 6 7 8 9 A B
//
// The thread, the address, the channels; "?" follows a value of which nobody wrote a part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Observer.h"
#include <ostream>

namespace pocm::gensim {

class InstructionTrace : public Observer {
public:
  InstructionTrace(std::ostream &out, const Platform &platform) : out(out), platform(platform) {}
  void executed(const Thread &thread, const Instruction &i, std::uint32_t active,
                std::span<const Touch> touches) override;

private:
  std::ostream &out;
  const Platform &platform;
};

} // namespace pocm::gensim
