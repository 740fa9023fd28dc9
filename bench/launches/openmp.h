//===- openmp.h - The plain loops of bench-launches as GNU's OpenMP shares them ----------===//
#pragma once

namespace bench {

/// Calls `loop(n)` so many times on so many host threads, which wait for the next such call awake; in equal parts, or
/// in parts that get smaller.
void shareByOpenMP(unsigned hosts, unsigned count, bool equal, void (*loop)(int n), int n);

} // namespace bench
