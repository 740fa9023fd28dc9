//===- Exports.cpp - The C functions of libigfxcmrt ------------------------------------===//
//
// Everything that Debian's library exports and a program may call by name. Null objects
// get an error where the original crashes.
//
//===----------------------------------------------------------------------===//
#include "cmrt/Device.h"
#include "cmrt/ErrorNames.h"
#include "cmrt/Extensions.h"
#include "program/Uncancelled.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <pthread.h>

using namespace pocm::cmrt;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

/// Devices that are open. Never destroyed: other threads may use theirs while the process ends. A forked child has
/// none, as the threads that serve those of its parent are not there.
std::atomic<Registry<Device> *> open{new Registry<Device>};
[[maybe_unused]] const int forgetWhenForked = pthread_atfork(nullptr, nullptr, [] { open = new Registry<Device>; });

Registry<Device> &devices() { return *open; }

bool lives(CmDevice *device) { return devices().has(device); }
bool lives(CmQueue *queue) {
  return devices().any([&](const Device &device) { return device.owns(queue); });
}

/// Calls a method of an object that may be null, or none of ours.
template <class Object, class Method, class... Args>
INT forward(Object *object, const char *function, Method method, Args &&...args) {
  if (!object || !lives(object))
    return fail(CM_NULL_POINTER, "{}: the device or queue is null or destroyed", function);
  return (object->*method)(std::forward<Args>(args)...);
}

} // namespace

bool pocm::cmrt::isDevice(CmDevice *device) { return lives(device); }

EXPORT INT CreateCmDevice(CmDevice *&device, UINT &version, VADisplay vaDisplay) {
  return CreateCmDeviceEx(device, version, vaDisplay, CM_DEVICE_CREATE_OPTION_DEFAULT);
}

EXPORT INT CreateCmDeviceEx(CmDevice *&device, UINT &version, VADisplay vaDisplay, UINT) {
  device = nullptr;
  const pocm::Uncancelled all;
  try {
    device = devices().add(std::make_unique<Device>(vaDisplay));
    version = CM_7_2;
    return CM_SUCCESS;
  } catch (...) {
    version = 0;
    return caught("CreateCmDevice");
  }
}

EXPORT int32_t CreateCmDeviceFromAdapter(CmDevice *&device, uint32_t &version, uint32_t adapter, uint32_t option) {
  if (adapter != 0) {
    device = nullptr;
    return fail(CM_NO_SUPPORTED_ADAPTER, "CreateCmDeviceFromAdapter: there is one adapter, 0; not {}", adapter);
  }
  return CreateCmDeviceEx(device, version, nullptr, option);
}

EXPORT INT DestroyCmDevice(CmDevice *&device) {
  if (!device)
    return fail(CM_FAILURE, "DestroyCmDevice: the device is null");
  const pocm::Uncancelled all;
  if (!devices().remove(device))
    return fail(CM_FAILURE, "DestroyCmDevice: this is no device, or it is destroyed already");
  device = nullptr;
  return CM_SUCCESS;
}

EXPORT int32_t GetCmSupportedAdapters(uint32_t &count) {
  count = 1;
  return CM_SUCCESS;
}

EXPORT int32_t QueryCmAdapterInfo(uint32_t adapter, AdapterInfoType what, void *info, uint32_t size, uint32_t *used) {
  if (adapter != 0)
    return fail(CM_NO_SUPPORTED_ADAPTER, "QueryCmAdapterInfo: there is one adapter, 0; not {}", adapter);
  if (!info || !used)
    return fail(CM_NULL_POINTER, "QueryCmAdapterInfo: the place for the answer is null");
  constexpr char description[] = "PoCM: CM kernels on the CPU";
  if (what == Description) {
    if (size < sizeof(description))
      return fail(CM_INVALID_ARG_VALUE, "QueryCmAdapterInfo: the description takes {} bytes", sizeof(description));
    std::memcpy(info, description, sizeof(description));
    *used = sizeof(description);
    return CM_SUCCESS;
  }
  const std::map<AdapterInfoType, uint32_t> numbers{{VendorId, 0x8086},
                                                    {DeviceId, 0},
                                                    {SubSysId, 0},
                                                    {DedicatedVideoMemory, 0},
                                                    {DedicatedSystemMemory, 0},
                                                    {SharedSystemMemory, 0},
                                                    {MaxThread, 168},
                                                    {EuNumber, 24},
                                                    {TileNumber, 1}};
  auto found = numbers.find(what);
  if (found == numbers.end() || size < sizeof(uint32_t))
    return fail(CM_INVALID_ARG_VALUE, "QueryCmAdapterInfo: item {} is not known or takes more than {} bytes", int(what),
                size);
  std::memcpy(info, &found->second, sizeof(uint32_t));
  *used = sizeof(uint32_t);
  return CM_SUCCESS;
}

EXPORT const char *GetCmErrorString(int code) { return errorName(code); }

EXPORT INT CMRT_Enqueue(CmQueue *queue, CmTask *task, CmEvent **event, const CmThreadSpace *space) {
  if (!event)
    return fail(CM_NULL_POINTER, "CMRT_Enqueue: the place for the event is null");
  return forward(queue, "CMRT_Enqueue", &CmQueue::Enqueue, task, *event, space);
}

EXPORT INT CMRT_LoadProgram(CmDevice *device, void *code, const UINT size, CmProgram *&program, const char *options) {
  return forward(device, "CMRT_LoadProgram", &CmDevice::LoadProgram, code, size, program, options);
}
EXPORT INT CMRT_CreateKernel(CmDevice *device, CmProgram *program, const char *name, CmKernel *&kernel,
                             const char *options) {
  using Create = INT (CmDevice::*)(CmProgram *, const char *, CmKernel *&, const char *);
  return forward(device, "CMRT_CreateKernel", static_cast<Create>(&CmDevice::CreateKernel), program, name, kernel,
                 options);
}
EXPORT INT CMRT_CreateBuffer(CmDevice *device, UINT size, CmBuffer *&surface) {
  return forward(device, "CMRT_CreateBuffer", &CmDevice::CreateBuffer, size, surface);
}
EXPORT INT CMRT_CreateSurface2D(CmDevice *device, UINT width, UINT height, CM_SURFACE_FORMAT format,
                                CmSurface2D *&surface) {
  using Create = INT (CmDevice::*)(UINT, UINT, CM_SURFACE_FORMAT, CmSurface2D *&);
  return forward(device, "CMRT_CreateSurface2D", static_cast<Create>(&CmDevice::CreateSurface2D), width, height, format,
                 surface);
}
EXPORT INT CMRT_CreateSurface3D(CmDevice *device, UINT width, UINT height, UINT depth, CM_SURFACE_FORMAT format,
                                CmSurface3D *&surface) {
  return forward(device, "CMRT_CreateSurface3D", &CmDevice::CreateSurface3D, width, height, depth, format, surface);
}
EXPORT INT CMRT_DestroyBuffer(CmDevice *device, CmBuffer *&surface) {
  using Destroy = INT (CmDevice::*)(CmBuffer *&);
  return forward(device, "CMRT_DestroyBuffer", static_cast<Destroy>(&CmDevice::DestroySurface), surface);
}
EXPORT INT CMRT_DestroySurface2D(CmDevice *device, CmSurface2D *&surface) {
  using Destroy = INT (CmDevice::*)(CmSurface2D *&);
  return forward(device, "CMRT_DestroySurface2D", static_cast<Destroy>(&CmDevice::DestroySurface), surface);
}
EXPORT INT CMRT_DestroySurface3D(CmDevice *device, CmSurface3D *&surface) {
  using Destroy = INT (CmDevice::*)(CmSurface3D *&);
  return forward(device, "CMRT_DestroySurface3D", static_cast<Destroy>(&CmDevice::DestroySurface), surface);
}
EXPORT INT CMRT_CreateQueue(CmDevice *device, CmQueue *&queue) {
  return forward(device, "CMRT_CreateQueue", &CmDevice::CreateQueue, queue);
}
EXPORT INT CMRT_CreateTask(CmDevice *device, CmTask *&task) {
  return forward(device, "CMRT_CreateTask", &CmDevice::CreateTask, task);
}
EXPORT INT CMRT_CreateThreadSpace(CmDevice *device, UINT width, UINT height, CmThreadSpace *&space) {
  return forward(device, "CMRT_CreateThreadSpace", &CmDevice::CreateThreadSpace, width, height, space);
}
EXPORT INT CMRT_DestroyProgram(CmDevice *device, CmProgram *&program) {
  return forward(device, "CMRT_DestroyProgram", &CmDevice::DestroyProgram, program);
}
EXPORT INT CMRT_DestroyTask(CmDevice *device, CmTask *&task) {
  return forward(device, "CMRT_DestroyTask", &CmDevice::DestroyTask, task);
}
EXPORT INT CMRT_DestroyThreadSpace(CmDevice *device, CmThreadSpace *&space) {
  return forward(device, "CMRT_DestroyThreadSpace", &CmDevice::DestroyThreadSpace, space);
}
EXPORT INT CMRT_DestroyEvent(CmQueue *queue, CmEvent *&event) {
  return forward(queue, "CMRT_DestroyEvent", &CmQueue::DestroyEvent, event);
}

EXPORT INT QueryPerformanceFrequency(LARGE_INTEGER *frequency) {
  if (!frequency)
    return -1;
  frequency->QuadPart = 1000000000;
  return 0;
}

EXPORT INT QueryPerformanceCounter(LARGE_INTEGER *counter) {
  if (!counter)
    return -1;
  counter->QuadPart = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  return 0;
}
