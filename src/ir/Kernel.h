//===- Kernel.h - Which functions of a module are kernels -------------------===//
//
// Named metadata !genx.kernels, as in the public dialect: a node per kernel with the
// function, its name, the kinds of its parameters, the SLM size and the argument
// offset. Sizes of parameters are those of the function's own types.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace pocm {

/// A parameter as the source declares it: `Count` elements of CM's scalar type `Element`, or a surface.
struct KernelParameter {
  ParameterKind Kind = ParameterKind::General;
  std::string Element;
  unsigned Count = 1;
};

struct KernelInfo {
  llvm::Function *Entry = nullptr;
  std::string Name;
  std::vector<KernelParameter> Parameters;
};

/// Function attribute with a kernel's float control bits (include/cm/detail/types.h), absent when they are 0.
constexpr const char *FloatControlAttribute = "CMFloatControl";
/// Function attribute of a kernel with parameters that are places in shared local memory.
constexpr const char *LocalParametersAttribute = "CMLocalParameters";
/// Float control's bits that keep denormal numbers of a type, and those of the rounding mode.
constexpr unsigned DoubleDenormals = 1u << 6, FloatDenormals = 1u << 7, HalfDenormals = 1u << 10,
                   RoundingMode = 3u << 4;

/// A function's float control bits.
unsigned floatControlOf(const llvm::Function &F);
/// Tells LLVM what becomes of denormal numbers that it computes ahead, as float control bits say.
void setDenormalMode(llvm::Function &F, unsigned FloatControl);

/// The most bytes of shared local memory that a group has on any target, and what a kernel has that computes them;
/// those that a group has on each.
constexpr unsigned MostSlm = 131072, LeastSlm = 65536;

/// The kernels of a module, in order of definition.
std::vector<KernelInfo> kernelsOf(const llvm::Module &M);
/// A kernel's function and those that it calls, directly or not.
std::vector<llvm::Function *> functionsOf(const KernelInfo &Kernel);
/// Replaces the list.
void setKernels(llvm::Module &M, const std::vector<KernelInfo> &Kernels);

} // namespace pocm
