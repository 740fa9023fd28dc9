// Kernels that fault or fail an assertion, and those that stay inside of their variables instead; the faults and the
// floating-point modes of the application are its own.
#include "Ends.h"
#include <atomic>
#include <cfenv>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace {

using namespace test;

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

/// Memory so low that nothing else comes there when it is gone: the system gives the highest that is free.
std::uint8_t *lowMemory(std::size_t bytes) {
  void *place = reinterpret_cast<void *>(std::uintptr_t(1) << 29);
  void *memory = mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  return memory == place ? static_cast<std::uint8_t *>(memory) : nullptr;
}

TEST_F(Ends, lentMemoryThatIsReadOnlyOrGone) {
  std::uint8_t *memory = lowMemory(8192);
  ASSERT_NE(memory, nullptr);
  CmSurface2DUP *up = nullptr;
  CmSurface2D *s = surface(32, 8);
  ASSERT_EQ(device->CreateSurface2DUP(16, 8, CM_SURFACE_FORMAT_A8R8G8B8, memory, up), CM_SUCCESS);
  ASSERT_EQ(mprotect(memory, 4096, PROT_READ), 0);
  expectFailed(launch(with("copy", *index(s), *index(up))), "which may not be written");
  munmap(memory, 8192);
  expectFailed(launch(with("copy", *index(up), *index(s))), "where there is no memory");
}

// In the queue's turn, when nobody can ask any more whether the host's memory is there.
TEST_F(Ends, copiesOfMemoryThatIsGone) {
  constexpr std::size_t bytes = 1u << 16;
  std::uint8_t *memory = lowMemory(2 * bytes);
  ASSERT_NE(memory, nullptr);
  munmap(memory, 2 * bytes);
  CmSurface2D *s = surface(128, 128);
  CmBuffer *b = buffer(bytes);
  CmEvent *e = nullptr;
  ASSERT_EQ(queue->EnqueueCopyCPUToGPU(s, memory, e), CM_SUCCESS);
  expectFailed(e, "a copy reads");
  ASSERT_EQ(queue->EnqueueCopyGPUToCPU(s, memory, e), CM_SUCCESS);
  expectFailed(e, "a copy writes");
  ASSERT_EQ(queue->EnqueueReadBuffer(b, 0, memory, bytes, nullptr, e, 0), CM_SUCCESS);
  expectFailed(e, "a copy writes");
  ASSERT_EQ(queue->EnqueueWriteBuffer(b, 0, memory, bytes, nullptr, e, 0), CM_SUCCESS);
  expectFailed(e, "a copy reads");
  ASSERT_EQ(queue->EnqueueCopyCPUToCPU(memory, memory + bytes, bytes, 0, e), CM_SUCCESS);
  expectFailed(e, "where there is no memory");
  // Little ones are made at once.
  EXPECT_REFUSED(queue->EnqueueCopyCPUToCPU(memory, memory + bytes, 64, 0, e), CM_GPUCOPY_INVALID_SYSMEM,
                 "where there is no memory");
  EXPECT_EQ(e, nullptr);
}

// At once, in the host thread that asks for it: the call fails, and the surface is of use as before.
TEST_F(Ends, surfacesAreReadAndWrittenWhereMemoryIsGone) {
  constexpr std::size_t bytes = 1u << 18;
  std::uint8_t *memory = lowMemory(bytes);
  ASSERT_NE(memory, nullptr);
  munmap(memory, bytes);
  constexpr CM_SURFACE_FORMAT argb = CM_SURFACE_FORMAT_A8R8G8B8;
  CmBuffer *little = buffer(64), *large = buffer(bytes);
  CmSurface2D *image = surface(128, 128);
  CmSurface3D *volume = nullptr;
  CmBufferStateless *stateless = nullptr;
  ASSERT_EQ(device->CreateSurface3D(8, 8, 4, argb, volume), CM_SUCCESS);
  ASSERT_EQ(device->CreateBufferStateless(64, 0, nullptr, stateless), CM_SUCCESS);
  auto refused = [&](auto *s) {
    EXPECT_REFUSED(s->WriteSurface(memory, nullptr, bytes), CM_INVALID_ARG_VALUE,
                   "WriteSurface: a copy reads the address 0x20000000, where there is no memory");
    EXPECT_REFUSED(s->ReadSurface(memory, nullptr, bytes), CM_INVALID_ARG_VALUE,
                   "ReadSurface: a copy writes the address 0x2000");
    std::vector<unsigned char> in(bytes, 42), out(bytes);
    EXPECT_EQ(s->WriteSurface(in.data(), nullptr, bytes), CM_SUCCESS);
    EXPECT_EQ(s->ReadSurface(out.data(), nullptr, bytes), CM_SUCCESS);
    EXPECT_EQ(out[0], 42);
  };
  refused(little), refused(large), refused(image), refused(volume), refused(stateless);
}

TEST_F(Ends, copiesFailOnDevicesOfEveryKind) {
  constexpr std::size_t bytes = 1u << 16;
  std::uint8_t *memory = lowMemory(bytes);
  ASSERT_NE(memory, nullptr);
  munmap(memory, bytes);
  for (const char *name : {"check", "gensim:skl"}) {
    WithVariable chosen("CM_RT_DEVICE", name);
    CmDevice *other = nullptr;
    CmQueue *its = nullptr;
    CmBuffer *b = nullptr;
    CmEvent *e = nullptr;
    ASSERT_EQ(CreateCmDevice(other, version), CM_SUCCESS) << name << ": " << PocmLastError();
    ASSERT_EQ(other->CreateQueue(its), CM_SUCCESS);
    ASSERT_EQ(other->CreateBuffer(bytes, b), CM_SUCCESS);
    ASSERT_EQ(its->EnqueueReadBuffer(b, 0, memory, bytes, nullptr, e, 0), CM_SUCCESS);
    EXPECT_REFUSED(e->WaitForTaskFinished(), CM_TASK_MEDIA_RESET, "a copy writes");
    ASSERT_EQ(its->EnqueueWriteBuffer(b, 0, memory, bytes, nullptr, e, 0), CM_SUCCESS);
    EXPECT_REFUSED(e->WaitForTaskFinished(), CM_TASK_MEDIA_RESET, "a copy reads");
    std::vector<unsigned char> whole(bytes);
    ASSERT_EQ(its->EnqueueReadBuffer(b, 0, whole.data(), bytes, nullptr, e, 0), CM_SUCCESS);
    EXPECT_EQ(e->WaitForTaskFinished(), CM_SUCCESS) << name; // the queue goes on
    EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
  }
}

std::atomic<int> ownFaults = 0;
sigjmp_buf ownHome;

TEST_F(Ends, theApplicationsOwnFaultsAreItsOwn) {
  if (underThreadSanitizer || underAddressSanitizer()) // whose own handlers make reports of faults
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

// As programs do whose signals come to a thread of their own.
TEST_F(Ends, faultsWhereSignalsAreBlocked) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int round = 0; round < 20; ++round)
    expectFailed(launch(with("pokeAt", std::uint64_t(64), 0u)),
                 "kernel 'pokeAt', thread (0, 0) writes the address 0x40");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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

// Host threads that are begun, and share a launch, while traps are on.
TEST_F(Ends, floatingPointTrapsAreNotForThePool) {
  constexpr UINT threads = 600;
  constexpr int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;
  std::optional<WithVariable> parallel(std::in_place, "CM_RT_PARALLEL_THREADS", "3");
  CmDevice *before = std::exchange(device, nullptr);
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(traps);
  EXPECT_EQ(CreateCmDevice(device, version), CM_SUCCESS);
  parallel.reset();
  device->CreateQueue(queue);
  ends = load(compiled("ends.cpp", endsSource));
  CmBuffer *b = buffer(threads * 32);
  for (std::uint32_t n : {20u, 2000u, 3u})
    EXPECT_EQ(launch(with("count", *index(b), n), threads)->WaitForTaskFinished(), CM_SUCCESS);
  std::vector<std::uint32_t> values(threads * 8);
  b->ReadSurface(reinterpret_cast<unsigned char *>(values.data()), nullptr);
  EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
  EXPECT_EQ(fegetexcept(), traps);
  fedisableexcept(FE_ALL_EXCEPT);
  device = before;
  EXPECT_EQ(values[(threads - 1) * 8], 2023u);
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
extern "C" _GENX_MAIN_ void pixels(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> at = 0, red;
  read_typed(in, CM_R_ENABLE, red, at, at);
  write(out, 0, red);
}
)";
  pocm::CompileResult made = pocm::compile(options);
  ASSERT_TRUE(made.ok) << made.diagnostics;
  std::string folder = testing::TempDir() + "pocm-lines-" + std::to_string(getpid());
  WithVariable cache("POCM_CACHE_DIR", folder.c_str());
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
    // In functions that the kernel calls: for blocks over the end, for atomics, and for pixels.
    void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CmBufferUP *up = nullptr;
    ASSERT_EQ(device->CreateBufferUP(4096, memory, up), CM_SUCCESS);
    mprotect(memory, 4096, PROT_NONE); // its place may not be another's
    for (auto [name, words] : {std::pair("edge", "wild.cpp:13: kernel 'edge', thread (0, 0) reads"),
                               std::pair("count", "wild.cpp:18: kernel 'count', thread (0, 0) "),
                               std::pair("pixels", "wild.cpp:23: kernel 'pixels', thread (0, 0) reads")}) {
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
  constexpr int inside = 2; // which element is meant does not matter
  std::int32_t n = 16 + inside, values[64] = {};
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(b));
  k->SetKernelArg(1, sizeof(n), &n);
  EXPECT_EQ(launch(k)->WaitForTaskFinished(), CM_SUCCESS) << PocmLastError();
  EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr), CM_SUCCESS);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[i], i % 16 == inside ? 100 * (i / 16 + 1) : i % 16) << i;
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

} // namespace
