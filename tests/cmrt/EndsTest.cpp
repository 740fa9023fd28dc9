// Work that goes on while its host does something else: threads that wait for it or stop waiting, surfaces and devices
// that are destroyed, kernels that never end.
#include "Ends.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace {

using namespace test;
using namespace std::chrono_literals;

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

// A host thread begins work, leaves it in the middle for the queue's thread, and ends.
TEST_F(Ends, hostThreadsThatLeaveTheirWorkMayEnd) {
  for (int round = 0; round < 8; ++round) {
    constexpr UINT threads = 400;
    CmBuffer *b = buffer(threads * 32);
    CmEvent *e = nullptr;
    std::thread([&] {
      e = launch(with("count", *index(b), 150'000u), threads);
      e->WaitForTaskFinished(2);
    }).join();
    EXPECT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS);
    std::vector<std::uint32_t> values(threads * 8);
    b->ReadSurface(reinterpret_cast<unsigned char *>(values.data()), nullptr);
    EXPECT_EQ(values[(threads - 1) * 8], 150'000u);
    device->DestroySurface(b);
  }
}

/// Whether a host thread sleeps.
bool sleeps(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name = text.rfind(')');
  return name != std::string::npos && text.compare(name, 3, ") S") == 0;
}

// An event is destroyed while others wait for it.
TEST_F(Ends, eventsThatGoWhileSomebodyWaitsForThem) {
  for (int round = 0; round < 20; ++round) {
    Gate gate;
    CmEvent *e = launch(with("held", gate.place(), gate.rounds()));
    ASSERT_TRUE(comes([&] { return gate.reached(); })); // the queue's thread has it: who waits, sleeps
    std::atomic<pid_t> ids[3] = {};
    INT codes[3];
    std::vector<std::thread> waiters;
    for (int i = 0; i < 3; ++i)
      waiters.emplace_back([&, i] {
        ids[i] = gettid();
        codes[i] = e->WaitForTaskFinished(DWORD(-1));
      });
    for (auto &id : ids)
      ASSERT_TRUE(comes([&] { return id && sleeps(id); }));
    std::thread opens([&] {
      std::this_thread::sleep_for(1ms); // while it is destroyed, which does not wait, or later
      gate.open();
    });
    EXPECT_EQ(queue->DestroyEvent(e), CM_SUCCESS);
    void *others[8]; // what is written where it was
    for (void *&other : others)
      std::memset(other = std::malloc(48), 0xEE, 48); // as large as an event
    opens.join();
    for (std::thread &waiter : waiters)
      waiter.join();
    for (void *other : others)
      std::free(other);
    for (INT code : codes)
      EXPECT_EQ(code, CM_SUCCESS);
  }
}

TEST_F(Ends, waitingKeepsItsLimitWhateverTheLaunchesSize) {
  for (UINT width : {1u, 10u, 100u}) {
    Gate gate;
    CmEvent *e = launch(with("held", gate.place(), gate.rounds()), width);
    EXPECT_EQ(e->WaitForTaskFinished(5), CM_EXCEED_MAX_TIMEOUT);
    gate.open();
    EXPECT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS);
  }
}

// A host thread that runs what it waits for leaves it at the end of its time, and another goes on: with every register,
// and where the kernel has called something, too.
TEST_F(Ends, whatAHostThreadHasLeftGoesOn) {
  CmBuffer *b = buffer(4000);
  auto run = [&](const char *name, std::uint32_t n, std::uint32_t limit) {
    std::vector<std::uint32_t> values(1000);
    EXPECT_EQ(b->WriteSurface(reinterpret_cast<unsigned char *>(values.data()), nullptr), CM_SUCCESS);
    CmEvent *e = launch(with(name, *index(b), n));
    INT code = e->WaitForTaskFinished(limit);
    EXPECT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS) << PocmLastError();
    EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values.data()), nullptr), CM_SUCCESS);
    EXPECT_EQ(queue->DestroyEvent(e), CM_SUCCESS);
    return std::pair(code, values);
  };
  for (const char *name : {"mix", "edges"}) {
    int left = 0;
    for (std::uint32_t round = 0, n = 200'000; round < 40 || (!left && round < 60); ++round) {
      n += round < 40 ? 10'000 : n / 2; // until it takes too long
      auto [late, values] = run(name, n, 1 + round % 3);
      left += late == CM_EXCEED_MAX_TIMEOUT;
      if (late == CM_EXCEED_MAX_TIMEOUT || round == 0)
        EXPECT_EQ(values, run(name, n, DWORD(-1)).second) << name;
    }
    EXPECT_GT(left, 0) << name;
  }
}

/// A handler of the application's that interrupts the thread it was made in, again and again, for half of the time
/// that it runs.
class BusyHandler {
public:
  BusyHandler() {
    struct sigaction how = {};
    how.sa_handler = [](int) {
      ++begun;
      const pid_t thread = gettid();
      auto used = [] {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return t.tv_sec * 1'000'000'000l + t.tv_nsec;
      };
      for (long begin = used(), now = begin; now >= begin && now - begin < 2'000'000;)
        now = used();
      moved += gettid() != thread;
      ++ended;
    };
    how.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &how, &before);
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGUSR1;
    event._sigev_un._tid = gettid();
    itimerspec every = {{0, 4'000'000}, {0, 4'000'000}};
    timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
    timer_settime(timer, 0, &every, nullptr);
  }
  ~BusyHandler() {
    timer_delete(timer);
    sigaction(SIGUSR1, &before, nullptr);
  }
  static inline std::atomic<int> begun, ended, moved; ///< Calls; those that ended in another thread.

private:
  struct sigaction before;
  timer_t timer;
};

// Nobody leaves, or ends, a kernel while the application's own handler has interrupted it.
TEST_F(Ends, handlersOfTheApplicationComeToTheirEndWhereTheyBegan) {
  {
    BusyHandler handler;
    for (int round = 0; round < 12 || (BusyHandler::begun < 12 && round < 10'000); ++round) {
      Gate gate; // the queue's thread may be faster to take it: then nobody is interrupted here
      CmEvent *e = launch(with("held", gate.place(), gate.rounds()));
      EXPECT_EQ(e->WaitForTaskFinished(DWORD(9 + round % 4)), CM_EXCEED_MAX_TIMEOUT);
      gate.open();
      EXPECT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS);
      queue->DestroyEvent(e);
    }
  }
  EXPECT_GE(BusyHandler::begun, 12);
  EXPECT_EQ(BusyHandler::begun, BusyHandler::ended);
  EXPECT_EQ(BusyHandler::moved, 0);
}

TEST_F(Ends, whatAHostThreadHasLeftMayFault) {
  for (int round = 0; round < 5; ++round) {
    Gate gate;
    CmEvent *e = launch(with("late", gate.place(), gate.rounds(), std::uint64_t(64)));
    EXPECT_EQ(e->WaitForTaskFinished(1), CM_EXCEED_MAX_TIMEOUT);
    gate.open();
    expectFailed(e, "kernel 'late', thread (0, 0) writes the address 0x40");
  }
}

TEST_F(Ends, limitsAreKeptWhereSignalsAreBlocked) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Gate gate;
  CmEvent *e = launch(with("held", gate.place(), gate.rounds()));
  INT code = e->WaitForTaskFinished(5);
  gate.open();
  EXPECT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(code, CM_EXCEED_MAX_TIMEOUT);
}

TEST_F(Ends, aHostThreadWithASmallStackWaits) {
  CmBuffer *b = buffer(32);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, underAddressSanitizer() ? 1u << 18 : 1u << 16);
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

// Making code, and linking what a cache has, take more than such a thread has: they go elsewhere.
TEST_F(Ends, aHostThreadWithASmallStackMakesAllCalls) {
  if (underAddressSanitizer() || underThreadSanitizer)
    GTEST_SKIP(); // whose frames are larger
  struct State {
    std::vector<std::uint8_t> file;
    std::uint32_t values[8];
    INT code;
  } state{compiled("ends.cpp", endsSource), {}, CM_FAILURE};
  auto life = [](void *p) -> void * {
    auto &[file, values, code] = *static_cast<State *>(p);
    CmDevice *device = nullptr;
    CmProgram *program = nullptr;
    CmKernel *kernel = nullptr;
    CmQueue *queue = nullptr;
    CmTask *task = nullptr;
    CmThreadSpace *space = nullptr;
    CmBuffer *out = nullptr;
    SurfaceIndex *index = nullptr;
    CmEvent *event = nullptr;
    UINT version = 0, n = 5;
    auto went = [&](INT now) { return (code = now) == CM_SUCCESS; };
    (void)(went(CreateCmDevice(device, version)) &&
           went(device->LoadProgram(file.data(), UINT(file.size()), program)) &&
           went(device->CreateKernel(program, "count", kernel)) && went(device->CreateQueue(queue)) &&
           went(device->CreateBuffer(sizeof(values), out)) && went(device->CreateTask(task)) &&
           went(device->CreateThreadSpace(1, 1, space)) && went(out->GetIndex(index)) &&
           went(kernel->SetKernelArg(0, sizeof(*index), index)) && went(kernel->SetKernelArg(1, sizeof(n), &n)) &&
           went(task->AddKernel(kernel)) && went(queue->Enqueue(task, event, space)) &&
           went(event->WaitForTaskFinished()) &&
           went(out->ReadSurface(reinterpret_cast<unsigned char *>(values), event)) && went(DestroyCmDevice(device)));
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  constexpr std::size_t small = 1u << 15; // as docs/security.md says
  pthread_attr_setstacksize(&attributes, small);
  for (int round = 0; round < 2; ++round) { // makes code, then finds it
    pthread_t thread;
    state.code = CM_FAILURE;
    ASSERT_EQ(pthread_create(&thread, &attributes, life, &state), 0);
    pthread_join(thread, nullptr);
    EXPECT_EQ(state.code, CM_SUCCESS);
    EXPECT_EQ(state.values[0], 5u);
  }
  pthread_attr_destroy(&attributes);
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
    alignas(4096) std::uint32_t lent[1024] = {};
    void *address = lent;
    CmBufferSVM *svm = nullptr;
    ASSERT_EQ(device->CreateBufferSVM(4096, address, 0, svm), CM_SUCCESS);
    const bool comesBack = round != 2;
    launch(with("poke", reinterpret_cast<std::uint64_t>(address), comesBack ? rounds : endless));
    launch(with("poke", reinterpret_cast<std::uint64_t>(address), rounds + 1));
    ends = p;
    queue = q;
    std::swap(device, other);
    EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
    if (comesBack) // work that ends within a second is waited for
      EXPECT_EQ(lent[0], 2 * rounds + 1);
  }
}

//===- Several queues -------------------------------------------------------------===//

class Queues : public Ends {
protected:
  void SetUp() override {
    Ends::SetUp();
    other = anotherQueue();
    image = surface(32, 8);
    copied = surface(32, 8);
    first = buffer(4096);
    second = buffer(4096);
  }
  CmQueue *anotherQueue() {
    CM_QUEUE_CREATE_OPTION option{};
    option.QueueType = CM_QUEUE_TYPE_COMPUTE;
    CmQueue *made = nullptr;
    EXPECT_EQ(device->CreateQueueEx(made, option), CM_SUCCESS);
    return made;
  }
  CmEvent *launchOn(CmQueue *which, CmKernel *k) {
    std::swap(queue, which);
    CmEvent *e = launch(k);
    std::swap(queue, which);
    return e;
  }
  /// A task that is not done after a while.
  static void expectWaits(CmEvent *e) { EXPECT_EQ(e->WaitForTaskFinished(20), CM_EXCEED_MAX_TIMEOUT); }
  static CM_STATUS status(CmEvent *e) {
    CM_STATUS now = CM_STATUS_RESET;
    e->GetStatus(now);
    return now;
  }
  alignas(64) std::uint8_t bytes[8192] = {};
  CmQueue *other = nullptr;
  CmSurface2D *image = nullptr, *copied = nullptr;
  CmBuffer *first = nullptr, *second = nullptr;
};

// A kernel that goes on and on is in the way of what shares something with it, and of its own queue, alone.
TEST_F(Queues, goOnBesideAnEndlessKernel) {
  if (underThreadSanitizer) // keeps the signals that end it
    GTEST_SKIP();
  std::uint32_t values[8] = {};
  auto *into = reinterpret_cast<unsigned char *>(values);
  CmEvent *hanging = launchOn(queue, with("count", *index(first), endless));
  while (status(hanging) != CM_STATUS_STARTED)
    std::this_thread::yield();
  CmEvent *own = launchOn(queue, with("count", *index(second), 1u)); // of its queue: behind it
  CmBuffer *third = buffer(4096), *fourth = buffer(4096);
  EXPECT_EQ(launchOn(other, with("count", *index(third), 3u))->WaitForTaskFinished(), CM_SUCCESS);
  EXPECT_EQ(third->ReadSurface(into, nullptr, 32), CM_SUCCESS);
  EXPECT_EQ(values[0], 3u);
  CmEvent *filled = nullptr, *copies = nullptr, *read = nullptr, *written = nullptr, *bare = CM_NO_EVENT;
  EXPECT_EQ(other->EnqueueInitSurface2D(image, 0x01020304, filled), CM_SUCCESS);
  EXPECT_EQ(other->EnqueueCopyGPUToGPU(copied, image, CM_FASTCOPY_OPTION_BLOCKING, bare), CM_SUCCESS);
  EXPECT_EQ(other->EnqueueCopyGPUToCPU(copied, bytes, copies), CM_SUCCESS);
  EXPECT_EQ(copies->WaitForTaskFinished(), CM_SUCCESS);
  EXPECT_EQ(bytes[1], 3);
  EXPECT_EQ(other->EnqueueWriteBuffer(fourth, 0, bytes, 64, nullptr, written, 0), CM_SUCCESS);
  EXPECT_EQ(written->WaitForTaskFinished(), CM_SUCCESS);
  EXPECT_EQ(status(hanging), CM_STATUS_STARTED);
  EXPECT_EQ(status(own), CM_STATUS_QUEUED);

  CmEvent *shares = launchOn(anotherQueue(), with("count", *index(first), 1u));                 // with what runs
  CmEvent *after = launchOn(anotherQueue(), with("count", *index(second), 1u));                 // with what waits
  EXPECT_EQ(anotherQueue()->EnqueueReadBuffer(fourth, 0, bytes, 64, own, read, 0), CM_SUCCESS); // for its event
  for (CmEvent *e : {own, shares, after, read})
    expectWaits(e);
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes(1));
  EXPECT_EQ(CreateCmDevice(device, version), CM_SUCCESS); // for the end of the test
}

// What is reached by address may be anything.
TEST_F(Queues, waitForKernelsThatReachMemoryByAddress) {
  Gate gate;
  CmEvent *holds = launchOn(queue, with("held", gate.place(), gate.rounds()));
  CmEvent *surfaces = launchOn(other, with("count", *index(first), 1u));
  CmEvent *addresses = launchOn(anotherQueue(), with("poke", reinterpret_cast<std::uint64_t>(bytes), 1u));
  while (!gate.reached())
    std::this_thread::yield();
  for (CmEvent *e : {surfaces, addresses})
    expectWaits(e);
  gate.open();
  for (CmEvent *e : {holds, surfaces, addresses})
    EXPECT_EQ(e->WaitForTaskFinished(), CM_SUCCESS);
}

// Memory that the host lends is one, however often it lends it, and whatever copies it.
TEST_F(Queues, waitForWhatIsLentTwice) {
  alignas(4096) static std::uint8_t lent[8192];
  CmBufferUP *one = nullptr, *two = nullptr;
  ASSERT_EQ(device->CreateBufferUP(8192, lent, one), CM_SUCCESS);
  ASSERT_EQ(device->CreateBufferUP(4096, lent, two), CM_SUCCESS);
  std::memset(lent, 0, sizeof(lent));
  CmEvent *slow = launchOn(queue, with("count", *index(one), rounds / 10));
  CmEvent *again = launchOn(other, with("count", *index(two), 1u)), *copies = nullptr;
  EXPECT_EQ(anotherQueue()->EnqueueWriteBuffer(first, 0, lent, 4096, nullptr, copies, 0), CM_SUCCESS);
  EXPECT_EQ(copies->WaitForTaskFinished(), CM_SUCCESS);
  EXPECT_EQ(status(slow), CM_STATUS_FINISHED);
  EXPECT_EQ(status(again), CM_STATUS_FINISHED);
  std::uint32_t values[8] = {};
  EXPECT_EQ(first->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr, 32), CM_SUCCESS);
  EXPECT_EQ(values[0], rounds / 10 + 1);
}

// A condition's buffer is used as long as somebody may ask for it.
TEST_F(Queues, askConditionsOfBuffersThatAreThere) {
  alignas(4096) static std::uint8_t lent[4096];
  CmBufferUP *flag = nullptr;
  ASSERT_EQ(device->CreateBufferUP(4096, lent, flag), CM_SUCCESS);
  CmTask *t = nullptr;
  ASSERT_EQ(device->CreateTask(t), CM_SUCCESS);
  CM_CONDITIONAL_END_PARAM condition{};
  condition.opCode = CM_CONDITIONAL_END_OPERATOR_CODE(MAD_EQUAL_IDD);
  ASSERT_EQ(t->AddConditionalEnd(index(flag), 0, &condition), CM_SUCCESS);
  ASSERT_EQ(t->AddKernel(with("count", *index(first), 3u)), CM_SUCCESS);
  CmEvent *slow = launchOn(queue, with("count", *index(second), rounds / 10)), *e = nullptr;
  CmThreadSpace *s = space(1, 1);
  ASSERT_EQ(queue->Enqueue(t, e, s), CM_SUCCESS);
  EXPECT_EQ(device->DestroyBufferUP(flag), CM_SUCCESS); // waits for it
  EXPECT_EQ(status(slow), CM_STATUS_FINISHED);
  EXPECT_EQ(status(e), CM_STATUS_FINISHED);
  EXPECT_NE(queue->Enqueue(t, e, s), CM_SUCCESS); // there is nothing to ask
}

//===- Endless kernels ------------------------------------------------------------===//

/// Kernels whose time goes into something that they call, or wait for; none of them ends.
constexpr const char *endlessSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void plain(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<uint, 8> v = 1;
  while (v(0) != never)
    read(out, 0, v);
}
extern "C" _GENX_MAIN_ void edgeReads(SurfaceIndex out, SurfaceIndex image, uint never) {
  matrix<uchar, 8, 32> m = 1;
  for (int i = 0; m(0, 0) != never; i++)
    read(image, i % 7 - 20, -5, m);
}
extern "C" _GENX_MAIN_ void edgeWrites(SurfaceIndex out, SurfaceIndex image, uint never) {
  matrix<uchar, 8, 32> m = 1;
  for (int i = 0; m(0, 0) != never; i++) {
    m(1, 1) = i;
    write(image, i % 7 - 20, -5, m);
    read(image, 0, 0, m.select<4, 1, 16, 1>(0, 0));
  }
}
extern "C" _GENX_MAIN_ void bufferEdges(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<uint, 32> v = 1;
  for (int i = 0; v(0) != never; i++) {
    write(out, 4000, v);
    read(out, 4016 + i % 3 * 16, v);
  }
}
extern "C" _GENX_MAIN_ void scattered(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<uint, 16> at, v = 1;
  for (int i = 0; i < 16; i++)
    at(i) = i * 37;
  while (v(0) != never) {
    read(out, 0, at, v);
    v += 2;
    write(out, 0, at, v & 1);
  }
}
extern "C" _GENX_MAIN_ void atomics(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<uint, 8> at = 0, old = 1;
  while (old(0) != never)
    write_atomic<ATOMIC_OR>(out, at, old, old);
}
extern "C" _GENX_MAIN_ void pixels(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<uint, 8> at = 0, red = 1;
  while (red(0) != never)
    read_typed(image, CM_R_ENABLE, red, at, at);
}
extern "C" _GENX_MAIN_ void elementary(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<float, 16> v = 0.5f;
  while (v(0) != never)
    v = cm_sin(cm_pow(v, vector<float, 16>(v + 1.0f)));
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void doubles(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<double, 8> v = 0.5;
  while (v(0) != never)
    v = cm_sqrt(v + 1.0) / 3.0;
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void prints(SurfaceIndex out, SurfaceIndex image, uint never) {
  vector<uint, 8> v = 1;
  while (v(0) != never) {
    read(out, 0, v);
    printf("%d %s\n", v(0), "again");
  }
}
extern "C" _GENX_MAIN_ void barriers(SurfaceIndex out, SurfaceIndex image, uint never) {
  cm_slm_init(64);
  vector<uint, 8> v = 1;
  while (v(0) != never) {
    read(out, 0, v);
    cm_barrier();
  }
}
extern "C" _GENX_MAIN_ void shared(SurfaceIndex out, SurfaceIndex image, uint never) {
  cm_slm_init(1024);
  uint slm = cm_slm_alloc(1024);
  vector<uint, 16> v = 1, at;
  for (int i = 0; i < 16; i++)
    at(i) = i * 3;
  while (v(0) != never) {
    cm_slm_write(slm, at, v);
    cm_barrier();
    cm_slm_read(slm, at, v);
    v &= 1;
  }
}
extern "C" _GENX_MAIN_ void edgesBetweenBarriers(SurfaceIndex out, SurfaceIndex image, uint never) {
  cm_slm_init(64);
  matrix<uchar, 8, 32> m = 1;
  for (int i = 0; m(0, 0) != never; i++) {
    read(image, i % 7 - 20, -5, m);
    if (i % 1000 == 0)
      cm_barrier();
  }
}
)";

/// On a device with a limit of time.
class EndlessKernels : public testing::Test {
protected:
  void SetUp() override {
    if (underThreadSanitizer) // keeps signals until compiled code has come back
      GTEST_SKIP();
    UINT version;
    {
      WithVariable limit("POCM_TIMEOUT", "0.05");
      ASSERT_EQ(CreateCmDevice(device, version), CM_SUCCESS);
    }
    ASSERT_EQ(device->CreateQueue(queue), CM_SUCCESS);
    static auto file = compiled("endless.cpp", endlessSource);
    ASSERT_EQ(device->LoadProgram(file.data(), UINT(file.size()), program), CM_SUCCESS);
    ASSERT_EQ(device->CreateBuffer(4096, buffer), CM_SUCCESS);
    ASSERT_EQ(device->CreateSurface2D(16, 8, CM_SURFACE_FORMAT_R32_UINT, image), CM_SUCCESS);
  }
  void TearDown() override {
    if (device)
      EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS);
  }
  void expectToEnd(const char *name, UINT width) {
    SCOPED_TRACE(name);
    std::vector<std::uint32_t> zeros(1024);
    buffer->WriteSurface(reinterpret_cast<unsigned char *>(zeros.data()), nullptr);
    SurfaceIndex *first = nullptr, *second = nullptr;
    buffer->GetIndex(first);
    image->GetIndex(second);
    CmKernel *k = nullptr;
    ASSERT_EQ(device->CreateKernel(program, name, k), CM_SUCCESS) << PocmLastError();
    std::uint32_t never = 5;
    k->SetThreadCount(width);
    k->SetKernelArg(0, sizeof(*first), first);
    k->SetKernelArg(1, sizeof(*second), second);
    k->SetKernelArg(2, sizeof(never), &never);
    CmTask *t = nullptr;
    device->CreateTask(t);
    t->AddKernel(k);
    CmEvent *e = nullptr;
    ASSERT_EQ(queue->Enqueue(t, e), CM_SUCCESS);
    EXPECT_REFUSED(e->WaitForTaskFinished(DWORD(-1)), CM_TASK_MEDIA_RESET, "longer than the limit of 0.05");
  }

  CmDevice *device = nullptr;
  CmQueue *queue = nullptr;
  CmProgram *program = nullptr;
  CmBuffer *buffer = nullptr;
  CmSurface2D *image = nullptr;
};

TEST_F(EndlessKernels, endWhereverTheirTimeGoes) {
  for (const char *name : {"plain", "edgeReads", "edgeWrites", "bufferEdges", "scattered", "atomics", "pixels",
                           "elementary", "doubles", "prints", "barriers", "shared", "edgesBetweenBarriers"})
    for (UINT width : {1u, 1000u})
      expectToEnd(name, width);
}

// The system forgets what it knew of a signal when as many wait as the user may have, of all processes.
TEST_F(EndlessKernels, endWhereNoMoreSignalsMayWait) {
  rlimit before;
  getrlimit(RLIMIT_SIGPENDING, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_SIGPENDING, &none);
  expectToEnd("plain", 1);
  setrlimit(RLIMIT_SIGPENDING, &before);
}

} // namespace
