//===- Capabilities.cpp - What GetCaps says ----------------------------------------------===//
#include "cmrt/Capabilities.h"
#include "cmrt/Formats.h"
#include "pocm/pocm.h"
#include "program/DiskCache.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace pocm::cmrt {
namespace {

struct PlatformRow {
  const char *name, *sku;
  std::uint32_t number, gt;
  std::uint32_t slices, subslices, unitsPerSubslice, threadsPerUnit;
  std::uint32_t l3Configs;
};
/// The first SKU of a platform is the usual one. Numbers are those of public hardware configurations.
constexpr PlatformRow rows[] = {
    {"SKL", "GT2", 7, 2, 1, 3, 8, 7, 8},         {"SKL", "GT1", 7, 1, 1, 2, 6, 7, 8},
    {"SKL", "GT3", 7, 3, 2, 6, 8, 7, 8},         {"SKL", "GT4", 7, 4, 3, 9, 8, 7, 8},
    {"BXT", "GTX", 8, 10, 1, 3, 8, 6, 8},        {"BXT", "GTA", 8, 10, 1, 3, 6, 6, 8},
    {"BXT", "GTC", 8, 10, 1, 2, 6, 6, 8},        {"KBL", "GT2", 11, 2, 1, 3, 8, 7, 8},
    {"KBL", "GT3", 11, 3, 2, 6, 8, 7, 8},        {"ICLLP", "GT2", 13, 2, 1, 8, 8, 7, 9},
    {"ICLLP", "GT1", 13, 1, 1, 4, 8, 7, 9},      {"TGLLP", "GT2", 15, 2, 1, 6, 16, 7, 7},
    {"TGLLP", "GT1", 15, 1, 1, 2, 16, 7, 7},     {"RKL", "GT1", 19, 1, 1, 2, 16, 7, 7},
    {"DG1", "GT2", 20, 2, 1, 6, 16, 7, 3},       {"ADLS", "GT1", 21, 1, 1, 2, 16, 7, 7},
    {"ADLP", "GT2", 23, 2, 1, 6, 16, 7, 7},      {"ADLN", "GT1", 24, 1, 1, 2, 16, 7, 7},
    {"XEHP_SDV", "GTX", 14, 0, 4, 32, 16, 8, 3}, {"DG2", "GTX", 22, 0, 8, 32, 16, 8, 3},
    {"PVC", "GTX", 18, 0, 8, 64, 8, 8, 3},
};

using program::environment;

constexpr CM_SURFACE_FORMAT formats2D[] = {
    CM_SURFACE_FORMAT_X8R8G8B8, CM_SURFACE_FORMAT_A8R8G8B8, CM_SURFACE_FORMAT_A8B8G8R8, CM_SURFACE_FORMAT_R32F,
    CM_SURFACE_FORMAT_V8U8,     CM_SURFACE_FORMAT_P8,       CM_SURFACE_FORMAT_YUY2,     CM_SURFACE_FORMAT_A8,
    CM_SURFACE_FORMAT_NV12,     CM_SURFACE_FORMAT_P010,     CM_SURFACE_FORMAT_P016,     CM_SURFACE_FORMAT_Y216,
    CM_SURFACE_FORMAT_Y416,     CM_SURFACE_FORMAT_UYVY,     CM_SURFACE_FORMAT_R8_UINT,  CM_SURFACE_FORMAT_R16_UINT,
    CM_SURFACE_FORMAT_AYUV,     CM_SURFACE_FORMAT_Y210,     CM_SURFACE_FORMAT_Y410,     CM_SURFACE_FORMAT_IMC3,
    CM_SURFACE_FORMAT_411P,     CM_SURFACE_FORMAT_411R,     CM_SURFACE_FORMAT_422H,     CM_SURFACE_FORMAT_422V,
    CM_SURFACE_FORMAT_444P,     CM_SURFACE_FORMAT_RGBP,     CM_SURFACE_FORMAT_BGRP,     CM_SURFACE_FORMAT_YV12,
    CM_SURFACE_FORMAT_P208,
};

} // namespace

Platform Platform::chosen() {
  std::string name = environment("CM_RT_PLATFORM"), sku = environment("CM_RT_SKU"), all;
  if (name.empty())
    name = "SKL";
  const PlatformRow *found = nullptr;
  bool known = false;
  for (const PlatformRow &row : rows) {
    if (name == row.name) {
      known = true;
      if (!found && (sku.empty() || sku == row.sku))
        found = &row;
    }
    if (all.find(row.name) == std::string::npos)
      all += (all.empty() ? "" : ", ") + std::string(row.name);
  }
  if (!known)
    throw Error("CM_RT_PLATFORM is '" + name + "'; it may be " + all);
  if (!found)
    throw Error("CM_RT_SKU is '" + sku + "', which " + name + " does not have");
  std::uint32_t threads = found->subslices * found->unitsPerSubslice * found->threadsPerUnit;
  if (std::string text = environment("CM_RT_MAX_THREADS"); !text.empty()) {
    std::uint32_t limit = 0;
    auto [rest, problem] = std::from_chars(text.data(), text.data() + text.size(), limit);
    if (problem != std::errc() || *rest || limit == 0)
      throw Error("CM_RT_MAX_THREADS is '" + text + "'; it must be a number from 1 on");
    threads = std::min(threads, limit);
  }
  return {name,
          found->number,
          found->gt,
          threads,
          found->unitsPerSubslice * found->threadsPerUnit,
          {found->slices, found->subslices, found->unitsPerSubslice, found->threadsPerUnit, 0},
          found->l3Configs};
}

std::vector<std::uint8_t> capability(CM_DEVICE_CAP_NAME cap, const Platform &platform, std::uint32_t hardwareThreads) {
  constexpr std::uint32_t gen11 = 13;
  const struct {
    CM_DEVICE_CAP_NAME cap;
    std::uint32_t value;
  } numbers[] = {
      {CAP_KERNEL_COUNT_PER_TASK, 16},
      {CAP_KERNEL_BINARY_SIZE, 65536},
      {CAP_SAMPLER_COUNT, 512},
      {CAP_SAMPLER_COUNT_PER_KERNEL, 16},
      {CAP_BUFFER_COUNT, 256},
      {CAP_SURFACE2D_COUNT, 256},
      {CAP_SURFACE3D_COUNT, 64},
      {CAP_SURFACE_COUNT_PER_KERNEL, 255},
      {CAP_ARG_COUNT_PER_KERNEL, 255},
      {CAP_ARG_SIZE_PER_KERNEL, 2016},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_TASK, 262144},
      {CAP_HW_THREAD_COUNT, hardwareThreads},
      {CAP_SURFACE2D_FORMAT_COUNT, std::uint32_t(std::size(formats2D))},
      {CAP_SURFACE3D_FORMAT_COUNT, 3},
      {CAP_GPU_PLATFORM, platform.number},
      {CAP_GT_PLATFORM, platform.gt},
      {CAP_MIN_FREQUENCY, 0},
      {CAP_MAX_FREQUENCY, 0},
      {CAP_GPU_CURRENT_FREQUENCY, 0},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_TASK_NO_THREAD_ARG, 262144},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_MEDIA_WALKER, 2047u * 2047u * (platform.number >= gen11 ? 256u : 16u)},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP, platform.groupThreads},
      {CAP_SURFACE2DUP_COUNT, 512},
      {CAP_MAX_BUFFER_SIZE, 0x80000000u},
  };
  constexpr CM_SURFACE_FORMAT formats3D[] = {CM_SURFACE_FORMAT_X8R8G8B8, CM_SURFACE_FORMAT_A8R8G8B8,
                                             CM_SURFACE_FORMAT_A16B16G16R16};
  std::vector<std::uint8_t> bytes;
  auto give = [&](const auto &value) {
    bytes.resize(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
  };
  if (cap == CAP_SURFACE2D_FORMATS)
    give(formats2D);
  else if (cap == CAP_SURFACE3D_FORMATS)
    give(formats3D);
  else if (cap == CAP_PLATFORM_INFO)
    give(platform.info);
  for (const auto &known : numbers)
    if (known.cap == cap)
      give(known.value);
  return bytes;
}

} // namespace pocm::cmrt
