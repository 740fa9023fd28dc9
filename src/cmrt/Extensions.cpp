//===- Extensions.cpp - The functions of pocm/cmrt.h -------------------------------------===//
//
// Programs that never compile from source should not load a compiler, so libpocm is opened
// when the first source comes.
//
//===----------------------------------------------------------------------===//
#include "cmrt/Extensions.h"
#include "cmrt/Device.h"
#include "pocm/cmrt.h"
#include "program/Compiling.h"
#include <dlfcn.h>

using namespace pocm::cmrt;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Built {
  std::vector<unsigned char> program;
  std::string diagnostics;
};

void take(void *to, const unsigned char *program, size_t bytes, const char *diagnostics) {
  auto &built = *static_cast<Built *>(to);
  built.program.assign(program, program + bytes);
  built.diagnostics = diagnostics;
}

using Compile = int (*)(const char *name, const char *source, const char *options,
                        void (*give)(void *, const unsigned char *, size_t, const char *), void *state);

/// pocm_compile_source of libpocm; null when there is none.
Compile compiler() {
  const pocm::Compiling working; // a fork waits for the loader
  static const auto function = [] {
    void *library = dlopen("libpocm.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<Compile>(dlsym(library, "pocm_compile_source")) : nullptr;
  }();
  return function;
}

/// The kernel's signature, or null with a reason.
const pocm::KernelSignature *kernelOf(const char *function, Device &device, CmProgram *program, UINT kernel) {
  const auto *container = device.containerOf(program);
  if (!container)
    return fail(CM_INVALID_ARG_VALUE, "{}: the program is null or does not belong to the device", function), nullptr;
  if (kernel >= container->kernels.size())
    return fail(CM_INVALID_ARG_INDEX, "{}: the program has {} kernels; there is no kernel {}", function,
                container->kernels.size(), kernel),
           nullptr;
  return &container->kernels[kernel];
}

} // namespace

/// Calls `body(device)` when the device is one.
template <class Body> static INT withDevice(const char *function, CmDevice *device, Body body) {
  if (!device || !isDevice(device))
    return fail(CM_NULL_POINTER, "{}: the device is null or destroyed", function);
  return body(*static_cast<Device *>(device));
}

/// Called where no argument may be null.
template <class... T> static bool given(const char *function, T *...arguments) {
  if ((arguments && ...))
    return true;
  fail(CM_NULL_POINTER, "{}: an argument is null", function);
  return false;
}

EXPORT const char *PocmLastError() { return lastMessage(); }

EXPORT INT PocmLoadProgramSource(CmDevice *cmDevice, const char *name, const char *source, const char *options,
                                 CmProgram **program) {
  constexpr const char *function = "PocmLoadProgramSource";
  return withDevice(function, cmDevice, [&](Device &device) -> INT {
    if (!given(function, source, program))
      return CM_NULL_POINTER;
    *program = nullptr;
    Compile compile = compiler();
    if (!compile)
      return fail(CM_JITDLL_LOAD_FAILURE, "{}: libpocm.so.0, the compiler, is not beside this library", function);
    Built built;
    if (!compile(name ? name : "source.cpp", source, options ? options : "", take, &built))
      return fail(CM_JIT_COMPILE_FAILURE, "{}: {}", function, built.diagnostics);
    return device.LoadProgram(built.program.data(), UINT(built.program.size()), *program, nullptr);
  });
}

EXPORT INT PocmGetKernelCount(CmDevice *cmDevice, CmProgram *program, UINT *count) {
  constexpr const char *function = "PocmGetKernelCount";
  return withDevice(function, cmDevice, [&](Device &device) -> INT {
    if (!given(function, count))
      return CM_NULL_POINTER;
    const auto *container = device.containerOf(program);
    if (!container)
      return fail(CM_INVALID_ARG_VALUE, "{}: the program is null or does not belong to the device", function);
    *count = UINT(container->kernels.size());
    return CM_SUCCESS;
  });
}

EXPORT INT PocmGetKernelInfo(CmDevice *cmDevice, CmProgram *program, UINT kernel, const char **name, UINT *arguments) {
  constexpr const char *function = "PocmGetKernelInfo";
  return withDevice(function, cmDevice, [&](Device &device) -> INT {
    if (!given(function, name, arguments))
      return CM_NULL_POINTER;
    const pocm::KernelSignature *signature = kernelOf(function, device, program, kernel);
    if (!signature)
      return CM_INVALID_ARG_INDEX;
    *name = signature->name.c_str();
    *arguments = UINT(signature->parameters.size());
    return CM_SUCCESS;
  });
}

EXPORT INT PocmGetArgumentInfo(CmDevice *cmDevice, CmProgram *program, UINT kernel, UINT argument,
                               PocmArgumentInfo *info) {
  constexpr const char *function = "PocmGetArgumentInfo";
  return withDevice(function, cmDevice, [&](Device &device) -> INT {
    if (!given(function, info))
      return CM_NULL_POINTER;
    const pocm::KernelSignature *signature = kernelOf(function, device, program, kernel);
    if (!signature)
      return CM_INVALID_ARG_INDEX;
    if (argument >= signature->parameters.size())
      return fail(CM_INVALID_ARG_INDEX, "{}: kernel '{}' has {} arguments; there is no argument {}", function,
                  signature->name, signature->parameters.size(), argument);
    const pocm::Parameter &p = signature->parameters[argument];
    UINT size = p.kind == pocm::ParameterKind::Surface   ? UINT(sizeof(SurfaceIndex)) * p.count
                : p.kind == pocm::ParameterKind::Sampler ? UINT(sizeof(SamplerIndex))
                                                         : p.bytes;
    *info = {PocmArgumentKind(p.kind), p.element.c_str(), p.count, size};
    return CM_SUCCESS;
  });
}
