//===- pocm/cmrt.h - What PoCM's libigfxcmrt.so.7 has beyond Intel's ----------------------===//
//
// C functions beside the classes of cm_rt.h. A program that uses them runs with PoCM's library
// only; look them up with dlsym to run with both.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "cm_rt.h"

/// Why this thread's last failed call of the host API failed: one line that names object, argument, value and rule;
/// empty when none failed. Valid until the next call.
extern "C" const char *PocmLastError();

/// Compiles CM source in memory to a program. `name` stands in diagnostics; `options` may be null, or hold
/// -DNAME[=VALUE], -IFOLDER, -O0 to -O3, -g, -march=TARGET, -mCM_init_global and -ffp-contract=off, separated by
/// blanks. CM_JIT_COMPILE_FAILURE when the source has errors: PocmLastError() has the diagnostics.
/// CM_JITDLL_LOAD_FAILURE when libpocm.so.0 is not beside the library.
extern "C" INT PocmLoadProgramSource(CmDevice *device, const char *name, const char *source, const char *options,
                                     CmProgram **program);

/// How many kernels a program has.
extern "C" INT PocmGetKernelCount(CmDevice *device, CmProgram *program, UINT *count);

/// A kernel of a program, by number: its name, which lives as long as the program, and how many arguments it takes.
extern "C" INT PocmGetKernelInfo(CmDevice *device, CmProgram *program, UINT kernel, const char **name, UINT *arguments);

enum PocmArgumentKind { POCM_ARGUMENT_VALUE = 0, POCM_ARGUMENT_SAMPLER = 1, POCM_ARGUMENT_SURFACE = 2 };

/// An argument of a kernel: `count` elements of CM's type `element`, or as many surfaces.
struct PocmArgumentInfo {
  PocmArgumentKind kind;
  const char *element; ///< "float", "uchar", ..., or the index's type. Lives as long as the program.
  UINT count;
  UINT setSize; ///< What SetKernelArg takes, in bytes.
};
extern "C" INT PocmGetArgumentInfo(CmDevice *device, CmProgram *program, UINT kernel, UINT argument,
                                   PocmArgumentInfo *info);
