// Thread groups (language reference, chapters 11, 15 and 16): identity, shared local memory, barriers of every kind,
// against a plain model; barriers that cannot be met.
#include "Kernels.h"
#include <fmt/format.h>
#include <numeric>

namespace {

using Dwords = std::vector<std::uint32_t>;

struct Machine {
  pocm::Device device;

  explicit Machine(const std::string &cpu, unsigned threads = 2) : device(test::open(cpu, threads)) {}

  pocm::Buffer buffer(const Dwords &contents) {
    pocm::Buffer b = device.createBuffer(contents.size() * 4);
    b.write(contents.data(), contents.size() * 4);
    return b;
  }
  static Dwords contents(const pocm::Buffer &b) {
    Dwords all(b.bytes() / 4);
    b.read(all.data(), b.bytes());
    return all;
  }
  /// Runs `kernelName(in, out)` of this source and returns what is in `out`.
  Dwords run(const std::string &source, const std::string &kernelName, const pocm::ThreadGroups &groups,
             const Dwords &in, std::size_t outSize) {
    pocm::Kernel kernel = device.createKernel(test::compile("#include <cm/cm.h>\n" + source), kernelName);
    pocm::Buffer from = buffer(in), to = buffer(Dwords(outSize));
    kernel.setArgument(0, from);
    kernel.setArgument(1, to);
    device.enqueueGroups(kernel, groups).wait();
    return contents(to);
  }
};

class Groups : public testing::TestWithParam<std::string> {};

constexpr const char *identitySource = R"(
extern "C" _GENX_MAIN_ void identity(SurfaceIndex in, SurfaceIndex out) {
  uint me = cm_linear_global_id();
  for (int d = 0; d < 3; d++) {
    write(out, me * 20 + d, cm_local_id(d));
    write(out, me * 20 + 3 + d, cm_group_id(d));
    write(out, me * 20 + 6 + d, cm_global_id(d));
    write(out, me * 20 + 9 + d, cm_local_size(d));
    write(out, me * 20 + 12 + d, cm_group_count(d));
  }
  write(out, me * 20 + 15, cm_linear_local_id());
  write(out, me * 20 + 16, cm_linear_group_id());
  write(out, me * 20 + 17, cm_linear_local_size() * 1000 + cm_linear_group_count());
  write(out, me * 20 + 18, cm_linear_global_size());
  write(out, me * 20 + 19, (uint)get_thread_origin_x() + 1000 * (uint)get_thread_origin_y() + 1000000 * get_color());
})";

// What a pointer leads to is chosen in front of a barrier, and is written by its own name behind it.
TEST_P(Groups, pointersIntoWhatAThreadKeeps) {
  const Dwords in = {9, 5, 1, 6, 7, 7, 8, 2};
  const Dwords got = Machine(GetParam())
                         .run(R"(
extern "C" _GENX_MAIN_ void keep(SurfaceIndex in, SurfaceIndex out) {
  int a[64], b[64];
  uint me = cm_linear_global_id();
  vector<int, 8> v;
  read(in, 0, v);
  int n = v(me * 2), i = v(me * 2 + 1), j = v(1 + me * 2);
  for (int q = 0; q < 64; ++q) {
    a[q] = 100 + q;
    b[q] = 100 - q;
  }
  int *p;
  if (n > 3) {
    a[n & 63] = 7;
    p = a;
  } else {
    b[n & 63] = 9;
    p = b;
  }
  cm_barrier();
  int x = p[j & 63];
  a[i & 63] = x + 1000;
  b[(i + 1) & 63] = x + 2000;
  int y = p[j & 63];
  vector<int, 4> o;
  o(0) = x, o(1) = y, o(2) = a[j & 63], o(3) = b[j & 63];
  write(out, me * 16, o);
})",
                              "keep", {{1, 1, 1}, {4, 1, 1}}, in, 16);
  Dwords want;
  for (std::size_t me = 0; me < 4; ++me) {
    const std::uint32_t n = in[me * 2], j = in[me * 2 + 1];
    std::uint32_t a = n > 3 && n == j ? 7 : 100 + j, b = n <= 3 && n == j ? 9 : 100 - j;
    const std::uint32_t x = n > 3 ? a : b;
    a = x + 1000;
    for (std::uint32_t value : {x, n > 3 ? a : b, a, b})
      want.push_back(value);
  }
  EXPECT_EQ(got, want);
}

// A kernel that asks for nothing of groups has its arguments where others have their place in the group.
TEST_P(Groups, kernelsThatDoNotAskForTheirPlaceRunInGroupsToo) {
  Machine machine(GetParam());
  pocm::Kernel kernel = machine.device.createKernel(test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void add(SurfaceIndex out, int first, vector<int, 16> many, int factor) {
  vector<uint, 16> at;
  for (int i = 0; i < 16; i++) at(i) = i;
  write_atomic<ATOMIC_ADD>(out, at, vector<uint, 16>(many * factor + first));
})"),
                                                    "add");
  std::int32_t many[16], first = 1000, factor = -3;
  std::iota(many, many + 16, -7);
  pocm::Buffer out = machine.buffer(Dwords(16));
  kernel.setArgument(0, out);
  kernel.setArgument(1, &first, 4);
  kernel.setArgument(2, many, sizeof(many));
  kernel.setArgument(3, &factor, 4);
  machine.device.enqueueGroups(kernel, {{3, 2, 1}, {4, 2, 1}}).wait();
  Dwords want;
  for (std::int32_t each : many)
    want.push_back(std::uint32_t(48 * (each * factor + first)));
  EXPECT_EQ(Machine::contents(out), want);
}

// TID-01 TID-02 TID-03 TID-04 TID-05 TID-06 TID-07 TID-08 TID-09 TID-10 TID-11 TID-12 TID-13
TEST_P(Groups, everyThreadKnowsItsPlace) {
  Machine machine(GetParam());
  for (pocm::ThreadGroups g :
       {pocm::ThreadGroups{{3, 2, 2}, {4, 3, 2}}, {{5, 1, 1}, {1, 1, 1}}, {{1, 1, 1}, {7, 5, 1}}}) {
    std::uint32_t local = g.threads[0] * g.threads[1] * g.threads[2], count = g.groups[0] * g.groups[1] * g.groups[2];
    Dwords got = machine.run(identitySource, "identity", g, {0}, local * count * 20), want;
    for (std::uint32_t group = 0; group < count; ++group)
      for (std::uint32_t thread = 0; thread < local; ++thread) {
        std::uint32_t l[3] = {thread % g.threads[0], thread / g.threads[0] % g.threads[1],
                              thread / g.threads[0] / g.threads[1]};
        std::uint32_t b[3] = {group % g.groups[0], group / g.groups[0] % g.groups[1],
                              group / g.groups[0] / g.groups[1]};
        want.insert(want.end(), l, l + 3);
        want.insert(want.end(), b, b + 3);
        std::uint32_t at[3];
        for (int d = 0; d < 3; ++d)
          want.push_back(at[d] = b[d] * g.threads[d] + l[d]);
        want.insert(want.end(), g.threads, g.threads + 3);
        want.insert(want.end(), g.groups, g.groups + 3);
        for (std::uint32_t x : {thread, group, local * 1000 + count, local * count, at[0] + 1000 * at[1]})
          want.push_back(x);
      }
    EXPECT_EQ(got, want);
  }
}

// TID-14 HWQ-01 HWQ-02 HWQ-03 HWQ-04 HWQ-07
TEST_P(Groups, withoutGroupsAThreadIsAGroup) {
  Machine machine(GetParam());
  pocm::Kernel kernel = machine.device.createKernel(test::compile(R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void alone(SurfaceIndex out) {
  uint me = get_thread_origin_y() * 5 + get_thread_origin_x();
  vector<uint, 2> before = cm_clock(), after = cm_clock();
  vector<uint, 4> old = cm_rdtsc();
  ushort forward = after(1) > before(1) || (after(1) == before(1) && after(0) >= before(0));
  ushort legacy = old(1) > after(1) || (old(1) == after(1) && old(0) >= after(0));
  write(out, me, cm_linear_local_id() + cm_linear_local_size() * 10 + cm_linear_group_id() * 100 +
                     (forward && legacy && cm_get_tileid() == 0 && cm_get_hwid() < 1024 && cm_get_value(out) < 256) * 10000);
})"),
                                                    "alone");
  pocm::Buffer out = machine.buffer(Dwords(15));
  kernel.setArgument(0, out);
  machine.device.enqueue(kernel, {5, 3}).wait();
  Dwords want(15);
  for (std::uint32_t i = 0; i < 15; ++i)
    want[i] = 10010 + i * 100;
  EXPECT_EQ(Machine::contents(out), want);
}

// SLM-01 SLM-02 SLM-03 SLM-05 SLM-06 SLM-07 SLM-12 SLM-13 SLM-19 SYN-01 SYN-04 SYN-05 PIT-29: a group reverses its
// values through shared local memory, in every width of access.
TEST_P(Groups, sharedLocalMemoryIsTheGroups) {
  Machine machine(GetParam());
  const char *source = R"(
extern "C" _GENX_MAIN_ void reverse(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(4096);
  uint unused = cm_slm_alloc(100), buffer = cm_slm_alloc(1024), bytes = cm_slm_alloc(256);
  uint me = cm_linear_local_id(), n = cm_linear_local_size();
  vector<int, 4> v, w, x;
  vector<uint, 4> ramp = {0, 1, 2, 3};
  read(in, cm_linear_global_id() * 4, ramp, v);
  cm_slm_write(buffer, ramp + (n - 1 - me) * 4, v);
  cm_slm_block_write(bytes, me * 16, v * 3);
  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
  cm_slm_read(buffer, ramp + me * 4, w);
  cm_slm_read_scaled(bytes, (ramp + (n - 1 - me) * 4) * 4, x);
  vector<int, 4> y;
  cm_slm_block_read(buffer, GENX_DWALIGNED, me * 16, y);
  cm_slm_free(unused);
  write(out, cm_linear_global_id() * 4, ramp, w + x + y);
})";
  for (std::uint32_t threads : {1u, 2u, 5u, 16u}) {
    constexpr std::uint32_t groups = 7;
    Dwords in(groups * threads * 4), want(in.size());
    std::iota(in.begin(), in.end(), 5);
    for (std::uint32_t g = 0; g < groups; ++g)
      for (std::uint32_t t = 0; t < threads; ++t)
        for (std::uint32_t k = 0; k < 4; ++k)
          want[(g * threads + t) * 4 + k] = 5 * in[(g * threads + threads - 1 - t) * 4 + k];
    EXPECT_EQ(machine.run(source, "reverse", {{groups, 1, 1}, {threads, 1, 1}}, in, in.size()), want) << threads;
  }
}

// SLM-08 SLM-09 SLM-10 SLM-11 VEC-76 PIT-26 AMB-16 ENM-03
TEST_P(Groups, fourChannelsOfSharedLocalMemory) {
  Machine machine(GetParam());
  Dwords got = machine.run(R"(
extern "C" _GENX_MAIN_ void channels(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(1024);
  uint buffer = cm_slm_alloc(1024);
  vector<uint, 32> ramp;
  for (int i = 0; i < 32; i++) ramp(i) = i;
  for (int i = 0; i < 8; i++)
    cm_slm_write(buffer, ramp + 32 * i, ramp + 32 * i);
  vector<uint, 8> at = ramp.select<8, 1>(0) * 4;
  vector<uint, 16> two;
  vector<uint, 32> four;
  cm_slm_read4(buffer, at, two, SLM_GR_ENABLE);
  write(out, 0, ramp.select<16, 1>(0), two);
  cm_slm_read4_scaled(buffer, at * 4, two, SLM_AB_ENABLE);
  write(out, 16, ramp.select<16, 1>(0), two);
  cm_slm_write4(buffer, at + 64, four = ramp + 1000, SLM_ABGR_ENABLE);
  cm_slm_write4_scaled(buffer, at * 4 + 512, two = ramp.select<16, 1>(0) + 2000, SLM_BR_ENABLE);
  cm_slm_read(buffer, ramp + 64, four);
  write(out, 32, ramp, four);
  cm_slm_read(buffer, ramp + 128, four);
  write(out, 64, ramp, four);
  cm_slm_read(buffer, ramp + 240, four);
  write(out, 96, ramp, four);
})",
                           "channels", {}, {0}, 128),
         want(128);
  for (std::uint32_t k = 0; k < 8; ++k) {
    want[k] = 4 * k;
    want[8 + k] = 4 * k + 1;
    want[16 + k] = 4 * k + 2;
    want[24 + k] = 4 * k + 3;
    for (std::uint32_t c = 0; c < 4; ++c) {
      want[32 + 4 * k + c] = 1000 + 8 * c + k;
      want[64 + 4 * k + c] = c == 0 ? 2000 + k : c == 2 ? 2008 + k : 128 + 4 * k + c;
    }
  }
  for (std::uint32_t i = 0; i < 16; ++i)
    want[96 + i] = 240 + i; // beyond the end: 0
  EXPECT_EQ(got, want);
}

// SLM-14 PIT-28
TEST_P(Groups, cooperativeLoad) {
  Machine machine(GetParam());
  Dwords in(3 * 256);
  std::iota(in.begin(), in.end(), 0);
  Dwords got = machine.run(R"(
extern "C" _GENX_MAIN_ void load(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(1024);
  uint buffer = cm_slm_alloc(1024);
  cm_slm_load(buffer, in, cm_group_id(0) * 1024, 1024);
  vector<uint, 16> ramp, v;
  for (int i = 0; i < 16; i++) ramp(i) = i;
  for (uint at = cm_local_id(0) * 16; at < 256; at += cm_local_size(0) * 16) {
    cm_slm_read(buffer, ramp + at, v);
    write(out, cm_group_id(0) * 256 + at, ramp, v);
  }
})",
                           "load", {{3, 1, 1}, {5, 1, 1}}, in, in.size());
  EXPECT_EQ(got, in);
}

// SLM-16 SLM-17 SLM-18 SYN-06
TEST_P(Groups, histogramWithAtomics) {
  Machine machine(GetParam());
  Dwords in(4 * 8 * 16), want(4 * 16);
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    in[i] = i * 2654435761u >> 28;
    want[i / 128 * 16 + in[i]]++;
  }
  Dwords got = machine.run(R"(
extern "C" _GENX_MAIN_ void histogram(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(128);
  uint bins = cm_slm_alloc(64), extremes = cm_slm_alloc(16);
  uint me = cm_local_id(0);
  vector<uint, 16> ramp, v, old;
  for (int i = 0; i < 16; i++) ramp(i) = i;
  if (me == 0) {
    cm_slm_write(bins, ramp, vector<uint, 16>(0));
    cm_slm_block_write(extremes, 0, vector<int, 4>(0));
  }
  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
  cm_barrier();
  read(in, cm_linear_global_id() * 16, ramp, v);
  cm_slm_atomic(bins, ATOMIC_INC, v, old);
  cm_slm_atomic(extremes, ATOMIC_MAX, vector<uint, 16>(0), NULL, v);
  cm_slm_atomic(extremes, ATOMIC_CMPXCHG, vector<uint, 16>(1), old, vector<uint, 16>(9), vector<uint, 16>(0));
  cm_barrier();
  if (me == 0) {
    cm_slm_read(bins, ramp, v);
    vector<uint, 4> e;
    cm_slm_block_read(extremes, 0, e);
    if (e(0) != 15 || e(1) != 9) v = 0;
    write(out, cm_group_id(0) * 16, ramp, v);
  }
})",
                           "histogram", {{4, 1, 1}, {8, 1, 1}}, in, want.size());
  EXPECT_EQ(got, want);
}

// SYN-02 SYN-09 SLM-04 GLB-01: what a thread keeps in variables survives barriers; many barriers in loops.
TEST_P(Groups, threadsKeepTheirStateAcrossBarriers) {
  Machine machine(GetParam());
  // Each round every thread adds its left neighbour's value: a prefix of binomial sums.
  const char *source = R"(
vector<uint, 16> history;
extern "C" _GENX_MAIN_ void rounds(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(1024);
  uint buffer = cm_slm_alloc(512);
  uint me = cm_local_id(0), n = cm_local_size(0);
  vector<uint, 1> at = me, left = (me + n - 1) % n, mine = me + cm_group_id(0), other;
  matrix<float, 8, 16> large = me;
  for (int round = 0; round < 16; round++) {
    cm_slm_write(buffer, at, mine);
    if (round & 1) {
      cm_sbarrier(1);
      large.row(round / 2) += 1;
      cm_sbarrier(0);
    } else
      cm_barrier();
    cm_slm_read(buffer, left, other);
    cm_barrier();
    history(round) = mine(0);
    mine += other;
  }
  vector<uint, 16> ramp;
  for (int i = 0; i < 16; i++) ramp(i) = i;
  write(out, cm_linear_global_id() * 16, ramp, history + cm_sum<uint>(large));
})";
  for (std::uint32_t threads : {1u, 3u, 16u}) {
    constexpr std::uint32_t groups = 5;
    Dwords want;
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::vector<Dwords> history(threads);
      Dwords value(threads);
      std::iota(value.begin(), value.end(), g);
      for (int round = 0; round < 16; ++round) {
        Dwords next(threads);
        for (std::uint32_t t = 0; t < threads; ++t) {
          history[t].push_back(value[t] + 128 * t + 16 * 8);
          next[t] = value[t] + value[(t + threads - 1) % threads];
        }
        value = next;
      }
      for (const Dwords &h : history)
        want.insert(want.end(), h.begin(), h.end());
    }
    EXPECT_EQ(machine.run(source, "rounds", {{groups, 1, 1}, {threads, 1, 1}}, {0}, want.size()), want) << threads;
  }
}

// GWY-05 GWY-06 GWY-07 AMB-23: half of the threads produce, the other half consume, over two named barriers.
TEST_P(Groups, namedBarriersOfProducersAndConsumers) {
  Machine machine(GetParam());
  Dwords got = machine.run(R"(
extern "C" _GENX_MAIN_ void pipeline(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(256);
  cm_nbarrier_init(3);
  uint buffer = cm_slm_alloc(256);
  uint me = cm_local_id(0);
  for (uint step = 0; step < 10; step++) {
    vector<uint, 1> at = me % 4, v = step * 100 + me;
    if (me < 4) {
      cm_slm_write(buffer, at, v);
      cm_nbarrier_signal(1, 1, 4, 4);
      cm_nbarrier_signal(2, 2, 4, 4);
      cm_nbarrier_wait(2);
    } else {
      cm_nbarrier_signal(1, 2, 4, 4);
      cm_nbarrier_wait(1);
      cm_slm_read(buffer, vector<uint, 1>((me + 1) % 4), v);
      write(out, step * 4 + me - 4, v(0));
      cm_nbarrier_signal(2, 1, 4, 4);
    }
    cm_nbarrier_signal(0, 0, 8, 8);
    cm_nbarrier_wait(0);
  }
})",
                           "pipeline", {{1, 1, 1}, {8, 1, 1}}, {0}, 40),
         want;
  for (std::uint32_t step = 0; step < 10; ++step)
    for (std::uint32_t t = 0; t < 4; ++t)
      want.push_back(step * 100 + (t + 1) % 4);
  EXPECT_EQ(got, want);
}

// SYN-08: the message names kernel, group, barrier; the device works on.
TEST_P(Groups, aBarrierThatNotAllReachIsAnError) {
  Machine machine(GetParam());
  const char *source = R"(
extern "C" _GENX_MAIN_ void stuck(SurfaceIndex in, SurfaceIndex out) {
  if (cm_local_id(0) != 2)
    cm_barrier();
  write(out, 0, 1u);
})";
  try {
    machine.run(source, "stuck", {{2, 1, 1}, {4, 1, 1}}, {0}, 4);
    FAIL() << "finished";
  } catch (const pocm::Error &problem) {
    std::string text = problem.what();
    EXPECT_NE(text.find("kernel 'stuck': 3 of the 4 threads of group ("), std::string::npos) << text;
    const char *device = std::getenv("POCM_TEST_DEVICE");
    bool knowsLines =
        !device || std::string_view(device) == "cpu" || std::string_view(device) == "check"; // Gen code has none
    EXPECT_NE(text.find(knowsLines ? "wait at the barrier of line 5 " : "wait at a barrier"), std::string::npos)
        << text;
  }
  EXPECT_EQ(machine.run(source, "stuck", {{2, 1, 1}, {2, 1, 1}}, {0}, 1), Dwords{1});
}

// The largest group, and many groups, in bounded memory.
TEST_P(Groups, largeLaunches) {
  Machine machine(GetParam());
  constexpr std::uint32_t threads = 1024, groups = 500;
  Dwords got = machine.run(R"(
extern "C" _GENX_MAIN_ void sum(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(4096);
  uint me = cm_linear_local_id();
  vector<uint, 1> v = me, other;
  cm_slm_write(0, vector<uint, 1>(me), v);
  for (uint step = 1; step < 1024; step *= 2) {
    cm_barrier();
    cm_slm_read(0, vector<uint, 1>(me ^ step), other);
    v += other;
    cm_barrier();
    cm_slm_write(0, vector<uint, 1>(me), v);
  }
  if (me == 77)
    write(out, cm_group_id(0), v(0));
})",
                           "sum", {{groups, 1, 1}, {threads / 4, 2, 2}}, {0}, groups);
  EXPECT_EQ(got, Dwords(groups, threads * (threads - 1) / 2));
}

constexpr const char *pairsSource = R"(
extern "C" _GENX_MAIN_ void pairs(SurfaceIndex in, SurfaceIndex out) {
  constexpr int N = CM_GRF_WIDTH / 32;
  uint global = cm_linear_global_id();
  vector<int, 8 * N> b;
  vector<int, 4 * 4> half_of_a;
  vector<int, 8 * N> acc = global;
  for (int i = 0; i < 8 * N; i++) b(i) = int(global + 1) * (i * 0x01030507);
  for (int i = 0; i < 16; i++) half_of_a(i) = int(global + 3) * (i * 0x02010305 + 1);
  for (int round = 0; round < 3; round++) {
    acc = cm_dpasw<CM_PRECISION_S8, CM_PRECISION_U8, 8, 4>(acc.select<4 * N, 1>(0), b, half_of_a).format<int>() .replicate<2>();
    half_of_a += round + 1;
  }
  for (int i = 0; i < 4 * N; i += N) { vector<int, N> row = acc.select<N, 1>(i); write(out, int(global * 4 * N + i) * 4, row); }
})";

// DPA-19: what a thread gives its neighbour, several times, some threads ahead of others.
TEST_P(Groups, pairsShareASource) {
  constexpr std::uint32_t n = 8, threads = 6, groups = 3, rows = 4;
  Machine machine(GetParam());
  Dwords got = machine.run(pairsSource, "pairs", {{groups, 1, 1}, {3, 2, 1}}, {0}, groups * threads * rows * n);
  auto byteOf = [](std::uint32_t dword, unsigned k) { return dword >> (8 * k) & 0xFF; };
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t t = 0; t < threads; ++t) {
      auto number = [&](std::uint32_t local) { return g * threads + local; };
      std::uint32_t me = number(t);
      std::vector<std::uint32_t> acc(rows * n, me), a(32);
      for (int round = 0, added = 0; round < 3; added += ++round) {
        for (std::uint32_t i = 0; i < 32; ++i)
          a[i] = (number((t & ~1u) + i / 16) + 3) * (i % 16 * 0x02010305u + 1) + std::uint32_t(added);
        for (std::uint32_t r = 0; r < rows; ++r)
          for (std::uint32_t c = 0; c < n; ++c)
            for (std::uint32_t s = 0; s < 8; ++s)
              for (unsigned k = 0; k < 4; ++k) {
                std::uint32_t b = (me + 1) * ((s * n + c) * 0x01030507u);
                acc[r * n + c] += byteOf(a[r * 8 + s], k) * std::uint32_t(std::int32_t(std::int8_t(byteOf(b, k))));
              }
      }
      Dwords mine(got.begin() + me * rows * n, got.begin() + (me + 1) * rows * n);
      EXPECT_EQ(mine, acc) << "group " << g << " thread " << t;
    }
}

TEST_P(Groups, aThreadWithoutNeighbourIsReported) {
  Machine machine(GetParam());
  std::string problem;
  try {
    machine.run(pairsSource, "pairs", {{1, 1, 1}, {3, 1, 1}}, {0}, 1000);
  } catch (const pocm::Error &error) {
    problem = error.what();
  }
  EXPECT_NE(problem.find("1 of the 3 threads"), std::string::npos) << problem;
}

INSTANTIATE_TEST_SUITE_P(Cpus, Groups, testing::ValuesIn(test::cpus()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(GroupLaunches, impossibleShapesAreRefused) {
  Machine machine("x86-64");
  pocm::Kernel kernel =
      machine.device.createKernel(test::compile("#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void k() {}"), "k");
  EXPECT_THROW(machine.device.enqueueGroups(kernel, {{1, 1, 1}, {1025, 1, 1}}), pocm::Error);
  EXPECT_THROW(machine.device.enqueueGroups(kernel, {{1, 1, 1}, {0, 1, 1}}), pocm::Error);
  EXPECT_THROW(machine.device.enqueueGroups(kernel, {{0, 1, 1}, {1, 1, 1}}), pocm::Error);
  EXPECT_THROW(machine.device.enqueueGroups(kernel, {{70000, 70000, 1}, {1, 1, 1}}), pocm::Error);
}

} // namespace
