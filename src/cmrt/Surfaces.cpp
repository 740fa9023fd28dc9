//===- Surfaces.cpp - CmBuffer and CmSurface2D ------------------------------------===//
//
// Reads and writes block until the given event and all work on the surface are done.
// Host rows are packed unless a stride is given; bytes between rows are left alone.
//
//===----------------------------------------------------------------------===//
#include "cmrt/Surfaces.h"
#include "cmrt/Event.h"
#include <algorithm>

namespace pocm::cmrt {

UINT SurfaceTable::add(const std::shared_ptr<runtime::Memory> &memory) {
  std::lock_guard guard(lock);
  for (UINT i = 0; i < count; ++i)
    if (entries[i].expired()) {
      entries[i] = memory;
      return first + i;
    }
  return 0;
}

std::shared_ptr<runtime::Memory> SurfaceTable::find(UINT index) const {
  std::lock_guard guard(lock);
  return index >= first && index < first + count ? entries[index - first].lock() : nullptr;
}

void waitFor(CmEvent *event) {
  if (event && event != CM_NO_EVENT)
    static_cast<Event *>(event)->task().wait();
}

INT Buffer::GetIndex(SurfaceIndex *&pIndex) {
  pIndex = &index;
  return CM_SUCCESS;
}

INT Buffer::ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) {
  if (!to)
    return fail(CM_NULL_POINTER, "CmBuffer::ReadSurface: the memory to read into is null");
  waitFor(event);
  memory->read(to, std::min<UINT64>(size, memory->geometry().width), 0);
  return CM_SUCCESS;
}

INT Buffer::WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) {
  if (!from)
    return fail(CM_NULL_POINTER, "CmBuffer::WriteSurface: the memory to write from is null");
  waitFor(event);
  memory->write(from, std::min<UINT64>(size, memory->geometry().width), 0);
  return CM_SUCCESS;
}

INT Buffer::InitSurface(const DWORD value, CmEvent *event) {
  waitFor(event);
  memory->fill(value);
  return CM_SUCCESS;
}

INT Surface2D::GetIndex(SurfaceIndex *&pIndex) {
  pIndex = &index;
  return CM_SUCCESS;
}

INT Surface2D::ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) {
  return ReadSurfaceStride(to, event, rowBytes(), size);
}

INT Surface2D::WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) {
  return WriteSurfaceStride(from, event, rowBytes(), size);
}

INT Surface2D::ReadSurfaceStride(unsigned char *to, CmEvent *event, const UINT stride, UINT64) {
  if (!to)
    return fail(CM_INVALID_ARG_VALUE, "CmSurface2D::ReadSurface: the memory to read into is null");
  if (stride < rowBytes())
    return fail(CM_INVALID_ARG_VALUE, "CmSurface2D::ReadSurfaceStride: a stride of {} bytes is less than a row of {}",
                stride, rowBytes());
  waitFor(event);
  memory->readRows(to, stride);
  return CM_SUCCESS;
}

INT Surface2D::WriteSurfaceStride(const unsigned char *from, CmEvent *event, const UINT stride, UINT64) {
  if (!from)
    return fail(CM_INVALID_ARG_VALUE, "CmSurface2D::WriteSurface: the memory to write from is null");
  if (stride < rowBytes())
    return fail(CM_INVALID_ARG_VALUE, "CmSurface2D::WriteSurfaceStride: a stride of {} bytes is less than a row of {}",
                stride, rowBytes());
  waitFor(event);
  memory->writeRows(from, stride);
  return CM_SUCCESS;
}

INT Surface2D::InitSurface(const DWORD value, CmEvent *event, unsigned int) {
  waitFor(event);
  memory->fill(value);
  return CM_SUCCESS;
}

} // namespace pocm::cmrt
