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
#include <functional>

namespace pocm::cmrt {

//===- Indices ----------------------------------------------------------------===//

SurfaceIndex *SurfaceTable::handle(UINT number) {
  std::unique_ptr<SurfaceIndex> &known = handles[number];
  if (!known)
    known = std::make_unique<SurfaceIndex>();
  if (known->get_data() != number) // whatever the application did to it; others may be reading an old handle
    *known = number;
  return known.get();
}

SurfaceIndex *SurfaceTable::add(const std::shared_ptr<runtime::Memory> &memory) {
  std::lock_guard guard(lock);
  for (UINT i = 0; i < count; ++i)
    if (entries[i].expired()) {
      SurfaceIndex *index = handle(first + i);
      entries[i] = memory;
      return index;
    }
  return nullptr;
}

SurfaceIndex *SurfaceTable::addAlias(UINT index, UINT n, const std::shared_ptr<runtime::Memory> &memory) {
  std::lock_guard guard(lock);
  UINT number = index + (n + 1) * count;
  SurfaceIndex *alias = handle(number);
  aliases[number] = memory;
  return alias;
}

std::shared_ptr<runtime::Memory> SurfaceTable::find(UINT index) const {
  std::lock_guard guard(lock);
  std::shared_ptr<runtime::Memory> memory;
  if (index >= first && index < first + count)
    memory = entries[index - first].lock();
  else if (auto alias = aliases.find(index); alias != aliases.end())
    memory = alias->second.lock();
  return memory && !memory->retired() ? memory : nullptr; // a kernel may hold what was destroyed
}

INT refuseEvent(const char *method) {
  return fail(CM_INVALID_ARG_VALUE, "{}: the event is not one of this device, or is destroyed already", method);
}

INT waitFor(const char *method, const DeviceParts &device, CmEvent *event) {
  if (INT code = checkProcess(method, device.context))
    return code;
  if (!event || event == CM_NO_EVENT)
    return CM_SUCCESS;
  std::shared_ptr<runtime::Event> task;
  if (!device.events.with(event, [&](Event &known) { task = known.task(); }))
    return refuseEvent(method);
  task->wait();
  if (std::string problem = task->problem(); !problem.empty())
    return fail(CM_TASK_MEDIA_RESET, "{}: the task of the event failed: {}", method, problem);
  return CM_SUCCESS;
}

//===- Buffers ----------------------------------------------------------------===//

namespace {

/// Copies so many bytes from or to memory of the host's, which may not be there, when nobody uses the surface.
template <class Copy> INT copyWhenFree(const char *method, const DeviceParts &device, runtime::Memory &memory,
                                       std::uint64_t bytes, const Copy &copy) try {
  constexpr std::uint64_t little = 1u << 16;
  memory.waitUntilFree();
  device.context.runHere(std::ref(copy), bytes < little);
  return CM_SUCCESS;
} catch (const Error &problem) {
  return fail(CM_INVALID_ARG_VALUE, "{}: {}", method, problem.what());
} catch (...) {
  return caught(method);
}

std::uint64_t bytesOf(const runtime::Memory &memory) { return memory.geometry().pitch * memory.geometry().rows(); }

INT readBuffer(const char *method, const DeviceParts &device, runtime::Memory &memory, unsigned char *to,
               CmEvent *event, UINT64 size) {
  if (!to)
    return fail(CM_NULL_POINTER, "{}: the memory to read into is null", method);
  if (INT code = waitFor(method, device, event))
    return code;
  const std::uint64_t bytes = std::min<UINT64>(size, memory.geometry().width);
  return copyWhenFree(method, device, memory, bytes, [&] { memory.readNow(to, bytes, 0); });
}

INT writeBuffer(const char *method, const DeviceParts &device, runtime::Memory &memory, const unsigned char *from,
                CmEvent *event, UINT64 size) {
  if (!from)
    return fail(CM_NULL_POINTER, "{}: the memory to write from is null", method);
  if (INT code = waitFor(method, device, event))
    return code;
  const std::uint64_t bytes = std::min<UINT64>(size, memory.geometry().width);
  return copyWhenFree(method, device, memory, bytes, [&] { memory.writeNow(from, bytes, 0); });
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
  UINT rows = shape.height;
  shape.height = (shape.height + !bottom) / 2;
  shape.pitch *= 2;
  shape.planeRows = 0;
  if (!memory.holds(shape, offset))
    return fail(CM_INVALID_ARG_VALUE, "{}: a surface of {} rows of this format has no such field", method, rows);
  memory.showAs(shape, offset);
  return CM_SUCCESS;
}

} // namespace

INT Buffer::ReadSurface(unsigned char *to, CmEvent *event, UINT64 size) {
  return readBuffer("CmBuffer::ReadSurface", device, *memory, to, event, size);
}
INT Buffer::WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) {
  return writeBuffer("CmBuffer::WriteSurface", device, *memory, from, event, size);
}
INT BufferStateless::ReadSurface(unsigned char *to, CmEvent *event, uint64_t size) {
  device.context.finish(); // nobody knows which work reaches the memory
  return readBuffer("CmBufferStateless::ReadSurface", device, *memory, to, event, size);
}
INT BufferStateless::WriteSurface(const unsigned char *from, CmEvent *event, uint64_t size) {
  device.context.finish(); // nobody knows which work reaches the memory
  return writeBuffer("CmBufferStateless::WriteSurface", device, *memory, from, event, size);
}

INT Buffer::InitSurface(const DWORD value, CmEvent *event) {
  if (INT code = waitFor("CmBuffer::InitSurface", device, event))
    return code;
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
  if (INT code = waitFor("CmSurface2D::ReadSurface", device, event))
    return code;
  return copyWhenFree("CmSurface2D::ReadSurface", device, *memory, bytesOf(*memory),
                      [&] { memory->copyOut(to, {stride, rows}); });
}

INT Surface2D::WriteSurfaceHybridStrides(const unsigned char *from, CmEvent *event, const UINT stride, const UINT rows,
                                         UINT64, UINT) {
  if (INT code = checkStrides("CmSurface2D::WriteSurface", from, stride, rows))
    return code;
  if (INT code = waitFor("CmSurface2D::WriteSurface", device, event))
    return code;
  return copyWhenFree("CmSurface2D::WriteSurface", device, *memory, bytesOf(*memory),
                      [&] { memory->copyIn(from, {stride, rows}); });
}

INT Surface2D::InitSurface(const DWORD value, CmEvent *event, unsigned int) {
  if (INT code = waitFor("CmSurface2D::InitSurface", device, event))
    return code;
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
  if (INT code = waitFor("CmSurface3D::ReadSurface", device, event))
    return code;
  const runtime::Geometry &shape = memory->geometry();
  return copyWhenFree("CmSurface3D::ReadSurface", device, *memory, bytesOf(*memory),
                      [&] { memory->copyOut(to, {shape.rowBytes(), shape.height}); });
}

INT Surface3D::WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size) {
  if (INT code = checkHost("CmSurface3D::WriteSurface", from, size))
    return code;
  if (INT code = waitFor("CmSurface3D::WriteSurface", device, event))
    return code;
  const runtime::Geometry &shape = memory->geometry();
  return copyWhenFree("CmSurface3D::WriteSurface", device, *memory, bytesOf(*memory),
                      [&] { memory->copyIn(from, {shape.rowBytes(), shape.height}); });
}

INT Surface3D::InitSurface(const DWORD value, CmEvent *event) {
  if (INT code = waitFor("CmSurface3D::InitSurface", device, event))
    return code;
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
  bool other = state->width || state->height || state->depth || state->pitch || state->surface_x_offset ||
               state->surface_y_offset;
  if (!state->format && whole.planeRows && other)
    return fail(CM_SURFACE_FORMAT_NOT_SUPPORTED,
                "{}: a surface with planes is seen as a whole, or as a surface of another format", method);
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
  shape.pitch = whole.pitch;
  const std::uint64_t known =
      runtime::Memory::imageShape(whole.width, whole.height, whole.pixelBytes, whole.format).pitch;
  const bool apart = whole.pitch > known; // rows lie farther apart than the application knows
  if (const std::uint64_t end = std::uint64_t(state->surface_x_offset) * shape.pixelBytes + shape.rowBytes();
      apart && end > whole.rowBytes())
    return fail(CM_INVALID_ARG_VALUE,
                "{}: rows of this surface lie apart; a view ends with them, at byte {}, not at byte {}", method,
                whole.rowBytes(), end);
  if (state->pitch) {
    // Where rows lie apart, the pitch counts them.
    if (apart && state->pitch % known)
      return fail(CM_INVALID_ARG_VALUE,
                  "{}: rows of this surface lie apart; the pitch of a view is a multiple of {} bytes, not {}", method,
                  known, state->pitch);
    shape.pitch = apart ? state->pitch / known * whole.pitch : state->pitch;
  }
  constexpr UINT mostSlices = 2048;
  if (state->depth > mostSlices)
    return fail(CM_INVALID_ARG_VALUE, "{}: a view has at most {} slices, not {}", method, mostSlices, state->depth);
  shape.depth = std::max(1u, UINT(state->depth));
  std::uint64_t rows = std::uint64_t(shape.height) * shape.depth; // slices of that many rows, one behind the other
  shape.height = UINT(rows);
  std::uint64_t offset = std::uint64_t(state->surface_x_offset) * shape.pixelBytes, bytes = whole.pitch * whole.rows();
  bool far = state->surface_y_offset && shape.pitch > bytes / state->surface_y_offset; // before it is multiplied
  offset += far ? bytes : state->surface_y_offset * shape.pitch;
  if (far || rows != shape.height || shape.pitch < shape.rowBytes() || !memory->holds(shape, offset))
    return fail(CM_INVALID_ARG_VALUE,
                "{}: a view of {}x{} pixels at ({}, {}) with rows of {} bytes leaves the surface's {} bytes", method,
                shape.width, shape.height, state->surface_x_offset, state->surface_y_offset, shape.pitch, bytes);
  target->showAs(shape, offset);
  return CM_SUCCESS;
}

} // namespace pocm::cmrt
