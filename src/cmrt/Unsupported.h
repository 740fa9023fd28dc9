//===- Unsupported.h - Methods of cm_rt.h that are not built yet -----------------===//
//
// A class per interface that answers CM_NOT_IMPLEMENTED, with a message that names the
// method, to everything that PoCM does not do yet. The real classes derive from these and
// override what they do; a method leaves this file when it is built. docs/status.md says
// the same in words.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "cmrt/Report.h"

namespace pocm::cmrt {

class UnsupportedDevice : public CmDevice {
public:
  INT CreateSurface3D(UINT, UINT, UINT, CM_SURFACE_FORMAT, CmSurface3D *&) override {
    return notSupported("CmDevice::CreateSurface3D");
  }
  INT CreateSurface2D(VASurfaceID, CmSurface2D *&) override { return notSupported("CmDevice::CreateSurface2D"); }
  INT CreateSurface2D(VASurfaceID *, const UINT, CmSurface2D **) override {
    return notSupported("CmDevice::CreateSurface2D");
  }
  INT DestroySurface(CmSurface3D *&) override { return notSupported("CmDevice::DestroySurface"); }
  INT CreateKernel(CmProgram *, const char *, const void *, CmKernel *&, const char *) override {
    return notSupported("CmDevice::CreateKernel");
  }
  INT CreateSurface2DUP(UINT, UINT, CM_SURFACE_FORMAT, void *, CmSurface2DUP *&) override {
    return notSupported("CmDevice::CreateSurface2DUP");
  }
  INT DestroySurface2DUP(CmSurface2DUP *&) override { return notSupported("CmDevice::DestroySurface2DUP"); }
  INT CreateVmeSurfaceG7_5(CmSurface2D *, CmSurface2D **, CmSurface2D **, const UINT, const UINT,
                           SurfaceIndex *&) override {
    return notSupported("CmDevice::CreateVmeSurfaceG7_5");
  }
  INT DestroyVmeSurfaceG7_5(SurfaceIndex *&) override { return notSupported("CmDevice::DestroyVmeSurfaceG7_5"); }
  INT CreateSampler8x8(const CM_SAMPLER_8X8_DESCR &, CmSampler8x8 *&) override {
    return notSupported("CmDevice::CreateSampler8x8");
  }
  INT DestroySampler8x8(CmSampler8x8 *&) override { return notSupported("CmDevice::DestroySampler8x8"); }
  INT CreateSampler8x8Surface(CmSurface2D *, SurfaceIndex *&, CM_SAMPLER8x8_SURFACE,
                              CM_SURFACE_ADDRESS_CONTROL_MODE) override {
    return notSupported("CmDevice::CreateSampler8x8Surface");
  }
  INT DestroySampler8x8Surface(SurfaceIndex *&) override { return notSupported("CmDevice::DestroySampler8x8Surface"); }
  INT SetSuggestedL3Config(L3_SUGGEST_CONFIG) override { return notSupported("CmDevice::SetSuggestedL3Config"); }
  INT SetCaps(CM_DEVICE_CAP_NAME, size_t, void *) override { return notSupported("CmDevice::SetCaps"); }
  INT CreateSamplerSurface2D(CmSurface2D *, SurfaceIndex *&) override {
    return notSupported("CmDevice::CreateSamplerSurface2D");
  }
  INT CreateSamplerSurface3D(CmSurface3D *, SurfaceIndex *&) override {
    return notSupported("CmDevice::CreateSamplerSurface3D");
  }
  INT DestroySamplerSurface(SurfaceIndex *&) override { return notSupported("CmDevice::DestroySamplerSurface"); }
  INT CreateVebox(CmVebox *&) override { return notSupported("CmDevice::CreateVebox"); }
  INT DestroyVebox(CmVebox *&) override { return notSupported("CmDevice::DestroyVebox"); }
  INT CreateVaSurface2D(UINT, UINT, CM_SURFACE_FORMAT, VASurfaceID &, CmSurface2D *&) override {
    return notSupported("CmDevice::CreateVaSurface2D");
  }
  INT CreateSamplerSurface2DUP(CmSurface2DUP *, SurfaceIndex *&) override {
    return notSupported("CmDevice::CreateSamplerSurface2DUP");
  }
  INT CloneKernel(CmKernel *&, CmKernel *) override { return notSupported("CmDevice::CloneKernel"); }
  INT CreateSurface2DAlias(CmSurface2D *, SurfaceIndex *&) override {
    return notSupported("CmDevice::CreateSurface2DAlias");
  }
  INT CreateHevcVmeSurfaceG10(CmSurface2D *, CmSurface2D **, CmSurface2D **, const UINT, const UINT,
                              SurfaceIndex *&) override {
    return notSupported("CmDevice::CreateHevcVmeSurfaceG10");
  }
  INT DestroyHevcVmeSurfaceG10(SurfaceIndex *&) override { return notSupported("CmDevice::DestroyHevcVmeSurfaceG10"); }
  INT CreateSamplerEx(const CM_SAMPLER_STATE_EX &, CmSampler *&) override {
    return notSupported("CmDevice::CreateSamplerEx");
  }
  INT CreateSampler8x8SurfaceEx(CmSurface2D *, SurfaceIndex *&, CM_SAMPLER8x8_SURFACE, CM_SURFACE_ADDRESS_CONTROL_MODE,
                                CM_FLAG *) override {
    return notSupported("CmDevice::CreateSampler8x8SurfaceEx");
  }
  INT CreateSamplerSurface2DEx(CmSurface2D *, SurfaceIndex *&, CM_FLAG *) override {
    return notSupported("CmDevice::CreateSamplerSurface2DEx");
  }
  INT CreateBufferAlias(CmBuffer *, SurfaceIndex *&) override { return notSupported("CmDevice::CreateBufferAlias"); }
  INT SetVmeSurfaceStateParam(SurfaceIndex *, CM_VME_SURFACE_STATE_PARAM *) override {
    return notSupported("CmDevice::SetVmeSurfaceStateParam");
  }
  int32_t GetVISAVersion(uint32_t &, uint32_t &) override { return notSupported("CmDevice::GetVISAVersion"); }
  INT CreateBufferStateless(size_t, uint32_t, void *, CmBufferStateless *&) override {
    return notSupported("CmDevice::CreateBufferStateless");
  }
  INT DestroyBufferStateless(CmBufferStateless *&) override { return notSupported("CmDevice::DestroyBufferStateless"); }
  INT CreateSurface2DStateless(uint32_t, uint32_t, uint32_t &, CmSurface2DStateless *&) override {
    return notSupported("CmDevice::CreateSurface2DStateless");
  }
  int32_t DestroySurface2DStateless(CmSurface2DStateless *&) override {
    return notSupported("CmDevice::DestroySurface2DStateless");
  }

protected:
  ~UnsupportedDevice() = default;
};

class UnsupportedQueue : public CmQueue {
public:
  INT EnqueueCopyCPUToGPU(CmSurface2D *, const unsigned char *, CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyCPUToGPU");
  }
  INT EnqueueCopyGPUToCPU(CmSurface2D *, unsigned char *, CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyGPUToCPU");
  }
  INT EnqueueInitSurface2D(CmSurface2D *, const DWORD, CmEvent *&) override {
    return notSupported("CmQueue::EnqueueInitSurface2D");
  }
  INT EnqueueCopyGPUToGPU(CmSurface2D *, CmSurface2D *, UINT, CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyGPUToGPU");
  }
  INT EnqueueCopyCPUToCPU(unsigned char *, unsigned char *, UINT, UINT, CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyCPUToCPU");
  }
  INT EnqueueCopyCPUToGPUFullStride(CmSurface2D *, const unsigned char *, const UINT, const UINT, const UINT,
                                    CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyCPUToGPUFullStride");
  }
  INT EnqueueCopyGPUToCPUFullStride(CmSurface2D *, unsigned char *, const UINT, const UINT, const UINT,
                                    CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyGPUToCPUFullStride");
  }
  INT EnqueueCopyCPUToGPUFullStrideDup(CmSurface2D *, const unsigned char *, const UINT, const UINT, const UINT,
                                       CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyCPUToGPUFullStrideDup");
  }
  INT EnqueueCopyGPUToCPUFullStrideDup(CmSurface2D *, unsigned char *, const UINT, const UINT, const UINT,
                                       CmEvent *&) override {
    return notSupported("CmQueue::EnqueueCopyGPUToCPUFullStrideDup");
  }
  INT EnqueueWithHints(CmTask *, CmEvent *&, UINT) override { return notSupported("CmQueue::EnqueueWithHints"); }
  INT EnqueueVebox(CmVebox *, CmEvent *&) override { return notSupported("CmQueue::EnqueueVebox"); }
  int32_t EnqueueReadBuffer(CmBuffer *, size_t, const unsigned char *, uint64_t, CmEvent *, CmEvent *&,
                            unsigned) override {
    return notSupported("CmQueue::EnqueueReadBuffer");
  }
  int32_t EnqueueWriteBuffer(CmBuffer *, size_t, const unsigned char *, uint64_t, CmEvent *, CmEvent *&,
                             unsigned) override {
    return notSupported("CmQueue::EnqueueWriteBuffer");
  }
  INT SetResidentGroupAndParallelThreadNum(uint32_t, uint32_t) override {
    return notSupported("CmQueue::SetResidentGroupAndParallelThreadNum");
  }

protected:
  ~UnsupportedQueue() = default;
};

class UnsupportedKernel : public CmKernel {
public:
  INT SetStaticBuffer(UINT, const void *) override { return notSupported("CmKernel::SetStaticBuffer"); }
  INT SetSurfaceBTI(SurfaceIndex *, UINT) override { return notSupported("CmKernel::SetSurfaceBTI"); }
  INT SetSamplerBTI(SamplerIndex *, UINT) override { return notSupported("CmKernel::SetSamplerBTI"); }
  INT QuerySpillSize(unsigned int &) override { return notSupported("CmKernel::QuerySpillSize"); }
  INT SetKernelArgPointer(UINT, size_t, const void *) override { return notSupported("CmKernel::SetKernelArgPointer"); }

protected:
  ~UnsupportedKernel() = default;
};

class UnsupportedTask : public CmTask {
public:
  INT SetPowerOption(PCM_POWER_OPTION) override { return notSupported("CmTask::SetPowerOption"); }
  INT AddConditionalEnd(SurfaceIndex *, UINT, CM_CONDITIONAL_END_PARAM *) override {
    return notSupported("CmTask::AddConditionalEnd");
  }
  INT SetProperty(const CM_TASK_CONFIG &) override { return notSupported("CmTask::SetProperty"); }
  INT AddKernelWithConfig(CmKernel *, const CM_EXECUTION_CONFIG *) override {
    return notSupported("CmTask::AddKernelWithConfig");
  }
  INT GetProperty(CM_TASK_CONFIG &) override { return notSupported("CmTask::GetProperty"); }
  INT AddSyncEx(const CM_KERNEL_SYNC_CONFIG *) override { return notSupported("CmTask::AddSyncEx"); }

protected:
  ~UnsupportedTask() = default;
};

class UnsupportedEvent : public CmEvent {
public:
  INT GetSurfaceDetails(UINT, UINT, CM_SURFACE_DETAILS &) override {
    return notSupported("CmEvent::GetSurfaceDetails");
  }
  INT GetProfilingInfo(CM_EVENT_PROFILING_INFO, size_t, PVOID, PVOID) override {
    return notSupported("CmEvent::GetProfilingInfo");
  }
  INT GetExecutionTickTime(UINT64 &) override { return notSupported("CmEvent::GetExecutionTickTime"); }

protected:
  ~UnsupportedEvent() = default;
};

class UnsupportedBuffer : public CmBuffer {
public:
  INT SetSurfaceStateParam(SurfaceIndex *, const CM_BUFFER_STATE_PARAM *) override {
    return notSupported("CmBuffer::SetSurfaceStateParam");
  }

protected:
  ~UnsupportedBuffer() = default;
};

class UnsupportedSurface2D : public CmSurface2D {
public:
  INT GetVaSurfaceID(VASurfaceID &) override { return notSupported("CmSurface2D::GetVaSurfaceID"); }
  INT ReadSurfaceHybridStrides(unsigned char *, CmEvent *, const UINT, const UINT, UINT64, UINT) override {
    return notSupported("CmSurface2D::ReadSurfaceHybridStrides");
  }
  INT WriteSurfaceHybridStrides(const unsigned char *, CmEvent *, const UINT, const UINT, UINT64, UINT) override {
    return notSupported("CmSurface2D::WriteSurfaceHybridStrides");
  }
  INT SetProperty(CM_FRAME_TYPE) override { return notSupported("CmSurface2D::SetProperty"); }
  INT SetSurfaceStateParam(SurfaceIndex *, const CM_SURFACE2D_STATE_PARAM *) override {
    return notSupported("CmSurface2D::SetSurfaceStateParam");
  }

protected:
  ~UnsupportedSurface2D() = default;
};

} // namespace pocm::cmrt
