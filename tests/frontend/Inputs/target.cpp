// What a target's macros say, as constants of the program. cm/cm.h is included without a line here (FUN-12).
#if !defined(__CM) || !defined(__CMC) || __INTEL_MDF != 701 || __INTEL_CM != 701 || defined(CMRT_EMU)
#error "the macros of the language are missing"
#endif
#if !defined(CM_GEN7_5) && !defined(CM_GEN8) && !defined(CM_GEN8_5) && !defined(CM_GEN9) && !defined(CM_GEN9_5) &&       \
    !defined(CM_GEN10) && !defined(CM_GEN11) && !defined(CM_GEN12) && !defined(CM_XEHP) && !defined(CM_XEHPG) && !defined(CM_XELPG) &&        \
    !defined(CM_XELPGPLUS) && !defined(CM_XEHPC) && !defined(CM_XE2_HPG) && !defined(CM_XE2_LPG) &&                     \
    !defined(CM_XE3_LPG) && !defined(CM_XE3P_LPG) && !defined(CM_XE3P_CRI)
#error "the target has no macro of its own"
#endif
static_assert(__CM_INTEL_TARGET_MAJOR >= 20 || CM_GENX < 1290);

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex out) {
  vector<int, 4> v(CM_GENX, CM_GRF_WIDTH, CM_MAX_SLM_SIZE, CM_GENX_REVID);
  write(out, 0, v);
  vector<int, 4> version(__CM_INTEL_TARGET_MAJOR, __CM_INTEL_TARGET_MINOR, __CM_INTEL_TARGET_REVISION, -1);
  write(out, 16, version);
}
