// The host API when the host has nothing left: every allocation of a program's calls fails once, one after another, and
// so does every thread. Each failure is a return code; nothing is lost, leaked or broken, and the next call works.
#include "HostApi.h"
#include "program/Container.h"
#include "runtime/Queue.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <new>
#include <pthread.h>
#include <unistd.h>

namespace {

std::atomic<long> countdown{-1}; ///< Allocations until one fails; below 0: none does.
std::atomic<bool> armed{false};
std::atomic<long> living{0}; ///< Allocations that have not been freed.
[[maybe_unused]] std::atomic<long> threadsLeft{-1};

/// Whether the allocation at hand is the one that fails.
bool fails() { return armed && countdown >= 0 && countdown-- == 0; }

void *allocate(std::size_t bytes, std::size_t align) {
  if (fails())
    return nullptr;
  void *p = align > alignof(std::max_align_t) ? std::aligned_alloc(align, (bytes + align - 1) / align * align)
                                              : std::malloc(bytes ? bytes : 1);
  living += p != nullptr;
  return p;
}
void release(void *p) {
  living -= p != nullptr;
  std::free(p);
}
void *orThrow(void *p) {
  if (!p)
    throw std::bad_alloc();
  return p;
}

} // namespace

void *operator new(std::size_t n) { return orThrow(allocate(n, 0)); }
void *operator new[](std::size_t n) { return orThrow(allocate(n, 0)); }
void *operator new(std::size_t n, std::align_val_t a) { return orThrow(allocate(n, std::size_t(a))); }
void *operator new[](std::size_t n, std::align_val_t a) { return orThrow(allocate(n, std::size_t(a))); }
void *operator new(std::size_t n, const std::nothrow_t &) noexcept { return allocate(n, 0); }
void *operator new[](std::size_t n, const std::nothrow_t &) noexcept { return allocate(n, 0); }
void *operator new(std::size_t n, std::align_val_t a, const std::nothrow_t &) noexcept {
  return allocate(n, std::size_t(a));
}
void *operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t &) noexcept {
  return allocate(n, std::size_t(a));
}
void operator delete(void *p, std::align_val_t, const std::nothrow_t &) noexcept { release(p); }
void operator delete[](void *p, std::align_val_t, const std::nothrow_t &) noexcept { release(p); }
void operator delete[](void *p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void *p) noexcept { release(p); }
void operator delete[](void *p) noexcept { release(p); }
void operator delete(void *p, std::size_t) noexcept { release(p); }
void operator delete[](void *p, std::size_t) noexcept { release(p); }
void operator delete(void *p, std::align_val_t) noexcept { release(p); }
void operator delete[](void *p, std::align_val_t) noexcept { release(p); }
void operator delete(void *p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void *p, const std::nothrow_t &) noexcept { release(p); }
void operator delete[](void *p, const std::nothrow_t &) noexcept { release(p); }

#if !__has_feature(address_sanitizer) // which has a pthread_create of its own
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                              void *state) {
  if (threadsLeft >= 0 && threadsLeft-- == 0)
    return EAGAIN;
  using Create = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static const auto next = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return next(thread, attributes, start, state);
}
#endif

namespace {

constexpr const char *faultSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void fill(SurfaceIndex out, int value) {
  vector<int, 4> v = value + get_thread_origin_x() + 100 * get_thread_origin_y();
  write(out, (get_thread_origin_y() * 8 + get_thread_origin_x()) * 16, v);
}
extern "C" _GENX_MAIN_ void groups(SurfaceIndex out, int value) {
  cm_slm_init(256);
  uint at = cm_slm_alloc(256);
  vector<int, 4> v = value, w;
  cm_slm_block_write(at, cm_linear_local_id() * 16, v + cm_linear_local_id());
  cm_barrier();
  cm_slm_block_read(at, (15 - cm_linear_local_id()) * 16, w);
  write(out, (cm_linear_group_id() * 16 + cm_linear_local_id()) * 16, w);
})";

/// Calls with one allocation failing. Makes the call again without failures when the first answer was an error.
class Faulty {
public:
  template <class Call> void operator()(const char *what, Call call) {
    INT code = CM_SUCCESS;
    armed = true;
    try {
      code = call();
      armed = false;
    } catch (...) {
      armed = false;
      ADD_FAILURE() << what << " lets an exception out";
      code = CM_FAILURE;
    }
    if (code == CM_SUCCESS)
      return;
    ++failures;
    EXPECT_GE(code, CM_SYSTEM_MEMORY_NOT_4KPAGE_ALIGNED - 1000) << what;
    EXPECT_EQ(call(), CM_SUCCESS) << what << " after " << code << ": " << PocmLastError();
  }
  unsigned failures = 0;
};

/// A program's whole life on a device that is there already. The results must be right whatever has failed.
unsigned live(CmDevice *device, std::vector<std::uint8_t> &file, void *page) {
  Faulty call;
  constexpr UINT bytes = 8 * 8 * 16;
  CmProgram *program = nullptr;
  CmQueue *queue = nullptr, *second = nullptr;
  CmKernel *fill = nullptr, *groups = nullptr, *clone = nullptr;
  CmTask *task = nullptr;
  CmBuffer *out = nullptr;
  CmBufferUP *user = nullptr;
  CmBufferSVM *shared = nullptr;
  CmBufferStateless *stateless = nullptr;
  CmSurface2D *image = nullptr;
  CmSampler *sampler = nullptr;
  SurfaceIndex *alias = nullptr, *sampled = nullptr, *index = nullptr;
  CmThreadSpace *space = nullptr;
  CmThreadGroupSpace *grid = nullptr;
  CmEvent *event = nullptr;
  void *address = nullptr;
  CM_QUEUE_CREATE_OPTION compute{};
  compute.QueueType = CM_QUEUE_TYPE_COMPUTE;
  call("LoadProgram", [&] { return device->LoadProgram(file.data(), UINT(file.size()), program); });
  call("CreateQueue", [&] { return device->CreateQueue(queue); });
  call("CreateQueueEx", [&] { return device->CreateQueueEx(second, compute); });
  // LLVM, left without memory, leaks: NoMemoryTest.cpp takes it away. The kernels are compiled once, unharmed.
  EXPECT_EQ(device->CreateKernel(program, "fill", fill), CM_SUCCESS);
  EXPECT_EQ(device->CreateKernel(program, "groups", groups), CM_SUCCESS);
  call("CloneKernel", [&] { return device->CloneKernel(clone, fill); });
  call("CreateBuffer", [&] { return device->CreateBuffer(bytes, out); });
  call("CreateBufferUP", [&] { return device->CreateBufferUP(4096, page, user); });
  call("CreateBufferSVM", [&] {
    address = nullptr;
    return device->CreateBufferSVM(4096, address, 0, shared);
  });
  call("CreateBufferStateless", [&] { return device->CreateBufferStateless(64, 0, nullptr, stateless); });
  call("CreateSurface2D", [&] { return device->CreateSurface2D(8, 8, CM_SURFACE_FORMAT_A8R8G8B8, image); });
  call("CreateBufferAlias", [&] { return device->CreateBufferAlias(out, alias); });
  call("CreateSamplerSurface2D", [&] { return device->CreateSamplerSurface2D(image, sampled); });
  call("CreateSampler", [&] {
    return device->CreateSampler({CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_ADDRESS_WRAP,
                                  CM_TEXTURE_ADDRESS_WRAP, CM_TEXTURE_ADDRESS_WRAP},
                                 sampler);
  });
  call("CreateTask", [&] { return device->CreateTask(task); });
  call("CreateThreadSpace", [&] { return device->CreateThreadSpace(8, 8, space); });
  call("CreateThreadGroupSpace", [&] { return device->CreateThreadGroupSpace(16, 1, 2, 2, grid); });
  out->GetIndex(index);
  int value = 1000;
  call("SetKernelArg", [&] { return fill->SetKernelArg(0, sizeof(SurfaceIndex), index); });
  call("SetKernelArg", [&] { return fill->SetKernelArg(1, sizeof(value), &value); });
  call("SetKernelArg", [&] { return groups->SetKernelArg(0, sizeof(SurfaceIndex), index); });
  call("SetKernelArg", [&] { return groups->SetKernelArg(1, sizeof(value), &value); });
  call("AddKernel", [&] { return task->AddKernel(fill); });
  call("SelectThreadDependencyPattern", [&] { return space->SelectThreadDependencyPattern(CM_WAVEFRONT); });
  int got[bytes / 4] = {};
  auto check = [&](const char *what, auto want) {
    std::memset(got, 0xEE, sizeof(got));
    EXPECT_EQ(out->ReadSurface(reinterpret_cast<unsigned char *>(got), nullptr), CM_SUCCESS);
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(got[i * 4], want(i)) << what << ", thread " << i;
  };
  /// A failed task is an answer too; it may be tried again.
  auto run = [&](const char *what, auto enqueue) {
    call(what, [&]() -> INT {
      if (INT code = enqueue())
        return code;
      INT code = event ? event->WaitForTaskFinished() : CM_SUCCESS;
      EXPECT_EQ(queue->DestroyEvent(event), CM_SUCCESS);
      return code;
    });
  };
  run("Enqueue", [&] { return queue->Enqueue(task, event, space); });
  check("a wavefront", [](int i) { return 1000 + i % 8 + 100 * (i / 8); });
  call("SetThreadCount", [&] { return clone->SetThreadCount(64); });
  call("SetKernelArg", [&] { return clone->SetKernelArg(0, sizeof(SurfaceIndex), index); });
  for (int i = 0; i < 64; ++i) {
    int own = -i;
    call("SetThreadArg", [&] { return clone->SetThreadArg(UINT(i), 1, sizeof(own), &own); });
  }
  call("Reset", [&] { return task->Reset(); });
  call("AddKernel", [&] { return task->AddKernel(clone); });
  CmThreadSpace *plain = nullptr;
  call("CreateThreadSpace", [&] { return device->CreateThreadSpace(8, 8, plain); });
  run("Enqueue", [&] { return queue->Enqueue(task, event, plain); });
  check("arguments of threads", [](int i) { return -i + i % 8 + 100 * (i / 8); });
  call("Reset", [&] { return task->Reset(); });
  call("AddKernel", [&] { return task->AddKernel(groups); });
  run("EnqueueWithGroup", [&] { return second->EnqueueWithGroup(task, event, grid); });
  check("groups", [](int i) { return 1000 + 15 - i % 16; });
  run("EnqueueInitSurface2D", [&] { return queue->EnqueueInitSurface2D(image, 7, event); });
  alignas(16) unsigned char pixels[256];
  run("EnqueueCopyGPUToCPU", [&] { return queue->EnqueueCopyGPUToCPU(image, pixels, event); });
  EXPECT_EQ(pixels[4], 7);
  size_t size = 4;
  UINT threads = 0;
  call("GetCaps", [&] { return device->GetCaps(CAP_HW_THREAD_COUNT, size, &threads); });
  EXPECT_EQ(device->DestroyTask(task), CM_SUCCESS);
  for (CmKernel *k : {fill, groups, clone})
    EXPECT_EQ(device->DestroyKernel(k), CM_SUCCESS);
  EXPECT_EQ(device->DestroyProgram(program), CM_SUCCESS);
  EXPECT_EQ(device->DestroySamplerSurface(sampled), CM_SUCCESS);
  EXPECT_EQ(device->DestroySampler(sampler), CM_SUCCESS);
  EXPECT_EQ(device->DestroySurface(image), CM_SUCCESS);
  EXPECT_EQ(device->DestroySurface(out), CM_SUCCESS);
  EXPECT_EQ(device->DestroyBufferUP(user), CM_SUCCESS);
  EXPECT_EQ(device->DestroyBufferSVM(shared), CM_SUCCESS);
  EXPECT_EQ(device->DestroyBufferStateless(stateless), CM_SUCCESS);
  EXPECT_EQ(device->DestroyThreadSpace(space), CM_SUCCESS);
  EXPECT_EQ(device->DestroyThreadSpace(plain), CM_SUCCESS);
  EXPECT_EQ(device->DestroyThreadGroupSpace(grid), CM_SUCCESS);
  return call.failures;
}

TEST(Faults, everyAllocationFailsOnce) {
  test::WithVariable parallel("CM_RT_PARALLEL_THREADS", "4"); // each keeps something of its own from its first work on
  std::vector<std::uint8_t> file = test::compiled("faults.cpp", faultSource);
  void *page = std::aligned_alloc(4096, 4096);
  CmDevice *device = nullptr;
  UINT version = 0;
  ASSERT_EQ(CreateCmDevice(device, version), CM_SUCCESS);
  countdown = -1;
  // Compiles; fills what is kept between calls. A second queue has a thread of its own until there are so many.
  for (unsigned round = 0; round < pocm::runtime::Queue::mostLanes + 1; ++round)
    live(device, file, page);
  // A round leaves its second queue behind, which nobody can destroy, and nothing else, whatever failed in it; what a
  // queue's thread has in hand when it is counted is gone a round later.
  constexpr long Counted = 16;
  long before = living;
  for (long round = 0; round < Counted; ++round)
    live(device, file, page);
  long kept = (living - before + Counted / 2) / Counted;
  EXPECT_LE(kept, 3);
  before = living;
  unsigned failures = 0;
  long rounds = 0;
  for (bool reached = true; reached && !HasFailure(); ++rounds) {
    ASSERT_LT(rounds, 5000) << "the failures come to no end";
    countdown = rounds;
    failures += live(device, file, page);
    reached = countdown < 0;
    countdown = -1;
    if (HasFailure())
      ADD_FAILURE() << "allocation " << rounds;
  }
  EXPECT_GT(failures, 100u);
  long leaked = living - before - rounds * kept;
  EXPECT_LT(leaked, 16) << "after " << failures << " failures in " << rounds << " rounds";
  EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
  std::free(page);
}

#if !__has_feature(address_sanitizer)
TEST(Faults, everyThreadFailsOnce) {
  test::WithVariable parallel("CM_RT_PARALLEL_THREADS", "4");
  int spared = 0; // one that only guards a compilation against the end of the process
  for (long n = 0;; ++n) {
    ASSERT_LT(n, 100);
    CmDevice *device = nullptr;
    UINT version = 0;
    threadsLeft = n;
    INT code = CreateCmDevice(device, version);
    bool reached = threadsLeft < 0;
    threadsLeft = -1;
    if (!reached) {
      EXPECT_EQ(code, CM_SUCCESS);
      EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
      EXPECT_GT(n, 3); // three helpers and the queue's worker
      break;
    }
    if (code == CM_SUCCESS) {
      ++spared;
      EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
      continue;
    }
    EXPECT_EQ(code, CM_FAILURE);
    EXPECT_EQ(device, nullptr);
    EXPECT_NE(std::string(PocmLastError()), "");
  }
  EXPECT_LE(spared, 1);
}
#endif

// What is asked of a task that has failed, for a reason that there may be no memory to tell.
TEST(Faults, whatIsAskedOfAFailedTask) {
  const std::vector<std::uint8_t> file = test::compiled("wild.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void wild(svmptr_t where) { vector<int, 8> v = 1; cm_svm_block_write(where, v); })");
  CmDevice *device = nullptr;
  CmQueue *queue = nullptr;
  CmProgram *program = nullptr;
  CmKernel *kernel = nullptr;
  CmTask *task = nullptr;
  CmEvent *event = nullptr;
  UINT version = 0;
  const std::uint64_t nowhere = 64;
  ASSERT_EQ(CreateCmDevice(device, version), CM_SUCCESS);
  ASSERT_EQ(device->LoadProgram(const_cast<std::uint8_t *>(file.data()), UINT(file.size()), program), CM_SUCCESS);
  ASSERT_EQ(device->CreateKernel(program, "wild", kernel), CM_SUCCESS);
  ASSERT_EQ(kernel->SetThreadCount(1) + kernel->SetKernelArg(0, sizeof(nowhere), &nowhere), CM_SUCCESS);
  ASSERT_EQ(device->CreateQueue(queue) + device->CreateTask(task) + task->AddKernel(kernel), CM_SUCCESS);
  ASSERT_EQ(queue->Enqueue(task, event), CM_SUCCESS);
  ASSERT_EQ(event->WaitForTaskFinished(), CM_TASK_MEDIA_RESET);
  for (int n = 0; n < 8; ++n) {
    auto without = [&](auto ask) {
      countdown = n;
      armed = true;
      const INT code = ask();
      armed = false;
      countdown = -1;
      return code;
    };
    UINT64 time = 0;
    CM_STATUS status = CM_STATUS_QUEUED;
    EXPECT_EQ(without([&] { return event->GetStatus(status); }), CM_SUCCESS);
    EXPECT_EQ(status, CM_STATUS_RESET);
    EXPECT_EQ(without([&] { return event->WaitForTaskFinished(); }), CM_TASK_MEDIA_RESET);
    EXPECT_EQ(without([&] { return event->GetExecutionTime(time); }), CM_TASK_MEDIA_RESET);
  }
  EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
}

// A program whose code cannot be compiled, and a folder for code that cannot be written.
TEST(Faults, kernelsThatCannotBeMade) {
  std::vector<std::uint8_t> file = test::compiled("faults.cpp", faultSource);
  test::WithVariable cache("POCM_CACHE_DIR", "/dev/null/nowhere");
  CmDevice *device = nullptr;
  UINT version = 0;
  ASSERT_EQ(CreateCmDevice(device, version), CM_SUCCESS);
  CmProgram *program = nullptr;
  CmKernel *kernel = nullptr;
  ASSERT_EQ(device->LoadProgram(file.data(), UINT(file.size()), program), CM_SUCCESS);
  EXPECT_EQ(device->CreateKernel(program, "fill", kernel), CM_SUCCESS);
  // A program file whose checksum is right and whose CM IR is not.
  pocm::program::Container broken = pocm::program::read(file);
  broken.ir.resize(broken.ir.size() / 2);
  std::vector<std::uint8_t> half = pocm::program::write(broken);
  CmProgram *bad = nullptr;
  ASSERT_EQ(device->LoadProgram(half.data(), UINT(half.size()), bad), CM_SUCCESS);
  for (int again = 0; again < 2; ++again) {
    EXPECT_REFUSED(device->CreateKernel(bad, "fill", kernel), CM_JIT_COMPILE_FAILURE, "CM IR cannot be read");
    EXPECT_EQ(kernel, nullptr);
  }
  EXPECT_EQ(device->DestroyProgram(bad), CM_SUCCESS);
  EXPECT_EQ(device->CreateKernel(program, "groups", kernel), CM_SUCCESS);
  // A disk that is full.
  ASSERT_EQ(device->InitPrintBuffer(), CM_SUCCESS);
  CmKernel *talks = nullptr;
  std::vector<std::uint8_t> words = test::compiled("talks.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void talk(SurfaceIndex out) { printf("hello\n"); vector<int, 4> v = 1; write(out, 0, v); })");
  ASSERT_EQ(device->LoadProgram(words.data(), UINT(words.size()), program), CM_SUCCESS);
  ASSERT_EQ(device->CreateKernel(program, "talk", talks), CM_SUCCESS);
  CmBuffer *out = nullptr;
  CmTask *task = nullptr;
  CmQueue *queue = nullptr;
  CmEvent *event = nullptr;
  SurfaceIndex *index = nullptr;
  ASSERT_EQ(device->CreateBuffer(16, out), CM_SUCCESS);
  out->GetIndex(index);
  talks->SetKernelArg(0, sizeof(SurfaceIndex), index);
  ASSERT_EQ(device->CreateTask(task), CM_SUCCESS);
  ASSERT_EQ(task->AddKernel(talks), CM_SUCCESS);
  ASSERT_EQ(device->CreateQueue(queue), CM_SUCCESS);
  ASSERT_EQ(queue->Enqueue(task, event, nullptr), CM_SUCCESS);
  ASSERT_EQ(event->WaitForTaskFinished(), CM_SUCCESS);
  EXPECT_REFUSED(device->FlushPrintBufferIntoFile("/dev/full"), CM_FAILURE, "cannot write '/dev/full'");
  // Nothing is lost by that.
  std::string path = testing::TempDir() + "pocm-talk-" + std::to_string(getpid()), line;
  ASSERT_EQ(device->FlushPrintBufferIntoFile(path.c_str()), CM_SUCCESS);
  std::ifstream written(path);
  EXPECT_TRUE(std::getline(written, line));
  EXPECT_EQ(line, "hello");
  EXPECT_FALSE(std::getline(written, line));
  std::remove(path.c_str());
  EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
}

} // namespace
