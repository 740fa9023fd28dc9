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

/// A table of views, and how many of its first slots launches have used since it was made.
struct ViewTable {
  std::array<SurfaceView, SurfaceSlots> views{};
  std::size_t used = 0;
};

/// A table that the next launch may take, as the last one has left it. To clear all of it takes longer than a short
/// launch, and what other host threads have read is written only where it changes: that would wait for their caches.
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
  LaunchViews(const runtime::Launch &launch, SpareTable &spare) : spare(spare), all(spare.take()) {
    auto viewOrNone = [](const std::shared_ptr<runtime::Memory> &memory) {
      return memory ? viewOf(*memory) : SurfaceView{};
    };
    const std::size_t used = launch.bindings->surfaces.size();
    for (std::size_t slot = 0; slot < used; ++slot)
      set(slot, viewOrNone(launch.bindings->surfaces[slot]));
    for (std::size_t slot = used; slot < all->used; ++slot)
      set(slot, {});
    all->used = used;
    set(PrintSurface, viewOrNone(launch.print));
    set(ProgramSurface, viewOrNone(launch.data));
    for (const Sampler &s : launch.bindings->samplers)
      samplers.push_back(viewOf(s));
    SurfaceView states{};
    states.base = reinterpret_cast<std::uint8_t *>(samplers.data());
    states.bytes = std::int64_t(samplers.size() * sizeof(SamplerView));
    set(SamplerSurface, states);
  }
  ~LaunchViews() { spare.give(std::move(all)); }
  LaunchViews(const LaunchViews &) = delete;
  LaunchViews &operator=(const LaunchViews &) = delete;

  SurfaceView *table() const { return all->views.data(); }

private:
  void set(std::size_t slot, const SurfaceView &view) {
    if (all->views[slot] != view)
      all->views[slot] = view;
  }

  SpareTable &spare;
  std::unique_ptr<ViewTable> all;
  std::vector<SamplerView> samplers;
};

} // namespace pocm::cpu
