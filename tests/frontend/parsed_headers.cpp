// The headers are parsed once and kept; what they declare and what a program makes of them is the same with what was
// kept as with their text.
// RUN: rm -rf %t.cache && mkdir -p %t.cache
// RUN: cmc %s -S -o %t.text.ll
// RUN: env POCM_CACHE_DIR=%t.cache cmc %s -S -o %t.first.ll && ls %t.cache | FileCheck --check-prefix=KEPT %s
// RUN: env POCM_CACHE_DIR=%t.cache cmc %s -S -o %t.kept.ll
// RUN: diff %t.text.ll %t.first.ll && diff %t.text.ll %t.kept.ll
// RUN: not env POCM_CACHE_DIR=%t.cache cmc -DMISTAKE %s -o /dev/null 2>&1 | FileCheck %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// KEPT: .pch
template <class T, int N> _GENX_ T last(vector_ref<T, N> v) { return v(N - 1); }

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex out, uint x) {
  vector<uint, 16> v = x;
  vector<uint, 8> first;
  details::if_assign(first, v); // a function of the headers that changes a vector
  matrix<uchar, 2, 8> bytes = 0, wide = x;
  details::if_assign(bytes, wide);
  details::write_region<2>(v, vector<uint, 4>(7), 1);
  cmtl::cm_vector_assign(first, 1, 2);
  first(0) += last(v) + details::read_region<1, 3>(v, 2)(0) + bytes(1, 1);
  write(out, 0, first);
#ifdef MISTAKE
  // CHECK: parsed_headers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'cm_dpas'
  cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 1>(v);
  // CHECK: note: cm_dpas<CmPrecisionType P1, CmPrecisionType P2, Depth, Rows>(Accumulator, First, Second[, int Flag])
#endif
}

// Traits and types that public headers have.
static_assert(std::is_floating_point<matrix_ref<half, 2, 2>>::value && std::is_integral<vector_ref<int, 4>>::value);
static_assert(details::is_cm_vector<matrix<int, 2, 2>>::value && details::is_cm_scalar<const unsigned long>::value);
static_assert(details::is_word_type<matrix<short, 2, 2>>::value && details::is_float_or_half<vector<half, 2>>::value);
static_assert(details::is_one_of_v<int, float, const int> && !details::is_one_of<int, float>::value);
static_assert(details::is_one_of_enum_v<CacheHint, CacheHint::Cached, CacheHint::Default, CacheHint::Cached>);
static_assert(std::is_same<details::dword_type<ushort>::type, uint>::value &&
              std::is_same<details::byte_type<short>::type, char>::value);
static_assert(SFID_GW(3) == SFID_GATEWAY && SubFuncID(4) == SUBID_GW_BARRIER && SUBID_RSVD_3 == 7);
