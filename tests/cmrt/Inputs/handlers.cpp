// A program whose own handlers of signals interrupt a kernel, and fault, abort or exit there; and one that has a small
// alternate stack.
#include "cm_rt.h"
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

CmDevice *device = nullptr;
CmQueue *queue = nullptr;
CmProgram *program = nullptr;
CmBuffer *buffer = nullptr;
std::vector<char> file;

template <class T> CmEvent *launch(const char *name, T first, unsigned second, bool two) {
  CmKernel *kernel = nullptr;
  CmTask *task = nullptr;
  CmEvent *event = nullptr;
  device->CreateKernel(program, name, kernel);
  kernel->SetKernelArg(0, sizeof(first), &first);
  if (two)
    kernel->SetKernelArg(1, sizeof(second), &second);
  kernel->SetThreadCount(1);
  device->CreateTask(task);
  task->AddKernel(kernel);
  queue->Enqueue(task, event);
  return event;
}

CmEvent *launchCount(unsigned n) {
  SurfaceIndex *index = nullptr;
  buffer->GetIndex(index);
  return launch("count", *index, n, true);
}

/// Has `handler` interrupt this thread in a while.
void interruptWith(void (*handler)(int)) {
  std::signal(SIGUSR1, handler);
  std::thread([thread = pthread_self()] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    pthread_kill(thread, SIGUSR1);
  }).detach();
}

sigjmp_buf home;
std::atomic<int> faults{0};

/// Looks whether there is memory, as profilers do.
void probe(int) {
  if (sigsetjmp(home, 1) == 0)
    *reinterpret_cast<volatile int *>(64) = 1;
}

void say(const char *what, int code) {
  std::printf("%s: %d\n", what, code);
  std::fflush(stdout);
}

} // namespace

int main(int, char **argv) {
  const std::string what = argv[2];
  struct sigaction own = {};
  own.sa_handler = [](int) {
    ++faults;
    siglongjmp(home, 1);
  };
  sigaction(SIGSEGV, &own, nullptr); // before the first device
  std::FILE *in = std::fopen(argv[1], "rb");
  for (int c; (c = std::fgetc(in)) != EOF;)
    file.push_back(char(c));
  UINT version = 0;
  if (CreateCmDevice(device, version) || device->CreateQueue(queue) ||
      device->LoadProgram(file.data(), UINT(file.size()), program) || device->CreateBuffer(64, buffer))
    return 1;
  alarm(120);
  if (what == "fault") {
    CmEvent *event = launchCount(200'000'000);
    interruptWith(probe);
    say("the kernel", event->WaitForTaskFinished(DWORD(-1)));
    say("faults of the handler", faults);
    say("a kernel's own fault", launch("poke", std::uint64_t(64), 0, false)->WaitForTaskFinished(DWORD(-1)));
    say("faults of the handler", faults);
  }
  if (what == "abort") {
    CmEvent *event = launchCount(~0u);
    interruptWith([](int) { std::abort(); });
    say("the kernel", event->WaitForTaskFinished(DWORD(-1)));
  }
  if (what == "exit") { // whatever else is to be done then
    std::atexit([] { say("the device is destroyed", DestroyCmDevice(device)); });
    CmEvent *event = launchCount(~0u);
    interruptWith([](int) { std::exit(5); });
    for (;;)
      event->WaitForTaskFinished(DWORD(-1));
  }
  if (what == "stack") {
    constexpr std::size_t room = 65536;
    static unsigned char memory[2 * room];
    std::memset(memory, 0xAB, sizeof(memory));
    stack_t small = {};
    small.ss_sp = memory + room;
    small.ss_size = std::size_t(sysconf(_SC_MINSIGSTKSZ)) + 1024;
    if (sigaltstack(&small, nullptr))
      return 1;
    for (int round = 0; round < 20; ++round) // the queue's thread may take some
      if (launch("poke", std::uint64_t(64), 0, false)->WaitForTaskFinished(DWORD(-1)) != CM_TASK_MEDIA_RESET)
        return 1;
    std::size_t touched = 0, used = 0;
    for (std::size_t i = 0; i < room; ++i) {
      touched += memory[i] != 0xAB;
      used += memory[room + i] != 0xAB;
    }
    std::printf("bytes below the stack: %zu; the stack is %s\n", touched, used ? "used" : "not used");
  }
  return 0;
}
