//===- cm/cmtl/math/exp_impl.h - The older name of cm/cmtl/math/exp.h ---------===//
#pragma once
#include <cm/cmtl/math/exp.h>
