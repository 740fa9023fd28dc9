//===- Kernel.cpp - CmKernel, CmTask ------------------------------------------------===//
#include "cmrt/Kernel.h"

namespace pocm::cmrt {
namespace {
constexpr UINT defaultWidth = 2047;    // of the space that SetThreadCount's threads are laid out in, from Gen9 on
constexpr UINT mostPerSide = 1u << 16; // thread coordinates are ushort
constexpr size_t mostKernels = 16;
} // namespace

INT Kernel::SetThreadCount(UINT count) {
  if (INT(count) <= 0)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::SetThreadCount: kernel '{}' cannot run {} threads", signature.name,
                INT(count));
  if (space)
    return CM_SUCCESS;
  if (threadCount && count != threadCount)
    reset();
  threadCount = count;
  return CM_SUCCESS;
}

INT Kernel::SetKernelArg(UINT index, size_t size, const void *value) {
  if (index >= signature.parameters.size())
    return fail(CM_INVALID_ARG_INDEX, "CmKernel::SetKernelArg: kernel '{}' has {} parameters; there is no argument {}",
                signature.name, signature.parameters.size(), index);
  if (!value)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::SetKernelArg: the value of argument {} of kernel '{}' is null", index,
                signature.name);
  const Parameter &p = signature.parameters[index];
  if (p.kind == ParameterKind::Surface)
    return setSurface(index, size, value);
  if (p.kind == ParameterKind::Sampler)
    return setSampler(index, size, value);
  if (size != p.bytes)
    return fail(CM_INVALID_ARG_SIZE,
                "CmKernel::SetKernelArg: argument {} of kernel '{}' ({} x {}) takes {} bytes, not {}", index,
                signature.name, p.count, p.element, p.bytes, size);
  kernel->setValue(index, value, size);
  return CM_SUCCESS;
}

INT Kernel::setSurface(UINT index, size_t size, const void *value) {
  UINT count = signature.parameters[index].count;
  if (size != sizeof(SurfaceIndex) * count)
    return fail(CM_INVALID_ARG_SIZE,
                "CmKernel::SetKernelArg: argument {} of kernel '{}' is {} surfaces; pass as many SurfaceIndex, {} "
                "bytes, not {}",
                index, signature.name, count, sizeof(SurfaceIndex) * count, size);
  constexpr UINT nullSurface = 0xFFFF;
  if (count == 1 && reinterpret_cast<uintptr_t>(value) == nullSurface) { // CM_NULL_SURFACE as the pointer itself
    kernel->setSurface(index, nullptr);
    return CM_SUCCESS;
  }
  std::vector<std::shared_ptr<runtime::Memory>> memories;
  for (UINT i = 0; i < count; ++i) {
    // The object may be a copy that the application made; only its number counts.
    UINT number = const_cast<SurfaceIndex *>(static_cast<const SurfaceIndex *>(value) + i)->get_data();
    memories.push_back(surfaces.find(number));
    if (!memories.back() && number != nullSurface)
      return fail(CM_FAILURE, "CmKernel::SetKernelArg: argument {} of kernel '{}': there is no surface with index {}",
                  index, signature.name, number);
  }
  kernel->setSurfaces(index, memories);
  return CM_SUCCESS;
}

INT Kernel::setSampler(UINT index, size_t size, const void *value) {
  if (size != sizeof(SamplerIndex))
    return fail(
        CM_INVALID_ARG_SIZE,
        "CmKernel::SetKernelArg: argument {} of kernel '{}' is a sampler; pass its SamplerIndex, {} bytes, not {}",
        index, signature.name, sizeof(SamplerIndex), size);
  UINT number = const_cast<SamplerIndex *>(static_cast<const SamplerIndex *>(value))->get_data();
  std::optional<pocm::Sampler> state = samplers.find(number);
  if (!state)
    return fail(CM_FAILURE, "CmKernel::SetKernelArg: argument {} of kernel '{}': there is no sampler with index {}",
                index, signature.name, number);
  kernel->setSampler(index, *state);
  return CM_SUCCESS;
}

UINT SamplerTable::add(const pocm::Sampler &state) {
  std::lock_guard guard(lock);
  for (UINT i = 1; i <= count; ++i)
    if (!states[i]) {
      states[i] = state;
      return i;
    }
  return 0;
}

std::optional<pocm::Sampler> SamplerTable::find(UINT number) const {
  std::lock_guard guard(lock);
  return number >= 1 && number <= count ? states[number] : std::nullopt;
}

void SamplerTable::remove(UINT number) {
  std::lock_guard guard(lock);
  if (number >= 1 && number <= count)
    states[number].reset();
}

INT Kernel::AssociateThreadSpace(CmThreadSpace *&pSpace) {
  if (!pSpace)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::AssociateThreadSpace: the thread space is null");
  if (groups)
    return fail(CM_INVALID_KERNEL_THREADSPACE,
                "CmKernel::AssociateThreadSpace: kernel '{}' has a thread group space already", signature.name);
  const auto &object = *static_cast<ThreadSpace *>(pSpace);
  space = OwnSpace{pSpace, object.width, object.height};
  return CM_SUCCESS;
}

INT Kernel::DeAssociateThreadSpace(CmThreadSpace *&pSpace) {
  if (!pSpace)
    return fail(CM_NULL_POINTER, "CmKernel::DeAssociateThreadSpace: the thread space is null");
  if (!space || space->object != pSpace)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::DeAssociateThreadSpace: kernel '{}' is not associated with this space",
                signature.name);
  space.reset();
  return CM_SUCCESS;
}

std::vector<runtime::Rectangle> Kernel::threads(const CmThreadSpace *taskSpace) const {
  if (taskSpace) {
    const auto &object = *static_cast<const ThreadSpace *>(taskSpace);
    return {{0, object.width, 0, object.height}};
  }
  if (space)
    return {{0, space->width, 0, space->height}};
  if (threadCount <= defaultWidth)
    return {{0, std::max(1u, threadCount), 0, 1}};
  UINT rows = threadCount / defaultWidth, rest = threadCount % defaultWidth;
  std::vector<runtime::Rectangle> all{{0, defaultWidth, 0, rows}};
  if (rest)
    all.push_back({0, rest, rows, rows + 1});
  return all;
}

INT Kernel::AssociateThreadGroupSpace(CmThreadGroupSpace *&pSpace) {
  if (!pSpace)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::AssociateThreadGroupSpace: the thread group space is null");
  if (space)
    return fail(CM_INVALID_KERNEL_THREADGROUPSPACE,
                "CmKernel::AssociateThreadGroupSpace: kernel '{}' has a thread space already", signature.name);
  groups = OwnGroups{pSpace, reinterpret_cast<const GroupSpace *>(pSpace)->grid};
  return CM_SUCCESS;
}

INT Kernel::DeAssociateThreadGroupSpace(CmThreadGroupSpace *&pSpace) {
  if (!pSpace)
    return fail(CM_NULL_POINTER, "CmKernel::DeAssociateThreadGroupSpace: the thread group space is null");
  if (!groups || groups->object != pSpace)
    return fail(CM_INVALID_ARG_VALUE,
                "CmKernel::DeAssociateThreadGroupSpace: kernel '{}' is not associated with this space", signature.name);
  groups.reset();
  return CM_SUCCESS;
}

INT Kernel::checkArguments(const char *method) const {
  unsigned missing = kernel->missing();
  if (!missing)
    return CM_SUCCESS;
  bool none = missing == signature.parameters.size();
  return fail(none ? CM_NOT_SET_KERNEL_ARGUMENT : CM_KERNEL_ARG_SETTING_FAILED,
              "{}: {} of the {} arguments of kernel '{}' are not set", method, missing, signature.parameters.size(),
              signature.name);
}

INT Kernel::captureGroups(const CmThreadGroupSpace *taskSpace, runtime::Launch &launch) const {
  if (INT code = checkArguments("CmQueue::EnqueueWithGroup"))
    return code;
  launch = kernel->capture();
  if (taskSpace)
    launch.grid = reinterpret_cast<const GroupSpace *>(taskSpace)->grid;
  else if (groups)
    launch.grid = groups->grid;
  else
    launch.grid = runtime::Grid{{std::max(1u, threadCount), 1, 1}, {1, 1, 1}};
  return CM_SUCCESS;
}

INT Kernel::capture(const CmThreadSpace *taskSpace, runtime::Launch &launch) const {
  if (INT code = checkArguments("CmQueue::Enqueue"))
    return code;
  launch = kernel->capture();
  launch.threads = threads(taskSpace);
  for (const runtime::Rectangle &r : launch.threads)
    if (r.x1 > mostPerSide || r.y1 > mostPerSide)
      return fail(CM_INVALID_ARG_VALUE, "CmQueue::Enqueue: a thread space of {}x{} is larger than {} threads a side",
                  r.x1, r.y1, mostPerSide);
  return CM_SUCCESS;
}

INT Task::AddKernel(CmKernel *kernel) {
  if (!kernel)
    return fail(CM_INVALID_ARG_VALUE, "CmTask::AddKernel: the kernel is null");
  if (kernels.size() == mostKernels)
    return fail(CM_EXCEED_MAX_KERNEL_PER_ENQUEUE, "CmTask::AddKernel: a task has at most {} kernels", mostKernels);
  kernels.push_back(static_cast<Kernel *>(kernel));
  return CM_SUCCESS;
}

} // namespace pocm::cmrt
