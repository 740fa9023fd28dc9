// Convolves images of many channels with 1x1 and 3x3 windows, stride 1, zeros beyond the edges: random images, or files
// of raw little-endian floats.
//
//     convolution [--size 3] [--width 56 --height 56 --channels 64 --outputs 64 --images 1]
//                 [--input IN.raw] [--weights WEIGHTS.raw] [--output OUT.raw]
#include "application.h"
#include <cmath>
#include <limits>
#include <random>

namespace {

constexpr unsigned pixels = 8, out = 32, in = 16; // of a thread: PIXELS, OUT and IN of the kernels

using Floats = std::vector<float>;

unsigned roundUp(unsigned n, unsigned to) { return (n + to - 1) / to * to; }

struct Shape {
  unsigned size = 3, width = 56, height = 56, channels = 64, outputs = 64, images = 1;

  std::size_t places() const { return std::size_t(images) * height * width; }
  std::size_t weights() const { return std::size_t(outputs) * size * size * channels; }
  double operations() const { return 2.0 * double(places()) * double(weights()); }
};

/// How the device has tensors: channels in whole groups, rows in whole groups of pixels, a border of zeros.
struct Layout {
  explicit Layout(const Shape &s)
      : inChannels(roundUp(s.channels, in)), outChannels(roundUp(s.outputs, out)), outWidth(roundUp(s.width, pixels)),
        inWidth(outWidth + s.size - 1), inHeight(s.height + s.size - 1) {}

  unsigned inChannels, outChannels, outWidth, inWidth, inHeight;
};

/// NHWC with a border.
Floats padded(const Shape &s, const Layout &l, const Floats &image) {
  Floats to(std::size_t(s.images) * l.inHeight * l.inWidth * l.inChannels);
  const unsigned border = s.size / 2;
  for (std::size_t row = 0; row < std::size_t(s.images) * s.height; ++row)
    for (unsigned x = 0; x < s.width; ++x) {
      const std::size_t inRow = row / s.height * l.inHeight + row % s.height + border;
      std::copy_n(&image[(row * s.width + x) * s.channels], s.channels,
                  &to[(inRow * l.inWidth + x + border) * l.inChannels]);
    }
  return to;
}

/// Of OHWI: for each group of 32 outputs, place of the window and channel, the weights of the 32.
Floats grouped(const Shape &s, const Layout &l, const Floats &weights) {
  const std::size_t places = std::size_t(s.size) * s.size;
  Floats to(l.outChannels * places * l.inChannels);
  for (unsigned o = 0; o < s.outputs; ++o)
    for (std::size_t place = 0; place < places; ++place)
      for (unsigned c = 0; c < s.channels; ++c)
        to[((o / out * places + place) * l.inChannels + c) * out + o % out] =
            weights[(o * places + place) * s.channels + c];
  return to;
}

class Convolution {
public:
  Convolution(host::Session &session, const Shape &shape, const Floats &image, const Floats &weights)
      : session(session), shape(shape), layout(shape),
        result(std::size_t(shape.images) * shape.height * layout.outWidth * layout.outChannels) {
    output = session.buffer(result);
    CmKernel *kernel = session.kernel(shape.size == 1 ? "convolve1x1" : "convolve3x3");
    host::setAll(kernel, session.buffer(padded(shape, layout, image)), session.buffer(grouped(shape, layout, weights)),
                 output, int(shape.height), int(layout.inWidth), int(layout.inChannels), int(layout.outWidth),
                 int(layout.outChannels));
    space = session.space(layout.outWidth / pixels, shape.images * shape.height * (layout.outChannels / out));
    task = session.task({kernel}, false);
  }
  double run() { return session.run(task, space); }
  Floats read() {
    session.read(output, result, nullptr);
    Floats to(shape.places() * shape.outputs);
    for (std::size_t place = 0; place < shape.places(); ++place)
      std::copy_n(&result[(place / shape.width * layout.outWidth + place % shape.width) * layout.outChannels],
                  shape.outputs, &to[place * shape.outputs]);
    return to;
  }

private:
  host::Session &session;
  Shape shape;
  Layout layout;
  Floats result;
  CmBuffer *output = nullptr;
  CmThreadSpace *space = nullptr;
  CmTask *task = nullptr;
};

/// One output in double, and the sum of magnitudes.
struct Exact {
  double sum = 0, magnitude = 0;
};
Exact exact(const Shape &s, const Floats &image, const Floats &weights, std::size_t place, unsigned o) {
  Exact e;
  const auto x = int(place % s.width), y = int(place / s.width % s.height), border = int(s.size / 2);
  const std::size_t first = place - std::size_t(y) * s.width - std::size_t(x);
  for (int dy = 0; dy < int(s.size); ++dy)
    for (int dx = 0; dx < int(s.size); ++dx) {
      const int fromX = x + dx - border, fromY = y + dy - border;
      if (fromX < 0 || fromY < 0 || fromX >= int(s.width) || fromY >= int(s.height))
        continue;
      const float *a = &image[(first + std::size_t(fromY) * s.width + std::size_t(fromX)) * s.channels];
      const float *w = &weights[((std::size_t(o) * s.size + std::size_t(dy)) * s.size + std::size_t(dx)) * s.channels];
      for (unsigned c = 0; c < s.channels; ++c) {
        const double product = double(a[c]) * double(w[c]);
        e.sum += product, e.magnitude += std::fabs(product);
      }
    }
  return e;
}

/// Every output, or where there are many, some of each pixel: others at the next.
bool isRight(const Shape &s, const Floats &image, const Floats &weights, const Floats &got) {
  const std::size_t step = std::size_t(std::max(1.0, s.operations() / 1e8)) | 1;
  application::Progress progress("checking");
  for (std::size_t i = 0; i < got.size(); i += step) {
    Exact e = exact(s, image, weights, i / s.outputs, unsigned(i % s.outputs));
    const double roundings = double(s.weights() / s.outputs + 1) * double(std::numeric_limits<float>::epsilon());
    if (!(std::fabs(double(got[i]) - e.sum) <= roundings * e.magnitude))
      return false;
    progress.at(i, got.size());
  }
  return true;
}

Floats random(std::size_t count, unsigned seed) {
  Floats values(count);
  std::mt19937 generator(seed);
  for (float &v : values)
    v = float(int(generator() % 2001) - 1000) / 1000;
  return values;
}

} // namespace

int main(int argc, char **argv) {
  application::App app("convolution", "Convolves images of many channels with 1x1 or 3x3 windows.");
  Shape s;
  std::string size = "3", input, weightsFile, output;
  app.choice("--size", size, "the side of the window", {"1", "3"});
  app.number("--width", s.width, "columns of an image", 1, 4096);
  app.number("--height", s.height, "rows of an image", 1, 4096);
  app.number("--channels", s.channels, "channels of the input", 1, 4096);
  app.number("--outputs", s.outputs, "channels of the output", 1, 4096);
  app.number("--images", s.images, "how many images", 1, 1024);
  app.input("--input", input, "a file of little-endian floats, NHWC (default: random numbers)", {});
  app.input("--weights", weightsFile, "the same of weights, OHWI (default: random numbers)", {});
  app.output("--output", output, "writes the result to a file, NHWC");
  return app.run(argc, argv, [&](host::Session &session) {
    s.size = size == "1" ? 1 : 3;
    const std::size_t inputs = s.places() * s.channels;
    Floats image = input.empty() ? random(inputs, 1) : application::readFloats(input, inputs);
    Floats weights = weightsFile.empty() ? random(s.weights(), 2) : application::readFloats(weightsFile, s.weights());
    Convolution convolution(session, s, image, weights);
    convolution.run();
    Floats got = convolution.read();
    bool right = isRight(s, image, weights, got);
    double ms = app.time([&] { return convolution.run(); });
    std::printf("%ux%u, %u images of %ux%u, %u to %u channels: %s, %.3f ms, %.1f GFLOP/s\n", s.size, s.size, s.images,
                s.width, s.height, s.channels, s.outputs, right ? "correct" : "WRONG", ms, s.operations() / ms / 1e6);
    if (!output.empty())
      application::writeFloats(output, got);
    return right;
  });
}
