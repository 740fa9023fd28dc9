//===- Surfaces.h - CmBuffer and CmSurface2D --------------------------------------===//
#pragma once

#include "cmrt/Formats.h"
#include "cmrt/Unsupported.h"
#include "runtime/Memory.h"
#include <array>
#include <cstdlib>

namespace pocm::cmrt {

/// Numbers of surfaces. An index is free again when nobody, work in flight included, holds the memory. Any thread.
class SurfaceTable {
public:
  /// Lowest free index, from 8 on as on Gen9 and later; 0 when the table is full.
  UINT add(const std::shared_ptr<runtime::Memory> &memory);
  std::shared_ptr<runtime::Memory> find(UINT index) const;

private:
  static constexpr UINT first = 8, count = 1602;
  mutable std::mutex lock;
  std::array<std::weak_ptr<runtime::Memory>, count> entries;
};

class Event;

/// Waits for an event given to a surface call; null and CM_NO_EVENT mean none.
void waitFor(CmEvent *event);

class Buffer final : public UnsupportedBuffer {
public:
  Buffer(std::shared_ptr<runtime::Memory> memory, UINT index) : memory(std::move(memory)), index(index) {}

  INT GetIndex(SurfaceIndex *&pIndex) override;
  INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) override;
  INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) override;
  INT InitSurface(const DWORD value, CmEvent *event) override;
  INT SelectMemoryObjectControlSetting(MEMORY_OBJECT_CONTROL) override { return CM_SUCCESS; }

private:
  std::shared_ptr<runtime::Memory> memory;
  SurfaceIndex index;
};

/// A buffer over the application's memory.
class BufferUP final : public CmBufferUP {
public:
  BufferUP(std::shared_ptr<runtime::Memory> memory, UINT index) : memory(std::move(memory)), index(index) {}
  INT GetIndex(SurfaceIndex *&pIndex) override {
    pIndex = &index;
    return CM_SUCCESS;
  }
  INT SelectMemoryObjectControlSetting(MEMORY_OBJECT_CONTROL) override { return CM_SUCCESS; }

private:
  std::shared_ptr<runtime::Memory> memory;
  SurfaceIndex index;
};

/// Memory that host and kernels share by address: the application's, or ours.
class BufferSVM final : public CmBufferSVM {
public:
  struct Free {
    bool owned = false;
    void operator()(void *p) const {
      if (owned)
        std::free(p);
    }
  };
  using Block = std::unique_ptr<void, Free>;
  BufferSVM(Block block, std::shared_ptr<runtime::Memory> memory, UINT index)
      : block(std::move(block)), memory(std::move(memory)), index(index) {}
  /// The memory goes when the last work that uses it is done.
  ~BufferSVM() { memory->waitUntilFree(); }
  INT GetIndex(SurfaceIndex *&pIndex) override {
    pIndex = &index;
    return CM_SUCCESS;
  }
  INT GetAddress(void *&address) override {
    address = block.get();
    return CM_SUCCESS;
  }

private:
  Block block;
  std::shared_ptr<runtime::Memory> memory;
  SurfaceIndex index;
};

class Surface2D final : public UnsupportedSurface2D {
public:
  Surface2D(std::shared_ptr<runtime::Memory> memory, UINT index) : memory(std::move(memory)), index(index) {}

  INT GetIndex(SurfaceIndex *&pIndex) override;
  INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) override;
  INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) override;
  INT ReadSurfaceStride(unsigned char *to, CmEvent *event, const UINT stride, UINT64 size) override;
  INT WriteSurfaceStride(const unsigned char *from, CmEvent *event, const UINT stride, UINT64 size) override;
  INT InitSurface(const DWORD value, CmEvent *event, unsigned int useGPU) override;
  INT SelectMemoryObjectControlSetting(MEMORY_OBJECT_CONTROL) override { return CM_SUCCESS; }

private:
  UINT rowBytes() const { return UINT(memory->geometry().rowBytes()); }
  std::shared_ptr<runtime::Memory> memory;
  SurfaceIndex index;
};

} // namespace pocm::cmrt
