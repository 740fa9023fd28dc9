//===- Device.cpp - CmDevice ----------------------------------------------------------===//
//
// Thin: checks what the application passes, in the order of the reference, and calls the
// runtime. Every refusal says which object, argument and rule (Report.h).
//
//===----------------------------------------------------------------------===//
#include "cmrt/Device.h"
#include "program/Formats.h"
#include "program/Inside.h"
#include "program/Uncancelled.h"
#include <charconv>
#include <cstdio>
#include <cstring>

namespace pocm::cmrt {
namespace {

constexpr UINT mostBuffers = 0x80000000u; // bytes
constexpr UINT page = 4096;               // alignment of memory that the application lends
constexpr UINT mostPixels = 16384;        // a side
constexpr size_t mostOptions = 512, mostName = 256;

/// Waits until nobody uses memory that the application has lent, as it may take it back when the surface is destroyed.
template <class T, class Interface> void takeBack(const Registry<T> &registry, Interface *object) {
  std::shared_ptr<runtime::Memory> memory;
  if (registry.with(object, [&](T &known) { memory = known.memory; }))
    memory->retire();
}

/// On the check device nobody may use a surface that was destroyed, whoever still has its memory as an argument.
template <class T, class Interface> void forget(const Registry<T> &registry, Interface *object) {
  if (const std::string name = deviceName(); name == "check" || name.starts_with("check:"))
    takeBack(registry, object);
}

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

INT tableFull(const char *method) {
  return fail(CM_EXCEED_SURFACE_AMOUNT, "{}: the surface table is full; destroy surfaces first", method);
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

/// What the reference says of new surfaces. They hold zeros, and kernels that read those are mistaken.
static std::shared_ptr<runtime::Memory> undefined(std::shared_ptr<runtime::Memory> memory) {
  memory->leaveUndefined();
  return memory;
}

template <class Object, class Interface, class Make>
INT Device::newSurface(const char *method, Registry<Object> &registry, Interface *&surface, Make make) {
  try {
    std::shared_ptr<runtime::Memory> memory = make();
    SurfaceIndex *index = surfaces.add(memory);
    if (!index)
      return tableFull(method);
    surface = registry.add(std::make_unique<Object>(std::move(memory), index, parts));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_SURFACE_ALLOCATION_FAILURE, "{}: {}", method, problem.what());
  }
}

INT Device::CreateBuffer(UINT size, CmBuffer *&surface) {
  if (size == 0 || size > mostBuffers)
    return fail(CM_INVALID_WIDTH, "CmDevice::CreateBuffer: a buffer has 1 to {} bytes, not {}", mostBuffers, size);
  return newSurface("CmDevice::CreateBuffer", buffers, surface,
                    [&] { return undefined(runtime::Memory::buffer(context.heap(), size)); });
}

INT Device::CreateBufferUP(UINT size, void *host, CmBufferUP *&surface) {
  surface = nullptr;
  if (size == 0 || size > mostBuffers || size % sizeof(std::uint32_t))
    return fail(CM_INVALID_WIDTH, "CmDevice::CreateBufferUP: a buffer has 4 to {} bytes, a multiple of 4, not {}",
                mostBuffers, size);
  if (!host || reinterpret_cast<uintptr_t>(host) % page)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateBufferUP: the memory is null or not aligned to {} bytes", page);
  return newSurface("CmDevice::CreateBufferUP", userBuffers, surface,
                    [&] { return runtime::Memory::over(context.heap(), host, size); });
}

INT Device::DestroyBufferUP(CmBufferUP *&surface) try {
  takeBack(userBuffers, surface);
  return destroy(userBuffers, surface, CM_NULL_POINTER, "CmDevice::DestroyBufferUP");
} catch (...) {
  return caught("CmDevice::DestroyBufferUP");
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
    MaybeOwned block(ours ? std::aligned_alloc(page, (std::size_t(size) + page - 1) / page * page) : host,
                     FreeOwned{ours ? size : 0});
    if (!block)
      return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateBufferSVM: no memory for {} bytes", size);
    auto memory = runtime::Memory::over(context.heap(), block.get(), size, runtime::Lending::ByAddress);
    SurfaceIndex *index = surfaces.add(memory);
    if (!index)
      return tableFull("CmDevice::CreateBufferSVM");
    void *address = block.get();
    surface = sharedBuffers.add(std::make_unique<BufferSVM>(std::move(block), std::move(memory), index, parts));
    host = address;
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateBufferSVM: {}", problem.what());
  }
}

INT Device::DestroyBufferSVM(CmBufferSVM *&surface) try {
  takeBack(sharedBuffers, surface);
  if (surface && sharedBuffers.has(surface))
    context.finish(); // kernels reach it by address, too: nobody knows which do
  return destroy(sharedBuffers, surface, CM_NULL_POINTER, "CmDevice::DestroyBufferSVM");
} catch (...) {
  return caught("CmDevice::DestroyBufferSVM");
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
  return newSurface("CmDevice::CreateSurface2D", images, surface, [&] {
    return undefined(
        runtime::Memory::image(context.heap(), width, height, found->pixelBytes, formatNumber(found->name)));
  });
}

INT Device::CreateSurface3D(UINT width, UINT height, UINT depth, CM_SURFACE_FORMAT format, CmSurface3D *&surface) {
  constexpr const char *method = "CmDevice::CreateSurface3D";
  constexpr UINT most = 2048; // a side
  surface = nullptr;
  if (width == 0 || width > most)
    return fail(CM_INVALID_WIDTH, "{}: a surface is 1 to {} pixels wide, not {}", method, most, width);
  if (height == 0 || height > most)
    return fail(CM_INVALID_HEIGHT, "{}: a surface is 1 to {} pixels high, not {}", method, most, height);
  if (depth < 2 || depth > most)
    return fail(CM_INVALID_DEPTH, "{}: a surface is 2 to {} slices deep, not {}", method, most, depth);
  const Format *found = findFormat(format);
  bool known = format == CM_SURFACE_FORMAT_X8R8G8B8 || format == CM_SURFACE_FORMAT_A8R8G8B8 ||
               format == CM_SURFACE_FORMAT_A16B16G16R16 || format == CM_SURFACE_FORMAT_R32G32B32A32F;
  if (!known || !found)
    return fail(CM_SURFACE_FORMAT_NOT_SUPPORTED,
                "{}: formats are X8R8G8B8, A8R8G8B8, A16B16G16R16 and R32G32B32A32F, not {}", method, int(format));
  return newSurface(method, volumes, surface, [&] {
    return undefined(
        runtime::Memory::volume(context.heap(), width, height, depth, found->pixelBytes, formatNumber(found->name)));
  });
}

INT Device::DestroySurface(CmSurface3D *&surface) try {
  forget(volumes, surface);
  return destroy(volumes, surface, CM_NULL_POINTER, "CmDevice::DestroySurface");
} catch (...) {
  return caught("CmDevice::DestroySurface");
}

INT Device::CreateSamplerSurface3D(CmSurface3D *surface, SurfaceIndex *&index) {
  if (!volumes.has(surface))
    return fail(CM_FAILURE, "CmDevice::CreateSamplerSurface3D: the surface is null or none of this device");
  const auto &memory = static_cast<Surface3D *>(surface)->memory;
  const unsigned argb = formatNumber("A8R8G8B8"), wide = formatNumber("A16B16G16R16");
  if (memory->geometry().format != argb && memory->geometry().format != wide)
    return fail(CM_SURFACE_FORMAT_NOT_SUPPORTED,
                "CmDevice::CreateSamplerSurface3D: formats are A8R8G8B8 and A16B16G16R16");
  return samplerSurface(memory, index);
}

INT Device::DestroySurface(CmBuffer *&surface) try {
  forget(buffers, surface);
  return destroy(buffers, surface, CM_NULL_POINTER, "CmDevice::DestroySurface");
} catch (...) {
  return caught("CmDevice::DestroySurface");
}

INT Device::DestroySurface(CmSurface2D *&surface) try {
  forget(images, surface);
  return destroy(images, surface, CM_NULL_POINTER, "CmDevice::DestroySurface");
} catch (...) {
  return caught("CmDevice::DestroySurface");
}

INT Device::CreateSurface2DUP(UINT width, UINT height, CM_SURFACE_FORMAT format, void *host, CmSurface2DUP *&surface) {
  surface = nullptr;
  const Format *found;
  if (INT code = checkFormat("CmDevice::CreateSurface2DUP", width, height, format, found))
    return code;
  if (!host || reinterpret_cast<uintptr_t>(host) % page)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateSurface2DUP: the memory is null or not aligned to {} bytes",
                page);
  return newSurface("CmDevice::CreateSurface2DUP", userImages, surface, [&] {
    return runtime::Memory::over(
        context.heap(), host, runtime::Memory::imageShape(width, height, found->pixelBytes, formatNumber(found->name)));
  });
}

INT Device::DestroySurface2DUP(CmSurface2DUP *&surface) try {
  takeBack(userImages, surface);
  return destroy(userImages, surface, CM_NULL_POINTER, "CmDevice::DestroySurface2DUP");
} catch (...) {
  return caught("CmDevice::DestroySurface2DUP");
}

INT Device::CreateBufferStateless(size_t size, uint32_t option, void *host, CmBufferStateless *&buffer) {
  constexpr uint32_t deviceMemory = 0, systemMemory = 1;
  buffer = nullptr;
  if (size == 0 || size > mostBuffers)
    return fail(CM_INVALID_WIDTH, "CmDevice::CreateBufferStateless: a buffer has 1 to {} bytes, not {}", mostBuffers,
                size);
  if (option != deviceMemory && option != systemMemory)
    return fail(CM_INVALID_CREATE_OPTION_FOR_BUFFER_STATELESS, "CmDevice::CreateBufferStateless: there is no option {}",
                option);
  if (option == systemMemory && (!host || reinterpret_cast<uintptr_t>(host) % page))
    return fail(CM_SYSTEM_MEMORY_NOT_4KPAGE_ALIGNED,
                "CmDevice::CreateBufferStateless: the memory is null or not aligned to {} bytes", page);
  try {
    if (option == deviceMemory)
      host = nullptr;
    auto memory = host ? runtime::Memory::over(context.heap(), host, size, runtime::Lending::ByAddress)
                       : runtime::Memory::buffer(context.heap(), size);
    buffer = statelessBuffers.add(std::make_unique<BufferStateless>(std::move(memory), host, parts));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_SURFACE_ALLOCATION_FAILURE, "CmDevice::CreateBufferStateless: {}", problem.what());
  }
}

INT Device::DestroyBufferStateless(CmBufferStateless *&buffer) try {
  if (buffer && statelessBuffers.has(buffer))
    context.finish(); // kernels reach it by address: nobody knows which do
  return destroy(statelessBuffers, buffer, CM_NULL_POINTER, "CmDevice::DestroyBufferStateless");
} catch (...) {
  return caught("CmDevice::DestroyBufferStateless");
}

INT Device::CreateBufferAlias(CmBuffer *buffer, SurfaceIndex *&alias) try {
  alias = nullptr;
  if (!buffers.has(buffer))
    return fail(CM_NULL_POINTER, "CmDevice::CreateBufferAlias: the buffer is null or none of this device");
  if (!static_cast<Buffer *>(buffer)->addAlias(surfaces, alias))
    return fail(CM_EXCEED_MAX_NUM_BUFFER_ALIASES, "CmDevice::CreateBufferAlias: a buffer has at most {} aliases",
                UINT(SurfaceTable::mostAliases));
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::CreateBufferAlias");
}

INT Device::CreateSurface2DAlias(CmSurface2D *surface, SurfaceIndex *&alias) try {
  alias = nullptr;
  if (!images.has(surface))
    return fail(CM_NULL_POINTER, "CmDevice::CreateSurface2DAlias: the surface is null or none of this device");
  if (!static_cast<Surface2D *>(surface)->addAlias(surfaces, alias))
    return fail(CM_EXCEED_MAX_NUM_2D_ALIASES, "CmDevice::CreateSurface2DAlias: a surface has at most {} aliases",
                UINT(SurfaceTable::mostAliases));
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::CreateSurface2DAlias");
}

INT Device::samplerSurface(const std::shared_ptr<runtime::Memory> &memory, SurfaceIndex *&index) try {
  auto view = runtime::Memory::view(memory, memory->geometry(), 0);
  SurfaceIndex *number = surfaces.add(view);
  if (!number)
    return tableFull("CmDevice::CreateSamplerSurface2D");
  samplerSurfaces.add(number, std::move(view));
  index = number;
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::CreateSamplerSurface2D");
}

INT Device::CreateSamplerSurface2D(CmSurface2D *surface, SurfaceIndex *&index) {
  if (!images.has(surface))
    return fail(CM_FAILURE, "CmDevice::CreateSamplerSurface2D: the surface is null or none of this device");
  return samplerSurface(static_cast<Surface2D *>(surface)->memory, index);
}

INT Device::CreateSamplerSurface2DUP(CmSurface2DUP *surface, SurfaceIndex *&index) {
  if (!userImages.has(surface))
    return fail(CM_FAILURE, "CmDevice::CreateSamplerSurface2DUP: the surface is null or none of this device");
  return samplerSurface(static_cast<Surface2DUP *>(surface)->memory, index);
}

INT Device::CreateSamplerSurface2DEx(CmSurface2D *surface, SurfaceIndex *&index, CM_FLAG *flag) {
  if (!images.has(surface))
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateSamplerSurface2DEx: the surface is null or none of this device");
  if (flag && (flag->rotationFlag != CM_ROTATION_IDENTITY || flag->chromaSiting))
    return fail(CM_NOT_IMPLEMENTED, "CmDevice::CreateSamplerSurface2DEx: rotation and chroma siting are not supported");
  return samplerSurface(static_cast<Surface2D *>(surface)->memory, index);
}

INT Device::DestroySamplerSurface(SurfaceIndex *&index) {
  if (!samplerSurfaces.remove(index)) // the application's pointer stays as it is
    return fail(CM_FAILURE, "CmDevice::DestroySamplerSurface: the index is null, or not that of a sampler surface");
  return CM_SUCCESS;
}

INT Device::GetSurface2DInfo(UINT width, UINT height, CM_SURFACE_FORMAT format, UINT &pitch, UINT &size) {
  const Format *found;
  if (INT code = checkFormat("CmDevice::GetSurface2DInfo", width, height, format, found))
    return code;
  // What CreateSurface2DUP will expect.
  runtime::Geometry shape = runtime::Memory::imageShape(width, height, found->pixelBytes, formatNumber(found->name));
  pitch = UINT(shape.pitch);
  size = UINT(shape.pitch * shape.rows());
  return CM_SUCCESS;
}

//===- Programs, kernels, tasks -------------------------------------------------===//

INT Device::CreateQueue(CmQueue *&out) {
  out = &queue;
  return CM_SUCCESS;
}

INT Device::CreateQueueEx(CmQueue *&out, CM_QUEUE_CREATE_OPTION option) try {
  if (option.QueueType == CM_QUEUE_TYPE_RENDER)
    return CreateQueue(out);
  if (option.QueueType != CM_QUEUE_TYPE_COMPUTE)
    return fail(CM_NOT_IMPLEMENTED, "CmDevice::CreateQueueEx: a queue is for rendering or computing, not of type {}",
                int(option.QueueType));
  out = computeQueues.add(std::make_unique<Queue>(*this, context.addLane()));
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::CreateQueueEx");
}

INT Device::LoadProgram(void *code, const UINT size, CmProgram *&program, const char *options) try {
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
      loaded->container = Inside::of(file.specialized(specValues(options ? options : "")));
    } catch (const Error &problem) {
      return fail(CM_INVALID_ARG_VALUE, "CmDevice::LoadProgram: {}", problem.what());
    }
    program = reinterpret_cast<CmProgram *>(programs.add(std::move(loaded)));
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_INVALID_COMMON_ISA, "CmDevice::LoadProgram: {}", problem.what());
  }
} catch (...) {
  return caught("CmDevice::LoadProgram");
}

INT Device::DestroyProgram(CmProgram *&program) {
  auto *object = reinterpret_cast<ProgramObject *>(program);
  INT code = destroy(programs, object, CM_FAILURE, "CmDevice::DestroyProgram");
  if (code == CM_SUCCESS)
    program = nullptr;
  return code;
}

namespace {
INT checkParameters(const char *method, const KernelSignature &kernel) {
  constexpr size_t most = 255;
  if (kernel.parameters.size() > most)
    return fail(CM_EXCEED_KERNEL_ARG_AMOUNT, "{}: kernel '{}' has {} arguments; at most {} are allowed", method,
                kernel.name, kernel.parameters.size(), most);
  std::uint64_t surfaces = 0;
  for (const Parameter &p : kernel.parameters)
    surfaces += p.kind == ParameterKind::Surface ? p.count : 0;
  if (surfaces > Kernel::mostSurfaces - runtime::Kernel::firstSurface)
    return fail(CM_EXCEED_SURFACE_AMOUNT, "{}: kernel '{}' takes {} surfaces; at most {} are allowed", method,
                kernel.name, surfaces, UINT(Kernel::mostSurfaces - runtime::Kernel::firstSurface));
  return CM_SUCCESS;
}
} // namespace

INT Device::CreateKernel(CmProgram *program, const char *name, CmKernel *&kernel, const char *options) try {
  kernel = nullptr;
  if (INT code = checkProcess("CmDevice::CreateKernel", context))
    return code;
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
    signature = &Inside::around<Program>(object->container).kernel(name);
  } catch (const std::exception &problem) {
    return fail(CM_FAILURE, "CmDevice::CreateKernel: {}", problem.what());
  }
  if (INT code = checkParameters("CmDevice::CreateKernel", *signature))
    return code;
  try {
    kernel = newKernel(object->container, *signature);
    return CM_SUCCESS;
  } catch (const std::bad_alloc &) {
    throw;
  } catch (const std::exception &problem) {
    return fail(CM_JIT_COMPILE_FAILURE, "CmDevice::CreateKernel: {}", problem.what());
  }
} catch (...) {
  return caught("CmDevice::CreateKernel");
}

CmKernel *Device::newKernel(std::shared_ptr<const program::Container> program, const KernelSignature &signature) {
  return kernels.add(std::make_unique<Kernel>(*this, std::move(program), signature));
}

bool Device::isShared(std::uint64_t address) const {
  auto holds = [address](const auto &object) {
    auto base = reinterpret_cast<uintptr_t>(object.memory->address());
    return address >= base && address - base < object.memory->geometry().width;
  };
  return sharedBuffers.any(holds) || statelessBuffers.any(holds);
}

INT Device::CloneKernel(CmKernel *&clone, CmKernel *source) {
  clone = nullptr;
  if (INT code = checkProcess("CmDevice::CloneKernel", context))
    return code;
  if (!kernels.has(source))
    return fail(CM_NULL_POINTER, "CmDevice::CloneKernel: the kernel is null or none of this device");
  const auto &from = *static_cast<Kernel *>(source);
  try {
    clone = newKernel(from.source(), from.description());
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_JIT_COMPILE_FAILURE, "CmDevice::CloneKernel: {}", problem.what());
  }
}

INT Device::destroyEvent(CmEvent *&event, INT whenNull, const char *method) {
  return destroy(events, event, whenNull, method);
}

INT Device::DestroyKernel(CmKernel *&kernel) {
  return destroy(kernels, kernel, CM_NULL_POINTER, "CmDevice::DestroyKernel");
}

INT Device::CreateTask(CmTask *&task) try {
  task = tasks.add(std::make_unique<Task>(*this));
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::CreateTask");
}

INT Device::DestroyTask(CmTask *&task) { return destroy(tasks, task, CM_FAILURE, "CmDevice::DestroyTask"); }

INT Device::CreateThreadSpace(UINT width, UINT height, CmThreadSpace *&space) try {
  space = nullptr;
  if (width == 0 || height == 0)
    return fail(CM_INVALID_THREAD_SPACE, "CmDevice::CreateThreadSpace: a space of {}x{} has no threads", width, height);
  space = spaces.add(std::make_unique<ThreadSpace>(*this, width, height));
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::CreateThreadSpace");
}

INT Device::DestroyThreadSpace(CmThreadSpace *&space) {
  return destroy(spaces, space, CM_FAILURE, "CmDevice::DestroyThreadSpace");
}

INT Device::CreateThreadGroupSpaceEx(UINT threadsX, UINT threadsY, UINT threadsZ, UINT groupsX, UINT groupsY,
                                     UINT groupsZ, CmThreadGroupSpace *&space) try {
  constexpr UINT mostPerSide = 64;
  const std::uint64_t mostThreads = platform.groupThreads, mostGroups = 1u << 31;
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
} catch (...) {
  return caught("CmDevice::CreateThreadGroupSpaceEx");
}

INT Device::DestroyThreadGroupSpace(CmThreadGroupSpace *&space) {
  auto *object = reinterpret_cast<GroupSpace *>(space);
  INT code = destroy(groupSpaces, object, CM_FAILURE, "CmDevice::DestroyThreadGroupSpace");
  if (code == CM_SUCCESS)
    space = nullptr;
  return code;
}

INT Device::newSampler(const char *method, const CM_SAMPLER_STATE &state, const float (&border)[4],
                       CmSampler *&sampler) try {
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
                "{}: filters are POINT, LINEAR and ANISOTROPIC, addresses WRAP, MIRROR, CLAMP and BORDER", method);
  bool point = state.magFilterType == CM_TEXTURE_FILTER_TYPE_POINT;
  UINT number = samplerStates.add({point ? pocm::Sampler::Filter::Nearest : pocm::Sampler::Filter::Linear,
                                   *u,
                                   *v,
                                   *address(state.addressW),
                                   {border[0], border[1], border[2], border[3]}});
  if (!number)
    return fail(CM_EXCEED_SAMPLER_AMOUNT, "{}: a device has at most {} samplers", method, UINT(SamplerTable::count));
  try {
    sampler = samplers.add(std::make_unique<Sampler>(samplerStates.handle(number)));
  } catch (...) {
    samplerStates.remove(number);
    throw;
  }
  return CM_SUCCESS;
} catch (...) {
  return caught(method);
}

INT Device::CreateSampler(const CM_SAMPLER_STATE &state, CmSampler *&sampler) {
  return newSampler("CmDevice::CreateSampler", state, {}, sampler);
}

INT Device::CreateSamplerEx(const CM_SAMPLER_STATE_EX &state, CmSampler *&sampler) {
  auto color = [&](DWORD asUnsigned, INT asSigned, FLOAT asFloat) {
    return state.SurfaceFormat == CM_PIXEL_UINT   ? float(asUnsigned)
           : state.SurfaceFormat == CM_PIXEL_SINT ? float(asSigned)
                                                  : asFloat;
  };
  const float border[] = {color(state.BorderColorRedU, state.BorderColorRedS, state.BorderColorRedF),
                          color(state.BorderColorGreenU, state.BorderColorGreenS, state.BorderColorGreenF),
                          color(state.BorderColorBlueU, state.BorderColorBlueS, state.BorderColorBlueF),
                          color(state.BorderColorAlphaU, state.BorderColorAlphaS, state.BorderColorAlphaF)};
  return newSampler("CmDevice::CreateSamplerEx",
                    {state.minFilterType, state.magFilterType, state.addressU, state.addressV, state.addressW}, border,
                    sampler);
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
    auto made = std::make_shared<runtime::PrintBuffer>(context.heap(), size);
    std::lock_guard guard(printLock);
    printBuffer.swap(made);
    hasPrints = true;
    return CM_SUCCESS;
  } catch (const std::exception &problem) {
    return fail(CM_OUT_OF_HOST_MEMORY, "CmDevice::InitPrintBuffer: {}", problem.what());
  }
}

INT Device::FlushPrintBuffer() try {
  const auto prints = this->prints();
  if (!prints)
    return fail(CM_FAILURE, "CmDevice::FlushPrintBuffer: there is no print buffer; call InitPrintBuffer first");
  const Uncancelled all;
  std::string text = prints->take();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::FlushPrintBuffer");
}

INT Device::FlushPrintBufferIntoFile(const char *fileName) try {
  if (!fileName)
    return fail(CM_NULL_POINTER, "CmDevice::FlushPrintBufferIntoFile: the file's name is null");
  const auto prints = this->prints();
  if (!prints)
    return fail(CM_FAILURE, "CmDevice::FlushPrintBufferIntoFile: there is no print buffer; call InitPrintBuffer first");
  const Uncancelled all;
  std::string text = prints->text();
  std::FILE *file = std::fopen(fileName, "a");
  if (!file)
    return fail(CM_FAILURE, "CmDevice::FlushPrintBufferIntoFile: cannot write '{}'", fileName);
  bool ok = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  ok &= std::fclose(file) == 0;
  if (!ok) // what was printed stays in the buffer
    return fail(CM_FAILURE, "CmDevice::FlushPrintBufferIntoFile: cannot write '{}'", fileName);
  prints->clear();
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::FlushPrintBufferIntoFile");
}

//===- Capabilities ---------------------------------------------------------------===//

INT Device::GetCaps(CM_DEVICE_CAP_NAME cap, size_t &size, void *value) try {
  if (!value)
    return fail(CM_NULL_POINTER, "CmDevice::GetCaps: the value is null");
  std::vector<std::uint8_t> bytes = capability(cap, platform, hardwareThreads);
  if (bytes.empty())
    return fail(CM_FAILURE, "CmDevice::GetCaps: capability {} is not known on {}", int(cap), platform.name);
  if (size < bytes.size())
    return fail(CM_FAILURE, "CmDevice::GetCaps: capability {} takes {} bytes, not {}", int(cap), bytes.size(), size);
  std::memcpy(value, bytes.data(), bytes.size());
  return CM_SUCCESS;
} catch (...) {
  return caught("CmDevice::GetCaps");
}

INT Device::SetCaps(CM_DEVICE_CAP_NAME cap, size_t size, void *value) {
  std::uint32_t threads = 0;
  if (cap != CAP_HW_THREAD_COUNT)
    return fail(CM_INVALID_CAP_NAME, "CmDevice::SetCaps: only CAP_HW_THREAD_COUNT can be set, not {}", int(cap));
  if (!value)
    return fail(CM_NULL_POINTER, "CmDevice::SetCaps: the value is null");
  if (size == sizeof(threads))
    std::memcpy(&threads, value, sizeof(threads));
  if (threads == 0 || threads > platform.threads)
    return fail(CM_INVALID_HARDWARE_THREAD_NUMBER,
                "CmDevice::SetCaps: 1 to {} hardware threads in {} bytes, not {} in {}", platform.threads,
                sizeof(threads), threads, size);
  hardwareThreads = threads;
  return CM_SUCCESS;
}

INT Device::SetSuggestedL3Config(L3_SUGGEST_CONFIG config) {
  if (config < 0 || std::uint32_t(config) >= platform.l3Configs)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::SetSuggestedL3Config: {} has {} configurations; there is no {}",
                platform.name, platform.l3Configs, int(config));
  return CM_SUCCESS;
}

//===- Objects of hardware that a software device does not have ---------------===//

namespace {
template <class T> INT lacks(T *&object, const char *method, const char *what) {
  object = nullptr;
  return fail(CM_FEATURE_NOT_SUPPORTED_BY_HARDWARE, "{}: this device has no {}", method, what);
}
template <class T> INT neverMade(T *object, const char *method) {
  if (!object)
    return fail(CM_NULL_POINTER, "{}: the object is null", method);
  return fail(CM_NOT_IMPLEMENTED, "{}: this device makes no such objects", method);
}
constexpr const char *motion = "motion estimation", *scaler = "8x8 sampler", *enhancement = "video enhancement box",
                     *pictures = "display surfaces";
} // namespace

INT Device::CreateSurface2D(VASurfaceID, CmSurface2D *&surface) {
  surface = nullptr;
  return fail(CM_VA_SURFACE_NOT_SUPPORTED, "CmDevice::CreateSurface2D: this device has no {}", pictures);
}
INT Device::CreateSurface2D(VASurfaceID *, const UINT, CmSurface2D **) {
  return fail(CM_VA_SURFACE_NOT_SUPPORTED, "CmDevice::CreateSurface2D: this device has no {}", pictures);
}
INT Device::CreateVaSurface2D(UINT, UINT, CM_SURFACE_FORMAT, VASurfaceID &, CmSurface2D *&surface) {
  surface = nullptr;
  return fail(CM_VA_SURFACE_NOT_SUPPORTED, "CmDevice::CreateVaSurface2D: this device has no {}", pictures);
}
INT Device::CreateVmeSurfaceG7_5(CmSurface2D *current, CmSurface2D **, CmSurface2D **, const UINT, const UINT,
                                 SurfaceIndex *&index) {
  if (!current)
    return fail(CM_NULL_POINTER, "CmDevice::CreateVmeSurfaceG7_5: the surface is null");
  return lacks(index, "CmDevice::CreateVmeSurfaceG7_5", motion);
}
INT Device::DestroyVmeSurfaceG7_5(SurfaceIndex *&index) { return neverMade(index, "CmDevice::DestroyVmeSurfaceG7_5"); }
INT Device::CreateHevcVmeSurfaceG10(CmSurface2D *current, CmSurface2D **, CmSurface2D **, const UINT forward,
                                    const UINT backward, SurfaceIndex *&index) {
  constexpr UINT most = 4;
  if (!current)
    return fail(CM_NULL_POINTER, "CmDevice::CreateHevcVmeSurfaceG10: the surface is null");
  if (forward > most || backward > most)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateHevcVmeSurfaceG10: at most {} references a side", most);
  return lacks(index, "CmDevice::CreateHevcVmeSurfaceG10", motion);
}
INT Device::DestroyHevcVmeSurfaceG10(SurfaceIndex *&index) {
  return neverMade(index, "CmDevice::DestroyHevcVmeSurfaceG10");
}
INT Device::SetVmeSurfaceStateParam(SurfaceIndex *index, CM_VME_SURFACE_STATE_PARAM *state) {
  if (!index || !state)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::SetVmeSurfaceStateParam: the surface or the parameters are null");
  return fail(CM_INVALID_ARG_INDEX, "CmDevice::SetVmeSurfaceStateParam: index {} is no motion estimation surface",
              index->get_data());
}
INT Device::CreateSampler8x8(const CM_SAMPLER_8X8_DESCR &, CmSampler8x8 *&sampler) {
  if (sampler)
    return fail(CM_INVALID_ARG_VALUE, "CmDevice::CreateSampler8x8: the output is not null on entry");
  return lacks(sampler, "CmDevice::CreateSampler8x8", scaler);
}
INT Device::DestroySampler8x8(CmSampler8x8 *&sampler) {
  return sampler ? neverMade(sampler, "CmDevice::DestroySampler8x8")
                 : fail(CM_FAILURE, "CmDevice::DestroySampler8x8: the object is null");
}
INT Device::CreateSampler8x8Surface(CmSurface2D *surface, SurfaceIndex *&index, CM_SAMPLER8x8_SURFACE,
                                    CM_SURFACE_ADDRESS_CONTROL_MODE) {
  if (!surface)
    return fail(CM_FAILURE, "CmDevice::CreateSampler8x8Surface: the surface is null");
  return lacks(index, "CmDevice::CreateSampler8x8Surface", scaler);
}
INT Device::CreateSampler8x8SurfaceEx(CmSurface2D *surface, SurfaceIndex *&index, CM_SAMPLER8x8_SURFACE type,
                                      CM_SURFACE_ADDRESS_CONTROL_MODE mode, CM_FLAG *) {
  return CreateSampler8x8Surface(surface, index, type, mode);
}
INT Device::DestroySampler8x8Surface(SurfaceIndex *&index) {
  return neverMade(index, "CmDevice::DestroySampler8x8Surface");
}
INT Device::CreateVebox(CmVebox *&vebox) { return lacks(vebox, "CmDevice::CreateVebox", enhancement); }
INT Device::DestroyVebox(CmVebox *&vebox) { return neverMade(vebox, "CmDevice::DestroyVebox"); }
INT Device::CreateKernel(CmProgram *, const char *, const void *, CmKernel *&kernel, const char *) {
  kernel = nullptr;
  return fail(CM_FAILURE, "CmDevice::CreateKernel: kernels are made from programs, not from functions of the host");
}
INT Device::CreateSurface2DStateless(uint32_t, uint32_t, uint32_t &, CmSurface2DStateless *&surface) {
  surface = nullptr;
  return fail(CM_NOT_IMPLEMENTED, "CmDevice::CreateSurface2DStateless: not made by the real runtime either");
}
int32_t Device::DestroySurface2DStateless(CmSurface2DStateless *&surface) {
  return neverMade(surface, "CmDevice::DestroySurface2DStateless");
}
int32_t Device::GetVISAVersion(uint32_t &major, uint32_t &minor) {
  // What Gen code would be finalized from; programs of this library hold CM IR.
  major = 3;
  minor = 6;
  return CM_SUCCESS;
}

} // namespace pocm::cmrt
