//===- Program.cpp - OpenCL binaries on the simulated GPU ----------------------------------===//
#include "opencl/Program.h"
#include "gensim/Crew.h"
#include "gensim/InstructionTrace.h"
#include "gensim/timing/Gpu.h"
#include "gensim/timing/Reports.h"
#include "gensim/watch/Checks.h"
#include "opencl/Print.h"
#include <algorithm>
#include <cstring>
#include <optional>

namespace pocm::opencl {
namespace {

using gensim::Dispatch;

constexpr std::uint32_t mostSlm = 65536, mostItems = 1024;
constexpr std::uint32_t mostNumbers = 512; // of threads that run at once, for their headers

std::string sizesText(const std::uint32_t (&sizes)[3]) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" + std::to_string(sizes[2]);
}

void checkRange(const Kernel &k, const Range &r) {
  std::uint64_t items = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (!r.global[d] || !r.local[d])
      throw Problem("global size " + sizesText(r.global) + " and local size " + sizesText(r.local) +
                    ": there is nothing to do");
    items *= r.local[d]; // of at most 1024 before
    if (items > mostItems)
      throw Problem("a group of " + sizesText(r.local) + " work items; 1024 are the most");
    if (k.requiredGroup[d] && (r.local[d] != k.requiredGroup[d] || r.global[d] % r.local[d]))
      throw Problem("kernel '" + k.name + "' requires groups of " + sizesText(k.requiredGroup) + " work items, not " +
                    sizesText(r.local) + " of " + sizesText(r.global));
  }
}

const char *nameOf(ArgumentKind kind) {
  static constexpr const char *names[] = {"a value", "a buffer", "local memory", "an image", "a sampler"};
  return names[unsigned(kind)];
}

void checkSettings(const Kernel &k, std::span<const Setting> settings) {
  if (settings.size() != k.arguments.size())
    throw Problem("kernel '" + k.name + "' takes " + std::to_string(k.arguments.size()) + " arguments, not " +
                  std::to_string(settings.size()));
  for (std::size_t n = 0; n < settings.size(); ++n) {
    const Argument &a = k.arguments[n];
    const Setting &s = settings[n];
    std::string which = "argument " + std::to_string(n) + (a.name.empty() ? "" : " ('" + a.name + "')") +
                        " of kernel '" + k.name + "' ";
    if (a.kind != s.kind && !(a.kind == ArgumentKind::Value && !a.bytes)) // an argument that the kernel does not use
      throw Problem(which + "is " + nameOf(a.kind) + ", not " + nameOf(s.kind));
    // Values of less than a dword may have the room of one.
    bool fits = s.value.size() == a.bytes || (a.bytes == 4 && s.value.size() < a.bytes) || !a.bytes;
    if (s.kind == ArgumentKind::Value && !fits)
      throw Problem(which + "has " + std::to_string(a.bytes) + " bytes, not " + std::to_string(s.value.size()));
    if (s.kind == ArgumentKind::Image && !s.image)
      throw Problem(which + "has no image");
  }
}

/// One launch of a kernel.
class Launch {
public:
  Launch(const Kernel &kernel, const gensim::Platform &platform, Binary &file, const Range &range,
         std::span<const Setting> settings, unsigned hostThreads)
      : k(kernel), platform(platform), file(file), range(range), settings(settings) {
    checkRange(k, range);
    checkSettings(k, settings);
    threads = (range.local[0] * range.local[1] * range.local[2] + k.simd - 1) / k.simd;
    countGroups();
    takePrivateMemory(hostThreads);
    constexpr std::uint32_t begin = 4; // behind the number of bytes that are in use
    bool prints =
        std::any_of(k.payloads.begin(), k.payloads.end(), [](auto &p) { return p.content == Content::PrintBuffer; });
    printBuffer.resize(prints ? printBytes : 0);
    if (prints)
      std::memcpy(printBuffer.data(), &begin, sizeof(begin));
    placeLocals();
    bind();
    fillCrossThread(range.local);
  }

  LaunchReport run(const gensim::Kernel &code, const LaunchOptions &options) {
    gensim::Machine::Options machineOptions;
    constexpr std::uint32_t scratchUnit = 1024;
    std::optional<gensim::InstructionTrace> trace;
    if (options.trace)
      machineOptions.observers.push_back(&trace.emplace(*options.trace, *code.platform));
    machineOptions.mostInstructions = options.mostInstructions;
    machineOptions.scratchBytes = (k.scratchBytes + scratchUnit - 1) / scratchUnit * scratchUnit;
    machineOptions.slmBytes = slmBytes;
    machineOptions.registers = k.registers > 128 ? 256 : 128;
    machineOptions.loadsArguments = loadsArguments();
    machineOptions.passedBytes = passedBytes();
    machineOptions.argumentsFrom = platform.grfBytes + passedBytes();
    std::vector<std::unique_ptr<gensim::Observer>> others;
    for (const auto &make : options.observers)
      machineOptions.observers.push_back(others.emplace_back(make(code)).get());
    gensim::Checks checks(code);
    if (options.checks)
      machineOptions.observers.push_back(&checks);
    std::vector<gensim::timing::Recorder> recorders;
    std::optional<gensim::timing::Gpu> gpu;
    gensim::Crew::Setup setup;
    setup.members = members;
    if (!options.timing.empty()) {
      const auto *parameters = gensim::timing::parametersOf(*code.platform);
      if (!parameters)
        throw Problem("there is no model of time for " + std::string(code.platform->name));
      recorders = std::vector(members, gensim::timing::Recorder(*parameters));
      std::size_t payload = 1 + (k.localIds * (k.simd == 32 ? 2 : 1)) + crossThread.size() / platform.grfBytes;
      gpu.emplace(code, *parameters, gensim::timing::Gpu::Launch{slmBytes, k.hasBarrier, unsigned(payload), {}});
      setup.ending = [&](unsigned member) -> std::function<void()> {
        auto group = std::make_shared<gensim::timing::GroupTrace>(recorders[member].take());
        return [&gpu, group] { gpu->add(std::move(*group)); };
      };
    }
    setup.options = [&](unsigned member) {
      gensim::Machine::Options mine = machineOptions;
      if (gpu)
        mine.observers.push_back(&recorders[member]);
      return mine;
    };
    gensim::Crew crew(code, world, setup);
    runGroups(crew);
    if (gpu)
      writeReport(options.timing, gpu->finish());
    LaunchReport report{crew.instructions(), printedText(), crew.findings()};
    std::vector<std::string> mistakes = checks.findings();
    report.findings.insert(report.findings.end(), mistakes.begin(), mistakes.end());
    return report;
  }

private:
  static constexpr std::uint32_t printBytes = 4u << 20; // which kernels have in their code

  /// What does not fit the buffer is not printed, as kernels do on hardware.
  std::string printedText() const {
    std::uint32_t used = 0;
    if (printBuffer.empty())
      return {};
    std::memcpy(&used, printBuffer.data(), sizeof(used));
    PrintStrings strings{!file.strings.empty(), [this](std::uint64_t name) { return stringNamed(name); }};
    return textOf(std::span(printBuffer).first(std::min(used, printBytes)).subspan(sizeof(used)), strings);
  }

  std::string stringNamed(std::uint64_t name) const {
    if (file.strings.empty()) {
      if (auto found = k.strings.find(std::uint32_t(name)); found != k.strings.end())
        return found->second;
      throw Problem("kernel '" + k.name + "' prints string " + std::to_string(name) + ", which there is not");
    }
    std::uint64_t at = name - reinterpret_cast<std::uint64_t>(file.strings.data());
    if (at >= file.strings.size())
      throw Problem("kernel '" + k.name + "' prints a string that is not in its binary");
    const char *from = reinterpret_cast<const char *>(file.strings.data()) + at;
    return {from, strnlen(from, file.strings.size() - at)};
  }

  /// The last group of a dimension may be smaller than others.
  std::uint32_t groupsIn(unsigned d) const {
    return range.global[d] / range.local[d] + (range.global[d] % range.local[d] != 0);
  }

  void countGroups() {
    groups = 1;
    for (unsigned d = 0; d < 3; ++d)
      if (__builtin_mul_overflow(groups, std::uint64_t(groupsIn(d)), &groups))
        throw Problem("global size " + sizesText(range.global) + " makes more groups than can be counted");
  }

  /// A thread finds its part by its number in the header: groups that run at once take different ones.
  void takePrivateMemory(unsigned hostThreads) {
    constexpr std::uint64_t privateUnit = 1024, most = 1ull << 30;
    std::uint64_t ofGroup = std::uint64_t(k.privateBytes) * threads;
    if (ofGroup + privateUnit > most)
      throw Problem("kernel '" + k.name + "' needs " + std::to_string(ofGroup + privateUnit) +
                    " bytes of private memory");
    std::uint64_t fit = (most - privateUnit) / std::max<std::uint64_t>(ofGroup, 1);
    members = unsigned(std::min<std::uint64_t>({std::max(hostThreads, 1u), mostNumbers / threads, fit, groups}));
    privateMemory.resize(ofGroup * members + privateUnit);
  }

  void runGroups(gensim::Crew &crew) {
    constexpr unsigned kinds = 8; // a bit for each dimension in which a group is a smaller one
    std::vector<Dispatch> groupsOfKind[kinds];
    for (unsigned kind = 0; kind < kinds; ++kind) {
      std::uint32_t size[3];
      for (unsigned d = 0; d < 3; ++d)
        size[d] = kind >> d & 1 ? range.global[d] % range.local[d] : range.local[d];
      if (!size[0] || !size[1] || !size[2])
        continue;
      fillCrossThread(size);
      groupsOfKind[kind] = dispatches(size);
    }
    std::vector<unsigned> kindOf(members, kinds); // what each member has at hand
    const std::uint32_t columns = groupsIn(0), rows = groupsIn(1), layers = groupsIn(2);
    crew.run(groups, [&](std::size_t group, unsigned member, std::vector<Dispatch> &all) {
      auto x = std::uint32_t(group % columns), y = std::uint32_t(group / columns % rows),
           z = std::uint32_t(group / columns / rows);
      auto smaller = [&](unsigned d, bool last) { return unsigned(last && range.global[d] % range.local[d]) << d; };
      const unsigned kind = smaller(0, x + 1 == columns) | smaller(1, y + 1 == rows) | smaller(2, z + 1 == layers);
      if (all.empty() || kind != kindOf[member])
        all = groupsOfKind[kind];
      kindOf[member] = kind;
      for (std::uint32_t t = 0; t < all.size(); ++t) {
        all[t].set<std::uint32_t>(4, x);
        all[t].set<std::uint32_t>(20, member * threads + t); // a number that no other running thread has
        all[t].set<std::uint32_t>(24, y);
        all[t].set<std::uint32_t>(28, z);
      }
      return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
    });
  }

  /// Local arguments lie behind the kernel's own local memory.
  void placeLocals() {
    std::uint64_t at = k.slmBytes;
    localOffsets.resize(k.arguments.size());
    for (std::size_t n = 0; n < settings.size(); ++n) {
      if (settings[n].kind != ArgumentKind::Local)
        continue;
      std::uint64_t alignment = std::max(k.arguments[n].alignment, 1u);
      at = (at + alignment - 1) / alignment * alignment;
      localOffsets[n] = std::uint32_t(at);
      at += settings[n].localBytes;
    }
    if (at > mostSlm)
      throw Problem("kernel '" + k.name + "' needs " + std::to_string(at) +
                    " bytes of local memory; 65536 are the most");
    slmBytes = std::uint32_t(at);
  }

  static gensim::Surface bufferSurface(std::span<std::uint8_t> bytes) {
    gensim::Surface s;
    s.base = bytes.data();
    s.bytes = bytes.size();
    s.pitch = s.width = std::int32_t(std::min<std::size_t>(bytes.size(), INT32_MAX));
    s.height = 1;
    return s;
  }
  void allow(std::span<const std::uint8_t> bytes) {
    if (!bytes.empty())
      allowed.push_back({reinterpret_cast<std::uint64_t>(bytes.data()), bytes.size()});
  }
  void bindTo(std::optional<unsigned> index, gensim::Surface surface) {
    constexpr unsigned most = 240;
    if (!index)
      return;
    if (*index >= most)
      throw Problem("kernel '" + k.name + "' binds surface " + std::to_string(*index));
    if (world.surfaces.size() <= *index)
      world.surfaces.resize(*index + 1);
    world.surfaces[*index] = std::move(surface);
  }
  void bind() {
    constexpr unsigned mostSamplers = 16;
    auto samplers = std::make_shared<std::vector<Sampler>>();
    auto setSampler = [&](unsigned slot, const Sampler &sampler) {
      if (slot >= mostSamplers)
        throw Problem("kernel '" + k.name + "' has sampler " + std::to_string(slot) + "; 15 is the last");
      samplers->resize(std::max<std::size_t>(samplers->size(), slot + 1));
      (*samplers)[slot] = sampler;
    };
    for (const InlineSampler &s : k.samplers)
      setSampler(s.slot, {s.normalized, s.linear, s.address});
    for (std::size_t n = 0; n < settings.size(); ++n)
      if (settings[n].kind == ArgumentKind::Sampler && k.arguments[n].samplerSlot)
        setSampler(*k.arguments[n].samplerSlot, settings[n].sampler);
    for (std::size_t n = 0; n < settings.size(); ++n) {
      const Setting &s = settings[n];
      if (s.kind == ArgumentKind::Buffer) {
        bindTo(k.arguments[n].binding, bufferSurface(s.buffer));
        allow(s.buffer);
      } else if (s.kind == ArgumentKind::Image) {
        bindTo(k.arguments[n].binding, surfaceOf(s.image, samplers));
      }
    }
    bindTo(k.constantsBinding, bufferSurface(file.constants));
    bindTo(k.globalsBinding, bufferSurface(file.globals));
    bindTo(k.privateBinding, bufferSurface(privateMemory));
    for (std::span<const std::uint8_t> own : {std::span<const std::uint8_t>(file.constants),
                                              {file.globals},
                                              {file.strings},
                                              {privateMemory},
                                              {printBuffer}})
      allow(own);
    world.isMapped = [this](std::uint64_t address, std::uint64_t bytes) {
      for (const auto &[base, size] : allowed)
        if (address >= base && address - base <= size && bytes <= size - (address - base))
          return true;
      return false;
    };
  }

  /// The bytes of what a payload holds a part of, in groups of a size.
  std::vector<std::uint8_t> contentOf(const Payload &p, const std::uint32_t (&size)[3]) const {
    std::vector<std::uint8_t> bytes;
    auto add = [&](auto value) {
      const auto *from = reinterpret_cast<const std::uint8_t *>(&value);
      bytes.insert(bytes.end(), from, from + sizeof(value));
    };
    auto three = [&](const std::uint32_t (&values)[3]) {
      for (std::uint32_t v : values)
        add(v);
    };
    auto address = [&](const void *data) { add(reinterpret_cast<std::uint64_t>(data)); };
    const Setting *s = p.argument < settings.size() ? &settings[p.argument] : nullptr;
    const Image *image = s ? s->image.get() : nullptr;
    switch (p.content) {
    case Content::GlobalOffset:
      three(range.offset);
      break;
    case Content::LocalSize:
      three(size);
      break;
    case Content::EnqueuedLocalSize:
      three(range.local);
      break;
    case Content::GlobalSize:
      three(range.global);
      break;
    case Content::GroupCount:
      for (unsigned d = 0; d < 3; ++d)
        add(groupsIn(d));
      break;
    case Content::WorkDimensions:
      add(std::uint32_t(range.dimensions));
      break;
    case Content::Value:
      return s ? s->value : bytes;
    case Content::Address:
      address(s ? s->buffer.data() : nullptr);
      break;
    case Content::LocalOffset:
      add(std::uint64_t(s ? localOffsets[p.argument] : 0));
      break;
    case Content::PrivateBase:
      address(privateMemory.data());
      break;
    case Content::ConstantBase:
      address(file.constants.data());
      break;
    case Content::GlobalBase:
      address(file.globals.data());
      break;
    case Content::PrintBuffer:
      address(printBuffer.data());
      break;
    case Content::ImageWidth:
      add(std::uint32_t(image ? image->width : 0));
      break;
    case Content::ImageHeight:
      add(std::uint32_t(image ? image->height : 0));
      break;
    case Content::ImageDepth:
    case Content::ImageArraySize:
      add(std::uint32_t(image ? image->depth : 0));
      break;
    case Content::ImageChannelType:
      add(std::uint32_t(image ? std::uint32_t(image->format.type) : 0));
      break;
    case Content::ImageChannelOrder:
      add(std::uint32_t(image ? std::uint32_t(image->format.order) : 0));
      break;
    case Content::SamplerAddress:
      add(std::uint32_t(s ? addressNumber(s->sampler.address) : 0));
      break;
    case Content::SamplerNormalized:
      add(std::uint32_t(s && s->sampler.normalized ? normalizedNumber : 0));
      break;
    case Content::SamplerSnaps:
      add(std::uint32_t(s && s->sampler.address == 0x1132 && !s->sampler.linear ? ~0u : 0));
      break;
    case Content::SimdSize:
      add(std::uint32_t(k.simd));
      break;
    case Content::BufferOffset:
    case Content::ImageSamples:
    case Content::ImageLevels:
    case Content::Zero:
      bytes.resize(p.bytes + p.sourceOffset);
      break;
    }
    return bytes;
  }
  /// Addressing modes and normalized coordinates as kernels that ask for them know them.
  static constexpr std::uint32_t normalizedNumber = 8;
  static std::uint32_t addressNumber(std::uint32_t mode) {
    static constexpr std::uint32_t numbers[] = {0, 2, 1, 3, 4}; // none, edge, border, repeated, mirrored
    return mode - 0x1130 < std::size(numbers) ? numbers[mode - 0x1130] : 0;
  }

  void fillCrossThread(const std::uint32_t (&size)[3]) {
    constexpr std::uint32_t most = 4096, registerBytes = 32;
    std::uint64_t bytes = k.crossThreadBytes;
    for (const Payload &p : k.payloads)
      bytes = std::max<std::uint64_t>(bytes, std::uint64_t(p.offset) + p.bytes);
    if (bytes > most)
      throw Problem("kernel '" + k.name + "' takes " + std::to_string(bytes) + " bytes of arguments in registers");
    crossThread.resize((bytes + registerBytes - 1) / registerBytes * registerBytes);
    for (const Payload &p : k.payloads) {
      std::vector<std::uint8_t> from = contentOf(p, size);
      if (p.sourceOffset < from.size())
        std::memcpy(crossThread.data() + p.offset, from.data() + p.sourceOffset,
                    std::min<std::size_t>(p.bytes, from.size() - p.sourceOffset));
    }
  }

  bool loadsArguments() const { return platform.generation >= gensim::Generation::XeHpg; }
  std::uint32_t passedBytes() const { return loadsArguments() && k.passesFirst ? platform.grfBytes : 0; }

  /// Registers of the threads of a group of a size: the header, local ids of each dimension in whole registers, the
  /// data of all. Kernels that load them find the data of all first, and then local ids of the thread whose number in
  /// the group is in r0.2.
  std::vector<Dispatch> dispatches(const std::uint32_t (&size)[3]) const {
    const std::uint32_t items = size[0] * size[1] * size[2], count = (items + k.simd - 1) / k.simd;
    std::uint32_t registerBytes = platform.grfBytes;
    std::uint32_t perDimension = (k.simd * 2 + registerBytes - 1) / registerBytes * registerBytes;
    std::uint32_t ownBytes = std::max(k.localIds * perDimension, registerBytes); // one at least, used or not
    std::vector<Dispatch> group(count);
    for (std::uint32_t t = 0; t < count; ++t) {
      Dispatch &d = group[t];
      std::vector<std::uint8_t> header(registerBytes);
      d.set(0, header.data(), header.size());
      std::uint32_t own = registerBytes;
      if (loadsArguments()) {
        d.set(8, t);
        own += std::uint32_t(crossThread.size()) + t * ownBytes;
      }
      for (std::uint32_t n = 0; n < k.simd; ++n) {
        std::uint32_t item = t * k.simd + n, rest = item;
        for (unsigned dim = 0; dim < 3; ++dim) {
          std::uint32_t id = dim == 2 ? rest : rest % size[dim];
          rest /= size[dim];
          if (dim < k.localIds)
            d.set(own + dim * perDimension + n * 2, std::uint16_t(item < items ? id : 0));
        }
      }
      std::uint32_t left = items - t * k.simd;
      d.channels = left >= k.simd ? (k.simd == 32 ? ~0u : (1u << k.simd) - 1) : (1u << left) - 1;
      d.set(loadsArguments() ? registerBytes : registerBytes + ownBytes, crossThread.data(), crossThread.size());
    }
    return group;
  }

  const Kernel &k;
  const gensim::Platform &platform;
  Binary &file;
  const Range &range;
  std::span<const Setting> settings;
  std::uint32_t threads = 0, slmBytes = 0; ///< Threads of the largest groups.
  std::uint64_t groups = 0;
  unsigned members = 1; ///< Groups that run at once, each on a host thread.
  std::vector<std::uint8_t> privateMemory, printBuffer, crossThread;
  std::vector<std::uint32_t> localOffsets;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> allowed;
  gensim::World world;
};

} // namespace

Program::Program(Binary binary) : file(std::move(binary)) {
  appendFunctions();
  relocate(file.constants, file.constantRelocations, true);
  relocate(file.globals, file.globalRelocations, true);
  for (Kernel &k : file.kernels) {
    if (k.simd != 8 && k.simd != 16 && k.simd != 32)
      throw Problem("kernel '" + k.name + "' is compiled for " + std::to_string(k.simd) + " work items a thread");
    if (k.localIds > 3)
      throw Problem("kernel '" + k.name + "' takes local ids of " + std::to_string(k.localIds) + " dimensions");
    relocate(k.code, k.relocations, false);
  }
}

/// Whether a kernel or a table of the program has the address of a function; compilers leave a section of functions in
/// others, too.
static bool namesFunctions(const Binary &file) {
  auto any = [](const std::vector<Relocation> &relocations) {
    return std::ranges::any_of(relocations,
                               [](const Relocation &r) { return r.target == Relocation::Target::Functions; });
  };
  return any(file.constantRelocations) || any(file.globalRelocations) ||
         std::ranges::any_of(file.kernels, [&](const Kernel &k) { return any(k.relocations); });
}

/// Functions that are called by address lie at the same place behind every kernel, where kernels and tables of the
/// program find them.
void Program::appendFunctions() {
  if (!namesFunctions(file))
    return;
  for (const Kernel &k : file.kernels)
    functionsAt = std::max<std::uint64_t>(functionsAt, k.code.size());
  constexpr std::uint64_t most = 1 << 28;
  if ((functionsAt + file.functions.size()) * file.kernels.size() > most)
    throw Problem("the OpenCL binary has more than 256 MB of code with the functions of all its kernels");
  for (Kernel &k : file.kernels) {
    k.code.resize(functionsAt);
    k.code.insert(k.code.end(), file.functions.begin(), file.functions.end());
    for (Relocation r : file.functionRelocations) {
      if (r.offset > file.functions.size())
        throw Problem("damaged OpenCL binary: a relocation beyond the end");
      r.offset += std::uint32_t(functionsAt);
      k.relocations.push_back(r);
    }
  }
}

std::uint64_t Program::addressOf(Relocation::Target target) const {
  if (target == Relocation::Target::Functions)
    return functionsAt;
  const auto &data = target == Relocation::Target::Constants ? file.constants
                     : target == Relocation::Target::Globals ? file.globals
                                                             : file.strings;
  return reinterpret_cast<std::uint64_t>(data.data());
}

void Program::relocate(std::vector<std::uint8_t> &bytes, const std::vector<Relocation> &relocations,
                       bool isData) const {
  for (const Relocation &r : relocations) {
    unsigned size = r.part == Relocation::Part::Whole ? 8 : 4;
    if (r.offset > bytes.size() || bytes.size() - r.offset < size)
      throw Problem("damaged OpenCL binary: a relocation beyond the end");
    std::uint64_t value = addressOf(r.target) + r.addend, present = 0;
    std::memcpy(&present, bytes.data() + r.offset, size);
    if (isData) // which holds what is to be added; code holds anything
      value += present;
    if (r.part == Relocation::Part::High)
      value >>= 32;
    std::memcpy(bytes.data() + r.offset, &value, size);
  }
}

const gensim::Kernel &Program::code(const std::string &kernel) {
  auto found = decoded.find(kernel);
  if (found == decoded.end())
    found = decoded.try_emplace(kernel, kernel, *file.platform, file.kernel(kernel).code).first;
  return found->second;
}

LaunchReport Program::run(const std::string &kernel, const Range &range, std::span<const Setting> settings,
                          const LaunchOptions &options) {
  const gensim::Kernel &instructions = code(kernel);
  const Kernel &k = file.kernel(kernel);
  // Where groups have their private memory decides what they find in caches.
  bool alone = options.trace || options.checks || !options.observers.empty() || gensim::needsOrder(instructions) ||
               (k.privateBytes && !options.timing.empty());
  return Launch(k, *file.platform, file, range, settings, alone ? 1 : options.hostThreads).run(instructions, options);
}

} // namespace pocm::opencl
