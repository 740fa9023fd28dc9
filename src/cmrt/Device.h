//===- Device.h - CmDevice ----------------------------------------------------------===//
#pragma once

#include "cmrt/Capabilities.h"
#include "cmrt/Queue.h"
#include "cmrt/Registry.h"
#include "runtime/Print.h"

namespace pocm::cmrt {

/// CM_RT_DEVICE: which device runs kernels, "cpu" if it does not say.
inline std::string deviceName() {
  const char *name = secure_getenv("CM_RT_DEVICE");
  return name && *name ? name : "cpu";
}

class Device final : public CmDevice {
public:
  explicit Device(VADisplay display)
      : platform(Platform::chosen()), hardwareThreads(platform.threads), context(deviceName(), {}), queue(*this),
        display(display) {}
  /// Waits for work that is not done, but not for long: what then is not done is ended.
  ~Device() { context.close(std::chrono::steady_clock::now() + context.patience, "the device was destroyed"); }

  INT CreateBuffer(UINT size, CmBuffer *&surface) override;
  INT CreateBufferUP(UINT size, void *memory, CmBufferUP *&surface) override;
  INT DestroyBufferUP(CmBufferUP *&surface) override;
  INT CreateBufferSVM(UINT size, void *&memory, uint32_t flags, CmBufferSVM *&surface) override;
  INT DestroyBufferSVM(CmBufferSVM *&surface) override;
  INT CreateSurface2D(UINT width, UINT height, CM_SURFACE_FORMAT format, CmSurface2D *&surface) override;
  INT CreateSurface2D(VASurfaceID id, CmSurface2D *&surface) override;
  INT CreateSurface2D(VASurfaceID *ids, const UINT count, CmSurface2D **surfaces) override;
  INT CreateVaSurface2D(UINT width, UINT height, CM_SURFACE_FORMAT format, VASurfaceID &id,
                        CmSurface2D *&surface) override;
  INT CreateSurface2DUP(UINT width, UINT height, CM_SURFACE_FORMAT format, void *memory,
                        CmSurface2DUP *&surface) override;
  INT DestroySurface2DUP(CmSurface2DUP *&surface) override;
  INT CreateBufferStateless(size_t size, uint32_t option, void *memory, CmBufferStateless *&buffer) override;
  INT DestroyBufferStateless(CmBufferStateless *&buffer) override;
  INT CreateSurface2DStateless(uint32_t width, uint32_t height, uint32_t &pitch,
                               CmSurface2DStateless *&surface) override;
  int32_t DestroySurface2DStateless(CmSurface2DStateless *&surface) override;
  INT CreateBufferAlias(CmBuffer *buffer, SurfaceIndex *&alias) override;
  INT CreateSurface2DAlias(CmSurface2D *surface, SurfaceIndex *&alias) override;
  INT CreateSamplerSurface2D(CmSurface2D *surface, SurfaceIndex *&index) override;
  INT CreateSamplerSurface2DEx(CmSurface2D *surface, SurfaceIndex *&index, CM_FLAG *flag) override;
  INT CreateSamplerSurface2DUP(CmSurface2DUP *surface, SurfaceIndex *&index) override;
  INT DestroySamplerSurface(SurfaceIndex *&index) override;
  INT DestroySurface(CmBuffer *&surface) override;
  INT CreateSurface3D(UINT width, UINT height, UINT depth, CM_SURFACE_FORMAT format, CmSurface3D *&surface) override;
  INT DestroySurface(CmSurface3D *&surface) override;
  INT CreateSamplerSurface3D(CmSurface3D *surface, SurfaceIndex *&index) override;
  INT DestroySurface(CmSurface2D *&surface) override;
  INT GetSurface2DInfo(UINT width, UINT height, CM_SURFACE_FORMAT format, UINT &pitch, UINT &size) override;

  INT CreateQueue(CmQueue *&out) override;
  INT CreateQueueEx(CmQueue *&out, CM_QUEUE_CREATE_OPTION option) override;
  INT LoadProgram(void *code, const UINT size, CmProgram *&program, const char *options) override;
  INT DestroyProgram(CmProgram *&program) override;
  INT CreateKernel(CmProgram *program, const char *name, CmKernel *&kernel, const char *options) override;
  INT CreateKernel(CmProgram *program, const char *name, const void *function, CmKernel *&kernel,
                   const char *options) override;
  INT CloneKernel(CmKernel *&clone, CmKernel *source) override;
  INT DestroyKernel(CmKernel *&kernel) override;
  INT CreateSampler(const CM_SAMPLER_STATE &state, CmSampler *&sampler) override;
  INT CreateSamplerEx(const CM_SAMPLER_STATE_EX &state, CmSampler *&sampler) override;
  INT DestroySampler(CmSampler *&sampler) override;
  INT CreateTask(CmTask *&task) override;
  INT DestroyTask(CmTask *&task) override;
  INT CreateThreadSpace(UINT width, UINT height, CmThreadSpace *&space) override;
  INT DestroyThreadSpace(CmThreadSpace *&space) override;
  INT CreateThreadGroupSpace(UINT threadsX, UINT threadsY, UINT groupsX, UINT groupsY,
                             CmThreadGroupSpace *&space) override {
    return CreateThreadGroupSpaceEx(threadsX, threadsY, 1, groupsX, groupsY, 1, space);
  }
  INT CreateThreadGroupSpaceEx(UINT threadsX, UINT threadsY, UINT threadsZ, UINT groupsX, UINT groupsY, UINT groupsZ,
                               CmThreadGroupSpace *&space) override;
  INT DestroyThreadGroupSpace(CmThreadGroupSpace *&space) override;
  INT GetCaps(CM_DEVICE_CAP_NAME cap, size_t &size, void *value) override;
  INT GetVaDpy(VADisplay *&out) override {
    out = &display;
    return CM_SUCCESS;
  }
  INT InitPrintBuffer(size_t size) override;
  INT FlushPrintBuffer() override;
  INT FlushPrintBufferIntoFile(const char *fileName) override;
  INT SetCaps(CM_DEVICE_CAP_NAME cap, size_t size, void *value) override;
  INT SetSuggestedL3Config(L3_SUGGEST_CONFIG config) override;
  int32_t GetVISAVersion(uint32_t &major, uint32_t &minor) override;
  INT CreateVmeSurfaceG7_5(CmSurface2D *current, CmSurface2D **forward, CmSurface2D **backward, const UINT forwards,
                           const UINT backwards, SurfaceIndex *&index) override;
  INT DestroyVmeSurfaceG7_5(SurfaceIndex *&index) override;
  INT CreateHevcVmeSurfaceG10(CmSurface2D *current, CmSurface2D **forward, CmSurface2D **backward, const UINT forwards,
                              const UINT backwards, SurfaceIndex *&index) override;
  INT DestroyHevcVmeSurfaceG10(SurfaceIndex *&index) override;
  INT SetVmeSurfaceStateParam(SurfaceIndex *index, CM_VME_SURFACE_STATE_PARAM *state) override;
  INT CreateSampler8x8(const CM_SAMPLER_8X8_DESCR &state, CmSampler8x8 *&sampler) override;
  INT DestroySampler8x8(CmSampler8x8 *&sampler) override;
  INT CreateSampler8x8Surface(CmSurface2D *surface, SurfaceIndex *&index, CM_SAMPLER8x8_SURFACE type,
                              CM_SURFACE_ADDRESS_CONTROL_MODE mode) override;
  INT CreateSampler8x8SurfaceEx(CmSurface2D *surface, SurfaceIndex *&index, CM_SAMPLER8x8_SURFACE type,
                                CM_SURFACE_ADDRESS_CONTROL_MODE mode, CM_FLAG *flag) override;
  INT DestroySampler8x8Surface(SurfaceIndex *&index) override;
  INT CreateVebox(CmVebox *&vebox) override;
  INT DestroyVebox(CmVebox *&vebox) override;
  INT SetL3Config(const L3ConfigRegisterValues *) override { return CM_SUCCESS; }
  INT DispatchTask() override { return CM_SUCCESS; }

  /// What a program holds; null when it is none of this device.
  const program::Container *containerOf(CmProgram *program) const {
    auto *object = reinterpret_cast<ProgramObject *>(program);
    return object && programs.has(object) ? object->container.get() : nullptr;
  }

  /// Whether it is one of this device's.
  bool owns(CmQueue *which) const { return which == &queue || computeQueues.has(which); }

private:
  // What applications pass to these is looked up.
  friend class Queue;
  friend class Kernel;
  friend class Task;
  friend class ThreadSpace;
  /// Whether an address lies in memory that kernels may reach by address.
  bool isShared(std::uint64_t address) const;
  INT checkFormat(const char *method, UINT width, UINT height, CM_SURFACE_FORMAT format, const Format *&found);

  CmKernel *newKernel(std::shared_ptr<const program::Container> program, const KernelSignature &signature);
  INT newSampler(const char *method, const CM_SAMPLER_STATE &state, const float (&border)[4], CmSampler *&sampler);
  /// Makes a surface of the memory that `make` gives: a number in the table, and the application's object.
  template <class Object, class Interface, class Make>
  INT newSurface(const char *method, Registry<Object> &registry, Interface *&surface, Make make);
  INT samplerSurface(const std::shared_ptr<runtime::Memory> &memory, SurfaceIndex *&index);
  INT destroyEvent(CmEvent *&event, INT whenNull, const char *method);
  /// Null before InitPrintBuffer.
  std::shared_ptr<runtime::PrintBuffer> prints() const {
    if (!hasPrints.load(std::memory_order_relaxed))
      return nullptr;
    std::lock_guard guard(printLock);
    return printBuffer;
  }

  Platform platform;
  std::atomic<std::uint32_t> hardwareThreads;
  runtime::Context context; // the last to go: its queue finishes first
  SurfaceTable surfaces;
  SamplerTable samplerStates;
  std::atomic<bool> hasPrints = false; ///< Read without the lock, which launches need not take in vain.
  mutable std::mutex printLock;
  std::shared_ptr<runtime::PrintBuffer> printBuffer;
  Queue queue;
  VADisplay display;
  Registry<Buffer> buffers;
  Registry<BufferUP> userBuffers;
  Registry<BufferSVM> sharedBuffers;
  Registry<BufferStateless> statelessBuffers;
  Registry<Surface2D> images;
  Registry<Surface3D> volumes;
  Registry<Surface2DUP> userImages;
  SamplerSurfaces samplerSurfaces;
  Registry<Queue> computeQueues;
  Registry<ProgramObject> programs;
  Registry<Kernel> kernels;
  Registry<Task> tasks;
  Registry<ThreadSpace> spaces;
  Registry<GroupSpace> groupSpaces;
  Registry<Sampler> samplers;
  Registry<Event> events;
  const DeviceParts parts{events, context};
};

} // namespace pocm::cmrt
