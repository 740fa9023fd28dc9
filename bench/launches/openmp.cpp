//===- openmp.cpp - The plain loops of bench-launches as GNU's OpenMP shares them --------===//
//
// What a user would share loops with instead. Built by g++, as its library is GNU's.
//
//===----------------------------------------------------------------------===//
#include "openmp.h"

void bench::shareByOpenMP(unsigned hosts, unsigned count, bool equal, void (*loop)(int n), int n) {
  const auto threads = int(hosts);
  if (equal) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (unsigned i = 0; i < count; ++i)
      loop(n);
  } else {
#pragma omp parallel for num_threads(threads) schedule(guided)
    for (unsigned i = 0; i < count; ++i)
      loop(n);
  }
}

void bench::waveByOpenMP(unsigned hosts, unsigned side, unsigned step, void (*loops)(unsigned count, int n), int n) {
  const auto threads = int(hosts);
  const auto rows = int(side), steps = int(side / step); // signed: there is no row above the first
#pragma omp parallel for num_threads(threads) schedule(static, 1) ordered(2)
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < steps; ++x) {
#pragma omp ordered depend(sink : y - 1, x)
      loops(step, n);
#pragma omp ordered depend(source)
    }
}
