// The examples of the reference (docs/notes, from which docs/language is made) give what they say, on the cpu device
// and in Gen code on gensim.
//
//     ## select
//     - example on: PVC                         where Gen code of the example runs; SKL when nothing is said
//     - threads of the example: 4               of a group; 1 when nothing is said
//     - image of the example: R32_UINT          the format of `image`, A8R8G8B8 when nothing is said
//
//         show(ramp.select<4, 2>(1));           // 1 3 5 7
//
// An example is a kernel with a buffer `data` (dwords 0 to 63), a surface `image` (64 x 8 bytes, x + 10 * y), an
// address `memory` (dwords 100 to 163), a sampler `sampler`, `ramp` (0 to 15) and `n` (3). Values with a point may
// differ in the fourth place; "..." ends the comparison. A block of code that begins with "// at file scope" stands in
// front of them.
#include "Kernels.h"
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace {

constexpr std::size_t slots = 16, lanes = 32;

struct Example {
  std::string name, code, target = "skl", format = "A8R8G8B8";
  std::uint32_t threads = 1;
  std::vector<std::string> shown; ///< What each show() is said to give.
};

struct Page {
  std::string outside; ///< Includes and code at file scope.
  std::vector<Example> examples;
};

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  return text.erase(text.find_last_not_of(' ') + 1);
}

std::string lowered(std::string text) {
  for (char &c : text)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The line with each show(x) numbered, and what it is said to give noted.
std::string numbered(const std::string &line, Example &example) {
  std::size_t at = line.find("show("), said = line.rfind("//");
  if (at == line.npos)
    return line;
  example.shown.push_back(said == line.npos ? "" : trimmed(line.substr(said + 2)));
  return line.substr(0, at) + fmt::format("show_at<{}>(shown, ", example.shown.size() - 1) + line.substr(at + 5);
}

Page read(const std::string &path) {
  std::ifstream file(path);
  Page page;
  Example next;
  bool outside = false;
  auto finish = [&] {
    if (!next.code.empty())
      page.examples.push_back(next);
    next.code.clear();
    next.shown.clear();
    outside = false;
  };
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      finish();
      next = Example();
      next.name = line.substr(3);
    } else if (line.starts_with("- example on: ")) {
      next.target = lowered(line.substr(14, line.find_first_of(",; ", 14) - 14));
    } else if (line.starts_with("- image of the example: ")) {
      next.format = line.substr(24);
    } else if (line.starts_with("- threads of the example: ")) {
      next.threads = std::uint32_t(std::stoul(line.substr(26)));
    } else if (line.starts_with("    ")) {
      outside |= line.find("// at file scope") != line.npos;
      (outside ? page.outside : next.code) += (outside ? line : numbered(line, next)) + "\n";
    } else if (!trimmed(line).empty()) {
      finish();
    } else {
      outside = false;
    }
  }
  finish();
  return page;
}

std::string sourceOf(const Page &page) {
  std::string text = "#include <cm/cm.h>\n";
  text += page.outside + R"(
template <int Slot, class T, int N> _GENX_ void show_at(SurfaceIndex shown, vector<T, N> x) {
  static_assert(Slot < 16 && N <= 32);
  vector<float, 32> values = 0;
  vector<uint, 32> at;
  for (int k = 0; k < 32; ++k)
    at(k) = cm_linear_global_id() * 512 + Slot * 32 + k;
  values.select<N, 1>(0) = x;
  write(shown, 0, at, values);
}
template <int Slot, class T, int R, int C> _GENX_ void show_at(SurfaceIndex shown, matrix<T, R, C> x) {
  show_at<Slot>(shown, vector<T, R * C>(x));
}
template <int Slot, class T> requires(!__is_class(T)) _GENX_ void show_at(SurfaceIndex shown, T x) {
  show_at<Slot>(shown, vector<float, 1>(float(x)));
}
)";
  for (std::size_t i = 0; i < page.examples.size(); ++i)
    text += fmt::format(
        "extern \"C\" _GENX_MAIN_ void example{}(SurfaceIndex shown, SurfaceIndex data, SurfaceIndex image, "
        "svmptr_t memory, SamplerIndex sampler, int n) {{\n"
        "  vector<int, 16> ramp;\n  for (int k = 0; k < 16; ++k)\n    ramp(k) = k;\n"
        "#line 1 \"{}\"\n{}}}\n",
        i, page.examples[i].name, page.examples[i].code);
  return text;
}

struct World {
  alignas(64) std::uint32_t memory[64];
  std::vector<float> shown;

  void run(pocm::Device &device, const pocm::Program &program, const Example &example, std::size_t number) {
    shown.assign(slots * lanes * example.threads, NAN);
    pocm::Buffer to = device.createBuffer(shown.size() * 4), data = device.createBuffer(256);
    to.write(shown.data(), shown.size() * 4);
    std::uint32_t numbers[64];
    std::uint8_t pixels[8][64];
    for (std::uint32_t k = 0; k < 64; ++k) {
      numbers[k] = k;
      memory[k] = 100 + k;
      for (std::uint32_t y = 0; y < 8; ++y)
        pixels[y][k] = std::uint8_t(k + 10 * y);
    }
    data.write(numbers, sizeof(numbers));
    pocm::Image image = device.createImage(16, 8, example.format);
    image.write(pixels, 64);
    auto address = reinterpret_cast<std::uint64_t>(memory);
    int n = 3;
    pocm::Kernel kernel = device.createKernel(program, fmt::format("example{}", number));
    kernel.setArgument(0, to);
    kernel.setArgument(1, data);
    kernel.setArgument(2, image);
    kernel.setArgument(3, &address, sizeof(address));
    kernel.setArgument(4, pocm::Sampler{});
    kernel.setArgument(5, &n, sizeof(n));
    device.enqueueGroups(kernel, {{1, 1, 1}, {example.threads, 1, 1}}).wait();
    to.read(shown.data(), shown.size() * 4);
  }
};

/// What differs between said and shown values; empty when nothing does.
std::string difference(const std::string &said, const float *got) {
  std::istringstream words(said);
  std::size_t k = 0;
  for (std::string word; words >> word && word != "...";) {
    char *end = nullptr;
    double want = std::strtod(word.c_str(), &end);
    if (*end)
      return k ? "" : fmt::format("'{}' is no list of numbers", said); // words after the numbers explain them
    double slack = word.find('.') == word.npos ? 0 : 1e-3 * std::max(1.0, std::fabs(want));
    bool equal =
        std::isnan(want) ? std::isnan(got[k]) : want == double(got[k]) || std::fabs(want - double(got[k])) <= slack;
    if (!equal)
      return fmt::format("value {} is {}, not {}", k, got[k], word);
    ++k;
  }
  return k ? "" : "nothing is said of a value";
}

class Reference : public testing::TestWithParam<std::string> {};

TEST_P(Reference, examplesGiveWhatTheySay) {
  for (const char *elsewhere : {"POCM_TEST_DEVICE", "POCM_TEST_GEN", "POCM_TEST_AFTER"})
    if (std::getenv(elsewhere))
      GTEST_SKIP() << "the examples name their devices themselves";
  Page page = read(POCM_SOURCE_DIR "/docs/notes/" + GetParam() + ".md");
  ASSERT_FALSE(page.examples.empty());
  pocm::Program program = test::compile(sourceOf(page));
  World world;
  for (std::size_t i = 0; i < page.examples.size(); ++i) {
    const Example &example = page.examples[i];
    EXPECT_LE(example.shown.size(), slots) << example.name;
    std::vector<std::string> devices{"cpu"};
    if (example.target != "cpu")
      devices.push_back("gensim:" + example.target);
    for (const std::string &name : devices) {
      try {
        setenv("POCM_CACHE_DIR", "off", 0);
        pocm::Device device = pocm::Device::open(name, {1, ""});
        world.run(device, program, example, i);
      } catch (const pocm::Error &problem) {
        ADD_FAILURE() << example.name << " on " << name << ": " << problem.what();
        continue;
      }
      for (std::size_t s = 0; s < example.shown.size(); ++s) // the group's first thread's
        if (std::string wrong = difference(example.shown[s], &world.shown[s * lanes]); !wrong.empty())
          ADD_FAILURE() << example.name << " on " << name << ", \"" << example.shown[s] << "\": " << wrong;
    }
  }
}

std::vector<std::string> pages() {
  std::vector<std::string> names;
  for (const auto &file : std::filesystem::directory_iterator(POCM_SOURCE_DIR "/docs/notes"))
    names.push_back(file.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Pages, Reference, testing::ValuesIn(pages()), [](const auto &info) { return info.param; });

} // namespace
