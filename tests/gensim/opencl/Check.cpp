// Runs the kernels of OpenCL sources on gensim, as Intel's compiler makes them for each target, and on the CPU, and
// compares what they leave. What each instruction reads as is compared with Intel's disassembler.
//
//     opencl-check --kernels 100 --first 1       random ones; --print shows them
//     opencl-check FILE.cl --times RECORDS       clocks of the model of time are those of a file, too; with
//                                                POCM_WRITE_RECORDS=1 in the environment it is written
//     opencl-check FILE.cl ... [--targets skl,icllp] [--forms tokens,zebin,unoptimised] [--kernel NAME] [--no-iga]
#include "../Iga.h"
#include "../Listing.h"
#include "Peer.h"
#include "RandomKernels.h"
#include "Simulated.h"
#include "program/Container.h"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace {

using namespace test;

struct Request {
  std::vector<std::string> files, targets, forms;
  std::string kernel, times;
  bool iga = true, verbose = false, print = false;
  unsigned kernels = 0;
  std::uint64_t first = 1;
};

struct Counts {
  unsigned launches = 0, failures = 0, refused = 0;
  std::size_t instructions = 0;
  std::vector<std::string> times;
};

bool wanted(const std::vector<std::string> &list, std::string_view name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

void checkListing(pocm::opencl::Program &program, Counts &counts, const std::string &where) {
  for (const pocm::opencl::Kernel &k : program.binary().kernels) {
    Listing listing = compareListing(program.code(k.name), k.code);
    counts.instructions += listing.instructions;
    if (!listing.difference.empty()) {
      fmt::print("{}: {} reads otherwise: {}\n", where, k.name, listing.difference);
      ++counts.failures;
    }
  }
}

/// What the model of time says of a launch: clocks, and a digest of everything but the model's parameters.
std::string timesIn(const std::string &file) {
  nlohmann::json report = nlohmann::json::parse(contentsOf(file));
  report.erase("parameters");
  const std::string text = report.dump();
  const std::uint64_t digest =
      pocm::program::checksum({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
  return fmt::format("{} clocks, {:016x}", report["clocks"].get<std::uint64_t>(), digest);
}

std::string_view targetOf(std::string_view line) { return line.substr(0, line.find(' ')); }

/// Compares times of all launches with those in a file, or writes them there when the environment asks for it. What it
/// says of targets that are not asked for stays.
void checkTimes(const std::string &file, const std::vector<std::string> &targets, Counts &counts) {
  std::istringstream in(std::filesystem::exists(file) ? contentsOf(file) : "");
  std::vector<std::string> recorded, others;
  for (std::string line; std::getline(in, line);)
    (wanted(targets, targetOf(line)) ? recorded : others).push_back(line);
  if (std::getenv("POCM_WRITE_RECORDS")) {
    std::ofstream out(file);
    for (const std::string &target : KernelFile().targets)
      for (const auto *lines : {&counts.times, &others})
        for (const std::string &line : *lines)
          if (targetOf(line) == target)
            out << line << "\n";
    return;
  }
  for (std::size_t n = 0; n < std::max(recorded.size(), counts.times.size()); ++n) {
    std::string was = n < recorded.size() ? recorded[n] : "nothing",
                is = n < counts.times.size() ? counts.times[n] : "nothing";
    if (was == is)
      continue;
    fmt::print("{}: the model of time says\n  {}\nbut it was\n  {}\n(another ocloc makes other code: with "
               "POCM_WRITE_RECORDS=1 in the environment the times are recorded anew)\n",
               file, is, was);
    ++counts.failures;
    return; // others are likely to follow
  }
}

/// `parts`: sources of its kernels alone, for when ocloc refuses them together; one that it refuses alone is counted.
void checkFile(const KernelFile &file, const Request &request, Counts &counts,
               const std::vector<std::string> &parts = {}) {
  Peer peer(file.source, file.options + " -DPEER");
  std::map<const KernelLaunch *, std::vector<std::vector<std::uint8_t>>> expected;
  for (const KernelLaunch &launch : file.launches)
    if (request.kernel.empty() || request.kernel == launch.kernel)
      expected[&launch] = peer.run(launch);
  std::vector<std::string> targets = file.targets;
  if (targets == KernelFile().targets && wanted(request.targets, "dg2") && !request.targets.empty())
    targets.push_back("dg2"); // which is asked for by name
  for (const std::string &target : targets)
    for (const BinaryForm &form : binaryForms) {
      if (!wanted(request.targets, target) || !wanted(request.forms, form.name))
        continue;
      std::string where =
          fmt::format("{}, {}, {}", std::filesystem::path(file.path).filename().string(), target, form.name);
      try {
        pocm::opencl::Program program(compiled(file, target, form));
        if (request.iga)
          checkListing(program, counts, where);
        for (const auto &[launch, contents] : expected) {
          ++counts.launches;
          std::string problem;
          bool timed = !request.times.empty() && form.name == std::string_view("tokens") && target != "dg2";
          Folder folder;
          std::string report = timed ? folder.file("times.json") : "";
          try {
            auto ours = simulated(program, *launch, form.strict && launch->strict, report);
            if (timed)
              counts.times.push_back(fmt::format("{} {}: {}", target, launch->kernel, timesIn(report)));
            for (std::size_t n = 0; n < ours.size() && problem.empty(); ++n)
              if (std::string difference = differenceOf(*launch, launch->arguments[n], ours[n], contents[n]);
                  !difference.empty())
                problem = fmt::format("argument {}: {}", n, difference);
          } catch (const std::exception &thrown) {
            problem = thrown.what();
          }
          if (!problem.empty() || request.verbose)
            fmt::print("{}: {}: {}\n", where, launch->kernel, problem.empty() ? "fine" : problem);
          counts.failures += !problem.empty();
        }
      } catch (const CompilerRefuses &problem) {
        Request one = request;
        one.targets = {target};
        one.forms = {form.name};
        for (const std::string &part : parts)
          if (parts.size() > 1)
            checkFile(readKernelFile(file.path, part), one, counts, {part});
        if (parts.size() > 1)
          continue;
        fmt::print("{}: {}: {}\n", where, file.launches.front().kernel, problem.what());
        ++(parts.empty() ? counts.failures : counts.refused);
      } catch (const std::exception &problem) {
        fmt::print("{}: {}\n", where, problem.what());
        ++counts.failures;
      }
    }
}

} // namespace

int main(int argc, char **argv) {
  Request request;
  CLI::App app{"Compares gensim with PoCL on OpenCL kernels.", "opencl-check"};
  app.add_option("files", request.files, "sources with launches in comments");
  auto list = [&](const char *name, std::vector<std::string> &into, std::set<std::string> known) {
    app.add_option(name, into)->delimiter(',')->allow_extra_args(false)->check(CLI::IsMember(std::move(known)));
  };
  list("--targets", request.targets, {"skl", "icllp", "tgllp", "dg2"});
  std::set<std::string> forms;
  for (const BinaryForm &form : binaryForms)
    forms.insert(form.name);
  list("--forms", request.forms, std::move(forms));
  app.add_option("--kernel", request.kernel, "this one only");
  app.add_option("--times", request.times, "a file of clocks that the model of time is to give");
  app.add_flag("!--no-iga", request.iga, "do not compare listings");
  app.add_flag("--verbose", request.verbose, "name what is fine, too");
  app.add_option("--kernels", request.kernels, "so many random kernels");
  app.add_option("--first", request.first, "the seed of the first random kernel");
  app.add_flag("--print", request.print, "print random kernels and do nothing");
  CLI11_PARSE(app, argc, argv);
  Counts counts;
  for (const std::string &path : request.files) {
    try {
      checkFile(readKernelFile(path, contentsOf(path)), request, counts);
    } catch (const std::exception &problem) {
      fmt::print("{}: {}\n", path, problem.what());
      ++counts.failures;
    }
  }
  if (!request.times.empty())
    checkTimes(request.times, request.targets, counts);
  constexpr unsigned together = 10; // in one source
  for (unsigned n = 0; n < request.kernels; n += together) {
    std::fflush(stdout); // a run that is cut off has said what it knew
    std::string source;
    std::vector<std::string> parts;
    for (unsigned k = n; k < std::min(n + together, request.kernels); ++k)
      source += parts.emplace_back(randomKernels(request.first + k, 1));
    if (request.print) {
      fmt::print("{}", source);
      continue;
    }
    try {
      checkFile(readKernelFile("random.cl", source), request, counts, parts);
    } catch (const std::exception &problem) {
      fmt::print("random kernels from {}: {}\n", request.first + n, problem.what());
      ++counts.failures;
    }
  }
  if (counts.refused)
    fmt::print("{} kernels on which ocloc crashes\n", counts.refused);
  fmt::print("{} launches, {} instructions read, {} problems\n", counts.launches, counts.instructions, counts.failures);
  return counts.failures ? 1 : 0;
}
