//===- cm/cm.h - The CM language, as a kernel sees it ----------------------===//
//
// The only header a kernel includes. It is compiled by stock Clang for a neutral
// 64-bit target; every operation on a region of a variable becomes a builtin call on
// the variable's storage, which the compiler's first passes turn into whole values:
//
//     matrix<uchar, 8, 32> in;                   <256 x i8>
//     in.select<6, 1, 24, 1>(1, 3)               rdregion: rows 1..6, columns 3..26
//
// One header per chapter of the language; none of them may be included by itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#define POCM_CM_H 1

#include "detail/types.h"
#include "detail/builtins.h"
#include "detail/regions.h"
#include "detail/objects.h"
#include "detail/operators.h"
#include "detail/simd_control_flow.h"
#include "detail/lanes.h"
#include "detail/standard.h"
#include "detail/arithmetic.h"
#include "detail/bits.h"
#include "detail/elementary.h"
#include "detail/low_precision.h"
#include "detail/surfaces.h"
#include "detail/atomics.h"
#include "detail/threads.h"
#include "detail/dpas.h"
#include "detail/synchronization.h"
#include "detail/slm.h"
#include "detail/svm.h"
#include "detail/printing.h"
#include "detail/lsc.h"
#include "detail/lsc_2d.h"
#include "detail/pixels.h"
#include "detail/pointers.h"
#include "detail/fixed_function.h"
#include "detail/spellings.h"
