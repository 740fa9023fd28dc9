//===- KernelArgument.cpp - cmrun's --arg -------------------------------------------------===//
#include "KernelArgument.h"
#include "ArgumentText.h"
#include "Comparison.h"
#include "image/Photo.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace cmrun {
namespace {

using namespace argument;

class Value : public KernelArgument {
public:
  Value(const ScalarType &type, const std::string &text, unsigned index, const pocm::Parameter &parameter)
      : index(index) {
    if (parameter.element != type.name)
      fail("the parameter's type is {}, not {}: write {}:{}", parameter.element, type.name, parameter.element, text);
    std::vector<std::string> parts = split(text, ',');
    if (parts.size() != parameter.count)
      fail("the parameter takes {} value{} of type {}, not {}", parameter.count, parameter.count == 1 ? "" : "s",
           parameter.element, parts.size());
    for (const std::string &part : parts)
      type.parse(block, part, type.name);
  }
  void bind(pocm::Device &, pocm::Kernel &kernel) override { kernel.setArgument(index, block.data(), block.size()); }

private:
  unsigned index;
  Bytes block;
};

//===- Surfaces -----------------------------------------------------------------===//

/// compare=FILE[,as=TYPE] of a surface: raw bytes that its result should be.
class Expected {
public:
  Expected(const Options &options)
      : file(options.file("compare")), type(options.has("as") ? options.text("as") : "uchar") {
    if (options.has("as") && file.empty())
      fail("as=TYPE says how values are compared with compare=FILE");
  }
  bool holds(unsigned index, const Bytes &result) const {
    if (file.empty())
      return true;
    Comparison found = cmrun::compare(result, readFile(file), type);
    fmt::print("argument {} and '{}': {}\n", index, file, textOf(found));
    return !found.different;
  }

private:
  std::string file, type;
};

class BufferArgument : public KernelArgument {
public:
  BufferArgument(const std::string &text, unsigned index)
      : BufferArgument(Options(text, {"in", "zero", "out", "compare", "as"}), index) {}
  BufferArgument(const Options &options, unsigned index) : index(index), expected(options) {
    constexpr std::uint32_t most = 0x80000000u;
    out = options.file("out");
    if (options.has("in") == options.has("zero"))
      fail("a buffer needs either in=FILE or zero=BYTES");
    if (options.has("in")) {
      initial = readFile(options.file("in"));
      if (initial.empty())
        fail("'{}' is empty; a buffer has at least one byte", options.text("in"));
    } else {
      initial.resize(options.number("zero", most));
    }
  }
  void bind(pocm::Device &device, pocm::Kernel &kernel) override {
    buffer = device.createBuffer(initial.size());
    buffer.write(initial.data(), initial.size());
    kernel.setArgument(index, buffer);
  }
  void store() override {
    if (!out.empty())
      writeFile(out, *contents());
  }
  std::optional<Bytes> contents() const override {
    Bytes now(initial.size());
    buffer.read(now.data(), now.size());
    return now;
  }
  bool compare() const override { return expected.holds(index, *contents()); }

private:
  unsigned index;
  Expected expected;
  std::string out;
  Bytes initial;
  pocm::Buffer buffer;
};

/// Formats of several planes whose bytes follow each other in a file, as in memory: half as many for chroma as for
/// luma.
constexpr const char *planar[] = {"NV12", "P010", "P016", "YV12", "I420"};

/// How a photograph's pixels lie in a surface of some format.
struct Layout {
  const char *format;
  unsigned channels;
  int order[4]; // byte k of a surface pixel is channel order[k] of R G B A
};
constexpr Layout layouts[] = {
    {"A8R8G8B8", 4, {2, 1, 0, 3}},
    {"X8R8G8B8", 4, {2, 1, 0, 3}},
    {"A8B8G8R8", 4, {0, 1, 2, 3}},
    {"A8", 1, {}},
    {"P8", 1, {}},
    {"R8_UINT", 1, {}},
    {"R8_UNORM", 1, {}},
    {"Y8_UNORM", 1, {}},
};

const Layout *layoutOf(const std::string &format) {
  for (const Layout &layout : layouts)
    if (format == layout.format)
      return &layout;
  return nullptr;
}

std::string layoutNames() {
  std::string names;
  for (const Layout &layout : layouts)
    names += (names.empty() ? "" : ", ") + std::string(layout.format);
  return names;
}

/// An image argument. Without a format its bytes are a photograph's packed RGB rows in a surface of 4-byte pixels.
class ImageArgument : public KernelArgument {
public:
  ImageArgument(const std::string &text, unsigned index)
      : ImageArgument(Options(text, {"in", "zero", "width", "height", "format", "out", "compare", "as"}), index) {}
  ImageArgument(const Options &options, unsigned index) : index(index), expected(options) {
    constexpr std::uint32_t most = 16384;
    out = options.file("out");
    format = options.text("format");
    width = options.number("width", most);
    height = options.number("height", most);
    std::vector<std::string> known = pocm::formatNames();
    known.insert(known.end(), std::begin(planar), std::end(planar));
    if (!format.empty() && std::find(known.begin(), known.end(), format) == known.end())
      fail("unknown format '{}'; known are: {}", format, fmt::join(known, ", "));
    if (hasPlanes() && (width % 2 || height % 2))
      fail("a surface of format {} has an even width and height, not {}x{}", format, width, height);
    if (options.has("in") == options.has("zero"))
      fail("an image needs either in=FILE or zero");
    std::string in = options.file("in");
    if (options.has("zero") || !pocm::image::isPhoto(in))
      fromBytes(options.has("zero") ? std::nullopt : std::optional(in));
    else
      fromPhoto(in);
    checkOutput();
  }

  void bind(pocm::Device &device, pocm::Kernel &kernel) override {
    image = packedRgb() ? device.createImage(surfaceWidth(), height, "A8R8G8B8")
                        : device.createImage(surfaceWidth(), height, std::string_view(format));
    image.write(initial.data(), rowBytes());
    kernel.setArgument(index, image);
  }

  void store() override {
    if (out.empty())
      return;
    Bytes now = *contents();
    if (wantsPng())
      pocm::image::savePng(out, toPhoto(now));
    else
      writeFile(out, now);
  }
  std::optional<Bytes> contents() const override {
    Bytes now(initial.size());
    image.read(now.data(), rowBytes());
    return now;
  }
  bool compare() const override { return expected.holds(index, *contents()); }

private:
  bool packedRgb() const { return format.empty(); }
  bool hasPlanes() const { return std::find(std::begin(planar), std::end(planar), format) != std::end(planar); }
  /// Of all planes, counted in rows of the first.
  std::size_t rows() const { return height + (hasPlanes() ? height / 2 : 0); }
  unsigned pixelBytes() const { return packedRgb() ? 4 : pocm::formatBytes(format); }
  std::uint32_t surfaceWidth() const { return packedRgb() ? (width * 3 + 3) / 4 : width; }
  std::size_t rowBytes() const { return std::size_t(surfaceWidth()) * pixelBytes(); }
  bool wantsPng() const { return out.size() > 4 && out.ends_with(".png"); }

  void fromBytes(const std::optional<std::string> &file) {
    if (!width || !height)
      fail("{} needs width= and height=", file ? "raw image data" : "a zero image");
    if (file && packedRgb())
      fail("'{}' is neither a PNG nor a JPEG; raw image data needs format=", *file);
    initial.resize(rowBytes() * rows());
    if (!file)
      return;
    Bytes raw = readFile(*file);
    if (raw.size() != initial.size())
      fail("'{}' has {} bytes; {}x{} pixels of {} are {} bytes", *file, raw.size(), width, height, format,
           initial.size());
    initial = std::move(raw);
  }

  void fromPhoto(const std::string &file) {
    pocm::image::Photo photo = pocm::image::load(file);
    if ((width && width != photo.width) || (height && height != photo.height))
      fail("'{}' has {}x{} pixels; leave width= and height= out", file, photo.width, photo.height);
    width = photo.width;
    height = photo.height;
    const Layout *layout = layoutOf(format);
    if (!packedRgb() && !layout)
      fail("a photograph cannot become a surface of format {}; possible are no format and {}", format, layoutNames());
    initial.resize(rowBytes() * height);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x)
        putPixel(&initial[y * rowBytes()], x, &photo.pixels[y * photo.stride() + x * 3], layout);
    if (packedRgb())
      padRows();
  }

  static void putPixel(std::uint8_t *row, std::uint32_t x, const std::uint8_t *rgb, const Layout *layout) {
    constexpr std::uint8_t opaque = 255;
    if (!layout) {
      std::copy_n(rgb, 3, row + x * 3);
    } else if (layout->channels == 1) {
      row[x] = std::uint8_t((rgb[0] * 299 + rgb[1] * 587 + rgb[2] * 114 + 500) / 1000); // luma of BT.601
    } else {
      for (unsigned k = 0; k < 4; ++k)
        row[x * 4 + k] = layout->order[k] == 3 ? opaque : rgb[layout->order[k]];
    }
  }

  /// The bytes between the last RGB pixel and the end of the last surface pixel go on with that pixel.
  void padRows() {
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::size_t x = std::size_t(width) * 3; x < rowBytes(); ++x)
        initial[y * rowBytes() + x] = initial[y * rowBytes() + x - 3];
  }

  void checkOutput() const {
    if (wantsPng() && !packedRgb() && !layoutOf(format))
      fail("a surface of format {} cannot be written as a PNG; give out= another ending for raw bytes", format);
    for (std::string_view other : {".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ppm", ".pgm"})
      if (out.ends_with(other))
        fail("out={}: photographs are written as PNG; give it the ending .png", out);
  }

  pocm::image::Photo toPhoto(const Bytes &now) const {
    const Layout *layout = layoutOf(format);
    pocm::image::Photo photo{width, height, layout ? layout->channels : 3, {}};
    photo.pixels.resize(photo.stride() * height);
    for (std::uint32_t y = 0; y < height; ++y) {
      const std::uint8_t *from = &now[y * rowBytes()];
      std::uint8_t *to = &photo.pixels[y * photo.stride()];
      for (std::size_t x = 0; x < photo.stride(); ++x)
        to[x] = layout && layout->channels == 4 ? from[x / 4 * 4 + channelAt(*layout, x % 4)] : from[x];
    }
    return photo;
  }
  static std::size_t channelAt(const Layout &layout, std::size_t channel) {
    return std::size_t(std::find(layout.order, layout.order + 4, int(channel)) - layout.order);
  }

  unsigned index;
  Expected expected;
  std::string out, format;
  std::uint32_t width = 0, height = 0; // of the photograph, or of the surface where a format is given
  Bytes initial;
  pocm::Image image;
};

/// sampler:FILTER[,ADDRESS]
class SamplerArgument : public KernelArgument {
public:
  SamplerArgument(const std::string &text, unsigned index) : index(index) {
    using A = pocm::Sampler::Address;
    static constexpr std::pair<const char *, A> addresses[] = {{"wrap", A::Wrap},
                                                               {"mirror", A::Mirror},
                                                               {"clamp", A::Clamp},
                                                               {"border", A::Border},
                                                               {"mirroronce", A::MirrorOnce}};
    std::vector<std::string> words = split(text, ',');
    bool known = words.size() <= 2 && (words[0] == "nearest" || words[0] == "linear");
    sampler.filter = words[0] == "linear" ? pocm::Sampler::Filter::Linear : pocm::Sampler::Filter::Nearest;
    if (words.size() == 2) {
      auto found =
          std::find_if(std::begin(addresses), std::end(addresses), [&](auto &a) { return words[1] == a.first; });
      known &= found != std::end(addresses);
      if (found != std::end(addresses))
        sampler.u = sampler.v = found->second;
    }
    if (!known)
      fail("write sampler:nearest or sampler:linear, and perhaps ,wrap ,mirror ,clamp ,border or ,mirroronce");
  }
  void bind(pocm::Device &, pocm::Kernel &kernel) override { kernel.setArgument(index, sampler); }

private:
  unsigned index;
  pocm::Sampler sampler;
};

std::unique_ptr<KernelArgument> parseAs(const std::string &kind, const std::string &rest, unsigned index,
                                        const pocm::Parameter &parameter) {
  bool surface = parameter.kind == pocm::ParameterKind::Surface;
  bool isSampler = parameter.kind == pocm::ParameterKind::Sampler;
  if (isSampler != (kind == "sampler"))
    fail("{}", isSampler ? "the parameter is a sampler: write sampler:nearest or sampler:linear,wrap"
                         : "the parameter is no sampler");
  if (isSampler)
    return std::make_unique<SamplerArgument>(rest, index);
  if (surface && parameter.count > 1)
    fail("vectors of surfaces need a host program");
  if (kind == "buffer" || kind == "image") {
    bool address = kind == "buffer" && parameter.element == "ulonglong" && parameter.count == 1; // svmptr_t, T *
    if (!surface && !address)
      fail("the parameter is a value of type {}, not a surface", parameter.element);
    if (parameter.use == (kind == "buffer" ? pocm::SurfaceUse::Image : pocm::SurfaceUse::Buffer))
      fail("the kernel uses this surface as {}: write {}:...", kind == "buffer" ? "an image" : "a buffer",
           kind == "buffer" ? "image" : "buffer");
    if (kind == "buffer")
      return std::make_unique<BufferArgument>(rest, index);
    return std::make_unique<ImageArgument>(rest, index);
  }
  if (const ScalarType *type = scalarTypeNamed(kind)) {
    if (surface)
      fail("the parameter is a surface: write buffer:... or image:...");
    return std::make_unique<Value>(*type, rest, index, parameter);
  }
  fail("'{}' is no kind of argument; write buffer:..., image:... or a scalar type and values, such as int:42", kind);
}

} // namespace

std::unique_ptr<KernelArgument> KernelArgument::parse(const std::string &text, unsigned index,
                                                      const pocm::KernelSignature &kernel) {
  try {
    std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      fail("write KIND:..., such as int:42 or buffer:zero=64");
    return parseAs(text.substr(0, colon), text.substr(colon + 1), index, kernel.parameters[index]);
  } catch (const std::exception &problem) {
    throw pocm::Error(
        fmt::format("argument {} of kernel '{}' (--arg {}): {}", index, kernel.name, text, problem.what()));
  }
}

} // namespace cmrun
