//===- Queue.cpp - CmQueue --------------------------------------------------------------===//
//
// An enqueue captures what it needs and returns; the runtime's queue runs tasks and copies in
// order. What the application destroys afterwards lives until the work is done.
//
//===----------------------------------------------------------------------===//
#include "cmrt/Queue.h"
#include "cmrt/Device.h"
#include "program/Formats.h"

namespace pocm::cmrt {

//===- Tasks ------------------------------------------------------------------===//

template <class Submit> std::shared_ptr<runtime::Event>
Queue::withEvent(bool wanted, CmEvent *&event, std::vector<KernelProfile> profiles, Submit submit) {
  Event *made = wanted ? device.events.add(std::make_unique<Event>(std::move(profiles))) : nullptr;
  try {
    std::shared_ptr<runtime::Event> done = submit();
    if (made)
      made->standFor(done);
    event = made;
    return done;
  } catch (...) {
    if (made)
      device.events.remove(made);
    throw;
  }
}

namespace {
/// Kernels of one space whose threads wait for each other's run in turns.
std::vector<runtime::Launch> inTurns(const Task &task, SpaceLayout &space, std::vector<runtime::Launch> launches) {
  std::vector<const CmKernel *> kernels(task.kernels.begin(), task.kernels.end());
  std::vector<SpaceLayout::Stretch> stretches = space.stretches(kernels);
  if (stretches.empty())
    return launches;
  std::vector<runtime::Launch> all;
  for (const SpaceLayout::Stretch &stretch : stretches) {
    runtime::Launch &whole = launches[stretch.kernel];
    all.push_back(whole);
    all.back().order = stretch.order;
    whole.condition = nullptr; // asked once
  }
  return all;
}
} // namespace

template <class Capture>
INT Queue::submit(const char *method, CmTask *pTask, CmEvent *&event, const CmThreadSpace *space, Capture capture) {
  bool wanted = event != CM_NO_EVENT;
  event = nullptr;
  if (INT code = checkProcess(method, device.context))
    return code;
  if (!device.tasks.has(pTask))
    return fail(CM_INVALID_ARG_VALUE, "{}: the task is null or none of this device", method);
  const auto &task = *static_cast<Task *>(pTask);
  std::unique_lock held(task.lock);
  if (task.kernels.empty())
    return fail(CM_FAILURE, "{}: the task has no kernel", method);
  std::vector<runtime::Launch> launches(task.kernels.size());
  std::vector<KernelProfile> profiles;
  profiles.reserve(launches.size());
  for (size_t i = 0; i < launches.size(); ++i) {
    runtime::Launch &launch = launches[i];
    if (!device.kernels.has(task.kernels[i]))
      return fail(CM_INVALID_ARG_VALUE, "{}: kernel {} of the task is destroyed", method, i);
    if (INT code = capture(*task.kernels[i], launch))
      return code;
    if (auto condition = task.conditions.find(i); condition != task.conditions.end())
      std::tie(launch.condition, launch.conditionOn) = condition->second;
    KernelProfile profile{task.kernels[i]->description().name, {1, 1, 1, 1}};
    if (launch.grid) {
      profile.threadSpace[0] = launch.grid->threads[0];
      profile.threadSpace[1] = launch.grid->threads[1];
      profile.threadSpace[2] = launch.grid->threads[0] * launch.grid->groups[0];
      profile.threadSpace[3] = launch.grid->threads[1] * launch.grid->groups[1];
    } else if (launch.order) {
      profile.threadSpace[2] = launch.order->width;
      profile.threadSpace[3] = launch.order->height;
    } else {
      profile.threadSpace[2] = launch.threads.front().x1;
      profile.threadSpace[3] = launch.threads.back().y1;
    }
    profiles.push_back(std::move(profile));
    if (const auto prints = device.prints())
      launch.print = prints->memory();
  }
  if (space && launches.size() > 1)
    launches = inTurns(task, *static_cast<const ThreadSpace *>(space)->layout, std::move(launches));
  held.unlock();
  withEvent(wanted, event, std::move(profiles), [&] { return device.context.enqueue(std::move(launches), lane); });
  return CM_SUCCESS;
}

INT Queue::Enqueue(CmTask *task, CmEvent *&event, const CmThreadSpace *space) try {
  return submit("CmQueue::Enqueue", task, event, space,
                [&](const Kernel &kernel, runtime::Launch &launch) { return kernel.capture(space, launch); });
} catch (...) {
  return caught("CmQueue::Enqueue");
}

INT Queue::EnqueueWithGroup(CmTask *task, CmEvent *&event, const CmThreadGroupSpace *space) try {
  return submit("CmQueue::EnqueueWithGroup", task, event, nullptr,
                [&](const Kernel &kernel, runtime::Launch &launch) { return kernel.captureGroups(space, launch); });
} catch (...) {
  return caught("CmQueue::EnqueueWithGroup");
}

INT Queue::EnqueueWithHints(CmTask *pTask, CmEvent *&event, UINT) try {
  constexpr const char *method = "CmQueue::EnqueueWithHints";
  if (INT code = checkProcess(method, device.context))
    return code;
  size_t kernels = 0;
  if (device.tasks.with(pTask, [&](Task &task) { kernels = task.size(); }) && kernels < 2) {
    event = nullptr;
    return fail(CM_FAILURE, "{}: the task has {} kernels; hints are for two or more", method, kernels);
  }
  // The kernels could be interleaved; one after another they do the same.
  return submit(method, pTask, event, nullptr, [&](const Kernel &kernel, runtime::Launch &launch) -> INT {
    if (!kernel.hasThreadSpace())
      return fail(CM_NULL_POINTER, "{}: kernel '{}' has no thread space", method, kernel.description().name);
    return kernel.capture(nullptr, launch);
  });
} catch (...) {
  return caught("CmQueue::EnqueueWithHints");
}

INT Queue::DestroyEvent(CmEvent *&event) { return device.destroyEvent(event, CM_FAILURE, "CmQueue::DestroyEvent"); }
INT Queue::DestroyEventFast(CmEvent *&event) {
  return device.destroyEvent(event, CM_INVALID_ARG_VALUE, "CmQueue::DestroyEventFast");
}

INT Queue::EnqueueVebox(CmVebox *vebox, CmEvent *&event) {
  event = nullptr;
  if (!vebox)
    return fail(CM_NULL_POINTER, "CmQueue::EnqueueVebox: the object is null");
  return fail(CM_NOT_IMPLEMENTED, "CmQueue::EnqueueVebox: this device has no video enhancement box");
}

//===- Copies -----------------------------------------------------------------===//

INT Queue::enqueueWork(runtime::Context::HostWork work, bool blocking, CmEvent *&event) {
  bool wanted = event != CM_NO_EVENT;
  event = nullptr;
  auto done = withEvent(wanted, event, {}, [&] { return device.context.enqueue(std::move(work), lane); });
  if (blocking)
    done->wait();
  return CM_SUCCESS;
}

INT Queue::enqueueAfter(const char *method, CmEvent *before, runtime::Context::HostWork work, bool blocking,
                        CmEvent *&event) {
  if (before && before != CM_NO_EVENT &&
      !device.events.with(before, [&](const Event &known) { work.after = known.task(); }))
    return refuseEvent(method);
  return enqueueWork(std::move(work), blocking, event);
}

namespace {
constexpr UINT hostAlign = 16; // bytes
constexpr std::uint64_t mostRowBytes = 511 * 128, mostRows = 511 * 32, mostBufferCopy = 1u << 31;
bool isBlocking(UINT option) { return option & CM_FASTCOPY_OPTION_BLOCKING; }
INT checkOption(const char *method, UINT option) {
  if (option > CM_FASTCOPY_OPTION_BLOCKING)
    return fail(CM_INVALID_ARG_VALUE, "{}: there is no option {}", method, option);
  return CM_SUCCESS;
}
} // namespace

INT Queue::checkCopy(const char *method, CmSurface2D *surface, const void *host, UINT stride, UINT option) const {
  if (INT code = checkProcess(method, device.context))
    return code;
  if (!device.images.has(surface))
    return fail(CM_GPUCOPY_INVALID_SURFACES, "{}: the surface is null or none of this device", method);
  if (!host || reinterpret_cast<uintptr_t>(host) % hostAlign)
    return fail(CM_GPUCOPY_INVALID_SYSMEM, "{}: the memory of the host is null or not aligned to {} bytes", method,
                hostAlign);
  const runtime::Geometry &shape = static_cast<Surface2D *>(surface)->memory->geometry();
  std::uint64_t row = stride ? stride : shape.rowBytes();
  if (row % hostAlign)
    return fail(CM_GPUCOPY_INVALID_STRIDE, "{}: a stride of {} bytes is not a multiple of {}", method, row, hostAlign);
  if (row > mostRowBytes || shape.height > mostRows)
    return fail(CM_GPUCOPY_INVALID_SIZE, "{}: {} rows of {} bytes; at most {} of {}", method, shape.height, row,
                mostRows, mostRowBytes);
  return checkOption(method, option);
}

namespace {
/// What a copy with these strides moves; 0 stands for the surface's own.
runtime::Memory::HostRows hostRows(const runtime::Geometry &shape, UINT stride, UINT rows) {
  runtime::Memory::HostRows host{stride ? stride : shape.rowBytes(), rows ? rows : shape.height};
  host.rowBytes = host.stride;
  host.rows = std::uint32_t(host.planeStride);
  return host;
}
} // namespace

INT Queue::EnqueueCopyCPUToGPUFullStride(CmSurface2D *surface, const unsigned char *from, const UINT stride,
                                         const UINT rows, const UINT option, CmEvent *&event) try {
  if (INT code = checkCopy("CmQueue::EnqueueCopyCPUToGPU", surface, from, stride, option))
    return code;
  auto memory = static_cast<Surface2D *>(surface)->memory;
  auto host = hostRows(memory->geometry(), stride, rows);
  return enqueueWork({[memory, from, host] { memory->copyIn(from, host); },
                      {memory},
                      {runtime::addressesOf(from, memory->hostBytes(host))}},
                     isBlocking(option), event);
} catch (...) {
  return caught("CmQueue::EnqueueCopyCPUToGPUFullStride");
}

INT Queue::EnqueueCopyGPUToCPUFullStride(CmSurface2D *surface, unsigned char *to, const UINT stride, const UINT rows,
                                         const UINT option, CmEvent *&event) try {
  if (INT code = checkCopy("CmQueue::EnqueueCopyGPUToCPU", surface, to, stride, option))
    return code;
  auto memory = static_cast<Surface2D *>(surface)->memory;
  auto host = hostRows(memory->geometry(), stride, rows);
  return enqueueWork({[memory, to, host] { memory->copyOut(to, host); },
                      {memory},
                      {runtime::addressesOf(to, memory->hostBytes(host))}},
                     isBlocking(option), event);
} catch (...) {
  return caught("CmQueue::EnqueueCopyGPUToCPUFullStride");
}

INT Queue::EnqueueInitSurface2D(CmSurface2D *surface, const DWORD value, CmEvent *&event) try {
  if (INT code = checkProcess("CmQueue::EnqueueInitSurface2D", device.context))
    return code;
  if (!device.images.has(surface))
    return fail(CM_FAILURE, "CmQueue::EnqueueInitSurface2D: the surface is null or none of this device");
  auto memory = static_cast<Surface2D *>(surface)->memory;
  return enqueueWork({[memory, value] { memory->fillNow(value); }, {memory}}, false, event);
} catch (...) {
  return caught("CmQueue::EnqueueInitSurface2D");
}

INT Queue::EnqueueCopyGPUToGPU(CmSurface2D *pTo, CmSurface2D *pFrom, UINT option, CmEvent *&event) try {
  constexpr const char *method = "CmQueue::EnqueueCopyGPUToGPU";
  if (INT code = checkProcess(method, device.context))
    return code;
  if (!device.images.has(pTo) || !device.images.has(pFrom))
    return fail(CM_FAILURE, "{}: a surface is null or none of this device", method);
  auto to = static_cast<Surface2D *>(pTo)->memory, from = static_cast<Surface2D *>(pFrom)->memory;
  const runtime::Geometry &t = to->geometry(), &f = from->geometry();
  const unsigned argb = formatNumber("A8R8G8B8"), abgr = formatNumber("A8B8G8R8");
  bool alike = t.format == f.format || (f.format == abgr && t.format == argb);
  if (t.width != f.width || t.pixelBytes != f.pixelBytes || t.height < f.height || !alike)
    return fail(CM_GPUCOPY_INVALID_SURFACES,
                "{}: {}x{} pixels do not go into {}x{}: width and format are the same, the height is not less", method,
                f.width, f.height, t.width, t.height);
  if (INT code = checkOption(method, option))
    return code;
  return enqueueWork({[to, from] { to->copyFrom(*from); }, {to, from}}, isBlocking(option), event);
} catch (...) {
  return caught("CmQueue::EnqueueCopyGPUToGPU");
}

INT Queue::EnqueueCopyCPUToCPU(unsigned char *to, unsigned char *from, UINT size, UINT option, CmEvent *&event) try {
  constexpr UINT little = 4096; // copied at once
  if (INT code = checkProcess("CmQueue::EnqueueCopyCPUToCPU", device.context))
    return code;
  bool aligned = reinterpret_cast<uintptr_t>(to) % hostAlign == 0 && reinterpret_cast<uintptr_t>(from) % hostAlign == 0;
  if (!to || !from || !aligned)
    return fail(CM_GPUCOPY_INVALID_SYSMEM, "CmQueue::EnqueueCopyCPUToCPU: memory is null or not aligned to {} bytes",
                hostAlign);
  if (INT code = checkOption("CmQueue::EnqueueCopyCPUToCPU", option))
    return code;
  if (size < little) {
    event = nullptr;
    try {
      device.context.runHere([=] { std::memmove(to, from, size); });
    } catch (const Error &problem) {
      return fail(CM_GPUCOPY_INVALID_SYSMEM, "CmQueue::EnqueueCopyCPUToCPU: {}", problem.what());
    }
    return CM_SUCCESS;
  }
  return enqueueWork({[to, from, size] { std::memmove(to, from, size); },
                      {},
                      {runtime::addressesOf(to, size), runtime::addressesOf(from, size)}},
                     isBlocking(option), event);
} catch (...) {
  return caught("CmQueue::EnqueueCopyCPUToCPU");
}

INT Queue::checkBufferCopy(const char *method, CmBuffer *buffer, size_t offset, const void *host, uint64_t size,
                           UINT option) const {
  if (INT code = checkProcess(method, device.context))
    return code;
  if (!host)
    return fail(CM_NULL_POINTER, "{}: the memory of the host is null", method);
  if (!device.buffers.has(buffer))
    return fail(CM_GPUCOPY_OUT_OF_RESOURCE, "{}: the buffer is null or none of this device", method);
  std::uint64_t bytes = static_cast<Buffer *>(buffer)->memory->geometry().width;
  if (size > mostBufferCopy || offset > bytes || size > bytes - offset)
    return fail(CM_GPUCOPY_INVALID_SIZE, "{}: {} bytes at {} leave a buffer of {}", method, size, offset, bytes);
  return checkOption(method, option);
}

int32_t Queue::EnqueueReadBuffer(CmBuffer *buffer, size_t offset, const unsigned char *host, uint64_t size,
                                 CmEvent *before, CmEvent *&event, unsigned option) try {
  constexpr const char *method = "CmQueue::EnqueueReadBuffer";
  if (INT code = checkBufferCopy(method, buffer, offset, host, size, option))
    return code;
  auto memory = static_cast<Buffer *>(buffer)->memory;
  auto *to = const_cast<unsigned char *>(host); // the interface says const, and writes
  return enqueueAfter(method, before,
                      {[=] { memory->readNow(to, size, offset); }, {memory}, {runtime::addressesOf(to, size)}},
                      isBlocking(option), event);
} catch (...) {
  return caught("CmQueue::EnqueueReadBuffer");
}

int32_t Queue::EnqueueWriteBuffer(CmBuffer *buffer, size_t offset, const unsigned char *from, uint64_t size,
                                  CmEvent *before, CmEvent *&event, unsigned option) try {
  constexpr const char *method = "CmQueue::EnqueueWriteBuffer";
  if (INT code = checkBufferCopy(method, buffer, offset, from, size, option))
    return code;
  auto memory = static_cast<Buffer *>(buffer)->memory;
  return enqueueAfter(method, before,
                      {[=] { memory->writeNow(from, size, offset); }, {memory}, {runtime::addressesOf(from, size)}},
                      isBlocking(option), event);
} catch (...) {
  return caught("CmQueue::EnqueueWriteBuffer");
}

} // namespace pocm::cmrt
