// Peers in plain C++.
#pragma once
#include <cstdint>

/// Accelerations of n bodies.
void plain_nbody(int n, const float *x, const float *y, const float *z, const float *m, float softening, float *ax,
                 float *ay, float *az);
/// Sums over upper-left rectangles.
void plain_integral(int width, int height, const std::uint8_t *in, std::uint32_t *out);
