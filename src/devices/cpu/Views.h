//===- Views.h - Surfaces and samplers as compiled kernels see them --------------------===//
#pragma once

#include "codegen/cpu/Abi.h"
#include "pocm/pocm.h"
#include "program/Formats.h"
#include "runtime/Memory.h"
#include <algorithm>
#include <iterator>

namespace pocm::cpu {

inline SurfaceView viewOf(runtime::Memory &memory) {
  const runtime::Geometry &g = memory.geometry();
  SurfaceView view{};
  view.base = memory.address();
  view.end = memory.end();
  view.pitch = std::int64_t(g.pitch);
  view.width = std::int32_t(std::min<std::uint64_t>(g.rowBytes(), INT32_MAX));
  view.height = std::int32_t(g.height / g.depth);
  view.depth = std::int32_t(g.depth);
  view.bytes = view.pitch * (std::int64_t(g.height) - 1) + std::int64_t(g.rowBytes());
  view.pixel = std::int32_t(g.pixelBytes);
  view.format = g.format;
  if (formatIsPlanar(g.format))
    for (unsigned k = 0; k < std::size(view.planes); ++k)
      if (auto shape = planeOf(g.format, k + 1, std::uint32_t(view.height), std::uint64_t(view.width), g.pitch))
        view.planes[k] = {std::int64_t(shape->offset), std::int64_t(shape->pitch), std::int32_t(shape->rowBytes),
                          std::int32_t(shape->rows)};
  return view;
}

inline SamplerView viewOf(const Sampler &s) {
  return {std::uint32_t(s.filter),
          std::uint32_t(s.u),
          std::uint32_t(s.v),
          std::uint32_t(s.w),
          {s.border[0], s.border[1], s.border[2], s.border[3]}};
}

} // namespace pocm::cpu
