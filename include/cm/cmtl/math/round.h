//===- cm/cmtl/math/round.h - A part of cm/cmtl/math.h, for programs that include it alone ---------===//
#pragma once
#include <cm/cmtl/math.h>
