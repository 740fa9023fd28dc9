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
template <int N> int mixed(vector_ref<int, N> changed, vector<int, N> added, vector<short, N / 2> half) {
  changed += added;
  return cm_sum<int>(half);
}
template <int K, int N> void first_of(vector<int, N> v, vector_ref<int, K> r, vector_ref<short, K> s) {
  r = v.template select<K, 1>(0);
  s = r + 1;
}
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
    {"values and references of both kinds, with template arguments written out and without",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(0); vector<short, 2> h = 3; matrix<short, 2, 2> hm = 4; out(0) = "
     "mixed<4>(v, "
     "v, h); out(1) = mixed(v.select<4, 1>(0), v, hm.row(1)); out(2) = mixed<4>(v, ramp.select<4, 1>(1), hm.row(0)); "
     "out(3) = mixed(v, v.select<4, 1>(0), h) + mixed<4>(v.select_all(), 1, 2); out.select<4, 1>(4) = v;",
     {6, 8, 8, 10, 3, 13, 23, 33}},
    {"some of the template arguments written out",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(2); vector<int, 2> r; vector<short, 2> s; first_of<2>(v, r, s); "
     "out.select<2, 1>(0) = r; out.select<2, 1>(2) = s; first_of<2>(v.select<3, 1>(1), r, s.select_all()); "
     "first_of<2, 4>(v, out.select<2, 1>(6), s); out.select<2, 1>(4) = r;",
     {2, 3, 3, 4, 3, 4, 2, 3}},
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

const char *const classes = R"(
struct tile {
  int base;
  template <class T, int N> T ends(vector_ref<T, N> v) const { return base + v(0) + v(N - 1); }
  template <class T, size_t R, uint C> static T corner(matrix<T, R, C> m) { return m(R - 1, C - 1); }
  template <typename T, unsigned N> void scale(vector_ref<T, N> v, T by = 2) { v *= by + base; }
  template <uint R, size_t C> int both(matrix_ref<int, R, C> m, vector<int, C> v);
  template <int N> int nested(vector<int, N> v) { return inner(v.template select<N / 2, 2>(1)); }
private:
  template <int N> int inner(vector_ref<int, N> v) { return N * 100 + v(N - 1); }
};
template <uint R, size_t C> int tile::both(matrix_ref<int, R, C> m, vector<int, C> v) { m.row(0) += v; return m(0, 0) + v(C - 1); }
template <class X> struct generic {
  X x;
  template <int N> void add(vector_ref<X, N> v) { v += x; }
  template <int N> X first(vector<X, N> v) const { return v(0) + x; }
  template <class Y, int N> static int sizes(vector_ref<Y, N>) { return sizeof(X) * 1000 + sizeof(Y) * 100 + N; }
  struct part {
    template <int N> X last(vector_ref<X, N> v) { return v(N - 1); }
  };
};
struct derived : tile, generic<int> {
  template <int N> int sum(vector<int, N> v) { return ends(v) + first(v.template select<2, 1>(1)); }
};
template <class D> int of_a_dependent_object(D d, matrix<int, 2, 4> m) {
  return d.ends(m.row(1)) + d.template ends<int, 2>(m.row(0).template select<2, 1>(0)) + D::corner(m);
}
)";

const std::vector<test::Row> members = {
    {"methods, const, static and with default arguments",
     "int",
     "tile t{1 + zero}; vector<int, 8> v = ramp.select<8, 1>(0); matrix<int, 2, 4> m = v; const vector<int, 4> c = 5; "
     "out(0) = t.ends(v); out(1) = t.ends(m.row(1)); out(2) = t.ends(c); out(3) = tile::corner(m.select<1, 1, 2, 1>(0, "
     "1)); t.scale(v.select<2, 1>(2)); t.scale(m.row(0), 3); out(4) = v(2) + v(4); out(5) = m(0, 3); out(6) = "
     "t.nested(v); out(7) = t.corner(m.select_all());",
     {8, 12, 11, 2, 10, 12, 407, 7}},
    {"defined behind the class",
     "int",
     "tile t{0}; vector<int, 8> v = ramp.select<8, 1>(0); matrix<int, 2, 4> m = v; out(0) = t.both(m, m.row(1)); "
     "out(1) = t.both(m.select<2, 1, 2, 1>(0, 1), v.select<2, 2>(3)); out(2) = m(0, 1);",
     {4 + 7, 6 + 3 + 5, 9}},
    {"class templates, their parts, and what derives from them",
     "int",
     "generic<int> g{4}; vector<int, 8> v = ramp.select<8, 1>(0); g.add(v); g.add(v.select<4, 1>(0)); out(0) = v(0); "
     "out(1) = v(7); out(2) = g.first(v.select<2, 1>(4)); out(3) = "
     "generic<short>::sizes(v.select<3, 2>(0).format<uchar>()); generic<int>::part p; out(4) = p.last(v); derived d; "
     "d.base = 1; d.x = 2; out(5) = d.sum(v); out(6) = of_a_dependent_object(tile{1}, v);",
     {8, 11, 12, 2112, 11, 1 + 8 + 11 + 9 + 2, 1 + 8 + 11 + 1 + 8 + 9 + 11}},
};

TEST(Deduction, membersOfClassesToo) { test::check(members, classes); }

TEST(Deduction, everyKindOfObjectGivesTemplateArguments) { test::check(rows, templates); }

} // namespace
