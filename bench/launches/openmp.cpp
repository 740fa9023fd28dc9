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
