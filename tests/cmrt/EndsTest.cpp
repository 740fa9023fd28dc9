// What ends badly, or early: faults of kernels, endless ones, objects that are gone, memory that is taken back, forks,
// exits. The process and its other work go on, and the failed task is failed everywhere.
#include "HostApi.h"
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <filesystem>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" INT CMRT_Enqueue(CmQueue *queue, CmTask *task, CmEvent **event, const CmThreadSpace *space);

namespace {

using namespace test;
using namespace std::chrono_literals;

constexpr const char *endsSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void count(SurfaceIndex out, uint n) {   // counts up to n, slowly, at each thread's place
  vector<uint, 8> v = 0;
  for (uint i = 0; i < n; i++) {
    read(out, get_thread_origin_x() * 32, v);
    v += 1;
    write(out, get_thread_origin_x() * 32, v);
  }
}
extern "C" _GENX_MAIN_ void mix(SurfaceIndex out, uint n) {     // keeps all registers busy
  vector<float, 256> v;
  for (int i = 0; i < 256; i++)
    v(i) = i;
  for (uint i = 0; i < n; i++) {
    v = v * 0.75f + 1.0f;
    v.select<128, 2>(0) += v.select<128, 2>(1) * 0.125f;
  }
  for (int i = 0; i < 8; i++)
    write(out, i * 128, v.select<32, 1>(i * 32));
}
extern "C" _GENX_MAIN_ void late(svmptr_t where, uint n) {      // faults after a while
  vector<uint, 8> v = 1;
  for (uint i = 0; i < n; i++)
    v = v * 5 + i;
  cm_svm_block_write(where, v);
}
extern "C" _GENX_MAIN_ void poke(svmptr_t where, uint n) {      // the same by address
  vector<uint, 8> v = 0;
  for (uint i = 0; i < n; i++) {
    cm_svm_block_read(where, v);
    v += 1;
    cm_svm_block_write(where, v);
  }
}
extern "C" _GENX_MAIN_ void pokeAt(svmptr_t where, uint x) {    // one thread only
  if (get_thread_origin_x() == x) {
    vector<uint, 8> v = 1;
    cm_svm_block_write(where, v);
  }
}
extern "C" _GENX_MAIN_ void cached(svmptr_t where) {           // by a message to the load/store cache
  vector<uint, 8> v = cm_ptr_load<uint, 8>((uint *)where, 0);
  cm_ptr_store<uint, 8>((uint *)where, 32, v + 1);
}
extern "C" _GENX_MAIN_ void group(svmptr_t where) {
  cm_slm_init(64);
  cm_barrier();
  if (cm_linear_group_id() == 2) {
    vector<uint, 8> v = 1;
    cm_svm_block_write(where, v);
  }
  cm_barrier();
}
extern "C" _GENX_MAIN_ void large(SurfaceIndex out, uint n) {   // with more variables than a small stack has room for
  uint table[25000];
  for (uint i = 0; i < n; i++)
    table[i * 7 % 25000] = i;
  vector<uint, 8> v = table[n];
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void divide(SurfaceIndex out, float a, float b) {
  vector<float, 8> v = a / b;
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void copy(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 8, 32> m;
  read(in, get_thread_origin_x() * 32, get_thread_origin_y() * 8, m);
  write(out, get_thread_origin_x() * 32, get_thread_origin_y() * 8, m);
}
)";

#if __has_feature(thread_sanitizer)
constexpr bool underThreadSanitizer = true;
#else
constexpr bool underThreadSanitizer = false;
#endif

#if __has_feature(address_sanitizer)
constexpr bool underAddressSanitizer = true;
#else
constexpr bool underAddressSanitizer = false;
#endif

class Ends : public HostApi {
protected:
  void SetUp() override {
    HostApi::SetUp();
    static const std::vector<std::uint8_t> file = compiled("ends.cpp", endsSource);
    ends = load(file);
  }
  CmThreadSpace *space(UINT width, UINT height) {
    CmThreadSpace *s = nullptr;
    EXPECT_EQ(device->CreateThreadSpace(width, height, s), CM_SUCCESS);
    return s;
  }
  template <class... T> CmKernel *with(const char *name, const T &...arguments) {
    CmKernel *k = kernel(ends, name);
    UINT i = 0;
    auto set = [&](auto &argument) { EXPECT_EQ(k->SetKernelArg(i++, sizeof(argument), &argument), CM_SUCCESS); };
    (set(arguments), ...);
    return k;
  }
  CmEvent *launch(CmKernel *k, UINT width = 1) {
    CmEvent *e = nullptr;
    CmThreadSpace *s = space(width, 1);
    CmTask *t = task(k);
    EXPECT_EQ(queue->Enqueue(t, e, s), CM_SUCCESS) << PocmLastError();
    device->DestroyTask(t);
    device->DestroyThreadSpace(s);
    return e;
  }
  /// The failed task is failed wherever one asks, and the queue goes on.
  void expectFailed(CmEvent *e, const char *words) {
    EXPECT_REFUSED(e->WaitForTaskFinished(), CM_TASK_MEDIA_RESET, words);
    CM_STATUS status = CM_STATUS_QUEUED;
    EXPECT_EQ(e->GetStatus(status), CM_SUCCESS);
    EXPECT_EQ(status, CM_STATUS_RESET);
    UINT64 time = 0;
    EXPECT_REFUSED(e->GetExecutionTime(time), CM_TASK_MEDIA_RESET, words);
    CmBuffer *b = buffer(32);
    std::uint32_t values[8] = {};
    EXPECT_REFUSED(b->ReadSurface(reinterpret_cast<unsigned char *>(values), e), CM_TASK_MEDIA_RESET, words);
    EXPECT_EQ(launch(with("count", *index(b), 3u))->WaitForTaskFinished(), CM_SUCCESS);
    EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr), CM_SUCCESS);
    EXPECT_EQ(values[0], 3u);
  }
  static constexpr std::uint32_t endless = ~0u; // at about a nanosecond each, seconds
  static constexpr std::uint32_t rounds = 50'000'000;
  CmProgram *ends = nullptr;
};

//===- Waiting -----------------------------------------------------------------===//

TEST_F(Ends, twoHostThreadsThatReadOneSurfaceBothWait) {
  for (int round = 0; round < 5; ++round) {
    CmBuffer *b = buffer(32);
    constexpr std::uint32_t n = 20'000'000;
    launch(with("count", *index(b), n), 1);
    std::uint32_t seen[2][8] = {};
    std::thread hosts[2];
    for (int h = 0; h < 2; ++h)
      hosts[h] = std::thread([&, h] { b->ReadSurface(reinterpret_cast<unsigned char *>(seen[h]), nullptr); });
    for (auto &h : hosts)
      h.join();
    EXPECT_EQ(seen[0][0], n);
    EXPECT_EQ(seen[1][0], n);
    device->DestroySurface(b);
  }
}

TEST_F(Ends, waitingKeepsItsLimitWhateverTheLaunchesSize) {
  CmBuffer *b = buffer(32 * 100);
  for (UINT width : {1u, 10u, 100u}) {
    CmEvent *e = launch(with("count", *index(b), underThreadSanitizer ? rounds : endless), width);
    EXPECT_EQ(e->WaitForTaskFinished(5), CM_EXCEED_MAX_TIMEOUT);
  }
}

// A host thread that runs what it waits for leaves it at the end of its time, and another goes on: with every register.
TEST_F(Ends, whatAHostThreadHasLeftGoesOn) {
  CmBuffer *b = buffer(4096);
  auto run = [&](std::uint32_t n, std::uint32_t limit) {
    CmEvent *e = launch(with("mix", *index(b), n));
    INT code = e->WaitForTaskFinished(limit);
    std::vector<float> values(256);
    EXPECT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS) << PocmLastError();
    EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values.data()), nullptr, 1024), CM_SUCCESS);
    EXPECT_EQ(queue->DestroyEvent(e), CM_SUCCESS);
    return std::pair(code, values);
  };
  int left = 0;
  for (std::uint32_t round = 0; round < 40; ++round) {
    std::uint32_t n = 200'000 + round * 10'000;
    auto [late, values] = run(n, 1 + round % 3);
    left += late == CM_EXCEED_MAX_TIMEOUT;
    if (late == CM_EXCEED_MAX_TIMEOUT || round == 0)
      EXPECT_EQ(values, run(n, DWORD(-1)).second);
  }
  EXPECT_GT(left, 0);
}

TEST_F(Ends, whatAHostThreadHasLeftMayFault) {
  for (int round = 0; round < 5; ++round) {
    CmEvent *e = launch(with("late", std::uint64_t(64), rounds));
    EXPECT_EQ(e->WaitForTaskFinished(1), CM_EXCEED_MAX_TIMEOUT);
    expectFailed(e, "kernel 'late', thread (0, 0) writes the address 0x40");
  }
}

TEST_F(Ends, limitsAreKeptWhereSignalsAreBlocked) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  CmBuffer *b = buffer(32);
  CmEvent *e = launch(with("count", *index(b), rounds));
  INT code = e->WaitForTaskFinished(5);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(code, CM_EXCEED_MAX_TIMEOUT);
}

TEST_F(Ends, aHostThreadWithASmallStackWaits) {
  CmBuffer *b = buffer(32);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, underAddressSanitizer ? 1u << 18 : 1u << 16);
  struct State {
    CmEvent *event;
    INT code;
  } state{launch(with("large", *index(b), 3u)), 0};
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void *p) -> void * {
                  auto &s = *static_cast<State *>(p);
                  s.code = s.event->WaitForTaskFinished();
                  return nullptr;
                },
                &state),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(state.code, CM_SUCCESS);
}

//===- Memory -------------------------------------------------------------------===//

TEST_F(Ends, memoryByAddressOutlivesTheWork) {
  void *address = nullptr;
  CmBufferSVM *svm = nullptr;
  ASSERT_EQ(device->CreateBufferSVM(4096, address, 0, svm), CM_SUCCESS);
  CmEvent *e = launch(with("poke", reinterpret_cast<std::uint64_t>(address), rounds));
  ASSERT_EQ(device->DestroyBufferSVM(svm), CM_SUCCESS);
  CM_STATUS status;
  e->GetStatus(status);
  EXPECT_EQ(status, CM_STATUS_FINISHED); // it was waited for
}

// Every kind of memory: what is destroyed while work has it is there until the work is done.
TEST_F(Ends, destroyingWaitsForTheWork) {
  auto finished = [&](CmEvent *e) {
    CM_STATUS status = CM_STATUS_QUEUED;
    e->GetStatus(status);
    return status == CM_STATUS_FINISHED;
  };
  CmBufferStateless *stateless = nullptr;
  ASSERT_EQ(device->CreateBufferStateless(4096, 0, nullptr, stateless), CM_SUCCESS);
  std::uint64_t address = 0;
  stateless->GetGfxAddress(address);
  CmEvent *e = launch(with("poke", address, rounds));
  ASSERT_EQ(device->DestroyBufferStateless(stateless), CM_SUCCESS);
  EXPECT_TRUE(finished(e));

  // SVM over memory of the application's, which frees it then.
  void *lent = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *given = lent;
  CmBufferSVM *svm = nullptr;
  ASSERT_EQ(device->CreateBufferSVM(4096, given, 0, svm), CM_SUCCESS);
  e = launch(with("poke", reinterpret_cast<std::uint64_t>(lent), rounds));
  ASSERT_EQ(device->DestroyBufferSVM(svm), CM_SUCCESS);
  munmap(lent, 4096);
  EXPECT_TRUE(finished(e));

  lent = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CmSurface2DUP *up = nullptr;
  ASSERT_EQ(device->CreateSurface2DUP(16, 8, CM_SURFACE_FORMAT_A8R8G8B8, lent, up), CM_SUCCESS);
  e = launch(with("count", *index(up), rounds));
  ASSERT_EQ(device->DestroySurface2DUP(up), CM_SUCCESS);
  munmap(lent, 4096);
  EXPECT_EQ(e->WaitForTaskFinished(), CM_SUCCESS) << PocmLastError();
}

TEST_F(Ends, readingAStatelessBufferWaits) {
  CmBufferStateless *stateless = nullptr;
  ASSERT_EQ(device->CreateBufferStateless(4096, 0, nullptr, stateless), CM_SUCCESS);
  std::uint64_t address = 0;
  stateless->GetGfxAddress(address);
  launch(with("poke", address, rounds));
  std::uint32_t values[8] = {};
  ASSERT_EQ(stateless->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr, sizeof(values)), CM_SUCCESS);
  EXPECT_EQ(values[0], rounds);
}

TEST_F(Ends, lentMemoryMayBeFreedWhenItsSurfaceIsDestroyed) {
  auto *memory =
      static_cast<std::uint8_t *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CmBufferUP *up = nullptr;
  ASSERT_EQ(device->CreateBufferUP(4096, memory, up), CM_SUCCESS);
  CmKernel *k = with("count", *index(up), rounds);
  CmEvent *e = launch(k);
  ASSERT_EQ(device->DestroyBufferUP(up), CM_SUCCESS);
  munmap(memory, 4096);
  EXPECT_EQ(e->WaitForTaskFinished(), CM_SUCCESS);
  // The kernel still has it as an argument.
  EXPECT_REFUSED(queue->Enqueue(task(k), e, space(1, 1)), CM_FAILURE, "was destroyed");
}

TEST_F(Ends, aDeviceIsDestroyedWithWorkInFlight) {
  if (underThreadSanitizer) // keeps signals until compiled code has come back, and forked children from having threads
    GTEST_SKIP();
  for (int round = 0; round < 3; ++round) {
    CmDevice *other = nullptr;
    UINT v;
    ASSERT_EQ(CreateCmDevice(other, v), CM_SUCCESS);
    std::swap(device, other);
    CmQueue *q = queue;
    device->CreateQueue(queue);
    CmProgram *p = ends;
    ends = load(compiled("ends.cpp", endsSource));
    void *address = nullptr;
    CmBufferSVM *svm = nullptr;
    ASSERT_EQ(device->CreateBufferSVM(4096, address, 0, svm), CM_SUCCESS);
    launch(with("poke", reinterpret_cast<std::uint64_t>(address), round == 2 ? endless : rounds));
    launch(with("poke", reinterpret_cast<std::uint64_t>(address), rounds));
    ends = p;
    queue = q;
    std::swap(device, other);
    EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
  }
}

//===- Faults -------------------------------------------------------------------===//

TEST_F(Ends, wildPointersFailTheTaskAndNameTheThread) {
  expectFailed(launch(with("pokeAt", std::uint64_t(16), 7u), 10),
               "kernel 'pokeAt', thread (7, 0) writes the address 0x10, where there is no memory");
  expectFailed(launch(with("pokeAt", std::uint64_t(1) << 63, 999u), 3000), "thread (999, 0)");
  expectFailed(launch(with("poke", std::uint64_t(4096), 1u)), "reads the address 0x1000");
  expectFailed(launch(with("cached", std::uint64_t(4096))), "kernel 'cached', thread (0, 0) reads the address 0x1000");
}

TEST_F(Ends, faultsBetweenBarriersNameTheGroup) {
  CmThreadGroupSpace *groups = nullptr;
  ASSERT_EQ(device->CreateThreadGroupSpace(4, 1, 5, 1, groups), CM_SUCCESS);
  CmEvent *e = nullptr;
  ASSERT_EQ(queue->EnqueueWithGroup(task(with("group", std::uint64_t(16))), e, groups), CM_SUCCESS);
  expectFailed(e, "of group (2, 0, 0) writes the address 0x10");
}

TEST_F(Ends, faultsOfThreadsThatOthersWaitFor) {
  CmThreadSpace *wave = space(200, 1);
  ASSERT_EQ(wave->SelectThreadDependencyPattern(CM_HORIZONTAL_WAVE), CM_SUCCESS);
  CmEvent *e = nullptr;
  ASSERT_EQ(queue->Enqueue(task(with("pokeAt", std::uint64_t(16), 50u)), e, wave), CM_SUCCESS);
  expectFailed(e, "thread (50, 0)");
}

TEST_F(Ends, lentMemoryThatIsReadOnlyOrGone) {
  auto *memory =
      static_cast<std::uint8_t *>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CmSurface2DUP *up = nullptr;
  CmSurface2D *s = surface(32, 8);
  ASSERT_EQ(device->CreateSurface2DUP(16, 8, CM_SURFACE_FORMAT_A8R8G8B8, memory, up), CM_SUCCESS);
  ASSERT_EQ(mprotect(memory, 4096, PROT_READ), 0);
  expectFailed(launch(with("copy", *index(s), *index(up))), "which may not be written");
  munmap(memory, 8192);
  expectFailed(launch(with("copy", *index(up), *index(s))), "where there is no memory");
}

std::atomic<int> ownFaults = 0;
sigjmp_buf ownHome;

TEST_F(Ends, theApplicationsOwnFaultsAreItsOwn) {
  if (underThreadSanitizer || underAddressSanitizer) // whose own handlers make reports of faults
    GTEST_SKIP();
  // Handlers that were there before the first device: in a process of its own.
  EXPECT_EXIT(
      {
        struct sigaction own = {};
        own.sa_handler = [](int) {
          ++ownFaults;
          siglongjmp(ownHome, 1);
        };
        own.sa_flags = SA_NODEFER;
        sigaction(SIGSEGV, &own, nullptr);
        // The one that the runtime has installed already goes first; it was installed before ours, so ours is called.
        if (sigsetjmp(ownHome, 1) == 0)
          *reinterpret_cast<volatile int *>(8) = 1;
        _exit(ownFaults == 1 ? 7 : 1);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EXIT(*reinterpret_cast<volatile int *>(8) = 1, testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(raise(SIGSEGV), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(Ends, floatingPointTrapsAndModesAreTheHostsOwn) {
  CmBuffer *b = buffer(32);
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_INEXACT);
  std::fesetround(FE_UPWARD);
  CmKernel *k = kernel(load(compiled("ends.cpp", endsSource)), "divide"); // compiles with traps, too
  float one = 1, zero = 0;
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(b));
  k->SetKernelArg(1, sizeof(float), &one);
  k->SetKernelArg(2, sizeof(float), &zero);
  INT code = launch(k)->WaitForTaskFinished();
  int traps = fegetexcept(), rounding = std::fegetround(), flags = std::fetestexcept(FE_ALL_EXCEPT);
  fedisableexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(code, CM_SUCCESS) << PocmLastError();
  EXPECT_EQ(traps, FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_INEXACT);
  EXPECT_EQ(rounding, FE_UPWARD);
  EXPECT_EQ(flags, 0);
  float values[8] = {};
  b->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr);
  EXPECT_EQ(values[7], HUGE_VALF);
}

// With -g a fault names the line, from the disk cache, too.
TEST_F(Ends, faultsNameTheLine) {
  pocm::CompileOptions options;
  options.file = "wild.cpp";
  options.debugInfo = true;
  options.source = R"(#include <cm/cm.h>
_GENX_ void put(svmptr_t where, vector<uint, 8> v) {
  cm_svm_block_write(where, v);
}
extern "C" _GENX_MAIN_ void wild(svmptr_t where, uint n) {
  vector<uint, 8> v = 0;
  for (uint i = 0; i < n; i++)
    v = v * 3 + i;
  put(where, v);
}
extern "C" _GENX_MAIN_ void edge(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> v;
  read(in, 4080, v);
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void count(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> at = 0, old;
  write_atomic<ATOMIC_INC>(in, at, old);
  write(out, 0, old);
}
)";
  pocm::CompileResult made = pocm::compile(options);
  ASSERT_TRUE(made.ok) << made.diagnostics;
  std::string folder = testing::TempDir() + "pocm-lines-" + std::to_string(getpid());
  setenv("POCM_CACHE_DIR", folder.c_str(), 1);
  for (int round = 0; round < 2; ++round) { // compiled, then kept
    CmDevice *other = nullptr;
    UINT v;
    ASSERT_EQ(CreateCmDevice(other, v), CM_SUCCESS);
    std::swap(device, other);
    CmQueue *q = queue;
    device->CreateQueue(queue);
    CmKernel *k = kernel(load(made.program), "wild");
    std::uint64_t where = 64;
    std::uint32_t n = 3;
    k->SetKernelArg(0, sizeof(where), &where);
    k->SetKernelArg(1, sizeof(n), &n);
    EXPECT_REFUSED(launch(k)->WaitForTaskFinished(), CM_TASK_MEDIA_RESET,
                   "wild.cpp:3: kernel 'wild', thread (0, 0) writes the address 0x40");
    // In functions of the device that the kernel calls: for blocks over the end, and for atomics.
    void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CmBufferUP *up = nullptr;
    ASSERT_EQ(device->CreateBufferUP(4096, memory, up), CM_SUCCESS);
    mprotect(memory, 4096, PROT_NONE); // its place may not be another's
    for (auto [name, words] : {std::pair("edge", "wild.cpp:13: kernel 'edge', thread (0, 0) reads"),
                               std::pair("count", "wild.cpp:18: kernel 'count', thread (0, 0) ")}) {
      k = kernel(load(made.program), name);
      k->SetKernelArg(0, sizeof(SurfaceIndex), index(up));
      k->SetKernelArg(1, sizeof(SurfaceIndex), index(buffer(32)));
      EXPECT_REFUSED(launch(k)->WaitForTaskFinished(), CM_TASK_MEDIA_RESET, words);
    }
    munmap(memory, 4096);
    EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
    device = other;
    queue = q;
  }
  setenv("POCM_CACHE_DIR", "off", 1);
  std::filesystem::remove_all(folder);
}

// What leads out of a variable of the group or of the program touches no neighbour in its block.
TEST_F(Ends, indicesStayInsideVariablesOfGroupsAndPrograms) {
  CmKernel *k = kernel(load(compiled("neighbours.cpp", R"(#include <cm/cm.h>
__global int third[16];
__global int fourth[16];
extern "C" _GENX_MAIN_ void neighbours(SurfaceIndex out, int n) {
  __local int first[16];
  __local int second[16];
  for (int i = 0; i < 16; i++)
    second[i] = first[i] = third[i] = fourth[i] = i;
  first[n] = 100;
  second[n - 32] = 200;
  third[n] = 300;
  fourth[n - 32] = 400;
  vector<int, 64> v;
  for (int i = 0; i < 16; i++) {
    v(i) = first[i];
    v(i + 16) = second[i];
    v(i + 32) = third[i];
    v(i + 48) = fourth[i];
  }
  for (int i = 0; i < 2; i++)
    write(out, i * 128, v.select<32, 1>(i * 32));
}
)")),
                       "neighbours");
  CmBuffer *b = buffer(256);
  std::int32_t n = 18, values[64] = {};
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(b));
  k->SetKernelArg(1, sizeof(n), &n);
  EXPECT_EQ(launch(k)->WaitForTaskFinished(), CM_SUCCESS) << PocmLastError();
  EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr), CM_SUCCESS);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[i], i % 16 == 15 ? 100 * (i / 16 + 1) : i % 16) << i; // the last element is what was meant
}

// Nor does it when the variable is chosen while the kernel runs, in a loop, too.
TEST_F(Ends, indicesStayInsideVariablesThatAreChosen) {
  CmKernel *k = kernel(load(compiled("chosen.cpp", R"(#include <cm/cm.h>
__global int third[16];
__global int fourth[8];
extern "C" _GENX_MAIN_ void chosen(SurfaceIndex out, int n, int which) {
  __local int first[16];
  __local int second[8];
  for (int i = 0; i < 16; i++)
    first[i] = third[i] = i;
  for (int i = 0; i < 8; i++)
    second[i] = fourth[i] = i;
  __local int *l = which ? second : first;
  __global int *g = which ? fourth : third;
  l[n] = 100;
  g[n] = 200;
  __local int *walk = first;
  for (int i = 0; i < which; i++)
    walk = walk == first ? second : first;
  walk[n - 64] = 300;
  vector<int, 48> v;
  for (int i = 0; i < 16; i++) {
    v(i) = first[i];
    v(i + 16) = third[i];
  }
  for (int i = 0; i < 8; i++) {
    v(i + 32) = second[i];
    v(i + 40) = fourth[i];
  }
  write(out, 0, v.select<16, 1>(0));
  write(out, 64, v.select<32, 1>(16));
}
)")),
                       "chosen");
  CmBuffer *b = buffer(192);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(b));
  for (std::int32_t which : {0, 1})
    for (std::int32_t n : {18, 24, 1000, -1, -16, -100}) {
      std::int32_t values[48] = {};
      k->SetKernelArg(1, sizeof(n), &n);
      k->SetKernelArg(2, sizeof(which), &which);
      EXPECT_EQ(launch(k)->WaitForTaskFinished(), CM_SUCCESS) << PocmLastError();
      EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr), CM_SUCCESS);
      for (int i = 0; i < 48; ++i) {
        const bool large = i < 32;
        const std::int32_t place = large ? i % 16 : i % 8;
        if (large == !which && values[i] != place) // what was meant for another place; for which is not promised
          EXPECT_TRUE(values[i] == 100 || values[i] == 200 || values[i] == 300) << i << ": " << values[i];
        else
          EXPECT_EQ(values[i], place) << i << ", index " << n << " of variable " << which;
      }
    }
}

// A failed assertion fails its task, whether or not the application reads what is printed; later ones are not blamed.
TEST_F(Ends, assertions) {
  pocm::CompileOptions options;
  options.file = "assertions.cpp";
  options.assertions = true;
  options.source = R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void check(SurfaceIndex out, int n) {
  cm_assert(n < 5);
  vector<int, 8> v = n;
  write(out, 0, v);
}
)";
  pocm::CompileResult made = pocm::compile(options);
  ASSERT_TRUE(made.ok) << made.diagnostics;
  CmProgram *p = load(made.program);
  CmBuffer *b = buffer(32);
  for (bool printing : {false, true}) {
    if (printing)
      ASSERT_EQ(device->InitPrintBuffer(1u << 16), CM_SUCCESS);
    CmKernel *k = kernel(p, "check");
    k->SetKernelArg(0, sizeof(SurfaceIndex), index(b));
    for (int n : {7, 3}) {
      k->SetKernelArg(1, sizeof(n), &n);
      CmEvent *e = launch(k, 3);
      if (n < 5)
        EXPECT_EQ(e->WaitForTaskFinished(), CM_SUCCESS) << PocmLastError();
      else
        expectFailed(e, "kernel 'check': assertions.cpp:3: assertion failed: n < 5, thread (");
    }
  }
}

//===- Endless kernels ------------------------------------------------------------===//

TEST(EndlessKernels, end) {
  if (underThreadSanitizer) // keeps signals until compiled code has come back, and forked children from having threads
    GTEST_SKIP();
  setenv("POCM_TIMEOUT", "0.2", 1);
  CmDevice *device = nullptr;
  UINT version;
  ASSERT_EQ(CreateCmDevice(device, version), CM_SUCCESS);
  unsetenv("POCM_TIMEOUT");
  CmQueue *queue = nullptr;
  device->CreateQueue(queue);
  auto file = compiled("endless.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void endless(SurfaceIndex out, uint never) {
  vector<uint, 8> v = 1;
  while (v(0) != never)
    read(out, 0, v);
}
extern "C" _GENX_MAIN_ void endlessGroup(SurfaceIndex out, uint never) {
  cm_slm_init(64);
  vector<uint, 8> v = 1;
  while (v(0) != never) {
    read(out, 0, v);
    cm_barrier();
  }
}
)");
  CmProgram *program = nullptr;
  ASSERT_EQ(device->LoadProgram(file.data(), UINT(file.size()), program), CM_SUCCESS);
  CmBuffer *b = nullptr;
  device->CreateBuffer(32, b);
  SurfaceIndex *i = nullptr;
  b->GetIndex(i);
  for (const char *name : {"endless", "endlessGroup"})
    for (UINT width : {1u, 1000u}) {
      CmKernel *k = nullptr;
      ASSERT_EQ(device->CreateKernel(program, name, k), CM_SUCCESS);
      std::uint32_t never = 5;
      k->SetKernelArg(0, sizeof(*i), i);
      k->SetKernelArg(1, sizeof(never), &never);
      k->SetThreadCount(width);
      k->SetKernelArg(0, sizeof(*i), i);
      k->SetKernelArg(1, sizeof(never), &never);
      CmTask *t = nullptr;
      device->CreateTask(t);
      t->AddKernel(k);
      CmEvent *e = nullptr;
      ASSERT_EQ(queue->Enqueue(t, e), CM_SUCCESS);
      EXPECT_REFUSED(e->WaitForTaskFinished(DWORD(-1)), CM_TASK_MEDIA_RESET, "longer than the limit of 0.2");
    }
  EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
}

//===- Objects that are gone --------------------------------------------------------===//

TEST_F(Ends, deadAndForeignObjectsAreRefused) {
  CmDevice *other = nullptr;
  UINT v;
  ASSERT_EQ(CreateCmDevice(other, v), CM_SUCCESS);
  CmBuffer *b = buffer(64), *deadBuffer = buffer(64), *foreignBuffer = nullptr;
  CmSurface2D *s = surface(8, 8), *deadSurface = surface(8, 8), *foreignSurface = nullptr;
  other->CreateBuffer(64, foreignBuffer);
  other->CreateSurface2D(8, 8, CM_SURFACE_FORMAT_A8R8G8B8, foreignSurface);
  CmKernel *k = with("count", *index(b), 1u), *deadKernel = with("count", *index(b), 1u), *clone = nullptr;
  CmTask *t = task(k), *deadTask = task(k), *ofDead = task(deadKernel), *foreignTask = nullptr;
  other->CreateTask(foreignTask);
  CmThreadSpace *sp = space(1, 1), *deadSpace = space(1, 1), *foreignSpace = nullptr;
  other->CreateThreadSpace(1, 1, foreignSpace);
  CmThreadGroupSpace *deadGroups = nullptr;
  device->CreateThreadGroupSpace(1, 1, 1, 1, deadGroups);
  CmEvent *deadEvent = launch(k);
  SurfaceIndex *deadIndex = index(deadBuffer), *alias = nullptr;
  CmSampler *sampler = nullptr;
  SamplerIndex *deadSampler = nullptr;
  ASSERT_EQ(device->CreateSampler({CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_ADDRESS_WRAP,
                                   CM_TEXTURE_ADDRESS_WRAP, CM_TEXTURE_ADDRESS_WRAP},
                                  sampler),
            CM_SUCCESS);
  sampler->GetIndex(deadSampler);
  auto gone = [](auto object, auto destroy) {
    auto copy = object;
    EXPECT_EQ(destroy(copy), CM_SUCCESS);
    return object;
  };
  gone(deadBuffer, [&](auto &o) { return device->DestroySurface(o); });
  gone(deadSurface, [&](auto &o) { return device->DestroySurface(o); });
  gone(deadKernel, [&](auto &o) { return device->DestroyKernel(o); });
  gone(deadTask, [&](auto &o) { return device->DestroyTask(o); });
  gone(deadSpace, [&](auto &o) { return device->DestroyThreadSpace(o); });
  gone(deadGroups, [&](auto &o) { return device->DestroyThreadGroupSpace(o); });
  deadEvent->WaitForTaskFinished();
  gone(deadEvent, [&](auto &o) { return queue->DestroyEvent(o); });
  gone(sampler, [&](auto &o) { return device->DestroySampler(o); });
  alignas(16) unsigned char bytes[256] = {};
  CmEvent *e = nullptr;

  for (CmTask *which : {deadTask, foreignTask}) {
    EXPECT_REFUSED(queue->Enqueue(which, e, sp), CM_INVALID_ARG_VALUE, "the task is null or none of this device");
    EXPECT_REFUSED(queue->EnqueueWithHints(which, e, 0), CM_INVALID_ARG_VALUE, "none of this device");
    EXPECT_REFUSED(CMRT_Enqueue(queue, which, &e, sp), CM_INVALID_ARG_VALUE, "none of this device");
  }
  EXPECT_REFUSED(queue->Enqueue(ofDead, e, sp), CM_INVALID_ARG_VALUE, "kernel 0 of the task is destroyed");
  for (CmThreadSpace *which : {deadSpace, foreignSpace}) {
    CmThreadSpace *copy = which;
    EXPECT_REFUSED(queue->Enqueue(t, e, which), CM_INVALID_THREAD_SPACE, "the thread space is none of this device");
    EXPECT_REFUSED(k->AssociateThreadSpace(copy), CM_INVALID_ARG_VALUE, "is none of this device");
  }
  EXPECT_REFUSED(queue->EnqueueWithGroup(t, e, deadGroups), CM_INVALID_THREAD_GROUP_SPACE, "is none of this device");
  EXPECT_REFUSED(k->AssociateThreadGroupSpace(deadGroups), CM_INVALID_ARG_VALUE, "group space is none of this device");
  EXPECT_REFUSED(t->AddKernel(deadKernel), CM_INVALID_ARG_VALUE, "the kernel is null or none of this device");
  EXPECT_REFUSED(sp->AssociateThread(0, 0, deadKernel, 0), CM_INVALID_ARG_VALUE, "none of this device");
  EXPECT_REFUSED(device->CloneKernel(clone, deadKernel), CM_NULL_POINTER, "none of this device");
  EXPECT_REFUSED(b->ReadSurface(bytes, deadEvent, 64), CM_INVALID_ARG_VALUE, "the event is not one of this device");
  EXPECT_REFUSED(k->SetKernelArg(0, sizeof(SurfaceIndex), deadIndex), CM_FAILURE, "there is no surface with index");
  EXPECT_REFUSED(device->DestroySamplerSurface(deadIndex), CM_FAILURE, "not that of a sampler surface");
  EXPECT_EQ(deadSampler->get_data(), 1u); // may be asked, and names nothing
  for (CmSurface2D *which : {deadSurface, foreignSurface}) {
    EXPECT_REFUSED(queue->EnqueueCopyCPUToGPU(which, bytes, e), CM_GPUCOPY_INVALID_SURFACES, "none of this device");
    EXPECT_REFUSED(queue->EnqueueCopyGPUToCPU(which, bytes, e), CM_GPUCOPY_INVALID_SURFACES, "none of this device");
    EXPECT_REFUSED(queue->EnqueueCopyGPUToGPU(which, s, 0, e), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(queue->EnqueueCopyGPUToGPU(s, which, 0, e), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(queue->EnqueueInitSurface2D(which, 0, e), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(device->CreateSurface2DAlias(which, alias), CM_NULL_POINTER, "none of this device");
    EXPECT_REFUSED(device->CreateSamplerSurface2D(which, alias), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(device->CreateSamplerSurface2DEx(which, alias, nullptr), CM_INVALID_ARG_VALUE,
                   "none of this device");
  }
  for (CmBuffer *which : {deadBuffer, foreignBuffer}) {
    EXPECT_REFUSED(device->CreateBufferAlias(which, alias), CM_NULL_POINTER, "none of this device");
    EXPECT_REFUSED(queue->EnqueueReadBuffer(which, 0, bytes, 64, nullptr, e, 0), CM_GPUCOPY_OUT_OF_RESOURCE,
                   "none of this device");
  }
  EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
  EXPECT_EQ(launch(k)->WaitForTaskFinished(), CM_SUCCESS);
}

TEST_F(Ends, moreSurfacesThanAKernelMayHave) {
  auto kernelOf = [&](UINT count) {
    CmKernel *k = nullptr;
    CmProgram *p =
        load(compiled("many.cpp", ("#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void many(vector<SurfaceIndex, " +
                                   std::to_string(count) + "> s) { vector<int, 8> v = 1; write(s(0), 0, v); }")
                                      .c_str()));
    INT code = device->CreateKernel(p, "many", k);
    return std::pair(code, k);
  };
  EXPECT_EQ(kernelOf(245).first, CM_EXCEED_SURFACE_AMOUNT) << PocmLastError();
  auto [code, k] = kernelOf(244);
  ASSERT_EQ(code, CM_SUCCESS) << PocmLastError();
  // One more, in a slot that an argument has.
  EXPECT_REFUSED(k->SetSurfaceBTI(index(buffer(64)), 8), CM_EXCEED_SURFACE_AMOUNT, "more than 244 surfaces");
  auto [more, none] = kernelOf(300);
  EXPECT_EQ(more, CM_EXCEED_SURFACE_AMOUNT);
  EXPECT_EQ(none, nullptr);
  std::string arguments = "#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void args(int a0";
  for (int i = 1; i < 256; ++i)
    arguments += ", int a" + std::to_string(i);
  CmProgram *p = load(compiled("args.cpp", (arguments + ") {}").c_str()));
  EXPECT_REFUSED(device->CreateKernel(p, "args", k), CM_EXCEED_KERNEL_ARG_AMOUNT, "has 256 arguments; at most 255");
}

TEST_F(Ends, launchesThatCannotBeCounted) {
  CmThreadGroupSpace *groups = nullptr;
  ASSERT_EQ(device->CreateThreadGroupSpace(16, 1, 1u << 29, 1, groups), CM_SUCCESS);
  CmEvent *e = nullptr;
  CmBuffer *b = buffer(64);
  EXPECT_REFUSED(queue->EnqueueWithGroup(task(with("count", *index(b), 1u)), e, groups),
                 CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE, "threads a side");
  CmThreadSpace *large = space(65536, 65536);
  EXPECT_REFUSED(large->AssociateThread(0, 0, kernel(ends, "count"), 0), CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE,
                 "associated one by one");
}

// What 16 million threads wait for is computed, not listed.
TEST_F(Ends, wavesOfManyThreadsTakeLittleMemory) {
  CmProgram *p = load(compiled("wave.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void wave(SurfaceIndex out) {   // counts its column, after the one to the upper right
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  if (x % 512 == 511) {
    vector<uint, 4> mine = 0, other;
    if (y > 0) {
      read(out, ((x + 1) % 4096 / 512) * 16, other);
      read(out, (x / 512) * 16, mine);
    }
    mine += 1;
    write(out, (x / 512) * 16, mine);
  }
}
)"));
  CmKernel *k = kernel(p, "wave");
  CmBuffer *b = buffer(16 * 8);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(b));
  CmThreadSpace *s = space(4096, 4096);
  ASSERT_EQ(s->SelectThreadDependencyPattern(CM_WAVEFRONT26), CM_SUCCESS);
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  CmEvent *e = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), e, s), CM_SUCCESS);
  ASSERT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 200 * 1024); // kilobytes
  if (!underThreadSanitizer && !underAddressSanitizer)
    EXPECT_LT(after.ru_utime.tv_sec - before.ru_utime.tv_sec, 5); // half a second, of all host threads
  std::uint32_t counts[32] = {};
  ASSERT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(counts), nullptr), CM_SUCCESS);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(counts[i * 4], 4096u) << i;
}

//===- Views -----------------------------------------------------------------------------===//

TEST_F(Ends, viewsThatLeaveTheirSurface) {
  CmSurface2D *row = surface(8, 1), *planes = nullptr, *s = surface(64, 64);
  EXPECT_REFUSED(row->SetProperty(CM_BOTTOM_FIELD), CM_INVALID_ARG_VALUE, "has no such field");
  EXPECT_EQ(row->SetProperty(CM_TOP_FIELD), CM_SUCCESS);
  ASSERT_EQ(device->CreateSurface2D(64, 64, CM_SURFACE_FORMAT_NV12, planes), CM_SUCCESS);
  CM_SURFACE2D_STATE_PARAM state{};
  state.width = 32;
  EXPECT_REFUSED(planes->SetSurfaceStateParam(nullptr, &state), CM_SURFACE_FORMAT_NOT_SUPPORTED, "with planes");
  state.surface_y_offset = ~0u;
  state.pitch = ~0u;
  EXPECT_REFUSED(s->SetSurfaceStateParam(nullptr, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  state = {};
  state.height = 1u << 21;
  state.depth = 2048;
  EXPECT_REFUSED(s->SetSurfaceStateParam(nullptr, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  state = {};
  state.surface_x_offset = 65;
  EXPECT_REFUSED(s->SetSurfaceStateParam(nullptr, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  EXPECT_EQ(launch(with("copy", *index(s), *index(row)), 100)->WaitForTaskFinished(), CM_SUCCESS);
}

// Whatever is called in whatever order: kernels touch nothing around the memory of a surface. The surfaces lie over
// memory between pages that may not be touched; under AddressSanitizer those of the library are watched as well.
TEST_F(Ends, randomSequencesOfViews) {
  if (underThreadSanitizer) // the threads of a launch read what others write
    GTEST_SKIP();
  constexpr const char *text = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void all(SurfaceIndex in, SurfaceIndex out) {
  int x = int(get_thread_origin_x()) * 24 - 40, y = int(get_thread_origin_y()) * 6 - 10;
  matrix<uchar, 8, 32> m, u;
  read(in, x, y, m);
  read_plane(in, GENX_SURFACE_UV_PLANE, x, y, u);
  m += u;
  write(out, x, y, m);
  write_plane(out, GENX_SURFACE_UV_PLANE, x, y, u);
  vector<uint, 8> v;
  read(in, (y * 64 + x) * 16, v);
  write(out, (y * 64 + x) * 16, v);
}
)";
  CmProgram *p = load(compiled("views.cpp", text));
  CmKernel *k = kernel(p, "all");
  CmThreadSpace *s = space(8, 20);
  constexpr std::size_t page = 4096, most = 16 * page;
  auto *room = static_cast<std::uint8_t *>(
      mmap(nullptr, most + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(room, page, PROT_NONE);
  mprotect(room + page + most, page, PROT_NONE);
  std::minstd_rand random(1);
  auto below = [&](UINT n) { return UINT(random() % n); };
  constexpr CM_SURFACE_FORMAT formats[] = {CM_SURFACE_FORMAT_A8R8G8B8, CM_SURFACE_FORMAT_NV12, CM_SURFACE_FORMAT_YV12,
                                           CM_SURFACE_FORMAT_R16_UINT, CM_SURFACE_FORMAT_P208, CM_SURFACE_FORMAT_I420};
  int accepted = 0;
  for (int round = 0; round < 200; ++round) {
    CM_SURFACE_FORMAT format = formats[below(6)];
    UINT width = 2 * (1 + below(32)), height = 2 * (1 + below(24)), pitch = 0, bytes = 0;
    if (format == CM_SURFACE_FORMAT_A8R8G8B8 || format == CM_SURFACE_FORMAT_R16_UINT)
      height -= below(2);
    ASSERT_EQ(device->GetSurface2DInfo(width, height, format, pitch, bytes), CM_SUCCESS);
    ASSERT_LE(bytes, most);
    CmSurface2DUP *up = nullptr;
    CmSurface2D *own = nullptr;
    // As near to one of the pages as the rule of whole pages lets it.
    std::uint8_t *at = below(2) ? room + page : room + page + most - (bytes + page - 1) / page * page;
    ASSERT_EQ(device->CreateSurface2DUP(width, height, format, at, up), CM_SUCCESS);
    ASSERT_EQ(device->CreateSurface2D(width, height, format, own), CM_SUCCESS);
    SurfaceIndex *indices[3] = {index(up), index(own), index(own)};
    for (int step = 0; step < 6; ++step) {
      CM_SURFACE2D_STATE_PARAM state{};
      auto size = [&](UINT around) { return below(8) ? below(2 * around) : UINT(random()) << below(4); };
      switch (below(4)) {
      case 0:
        accepted += up->SetProperty(CM_FRAME_TYPE(below(3))) == CM_SUCCESS;
        break;
      case 1:
        accepted += own->SetProperty(CM_FRAME_TYPE(below(3))) == CM_SUCCESS;
        break;
      case 2:
        device->CreateSurface2DAlias(own, indices[2]);
        if (!indices[2])
          indices[2] = index(own);
        break;
      default:
        if (below(2))
          state.format = formats[below(4)];
        state.width = below(2) ? size(width) : 0;
        state.height = below(2) ? size(height) : 0;
        state.pitch = below(2) ? size(pitch) : 0;
        state.depth = below(4) ? 0 : below(5);
        state.surface_x_offset = below(2) ? size(width) : 0;
        state.surface_y_offset = below(2) ? size(height) : 0;
        accepted += own->SetSurfaceStateParam(indices[1 + below(2)], &state) == CM_SUCCESS;
      }
    }
    ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), indices[below(3)]), CM_SUCCESS);
    ASSERT_EQ(k->SetKernelArg(1, sizeof(SurfaceIndex), indices[below(3)]), CM_SUCCESS);
    CmEvent *e = nullptr;
    CmTask *t = task(k);
    ASSERT_EQ(queue->Enqueue(t, e, s), CM_SUCCESS) << PocmLastError();
    ASSERT_EQ(e->WaitForTaskFinished(), CM_SUCCESS) << round << ": " << PocmLastError();
    device->DestroyTask(t);
    device->DestroySurface2DUP(up);
    device->DestroySurface(own);
  }
  EXPECT_GT(accepted, 100);
  munmap(room, most + 2 * page);
}

//===- Forks and exits -----------------------------------------------------------------===//

/// How a forked child that runs `body` ends; -1 when it does not within a minute.
template <class Body> int childOf(Body body) {
  pid_t child = fork();
  if (child == 0)
    body();
  for (int i = 0; i < 6000; ++i) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    std::this_thread::sleep_for(10ms);
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return -1;
}

TEST_F(Ends, forkedChildren) {
  if (underThreadSanitizer) // keeps signals until compiled code has come back, and forked children from having threads
    GTEST_SKIP();
  CmBuffer *b = buffer(32);
  CmEvent *e = launch(with("count", *index(b), rounds));
  EXPECT_EQ(childOf([] { exit(3); }), 3);
  EXPECT_EQ(childOf([] { execl("/bin/true", "true", nullptr); }), 0);
  EXPECT_EQ(childOf([&] {
              CM_STATUS status;
              INT code = e->WaitForTaskFinished();
              e->GetStatus(status);
              _exit(code == CM_TASK_MEDIA_RESET && status == CM_STATUS_RESET ? 0 : 1);
            }),
            0);
  EXPECT_EQ(childOf([&] {
              if (DestroyCmDevice(device) == CM_SUCCESS) // that of the parent
                _exit(1);
              if (CreateCmDevice(device, version) != CM_SUCCESS || device->CreateQueue(queue) != CM_SUCCESS)
                _exit(2);
              ends = load(compiled("ends.cpp", endsSource));
              CmBuffer *mine = buffer(32);
              launch(with("count", *index(mine), 5u));
              std::uint32_t values[8] = {};
              mine->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr);
              exit(values[0] == 5 && DestroyCmDevice(device) == CM_SUCCESS ? 0 : 3);
            }),
            0);
  EXPECT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS);
}

TEST_F(Ends, exitWhileOthersLaunchAndCompile) {
  if (underThreadSanitizer) // keeps signals until compiled code has come back, and forked children from having threads
    GTEST_SKIP();
  auto file = compiled("ends.cpp", endsSource);
  for (int round = 0; round < 4; ++round)
    EXPECT_EQ(childOf([&] {
                CreateCmDevice(device, version);
                device->CreateQueue(queue);
                ends = load(file);
                CmBuffer *b = buffer(3200);
                for (int h = 0; h < 3; ++h)
                  std::thread([&, h] {
                    for (;;)
                      if (h)
                        launch(with("count", *index(b), 1000u), 100)->WaitForTaskFinished();
                      else
                        kernel(load(file), "copy");
                  }).detach();
                launch(with("count", *index(b), endless));
                std::this_thread::sleep_for(std::chrono::milliseconds(60 * round));
                alarm(15); // what nobody waits for may go on for a second; compilations for ten
                exit(0);
              }),
              0)
        << round;
}

// cm-codegen is a child that a host may know nothing of, whatever it does with its own.
TEST_F(Ends, codeIsMadeWhateverTheHostDoesWithChildrenAndSignals) {
  if (underThreadSanitizer) // keeps forked children from having threads
    GTEST_SKIP();
  auto file = compiled("ends.cpp", endsSource);
  const std::pair<const char *, std::function<void()>> states[] = {
      {"children are ignored", [] { signal(SIGCHLD, SIG_IGN); }},
      {"another thread waits for all children",
       [] {
         std::thread([] {
           for (;;)
             if (waitpid(-1, nullptr, 0) < 0)
               std::this_thread::sleep_for(100us);
         }).detach();
       }},
      {"signals interrupt",
       [] {
         struct sigaction nothing = {};
         nothing.sa_handler = [](int) {};
         sigaction(SIGALRM, &nothing, nullptr);
         itimerval often{{0, 500}, {0, 500}};
         setitimer(ITIMER_REAL, &often, nullptr);
       }},
      {"signals are blocked",
       [] {
         sigset_t all;
         sigfillset(&all);
         pthread_sigmask(SIG_SETMASK, &all, nullptr);
       }},
      {"standard files are closed", [] { close(0), close(1), close(2); }},
      {"files may not grow",
       [] {
         rlimit none{0, 0};
         setrlimit(RLIMIT_FSIZE, &none);
       }},
  };
  for (auto &[name, enter] : states)
    EXPECT_EQ(childOf([&] {
                enter();
                CmKernel *k = nullptr;
                if (CreateCmDevice(device, version) != CM_SUCCESS)
                  _exit(1);
                ends = load(file);
                if (device->CreateKernel(ends, "count", k) != CM_SUCCESS || DestroyCmDevice(device) != CM_SUCCESS)
                  _exit(2);
                _exit(0);
              }),
              0)
        << name;
}

//===- Without memory ----------------------------------------------------------------------===//

/// Kernels from the disk cache, and devices, while there is no more than so much memory for what they need.
TEST_F(Ends, linkingWithoutMemory) {
  if (underThreadSanitizer || underAddressSanitizer) // which take all addresses
    GTEST_SKIP();
  const std::string folder = testing::TempDir() + "pocm-no-memory-" + std::to_string(getpid());
  setenv("POCM_CACHE_DIR", folder.c_str(), 1);
  auto file = compiled("ends.cpp", endsSource);
  auto limited = [](std::size_t left, auto call) {
    std::ifstream pages("/proc/self/statm");
    std::size_t used = 0;
    pages >> used;
    rlimit before, now;
    getrlimit(RLIMIT_AS, &before);
    now = before;
    now.rlim_cur = used * std::size_t(sysconf(_SC_PAGESIZE)) + left;
    setrlimit(RLIMIT_AS, &now);
    INT code = call();
    setrlimit(RLIMIT_AS, &before);
    return code;
  };
  enum { Refused = 10, Made = 11 };
  auto child = [&](std::size_t left) {
    return childOf([&] {
      CmDevice *fresh = nullptr;
      limited(left, [&] { return CreateCmDevice(fresh, version); });
      if (!fresh && CreateCmDevice(fresh, version) != CM_SUCCESS)
        _exit(1);
      device = fresh;
      ends = load(file);
      CmKernel *k = nullptr;
      INT code = limited(left, [&] { return device->CreateKernel(ends, "count", k); });
      CmKernel *later = nullptr;
      if (device->CreateKernel(ends, "count", later) != CM_SUCCESS || DestroyCmDevice(device) != CM_SUCCESS)
        _exit(2);
      _exit(code == CM_SUCCESS ? Made : Refused);
    });
  };
  constexpr std::size_t mega = 1u << 20;
  EXPECT_EQ(child(512 * mega), Made); // and kept
  for (std::size_t left : {std::size_t(0), std::size_t(1) << 16, std::size_t(1) << 19, mega, 4 * mega, 12 * mega})
    EXPECT_EQ(child(left), Refused) << left;
  EXPECT_EQ(child(64 * mega), Made);
  setenv("POCM_CACHE_DIR", "off", 1);
  std::filesystem::remove_all(folder);
}

} // namespace
