// A stencil of nine points on a grid of floats (SHOC's Stencil2D), step after step: a random grid, or a file of raw
// little-endian floats.
//
//     stencil [--width 4096 --height 4096] [--input IN.raw --output OUT.raw] [--steps 10] [--center 0.25 ...]
#include "application.h"
#include <cmath>
#include <limits>
#include <random>

namespace {

constexpr unsigned columns = 512, rows = 4; // of a thread

struct Weights {
  double center = 0.25, cardinal = 0.15, diagonal = 0.05;
};

template <class T> struct Grid {
  unsigned width, height;
  std::vector<T> cells = std::vector<T>(std::size_t(width) * height);

  const T *row(unsigned y) const { return cells.data() + std::size_t(y) * width; }
};

/// Steps from one surface to the other and back.
class Stencil {
public:
  Stencil(host::Session &session, const Grid<float> &grid, const Weights &w)
      : session(session), grid(grid),
        space(session.space((grid.width + columns - 1) / columns, (grid.height + rows - 1) / rows)) {
    for (CmSurface2D *&s : surfaces)
      CHECK(session.device->CreateSurface2D(grid.width, grid.height, CM_SURFACE_FORMAT_R32F, s));
    for (unsigned i = 0; i < 2; ++i) {
      CmKernel *kernel = session.kernel("stencil");
      host::setAll(kernel, surfaces[i], surfaces[i ^ 1], int(grid.width), int(grid.height), float(w.center),
                   float(w.cardinal), float(w.diagonal));
      tasks[i] = session.task({kernel}, false);
    }
  }
  /// Milliseconds of all steps, from the grid as it was at first.
  double run(unsigned steps) {
    CHECK(surfaces[0]->WriteSurface(reinterpret_cast<const unsigned char *>(grid.cells.data()), nullptr));
    double ms = 0;
    for (unsigned i = 0; i < steps; ++i)
      ms += session.run(tasks[i % 2], space);
    return ms;
  }
  void read(Grid<float> &to, unsigned steps) {
    CHECK(surfaces[steps % 2]->ReadSurface(reinterpret_cast<unsigned char *>(to.cells.data()), nullptr));
  }

private:
  host::Session &session;
  const Grid<float> &grid;
  CmThreadSpace *space;
  CmSurface2D *surfaces[2] = {};
  CmTask *tasks[2] = {};
};

/// The weights as the kernel has them, rounded to float.
Grid<double> reference(Grid<double> grid, const Weights &w, unsigned steps) {
  const double center = float(w.center), cardinal = float(w.cardinal), diagonal = float(w.diagonal);
  Grid<double> next = grid;
  application::Progress progress("checking");
  for (unsigned i = 0; i < steps; ++i) {
    for (unsigned y = 1; y + 1 < grid.height; ++y) {
      const double *above = grid.row(y - 1), *here = grid.row(y), *below = grid.row(y + 1);
      double *to = next.cells.data() + std::size_t(y) * grid.width;
      for (unsigned x = 1; x + 1 < grid.width; ++x)
        to[x] = center * here[x] + cardinal * (here[x - 1] + here[x + 1] + above[x] + below[x]) +
                diagonal * (above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1]);
    }
    std::swap(grid, next);
    progress.at(i + 1, steps);
  }
  return grid;
}

/// Each step rounds sums of nine products; what may be lost is a part of the sums of magnitudes.
bool isRight(const Grid<float> &in, const Grid<float> &out, const Weights &w, unsigned steps) {
  Grid<double> exact{in.width, in.height}, magnitudes = exact;
  for (std::size_t i = 0; i < in.cells.size(); ++i) {
    exact.cells[i] = double(in.cells[i]);
    magnitudes.cells[i] = std::fabs(exact.cells[i]);
  }
  exact = reference(std::move(exact), w, steps);
  magnitudes =
      reference(std::move(magnitudes), {std::fabs(w.center), std::fabs(w.cardinal), std::fabs(w.diagonal)}, steps);
  const double roundings = 6.0 * steps * double(std::numeric_limits<float>::epsilon());
  for (std::size_t i = 0; i < in.cells.size(); ++i)
    if (!(std::fabs(double(out.cells[i]) - exact.cells[i]) <= roundings * magnitudes.cells[i] + 1e-36))
      return false;
  return true;
}

Grid<float> random(unsigned width, unsigned height) {
  Grid<float> grid{width, height};
  std::mt19937 generator(1);
  for (float &f : grid.cells)
    f = float(generator() >> 8) * 0x1p-24f;
  return grid;
}

} // namespace

int main(int argc, char **argv) {
  application::App app("stencil", "Steps of a stencil of nine points on a grid of floats; cells of its border stay.");
  unsigned width = 4096, height = 4096, steps = 10;
  Weights weights;
  std::string input, output;
  app.number("--width", width, "columns of the grid", 1, 16384);
  app.number("--height", height, "rows of the grid", 1, 16384);
  app.number("--steps", steps, "how many steps", 1, 1000000);
  app.number("--center", weights.center, "weight of a cell itself");
  app.number("--cardinal", weights.cardinal, "weight of those beside, above and below it");
  app.number("--diagonal", weights.diagonal, "weight of those at its corners");
  app.input("--input", input, "a file of little-endian floats, row after row (default: random numbers)", {});
  app.output("--output", output, "writes the last grid to a file of the same kind");
  return app.run(argc, argv, [&](host::Session &session) {
    Grid<float> in = input.empty()
                         ? random(width, height)
                         : Grid<float>{width, height, application::readFloats(input, std::size_t(width) * height)},
                out = in;
    Stencil stencil(session, in, weights);
    stencil.run(steps);
    stencil.read(out, steps);
    bool right = isRight(in, out, weights, steps);
    double ms = app.time([&] { return stencil.run(steps); });
    std::printf("%ux%u floats, %u steps: %s, %.3f ms, %.2f Gcell/s\n", width, height, steps,
                right ? "correct" : "WRONG", ms, double(in.cells.size()) * steps / ms / 1e6);
    if (!output.empty())
      application::writeFloats(output, out.cells);
    return right;
  });
}
