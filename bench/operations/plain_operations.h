// The operations of the language as loops in C++.
#pragma once

#include <vector>

enum class Element {
  Integer1,
  Integer2,
  Integer4,
  Integer8,
  Integer1U,
  Integer2U,
  Integer4U,
  Integer8U,
  Half,
  Float,
  Double
};

constexpr int plainCount = 4096; ///< Elements that a round goes over; results have as many again for scattered ones.

struct Operation {
  const char *name;
  Element result, first, second;
  void (*plain)(const void *first, const void *second, void *result, int rounds);
};

const std::vector<Operation> &operations();
