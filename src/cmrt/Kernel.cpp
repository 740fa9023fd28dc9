//===- Kernel.cpp - CmKernel, CmTask ------------------------------------------------===//
#include "cmrt/Kernel.h"
#include "cmrt/Device.h"
#include <algorithm>
#include <climits>
#include <cstring>

namespace pocm::cmrt {
namespace {
constexpr UINT defaultWidth = 2047;    // of the space that SetThreadCount's threads are laid out in, from Gen9 on
constexpr UINT mostPerSide = 1u << 16; // thread coordinates are ushort
constexpr size_t mostKernels = 16;
constexpr UINT mostThreadArguments = 262144; // threads that may have arguments of their own
constexpr UINT threadArgumentWidth = 512;    // of the rows that such threads are laid out in without a space

bool alike(const pocm::Sampler &a, const pocm::Sampler &b) {
  return a.filter == b.filter && a.u == b.u && a.v == b.v && a.w == b.w && std::equal(a.border, a.border + 4, b.border);
}
} // namespace

Kernel::Kernel(Device &device, std::shared_ptr<const program::Container> program, const KernelSignature &signature)
    : device(device), program(std::move(program)), signature(signature), surfaces(device.surfaces),
      samplers(device.samplerStates) {
  reset();
}

INT Kernel::SetThreadCount(UINT count) try {
  std::lock_guard guard(lock);
  if (INT(count) <= 0)
    return fail(CM_INVALID_ARG_VALUE,
                "CmKernel::SetThreadCount: kernel '{}' cannot run {} threads; at least 1 and at most {}",
                signature.name, count, INT_MAX);
  if (space)
    return CM_SUCCESS;
  if (threadCount && count != threadCount)
    reset();
  threadCount = count;
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::SetThreadCount");
}

INT Kernel::checkValue(const char *method, UINT index, size_t size, const void *value) const {
  if (index >= signature.parameters.size())
    return fail(CM_INVALID_ARG_INDEX, "{}: kernel '{}' has {} parameters; there is no argument {}", method,
                signature.name, signature.parameters.size(), index);
  if (!value)
    return fail(CM_INVALID_ARG_VALUE, "{}: the value of argument {} of kernel '{}' is null", method, index,
                signature.name);
  const Parameter &p = signature.parameters[index];
  if (p.kind == ParameterKind::General && size != p.bytes)
    return fail(CM_INVALID_ARG_SIZE, "{}: argument {} of kernel '{}' ({} x {}) takes {} bytes, not {}", method, index,
                signature.name, p.count, p.element, p.bytes, size);
  return CM_SUCCESS;
}

INT Kernel::SetKernelArg(UINT index, size_t size, const void *value) try {
  std::lock_guard guard(lock);
  if (INT code = checkValue("CmKernel::SetKernelArg", index, size, value))
    return code;
  if (threadArguments.contains(index))
    return fail(CM_FAILURE, "CmKernel::SetKernelArg: argument {} of kernel '{}' is set by SetThreadArg already", index,
                signature.name);
  const Parameter &p = signature.parameters[index];
  if (p.kind == ParameterKind::Surface)
    return setSurface(index, size, value);
  if (p.kind == ParameterKind::Sampler)
    return setSampler(index, size, value);
  kernel->setValue(index, value, size);
  kernelArguments.insert(index);
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::SetKernelArg");
}

std::uint64_t Kernel::threadsForArguments() const { return space ? space->layout->threadCount() : threadCount; }

INT Kernel::SetThreadArg(UINT thread, UINT index, size_t size, const void *value) try {
  std::lock_guard guard(lock);
  constexpr const char *method = "CmKernel::SetThreadArg";
  std::uint64_t count = threadsForArguments();
  if (count == 0 || count > mostThreadArguments)
    return fail(CM_FAILURE,
                "{}: kernel '{}' has {} threads; 1 to {} may have arguments of their own: call SetThreadCount", method,
                signature.name, count, mostThreadArguments);
  if (index >= signature.parameters.size())
    return checkValue(method, index, size, value);
  if (thread >= count)
    return fail(CM_INVALID_THREAD_INDEX, "{}: kernel '{}' has {} threads; there is no thread {}", method,
                signature.name, count, thread);
  if (INT code = checkValue(method, index, size, value))
    return code;
  if (kernelArguments.contains(index))
    return fail(CM_FAILURE, "{}: argument {} of kernel '{}' is set by SetKernelArg already", method, index,
                signature.name);
  const Parameter &p = signature.parameters[index];
  auto known = threadArguments.find(index);
  ThreadArgument fresh;
  ThreadArgument &argument = known == threadArguments.end() ? fresh : known->second;
  if (p.kind == ParameterKind::Surface) {
    std::vector<std::shared_ptr<runtime::Memory>> memories;
    if (INT code = findSurfaces(index, size, value, memories))
      return code;
    prepared.reset();
    argument.memories.resize(count * p.count);
    std::copy(memories.begin(), memories.end(), argument.memories.begin() + std::ptrdiff_t(thread * p.count));
  } else if (p.kind == ParameterKind::Sampler) {
    pocm::Sampler state;
    if (INT code = findSampler(index, size, value, state))
      return code;
    prepared.reset();
    argument.samplers.resize(count);
    argument.samplers[thread] = state;
  } else {
    argument.bytes.resize(count * p.bytes);
    std::memcpy(argument.bytes.data() + std::size_t(thread) * p.bytes, value, size);
    changePrepared(thread, index, value, size);
  }
  if (argument.set.size() != count) {
    argument.set.resize(count);
    argument.unset = std::size_t(std::count(argument.set.begin(), argument.set.end(), false));
  }
  argument.unset -= !argument.set[thread];
  argument.set[thread] = true;
  const bool all = argument.unset == 0;
  if (&argument == &fresh)
    threadArguments.emplace(index, std::move(fresh));
  if (all)
    kernel->setByThread(index);
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::SetThreadArg");
}

void Kernel::changePrepared(UINT thread, UINT index, const void *value, size_t size) {
  if (!prepared)
    return;
  auto &blocks = prepared->blocks;
  if (thread >= blocks->count())
    return prepared.reset();
  if (std::memcmp(blocks->at(thread) + kernel->offset(index), value, size) == 0)
    return;
  if (blocks.use_count() > 1)
    blocks = std::make_shared<runtime::ThreadBlocks>(*blocks);
  std::atomic_thread_fence(std::memory_order_acquire); // whoever had them has read them
  std::memcpy(blocks->at(thread) + kernel->offset(index), value, size);
}

INT Kernel::checkThreads(const runtime::Order &order, std::uint64_t count) const {
  for (const runtime::ListedThread &thread : order.threads)
    if (thread.block >= count)
      return fail(CM_INVALID_THREAD_INDEX,
                  "CmQueue::Enqueue: kernel '{}' has arguments for {} threads; thread {} has none", signature.name,
                  count, thread.block);
  return CM_SUCCESS;
}

INT Kernel::addThreadArguments(runtime::Launch &launch) const {
  std::uint64_t count = threadsForArguments();
  for (const auto &[index, argument] : threadArguments)
    if (argument.set.size() != count || argument.unset)
      return fail(CM_INVALID_ARG_VALUE,
                  "CmQueue::Enqueue: argument {} of kernel '{}' is set for {} threads, but the kernel has {}", index,
                  signature.name, argument.set.size() - argument.unset, count);
  if (prepared && prepared->from == launch.bindings && prepared->blocks->count() == count) {
    if (prepared->order != launch.order)
      if (INT code = checkThreads(*launch.order, count))
        return code;
    prepared->order = launch.order;
    launch.bindings = prepared->bindings;
    launch.blocks = prepared->blocks;
    return CM_SUCCESS;
  }
  if (INT code = checkThreads(*launch.order, count))
    return code;
  auto bindings = std::make_shared<runtime::Bindings>(*launch.bindings);
  auto &slotted = bindings->surfaces;
  auto &samplers = bindings->samplers;
  auto blocks = std::make_shared<runtime::ThreadBlocks>(bindings->block, count);
  std::map<const runtime::Memory *, std::uint32_t> slots{{nullptr, 0}};
  auto slotOf = [&](const std::shared_ptr<runtime::Memory> &memory) {
    auto [found, added] = slots.try_emplace(memory.get(), std::uint32_t(slotted.size()));
    if (added)
      slotted.push_back(memory);
    return found->second;
  };
  auto samplerNumber = [&](const pocm::Sampler &state) {
    auto found =
        std::find_if(samplers.begin(), samplers.end(), [&](const pocm::Sampler &other) { return alike(state, other); });
    if (found == samplers.end())
      found = samplers.insert(found, state);
    return std::uint32_t(found - samplers.begin());
  };
  for (const auto &[index, argument] : threadArguments) {
    const Parameter &p = signature.parameters[index];
    for (std::size_t thread = 0; thread < count; ++thread) {
      std::uint8_t *to = blocks->at(thread) + kernel->offset(index);
      if (p.kind == ParameterKind::Sampler) {
        std::uint32_t number = samplerNumber(argument.samplers[thread]);
        std::memcpy(to, &number, sizeof(number));
        continue;
      }
      if (p.kind != ParameterKind::Surface) {
        std::memcpy(to, argument.bytes.data() + thread * p.bytes, p.bytes);
        continue;
      }
      for (std::uint32_t i = 0; i < p.count; ++i) {
        std::uint32_t slot = slotOf(argument.memories[thread * p.count + i]);
        std::memcpy(to + i * sizeof(slot), &slot, sizeof(slot));
      }
    }
  }
  if (slotted.size() > mostSurfaces)
    return fail(CM_EXCEED_SURFACE_AMOUNT,
                "CmQueue::Enqueue: the threads of kernel '{}' use surfaces in {} binding slots; there are {}",
                signature.name, slotted.size(), mostSurfaces);
  prepared = Prepared{std::move(launch.bindings), launch.order, std::move(bindings), std::move(blocks)};
  launch.bindings = prepared->bindings;
  launch.blocks = prepared->blocks;
  return CM_SUCCESS;
}

void Kernel::reset() {
  kernel = device.context.createKernel(program, signature);
  threadArguments.clear();
  prepared.reset();
  kernelArguments.clear();
  pinnedSurfaces.clear();
  pinnedSamplers.clear();
  space.reset();
  groups.reset();
}

INT Kernel::findSurfaces(UINT index, size_t size, const void *value,
                         std::vector<std::shared_ptr<runtime::Memory>> &memories) const {
  UINT count = signature.parameters[index].count;
  if (size != sizeof(SurfaceIndex) * count)
    return fail(CM_INVALID_ARG_SIZE,
                "CmKernel::SetKernelArg: argument {} of kernel '{}' is {} surfaces; pass as many SurfaceIndex, {} "
                "bytes, not {}",
                index, signature.name, count, sizeof(SurfaceIndex) * count, size);
  constexpr UINT nullSurface = 0xFFFF;
  memories.clear();
  if (count == 1 && reinterpret_cast<uintptr_t>(value) == nullSurface) { // CM_NULL_SURFACE as the pointer itself
    memories.push_back(nullptr);
    return CM_SUCCESS;
  }
  for (UINT i = 0; i < count; ++i) {
    // The object may be a copy that the application made; only its number counts.
    UINT number = const_cast<SurfaceIndex *>(static_cast<const SurfaceIndex *>(value) + i)->get_data();
    memories.push_back(surfaces.find(number));
    if (!memories.back() && number != nullSurface)
      return fail(CM_FAILURE, "CmKernel::SetKernelArg: argument {} of kernel '{}': there is no surface with index {}",
                  index, signature.name, number);
  }
  return CM_SUCCESS;
}

INT Kernel::setSurface(UINT index, size_t size, const void *value) {
  std::vector<std::shared_ptr<runtime::Memory>> memories;
  if (INT code = findSurfaces(index, size, value, memories))
    return code;
  kernel->setSurfaces(index, memories);
  kernelArguments.insert(index);
  return CM_SUCCESS;
}

INT Kernel::findSampler(UINT index, size_t size, const void *value, pocm::Sampler &state) const {
  if (size != sizeof(SamplerIndex))
    return fail(
        CM_INVALID_ARG_SIZE,
        "CmKernel::SetKernelArg: argument {} of kernel '{}' is a sampler; pass its SamplerIndex, {} bytes, not {}",
        index, signature.name, sizeof(SamplerIndex), size);
  UINT number = const_cast<SamplerIndex *>(static_cast<const SamplerIndex *>(value))->get_data();
  std::optional<pocm::Sampler> found = samplers.find(number);
  if (!found)
    return fail(CM_FAILURE, "CmKernel::SetKernelArg: argument {} of kernel '{}': there is no sampler with index {}",
                index, signature.name, number);
  state = *found;
  return CM_SUCCESS;
}

INT Kernel::setSampler(UINT index, size_t size, const void *value) {
  pocm::Sampler state;
  if (INT code = findSampler(index, size, value, state))
    return code;
  kernel->setSampler(index, state);
  kernelArguments.insert(index);
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

SamplerIndex *SamplerTable::handle(UINT number) {
  std::lock_guard guard(lock);
  std::unique_ptr<SamplerIndex> &known = handles[number];
  if (!known)
    known = std::make_unique<SamplerIndex>();
  *known = number; // whatever the application did to it
  return known.get();
}

void SamplerTable::remove(UINT number) {
  std::lock_guard guard(lock);
  if (number >= 1 && number <= count)
    states[number].reset();
}

INT Kernel::AssociateThreadSpace(CmThreadSpace *&pSpace) try {
  std::lock_guard guard(lock);
  if (!pSpace)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::AssociateThreadSpace: the thread space is null");
  if (groups)
    return fail(CM_INVALID_KERNEL_THREADSPACE,
                "CmKernel::AssociateThreadSpace: kernel '{}' has a thread group space already", signature.name);
  if (!device.spaces.with(pSpace, [&](ThreadSpace &known) { space = OwnSpace{pSpace, known.layout}; }))
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::AssociateThreadSpace: the thread space is none of this device");
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::AssociateThreadSpace");
}

INT Kernel::DeAssociateThreadSpace(CmThreadSpace *&pSpace) {
  std::lock_guard guard(lock);
  if (!pSpace)
    return fail(CM_NULL_POINTER, "CmKernel::DeAssociateThreadSpace: the thread space is null");
  if (!space || space->object != pSpace)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::DeAssociateThreadSpace: kernel '{}' is not associated with this space",
                signature.name);
  space.reset();
  return CM_SUCCESS;
}

std::vector<runtime::Rectangle> Kernel::rows() const {
  if (threadCount <= defaultWidth)
    return {{0, std::max(1u, threadCount), 0, 1}};
  UINT full = threadCount / defaultWidth, rest = threadCount % defaultWidth;
  std::vector<runtime::Rectangle> all{{0, defaultWidth, 0, full}};
  if (rest)
    all.push_back({0, rest, full, full + 1});
  return all;
}

INT Kernel::AssociateThreadGroupSpace(CmThreadGroupSpace *&pSpace) try {
  std::lock_guard guard(lock);
  if (!pSpace)
    return fail(CM_INVALID_ARG_VALUE, "CmKernel::AssociateThreadGroupSpace: the thread group space is null");
  if (space)
    return fail(CM_INVALID_KERNEL_THREADGROUPSPACE,
                "CmKernel::AssociateThreadGroupSpace: kernel '{}' has a thread space already", signature.name);
  if (!device.groupSpaces.with(reinterpret_cast<GroupSpace *>(pSpace),
                               [&](GroupSpace &known) { groups = OwnGroups{pSpace, known.grid}; }))
    return fail(CM_INVALID_ARG_VALUE,
                "CmKernel::AssociateThreadGroupSpace: the thread group space is none of this device");
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::AssociateThreadGroupSpace");
}

INT Kernel::DeAssociateThreadGroupSpace(CmThreadGroupSpace *&pSpace) {
  std::lock_guard guard(lock);
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
  std::lock_guard guard(lock);
  if (INT code = checkArguments("CmQueue::EnqueueWithGroup"))
    return code;
  if (!threadArguments.empty())
    return fail(CM_THREAD_ARG_NOT_ALLOWED,
                "CmQueue::EnqueueWithGroup: kernel '{}' has per-thread arguments, which threads of groups cannot have",
                signature.name);
  launch = kernel->capture();
  auto *object = reinterpret_cast<GroupSpace *>(const_cast<CmThreadGroupSpace *>(taskSpace));
  if (taskSpace && !device.groupSpaces.with(object, [&](GroupSpace &known) { launch.grid = known.grid; }))
    return fail(CM_INVALID_THREAD_GROUP_SPACE, "CmQueue::EnqueueWithGroup: the space is none of this device");
  if (!taskSpace && groups)
    launch.grid = groups->grid;
  if (!launch.grid)
    launch.grid = runtime::Grid{{std::max(1u, threadCount), 1, 1}, {1, 1, 1}};
  for (int d = 0; d < 3; ++d)
    if (launch.grid->side(d) > UINT32_MAX)
      return fail(CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE,
                  "CmQueue::EnqueueWithGroup: {} groups of {} threads of kernel '{}' are more than {} threads a side",
                  launch.grid->groups[d], launch.grid->threads[d], signature.name, UINT32_MAX);
  return CM_SUCCESS;
}

INT Kernel::capture(const CmThreadSpace *taskSpace, runtime::Launch &launch) const {
  std::lock_guard guard(lock);
  if (INT code = checkArguments("CmQueue::Enqueue"))
    return code;
  launch = kernel->capture();
  std::shared_ptr<SpaceLayout> layout = space ? space->layout : nullptr;
  auto *object = const_cast<CmThreadSpace *>(taskSpace);
  if (taskSpace && !device.spaces.with(object, [&](ThreadSpace &known) { layout = known.layout; }))
    return fail(CM_INVALID_THREAD_SPACE, "CmQueue::Enqueue: the thread space is none of this device");
  if (layout && (layout->width > mostPerSide || layout->height > mostPerSide))
    return fail(CM_INVALID_ARG_VALUE, "CmQueue::Enqueue: a thread space of {}x{} is larger than {} threads a side",
                layout->width, layout->height, mostPerSide);
  if (threadArguments.empty() && (!layout || layout->plain())) {
    if (!layout && threadCount / defaultWidth >= mostPerSide)
      return fail(CM_INVALID_ARG_VALUE, "CmQueue::Enqueue: {} threads of kernel '{}' are more than {} rows of {}",
                  threadCount, signature.name, mostPerSide, defaultWidth);
    if (layout)
      launch.threads = {{0, layout->width, 0, layout->height}};
    else
      launch.threads = rows();
    return CM_SUCCESS;
  }
  if (layout) {
    if (INT code = layout->order(this, !threadArguments.empty(), launch.order))
      return code;
  } else {
    // Threads with arguments of their own and no space: rows of 512.
    if (!ownOrder || ownOrder->threads.size() != threadCount) {
      auto order = std::make_shared<runtime::Order>();
      for (UINT i = 0; i < threadCount; ++i)
        order->threads.push_back({i % threadArgumentWidth, i / threadArgumentWidth, 0, i});
      order->width = std::min(threadCount, threadArgumentWidth);
      order->height = (threadCount + threadArgumentWidth - 1) / threadArgumentWidth;
      ownOrder = order;
    }
    launch.order = ownOrder;
  }
  return threadArguments.empty() ? CM_SUCCESS : addThreadArguments(launch);
}

INT Kernel::SetStaticBuffer(UINT slot, const void *value) try {
  std::lock_guard guard(lock);
  constexpr const char *method = "CmKernel::SetStaticBuffer";
  constexpr UINT slots = 4, firstSlot = 1; // of the binding table
  if (slot >= slots)
    return fail(CM_INVALID_GLOBAL_BUFFER_INDEX, "{}: a kernel has {} static buffers; there is no {}", method, slots,
                slot);
  if (!value)
    return fail(CM_INVALID_BUFFER_HANDLER, "{}: the index of the buffer is null", method);
  UINT number = const_cast<SurfaceIndex *>(static_cast<const SurfaceIndex *>(value))->get_data();
  std::shared_ptr<runtime::Memory> memory = surfaces.find(number);
  const runtime::Geometry *shape = memory ? &memory->geometry() : nullptr;
  if (!shape || shape->height != 1 || shape->pixelBytes != 1 || shape->format)
    return fail(CM_INVALID_BUFFER_HANDLER, "{}: the surface with index {} is not a buffer", method, number);
  if (surfaces.isAlias(number))
    return fail(CM_INVALID_ARG_INDEX, "{}: index {} is an alias; use the buffer's own", method, number);
  kernel->pinSurface(firstSlot + slot, std::move(memory));
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::SetStaticBuffer");
}

INT Kernel::SetSurfaceBTI(SurfaceIndex *surface, UINT slot) try {
  std::lock_guard guard(lock);
  constexpr const char *method = "CmKernel::SetSurfaceBTI";
  constexpr UINT last = 239;
  if (!surface)
    return fail(CM_NULL_POINTER, "{}: the surface is null", method);
  if (slot < runtime::Kernel::firstSurface || slot > last)
    return fail(CM_KERNELPAYLOAD_SURFACE_INVALID_BTINDEX, "{}: surfaces have the slots {} to {}, not {}", method,
                UINT(runtime::Kernel::firstSurface), last, slot);
  if (pinnedSurfaces.contains(slot))
    return fail(CM_KERNELPAYLOAD_SURFACE_INVALID_BTINDEX, "{}: slot {} of kernel '{}' has a surface already", method,
                slot, signature.name);
  std::shared_ptr<runtime::Memory> memory = surfaces.find(surface->get_data());
  if (!memory)
    return fail(CM_FAILURE, "{}: there is no surface with index {}", method, surface->get_data());
  try {
    kernel->pinSurface(slot, std::move(memory));
  } catch (const Error &problem) {
    return fail(CM_EXCEED_SURFACE_AMOUNT, "{}: {}", method, problem.what());
  }
  pinnedSurfaces.insert(slot);
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::SetSurfaceBTI");
}

INT Kernel::SetSamplerBTI(SamplerIndex *sampler, UINT slot) try {
  std::lock_guard guard(lock);
  constexpr const char *method = "CmKernel::SetSamplerBTI";
  if (!sampler)
    return fail(CM_NULL_POINTER, "{}: the sampler is null", method);
  if (slot >= runtime::Kernel::samplerSlots)
    return fail(CM_KERNELPAYLOAD_SAMPLER_INVALID_BTINDEX, "{}: samplers have the slots 0 to {}, not {}", method,
                runtime::Kernel::samplerSlots - 1, slot);
  std::optional<pocm::Sampler> state = samplers.find(sampler->get_data());
  if (!state || pinnedSamplers.contains(slot))
    return fail(CM_FAILURE, "{}: there is no sampler with index {}, or slot {} of kernel '{}' has one already", method,
                sampler->get_data(), slot, signature.name);
  pinnedSamplers.insert(slot);
  kernel->pinSampler(slot, *state);
  return CM_SUCCESS;
} catch (...) {
  return caught("CmKernel::SetSamplerBTI");
}

INT Kernel::QuerySpillSize(unsigned int &bytes) {
  bytes = 0; // values that do not fit in registers are the host compiler's affair
  return CM_SUCCESS;
}

INT Kernel::SetKernelArgPointer(UINT index, size_t size, const void *value) try {
  constexpr const char *method = "CmKernel::SetKernelArgPointer";
  if (INT code = checkValue(method, index, size, value))
    return code;
  std::uint64_t address = 0;
  if (size != sizeof(address) || signature.parameters[index].kind != ParameterKind::General)
    return fail(CM_INVALID_ARG_SIZE, "{}: argument {} of kernel '{}' is not an address of {} bytes", method, index,
                signature.name, sizeof(address));
  std::memcpy(&address, value, sizeof(address));
  if (!device.isShared(address))
    return fail(CM_INVALID_KERNEL_ARG_POINTER,
                "{}: argument {} of kernel '{}': {:#x} lies in no SVM or stateless buffer", method, index,
                signature.name, address);
  return SetKernelArg(index, size, value);
} catch (...) {
  return caught("CmKernel::SetKernelArgPointer");
}

INT Task::AddKernel(CmKernel *kernel) try {
  if (!device.kernels.has(kernel))
    return fail(CM_INVALID_ARG_VALUE, "CmTask::AddKernel: the kernel is null or none of this device");
  std::lock_guard guard(lock);
  if (kernels.size() == mostKernels)
    return fail(CM_EXCEED_MAX_KERNEL_PER_ENQUEUE, "CmTask::AddKernel: a task has at most {} kernels", mostKernels);
  kernels.push_back(static_cast<Kernel *>(kernel));
  return CM_SUCCESS;
} catch (...) {
  return caught("CmTask::AddKernel");
}

INT Task::Reset() {
  std::lock_guard guard(lock);
  kernels.clear();
  conditions.clear();
  properties = defaults();
  return CM_SUCCESS;
}

namespace {
bool holds(CM_CONDITIONAL_END_OPERATOR_CODE op, std::uint32_t memory, std::uint32_t value) {
  switch (op) {
  case MAD_GREATER_THAN_IDD:
    return memory > value;
  case MAD_GREATER_THAN_OR_EQUAL_IDD:
    return memory >= value;
  case MAD_LESS_THAN_IDD:
    return memory < value;
  case MAD_LESS_THAN_OR_EQUAL_IDD:
    return memory <= value;
  case MAD_EQUAL_IDD:
    return memory == value;
  case MAD_NOT_EQUAL_IDD:
    return memory != value;
  }
  return true;
}
} // namespace

INT Task::AddConditionalEnd(SurfaceIndex *surface, UINT offset, CM_CONDITIONAL_END_PARAM *condition) try {
  constexpr const char *method = "CmTask::AddConditionalEnd";
  if (!surface || !condition)
    return fail(CM_NULL_POINTER, "{}: the surface or the condition is null", method);
  std::shared_ptr<runtime::Memory> memory = device.surfaces.find(surface->get_data());
  if (!memory)
    return fail(CM_NULL_POINTER, "{}: there is no surface with index {}", method, surface->get_data());
  const runtime::Geometry &shape = memory->geometry();
  if (shape.height != 1 || shape.pixelBytes != 1 || shape.format)
    return fail(CM_NOT_IMPLEMENTED, "{}: the surface with index {} is not a buffer", method, surface->get_data());
  if (condition->opCode < MAD_GREATER_THAN_IDD || condition->opCode > MAD_NOT_EQUAL_IDD)
    return fail(CM_INVALID_ARG_VALUE, "{}: there is no operator {}", method, int(condition->opCode));
  const UINT words = condition->opMask ? 2 : 1; // the value, and the mask behind it
  if (offset % sizeof(std::uint32_t) || shape.width < words * sizeof(std::uint32_t) ||
      offset > shape.width - words * sizeof(std::uint32_t))
    return fail(CM_INVALID_ARG_VALUE, "{}: offset {} is not that of a dword in a buffer of {} bytes", method, offset,
                shape.width);
  auto asks = [memory, offset, words, op = condition->opCode, against = condition->opValue] {
    std::uint32_t value[2] = {0, ~0u};
    memory->readNow(value, words * sizeof(std::uint32_t), offset);
    return holds(op, value[0] & value[1], against);
  };
  std::lock_guard guard(lock);
  conditions[kernels.size()] = {std::move(asks), memory};
  return CM_SUCCESS;
} catch (...) {
  return caught("CmTask::AddConditionalEnd");
}

} // namespace pocm::cmrt
