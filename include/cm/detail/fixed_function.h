//===- cm/detail/fixed_function.h - What only the hardware can do --------------------------===//
//
// Functions of fixed-function blocks and raw messages, known by name so that a program that
// uses them is told why they are not there. Specification chapters "Inline assembly and raw
// messages", "Adaptive video scaler", "Video analytics", "Video motion estimation".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// Handle of a motion estimation state. Nothing can be done with it.
class VmeIndex {
  unsigned Index = 0;
};

/// Modes of hardware blocks: names for the calls that are refused.
enum AVSExecMode { CM_AVS_16x4, CM_AVS_8x4, CM_AVS_16x8, CM_AVS_4x4, _CM_AVS_16x4 = CM_AVS_16x4, _CM_AVS_8x4 = CM_AVS_8x4, _CM_AVS_16x8 = CM_AVS_16x8, _CM_AVS_4x4 = CM_AVS_4x4 };
enum CONVExecMode { CM_CONV_16x4 = 0, CM_CONV_16x1 = 2, CM_CONV_1x1 = 3, _CM_CONV_16x4 = CM_CONV_16x4, _CM_CONV_16x1 = CM_CONV_16x1, _CM_CONV_1x1 = CM_CONV_1x1 };
enum EDExecMode { CM_ED_64x4, CM_ED_32x4, CM_ED_64x1, CM_ED_32x1, _CM_ED_64x4 = CM_ED_64x4, _CM_ED_32x4 = CM_ED_32x4, _CM_ED_64x1 = CM_ED_64x1, _CM_ED_32x1 = CM_ED_32x1 };
enum MMFExecMode { CM_MMF_16x4 = 0, CM_MMF_16x1 = 2, CM_MMF_1x1 = 3, _CM_MMF_16x4 = CM_MMF_16x4, _CM_MMF_16x1 = CM_MMF_16x1, _CM_MMF_1x1 = CM_MMF_1x1 };
enum MMFEnableMode { CM_MINMAX_ENABLE, CM_MAX_ENABLE, CM_MIN_ENABLE, _CM_MINMAX_ENABLE = CM_MINMAX_ENABLE, _CM_MAX_ENABLE = CM_MAX_ENABLE, _CM_MIN_ENABLE = CM_MIN_ENABLE };
enum LBPCreationExecMode { CM_LBP_CREATION_BOTH, CM_LBP_CREATION_3x3, CM_LBP_CREATION_5x5, _CM_LBP_CREATION_BOTH = CM_LBP_CREATION_BOTH, _CM_LBP_CREATION_3x3 = CM_LBP_CREATION_3x3, _CM_LBP_CREATION_5x5 = CM_LBP_CREATION_5x5 };
enum CM_FORMAT_SIZE { CM_HDC_FORMAT_16S, CM_HDC_FORMAT_8U, _CM_HDC_FORMAT_16S = CM_HDC_FORMAT_16S, _CM_HDC_FORMAT_8U = CM_HDC_FORMAT_8U };

/// Shared functions of the hardware, for raw messages.
enum SFID_GW { SFID_GATEWAY = 3 };
/// What the gateway is asked for.
enum SubFuncID {
  SUBID_RSVD_1 = 0,
  SUBID_GW_SIGNAL_EVENT = 1,
  SUBID_GW_MONITOR_EVENT = 2,
  SUBID_GW_MONITOR_NO_EVENT = 3,
  SUBID_GW_BARRIER = 4,
  SUBID_RSVD_2 = 5,
  SUBID_GW_WAIT_EVENT = 6,
  SUBID_RSVD_3 = 7
};

#define POCM_REFUSED(name, reason) template <auto..., class... A> void name(A &&...) = delete(#name ": " reason);
#define POCM_MESSAGE(name) POCM_REFUSED(name, "raw messages are bits for the hardware's units; use the memory functions")
#define POCM_VIDEO(name) POCM_REFUSED(name, "fixed-function video hardware is not supported")
POCM_MESSAGE(cm_send)
POCM_MESSAGE(cm_sends)
POCM_MESSAGE(cm_raw_send)
POCM_MESSAGE(cm_raw_sendg)
POCM_VIDEO(cm_avs_sampler)
POCM_VIDEO(cm_va_2d_convolve)
POCM_VIDEO(cm_va_min_max_filter)
POCM_VIDEO(cm_va_min_max)
POCM_VIDEO(cm_va_erode)
POCM_VIDEO(cm_va_dilate)
POCM_VIDEO(cm_va_centroid)
POCM_VIDEO(cm_va_boolean_centroid)
POCM_VIDEO(cm_va_1d_convolution)
POCM_VIDEO(cm_va_1pixel_convolve)
POCM_VIDEO(cm_va_lbp_creation)
POCM_VIDEO(cm_va_lbp_correlation)
POCM_VIDEO(cm_va_flood_fill)
POCM_VIDEO(cm_va_correlation_search)
POCM_VIDEO(cm_va_2d_convolve_hdc)
POCM_VIDEO(cm_va_min_max_filter_hdc)
POCM_VIDEO(cm_va_erode_hdc)
POCM_VIDEO(cm_va_dilate_hdc)
POCM_VIDEO(cm_va_1d_convolution_hdc)
POCM_VIDEO(cm_va_1pixel_convolve_hdc)
POCM_VIDEO(cm_va_lbp_creation_hdc)
POCM_VIDEO(cm_va_lbp_correlation_hdc)
POCM_VIDEO(run_vme_intra)
POCM_VIDEO(run_vme_inter)
POCM_VIDEO(run_vme_all)
POCM_VIDEO(run_vme_ime)
POCM_VIDEO(run_vme_sic)
POCM_VIDEO(run_vme_fbr)
POCM_VIDEO(run_vme_idm)
POCM_VIDEO(cm_vme_hevc_ime)
POCM_VIDEO(cm_vme_hevc_sic)
POCM_VIDEO(cm_vme_hevc_sc)
POCM_VIDEO(cm_vme_hevc_hpm_u)
POCM_VIDEO(cm_vme_hevc_hpm_b)
POCM_VIDEO(cm_vme_hevc_fbr)
POCM_VIDEO(cm_vme_hevc_rpm)
POCM_VIDEO(cm_vme_hevc_srm)
#undef POCM_VIDEO
#undef POCM_MESSAGE
#undef POCM_REFUSED
