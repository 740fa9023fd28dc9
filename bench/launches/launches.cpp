//===- launches.cpp - What another host thread is worth to launches of all sizes ----------===//
//
//     bench-launches [HOST THREADS [ROUNDS]]      2 and 21 unless told
//
// Launches of 0.1 to 10 ms of 4 to 4,096 threads that compute and touch nothing else: as a thread space, in groups with
// barriers, in a wavefront, and listed one by one; threads that cost the same and threads that cost more towards the
// end. "Speed" is the least time on one host thread by the least on several. "Plain loops" says what the machine gives
// at that time: as many loops of the same length and operations on one host thread and on several that are awake
// already, and on those of GNU's OpenMP, where there is one, in equal parts and in parts that get smaller, or, for a
// wavefront, row by row behind the row above. Short loops overlap in a core, whose other host thread has less to gain
// then.
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Harness.h"
#include "Programs.h"
#include "devices/cpu/Relax.h"
#include "openmp.h"
#include "pocm/pocm.h"
#include "program/Container.h"
#include "program/Inside.h"
#include "runtime/Context.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace {

using namespace pocm::runtime;

constexpr const char *source = R"(
#include <cm/cm.h>
_GENX_ inline void work(SurfaceIndex s, int n) {
  vector<uint, 16> v = n;
  for (int i = 0; i < n; i++)
    v = v * 3 + 1;
  if (v(0) == 12345)
    write(s, 0, v);
}
extern "C" _GENX_MAIN_ void even(SurfaceIndex s, int n) { work(s, n); }
extern "C" _GENX_MAIN_ void growing(SurfaceIndex s, int n) { work(s, n * (int)(get_thread_origin_x() + 1)); }
extern "C" _GENX_MAIN_ void grouped(SurfaceIndex s, int n) {
  work(s, n);
  cm_barrier();
  work(s, n);
}
)";

/// A context with a number of host threads, and a kernel that takes so many rounds.
class Bench {
public:
  Bench(const pocm::Program &program, unsigned threads)
      : program(program), context("cpu", {threads, ""}), memory(Memory::buffer(context.heap(), 64)) {}

  Launch launch(const char *name, int n) {
    auto kernel = context.createKernel(pocm::Inside::of(program), program.kernel(name));
    kernel->setSurface(0, memory);
    kernel->setValue(1, &n, sizeof(n));
    kernels.push_back(kernel);
    return kernel->capture();
  }
  void run(const Launch &launch) {
    auto event = context.enqueue({launch});
    event->wait();
    if (!event->problem().empty())
      throw std::runtime_error(event->problem());
  }

private:
  const pocm::Program &program;
  Context context;
  std::shared_ptr<Memory> memory;
  std::vector<std::shared_ptr<Kernel>> kernels;
};

struct Shape {
  std::string name;
  const char *kernel;
  std::function<void(Launch &)> space; ///< Gives it its threads.
  unsigned plain = 0;                  ///< So many plain loops are the same; 0: none are.
  unsigned side = 0;                   ///< As many rows and columns of a wavefront; 0: it is none.
};

Order wave(std::uint32_t width, std::uint32_t height) {
  Order order;
  order.width = width;
  order.height = height;
  order.neighbours = {{1, 0}, {0, 1}};
  return order;
}

Order oneByOne(std::uint32_t width, std::uint32_t height) {
  Order order;
  order.width = width;
  order.height = height;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      order.threads.push_back({x, height - 1 - y, 0, 0});
  return order;
}

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  auto rectangle = [](std::uint32_t w, std::uint32_t h) { return [=](Launch &l) { l.threads = {{0, w, 0, h}}; }; };
  all.push_back({"space 4x1", "even", rectangle(4, 1), 4});
  all.push_back({"space 8x8", "even", rectangle(8, 8), 64});
  all.push_back({"space 64x64", "even", rectangle(64, 64), 4096});
  all.push_back({"space 16x1, growing cost", "growing", rectangle(16, 1)});
  all.push_back({"space 256x1, growing cost", "growing", rectangle(256, 1)});
  auto groups = [](std::uint32_t count, std::uint32_t size) {
    return [=](Launch &l) { l.grid = Grid{{count, 1, 1}, {size, 1, 1}}; };
  };
  all.push_back({"4 groups of 1", "grouped", groups(4, 1)});
  all.push_back({"16 groups of 16, barriers", "grouped", groups(16, 16)});
  auto ordered = [](Order order) {
    auto shared = std::make_shared<const Order>(std::move(order));
    return [=](Launch &l) { l.order = shared; };
  };
  for (unsigned side : {16u, 64u})
    all.push_back(
        {"wavefront " + std::to_string(side) + "x" + std::to_string(side), "even", ordered(wave(side, side)), 0, side});
  all.push_back({"listed 2x2", "even", ordered(oneByOne(2, 2))});
  all.push_back({"listed 16x16", "even", ordered(oneByOne(16, 16))});
  return all;
}

/// What the machine gives: loops of as many rounds each, on one host thread and on several.
class Loops {
public:
  explicit Loops(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i)
      others.emplace_back([this, i] {
        for (unsigned seen = 0; !stop;)
          if (unsigned now = start; now != seen) {
            seen = now;
            part(i);
            ++done;
          } else {
            pocm::cpu::relax();
          }
      });
  }
  ~Loops() {
    stop = true;
    for (auto &t : others)
      t.join();
  }
  /// What the kernel's threads do, as whole registers do it.
  static void spin(unsigned loops, int n) {
    if (__builtin_cpu_supports("avx512f"))
      spinOnVectors(loops, n);
    else
      spinOnNumbers(loops, n);
  }
  void together(unsigned count, int n) {
    loops = count;
    rounds = n;
    done = 0;
    ++start;
    part(0);
    while (done != others.size())
      ;
  }

private:
  void part(unsigned host) {
    const auto hosts = unsigned(others.size()) + 1;
    spin(loops * (host + 1) / hosts - loops * host / hosts, rounds);
  }
  [[gnu::target("avx512f")]] static void spinOnVectors(unsigned loops, int n) {
    using Vector [[gnu::vector_size(64)]] = std::uint32_t;
    for (; loops; --loops) {
      Vector v = {};
      for (int i = 0; i < n; ++i) {
        v = v * 3 + 1;
        asm volatile("" : "+v"(v));
      }
    }
  }
  static void spinOnNumbers(unsigned loops, int n) {
    for (; loops; --loops) {
      std::uint32_t v = 1;
      for (int i = 0; i < n; ++i)
        asm volatile("imul $3, %0, %0" : "+r"(v));
    }
  }

  std::vector<std::thread> others;
  std::atomic<unsigned> start{0}, done{0}, loops{0};
  std::atomic<int> rounds{0};
  std::atomic<bool> stop{false};
};

/// Of times on a machine with other work: when there was none.
double least(const std::vector<double> &times) { return *std::min_element(times.begin(), times.end()); }

std::vector<double> timesOf(int rounds, const std::function<void()> &work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i)
    times.push_back(bench::milliseconds(work));
  return times;
}

/// How many rounds take so long, of work that has that many. Loops of few rounds overlap, and take less than they say.
int roundsFor(double ms, const std::function<std::function<void()>(int)> &workOf) {
  constexpr int first = 64, tries = 3;
  int n = first;
  for (int i = 0; i < tries; ++i) {
    const std::function<void()> work = workOf(n);
    work();
    n = std::max(1, int(std::lround(n * ms / least(timesOf(7, work)))));
  }
  return n;
}

/// The argument with which a launch takes so long on one host thread.
int argumentFor(const Shape &shape, double ms, const pocm::Program &program) {
  Bench one(program, 1);
  return roundsFor(ms, [&](int n) {
    Launch launch = one.launch(shape.kernel, n);
    shape.space(launch);
    return [&one, launch] { one.run(launch); };
  });
}

/// How many launches of so many milliseconds follow each other, as they come in loops.
int inARow(double ms) {
  constexpr double all = 2.4;
  constexpr int least = 4;
  return std::max(least, int(all / ms));
}

double loopsSpeed(unsigned threads, unsigned count, double ms, int rounds) {
  const int n = roundsFor(ms, [&](int some) { return [=] { Loops::spin(count, some); }; });
  const double alone = least(timesOf(rounds * inARow(ms), [&] { Loops::spin(count, n); })); // nobody waits in its core
  Loops loops(threads);
  return alone / least(timesOf(rounds * inARow(ms), [&] { loops.together(count, n); }));
}

#ifdef POCM_OPENMP
double openmpSpeed(unsigned threads, unsigned count, bool equal, double ms, int rounds) {
  const int n = roundsFor(ms, [&](int some) { return [=] { Loops::spin(count, some); }; });
  const double alone = least(timesOf(rounds * inARow(ms), [&] { Loops::spin(count, n); }));
  auto one = [](int some) { Loops::spin(1, some); };
  return alone / least(timesOf(rounds * inARow(ms), [&] { bench::shareByOpenMP(threads, count, equal, one, n); }));
}

/// In the best of several widths of what is done before the next row may go on.
double openmpWaveSpeed(unsigned threads, unsigned side, double ms, int rounds) {
  const unsigned count = side * side;
  const int n = roundsFor(ms, [&](int some) { return [=] { Loops::spin(count, some); }; });
  const double alone = least(timesOf(rounds * inARow(ms), [&] { Loops::spin(count, n); }));
  double best = HUGE_VAL;
  for (unsigned step : {1u, 2u, 4u, 8u, 16u}) {
    auto some = [&] { bench::waveByOpenMP(threads, side, step, Loops::spin, n); };
    best = std::min(best, least(timesOf(rounds * inARow(ms), some)));
  }
  return alone / best;
}
#endif

double launchSpeed(unsigned threads, const Shape &shape, double ms, int rounds, const pocm::Program &program) {
  Bench one(program, 1), several(program, threads);
  const int n = argumentFor(shape, ms, program);
  Launch alone = one.launch(shape.kernel, n), shared = several.launch(shape.kernel, n);
  shape.space(alone);
  shape.space(shared);
  const double before = least(timesOf(rounds * inARow(ms), [&] { one.run(alone); }));
  return before / least(timesOf(rounds * inARow(ms), [&] { several.run(shared); }));
}

/// The same where nobody has worked for a while: other host threads sleep. The medians.
double speedAfterPause(unsigned threads, const Shape &shape, double ms, int rounds, const pocm::Program &program) {
  Bench one(program, 1), several(program, threads);
  const int n = argumentFor(shape, ms, program);
  auto median = [&](Bench &bench) {
    Launch launch = bench.launch(shape.kernel, n);
    shape.space(launch);
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      times.push_back(bench::milliseconds([&] { bench.run(launch); }));
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
  };
  const double before = median(one);
  return before / median(several);
}

void run(unsigned threads, int rounds) {
  pocm::CompileOptions options;
  options.file = "launches.cpp";
  options.source = source;
  const pocm::Program program = bench::compiled(options);
  std::printf("%-30s", "speed on several host threads");
  const double durations[] = {0.1, 0.3, 1, 10};
  for (double ms : durations)
    std::printf(" %6.1f ms", ms);
  std::printf("\n");
  auto row = [&](const std::string &name, const std::function<double(double ms)> &speed) {
    std::printf("%-30s", name.c_str());
    for (double ms : durations) {
      std::printf(" %8.2fx", speed(ms));
      std::fflush(stdout);
    }
    std::printf("\n");
  };
  for (const Shape &shape : shapes()) {
    if (shape.plain) {
      row(std::to_string(shape.plain) + " plain loops",
          [&](double ms) { return loopsSpeed(threads, shape.plain, ms, rounds); });
#ifdef POCM_OPENMP
      for (bool equal : {true, false})
        row(std::to_string(shape.plain) + " loops, OpenMP, " + (equal ? "static" : "guided"),
            [&](double ms) { return openmpSpeed(threads, shape.plain, equal, ms, rounds); });
#endif
    }
#ifdef POCM_OPENMP
    if (shape.side)
      row(shape.name + ", OpenMP", [&](double ms) { return openmpWaveSpeed(threads, shape.side, ms, rounds); });
#endif
    row(shape.name, [&](double ms) { return launchSpeed(threads, shape, ms, rounds, program); });
    if (shape.plain)
      row(shape.name + ", after a pause",
          [&](double ms) { return speedAfterPause(threads, shape, ms, rounds, program); });
  }
}

} // namespace

int main(int argc, char **argv) {
  unsigned threads = 2;
  int rounds = 21;
  CLI::App app{"What another host thread is worth to launches of all sizes.", "bench-launches"};
  app.add_option("THREADS", threads, "of the host")->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("ROUNDS", rounds, "of which the least time counts")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  if (std::optional<int> status = parsed(app, argc, argv))
    return *status;
  try {
    run(threads, rounds);
    return 0;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "bench-launches: %s\n", problem.what());
    return 2;
  }
}
