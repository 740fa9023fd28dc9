//===- openmp.h - The plain loops of bench-launches as GNU's OpenMP shares them ----------===//
#pragma once

namespace bench {

/// Calls `loop(n)` so many times on so many host threads, which wait for the next such call awake; in equal parts, or
/// in parts that get smaller.
void shareByOpenMP(unsigned hosts, unsigned count, bool equal, void (*loop)(int n), int n);

/// Calls `loops(count, n)` for so many rows of as many columns, `step` of them in a call, when the same columns of the
/// row above are done.
void waveByOpenMP(unsigned hosts, unsigned side, unsigned step, void (*loops)(unsigned count, int n), int n);

} // namespace bench
