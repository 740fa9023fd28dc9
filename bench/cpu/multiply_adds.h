// What multiply_adds.cpp measures, which g++ compiles for this machine: billions of operations that a core makes in a second
// at most, two for a multiply-add; 0 where there is no instruction for it.
#pragma once

double float_limit();
double double_limit();
/// Products of bytes that are added four at a time.
double byte_limit();
/// Products of bfloat16 that are added two at a time; where there is no instruction for it, those of floats.
double bfloat_limit();
