//===- cm/cmtl/dataport/slm.h - A part of cm/cmtl/dataport.h, for programs that include it alone ---------===//
#pragma once
#include <cm/cmtl/dataport.h>
