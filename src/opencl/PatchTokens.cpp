//===- PatchTokens.cpp - OpenCL binaries as tables of tokens -------------------------------===//
//
// A header, tokens of the program, then for each kernel a header, its name, heaps of code and
// of state, and its tokens: a number, a size, and dwords whose meaning the number tells.
//
//===----------------------------------------------------------------------===//
#include "opencl/Binary.h"
#include <algorithm>
#include <cstring>
#include <map>

namespace pocm::opencl {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Bytes that are taken from the front.
class Cursor {
public:
  explicit Cursor(Bytes bytes) : rest(bytes) {}
  Bytes take(std::uint64_t count) {
    if (count > rest.size())
      throw Problem("damaged OpenCL binary: it ends too early");
    Bytes front = rest.first(count);
    rest = rest.subspan(count);
    return front;
  }
  std::uint32_t dword() {
    std::uint32_t value;
    std::memcpy(&value, take(4).data(), 4);
    return value;
  }
  bool empty() const { return rest.empty(); }
  Bytes all() const { return rest; }

private:
  Bytes rest;
};

std::uint32_t dwordAt(Bytes bytes, std::uint64_t at) {
  Cursor c(bytes);
  c.take(at);
  return c.dword();
}

enum Token : std::uint32_t {
  SamplerStates = 5,
  BindingTable = 8,
  GlobalArgument = 11,
  ImageArgument = 12,
  LocalSurface = 15,
  SamplerArgument = 16,
  DataParameter = 17,
  Scratch = 18,
  ThreadPayload = 22,
  Environment = 23,
  CrossThreadData = 25,
  ArgumentInfo = 26,
  PrintString = 28,
  StatelessArgument = 30,
  StatelessConstantArgument = 31,
  PrintSurface = 33,
  PrivateSurface = 38,
  ProgramGlobals = 41,
  ProgramConstants = 42,
  GlobalsSurface = 43,
  ConstantsSurface = 44,
  QueueArgument = 46,
  GlobalPointer = 47,
  ConstantPointer = 48,
  Symbols = 53,
  Relocations = 54,
  SecondScratch = 55
};

/// A token's dwords by their place behind its size.
struct Item {
  std::uint32_t token;
  Bytes bytes;
  std::uint32_t operator[](unsigned k) const { return dwordAt(bytes, k * 4); }
};

template <class F> void forEachItem(Bytes list, F use) {
  constexpr std::uint32_t header = 8;
  for (Cursor c(list); !c.empty();) {
    std::uint32_t token = c.dword(), size = c.dword();
    if (size < header)
      throw Problem("damaged OpenCL binary: token " + std::to_string(token) + " of " + std::to_string(size) + " bytes");
    use(Item{token, c.take(size - header)});
  }
}

/// Types of data parameters; those that are not here are not known.
const std::map<std::uint32_t, Content> &parameterContents() {
  static const std::map<std::uint32_t, Content> contents{
      {2, Content::LocalSize},          {3, Content::GlobalSize},      {4, Content::GroupCount},
      {5, Content::WorkDimensions},     {8, Content::LocalOffset},     {9, Content::ImageWidth},
      {10, Content::ImageHeight},       {11, Content::ImageDepth},     {12, Content::ImageChannelType},
      {13, Content::ImageChannelOrder}, {14, Content::SamplerAddress}, {15, Content::SamplerNormalized},
      {16, Content::GlobalOffset},      {18, Content::ImageArraySize}, {20, Content::ImageSamples},
      {21, Content::SamplerSnaps},      {27, Content::ImageLevels},    {28, Content::EnqueuedLocalSize},
      {34, Content::SimdSize},          {35, Content::Zero}, // an object's id
      {42, Content::BufferOffset},      {43, Content::Zero}, // whether a buffer may begin anywhere
  };
  return contents;
}

/// What a kernel's tokens say of names: two numbers of a symbol, its kind and where it is, or of a place in the code
/// that wants one.
struct Name {
  std::string name;
  std::uint32_t kind, offset;
};

/// A table of `fixed` bytes and a name each, with how many there are in front.
std::vector<Name> namesOf(const Item &item, std::uint32_t fixed) {
  Cursor c(item.bytes);
  const std::uint32_t count = c.dword(), bytes = std::uint32_t(c.all().size()) / std::max(1u, count);
  if (count && bytes < fixed)
    throw Problem("damaged OpenCL binary: a table of names that is too small");
  std::vector<Name> all;
  for (std::uint32_t n = 0; n < count; ++n) {
    Bytes entry = c.take(bytes), text = entry.subspan(fixed);
    std::string name(text.begin(), text.end());
    all.push_back({name.substr(0, name.find('\0')), dwordAt(entry, 0), dwordAt(entry, 4)});
  }
  return all;
}

/// A kernel's tokens and the heaps that they point into.
class KernelReader {
public:
  KernelReader(Kernel &kernel, Bytes surfaces, Bytes states) : k(kernel), surfaces(surfaces), states(states) {}

  std::vector<Name> symbols; ///< That it offers,
  std::vector<Name> wanted;  ///< and those whose addresses are to be put into its code.

  void read(Bytes list) {
    forEachItem(list, [&](const Item &item) {
      if (item.token == BindingTable)
        for (std::uint32_t n = 0; n < item[1]; ++n)
          bindings.emplace(dwordAt(surfaces, item[0] + n * 4ull), n);
      if (item.token == SamplerStates)
        samplersAt = item[0], samplers = item[1], hasSamplers = true;
    });
    forEachItem(list, [&](const Item &item) { take(item); });
    readSamplers();
    finish();
  }

private:
  static constexpr std::uint32_t stateBytes = 16; // of a sampler

  std::optional<unsigned> bindingOf(std::uint32_t surface) const {
    auto found = bindings.find(surface);
    return found == bindings.end() ? std::nullopt : std::optional(found->second);
  }
  void payload(Content content, std::uint32_t offset, std::uint32_t bytes, std::uint32_t argument = 0,
               std::uint32_t sourceOffset = 0) {
    if (bytes)
      k.payloads.push_back({content, offset, bytes, argument, sourceOffset});
  }
  [[noreturn]] void refuseQueues() const {
    throw Problem("kernel '" + k.name + "' enqueues kernels, which is not supported");
  }
  void buffer(const Item &i) {
    Argument &a = k.argument(i[0]);
    a.kind = ArgumentKind::Buffer;
    a.binding = bindingOf(i[1]);
    if (i.token != GlobalArgument)
      payload(Content::Address, i[2], i[3], i[0]);
  }
  void parameter(const Item &i) {
    constexpr std::uint32_t argument = 1;
    std::uint32_t type = i[0], number = i[1], offset = i[2], bytes = i[3], source = i[4];
    if (type == argument) {
      Argument &a = k.argument(number);
      a.bytes = std::max(a.bytes, source + bytes);
      return payload(Content::Value, offset, bytes, number, source);
    }
    constexpr std::uint32_t parentEvent = 29; // of one that others enqueue
    if (type == parentEvent)
      refuseQueues();
    auto found = parameterContents().find(type);
    if (found == parameterContents().end())
      throw Problem("kernel '" + k.name + "' needs a parameter that is not supported: type " + std::to_string(type));
    if (found->second == Content::LocalOffset) {
      Argument &a = k.argument(number);
      a.kind = ArgumentKind::Local;
      a.alignment = std::max(source, 1u);
      source = 0;
    }
    payload(found->second, offset, bytes, number, source);
  }
  void take(const Item &i) {
    switch (i.token) {
    case GlobalArgument:
    case StatelessArgument:
    case StatelessConstantArgument:
      return buffer(i);
    case ImageArgument:
      k.argument(i[0]).kind = ArgumentKind::Image;
      k.argument(i[0]).binding = bindingOf(i[2]);
      return;
    case SamplerArgument:
      k.argument(i[0]).kind = ArgumentKind::Sampler;
      k.argument(i[0]).samplerSlot = (i[2] - samplersAt) / stateBytes;
      return;
    case LocalSurface:
      k.slmBytes = i[1];
      return;
    case DataParameter:
      return parameter(i);
    case Scratch:
    case SecondScratch:
      k.scratchBytes = std::max(k.scratchBytes, i[1]);
      return;
    case ThreadPayload:
      k.localIds = i[1] + i[2] + i[3];
      if (i[4])
        throw Problem("kernel '" + k.name + "' takes flattened local ids, which are not supported");
      k.passesFirst = i.bytes.size() >= 15 * 4 && i[14];
      return;
    case Environment:
      for (unsigned d = 0; d < 3; ++d)
        k.requiredGroup[d] = i[d];
      k.simd = i[3];
      k.hasBarrier = i[5];
      if (i.bytes.size() >= 21 * 4 && i[20])
        k.registers = i[20];
      return;
    case CrossThreadData:
      k.crossThreadBytes = i[0];
      return;
    case ArgumentInfo:
      return names(i);
    case PrintString:
      k.strings[i[0]] = textOf(i);
      return;
    case PrintSurface:
      return payload(Content::PrintBuffer, i[2], i[3]);
    case PrivateSurface:
      payload(Content::PrivateBase, i[1], i[2]);
      k.privateBinding = bindingOf(i[0]);
      k.privateBytes = i[3];
      privateOfLane = i.bytes.size() >= 20 && i[4];
      return;
    case GlobalsSurface:
    case ConstantsSurface:
      (i.token == GlobalsSurface ? k.globalsBinding : k.constantsBinding) = bindingOf(i[1]);
      return payload(i.token == GlobalsSurface ? Content::GlobalBase : Content::ConstantBase, i[2], i[3]);
    case Symbols:
      symbols = namesOf(i, /*fixed=*/12);
      return;
    case Relocations:
      wanted = namesOf(i, /*fixed=*/8);
      return;
    case QueueArgument:
      refuseQueues();
    default: // what only drivers want
      return;
    }
  }
  /// Argument, then sizes of its address qualifier, access qualifier, name, type and type qualifier, then the texts.
  /// A string with its escapes as the source has them.
  static std::string textOf(const Item &i) {
    Cursor c(i.bytes);
    c.dword();
    Bytes bytes = c.take(c.dword());
    std::string s;
    for (std::size_t at = 0; at < bytes.size() && bytes[at]; ++at) {
      static constexpr std::string_view letters = "abfnrtv", meanings = "\a\b\f\n\r\t\v";
      char next = char(bytes[at]);
      if (next == '\\' && at + 1 < bytes.size() && bytes[at + 1]) {
        next = char(bytes[++at]);
        if (auto letter = letters.find(next); letter != letters.npos)
          next = meanings[letter];
      }
      s += next;
    }
    return s;
  }
  void names(const Item &i) {
    Cursor c(i.bytes);
    Argument &a = k.argument(c.dword());
    std::uint32_t sizes[5];
    for (std::uint32_t &size : sizes)
      size = c.dword();
    auto text = [&](std::uint32_t size) {
      Bytes bytes = c.take(size);
      std::string s(bytes.begin(), bytes.end());
      return s.substr(0, s.find('\0'));
    };
    text(sizes[0]);
    text(sizes[1]);
    a.name = text(sizes[2]);
    a.type = text(sizes[3]);
    a.type = a.type.substr(0, a.type.find(';'));
  }
  /// States of samplers that no argument sets are the source's.
  void readSamplers() {
    constexpr std::uint32_t most = 16;
    if (!hasSamplers)
      return;
    if (samplers > most)
      throw Problem("kernel '" + k.name + "' has more than 16 samplers");
    static constexpr std::uint32_t addresses[] = {0x1133, 0x1134, 0x1131, 0, 0x1132, 0, 0, 0}; // by hardware's number
    for (std::uint32_t n = 0; n < samplers; ++n) {
      bool isArgument = false;
      for (const Argument &a : k.arguments)
        isArgument |= a.samplerSlot == n;
      if (isArgument)
        continue;
      std::uint32_t filters = dwordAt(states, samplersAt + n * 16ull),
                    modes = dwordAt(states, samplersAt + n * 16ull + 12);
      k.samplers.push_back({n, !(modes >> 10 & 1), (filters >> 14 & 7) == 1, addresses[modes & 7]});
    }
  }
  void finish() {
    if (privateOfLane)
      k.privateBytes *= k.simd;
  }

  Kernel &k;
  Bytes surfaces, states;
  std::map<std::uint32_t, unsigned> bindings;
  std::uint32_t samplersAt = 0, samplers = 0;
  bool hasSamplers = false, privateOfLane = false;
};

const gensim::Platform &platformOf(std::uint32_t device) {
  static const std::map<std::uint32_t, const char *> names{{12, "skl"}, {15, "icllp"}, {18, "tgllp"}, {3079, "dg2"}};
  auto found = names.find(device);
  if (found == names.end())
    throw Problem("an OpenCL binary for a device that cannot be simulated (core " + std::to_string(device) +
                  "); there is: skl, icllp, tgllp, dg2");
  return gensim::platformNamed(found->second);
}

/// The kernel whose code is the functions that others call by address, and whose symbols say where they are.
constexpr const char *FunctionsKernel = "Intel_Symbol_Table_Void_Program";

/// Puts addresses of functions and variables into the code that names them.
class Linker {
public:
  /// What a kernel offers. `name` is its own.
  void add(const std::string &name, const std::vector<Name> &symbols) {
    using Target = Relocation::Target;
    constexpr std::uint32_t function = 2, variable = 3, constant = 4; // kinds; others are nothing that has an address
    for (const Name &s : symbols)
      if (s.kind == variable || s.kind == constant || (s.kind == function && name == FunctionsKernel))
        known[s.name] = {s.kind == function   ? Target::Functions
                         : s.kind == variable ? Target::Globals
                                              : Target::Constants,
                         s.offset};
  }
  std::vector<Relocation> relocations(const std::string &kernel, const std::vector<Name> &wanted) const {
    std::vector<Relocation> all;
    for (const Name &w : wanted) {
      auto found = known.find(w.name);
      if (found == known.end() || w.kind < 1 || w.kind > 3)
        throw Problem("kernel '" + kernel + "' has a relocation that is not supported: type " + std::to_string(w.kind) +
                      " to '" + w.name + "'");
      all.push_back({found->second.first, found->second.second, w.offset, Relocation::Part(w.kind - 1)});
    }
    return all;
  }

private:
  std::map<std::string, std::pair<Relocation::Target, std::uint64_t>> known;
};

/// Constants and variables of the program lie behind their tokens; other tokens say where they hold addresses.
void readProgram(Bytes list, Binary &binary) {
  for (Cursor c(list); !c.empty();) {
    std::uint32_t token = c.dword(), size = c.dword();
    if (size < 8)
      throw Problem("damaged OpenCL binary: token " + std::to_string(token) + " of " + std::to_string(size) + " bytes");
    Item item{token, c.take(size - 8)};
    if (token == ProgramGlobals || token == ProgramConstants) {
      Bytes data = c.take(token == ProgramGlobals ? item[2] : item[1]);
      (token == ProgramGlobals ? binary.globals : binary.constants).assign(data.begin(), data.end());
    } else if (token == GlobalPointer || token == ConstantPointer) {
      // Index and offset of the pointer, index and kind of what it points to.
      bool toConstants = item[3] != 0;
      auto target = toConstants ? Relocation::Target::Constants : Relocation::Target::Globals;
      (token == GlobalPointer ? binary.globalRelocations : binary.constantRelocations)
          .push_back({target, 0, item[1], Relocation::Part::Whole});
    }
  }
}

} // namespace

Binary readPatchTokens(std::span<const std::uint8_t> bytes) {
  constexpr std::uint32_t Magic = 0x494E5443, mostKernels = 100000;
  Cursor c(bytes);
  if (c.dword() != Magic)
    throw Problem("damaged OpenCL binary: its table does not begin with its sign");
  c.dword(); // version
  Binary binary;
  binary.platform = &platformOf(c.dword());
  c.dword(); // bytes of a pointer
  std::uint32_t kernels = c.dword();
  c.dword(); // stepping
  readProgram(c.take(c.dword()), binary);
  if (kernels > mostKernels)
    throw Problem("damaged OpenCL binary: " + std::to_string(kernels) + " kernels");
  Linker linker;
  std::vector<std::vector<Name>> wanted;
  for (std::uint32_t n = 0; n < kernels; ++n) {
    c.take(12); // checksums
    std::uint32_t nameBytes = c.dword(), listBytes = c.dword(), codeBytes = c.dword(), general = c.dword(),
                  dynamic = c.dword(), surface = c.dword(), unpadded = c.dword();
    Bytes name = c.take(nameBytes), code = c.take(codeBytes);
    c.take(general);
    Bytes states = c.take(dynamic), surfaces = c.take(surface), list = c.take(listBytes);
    Kernel &k = binary.kernels.emplace_back();
    k.name.assign(name.begin(), name.end());
    k.name = k.name.substr(0, k.name.find('\0'));
    if (unpadded > code.size())
      throw Problem("damaged OpenCL binary: the code of kernel '" + k.name + "' is cut off");
    k.code.assign(code.begin(), code.begin() + unpadded);
    KernelReader reader(k, surfaces, states);
    reader.read(list);
    linker.add(k.name, reader.symbols);
    wanted.push_back(std::move(reader.wanted));
  }
  for (std::uint32_t n = 0; n < kernels; ++n)
    binary.kernels[n].relocations = linker.relocations(binary.kernels[n].name, wanted[n]);
  auto functions = std::ranges::find(binary.kernels, FunctionsKernel, &Kernel::name);
  if (functions != binary.kernels.end()) {
    binary.functions = std::move(functions->code);
    binary.functionRelocations = std::move(functions->relocations);
    binary.kernels.erase(functions);
  }
  return binary;
}

} // namespace pocm::opencl
