// Plain C++ loops to compare with, compiled with -O3 -march=native.
#pragma once

#include <cstdint>

extern "C" {
/// The paper's arithmetic: nine bytes summed in float, times 0.1111f. Rows y0 .. y1 - 1 of an image of `rows` rows of
/// `rowBytes` bytes; pixels of three bytes repeat at the edges.
void plain_float(const std::uint8_t *in, std::uint8_t *out, int rowBytes, int rows, int y0, int y1);
/// 16-bit integers throughout: the sum times 7282, shifted right by 16.
void plain_integer(const std::uint8_t *in, std::uint8_t *out, int rowBytes, int rows, int y0, int y1);
}
