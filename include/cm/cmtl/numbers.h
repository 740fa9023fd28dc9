//===- cm/cmtl/numbers.h - Mathematical constants ----------------------------------------------===//
#pragma once

namespace cmtl::numbers {
template <class T> inline constexpr T e_v = T(2.718281828459045235360287);
inline constexpr double e = e_v<double>;
template <class T> inline constexpr T log2e_v = T(1.442695040888963407359925);
inline constexpr double log2e = log2e_v<double>;
template <class T> inline constexpr T log10e_v = T(0.434294481903251827651119);
inline constexpr double log10e = log10e_v<double>;
template <class T> inline constexpr T pi_v = T(3.141592653589793238462643);
inline constexpr double pi = pi_v<double>;
template <class T> inline constexpr T inv_pi_v = T(0.318309886183790671537768);
inline constexpr double inv_pi = inv_pi_v<double>;
template <class T> inline constexpr T inv_sqrtpi_v = T(0.564189583547756286948079);
inline constexpr double inv_sqrtpi = inv_sqrtpi_v<double>;
template <class T> inline constexpr T ln2_v = T(0.693147180559945309417232);
inline constexpr double ln2 = ln2_v<double>;
template <class T> inline constexpr T ln10_v = T(2.302585092994045684017991);
inline constexpr double ln10 = ln10_v<double>;
template <class T> inline constexpr T sqrt2_v = T(1.414213562373095048801689);
inline constexpr double sqrt2 = sqrt2_v<double>;
template <class T> inline constexpr T sqrt3_v = T(1.732050807568877293527446);
inline constexpr double sqrt3 = sqrt3_v<double>;
template <class T> inline constexpr T inv_sqrt2_v = T(0.707106781186547524400844);
inline constexpr double inv_sqrt2 = inv_sqrt2_v<double>;
template <class T> inline constexpr T inv_sqrt3_v = T(0.577350269189625764509149);
inline constexpr double inv_sqrt3 = inv_sqrt3_v<double>;
template <class T> inline constexpr T egamma_v = T(0.577215664901532860606512);
inline constexpr double egamma = egamma_v<double>;
template <class T> inline constexpr T phi_v = T(1.618033988749894848204587);
inline constexpr double phi = phi_v<double>;
template <class T> inline constexpr T inv_ln2_v = T(1.442695040888963407359925);
inline constexpr double inv_ln2 = inv_ln2_v<double>;
} // namespace cmtl::numbers
