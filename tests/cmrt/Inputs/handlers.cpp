// A program whose own handlers of signals interrupt a kernel, and fault, abort, exit, fork, destroy the device or launch kernels
// of another one there; and one that has a small alternate stack.
#include "cm_rt.h"
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace {

CmDevice *device = nullptr;
CmQueue *queue = nullptr;
CmProgram *program = nullptr;
std::vector<char> file;

bool open() {
  UINT version = 0;
  return CreateCmDevice(device, version) == CM_SUCCESS && device->CreateQueue(queue) == CM_SUCCESS &&
         device->LoadProgram(file.data(), UINT(file.size()), program) == CM_SUCCESS;
}

/// What holds the kernel `held`.
struct Gate {
  alignas(32) std::atomic<unsigned> is[8] = {};
  alignas(32) std::atomic<unsigned> rounds[2 * 8] = {};
  unsigned threads = 1; ///< Of the kernel: one or two.
  bool allRun() const { return rounds[0] && (threads == 1 || rounds[8]); }
} gate;

CmEvent *launchHeld(Gate &gate, const char *name = "held") {
  gate.rounds[0] = gate.rounds[8] = 0;
  CmKernel *kernel = nullptr;
  CmTask *task = nullptr;
  CmEvent *event = nullptr;
  device->CreateKernel(program, name, kernel);
  const std::uint64_t places[] = {std::uint64_t(&gate.is), std::uint64_t(&gate.rounds)};
  kernel->SetThreadCount(gate.threads);
  kernel->SetKernelArg(0, 8, &places[0]);
  kernel->SetKernelArg(1, 8, &places[1]);
  device->CreateTask(task);
  task->AddKernel(kernel);
  queue->Enqueue(task, event);
  return event;
}

CmEvent *launchPoke(std::uint64_t where) {
  CmKernel *kernel = nullptr;
  CmTask *task = nullptr;
  CmEvent *event = nullptr;
  device->CreateKernel(program, "poke", kernel);
  kernel->SetKernelArg(0, sizeof(where), &where);
  kernel->SetThreadCount(1);
  device->CreateTask(task);
  task->AddKernel(kernel);
  queue->Enqueue(task, event);
  return event;
}

/// Whether what a signal has interrupted is the kernel `held`, where the host thread runs that itself: on another stack
/// than its own.
bool isInKernel(const void *context) {
  static std::uintptr_t low = 0;
  static std::size_t bytes = 0;
  if (!context) { // asked once, before there are signals
    pthread_attr_t attributes;
    void *begin = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &begin, &bytes);
    pthread_attr_destroy(&attributes);
    low = std::uintptr_t(begin);
    return false;
  }
  const auto stack = std::uintptr_t(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP]);
  return stack - low >= bytes && gate.allRun() && !gate.is[0];
}

/// Whether a host thread sleeps.
bool sleeps(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name = text.rfind(')');
  return name != std::string::npos && text.compare(name, 3, ") S") == 0;
}

std::atomic<bool> interrupted{false};

/// Runs kernels here until `handler` has interrupted one. The queue's thread may be faster to take them: then they are
/// let go, and there is another. Each has one behind it that another thread waits for, with this code in the end.
INT codeOfNext = CM_SUCCESS;
const char *held = "held"; ///< What is interrupted.
bool letsGo = true;        ///< And goes on to its end afterwards.
int flags = SA_SIGINFO;    ///< Of the handler.
INT interruptKernel(void (*handler)()) {
  static void (*does)() = nullptr;
  does = handler;
  isInKernel(nullptr);
  struct sigaction how = {};
  how.sa_sigaction = [](int, siginfo_t *, void *context) {
    if (!interrupted && isInKernel(context)) {
      interrupted = true;
      does();
    }
  };
  how.sa_flags = flags;
  sigaction(SIGUSR1, &how, nullptr);
  INT code = CM_SUCCESS;
  while (!interrupted) {
    gate.is[0] = 0;
    CmEvent *event = launchHeld(gate, held), *next = launchHeld(gate);
    std::thread others([next, thread = pthread_self()] {
      while (!gate.rounds[0]) // somebody runs the first
        std::this_thread::yield();
      std::atomic<pid_t> waits{0};
      std::thread waiter([&] {
        waits = gettid();
        codeOfNext = next->WaitForTaskFinished(DWORD(-1));
      });
      while (!waits || !sleeps(waits))
        std::this_thread::yield();
      for (int i = 0; i < 100 && !interrupted; ++i) {
        pthread_kill(thread, SIGUSR1);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      gate.is[0] = letsGo || !interrupted;
      waiter.join();
    });
    code = event->WaitForTaskFinished(DWORD(-1));
    others.join();
  }
  return code;
}

sigjmp_buf home;
std::atomic<int> faults{0};

/// Looks whether there is memory, as profilers do.
void probe() {
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
  if (!open())
    return 1;
  alarm(600);
  if (what == "fault") {
    say("the kernel", interruptKernel(probe));
    say("faults of the handler", faults);
    say("a kernel's own fault", launchPoke(64)->WaitForTaskFinished(DWORD(-1)));
    say("faults of the handler", faults);
  }
  if (what == "abort")
    say("the kernel", interruptKernel([] { std::abort(); }));
  if (what == "exit") { // whatever else is to be done then
    std::atexit([] { say("the device is destroyed", DestroyCmDevice(device)); });
    say("the kernel", interruptKernel([] { std::exit(5); }));
  }
  if (what == "fork") { // while another host thread has a part of the kernel
    gate.threads = 2;
    static pid_t child = -1;
    const INT code = interruptKernel([] {
      child = fork();
      if (child == 0) { // the rest of the kernel runs here, too
        alarm(300);
        gate.is[0] = 1;
      }
    });
    if (child == 0)
      _exit(code == CM_TASK_MEDIA_RESET && DestroyCmDevice(device) != CM_SUCCESS ? 3 : 4);
    int status = 0;
    waitpid(child, &status, 0);
    say("the kernel", code);
    say("the child", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  }
  if (what == "launch") { // kernels of another device; what was interrupted goes on, faults, or never ends
    const std::string how = argv[3];
    held = how == "fault" ? "late" : "held";
    letsGo = how != "endless";
    flags |= how == "stack" ? SA_ONSTACK : 0;
    alarm(120);
    static INT codes[2];
    const INT code = interruptKernel([] {
      volatile unsigned char frames[4096];
      std::memset(const_cast<unsigned char *>(frames), 0xAB, sizeof(frames));
      CmDevice *const device1 = device;
      CmQueue *const queue1 = queue;
      CmProgram *const program1 = program;
      if (!open())
        std::abort();
      static Gate opened;
      opened.is[0] = 1;
      for (int round = 0; round < 20; ++round) { // the queue's thread may take some
        codes[0] = launchHeld(opened)->WaitForTaskFinished(100000);
        codes[1] = launchHeld(opened, "late")->WaitForTaskFinished(100000);
      }
      DestroyCmDevice(device);
      device = device1;
      queue = queue1;
      program = program1;
      for (unsigned char byte : frames)
        if (byte != 0xAB)
          std::abort();
    });
    say("what the handler launches", codes[0]);
    say("what faults there", codes[1]);
    say("the kernel", code);
    say("a kernel's own fault", launchPoke(64)->WaitForTaskFinished(DWORD(-1)));
  }
  if (what == "destroy") {
    static INT code = CM_FAILURE;
    say("the kernel", interruptKernel([] { code = DestroyCmDevice(device); }));
    say("the device is destroyed", code);
    say("what came after the kernel", codeOfNext);
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
    std::size_t touched = 0, used = 0;
    for (int round = 0; round < 20 || (!used && round < 10'000); ++round) { // the queue's thread may take some
      if (launchPoke(64)->WaitForTaskFinished(DWORD(-1)) != CM_TASK_MEDIA_RESET)
        return 1;
      touched = used = 0;
      for (std::size_t i = 0; i < room; ++i) {
        touched += memory[i] != 0xAB;
        used += memory[room + i] != 0xAB;
      }
    }
    std::printf("bytes below the stack: %zu; the stack is %s\n", touched, used ? "used" : "not used");
  }
  if (what == "inside") { // an alternate stack in the thread's own; its handlers let each other in
    static INT code = CM_FAILURE;
    static bool whole = true;
    static pthread_t waiter;
    struct sigaction outer = {}, inner = {};
    outer.sa_flags = inner.sa_flags = SA_ONSTACK | SA_NODEFER;
    outer.sa_handler = [](int) {
      volatile unsigned char frame[1024];
      for (volatile unsigned char &byte : frame)
        byte = 0xAB;
      code = launchHeld(gate)->WaitForTaskFinished(100000);
      for (volatile unsigned char &byte : frame)
        whole = whole && byte == 0xAB;
    };
    inner.sa_handler = [](int) {
      volatile unsigned char frame[4096];
      for (volatile unsigned char &byte : frame)
        byte = 0;
    };
    sigaction(SIGUSR1, &outer, nullptr);
    sigaction(SIGUSR2, &inner, nullptr);
    std::thread own([] {
      CmKernel *kernel = nullptr; // has looked at this thread's stack, which has no other one yet
      device->CreateKernel(program, "poke", kernel);
      unsigned char memory[1u << 17];
      stack_t inside = {};
      inside.ss_sp = memory;
      inside.ss_size = sizeof(memory);
      sigaltstack(&inside, nullptr);
      waiter = pthread_self();
      raise(SIGUSR1);
      inside.ss_flags = SS_DISABLE;
      sigaltstack(&inside, nullptr);
    });
    while (!gate.allRun())
      std::this_thread::yield();
    for (int i = 0; i < 20; ++i) {
      pthread_kill(waiter, SIGUSR2);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    gate.is[0] = 1;
    own.join();
    say("the kernel", code);
    say("the handler's frame is whole", whole);
  }
  return 0;
}
