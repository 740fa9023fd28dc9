// Ways to write things that programs use and the language reference does not show.
#include "Conformance.h"

namespace {

const char *const templates = R"(
template <class V> int of_a_type(V v) {
  auto words = v.format<ushort>();
  vector<ushort, 2> picked = words.select<2, 2>(0);
  return picked(0) + picked(1) + v.select<2, 1>(1)(0) + v.replicate<2>()(5) + v.replicate<2, 1>(3)(1);
}
template <class T, int R, int C> int of_a_matrix(matrix<T, R, C> m) {
  m.select<1, 1, 2, 1>(0, 0) = m.row(1).select<2, 1>(1);
  return m.row(0).format<uint>()(1) + m.select<2, 1, 1, 1>(0, 2).format<uint, 2, 1>()(1, 0);
}
template <class M> int with_template_and_nothing_behind(M m) {
  vector<ushort, 2> last(C_OF(m) - 1, 0);
  return m.template row(1)(0) + m.template column(1)(0, 0) + m.template select_all()(0, 1) + m.template n_elems() +
         m.template n_rows() + m.template n_cols() + m.template any() + m.template all() +
         m.row(0).template iselect(last)(0);
}
struct holder {
  int format, select;
};
template <class H> int compared(H h) { return (h.format < 3) + (h.select > 1); }
int select(int x) { return x + 1; }
)";

const std::vector<test::Row> memberTemplates = {
    {"of a type parameter", "int", "vector<uint, 4> v = ramp.select<4, 1>(1); out(0) = of_a_type(v);", {11}},
    {"of a matrix of a type parameter",
     "int",
     "matrix<int, 2, 4> m = ramp.select<8, 1>(0); out(0) = of_a_matrix(m);",
     {12}},
    {"without arguments",
     "int",
     "matrix<int, 2, 4> m = ramp.select<8, 1>(1); out(0) = "
     "with_template_and_nothing_behind(m); out(1) = with_template_and_nothing_behind(m.select<2, 1, 4, 1>(0, 0));",
     {5 + 2 + 2 + 8 + 2 + 4 + 1 + 1 + 4, 29}},
    {"other members of these names",
     "int",
     "out(0) = compared(holder{2, 2}); out(1) = compared(holder{3, 1}); out(2) = "
     "select(4);",
     {2, 0, 5}},
};

const std::vector<test::Row> formatsOfRegions = {
    {"read: columns, selects, every other element",
     "uint",
     "vector<ushort, 32> w = ramp; matrix<ushort, 4, 4> m = w.select<16, 1>(0); out.select<2, 1>(0) = "
     "m.column(1).format<uint>(); out.select<2, 1>(2) = m.select<2, 2, 2, 2>(0, 1).format<uint>(); out.select<2, 1>(4) "
     "= "
     "w.select<4, 3>(1).format<uint>(); out(6) = m.select<2, 1, 2, 1>(2, 2).format<uchar>()(4); out(7) = "
     "m.column(zero).format<uint, 2, 1>()(1, 0);",
     {1 | 5 << 16, 9 | 13 << 16, 1 | 3 << 16, 9 | 11 << 16, 1 | 4 << 16, 7 | 10 << 16, 14, 8 | 12 << 16}},
    {"written: the region's elements change, and no others",
     "ushort",
     "matrix<ushort, 4, 4> m = 0; m.column(1).format<uint>()(1) = 0x20001; m.select<2, 2, 2, 2>(0, 1).format<uint>() "
     "+= "
     "0x30004; vector<ushort, 16> all = m; out = all;",
     {0, 4, 0, 3, 0, 0, 0, 0, 0, 5, 0, 3, 0, 2, 0, 0}},
    {"a reference to it sees later writes to the region",
     "int",
     "matrix<ushort, 2, 4> m = 1; vector_ref<uint, 1> pair = m.select<2, 1, 1, 1>(0, 2).format<uint>(); m(1, 2) = 5; "
     "out(0) = pair(0); pair(0) = 7; out(1) = m(0, 2); out(2) = m(1, 2); m(0, 2) += 2; out(3) = pair(0);",
     {1 | 5 << 16, 7, 0, 9}},
    {"in a loop, at a place known at run time",
     "int",
     "matrix<uchar, 4, 8> m = ramp; out = 0; for (int i = 0; i < 3 + zero; ++i) { out(i) = m.select<2, 1, 2, 1>(i, i + "
     "zero).format<int>()(0); m.select<2, 1, 2, 1>(i, 4).format<int>() = 0; } out(3) = m(3, 5);",
     {1 << 8 | 8 << 16 | 9 << 24, 9 | 10 << 8 | 17 << 16 | 18 << 24, 18 | 19 << 8 | 26 << 16 | 27 << 24, 0}},
};

TEST(Spellings, formatsOfRegionsWithGapsAreAliases) { test::check(formatsOfRegions); }

const std::vector<test::Row> writtenArguments = {
    {"of results",
     "int",
     "vector<float, 4> v = ramp.select<4, 1>(1); vector<int, 4> n = cm_rndd<int>(v * 1.5f); out.select<4, 1>(0) = n; "
     "out(4) = int(cm_sqrt<float>(16.0f + zero)); vector<short, 4> d = cm_dp4<short>(v, v); out(5) = d(0); "
     "vector<half, 4> h = cm_sqrt<4>(vector<half, 4>(9 + zero)); out(6) = h(1); "
     "out(7) = vector<int, 4>(cm_lrp<float>(0.5f, v, 4.0f))(3);",
     {1, 3, 4, 6, 4, 30, 3, 4}},
    {"of elements and sizes",
     "int",
     "vector<int, 8> v = 0; read<int, 8>(data, 32, v); out.select<4, 1>(0) = v.select<4, 1>(0); vector<int, 4> w; "
     "cm_svm_block_read<int, 4>(memory, w); out.select<4, 1>(4) = w;",
     {8, 9, 10, 11, 100, 101, 102, 103}},
    {"functions of bits",
     "uint",
     "vector<uint, 1> x = 0xC + zero, y = 0xA, z = 0xF; out(0) = cm_bfn<static_cast<BFNT>(0x80)>(x, y, z)(0); out(1) = "
     "cm_bfn<BFN_X | BFN_Y>(x, y, z)(0); out(2) = (cm_bfn<~BFN_X ^ BFNT::Z>(x, y, z) & 0xFu)(0);",
     {8, 14, 12}},
    {"products of 16 columns, with accumulators of one number",
     "float",
     "vector<float, 16> acc = 1; vector<half, 256> b; for (int k = 0; k < 16; ++k) for (int n = 0; n < 16; ++n) b((k / "
     "2 * "
     "16 + n) * 2 + k % 2) = n + (k == 1); vector<half, 16> a = 1; vector<float, 16> r = cm_dpas<CM_PRECISION_HF, "
     "CM_PRECISION_HF, 8, 1, float, uint, uint, 16>(2.0f, b.format<uint>(), a.format<uint>()); out(0) = r(0); out(1) = "
     "r(15); r = cm_dpas<CM_Precision_FP16, CM_Precision_FP16, 8, 1>(acc, b.format<uint>(), a.format<uint>()); out(2) "
     "= "
     "r(3);",
     {3, 243, 50}},
};

const std::vector<test::Row> objects = {
    {"matrices of pointers",
     "uint",
     "uint *q = (uint *)memory; matrix<uint *, 2, 4> m = q; m.set(1, 2, q + 4 + zero); out = gather<uint, "
     "8>(vector<uint "
     "*, 8>(m));",
     {100, 100, 100, 100, 100, 100, 104, 100}},
    {"pointers that are assigned to elements of objects",
     "uint",
     "uint *q = (uint *)memory; vector<uint *, 4> v = q; v(1) = q + 4; v[2] = v(1) + 2; v(3 + zero) = q + 7; "
     "matrix<uint *, 2, 2> m; m(0, 0) = v(1); m(0, 1) = v(3); m(1, 0) = q + 3; m(1, 1) = v(0); "
     "out.select<4, 1>(0) = gather(v); out.select<4, 1>(4) = gather(m); out(8) = v(2)[1]; out(9) = *m(1, zero); "
     "out(10) = v(1) == m(0, 0);",
     {100, 104, 106, 107, 104, 107, 103, 100, 107, 103, 1}},
    {"half and bfloat16 in objects of each other",
     "float",
     "half h = 1.5f + zero; bfloat16 b = 2.25f; vector<half, 4> v = b; vector<__bf16, 4> w = h; v += w; out(0) = v(1); "
     "v "
     "*= b; out(1) = v(2); w = v; out(2) = w(0);",
     {3.75, 8.4375, 8.4375}},
    {"matrices of pointers, gathered and scattered",
     "uint",
     "vector<uint *, 4> v{(uint *)memory, (uint *)memory + 1, (uint *)memory + 2, (uint *)memory + 3 + zero}; "
     "matrix<uint *, 2, 2> m = v; matrix<uint, 2, 2> r = gather(m); out.select<4, 1>(0) = gather<uint, 2, 2>(m, "
     "vector<ushort, 4>{1, 0, 1, 0}, 42); scatter(r + 1, m, vector<ushort, 4>{0, 1, 1, 0}); out.select<4, 1>(4) = "
     "gather(v);",
     {100, 42, 102, 42, 100, 102, 103, 103}},
    {"types that pointers or data tell",
     "ushort",
     "ushort *p = (ushort *)memory; vector<uint, 8> at = ramp.select<8, 1>(0) * 4; vector<ushort, 8> w = "
     "cm_ptr_load(p, at); cm_ptr_store(p, at, w, at < 8); cm_ptr_store(p, at, vector<ushort, 8>(7), at > 8); "
     "out = cm_ptr_load(p, at, at < 24);",
     {100, 101, 102, 7, 7, 7, 0, 0}},
    {"atomics of integers on floats add bits; types of data",
     "uint",
     "vector<uint, 2> at(0, 4); vector<uint, 2> old = cm_ptr_atomic<AtomicOp::IADD>((uint *)memory, at, vector<uint, "
     "2>(5)); out.select<2, 1>(0) = old; out.select<2, 1>(2) = cm_ptr_atomic<AtomicOp::IINC>((uint *)memory, at); "
     "vector<float, 2> f = cm_ptr_atomic<AtomicOp::IADD, float>((float *)memory, at, vector<float, 2>(0.0f)); "
     "out.select<2, 1>(4) = f.format<uint>(); out.select<2, 1>(6) = cm_ptr_load((uint *)memory, at);",
     {100, 101, 105, 106, 106, 107, 106, 107}},
    {"narrow masks end",
     "int",
     "vector<int, 16> v = 0; char m = -1 + zero; v.merge(1, m); out = v;",
     {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"floats to 8 bits by way of half",
     "float",
     "vector<float, 4> f(1.0f + zero, 0.3f, -70000.0f, 1e-7f); vector<uchar, 4> b = cm_bf8_cvt<uchar>(f); vector<half, "
     "4> h = f; vector<uchar, 4> c = cm_bf8_cvt<uchar>(h); out.select<4, 1>(0) = vector<float, 4>(b == c); "
     "out.select<2, 1>(4) = cm_bf8_cvt<float>(b.select<2, 1>(0)); out(6) = cm_hf8_cvt<char>(2.0f + zero); out(7) = "
     "cm_hf8_cvt<float>(char(0x40 + zero));",
     {1, 1, 1, 1, 1, 0.3125, 64, 2}},
    {"masks of any number of elements",
     "uint",
     "vector<ushort, 4> m = 0; m(1) = m(3) = 1; out(0) = cm_pack_mask(m); vector<ushort, 20> n = 0; n(19) = 1; out(1) "
     "= "
     "cm_pack_mask(n);",
     {10, 1 << 19}},
};

const char *const choosers = R"(
vector_ref<uint, 2> of_either(vector_ref<ushort, 16> v, int n) {
  if (n)
    return v.select<4, 2>(n).format<uint>();
  return v.select<4, 3>(n + 1).format<uint>();
}
)";

const std::vector<test::Row> formatsOfChosen = {
    {"one of two formats",
     "uint",
     "vector<ushort, 16> w = ramp.select<16, 1>(0); vector_ref<uint, 2> r = zero ? w.select<4, 2>(0).format<uint>() : "
     "w.select<4, 3>(1).format<uint>(); r(1) = 50 | 60 << 16; out(0) = r(0); out.select<7, 1>(1) = w.select<7, 1>(7);",
     {1 | 4 << 16, 50, 8, 9, 60, 11, 12, 13}},
    {"the format of one of two regions of other strides",
     "ushort",
     "vector<ushort, 16> w = ramp.select<16, 1>(0); vector_ref<ushort, 4> r = zero == 0 ? w.select<4, 2>(1) : "
     "w.select<4, 3>(0); r.format<uint>() += 0x10001; out = w.select<8, 1>(0);",
     {0, 2, 2, 4, 4, 6, 6, 8}},
    {"of a function, at places known at run time",
     "ushort",
     "vector<ushort, 16> w = ramp.select<16, 1>(0); of_either(w, 2 + zero) = 9 | 9 << 16; of_either(w, zero)(0) = 7; "
     "out = w.select<10, 1>(0);",
     {0, 7, 9, 3, 0, 5, 9, 7, 9, 9}},
    {"regions that overlap: the other's copy changes nothing",
     "ushort",
     "vector<ushort, 16> w = ramp.select<16, 1>(0); vector_ref<uint, 2> r = zero ? w.select<4, 2>(0).format<uint>() : "
     "w.select<4, 2>(2).format<uint>(); r(0) = 100 | 200 << 16; r(1) += 1; out = w.select<9, 1>(0);",
     {0, 1, 100, 3, 200, 5, 7, 7, 8}},
    {"with gaps or without",
     "ushort",
     "vector<ushort, 16> w = ramp.select<16, 1>(0); vector_ref<ushort, 4> r = zero ? w.select<4, 2>(0) : w.select<4, "
     "1>(3); r.format<uint>()(0) = 21 | 22 << 16; matrix<ushort, 2, 4> m = w.select<8, 1>(8); matrix_ref<ushort, 2, 2> "
     "p = zero ? m.select<2, 1, 2, 2>(0, 1) : m.select<2, 1, 2, 1>(0, 1); p.format<uint>() += 1; out.select<8, 1>(0) = "
     "w.select<8, 1>(0); out.select<8, 1>(8) = m.format<ushort>();",
     {0, 1, 2, 21, 22, 5, 6, 7, 8, 10, 10, 11, 12, 14, 14, 15}},
};

const char *const givers = R"(
struct of_another_file;
_GENX_ inline void passes(of_another_file &all, int n) {}
vector<uint, 16> of_the_thread;
typedef vector_ref<ushort, 8> part;
_GENX_ inline part middle() { return of_the_thread.format<ushort>().select<8, 1>(4); }
template <uint N, class T, uint R, uint C> _GENX_ inline matrix_ref<T, R, N> columns(matrix_ref<T, R, C> m, uint from) {
  return m.template select<R, 1, N, 1>(0, from);
}
template <uint N, class T, uint R, uint C> _GENX_ inline matrix_ref<T, R, N> last_columns(matrix<T, R, C> &m) {
  return columns<N>(m.select_all(), C - N);
}
CM_NOINLINE _GENX_ vector_ref<uint, 4> even_ones(vector_ref<uint, 8> v) { v += 1; return v.select<4, 2>(0); }
auto front(vector_ref<uint, 8> v) { return v.select<2, 1>(0); }
vector_ref<uint, 4> by_a_lambda(vector_ref<uint, 8> v, int i) {
  auto from = [&](int at) -> vector_ref<uint, 4> { return v.select<4, 1>(at); };
  return from(i);
}
)";

const std::vector<test::Row> given = {
    {"a part of a file-scope variable",
     "uint",
     "of_the_thread = ramp.select<16, 1>(0); middle().select<2, 1>(2) = 7; part p = middle(); p(0) += 5; out = "
     "of_the_thread.select<8, 1>(0);",
     {0, 1, 7, 7 << 16 | 7, 4, 5, 6, 7}},
    {"a part of a parameter, at an offset known at run time",
     "uint",
     "matrix<uint, 2, 4> m = ramp.select<8, 1>(0); columns<2>(m, 1 + zero) += 10; last_columns<1>(m) = 50; out = "
     "m.format<uint>();",
     {0, 11, 12, 50, 4, 15, 16, 50}},
    {"of a function that is no inline one, and of one whose result is deduced",
     "uint",
     "vector<uint, 8> v = ramp.select<8, 1>(0), w = v; even_ones(v) = 20; vector<uint, 4> e = even_ones(w); front(v) "
     "+= "
     "w.select<2, 1>(6); out.select<8, 1>(0) = v; out.select<4, 1>(8) = e;",
     {27, 10, 20, 4, 20, 6, 20, 8, 1, 3, 5, 7}},
    {"what a lambda of the function gives of a parameter",
     "uint",
     "vector<uint, 8> v = ramp.select<8, 1>(0); by_a_lambda(v, 3) = 9; out = v;",
     {0, 1, 2, 9, 9, 9, 9, 7}},
};

// What public headers of the language have beside what its reference shows, a row for each header.
const std::vector<test::Row> formsOfHeaders = {
    {"results, operands and sizes of arithmetic",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(0); out.select<4, 1>(0) = cm_add<int, int>(v, v); out.select<4, 1>(4) = "
     "cm_mul<int, int, 4>(v, 3); out.select<4, 1>(8) = cm_max<int, int, 4>(v, 2); out.select<4, 1>(12) = "
     "cm_abs<int, int>(v - 2);",
     {0, 2, 4, 6, 0, 3, 6, 9, 2, 2, 2, 3, 2, 1, 0, 1}},
    {"quotients, sums and roundings",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(4), rest; out.select<4, 1>(0) = cm_quot<int, 4>(v, 3); out.select<4, 1>(4) "
     "= cm_div<int, 4>(rest, v, 4); out.select<4, 1>(8) = rest; out(12) = cm_sum<int, int, 4>(v); vector<float, 4> f "
     "= v * 0.25f; out(13) = cm_rndu<float, float, 4>(f)(1); out(14) = cm_dp4<float, float, 4>(f, f)(0) * 16;",
     {1, 1, 2, 2, 1, 1, 1, 1, 0, 1, 2, 3, 22, 2, 126}},
    {"types of all operands",
     "int",
     "vector<int, 4> v = ramp.select<4, 1>(2); matrix<int, 2, 2> m = v; out.select<4, 1>(0) = cm_mul<int, int, 4, "
     "vector<int, 4>>(v, v); out.select<4, 1>(4) = cm_add<int, int, 2, 2, int>(m, 10); out(8) = cm_max<int, int, "
     "int>(zero, 7); out.select<4, 1>(9) = cm_mul<int, int, vector<int, 4>>(3, v); vector<float, 4> f = v; out(13) = "
     "cm_lrp<float, 4, vector<float, 4>, vector<float, 4>>(vector<float, 4>(0.5f), f, f + 4)(1); out(14) = "
     "cm_dp4a<int, "
     "int, int, int, 4>(v, vector<int, 4>(0x01020304), vector<int, 4>(0x01010101))(2); out(15) = cm_f16tof32<ushort, "
     "4>(cm_f32tof16<float, 4>(f))(3);",
     {4, 9, 16, 25, 12, 13, 14, 15, 7, 6, 9, 12, 15, 5, 14, 5}},
    {"scattered reads of attributes",
     "uint",
     "vector<uint, 8> at = ramp.select<8, 1>(0), r; read(CONSTANT(data), 8, at, r); out.select<8, 1>(0) = r; "
     "read<uint, 8>(MODIFIED(data), 16, at, r); out.select<8, 1>(8) = r;",
     {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}},
    {"masks of shared local memory as numbers, atomics with types",
     "uint",
     "cm_slm_init(256); uint m = cm_slm_alloc(256); vector<ushort, 8> at = ramp.select<8, 1>(0) * 4; vector<uint, 32> "
     "v = 7; vector<uint, 16> r; vector<uint, 8> old; cm_slm_write4(m, at, v, 0); cm_slm_atomic<uint, 8>(m, "
     "ATOMIC_ADD, at, old, vector<uint, 8>(1)); cm_slm_atomic<8>(m, ATOMIC_INC, at, 0); cm_slm_read4(m, at, r, 12); "
     "out.select<8, 1>(0) = r.select<8, 1>(0); out.select<8, 1>(8) = r.select<8, 1>(8);",
     {9, 9, 9, 9, 9, 9, 9, 9, 7, 7, 7, 7, 7, 7, 7, 7}},
    {"four dwords of a lane of shared local memory, at bytes",
     "uint",
     "cm_slm_init(256); uint m = cm_slm_alloc(256); vector<uint, 8> at = ramp.select<8, 1>(0) * 16; vector<uint, 16> v "
     "= ramp.select<16, 1>(0), r = 0; cm_slm_write4_scaled<uint, 8, 16>(m, at, v, SLM_BR_ENABLE); "
     "cm_slm_read4_scaled<uint, 8, 16>(m, at, r, SLM_BR_ENABLE); out = r;",
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
    {"systolic products with the result's type in front, saturated, all types and sizes written out",
     "float",
     "vector<int, 8> b = 0x3C003C00; vector<int, 64> all = 0x3C003C00; vector<float, 8> acc = 2.0f; vector<float, 8> r "
     "= cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, float, 8, 1>(acc, all, b); out(0) = r(3); r = "
     "cm_dpas<CM_PRECISION_HF, "
     "CM_PRECISION_HF, float, 8, 1, float, int, int, 8, 64, 8>(acc, all, b, SAT); out(1) = r(4); r = "
     "cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 1>(acc - 34 + zero, all, b, SAT); out(2) = r(5); r = "
     "cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 1, float, int, int>(0, all, b, SAT); out(3) = r(6);",
     {18, 1, 0, 1}},
    {"aligned blocks of shared local memory",
     "int",
     "cm_slm_init(256); vector<int, 16> v = ramp.select<16, 1>(0); cm_store_slm<int, 16, Align::OWORD>(64, v); "
     "out.select<8, 1>(0) = "
     "cm_load_slm<int, 8, Align::DWORD>(96); out(8) = int(data_size_alignment<DataSize::U32>());",
     {8, 9, 10, 11, 12, 13, 14, 15, 4}},
    {"blocks of shared local memory that lie anywhere",
     "uint",
     "cm_slm_init(256); uint at = ramp(2); vector<uint, 16> none = 0; cm_store_slm<uint, 16, Align::OWORD>(0, none); "
     "cm_store_slm<uint, 16, Align::OWORD>(64, none); vector<ushort, 9> w = ramp.select<9, 1>(1); "
     "cm_store_slm<ushort, 9, Align::ELEM_SIZE>(at + 16, w); vector<uchar, 3> b = ramp.select<3, 1>(20); "
     "cm_store_slm<uchar, 3, Align::BYTE>(at + 43, b); vector<uint, 4> d = ramp.select<4, 1>(5); "
     "cm_store_slm<uint, 4, Align::DWORD>(at * 2 + 48, d); "
     "out.select<13, 1>(0) = cm_load_slm<uint, 13, Align::DWORD>(at * 8); "
     "out.select<2, 1>(13) = cm_load_slm<ushort, 2, Align::WORD>(at * 11); "
     "out.select<1, 1>(15) = cm_load_slm<uchar, 1, Align::BYTE>(at + 44);",
     {65536, 196610, 327684, 458758, 589832, 0, 0, 370480128, 0, 5, 6, 7, 8, 3, 4, 21}},
    {"atomics by address with types and sizes",
     "uint",
     "vector<svmptr_t, 2> at = ramp.select<2, 1>(0) * 4 + memory; vector<uint, 2> old; cm_svm_atomic<uint, "
     "2>(ATOMIC_ADD, at, old, vector<uint, "
     "2>(5)); svm_atomic<ATOMIC_ADD, uint, 2>(at, old, vector<uint, 2>(1)); out.select<2, 1>(0) = old; vector<int, 2> "
     "off(0, 4); cm_ptr_atomic<ATOMIC_INC, uint, 2, int>((uint *)memory, off, old); out.select<2, 1>(2) = old;",
     {105, 106, 106, 107}},
    {"pointers from addresses, loads of what pointers say",
     "uint",
     "vector<svmptr_t, 4> at = ramp.select<4, 1>(0) * 4 + memory; vector<uint *, 4> p = reinterpret_cast<vector<uint "
     "*, 4>>(at); "
     "out.select<4, 1>(0) = gather<uint, 4, 4>(p); out.select<4, 1>(4) = gather<uint, 4, Align::DWORD>(p); "
     "out(8) = load(p(2)); store<uint, 4>(9, p(2)); out(9) = load<uint, Align::DWORD>(p(2)); vector<svmptr_t, 4> back "
     "= reinterpret_cast<vector<svmptr_t, 4>>(p); out(10) = back(3) - memory; vector<uint, 1> one = "
     "reinterpret_cast<vector<uint, 1>>(vector<float, 1>(1.0f + zero)); out(11) = one(0) >> 20; float f = 1.0f + zero; "
     "out(12) = reinterpret_cast<uint &>(f) >> 20;",
     {100, 101, 102, 103, 100, 101, 102, 103, 102, 9, 12, 0x3f8, 0x3f8}},
    {"older spellings of enumerators",
     "int",
     "out(0) = SLM_ChannelMaskType::_SLM_GR_ENABLE; out(1) = CmBufferAttrib::_GENX_DWALIGNED; out(2) = "
     "CmAtomicOpType::_ATOMIC_XOR; out(3) = __INTEL_CM > CM_7_0; __uint8 b = 255; out(4) = b; __int64 q = 5; out(5) = "
     "q;",
     {12, 3, 10, 1, 255, 5}},
};

const std::vector<test::Row> lanesWrittenOut = {
    {"behind hints, or in their place",
     "uint",
     "vector<uint, 16> at = ramp.select<16, 1>(0) * 4; vector<ushort, 16> on = 1; on(3) = 0; vector<uint, 16> v = "
     "cm_load<uint, VectorSize::N1, DataSize::Default, CacheHint::Default, CacheHint::Default, 16>(data, at, on); "
     "cm_slm_init(64); cm_store_slm<uint, VectorSize::N1, DataSize::Default, 16>(at, v); out = cm_load_slm<uint, "
     "VectorSize::N1, DataSize::Default, 16>(at); cm_fence<LSC_SFID::LSC_UGM, LSC_FENCE_OP::LSC_FENCE_OP_NONE, "
     "LSC_SCOPE::LSC_SCOPE_GROUP, 16>(on); cm_fence(on);",
     {0, 1, 2, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
};

const char *const takers = R"(
CM_NOINLINE _GENX_ int changed(vector_ref<uint, 4> words, int by) { words += by; return words(1); }
template <int S, int N> _GENX_ void sevens(vector_ref<ushort, N> v, int at) {
  v.template select<N / S, S>(at).template format<uint>() = 0x70007;
}
template <class T, int R, int C> _GENX_ void counted(matrix_ref<T, R, C> m) {
  for (int c = 0; c < C; ++c)
    m.column(c).template format<uint>() += c;
}
)";

const std::vector<test::Row> formatsTaken = {
    {"by a function that is called",
     "ushort",
     "vector<ushort, 16> v = ramp.select<16, 1>(0); int r = changed(v.select<8, 2>(0).format<uint>(), 1 + zero) + "
     "changed(v.select<8, 2>(1).format<uint>(), 2 + zero); out = v; out(15) = r;",
     {1, 3, 2, 3, 5, 7, 6, 7, 9, 11, 10, 11, 13, 15, 14, 12}},
    {"in templates, with strides of theirs",
     "ushort",
     "vector<ushort, 16> v = 0; sevens<4>(v, zero + 1); matrix<ushort, 4, 4> m = v; counted(m.select<4, 1, 2, 2>(0, "
     "0)); v = m; out = v;",
     {0, 7, 1, 0, 0, 7, 0, 0, 0, 7, 1, 0, 0, 7, 0, 0}},
};

TEST(Spellings, formatsOfRegionsWithGapsAreTaken) { test::check(formatsTaken, takers); }

TEST(Spellings, formatsOfChosenRegionsAreAliases) { test::check(formatsOfChosen, choosers); }

TEST(Spellings, functionsGiveReferences) { test::check(given, givers); }

TEST(Spellings, objectsOfEveryElement) { test::check(objects); }

TEST(Spellings, formsThatPublicHeadersHave) { test::check(formsOfHeaders); }

TEST(Spellings, lanesMayBeWrittenOut) { test::check(lanesWrittenOut); }

TEST(Spellings, argumentsMayBeWrittenOut) { test::check(writtenArguments); }

TEST(Spellings, membersOfDependentObjectsNeedNoTemplate) {
  test::check(memberTemplates, std::string("#define C_OF(m) 4\n") + templates);
}

} // namespace
