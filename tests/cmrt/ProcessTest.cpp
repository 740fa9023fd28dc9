// The process around the library: forks, exits, its children and signals, no memory.
#include "Ends.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace test;
using namespace std::chrono_literals;

//===- Forks and exits -----------------------------------------------------------------===//

/// How a forked child that runs `body` ends; -1 when it does not within minutes, however busy the machine is.
template <class Body> int childOf(Body body) {
  pid_t child = fork();
  if (child == 0)
    body();
  int status = 0;
  if (comes([&] { return waitpid(child, &status, WNOHANG) == child; }))
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
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
  // Whatever is asked of the parent's device.
  CmTask *t = task(with("count", *index(b), 1u));
  CmSurface2D *s = surface(8, 8);
  CmThreadSpace *sp = space(1, 1);
  EXPECT_EQ(childOf([&] {
              alignas(16) unsigned char bytes[256];
              CmEvent *none = nullptr;
              CmKernel *k = nullptr;
              const INT codes[] = {queue->Enqueue(t, none, sp),
                                   queue->EnqueueWithGroup(t, none, nullptr),
                                   queue->EnqueueWithHints(t, none, 0),
                                   queue->EnqueueCopyCPUToGPU(s, bytes, none),
                                   queue->EnqueueCopyGPUToCPU(s, bytes, none),
                                   queue->EnqueueCopyGPUToGPU(s, s, 0, none),
                                   queue->EnqueueCopyCPUToCPU(bytes, bytes, 16, 0, none),
                                   queue->EnqueueInitSurface2D(s, 0, none),
                                   queue->EnqueueReadBuffer(b, 0, bytes, 32, nullptr, none, 0),
                                   queue->EnqueueWriteBuffer(b, 0, bytes, 32, nullptr, none, 0),
                                   b->ReadSurface(bytes, nullptr, 32),
                                   b->WriteSurface(bytes, nullptr, 32),
                                   s->ReadSurface(bytes, nullptr),
                                   b->InitSurface(0, nullptr),
                                   device->CreateKernel(program, "add", k)};
              for (const INT &code : codes)
                if (code != CM_FAILURE)
                  _exit(1 + int(&code - codes));
              _exit(std::string(PocmLastError()).find("the process was forked") == std::string::npos || none);
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

TEST_F(Ends, forksWhileOthersLaunchAndCompile) {
  if (underThreadSanitizer) // keeps forked children from having threads
    GTEST_SKIP();
  auto file = compiled("ends.cpp", endsSource);
  std::atomic<bool> stop{false};
  std::thread launches([&] {
    CmBuffer *b = buffer(6400);
    while (!stop)
      launch(with("count", *index(b), 1000u), 200)->WaitForTaskFinished();
  });
  std::thread compiles([&] {
    while (!stop) {
      CmDevice *other = nullptr;
      CmProgram *p = nullptr;
      CmKernel *k = nullptr;
      UINT v = 0;
      EXPECT_EQ(CreateCmDevice(other, v), CM_SUCCESS);
      EXPECT_EQ(other->LoadProgram(file.data(), UINT(file.size()), p), CM_SUCCESS);
      EXPECT_EQ(other->CreateKernel(p, "count", k), CM_SUCCESS);
      EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
    }
  });
  for (int round = 0; round < 24; ++round)
    EXPECT_EQ(childOf([&] {
                if (round % 3 == 0)
                  exit(0);
                if (round % 3 == 1)
                  execl("/bin/true", "true", nullptr);
                if (CreateCmDevice(device, version) != CM_SUCCESS || device->CreateQueue(queue) != CM_SUCCESS)
                  _exit(2);
                ends = load(file);
                CmBuffer *mine = buffer(32);
                launch(with("count", *index(mine), 5u));
                std::uint32_t values[8] = {};
                mine->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr);
                exit(values[0] == 5 && DestroyCmDevice(device) == CM_SUCCESS ? 0 : 3);
              }),
              0)
        << round;
  stop = true;
  launches.join();
  compiles.join();
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
                exit(0);
              }),
              0)
        << round;
}

// What an exit destroys may use devices, on whatever thread it is: making one, and code, takes more stack than this
// has.
TEST_F(Ends, exitOnASmallStackOpensDevices) {
  if (underThreadSanitizer)
    GTEST_SKIP();
  static const auto file = compiled("ends.cpp", endsSource);
  static auto openAtExit = [this] {
    return CreateCmDevice(device, version) == CM_SUCCESS && kernel(load(file), "copy");
  };
  constexpr int opened = 5, refused = 6;
  EXPECT_EQ(childOf([&] {
              std::atexit([] { _exit(openAtExit() ? opened : refused); });
              CreateCmDevice(device, version); // what it registers comes first
              DestroyCmDevice(device);
              pthread_attr_t small;
              pthread_attr_init(&small);
              pthread_attr_setstacksize(&small, 1u << 18);
              pthread_t ends;
              auto end = [](void *) -> void * { exit(0); };
              if (pthread_create(&ends, &small, end, nullptr) == 0)
                pthread_join(ends, nullptr);
            }),
            opened);
}

//===- Cancellation ---------------------------------------------------------------------===//

/// Makes the call on a host thread that is to be cancelled; true when the call has come back.
bool comesBackCancelled(const std::function<void()> &call) {
  std::atomic<bool> back = false;
  std::thread([&] {
    pthread_cancel(pthread_self()); // at the next point where it can be
    call();
    back = true;
    pthread_testcancel();
  }).join();
  return back;
}

// A thread that is cancelled goes when its call is done, or while it sleeps in WaitForTaskFinished: nothing stays as it
// was in the middle of a call.
TEST_F(Ends, hostThreadsThatAreCancelled) {
  if (underThreadSanitizer || underAddressSanitizer())
    GTEST_SKIP();
  const std::vector<std::uint8_t> file = compiled("ends.cpp", endsSource);
  WithVariable cache("POCM_CACHE_DIR", "off"); // all is made
  WithVariable says("POCM_CM_ERRORS", "1");
  CmDevice *other = nullptr;
  CmProgram *program = nullptr;
  CmKernel *k = nullptr;
  CmBuffer *b = nullptr;
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(CreateCmDevice(other, version), CM_SUCCESS); }));
  EXPECT_TRUE(comesBackCancelled([&] {
    EXPECT_EQ(other->LoadProgram(const_cast<std::uint8_t *>(file.data()), UINT(file.size()), program), CM_SUCCESS);
  }));
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(other->CreateKernel(program, "count", k), CM_SUCCESS); }));
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(other->CreateKernel(program, "none", k), CM_FAILURE); }));
  EXPECT_TRUE(comesBackCancelled([&] {
    EXPECT_EQ(PocmLoadProgramSource(other, "ends.cpp", endsSource, "-DX", &program), CM_SUCCESS) << PocmLastError();
  }));
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS); }));
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(device->InitPrintBuffer(), CM_SUCCESS); }));
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(device->FlushPrintBuffer(), CM_SUCCESS); }));
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(device->FlushPrintBufferIntoFile("/dev/null"), CM_SUCCESS); }));
  std::uint32_t values[8] = {};
  auto begin = [&](CmEvent *&e) { // what takes a while
    b = buffer(32);
    e = launch(with("count", *index(b), rounds));
  };
  CmEvent *e = nullptr;
  begin(e);
  EXPECT_TRUE(comesBackCancelled(
      [&] { EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr), CM_SUCCESS); }));
  EXPECT_EQ(values[0], rounds);
  begin(e);
  EXPECT_TRUE(comesBackCancelled([&] { EXPECT_EQ(device->DestroySurface(b), CM_SUCCESS); }));
  for (DWORD limit : {DWORD(-1), DWORD(1'000'000)}) {
    Gate gate;
    e = launch(with("held", gate.place(), gate.rounds()));
    ASSERT_TRUE(comes([&] { return gate.reached(); })); // the queue's thread has it: who waits, sleeps
    EXPECT_FALSE(comesBackCancelled([&] { e->WaitForTaskFinished(limit); }));
    gate.open();
    EXPECT_EQ(e->WaitForTaskFinished(), CM_SUCCESS);
  }
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

} // namespace
