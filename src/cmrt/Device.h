//===- Device.h - CmDevice and CmQueue ----------------------------------------------===//
#pragma once

#include "cmrt/Event.h"
#include "cmrt/Kernel.h"
#include "cmrt/Registry.h"
#include "runtime/Print.h"

namespace pocm::cmrt {

class Device;

class Queue final : public UnsupportedQueue {
public:
  explicit Queue(Device &device) : device(device) {}

  INT Enqueue(CmTask *task, CmEvent *&event, const CmThreadSpace *space) override;
  INT EnqueueWithGroup(CmTask *task, CmEvent *&event, const CmThreadGroupSpace *space) override;
  INT EnqueueWithGroupFast(CmTask *task, CmEvent *&event, const CmThreadGroupSpace *space) override {
    return EnqueueWithGroup(task, event, space);
  }
  INT DestroyEvent(CmEvent *&event) override;
  INT EnqueueFast(CmTask *task, CmEvent *&event, const CmThreadSpace *space) override {
    return Enqueue(task, event, space);
  }
  INT DestroyEventFast(CmEvent *&event) override;

private:
  /// Captures every kernel of a task, by `capture(kernel, launch)`, and hands them to the device.
  template <class Capture> INT submit(const char *method, CmTask *task, CmEvent *&event, Capture capture);
  Device &device;
};

class Device final : public UnsupportedDevice {
public:
  explicit Device(VADisplay display) : context("cpu", {}), queue(*this), display(display) {}

  INT CreateBuffer(UINT size, CmBuffer *&surface) override;
  INT CreateBufferUP(UINT size, void *memory, CmBufferUP *&surface) override;
  INT DestroyBufferUP(CmBufferUP *&surface) override;
  INT CreateBufferSVM(UINT size, void *&memory, uint32_t flags, CmBufferSVM *&surface) override;
  INT DestroyBufferSVM(CmBufferSVM *&surface) override;
  INT CreateSurface2D(UINT width, UINT height, CM_SURFACE_FORMAT format, CmSurface2D *&surface) override;
  using UnsupportedDevice::CreateSurface2D;
  INT DestroySurface(CmBuffer *&surface) override;
  INT DestroySurface(CmSurface2D *&surface) override;
  using UnsupportedDevice::DestroySurface;
  INT GetSurface2DInfo(UINT width, UINT height, CM_SURFACE_FORMAT format, UINT &pitch, UINT &size) override;

  INT CreateQueue(CmQueue *&out) override;
  INT CreateQueueEx(CmQueue *&out, CM_QUEUE_CREATE_OPTION option) override;
  INT LoadProgram(void *code, const UINT size, CmProgram *&program, const char *options) override;
  INT DestroyProgram(CmProgram *&program) override;
  INT CreateKernel(CmProgram *program, const char *name, CmKernel *&kernel, const char *options) override;
  using UnsupportedDevice::CreateKernel;
  INT DestroyKernel(CmKernel *&kernel) override;
  INT CreateSampler(const CM_SAMPLER_STATE &state, CmSampler *&sampler) override;
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
  INT SetL3Config(const L3ConfigRegisterValues *) override { return CM_SUCCESS; }
  INT DispatchTask() override { return CM_SUCCESS; }

private:
  friend class Queue;
  INT checkFormat(const char *method, UINT width, UINT height, CM_SURFACE_FORMAT format, const Format *&found);

  runtime::Context context; // the last to go: its queue finishes first
  SurfaceTable surfaces;
  SamplerTable samplerStates;
  std::unique_ptr<runtime::PrintBuffer> prints;
  Queue queue;
  VADisplay display;
  Registry<Buffer> buffers;
  Registry<BufferUP> userBuffers;
  Registry<BufferSVM> sharedBuffers;
  Registry<Surface2D> images;
  Registry<ProgramObject> programs;
  Registry<Kernel> kernels;
  Registry<Task> tasks;
  Registry<ThreadSpace> spaces;
  Registry<GroupSpace> groupSpaces;
  Registry<Sampler> samplers;
  Registry<Event> events;
};

} // namespace pocm::cmrt
