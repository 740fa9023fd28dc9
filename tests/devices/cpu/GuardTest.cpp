// When a kernel is asked to end, or to go on in another host thread: in its own code at once, in what it has called
// when that returns, and in a handler of the application's not at all.
#include "devices/cpu/Guard.h"
#include "pocm/pocm.h"
#include "runtime/Fiber.h"
#include <atomic>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>
#include <vector>

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

/// Calls the helper, and faults.
__attribute__((noinline, section("pocm_test_kernel"), no_sanitize("address", "thread", "undefined"))) int
faultingKernel(double) {
  int n = helper(0);
  __builtin_trap();
  return n;
}

/// Runs the kernel; -2 when it was ended, -3 when it has faulted.
int run(int (*what)(double) = kernel) {
  const CodeRange code{std::uintptr_t(__start_pocm_test_kernel), std::uintptr_t(__stop_pocm_test_kernel)};
  Entry entry(ended, code);
  if (POCM_COMES_HOME(entry.home))
    return entry.fault().signal ? -3 : -2;
  HostThread::mine().enter(entry);
  const int n = what(2);
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

// An alternate stack that there is not as long as a handler is on it, of which the jump out of that is the end.
TEST_F(Guarded, alternateStacksAreThereAfterAFault) {
  std::thread([] {
    std::vector<char> memory(1u << 16);
    stack_t own = {}, now = {};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    own.ss_flags = int(1u << 31); // SS_AUTODISARM
    ASSERT_EQ(sigaltstack(&own, nullptr), 0);
    for (int round = 0; round < 3; ++round) {
      calls = 1;
      EXPECT_EQ(run(&faultingKernel), -3);
      ASSERT_EQ(sigaltstack(nullptr, &now), 0);
      EXPECT_EQ(now.ss_sp, memory.data());
      EXPECT_EQ(now.ss_flags, own.ss_flags);
    }
    now.ss_flags = SS_DISABLE;
    sigaltstack(&now, nullptr);
  }).join();
}

// As a handler does that has interrupted a kernel, and launches one of another device: that and the one below it are
// guarded, and the one below when the other is done.
class Nested : public Guarded {
protected:
  static constexpr int deepest = 5;
  void SetUp() override {
    Guarded::SetUp();
    depth = 0;
    results.clear();
  }
  /// In a kernel's helper: runs what the test chooses for this depth, and whatever follows, in a kernel of its own.
  static void goDeeper(const std::function<int()> &innermost) {
    static std::function<int()> last;
    last = innermost;
    inTheFirst = [] {
      const int n = ++depth < deepest ? (calls = 0, run()) : last();
      results.push_back(n);
    };
  }
  static inline int depth;
  static inline std::vector<int> results; ///< Of the innermost first.
};

TEST_F(Nested, kernelsInKernelsRunToTheirEnd) {
  goDeeper([] { return 7; });
  EXPECT_EQ(run(), 1000);
  EXPECT_EQ(results, (std::vector{7, 1000, 1000, 1000, 1000}));
}

TEST_F(Nested, aFaultIsOfTheKernelThatHasIt) {
  goDeeper([] { return (calls = 1, run(&faultingKernel)); });
  EXPECT_EQ(run(), 1000);
  EXPECT_EQ(results, (std::vector{-3, 1000, 1000, 1000, 1000}));
}

TEST_F(Nested, aFaultBehindOtherKernelsIsAFault) {
  goDeeper([] { return 7; });
  EXPECT_EQ(run(&faultingKernel), -3);
  EXPECT_EQ(results, (std::vector{7, 1000, 1000, 1000, 1000}));
}

TEST_F(Nested, anEndIsHeardBehindOtherKernels) {
  inTheFirst = [] {
    EXPECT_EQ(run(&faultingKernel), -3); // calls the helper, too, but not as the first
    ended = true;
    ask(&interrupt);
  };
  EXPECT_EQ(run(), -2);
}

TEST_F(Nested, aFiberIsLeftBehindOtherKernels) {
  inTheFirst = [] {
    Fiber::Hidden none;
    EXPECT_EQ(run(&faultingKernel), -3);
    ask(&handOver);
  };
  Fiber fiber;
  int result = 0;
  fiber.start([&] { result = run(); });
  ASSERT_FALSE(fiber.run());
  std::thread([&] { EXPECT_TRUE(fiber.run()); }).join();
  EXPECT_EQ(result, 1000);
}

TEST_F(Nested, noFiberIsLeftByWhatIsNotOnIt) {
  inTheFirst = [] {
    Fiber::Hidden none;
    inTheFirst = [] { ask(&handOver); };
    calls = 0;
    results.push_back(run());
  };
  Fiber fiber;
  int result = 0;
  fiber.start([&] { result = run(); });
  EXPECT_TRUE(fiber.run());
  EXPECT_EQ(results, std::vector{1000});
  EXPECT_EQ(result, 1000);
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
