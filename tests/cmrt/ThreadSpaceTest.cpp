// Thread spaces through the host API: dependencies that hold in any order, walks, colours, associations, arguments of
// single threads.
#include "HostApi.h"
#include <algorithm>
#include <cstring>
#include <thread>

namespace {

using namespace test;

constexpr const char *spaceSource = R"(
#include <cm/cm.h>
// Stamps from a counter: when the thread of a cell began and ended, and what it is.
extern "C" _GENX_MAIN_ void stamps(SurfaceIndex counter, SurfaceIndex out, uint width) {
  vector<uint, 8> offsets = 0, old;
  vector<uint, 4> record;
  vector<ushort, 8> one = 0; one(0) = 1;
  write_atomic<ATOMIC_INC>(one, counter, offsets, old);
  record(0) = old(0);
  cm_wait();
  record(2) = get_thread_origin_x() | get_thread_origin_y() << 16;
  record(3) = get_color();
  cm_fence();
  write_atomic<ATOMIC_INC>(one, counter, offsets, old);
  record(1) = old(0);
  cm_signal();
  write(out, ((get_thread_origin_y() * width + get_thread_origin_x()) * 4 + get_color()) * 16, record);
}
// Each pixel is the one to its left plus the one above: right only when both are done.
extern "C" _GENX_MAIN_ void paths(SurfaceIndex image) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  cm_wait();
  matrix<uint, 1, 1> left = 0, above = 0, sum = 1;
  if (x) read(image, (x - 1) * 4, y, left);
  if (y) read(image, x * 4, y - 1, above);
  if (x && y) sum = left + above;
  write(image, x * 4, y, sum);
}
extern "C" _GENX_MAIN_ void arguments(SurfaceIndex out, int shared, vector<short, 2> mine, SurfaceIndex target) {
  vector<int, 4> v;
  v(0) = shared; v(1) = mine(0); v(2) = mine(1); v(3) = get_thread_origin_x() + 1000 * get_thread_origin_y();
  write(target, mine(0) * 16, v);
}
extern "C" _GENX_MAIN_ void groups(SurfaceIndex out) {
  vector<uint, 4> v;
  v(0) = cm_group_id(0); v(1) = cm_group_id(1); v(2) = cm_group_count(0); v(3) = cm_group_count(1);
  write(out, (get_thread_origin_y() * cm_group_count(0) + get_thread_origin_x()) * 16, v);
}
)";

class ThreadSpaces : public HostApi {
protected:
  void SetUp() override {
    HostApi::SetUp();
    static const std::vector<std::uint8_t> file = compiled("spaces.cpp", spaceSource);
    own = load(file);
  }
  void TearDown() override {
    HostApi::TearDown();
    unsetenv("POCM_ORDER");
  }
  /// The same on a device that runs threads in another order.
  void reopen(const char *order) {
    HostApi::TearDown();
    setenv("POCM_ORDER", order, 1);
    SetUp();
  }
  CmThreadSpace *space(UINT width, UINT height) {
    CmThreadSpace *s = nullptr;
    EXPECT_EQ(device->CreateThreadSpace(width, height, s), CM_SUCCESS);
    return s;
  }

  struct Record {
    UINT begin, end, where, color;
  };
  /// Runs `stamps` in a space; four records for each cell, one for each colour.
  std::vector<Record> stamps(CmThreadSpace *s, UINT width, UINT height) {
    std::vector<Record> records(width * height * 4, Record{~0u, ~0u, 0, 0});
    CmBuffer *counter = buffer(64), *out = buffer(UINT(records.size() * sizeof(Record)));
    counter->InitSurface(0, nullptr);
    out->WriteSurface(reinterpret_cast<unsigned char *>(records.data()), nullptr);
    CmKernel *k = kernel(own, "stamps");
    k->SetKernelArg(0, sizeof(SurfaceIndex), index(counter));
    k->SetKernelArg(1, sizeof(SurfaceIndex), index(out));
    k->SetKernelArg(2, sizeof(width), &width);
    CmEvent *event = nullptr;
    CmTask *t = task(k);
    EXPECT_EQ(queue->Enqueue(t, event, s), CM_SUCCESS) << PocmLastError();
    EXPECT_EQ(out->ReadSurface(reinterpret_cast<unsigned char *>(records.data()), event), CM_SUCCESS);
    device->DestroyKernel(k);
    device->DestroyTask(t);
    device->DestroySurface(counter);
    device->DestroySurface(out);
    return records;
  }

  CmProgram *own = nullptr;
};

struct Neighbour {
  int dx, dy;
};
/// What each pattern promises at least, at every cell: the vectors that no mask clears.
struct Promise {
  CM_DEPENDENCY_PATTERN pattern;
  std::vector<Neighbour> before;
};
const std::vector<Promise> promises{
    {CM_WAVEFRONT, {{-1, 0}, {-1, -1}, {0, -1}}},
    {CM_WAVEFRONT26, {{-1, 0}, {-1, -1}, {0, -1}, {1, -1}}},
    {CM_VERTICAL_WAVE, {{-1, 0}}},
    {CM_HORIZONTAL_WAVE, {{0, -1}}},
    {CM_WAVEFRONT26Z, {{-1, 0}, {-1, -1}, {0, -1}}},
    {CM_WAVEFRONT26X, {{-1, -1}, {0, -1}, {0, -2}, {0, -3}}},
    {CM_WAVEFRONT26ZIG, {{-1, 0}, {-1, -1}, {0, -1}}},
};

TEST_F(ThreadSpaces, predecessorsAreDoneInAnyOrder) {
  constexpr UINT width = 14, height = 10;
  for (const char *order : {"", "serial", "reverse", "random", "random:77"}) {
    reopen(order);
    for (const Promise &promise : promises) {
      CmThreadSpace *s = space(width, height);
      ASSERT_EQ(s->SelectThreadDependencyPattern(promise.pattern), CM_SUCCESS);
      std::vector<Record> r = stamps(s, width, height);
      for (int y = 0; y < int(height); ++y)
        for (int x = 0; x < int(width); ++x) {
          const Record &mine = r[std::size_t(y * int(width) + x) * 4];
          ASSERT_EQ(mine.where, UINT(x | y << 16));
          for (auto [dx, dy] : promise.before) {
            if (promise.pattern == CM_WAVEFRONT26X && ((dx == -1 && y % 4 == 3) || (dy < -1 && y % 4 == 3 && dy == -3)))
              continue; // the mask of the fourth rows leaves these to others
            int ox = x + dx, oy = y + dy;
            if (ox < 0 || oy < 0 || ox >= int(width))
              continue;
            EXPECT_LT(r[std::size_t(oy * int(width) + ox) * 4].end, mine.begin)
                << "pattern " << promise.pattern << " " << order << ": (" << x << "," << y << ") waits for (" << ox
                << "," << oy << ")";
          }
        }
    }
  }
}

TEST_F(ThreadSpaces, aMissingDependencyIsFound) {
  constexpr UINT width = 8, height = 8;
  std::vector<UINT> want(width * height, 1);
  for (UINT y = 1; y < height; ++y)
    for (UINT x = 1; x < width; ++x)
      want[y * width + x] = want[y * width + x - 1] + want[(y - 1) * width + x];
  auto run = [&](bool dependent) {
    CmSurface2D *image = surface(width, height);
    image->InitSurface(0, nullptr);
    CmKernel *k = kernel(own, "paths");
    k->SetKernelArg(0, sizeof(SurfaceIndex), index(image));
    CmThreadSpace *s = space(width, height);
    if (dependent)
      s->SelectThreadDependencyPattern(CM_WAVEFRONT);
    CmEvent *event = nullptr;
    EXPECT_EQ(queue->Enqueue(task(k), event, s), CM_SUCCESS);
    std::vector<UINT> got(width * height);
    image->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), event);
    return got;
  };
  for (const char *order : {"", "serial", "reverse", "random:3", "random:4"}) {
    reopen(order);
    EXPECT_EQ(run(true), want) << order;
  }
  reopen("serial"); // rows from left to right happen to be right without it
  EXPECT_EQ(run(false), want);
  for (const char *order : {"reverse", "random:3", "random:4"}) {
    reopen(order);
    EXPECT_NE(run(false), want) << order;
  }
}

TEST_F(ThreadSpaces, ordersThatAreNone) {
  CmDevice *d = nullptr;
  UINT v = 0;
  for (const char *order : {"backwards", "random:", "random:x", "random:1x"}) {
    setenv("POCM_ORDER", order, 1);
    EXPECT_REFUSED(CreateCmDevice(d, v), CM_FAILURE, "POCM_ORDER");
  }
}

TEST_F(ThreadSpaces, walksOnOneThread) {
  reopen("serial");
  CmThreadSpace *s = space(6, 4);
  ASSERT_EQ(s->SelectMediaWalkingPattern(CM_WALK_WAVEFRONT), CM_SUCCESS);
  std::vector<Record> r = stamps(s, 6, 4);
  const UINT want[] = {0, 1, 3, 6, 10, 14, 2, 4, 7, 11, 15, 18, 5, 8, 12, 16, 19, 21, 9, 13, 17, 20, 22, 23};
  for (UINT i = 0; i < 24; ++i)
    EXPECT_EQ(r[i * 4].begin, want[i] * 2);
  // What is chosen after an enqueue counts for the next one; a triangle is left out.
  ASSERT_EQ(s->SelectMediaWalkingPattern(CM_WALK_WAVEFRONT45D), CM_SUCCESS);
  r = stamps(s, 6, 4);
  for (UINT i = 0; i < 24; ++i)
    EXPECT_EQ(r[i * 4].begin != ~0u, i % 6 + i / 6 >= 6) << i;
}

TEST_F(ThreadSpaces, colours) {
  for (const char *order : {"", "reverse"}) {
    reopen(order);
    CmThreadSpace *s = space(3, 2);
    ASSERT_EQ(s->SetThreadSpaceColorCount(4), CM_SUCCESS);
    ASSERT_EQ(s->SelectThreadDependencyPattern(CM_VERTICAL_WAVE), CM_SUCCESS);
    std::vector<Record> r = stamps(s, 3, 2);
    for (UINT i = 0; i < r.size(); ++i) {
      EXPECT_EQ(r[i].color, i % 4);
      UINT x = i / 4 % 3;
      if (x)
        for (UINT c = 0; c < 4; ++c)
          EXPECT_LT(r[(i / 4 - 1) * 4 + c].end, r[i].begin) << "every colour of the cell to the left is done";
    }
  }
  CmThreadSpace *s = space(2, 2);
  EXPECT_REFUSED(s->SetThreadSpaceColorCount(0), CM_INVALID_ARG_VALUE, "256");
  EXPECT_REFUSED(s->SetThreadSpaceColorCount(257), CM_INVALID_ARG_VALUE, "257");
}

TEST_F(ThreadSpaces, vectorsOfTheApplicationsOwn) {
  constexpr int width = 9, height = 7;
  CM_DEPENDENCY d{};
  d.count = 3;
  d.deltaX[0] = -2;
  d.deltaY[1] = -3;
  d.deltaX[2] = 5; // forwards
  d.deltaY[2] = -1;
  for (const char *order : {"", "reverse", "random"}) {
    reopen(order);
    CmThreadSpace *s = space(width, height);
    ASSERT_EQ(s->SelectThreadDependencyVectors(d), CM_SUCCESS);
    std::vector<Record> r = stamps(s, width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (UINT v = 0; v < d.count; ++v) {
          int ox = x + d.deltaX[v], oy = y + d.deltaY[v];
          if (ox >= 0 && oy >= 0 && ox < width && oy < height) {
            EXPECT_LT(r[std::size_t(oy * width + ox) * 4].end, r[std::size_t(y * width + x) * 4].begin);
          }
        }
  }
  CmThreadSpace *s = space(2, 2);
  d.count = 9;
  EXPECT_REFUSED(s->SelectThreadDependencyVectors(d), CM_INVALID_ARG_VALUE, "at most 8");
}

// Once it is known what a thread takes, host threads go through several rows together; predecessors in rows far above
// belong to other bands of rows then.
TEST_F(ThreadSpaces, bandsOfRowsWaitForThoseAbove) {
  constexpr int width = 64, height = 607;
  const std::vector<Neighbour> vectors{{-1, 0}, {-3, -2}, {0, -5}, {-2, -11}};
  CM_DEPENDENCY d{};
  d.count = UINT(vectors.size());
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    d.deltaX[v] = vectors[v].dx;
    d.deltaY[v] = vectors[v].dy;
  }
  HostApi::TearDown();
  setenv("CM_RT_PARALLEL_THREADS", "4", 1);
  SetUp();
  unsetenv("CM_RT_PARALLEL_THREADS");
  CmThreadSpace *s = space(width, height);
  ASSERT_EQ(s->SelectThreadDependencyVectors(d), CM_SUCCESS);
  for (int launch = 0; launch < 3; ++launch) {
    std::vector<Record> r = stamps(s, width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (auto [dx, dy] : vectors)
          if (x + dx >= 0 && y + dy >= 0) {
            ASSERT_LT(r[std::size_t((y + dy) * width + x + dx) * 4].end, r[std::size_t(y * width + x) * 4].begin)
                << x << " " << y << " waits for " << dx << " " << dy;
          }
  }
}

// Cells of two or three kernels wait for each other's: a pixel is right only when both of its predecessors are done.
TEST_F(ThreadSpaces, kernelsOfOneSpaceWaitForEachOther) {
  constexpr UINT width = 9, height = 6;
  auto kernelOf = [](UINT pattern, UINT x, UINT y) {
    switch (pattern) {
    case 0:
      return (x + y) % 2; // a chessboard
    case 1:
      return y < 2 ? 1u : 0u; // the second kernel has the first rows
    default:
      return (x * 5 + y * 3) % 3;
    }
  };
  for (const char *order : {"", "serial", "reverse", "random:5"})
    for (UINT pattern = 0; pattern < 3; ++pattern) {
      reopen(order);
      CmThreadSpace *s = space(width, height);
      ASSERT_EQ(s->SelectThreadDependencyPattern(CM_WAVEFRONT), CM_SUCCESS);
      CmSurface2D *image = nullptr;
      ASSERT_EQ(device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R32_UINT, image), CM_SUCCESS);
      CmTask *t = nullptr;
      ASSERT_EQ(device->CreateTask(t), CM_SUCCESS);
      std::vector<CmKernel *> kernels(pattern == 2 ? 3 : 2);
      for (CmKernel *&k : kernels) {
        k = kernel(own, "paths");
        ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(image)), CM_SUCCESS);
        ASSERT_EQ(t->AddKernel(k), CM_SUCCESS);
      }
      UINT next[3] = {};
      for (UINT y = 0; y < height; ++y)
        for (UINT x = 0; x < width; ++x) {
          UINT k = kernelOf(pattern, x, y);
          ASSERT_EQ(s->AssociateThread(x, y, kernels[k], next[k]++), CM_SUCCESS);
        }
      CmEvent *event = nullptr;
      ASSERT_EQ(queue->Enqueue(t, event, s), CM_SUCCESS) << PocmLastError();
      UINT got[height][width], want[height][width];
      image->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
      for (UINT y = 0; y < height; ++y)
        for (UINT x = 0; x < width; ++x) {
          want[y][x] = x && y ? want[y][x - 1] + want[y - 1][x] : 1;
          EXPECT_EQ(got[y][x], want[y][x]) << order << " pattern " << pattern << " at " << x << ", " << y;
        }
    }
}

TEST_F(ThreadSpaces, associationsAndMasks) {
  reopen("reverse");
  constexpr UINT width = 4, height = 2;
  CmThreadSpace *s = space(width, height);
  CmBuffer *out = buffer(4096), *other = buffer(4096);
  CmKernel *k = kernel(own, "arguments");
  ASSERT_EQ(k->SetThreadCount(width * height), CM_SUCCESS);
  int shared = 42;
  EXPECT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  EXPECT_EQ(k->SetKernelArg(1, sizeof(shared), &shared), CM_SUCCESS);
  for (UINT i = 0; i < width * height; ++i) {
    short mine[2] = {short(i), short(-10 * int(i))};
    EXPECT_EQ(k->SetThreadArg(i, 2, sizeof(mine), mine), CM_SUCCESS);
    CmEvent *event = CM_NO_EVENT;
    if (i == 0) {
      EXPECT_REFUSED(queue->Enqueue(task(k), event, nullptr), CM_KERNEL_ARG_SETTING_FAILED, "2 of the 4 arguments");
    }
    EXPECT_EQ(k->SetThreadArg(i, 3, sizeof(SurfaceIndex), index(i % 2 ? other : out)), CM_SUCCESS);
    // Cells from the last to the first.
    UINT cell = width * height - 1 - i;
    EXPECT_EQ(s->AssociateThread(cell % width, cell / width, k, i), CM_SUCCESS);
  }
  CmEvent *event = nullptr;
  auto check = [&](CmThreadSpace *in, auto where) {
    out->InitSurface(0, nullptr);
    other->InitSurface(0, nullptr);
    ASSERT_EQ(queue->Enqueue(task(k), event, in), CM_SUCCESS) << PocmLastError();
    int got[2][width * height][4];
    out->ReadSurface(reinterpret_cast<unsigned char *>(got[0]), event, sizeof(got[0]));
    other->ReadSurface(reinterpret_cast<unsigned char *>(got[1]), event, sizeof(got[1]));
    for (UINT i = 0; i < width * height; ++i) {
      const int want[] = {shared, int(i), -10 * int(i), where(i)};
      EXPECT_EQ(std::memcmp(got[i % 2][i], want, sizeof(want)), 0) << i << ": " << got[i % 2][i][3];
    }
  };
  check(s, [&](UINT i) {
    UINT cell = width * height - 1 - i;
    return int(cell % width + 1000 * (cell / width));
  });
  check(nullptr, [](UINT i) { return int(i); });
  check(space(2, 4), [](UINT i) { return int(i % 2 + 1000 * (i / 2)); });
  // A view of a surface that single threads have.
  CM_BUFFER_STATE_PARAM view{};
  view.uiBaseAddressOffset = 64;
  other->InitSurface(0, nullptr);
  ASSERT_EQ(other->SetSurfaceStateParam(nullptr, &view), CM_SUCCESS);
  ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  int seen[8][4];
  other->ReadSurface(reinterpret_cast<unsigned char *>(seen), event, sizeof(seen));
  EXPECT_EQ(seen[1][1], 0);
  EXPECT_EQ(seen[5][1], 1);
  EXPECT_REFUSED(queue->Enqueue(task(k), event, space(3, 4)), CM_INVALID_THREAD_INDEX, "thread 8 has none");
  EXPECT_REFUSED(queue->EnqueueWithGroup(task(k), event, nullptr), CM_THREAD_ARG_NOT_ALLOWED, "per-thread arguments");

  EXPECT_REFUSED(s->AssociateThread(0, 0, nullptr, 0), CM_INVALID_ARG_VALUE, "null");
  EXPECT_REFUSED(s->AssociateThread(4, 0, k, 0), CM_INVALID_ARG_VALUE, "outside");
  short mine[2] = {};
  EXPECT_REFUSED(k->SetThreadArg(8, 2, sizeof(mine), mine), CM_INVALID_THREAD_INDEX, "there is no thread 8");
  EXPECT_REFUSED(k->SetThreadArg(0, 4, sizeof(mine), mine), CM_INVALID_ARG_INDEX, "there is no argument 4");
  EXPECT_REFUSED(k->SetThreadArg(0, 2, 3, mine), CM_INVALID_ARG_SIZE, "not 3");
  EXPECT_REFUSED(k->SetThreadArg(0, 2, sizeof(mine), nullptr), CM_INVALID_ARG_VALUE, "null");
  EXPECT_REFUSED(k->SetThreadArg(0, 1, sizeof(shared), &shared), CM_FAILURE, "set by SetKernelArg");
  EXPECT_REFUSED(k->SetKernelArg(2, sizeof(mine), mine), CM_FAILURE, "set by SetThreadArg");
  CmKernel *bare = kernel(own, "arguments");
  EXPECT_REFUSED(bare->SetThreadArg(0, 2, sizeof(mine), mine), CM_FAILURE, "call SetThreadCount");
}

// A launch that waits for its turn has what was set before it, and shares it with the next while nothing changes.
TEST_F(ThreadSpaces, argumentsChangeWhileLaunchesThatHaveThemWait) {
  CmProgram *p = load(compiled("sums.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void sums(SurfaceIndex out, int place, int value) {
  vector<int, 4> v;
  read(out, place * 16, v);
  v = v * 3 + value;
  write(out, place * 16, v);
}
extern "C" _GENX_MAIN_ void slow(SurfaceIndex out, int n) {
  uint s = n;
  for (int i = 0; i < n; ++i)
    s = s * 1664525u + 1013904223u ^ (s >> 7);
  write(out, 4096, vector<uint, 4>(s));
}
)"));
  constexpr UINT threads = 64;
  CmBuffer *out = buffer(8192);
  ASSERT_EQ(out->InitSurface(0, nullptr), CM_SUCCESS);
  CmKernel *k = kernel(p, "sums"), *slow = kernel(p, "slow");
  const int rounds = 20'000'000;
  for (CmKernel *each : {k, slow})
    ASSERT_EQ(each->SetKernelArg(0, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  ASSERT_EQ(slow->SetKernelArg(1, sizeof(rounds), &rounds), CM_SUCCESS);
  ASSERT_EQ(k->SetThreadCount(threads), CM_SUCCESS);
  int want[threads] = {};
  CmEvent *event = CM_NO_EVENT;
  ASSERT_EQ(queue->Enqueue(task(slow), event, nullptr), CM_SUCCESS);
  CmTask *t = task(k);
  for (int launch = 0; launch < 8; ++launch) {
    for (UINT i = 0; i < threads; ++i) {
      const int value = launch < 2 ? 1 : i % 2 ? 2 : launch;
      const int place = int(launch < 4 ? i : threads - 1 - i);
      if (launch != 1) // as before
        ASSERT_EQ(k->SetThreadArg(i, 2, sizeof(value), &value), CM_SUCCESS);
      if (launch == 0 || launch == 4)
        ASSERT_EQ(k->SetThreadArg(i, 1, sizeof(place), &place), CM_SUCCESS);
      want[place] = want[place] * 3 + value;
    }
    event = CM_NO_EVENT;
    ASSERT_EQ(queue->Enqueue(t, event, nullptr), CM_SUCCESS) << PocmLastError();
  }
  int got[threads][4];
  ASSERT_EQ(out->ReadSurface(reinterpret_cast<unsigned char *>(got), nullptr, sizeof(got)), CM_SUCCESS);
  for (UINT i = 0; i < threads; ++i)
    EXPECT_EQ(got[i][0], want[i]) << i;
}

TEST_F(ThreadSpaces, masksNarrowDependencies) {
  reopen("reverse");
  CmThreadSpace *s = space(4, 1);
  CmKernel *k = kernel(own, "stamps");
  CmBuffer *counter = buffer(64), *out = buffer(4096);
  counter->InitSurface(0, nullptr);
  UINT width = 4;
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(counter));
  k->SetKernelArg(1, sizeof(SurfaceIndex), index(out));
  k->SetKernelArg(2, sizeof(width), &width);
  s->SelectThreadDependencyPattern(CM_VERTICAL_WAVE);
  for (UINT x = 0; x < width; ++x)
    ASSERT_EQ(s->AssociateThreadWithMask(x, 0, k, x, x == 2 ? 0 : 0xFF), CM_SUCCESS);
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, s), CM_SUCCESS);
  Record r[16];
  out->ReadSurface(reinterpret_cast<unsigned char *>(r), event, sizeof(r));
  // 2 need not wait: in reverse order it goes first, then 3, 0, 1.
  EXPECT_EQ(r[2 * 4].begin, 0u);
  EXPECT_EQ(r[3 * 4].begin, 2u);
  EXPECT_EQ(r[0].begin, 4u);
  EXPECT_EQ(r[1 * 4].begin, 6u);
}

// Long rows of a space with masks: several threads of a row in one call of the code, as soon as what they take is
// known.
TEST_F(ThreadSpaces, masksInLongRows) {
  constexpr int width = 150, height = 9;
  const std::vector<Neighbour> vectors{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  auto waits = [](int x, int y) { return (x * 7 + y * 13) % 5 != 0; };
  for (const char *hosts : {"1", "2", "4"}) {
    HostApi::TearDown();
    setenv("CM_RT_PARALLEL_THREADS", hosts, 1);
    SetUp();
    unsetenv("CM_RT_PARALLEL_THREADS");
    CmThreadSpace *s = space(width, height);
    CmKernel *k = kernel(own, "stamps");
    std::vector<Record> r(width * height * 4);
    CmBuffer *counter = buffer(64), *out = buffer(UINT(r.size() * sizeof(Record)));
    const UINT columns = width;
    k->SetKernelArg(0, sizeof(SurfaceIndex), index(counter));
    k->SetKernelArg(1, sizeof(SurfaceIndex), index(out));
    k->SetKernelArg(2, sizeof(columns), &columns);
    ASSERT_EQ(s->SelectThreadDependencyPattern(CM_WAVEFRONT26), CM_SUCCESS);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        ASSERT_EQ(s->AssociateThreadWithMask(UINT(x), UINT(y), k, UINT(y * width + x), waits(x, y) ? 0xFF : 0),
                  CM_SUCCESS);
    CmTask *t = task(k);
    for (int launch = 0; launch < 4; ++launch) {
      counter->InitSurface(0, nullptr);
      CmEvent *event = nullptr;
      ASSERT_EQ(queue->Enqueue(t, event, s), CM_SUCCESS) << PocmLastError();
      ASSERT_EQ(out->ReadSurface(reinterpret_cast<unsigned char *>(r.data()), event), CM_SUCCESS);
      std::vector<bool> seen(width * height * 2);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const Record &mine = r[std::size_t(y * width + x) * 4];
          ASSERT_EQ(mine.where, UINT(x | y << 16));
          for (UINT time : {mine.begin, mine.end}) {
            ASSERT_LT(time, seen.size());
            ASSERT_FALSE(seen[time]) << "a thread ran twice";
            seen[time] = true;
          }
          for (auto [dx, dy] : vectors)
            if (waits(x, y) && x + dx >= 0 && x + dx < width && y + dy >= 0) {
              ASSERT_LT(r[std::size_t((y + dy) * width + x + dx) * 4].end, mine.begin)
                  << hosts << " host threads: (" << x << "," << y << ") waits for " << dx << "," << dy;
            }
        }
    }
  }
}

TEST_F(ThreadSpaces, explicitOrder) {
  reopen("serial");
  CmThreadSpace *s = space(2, 2);
  CM_THREAD_PARAM order[4] = {};
  const int xs[] = {1, 0, 1, 0}, ys[] = {1, 1, 0, 0};
  for (int i = 0; i < 4; ++i) {
    order[i].scoreboardCoordinates = {xs[i], ys[i]};
    order[i].scoreboardColor = BYTE(i);
  }
  EXPECT_REFUSED(s->SetThreadSpaceOrder(3, order), CM_INVALID_ARG_VALUE, "4 threads");
  EXPECT_REFUSED(s->SetThreadSpaceOrder(4, nullptr), CM_INVALID_ARG_VALUE, "null");
  ASSERT_EQ(s->SetThreadSpaceOrder(4, order), CM_SUCCESS);
  std::vector<Record> r = stamps(s, 2, 2);
  for (UINT i = 0; i < 4; ++i) {
    const Record &mine = r[UINT(ys[i] * 2 + xs[i]) * 4 + i];
    EXPECT_EQ(mine.begin, i * 2);
    EXPECT_EQ(mine.color, i);
  }
}

TEST_F(ThreadSpaces, aKernelFollowsItsSpace) {
  reopen("serial");
  CmThreadSpace *s = space(3, 3);
  CmKernel *k = kernel(own, "stamps");
  CmBuffer *counter = buffer(64), *out = buffer(4096);
  counter->InitSurface(0, nullptr);
  UINT width = 3;
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(counter));
  k->SetKernelArg(1, sizeof(SurfaceIndex), index(out));
  k->SetKernelArg(2, sizeof(width), &width);
  ASSERT_EQ(k->AssociateThreadSpace(s), CM_SUCCESS);
  s->SelectMediaWalkingPattern(CM_WALK_VERTICAL); // after the association
  ASSERT_EQ(device->DestroyThreadSpace(s), CM_SUCCESS);
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  Record r[36];
  out->ReadSurface(reinterpret_cast<unsigned char *>(r), event, sizeof(r));
  for (UINT x = 0; x < 3; ++x)
    for (UINT y = 0; y < 3; ++y)
      EXPECT_EQ(r[(y * 3 + x) * 4].begin, (x * 3 + y) * 2);
}

TEST_F(ThreadSpaces, threadsAreGroupsOfTheirOwn) {
  CmThreadSpace *s = space(5, 3);
  s->SelectThreadDependencyPattern(CM_WAVEFRONT26);
  CmKernel *k = kernel(own, "groups");
  CmBuffer *out = buffer(5 * 3 * 16);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(out));
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, s), CM_SUCCESS);
  UINT got[15][4];
  out->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
  for (UINT i = 0; i < 15; ++i) {
    EXPECT_EQ(got[i][0], i % 5);
    EXPECT_EQ(got[i][1], i / 5);
    EXPECT_EQ(got[i][2], 5u);
    EXPECT_EQ(got[i][3], 3u);
  }
}

TEST_F(ThreadSpaces, severalHostsEnqueueInOneSpace) {
  constexpr UINT width = 9, height = 7;
  CmThreadSpace *s = space(width, height);
  s->SelectThreadDependencyPattern(CM_WAVEFRONT);
  auto host = [&] {
    CmSurface2D *image = surface(width, height);
    CmKernel *k = kernel(own, "paths");
    k->SetKernelArg(0, sizeof(SurfaceIndex), index(image));
    CmTask *t = task(k);
    for (int i = 0; i < 20; ++i) {
      CmEvent *event = nullptr;
      EXPECT_EQ(queue->Enqueue(t, event, s), CM_SUCCESS);
      EXPECT_EQ(event->WaitForTaskFinished(60000), CM_SUCCESS);
      EXPECT_EQ(queue->DestroyEvent(event), CM_SUCCESS);
    }
    UINT got[width * height];
    image->ReadSurface(reinterpret_cast<unsigned char *>(got), nullptr);
    EXPECT_EQ(got[width + 1], 2u);
    EXPECT_EQ(got[2 * width + 2], 6u);
  };
  std::vector<std::thread> hosts;
  for (int i = 0; i < 4; ++i)
    hosts.emplace_back(host);
  for (std::thread &h : hosts)
    h.join();
}

TEST_F(ThreadSpaces, refusals) {
  CmThreadSpace *s = space(3, 4), *t = space(4, 4);
  EXPECT_REFUSED(s->SelectThreadDependencyPattern(CM_DEPENDENCY_PATTERN(39)), CM_FAILURE, "39");
  EXPECT_REFUSED(s->SelectMediaWalkingPattern(CM_WALKING_PATTERN(39)), CM_INVALID_MEDIA_WALKING_PATTERN, "39");
  EXPECT_REFUSED(s->Set26ZIDispatchPattern(CM_26ZI_DISPATCH_PATTERN(4)), CM_FAILURE, "4");
  EXPECT_REFUSED(s->Set26ZIMacroBlockSize(0, 8), CM_INVALID_ARG_VALUE, "0x8");
  EXPECT_EQ(s->SelectThreadDependencyPattern(CM_WAVEFRONT26Z), CM_SUCCESS);
  EXPECT_REFUSED(s->SelectMediaWalkingPattern(CM_WALK_VERTICAL), CM_INVALID_DEPENDENCY_WITH_WALKING_PATTERN, "already");
  EXPECT_EQ(t->SelectMediaWalkingPattern(CM_WALK_VERTICAL), CM_SUCCESS);
  EXPECT_REFUSED(t->SelectThreadDependencyPattern(CM_WAVEFRONT), CM_INVALID_DEPENDENCY_WITH_WALKING_PATTERN, "already");
  EXPECT_EQ(t->SetMediaWalkerGroupSelect(CM_MW_GROUP_NONE), CM_SUCCESS);
  CmEvent *e = nullptr;
  CmKernel *k = kernel("where");
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(surface(4, 4)));
  EXPECT_REFUSED(queue->Enqueue(task(k), e, s), CM_INVALID_ARG_SIZE, "even sides, not 3x4");
}

} // namespace
