// Which features the target has, as bits.
constexpr int first =
#ifdef CM_HAS_LONG_LONG
    1 +
#endif
#ifdef CM_HAS_DOUBLE
    2 +
#endif
#ifdef CM_HAS_IEEE_DIV_SQRT
    4 +
#endif
#if defined(CM_HAS_BIT_ROTATE) && defined(CM_HAS_DP4A)
    8 +
#endif
#if defined(CM_HAS_BFN) && defined(CM_HAS_BF16)
    16 +
#endif
#if defined(CM_HAS_DPAS) && defined(CM_HAS_DPAS_INT2) && defined(CM_HAS_DPAS_INT4) && defined(CM_HAS_DPAS_INT8) &&      \
    defined(CM_HAS_DPAS_INT_MIX)
    32 +
#endif
#ifdef CM_HAS_DPASW
    64 +
#endif
#if defined(CM_HAS_DPAS_ACC_HALF) && defined(CM_HAS_DPAS_ACC_BF16) && defined(CM_HAS_TF32) &&                           \
    defined(CM_HAS_BIT_ROTATE_64BIT) && defined(CM_HAS_STOCHASTIC_ROUNDING) && defined(CM_HAS_SYSTOLIC_DENORMALS)
    128 +
#endif
#if defined(CM_HAS_BDPAS) && defined(CM_HAS_DPAS_HF8) && defined(CM_HAS_DPAS_FP4) && defined(CM_HAS_HF8) &&             \
    defined(CM_HAS_UPCONVERT_4BIT_LUT) && defined(CM_HAS_DOWNSCALE_4BIT) && defined(CM_HAS_MXFP_REDUCE) &&              \
    defined(CM_HAS_LFSR) && defined(CM_HAS_TANH) && defined(CM_HAS_SIGMOID) && defined(CM_HAS_SRND_FP16_TO_BF8) &&      \
    defined(CM_HAS_SRND_BF16_TO_BF8) && defined(CM_HAS_SRND_FP16_TO_HF8) && defined(CM_HAS_SRND_BF16_TO_HF8)
    256 +
#endif
    0;
constexpr int memory =
#ifdef CM_HAS_LSC
    1 +
#endif
#if defined(CM_HAS_LSC_UNTYPED_2D) && defined(CM_HAS_UNTYPED_2D)
    2 +
#endif
#ifdef CM_HAS_NAMED_BARRIERS
    4 +
#endif
#if defined(CM_HAS_LSC_TYPED) && defined(CM_HAS_LSC_TYPED_2D)
    8 +
#endif
#ifdef CM_HAS_LSC_LOAD_L1RI_L3RI_HINT
    16 +
#endif
#if defined(CM_HAS_LSC_2D_LARGE) && defined(CM_HAS_LSC_L1L2L3_CACHE)
    32 +
#endif
    0;
constexpr int older =
#ifdef CM_HAS_TYPED_ATOMIC
    1 +
#endif
#ifdef CM_HAS_GATEWAY_EVENT
    2 +
#endif
    0;
constexpr int newer =
#ifdef CM_HAS_SLM_CAS_INT64
    1 +
#endif
#if defined(CM_HAS_LSC_L1L2L3_CACHE)
    2 +
#endif
    0;
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex out) {
  vector<int, 4> v(first, memory, older, newer);
  write(out, 0, v);
}
