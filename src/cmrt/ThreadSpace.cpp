//===- ThreadSpace.cpp - CmThreadSpace ----------------------------------------------===//
//
// Setters store what the application chooses; order() turns it into a list of threads when
// a kernel is enqueued: the cells in dispatch order, each with those that it waits for, as
// chapter 15 of the runtime reference has them.
//
//===----------------------------------------------------------------------===//
#include "cmrt/ThreadSpace.h"
#include "cmrt/Device.h"
#include <algorithm>
#include <set>
#include <utility>

namespace pocm::cmrt {
namespace {
constexpr UINT mostColors = 256;
constexpr UINT mostVectors = CM_MAX_DEPENDENCY_COUNT;
constexpr std::uint64_t mostListed = 1u << 24; // threads of a list
constexpr std::uint32_t none = ~0u;
} // namespace

//===- Layout -----------------------------------------------------------------===//

bool SpaceLayout::looksPlain() const {
  bool anyOrder = !dependency || *dependency == CM_NONE_DEPENDENCY;
  bool rows = !walking || *walking == CM_WALK_DEFAULT || *walking == CM_WALK_HORIZONTAL;
  return anyOrder && rows && !walker && (!vectors || vectors->empty()) && explicitOrder.empty() && colors == 1 &&
         associations.empty();
}

std::vector<Cell> SpaceLayout::walked() const {
  INT w = INT(width), h = INT(height);
  if (walker)
    return walk(walkerOf(*walker));
  if (walking)
    return *walk(*walking, w, h);
  switch (dependency.value_or(CM_NONE_DEPENDENCY)) {
  case CM_WAVEFRONT:
    return *walk(CM_WALK_WAVEFRONT, w, h);
  case CM_WAVEFRONT26:
    return *walk(CM_WALK_WAVEFRONT26, w, h);
  case CM_VERTICAL_WAVE:
    return *walk(CM_WALK_VERTICAL, w, h);
  case CM_WAVEFRONT26X:
    return *walk(CM_WALK_WAVEFRONT26X, w, h);
  case CM_WAVEFRONT26ZIG:
    return *walk(CM_WALK_WAVEFRONT26ZIG, w, h);
  case CM_WAVEFRONT26Z:
    return walk26Z(w, h);
  case CM_WAVEFRONT26ZI:
    return walk26ZI(w, h, dispatch26ZI, blockWidth, blockHeight);
  case CM_NONE_DEPENDENCY:
  case CM_HORIZONTAL_WAVE:
    break;
  }
  return *walk(CM_WALK_DEFAULT, w, h);
}

std::vector<runtime::ListedThread> SpaceLayout::dispatched(const CmKernel *kernel) const {
  std::vector<runtime::ListedThread> threads;
  for (UINT i = 0; i < explicitOrder.size(); ++i) {
    const CM_THREAD_PARAM &p = explicitOrder[i];
    threads.push_back({UINT(p.scoreboardCoordinates.x), UINT(p.scoreboardCoordinates.y), p.scoreboardColor, i});
  }
  if (!threads.empty())
    return threads;
  const std::vector<Cell> cells = walked();
  if (associations.empty())
    threads.reserve(cells.size() * colors);
  for (Cell c : cells) {
    bool inSpace = UINT(c.x) < width && UINT(c.y) < height; // a walker of the application's own may go beyond
    UINT number = inSpace ? UINT(cellAt(c)) : UINT(threads.size());
    if (!associations.empty()) {
      if (!inSpace || associations[cellAt(c)].kernel != kernel)
        continue;
      number = associations[cellAt(c)].thread;
    }
    for (UINT color = 0; color < colors; ++color)
      threads.push_back({UINT(c.x), UINT(c.y), color, number});
  }
  return threads;
}

/// For each thread the positions of those that it waits for.
std::vector<std::vector<std::uint32_t>> SpaceLayout::waits(const std::vector<runtime::ListedThread> &threads) const {
  CM_DEPENDENCY_PATTERN pattern = dependency.value_or(CM_NONE_DEPENDENCY);
  std::vector<Cell> all = vectors ? *vectors : *dependencyVectors(pattern);
  std::vector<std::vector<std::uint32_t>> waitsOf(threads.size());
  if (all.empty())
    return waitsOf;
  // The threads of each cell, as linked lists.
  std::vector<std::uint32_t> head(std::size_t(width) * height, none), next(threads.size(), none);
  auto cellOf = [](const runtime::ListedThread &t) { return Cell{INT(t.x), INT(t.y)}; };
  auto inSpace = [&](Cell c) { return c.x >= 0 && c.y >= 0 && UINT(c.x) < width && UINT(c.y) < height; };
  for (std::uint32_t i = 0; i < threads.size(); ++i)
    if (Cell c = cellOf(threads[i]); inSpace(c)) {
      next[i] = head[cellAt(c)];
      head[cellAt(c)] = i;
    }
  for (std::uint32_t i = 0; i < threads.size(); ++i) {
    Cell c = cellOf(threads[i]);
    if (!inSpace(c))
      continue;
    UINT mask = vectors ? 0xFF : dependencyMask(pattern, c, blockWidth, blockHeight);
    if (!associations.empty())
      mask &= associations[cellAt(c)].mask;
    waitsOf[i].reserve(all.size());
    for (std::size_t v = 0; v < all.size(); ++v) {
      Cell other{c.x + all[v].x, c.y + all[v].y};
      if (!(mask >> v & 1) || !inSpace(other) || other == c)
        continue;
      for (std::uint32_t j = head[cellAt(other)]; j != none; j = next[j])
        waitsOf[i].push_back(j);
    }
  }
  return waitsOf;
}

std::vector<SpaceLayout::Stretch> SpaceLayout::stretches(const std::vector<const CmKernel *> &kernels) {
  std::lock_guard guard(lock);
  if (associations.empty() || !explicitOrder.empty() || kernels.size() < 2)
    return {};
  for (const Turns &made : turns)
    if (made.kernels == kernels)
      return made.stretches;
  turns.push_back({kernels, cut(kernels)});
  return turns.back().stretches;
}

std::vector<SpaceLayout::Stretch> SpaceLayout::cut(const std::vector<const CmKernel *> &kernels) const {
  std::vector<runtime::ListedThread> threads;
  std::vector<std::size_t> kernelOf;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    std::vector<runtime::ListedThread> own = dispatched(kernels[k]);
    threads.insert(threads.end(), own.begin(), own.end());
    kernelOf.resize(threads.size(), k);
  }
  std::vector<std::vector<std::uint32_t>> waitsOf = waits(threads);
  bool crosses = false;
  for (std::uint32_t i = 0; i < threads.size(); ++i)
    for (std::uint32_t j : waitsOf[i])
      crosses |= kernelOf[i] != kernelOf[j];
  if (!crosses)
    return {};

  std::vector<Stretch> all;
  std::vector<std::uint32_t> place(threads.size(), none); // in its stretch, when it has one
  std::vector<bool> done(threads.size());
  std::size_t left = threads.size();
  auto run = [&](std::size_t kernel, const std::vector<std::uint32_t> &chosen) {
    std::vector<runtime::ListedThread> own;
    std::vector<std::vector<std::uint32_t>> ownWaits(chosen.size());
    for (std::uint32_t n = 0; n < chosen.size(); ++n) {
      own.push_back(threads[chosen[n]]);
      for (std::uint32_t j : waitsOf[chosen[n]])
        if (!done[j] && place[j] != none)
          ownWaits[n].push_back(place[j]);
    }
    auto order = std::make_shared<runtime::Order>(runtime::listThreads(std::move(own), ownWaits));
    order->width = width;
    order->height = height;
    all.push_back({kernel, order});
    for (std::uint32_t i : chosen)
      done[i] = true;
    left -= chosen.size();
  };
  while (left) {
    std::size_t before = left;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      // All threads of this kernel that wait only for what is done, or for each other.
      std::vector<std::uint32_t> chosen;
      for (bool more = true; more;) {
        more = false;
        for (std::uint32_t i = 0; i < threads.size(); ++i)
          if (kernelOf[i] == k && place[i] == none &&
              std::all_of(waitsOf[i].begin(), waitsOf[i].end(),
                          [&](std::uint32_t j) { return done[j] || (kernelOf[j] == k && place[j] != none); })) {
            place[i] = std::uint32_t(chosen.size());
            chosen.push_back(i);
            more = true;
          }
      }
      if (!chosen.empty())
        run(k, chosen);
    }
    if (left == before) { // a circle: the first thread waits for none of it
      auto first = std::uint32_t(std::find(done.begin(), done.end(), false) - done.begin());
      place[first] = 0;
      run(kernelOf[first], {first});
    }
  }
  return all;
}

/// What every thread waits for, when that lies to the left or above for all alike; else empty.
std::vector<runtime::Neighbour> SpaceLayout::neighbours() const {
  if (!associations.empty() || !explicitOrder.empty() || walker || colors != 1)
    return {};
  CM_DEPENDENCY_PATTERN pattern = dependency.value_or(CM_NONE_DEPENDENCY);
  bool alike = vectors || pattern == CM_WAVEFRONT || pattern == CM_WAVEFRONT26 || pattern == CM_VERTICAL_WAVE ||
               pattern == CM_HORIZONTAL_WAVE; // others have masks
  if (!alike)
    return {};
  std::vector<runtime::Neighbour> all;
  for (Cell v : vectors ? *vectors : *dependencyVectors(pattern)) {
    if (v.y > 0 || (v.y == 0 && v.x >= 0))
      return {};
    all.push_back({-v.x, -v.y});
  }
  return all;
}

/// What threads wait for by their place in a tile, where that is what the pattern has.
std::optional<runtime::Tiling> SpaceLayout::tiling() const {
  if (!associations.empty() || !explicitOrder.empty() || walker || vectors || colors != 1 || !dependency)
    return std::nullopt;
  return tilingOf(*dependency, Cell{INT(width), INT(height)}, Cell{blockWidth, blockHeight});
}

INT SpaceLayout::order(const CmKernel *kernel, bool listed, std::shared_ptr<const runtime::Order> &out) {
  std::lock_guard guard(lock);
  if (dependency == CM_WAVEFRONT26Z && (width % 2 || height % 2))
    return fail(CM_INVALID_ARG_SIZE, "CmThreadSpace: CM_WAVEFRONT26Z needs even sides, not {}x{}", width, height);
  if (!listed) {
    if (!computed) {
      auto made = std::make_shared<runtime::Order>();
      made->width = width;
      made->height = height;
      made->neighbours = neighbours();
      made->tiling = tiling();
      computed = made;
    }
    if (!computed->isListed()) {
      out = computed;
      return CM_SUCCESS;
    }
  }
  const CmKernel *key = associations.empty() ? nullptr : kernel;
  for (const List &list : lists)
    if (list.kernel == key) {
      out = list.order;
      return CM_SUCCESS;
    }
  if (threadCount() * colors > mostListed)
    return fail(
        CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE,
        "CmThreadSpace: {}x{} threads of {} colours are more than the {} that may have an order or dependencies", width,
        height, colors, mostListed);
  std::vector<runtime::ListedThread> threads = dispatched(kernel);
  std::vector<std::vector<std::uint32_t>> waitsOf = waits(threads);
  auto made = std::make_shared<runtime::Order>(runtime::listThreads(std::move(threads), waitsOf));
  made->width = width;
  made->height = height;
  out = made;
  lists.push_back({key, out});
  return CM_SUCCESS;
}

//===- Interface --------------------------------------------------------------===//

INT ThreadSpace::SelectThreadDependencyPattern(CM_DEPENDENCY_PATTERN pattern) try {
  std::lock_guard guard(layout->lock);
  if (layout->walking)
    return fail(CM_INVALID_DEPENDENCY_WITH_WALKING_PATTERN,
                "CmThreadSpace::SelectThreadDependencyPattern: the space has a walking pattern already");
  if (!dependencyVectors(pattern))
    return fail(CM_FAILURE, "CmThreadSpace::SelectThreadDependencyPattern: there is no pattern {}", int(pattern));
  layout->dependency = pattern;
  layout->changed();
  return CM_SUCCESS;
} catch (...) {
  return caught("CmThreadSpace::SelectThreadDependencyPattern");
}

INT ThreadSpace::AssociateThreadWithMask(UINT x, UINT y, CmKernel *kernel, UINT thread, BYTE mask) try {
  if (!device.kernels.has(kernel))
    return fail(CM_INVALID_ARG_VALUE, "CmThreadSpace::AssociateThread: the kernel is null or none of this device");
  if (x >= layout->width || y >= layout->height)
    return fail(CM_INVALID_ARG_VALUE, "CmThreadSpace::AssociateThread: ({}, {}) is outside of the space of {}x{}", x, y,
                layout->width, layout->height);
  if (layout->threadCount() > mostListed)
    return fail(CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE,
                "CmThreadSpace::AssociateThread: the space has {} threads; at most {} may be associated one by one",
                layout->threadCount(), mostListed);
  std::lock_guard guard(layout->lock);
  layout->associations.resize(std::size_t(layout->width) * layout->height);
  layout->associations[std::size_t(y) * layout->width + x] = {kernel, thread, mask};
  layout->changed();
  return CM_SUCCESS;
} catch (...) {
  return caught("CmThreadSpace::AssociateThreadWithMask");
}

INT ThreadSpace::SetThreadSpaceColorCount(UINT count) {
  if (count == 0 || count > mostColors)
    return fail(CM_INVALID_ARG_VALUE, "CmThreadSpace::SetThreadSpaceColorCount: 1 to {} colours, not {}", mostColors,
                count);
  std::lock_guard guard(layout->lock);
  layout->colors = count;
  layout->changed();
  return CM_SUCCESS;
}

INT ThreadSpace::SelectMediaWalkingPattern(CM_WALKING_PATTERN pattern) try {
  std::lock_guard guard(layout->lock);
  if (layout->dependency)
    return fail(CM_INVALID_DEPENDENCY_WITH_WALKING_PATTERN,
                "CmThreadSpace::SelectMediaWalkingPattern: the space has a dependency pattern already");
  if (!walk(pattern, 1, 1))
    return fail(CM_INVALID_MEDIA_WALKING_PATTERN, "CmThreadSpace::SelectMediaWalkingPattern: there is no pattern {}",
                int(pattern));
  layout->walking = pattern;
  layout->changed();
  return CM_SUCCESS;
} catch (...) {
  return caught("CmThreadSpace::SelectMediaWalkingPattern");
}

INT ThreadSpace::Set26ZIDispatchPattern(CM_26ZI_DISPATCH_PATTERN pattern) {
  if (pattern < VVERTICAL_HVERTICAL_26 || pattern > VVERTICAL1X26_HHORIZONTAL1X26)
    return fail(CM_FAILURE, "CmThreadSpace::Set26ZIDispatchPattern: there is no pattern {}", int(pattern));
  std::lock_guard guard(layout->lock);
  layout->dispatch26ZI = pattern;
  layout->changed();
  return CM_SUCCESS;
}

INT ThreadSpace::Set26ZIMacroBlockSize(UINT width, UINT height) {
  constexpr UINT most = 1u << 15;
  if (width == 0 || height == 0 || width > most || height > most)
    return fail(CM_INVALID_ARG_VALUE,
                "CmThreadSpace::Set26ZIMacroBlockSize: a block has 1 to {} cells a side, not {}x{}", most, width,
                height);
  std::lock_guard guard(layout->lock);
  layout->blockWidth = INT(width);
  layout->blockHeight = INT(height);
  layout->changed();
  return CM_SUCCESS;
}

INT ThreadSpace::SelectMediaWalkingParameters(CM_WALKING_PARAMETERS parameters) {
  constexpr int colorsFrom = 24;
  std::lock_guard guard(layout->lock);
  layout->walker = parameters;
  layout->colors = (parameters.Value[1] >> colorsFrom & 0xFF) + 1;
  layout->changed();
  return CM_SUCCESS;
}

INT ThreadSpace::SelectThreadDependencyVectors(CM_DEPENDENCY vectors) try {
  if (vectors.count > mostVectors)
    return fail(CM_INVALID_ARG_VALUE, "CmThreadSpace::SelectThreadDependencyVectors: at most {} vectors, not {}",
                mostVectors, vectors.count);
  std::vector<Cell> chosen;
  constexpr INT far = 1 << 16; // no space is as wide: such a vector has no target
  for (UINT i = 0; i < vectors.count; ++i)
    chosen.push_back({std::clamp(vectors.deltaX[i], -far, far), std::clamp(vectors.deltaY[i], -far, far)});
  std::lock_guard guard(layout->lock);
  layout->vectors = std::move(chosen);
  layout->changed();
  return CM_SUCCESS;
} catch (...) {
  return caught("CmThreadSpace::SelectThreadDependencyVectors");
}

INT ThreadSpace::SetThreadSpaceOrder(UINT count, PCM_THREAD_PARAM order) try {
  constexpr const char *method = "CmThreadSpace::SetThreadSpaceOrder";
  if (!order)
    return fail(CM_INVALID_ARG_VALUE, "{}: the order is null", method);
  if (count != layout->threadCount())
    return fail(CM_INVALID_ARG_VALUE, "{}: the order has {} threads; the space has {} threads", method, count,
                layout->threadCount());
  if (count > mostListed)
    return fail(CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE, "{}: an order has at most {} threads, not {}", method,
                mostListed, count);
  constexpr int nobody = -1;
  std::vector<std::int16_t> colors(count, nobody); // of the first thread at each place
  std::set<std::pair<std::size_t, BYTE>> others;   // at places with threads of several colours
  for (UINT i = 0; i < count; ++i) {
    const auto [x, y] = order[i].scoreboardCoordinates;
    if (x < 0 || y < 0 || UINT(x) >= layout->width || UINT(y) >= layout->height)
      return fail(CM_INVALID_ARG_VALUE, "{}: entry {} is ({}, {}), which is outside of the space of {}x{}", method, i,
                  x, y, layout->width, layout->height);
    const std::size_t place = std::size_t(y) * layout->width + std::size_t(x);
    const BYTE color = order[i].scoreboardColor;
    if (colors[place] == color || (colors[place] != nobody && !others.emplace(place, color).second))
      return fail(CM_INVALID_ARG_VALUE, "{}: entry {} is ({}, {}), as one before it is", method, i, x, y);
    if (colors[place] == nobody)
      colors[place] = color;
  }
  std::lock_guard guard(layout->lock);
  layout->explicitOrder.assign(order, order + count);
  layout->changed();
  return CM_SUCCESS;
} catch (...) {
  return caught("CmThreadSpace::SetThreadSpaceOrder");
}

} // namespace pocm::cmrt
