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
  INT DestroySurface(CmSurface3D *&) override { return notSupported("CmDevice::DestroySurface"); }
  INT CreateSamplerSurface3D(CmSurface3D *, SurfaceIndex *&) override {
    return notSupported("CmDevice::CreateSamplerSurface3D");
  }

protected:
  ~UnsupportedDevice() = default;
};

class UnsupportedKernel : public CmKernel {
public:
  INT SetStaticBuffer(UINT, const void *) override { return notSupported("CmKernel::SetStaticBuffer"); }
  INT SetSurfaceBTI(SurfaceIndex *, UINT) override { return notSupported("CmKernel::SetSurfaceBTI"); }
  INT SetSamplerBTI(SamplerIndex *, UINT) override { return notSupported("CmKernel::SetSamplerBTI"); }

protected:
  ~UnsupportedKernel() = default;
};

} // namespace pocm::cmrt
