//===- Limits.h - What a compilation may take ------------------------------------===//
#pragma once

/// Ends the process with an error, "cmc: error: ...", when the compilation has taken five minutes of the processor, or
/// wants more than 8 GiB of addresses: what src/frontend/Length.cpp does not foresee, such as constant expressions
/// without end.
void takeLimits();
