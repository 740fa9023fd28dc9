// Function templates deduce sizes and element types from every kind of object: references from vectors and matrices,
// values from references, selects, rows and formats, with sizes of every integer type.
#include "Conformance.h"

namespace {

const char *const templates = R"(
template <class T, int N> T last(vector_ref<T, N> v) { return v(N - 1); }
template <class T, uint R, uint C> void add_to_rows(matrix_ref<T, R, C> m, vector_ref<T, C> add) {
  for (int r = 0; r < R; ++r)
    m.row(r) += add;
}
template <typename T, unsigned N> vector<T, N> doubled(vector<T, N> v) { v *= 2; return v; }
template <size_t N> int total(const vector<int, N> &v, int scale = 2) { return cm_sum<int>(v) * scale; }
template <int Step, class T, ushort N> vector<T, N / Step> every(vector_ref<T, N> v) {
  return v.template select<N / Step, Step>(0);
}
template <int N> int kind(vector_ref<int, N>) { return 1; }
template <int R, int C> int kind(matrix_ref<int, R, C>) { return 2; }
template <class T> int kind(T) { return 3; }
template <int N> int chosen(vector_ref<int, N>) { return 10 + N; }
template <int N> int chosen(vector<int, N>) { return 20 + N; }
template <class T, int N> T folded(vector_ref<T, N> v) {
  if constexpr (N == 1) {
    return v(0);
  } else {
    vector<T, N / 2> sums = v.template select<N / 2, 1>(0) + v.template select<N / 2, 1>(N / 2);
    return folded(sums);
  }
}
template <class T, int N> using region = vector_ref<T, N>;
template <int N> void cleared(region<int, N> v) { v = 0; }
template <int N> void declared_first(vector_ref<int, N> v, int x = 5);
template <int N> void declared_first(vector_ref<int, N> v, int x) { v += x; }
namespace mine {
template <class T, int R, int C, class F> void each_row(matrix_ref<T, R, C> m, F &&f) {
  for (int r = 0; r < R; ++r)
    f(m.row(r));
}
template <class... X, int N> int counted(vector_ref<int, N> v, X... x) { return N + sizeof...(X) + (x + ... + 0); }
inline int counted_of(vector<int, 8> &v) { return counted(v, 10, 20); }
} // namespace mine
template <class T, int N>
  requires(N > 4)
int constrained(vector_ref<T, N>) { return 1; }
template <class T, int N>
  requires(N <= 4)
int constrained(vector_ref<T, N>) { return 2; }
template <class T> struct size_of;
template <class T, int N> struct size_of<vector<T, N>> { static constexpr int value = N; };
template <class T, int R, int C> struct size_of<matrix<T, R, C>> { static constexpr int value = R * C; };
template <template <class, int> class V> V<int, 4> fours() { V<int, 4> v = 4; return v; }
template <class T, int N> CM_NOINLINE T called(vector<T, N> v, int i) { return v(i & (N - 1)) + 1; }
)";

const std::vector<test::Row> rows = {
    {"a reference from a vector and a select",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(0); out(0) = last(v); "
     "out(1) = last(v.select<2, 1>(1)); out(2) = last(v.select_all());",
     {3, 2, 3}},
    {"it is the vector itself that changes",
     "int",
     "out = ramp.select<4, 1>(1); cleared(out.select<2, 2>(0)); "
     "vector<int, 2> v = 7; cleared(v); out(3) += v(0);",
     {0, 2, 0, 4}},
    {"a matrix and a select of one, with unsigned sizes",
     "int",
     "matrix<int, 2, 4> m = ramp.select<8, 1>(0); vector<int, 4> add = 10; add_to_rows(m, add); "
     "add_to_rows(m.select<2, 1, 2, 1>(0, 0), add.select<2, 1>(0)); out = m;",
     {20, 21, 12, 13, 24, 25, 16, 17}},
    {"values from selects, rows, columns' formats",
     "int",
     "matrix<int, 2, 4> m = ramp.select<8, 1>(0); out.select<4, 1>(0) = doubled(m.row(1)); "
     "vector<int, 4> halves = doubled(m.select<1, 1, 2, 1>(1, 0).format<short>()); out.select<4, 1>(4) = halves;",
     {8, 10, 12, 14, 8, 0, 10, 0}},
    {"a constant reference, with a default argument",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(0); out(0) = total(v); out(1) = total(v.select<2, 2>(1), 3);",
     {12, 12}},
    {"sizes that are given and sizes that are deduced",
     "int",
     "vector<int, 8> v = ramp.select<8, 1>(0); out.select<4, 1>(0) = every<2>(v); "
     "out.select<2, 1>(4) = every<4>(v.select_all());",
     {0, 2, 4, 6, 0, 4}},
    {"which of several functions",
     "int",
     "vector<int, 4> v = 0; matrix<int, 2, 2> m = 0; out(0) = kind(v.select<2, 1>(0)); out(1) = kind(m.select<1, 1, 2, "
     "1>(0, 0)); out(2) = kind(5); out(3) = chosen(v); out(4) = chosen(v.select<2, 1>(0));",
     {1, 2, 3, 24, 12}},
    {"a template that calls itself",
     "int",
     "vector<int, 8> v = ramp.select<8, 1>(0); out(0) = folded(v); out(1) = "
     "folded(v.select<4, 1>(4));",
     {28, 22}},
    {"declared before it is defined",
     "int",
     "out = 1; declared_first(out); declared_first(out.select<1, 1>(0), 1);",
     {7, 6}},
    {"in a namespace, with functions and packs behind",
     "int",
     "matrix<int, 2, 2> m = ramp.select<4, 1>(0); int sum = 0; mine::each_row(m, [&](auto r) { sum += r(1); }); "
     "vector<int, 8> v = 0; out(0) = sum; out(1) = mine::counted_of(v); out(2) = mine::counted(v.select<4, 1>(0));",
     {4, 40, 4}},
    {"constraints",
     "int",
     "vector<int, 8> v = 0; out(0) = constrained(v); out(1) = constrained(v.select<4, 1>(0)); "
     "vector<int, 2> w = 0; out(2) = constrained(w);",
     {1, 2, 2}},
    {"partial specializations and templates of templates",
     "int",
     "out(0) = size_of<vector<float, 8>>::value; out(1) = size_of<matrix<uchar, 4, 8>>::value; "
     "out(2) = fours<vector>()(1);",
     {8, 32, 4}},
    {"a function that is called",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(0); matrix<int, 2, 4> m = 9; m.row(1) = v; "
     "out(0) = called(v, 2 + zero); out(1) = called(m.row(1), 3 + zero); out(2) = called(v, 1 + zero);",
     {3, 4, 2}},
};

TEST(Deduction, everyKindOfObjectGivesTemplateArguments) { test::check(rows, templates); }

} // namespace
