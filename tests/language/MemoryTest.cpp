// Memory by address and the load/store cache functions (language reference, chapters 12 and 13), the old spelling of
// atomics: rows of statements and the values that they leave.
#include "Conformance.h"

namespace {

using test::Row;

const std::vector<Row> svm = {
    {"SVM-01 SVM-03 TYP-15", "uint", "cm_svm_block_read(memory + 16, out);", {104, 105, 106, 107}},
    {"SVM-01",
     "uint",
     "matrix<uint, 2, 4> m; cm_svm_block_read(memory + 32, m); out = m;",
     {108, 109, 110, 111, 112, 113, 114, 115}},
    {"SVM-02", "ushort", "cm_svm_block_read_unaligned(memory + 4, out);", {101, 0, 102, 0}},
    {"SVM-03",
     "uint",
     "cm_svm_block_write(memory + 16, vector<uint, 4>(ramp.select<4, 1>(5))); cm_svm_block_read(memory + 12, out);",
     {103, 5, 6, 7, 8, 108}},
    {"SVM-04 SVM-15",
     "uint",
     "vector<svmptr_t, 4> a = ramp.select<4, 2>(1) * 4 + memory; cm_svm_scatter_read(a, out);",
     {101, 103, 105, 107}},
    {"SVM-04",
     "uchar",
     "vector<svmptr_t, 4> a = ramp.select<4, 1>(0) + memory + 3; cm_svm_scatter_read(a, out);",
     {0, 101, 0, 0}},
    {"SVM-04 SVM-05",
     "uint",
     "vector<uint, 8> r = ramp.select<8, 1>(0); vector<svmptr_t, 8> a = r * 8 + memory; vector<uint, 8> v, w; "
     "cm_svm_scatter_read(a, v); "
     "cm_svm_scatter_read(vector<svmptr_t, 8>(a + 4), w); vector<svmptr_t, 8> b = memory + 60 - r * 8; "
     "cm_svm_scatter_write(b, v); cm_svm_scatter_write(vector<svmptr_t, 8>(b - 4), vector<uint, 8>(w + 1)); "
     "cm_svm_block_read(memory, out);",
     {116, 114, 114, 112, 112, 110, 110, 108, 108, 106, 106, 104, 104, 102, 102, 100}},
    {"SVM-04",
     "unsigned long long",
     "vector<svmptr_t, 2> a = ramp.select<2, 1>(0) * 8 + memory; vector<unsigned long long, 2> v; "
     "cm_svm_scatter_read(a, v); out = v >> 32;",
     {101, 103}},
    {"SVM-05",
     "uint",
     "vector<svmptr_t, 4> a = ramp.select<4, 1>(0) * 8 + memory; cm_svm_scatter_write(a, ramp.select<4, 1>(20)); "
     "cm_svm_block_read(memory, out);",
     {20, 101, 21, 103, 22, 105, 23, 107}},
    {"SVM-05 SVM-15",
     "uint",
     "vector<svmptr_t, 4> a = ramp.select<4, 1>(0) * 4 + memory; vector<uint, 4> v = 7; "
     "SIMD_IF_BEGIN(ramp.select<4, 1>(0) > 1) { cm_svm_scatter_write(a, v); } SIMD_IF_END; cm_svm_block_read(memory, "
     "out);",
     {100, 101, 7, 7}},
    {"SVM-06 AOP-06",
     "uint",
     "vector<svmptr_t, 2> a = ramp.select<2, 1>(0) * 4 + memory; vector<uint, 2> old; "
     "cm_svm_atomic(ATOMIC_REVSUB, a, old, 500u); vector<uint, 2> now; cm_svm_block_read(memory, now); "
     "out.select<2, 1>(0) = old; out.select<2, 1>(2) = now;",
     {100, 101, 400, 399}},
    {"SVM-06",
     "ushort",
     "vector<svmptr_t, 2> a = ramp.select<2, 1>(0) * 2 + memory; vector<ushort, 2> old; "
     "cm_svm_atomic(ATOMIC_INC, a, old); cm_svm_atomic(ATOMIC_CMPXCHG, a, old, 9, ushort(101)); "
     "cm_svm_block_read(memory, out);",
     {9, 1, 101, 0}},
    {"SVM-06",
     "uint",
     "vector<svmptr_t, 16> a = ramp.select<16, 1>(0) * 4 + memory; vector<uint, 16> old; "
     "cm_svm_atomic(ATOMIC_INC, a, old); SIMD_IF_BEGIN(ramp.select<16, 1>(0) > 7) { cm_svm_atomic(ATOMIC_INC, a, old); "
     "} SIMD_IF_END; out = old;",
     {100, 101, 102, 103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116}},
    {"SVM-07",
     "float",
     "cm_svm_block_write(memory, vector<float, 2>(1.5f)); vector<svmptr_t, 2> a = memory; a(1) += 4; vector<float, 2> "
     "old; "
     "svm_atomic<ATOMIC_FADD>(a, old, 2.0f); svm_atomic<ATOMIC_FMAX>(a, old, vector<float, 2>(3.0f, 9.0f)); "
     "cm_svm_block_read(memory, out);",
     {3.5, 9}},
    {"SVM-07",
     "half",
     "cm_svm_block_write(memory, vector<half, 2>(1.5f)); vector<svmptr_t, 2> a = memory; a(1) += 2; vector<half, 2> "
     "old; "
     "svm_atomic<ATOMIC_FADD>(a, old, half(2)); cm_svm_block_read(memory, out);",
     {3.5, 3.5}},
    {"SVM-07",
     "unsigned long long",
     "vector<svmptr_t, 2> a = memory; a(1) += 8; vector<unsigned long long, 2> old; "
     "svm_atomic<ATOMIC_ADD>(a, old, 1ull << 32); cm_svm_block_read(memory, out); out >>= 32;",
     {102, 104}},
    {"SVM-08",
     "uint",
     "vector<svmptr_t, 8> a = ramp.select<8, 1>(0) * 16 + memory; vector<uint, 16> v; "
     "cm_svm_gather4_scaled(a, v, CM_AR_ENABLE); out = v.select<8, 2>(0);",
     {100, 108, 116, 124, 103, 111, 119, 127}},
    {"SVM-09",
     "uint",
     "vector<svmptr_t, 8> a = ramp.select<8, 1>(0) * 16 + memory; vector<uint, 16> v = ramp.select<16, 1>(0); "
     "cm_svm_scatter4_scaled(a, v, CM_GR_ENABLE); cm_svm_block_read(memory + 16, out);",
     {1, 9, 106, 107, 2, 10}},
    {"SVM-10",
     "uint",
     "const uint *p = (const uint *)memory; vector<uint, 4> v, w; cm_ptr_block_read(p + 4, v); "
     "cm_ptr_block_read_unaligned(p + 5, w); cm_ptr_block_write((uint *)memory, v + w); cm_ptr_block_read(p, out);",
     {209, 211, 213, 215}},
    {"SVM-11",
     "int",
     "int *p = (int *)memory + 8; vector<ptrdiff_t, 4> o = ramp.select<4, 1>(0); o = (o - 2) * 4; vector<int, 4> v; "
     "cm_ptr_scatter_read(p, o, v); cm_ptr_scatter_write(p, o * 2, v * 2); cm_svm_block_read(memory + 16, out);",
     {212, 105, 214, 107, 216, 109, 218}},
    {"SVM-12",
     "uint",
     "uint *p = (uint *)memory; vector<ptrdiff_t, 8> o = ramp.select<8, 1>(0) * 16; vector<uint, 8> v; "
     "cm_ptr_read4(p, o, v, CM_G_ENABLE); cm_ptr_write4(p, o, v, CM_R_ENABLE); cm_svm_block_read(memory, out);",
     {101, 101, 102, 103, 105}},
    {"SVM-13",
     "uint",
     "uint *p = (uint *)memory; vector<ptrdiff_t, 4> o = 4; vector<uint, 4> old; cm_ptr_atomic<ATOMIC_INC>(p, o, old); "
     "cm_svm_block_read(memory, out);",
     {100, 105}},
    {"SLM-15",
     "uint",
     "cm_slm_init(256); cm_slm_load(0, memory, 0, 256); vector<uint, 8> v; cm_slm_block_read(0, 32, v); out = v;",
     {108, 109, 110, 111, 112, 113, 114, 115}},
    {"ATM-08 ERR-23",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0), s = 10, old; write(data, ATOMIC_ADD, 4, o, s, old); "
     "vector<uint, 4> v; read(data, 16, v); out.select<4, 1>(0) = v; out.select<4, 1>(4) = old.select<4, 1>(4);",
     {14, 15, 16, 17, 8, 9, 10, 11}},
    {"ATM-08",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0); vector<uint, 16> s = 50; s.select<8, 1>(8) = 3; "
     "write(data, ATOMIC_CMPXCHG, 0, o, s, NULL); write(data, ATOMIC_INC, 0, o, s.select<8, 1>(0), NULL); read(data, "
     "0, out);",
     {1, 2, 3, 51}},
};

TEST(MemoryRows, byAddress) { test::check(svm); }

const std::vector<Row> lsc = {
    {"LSC-01", "uint", "out = cm_load<uint, 8>(data, 8u);", {2, 3, 4, 5, 6, 7, 8, 9}},
    {"LSC-01 LSC-12", "float", "out = cm_ptr_load<uint, 3, DataSize::U32>((void *)memory, 4);", {101, 102, 103}},
    {"LSC-01", "uint", "out = cm_load<uint, 4>(data, 248u);", {62, 63, 0, 0}},
    {"LSC-01 LEN-02",
     "unsigned long long",
     "out = cm_load<unsigned long long, 2, DataSize::U64>(data, 8u) >> 32;",
     {3, 5}},
    {"LSC-02",
     "uint",
     "cm_store<uint, 3>(data, 4u, ramp.select<3, 1>(10)); cm_store<uint, 2>(data, 252u, ramp.select<2, 1>(7)); "
     "out.select<5, 1>(0) = cm_load<uint, 8>(data, 0u).select<5, 1>(0); out(5) = cm_load<uint, 1>(data, 252u)(0);",
     {0, 10, 11, 12, 4, 7}},
    {"LSC-03 LSC-07 LSC-19",
     "uint",
     "cm_prefetch<8, DataSize::U32, CacheHint::Cached, CacheHint::Cached>(data, 0u); "
     "cm_prefetch<VectorSize::N2>(data, ramp); cm_ptr_prefetch<VectorSize::N1, DataSize::U32>((void *)memory, ramp); "
     "out = 1;",
     {1}},
    {"LSC-04 LEN-03", "uint", "out = cm_load<uint, VectorSize::N4>(data, 4u);", {1, 2, 3, 4}},
    {"LSC-05 VEC-78 PIT-27",
     "int",
     "vector<uint, 2> o(0, 16); out = cm_load<int, VectorSize::N2>(data, o);",
     {0, 4, 1, 5}},
    {"LSC-05 AMB-14 AMB-15",
     "int",
     "vector<uint, 4> o = ramp.select<4, 1>(0) * 8; vector<ushort, 4> p(1, 0, 1, 0); "
     "out = cm_load<int>(data, o, p);",
     {0, 0, 4, 0}},
    {"LSC-05 LEN-02",
     "uint",
     "vector<uint, 4> o = ramp.select<4, 1>(0) + 7; out = cm_load<uint, VectorSize::N1, DataSize::U8U32>(data, o);",
     {0, 2, 0, 0}},
    {"LSC-05 LEN-02",
     "uint",
     "vector<uint, 2> o(4, 8); out = cm_load<uint, VectorSize::N1, DataSize::U16U32H>(data, o);",
     {65536, 131072}},
    {"LSC-05 LEN-02",
     "uchar",
     "vector<uint, 2> o(4, 8); out = cm_load<uchar, VectorSize::N1, DataSize::U8>(data, o);",
     {1, 2}},
    {"LSC-05", "uint", "vector<uint, 2> o(252, 256); out = cm_load<uint, VectorSize::N2>(data, o);", {63, 0, 0, 0}},
    {"LSC-06",
     "uint",
     "vector<uint, 2> o(4, 16); cm_store<uint, VectorSize::N2>(data, o, vector<uint, 4>(70, 71, 72, 73)); read(data, "
     "0, out);",
     {0, 70, 72, 3, 71, 73, 6, 7}},
    {"LSC-06 LEN-02",
     "uint",
     "vector<uint, 2> o(4, 9); cm_store<uint, VectorSize::N1, DataSize::U8U32>(data, o, vector<uint, 2>(0x1FF, "
     "0x203)); "
     "read(data, 0, out);",
     {0, 255, 770, 3}},
    {"LSC-06",
     "uint",
     "vector<uint, 4> o = ramp.select<4, 1>(0) * 4; vector<ushort, 4> p(0, 1, 0, 1); cm_store<uint>(data, o, o + 100, "
     "p); "
     "read(data, 0, out);",
     {0, 104, 2, 112}},
    {"LSC-08",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0) * 16; out = cm_load4<uint, CM_BR_ENABLE>(data, o);",
     {0, 4, 8, 12, 16, 20, 24, 28, 2, 6, 10, 14, 18, 22, 26, 30}},
    {"LSC-08",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0) * 16; cm_store4<uint, CM_GR_ENABLE>(data, o, ramp.select<16, 1>(0) + "
     "200); "
     "read(data, 0, out);",
     {200, 208, 2, 3, 201, 209, 6, 7}},
    {"LSC-09 LSC-11 LEN-04",
     "uint",
     "vector<uint, 4> o = 4; out.select<4, 1>(0) = cm_atomic<AtomicOp::IINC, uint>(data, o); "
     "out.select<4, 1>(4) = cm_load<uint, 4>(data, 0u); out.select<4, 1>(0) = cm_sum<uint>(out.select<4, 1>(0));",
     {10, 10, 10, 10, 0, 5, 2, 3}},
    {"LSC-09",
     "uint",
     "vector<uint, 2> o(4, 8); out.select<2, 1>(0) = cm_atomic<AtomicOp::LOAD, uint>(data, o); "
     "cm_atomic<AtomicOp::STORE, uint>(data, o, 7u); out.select<2, 1>(2) = cm_load<uint>(data, o);",
     {1, 2, 7, 7}},
    {"LSC-10 VEC-75 PIT-25 AMB-12",
     "uint",
     "vector<uint, 2> o(4, 8); out.select<2, 1>(0) = cm_atomic<AtomicOp::ICAS, uint>(data, o, 1u, 9u); "
     "out.select<2, 1>(2) = cm_load<uint>(data, o);",
     {1, 2, 9, 2}},
    {"LSC-09 LSC-11",
     "int",
     "vector<uint, 2> o(4, 8); cm_atomic<AtomicOp::SMIN, int>(data, o, -5); cm_atomic<AtomicOp::IADD, int>(data, o, 2, "
     "vector<ushort, 2>(0, 1)); read(data, 4, ramp.select<2, 1>(0) - 3, out);",
     {-5, -3}},
    {"LSC-11 LSC-12",
     "double",
     "vector<uint, 2> o(0, 8); cm_ptr_store<double>((void *)memory, o, vector<double, 2>(1.5)); "
     "cm_ptr_atomic<AtomicOp::FADD, double>((void *)memory, o, vector<double, 2>(1, 2)); out = "
     "cm_ptr_load<double>((void *)memory, o);",
     {2.5, 3.5}},
    {"LSC-12",
     "uint",
     "vector<uint, 8> o = ramp.select<8, 1>(0) * 16; cm_ptr_store4<uint, CM_R_ENABLE>((void *)memory, o, 5u); "
     "out = cm_ptr_load4<uint, CM_GR_ENABLE>((void *)memory, o);",
     {5, 5, 5, 5, 5, 5, 5, 5, 101, 105, 109, 113, 117, 121, 125, 129}},
    {"LSC-13",
     "uint",
     "uint s = cm_get_value(data); cm_offset_store<uint, 2>(s, 0u, vector<uint, 2>(8, 9)); out = cm_offset_load<uint, "
     "4>(s, 0u);",
     {8, 9, 2, 3}},
    {"LSC-14 LSC-15 SLM-20",
     "uint",
     "cm_slm_init(64); cm_store_slm<uint, 4>(16u, ramp.select<4, 1>(3)); vector<uint, 2> o(16, 24); "
     "cm_store_slm<uint>(o, vector<uint, 2>(50, 51)); out.select<4, 1>(0) = cm_load_slm<uint, 4>(16u); out.select<2, "
     "1>(4) = cm_load_slm<uint>(o); uint at = ramp(1); cm_store_slm<ushort, 3>(at + 39, ramp.select<3, 1>(7)); "
     "out.select<3, 1>(6) = cm_load_slm<ushort, 3>(at * 40); out.select<7, 1>(9) = cm_load_slm<ushort, 7>(at * 16);",
     {50, 4, 51, 6, 50, 51, 7, 8, 9, 50, 0, 4, 0, 51, 0, 6}},
    {"LSC-16 AMB-21",
     "uint",
     "cm_slm_init(128); vector<uint, 8> o = ramp.select<8, 1>(0) * 16; vector<uint, 16> v = ramp.select<16, 1>(0); "
     "cm_store_slm4<uint, CM_GR_ENABLE>(o, v); cm_store4_slm<uint, CM_R_ENABLE>(o, ramp.select<8, 1>(20)); "
     "out = cm_load_slm4<uint, CM_G_ENABLE>(o) + cm_load4_slm<uint, CM_R_ENABLE>(o);",
     {28, 30, 32, 34, 36, 38, 40, 42}},
    {"LSC-17",
     "uint",
     "cm_slm_init(64); cm_store_slm<uint, 4>(0u, vector<uint, 4>(3)); vector<uint, 4> o = 8; "
     "cm_atomic_slm<AtomicOp::IADD, uint>(o, 2u); "
     "out = cm_load_slm<uint, 4>(0u);",
     {3, 3, 11, 3}},
    {"LSC-18 SYN-07 LEN-05 LEN-06 LEN-07",
     "uint",
     "cm_fence(); cm_fence<LSC_UGM, LSC_FENCE_OP_FLUSHL3, LSC_SCOPE_GPU>(); cm_fence<LSC_SLM>(); "
     "cm_fence(CM_SW_BARRIER); out = 1;",
     {1}},
    {"LEN-01 LEN-08 LCH-01 LCH-03 LCH-04 LCH-05",
     "uint",
     "cm_store<uint, 2, DataSize::U32, CacheHint::WriteBack, CacheHint::WriteBack>(data, 0u, 5u); "
     "vector<uint, 2> o(0, 4); cm_atomic<AtomicOp::IINC, uint, VectorSize::N1, DataSize::U32, CacheHint::Uncached, "
     "CacheHint::WriteBack>(data, o); "
     "cm_load<uint, 2, DataSize::U32, CacheHint::Cached, CacheHint::Uncached, CacheHint::Cached>(data, 0u); "
     "out = cm_load<uint, 2, DataSize::Default, CacheHint::Streaming, CacheHint::Cached>(data, 0u);",
     {6, 6}},
    {"SVM-15 SCF-16",
     "uint",
     "vector<uint, 4> o = ramp.select<4, 1>(0) * 4; vector<uint, 8> v = 0; SIMD_IF_BEGIN(o > 4) { "
     "cm_store<uint>(data, o, o); vector<uint, 8> w = cm_load<uint, VectorSize::N2>(data, o); v.select<4, 1>(0) = "
     "w.select<4, 1>(4); } "
     "SIMD_IF_END; out = v;",
     {0, 0, 12, 4, 0, 0, 0, 0}},
};

// A surface of 4 rows of 16 dwords lies in `memory`: width - 1 is 63, height - 1 is 3, pitch - 1 is 63.
const std::vector<Row> blocks = {
    {"L2D-01 L2D-05",
     "uint",
     "out = cm_ptr_load<uint, 4, 2>((uint *)memory, 63, 3, 63, 3, 1);",
     {119, 120, 121, 122, 135, 136, 137, 138}},
    {"L2D-01",
     "uint",
     "out = cm_load<uint, 2, 2, 2>((uint *)memory, 63, 3, 63, 12, 0);",
     {112, 113, 128, 129, 114, 115, 130, 131}},
    {"L2D-01",
     "uint",
     "out = cm_ptr_load<uint, 4, 2>((uint *)memory, 63, 3, 63, 14, 3);",
     {162, 163, 0, 0, 0, 0, 0, 0}},
    {"L2D-01",
     "uint",
     "out = cm_ptr_load<uint, 4, 2>((uint *)memory, 63, 3, 63, -2, -1);",
     {0, 0, 0, 0, 0, 0, 100, 101}},
    {"L2D-02 VEC-80",
     "int",
     "out = cm_ptr_load<int, 2, 2, 1, true>((int *)memory, 63, 3, 63, 1, 0);",
     {101, 117, 102, 118}},
    {"L2D-03 VEC-79",
     "ushort",
     "out = cm_ptr_load<ushort, 2, 2, 1, false, true>((ushort *)memory, 63, 3, 63, 0, 0);",
     {100, 116, 0, 0}},
    {"L2D-03",
     "uchar",
     "out = cm_ptr_load<uchar, 4, 5, 1, false, true>((uchar *)memory, 63, 3, 63, 0, 0).select<16, 1>(0);",
     {100, 116, 132, 148, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"L2D-06 L2D-11",
     "uint",
     "cm_ptr_store<uint, 2, 2>((uint *)memory, 63, 3, 63, 15, 0, vector<uint, 4>(1, 2, 3, 4)); "
     "cm_ptr_store<uint, 2, 2>((uint *)memory, 63, 3, 63, 0, 0, vector<uint, 4>(5, 6, 7, 8)); "
     "vector<uint, 16> a, b; cm_svm_block_read(memory, a); cm_svm_block_read(memory + 64, b); "
     "out.select<3, 1>(0) = a.select<3, 1>(0); out(3) = a(15); out.select<3, 1>(4) = b.select<3, 1>(0); out(7) = "
     "b(15);",
     {5, 6, 102, 1, 7, 8, 118, 3}},
    {"L2D-12 L2D-13",
     "uint",
     "cm_ptr_prefetch<uint, 16, 8>((uint *)memory, 63, 3, 63, 0, 0); out = cm_ptr_load<uint, 4, 1>((uint *)memory, 15, "
     "0, 15, 1, 0);",
     {101, 102, 103, 0}},
    {"L2D-07 LCH-02",
     "uint",
     "cm_ptr_prefetch<uint, 4, 2, 1, CacheHint::Cached, CacheHint::Cached>((uint *)memory, 63, 3, 63, 0, 0); out = 1;",
     {1}},
    {"L2D-15",
     "uint",
     "lsc::block_2d_desc<uint, 1, 2, 4> d(memory, 3, 63, 63, 3, 1); d.set_block_x(4); d.set_block_y(2); "
     "vector<uint, 16> r = d.get_raw_desc(); out.select<5, 1>(0) = r.select<5, 1>(2); out(5) = d.get_width() + "
     "d.get_pitch() * 100 + d.get_height() * 10000; "
     "out(6) = d.get_base() == memory && d.get_base_ptr() == (uint *)memory && d.get_block_x() == 4 && d.get_block_y() "
     "== 2; out(7) = r(7);",
     {63, 3, 63, 4, 2, 36363, 1, 259}},
    {"L2D-16 PIT-31",
     "uint",
     "lsc::block_2d_desc<uint, 1, 2, 3> d((uint *)memory, 3, 63, 63, 1, 0); out = 9; "
     "cm_load<lsc::Normal, CacheHint::Default, CacheHint::Default, 1, 1>(out, d); cm_load(out, d, 0);",
     {118, 119, 120, 9, 134, 135, 136, 9}},
    {"L2D-16",
     "ushort",
     "lsc::block_2d_desc<ushort, 1, 2, 4> d((ushort *)memory, 3, 63, 63, 0, 0); vector<ushort, 16> v = 7; "
     "cm_load<lsc::VNNI>(v, d); out = v;",
     {100, 116, 0, 0, 101, 117, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7}},
    {"L2D-16",
     "uint",
     "lsc::block_2d_desc<uint, 1, 2, 2> d((uint *)memory, 3, 63, 63, 0, 0); vector<uint, 8> v = 7; "
     "cm_load<lsc::Transpose>(v, d); out = v;",
     {100, 116, 101, 117, 7, 7, 7, 7}},
    {"L2D-17",
     "uint",
     "lsc::block_2d_desc<uint, 1, 2, 3> d((uint *)memory, 3, 63, 63, 0, 0); cm_prefetch(d); "
     "cm_store(d, vector<uint, 8>(ramp.select<8, 1>(10))); cm_store(d, vector<uint, 8>(0), 0); vector<uint, 4> a, b; "
     "cm_svm_block_read(memory, a); cm_svm_block_read(memory + 64, b); out.select<4, 1>(0) = a; out.select<4, 1>(4) = "
     "b;",
     {10, 11, 12, 103, 14, 15, 16, 119}},
};

TEST(MemoryRows, twoDimensionalBlocks) { test::check(blocks); }

TEST(MemoryRows, loadStoreCache) { test::check(lsc); }

} // namespace
