// What host programs of the CM runtime share: a device with a program and a queue, checked calls, arguments by type.
#pragma once

#include "cm_rt.h"
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace host {

inline void check(INT code, const char *call) {
  if (code != CM_SUCCESS)
    throw std::runtime_error(std::string(call) + " fails: " + GetCmErrorString(code));
}
#define CHECK(call) host::check(call, #call)

/// A device with its queue and a program.
class Session {
public:
  explicit Session(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
      throw std::runtime_error("cannot read '" + path + "'");
    std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
    UINT version = 0;
    CHECK(CreateCmDevice(device, version));
    CHECK(device->LoadProgram(code.data(), UINT(code.size()), program));
    CHECK(device->CreateQueue(queue));
  }
  /// Destroys everything made from the device.
  ~Session() { DestroyCmDevice(device); }
  Session(const Session &) = delete;

  CmKernel *kernel(const char *name) {
    CmKernel *k = nullptr;
    CHECK(device->CreateKernel(program, name, k));
    return k;
  }
  CmTask *task(const std::vector<CmKernel *> &kernels, bool sync = true) {
    CmTask *t = nullptr;
    CHECK(device->CreateTask(t));
    for (CmKernel *k : kernels) {
      CHECK(t->AddKernel(k));
      if (sync)
        CHECK(t->AddSync());
    }
    return t;
  }
  CmThreadSpace *space(UINT width, UINT height) {
    CmThreadSpace *s = nullptr;
    CHECK(device->CreateThreadSpace(width, height, s));
    return s;
  }
  /// A buffer of the elements and, behind them, so many zero bytes, which blocks of the last elements may touch.
  template <class T> CmBuffer *buffer(const std::vector<T> &contents, std::size_t behind = 0) {
    CmBuffer *b = nullptr;
    std::size_t bytes = contents.size() * sizeof(T);
    if (bytes + behind > CM_MAX_1D_SURF_WIDTH)
      throw std::runtime_error(std::to_string(bytes) + " bytes are more than a buffer has, " +
                               std::to_string(CM_MAX_1D_SURF_WIDTH - behind));
    CHECK(device->CreateBuffer(UINT(bytes + behind), b));
    const auto *data = reinterpret_cast<const unsigned char *>(contents.data());
    std::vector<unsigned char> padded;
    if (behind) {
      padded.assign(data, data + bytes);
      padded.resize(bytes + behind);
      data = padded.data();
    }
    CHECK(b->WriteSurface(data, nullptr));
    return b;
  }
  template <class T> void read(CmBuffer *b, std::vector<T> &to, CmEvent *event) {
    CHECK(b->ReadSurface(reinterpret_cast<unsigned char *>(to.data()), event, to.size() * sizeof(T)));
  }
  /// Runs a task in a space and waits; milliseconds of execution.
  double run(CmTask *task, CmThreadSpace *space = nullptr) {
    CmEvent *event = nullptr;
    CHECK(queue->Enqueue(task, event, space));
    return finish(event);
  }
  double finish(CmEvent *event) {
    UINT64 nanoseconds = 0;
    CHECK(event->WaitForTaskFinished(60000));
    CHECK(event->GetExecutionTime(nanoseconds));
    CHECK(queue->DestroyEvent(event));
    return double(nanoseconds) / 1e6;
  }

  CmDevice *device = nullptr;
  CmProgram *program = nullptr;
  CmQueue *queue = nullptr;
};

template <class Surface> SurfaceIndex *index(Surface *surface) {
  SurfaceIndex *i = nullptr;
  CHECK(surface->GetIndex(i));
  return i;
}

inline void set(CmKernel *kernel, UINT n, SurfaceIndex *surface) {
  CHECK(kernel->SetKernelArg(n, sizeof(SurfaceIndex), surface));
}
inline void set(CmKernel *kernel, UINT n, CmBuffer *buffer) { set(kernel, n, index(buffer)); }
inline void set(CmKernel *kernel, UINT n, CmSurface2D *surface) { set(kernel, n, index(surface)); }
template <class T> void set(CmKernel *kernel, UINT n, T value) {
  CHECK(kernel->SetKernelArg(n, sizeof(value), &value));
}
/// All arguments of a kernel, in order.
template <class... T> void setAll(CmKernel *kernel, T... values) {
  UINT n = 0;
  (set(kernel, n++, values), ...);
}

} // namespace host
