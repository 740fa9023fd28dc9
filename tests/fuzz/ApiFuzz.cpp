//===- ApiFuzz.cpp - Random sequences of calls of the host API -------------------------------===//
//
//     api-fuzz SEQUENCES [SEED]
//
// Each sequence opens a device and calls it at random from one to four host threads: objects are
// made, used, destroyed, used again, given to calls that they are not for, and left behind. What
// comes back does not matter; that everything comes back does, under AddressSanitizer and
// ThreadSanitizer above all. Rules kept: a method is called only on an object that lives, and by
// the thread that made it; queues and some surfaces are everybody's.
//
//===----------------------------------------------------------------------------------------===//
#include "CommandLine.h"
#include "pocm/cmrt.h"
#include "pocm/pocm.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr const char *source = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void blocks(SurfaceIndex in, SurfaceIndex out, int dx, int dy) {
  matrix<uchar, 4, 16> m;
  read(in, int(get_thread_origin_x()) * 16 + dx, int(get_thread_origin_y()) * 4 + dy, m);
  m += 1;
  write(out, int(get_thread_origin_x()) * 16 - dy, int(get_thread_origin_y()) * 4 - dx, m);
}
extern "C" _GENX_MAIN_ void groups(SurfaceIndex out, svmptr_t wild) {
  cm_slm_init(256);
  vector<uint, 8> v = cm_linear_local_id();
  cm_barrier();
  write(out, cm_linear_global_id() * 32, v);
  if (wild)
    cm_svm_block_write(wild, v);
}
)";

/// Objects of a kind: those that live, and the addresses of all there ever were.
template <class T> struct Pool {
  std::vector<T *> live, all;
  void add(T *object) {
    if (object && object != reinterpret_cast<T *>(CM_NO_EVENT)) { // which a refused call leaves where it was
      live.push_back(object);
      all.push_back(object);
    }
  }
};

class Caller {
public:
  Caller(CmDevice *device, std::vector<CmQueue *> &queues, CmProgram *program, std::vector<CmSurface2D *> &common,
         bool alone, unsigned seed)
      : device(device), queues(queues), program(program), common(common), alone(alone), random(seed) {}

  void run(int calls) {
    for (int i = 0; i < calls; ++i) {
      queue = queues[below(unsigned(queues.size()))];
      call();
    }
  }

private:
  unsigned below(unsigned n) { return unsigned(random() % n); }
  unsigned size() { return below(8) ? 1 + below(40) : unsigned(random()) >> below(31); }
  /// One that lives, or null.
  template <class T> T *live(Pool<T> &pool) {
    return pool.live.empty() ? nullptr : pool.live[below(unsigned(pool.live.size()))];
  }
  /// One for an argument: mostly one that lives, sometimes a dead one, null, or something else altogether.
  template <class T> T *any(Pool<T> &pool) {
    unsigned kind = below(12);
    if (kind == 0)
      return nullptr;
    if (kind == 1)
      return reinterpret_cast<T *>(device);
    if (kind == 2)
      return reinterpret_cast<T *>(std::uintptr_t(random()) & ~std::uintptr_t(15));
    std::vector<T *> &from = kind < 5 && alone ? pool.all : pool.live; // or else another thread's lies there now
    return from.empty() ? nullptr : from[below(unsigned(from.size()))];
  }
  template <class T, class Destroy> void destroy(Pool<T> &pool, Destroy how) {
    T *object = any(pool), *given = object;
    how(given);
    if (!given)
      std::erase(pool.live, object);
  }
  SurfaceIndex *anyIndex() {
    SurfaceIndex *index = nullptr;
    if (CmSurface2D *s = live(images); s && below(2))
      s->GetIndex(index);
    else if (CmBuffer *b = live(buffers); b && below(2))
      b->GetIndex(index);
    else
      common[below(unsigned(common.size()))]->GetIndex(index);
    if (below(20) == 0) {
      stray = size();
      return &stray;
    }
    return index;
  }
  CmEvent *&newEvent() {
    event = below(3) ? nullptr : CM_NO_EVENT;
    return event;
  }

  void call() {
    alignas(4096) static thread_local unsigned char lent[4 * 4096];
    CM_SURFACE2D_STATE_PARAM view{};
    CM_BUFFER_STATE_PARAM part{};
    std::uint32_t number = size();
    std::uint64_t wild = below(3) ? 0 : std::uint64_t(random()) << below(33);
    switch (below(34)) {
    case 0: {
      CmBuffer *b = nullptr;
      device->CreateBuffer(std::min(size(), 1u << 20), b);
      return buffers.add(b);
    }
    case 1: {
      CmSurface2D *s = nullptr;
      constexpr CM_SURFACE_FORMAT formats[] = {CM_SURFACE_FORMAT_A8R8G8B8, CM_SURFACE_FORMAT_NV12,
                                               CM_SURFACE_FORMAT_R8_UINT, CM_SURFACE_FORMAT_YV12};
      device->CreateSurface2D(size() % 300, size() % 300, formats[below(4)], s);
      return images.add(s);
    }
    case 2: {
      CmSurface2DUP *s = nullptr;
      device->CreateSurface2DUP(1 + below(32), 1 + below(32), CM_SURFACE_FORMAT_A8R8G8B8, lent, s);
      if (s)
        device->DestroySurface2DUP(s);
      return;
    }
    case 3:
    case 4: {
      CmKernel *k = nullptr;
      device->CreateKernel(below(9) ? program : reinterpret_cast<CmProgram *>(any(tasks)),
                           below(2) ? "blocks" : "groups", k);
      return kernels.add(k);
    }
    case 5: {
      CmTask *t = nullptr;
      device->CreateTask(t);
      return tasks.add(t);
    }
    case 6: {
      CmThreadSpace *s = nullptr;
      device->CreateThreadSpace(1 + below(30), 1 + below(30), s);
      return spaces.add(s);
    }
    case 7: {
      CmThreadGroupSpace *g = nullptr;
      device->CreateThreadGroupSpace(1 + below(8), 1 + below(4), 1 + below(5), 1 + below(5), g);
      return groups.add(g);
    }
    case 8:
      return destroy(buffers, [&](CmBuffer *&o) { device->DestroySurface(o); });
    case 9:
      return destroy(images, [&](CmSurface2D *&o) { device->DestroySurface(o); });
    case 10:
      return destroy(kernels, [&](CmKernel *&o) { device->DestroyKernel(o); });
    case 11:
      return destroy(tasks, [&](CmTask *&o) { device->DestroyTask(o); });
    case 12:
      return destroy(spaces, [&](CmThreadSpace *&o) { device->DestroyThreadSpace(o); });
    case 13:
      return destroy(groups, [&](CmThreadGroupSpace *&o) { device->DestroyThreadGroupSpace(o); });
    case 14:
      return destroy(events, [&](CmEvent *&o) { queue->DestroyEvent(o); });
    case 15:
    case 16:
    case 17:
      if (CmKernel *k = live(kernels))
        for (UINT i = 0; i < 4; ++i) {
          k->SetKernelArg(i, sizeof(SurfaceIndex), anyIndex());
          k->SetKernelArg(i, sizeof(number), &number);
          k->SetKernelArg(i, sizeof(wild), &wild);
        }
      return;
    case 18:
      if (CmKernel *k = live(kernels)) {
        CmThreadSpace *s = any(spaces);
        CmThreadGroupSpace *g = any(groups);
        below(2) ? k->AssociateThreadSpace(s) : k->AssociateThreadGroupSpace(g);
      }
      return;
    case 19:
      if (CmKernel *k = live(kernels))
        k->SetThreadCount(1 + below(3000));
      return;
    case 20:
    case 21:
      if (CmTask *t = live(tasks))
        below(8) ? t->AddKernel(any(kernels)) : t->Reset();
      return;
    case 22:
      if (CmThreadSpace *s = live(spaces)) {
        s->SelectThreadDependencyPattern(CM_DEPENDENCY_PATTERN(below(10)));
        s->SetThreadSpaceColorCount(below(3));
        s->AssociateThread(below(30), below(30), any(kernels), below(30));
      }
      return;
    case 23:
    case 24:
    case 25:
      queue->Enqueue(any(tasks), newEvent(), below(2) ? nullptr : any(spaces));
      return events.add(event);
    case 26:
      queue->EnqueueWithGroup(any(tasks), newEvent(), below(2) ? nullptr : any(groups));
      return events.add(event);
    case 27:
      if (CmEvent *e = live(events)) {
        CM_STATUS status;
        UINT64 time;
        e->GetStatus(status);
        e->WaitForTaskFinished(below(3));
        e->GetExecutionTime(time);
      }
      return;
    case 28:
      if (CmBuffer *b = live(buffers)) {
        b->ReadSurface(lent, any(events), size() % sizeof(lent));
        part.uiBaseAddressOffset = size() & ~15u;
        part.uiSize = size();
        SurfaceIndex *alias = nullptr;
        device->CreateBufferAlias(any(buffers), alias);
        b->SetSurfaceStateParam(below(2) ? nullptr : alias, &part);
      }
      return;
    case 29:
      if (CmSurface2D *s = live(images)) {
        view.width = below(2) * size();
        view.height = below(2) * size();
        view.pitch = below(2) * size();
        view.surface_x_offset = below(2) * size();
        view.surface_y_offset = below(2) * size();
        SurfaceIndex *alias = nullptr;
        device->CreateSurface2DAlias(any(images), alias);
        s->SetSurfaceStateParam(below(2) ? nullptr : alias, &view);
        s->SetProperty(CM_FRAME_TYPE(below(4)));
      }
      return;
    case 30: {
      std::vector<unsigned char> room(300 * 300 * 8);
      if (CmSurface2D *s = live(images))
        below(2) ? s->ReadSurface(room.data(), any(events)) : s->WriteSurface(room.data(), any(events));
      common[below(unsigned(common.size()))]->ReadSurface(room.data(), nullptr);
      return;
    }
    case 31:
      queue->EnqueueCopyGPUToGPU(any(images), any(images), below(2), newEvent());
      return events.add(event);
    case 32:
      queue->EnqueueInitSurface2D(any(images), number, newEvent());
      return events.add(event);
    default:
      device->FlushPrintBuffer();
      GetCmErrorString(int(number));
      CmKernel *clone = nullptr;
      device->CloneKernel(clone, any(kernels));
      return kernels.add(clone);
    }
  }

  CmDevice *device;
  std::vector<CmQueue *> &queues;
  CmQueue *queue = nullptr; ///< Of the next call.
  CmProgram *program;
  std::vector<CmSurface2D *> &common;
  bool alone;
  std::mt19937 random;
  CmEvent *event = nullptr;
  SurfaceIndex stray;
  Pool<CmBuffer> buffers;
  Pool<CmSurface2D> images;
  Pool<CmKernel> kernels;
  Pool<CmTask> tasks;
  Pool<CmThreadSpace> spaces;
  Pool<CmThreadGroupSpace> groups;
  Pool<CmEvent> events;
};

void sequence(std::vector<std::uint8_t> &file, unsigned seed) {
  std::mt19937 random(seed);
  CmDevice *device = nullptr;
  std::vector<CmQueue *> queues(1 + random() % 3);
  CmProgram *program = nullptr;
  UINT version;
  if (CreateCmDevice(device, version) || device->CreateQueue(queues[0]) ||
      device->LoadProgram(file.data(), UINT(file.size()), program))
    std::abort();
  CM_QUEUE_CREATE_OPTION computing{};
  computing.QueueType = CM_QUEUE_TYPE_COMPUTE;
  for (std::size_t n = 1; n < queues.size(); ++n)
    if (device->CreateQueueEx(queues[n], computing))
      std::abort();
  std::vector<CmSurface2D *> common(3);
  for (CmSurface2D *&s : common)
    if (device->CreateSurface2D(64, 48, CM_SURFACE_FORMAT_A8R8G8B8, s))
      std::abort();
  std::vector<std::thread> hosts;
  const unsigned count = 1 + random() % 4;
  for (unsigned h = 0; h < count; ++h)
    hosts.emplace_back(
        [&, mine = unsigned(random())] { Caller(device, queues, program, common, count == 1, mine).run(60); });
  for (std::thread &host : hosts)
    host.join();
  if (DestroyCmDevice(device))
    std::abort();
}

} // namespace

// Threads that read and write one surface without waiting for each other race for its bytes, as such programs do; what
// is looked for are races for what is the runtime's own.
extern "C" const char *__tsan_default_suppressions() {
  return "race:pocm::runtime::Memory::copy\nrace:codegen/helpers/\n";
}
// A kernel that faults is left by a jump out of the handler (devices/cpu/Guard.h), after which ThreadSanitizer takes
// the thread to be in the handler for good.
extern "C" const char *__tsan_default_options() { return "report_signal_unsafe=0"; }

int main(int argc, char **argv) {
  unsigned long count = 0, seed = 1;
  CLI::App app{"Random sequences of calls of the host API.", "api-fuzz"};
  app.add_option("SEQUENCES", count, "how many")->check(CLI::Range(1, 1000000000))->required();
  app.add_option("SEED", seed, "of the first")->capture_default_str();
  if (std::optional<int> status = parsed(app, argc, argv))
    return *status;
  pocm::CompileOptions options;
  options.file = "api_fuzz.cpp";
  options.source = source;
  pocm::CompileResult made = pocm::compile(options);
  if (!made.ok) {
    std::fputs(made.diagnostics.c_str(), stderr);
    return 2;
  }
  for (unsigned long i = 0; i < count; ++i) {
    alarm(300); // a sequence that does not come back is a failure, however busy the machine is
    if (std::getenv("API_FUZZ_TRACE"))
      std::fprintf(stderr, "sequence %lu\n", seed + i);
    sequence(made.program, unsigned(seed + i));
  }
  std::printf("%lu sequences came back\n", count);
  return 0;
}
