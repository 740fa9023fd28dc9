// Built-in functions of the language reference's chapters 7.1 to 7.5, row by row.
#include "Conformance.h"

namespace {

TEST(Builtins, arithmetic) {
  test::check({
      {"VEC-40 ARI-06", "uchar", "vector<uchar, 2> a = 3 + zero, b = 4; out = cm_avg<uchar>(a, b);", {4, 4}},
      {"VEC-40 ARI-06", "int", "vector<int, 2> a = -3 + zero, b = -4; out = cm_avg<int>(a, b);", {-3, -3}},
      {"ARI-06 exact", "uint", "vector<uint, 1> a = 0xFFFFFFFFu + zero; out = cm_avg<uint>(a, a);", {4294967295.0}},
      {"VEC-41 ARI-02",
       "uchar",
       "vector<uchar, 2> a = 200 + zero, b = 100; out = cm_add<uchar>(a, b, SAT);",
       {255, 255}},
      {"VEC-41 ARI-02", "char", "vector<char, 2> a = -100 + zero; out = cm_add<char>(a, a, SAT);", {-128, -128}},
      {"ARI-02", "uchar", "vector<uchar, 2> a = 200 + zero, b = 100; out = cm_add<uchar>(a, b);", {44, 44}},
      {"ARI-02", "int", "vector<int, 1> a = 2147483647 + zero; out = cm_add<int>(a, 1, SAT);", {2147483647}},
      {"ARI-02", "uint", "vector<uint, 1> a = 4000000000u + zero; out = cm_add<uint>(a, a, SAT);", {4294967295.0}},
      {"ARI-02", "uint", "vector<uint, 2> a = 3 + zero; a(1) = 20; out = cm_add<uint>(a, -16, SAT);", {0, 4}},
      {"ARI-02", "float", "vector<float, 1> a = 0.75f + zero; out = cm_add<float>(a, a, SAT);", {1}},
      {"ARI-02 scalars", "int", "out = cm_add<int>(40 + zero, 2);", {42}},
      {"ARI-02 64 bits",
       "long long",
       "vector<long long, 1> a = 9223372036854775807ll + zero; out = cm_add<long long>(a, a, SAT);",
       {9223372036854775807.0}},
      {"ARI-03", "ushort", "vector<uchar, 2> a = 250 + zero; out = cm_mul<ushort>(a, a);", {62500, 62500}},
      {"ARI-03", "uchar", "vector<uchar, 2> a = 250 + zero; out = cm_mul<uchar>(a, a, SAT);", {255, 255}},
      {"VEC-42 ARI-01", "int", "vector<int, 1> a = -2147483647 - 1 + zero; out = cm_abs<int>(a);", {-2147483648.0}},
      {"VEC-42 ARI-01", "int", "vector<int, 1> a = -2147483647 - 1 + zero; out = cm_abs<int>(a, SAT);", {2147483647}},
      {"ARI-01", "char", "vector<char, 3> a = {-128, -1, 127}; a += zero; out = cm_abs(a, SAT);", {127, 1, 127}},
      {"ARI-01", "float", "vector<float, 2> a = {-1.5f, 2}; a += zero; out = cm_abs<float>(a);", {1.5, 2}},
      {"ARI-01 scalar", "int", "out = cm_abs(-7 + zero);", {7}},
      {"VEC-43 ARI-04 PIT-18",
       "uint",
       "vector<uint, 1> a = 0xFFFFFFFFu + zero, b = 2, c = 7; out(0) = cm_addc(a, b, c)(0) * 10 + c(0);",
       {11}},
      {"ARI-04 region",
       "uint",
       "vector<uint, 2> a = {0xFFFFFFFFu, 1}; a += zero; vector<uint, 4> c = 9; cm_addc(a, 1u, c.select<2, 2>(0)); out "
       "= c;",
       {1, 9, 0, 9}},
      {"VEC-44 ARI-05",
       "uint",
       "vector<uint, 1> a = 1 + zero, b = 2, c; vector<uint, 2> r; r.select<1, 1>(0) = cm_subb(a, b, c); r(1) = c(0); "
       "out "
       "= r;",
       {4294967295.0, 1}},
      {"ARI-07", "int", "vector<int, 2> a = {-7, 7}; a += zero; out = cm_quot<int>(a, 2);", {-3, 3}},
      {"ARI-08", "int", "vector<int, 2> a = {-7, 7}; a += zero; out = cm_mod<int>(a, 4);", {-3, 3}},
      {"ARI-09 PIT-17",
       "int",
       "vector<int, 2> a = {17, -17}, r; a += zero; vector<int, 2> q = cm_div<int>(r, a, 5); out = q * 10 + r;",
       {32, -32}},
      {"VEC-45 ARI-10",
       "uint",
       "vector<uint, 1> a = 0x80000000u + zero, lo; vector<uint, 2> r; r.select<1, 1>(0) = cm_imul<uint>(lo, a, 2u); "
       "r(1) "
       "= lo(0); out = r;",
       {1, 0}},
      {"VEC-46 ARI-10",
       "int",
       "vector<int, 1> a = -2 + zero, lo; vector<int, 2> r; r.select<1, 1>(0) = cm_imul<int>(lo, a, 3); r(1) = lo(0); "
       "out "
       "= r;",
       {-1, -6}},
      {"ARI-11", "int", "vector<short, 2> a = {-5, 9}; a += zero; out = cm_max<int>(a, 3);", {3, 9}},
      {"ARI-11", "uchar", "vector<int, 2> a = {-5, 300}; a += zero; out = cm_min<uchar>(a, 280, SAT);", {0, 255}},
      {"ARI-11 NaN", "float", "vector<float, 2> a = float(zero); a = a / a; out = cm_max<float>(a, 2.0f);", {2, 2}},
      {"VEC-62 ARI-12",
       "ushort",
       "vector<uchar, 2> a = {10, 20}, b = {13, 15}; a += zero; out = cm_sad2<ushort>(a, b);",
       {8, 0}},
      {"ARI-13",
       "ushort",
       "vector<uchar, 4> a = {10, 20, 0, 255}, b = {13, 15, 255, 0}; vector<ushort, 4> c = 100 + zero; out = "
       "cm_sada2<ushort>(a, b, c);",
       {108, 0, 610, 0}},
      {"ARI-12 a scalar for all, cut to a byte; one element; scalars",
       "ushort",
       "vector<uchar, 4> a = {10, 20, 30, 1}; vector<uchar, 1> one = 3 + zero; uchar b = 250 + zero; out.select<4, "
       "1>(0) "
       "= cm_sad2<ushort>(a, 256 + 5); out(4) = cm_sad2<ushort>(one, 10)(0); out(5) = cm_sad2<ushort>(b, 1); out(6) = "
       "cm_sad2<ushort>(-3 + zero, 4); out(7) = cm_sada2<ushort>(b, 1, 7);",
       {20, 0, 29, 0, 7, 249, 7, 256}},
      {"VEC-61 ARI-14 PIT-15",
       "float",
       "vector<float, 4> x = 8 + zero, y = 4; out = cm_lrp(0.25f, x, y);",
       {5, 5, 5, 5}},
      {"VEC-60 ARI-15",
       "float",
       "vector<float, 4> p = {2, 7, 7, 1}; vector<float, 8> v = 3.0f + zero; out = cm_line(p, v).select<2, 1>(0);",
       {7, 7}},
      {"ARI-16",
       "float",
       "vector<float, 4> p = {2, 3, 7, 1}; vector<float, 8> u = 10 + zero, v = 100; out = cm_pln(p, u, v).select<2, "
       "1>(0);",
       {321, 321}},
      {"VEC-58 ARI-19 PIT-14",
       "float",
       "vector<float, 4> a = {1, 2, 3, 4}, b = 1 + zero; out = cm_dp4(a, b);",
       {10, 10, 10, 10}},
      {"VEC-59 ARI-20",
       "float",
       "vector<float, 4> a = {1, 2, 3, 9}, b = {1, 1, 1, 5}; a += zero; out = cm_dph(a, b);",
       {11, 11, 11, 11}},
      {"ARI-17 ARI-18",
       "float",
       "vector<float, 8> a = {1, 2, 3, 4, 10, 20, 30, 40}; a += zero; vector<float, 8> r = cm_dp2(a, a); r.select<4, "
       "1>(0) = cm_dp3(a, a).select<4, 1>(0); out = r;",
       {14, 14, 14, 14, 500, 500, 500, 500}},
      {"VEC-63 ARI-21", "float", "vector<float, 2> a = {-1.25f, 2.5f}; a += zero; out = cm_frc(a);", {0.75, 0.5}},
      {"ARI-21 type", "float", "vector<half, 2> a = {-1.25f, 2.5f}; a += zero; out = cm_frc<float>(a);", {0.75, 0.5}},
  });
}

TEST(Builtins, byteDotProducts) {
  test::check({
      {"VEC-65 DPA-01",
       "int",
       "vector<int, 2> c = 10 + zero, a = int(0xFF030201), b = 0x01010101; out = cm_dp4a<int>(c, a, b);",
       {15, 15}},
      {"VEC-65 DPA-01",
       "int",
       "vector<int, 2> c = 10 + zero, b = 0x01010101; vector<uint, 2> a = 0xFF030201u; out = cm_dp4a<int>(c, a, b);",
       {271, 271}},
      {"DPA-01", "int", "vector<int, 1> c = 2147483647 + zero, a = 1; out = cm_dp4a<int>(c, a, a, SAT);", {2147483647}},
      {"DPA-01", "uint", "vector<uint, 1> c = 4294967295u + zero, a = 1; out = cm_dp4a<uint>(c, a, a);", {0}},
  });
}

TEST(Builtins, rounding) {
  test::check({
      {"RND-01", "float", "vector<float, 3> a = {-1.5f, 1.5f, 2}; a += zero; out = cm_rndd<float>(a);", {-2, 1, 2}},
      {"RND-02", "int", "vector<float, 3> a = {-1.5f, 1.25f, 2}; a += zero; out = cm_rndu<int>(a);", {-1, 2, 2}},
      {"VEC-64 RND-03",
       "float",
       "vector<float, 3> a = {0.5f, 1.5f, 2.5f}; a += zero; out = cm_rnde<float>(a);",
       {0, 2, 2}},
      {"RND-04",
       "char",
       "vector<float, 3> a = {-1.75f, 1.75f, 1000}; a += zero; out = cm_rndz<char>(a);",
       {-1, 1, 127}},
      {"RND-01 of doubles",
       "double",
       "vector<double, 7> a = {-2.5, -0.5, 0.3, 1.5, 4503599627370495.5, -7.75, -1e300}; a += double(zero); out = "
       "cm_rndd<double>(a);",
       {-3, -1, 0, 1, 4503599627370495, -8, -1e300}},
      {"RND-02 of doubles",
       "double",
       "vector<double, 7> a = {-2.5, -0.5, 0.3, 1.5, 4503599627370495.5, -7.75, -1e300}; a += double(zero); out = "
       "cm_rndu<double>(a);",
       {-2, 0, 1, 2, 4503599627370496, -7, -1e300}},
      {"RND-03 of doubles",
       "double",
       "vector<double, 7> a = {-2.5, -0.5, 0.3, 1.5, 4503599627370495.5, -7.75, -1e300}; a += double(zero); out = "
       "cm_rnde<double>(a);",
       {-2, 0, 0, 2, 4503599627370496, -8, -1e300}},
      {"RND-04 of doubles",
       "double",
       "vector<double, 7> a = {-2.5, -0.5, 0.3, 1.5, 4503599627370495.5, -7.75, -1e300}; a += double(zero); out = "
       "cm_rndz<double>(a);",
       {-2, 0, 0, 1, 4503599627370495, -7, -1e300}},
      {"RND-01 signs of zeros",
       "unsigned long long",
       "vector<double, 3> a = {-0.0, -0.25, 0.25}; a += -0.0 * (zero + 1); vector<double, 3> r = cm_rndz<double>(a); "
       "out.select<3, 1>(0) = r.format<unsigned long long>() >> 63; r = cm_rndu<double>(a); out(3) = r.format<unsigned "
       "long long>()(1) >> 63;",
       {1, 1, 0, 1}},
      {"RND-05", "float", "vector<float, 2> a = {-3.5f, 7.25f}; a += zero; out = cm_rndd<float>(a, SAT);", {0, 1}},
  });
}

TEST(Builtins, elementary) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  test::check({
      {"MTH-01", "float", "vector<float, 3> x = {4, -0.5f, 0}; x += zero; out = cm_inv(x);", {0.25, -2, inf}},
      {"VEC-57 MTH-02 PIT-13",
       "float",
       "vector<float, 4> x = {8, 0.5f, 0, -1}; x += zero; out = cm_log(x);",
       {3, -1, -inf, nan}},
      {"VEC-57 MTH-03", "float", "vector<float, 3> x = {3, -2, 0}; x += zero; out = cm_exp(x);", {8, 0.25, 1}},
      {"MTH-03 scalar", "float", "out = cm_exp(float(zero + 4));", {16}},
      {"MTH-04", "float", "vector<float, 2> x = {9, 2.25f}; x += zero; out = cm_sqrt(x);", {3, 1.5}},
      {"MTH-04 half", "half", "vector<half, 2> x = {9, 2.25f}; x += zero; out = cm_sqrt(x);", {3, 1.5}},
      {"MTH-05", "double", "vector<double, 1> x = 2.0 + zero; out = cm_sqrt_ieee(x);", {std::sqrt(2.0)}},
      {"MTH-06", "float", "vector<float, 2> x = {4, 16}; x += zero; out = cm_rsqrt(x);", {0.5, 0.25}},
      {"MTH-07 AMB-28",
       "float",
       "vector<float, 3> x = {2, 9, -2}, y = {10, 0.5f, 2}; x += zero; out = cm_pow(x, y);",
       {1024, 3, nan}},
      {"MTH-07 MTH-13 a constant of double beside floats",
       "float",
       "vector<float, 2> x = {3, 4}; x += zero; auto p = cm_pow(2.0, x); static_assert(std::is_same<decltype(p), "
       "vector<float, 2>>::value); out.select<2, 1>(0) = p; out.select<2, 1>(2) = cm_div_ieee(x, 0.5);",
       {8, 16, 6, 8}},
      {"MTH-08", "float", "vector<float, 2> x = zero; out(0) = cm_sin(x)(0); out(1) = cm_cos(x)(0);", {0, 1}},
      {"MTH-09 PIT-16", "float", "vector<float, 1> x = zero, c; out(0) = cm_sincos(c, x)(0); out(1) = c(0);", {0, 1}},
      {"MTH-10",
       "float",
       "vector<float, 1> x = 1.0f + zero; out(0) = cm_acos(x)(0); out(1) = cm_asin(x - 1)(0);",
       {0, 0}},
      {"MTH-11", "float", "vector<float, 1> x = 1.0f + zero; out = cm_atan(x);", {double(std::atan(1.0f))}},
      {"MTH-13",
       "float",
       "vector<float, 2> x = {1, 7}; x += zero; out = cm_div_ieee(x, 3.0f);",
       {double(1.0f / 3.0f), double(7.0f / 3.0f)}},
      {"MTH-14", "float", "vector<float, 2> x = {-7.5f, 7.5f}; x += zero; out = cm_frem(x, 2.0f);", {-1.5, 1.5}},
      {"MTH-15", "float", "vector<float, 1> x = zero; out = cm_tanh(x);", {0}},
      {"MTH-16", "float", "vector<float, 1> x = zero; out = cm_sigmoid(x);", {0.5}},
      {"CNV-21 of functions",
       "float",
       "vector<float, 2> x = {3, -9}; x += zero; out = cm_exp(x, SAT);",
       {1, 1.0 / 512}},
  });
}

TEST(Builtins, bits) {
  test::check({
      {"BIT-01", "uchar", "vector<uchar, 2> a = 200 + zero; out = cm_shl<uchar>(a, 1, SAT);", {255, 255}},
      {"BIT-01", "uchar", "vector<uchar, 2> a = 200 + zero; out = cm_shl<uchar>(a, 1);", {144, 144}},
      {"BIT-02", "int", "vector<int, 2> a = {-8, 8}; a += zero; out = cm_shr<int>(a, 1);", {-4, 4}},
      {"BIT-03", "uint", "vector<char, 1> a = -1 + zero; out = cm_lsr<uint>(a, 4);", {0x0FFFFFFF}},
      {"BIT-04", "int", "vector<uint, 1> a = 0x80000000u + zero; out = cm_asr<int>(a, 31);", {-1}},
      {"BIT-05 AMB-05", "uint", "vector<uint, 1> a = 1 + zero; out = a << 33;", {2}},
      {"VEC-54 BIT-06", "uint", "vector<uint, 1> a = 0x80000001u + zero; out = cm_rol<uint>(a, 4);", {0x18}},
      {"BIT-06", "ushort", "vector<ushort, 1> a = 0x8001 + zero; out = cm_ror<ushort>(a, 1);", {0xC000}},
      {"VEC-52 BIT-07", "uint", "vector<uint, 2> a = {0, 1}; a += zero; out = cm_lzd<uint>(a);", {32, 31}},
      {"VEC-53 BIT-08", "uint", "vector<uint, 1> a = 0xF0F0u + zero; out = cm_cbit(a);", {8}},
      {"BIT-08 narrow", "uint", "vector<char, 1> a = -1 + zero; out = cm_cbit(a);", {8}},
      {"VEC-50 BIT-09", "uint", "vector<uint, 2> a = {8, 0}; a += zero; out = cm_fbl(a);", {3, 4294967295.0}},
      {"VEC-51 BIT-10 PIT-20", "uint", "vector<uint, 1> a = 1 + zero; out = cm_fbh(a);", {31}},
      {"VEC-51 BIT-10", "int", "vector<int, 3> a = {-2, -1, 0}; a += zero; out = cm_fbh(a);", {31, -1, -1}},
      {"BIT-08 type", "uint", "vector<uint, 1> a = 0xF0F0u + zero; out = cm_cbit<uint>(a);", {8}},
      {"BIT-08 seen as a byte", "uint", "vector<int, 1> a = -1 + zero; out = cm_cbit<uchar>(a);", {8}},
      {"BIT-09 type", "uint", "vector<uint, 2> a = {8, 0}; a += zero; out = cm_fbl<uint>(a);", {3, 4294967295.0}},
      {"BIT-10 type", "int", "vector<int, 3> a = {-2, -1, 0}; a += zero; out = cm_fbh<int>(a);", {31, -1, -1}},
      {"VEC-49 BIT-11", "uint", "vector<uint, 1> a = 1 + zero; out = cm_bf_reverse<uint>(a);", {2147483648.0}},
      {"BIT-12",
       "int",
       "vector<short, 2> a = -16 + zero; vector<uchar, 2> b = 0xF0 + zero; vector<ushort, 2> w = 8, o(4, 12); "
       "out.select<2, 1>(0) = cm_bf_extract<int>(w, o, a); out.select<2, 1>(2) = cm_bf_extract<int>(w, o, b); "
       "out.select<2, 1>(4) = cm_bf_extract<short>(4, 4, a);",
       {-1, -1, 15, 0, -1, -1}},
      {"BIT-13",
       "unsigned long long",
       "vector<uint, 2> w = 2, o(4, 30), v = 3 + zero, s(0, 1); out = cm_bf_insert<unsigned long long>(w, o, v, s);",
       {0x30, 0xC0000001}},
      {"RND-01",
       "int",
       "int n = 7 + zero; uint k = 9u + zero; out(0) = cm_rndd<uint>(n / 2); out(1) = cm_rndu<int>(-n); "
       "out(2) = cm_rnde<short>(k); out(3) = cm_rndz<int>(half(-2.5f));",
       {3, -7, 9, -2}},
      {"VEC-47 BIT-12 PIT-19", "uint", "vector<uint, 1> a = 0xF0u + zero; out = cm_bf_extract<uint>(4, 4, a);", {15}},
      {"VEC-47 BIT-12 AMB-17", "int", "vector<int, 1> a = 0xF0 + zero; out = cm_bf_extract<int>(4, 4, a);", {-1}},
      {"BIT-12 to the top, and no width",
       "uint",
       "vector<uint, 3> w = {8, 0, 31}, o = {24, 5, 8}; vector<uint, 3> a = 0xAB123456u + zero; out = "
       "cm_bf_extract<uint>(w, o, a);",
       {0xAB, 0, 0xAB1234}},
      {"VEC-48 BIT-13",
       "uint",
       "vector<uint, 1> a = 0xFFFFFFFFu + zero; out = cm_bf_insert<uint>(8, 8, 0xABu, a);",
       {4294945791.0}},
      {"VEC-66 BIT-14",
       "uint",
       "vector<uint, 1> x = 0xC + zero, y = 0xA, z = 1; out = cm_bfn<BFN_X & BFN_Y | ~BFN_Z>(x, y, z) & 0xF;",
       {0xE}},
      {"VEC-67 BIT-15",
       "ushort",
       "vector<ushort, 2> s = 0xACE1 + zero; out = cm_lfsr(s, ushort(0xB400));",
       {0xE270, 0xE270}},
  });
}

// What builtins give for scalars, element by element, is what they give for vectors.
TEST(Builtins, ofScalarsInLoops) {
  test::check({
      {"BIT-01 element by element",
       "uchar",
       "vector<uchar, 16> a; for (int i = 0; i < 16; ++i) a(i) = i * 15 + zero; "
       "for (int i = 0; i < 16; ++i) out(i) = cm_add<uchar>(uchar(a(i)), 30, SAT);",
       {30, 45, 60, 75, 90, 105, 120, 135, 150, 165, 180, 195, 210, 225, 240, 255}},
      {"ARI-11 element by element",
       "short",
       "vector<short, 16> a; for (int i = 0; i < 16; ++i) a(i) = i * 3 - 9 + zero; "
       "for (int i = 0; i < 16; ++i) out(i) = cm_min<short>(short(a(i)), cm_max<short>(7, short(-a(i))));",
       {-9, -6, -3, 0, 3, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}},
      {"BIT-08 element by element",
       "uint",
       "uint bits = 0xB3 + zero; for (int i = 0; i < 16; ++i) out(i) = 10 + cm_cbit(uint(bits & ((1u << i) - 1)));",
       {10, 11, 12, 12, 12, 13, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15}},
      {"ARI-21 element by element",
       "float",
       "vector<float, 16> a; for (int i = 0; i < 16; ++i) a(i) = i * 0.375f + zero; "
       "for (int i = 0; i < 16; ++i) out(i) = cm_frc(float(a(i)));",
       {0, 0.375, 0.75, 0.125, 0.5, 0.875, 0.25, 0.625, 0, 0.375, 0.75, 0.125, 0.5, 0.875, 0.25, 0.625}},
  });
}

TEST(Builtins, scalarsAsElements) {
  test::check({
      {"CNV scalars clamp",
       "int",
       "float big = 1e20f * (zero + 1), nan = big * big * float(zero); short least = -big; uchar most = big; uint none "
       "= "
       "-big; half h = 60000.0f + zero; vector<int, 8> r = zero; r(0) = big; r(1) = (int)-big; r(2) = least; r(3) = "
       "most; "
       "r(4) = none; r(5) = (int)nan; r(6) = (short)h; r(7) = (int)(zero - 2.9f); out = r;",
       {2147483647, -2147483648.0, -32768, 255, 0, 0, 32767, -2}},
      {"EXP scalars shift by less than their bits",
       "uint",
       "uint n = 40 + zero, x = 3 + zero; int m = -256 + zero; vector<uint, 4> r = zero; r(0) = x << n; r(1) = (x << "
       "30) >> "
       "(n + 20); r(2) = m >> n; r(3) = uint((unsigned long long)(x) << (n + 64) >> 32); out = r;",
       {768, 12, 4294967295.0, 768}},
  });
}

TEST(Builtins, reductionsAndMasks) {
  test::check({
      {"RED-01", "int", "vector<uchar, 20> v = 200 + zero; out = cm_sum<int>(v);", {4000}},
      {"RED-01 AMB-06", "uchar", "vector<uchar, 20> v = 200 + zero; out = cm_sum<uchar>(v, SAT);", {255}},
      {"RED-01 of comparisons",
       "uint",
       "vector<short, 64> v; for (int k = 0; k < 64; ++k) v(k) = k * 3 + zero; uint a = cm_sum<uint>(v >= 50); "
       "uint b = cm_sum<ushort>((v < 9) | (v == 12)); vector<uchar, 16> w = 7 + zero; uint c = cm_sum<uchar>(w == 7); "
       "out = a * 10000 + b * 100 + c;",
       {470416}},
      {"RED-01", "float", "vector<float, 7> v = 0.5f + zero; out = cm_sum<float>(v);", {3.5}},
      {"RED-06", "int", "matrix<int, 3, 5> m = 2 + zero; m(2, 4) = 100; out = cm_sum<int>(m);", {128}},
      {"RED-02", "int", "vector<short, 5> v = 3 + zero; out = cm_prod<int>(v);", {243}},
      {"RED-03", "int", "vector<int, 6> v = {5, -3, 8, 0, 7, 1}; v += zero; out = cm_reduced_min<int>(v);", {-3}},
      {"RED-03", "float", "vector<float, 3> v = {5, -3, 8.5f}; v += zero; out = cm_reduced_max<float>(v);", {8.5}},
      {"VEC-55 RED-04",
       "uint",
       "vector<ushort, 8> m = {1, 0, 2, 3, 0, 0, 0, 1}; m += zero; out = cm_pack_mask(m);",
       {0x89}},
      {"RED-04 32 elements",
       "uint",
       "vector<ushort, 32> m = zero; m(31) = 1; m(0) = 1; out = cm_pack_mask(m);",
       {2147483649.0}},
      {"VEC-56 RED-05", "ushort", "out = cm_unpack_mask<ushort, 8>(0x89 + zero);", {1, 0, 0, 1, 0, 0, 0, 1}},
  });
}

} // namespace
