// Objects that several host threads use at once: setters and launches come one after another, whatever the order.
#include "HostApi.h"
#include <atomic>
#include <functional>
#include <thread>

namespace {

using namespace test;

constexpr const char *sharedSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void put(SurfaceIndex out, vector<int, 8> v) { // the second place is for what is torn
  write(out, (v != v(0)).any() ? 32 : 0, v);
}
)";

class SharedObjects : public HostApi {
protected:
  /// Does it again and again on a host thread each, until two others have launched so many times.
  void whileLaunching(CmTask *task, CmThreadSpace *space, std::initializer_list<std::function<void(UINT)>> changes) {
    constexpr int launches = 4000;
    std::atomic<int> done = 0;
    std::vector<std::jthread> hosts;
    for (const auto &change : changes)
      hosts.emplace_back([&] {
        for (UINT n = 0; done < 2; ++n)
          change(n);
      });
    for (int host = 0; host < 2; ++host)
      hosts.emplace_back([&] {
        for (int n = 0; n < launches; ++n) {
          CmEvent *event = nullptr;
          if (INT code = queue->Enqueue(task, event, space); code != CM_SUCCESS) {
            EXPECT_EQ(code, CM_FAILURE); // a task without kernels
            continue;
          }
          EXPECT_EQ(event->WaitForTaskFinished(), CM_SUCCESS);
          EXPECT_EQ(queue->DestroyEvent(event), CM_SUCCESS);
        }
        ++done;
      });
  }
  CmProgram *shared = nullptr;
  void SetUp() override {
    HostApi::SetUp();
    static const std::vector<std::uint8_t> file = compiled("shared_objects.cpp", sharedSource);
    shared = load(file);
  }
};

TEST_F(SharedObjects, argumentsAreSetWhileTheKernelIsLaunched) {
  CmKernel *k = kernel(shared, "put");
  CmBuffer *outs[] = {buffer(64), buffer(64)};
  for (CmBuffer *out : outs)
    ASSERT_EQ(out->InitSurface(0, nullptr), CM_SUCCESS);
  auto setSurface = [&](UINT n) { k->SetKernelArg(0, sizeof(SurfaceIndex), index(outs[n % 2])); };
  auto setValue = [&](UINT n) {
    const UINT all[8] = {n, n, n, n, n, n, n, n};
    k->SetKernelArg(1, sizeof(all), all);
  };
  setSurface(0), setValue(0);
  whileLaunching(task(k), nullptr, {setSurface, setValue});
  for (CmBuffer *out : outs) {
    int seen[16];
    ASSERT_EQ(out->ReadSurface(reinterpret_cast<unsigned char *>(seen), nullptr), CM_SUCCESS);
    for (int i = 8; i < 16; ++i)
      EXPECT_EQ(seen[i], 0);
  }
}

TEST_F(SharedObjects, tasksAndSpacesChangeWhileTheyAreLaunched) {
  CmKernel *k = kernel("where");
  CmSurface2D *out = surface(16, 16);
  ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  CmTask *t = task(k);
  CmThreadSpace *space = nullptr;
  ASSERT_EQ(device->CreateThreadSpace(4, 4, space), CM_SUCCESS);
  std::vector<CM_THREAD_PARAM> order(16);
  for (UINT i = 0; i < 16; ++i)
    order[i].scoreboardCoordinates = {INT(i % 4), INT(i / 4)};
  whileLaunching(t, space,
                 {[&](UINT n) {
                    if (n % 16 == 0)
                      t->Reset();
                    t->AddKernel(k);
                  },
                  [&](UINT n) {
                    CM_DEPENDENCY vectors{};
                    vectors.count = n % 3;
                    vectors.deltaX[0] = vectors.deltaX[1] = -1;
                    space->SelectThreadDependencyVectors(vectors);
                    space->SetThreadSpaceColorCount(1 + n % 2);
                    if (n % 64 == 0)
                      space->SetThreadSpaceOrder(16, order.data());
                  },
                  [&](UINT) { device->InitPrintBuffer(4096); }});
}

} // namespace
