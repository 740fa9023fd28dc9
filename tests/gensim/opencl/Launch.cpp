// The comments of the OpenCL tests' kernels, and how results are compared.
#include "Launch.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>

namespace test {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <class... Args> [[noreturn]] void fail(fmt::format_string<Args...> format, Args &&...args) {
  throw std::runtime_error(fmt::format(format, std::forward<Args>(args)...));
}

std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);)
    parts.push_back(part);
  return parts;
}

class Random {
public:
  explicit Random(const std::string &name) {
    for (char c : name)
      state = (state ^ std::uint8_t(c)) * 0x100000001B3u;
  }
  std::uint64_t next() {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  double fraction() { return double(next() >> 11) * 0x1p-53; }

private:
  std::uint64_t state = 0xCBF29CE484222325u;
};

template <class T> void append(Bytes &to, T value) {
  const auto *from = reinterpret_cast<const std::uint8_t *>(&value);
  to.insert(to.end(), from, from + sizeof(value));
}

void appendNumber(Bytes &to, const std::string &type, double number, std::uint64_t whole) {
  if (type == "float")
    append(to, float(number));
  else if (type == "double")
    append(to, number);
  else if (type == "half")
    append(to, pocm::gensim::halfOf(number, 0));
  else if (type == "char" || type == "uchar")
    append(to, std::uint8_t(whole));
  else if (type == "short" || type == "ushort")
    append(to, std::uint16_t(whole));
  else if (type == "int" || type == "uint")
    append(to, std::uint32_t(whole));
  else if (type == "long" || type == "ulong")
    append(to, whole);
  else
    fail("'{}' is no type", type);
}

bool isFloat(const std::string &type) { return type == "float" || type == "double" || type == "half"; }

/// TYPE:COUNT[:LEAST..MOST]
LaunchArgument buffer(const std::string &text, bool random, Random &values) {
  std::vector<std::string> parts = split(text, ':');
  LaunchArgument a{LaunchArgument::Kind::Buffer, parts.at(0), {}, 0, {}, {1, 1, 1}, {}};
  double least = -8, most = 8;
  bool ranged = parts.size() > 2;
  if (ranged) {
    std::size_t dots = parts[2].find("..");
    least = std::stod(parts[2].substr(0, dots));
    most = std::stod(parts[2].substr(dots + 2));
  }
  for (std::size_t n = std::stoul(parts.at(1)); n > 0; --n) {
    double number = random ? least + values.fraction() * (most - least) : 0;
    auto whole = ranged ? std::uint64_t(std::int64_t(std::floor(number))) : random ? values.next() : 0;
    appendNumber(a.bytes, a.type, number, whole);
  }
  return a;
}

LaunchArgument image(LaunchArgument::Kind kind, const std::string &text, Random &values) {
  std::vector<std::string> parts = split(text, ':');
  LaunchArgument a{kind, "", {}, 0, pocm::opencl::ImageFormat::named(parts.at(0)), {1, 1, 1}, {}};
  std::vector<std::string> sizes = split(parts.at(1), 'x');
  for (std::size_t d = 0; d < sizes.size() && d < 3; ++d)
    a.size[d] = std::uint32_t(std::stoul(sizes[d]));
  a.type = a.format.type == pocm::opencl::ChannelType::Float ? "float" : "uchar";
  for (std::size_t n = std::size_t(a.size[0]) * a.size[1] * a.size[2] * a.format.channels(); n > 0; --n)
    if (a.type == "float")
      append(a.bytes, float(values.fraction()));
    else
      for (unsigned byte = 0; byte < a.format.channelBytes(); ++byte)
        append(a.bytes, std::uint8_t(values.next()));
  return a;
}

pocm::opencl::Sampler sampler(const std::string &text) {
  pocm::opencl::Sampler s;
  for (const std::string &word : split(text, ',')) {
    static constexpr const char *addresses[] = {"none", "clamp", "border", "wrap", "mirror"};
    for (unsigned k = 0; k < std::size(addresses); ++k)
      if (word == addresses[k])
        s.address = 0x1130 + k;
    s.linear |= word == "linear";
    s.normalized |= word == "normalized";
  }
  return s;
}

/// TYPE=VALUES; a type may have a number of elements behind it.
LaunchArgument value(const std::string &type, const std::string &text) {
  LaunchArgument a{LaunchArgument::Kind::Value, type, {}, 0, {}, {1, 1, 1}, {}};
  std::string element = type.substr(0, type.find_first_of("0123456789"));
  std::vector<std::string> parts = split(text, ',');
  for (const std::string &part : parts)
    appendNumber(a.bytes, element, std::stod(part),
                 isFloat(element)        ? 0
                 : part.starts_with('-') ? std::uint64_t(std::stoll(part, nullptr, 0))
                                         : std::stoull(part, nullptr, 0));
  if (parts.size() == 3)
    a.bytes.resize(a.bytes.size() / 3 * 4);
  return a;
}

KernelLaunch parseLaunch(const std::string &line) {
  std::istringstream words(line);
  KernelLaunch launch;
  words >> launch.kernel;
  Random values(launch.kernel);
  auto sizes = [](const std::string &text, std::uint32_t (&to)[3]) {
    std::vector<std::string> parts = split(text, ',');
    for (std::size_t d = 0; d < parts.size() && d < 3; ++d)
      to[d] = std::uint32_t(std::stoul(parts[d]));
    return unsigned(parts.size());
  };
  using Kind = LaunchArgument::Kind;
  for (std::string word; words >> word;) {
    std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      fail("'{}' has no '='", word);
    std::string key = word.substr(0, equals), text = word.substr(equals + 1);
    LaunchArgument a{Kind::Local, "", {}, 0, {}, {1, 1, 1}, {}};
    if (key == "global")
      launch.range.dimensions = sizes(text, launch.range.global);
    else if (key == "local")
      sizes(text, launch.range.local);
    else if (key == "offset")
      sizes(text, launch.range.offset);
    else if (key == "ulp")
      launch.ulp = std::stod(text);
    else if (key == "near")
      launch.near = std::stod(text);
    else if (key == "strict")
      launch.strict = text != "0";
    else if (key == "in" || key == "zero")
      launch.arguments.push_back(buffer(text, key == "in", values));
    else if (key == "slm")
      a.localBytes = std::uint32_t(std::stoul(text)), launch.arguments.push_back(a);
    else if (key == "image" || key == "array" || key == "image1d")
      launch.arguments.push_back(image(key == "image"   ? Kind::Image
                                       : key == "array" ? Kind::ImageArray
                                                        : Kind::Image1d,
                                       text, values));
    else if (key == "sampler")
      a.kind = Kind::Sampler, a.sampler = sampler(text), launch.arguments.push_back(a);
    else
      launch.arguments.push_back(value(key, text));
  }
  return launch;
}

template <class T> T elementAt(const Bytes &bytes, std::size_t n) {
  T value;
  std::memcpy(&value, bytes.data() + n * sizeof(T), sizeof(T));
  return value;
}

/// Floats as numbers that differ by 1 where the floats are neighbours.
std::int64_t orderOf(std::uint64_t bits, unsigned width) {
  std::uint64_t sign = std::uint64_t(1) << (width - 1);
  return bits & sign ? -std::int64_t(bits & (sign - 1)) : std::int64_t(bits);
}

struct Float {
  double number;
  std::int64_t order;
};
Float floatAt(const Bytes &bytes, std::size_t n, const std::string &type) {
  if (type == "float") {
    auto bits = elementAt<std::uint32_t>(bytes, n);
    return {double(std::bit_cast<float>(bits)), orderOf(bits, 32)};
  }
  if (type == "half") {
    auto bits = elementAt<std::uint16_t>(bytes, n);
    return {pocm::gensim::doubleOf(bits), orderOf(bits, 16)};
  }
  auto bits = elementAt<std::uint64_t>(bytes, n);
  return {std::bit_cast<double>(bits), orderOf(bits, 64)};
}

} // namespace

KernelFile readKernelFile(const std::string &path, const std::string &source) {
  KernelFile file;
  file.path = path;
  file.source = source;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    auto behind = [&](const char *key) { return line.substr(std::strlen(key)); };
    try {
      if (line.starts_with("// launch: "))
        file.launches.push_back(parseLaunch(behind("// launch: ")));
      else if (line.starts_with("// targets: "))
        file.targets = split(behind("// targets: "), ' ');
      else if (line.starts_with("// options: "))
        file.options = behind("// options: ");
      else if (line.starts_with("// internal: "))
        file.internal = behind("// internal: ");
    } catch (const std::exception &problem) {
      fail("{}: {}: {}", path, line, problem.what());
    }
  }
  return file;
}

std::string differenceOf(const KernelLaunch &launch, const LaunchArgument &argument, const Bytes &ours,
                         const Bytes &theirs) {
  const std::string &type = argument.type;
  if (!isFloat(type)) {
    for (std::size_t n = 0; n < theirs.size(); ++n) {
      int apart = std::abs(int(ours[n]) - int(theirs[n]));
      if (argument.isImage() ? apart > launch.near * 255 : apart != 0)
        return fmt::format("byte {} is {}, not {}", n, ours[n], theirs[n]);
    }
    return "";
  }
  std::size_t bytes = type == "float" ? 4 : type == "half" ? 2 : 8;
  for (std::size_t n = 0; n < theirs.size() / bytes; ++n) {
    Float a = floatAt(ours, n, type), b = floatAt(theirs, n, type);
    if (std::isnan(a.number) && std::isnan(b.number))
      continue;
    bool equal = launch.ulp == 0 && launch.near == 0
                     ? a.order == b.order && std::signbit(a.number) == std::signbit(b.number)
                     : std::abs(double(a.order) - double(b.order)) <= launch.ulp ||
                           std::fabs(a.number - b.number) <= launch.near;
    if (!equal)
      return fmt::format("element {} is {}, not {}", n, a.number, b.number);
  }
  return "";
}

} // namespace test
