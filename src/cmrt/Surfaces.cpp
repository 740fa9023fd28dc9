//===- Surfaces.cpp - Buffers and surfaces of the host API ------------------------===//
//
// Reads and writes block until the given event and all work on the surface are done.
// Host rows are packed unless a stride is given; bytes between rows are left alone.
//
//===----------------------------------------------------------------------===//
#include "cmrt/Surfaces.h"
#include "cmrt/Event.h"
#include "program/Formats.h"
#include <algorithm>

namespace pocm::cmrt {

//===- Indices ----------------------------------------------------------------===//

UINT SurfaceTable::add(const std::shared_ptr<runtime::Memory> &memory) {
  std::lock_guard guard(lock);
  for (UINT i = 0; i < count; ++i)
    if (entries[i].expired()) {
      entries[i] = memory;
      return first + i;
    }
  return 0;
}

UINT SurfaceTable::addAlias(UINT index, UINT n, const std::shared_ptr<runtime::Memory> &memory) {
  std::lock_guard guard(lock);
  UINT alias = index + (n + 1) * count;
  aliases[alias] = memory;
  return alias;
}

std::shared_ptr<runtime::Memory> SurfaceTable::find(UINT index) const {
  std::lock_guard guard(lock);
  if (index >= first && index < first + count)
    return entries[index - first].lock();
  auto alias = aliases.find(index);
  return alias == aliases.end() ? nullptr : alias->second.lock();
}

void waitFor(CmEvent *event) {
  if (event && event != CM_NO_EVENT)
    static_cast<Event *>(event)->task().wait();
}

//===- Buffers ----------------------------------------------------------------===//

namespace {

INT readBuffer(const char *method, runtime::Memory &memory, unsigned char *to, CmEvent *event, UINT64 size) {
  if (!to)
    return fail(CM_NULL_POINTER, "{}: the memory to read into is null", method);
  waitFor(event);
  memory.read(to, std::min<UINT64>(size, memory.geometry().width), 0);
  return CM_SUCCESS;
}

INT writeBuffer(const char *method, runtime::Memory &memory, const unsigned char *from, CmEvent *event, UINT64 size) {
  if (!from)
    return fail(CM_NULL_POINTER, "{}: the memory to write from is null", method);
  waitFor(event);
  memory.write(from, std::min<UINT64>(size, memory.geometry().width), 0);
  return CM_SUCCESS;
}

/// Every second row, from the first (top) or second (bottom) on.
INT showFrame(const char *method, runtime::Memory &memory, CM_FRAME_TYPE frame) {
  runtime::Geometry shape = memory.geometry();
  if (frame < CM_FRAME || frame >= MAX_FRAME_TYPE)
    return fail(CM_INVALID_ARG_VALUE, "{}: there is no frame type {}", method, int(frame));
  if (frame == CM_FRAME) {
    memory.showAs(shape, 0);
    return CM_SUCCESS;
  }
  bool bottom = frame == CM_BOTTOM_FIELD;
  std::uint64_t offset = bottom ? shape.pitch : 0;
  shape.height = std::max(1u, (shape.height + !bottom) / 2);
  shape.pitch *= 2;
  shape.planeRows = 0;
  memory.showAs(shape, offset);
  return CM_SUCCESS;
}

} // namespace

INT Buffer::ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) {
  return readBuffer("CmBuffer::ReadSurface", *memory, to, event, size);
}
INT Buffer::WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) {
  return writeBuffer("CmBuffer::WriteSurface", *memory, from, event, size);
}
INT BufferStateless::ReadSurface(unsigned char *to, CmEvent *event, uint64_t size) {
  return readBuffer("CmBufferStateless::ReadSurface", *memory, to, event, size);
}
INT BufferStateless::WriteSurface(const unsigned char *from, CmEvent *event, uint64_t size) {
  return writeBuffer("CmBufferStateless::WriteSurface", *memory, from, event, size);
}

INT Buffer::InitSurface(const DWORD value, CmEvent *event) {
  waitFor(event);
  memory->fill(value);
  return CM_SUCCESS;
}

INT Buffer::SetSurfaceStateParam(SurfaceIndex *which, const CM_BUFFER_STATE_PARAM *state) {
  constexpr UINT align = 16;
  if (!state)
    return fail(CM_NULL_POINTER, "CmBuffer::SetSurfaceStateParam: the parameters are null");
  std::shared_ptr<runtime::Memory> target = behind(which);
  if (!target)
    return fail(CM_INVALID_ARG_VALUE,
                "CmBuffer::SetSurfaceStateParam: index {} is neither the buffer's nor an alias of it",
                which->get_data());
  runtime::Geometry shape = memory->geometry();
  UINT offset = state->uiBaseAddressOffset;
  if (offset % align || offset >= shape.width || state->uiSize > shape.width - offset)
    return fail(
        CM_INVALID_ARG_VALUE,
        "CmBuffer::SetSurfaceStateParam: {} bytes at {} of a buffer of {}; the offset is a multiple of {} and the "
        "end inside",
        state->uiSize, offset, shape.width, align);
  shape.width = state->uiSize ? state->uiSize : shape.width - offset;
  shape.pitch = shape.width;
  target->showAs(shape, offset);
  return CM_SUCCESS;
}

//===- 2D surfaces ------------------------------------------------------------===//

INT Surface2D::ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) {
  return ReadSurfaceStride(to, event, rowBytes(), size);
}
INT Surface2D::WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) {
  return WriteSurfaceStride(from, event, rowBytes(), size);
}
INT Surface2D::ReadSurfaceStride(unsigned char *to, CmEvent *event, const UINT stride, UINT64 size) {
  return ReadSurfaceHybridStrides(to, event, stride, memory->geometry().height, size, 0);
}
INT Surface2D::WriteSurfaceStride(const unsigned char *from, CmEvent *event, const UINT stride, UINT64 size) {
  return WriteSurfaceHybridStrides(from, event, stride, memory->geometry().height, size, 0);
}

INT Surface2D::checkStrides(const char *method, const void *host, UINT stride, UINT rows) const {
  if (!host)
    return fail(CM_INVALID_ARG_VALUE, "{}: the memory of the host is null", method);
  if (stride < rowBytes())
    return fail(CM_INVALID_ARG_VALUE, "{}: a stride of {} bytes is less than a row of {}", method, stride, rowBytes());
  if (rows < memory->geometry().height)
    return fail(CM_INVALID_ARG_VALUE, "{}: {} rows are less than the surface's {}", method, rows,
                memory->geometry().height);
  return CM_SUCCESS;
}

INT Surface2D::ReadSurfaceHybridStrides(unsigned char *to, CmEvent *event, const UINT stride, const UINT rows, UINT64,
                                        UINT) {
  if (INT code = checkStrides("CmSurface2D::ReadSurface", to, stride, rows))
    return code;
  waitFor(event);
  memory->waitUntilFree();
  memory->copyOut(to, {stride, rows});
  return CM_SUCCESS;
}

INT Surface2D::WriteSurfaceHybridStrides(const unsigned char *from, CmEvent *event, const UINT stride, const UINT rows,
                                         UINT64, UINT) {
  if (INT code = checkStrides("CmSurface2D::WriteSurface", from, stride, rows))
    return code;
  waitFor(event);
  memory->waitUntilFree();
  memory->copyIn(from, {stride, rows});
  return CM_SUCCESS;
}

INT Surface2D::InitSurface(const DWORD value, CmEvent *event, unsigned int) {
  waitFor(event);
  memory->fill(value);
  return CM_SUCCESS;
}

//===- 3D surfaces ------------------------------------------------------------===//

INT Surface3D::checkHost(const char *method, const void *host, UINT64 size) const {
  std::uint64_t bytes = memory->geometry().rowBytes() * memory->geometry().height;
  if (!host || size < bytes)
    return fail(CM_INVALID_ARG_VALUE,
                "{}: the memory of the host is null, or its {} bytes are less than the surface's {}", method, size,
                bytes);
  return CM_SUCCESS;
}

INT Surface3D::ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) {
  if (INT code = checkHost("CmSurface3D::ReadSurface", to, size))
    return code;
  waitFor(event);
  memory->readRows(to, memory->geometry().rowBytes());
  return CM_SUCCESS;
}

INT Surface3D::WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) {
  if (INT code = checkHost("CmSurface3D::WriteSurface", from, size))
    return code;
  waitFor(event);
  memory->writeRows(from, memory->geometry().rowBytes());
  return CM_SUCCESS;
}

INT Surface3D::InitSurface(const DWORD value, CmEvent *event) {
  waitFor(event);
  memory->fill(value);
  return CM_SUCCESS;
}

//===- Fields and views -------------------------------------------------------===//

INT Surface2D::SetProperty(CM_FRAME_TYPE frame) { return showFrame("CmSurface2D::SetProperty", *memory, frame); }
INT Surface2DUP::SetProperty(CM_FRAME_TYPE frame) { return showFrame("CmSurface2DUP::SetProperty", *memory, frame); }

INT Surface2D::SetSurfaceStateParam(SurfaceIndex *which, const CM_SURFACE2D_STATE_PARAM *state) {
  constexpr const char *method = "CmSurface2D::SetSurfaceStateParam";
  if (!state)
    return fail(CM_NULL_POINTER, "{}: the parameters are null", method);
  std::shared_ptr<runtime::Memory> target = behind(which);
  if (!target)
    return fail(CM_INVALID_ARG_VALUE, "{}: index {} is neither the surface's nor an alias of it", method,
                which->get_data());
  const runtime::Geometry &whole = memory->geometry();
  runtime::Geometry shape = whole;
  if (state->format) {
    const Format *format = findFormat(CM_SURFACE_FORMAT(state->format));
    if (!format || format->planar)
      return fail(CM_SURFACE_FORMAT_NOT_SUPPORTED, "{}: format {} is not supported for a view", method, state->format);
    shape.format = formatNumber(format->name);
    shape.pixelBytes = format->pixelBytes;
    shape.planeRows = 0;
  }
  // 0 leaves a field as it is; sizes and offsets are in pixels of the view.
  shape.width = state->width ? state->width : UINT(whole.rowBytes() / shape.pixelBytes) - state->surface_x_offset;
  shape.height = state->height ? state->height : whole.height - state->surface_y_offset;
  shape.pitch = state->pitch ? state->pitch : whole.pitch;
  constexpr UINT mostSlices = 2048;
  if (state->depth > mostSlices)
    return fail(CM_INVALID_ARG_VALUE, "{}: a view has at most {} slices, not {}", method, mostSlices, state->depth);
  shape.depth = std::max(1u, UINT(state->depth));
  shape.height *= shape.depth; // slices of that many rows, one behind the other
  std::uint64_t offset =
      std::uint64_t(state->surface_y_offset) * shape.pitch + std::uint64_t(state->surface_x_offset) * shape.pixelBytes;
  std::uint64_t bytes = whole.pitch * whole.rows();
  if (shape.width == 0 || shape.height == 0 || shape.pitch < shape.rowBytes() ||
      offset + shape.pitch * (shape.height - 1) + shape.rowBytes() > bytes)
    return fail(CM_INVALID_ARG_VALUE,
                "{}: a view of {}x{} pixels at ({}, {}) with rows of {} bytes leaves the surface's {} bytes", method,
                shape.width, shape.height, state->surface_x_offset, state->surface_y_offset, shape.pitch, bytes);
  target->showAs(shape, offset);
  return CM_SUCCESS;
}

} // namespace pocm::cmrt
