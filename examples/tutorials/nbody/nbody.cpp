// N bodies that attract each other, one step: 16,384 bodies, 4,096 at a time in shared local memory, groups as large as
// the device's capabilities allow. Checked against double precision.
//
//     nbody PROGRAM.isa
#include "tutorial.h"
#include <algorithm>
#include <cmath>

namespace {
constexpr UINT bodies = 16384, perThread = 16;
constexpr float dt = 0.01f, softening = 0.5f;

struct Body {
  float x, y, z, mass; // or a velocity and nothing
};

/// Largest error of a sample of bodies, relative to the size of what is compared.
double error(const std::vector<Body> &p, const std::vector<Body> &v, const std::vector<Body> &newP,
             const std::vector<Body> &newV) {
  double worst = 0;
  auto compare = [&](double got, double want) {
    worst = std::max(worst, std::abs(got - want) / (std::abs(want) + 0.1));
  };
  for (UINT i = 0; i < bodies; i += 37) {
    double a[3] = {};
    for (UINT j = 0; j < bodies; ++j) {
      double dx = double(p[j].x) - p[i].x, dy = double(p[j].y) - p[i].y, dz = double(p[j].z) - p[i].z;
      double inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + double(softening));
      double pull = double(p[j].mass) * inverse * inverse * inverse;
      a[0] += dx * pull;
      a[1] += dy * pull;
      a[2] += dz * pull;
    }
    double vx = v[i].x + a[0] * double(dt), vy = v[i].y + a[1] * double(dt), vz = v[i].z + a[2] * double(dt);
    compare(newV[i].x, vx);
    compare(newV[i].y, vy);
    compare(newV[i].z, vz);
    compare(newP[i].x, p[i].x + vx * double(dt));
    compare(newP[i].y, p[i].y + vy * double(dt));
    compare(newP[i].z, p[i].z + vz * double(dt));
    if (newP[i].mass != p[i].mass)
      return INFINITY;
  }
  return worst;
}
} // namespace

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    std::vector<Body> p(bodies), v(bodies), newP(bodies), newV(bodies);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> place(-10, 10), speed(-1, 1), mass(0.1f, 1);
    for (UINT i = 0; i < bodies; ++i) {
      p[i] = {place(random), place(random), place(random), mass(random)};
      v[i] = {speed(random), speed(random), speed(random), 0};
    }
    // The largest group that the threads can be cut into.
    UINT most = 0, threads = bodies / perThread;
    size_t size = sizeof(most);
    CHECK(session.device->GetCaps(CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP, size, &most));
    UINT group = std::min(most, 64u);
    while (threads % group)
      --group;
    CmThreadGroupSpace *groups = nullptr;
    CHECK(session.device->CreateThreadGroupSpace(group, 1, threads / group, 1, groups));

    CmBuffer *newPositions = session.buffer(newP), *newVelocities = session.buffer(newV);
    CmKernel *kernel = session.kernel("nbody");
    tutorial::setAll(kernel, session.buffer(p), session.buffer(v), newPositions, newVelocities, int(bodies), dt,
                     softening);
    CmEvent *event = nullptr;
    CHECK(session.queue->EnqueueWithGroup(session.task({kernel}), event, groups));
    double time = session.finish(event);
    session.read(newPositions, newP, nullptr);
    session.read(newVelocities, newV, nullptr);
    double worst = error(p, v, newP, newV);
    std::printf("%u bodies, %u groups of %u threads; largest error %.1e\n", bodies, threads / group, group, worst);
    return tutorial::report("nbody", worst < 1e-4, time);
  });
}
