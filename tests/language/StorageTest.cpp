// Variables that are not one vector: structures, arrays of vectors and of scalars with run-time indices, lambdas. What
// cannot become whole values stays in memory and gives the same results. (OBJ-06, FUN-07, FUN-11)
#include "Kernels.h"
#include <array>

namespace {

constexpr const char *source = R"(
#include <cm/cm.h>
struct particle { vector<float, 4> pos, vel; int id; };
_GENX_ void step(particle &p, float dt) { p.pos += p.vel * dt; p.id++; }
template <class T, int N> T last(vector<T, N> v) { return v(N - 1); }

extern "C" _GENX_MAIN_ void structures(SurfaceIndex out, int n) {
  particle p;
  p.pos = 1.0f;
  p.vel = 2.0f;
  p.id = 7;
  for (int i = 0; i < n; i++)
    step(p, 0.5f);
  auto scaled = [&](float f) { vector<float, 4> r = p.pos * f; return r; };
  vector<float, 4> r = scaled(10.0f);
  r(3) = p.id + last(p.vel);
  vector<int, 4> whole = r;
  write(out, 0, 0, whole);
}

extern "C" _GENX_MAIN_ void arrays(SurfaceIndex out, int n) {
  vector<int, 4> a[5];
  int count[8];
  for (int i = 0; i < 8; i++)
    count[i] = i * n;
  for (int i = 0; i < 5; i++)
    a[i] = i * 10;
  for (int i = 0; i < n; i++)
    a[i % 5].select<2, 2>(1) += count[i % 8] + 1;
  vector<int, 4> r = a[n % 5];
  r(0) += count[n % 8];
  write(out, 0, 0, r);
}
)";

std::array<int, 4> run(pocm::Device &device, const pocm::Program &program, const char *name, int n) {
  pocm::Image image = device.createImage(4, 1, 4);
  pocm::Kernel kernel = device.createKernel(program, name);
  kernel.setArgument(0, image);
  kernel.setArgument(1, &n, sizeof(n));
  device.enqueue(kernel, {1, 1}).wait();
  std::array<int, 4> result;
  image.read(result.data(), sizeof(result));
  return result;
}

TEST(Storage, structuresAreTheirMembers) {
  pocm::Program program = test::compile(source);
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    for (int n : {0, 1, 3, 100})
      EXPECT_EQ(run(device, program, "structures", n), (std::array{10 + 10 * n, 10 + 10 * n, 10 + 10 * n, 9 + n}))
          << cpu;
  }
}

TEST(Storage, arraysOfVectorsAreIndexedAtRunTime) {
  pocm::Program program = test::compile(source);
  for (const std::string &cpu : test::cpus()) {
    pocm::Device device = test::open(cpu);
    for (int n : {0, 1, 5, 7, 23}) {
      std::array<std::array<int, 4>, 5> a;
      for (int i = 0; i < 5; ++i)
        a[std::size_t(i)].fill(i * 10);
      for (int i = 0; i < n; ++i)
        for (std::size_t k : {1, 3})
          a[std::size_t(i % 5)][k] += i % 8 * n + 1;
      std::array<int, 4> want = a[std::size_t(n % 5)];
      want[0] += n % 8 * n;
      EXPECT_EQ(run(device, program, "arrays", n), want) << cpu << " " << n;
    }
  }
}

} // namespace
