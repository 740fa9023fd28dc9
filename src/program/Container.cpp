//===- Container.cpp - The program file (.isa) ------------------------------===//
#include "program/Container.h"
#include "program/Bytes.h"
#include "program/Inside.h"
#include "program/KernelNames.h"
#include <algorithm>
#include <cstring>
#include <set>

namespace pocm::program {
namespace {

constexpr char Magic[8] = {'P', 'o', 'C', 'M', '.', 'i', 's', 'a'};
constexpr std::uint32_t FormatVersion = 1;
constexpr std::size_t HeaderSize = sizeof(Magic) + 8 + 4 + 4 + 8;
constexpr std::size_t SectionEntrySize = 4 + 4 + 8 + 8;
/// What older versions wrote as 3 was code without the registers that it takes: kernels get new code.
enum SectionKind : std::uint32_t { Kernels = 1, Ir = 2, Data = 4, Uses = 5, Code = 6 };

Bytes writeKernels(const std::vector<KernelSignature> &kernels) {
  Writer w;
  w.number(std::uint32_t(kernels.size()));
  for (const KernelSignature &kernel : kernels) {
    w.text(kernel.name);
    w.number(std::uint32_t(kernel.parameters.size()));
    for (const Parameter &p : kernel.parameters) {
      w.number(std::uint8_t(p.kind));
      w.text(p.element);
      w.number(p.count);
      w.number(p.bytes);
    }
  }
  return w.bytes;
}

std::vector<KernelSignature> readKernels(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t leastKernel = 8, leastParameter = 13;
  constexpr std::uint32_t mostBytes = 1u << 16;
  Reader r(bytes);
  std::vector<KernelSignature> kernels(r.count(leastKernel));
  std::set<std::string_view> names;
  for (KernelSignature &kernel : kernels) {
    kernel.name = r.text();
    if (!isKernelName(kernel.name))
      damaged("the name of a kernel is no identifier");
    if (!names.insert(kernel.name).second)
      damaged("two kernels have the same name");
    kernel.parameters.resize(r.count(leastParameter));
    for (Parameter &p : kernel.parameters) {
      auto kind = r.number<std::uint8_t>();
      if (kind > std::uint8_t(ParameterKind::Surface))
        damaged("unknown kind of parameter");
      p.kind = ParameterKind(kind);
      p.element = r.text();
      p.count = r.number<std::uint32_t>();
      p.bytes = r.number<std::uint32_t>();
      if (p.bytes == 0 || p.bytes > mostBytes || p.count == 0 || p.count > p.bytes)
        damaged("impossible size of a parameter");
    }
  }
  return kernels;
}

Bytes writeUses(const std::vector<KernelSignature> &kernels) {
  Bytes all;
  for (const KernelSignature &kernel : kernels)
    for (const Parameter &p : kernel.parameters)
      all.push_back(std::uint8_t(p.use));
  return all;
}

void readUses(std::span<const std::uint8_t> bytes, std::vector<KernelSignature> &kernels) {
  Reader r(bytes);
  for (KernelSignature &kernel : kernels)
    for (Parameter &p : kernel.parameters) {
      auto use = r.number<std::uint8_t>();
      if (use > std::uint8_t(SurfaceUse::Image))
        damaged("unknown use of a parameter");
      p.use = SurfaceUse(use);
    }
  if (!r.rest.empty())
    damaged("it tells uses of parameters that there are not");
}

/// What a file that is not ours seems to be, and what to do about it.
std::string foreignKind(std::span<const std::uint8_t> file) {
  auto startsWith = [&](std::string_view magic) {
    return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
  };
  if (file.empty())
    return "it is empty";
  if (startsWith("CISA"))
    return "it is common ISA of Intel's CM compiler; compile the kernel's source with PoCM's cmc";
  if (startsWith("\x7f"
                 "ELF"))
    return "it is an ELF file (a zebin, a library or an executable); compile the kernel's source with PoCM's cmc";
  if (startsWith(std::string_view("\x03\x02\x23\x07", 4)))
    return "it is SPIR-V; compile the kernel's source with PoCM's cmc";
  return "it does not start with PoCM's mark; compile the kernel's source with PoCM's cmc";
}

} // namespace

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::uint8_t b : bytes)
    hash = (hash ^ b) * 0x100000001b3u;
  return hash;
}

Bytes write(const Container &container) {
  std::vector<std::pair<SectionKind, Bytes>> sections;
  sections.emplace_back(Kernels, writeKernels(container.kernels));
  sections.emplace_back(Uses, writeUses(container.kernels));
  sections.emplace_back(Ir, container.ir);
  for (const TargetCode &code : container.code) {
    Writer w;
    w.text(code.target);
    w.append(code.code);
    sections.emplace_back(Code, std::move(w.bytes));
  }
  if (!container.data.empty())
    sections.emplace_back(Data, container.data);
  Writer body; // all that the checksum covers
  std::uint64_t offset = HeaderSize + sections.size() * SectionEntrySize, size = offset;
  for (auto &[kind, bytes] : sections)
    size += bytes.size();
  body.number(FormatVersion);
  body.number(std::uint32_t(sections.size()));
  body.number(size);
  for (auto &[kind, bytes] : sections) {
    body.number(std::uint32_t(kind));
    body.number(std::uint32_t(0));
    body.number(offset);
    body.number(std::uint64_t(bytes.size()));
    offset += bytes.size();
  }
  for (auto &[kind, bytes] : sections)
    body.append(bytes);
  Writer file;
  file.append(std::span(reinterpret_cast<const std::uint8_t *>(Magic), sizeof(Magic)));
  file.number(checksum(body.bytes));
  file.append(body.bytes);
  return std::move(file.bytes);
}

Container read(std::span<const std::uint8_t> file) {
  if (file.size() < sizeof(Magic) || std::memcmp(file.data(), Magic, sizeof(Magic)) != 0)
    throw Error("not a PoCM program: " + foreignKind(file));
  Reader header(file.subspan(sizeof(Magic)));
  auto sum = header.number<std::uint64_t>();
  std::span<const std::uint8_t> covered = header.rest;
  auto version = header.number<std::uint32_t>();
  if (version != FormatVersion)
    throw Error("the program file has format " + std::to_string(version) + ", this PoCM reads format " +
                std::to_string(FormatVersion) + "; compile the kernel again");
  auto sections = header.number<std::uint32_t>();
  if (header.number<std::uint64_t>() != file.size())
    damaged("it is longer or shorter than it says");
  if (sum != checksum(covered))
    damaged("its checksum is wrong");
  if (sections > header.rest.size() / SectionEntrySize)
    damaged("it promises more sections than it holds");
  Container container;
  for (std::uint32_t i = 0; i < sections; ++i) {
    auto kind = header.number<std::uint32_t>();
    header.number<std::uint32_t>();
    auto offset = header.number<std::uint64_t>();
    auto size = header.number<std::uint64_t>();
    if (offset > file.size() || size > file.size() - offset)
      damaged("a section lies outside the file");
    auto bytes = file.subspan(offset, size);
    if (kind == Kernels)
      container.kernels = readKernels(bytes);
    else if (kind == Uses)
      readUses(bytes, container.kernels);
    else if (kind == Ir)
      container.ir.assign(bytes.begin(), bytes.end());
    else if (kind == Data)
      container.data.assign(bytes.begin(), bytes.end());
    else if (kind == Code) {
      Reader r(bytes);
      std::string target = r.text();
      container.code.push_back({std::move(target), Bytes(r.rest.begin(), r.rest.end())});
    } // a section of a kind that came later is none of ours
  }
  return container;
}

} // namespace pocm::program

namespace pocm {

Program Program::load(std::span<const std::uint8_t> file) {
  return Inside::around<Program>(std::make_shared<const program::Container>(program::read(file)));
}

const std::vector<KernelSignature> &Program::kernels() const { return inner->kernels; }

const KernelSignature &Program::kernel(std::string_view name) const {
  std::string known;
  for (const KernelSignature &kernel : kernels()) {
    if (kernel.name == name)
      return kernel;
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  throw Error("no kernel '" + std::string(name) + "' in the program; it has: " + (known.empty() ? "none" : known));
}

} // namespace pocm
