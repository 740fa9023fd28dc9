// Forks in the middle of everything: while one thread opens a device, compiles, launches and reads for the first time
// in a process, another one forks, at one of its requests for memory after another. No lock and no variable that the
// first thread had in hand may be wanted by the child, which does the same on a device of its own.
#include "HostApi.h"
#include "Requests.h"
#include <csignal>
#include <ctime>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#ifdef POCM_SEES_REQUESTS

namespace {

using namespace test;

enum Said { Went = 0, Wrong = 10, ChildFailed = 11, NotReached = 12 };

std::atomic<long> left{0};        ///< Requests until the fork.
std::atomic<bool> forking{false}; ///< The time has come.
std::atomic<bool> forked{false};
std::atomic<bool> counts{false}; ///< Of threads that are not `apart`.
thread_local bool apart = false;

void sleepBriefly() {
  const timespec brief{0, 50'000};
  nanosleep(&brief, nullptr);
}

bool seesRequest() {
  constexpr int patience = 600; // the fork may have to wait for this thread
  if (counts && !apart && left.fetch_sub(1) == 1) {
    forking = true;
    for (int i = 0; i < patience && !forked; ++i)
      sleepBriefly();
  }
  return true;
}

constexpr const char *forkSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void fill(SurfaceIndex out, int value) {
  vector<int, 16> v = value + get_thread_origin_x();
  write(out, get_thread_origin_x() * 64, v);
})";

/// A program's life; whether all went well.
bool lives(std::vector<std::uint8_t> file) {
  constexpr UINT threads = 64, lanes = 16;
  CmDevice *device = nullptr;
  CmProgram *program = nullptr;
  CmKernel *kernel = nullptr;
  CmQueue *queue = nullptr;
  CmTask *task = nullptr;
  CmThreadSpace *space = nullptr;
  CmBuffer *out = nullptr;
  SurfaceIndex *index = nullptr;
  CmEvent *event = nullptr;
  UINT version = 0;
  int value = 5, got[threads * lanes] = {};
  return CreateCmDevice(device, version) == CM_SUCCESS &&
         device->LoadProgram(file.data(), UINT(file.size()), program) == CM_SUCCESS &&
         device->CreateKernel(program, "fill", kernel) == CM_SUCCESS && device->CreateQueue(queue) == CM_SUCCESS &&
         device->CreateBuffer(sizeof(got), out) == CM_SUCCESS && device->CreateTask(task) == CM_SUCCESS &&
         device->CreateThreadSpace(threads, 1, space) == CM_SUCCESS && out->GetIndex(index) == CM_SUCCESS &&
         kernel->SetKernelArg(0, sizeof(*index), index) == CM_SUCCESS &&
         kernel->SetKernelArg(1, sizeof(value), &value) == CM_SUCCESS && task->AddKernel(kernel) == CM_SUCCESS &&
         queue->Enqueue(task, event, space) == CM_SUCCESS && event->WaitForTaskFinished() == CM_SUCCESS &&
         out->ReadSurface(reinterpret_cast<unsigned char *>(got), event) == CM_SUCCESS && got[7 * lanes] == 12 &&
         DestroyCmDevice(device) == CM_SUCCESS;
}

/// In a process that has done nothing yet.
Said forkAt(long request, const std::vector<std::uint8_t> &file) {
  constexpr unsigned hung = 60;
  std::atomic<bool> over{false};
  int status = 0;
  std::thread forker([&] {
    apart = true;
    while (!forking && !over)
      sleepBriefly();
    if (over)
      return;
    const pid_t child = fork();
    if (child == 0) {
      counts = false;
      alarm(hung);
      exit(lives(file) ? Went : ChildFailed);
    }
    forked = true;
    waitpid(child, &status, 0);
  });
  left = request;
  counts = true;
  bool went = false;
  std::thread([&] { went = lives(file); }).join();
  counts = false;
  over = true;
  forker.join();
  return !went ? Wrong : !forked ? NotReached : status ? ChildFailed : Went;
}

/// The exit status of a child that does this.
template <class Work> int statusOf(Work work) {
  const pid_t child = fork();
  if (child == 0)
    _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// Compiled by a child: this process must not have used anything.
std::vector<std::uint8_t> compiledApart() {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  EXPECT_EQ(statusOf([&] {
              auto made = compiled("fork.cpp", forkSource);
              return write(ends[1], made.data(), made.size()) == ssize_t(made.size()) ? 0 : 1;
            }),
            0);
  close(ends[1]);
  std::vector<std::uint8_t> file(1u << 16);
  file.resize(std::size_t(std::max<ssize_t>(read(ends[0], file.data(), file.size()), 0)));
  close(ends[0]);
  return file;
}

/// Lives with a fork at every so manieth request; how many forks there were.
long forkEvery(long step, const std::vector<std::uint8_t> &file) {
  onRequest = seesRequest;
  long points = 0;
  int status = 0;
  for (step = stepOf(step); status == 0; ++points)
    status = statusOf([&] { return int(forkAt(1 + points * step, file)); });
  onRequest = nullptr;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == NotReached)
      << "status " << status << " at request " << 1 + (points - 1) * step;
  EXPECT_GT(stepOf(1) * points, 10);
  return points;
}

// The check device lists what kernels may reach.
TEST(ForkPoints, childrenOfTheCheckDeviceWaitForNobody) {
  const std::vector<std::uint8_t> file = compiledApart();
  ASSERT_FALSE(file.empty());
  std::fflush(nullptr);
  test::WithVariable device("CM_RT_DEVICE", "check"), cache("POCM_CACHE_DIR", "off");
  RecordProperty("points", int(forkEvery(61, file)));
}

TEST(ForkPoints, childrenWaitForNobody) {
  const std::vector<std::uint8_t> file = compiledApart();
  ASSERT_FALSE(file.empty());
  const std::string folder = testing::TempDir() + "pocm-fork-points-" + std::to_string(getpid());
  std::fflush(nullptr); // children write what is there
  for (bool cached : {true, false}) {
    test::WithVariable cache("POCM_CACHE_DIR", cached ? folder.c_str() : "off");
    const long step = cached ? 23 : 61; // of requests, as a process takes a tenth of a second to make code
    RecordProperty(cached ? "points with a cache" : "points", int(forkEvery(step, file)));
  }
  std::filesystem::remove_all(folder);
}

} // namespace

#endif
