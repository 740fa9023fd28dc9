// When a kernel is asked to end, or to go on in another host thread: in its own code at once, in what it has called
// when that returns, and in a handler of the application's not at all.
#include "devices/cpu/Guard.h"
#include "pocm/pocm.h"
#include "runtime/Fiber.h"
#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

using namespace pocm::cpu;
using pocm::runtime::Fiber;

// Where what plays the kernel lies.
extern "C" const char __start_pocm_test_kernel[], __stop_pocm_test_kernel[];

namespace {

std::atomic<bool> ended;
std::atomic<int> calls;
void (*inTheFirst)(); ///< What the kernel's first call of the helper does.

/// Asks the host thread that is in the kernel's helper, once, from another one; on return it has heard.
void ask(void (*how)(const std::atomic<bool> &)) {
  std::thread([how] { how(ended); }).join();
  sched_yield(); // comes back from the system, and takes signals then
}

__attribute__((noinline)) int helper(int i) {
  if (calls++ == 0)
    inTheFirst();
  return i + 1;
}

/// Calls the helper a thousand times, with numbers that it keeps in registers meanwhile.
__attribute__((noinline, section("pocm_test_kernel"), no_sanitize("address", "thread", "undefined"))) int
kernel(double x) {
  double y = x + 1, z = x * 3;
  int n = 0;
  while (n < 1000) {
    n = helper(n);
    y += 1;
    z += y;
  }
  return int(y + z) - int(x + 1 + x * 3) == 1000 + 500500 + 1000 * int(x + 1) ? n : -1;
}

/// Runs the kernel; -2 when it was ended.
int run() {
  const CodeRange code{std::uintptr_t(__start_pocm_test_kernel), std::uintptr_t(__stop_pocm_test_kernel)};
  HostThread &here = HostThread::mine();
  if (_setjmp(here.home)) {
    EXPECT_EQ(HostThread::now().fault.signal, 0);
    return -2;
  }
  here.enter(ended, code);
  const int n = kernel(2);
  HostThread::now().leave();
  return n;
}

class Guarded : public testing::Test {
protected:
  void SetUp() override {
#if !POCM_FIBERS
    GTEST_SKIP(); // nor detours
#endif
    installHandlers();
    ended = false;
    calls = 0;
  }
};

TEST_F(Guarded, anEndThatIsWantedInWhatAKernelCallsComesWhenThatReturns) {
  inTheFirst = [] {
    ended = true;
    ask(&interrupt);
  };
  EXPECT_EQ(run(), -2);
  EXPECT_EQ(calls, 1);
  ended = false; // and the next one is as any other
  inTheFirst = [] {};
  calls = 0;
  EXPECT_EQ(run(), 1000);
}

TEST_F(Guarded, whatIsNotWantedAnyMoreDoesNotHappen) {
  inTheFirst = [] {
    ended = true;
    ask(&interrupt);
    ended = false;
  };
  EXPECT_EQ(run(), 1000); // with what it had in registers
}

TEST_F(Guarded, aFiberIsLeftWhenWhatTheKernelCallsReturns) {
  inTheFirst = [] { ask(&handOver); };
  Fiber fiber;
  int result = 0;
  fiber.start([&] { result = run(); });
  ASSERT_FALSE(fiber.run());
  EXPECT_EQ(calls, 1);
  std::thread([&] { EXPECT_TRUE(fiber.run()); }).join();
  EXPECT_EQ(calls, 1000);
  EXPECT_EQ(result, 1000);
}

// As a handler of the application's may, that opens a device there.
TEST_F(Guarded, compiledCodeThatIsEnteredInWhatAKernelCallsLeavesTheReturnAsItWas) {
  inTheFirst = [] {
    ended = true;
    ask(&interrupt);
    callGuarded("try", [] {});
    ended = false;
  };
  EXPECT_EQ(run(), 1000);
}

TEST_F(Guarded, handlersOfTheApplicationComeToTheirEnd) {
  static std::atomic<bool> came;
  came = false;
  struct sigaction how = {}, before = {};
  how.sa_handler = [](int) {
    ended = true;
    ask(&interrupt);
    came = true;
  };
  sigaction(SIGUSR1, &how, &before);
  inTheFirst = [] {
    raise(SIGUSR1);
    ended = false;
  };
  EXPECT_EQ(run(), 1000);
  EXPECT_TRUE(came);
  sigaction(SIGUSR1, &before, nullptr);
}

// LLVM, left behind its last instruction by code from a stranger, runs into what lies between its functions.
TEST(Guard, trapsAreFaultsWhereTheyAreOursAndTheEndElsewhere) {
#if defined(__x86_64__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  std::string said;
  try {
    callGuarded("try", [] { asm volatile("int3"); });
  } catch (const pocm::Error &problem) {
    said = problem.what();
  }
  EXPECT_EQ(said, "LLVM cannot try: it runs an instruction that this CPU does not have, or a trap");
  EXPECT_EXIT(asm volatile("int3"), testing::KilledBySignal(SIGTRAP), "");
#endif
}

} // namespace
