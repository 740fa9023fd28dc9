//===- Queue.h - CmQueue ----------------------------------------------------------------===//
#pragma once

#include "cmrt/Event.h"
#include "cmrt/Kernel.h"

namespace pocm::cmrt {

class Device;

/// Work runs in the order of enqueues, but what has nothing in common with earlier work of other queues need not wait
/// for that.
class Queue final : public CmQueue {
public:
  /// Tasks go to this lane of the device's context.
  explicit Queue(Device &device, unsigned lane = 0) : device(device), lane(lane) {}

  INT Enqueue(CmTask *task, CmEvent *&event, const CmThreadSpace *space) override;
  INT EnqueueFast(CmTask *task, CmEvent *&event, const CmThreadSpace *space) override {
    return Enqueue(task, event, space);
  }
  INT EnqueueWithGroup(CmTask *task, CmEvent *&event, const CmThreadGroupSpace *space) override;
  INT EnqueueWithGroupFast(CmTask *task, CmEvent *&event, const CmThreadGroupSpace *space) override {
    return EnqueueWithGroup(task, event, space);
  }
  INT EnqueueWithHints(CmTask *task, CmEvent *&event, UINT hints) override;
  INT DestroyEvent(CmEvent *&event) override;
  INT DestroyEventFast(CmEvent *&event) override;

  INT EnqueueCopyCPUToGPU(CmSurface2D *surface, const unsigned char *from, CmEvent *&event) override {
    return EnqueueCopyCPUToGPUFullStride(surface, from, 0, 0, CM_FASTCOPY_OPTION_NONBLOCKING, event);
  }
  INT EnqueueCopyGPUToCPU(CmSurface2D *surface, unsigned char *to, CmEvent *&event) override {
    return EnqueueCopyGPUToCPUFullStride(surface, to, 0, 0, CM_FASTCOPY_OPTION_NONBLOCKING, event);
  }
  INT EnqueueCopyCPUToGPUFullStride(CmSurface2D *surface, const unsigned char *from, const UINT stride, const UINT rows,
                                    const UINT option, CmEvent *&event) override;
  INT EnqueueCopyGPUToCPUFullStride(CmSurface2D *surface, unsigned char *to, const UINT stride, const UINT rows,
                                    const UINT option, CmEvent *&event) override;
  INT EnqueueCopyCPUToGPUFullStrideDup(CmSurface2D *surface, const unsigned char *from, const UINT stride,
                                       const UINT rows, const UINT option, CmEvent *&event) override {
    return EnqueueCopyCPUToGPUFullStride(surface, from, stride, rows, option, event);
  }
  INT EnqueueCopyGPUToCPUFullStrideDup(CmSurface2D *surface, unsigned char *to, const UINT stride, const UINT rows,
                                       const UINT option, CmEvent *&event) override {
    return EnqueueCopyGPUToCPUFullStride(surface, to, stride, rows, option, event);
  }
  INT EnqueueInitSurface2D(CmSurface2D *surface, const DWORD value, CmEvent *&event) override;
  INT EnqueueCopyGPUToGPU(CmSurface2D *to, CmSurface2D *from, UINT option, CmEvent *&event) override;
  INT EnqueueCopyCPUToCPU(unsigned char *to, unsigned char *from, UINT size, UINT option, CmEvent *&event) override;
  int32_t EnqueueReadBuffer(CmBuffer *buffer, size_t offset, const unsigned char *to, uint64_t size, CmEvent *wait,
                            CmEvent *&event, unsigned option) override;
  int32_t EnqueueWriteBuffer(CmBuffer *buffer, size_t offset, const unsigned char *from, uint64_t size, CmEvent *wait,
                             CmEvent *&event, unsigned option) override;

  INT EnqueueVebox(CmVebox *vebox, CmEvent *&event) override;
  INT SetResidentGroupAndParallelThreadNum(uint32_t, uint32_t) override {
    return fail(CM_NOT_IMPLEMENTED,
                "CmQueue::SetResidentGroupAndParallelThreadNum: set CM_RT_PARALLEL_THREADS instead");
  }

private:
  /// Captures every kernel of a task, by `capture(kernel, launch)`, and hands them to the device.
  template <class Capture>
  INT submit(const char *method, CmTask *task, CmEvent *&event, const CmThreadSpace *space, Capture capture);
  /// Gives the application the event of work that `submit` queues, if it wants one. The event is made first: when there
  /// is no memory for it, nothing is queued.
  template <class Submit> std::shared_ptr<runtime::Event> withEvent(bool wanted, CmEvent *&event,
                                                                    std::vector<KernelProfile> profiles, Submit submit);
  /// Queues a copy.
  INT enqueueWork(runtime::Context::HostWork work, bool blocking, CmEvent *&event);
  /// The same, of a buffer, after what `before` stands for.
  INT enqueueAfter(const char *method, CmEvent *before, runtime::Context::HostWork work, bool blocking,
                   CmEvent *&event);
  INT checkCopy(const char *method, CmSurface2D *surface, const void *host, UINT stride, UINT option) const;
  INT checkBufferCopy(const char *method, CmBuffer *buffer, size_t offset, const void *host, uint64_t size,
                      UINT option) const;
  Device &device;
  const unsigned lane;
};

} // namespace pocm::cmrt
