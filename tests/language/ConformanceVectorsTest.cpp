// The hand-checkable expectations of the language reference (its chapter of conformance vectors), as far as the
// language is built, and rows for the members and conversions beside them.
#include "Conformance.h"
#include <regex>

namespace {

using test::Row;

// 0, 1, 2, ... as the reference's w.
#define W8 "vector<int, 8> w = {0, 1, 2, 3, 4, 5, 6, 7}; w += zero; "
#define M44 "matrix<int, 4, 4> m; for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) m(i, j) = i * 4 + j + zero; "

TEST(Conformance, conversions) {
  test::check({
      {"VEC-01 CNV-01", "ushort", "vector<uchar, 1> a = 200 + zero, b = 100; out = a + b;", {300}},
      {"VEC-02 CNV-14", "uchar", "vector<uchar, 1> a = 200 + zero, b = 100; out = a + b;", {44}},
      {"VEC-03 CNV-14", "uchar", "vector<int, 1> a = 275 + zero; out = vector<uchar, 1>(a);", {19}},
      {"VEC-04 CNV-22 INI-08", "uchar", "vector<int, 1> a = 275 + zero; out = vector<uchar, 1>(a, SAT);", {255}},
      {"VEC-05 CNV-22", "uchar", "vector<int, 1> a = -5 + zero; out = vector<uchar, 1>(a, SAT);", {0}},
      {"VEC-06 CNV-22", "char", "vector<int, 1> a = -300 + zero; out = vector<char, 1>(a, SAT);", {-128}},
      {"VEC-07 CNV-21", "float", "vector<int, 1> a = 7 + zero; out = vector<float, 1>(a, SAT);", {1}},
      {"VEC-08 CNV-21", "float", "vector<float, 1> a = -2.5f + zero; out = vector<float, 1>(a, SAT);", {0}},
      {"VEC-09 CNV-15", "uint", "vector<float, 1> a = 3.9f + zero; out = a;", {3}},
      {"VEC-10 CNV-15", "int", "vector<float, 1> a = -3.9f + zero; out = a;", {-3}},
      {"VEC-11 CNV-07", "int", "vector<int, 2> v = 5 + zero; v += 2.7f; out = v;", {7, 7}},
      {"VEC-12 CNV-07", "int", "vector<int, 2> v = 5 + zero; v *= 0.5f; out = v;", {2, 2}},
      {"VEC-13 CNV-04", "float", "vector<int, 2> v = 5 + zero; out = v + 2.5f;", {7.5, 7.5}},
      {"VEC-14 OPR-04 OPR-05",
       "int",
       "vector<int, 2> v = -7 + zero; out(0) = (v / 2)(0); out(1) = (v % 2)(0);",
       {-3, -1}},
      {"OPR-04 OPR-05 beyond the type",
       "int",
       "vector<int, 4> x = {-2147483647 - 1, 8, 9, -9}, y = {-1, -1, 2, 2}; y += zero; out.select<2, 1>(0) = (x / "
       "y).select<2, 1>(0); out.select<2, 1>(2) = (x % y).select<2, 1>(2); out(1) += x(0) / y(0) + 7 / (zero + 1);",
       {-2147483648.0, 2147483647, 1, -1}},
      {"VEC-15 OPR-08", "int", "vector<int, 1> v = -8 + zero; out = v >> 1;", {-4}},
      {"VEC-15 OPR-08", "uint", "vector<uint, 1> v = 0xFFFFFFF8u + zero; out = v >> 1;", {0x7FFFFFFC}},
      {"VEC-16 CNV-08", "ushort", "vector<uchar, 1> v = 0x80 + zero; out = v << 1;", {0x100}},
      {"VEC-17 OPR-16 CNV-12", "ushort", "vector<int, 4> v = {1, 5, 3, 7}; v += zero; out = v > 3;", {0, 1, 0, 1}},
      {"VEC-18 OPR-13", "ushort", "vector<int, 4> v = {0, 2, 0, -1}; v += zero; out = !v;", {1, 0, 1, 0}},
      {"CNV-22 SAT of unsigned", "char", "vector<uint, 2> a = 200u + zero; out = vector<char, 2>(a, SAT);", {127, 127}},
      {"CNV-22 SAT of wide",
       "int",
       "vector<long long, 2> a = -5000000000ll + zero; out = vector<int, 2>(a, SAT);",
       {-2147483648.0, -2147483648.0}},
      {"CNV-22 SAT signed to unsigned", "uint", "vector<int, 2> a = -1 + zero; out = vector<uint, 2>(a, SAT);", {0, 0}},
      {"CNV-21 NaN", "float", "vector<float, 2> a = float(zero); a = a / a; out = vector<float, 2>(a, SAT);", {0, 0}},
      {"CNV-02", "half", "vector<half, 2> a = 1.5f + zero, b = 0.25f; out = a * b;", {0.375, 0.375}},
      {"CNV-02",
       "float",
       "vector<half, 2> a = 1.5f + zero; out = a * 0.1f;",
       {double(1.5f * 0.1f), double(1.5f * 0.1f)}},
      {"CNV-06", "double", "vector<float, 1> a = 0.1f + zero; out = a * 2.0;", {double(0.1f) * 2.0}},
      {"CNV-15 clamped", "uchar", "vector<float, 2> a = {300.5f, -7.0f}; a += zero; out = a;", {255, 0}},
      {"CNV-11",
       "int",
       "matrix<int, 2, 2> m = 3 + zero; vector<int, 4> v = {1, 2, 3, 4}; out = (m + v).select<2, 2>(1).replicate<2>();",
       {5, 7, 5, 7}},
  });
}

// CM leaves the quotients open; docs/numerics.md does not.
TEST(Conformance, divisionByZero) {
  const char *device = std::getenv("POCM_TEST_DEVICE");
  bool divider = device && std::regex_match(device, std::regex("gensim:(skl|icllp|tgllp)"));
  double most = divider ? 2147483647 : 7, least = divider ? -2147483648.0 : -7, rest = divider ? 7 : 0;
  test::check({
      {"OPR-04 vector",
       "int",
       "vector<int, 4> x = {7, -7, 9, -9}, y = {0, 0, 2, 2}; y += zero; out = x / y;",
       {most, least, 4, -4}},
      {"OPR-05 vector",
       "int",
       "vector<int, 4> x = {7, -7, 9, -9}, y = {0, 0, 2, 2}; y += zero; out = x % y;",
       {rest, -rest, 1, -1}},
      {"OPR-04 scalar", "int", "int x = 7 + zero; out(0) = x / zero; out(1) = x % zero;", {most, rest}},
      {"OPR-04 unsigned",
       "uint",
       "vector<uint, 3> x = 200, y = {0, 3, 7}; y += zero; out = x / y;",
       {divider ? 4294967295.0 : 200, 66, 28}},
      {"OPR-04 of bytes",
       "uchar",
       "vector<uchar, 3> x = 200, y = {0, 3, 7}; y += zero; out = x / y;",
       {divider ? 255.0 : 200, 66, 28}},
  });
}

TEST(Conformance, membersAndRegions) {
  test::check({
      {"VEC-24 MEM-08", "int", W8 "out = w.select<4, 2>(1);", {1, 3, 5, 7}},
      {"VEC-25 MEM-08", "int", W8 "w.select<4, 2>(0) = 9; out = w;", {9, 1, 9, 3, 9, 5, 9, 7}},
      {"VEC-26 EVA-01", "int", W8 "w.select<7, 1>(1) = w.select<7, 1>(0); out = w;", {0, 0, 1, 2, 3, 4, 5, 6}},
      {"VEC-27 MEM-09", "int", M44 "out = m.select<2, 2, 2, 2>(1, 0);", {4, 6, 12, 14}},
      {"VEC-28 MEM-16", "int", M44 "out = m.row(2);", {8, 9, 10, 11}},
      {"VEC-28 MEM-17", "int", M44 "out = m.column(1);", {1, 5, 9, 13}},
      {"VEC-29 MEM-12", "int", W8 "vector<ushort, 4> i = {7, 0, 0, 3}; i += zero; out = w.iselect(i);", {7, 0, 0, 3}},
      {"VEC-29",
       "int",
       W8 "vector<ushort, 4> i = {7, 0, 1, 3}; i += zero; vector<uint, 8> u = w - 1, d = w + 1; vector<uint, 4> v = "
          "w.select<4, 1>(2); out = cm_min<uint>(v, u.iselect(i)) + v % d.iselect(i);",
       {4, 3, 0, 3}},
      {"VEC-29 MEM-12 constant",
       "int",
       W8 "const ushort c[] = {6, 4, 2, 0}; vector<ushort, 4> i(c); out = w.iselect(i);",
       {6, 4, 2, 0}},
      {"VEC-30 MEM-13",
       "int",
       M44 "vector<short, 2> i = {0, 3}, j = {1, 2}; i += zero; out = m.iselect(i, j);",
       {1, 14}},
      {"VEC-31 REP-02", "int", W8 "out = w.replicate<2, 4>(2);", {2, 3, 4, 5, 2, 3, 4, 5}},
      {"VEC-32 REP-03", "int", W8 "out = w.replicate<4, 2, 2>(0);", {0, 1, 2, 3, 4, 5, 6, 7}},
      {"VEC-33 REP-04", "int", W8 "out = w.replicate<2, 4, 4, 0>(1);", {1, 1, 1, 1, 5, 5, 5, 5}},
      {"VEC-34 REP-04", "int", W8 "out = w.replicate<3, 1, 3, 2>(0);", {0, 2, 4, 1, 3, 5, 2, 4, 6}},
      {"VEC-35 REP-02 PIT-10", "int", M44 "out = m.replicate<2, 4>(1, 2);", {6, 7, 8, 9, 6, 7, 8, 9}},
      {"REP-06", "int", M44 "out = m.replicate<1, 4>(1);", {4, 5, 6, 7}},
      {"REP-01", "int", W8 "out = w.select<3, 1>(5).replicate<2>();", {5, 6, 7, 5, 6, 7}},
      {"REP-04 of a strided region", "int", W8 "out = w.select<4, 2>(1).replicate<2, 2, 2, 1>(0);", {1, 3, 5, 7}},
      {"REP-04 run-time offset", "int", W8 "out = w.replicate<2, 4, 2, 1>(zero + 1);", {1, 2, 5, 6}},
      {"VEC-36 FMT-01", "uchar", "vector<uint, 1> v = 0x04030201u + zero; out = v.format<uchar>();", {1, 2, 3, 4}},
      {"VEC-37 FMT-01 MEM-03", "int", "vector<uchar, 7> v; out = v.format<ushort>().n_elems() + zero;", {3}},
      {"FMT-02", "ushort", W8 "out = w.format<ushort, 4, 4>().row(1);", {2, 0, 3, 0}},
      {"FMT-05", "int", W8 "w.format<uchar>()(4) = 77; out = w.select<2, 1>(0);", {0, 77}},
      {"VEC-38 INI-04", "int", "static const int a[] = {1, 2, 3}; vector<int, 2> v(a); out = v + zero;", {1, 2}},
      {"VEC-39 INI-05",
       "int",
       "static const short t[2][4] = {{1, 2}, {3}}; vector<int, 8> v(t); out = v + zero;",
       {1, 2, 0, 0, 3, 0, 0, 0}},
      {"MEM-07", "int", M44 "out = m[2]; out(1) = m[3][zero + 1];", {8, 13, 10, 11}},
      {"MEM-11", "int", W8 "w.select_all() = 4; out = w;", {4, 4, 4, 4, 4, 4, 4, 4}},
      {"OBJ-04 INI-10",
       "int",
       W8 "vector_ref<int, 4> r = w.select<4, 2>(0); r = r * 10; out = w;",
       {0, 1, 20, 3, 40, 5, 60, 7}},
      {"FUN-10 MEM-01 MEM-02", "int", M44 "out(0) = m.n_rows() * 10 + m.n_cols();", {44}},
  });
}

TEST(Conformance, mergeAnyAll) {
  test::check({
      {"VEC-19 ANY-01 PIT-06", "ushort", "vector<ushort, 2> m = zero; out = vector<ushort, 2>(~m).any();", {1}},
      {"VEC-19 ANY-02 PIT-06", "ushort", "vector<ushort, 2> m = 1 + zero; out = vector<ushort, 2>(~m).all();", {1}},
      {"VEC-20 MRG-01 MRG-04",
       "int",
       "vector<ushort, 4> m = {1, 2, 3, 4}; m += zero; vector<int, 4> d = 0; d.merge(9, m); out = d;",
       {9, 0, 9, 0}},
      {"VEC-21 ANY-01", "ushort", "vector<ushort, 4> m = {0, 2, 0, 0}; m += zero; out = m.any();", {1}},
      {"VEC-21 ANY-02", "ushort", "vector<ushort, 4> m = {1, 2, 3, 4}; m += zero; out = m.all();", {1}},
      {"ANY-02", "ushort", "vector<float, 3> m = {1, 0, 3}; m += zero; out = m.all();", {0}},
      {"ANY-01", "ushort", "matrix<char, 2, 2> m = zero; out = m.any();", {0}},
      {"VEC-22 MRG-05", "int", "vector<int, 4> d = 2 + zero, x = 4; d.merge(x, 0xA + zero); out = d;", {2, 4, 2, 4}},
      {"VEC-23 MRG-02", "int", "vector<int, 4> d; d.merge(1, 2, 0x5 + zero); out = d;", {1, 2, 1, 2}},
      {"MRG-05 beyond 32", "int", "vector<int, 40> d = zero; d.merge(1, -1 + zero); out = d.select<2, 8>(31);", {1, 0}},
      {"MRG-03",
       "int",
       "vector<int, 4> d = zero; vector<float, 4> x = 2.75f; d.merge(x, d == 0); out = d;",
       {2, 2, 2, 2}},
      {"MRG-07", "int", W8 "w.merge(w + 1, w, w > 3); out = w;", {0, 1, 2, 3, 5, 6, 7, 8}},
      {"MRG-09", "int", W8 "w.select<4, 2>(0).merge(-1, w.select<4, 2>(0) < 3); out = w;", {-1, 1, -1, 3, 4, 5, 6, 7}},
  });
}

} // namespace
