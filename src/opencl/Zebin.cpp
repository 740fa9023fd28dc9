//===- Zebin.cpp - OpenCL binaries as sections ---------------------------------------------===//
//
// An ELF file: .text.NAME for each kernel, .data.const and .data.global, relocations, a note
// that names the product, and .ze_info, which describes kernels in YAML.
//
//===----------------------------------------------------------------------===//
#include "opencl/Binary.h"
#include "opencl/Description.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include <cstring>
#include <map>

using namespace llvm;

namespace pocm::opencl {
namespace {

using Elf = object::ELF64LE;

template <class T> T valueOf(Expected<T> value) {
  if (!value)
    throw Problem("damaged OpenCL binary: " + toString(value.takeError()));
  return *value;
}

/// Payload arguments that do not belong to an argument of the kernel, or say one thing about it.
const std::map<std::string, Content> &payloadContents() {
  static const std::map<std::string, Content> contents{
      {"global_id_offset", Content::GlobalOffset},
      {"local_size", Content::LocalSize},
      {"enqueued_local_size", Content::EnqueuedLocalSize},
      {"global_size", Content::GlobalSize},
      {"group_count", Content::GroupCount},
      {"work_dimensions", Content::WorkDimensions},
      {"buffer_address", Content::Address},
      {"buffer_offset", Content::BufferOffset},
      {"private_base_stateless", Content::PrivateBase},
      {"const_base", Content::ConstantBase},
      {"global_base", Content::GlobalBase},
      {"printf_buffer", Content::PrintBuffer},
      {"image_width", Content::ImageWidth},
      {"image_height", Content::ImageHeight},
      {"image_depth", Content::ImageDepth},
      {"image_array_size", Content::ImageArraySize},
      {"image_channel_data_type", Content::ImageChannelType},
      {"image_channel_order", Content::ImageChannelOrder},
      {"image_num_samples", Content::ImageSamples},
      {"image_num_mip_levels", Content::ImageLevels},
      {"sampler_address", Content::SamplerAddress},
      {"sampler_normalized", Content::SamplerNormalized},
      {"sampler_snap_wa", Content::SamplerSnaps},
      {"implicit_arg_buffer", Content::Zero},
  };
  return contents;
}

void readPayload(Kernel &k, const Description &d) {
  const std::string &type = d.textOf("arg_type");
  std::uint32_t offset = d.number("offset"), bytes = d.number("size"), index = d.number("arg_index");
  auto payload = [&](Content content, std::uint32_t source = 0) {
    if (bytes)
      k.payloads.push_back({content, offset, bytes, index, source});
  };
  if (type == "arg_byvalue") {
    Argument &a = k.argument(index);
    std::uint32_t source = d.number("source_offset");
    a.bytes = std::max(a.bytes, source + bytes);
    return payload(Content::Value, source);
  }
  if (type == "arg_bypointer") {
    Argument &a = k.argument(index);
    const std::string &space = d.textOf("addrspace"), &mode = d.textOf("addrmode");
    if (mode == "bindless")
      throw Problem("kernel '" + k.name + "' takes bindless arguments, which are not supported");
    if (space == "image") {
      a.kind = ArgumentKind::Image;
    } else if (space == "sampler") {
      a.kind = ArgumentKind::Sampler;
      a.samplerSlot = d.number("sampler_index");
    } else if (mode == "slm" || space == "local") {
      a.kind = ArgumentKind::Local;
      a.alignment = std::max(d.number("slm_alignment"), 1u);
      payload(Content::LocalOffset);
    } else {
      a.kind = ArgumentKind::Buffer;
      payload(Content::Address);
    }
    return;
  }
  auto found = payloadContents().find(type);
  if (found == payloadContents().end())
    throw Problem("kernel '" + k.name + "' needs a parameter that is not supported: " + type);
  if (found->second == Content::Address)
    k.argument(index).kind = ArgumentKind::Buffer;
  payload(found->second);
}

void readThreadMemory(Kernel &k, const Description &d) {
  std::uint32_t bytes = d.number("size");
  if (d.textOf("type") == "scratch")
    k.scratchBytes = std::max(k.scratchBytes, bytes);
  else if (d.textOf("type") == "global" && d.textOf("usage") == "private_space")
    k.privateBytes = bytes * (d.textOf("is_simt_thread") == "true" ? k.simd : 1);
  else
    throw Problem("kernel '" + k.name + "' needs memory of a kind that is not supported: " + d.textOf("type") + ", " +
                  d.textOf("usage"));
}

void readSampler(Kernel &k, const Description &d) {
  static const std::map<std::string, std::uint32_t> addresses{
      {"none", 0}, {"clamp_edge", 0x1131}, {"clamp_border", 0x1132}, {"repeat", 0x1133}, {"mirror", 0x1134}};
  auto found = addresses.find(d.textOf("addrmode"));
  if (found == addresses.end())
    throw Problem("kernel '" + k.name + "' declares a sampler that is not supported: " + d.textOf("addrmode"));
  k.samplers.push_back(
      {d.number("sampler_index"), d.textOf("normalized") == "true", d.textOf("filtermode") == "linear", found->second});
}

Kernel readKernel(const Description &d) {
  Kernel k;
  k.name = d.textOf("name");
  const Description &environment = d["execution_env"];
  k.simd = environment.number("simd_size", 8);
  k.registers = environment.number("grf_count", 128);
  k.slmBytes = environment.number("slm_size");
  k.hasBarrier = environment.number("barrier_count") != 0;
  k.passesFirst = environment.number("inline_data_payload_size") != 0;
  const auto &required = environment["required_work_group_size"].items;
  for (unsigned n = 0; n < 3 && n < required.size(); ++n)
    k.requiredGroup[n] = std::uint32_t(std::strtoul(required[n].text.c_str(), nullptr, 10));
  for (const Description &payload : d["payload_arguments"].items)
    readPayload(k, payload);
  for (const Payload &p : k.payloads)
    k.crossThreadBytes = std::max(k.crossThreadBytes, p.offset + p.bytes);
  for (const Description &local : d["per_thread_payload_arguments"].items) {
    if (local.textOf("arg_type") != "local_id")
      throw Problem("kernel '" + k.name + "' takes " + local.textOf("arg_type") + ", which is not supported");
    constexpr std::uint32_t registerBytes = 32;
    k.localIds = local.number("size") / (k.simd == 32 ? 2 * registerBytes : registerBytes);
  }
  for (const Description &binding : d["binding_table_indices"].items)
    k.argument(binding.number("arg_index")).binding = binding.number("bti_value");
  for (const Description &memory : d["per_thread_memory_buffers"].items)
    readThreadMemory(k, memory);
  for (const Description &sampler : d["inline_samplers"].items)
    readSampler(k, sampler);
  return k;
}

/// Names and types of arguments stand apart.
void readNames(Kernel &k, const Description &d) {
  for (const Description &info : d["args_info"].items) {
    Argument &a = k.argument(info.number("index"));
    a.name = info.textOf("name");
    a.type = info.textOf("type_name");
    a.type = a.type.substr(0, a.type.find(';'));
  }
}

/// The product that the note of Intel's tools names.
const gensim::Platform &platformOf(ArrayRef<std::uint8_t> notes) {
  static const std::map<std::uint32_t, const char *> names{
      {0x12, "skl"}, {0x1A, "icllp"}, {0x1D, "tgllp"}, {0x4F6, "dg2"}};
  constexpr std::size_t header = 12, product = 1;
  auto dword = [&](std::size_t at) { return support::endian::read32le(notes.data() + at); };
  for (std::size_t at = 0; at + header <= notes.size();) {
    std::size_t name = (std::size_t(dword(at)) + 3) / 4 * 4, bytes = (std::size_t(dword(at + 4)) + 3) / 4 * 4;
    std::uint32_t kind = dword(at + 8);
    if (name > notes.size() || bytes > notes.size() || at + header + name + bytes > notes.size())
      break;
    if (kind == product && bytes >= 4) {
      auto found = names.find(dword(at + header + name));
      if (found == names.end())
        throw Problem("an OpenCL binary for a device that cannot be simulated (product " +
                      std::to_string(dword(at + header + name)) + "); there is: skl, icllp, tgllp, dg2");
      return gensim::platformNamed(found->second);
    }
    at += header + name + bytes;
  }
  throw Problem("the OpenCL binary does not say which device it is for");
}

/// The section of functions that kernels call by address.
constexpr const char *Functions = ".text.Intel_Symbol_Table_Void_Program";

/// The file with its sections by name.
class Reader {
public:
  explicit Reader(std::span<const std::uint8_t> bytes)
      : file(valueOf(object::ELFFile<Elf>::create({reinterpret_cast<const char *>(bytes.data()), bytes.size()}))) {
    auto sections = valueOf(file.sections());
    for (const auto &section : sections)
      byName.emplace(valueOf(file.getSectionName(section)).str(), &section);
  }

  Binary read() {
    Binary binary;
    binary.platform = &platformOf(contents(".note.intelgt.compat"));
    binary.constants = contents(".data.const");
    binary.globals = contents(".data.global");
    binary.strings = contents(".data.const.string");
    auto text = contents(".ze_info");
    Description description = parseDescription({reinterpret_cast<const char *>(text.data()), text.size()});
    for (const Description &d : description["kernels"].items) {
      std::string section = ".text." + d.textOf("name");
      Kernel k = readKernel(d);
      if (section == Functions)
        continue;
      if (!byName.contains(section))
        throw Problem("damaged OpenCL binary: kernel '" + k.name + "' has no code");
      k.code = codeOf(section);
      k.relocations = relocations(".rel" + section);
      binary.kernels.push_back(std::move(k));
    }
    for (const Description &d : description["kernels_misc_info"].items)
      for (Kernel &k : binary.kernels)
        if (k.name == d.textOf("name"))
          readNames(k, d);
    if (byName.contains(Functions))
      binary.functions = codeOf(Functions);
    binary.functionRelocations = relocations(".rel" + std::string(Functions));
    binary.constantRelocations = relocations(".rel.data.const");
    binary.globalRelocations = relocations(".rel.data.global");
    return binary;
  }

private:
  std::vector<std::uint8_t> contents(const std::string &name) const {
    auto found = byName.find(name);
    if (found == byName.end())
      return {};
    ArrayRef<std::uint8_t> bytes = valueOf(file.getSectionContents(*found->second));
    return {bytes.begin(), bytes.end()};
  }

  /// A section's code without what pads it, which no function of its own covers.
  std::vector<std::uint8_t> codeOf(const std::string &name) const {
    std::vector<std::uint8_t> code = contents(name);
    auto table = byName.find(".symtab");
    if (table == byName.end())
      return code;
    const Elf::Shdr *section = byName.at(name);
    std::uint64_t end = 0;
    auto symbols = valueOf(file.symbols(table->second));
    for (const auto &symbol : symbols)
      if (symbol.getType() == ELF::STT_FUNC && symbol.st_size <= code.size() && symbol.st_value <= code.size() &&
          valueOf(file.getSection(symbol.st_shndx)) == section)
        end = std::max<std::uint64_t>(end, symbol.st_value + symbol.st_size);
    if (end && end < code.size())
      code.resize(end);
    return code;
  }

  std::vector<Relocation> relocations(const std::string &name) const {
    std::vector<Relocation> all;
    auto found = byName.find(name);
    if (found == byName.end())
      return all;
    const Elf::Shdr &section = *found->second;
    const Elf::Shdr *symbols = valueOf(file.getSection(section.sh_link));
    auto add = [&](std::uint64_t offset, std::uint32_t type, std::uint32_t symbol, std::int64_t addend) {
      const Elf::Sym *target = valueOf(file.getSymbol(symbols, symbol));
      std::string holder = valueOf(file.getSectionName(*valueOf(file.getSection(target->st_shndx)))).str();
      using Target = Relocation::Target;
      static const std::map<std::string, Target> holders{{".data.const", Target::Constants},
                                                         {".data.global", Target::Globals},
                                                         {".data.const.string", Target::Strings},
                                                         {Functions, Target::Functions}};
      auto known = holders.find(holder);
      if (known == holders.end() || type < 1 || type > 3 || offset > UINT32_MAX)
        throw Problem("the OpenCL binary has a relocation that is not supported: type " + std::to_string(type) +
                      " to " + holder);
      all.push_back(
          {known->second, target->st_value + std::uint64_t(addend), std::uint32_t(offset), Relocation::Part(type - 1)});
    };
    if (section.sh_type == ELF::SHT_RELA)
      for (const auto &r : valueOf(file.relas(section)))
        add(r.r_offset, r.getType(false), r.getSymbol(false), r.r_addend);
    else
      for (const auto &r : valueOf(file.rels(section)))
        add(r.r_offset, r.getType(false), r.getSymbol(false), 0);
    return all;
  }

  object::ELFFile<Elf> file;
  std::map<std::string, const Elf::Shdr *> byName;
};

} // namespace

Binary readZebin(std::span<const std::uint8_t> bytes) { return Reader(bytes).read(); }

} // namespace pocm::opencl
