// Groups points of the plane around centroids, to convergence.
//
//     kmeans [--points FILE.csv --columns 0,1 | --kind uniform|blobs|ring --count 1048576] --clusters 20
#include "Points.h"
#include "application.h"
#include <cmath>

namespace {

using kmeans::Points;
constexpr int most = 64, perThread = 2048; // MOST of the kernels

/// One step of Lloyd's algorithm on the device.
class Clusters {
public:
  Clusters(host::Session &session, const Points &points, Points start)
      : session(session), clusters(int(start.size() / 2)), count(int(points.size() / 2)) {
    int threads = (count + perThread - 1) / perThread;
    start.resize(2 * most);
    centroids = session.buffer(start);
    labels = session.buffer(std::vector<std::uint32_t>(std::size_t(count)), 64);
    CmBuffer *in = session.buffer(points, 128),
             *sums = session.buffer(std::vector<float>(std::size_t(threads) * most * 4));
    CmThreadSpace *parts = session.space(256, unsigned(threads + 255) / 256),
                  *all = session.space(unsigned(clusters), 1);
    CmKernel *assign = session.kernel("assign"), *move = session.kernel("move");
    host::setAll(assign, in, centroids, labels, sums, count, perThread, clusters);
    host::setAll(move, sums, centroids, threads);
    CHECK(assign->AssociateThreadSpace(parts));
    CHECK(move->AssociateThreadSpace(all));
    task = session.task({assign, move});
  }

  double step() { return session.run(task); }
  Points middles() {
    Points result(2 * most);
    session.read(centroids, result, nullptr);
    result.resize(2 * std::size_t(clusters));
    return result;
  }
  std::vector<std::uint32_t> nearest() {
    std::vector<std::uint32_t> result(std::size_t(count), 0);
    session.read(labels, result, nullptr);
    return result;
  }

private:
  host::Session &session;
  int clusters, count;
  CmBuffer *centroids, *labels;
  CmTask *task;
};

double distance(const float *a, const float *b) {
  double dx = double(a[0]) - double(b[0]), dy = double(a[1]) - double(b[1]);
  return dx * dx + dy * dy;
}

/// In double precision: every label is one of a nearest centroid of `before`, and the centroids of `after` are the
/// means of their points, but for rounding of sums in float.
bool isStep(const Points &points, const Points &before, const std::vector<std::uint32_t> &labels, const Points &after) {
  std::size_t clusters = before.size() / 2;
  std::vector<double> sums(3 * clusters), magnitudes(clusters);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float *p = &points[2 * i];
    double least = INFINITY;
    for (std::size_t c = 0; c < clusters; ++c)
      least = std::min(least, distance(p, &before[2 * c]));
    if (labels[i] >= clusters || distance(p, &before[2 * labels[i]]) > least * (1 + 0x1p-20) + 1e-9)
      return false;
    double *s = &sums[3 * labels[i]];
    s[0] += double(p[0]), s[1] += double(p[1]), s[2] += 1;
    magnitudes[labels[i]] += std::fabs(double(p[0])) + std::fabs(double(p[1]));
  }
  for (std::size_t c = 0; c < clusters; ++c)
    for (std::size_t i = 0; i < 2; ++i) {
      const double *s = &sums[3 * c];
      double want = s[2] > 0 ? s[i] / s[2] : double(before[2 * c + i]);
      double slack = s[2] > 0 ? magnitudes[c] / s[2] * 0x1p-23 * (perThread + 4096) : 0;
      if (!(std::fabs(double(after[2 * c + i]) - want) <= slack))
        return false;
    }
  return true;
}

double furthest(const Points &a, const Points &b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); i += 2)
    most = std::max(most, distance(&a[i], &b[i]));
  return std::sqrt(most);
}

void save(const std::string &path, const Points &points, const std::vector<std::uint32_t> &labels) {
  std::ofstream file(path);
  file << "x,y,cluster\n";
  for (std::size_t i = 0; i < labels.size(); ++i)
    file << points[2 * i] << ',' << points[2 * i + 1] << ',' << labels[i] << '\n';
  if (!file.flush())
    throw std::runtime_error("cannot write '" + path + "'");
}

} // namespace

int main(int argc, char **argv) {
  application::App app("kmeans", "Groups points of the plane around centroids.");
  std::string path, kind = "uniform", output;
  std::vector<unsigned> columns{0, 1};
  unsigned count = 1 << 20, clusters = 20, steps = 1000;
  double still = 1e-3;
  app.choice("--kind", kind, "points to make", kmeans::kinds());
  app.number("--count", count, "how many", 1, 1 << 27);
  app.input("--points", path, "a CSV file", {"--kind", "--count"});
  app.numbers("--columns", columns, "its columns of x and y, from 0");
  app.number("--clusters", clusters, "centroids", 1, most).number("--steps", steps, "steps at most", 1, 1000000);
  app.number("--still", still, "ends when no centroid moves further");
  app.output("--output", output, "writes points and clusters to a CSV file");
  return app.run(argc, argv, [&](host::Session &session) {
    Points points = path.empty() ? kmeans::make(kind, count) : kmeans::load(path, columns[0], columns[1]);
    if (points.size() / 2 < clusters)
      throw std::runtime_error("there are " + std::to_string(points.size() / 2) + " points for " +
                               std::to_string(clusters) + " clusters");
    Points before(2 * clusters); // every so many-th point
    for (std::size_t c = 0; c < clusters; ++c)
      std::copy_n(&points[points.size() / 2 / clusters * c * 2], 2, &before[2 * c]);
    Clusters device(session, points, before);

    bool right = true;
    double moved = INFINITY;
    std::vector<double> times;
    std::vector<std::uint32_t> labels;
    application::Progress progress("steps");
    while (times.size() < steps && moved > still) {
      times.push_back(device.step());
      Points after = device.middles();
      if (times.size() == 1 || (moved = furthest(before, after)) <= still || times.size() == steps)
        right &= isStep(points, before, labels = device.nearest(), after);
      before = std::move(after);
      progress.at(times.size(), steps);
    }
    std::sort(times.begin(), times.end());
    std::printf("%zu points, %u clusters: %s, %zu steps, the last moved a centroid by %.2g; %.3f ms a step\n",
                points.size() / 2, clusters, right ? "correct" : "WRONG", times.size(), moved, times[times.size() / 2]);
    if (!output.empty())
      save(output, points, labels);
    return right;
  });
}
