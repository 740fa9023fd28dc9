//===- cm/detail/dpas.h - Systolic matrix products ------------------------------------------===//
//
// cm_dpas<precision of B, precision of A, 8, rows>(C, B, A) = C + A x B, for a matrix A of
// rows x K, B of K x N and C of rows x N, where N is the number of dwords in a register and
// K is 8 * operations per channel. Specification chapter "Matrix built-ins".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// Types of elements, packed into int or uint.
enum CmPrecisionType {
  CM_PRECISION_U2 = 2,
  CM_PRECISION_S2 = 3,
  CM_PRECISION_U4 = 4,
  CM_PRECISION_S4 = 5,
  CM_PRECISION_U8 = 6,
  CM_PRECISION_S8 = 7,
  CM_PRECISION_BF = 8,
  CM_PRECISION_HF = 9,
  CM_PRECISION_TF32 = 11,
  CM_PRECISION_BF8 = 12,
  CM_PRECISION_HF8 = 13,
  CM_PRECISION_E2M1 = 14,
  // Older spellings.
  CM_Precision_U2 = CM_PRECISION_U2,
  CM_Precision_S2 = CM_PRECISION_S2,
  CM_Precision_U4 = CM_PRECISION_U4,
  CM_Precision_S4 = CM_PRECISION_S4,
  CM_Precision_U8 = CM_PRECISION_U8,
  CM_Precision_S8 = CM_PRECISION_S8,
  CM_Precision_BF16 = CM_PRECISION_BF,
  CM_Precision_FP16 = CM_PRECISION_HF,
  CM_Precision_TF32 = CM_PRECISION_TF32
};

namespace cm::detail {

constexpr int precision_bits(CmPrecisionType P) {
  switch (P) {
  case CM_PRECISION_U2:
  case CM_PRECISION_S2:
    return 2;
  case CM_PRECISION_U4:
  case CM_PRECISION_S4:
  case CM_PRECISION_E2M1:
    return 4;
  case CM_PRECISION_BF:
  case CM_PRECISION_HF:
    return 16;
  case CM_PRECISION_TF32:
    return 32;
  default:
    return 8;
  }
}
constexpr bool is_float_precision(CmPrecisionType P) { return P >= CM_PRECISION_BF; }
constexpr int dpas_operations(CmPrecisionType P1, CmPrecisionType P2) {
  int Ops = 32 / precision_bits(P1) < 32 / precision_bits(P2) ? 32 / precision_bits(P1) : 32 / precision_bits(P2);
  return Ops < 8 ? Ops : 8;
}
/// Columns of B and of the result: dwords of a register; on the cpu, whose registers have any size, also 16, when B has.
template <CmPrecisionType P1, CmPrecisionType P2, class S1> constexpr int dpas_columns() {
  constexpr int N = register_bytes / 4, Whole = 8 * precision_bits(P1) * dpas_operations(P1, P2) / 32 * 16;
  return POCM_ON_CPU && traits<S1>::count == Whole ? 16 : N;
}
/// Which features two precisions need.
constexpr bool has_precision(CmPrecisionType P) {
  switch (P) {
  case CM_PRECISION_U2:
  case CM_PRECISION_S2:
    return POCM_CM_HAS_DPAS_INT2;
  case CM_PRECISION_U4:
  case CM_PRECISION_S4:
    return POCM_CM_HAS_DPAS_INT4;
  case CM_PRECISION_TF32:
    return POCM_CM_HAS_TF32;
  case CM_PRECISION_BF8:
    return POCM_CM_HAS_DPAS_BF8;
  case CM_PRECISION_HF8:
    return POCM_CM_HAS_DPAS_HF8;
  case CM_PRECISION_E2M1:
    return POCM_CM_HAS_DPAS_FP4;
  default:
    return true;
  }
}
constexpr bool goes_together(CmPrecisionType P1, CmPrecisionType P2) {
  if (is_float_precision(P1) != is_float_precision(P2))
    return false;
  if (!is_float_precision(P1))
    return true;
  bool Bytes = (P1 == CM_PRECISION_BF8 || P1 == CM_PRECISION_HF8) && (P2 == CM_PRECISION_BF8 || P2 == CM_PRECISION_HF8);
  return P1 == P2 || Bytes;
}
template <CmPrecisionType P1, class T> constexpr bool fits_accumulator() {
  if (!is_float_precision(P1))
    return is_same<T, int> || is_same<T, uint>;
  if (P1 == CM_PRECISION_HF)
    return is_same<T, float> || (is_same<T, half> && POCM_CM_HAS_DPAS_ACC_HALF);
  if (P1 == CM_PRECISION_BF)
    return is_same<T, float> || ((is_same<T, bfloat16> || is_same<T, short>)&&POCM_CM_HAS_DPAS_ACC_BF16);
  return is_same<T, float>;
}

template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, class R, class A, class S1, class S2>
constexpr bool check_dpas() {
  constexpr int N = dpas_columns<P1, P2, S1>(), Ops = dpas_operations(P1, P2);
  constexpr int Words1 = 8 * precision_bits(P1) * Ops / 32 * N, Words2 = Rows * 8 * precision_bits(P2) * Ops / 32;
  static_assert(Depth == 8, sentence("cm_dpas: the systolic depth is 8, not ", Depth));
  static_assert(Rows >= 1 && Rows <= 8, sentence("cm_dpas: the repeat count is 1 to 8, not ", Rows));
  static_assert(goes_together(P1, P2), "cm_dpas: these precisions do not go together: integers of any width do, floats of "
                                       "one kind, BF8 and HF8");
  static_assert(has_precision(P1) && has_precision(P2),
                "cm_dpas: target " POCM_TARGET " does not have this precision (CM_HAS_DPAS_...)");
  static_assert(is_integer<element_type<S1>> && sizeof(element_type<S1>) == 4 && is_integer<element_type<S2>> &&
                    sizeof(element_type<S2>) == 4,
                "cm_dpas: the packed sources have elements of int or uint");
  static_assert(traits<S1>::count == Words1,
                sentence("cm_dpas: source 1, B, has ", traits<S1>::count, " dwords; these precisions take ", Words1));
  static_assert(traits<S2>::count == Words2,
                sentence("cm_dpas: source 2, A, has ", traits<S2>::count, " dwords; these precisions take ", Words2));
  static_assert(fits_accumulator<P1, R>(), "cm_dpas: the result's type does not go with the precisions on target " POCM_TARGET
                " (half and bfloat16: CM_HAS_DPAS_ACC_HALF, CM_HAS_DPAS_ACC_BF16)");
  if constexpr (object<A>) {
    static_assert(fits_accumulator<P1, element_type<A>>(),
                  "cm_dpas: the accumulator's type does not go with the precisions on target " POCM_TARGET);
    static_assert(traits<A>::count == Rows * N,
                  sentence("cm_dpas: the accumulator has ", traits<A>::count, " elements, not ", Rows * N));
  }
  return goes_together(P1, P2) && traits<S1>::count == Words1 && traits<S2>::count == Words2 && Depth == 8 &&
         count_or_one<A> == (object<A> ? Rows * N : 1);
}

/// What short stands for here.
template <class T> using dpas_storage = either<is_same<T, short>, bfloat16, T>;

/// Pair: two threads share A, and Second is this one's half of it.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, bool Pair, class R, class A, class S1, class S2>
auto dpas(const A &Accumulator, const S1 &First, const S2 &Second) {
  constexpr int N = dpas_columns<P1, P2, S1>() * Rows;
  using Whole = either<Pair, vector<element_type<S2>, 2 * traits<S2>::count>, S2>;
  vector<R, N> Result;
  if constexpr (check_dpas<P1, P2, Depth, Rows, R, A, S1, Whole>()) {
    using W = dpas_storage<R>;
    using C = either<object<A>, dpas_storage<element_type<A>>, W>;
    raw<C, N> From;
    if constexpr (object<A>)
      From = (raw<C, N>)Accumulator.value();
    else
      From = raw<C, N>(C(Accumulator));
    raw<W, N> Sum;
    if constexpr (Pair)
      Sum = cm::builtin::dpasw<raw<W, N>>(From, First.value(), Second.value(), int(P1), int(P2), Depth, Rows,
                                          int(!is_unsigned<W>), int(!is_unsigned<C>));
    else
      Sum = cm::builtin::dpas<raw<W, N>>(From, First.value(), Second.value(), int(P1), int(P2), Depth, Rows,
                                         int(!is_unsigned<W>), int(!is_unsigned<C>));
    Result.initialize((raw<R, N>)Sum);
  }
  return Result;
}

} // namespace cm::detail

// Sizes of operands, as programs ask for them.
namespace details {

constexpr unsigned get_dpas_precision_bits(CmPrecisionType P) { return cm::detail::precision_bits(P); }
constexpr unsigned get_dpas_ops_per_channel(CmPrecisionType OfB, CmPrecisionType OfA) {
  return cm::detail::dpas_operations(OfB, OfA);
}
/// Columns: dwords of a register.
constexpr int get_dpas_execution_size(CmPrecisionType) { return cm::detail::register_bytes / 4; }
constexpr unsigned get_dpas_acc_size(unsigned Rows, CmPrecisionType P) { return Rows * get_dpas_execution_size(P); }
constexpr unsigned get_dpas_src1_size(CmPrecisionType OfB, CmPrecisionType OfA, unsigned Depth) {
  return Depth * get_dpas_ops_per_channel(OfB, OfA) * get_dpas_execution_size(OfB) * get_dpas_precision_bits(OfB) / 32;
}
constexpr unsigned get_dpas_src2_size(CmPrecisionType OfB, CmPrecisionType OfA, unsigned Rows, unsigned Depth) {
  return Rows * Depth * get_dpas_ops_per_channel(OfB, OfA) * get_dpas_precision_bits(OfA) / 32;
}

} // namespace details

/// Accumulator + A x B; First is B (precision P1), Second is A (precision P2). The result has the accumulator's type.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, cm::detail::object A, cm::detail::object S1,
          cm::detail::object S2>
auto cm_dpas(const A &Accumulator, const S1 &First, const S2 &Second, int Flag = _GENX_NOSAT) {
  POCM_NEEDS("cm_dpas", CM_HAS_DPAS);
  auto Sum = cm::detail::dpas<P1, P2, Depth, Rows, false, cm::detail::element_type<A>>(Accumulator, First, Second);
  return Flag == _GENX_SAT ? decltype(Sum)(Sum, SAT) : Sum;
}
/// With a result of another type; a scalar accumulator stands for all of its elements.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, class R, cm::detail::operand A,
          cm::detail::object S1, cm::detail::object S2>
auto cm_dpas(const A &Accumulator, const S1 &First, const S2 &Second, int Flag = _GENX_NOSAT) {
  POCM_NEEDS("cm_dpas", CM_HAS_DPAS);
  auto Sum = cm::detail::dpas<P1, P2, Depth, Rows, false, R>(Accumulator, First, Second);
  return Flag == _GENX_SAT ? decltype(Sum)(Sum, SAT) : Sum;
}
template <CmPrecisionType P1, CmPrecisionType P2, cm::detail::element R, int Depth, int Rows, cm::detail::operand A,
          cm::detail::object S1, cm::detail::object S2>
auto cm_dpas(const A &Accumulator, const S1 &First, const S2 &Second, int Flag = _GENX_NOSAT) {
  return cm_dpas<P1, P2, Depth, Rows, R>(Accumulator, First, Second, Flag);
}

/// With the types and sizes of the operands written out.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, cm::detail::element R, cm::detail::element,
          cm::detail::element, int... Sizes, cm::detail::operand A, cm::detail::object S1, cm::detail::object S2>
auto cm_dpas(const A &Accumulator, const S1 &First, const S2 &Second, int Flag = _GENX_NOSAT) {
  return cm_dpas<P1, P2, Depth, Rows, R>(Accumulator, First, Second, Flag);
}
template <CmPrecisionType P1, CmPrecisionType P2, cm::detail::element R, int Depth, int Rows, cm::detail::element,
          cm::detail::element, cm::detail::element, int... Sizes, cm::detail::operand A, cm::detail::object S1,
          cm::detail::object S2>
auto cm_dpas(const A &Accumulator, const S1 &First, const S2 &Second, int Flag = _GENX_NOSAT) {
  return cm_dpas<P1, P2, Depth, Rows, R>(Accumulator, First, Second, Flag);
}

/// The same for two neighbouring threads of a group, local ids 2k and 2k + 1, that share A: each gives half of its
/// dwords, the first one the lower half. Both reach the same call.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, class R, cm::detail::operand A,
          cm::detail::object S1, cm::detail::object S2>
auto cm_dpasw(const A &Accumulator, const S1 &First, const S2 &Half, int Flag = _GENX_NOSAT) {
  using namespace cm::detail;
  POCM_NEEDS("cm_dpasw", CM_HAS_DPASW);
  constexpr int N = traits<S2>::count, Whole = Rows * 8 * precision_bits(P2) * dpas_operations(P1, P2) / 32;
  static_assert(!is_float_precision(P1) || precision_bits(P1) == 16, "cm_dpasw: integers, BF and HF only");
  static_assert(2 * N == Whole, sentence("cm_dpasw: source 2, half of A, has ", N, " dwords; these precisions take ", Whole / 2));
  auto Sum = dpas<P1, P2, Depth, Rows, true, R>(Accumulator, First, Half);
  return Flag == _GENX_SAT ? decltype(Sum)(Sum, SAT) : Sum;
}
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, cm::detail::object A, cm::detail::object S1,
          cm::detail::object S2>
auto cm_dpasw(const A &Accumulator, const S1 &First, const S2 &Half, int Flag = _GENX_NOSAT) {
  return cm_dpasw<P1, P2, Depth, Rows, cm::detail::element_type<A>>(Accumulator, First, Half, Flag);
}
/// With the types and sizes of the operands written out.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, cm::detail::element R, cm::detail::element,
          cm::detail::element, int... Sizes, cm::detail::operand A, cm::detail::object S1, cm::detail::object S2>
auto cm_dpasw(const A &Accumulator, const S1 &First, const S2 &Half, int Flag = _GENX_NOSAT) {
  return cm_dpasw<P1, P2, Depth, Rows, R>(Accumulator, First, Half, Flag);
}

namespace cm::detail {

/// 2^(byte - 127), for scales.
template <int N, class S> vector<float, N> block_scales(const S &Scales, int From) {
  if constexpr (object<S>) {
    vector<uint, traits<S>::count> Codes = Scales.template format<uchar>().template select<traits<S>::count, 1>(0);
    vector<uint, N> Part = Codes.template select<N, 1>(From);
    vector<float, N> Value = (Part << 23).template format<float>();
    Value.merge(0x1p-127f, Part == 0u);
    return Value;
  } else {
    return vector<float, N>(1.0f);
  }
}

template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, class R, class A, class S1, class S2, class B1,
          class B2>
auto block_scaled_dpas(const A &Accumulator, const S1 &First, const S2 &Second, const B1 &ScalesB, const B2 &ScalesA) {
  POCM_NEEDS("cm_bdpas", CM_HAS_BDPAS);
  static_assert(Rows == 8, sentence("cm_bdpas: the repeat count is 8, not ", Rows));
  static_assert(is_float_precision(P1) && P1 != CM_PRECISION_TF32, "cm_bdpas: precisions BF, HF, BF8, HF8 and E2M1");
  static_assert(object<B1> || object<B2>, "cm_bdpas: at least one of the scales is given");
  constexpr int N = dpas_columns<P1, P2, S1>(), Blocks = P1 == CM_PRECISION_E2M1 ? 2 : 1, Words = traits<S1>::count / Blocks;
  static_assert(!object<B1> || count_or_one<B1> == N * Blocks,
                sentence("cm_bdpas: a scale for each column of B and block of 32: ", N * Blocks));
  static_assert(!object<B2> || count_or_one<B2> == Rows * Blocks,
                sentence("cm_bdpas: a scale for each row of A and block of 32: ", Rows * Blocks));
  vector<float, Rows * N> Sum = 0.0f;
  if constexpr (object<A>)
    Sum = Accumulator;
#pragma unroll
  for (int Block = 0; Block < Blocks; ++Block) {
    vector<uint, traits<S1>::count> OneBlock = 0, Whole = First;
    OneBlock.template select<Words, 1>(Block * Words) = Whole.template select<Words, 1>(Block * Words);
    vector<float, Rows * N> Product = dpas<P1, P2, Depth, Rows, false, float>(0, OneBlock, Second);
    vector<float, N> Columns = block_scales<N>(ScalesB, Block * N);
    vector<float, Rows> OfRows = block_scales<Rows>(ScalesA, Block * Rows);
#pragma unroll
    for (int Row = 0; Row < Rows; ++Row)
      Sum.template select<N, 1>(Row * N) += Product.template select<N, 1>(Row * N) * Columns * OfRows(Row);
  }
  return vector<R, Rows * N>(Sum);
}

} // namespace cm::detail

/// Accumulator + (A x B) scaled by powers of two, bytes e for 2^(e - 127), per column of B and row of A and, with 4-bit
/// elements, half of K. 0 stands for scales of 1 and for an accumulator of zeros.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, class R = float, cm::detail::operand A,
          cm::detail::object S1, cm::detail::object S2, cm::detail::operand B1, cm::detail::operand B2 = int>
auto cm_bdpas(const A &Accumulator, const S1 &First, const S2 &Second, const B1 &ScalesB, const B2 &ScalesA = 0) {
  return cm::detail::block_scaled_dpas<P1, P2, Depth, Rows, R>(Accumulator, First, Second, ScalesB, ScalesA);
}
/// With the types and sizes of the operands written out.
template <CmPrecisionType P1, CmPrecisionType P2, int Depth, int Rows, cm::detail::element R, cm::detail::element,
          cm::detail::element, cm::detail::element, int... Sizes, cm::detail::operand A, cm::detail::object S1,
          cm::detail::object S2, cm::detail::operand B1, cm::detail::operand B2 = int>
auto cm_bdpas(const A &Accumulator, const S1 &First, const S2 &Second, const B1 &ScalesB, const B2 &ScalesA = 0) {
  return cm_bdpas<P1, P2, Depth, Rows, R>(Accumulator, First, Second, ScalesB, ScalesA);
}
