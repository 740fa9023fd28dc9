//===- GensimDevice.cpp - Kernels as Gen code on a simulated GPU -------------------------===//
//
// "gensim:icllp" executes the instructions that cmc made for that target: those in the
// program, or those that it makes of the program's CM IR. A launch becomes threads with
// what the CM runtime puts into their registers, group after group.
//
// Its options, each of which a variable of the environment can give as well:
//
//     unwritten=report|fail|ignore   POCM_GENSIM_UNWRITTEN: what happens when bits that nobody has written decide
//                                    something: a line on standard error (the default), a failed launch, nothing
//     trace=FILE                     POCM_GENSIM_TRACE: every instruction with what it wrote
//     check=1                        POCM_GENSIM_CHECK: mistakes, too: accesses beyond surfaces, races, barriers
//                                    (watch/Checks.h)
//     debug=1                        POCM_GENSIM_DEBUG: a prompt before the first instruction (watch/Debugger.h)
//     timing=FILE                    POCM_GENSIM_TIMING: what the launch would take, and where: text, appended (- for
//                                    standard error), or by its ending .json, .trace.json or .html
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/CpuDevice.h"
#include "devices/cpu/Guard.h"
#include "devices/gensim/GenProgram.h"
#include "devices/gensim/SurfacePixels.h"
#include "gensim/Crew.h"
#include "gensim/InstructionTrace.h"
#include "gensim/timing/Gpu.h"
#include "gensim/timing/Reports.h"
#include "gensim/watch/Checks.h"
#include "gensim/watch/Debugger.h"
#include "program/Formats.h"
#include "program/KernelInterface.h"
#include "runtime/Device.h"
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sys/uio.h>
#include <unistd.h>

namespace pocm::runtime {
namespace {

using gensim::Dispatch;

/// What the host gives; a dispatch takes it to registers.
ArgumentLayout layoutOf(const KernelSignature &kernel) {
  constexpr std::uint32_t align = 8;
  ArgumentLayout layout;
  for (const Parameter &p : kernel.parameters) {
    layout.offsets.push_back(layout.bytes);
    std::uint32_t bytes = p.kind == ParameterKind::Surface ? p.count * 4 : p.bytes;
    layout.bytes = (layout.bytes + std::max(bytes, p.bytes) + align - 1) / align * align;
  }
  return layout;
}

struct GensimCode : Code {
  GensimCode(GenKernel gen, const KernelSignature &signature, const gensim::Platform &platform)
      : gen(std::move(gen)), kernel(signature.name, platform, this->gen.code), signature(signature),
        layout(layoutOf(signature)) {
    for (const GenInput &input : this->gen.inputs)
      if (input.kind == LocalIdInput || input.kind == GroupSizeInput || input.kind == GroupCountInput)
        byGroups = true;
      else if (input.kind != ProgramDataInput && input.offset / platform.grfBytes == 1)
        byPositions = true; // arguments where a group's threads have their local ids
    byGroups |= this->gen.hasBarrier || this->gen.slmBytes;
    for (const gensim::Instruction &i : kernel.instructions)
      byGroups |= i.opcode == gensim::Opcode::Dpasw; // of threads side by side in a group
  }
  std::string_view name() const override { return signature.name; }
  const ArgumentLayout &arguments() const override { return layout; }
  bool prints() const override { return true; } // it may: the code has no word of it

  GenKernel gen;
  gensim::Kernel kernel;
  KernelSignature signature;
  ArgumentLayout layout;
  bool byGroups = false, byPositions = false;
};

/// Whether the host has memory at an address, asked once for each page.
class MappedPages {
public:
  bool operator()(std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint64_t page = 4096;
    if (address + bytes < address)
      return false;
    for (std::uint64_t p = address / page; p <= (address + bytes - 1) / page; ++p) {
      if (p == last || known.contains(p))
        continue;
      char byte;
      iovec to{&byte, 1}, from{reinterpret_cast<void *>(std::max(p * page, address)), 1};
      if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1)
        return false;
      known.insert(p);
      last = p;
    }
    return true;
  }

private:
  std::set<std::uint64_t> known;
  std::uint64_t last = ~std::uint64_t(0);
};

gensim::Surface surfaceOf(Memory &memory, const std::vector<Sampler> &samplers) {
  const Geometry &g = memory.geometry();
  gensim::Surface s;
  s.base = memory.address();
  s.pitch = std::int64_t(g.pitch);
  s.width = std::int32_t(std::min<std::uint64_t>(g.rowBytes(), INT32_MAX));
  s.height = std::int32_t(g.height / g.depth);
  s.bytes = std::uint64_t(g.pitch) * (g.height - 1) + g.rowBytes();
  s.pixelBytes = std::int32_t(g.pixelBytes);
  s.pixels = gensim::pixelsOf(memory, samplers);
  return s;
}

/// A launch as clocks, where the environment asks for it.
class LaunchTiming {
public:
  /// Null when nobody asks.
  static std::unique_ptr<LaunchTiming> of(const std::string &file, const GensimCode &code,
                                          const gensim::Platform &platform, unsigned members);
  /// Who watches a host thread's machine.
  gensim::Observer *recorder(unsigned member) { return &recorders[member]; }
  /// Takes the group that has ended there to the model of time, in its turn.
  std::function<void()> take(unsigned member) {
    auto group = std::make_shared<gensim::timing::GroupTrace>(recorders[member].take());
    return [this, group] { gpu.add(std::move(*group)); };
  }
  void report();

private:
  LaunchTiming(const GensimCode &code, const gensim::timing::Parameters &p, std::string file, unsigned members)
      : recorders(members, gensim::timing::Recorder(p)),
        gpu(code.kernel, p, {code.gen.slmBytes, code.gen.hasBarrier, payloadOf(code), gensim::sourceLinesOf(code.gen)}),
        file(std::move(file)) {}
  static unsigned payloadOf(const GensimCode &code) {
    unsigned bytes = code.kernel.platform->grfBytes, end = bytes;
    for (const GenInput &input : code.gen.inputs)
      end = std::max(end, input.offset + input.size);
    return (end + bytes - 1) / bytes;
  }

  std::vector<gensim::timing::Recorder> recorders;
  gensim::timing::Gpu gpu;
  std::string file;
};

std::unique_ptr<LaunchTiming> LaunchTiming::of(const std::string &file, const GensimCode &code,
                                               const gensim::Platform &platform, unsigned members) {
  if (file.empty())
    return nullptr;
  const auto *parameters = gensim::timing::parametersOf(platform);
  if (!parameters)
    throw Error("timing (POCM_GENSIM_TIMING): there is no model of time for " + std::string(platform.name) +
                "; there is one for skl, icllp and tgllp");
  return std::unique_ptr<LaunchTiming>(new LaunchTiming(code, *parameters, file, members));
}

void LaunchTiming::report() {
  try {
    writeReport(file, gpu.finish());
  } catch (const gensim::Problem &problem) {
    throw Error(std::string(problem.what()) + ", which the option timing, or POCM_GENSIM_TIMING, names");
  }
}

class GensimDevice : public Device {
public:
  explicit GensimDevice(const Opening &how)
      : how(how), platform(gensim::platformNamed(how.variant)), hostThreads(cpu::hostThreads(how.threads)) {}

  std::shared_ptr<const Code> load(const SharedProgram &program, const KernelSignature &kernel) override;
  std::uint32_t surfaceSlots() const override { return 240; } // binding table indices; the others have other uses
  void run(const Launch &launch, const std::atomic<bool> &ended) override;
  void interrupt(const std::atomic<bool> &) override {} // the machine looks by itself
  void runHostWork(const std::function<void()> &work, bool brief) override { cpu::copyGuarded(work, brief); }

private:
  struct Bound {
    gensim::World world;
    std::map<std::uint32_t, std::uint32_t> bindings; ///< Of slots whose surfaces have planes.
    std::map<std::uint32_t, std::uint32_t> samplers; ///< Of samplers beyond the sixteen that a message can name.
  };
  Bound bind(const Launch &launch) const;
  Dispatch argumentsOf(const GensimCode &code, const Launch &launch, const Bound &bound,
                       const std::uint8_t *block) const;
  void setPosition(Dispatch &d, std::uint32_t x, std::uint32_t y, std::uint32_t color) const;
  void runGroups(const GensimCode &code, gensim::Crew &crew, const Dispatch &common, const Grid &grid, std::uint32_t x0,
                 std::uint32_t y0) const;
  void runThreads(gensim::Crew &crew, const Dispatch &common, const Rectangle &where) const;

  const Opening how;
  const gensim::Platform &platform;
  unsigned hostThreads;
};

std::shared_ptr<const Code> GensimDevice::load(const SharedProgram &program, const KernelSignature &kernel) {
  try {
    return std::make_shared<GensimCode>(gensim::genKernelOf(*program, kernel.name, std::string(platform.name)), kernel,
                                        platform);
  } catch (const gensim::Problem &problem) {
    throw Error(problem.what());
  }
}

/// The slot where the CM runtime puts what kernels print, the second of its static buffers.
constexpr std::size_t printSlot = 2;

/// Surfaces get their slots' numbers; those with planes numbers behind them, one for each plane, as Intel's driver
/// does.
GensimDevice::Bound GensimDevice::bind(const Launch &launch) const {
  constexpr std::uint32_t mostSamplers = 16;
  Bound bound;
  std::vector<Sampler> samplers = launch.bindings->samplers;
  const auto &code = static_cast<const GensimCode &>(*launch.code);
  std::uint32_t next = mostSamplers, argument = 0;
  for (const Parameter &p : code.signature.parameters) {
    std::uint32_t number = mostSamplers + argument++; // as Kernel::setSampler gives them
    if (p.kind != ParameterKind::Sampler || number >= samplers.size() || !next)
      continue;
    bound.samplers[number] = --next; // from the end, as hosts pin the first
    samplers[next] = samplers[number];
  }
  auto &surfaces = bound.world.surfaces;
  surfaces.resize(launch.bindings->surfaces.size());
  for (std::size_t slot = 0; slot < launch.bindings->surfaces.size(); ++slot) {
    const std::shared_ptr<Memory> &memory = launch.bindings->surfaces[slot];
    if (!memory)
      continue;
    surfaces[slot] = surfaceOf(*memory, samplers);
    const Geometry &g = memory->geometry();
    if (!formatIsPlanar(g.format))
      continue;
    bound.bindings[std::uint32_t(slot)] = std::uint32_t(surfaces.size());
    surfaces.push_back(surfaces[slot]);
    for (unsigned plane = 1; plane < 3; ++plane)
      if (auto shape = planeOf(g.format, plane, g.height, g.rowBytes(), g.pitch)) {
        gensim::Surface s = surfaces[slot];
        s.base += shape->offset;
        s.pitch = std::int64_t(shape->pitch);
        s.width = std::int32_t(shape->rowBytes);
        s.height = std::int32_t(shape->rows);
        s.pixelBytes = std::int32_t(shape->pixelBytes);
        s.bytes = shape->pitch * (shape->rows - 1) + shape->rowBytes;
        surfaces.push_back(s);
      }
  }
  if (launch.print && (printSlot >= surfaces.size() || !surfaces[printSlot].base)) {
    surfaces.resize(std::max(surfaces.size(), printSlot + 1));
    surfaces[printSlot] = surfaceOf(*launch.print, samplers);
  }
  bound.world.isMapped = MappedPages();
  return bound;
}

/// What all threads of a launch have in registers.
Dispatch GensimDevice::argumentsOf(const GensimCode &code, const Launch &launch, const Bound &bound,
                                   const std::uint8_t *block) const {
  Dispatch d;
  std::vector<std::uint8_t> zeros(platform.grfBytes);
  d.set(0, zeros.data(), zeros.size());
  std::size_t parameter = 0;
  for (const GenInput &input : code.gen.inputs) {
    if (input.kind == ProgramDataInput) {
      d.set(input.offset, std::uint64_t(launch.data ? reinterpret_cast<std::uint64_t>(launch.data->address()) : 0));
      continue;
    }
    if (input.kind > SurfaceInput)
      continue;
    const std::uint8_t *from = block + code.layout.offsets[parameter++];
    if (input.kind == SamplerInput) {
      std::uint32_t number;
      std::memcpy(&number, from, sizeof(number));
      auto moved = bound.samplers.find(number);
      d.set(input.offset, moved == bound.samplers.end() ? number : moved->second);
      continue;
    }
    if (input.kind != SurfaceInput) {
      d.set(input.offset, from, input.size);
      continue;
    }
    for (std::uint32_t k = 0; k < input.size / 4; ++k) {
      std::uint32_t slot;
      std::memcpy(&slot, from + k * 4, sizeof(slot));
      auto moved = bound.bindings.find(slot);
      d.set(input.offset + k * 4, moved == bound.bindings.end() ? slot : moved->second);
    }
  }
  return d;
}

/// Where a thread of a thread space is, in r0.
void GensimDevice::setPosition(Dispatch &d, std::uint32_t x, std::uint32_t y, std::uint32_t color) const {
  if (platform.generation >= gensim::Generation::XeHpg) { // a group of one thread
    d.set<std::uint32_t>(4, x);
    d.set<std::uint32_t>(24, y);
    return;
  }
  bool gen9 = platform.generation == gensim::Generation::Gen9;
  std::uint32_t most = gen9 ? 0x7FF : 0xFFF;
  if (x > most || y > most)
    throw Error("a thread at (" + std::to_string(x) + ", " + std::to_string(y) + "): a thread space of " +
                std::string(platform.name) + " has at most " + std::to_string(most + 1) + " threads a side");
  d.set<std::uint32_t>(4, gen9 ? y << 16 | x : color << 24 | y << 12 | x);
  if (gen9)
    d.set<std::uint32_t>(8, color & 0xF);
}

void GensimDevice::runGroups(const GensimCode &code, gensim::Crew &crew, const Dispatch &common, const Grid &grid,
                             std::uint32_t x0, std::uint32_t y0) const {
  const auto &[gx, gy, gz] = grid.groups;
  const auto &[tx, ty, tz] = grid.threads;
  std::vector<Dispatch> first(std::size_t(tx) * ty * tz, common);
  bool later = platform.generation >= gensim::Generation::XeHpg;
  for (std::uint32_t n = 0; n < first.size(); ++n) {
    Dispatch &d = first[n];
    std::uint32_t local[3] = {n % tx, n / tx % ty, n / (tx * ty)};
    for (const GenInput &input : code.gen.inputs)
      if (input.kind == LocalIdInput)
        d.set(input.offset, local, sizeof(local));
      else if (input.kind == GroupSizeInput)
        d.set(input.offset, grid.threads, sizeof(grid.threads));
      else if (input.kind == GroupCountInput)
        d.set(input.offset, grid.groups, sizeof(grid.groups));
    // Later: the thread's number, and how many there are, which barriers' messages repeat.
    d.set<std::uint32_t>(8, later ? std::uint32_t(first.size() & 0xFF) << 24 | (n & 0xFF) : 0);
    d.set<std::uint32_t>(20, n & 0x1FF);
  }
  crew.run(std::size_t(grid.groupCount()), [&](std::size_t group, unsigned, std::vector<Dispatch> &threads) {
    auto x = std::uint32_t(group % gx), y = std::uint32_t(group / gx % gy), z = std::uint32_t(group / gx / gy);
    if (threads.empty())
      threads = first;
    for (Dispatch &d : threads) {
      d.set<std::uint32_t>(4, x0 + x);
      d.set<std::uint32_t>(24, y0 + y);
      d.set<std::uint32_t>(28, z);
    }
    return "(" + std::to_string(x0 + x) + ", " + std::to_string(y0 + y) + ", " + std::to_string(z) + ")";
  });
}

void GensimDevice::runThreads(gensim::Crew &crew, const Dispatch &common, const Rectangle &where) const {
  std::uint32_t width = where.x1 - where.x0;
  crew.run(std::size_t(where.threads()), [&](std::size_t n, unsigned, std::vector<Dispatch> &threads) {
    if (threads.empty())
      threads.push_back(common);
    setPosition(threads[0], where.x0 + std::uint32_t(n % width), where.y0 + std::uint32_t(n / width), 0);
    return std::string();
  });
}

/// Whether an option that is 1 or 0 is on.
static bool isAsked(const std::string &value) { return !value.empty() && value != "0"; }

void GensimDevice::run(const Launch &launch, const std::atomic<bool> &ended) {
  const auto &code = static_cast<const GensimCode &>(*launch.code);
  const std::string unwritten = how.text("unwritten", "POCM_GENSIM_UNWRITTEN"),
                    traceFile = how.text("trace", "POCM_GENSIM_TRACE");
  const std::string mode = unwritten.empty() ? "report" : unwritten;
  if (mode != "report" && mode != "fail" && mode != "ignore")
    throw Error("unwritten (POCM_GENSIM_UNWRITTEN) is report, fail or ignore, not '" + mode + "'");
  bool checking = isAsked(how.text("check", "POCM_GENSIM_CHECK")),
       debugging = isAsked(how.text("debug", "POCM_GENSIM_DEBUG"));
  bool alone = !traceFile.empty() || checking || debugging || gensim::needsOrder(code.kernel);
  unsigned members = alone ? 1 : hostThreads;
  gensim::Checks checks(code.kernel, launch.order != nullptr);
  gensim::timing::SourceLines lines = gensim::sourceLinesOf(code.gen);
  gensim::Debugger debugger(code.kernel, std::cin, std::cout, [&](std::size_t instruction) {
    auto where = lines.of(instruction);
    return where.line ? lines.files[where.file] + ":" + std::to_string(where.line) : std::string();
  });
  std::ofstream traceStream;
  gensim::InstructionTrace trace(traceStream, platform);
  gensim::Machine::Options options;
  if (!traceFile.empty()) {
    traceStream.open(traceFile, std::ios::app);
    options.observers.push_back(&trace);
  }
  if (checking)
    options.observers.push_back(&checks);
  if (debugging)
    options.observers.push_back(&debugger);
  std::unique_ptr<LaunchTiming> timing =
      LaunchTiming::of(how.text("timing", "POCM_GENSIM_TIMING"), code, platform, members);
  constexpr std::uint32_t scratchUnit = 1024;
  options.scratchBytes = (code.gen.frameBytes + code.gen.spillBytes + scratchUnit - 1) / scratchUnit * scratchUnit;
  options.slmBytes = code.gen.slmBytes;
  options.ended = &ended;
  options.loadsArguments = platform.generation >= gensim::Generation::XeHpg;
  options.argumentsFrom = ~0u;
  for (const GenInput &input : code.gen.inputs)
    options.argumentsFrom = std::min(options.argumentsFrom, input.offset / platform.grfBytes * platform.grfBytes);
  options.registers = code.gen.registersThere == 256 ? 256 : 128;
  Bound bound = bind(launch);
  gensim::Crew::Setup setup;
  setup.members = members;
  setup.options = [&](unsigned member) {
    gensim::Machine::Options mine = options;
    if (timing)
      mine.observers.push_back(timing->recorder(member));
    return mine;
  };
  if (timing)
    setup.ending = [&](unsigned member) { return timing->take(member); };
  gensim::Crew crew(code.kernel, bound.world, setup);
  try {
    Dispatch common = argumentsOf(code, launch, bound, launch.bindings->block.data());
    bool groups = code.byGroups || (!code.byPositions && launch.grid);
    for (const Rectangle &r : launch.threads)
      if (code.byGroups)
        runGroups(code, crew, common, {{r.x1 - r.x0, r.y1 - r.y0, 1}, {1, 1, 1}}, r.x0, r.y0);
      else
        runThreads(crew, common, r);
    if (launch.order) {
      const Order all = listed(*launch.order);
      for (const ListedThread &thread : all.threads) {
        Dispatch d = launch.blocks ? argumentsOf(code, launch, bound, launch.blocks->at(thread.block)) : common;
        if (code.byGroups)
          runGroups(code, crew, d, {{1, 1, 1}, {1, 1, 1}}, thread.x, thread.y);
        else
          crew.run(1, [&](std::size_t, unsigned, std::vector<Dispatch> &threads) {
            threads.assign(1, d);
            setPosition(threads[0], thread.x, thread.y, thread.color);
            return std::string();
          });
      }
    }
    if (launch.grid) {
      const Grid &grid = *launch.grid;
      if (groups)
        runGroups(code, crew, common, grid, 0, 0);
      else // threads that know their positions only
        for (std::uint32_t layer = 0; layer < grid.groups[2] * grid.threads[2]; ++layer)
          runThreads(crew, common, {0, std::uint32_t(grid.side(0)), 0, std::uint32_t(grid.side(1))});
    }
    if (timing)
      timing->report();
  } catch (const gensim::Problem &problem) {
    throw Error(problem.what());
  } catch (const gensim::Quit &quit) {
    throw Error(quit.what());
  }
  if (mode == "ignore")
    return;
  std::string all;
  std::vector<std::string> findings = crew.findings(), mistakes = checks.findings();
  findings.insert(findings.end(), mistakes.begin(), mistakes.end());
  for (const std::string &line : findings)
    all += "gensim: " + std::string(platform.name) + ": " + line + "\n";
  if (all.empty())
    return;
  if (mode == "fail")
    throw Error(all);
  std::cerr << all;
}

} // namespace

std::unique_ptr<Device> openGensimDevice(const Opening &how) {
  how.allowOptions({"unwritten", "trace", "check", "debug", "timing"});
  try {
    return std::make_unique<GensimDevice>(how);
  } catch (const gensim::Problem &problem) {
    throw Error(problem.what());
  }
}

} // namespace pocm::runtime
