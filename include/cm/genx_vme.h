//===- cm/genx_vme.h - Short names of integers, for older programs ---------===//
//
// The header of motion estimation in older versions of the language, which media programs include
// for its names of integers by their bytes. The unit's own functions and macros are known without
// it, and refused by name.
//
//     #include <cm/genx_vme.h>
//     vector<uint1, 16> pixels;            vector<unsigned char, 16>
//
//===----------------------------------------------------------------------===//
#pragma once
#include "cm.h"

typedef char int1;
typedef short int2;
typedef int int4;
typedef unsigned char uint1;
typedef unsigned short uint2;
typedef unsigned int uint4;
