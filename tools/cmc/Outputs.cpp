//===- Outputs.cpp - What cmc writes ----------------------------------------------------===//
#include "cmc/Outputs.h"
#include "CpuReport.h"
#include "cmc/Report.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

bool generatesGenCode(const Request &request) {
  return !request.llvm && !request.openCl && request.stopAfter.empty() && pocm::isGenTarget(request.compile.target);
}

bool dumpsAssembly(const Request &request) {
  const char *value = std::getenv("CM_FORCE_ASSEMBLY_DUMP");
  return request.dump || (value && *value && std::string_view(value) != "0");
}

namespace {

bool writeInto(const std::string &path, const void *bytes, std::size_t size) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return false;
  const bool ok = std::fwrite(bytes, 1, size, file) == size;
  return (std::fclose(file) == 0) && ok;
}

/// What a path leads to, however many links there are. Empty when links go round, or through those of a process's open
/// files, whose text is no path of what they open.
std::filesystem::path behindLinks(std::filesystem::path path) {
  constexpr unsigned mostLinks = 40;
  std::error_code problem;
  for (unsigned links = 0; std::filesystem::is_symlink(path, problem); ++links) {
    const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
    if (links == mostLinks || std::filesystem::canonical(folder, problem).native().starts_with("/proc/"))
      return {};
    path = folder / std::filesystem::read_symlink(path, problem);
  }
  return path;
}

} // namespace

bool isStandardOutput(const std::string &path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

bool isPlainOutput(const std::string &path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return !isStandardOutput(path) && (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status));
}

bool writeFile(const std::string &path, const void *bytes, std::size_t size) {
  if (isStandardOutput(path))
    return std::fwrite(bytes, 1, size, stdout) == size && std::fflush(stdout) == 0;
  const std::string file = behindLinks(path).string();
  if (file.empty() || !isPlainOutput(path))
    return writeInto(path, bytes, size);
  const std::string temporary = file + ".tmp" + std::to_string(getpid());
  std::error_code problem;
  const bool ok = writeInto(temporary, bytes, size);
  if (ok)
    std::filesystem::rename(temporary, file, problem);
  if (!ok || problem) {
    std::filesystem::remove(temporary, problem);
    return false;
  }
  return true;
}

static std::filesystem::path folderOf(const Request &request) {
  return isPlainOutput(request.output) ? std::filesystem::path(request.output).parent_path() : ".";
}

static void writeOrThrow(const std::string &path, const void *bytes, std::size_t size) {
  if (!writeFile(path, bytes, size))
    throw pocm::Error("cannot write '" + path + "'");
}

std::string cpuText(const std::vector<std::uint8_t> &file, const Request &request) {
  pocm::Program program = pocm::Program::load(file);
  const bool assembly = !request.llvm && request.cpuPasses.last.empty();
  std::string text;
  for (const pocm::KernelSignature &kernel : program.kernels()) {
    text += (assembly ? "# kernel " : "; kernel ") + kernel.name + "\n";
    text += pocm::cpuCode(program, kernel.name, request.cpuName, assembly, request.cpuPasses);
  }
  return text;
}

void dumpAssembly(const std::vector<std::uint8_t> &file, const Request &request) {
  pocm::Program program = pocm::Program::load(file);
  for (const pocm::KernelSignature &kernel : program.kernels()) {
    std::string text = pocm::cpuCode(program, kernel.name, request.cpuName, true);
    writeOrThrow((folderOf(request) / (kernel.name + ".s")).string(), text.data(), text.size());
  }
}

void reportCpuCode(const std::vector<std::uint8_t> &file, const Request &request) {
  pocm::Program program = pocm::Program::load(file);
  std::string whole, said;
  for (const pocm::KernelSignature &kernel : program.kernels()) {
    pocm::CpuReport report = pocm::cpuReport(program, kernel.name, request.cpuName);
    whole += asText(report);
    said += asRemarks(report.remarks, kernel.name);
    for (pocm::GenRemark &spill : report.costlySpills)
      spill.text = "registers are spilled: " + spill.text + "; keep fewer values at once, or smaller tiles";
    said += asRemarks(report.costlySpills, kernel.name);
  }
  for (const std::string &path : request.reports)
    writeOrThrow(path, whole.data(), whole.size());
  if (request.remarks)
    std::fputs(said.c_str(), stderr);
}

GenOutputs::GenOutputs(const Request &request, const std::vector<std::uint8_t> &compiled, bool keepsDebugInfo)
    : program(keepsDebugInfo ? compiled : pocm::withoutDebugInfo(compiled)), request(request) {}

void GenOutputs::add(const std::string &target, const std::vector<std::uint8_t> &compiled) {
  pocm::GenOptions options;
  options.finalize = !request.text || dumpsAssembly(request) || request.countInstructions || request.countRegisters ||
                     !request.reports.empty();
  options.finalizer = request.finalizer;
  options.disabledPasses = request.disabledGenPasses;
  options.check = options.verifyEachPass = request.compile.verifyEachPass;
  options.changes = request.compile.changes;
  options.levelZero = request.levelZero;
  options.registers = request.compile.registers;
  options.spillLimit = request.spillLimit;
  targets.push_back({target, pocm::genCode(compiled, target, options)});
  const std::vector<pocm::GenKernel> &kernels = targets.back().kernels;
  for (const pocm::GenKernel &kernel : kernels) {
    text += kernel.visa;
    print(kernel, target);
    if (!dumpsAssembly(request))
      continue;
    std::string path =
        (folderOf(request) / (kernel.name + (request.otherTargets.empty() ? "" : "." + target))).string();
    writeOrThrow(path + ".asm", kernel.assembly.data(), kernel.assembly.size());
    writeOrThrow(path + ".dat", kernel.code.data(), kernel.code.size());
  }
  if (request.levelZero && !request.text)
    program = pocm::levelZeroProgram(kernels, target);
  else if (!request.text)
    program = pocm::addGenCode(program, target, kernels);
}

void GenOutputs::print(const pocm::GenKernel &kernel, const std::string &target) const {
  if (kernel.spillBytes) {
    std::string place = "cmc", most;
    if (!kernel.spills.empty() && kernel.spills[0].line) {
      place = kernel.spills[0].file + ":" + std::to_string(kernel.spills[0].line);
      most = "; most of it here: " + kernel.spills[0].text;
    }
    std::fprintf(stderr, "%s: warning: kernel '%s' spills %u bytes of registers to scratch memory on %s%s\n",
                 place.c_str(), kernel.name.c_str(), kernel.spillBytes, target.c_str(), most.c_str());
  }
  if (request.remarks)
    std::fputs(asRemarks(kernel.remarks, kernel.name).c_str(), stderr);
  if (!kernel.optimized)
    std::fprintf(
        stderr, "cmc: warning: the finalizer crashes when it optimizes kernel '%s' for %s; its code is not optimized\n",
        kernel.name.c_str(), target.c_str());
  if (request.countInstructions)
    std::printf("Kernel %s : %u instructions\n", kernel.name.c_str(), kernel.instructions);
  if (request.countRegisters)
    std::printf("Kernel %s : %u registers\n", kernel.name.c_str(), kernel.registers);
}

void GenOutputs::writeReports() const {
  for (const std::string &path : request.reports) {
    Report report(path.ends_with(".html") || path.ends_with(".htm"));
    for (const Target &target : targets)
      for (const pocm::GenKernel &kernel : target.kernels)
        report.add(kernel, target.name);
    std::string whole = report.finish(request.compile.file);
    writeOrThrow(path, whole.data(), whole.size());
  }
}
