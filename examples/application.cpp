// The command line of an application: see application.h.
#include "application.h"
#include <CLI/CLI.hpp>
#include <cstring>
#include <filesystem>

namespace application {

std::vector<char> readBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::uint32_t> readWords(const std::string &path, std::size_t most) {
  std::vector<char> bytes = readBytes(path);
  if (bytes.empty() || bytes.size() % 4 || bytes.size() / 4 > most)
    throw std::runtime_error("'" + path + "' has " + std::to_string(bytes.size()) +
                             " bytes; whole dwords are wanted, from 1 to " + std::to_string(most));
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

void writeWords(const std::string &path, const std::vector<std::uint32_t> &words) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(reinterpret_cast<const char *>(words.data()), std::streamsize(words.size() * 4)).flush())
    throw std::runtime_error("cannot write '" + path + "'");
}

std::vector<float> readFloats(const std::string &path, std::size_t count) {
  std::vector<std::uint32_t> words = readWords(path, count);
  if (words.size() != count)
    throw std::runtime_error("'" + path + "' has " + std::to_string(words.size()) + " floats, not " +
                             std::to_string(count));
  std::vector<float> values(count);
  std::memcpy(values.data(), words.data(), count * sizeof(float));
  return values;
}

void writeFloats(const std::string &path, const std::vector<float> &values) {
  std::vector<std::uint32_t> words(values.size());
  std::memcpy(words.data(), values.data(), values.size() * sizeof(float));
  writeWords(path, words);
}

struct App::Line {
  CLI::App cli;
};

App::App(std::string called, const std::string &description)
    : name(std::move(called)), line(new Line{CLI::App(description, name)}) {
  line->cli.add_option("--program", program,
                       "the kernels as cmc compiles them (default: " + name +
                           "_genx.isa of the build that this program is of)");
  number("--rounds", rounds, "how often the kernels are timed", 1, 100000);
  line->cli.footer("Environment: CM_RT_DEVICE names the device (cpu, check, gensim:skl ...),\n"
                   "CM_RT_PARALLEL_THREADS says how many host threads run kernels.");
}

App::~App() = default;

App &App::number(const std::string &flags, unsigned &value, const std::string &help, unsigned least, unsigned most) {
  line->cli.add_option(flags, value, help)->check(CLI::Range(least, most))->capture_default_str();
  return *this;
}

App &App::number(const std::string &flags, double &value, const std::string &help) {
  line->cli.add_option(flags, value, help)->capture_default_str();
  return *this;
}

App &App::numbers(const std::string &flags, std::vector<unsigned> &values, const std::string &help) {
  line->cli.add_option(flags, values, help)->delimiter(',')->expected(int(values.size()))->capture_default_str();
  return *this;
}

App &App::choice(const std::string &flags, std::string &value, const std::string &help,
                 const std::vector<std::string> &of) {
  line->cli.add_option(flags, value, help)->check(CLI::IsMember(of))->capture_default_str();
  return *this;
}

App &App::flag(const std::string &flags, bool &value, const std::string &help) {
  line->cli.add_flag(flags, value, help);
  return *this;
}

App &App::output(const std::string &flags, std::string &path, const std::string &help) {
  line->cli.add_option(flags, path, help);
  return *this;
}

App &App::input(const std::string &flags, std::string &path, const std::string &help,
                const std::vector<std::string> &instead) {
  CLI::Option *file = line->cli.add_option(flags, path, help)->check(CLI::ExistingFile);
  for (const std::string &other : instead)
    file->excludes(line->cli.get_option(other));
  return *this;
}

int App::run(int argc, char **argv, const std::function<bool(host::Session &)> &body) {
  try {
    line->cli.parse(argc, argv);
  } catch (const CLI::ParseError &problem) {
    return line->cli.exit(problem) ? 2 : 0;
  }
  try {
    if (program.empty())
      program =
          std::filesystem::read_symlink("/proc/self/exe").parent_path() / ".." / "examples" / (name + "_genx.isa");
    host::Session session(program);
    return body(session) ? 0 : 1;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), problem.what());
    return 2;
  }
}

} // namespace application
