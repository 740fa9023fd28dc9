// Wrong sources give diagnostics and nothing else: takes kernels, deletes, doubles and swaps their words, changes types
// and numbers, and compiles the results, to vISA text of a Gen target, too. A mutant that ends the process, runs for
// too long, is refused without a word, or as a mistake of the compiler's, is reported with its text.
//
//     source-fuzz --mutants 20000 --jobs 2 kernel.cpp ...      prints "20000 mutants, N compiled, 0 problems"
#include "frontend/Frontend.h"
#include "pocm/gen.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Words = std::vector<std::string>;

Words wordsOf(const std::string &text) {
  Words words;
  std::string word;
  auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isPart(c)) {
      word += c;
      continue;
    }
    if (!word.empty())
      words.push_back(std::move(word));
    word.clear();
    words.push_back(std::string(1, c));
  }
  if (!word.empty())
    words.push_back(word);
  return words;
}

/// An index of a word that is not white space.
std::size_t pick(const Words &words, std::mt19937_64 &random) {
  for (int i = 0; i < 100; ++i)
    if (std::size_t at = random() % words.size(); !std::isspace(static_cast<unsigned char>(words[at][0])))
      return at;
  return 0;
}

std::string mutant(const Words &source, std::mt19937_64 &random) {
  static const char *const types[] = {"int",
                                      "uint",
                                      "char",
                                      "uchar",
                                      "short",
                                      "ushort",
                                      "float",
                                      "half",
                                      "double",
                                      "bfloat16",
                                      "long long",
                                      "bool",
                                      "void",
                                      "vector<int, 8>",
                                      "matrix<float, 2, 4>",
                                      "SurfaceIndex",
                                      "vector_ref<int, 8>",
                                      "int *",
                                      "auto",
                                      "const int",
                                      "int &"};
  static const char *const numbers[] = {"0",  "1",    "-1",    "2",           "3",    "7",   "8", "16",         "33",
                                        "64", "1000", "65536", "4294967295u", "0.5f", "2.0", "n", "sizeof(int)"};
  Words words = source;
  for (std::uint64_t n = 1 + random() % 3; n > 0 && words.size() > 2; --n) {
    std::size_t at = pick(words, random);
    switch (random() % 6) {
    case 0:
      words.erase(words.begin() + std::ptrdiff_t(at));
      break;
    case 1:
      words.insert(words.begin() + std::ptrdiff_t(at), words[at]);
      break;
    case 2:
      std::swap(words[at], words[pick(words, random)]);
      break;
    case 3:
      words[at] = words[pick(words, random)];
      break;
    case 4:
      for (std::size_t i = 0; i < words.size(); ++i) // the next type
        for (const char *type : types)
          if (words[(at + i) % words.size()] == type) {
            words[(at + i) % words.size()] = types[random() % std::size(types)];
            i = words.size();
            break;
          }
      break;
    default:
      for (std::size_t i = 0; i < words.size(); ++i) // the next number
        if (std::isdigit(static_cast<unsigned char>(words[(at + i) % words.size()][0]))) {
          words[(at + i) % words.size()] = numbers[random() % std::size(numbers)];
          break;
        }
    }
  }
  std::string text;
  for (const std::string &word : words)
    text += word;
  return text;
}

/// Shared with the parent, which looks when a child is gone.
struct Progress {
  unsigned long done, compiled;
  char text[1 << 16];
};

/// Whether Gen code, up to vISA text, of a program for one of the targets shows a mistake of ours; refusals are none.
bool makesGenBug(const std::vector<std::uint8_t> &program, unsigned long number) {
  static const char *const targets[] = {"SKL", "ICLLP", "TGLLP", "DG2", "PVC"};
  pocm::GenOptions options;
  options.finalize = false;
  options.check = true;
  try {
    pocm::genCode(program, targets[number % std::size(targets)], options);
  } catch (const pocm::Error &problem) {
    // What is read before it was written is undefined in the mutant, too: a region that reaches out of its object.
    return std::strstr(problem.what(), "bug in cmc") && !std::strstr(problem.what(), "is read, and not written before");
  }
  return false;
}

struct Run {
  std::vector<Words> seeds;
  std::string headers;
  unsigned long mutants = 20000, first = 0;

  std::string textOf(unsigned long i) const {
    std::mt19937_64 random(i * 7919 + 17);
    return mutant(seeds[i % seeds.size()], random);
  }

  void child(Progress &progress, unsigned long from, unsigned long to) const {
    constexpr unsigned patience =
        30; // seconds of computing; of waiting, on a machine with other work, ten times as many
    for (unsigned long i = from; i < to; ++i) {
      std::string text = textOf(i);
      std::strncpy(progress.text, text.c_str(), sizeof(progress.text) - 1);
      alarm(10 * patience);
      itimerval most{{0, 0}, {patience, 0}};
      setitimer(ITIMER_PROF, &most, nullptr);
      pocm::CompileOptions options;
      options.file = "mutant.cpp";
      options.source = text;
      options.headers = headers;
      pocm::CompileResult result = pocm::compile(options);
      if (!result.ok && result.diagnostics.find("error") == std::string::npos)
        std::abort(); // refused without a word
      if (result.diagnostics.find("bug in cmc") != std::string::npos)
        std::abort();
      if (result.ok && makesGenBug(result.program, i))
        std::abort();
      progress.compiled += result.ok;
      progress.done = i + 1 - from;
    }
    _exit(0);
  }
};

std::string read(const std::string &path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

} // namespace

int main(int argc, char **argv) {
  Run run;
  unsigned jobs = 2;
  for (int i = 1; i < argc; ++i) {
    std::string arg = argv[i];
    if (arg == "--mutants" && i + 1 < argc)
      run.mutants = std::strtoul(argv[++i], nullptr, 10);
    else if (arg == "--first" && i + 1 < argc)
      run.first = std::strtoul(argv[++i], nullptr, 10);
    else if (arg == "--jobs" && i + 1 < argc)
      jobs = unsigned(std::max(1ul, std::strtoul(argv[++i], nullptr, 10)));
    else if (std::string text = read(arg); !text.empty())
      run.seeds.push_back(wordsOf(text));
    else
      return std::fprintf(stderr, "source-fuzz: cannot read '%s'\n", argv[i]), 2;
  }
  if (run.seeds.empty())
    return std::fprintf(stderr, "usage: source-fuzz [--mutants N] [--first N] [--jobs N] kernel.cpp ...\n"), 2;
  auto folder = std::filesystem::temp_directory_path() / ("pocm-fuzz-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  run.headers = (folder / "cm.pch").string();
  const auto parsed = pocm::frontend::precompileHeaders({});
  if (!parsed || !std::ofstream(run.headers, std::ios::binary).write(parsed->data(), std::streamsize(parsed->size())))
    return std::fprintf(stderr, "source-fuzz: the language's headers cannot be parsed and kept\n"), 2;

  struct Job {
    pid_t pid = 0;
    unsigned long next, end;
    Progress *progress;
  };
  std::vector<Job> all;
  for (unsigned j = 0; j < jobs; ++j) {
    auto *progress = static_cast<Progress *>(
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    all.push_back({0, run.first + run.mutants * j / jobs, run.first + run.mutants * (j + 1) / jobs, progress});
  }
  unsigned long compiled = 0, problems = 0;
  constexpr unsigned long batch = 500; // LLVM keeps some memory of every module
  while (true) {
    bool busy = false;
    for (Job &job : all) {
      if (job.pid == 0 && job.next < job.end) {
        job.progress->done = job.progress->compiled = 0;
        job.pid = fork();
        if (job.pid == 0)
          run.child(*job.progress, job.next, std::min(job.end, job.next + batch));
      }
      busy |= job.pid != 0;
    }
    if (!busy)
      break;
    int status;
    pid_t gone = wait(&status);
    for (Job &job : all)
      if (job.pid == gone) {
        compiled += job.progress->compiled;
        job.next += job.progress->done;
        job.pid = 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
          ++problems;
          std::printf("mutant %lu ends the compiler (%s %d):\n%s\n", job.next,
                      WIFSIGNALED(status) ? "signal" : "status",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), job.progress->text);
          ++job.next;
        }
      }
  }
  std::filesystem::remove_all(folder);
  std::printf("%lu mutants, %lu compiled, %lu problems\n", run.mutants, compiled, problems);
  return problems != 0;
}
