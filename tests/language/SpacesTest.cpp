// Variables of the named address spaces (language reference, chapter 14): __local ones are a group's, __global ones
// keep their values between kernels, and a generic pointer knows where it points.
#include "Kernels.h"
#include <numeric>

namespace {

class Spaces : public testing::TestWithParam<std::string> {};

constexpr const char *localSource = R"(
#include <cm/cm.h>
_GENX_ float total(__local float *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
_GENX_ int where(__generic int *p) {
  return cm_to_local(p) ? 3 : cm_to_global(p) ? 1 : cm_to_private(p) ? 0 : 9;
}
extern "C" _GENX_MAIN_ void locals(SurfaceIndex out, __global int *data, int choice) {
  cm_slm_init(1024);
  uint old = cm_slm_alloc(1024);
  __local float tile[8];
  __local vector<float, 4> lanes;
  __local int cell;
  int mine = 3;
  uint id = cm_linear_local_id(), group = cm_linear_group_id();
  vector<uint, 8> mark = 77;
  if (id == 0) {
    cm_slm_block_write(old, 992, mark);
    cell = 0;
    lanes = 0.5f;
  }
  tile[id] = -1;
  float before = tile[id];
  cm_barrier();
  tile[7 - id] = (id + 1) * (group + 1) + data[0];
  if (id == 3)
    lanes.select<2, 1>(1) += 1;
  cm_barrier();
  __generic int *p = choice == 0 ? (__generic int *)&cell : choice == 1 ? (__generic int *)data : (__generic int *)&mine;
  vector<float, 8> r;
  r(0) = total(tile, 8);
  r(1) = tile[id];
  r(2) = before;
  r(3) = lanes(0) + 10 * lanes(1);
  r(4) = where(p);
  r(5) = where(&cell) * 100 + where(data) * 10 + where(&mine);
  r(6) = *p;
  vector<uint, 8> kept;
  cm_slm_block_read(old, 992, kept);
  r(7) = kept(7);
  write(out, (group * 8 + id) * 32, r);
})";

// USM-02 USM-03 USM-06
TEST_P(Spaces, localVariablesAreTheGroups) {
  constexpr unsigned groups = 5, threads = 8;
  pocm::Device device = test::open(GetParam(), 2);
  pocm::Program program = test::compile(localSource);
  for (int choice = 0; choice < 3; ++choice) {
    pocm::Kernel kernel = device.createKernel(program, "locals");
    pocm::Buffer out = device.createBuffer(groups * threads * 32);
    int data[4] = {100, 0, 0, 0};
    auto address = reinterpret_cast<std::uint64_t>(data);
    kernel.setArgument(0, out);
    kernel.setArgument(1, &address, sizeof(address));
    kernel.setArgument(2, &choice, sizeof(choice));
    device.enqueueGroups(kernel, {{groups, 1, 1}, {threads, 1, 1}}).wait();
    std::vector<float> got(groups * threads * 8);
    out.read(got.data(), got.size() * 4);
    for (unsigned g = 0; g < groups; ++g)
      for (unsigned t = 0; t < threads; ++t) {
        const float *r = got.data() + (g * threads + t) * 8;
        const float where[] = {3, 1, 0}, value[] = {0, 100, 3};
        float want[] = {
            36.0f * (g + 1) + 800, float((8 - t) * (g + 1) + 100), -1, 15.5f, where[choice], 310, value[choice], 77};
        EXPECT_EQ(std::vector<float>(r, r + 8), std::vector<float>(want, want + 8)) << g << " " << t << " " << choice;
      }
  }
}

// Pointers that lead to memory of one kind are followed in Gen code.
constexpr const char *pointerSource = R"(
#include <cm/cm.h>
struct Item { int key; short half[2]; float lanes[4]; };
extern "C" _GENX_MAIN_ void tiles(SurfaceIndex out, int n) {
  __local float tile[16];
  __local vector<int, 8> whole[2];
  int id = cm_linear_local_id(), group = cm_linear_group_id();
  __local float *mine = tile + id, *other = id & 1 ? tile + 8 : tile + (7 - id);
  *mine = id * n + 0.5f;
  mine[8] = -1.0f * id;
  if (id == 0) {
    vector<int, 8> v{1, 2};
    whole[0] = v + group;
    whole[1] = whole[0] * 2;
  }
  cm_barrier();
  vector<float, 8> r = 0;
  r(0) = *other;
  for (__local float *p = tile; p != tile + 16; ++p)
    r(1) += *p;
  r(2) = whole[1](5);
  r(3) = whole[id & 1](int(id));
  vector<float, 4> four;
  for (int i = 0; i < 4; ++i)
    four(i) = other[i & 3];
  r.select<4, 1>(4) = four;
  write(out, (group * 8 + id) * 32, r);
}
extern "C" _GENX_MAIN_ void items(__global Item *first, __global long long *sums, int n) {
  __global Item *last = first + n;
  int best = -1;
  for (__global Item *p = first; p < last; ++p) {
    for (int i = 0; i < 4; ++i)
      p->lanes[i] = p->lanes[i] * 2.0f + p->half[1];
    p->half[0] += p->key;
    if (p->key > 5 || p == first)
      best = int(p - first);
    sums[p->key & 3] += p->key;
  }
  __global Item *chosen = n & 1 ? first : last - 1;
  chosen->key = best;
})";

TEST_P(Spaces, pointersIntoOneMemory) {
  constexpr unsigned groups = 3, threads = 8;
  pocm::Device device = test::open(GetParam(), 2);
  pocm::Program program = test::compile(pointerSource);
  for (int n : {0, 1, -9}) {
    pocm::Kernel kernel = device.createKernel(program, "tiles");
    pocm::Buffer out = device.createBuffer(groups * threads * 32);
    kernel.setArgument(0, out);
    kernel.setArgument(1, &n, sizeof(n));
    device.enqueueGroups(kernel, {{groups, 1, 1}, {threads, 1, 1}}).wait();
    std::vector<float> got(groups * threads * 8), tile(16);
    out.read(got.data(), got.size() * 4);
    for (unsigned t = 0; t < 8; ++t)
      tile[t] = float(int(t) * n) + 0.5f, tile[8 + t] = -1.0f * float(t);
    for (unsigned g = 0; g < groups; ++g)
      for (unsigned t = 0; t < threads; ++t) {
        const float *r = got.data() + (g * threads + t) * 8;
        unsigned other = t & 1 ? 8 : 7 - t;
        auto whole = [&](unsigned k) { return float((k < 2 ? k + 1 : 0) + g); };
        std::vector<float> want{tile[other], std::accumulate(tile.begin(), tile.end(), 0.0f), whole(5) * 2,
                                whole(t) * float(1 + (t & 1))};
        for (unsigned k = 0; k < 4; ++k)
          want.push_back(tile[other + k]);
        EXPECT_EQ(std::vector<float>(r, r + 8), want) << n << " " << g << " " << t;
      }
  }
  struct Item {
    int key;
    short half[2];
    float lanes[4];
    bool operator==(const Item &o) const {
      return key == o.key && half[0] == o.half[0] && half[1] == o.half[1] && std::equal(lanes, lanes + 4, o.lanes);
    }
  };
  for (int n : {1, 2, 7, 20}) {
    std::vector<Item> items(unsigned(n) + 1), want;
    std::vector<long long> sums{1ll << 40, -5, 0, 7}, wantSums = sums;
    for (unsigned k = 0; k < items.size(); ++k)
      items[k] = {int(k * 7 % 11), {short(k), short(100 - k)}, {float(k), -1, 0.5f, 3}};
    want = items;
    int best = -1;
    for (int k = 0; k < n; ++k) {
      Item &i = want[unsigned(k)];
      for (float &l : i.lanes)
        l = l * 2 + float(i.half[1]);
      i.half[0] = short(i.half[0] + i.key);
      if (i.key > 5 || k == 0)
        best = k;
      wantSums[unsigned(i.key & 3)] += i.key;
    }
    want[n & 1 ? 0 : unsigned(n - 1)].key = best;
    pocm::Kernel kernel = device.createKernel(program, "items");
    auto first = reinterpret_cast<std::uint64_t>(items.data()), second = reinterpret_cast<std::uint64_t>(sums.data());
    kernel.setArgument(0, &first, sizeof(first));
    kernel.setArgument(1, &second, sizeof(second));
    kernel.setArgument(2, &n, sizeof(n));
    device.enqueue(kernel, {1, 1}).wait();
    EXPECT_TRUE(items == want) << n;
    EXPECT_EQ(sums, wantSums) << n;
  }
}

constexpr const char *globalSource = R"(
#include <cm/cm.h>
__global int counter = 5;
__global float table[3] = {1.5f, 2.5f};
__global vector<short, 8> lanes;
__constant int primes[4] = {2, 3, 5, 7};
__constant float half_of = 0.5f;
_GENX_ int calls() {
  static __global int n = 1;
  return n++;
}
_GENX_ int prime(__constant int *p, int i) { return p[i]; }
extern "C" _GENX_MAIN_ void add(int n) {
  counter += n;
  table[2] += half_of;
  lanes.select<4, 2>(1) += n;
  calls();
}
extern "C" _GENX_MAIN_ void get(SurfaceIndex out, int zero) {
  vector<float, 16> r = 0;
  r(0) = counter;
  r(1) = table[0] * table[1];
  r(2) = table[2];
  r(3) = calls();
  r(4) = prime(primes, 3 + zero);
  r.select<8, 1>(8) = lanes;
  write(out, 0, r);
})";

// USM-05
TEST_P(Spaces, globalVariablesKeepTheirValues) {
  pocm::Device device = test::open(GetParam(), 2);
  pocm::Program program = test::compile(globalSource), other = test::compile(globalSource);
  auto get = [&](const pocm::Program &from) {
    pocm::Kernel kernel = device.createKernel(from, "get");
    pocm::Buffer out = device.createBuffer(64);
    int zero = 0;
    kernel.setArgument(0, out);
    kernel.setArgument(1, &zero, sizeof(zero));
    device.enqueue(kernel, {1, 1}).wait();
    std::vector<float> got(16);
    out.read(got.data(), 64);
    return got;
  };
  using Floats = std::vector<float>;
  EXPECT_EQ(get(program), (Floats{5, 3.75f, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  for (int n : {3, 4}) {
    pocm::Kernel kernel = device.createKernel(program, "add");
    kernel.setArgument(0, &n, sizeof(n));
    device.enqueue(kernel, {1, 1}).wait();
  }
  EXPECT_EQ(get(program), (Floats{12, 3.75f, 1, 4, 7, 0, 0, 0, 0, 7, 0, 7, 0, 7, 0, 7}));
  // Another program has variables of its own, however alike they are.
  EXPECT_EQ(get(other), (Floats{5, 3.75f, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

// A list of generic pointers: to the group's memory, the host's and the thread's.
TEST_P(Spaces, listsOfGenericPointers) {
  pocm::Device device = test::open(GetParam(), 1);
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void lists(SurfaceIndex out, __global int *data, int first, int step) {
  cm_slm_init(256);
  __local int cell[2];
  int mine[2] = {30, 31};
  cell[0] = 10;
  cell[1] = 11;
  __generic int *list[6] = {cell, data, mine, cell + 1, data + 1, mine + 1};
  vector<int, 16> r = 0;
  for (int i = 0; i < 6; ++i)
    r(i) = *list[(first + i * step) % 6];
  for (int i = 0; i < 6; i += 2)
    *list[(first + i * step) % 6] += 100;
  r(8) = cell[0];
  r(9) = cell[1];
  r(10) = mine[0];
  r(11) = mine[1];
  write(out, 0, r);
})");
  for (int first = 0; first < 6; ++first)
    for (int step : {1, 5}) {
      pocm::Buffer out = device.createBuffer(64);
      alignas(64) int data[2] = {20, 21};
      int *pointer = data;
      pocm::Kernel kernel = device.createKernel(program, "lists");
      kernel.setArgument(0, out);
      kernel.setArgument(1, &pointer, sizeof(pointer));
      kernel.setArgument(2, &first, sizeof(first));
      kernel.setArgument(3, &step, sizeof(step));
      device.enqueue(kernel, {1, 1}).wait();
      std::vector<int> got(16), expected(16);
      out.read(got.data(), 64);
      int cells[6] = {10, 20, 30, 11, 21, 31};
      for (int i = 0; i < 6; ++i)
        expected[std::size_t(i)] = cells[(first + i * step) % 6];
      for (int i = 0; i < 6; i += 2)
        cells[(first + i * step) % 6] += 100;
      expected[8] = cells[0], expected[9] = cells[3], expected[10] = cells[2], expected[11] = cells[5];
      EXPECT_EQ(got, expected) << first << " " << step;
      EXPECT_EQ(data[0], cells[1]);
      EXPECT_EQ(data[1], cells[4]);
    }
}

// Variables without initial values are 0.
TEST_P(Spaces, globalVariablesBeginWithZeros) {
  pocm::Device device = test::open(GetParam(), 1);
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
__global int counts[3];
__global vector<int, 4> all;
extern "C" _GENX_MAIN_ void count(SurfaceIndex out, int which) {
  counts[which] += 5;
  all += which;
  vector<int, 8> r = 0;
  r.select<4, 1>(4) = all;
#pragma unroll
  for (int i = 0; i < 3; ++i)
    r(i) = counts[i];
  write(out, 0, r);
})");
  pocm::Kernel kernel = device.createKernel(program, "count");
  pocm::Buffer out = device.createBuffer(32);
  kernel.setArgument(0, out);
  std::vector<int> got(8);
  for (int which : {2, 0, 2}) {
    kernel.setArgument(1, &which, sizeof(which));
    device.enqueue(kernel, {1, 1}).wait();
  }
  out.read(got.data(), 32);
  EXPECT_EQ(got, (std::vector<int>{5, 0, 10, 0, 4, 4, 4, 4}));
}

// FUN-01: a __local parameter is a place in shared local memory, which the host gives as a number of bytes. It shares
// that memory with what cm_slm_init asks for and with the kernel's variables; without either, there is what every
// target has.
TEST_P(Spaces, localParametersAreOffsets) {
  constexpr unsigned groups = 3, threads = 4;
  pocm::Device device = test::open(GetParam(), 2);
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
_GENX_ void put(__local int *p, int at, int value) { p[at] = value; }
extern "C" _GENX_MAIN_ void sized(SurfaceIndex out, __local int *tile, const __local int *same, int n) {
  cm_slm_init(1024);
  __local int after[4];
  int me = cm_local_id(0);
  put(tile, me, me * n);
  put(after, me, 100 + me);
  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
  vector<int, 8> r, block;
  cm_slm_block_read(0, GENX_DWALIGNED, 64, block);
  r.select<4, 1>(0) = block.select<4, 1>(0);
  r(4) = same[3 - me];
  r(5) = after[3 - me];
  r(6) = tile == same;
  r(7) = n;
  write(out, (cm_linear_group_id() * 4 + me) * 32, r);
}
extern "C" _GENX_MAIN_ void unsized(SurfaceIndex out, __local int *tile, const __local int *, int n) {
  int me = cm_local_id(0);
  tile[me] = me * n;
  cm_barrier();
  vector<int, 8> r = tile[3 - me];
  write(out, (cm_linear_group_id() * 4 + me) * 32, r);
})");
  for (const char *name : {"sized", "unsized"}) {
    pocm::Kernel kernel = device.createKernel(program, name);
    pocm::Buffer out = device.createBuffer(groups * threads * 32);
    const std::uint32_t place = 64;
    const int n = 7;
    kernel.setArgument(0, out);
    kernel.setArgument(1, &place, sizeof(place));
    kernel.setArgument(2, &place, sizeof(place));
    kernel.setArgument(3, &n, sizeof(n));
    device.enqueueGroups(kernel, {{groups, 1, 1}, {threads, 1, 1}}).wait();
    std::vector<int> got(groups * threads * 8);
    out.read(got.data(), got.size() * 4);
    for (int k = 0; k < int(groups * threads); ++k) {
      const int me = k % 4, other = (3 - me) * n;
      std::vector<int> expected(8, other);
      if (name == std::string("sized"))
        expected = {0, n, 2 * n, 3 * n, other, 103 - me, 1, n};
      EXPECT_EQ(std::vector<int>(got.begin() + k * 8, got.begin() + k * 8 + 8), expected) << name << " " << k;
    }
  }
}

// USM-07 to USM-11: load, store, gather and scatter through pointers into shared local memory, and the functions that
// take a pointer and offsets, are messages to it; numbers of such pointers are bytes from its beginning.
TEST_P(Spaces, messagesThroughLocalPointers) {
  constexpr int threads = 8;
  pocm::Device device = test::open(GetParam(), 2);
  pocm::Program program = test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void messages(SurfaceIndex out) {
  __local int first[5];
  __local int tile[64];
  __local short words[64];
  __local int counter[8];
  __local uint quads[32];
  int me = cm_linear_local_id();
  for (int i = 0; i < 8; ++i) {
    tile[me * 8 + i] = me * 100 + i;
    words[me * 8 + i] = -me * 10 - i;
  }
  first[me % 5] = 1;
  counter[me] = 5;
  for (int i = 0; i < 4; ++i)
    quads[me * 4 + i] = me * 4 + i;
  cm_barrier();
  vector<int, 8> r, s, off, was, one = 1;
  for (int i = 0; i < 8; ++i)
    off(i) = (i * 7 + me) % 64;
  vector<__local int *, 8> p(tile);
  vector<__local short *, 8> w(words);
  r = gather(p + off);
  r += gather<int, 8>(p + off, off > 20, 1000);
  r += gather(w + off) * 1000;
  r.select<4, 1>(4) += load<vector<int, 4>>((__local int *)tile + 7);
  r.select<6, 1>(0) += load<matrix<short, 2, 3>>((__local short *)words + me).format<short>();
  r(0) += load((__local int *)tile + 9);
  r(1) += *(p + off)(2) + *p(0);
  vector<unsigned long long, 8> numbers = reinterpret_cast<vector<unsigned long long, 8>>(p + off);
  r(2) += int(numbers(1) - numbers(0));
  matrix<uint, 4, 8> four;
  cm_ptr_read4((__local uint *)quads, vector<int, 8>(me * 16), four, CM_ABGR_ENABLE);
  r(3) += four(2, 5);
  cm_barrier();
  store(vector<int, 4>(me), (__local int *)tile + me * 8);
  store(77 + me, (__local int *)tile + me * 8 + 4);
  cm_ptr_scatter_write((__local int *)tile, vector<int, 8>((me * 8 + 5) * 4), vector<int, 8>(9));
  scatter(vector<short, 8>(me), w + vector<int, 8>(me * 8), off % 2 == 0);
  cm_ptr_atomic<ATOMIC_ADD>((__local int *)counter, vector<int, 8>(8), was, one);
  cm_barrier();
  cm_ptr_block_read((__local int *)tile + (me + 1) % 8 * 8, s);
  cm_ptr_scatter_read((__local int *)counter, vector<int, 8>(8), was);
  s(6) = was(0);
  s(7) = words[me * 8];
  write(out, me * 64, r);
  write(out, me * 64 + 32, s);
})");
  pocm::Kernel kernel = device.createKernel(program, "messages");
  pocm::Buffer out = device.createBuffer(threads * 64);
  kernel.setArgument(0, out);
  device.enqueueGroups(kernel, {{1, 1, 1}, {threads, 1, 1}}).wait();
  std::vector<int> got(threads * 16);
  out.read(got.data(), got.size() * 4);
  auto tile = [](int i) { return i / 8 * 100 + i % 8; };
  auto word = [](int i) { return -(i / 8) * 10 - i % 8; };
  for (int me = 0; me < threads; ++me) {
    std::vector<int> r(8), off(8);
    for (int i = 0; i < 8; ++i) {
      int at = off[std::size_t(i)] = (i * 7 + me) % 64;
      r[std::size_t(i)] = tile(at) + (at > 20 ? tile(at) : 1000) + word(at) * 1000 + (i < 4 ? 0 : tile(3 + i)) +
                          (i < 6 ? word(me + i) : 0);
    }
    r[0] += tile(9);
    r[1] += tile(off[2]) + tile(0);
    r[2] += 4 * (off[1] - off[0]);
    r[3] += me * 4 + 2;
    const int next = (me + 1) % threads;
    for (int x : {next, next, next, next, 77 + next, 9, 5 + threads * 8, me})
      r.push_back(x);
    EXPECT_EQ(std::vector<int>(got.begin() + me * 16, got.begin() + me * 16 + 16), r) << me;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, Spaces, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
