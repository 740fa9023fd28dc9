//===- Surfaces.h - Buffers and surfaces of the host API --------------------------===//
#pragma once

#include "cmrt/Formats.h"
#include "cmrt/Registry.h"
#include "cmrt/Report.h"
#include "runtime/Context.h"
#include "runtime/Memory.h"
#include <array>
#include <cstdlib>
#include <map>
#include <vector>

namespace pocm::cmrt {

class Event;

/// Numbers of surfaces. An index is free again when nobody, work in flight included, holds the memory. The objects that
/// applications hold stay as long as the table: what a destroyed surface had can still be asked for its number. Any
/// thread.
class SurfaceTable {
public:
  static constexpr UINT mostAliases = 10;
  /// Lowest free index, from 8 on as on Gen9 and later; null when the table is full.
  SurfaceIndex *add(const std::shared_ptr<runtime::Memory> &memory);
  /// The index of alias `n`, 0 to 9, of the surface with this index.
  SurfaceIndex *addAlias(UINT index, UINT n, const std::shared_ptr<runtime::Memory> &memory);
  std::shared_ptr<runtime::Memory> find(UINT index) const;
  bool isAlias(UINT index) const { return index >= first + count; }

private:
  static constexpr UINT first = 8, count = 1602;
  mutable std::mutex lock;
  std::array<std::weak_ptr<runtime::Memory>, count> entries;
  std::map<UINT, std::weak_ptr<runtime::Memory>> aliases;
  SurfaceIndex *handle(UINT number);
  std::map<UINT, std::unique_ptr<SurfaceIndex>> handles; // by number
};

/// What surfaces need of their device.
struct DeviceParts {
  const Registry<Event> &events;
  runtime::Context &context;
};

/// The refusal of an event.
INT refuseEvent(const char *method);

/// CM_SUCCESS, or the refusal of all that is asked of a device of the process that this one was forked from.
inline INT checkProcess(const char *method, const runtime::Context &context) {
  if (context.lost())
    return fail(CM_FAILURE, "{}: the process was forked; a device is of use only to the process that opened it",
                method);
  return CM_SUCCESS;
}

/// Waits for an event given to a surface call; null and CM_NO_EVENT mean none. CM_TASK_MEDIA_RESET when its task
/// failed, CM_INVALID_ARG_VALUE when it is no event of the device.
INT waitFor(const char *method, const DeviceParts &device, CmEvent *event);

/// What all surfaces have: memory and the index that kernels get.
template <class Interface> class SurfaceObject : public Interface {
public:
  SurfaceObject(std::shared_ptr<runtime::Memory> memory, SurfaceIndex *index, const DeviceParts &device)
      : memory(std::move(memory)), index(index), device(device) {}
  INT GetIndex(SurfaceIndex *&pIndex) override {
    pIndex = index;
    return CM_SUCCESS;
  }
  const std::shared_ptr<runtime::Memory> memory;

protected:
  SurfaceIndex *const index; // the table's
  const DeviceParts &device;
};

/// And most of them: a cache policy, which means nothing here.
template <class Interface> class CachedSurface : public SurfaceObject<Interface> {
public:
  using SurfaceObject<Interface>::SurfaceObject;
  INT SelectMemoryObjectControlSetting(MEMORY_OBJECT_CONTROL) override { return CM_SUCCESS; }
};

/// Surfaces that may be seen as others: each alias has an index of its own.
template <class Interface> class AliasedSurface : public CachedSurface<Interface> {
public:
  using CachedSurface<Interface>::CachedSurface;
  /// False when there are as many as may be.
  bool addAlias(SurfaceTable &table, SurfaceIndex *&alias) {
    std::lock_guard guard(lock);
    if (aliases.size() == SurfaceTable::mostAliases)
      return false;
    auto view = runtime::Memory::view(this->memory, this->memory->geometry(), 0);
    alias = table.addAlias(this->index->get_data(), UINT(aliases.size()), view);
    aliases.push_back({alias, std::move(view)});
    return true;
  }

protected:
  /// The memory behind an alias; the surface's own for null and its own index; null for another index.
  std::shared_ptr<runtime::Memory> behind(SurfaceIndex *which) const {
    if (!which || which->get_data() == this->index->get_data())
      return this->memory;
    std::lock_guard guard(lock);
    for (const Alias &a : aliases)
      if (a.index->get_data() == which->get_data())
        return a.view;
    return nullptr;
  }

private:
  struct Alias {
    SurfaceIndex *index;
    std::shared_ptr<runtime::Memory> view;
  };
  mutable std::mutex lock; // guards what follows
  std::vector<Alias> aliases;
};

class Buffer final : public AliasedSurface<CmBuffer> {
public:
  using AliasedSurface::AliasedSurface;
  INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) override;
  INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) override;
  INT InitSurface(const DWORD value, CmEvent *event) override;
  INT SetSurfaceStateParam(SurfaceIndex *which, const CM_BUFFER_STATE_PARAM *state) override;
};

/// A buffer over the application's memory.
class BufferUP final : public CachedSurface<CmBufferUP> {
public:
  using CachedSurface::CachedSurface;
};

/// Memory of the application's, or ours.
struct FreeOwned {
  std::uint64_t owned = 0; ///< Bytes; none of the application's.
  void operator()(void *p) const {
    if (owned)
      runtime::freeReachable(p, owned);
  }
};
using MaybeOwned = std::unique_ptr<void, FreeOwned>;

/// Memory that host and kernels share by address.
class BufferSVM final : public SurfaceObject<CmBufferSVM> {
public:
  BufferSVM(MaybeOwned block, std::shared_ptr<runtime::Memory> memory, SurfaceIndex *index, const DeviceParts &device)
      : SurfaceObject(std::move(memory), index, device), block(std::move(block)) {}
  INT GetAddress(void *&address) override {
    address = block.get();
    return CM_SUCCESS;
  }

private:
  MaybeOwned block;
};

/// Memory that kernels reach by address only.
class BufferStateless final : public CmBufferStateless {
public:
  /// `host` is the caller's memory, null where the device has its own.
  BufferStateless(std::shared_ptr<runtime::Memory> memory, void *host, const DeviceParts &device)
      : memory(std::move(memory)), host(host), device(device) {}
  INT GetGfxAddress(uint64_t &address) override {
    address = reinterpret_cast<uintptr_t>(memory->address());
    return CM_SUCCESS;
  }
  INT GetSysAddress(void *&address) override {
    address = host;
    return CM_SUCCESS;
  }
  INT ReadSurface(unsigned char *to, CmEvent *event, uint64_t size) override;
  INT WriteSurface(const unsigned char *from, CmEvent *event, uint64_t size) override;
  const std::shared_ptr<runtime::Memory> memory;

private:
  void *const host;
  const DeviceParts &device;
};

class Surface2D final : public AliasedSurface<CmSurface2D> {
public:
  using AliasedSurface::AliasedSurface;
  INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) override;
  INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) override;
  INT ReadSurfaceStride(unsigned char *to, CmEvent *event, const UINT stride, UINT64 size) override;
  INT WriteSurfaceStride(const unsigned char *from, CmEvent *event, const UINT stride, UINT64 size) override;
  INT ReadSurfaceHybridStrides(unsigned char *to, CmEvent *event, const UINT stride, const UINT rows, UINT64 size,
                               UINT option) override;
  INT WriteSurfaceHybridStrides(const unsigned char *from, CmEvent *event, const UINT stride, const UINT rows,
                                UINT64 size, UINT option) override;
  INT InitSurface(const DWORD value, CmEvent *event, unsigned int useGPU) override;
  INT GetVaSurfaceID(VASurfaceID &id) override {
    id = VA_INVALID_SURFACE;
    return CM_SUCCESS;
  }
  INT SetProperty(CM_FRAME_TYPE frame) override;
  INT SetSurfaceStateParam(SurfaceIndex *which, const CM_SURFACE2D_STATE_PARAM *state) override;

private:
  UINT rowBytes() const { return UINT(memory->geometry().rowBytes()); }
  INT checkStrides(const char *method, const void *host, UINT stride, UINT rows) const;
};

/// Slices of a surface, one behind the other.
class Surface3D final : public CachedSurface<CmSurface3D> {
public:
  using CachedSurface::CachedSurface;
  INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) override;
  INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) override;
  INT InitSurface(const DWORD value, CmEvent *event) override;

private:
  INT checkHost(const char *method, const void *host, UINT64 size) const;
};

/// A surface over the application's memory.
class Surface2DUP final : public CachedSurface<CmSurface2DUP> {
public:
  using CachedSurface::CachedSurface;
  INT SetProperty(CM_FRAME_TYPE frame) override;
};

/// Surfaces for samplers: other indices of the same memory. Any thread.
class SamplerSurfaces {
public:
  void add(SurfaceIndex *index, std::shared_ptr<runtime::Memory> view) {
    std::lock_guard guard(lock);
    views[index] = std::move(view);
  }
  /// False when it is none of these.
  bool remove(SurfaceIndex *index) {
    std::lock_guard guard(lock);
    return views.erase(index);
  }

private:
  std::mutex lock;
  std::map<SurfaceIndex *, std::shared_ptr<runtime::Memory>> views;
};

} // namespace pocm::cmrt
