//===- Device.cpp - CmDevice and CmQueue ----------------------------------------------===//
//
// Thin: checks what the application passes, in the order of the reference, and calls the
// runtime. Every refusal says which object, argument and rule (Report.h).
//
//===----------------------------------------------------------------------===//
#include "cmrt/Device.h"
#include "program/Formats.h"
#include <charconv>
#include <cstdio>
#include <cstring>

namespace pocm::cmrt {
namespace {

constexpr UINT mostBuffers = 0x80000000u; // bytes
constexpr UINT page = 4096;               // alignment of memory that the application lends
constexpr UINT mostPixels = 16384;        // a side
constexpr size_t mostOptions = 512, mostName = 256;

/// Removes the object and nulls the application's pointer, or says why not.
template <class T, class Interface>
INT destroy(Registry<T> &registry, Interface *&object, INT whenNull, const char *method) {
  if (!object)
    return fail(whenNull, "{}: the object is null", method);
  if (!registry.remove(object))
    return fail(CM_FAILURE, "{}: the object does not belong to this device, or is destroyed already", method);
  object = nullptr;
  return CM_SUCCESS;
}

bool tooLong(const char *text, size_t most) { return text && strnlen(text, most) == most; }

/// The tokens -spec-constant=ID=VALUE of LoadProgram's options. Tokens for the finalizer mean nothing here.
std::map<unsigned, std::string> specValues(std::string_view options) {
  constexpr std::string_view mark = "-spec-constant=";
  std::map<unsigned, std::string> values;
  for (size_t at = options.find(mark); at != std::string_view::npos; at = options.find(mark, at)) {
    std::string_view token = options.substr(at, options.find(' ', at) - at);
    at += token.size();
    unsigned id = 0;
    auto [rest, problem] = std::from_chars(token.data() + mark.size(), token.data() + token.size(), id);
    if (problem != std::errc() || rest == token.data() + token.size() || *rest != '=')
      throw Error("option '" + std::string(token) + "' is not -spec-constant=ID=VALUE");
    values[id] = std::string(rest + 1, token.data() + token.size());
  }
  return values;
}

} // namespace

//===- Surfaces ---------------------------------------------------------------===//

INT Device::CreateBuffer(UINT size, CmBuffer *&surface) {
  if (size == 0 || size > mostBuffers)
    return fail(CM_INVALID_WIDTH, "CmDevice::CreateBuffer: a buffer has 1 to {} bytes, not {}", mostBuffers, size);
  try {
    auto memory = runtime::Memory::buffer(size);
    UINT index = surfaces.add(memory);
    if (!index)
      return fail(CM_EXCEED_SURFACE_AMOUNT, "CmDevice::CreateBuffer: the surface table is full");
    surface = buffers.add(std::make_unique<Buffer>(std::move(memory), index));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateBuffer: {}", problem.what());
  }
}

INT Device::CreateBufferUP(UINT size, void *host, CmBufferUP *&surface) {
  surface = nullptr;
  if (size == 0 || size > mostBuffers || size % sizeof(std::uint32_t))
    return fail(CM_INVALID_WIDTH, "CmDevice::CreateBufferUP: a buffer has 4 to {} bytes, a multiple of 4, not {}",
                mostBuffers, size);
  if (!host || reinterpret_cast<uintptr_t>(host) % page)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateBufferUP: the memory is null or not aligned to {} bytes", page);
  try {
    auto memory = runtime::Memory::over(host, size);
    UINT index = surfaces.add(memory);
    if (!index)
      return fail(CM_EXCEED_SURFACE_AMOUNT, "CmDevice::CreateBufferUP: the surface table is full");
    surface = userBuffers.add(std::make_unique<BufferUP>(std::move(memory), index));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateBufferUP: {}", problem.what());
  }
}

INT Device::DestroyBufferUP(CmBufferUP *&surface) {
  return destroy(userBuffers, surface, CM_NULL_POINTER, "CmDevice::DestroyBufferUP");
}

INT Device::CreateBufferSVM(UINT size, void *&host, uint32_t, CmBufferSVM *&surface) {
  surface = nullptr;
  if (size == 0 || size > mostBuffers)
    return fail(CM_INVALID_WIDTH, "CmDevice::CreateBufferSVM: a buffer has 1 to {} bytes, not {}", mostBuffers, size);
  if (reinterpret_cast<uintptr_t>(host) % page)
    return fail(CM_SYSTEM_MEMORY_NOT_4KPAGE_ALIGNED, "CmDevice::CreateBufferSVM: the memory is not aligned to {} bytes",
                page);
  try {
    bool ours = !host;
    BufferSVM::Block block(ours ? std::aligned_alloc(page, (std::size_t(size) + page - 1) / page * page) : host,
                           BufferSVM::Free{ours});
    if (!block)
      return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateBufferSVM: no memory for {} bytes", size);
    auto memory = runtime::Memory::over(block.get(), size);
    UINT index = surfaces.add(memory);
    if (!index)
      return fail(CM_EXCEED_SURFACE_AMOUNT, "CmDevice::CreateBufferSVM: the surface table is full");
    void *address = block.get();
    surface = sharedBuffers.add(std::make_unique<BufferSVM>(std::move(block), std::move(memory), index));
    host = address;
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateBufferSVM: {}", problem.what());
  }
}

INT Device::DestroyBufferSVM(CmBufferSVM *&surface) {
  return destroy(sharedBuffers, surface, CM_NULL_POINTER, "CmDevice::DestroyBufferSVM");
}

INT Device::checkFormat(const char *method, UINT width, UINT height, CM_SURFACE_FORMAT format, const Format *&found) {
  found = findFormat(format);
  if (width == 0 || width > mostPixels)
    return fail(CM_INVALID_WIDTH, "{}: a surface is 1 to {} pixels wide, not {}", method, mostPixels, width);
  if (height == 0 || height > mostPixels)
    return fail(CM_INVALID_HEIGHT, "{}: a surface is 1 to {} pixels high, not {}", method, mostPixels, height);
  if (!found)
    return fail(CM_SURFACE_FORMAT_NOT_SUPPORTED, "{}: surface format {} is not supported", method, int(format));
  if (found->evenWidth && width % 2)
    return fail(CM_INVALID_WIDTH, "{}: a surface of format {} has an even width, not {}", method, found->name, width);
  if (found->planar && height % 2)
    return fail(CM_INVALID_HEIGHT, "{}: a surface of format {} has an even height, not {}", method, found->name,
                height);
  return CM_SUCCESS;
}

INT Device::CreateSurface2D(UINT width, UINT height, CM_SURFACE_FORMAT format, CmSurface2D *&surface) {
  surface = nullptr;
  const Format *found;
  if (INT code = checkFormat("CmDevice::CreateSurface2D", width, height, format, found))
    return code;
  try {
    auto memory = runtime::Memory::image(width, height, found->pixelBytes, formatNumber(found->name));
    UINT index = surfaces.add(memory);
    if (!index)
      return fail(CM_EXCEED_SURFACE_AMOUNT, "CmDevice::CreateSurface2D: the surface table is full");
    surface = images.add(std::make_unique<Surface2D>(std::move(memory), index));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateSurface2D: {}", problem.what());
  }
}

INT Device::DestroySurface(CmBuffer *&surface) {
  return destroy(buffers, surface, CM_NULL_POINTER, "CmDevice::DestroySurface");
}

INT Device::DestroySurface(CmSurface2D *&surface) {
  return destroy(images, surface, CM_NULL_POINTER, "CmDevice::DestroySurface");
}

INT Device::GetSurface2DInfo(UINT width, UINT height, CM_SURFACE_FORMAT format, UINT &pitch, UINT &size) {
  const Format *found;
  if (INT code = checkFormat("CmDevice::GetSurface2DInfo", width, height, format, found))
    return code;
  constexpr UINT align = 64;
  pitch = (width * found->pixelBytes + align - 1) / align * align;
  size = pitch * (found->planar ? height + height / 2 : height);
  return CM_SUCCESS;
}

//===- Programs, kernels, tasks -------------------------------------------------===//

INT Device::CreateQueue(CmQueue *&out) {
  out = &queue;
  return CM_SUCCESS;
}

INT Device::CreateQueueEx(CmQueue *&out, CM_QUEUE_CREATE_OPTION option) {
  if (option.QueueType != CM_QUEUE_TYPE_RENDER)
    return fail(CM_NOT_IMPLEMENTED, "CmDevice::CreateQueueEx: only render queues are supported by PoCM yet");
  return CreateQueue(out);
}

INT Device::LoadProgram(void *code, const UINT size, CmProgram *&program, const char *options) {
  program = nullptr;
  if (!code || size == 0)
    return fail(CM_INVALID_COMMON_ISA, "CmDevice::LoadProgram: the program is null or empty");
  if (tooLong(options, mostOptions))
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::LoadProgram: the options are longer than {} characters",
                mostOptions - 1);
  try {
    auto loaded = std::make_unique<ProgramObject>();
    Program file = Program::load({static_cast<const std::uint8_t *>(code), size});
    try {
      loaded->container = file.specialized(specValues(options ? options : "")).container;
    } catch (const Error &problem) {
      return fail(CM_INVALID_ARG_VALUE, "CmDevice::LoadProgram: {}", problem.what());
    }
    program = reinterpret_cast<CmProgram *>(programs.add(std::move(loaded)));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_INVALID_COMMON_ISA, "CmDevice::LoadProgram: {}", problem.what());
  }
}

INT Device::DestroyProgram(CmProgram *&program) {
  auto *object = reinterpret_cast<ProgramObject *>(program);
  INT code = destroy(programs, object, CM_FAILURE, "CmDevice::DestroyProgram");
  if (code == CM_SUCCESS)
    program = nullptr;
  return code;
}

INT Device::CreateKernel(CmProgram *program, const char *name, CmKernel *&kernel, const char *options) {
  kernel = nullptr;
  auto *object = reinterpret_cast<ProgramObject *>(program);
  if (!object)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateKernel: the program is null");
  if (!name)
    return fail(CM_NULL_POINTER, "CmDevice::CreateKernel: the kernel's name is null");
  if (!programs.has(object))
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateKernel: the program does not belong to this device");
  if (tooLong(name, mostName))
    return fail(CM_FAILURE, "CmDevice::CreateKernel: the kernel's name is longer than {} characters", mostName - 1);
  if (tooLong(options, mostOptions))
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateKernel: the options are longer than {} characters",
                mostOptions - 1);
  const KernelSignature *signature;
  try {
    signature = &Program(object->container).kernel(name);
  } catch (const std::exception &problem) {
    return fail(CM_FAILURE, "CmDevice::CreateKernel: {}", problem.what());
  }
  try {
    kernel = kernels.add(std::make_unique<Kernel>(context, object->container, *signature, surfaces, samplerStates));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_JIT_COMPILE_FAILURE, "CmDevice::CreateKernel: {}", problem.what());
  }
}

INT Device::DestroyKernel(CmKernel *&kernel) {
  return destroy(kernels, kernel, CM_NULL_POINTER, "CmDevice::DestroyKernel");
}

INT Device::CreateTask(CmTask *&task) {
  task = tasks.add(std::make_unique<Task>());
  return CM_SUCCESS;
}

INT Device::DestroyTask(CmTask *&task) { return destroy(tasks, task, CM_FAILURE, "CmDevice::DestroyTask"); }

INT Device::CreateThreadSpace(UINT width, UINT height, CmThreadSpace *&space) {
  space = nullptr;
  if (width == 0 || height == 0)
    return fail(CM_INVALID_THREAD_SPACE, "CmDevice::CreateThreadSpace: a space of {}x{} has no threads", width, height);
  space = spaces.add(std::make_unique<ThreadSpace>(width, height));
  return CM_SUCCESS;
}

INT Device::DestroyThreadSpace(CmThreadSpace *&space) {
  return destroy(spaces, space, CM_FAILURE, "CmDevice::DestroyThreadSpace");
}

INT Device::CreateThreadGroupSpaceEx(UINT threadsX, UINT threadsY, UINT threadsZ, UINT groupsX, UINT groupsY,
                                     UINT groupsZ, CmThreadGroupSpace *&space) {
  constexpr UINT mostPerSide = 64;
  constexpr std::uint64_t mostThreads = 1024, mostGroups = 1u << 31;
  space = nullptr;
  bool empty = !threadsX || !threadsY || !threadsZ || !groupsX || !groupsY || !groupsZ;
  bool large = threadsX > mostPerSide || threadsY > mostPerSide || threadsZ > mostPerSide ||
               std::uint64_t(threadsX) * threadsY * threadsZ > mostThreads ||
               std::uint64_t(groupsX) * groupsY > mostGroups || std::uint64_t(groupsX) * groupsY * groupsZ > mostGroups;
  if (empty || large)
    return fail(
        CM_INVALID_THREAD_GROUP_SPACE,
        "CmDevice::CreateThreadGroupSpace: {}x{}x{} groups of {}x{}x{} threads; a group has 1 to {} threads, at "
        "most {} a side",
        groupsX, groupsY, groupsZ, threadsX, threadsY, threadsZ, mostThreads, mostPerSide);
  runtime::Grid grid{{groupsX, groupsY, groupsZ}, {threadsX, threadsY, threadsZ}};
  space = reinterpret_cast<CmThreadGroupSpace *>(groupSpaces.add(std::make_unique<GroupSpace>(GroupSpace{grid})));
  return CM_SUCCESS;
}

INT Device::DestroyThreadGroupSpace(CmThreadGroupSpace *&space) {
  auto *object = reinterpret_cast<GroupSpace *>(space);
  INT code = destroy(groupSpaces, object, CM_FAILURE, "CmDevice::DestroyThreadGroupSpace");
  if (code == CM_SUCCESS)
    space = nullptr;
  return code;
}

INT Device::CreateSampler(const CM_SAMPLER_STATE &state, CmSampler *&sampler) {
  sampler = nullptr;
  auto address = [](CM_TEXTURE_ADDRESS_TYPE type) -> std::optional<pocm::Sampler::Address> {
    switch (type) {
    case CM_TEXTURE_ADDRESS_WRAP:
      return pocm::Sampler::Address::Wrap;
    case CM_TEXTURE_ADDRESS_MIRROR:
      return pocm::Sampler::Address::Mirror;
    case CM_TEXTURE_ADDRESS_CLAMP:
      return pocm::Sampler::Address::Clamp;
    case CM_TEXTURE_ADDRESS_BORDER:
      return pocm::Sampler::Address::Border;
    default:
      return std::nullopt;
    }
  };
  auto filter = [](CM_TEXTURE_FILTER_TYPE type) {
    return type == CM_TEXTURE_FILTER_TYPE_POINT || type == CM_TEXTURE_FILTER_TYPE_LINEAR ||
           type == CM_TEXTURE_FILTER_TYPE_ANISOTROPIC;
  };
  auto u = address(state.addressU), v = address(state.addressV);
  if (!u || !v || !address(state.addressW) || !filter(state.minFilterType) || !filter(state.magFilterType))
    return fail(CM_EXCEED_SAMPLER_AMOUNT,
                "CmDevice::CreateSampler: filters are POINT, LINEAR and ANISOTROPIC, addresses WRAP, MIRROR, CLAMP and "
                "BORDER");
  bool point = state.magFilterType == CM_TEXTURE_FILTER_TYPE_POINT;
  UINT number = samplerStates.add({point ? pocm::Sampler::Filter::Nearest : pocm::Sampler::Filter::Linear, *u, *v});
  if (!number)
    return fail(CM_EXCEED_SAMPLER_AMOUNT, "CmDevice::CreateSampler: a device has at most {} samplers",
                UINT(SamplerTable::count));
  sampler = samplers.add(std::make_unique<Sampler>(number));
  return CM_SUCCESS;
}

INT Device::DestroySampler(CmSampler *&sampler) {
  if (sampler && samplers.has(sampler))
    samplerStates.remove(static_cast<Sampler *>(sampler)->number());
  return destroy(samplers, sampler, CM_FAILURE, "CmDevice::DestroySampler");
}

//===- Printing ---------------------------------------------------------------------===//

INT Device::InitPrintBuffer(size_t size) {
  constexpr size_t most = 1u << 30;
  if (size == 0 || size > most)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::InitPrintBuffer: the buffer has 1 to {} bytes, not {}", most, size);
  try {
    prints = std::make_unique<runtime::PrintBuffer>(size);
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_OUT_OF_HOST_MEMORY, "CmDevice::InitPrintBuffer: {}", problem.what());
  }
}

INT Device::FlushPrintBuffer() {
  if (!prints)
    return fail(CM_FAILURE, "CmDevice::FlushPrintBuffer: there is no print buffer; call InitPrintBuffer first");
  std::string text = prints->take();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return CM_SUCCESS;
}

INT Device::FlushPrintBufferIntoFile(const char *fileName) {
  if (!fileName)
    return fail(CM_NULL_POINTER, "CmDevice::FlushPrintBufferIntoFile: the file's name is null");
  if (!prints)
    return fail(CM_FAILURE, "CmDevice::FlushPrintBufferIntoFile: there is no print buffer; call InitPrintBuffer first");
  std::FILE *file = std::fopen(fileName, "a");
  if (!file)
    return fail(CM_FAILURE, "CmDevice::FlushPrintBufferIntoFile: cannot write '{}'", fileName);
  std::string text = prints->take();
  bool ok = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  ok &= std::fclose(file) == 0;
  return ok ? CM_SUCCESS : fail(CM_FAILURE, "CmDevice::FlushPrintBufferIntoFile: cannot write '{}'", fileName);
}

//===- Capabilities ---------------------------------------------------------------===//

INT Device::GetCaps(CM_DEVICE_CAP_NAME cap, size_t &size, void *value) {
  // Limits of this library, and a Gen9 GT2's figures where programs size their work by them.
  static constexpr struct {
    CM_DEVICE_CAP_NAME cap;
    std::uint32_t value;
  } numbers[] = {
      {CAP_KERNEL_COUNT_PER_TASK, 16},
      {CAP_KERNEL_BINARY_SIZE, 65536},
      {CAP_BUFFER_COUNT, 256},
      {CAP_SURFACE2D_COUNT, 256},
      {CAP_SURFACE_COUNT_PER_KERNEL, 255},
      {CAP_ARG_COUNT_PER_KERNEL, 255},
      {CAP_ARG_SIZE_PER_KERNEL, 2016},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_TASK, 262144},
      {CAP_HW_THREAD_COUNT, 168},
      {CAP_GPU_PLATFORM, 7},
      {CAP_GT_PLATFORM, 2},
      {CAP_MIN_FREQUENCY, 0},
      {CAP_MAX_FREQUENCY, 0},
      {CAP_GPU_CURRENT_FREQUENCY, 0},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_TASK_NO_THREAD_ARG, 262144},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_MEDIA_WALKER, 67043344},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP, 56},
      {CAP_MAX_BUFFER_SIZE, mostBuffers},
  };
  if (!value)
    return fail(CM_NULL_POINTER, "CmDevice::GetCaps: the value is null");
  for (const auto &known : numbers)
    if (known.cap == cap) {
      if (size < sizeof(known.value))
        return fail(CM_FAILURE, "CmDevice::GetCaps: capability {} takes {} bytes, not {}", int(cap),
                    sizeof(known.value), size);
      std::memcpy(value, &known.value, sizeof(known.value));
      return CM_SUCCESS;
    }
  return fail(CM_FAILURE, "CmDevice::GetCaps: capability {} is not known", int(cap));
}

//===- Queue ------------------------------------------------------------------------===//

template <class Capture> INT Queue::submit(const char *method, CmTask *pTask, CmEvent *&event, Capture capture) {
  bool wanted = event != CM_NO_EVENT;
  event = nullptr;
  if (!pTask)
    return fail(CM_INVALID_ARG_VALUE, "{}: the task is null", method);
  const auto &task = *static_cast<Task *>(pTask);
  if (task.kernels.empty())
    return fail(CM_FAILURE, "{}: the task has no kernel", method);
  std::vector<runtime::Launch> launches(task.kernels.size());
  for (size_t i = 0; i < launches.size(); ++i)
    if (INT code = capture(*task.kernels[i], launches[i]))
      return code;
  if (device.prints)
    for (runtime::Launch &launch : launches)
      launch.print = device.prints->memory();
  std::shared_ptr<runtime::Event> done = device.context.enqueue(std::move(launches));
  if (wanted)
    event = device.events.add(std::make_unique<Event>(std::move(done)));
  return CM_SUCCESS;
}

INT Queue::Enqueue(CmTask *task, CmEvent *&event, const CmThreadSpace *space) {
  return submit("CmQueue::Enqueue", task, event,
                [&](const Kernel &kernel, runtime::Launch &launch) { return kernel.capture(space, launch); });
}

INT Queue::EnqueueWithGroup(CmTask *task, CmEvent *&event, const CmThreadGroupSpace *space) {
  return submit("CmQueue::EnqueueWithGroup", task, event,
                [&](const Kernel &kernel, runtime::Launch &launch) { return kernel.captureGroups(space, launch); });
}

INT Queue::DestroyEvent(CmEvent *&event) { return destroy(device.events, event, CM_FAILURE, "CmQueue::DestroyEvent"); }

INT Queue::DestroyEventFast(CmEvent *&event) {
  return destroy(device.events, event, CM_INVALID_ARG_VALUE, "CmQueue::DestroyEventFast");
}

} // namespace pocm::cmrt
