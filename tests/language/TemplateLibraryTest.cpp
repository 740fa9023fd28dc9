// The CM template library (language reference, chapter 21).
#include "Conformance.h"

namespace {

const std::vector<test::Row> rows = {
    {"CTL-03 with the sizes of the objects",
     "uint",
     "vector<uint, 40> v; cmtl::ReadLinear(data, 2, v); cmtl::WriteLinear(data, 16, v.select<8, 1>(30)); "
     "vector<uint, 8> w; cmtl::ReadLinear(data, 16, w); out = w;",
     {32, 33, 34, 35, 36, 37, 38, 39}},
    {"CTL-11 CTL-12 with the types of the objects",
     "int",
     "vector<char, 4> a(1, -1, 3, 4), b(5, 6, 7, -8), c, d; vector<short, 4> p; cmtl::Pack(a, b, p); "
     "cmtl::Unpack(c, d, p); vector<char, 4> e; cmtl::UnpackSingle(e, CMRT_LOC_SECOND, p); "
     "out.select<4, 1>(0) = c; out.select<4, 1>(4) = d - e; "
     "matrix<int, 2, 2> m(1, 2, 3, 4), n; cmtl::MirrorVertical(m, n); out(4) = n(0, 1);",
     {1, -1, 3, 4, 4, 0, 0, 0}},
    {"CTL-03",
     "uint",
     "vector<uint, 40> v; cmtl::ReadLinear<uint, 40>(data, 2, v); cmtl::WriteLinear<uint, 8>(data, 16, v.select<8, "
     "1>(30)); "
     "vector<uint, 8> w; cmtl::ReadLinear<uint, 8>(data, 16, w); out = w;",
     {32, 33, 34, 35, 36, 37, 38, 39}},
    {"CTL-05",
     "int",
     "matrix<uchar, 3, 6> s = ramp.select<18, 1>(0); matrix<int, 9, 4> d; cmtl::Vectorize2DKRNL<uchar, int, 3, 4>(s, "
     "d); "
     "out.select<4, 1>(0) = d.row(0); out.select<4, 1>(4) = d.row(5); out.select<4, 1>(8) = d.row(7);",
     {0, 1, 2, 3, 8, 9, 10, 11, 13, 14, 15, 16}},
    {"CTL-06 CTL-07",
     "int",
     "vector<int, 6> s = ramp.select<6, 1>(0); matrix<int, 9, 4> d = 0; cmtl::Vectorize2DKRNLRow<int, int, 3, 4>(s, d, "
     "1); "
     "out.select<4, 1>(0) = d.row(4); out(4) = d(0, 0); out(5) = cmtl::_2Dto1D<3>(2, 1);",
     {1, 2, 3, 4, 0, 7}},
    {"CTL-08 CTL-04",
     "uint",
     "cm_slm_init(256); vector<uint, 32> z = 0; cm_slm_block_write(0, 0, ramp); cm_slm_block_write(0, 128, z); "
     "cmtl::DumpSLM(0, data, 256); "
     "vector<uint, 8> v; read(data, 96, v); out = v;",
     {24, 25, 26, 27, 28, 29, 30, 31}},
    {"CTL-09 CTL-10",
     "int",
     "vector<int, 32> a = ramp, b, c; cmtl::TransposeFromSLM<8>(b, a); cmtl::TransposeToSLM<8>(c, b); out.select<6, "
     "1>(0) = b.select<6, 1>(0); "
     "out(6) = vector<ushort, 32>(c == a).all();",
     {0, 8, 16, 24, 1, 9, 1}},
    {"CTL-11 CTL-12 CTL-13 CTL-31",
     "int",
     "vector<char, 4> a(1, -1, 3, 4), b(5, 6, 7, -8), c, d; vector<short, 4> p; cmtl::Pack<char, short, 4>(a, b, p); "
     "cmtl::Unpack<char, short, 4>(c, d, p); vector<char, 4> e; cmtl::UnpackSingle<char, short, 4>(e, CMRT_LOC_SECOND, "
     "p); vector<char, 4> f, g; cmtl::UnPack<char, short, 4>(f, g, p); "
     "out.select<4, 1>(0) = p; out.select<4, 1>(4) = c + d * 10; out.select<4, 1>(8) = e - g;",
     {1281, 1791, 1795, -2044, 51, 59, 73, -76, 0, 0, 0, 0}},
    {"CTL-14",
     "int",
     "matrix<short, 2, 8> c; matrix<int, 2, 8> p; matrix<int, 8, 32> s; cmtl::CachedStackInit<int, 8, 32>(c, p, 4); "
     "vector<int, 8> v = ramp.select<8, 1>(10), a, b; vector<short, 8> some(1, 0, 1, 0, 1, 0, 1, 0), all = 1, e, f; "
     "cmtl::CachedStackEmpty<8>(c, p, e); "
     "cmtl::CachedStackPush<int, 8, 32>(data, c, p, s, v); v += 100; cmtl::CachedStackPush(data, c, p, s, v); "
     "cmtl::CachedStackPop<int, 8, 32>(data, c, p, s, a, some); cmtl::CachedStackTop(data, c, p, s, b); "
     "cmtl::CachedStackPop<int, 8, 32>(data, c, p, s, v, all); cmtl::CachedStackEmpty(c, p, f); "
     "out.select<2, 1>(0) = a.select<2, 1>(0); out.select<2, 1>(2) = b.select<2, 1>(0); "
     "out.select<2, 1>(4) = e.select<2, 1>(0); out.select<2, 1>(6) = f.select<2, 1>(0); "
     "cmtl::CachedStackPop(data, c, p, s, v, all); out.select<2, 1>(8) = v.select<2, 1>(0); "
     "cmtl::CachedStackEmpty(c, p, f); out.select<2, 1>(10) = f.select<2, 1>(0);",
     {110, 111, 10, 111, 1, 1, 1, 0, 10, 11, 1, 1}},
    {"CTL-14",
     "int",
     "matrix<short, 2, 16> c; matrix<int, 2, 8> p; matrix<int, 8, 64> s; cmtl::CachedStackInit<int, 8, 32, 2>(c, p, "
     "3); "
     "matrix<int, 2, 8> v = ramp.select<16, 1>(0), a; vector<int, 8> one; vector<short, 8> some = {0, 1}, e; "
     "cmtl::CachedStackPush<int, 8, 32, 2>(data, c, p, s, v); v += 100; "
     "cmtl::CachedStackPush<int, 8, 32, 2>(data, c, p, s, v); "
     "cmtl::CachedStackPop<int, 8, 32, 2>(data, c, p, s, a, some); out.select<2, 1>(0) = a.row(1).select<2, 1>(0); "
     "cmtl::CachedStackTop<int, 8, 32, 2>(data, c, p, s, one, 1); out.select<2, 1>(2) = one.select<2, 1>(0); "
     "cmtl::CachedStackTop<int, 8, 32, 2>(data, c, p, s, a); out.select<2, 1>(4) = a.row(0).select<2, 1>(0); "
     "cmtl::CachedStackPop<int, 8, 32, 2>(data, c, p, s, some); cmtl::CachedStackEmpty<8, 2>(c, p, e); "
     "out.select<2, 1>(6) = e.select<2, 1>(0);",
     {108, 109, 108, 9, 100, 1, 0, 1}},
    {"CTL-15",
     "int",
     "matrix<int, 3, 2> a(1, 2, 3, 4, 5, 6), b; cmtl::MirrorVertical<int, 3, 2>(a, b); out = b;",
     {5, 6, 3, 4, 1, 2}},
    {"CTL-16 CTL-17 CTL-18 CTL-19 CTL-20 CTL-21",
     "int",
     "matrix<short, 16, 16> a, b; for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) a(i, j) = i * 16 + j; "
     "cmtl::MirrorHorizontal_16x16(a, b); out(0) = b(2, 3); cmtl::Rotate90_16x16<short>(a, b); out(1) = b(2, 3); "
     "cmtl::Rotate180_16x16(a, b); out(2) = b(2, 3); "
     "cmtl::Rotate270_16x16(a, b); out(3) = b(2, 3); cmtl::Transpose_16x16(a, b); out(4) = b(2, 3); "
     "cmtl::ReverseTranspose_16x16(a, b); out(5) = b(2, 3); "
     "matrix<int, 8, 8> c, d; for (int i = 0; i < 64; i++) c(i / 8, i % 8) = i; cmtl::Transpose_8x8(c, d); out(6) = "
     "d(1, 2);",
     {2 * 16 + 12, 12 * 16 + 2, 13 * 16 + 12, 3 * 16 + 13, 3 * 16 + 2, 12 * 16 + 13, 17}},
    {"CTL-22 AMB-21",
     "int",
     "matrix<int, 2, 2> a(1, 2, 3, 4), b, c; vector<ushort, 4> m(3, 2, 1, 0); cmtl::Map<int, 2>(a, b, m); "
     "cmtl::map<int, 2>(b, c, m); out.select<4, 1>(0) = b; out.select<4, 1>(4) = c;",
     {4, 3, 2, 1, 1, 2, 3, 4}},
    {"CTL-23 CTL-24 INI-11 INI-12",
     "int",
     "cm_vector(v, short, 9, 3, -2); cm_matrix(m, int, 2, 4, 1, 10); out.select<9, 1>(0) = v; out.select<4, 1>(9) = "
     "m.row(1);",
     {3, 1, -1, -3, -5, -7, -9, -11, -13, 41, 51, 61, 71}},
    {"CTL-25",
     "int",
     "vector<float, 2> f(1.5f, -1.5f); out.select<2, 1>(0) = cmtl::cm_floor<int>(f); out.select<2, 1>(2) = "
     "cmtl::cm_ceil<float>(f); out(4) = cmtl::cm_floor<int>(2.7f);",
     {1, -2, 2, -1, 2}},
    {"CTL-26",
     "int",
     "vector<float, 6> y(1, 1, -1, 0, 0, -1), x(1, -1, -1, 2, -2, 0); out = cmtl::cm_atan2(y, x) * 1000.0f;",
     {785, 2356, -2356, 0, 3141, -1570}},
    {"CTL-27",
     "int",
     "vector<float, 3> y(1, -1, -1), x(1, 1, 0); out = cmtl::cm_atan2_fast(y, x) * 100.0f;",
     {78, 549, 471}},
    {"CTL-28",
     "float",
     "vector<float, 2> y(7.5f, -7.5f); out.select<2, 1>(0) = cmtl::cm_fmod(y, 2.0f); out(2) = cmtl::cm_fmod(9.0f, "
     "4.0f);",
     {1.5, -1.5, 1}},
    {"CTL-29 CTL-30",
     "int",
     "vector<float, 2> x(0.5f, -2.0f); out.select<2, 1>(0) = cmtl::cm_sin_emu(x) * 1000.0f; out.select<2, 1>(2) = "
     "cmtl::cm_cos_emu(x) * 1000.0f; "
     "out.select<2, 1>(4) = cmtl::cm_tanh(x) * 1000.0f; out(6) = cmtl::cm_tanh_cody_waite(1.0f) * 1000.0f;",
     {479, -909, 877, -416, 462, -964, 761}},
    {"CTL-31 CTL-32 DBG-07",
     "int",
     "cm_assert_range(zero, 1, 2); cm_assert(zero == 1); out(0) = CM_CONST_E * 1000; out(1) = CM_CONST_PI * 1000; "
     "out(2) = CM_CONST_2PI * 1000; out(3) = CM_DBL_EPSILON * 1000000;",
     {2718, 3141, 6283, 10}},
    {"CTX-01",
     "int",
     "vector<int, 4> o(3, 0, 2, 1); o += zero; out = cmtl::global::load(plain_table2, o);",
     {40, 10, 30, 20}},
    {"CTX-02",
     "int",
     "vector<ushort, 8> v(1, 0, 1, 0, 0, 0, 0, 5); cmtl::Mask<8> m(v), all(true); out(0) = m.get(); out(1) = "
     "m.count(); out(2) = m.is_any() + 10 * m.is_all() + 100 * all.is_all(); "
     "out(3) = (m & ~m).get() + (m | all).get(); out(4) = (m ^ all).get(); out(5) = (m == m) + 10 * (m != all); "
     "out.select<2, 1>(6) = m.get_vector<int>().select<2, 1>(0); out(8) = m.get_vector()(7);",
     {0x85, 3, 101, 255, 0x7A, 11, 1, 0, 1}},
    {"CTX-03",
     "int",
     "using namespace cmtl::numbers; out(0) = (e_v<float> + pi_v<float>) * 1000; out(1) = (log2e + log10e + inv_pi + "
     "inv_sqrtpi + ln2 + ln10) * 1000; "
     "out(2) = (sqrt2 + sqrt3 + inv_sqrt2 + inv_sqrt3 + egamma + phi + inv_ln2) * 1000;",
     {5859, 5755, 8068}},
    {"CTX-04",
     "int",
     "using tags = cmtl::hint::fpclass_tag_def; constexpr auto s = tags::nan | tags::zero; "
     "static_assert(s.has(tags::nan) "
     "&& !s.has(tags::normal) && (s & tags::zero) == tags::zero && (~s).has(tags::normal) && "
     "tags::general.has(tags::special) && cmtl::hint::is_fpclass_tag_v<tags::nan_t> && "
     "cmtl::hint::equal_v<cmtl::hint::or_t<tags::nan_t, tags::infinite_t>, tags::special_t> && "
     "tags::general_t::has_v<tags::zero_t> && s != tags::nan); out = 1;",
     {1}},
    {"CTX-05",
     "float",
     "vector<float, 3> v(-1, 0.5f, 9); out.select<3, 1>(0) = cmtl::clamp(v, 0.0f, 2.0f); out(3) = cmtl::clamp(5, 1, "
     "3);",
     {0, 0.5, 2, 3}},
    {"CTX-06", "int", "vector<float, 4> v(1.5f, -1.5f, 2.4f, -2.6f); out = cmtl::round_fast<int>(v);", {2, -2, 2, -3}},
    {"CTX-07",
     "int",
     "vector<float, 5> v; v.format<uint>() = vector<uint, 5>(0x7FC00000u, 0xFF800000u, 1u, 0x80000000u, 0x3F800000u); "
     "out.select<5, 1>(0) = cmtl::fpclassify(v); "
     "out(5) = cmtl::isnan(v).get(); out(6) = cmtl::isinf(v).get(); out(7) = cmtl::issubnormal(v).get(); out(8) = "
     "cmtl::isnormal(v).get();",
     {0, 1, 2, 3, 4, 1, 2, 4, 16}},
    {"CTX-08 CTX-09",
     "float",
     "vector<float, 4> v(10, -0.375f, 0, 1); v.format<uint>().select<1, 1>(3) = 0x00400000u; vector<int, 4> e; "
     "vector<float, 4> m = cmtl::frexp(v, e); "
     "out.select<4, 1>(0) = m; out.select<4, 1>(4) = e;",
     {0.625, -0.75, 0, 0.5, 4, -1, 0, -126}},
    {"CTX-09", // to two units in the last place; what has no value is exact
     "int",
     "vector<double, 4> x(0, 1, -700, 2.5); x = x + double(zero); matrix<double, 2, 2> m = x; "
     "vector<double, 4> e(1, 2.718281828459045, 9.859676543759770e-305, 12.18249396070347), d = cmtl::math::exp(m); "
     "out.select<4, 1>(0) = cm_abs<double>(d / e - 1.0) < 0x1p-51; "
     "x = vector<double, 4>(800, -800, -2000, 1e300); d = cmtl::exp(x); "
     "out(4) = d(0) > 1.7e308; out(5) = d(1) == 0.0; out(6) = d(2) == 0.0; out(7) = d(3) == d(0); "
     "out(8) = cmtl::math::exp(0.5 + zero) * 1e6;",
     {1, 1, 1, 1, 1, 1, 1, 1, 1648721}},
    {"CTX-09 the inverse",
     "int",
     "vector<double, 4> x(0.75, 10, 1e300, 1e-300); x = x + double(zero); matrix<double, 2, 2> m = x; "
     "vector<double, 4> e(-0.2876820724517809, 2.302585092994046, 690.7755278982137, -690.7755278982137), "
     "d = cmtl::math::log(m, cmtl::hint::fpclass_tag_def::normal); "
     "out.select<4, 1>(0) = cm_abs<double>(d / e - 1.0) < 0x1p-51; "
     "x = vector<double, 4>(1, 0, -1, 1); x.format<unsigned long long>()(3) = 0x7FF0000000000000ull; d = cmtl::log(x); "
     "out(4) = d(0) == 0.0; out(5) = d(1) < -1.7e308; out(6) = d(2) == d(2); out(7) = d(3) == x(3); "
     "out(8) = cmtl::math::log(2.0 + zero) * 1e6;",
     {1, 1, 1, 1, 1, 1, 0, 1, 693147}},
    {"CTL-25 with written sizes",
     "int",
     "vector<float, 4> v(1.5f, -1.5f, 2.25f, -2.25f); matrix<float, 2, 2> m = v; "
     "out.select<4, 1>(0) = cmtl::cm_floor<float, 4>(v); out.select<4, 1>(4) = cmtl::cm_ceil<int, 2, 2>(m, 0); "
     "out.select<2, 1>(8) = cmtl::cm_floor<int, 2>(m.row(0)); out(10) = cmtl::cm_ceil<float>(0.5f);",
     {1, -2, 2, -3, 2, -1, 3, -2, 1, -2, 1}},
    {"CTL-26 CTL-27 CTL-28 CTL-29 CTL-30 with written sizes, of matrices",
     "int",
     "matrix<float, 1, 2> y(1, -1), x(1, -1); vector<float, 2> v(7.5f, -7.5f); "
     "out.select<2, 1>(0) = cmtl::cm_atan2<1, 2>(y, x).row(0) * 1000.0f; "
     "out.select<2, 1>(2) = cmtl::cm_atan2_fast<2>(y.row(0), x.row(0)) * 100.0f; "
     "out.select<2, 1>(4) = cmtl::cm_fmod<2>(v, vector<float, 2>(2)) * 10.0f; "
     "out.select<2, 1>(6) = cmtl::cm_tanh<1, 2>(y).row(0) * 1000.0f; "
     "out.select<2, 1>(8) = cmtl::cm_sin_emu<1, 2>(y).row(0) * 1000.0f; out(10) = cmtl::cm_fmod<float>(9.0f, 4.0f);",
     {785, -2356, 78, 392, 15, -15, 761, -761, 841, -841, 1}},
    {"CTX-10",
     "uint",
     "vector<uint, 4> v; cmtl::dataport::read(memory, v, 2); cmtl::dataport::write(memory, v, 5); "
     "cmtl::dataport::read(memory, out, 4);",
     {104, 102, 103, 104, 105, 109}},
    {"CTX-10",
     "uint",
     "cm_slm_init(64); uint slm = cm_slm_alloc(64); vector<uint, 4> v = ramp.select<4, 1>(7); "
     "cmtl::dataport::write(slm, v, 1, 16); vector<uint, 4> w, x = 5; "
     "cmtl::dataport::read(slm, w, 2, 16); cmtl::dataport::read(slm, x, 14, 16); out.select<2, 1>(0) = w.select<2, "
     "1>(0); out(2) = x(0);",
     {8, 9, 0}},
    {"CTX-11",
     "uint",
     "cm_slm_init(64); cmtl::dataport::cm_slm_copy(0u, memory, 64); cmtl::dataport::cm_slm_copy(memory + 128, 0u, 32); "
     "cm_svm_block_read(memory + 128, out);",
     {100, 101, 102}},
    {"CTX-12",
     "uint",
     "vector<uint, 3> o(5, 0, 9), v; cmtl::dataport::read(memory, o, v); cmtl::dataport::write(memory, o, v + 1); "
     "out.select<3, 1>(0) = v; out(3) = cmtl::dataport::read<uint>(memory, 9);",
     {105, 100, 109, 110}},
    {"CTX-13",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0), old; cmtl::dataport::write_atomic<ATOMIC_ADD>(memory, o, vector<uint, "
     "8>(5), old); "
     "out.select<2, 1>(0) = old.select<2, 1>(6); cm_svm_block_read(memory, out.select<2, 1>(2));",
     {106, 107, 105, 106}},
    // Every order of arguments: sources, then what receives the values from before; a bound in front.
    {"CTX-13",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0), one = 1, r = 0; namespace d = cmtl::dataport; "
     "d::write_atomic<ATOMIC_ADD>(memory, o, one); d::write_atomic<ATOMIC_ADD, uint, 8>(memory, o, 5u); "
     "d::write_atomic<ATOMIC_ADD>(memory, o, 64u, one, r); out(0) = r(1); "
     "d::write_atomic<ATOMIC_ADD>(memory, o, 4, one, r); out(1) = r(2);",
     {107, 108}},
    {"CTX-13",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0), r = 0; namespace d = cmtl::dataport; "
     "d::write_atomic<ATOMIC_INC, uint, 8>(memory, o); d::write_atomic<ATOMIC_INC>(memory, o, r.select<8, 1>(0)); "
     "out(0) = r(3); d::write_atomic<ATOMIC_INC, uint, 8>(memory, o, 64u); d::write_atomic<ATOMIC_DEC>(memory, o, 64, "
     "r); out(1) = r(0);",
     {104, 103}},
    {"CTX-13",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0), now = o + 100, other = 7, r = 0; namespace d = cmtl::dataport; "
     "d::write_atomic<ATOMIC_CMPXCHG>(memory, o, other, now); d::write_atomic<ATOMIC_CMPXCHG>(memory, o, 64u, now, "
     "other, r); out(0) = r(5); out(1) = d::read<uint>(memory, 2);",
     {7, 102}},
    // Types and sizes written out, elements returned, offsets added, bounds.
    {"CTX-10 CTX-12",
     "uint",
     "namespace d = cmtl::dataport; vector<uint, 4> v; matrix<uint, 2, 2> m; d::read<uint, 4>(memory, v, 1); "
     "out(0) = v(3); d::read<uint, 2, 2>(memory, m.select_all(), 2); out(1) = m(1, 1); "
     "out(2) = d::read<uint, 4>(memory, 3)(0); out(3) = d::read<uint, 2, 2, d::AlignTag<Align::DWORD>>(memory, 4)(1, "
     "0); "
     "out(4) = d::read<uint, 4>(memory, 3, 6u)(0); vector<uint, 4> o(3, 0, 2, 1); vector<float, 4> f; "
     "d::read(memory, o, v, 5); out(5) = v(0); d::read(memory, o, v, 1, 4u); out(6) = v(0); "
     "f = d::read<float, 4>(memory, o, 2); out(7) = f.format<uint>()(1); d::write<float, 4>(memory, f, 8); "
     "d::write<uint>(memory, 5u, 8); d::write(memory, 6, 9); d::write<uint>(memory, 7u, 10, 10); "
     "d::write<uint>(memory, vector<uint, 1>(9u), 11); "
     "d::read(memory, out.select<4, 1>(8), 8);",
     {104, 105, 103, 106, 0, 108, 0, 102, 5, 6, 104, 9}},
    {"CTX-10",
     "int",
     "namespace d = cmtl::dataport; cm_slm_init(256); uint slm = cm_slm_alloc(256); vector<int, 8> v = ramp.select<8, "
     "1>(3); d::write<int, 8>(slm, v, 2); out(0) = d::read<int, 4>(slm, 3)(0); matrix<int, 2, 4> m = d::read<int, 2, "
     "4>(slm, 2, 64u); out(1) = m(1, 1); d::write<int, 2, 4>(slm, m, 20); out(2) = d::read<int, 4>(slm, 24)(1); "
     "d::cm_slm_copy<int, 8>(slm, memory, 64); out(3) = d::read<int, 4>(slm, 4)(2);",
     {4, 8, 8, 106}},
    {"CTX-02 CTX-05 CTX-06 CTX-08",
     "float",
     "vector<float, 8> v = 1.5f; v(3) = -4; cmtl::Mask m(v > 1.0f), all = cmtl::Mask<8>(true); m &= all; m ^= all; "
     "out(0) = m; out(1) = cmtl::Mask<8>::full; int e; out(2) = cmtl::math::frexp(-12.0f, e); out(3) = e; "
     "vector<short, 8> s; out(4) = cmtl::math::frexp(v, s, ~cmtl::hint::fpclass_tag_def::special)(3); out(5) = s(3); "
     "out(6) = cmtl::math::round_fast<int>(2.5f); out(7) = cmtl::math::clamp(5.0f, 1.0f, 3.0f); "
     "out(8) = cmtl::math::isnan(v).count();",
     {8, 255, -0.75, 4, -0.5, 3, 3, 3, 0}},
};

TEST(TemplateLibrary, rows) {
  test::check(
      rows,
      "#include <cm/cmtl.h>\n#include <cm/cmtl/math.h>\n#include <cm/cmtl/numbers.h>\n#include <cm/cmtl/global.h>\n"
      "#include <cm/cmtl/dataport.h>\nconst int plain_table2[4] = {10, 20, 30, 40};\n");
}

// Parts of the template library under their own names.
TEST(TemplateLibrary, partsIncludedAlone) {
  test::check(
      {{"CTX clamp",
        "float",
        "vector<float, 8> v = ramp.select<8, 1>(0); matrix<float, 2, 4> m = v; v = cmtl::math::clamp<float, "
        "8>(v, 2.0f, 5.0f); out = v; m = cmtl::math::clamp<float, 4, 2>(m, 0.5f, 1.5f); out(0) = m(1, 3); out(7) "
        "= cmtl::math::clamp<float>(m(0, 0), 0.25f, 1.0f);",
        {1.5, 2, 2, 3, 4, 5, 5, 0.5}},
       {"CTX by address",
        "uint",
        "svmptr_t p = (svmptr_t)memory; vector<uint, 8> v = cmtl::dataport::read<uint, 8>(p, 3); "
        "cmtl::dataport::write(p, v, 8, 64u); out = cmtl::dataport::read<uint, 8>(p, 8, 64);",
        {103, 104, 105, 106, 107, 108, 109, 110}}},
      "#include <cm/cmtl/math/clamp.h>\n#include <cm/cmtl/math/exp_impl.h>\n#include <cm/cmtl/math/fpclassify.h>\n"
      "#include <cm/cmtl/math/frexp.h>\n#include <cm/cmtl/math/round.h>\n#include <cm/cmtl/dataport/slm.h>\n"
      "#include <cm/cmtl/dataport/svm.h>\n#include <cm/cmtl/dataport/svm_atomic.h>\n"
      "#include <cm/cmtl/dataport/svm_scatter.h>\n#include <cm/cmtl/dataport/typed.h>\n");
}

// CTL-01 CTL-02 CTX-14: blocks larger than a message, over all edges.
TEST(TemplateLibrary, blocksOfAnySize) {
  pocm::Program program = test::compile(R"(
#include <cm/cmtl.h>
#include <cm/cmtl/dataport.h>
extern "C" _GENX_MAIN_ void blocks(SurfaceIndex in, SurfaceIndex out, int x, int y) {
  matrix<uchar, 19, 53> m;
  cmtl::ReadBlock<uchar, 19, 53>(in, x, y, m, 61);
  matrix<uchar, 19, 56> n = 0;
  n.select<19, 1, 53, 1>(0, 0) = m;
  cmtl::WriteBlock<uchar, 19, 56>(out, 0, 0, n);
  matrix<ushort, 2, 6> w;
  cmtl::ReadBlock<ushort, 2, 6>(CONSTANT(in), 3, 1, w);
  cmtl::WriteBlock<ushort, 2, 6>(out, 0, 20, w);
  matrix<uchar, 2, 8> z;
  cmtl::dataport::read<1, 0>(in, -3, -1, z);
  write(out, 16, 20, z);
})");
  constexpr int width = 61, height = 23;
  std::vector<std::uint8_t> bytes(width * height);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = std::uint8_t(i * 31 + i / 61);
  for (const std::string &cpu : {std::string("x86-64"), std::string("native")}) {
    pocm::Device device = test::open(cpu);
    pocm::Image in = device.createImage(width, height, 1), out = device.createImage(56, 22, 1);
    in.write(bytes.data(), width);
    for (auto [x, y] : {std::pair{0, 0}, {-7, -5}, {20, 10}, {100, 50}}) {
      pocm::Kernel kernel = device.createKernel(program, "blocks");
      kernel.setArgument(0, in);
      kernel.setArgument(1, out);
      kernel.setArgument(2, &x, 4);
      kernel.setArgument(3, &y, 4);
      device.enqueue(kernel, {1, 1}).wait();
      std::vector<std::uint8_t> got(56 * 22);
      out.read(got.data(), 56);
      auto pixel = [&](int px, int py) {
        return bytes[std::size_t(std::clamp(py, 0, height - 1) * width + std::clamp(px, 0, width - 1))];
      };
      for (int r = 0; r < 19; ++r)
        for (int c = 0; c < 56; ++c)
          ASSERT_EQ(got[std::size_t(r * 56 + c)], c < 53 ? pixel(x + c, y + r) : 0) << cpu << " " << r << " " << c;
      for (int r = 0; r < 2; ++r) {
        for (int c = 0; c < 12; ++c)
          ASSERT_EQ(got[std::size_t((20 + r) * 56 + c)], pixel(6 + c, 1 + r));
        for (int c = 0; c < 8; ++c)
          ASSERT_EQ(got[std::size_t((20 + r) * 56 + 16 + c)], r == 0 || c < 2 ? 0 : pixel(c - 2, 0));
      }
    }
  }
}

} // namespace
