//===- Emitter.h - Kernels as vISA text ---------------------------------------------------===//
#pragma once

#include "codegen/gen/GenTarget.h"
#include "codegen/gen/Origin.h"
#include "codegen/gen/VisaReader.h"
#include "ir/Kernel.h"
#include "pocm/gen.h"
#include <set>
#include <string>
#include <vector>

namespace pocm::gen {

/// Something that costs time.
struct Remark {
  SourceLine Where;
  std::string Text;
  auto operator<=>(const Remark &) const = default;
};

struct VisaKernel {
  std::string Text;       ///< vISA assembly, for the finalizer.
  unsigned FirstLine = 0; ///< The line of it, from 0, of .function: Lines begin there, the finalizer counts from there.
  std::vector<VisaLine> Lines;
  std::set<Remark> Remarks;
  std::set<SourceLine> IndexedLines; ///< With registers that are chosen at run time.
  std::vector<GenInput> Inputs;      ///< In the order of the kernel's parameters, implicit ones before them.
  unsigned SlmBytes = 0;
  unsigned FrameBytes = 0; ///< Of a thread's scratch memory, from its beginning on.
  bool HasBarrier = false;
  ExpectedBytes Expected; ///< What operands mean, for readVisa.
  std::string Problem;    ///< Why there is no text: what is not supported, with its place in the source.
};

/// Which runtime starts the kernel, and puts the arguments where they lie.
enum class Runtime { Cm, LevelZero };

struct EmissionOptions {
  Runtime For = Runtime::Cm;
  bool Coalesce = true;       ///< gen-coalescing: Variables.h
  bool UseGoto = true;        ///< gen-goto: Goto.h
  bool ReuseAddresses = true; ///< gen-addresses: EmitOperands.h
};

/// vISA text of a kernel that the passes of GenPasses.def have prepared.
VisaKernel emitVisa(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options = {});

} // namespace pocm::gen
