// Every form of the built-ins that the headers of CM's first compiler declare and programs write out: a table, a line
// for each. What they compute is the business of the language tests; here they are found, for every kind of object.
// RUN: cmc %s -o %t.isa 2>&1 | FileCheck --allow-empty --implicit-check-not=error --implicit-check-not=warning %s
// RUN: cmc -march=PVC -DPVC -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck --allow-empty --implicit-check-not=error %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// f<N>(v), f<R, C>(m), f<T>(x), f<T, N>(v)
#define UNARY(f)                                                                                                       \
  v = f(v);                                                                                                            \
  v = f<16>(v);                                                                                                        \
  v = f<16>(v.select<16, 1>(0));                                                                                       \
  v = f<2, 8>(m);                                                                                                      \
  v = f<float>(v);                                                                                                     \
  v = f<float, 16>(v);                                                                                                 \
  v = f<float>(m);                                                                                                     \
  v(0) = f<float>(v(1));                                                                                               \
  v(0) = f(v(1));                                                                                                      \
  h = f<16>(h);                                                                                                        \
  h = f<half>(h);
#define BINARY(f)                                                                                                      \
  v = f(v, v);                                                                                                         \
  v = f<16>(v, v);                                                                                                     \
  v = f<16>(v, 2.0f);                                                                                                  \
  v = f<float>(v, v);                                                                                                  \
  v = f<float, 16>(v, v);                                                                                              \
  v = f<2, 8>(m, m);
#define DOT(f)                                                                                                         \
  v = f(v, v);                                                                                                         \
  v = f<float>(v, v, SAT);                                                                                             \
  v = f<float>(m, v);                                                                                                  \
  v = f<float>(m.select<2, 1, 8, 1>(0, 0), 2.0f);                                                                      \
  v = f<float, 16>(v, v);

extern "C" _GENX_MAIN_ void elementary(SurfaceIndex s) {
  vector<float, 16> v = 4;
  matrix<float, 2, 8> m = 9;
  vector<half, 16> h = 3;
  vector<int, 16> i;
  UNARY(cm_inv)
  UNARY(cm_log)
  UNARY(cm_exp)
  UNARY(cm_sqrt)
  UNARY(cm_rsqrt)
  UNARY(cm_sin)
  UNARY(cm_cos)
  UNARY(cm_asin)
  UNARY(cm_acos)
  UNARY(cm_atan)
  UNARY(cm_sqrt_ieee)
  UNARY(cm_frc)
  UNARY(cm_rndd)
  UNARY(cm_rndu)
  UNARY(cm_rnde)
  UNARY(cm_rndz)
  BINARY(cm_pow)
  BINARY(cm_div_ieee)
  DOT(cm_dp2)
  DOT(cm_dp3)
  DOT(cm_dp4)
  DOT(cm_dph)
  i = cm_rndd<int>(v) + cm_rndu<int>(v, SAT) + cm_rnde<int, 16>(v) + cm_rndz<int>(m);
  i(0) = cm_rndz<int>(v(0));
  v = cm_line<float>(v.select<4, 1>(0), v) + cm_line<float>(1.0f, 2.0f, v) + cm_line(v.select<4, 1>(0), v, SAT);
  v = cm_pln<float>(v.select<4, 1>(0), v, v) + cm_lrp<float>(v, v, v) + cm_lrp(v, 1.0f, v, SAT);
  v = cm_sincos(h, h);
  v = cm_sincos<float>(v, v);
  write(s, 0, v.select<8, 1>(0));
  write(s, 0, i.select<8, 1>(0));
}

extern "C" _GENX_MAIN_ void memory(SurfaceIndex s, svmptr_t p, float *fp) {
  vector<float, 16> v = 4;
  matrix<float, 2, 8> m = 9;
  matrix<uint, 1, 16> u = 1;
  vector<uint, 16> off = 4;
  vector<svmptr_t, 16> at = p;
  vector<ptrdiff_t, 16> moved = 8;
  read<float, 16>(s, 0, v);
  read<float>(s, 0, v);
  read<float, 16>(s, GENX_DWALIGNED, 4, v);
  read<float, 2, 8>(s, 0, 0, m);
  read<float, 16>(s, 0, off, v);
  write<float, 16>(s, 0, v);
  write<float, 2, 8>(s, 0, 0, m);
  write<float, 16>(s, 0, off, v);
  read_untyped<uint, 1, 16>(s, CM_R_ENABLE, u, off);
  write_untyped<uint, 1, 16>(s, CM_R_ENABLE, u, off);
  read_scaled<float, 16>(s, 0, off, v);
  write_scaled<float, 16>(s, 0, off, v);
  read_typed<uint, 1, 16>(s, CM_R_ENABLE, u, off);
  write_typed<uint, 1, 16>(s, CM_R_ENABLE, u, off);
  cm_svm_block_read<float, 16>(p, v);
  cm_svm_block_read<float>(p, v);
  cm_svm_block_read<float, 2, 8>(p, m);
  cm_svm_block_read_unaligned<float, 16>(p, v);
  cm_svm_block_write<float, 16>(p, v);
  cm_svm_block_write<float>(p, v);
  cm_ptr_block_read<float, 16>(fp, v);
  cm_ptr_block_write<float, 16>(fp, v);
  cm_svm_scatter_read<float, 16>(at, v);
  cm_svm_scatter_write<float, 16>(at, v);
  cm_ptr_scatter_read<float, 16>(fp, moved, v);
  cm_ptr_scatter_write<float, 16>(fp, moved, v);
  cm_slm_init(1024);
  cm_slm_block_read<float, 16>(0, 0, v);
  cm_slm_block_read<float, 16>(0, GENX_DWALIGNED, 0, v);
  cm_slm_block_write<float, 16>(0, 0, v);
  cm_slm_read<float, 16>(0, off, v);
  cm_slm_write<float, 16>(0, off, v);
  write(s, 0, v.select<8, 1>(0));
}

// Types of results, of operands and sizes, and both orders of a scalar and an object.
#define TYPED(f)                                                                                                       \
  i = f<int>(i, u);                                                                                                    \
  i = f<int>(i, 3);                                                                                                    \
  i = f<int>(3, i);                                                                                                    \
  i = f<int>(im, 3);                                                                                                   \
  i = f<int>(im, im);                                                                                                  \
  i = f<int>(im, i);                                                                                                   \
  i(0) = f<int>(i(1), 3);                                                                                              \
  i = f<int, int>(i, 3);                                                                                               \
  i = f<int, int, 16>(i, i);                                                                                           \
  i = f<int, int, 16, int>(i, 3);                                                                                      \
  i = f<int, int, 2, 8, int>(im, 3);                                                                                   \
  i(0) = f<int, int, int>(i(1), 3);
#define REDUCED(f)                                                                                                     \
  n = f<int>(i);                                                                                                       \
  n = f<int>(im, SAT);                                                                                                 \
  n = f<int, int, 16>(i);                                                                                              \
  n = f<int, int, 2, 8>(im);

extern "C" _GENX_MAIN_ void arithmetic(SurfaceIndex s) {
  vector<int, 16> i = 1;
  matrix<int, 2, 8> im = 2;
  vector<uint, 16> u = 3;
  matrix<uint, 2, 8> um = 4;
  vector<uint, 1> u1 = 5;
  vector<int, 1> i1 = 6;
  vector<uchar, 16> b = 7;
  matrix<uchar, 2, 8> bm = 8;
  vector<ushort, 16> w = 9;
  vector<float, 16> v = 10;
  vector<float, 4> four = 11;
  vector<half, 16> h = 12;
  uint x = 1;
  int n;
  uchar c = 2;
  TYPED(cm_add)
  TYPED(cm_mul)
  TYPED(cm_avg)
  TYPED(cm_shl)
  TYPED(cm_shr)
  TYPED(cm_lsr)
  TYPED(cm_asr)
  TYPED(cm_max)
  TYPED(cm_min)
  TYPED(cm_quot)
  TYPED(cm_mod)
  REDUCED(cm_sum)
  REDUCED(cm_prod)
  REDUCED(cm_reduced_min)
  REDUCED(cm_reduced_max)
  i = cm_abs<int, int, 16>(i) + cm_abs<uint, int>(i) + cm_abs<int, 2, 8>(im) + cm_abs<int>(n);
  // The low half of products and the remainders of quotients.
  i = cm_imul<int>(i, i, i);
  u = cm_imul(u, um, 3u) + cm_imul(um, um, um) + cm_imul(u, 3u, um) + cm_imul<uint, uint, 16>(u, u, u);
  u = cm_imul<uint, uint, uint, 16>(u, u, 3u);
  x = cm_imul<uint>(x, x, x) + cm_imul(u1, 3u, x);
  i = cm_div(i, i, 3) + cm_div(im, im, 3) + cm_div(i, im, 3) + cm_div(i, 3, im) + cm_div<int, 16>(i, i, i);
  n = cm_div<int>(i1, 7, 3) + cm_div<int, int, int>(i1, 7, 3);
  um = cm_addc(um, 3, um) + cm_subb(3, um, um);
  x = cm_addc(x, x, x) + cm_subb(x, x, x);
  u = cm_addc<16>(u, u, u) + cm_subb<16>(u, u, u);
  // Sums of absolute differences of objects and scalars.
  w = cm_sad2<ushort>(b, b) + cm_sad2<ushort>(bm, b) + cm_sad2<ushort>(b, 3) + cm_sad2<ushort>(3, b);
  w += cm_sad2<ushort>(3, bm) + cm_sad2<ushort, uchar, 16>(b, b) + cm_sad2<ushort>(w, w);
  w += cm_sada2<ushort>(b, b, w) + cm_sada2<ushort>(b, 3, 4) + cm_sada2<ushort>(bm, 3, w) + cm_sada2<ushort>(3, b, w, SAT);
  w(0) = cm_sad2<ushort>(c, c) + cm_sad2<ushort>(3, 4) + cm_sada2<ushort>(c, c, x) + cm_sada2<ushort>(3, 4, 5);
  // Types of operands where functions say them elsewhere.
  v = cm_dph<float, float, vector<float, 16>, 16>(v, v) + cm_dph<float, vector<float, 16>, 16>(v, v);
  v = cm_line<float, float, float, 16>(four, v) + cm_line<float, float, 16>(1.0f, 2.0f, v) + cm_line<float>(1, 2, v);
  v = cm_pow<16, float>(v, 2.0f) + cm_div_ieee<16, vector<float, 16>>(v, v) + cm_lrp<16, float, float>(v, 1.0f, 2.0f);
  v = cm_sincos<16, vector<float, 16>>(v, v) + cm_sincos(v, 1.0f);
  u = cm_bf_insert<uint, uint, 16, int, int, int>(4, 3, 7, u) + cm_bf_extract<uint, uint, 16, int, int>(4, 3, u);
  u = cm_bfn<BFN_X | BFN_Y & ~BFN_Z>(u, u, u) + cm_bfn<BFNT::X, uint, 16>(u, u, u);
  h = cm_srnd<half, float, ushort, 16>(v, w) + cm_srnd<half>(v, v);
#ifndef PVC
  u = cm_rol<uint, uint, 16, int>(u, 3) + cm_ror<uint>(um, 3);
  b = cm_srnd_bf8<float, 16>(v, b);
#endif
  {
    cm::CMOptimizationsFence fence;
    v = v * 2.0f;
  }
  CM_OPTIMIZATIONS_FENCE v = v * 3.0f;
  if (n)
    CM_OPTIMIZATIONS_FENCE;
  write(s, 0, v.select<8, 1>(0));
  write(s, 0, i.select<8, 1>(0));
  write(s, 0, u.select<8, 1>(0));
  write(s, 0, w.select<8, 1>(0));
}

// One number for all elements, where the sizes are written out.
extern "C" _GENX_MAIN_ void filled(SurfaceIndex s, svmptr_t p, float *fp) {
  vector<uint, 16> off = 4;
  vector<svmptr_t, 16> at = p;
  vector<ptrdiff_t, 16> moved = 8;
  write<float, 16>(s, 0, 0);
  write<float, 2, 8>(s, 0, 0, 1.0f);
  write<float, 16>(s, 0, off, 2);
  write_scaled<float, 16>(s, 0, off, 2);
  write_plane<uchar, 2, 8>(s, GENX_SURFACE_Y_PLANE, 0, 0, 3);
  cm_svm_block_write<float, 16>(p, 0);
  cm_svm_block_write<float, 2, 8>(p, 0);
  cm_ptr_block_write<float, 16>(fp, 0);
  cm_svm_scatter_write<float, 16>(at, 1);
  cm_ptr_scatter_write<float, 16>(fp, moved, 1);
  cm_slm_init(1024);
  cm_slm_block_write<float, 16>(0, 0, 0);
  cm_slm_write<uint, 16>(0, off, 5);
  cm_slm_write_scaled<uint, 16>(0, off, 5);
  write_atomic<ATOMIC_ADD, uint, 16>(s, off, 1);
  write_typed_atomic<ATOMIC_INC, uint>(s, off, off, off, off);
  write_typed_atomic<ATOMIC_ADD, uint, 16>(s, off, off, off, off);
  write_typed_atomic<ATOMIC_ADD, uint>(s, off, off, off, off, off, off);
}

// Addresses and pointers with vectors, matrices, their rows and selects.
extern "C" _GENX_MAIN_ void addresses(SurfaceIndex s, svmptr_t p, float *fp) {
  vector<float, 16> v = 1;
  vector<float, 32> two = 3;
  vector<float, 64> four = 4;
  matrix<float, 2, 8> m = 2;
  vector<svmptr_t, 16> at = p;
  matrix<svmptr_t, 2, 8> rows = p;
  vector<ptrdiff_t, 16> off = 4;
  matrix<ptrdiff_t, 2, 8> offs = 8;
  vector<uint, 16> old, one = 1;
  cm_svm_block_read(p, m);
  cm_svm_block_read(p, m.row(0));
  cm_svm_block_read(p, v.select<8, 1>(0));
  cm_svm_block_read_unaligned(p, m);
  cm_svm_block_write(p, m);
  cm_ptr_block_read(fp, m);
  cm_ptr_block_read_unaligned(fp, m);
  cm_ptr_block_write(fp, m.row(1));
  cm_svm_scatter_read(rows, m);
  cm_svm_scatter_write(rows, m);
  cm_ptr_scatter_read(fp, offs, m);
  cm_ptr_scatter_write(fp, offs, m);
  cm_ptr_read4(fp, off, four, CM_ABGR_ENABLE);
  cm_ptr_read4<float, 16, 32>(fp, off, two, CM_GR_ENABLE);
  cm_ptr_write4(fp, off, four, CM_ABGR_ENABLE);
  cm_svm_gather4_scaled(at, two, CM_BR_ENABLE);
  cm_svm_scatter4_scaled(at, two, CM_AG_ENABLE);
  cm_svm_atomic(ATOMIC_ADD, at, old, one);
  cm_svm_atomic(ATOMIC_INC, at, old);
  cm_svm_atomic(ATOMIC_CMPXCHG, at, old, one, one);
  svm_atomic<ATOMIC_ADD>(at, old, one);
  write(s, 0, old.select<8, 1>(0));
  write(s, 0, v.select<8, 1>(0));
}

extern "C" _GENX_MAIN_ void cached(SurfaceIndex s, uint *p, half *h) {
  vector<uint, 16> off = 4, v;
  vector<uint, 64> many = 1;
  vector<half, 16> w = 2;
  vector<ushort, 16> some = 1;
  // The type is that of the pointer, or of the data.
  v = cm_ptr_load(p, off);
  w = cm_ptr_load(h, off, some);
  w = cm_ptr_load(h, off, off < 3);
  cm_ptr_store(p, off, v);
  cm_ptr_store(h, off, w, off < 3);
  cm_ptr_store(p, 0, v);
  cm_store(s, off, v, some);
  cm_store(s, 0, v);
  v = cm_ptr_atomic<AtomicOp::IINC>(p, off);
  v = cm_ptr_atomic<AtomicOp::IADD>(p, off, v, some);
  v = cm_ptr_atomic<AtomicOp::ICAS>(p, off, v, v);
  v = cm_atomic<AtomicOp::IADD>(s, off, v);
  // Elements of a lane by number.
  many = cm_load<uint, 4>(s, off);
  many = cm_ptr_load<uint, 4>(p, off, some);
  cm_store<uint, 4>(s, off, many);
  cm_prefetch<4>(s, 0);
  cm_prefetch<4, DataSize::U64, CacheHint::Cached, CacheHint::Cached>(s, 0);
  cm_ptr_prefetch<4>(p, 0);
  cm_ptr_prefetch<4, DataSize::U32>(p, 0);
  cm_slm_init(1024);
  cm_store_slm(off, v);
  cm_store_slm(16, v);
  cm_store_slm<uint, 4>(off, many, some);
  many = cm_load4_slm<uint, ChannelMaskType::_CM_ABGR_ENABLE>(16u + off);
  many.select<32, 1>(0) = cm_load4<uint, CM_GR_ENABLE>(s, off);
  write(s, 0, many.select<32, 1>(0));
}

// Described blocks: setters give the block again, and hints may come without the kind of load.
#ifdef PVC
extern "C" _GENX_MAIN_ void blocks(SurfaceIndex s, half *p) {
  lsc::block_2d_desc<half, 1, 8, 16> d(p, 63, 63, 63, 0, 0);
  static_assert(d.num_blocks == 1 && d.height == 8 && d.width == 16 && sizeof(decltype(d)::value_type) == 2);
  matrix<half, 8, 16> m;
  cm_load<lsc::Normal>(m.format<half>(), d.set_block_x(16).set_block_y(8));
  cm_load<CacheHint::Cached, CacheHint::Cached>(m.format<half>(), d.set_base_ptr(p + 8));
  cm_load<CacheHint::Cached, CacheHint::Uncached, 16, 8>(m.format<half>(), d.set_width(31).set_height(7).set_pitch(31));
  cm_prefetch<CacheHint::Uncached, CacheHint::Cached>(d.set_block_y(0));
  cm_store(d.set_block_x(0), m.format<half>());
}
#endif

static_assert(details::get_dpas_execution_size(CM_PRECISION_HF) == CM_GRF_WIDTH / 32);
static_assert(details::get_dpas_src1_size(CM_PRECISION_HF, CM_PRECISION_HF, 8) == CM_GRF_WIDTH / 4);
static_assert(details::get_dpas_src2_size(CM_PRECISION_S8, CM_PRECISION_S4, 8, 8) == 32);
static_assert(details::get_dpas_acc_size(4, CM_PRECISION_BF) == CM_GRF_WIDTH / 8);

extern "C" _GENX_MAIN_ void gathers(SurfaceIndex s, __global int *g) {
  __local int tile[16];
  __local int *t = tile;
  vector<__local int *, 4> from{t, t, t, t};
  matrix<__global int *, 2, 2> to = vector<__global int *, 4>{g, g, g, g};
  matrix<__local int *, 2, 2> rows = from;
  vector<ushort, 4> mask{1, 0, 1, 0};
  matrix<int, 2, 2> m = gather<int, 2, 2>(rows, mask, 42);
  m += gather(rows) + gather<int>(rows, mask);
  vector<int, 4> v = gather(from) + gather<int, 4, Align::QWORD>(from, mask, 42);
  scatter<int, 2, 2>(m + v, to);
  scatter(v, to, mask);
  scatter(v, vector<__global int *, 4>(to));
}

extern "C" _GENX_MAIN_ void systolic(SurfaceIndex s) {
  constexpr int N = CM_GRF_WIDTH / 32;
  vector<float, 8 * N> c = 1;
  vector<uint, 8 * N> b = 2;
  vector<uint, 64> a = 3;
  c = cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 8>(c, b, a);
  c = cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 8, float>(0, b, a);
  c = cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 8, float, uint, uint, 8 * N>(0, b, a);
  c = cm_dpas<CmPrecisionType::CM_Precision_FP16, CmPrecisionType::CM_Precision_FP16, 8, 8, float, uint, uint>(c, b, a);
  c = cm_dpas<CM_PRECISION_BF, CM_PRECISION_BF, 8, 8, float>(c, b, a);
#ifndef PVC
  vector<float, 128> wide = 1; // as on targets whose registers have 64 bytes
  vector<uint, 128> wider = 2;
  wide = cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 8>(wide, wider, a);
  wide = cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 8, float>(0, wider, a);
  write(s, 0, wide.select<8, 1>(0));
#endif
  write(s, 0, c.select<8, 1>(0));
}

// The part of std and details that programs use.
template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> int kind(T) { return 1; }
template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0> int kind(T) { return 2; }
static_assert(std::is_same<std::conditional<true, int, float>::type, int>::value);
static_assert(std::is_same_v<std::remove_reference_t<const int &>, const int> && !std::is_same_v<int, uint>);
static_assert(std::is_same_v<std::remove_cv_t<const volatile int>, int> && std::is_same_v<std::decay_t<int[3]>, int *>);
static_assert(std::integral_constant<int, 5>::value == 5 && std::true_type() && !std::false_type::value);
static_assert(std::is_floating_point<vector<half, 8>>::value && std::is_integral<matrix_ref<uchar, 2, 2>>::value);
static_assert(std::is_signed_v<int> && std::is_unsigned<ushort>::value && std::is_pointer_v<int *>);
static_assert(std::numeric_limits<int>::max() == 0x7FFFFFFF && std::numeric_limits<uchar>::max() == 255);
static_assert(std::numeric_limits<float>::max() > 3e38f && std::numeric_limits<half>::lowest() == half(-65504.0f));
static_assert(std::min(1, 2) + std::max(3, 4) == 5 && std::conjunction_v<std::true_type, std::is_void<void>>);
static_assert(details::is_cm_vector<vector<int, 4>>::value && !details::is_cm_vector<int>::value);
static_assert(details::is_dword_type<vector<uint, 4>>::value && details::is_float_or_half<half>::value);
static_assert(details::is_one_of_v<int, float, int> && details::getNextPowerOf2(5) == 8 && details::isPowerOf2(16, 32));
static_assert(details::roundUpNextMultiple(13, 8) == 16 && details::lsc_vector_size<8>() == VectorSize::N8);
static_assert(details::lsc_vector_size<VectorSize::N3>() == 3 && details::lsc_vector_size<VectorSize::N64>() == 64);
static_assert(details::lsc_data_size<short, DataSize::Default>() == DataSize::U16 && details::lsc_data_size<int, DataSize::U8U32>() == DataSize::U8U32);
static_assert(std::is_same_v<details::remove_address_space_t<__local int>, int> && std::is_same_v<details::remove_address_space_t<__global half>, half>);
static_assert(std::is_same_v<details::remove_address_space_t<const __generic uint>, const uint> && std::is_same_v<details::remove_address_space_t<float>, float>);
static_assert(std::is_same_v<details::dword_type<uchar>::type, uint> && int(details::OWORD) == 16);
static_assert(std::is_same_v<details::word_type<uint>::type, ushort> && details::getMaxNumOfOWordSLM() >= 8);
static_assert(std::is_same_v<details::make_signed<uchar>::type, char> &&
              std::is_same_v<details::make_signed<half>::type, half>);
static_assert(std::is_same_v<details::make_unsigned<int>::type, uint> &&
              std::is_same_v<details::make_unsigned<uint>::type, uint>);
static_assert(std::is_same_v<details::remove_ref_t<matrix_ref<int, 2, 3>>, matrix<int, 2, 3>>);
static_assert(std::is_same_v<details::vector_type<const vector_ref<int, 3> &>::type, vector<int, 3>>);
static_assert(std::is_same_v<details::vector_type<matrix<int, 2, 3>>::type, vector<int, 6>>);
static_assert(std::is_same_v<details::vector_type<const float>::type, vector<float, 1>>);
static_assert(std::is_same_v<details::computation_type<short, float>::type, float>);
static_assert(std::is_same_v<details::common_type<char, short>::type, int> &&
              details::is_type<const int, float, int>());
template <class T> T passed(T &&Value) { return std::forward<T>(Value); }
extern "C" _GENX_MAIN_ void traits(SurfaceIndex s) {
  int n = kind(1.0f) + kind(3), m = passed(std::move(n));
  std::swap(n, m);
  vector<int, 8> v = n;
  write(s, 0, v);
}

extern "C" _GENX_MAIN_ void typedAtomics(SurfaceIndex s, vector<uint, 8> u) {
  vector<uint, 8> r, a = 1;
  vector<ushort, 8> k = 1;
  write_typed_atomic<ATOMIC_INC>(s, r, u);
  write_typed_atomic<ATOMIC_PREDEC>(s, r, u, u);
  write_typed_atomic<ATOMIC_DEC>(k, s, r, u, u, u);
  write_typed_atomic<ATOMIC_PREDEC>(k, s, r, u, u, u, u);
  write_typed_atomic<ATOMIC_INC, uint, 8>(s, r, u, u, u, u);
  write_typed_atomic<ATOMIC_ADD>(s, r, a, u);
  write_typed_atomic<ATOMIC_ADD>(k, s, r, a, u, u);
  write_typed_atomic<ATOMIC_XOR>(s, r, a, u, u, u);
  write_typed_atomic<ATOMIC_MAX>(k, s, r, a, u, u, u, u);
  write_typed_atomic<ATOMIC_CMPXCHG>(s, r, a, a, u);
  write_typed_atomic<ATOMIC_CMPXCHG>(k, s, r, a, a, u, u);
  write_typed_atomic<ATOMIC_CMPXCHG>(s, r, a, a, u, u, u, u);
  write_typed_atomic<ATOMIC_CMPXCHG>(k, s, r, a, a, u, u, u, u);
}

extern "C" _GENX_MAIN_ void sampled(SurfaceIndex s, SamplerIndex sampler, vector<float, 16> u) {
  matrix<float, 4, 16> m;
  vector<short, 1> old;
  vector<uint16_t, 1> mask;
  sample16(m, mask, CM_ABGR_ENABLE, s, sampler, u, u, u);
  sample16(m, old, CM_R_ENABLE, s, sampler, u, u);
  sample16(m, CM_BGR_ENABLE, s, sampler, u);
  vector<uint, 16> x = u;
  load16(m, mask, CM_ABGR_ENABLE, s, x);
  load16(m, old, CM_G_ENABLE, s, x, x, x);
  CM3DSampleOp op = CM_3D_SAMPLE;
  op |= CM_3D_SAMPLE_NULLMASK_ENABLE | CM_3D_SAMPLE_CPS_LOD_COMP_ENABLE;
  cm_3d_sample<CM_3D_SAMPLE | CM_3D_SAMPLE_NULLMASK_ENABLE, CM_GR_ENABLE>(m.format<float>(), 0, sampler, s, u, u, u);
  cm_3d_load<CM_3D_LOAD_LZ | CM_3D_LOAD_NULLMASK_ENABLE, CM_R_ENABLE>(m.format<float>(), 0, s, x, x, x);
  write(s, 0, m.row(0));
}
