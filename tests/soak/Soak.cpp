// Mixed work from four host threads on one device for a while: every result is checked, every event must finish, and
// the process must not grow.
//
//     soak PROGRAM.isa SECONDS      from 60 seconds on, memory that grows by more than 1 % is a failure too
#include "cm_rt.h"
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void check(INT code, const char *call) {
  if (code != CM_SUCCESS)
    throw std::runtime_error(std::string(call) + " fails with " + std::to_string(code));
}
#define CHECK(call) check(call, #call)

/// Bytes of memory that the process holds.
std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, here = 0;
  file >> all >> here;
  return here * 4096;
}

/// One host thread's work: makes objects, uses and destroys them, over and over.
class Worker {
public:
  Worker(CmDevice *device, CmProgram *program, unsigned seed) : device(device), program(program), random(seed) {
    CHECK(device->CreateQueue(queue));
  }
  void round() {
    switch (random() % 4) {
    case 0:
      return increments();
    case 1:
      return wavefront();
    case 2:
      return groups();
    default:
      return copies();
    }
  }
  std::uint64_t events = 0;

private:
  template <class Surface> SurfaceIndex *index(Surface *s) {
    SurfaceIndex *i = nullptr;
    CHECK(s->GetIndex(i));
    return i;
  }
  CmKernel *kernel(const char *name) {
    CmKernel *k = nullptr;
    CHECK(device->CreateKernel(program, name, k));
    return k;
  }
  /// Waits in one of the ways that there are.
  void finish(CmEvent *&event) {
    CM_STATUS status = CM_STATUS_QUEUED;
    if (random() % 3 == 0)
      while (status != CM_STATUS_FINISHED) {
        CHECK(event->GetStatus(status));
        std::this_thread::yield();
      }
    CHECK(event->WaitForTaskFinished(60000));
    UINT64 time = 0;
    CHECK(event->GetExecutionTime(time));
    CHECK(queue->DestroyEvent(event));
    ++events;
  }
  void expect(bool right, const char *what) {
    if (!right)
      throw std::runtime_error(std::string("wrong result: ") + what);
  }

  /// Several enqueues of one kernel whose argument changes; task and kernel go while the work is on its way.
  void increments() {
    std::vector<int> values(256), got(256);
    for (int &v : values)
      v = int(random() % 1000);
    CmBuffer *buffer = nullptr;
    CHECK(device->CreateBuffer(UINT(values.size() * 4), buffer));
    CHECK(buffer->WriteSurface(reinterpret_cast<unsigned char *>(values.data()), nullptr));
    CmKernel *k = kernel("increment");
    CHECK(k->SetKernelArg(0, sizeof(SurfaceIndex), index(buffer)));
    CHECK(k->SetThreadCount(8));
    CmTask *task = nullptr;
    CHECK(device->CreateTask(task));
    CHECK(task->AddKernel(k));
    CmEvent *event = nullptr;
    int sum = 0, rounds = 1 + int(random() % 8);
    for (int i = 0; i < rounds; ++i) {
      int amount = int(random() % 100);
      sum += amount;
      CHECK(k->SetKernelArg(1, sizeof(amount), &amount));
      event = i + 1 < rounds ? CM_NO_EVENT : nullptr;
      CHECK(queue->Enqueue(task, event, nullptr));
    }
    CHECK(device->DestroyTask(task));
    CHECK(device->DestroyKernel(k));
    CHECK(buffer->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), event));
    finish(event);
    CHECK(device->DestroySurface(buffer));
    for (std::size_t i = 0; i < got.size(); ++i)
      expect(got[i] == values[i] + sum, "increments");
  }

  /// Paths through a grid: right only in the order of the dependencies.
  void wavefront() {
    UINT width = 1 + random() % 12, height = 1 + random() % 12;
    CmSurface2D *image = nullptr;
    CHECK(device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_A8R8G8B8, image));
    CmKernel *k = kernel("paths");
    CHECK(k->SetKernelArg(0, sizeof(SurfaceIndex), index(image)));
    CmThreadSpace *space = nullptr;
    CHECK(device->CreateThreadSpace(width, height, space));
    CHECK(space->SelectThreadDependencyPattern(random() % 2 ? CM_WAVEFRONT : CM_WAVEFRONT26));
    CmTask *task = nullptr;
    CHECK(device->CreateTask(task));
    CHECK(task->AddKernel(k));
    CmEvent *event = nullptr;
    CHECK(queue->Enqueue(task, event, space));
    CHECK(device->DestroyThreadSpace(space));
    CHECK(device->DestroyTask(task));
    CHECK(device->DestroyKernel(k));
    std::vector<UINT> got(width * height), want(width * height, 1);
    CHECK(image->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), nullptr));
    finish(event);
    CHECK(device->DestroySurface(image));
    for (UINT y = 1; y < height; ++y)
      for (UINT x = 1; x < width; ++x)
        want[y * width + x] = want[y * width + x - 1] + want[(y - 1) * width + x];
    expect(got == want, "wavefront");
  }

  /// Groups that reverse numbers in shared local memory.
  void groups() {
    UINT threads = 1 + random() % 32, count = 1 + random() % 16;
    std::vector<UINT> got(threads * count);
    CmBuffer *buffer = nullptr;
    CHECK(device->CreateBuffer(UINT(got.size() * 4), buffer));
    CmKernel *k = kernel("reverse");
    CHECK(k->SetKernelArg(0, sizeof(SurfaceIndex), index(buffer)));
    CmThreadGroupSpace *space = nullptr;
    CHECK(device->CreateThreadGroupSpace(threads, 1, count, 1, space));
    CmTask *task = nullptr;
    CHECK(device->CreateTask(task));
    CHECK(task->AddKernel(k));
    CmEvent *event = nullptr;
    CHECK(queue->EnqueueWithGroup(task, event, space));
    CHECK(device->DestroyThreadGroupSpace(space));
    CHECK(device->DestroyTask(task));
    finish(event);
    CHECK(buffer->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), nullptr));
    CHECK(device->DestroyKernel(k));
    CHECK(device->DestroySurface(buffer));
    for (UINT i = 0; i < got.size(); ++i)
      expect(got[i] == i / threads * 100 + threads - 1 - i % threads, "groups");
  }

  /// Host to buffer to host through the queue.
  void copies() {
    UINT size = 16 + random() % 5000, offset = random() % 16;
    std::vector<unsigned char> from(size), to(size);
    for (auto &b : from)
      b = static_cast<unsigned char>(random());
    CmBuffer *buffer = nullptr;
    CHECK(device->CreateBuffer(size + 16, buffer));
    CmEvent *write = nullptr, *read = nullptr;
    CHECK(queue->EnqueueWriteBuffer(buffer, offset, from.data(), size, nullptr, write, 0));
    CHECK(queue->EnqueueReadBuffer(buffer, offset, to.data(), size, write, read, 0));
    CHECK(device->DestroySurface(buffer));
    finish(read);
    finish(write);
    expect(from == to, "copies");
  }

  CmDevice *device;
  CmProgram *program;
  CmQueue *queue = nullptr;
  std::mt19937 random;
};

int run(const char *path, double seconds) {
  constexpr unsigned hosts = 4;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
  CmDevice *device = nullptr;
  UINT version = 0;
  CmProgram *program = nullptr;
  CHECK(CreateCmDevice(device, version));
  CHECK(device->LoadProgram(code.data(), UINT(code.size()), program));
  std::atomic<bool> failed{false}, stop{false};
  std::atomic<std::uint64_t> events{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < hosts; ++t)
    threads.emplace_back([&, t] {
      try {
        Worker worker(device, program, t + 1);
        while (!stop) {
          worker.round();
          events += worker.events;
          worker.events = 0;
        }
      } catch (const std::exception &problem) {
        std::fprintf(stderr, "soak: %s\n", problem.what());
        failed = stop = true;
      }
    });
  // A tenth of the time to warm up; memory counts from then on.
  auto begin = Clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::size_t before = 0;
  double said = 0;
  while (!stop && elapsed() < seconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!before && elapsed() > seconds / 10)
      before = resident();
    if (elapsed() - said > 60) {
      said = elapsed();
      std::fprintf(stderr, "%.0f s: %llu events, %.1f MB\n", said, static_cast<unsigned long long>(events),
                   double(resident()) / 1e6);
    }
  }
  stop = true;
  for (std::thread &t : threads)
    t.join();
  std::size_t after = resident();
  CHECK(DestroyCmDevice(device));
  double growth = before ? (double(after) / double(before) - 1) * 100 : 0;
  std::printf("%s: %.0f s, %llu events, %.1f MB at first, growth %.2f %%\n", failed ? "FAILED" : "fine", elapsed(),
              static_cast<unsigned long long>(events), double(before) / 1e6, growth);
  constexpr double longEnough = 60, mostGrowth = 1; // seconds, percent
  if (seconds >= longEnough && growth > mostGrowth) {
    std::fprintf(stderr, "soak: memory has grown by more than %.0f %%\n", mostGrowth);
    return 1;
  }
  return failed || events == 0 ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s PROGRAM.isa SECONDS\n", argv[0]);
    return 2;
  }
  try {
    return run(argv[1], std::atof(argv[2]));
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "soak: %s\n", problem.what());
    return 2;
  }
}
