//===- LaunchViews.h - The surfaces of a launch as its kernel sees them ----------------===//
#pragma once

#include "codegen/cpu/Abi.h"
#include "devices/cpu/Views.h"
#include "runtime/Device.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace pocm::cpu {

using ViewTable = std::array<SurfaceView, SurfaceSlots>;
/// A table of no surfaces that the next launch may take, or none. It is mostly empty, and to clear all of it takes
/// longer than a short launch.
class SpareTable {
public:
  std::unique_ptr<ViewTable> take() {
    std::unique_ptr<ViewTable> table(spare.exchange(nullptr));
    return table ? std::move(table) : std::make_unique<ViewTable>();
  }
  void give(std::unique_ptr<ViewTable> table) { std::unique_ptr<ViewTable>(spare.exchange(table.release())); }
  ~SpareTable() { delete spare.load(); }

private:
  std::atomic<ViewTable *> spare = nullptr;
};

/// The surfaces of a launch.
class LaunchViews {
public:
  LaunchViews(const runtime::Launch &launch, SpareTable &spare) : launch(launch), spare(spare), views(spare.take()) {
    for (std::size_t slot = 0; slot < launch.surfaces.size(); ++slot)
      if (const auto &memory = launch.surfaces[slot])
        (*views)[slot] = viewOf(*memory);
    if (launch.print)
      (*views)[PrintSurface] = viewOf(*launch.print);
    if (launch.data)
      (*views)[ProgramSurface] = viewOf(*launch.data);
    for (const Sampler &s : launch.samplers)
      samplers.push_back(viewOf(s));
    (*views)[SamplerSurface].base = reinterpret_cast<std::uint8_t *>(samplers.data());
    (*views)[SamplerSurface].bytes = std::int64_t(samplers.size() * sizeof(SamplerView));
  }
  ~LaunchViews() {
    std::fill_n(views->begin(), launch.surfaces.size(), SurfaceView{});
    for (std::size_t slot : {PrintSurface, ProgramSurface, SamplerSurface})
      (*views)[slot] = {};
    spare.give(std::move(views));
  }
  LaunchViews(const LaunchViews &) = delete;
  LaunchViews &operator=(const LaunchViews &) = delete;

  SurfaceView *table() const { return views->data(); }

private:
  const runtime::Launch &launch;
  SpareTable &spare;
  std::unique_ptr<ViewTable> views;
  std::vector<SamplerView> samplers;
};

} // namespace pocm::cpu
