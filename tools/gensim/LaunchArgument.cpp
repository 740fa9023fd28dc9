//===- LaunchArgument.cpp - gensim's --arg -------------------------------------------------===//
#include "LaunchArgument.h"
#include <algorithm>
#include <charconv>

namespace gensim_tool {

using namespace argument;
using pocm::opencl::ArgumentKind;
using pocm::opencl::Image;
using pocm::opencl::ImageFormat;

LaunchArgument::LaunchArgument(const std::string &text) {
  try {
    std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      fail("write KIND:..., such as int:42 or buffer:zero=64");
    parse(text.substr(0, colon), text.substr(colon + 1));
  } catch (const std::exception &problem) {
    fail("--arg {}: {}", text, problem.what());
  }
}

void LaunchArgument::parse(const std::string &kind, const std::string &rest) {
  if (kind == "buffer")
    return parseBuffer(rest);
  if (kind == "image")
    return parseImage(rest);
  if (kind == "sampler")
    return parseSampler(rest);
  if (kind == "local") {
    given.kind = ArgumentKind::Local;
    auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), given.localBytes);
    if (rest.empty() || problem != std::errc() || end != rest.data() + rest.size())
      fail("'{}' is no number of bytes", rest);
    return;
  }
  // OpenCL's long has 64 bits.
  const ScalarType *type = scalarTypeNamed(kind == "long" ? "longlong" : kind == "ulong" ? "ulonglong" : kind);
  if (!type)
    fail("'{}' is no kind of argument; write buffer:..., image:..., sampler:..., local:BYTES or a scalar type and "
         "values, such as int:42",
         kind);
  std::vector<std::string> parts = split(rest, ',');
  for (const std::string &part : parts)
    type->parse(given.value, part, type->name);
  if (parts.size() == 3) // vectors of three have the room of four
    given.value.resize(given.value.size() / 3 * 4);
}

void LaunchArgument::parseBuffer(const std::string &rest) {
  constexpr std::uint32_t most = 0x80000000u;
  Options options(rest, {"in", "zero", "out"});
  out = options.file("out");
  if (options.has("in") == options.has("zero"))
    fail("a buffer needs either in=FILE or zero=BYTES");
  if (options.has("in"))
    contents = readFile(options.file("in"));
  else
    contents.resize(options.number("zero", most));
  given.kind = ArgumentKind::Buffer;
}

void LaunchArgument::parseImage(const std::string &rest) {
  constexpr std::uint32_t most = 16384;
  Options options(rest, {"in", "zero", "width", "height", "depth", "format", "out"});
  out = options.file("out");
  if (options.has("in") == options.has("zero"))
    fail("an image needs either in=FILE or zero");
  if (!options.has("width") || !options.has("format"))
    fail("an image needs width=, format= and, unless it has one row, height=");
  given.kind = ArgumentKind::Image;
  given.image = std::make_shared<Image>(ImageFormat::named(options.text("format")), options.number("width", most),
                                        std::max(1u, options.number("height", most)),
                                        std::max(1u, options.number("depth", most)));
  if (!options.has("in"))
    return;
  Bytes bytes = readFile(options.file("in"));
  if (bytes.size() != given.image->bytes.size())
    fail("'{}' has {} bytes; the image has {}", options.text("in"), bytes.size(), given.image->bytes.size());
  given.image->bytes = std::move(bytes);
}

void LaunchArgument::parseSampler(const std::string &rest) {
  static constexpr std::pair<const char *, std::uint32_t> addresses[] = {
      {"none", 0x1130}, {"clamp", 0x1131}, {"border", 0x1132}, {"wrap", 0x1133}, {"mirror", 0x1134}};
  given.kind = ArgumentKind::Sampler;
  for (const std::string &word : split(rest, ',')) {
    auto found = std::find_if(std::begin(addresses), std::end(addresses), [&](auto &a) { return word == a.first; });
    if (found != std::end(addresses))
      given.sampler.address = found->second;
    else if (word == "linear" || word == "nearest")
      given.sampler.linear = word == "linear";
    else if (word == "normalized")
      given.sampler.normalized = true;
    else
      fail("'{}' is none of: nearest, linear, normalized, none, clamp, border, wrap, mirror", word);
  }
}

pocm::opencl::Setting LaunchArgument::setting() {
  pocm::opencl::Setting s = given;
  s.buffer = contents;
  return s;
}

void LaunchArgument::store() const {
  if (!out.empty())
    writeFile(out, given.image ? given.image->bytes : contents);
}

} // namespace gensim_tool
