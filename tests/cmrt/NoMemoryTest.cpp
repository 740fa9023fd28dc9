// The host API while the host's memory runs out, in LLVM as elsewhere: in children of this program the C library has no
// more memory from the n-th request on, once or for good, or the kernel gives no more addresses. Every call returns,
// and with memory again all is well.
#include "HostApi.h"
#include "Requests.h"
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef POCM_SEES_REQUESTS

namespace {

std::atomic<long> left{-1}; ///< Requests until memory is gone; below 0: it never is.
std::atomic<bool> forGood{false};

bool isGone() {
  long n = left.load();
  while (n > 0 && !left.compare_exchange_weak(n, n - 1))
    ;
  return n == 0 && (forGood || left.exchange(-1) == 0);
}

using namespace test;

constexpr const char *noMemorySource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void fill(SurfaceIndex out, float value) {
  vector<float, 16> v = value + get_thread_origin_x();
  v = cm_sqrt(v);
  write(out, get_thread_origin_x() * 64, v);
}
extern "C" _GENX_MAIN_ void groups(SurfaceIndex out, float value) {
  cm_slm_init(64);
  vector<float, 16> v = value + cm_linear_local_id();
  cm_barrier();
  write(out, cm_linear_local_id() * 64, v);
})";

/// The exit status of a child that does this; a signal counts from 1000.
int statusOf(const std::function<int()> &work) {
  pid_t child = fork();
  if (child == 0) {
    alarm(300);                             // it does not come back
    if (!freopen("/dev/null", "w", stderr)) // LLVM says that it is out of memory
      _exit(90);
    int code = work();
    exit(code); // with all that happens then
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Parts of a program's life, one of which has no memory.
enum Part { Device, Program, Kernel, Launch, Destroy };

/// What a child says.
enum Said { Went = 10, Refused = 11, NotAgain = 12, Wrong = 13, NoBeginning = 14 };

class NoMemory : public testing::Test {
protected:
  /// Compiled by a child, as this process is not to use LLVM: children find it as a process does at first.
  static void SetUpTestSuite() {
    folder = testing::TempDir() + "pocm-no-memory-" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    setenv("POCM_CACHE_DIR", (folder + "/cache").c_str(), 1);
    setenv("CM_RT_PARALLEL_THREADS", "2", 1); // their stacks are most of what a device needs
    ASSERT_EQ(statusOf([] {
                auto made = compiled("no_memory.cpp", noMemorySource);
                std::ofstream(folder + "/file.isa", std::ios::binary)
                    .write(reinterpret_cast<const char *>(made.data()), std::streamsize(made.size()));
                readFile();
                return life(Device, [](bool) {});
              }),
              Went);
    readFile();
    onRequest = [] { return !isGone(); };
    touched = static_cast<bool *>(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  }
  static void TearDownTestSuite() {
    onRequest = nullptr;
    std::filesystem::remove_all(folder);
  }
  static void readFile() {
    std::ifstream in(folder + "/file.isa", std::ios::binary);
    file.assign(std::istreambuf_iterator<char>(in), {});
  }

  /// A program's life. `limit` is called with true before the part that has little memory, with false behind it; what
  /// was refused there must work then. NoBeginning: LLVM was left when the process used it first.
  static int life(Part starved, const std::function<void(bool)> &limit) {
    bool refused = false, again = true;
    auto part = [&](Part which, const std::function<INT()> &call) {
      if (which == starved)
        limit(true);
      INT code = call();
      if (which == starved)
        limit(false);
      if (code == CM_SUCCESS)
        return true;
      refused = true;
      again = which == starved && call() == CM_SUCCESS;
      return again;
    };
    CmDevice *device = nullptr;
    CmProgram *program = nullptr;
    CmKernel *fill = nullptr, *groups = nullptr;
    CmQueue *queue = nullptr;
    CmTask *task = nullptr;
    CmBuffer *out = nullptr;
    CmThreadSpace *space = nullptr;
    SurfaceIndex *index = nullptr;
    UINT version = 0;
    if (!part(Device, [&] { return CreateCmDevice(device, version); }))
      return std::string(PocmLastError()).find("used it first") != std::string::npos ? NoBeginning : NotAgain;
    bool lives = part(Program, [&] { return device->LoadProgram(file.data(), UINT(file.size()), program); }) &&
                 part(Kernel, [&] { return device->CreateKernel(program, "fill", fill); }) &&
                 part(Kernel, [&] { return device->CreateKernel(program, "groups", groups); });
    if (!lives)
      return NotAgain;
    constexpr UINT threads = 8, bytes = threads * 64;
    float value = 1, got[bytes / 4] = {};
    device->CreateQueue(queue);
    device->CreateBuffer(bytes, out);
    device->CreateTask(task);
    device->CreateThreadSpace(threads, 1, space);
    out->GetIndex(index);
    fill->SetKernelArg(0, sizeof(*index), index);
    fill->SetKernelArg(1, sizeof(value), &value);
    task->AddKernel(fill);
    lives = part(Launch, [&]() -> INT {
      CmEvent *event = nullptr;
      INT code = queue->Enqueue(task, event, space);
      if (code == CM_SUCCESS)
        code = event->WaitForTaskFinished();
      if (code == CM_SUCCESS)
        code = out->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
      queue->DestroyEvent(event);
      return code;
    });
    if (!lives)
      return NotAgain;
    for (UINT i = 0; i < threads; ++i)
      if (got[i * 16] * got[i * 16] < i + 0.9f || got[i * 16] * got[i * 16] > i + 1.1f)
        return Wrong;
    if (!part(Destroy, [&] { return DestroyCmDevice(device); }))
      return NotAgain;
    return refused ? Refused : Went;
  }

  static std::string folder;
  static std::vector<std::uint8_t> file;
  static bool *touched; ///< By a child: memory was gone when it asked for some.
};
std::string NoMemory::folder;
std::vector<std::uint8_t> NoMemory::file;
bool *NoMemory::touched;

TEST_F(NoMemory, everyRequestFails) {
  const struct {
    Part part;
    const char *name;
    long step; ///< Requests are many: one of so many fails.
  } parts[] = {{Device, "device", 5},
               {Program, "program", 1},
               {Kernel, "kernel", 5},
               {Launch, "launch", 1},
               {Destroy, "destroy", 1}};
  for (auto [part, name, step] : parts)
    for (bool good : {false, true}) {
      int said[20] = {};
      *touched = true;
      for (long n = 0; *touched; n += stepOf(step)) {
        *touched = false;
        const int status = statusOf([&, n, part = part] {
          forGood = good;
          return life(part, [&](bool on) {
            *touched = *touched || (!on && left <= 0);
            left = on ? n : -1;
          });
        });
        ASSERT_TRUE(status == Went || status == Refused || (part == Device && status == NoBeginning))
            << name << ", request " << n << ": " << status;
        ++said[status];
      }
      RecordProperty(std::string(name) + (good ? " for good" : " once"), int(said[Refused]));
      if (part != Destroy)
        EXPECT_GT(stepOf(1) * said[Refused], 5) << name;
    }
}

/// Whole lives while the kernel gives no more addresses, or data, than so many bytes beyond what there is.
TEST_F(NoMemory, everySizeOfTheAddressSpace) {
  auto used = [](int field) {
    std::ifstream pages("/proc/self/statm");
    std::size_t n = 0;
    for (int i = 0; i <= field; ++i)
      pages >> n;
    return n * std::size_t(sysconf(_SC_PAGESIZE));
  };
  constexpr std::size_t kibi = 1024, mebi = 1024 * kibi;
  const struct {
    __rlimit_resource resource;
    const char *name;
    int field; ///< Of statm.
  } limits[] = {{RLIMIT_AS, "addresses", 0}, {RLIMIT_DATA, "data", 5}};
  for (auto [resource, name, field] : limits)
    for (Part part : {Device, Program, Kernel, Launch, Destroy}) {
      int said[20] = {};
      for (std::size_t room = 0; room <= 96 * mebi;
           room += std::size_t(stepOf(long(room < mebi ? 64 * kibi : room / 8)))) {
        const int status = statusOf([&, resource = resource, field = field] {
          rlimit before;
          getrlimit(resource, &before);
          return life(part, [&](bool on) {
            rlimit now = before;
            if (on)
              now.rlim_cur = used(field) + room;
            setrlimit(resource, &now);
          });
        });
        ASSERT_TRUE(status == Went || status == Refused || (part == Device && status == NoBeginning))
            << name << ", part " << part << ", " << room << " bytes more: " << status;
        ++said[status];
      }
      if (part == Device)
        EXPECT_GT(stepOf(1) * said[Refused], 5) << name;
      EXPECT_GT(said[Went], 0) << name << ", part " << part;
    }
}

} // namespace

#endif
