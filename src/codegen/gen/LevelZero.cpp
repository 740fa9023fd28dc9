//===- LevelZero.cpp - Gen code as a Level Zero program ("zebin") ----------------------------===//
//
// An ELF file with a section of code for each kernel, a symbol for each, and .ze_info: text
// that says where arguments, group sizes and local ids lie. LLVM's yaml2obj writes the file.
// (IGC/ZEBinWriter/zebin/spec)
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/GenTarget.h"
#include "pocm/gen.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr const char *Version = "1.20"; // of .ze_info
/// From DG2 on, a kernel's first instructions load its local ids, which the hardware can do as well: then it enters
/// behind them.
constexpr unsigned PerThreadLoadBytes = 128;

std::string hex(StringRef Bytes) { return toHex(Bytes, /*LowerCase=*/true); }

void payload(raw_ostream &Out, const GenKernel &Kernel, unsigned Base) {
  unsigned Index = 0;
  std::string Surfaces;
  raw_string_ostream Table(Surfaces);
  auto Entry = [&](const char *Type, unsigned Offset, unsigned Size) {
    Out << "      - arg_type: " << Type << "\n        offset: " << Offset << "\n        size: " << Size << "\n";
  };
  Out << "    payload_arguments:\n";
  for (const GenInput &I : Kernel.inputs) {
    switch (I.kind) {
    case GroupSizeInput:
      Entry("local_size", I.offset - Base, I.size);
      continue;
    case GroupCountInput:
      Entry("group_count", I.offset - Base, I.size);
      continue;
    case LocalIdInput:
      continue; // of each thread, below
    case SamplerInput:
      Entry("arg_bypointer", 0, 0);
      Out << "        addrmode: stateful\n        addrspace: sampler\n        access_type: readwrite\n        "
             "sampler_index: "
          << I.bindingIndex << "\n";
      break;
    case SurfaceInput:
      Entry("arg_bypointer", 0, 0);
      Out << "        addrmode: stateful\n        addrspace: " << (I.image || I.sampled ? "image" : "global")
          << "\n        access_type: readwrite\n";
      if (I.image || I.sampled)
        Out << "        image_type: " << (I.image ? "image_2d_media_block" : "image_2d") << "\n";
      Table << "      - bti_value: " << I.bindingIndex << "\n        arg_index: " << Index << "\n";
      break;
    default:
      Entry("arg_byvalue", I.offset - Base, I.size);
    }
    Out << "        arg_index: " << Index++ << "\n";
  }
  if (!Surfaces.empty())
    Out << "    binding_table_indices:\n" << Surfaces;
}

std::string infoOf(const std::vector<GenKernel> &Kernels, const gen::GenTarget &Target) {
  std::string Text;
  raw_string_ostream Out(Text);
  Out << "---\nversion: '" << Version << "'\nkernels:\n";
  for (const GenKernel &Kernel : Kernels) {
    bool Local = any_of(Kernel.inputs, [](const GenInput &I) { return I.kind == LocalIdInput; });
    Out << "  - name: " << Kernel.name << "\n    execution_env:\n";
    if (Kernel.hasBarrier)
      Out << "      barrier_count: 1\n";
    Out << "      grf_count: " << Kernel.registersThere << "\n      simd_size: 1\n";
    if (Local && Target.has(gen::LoadsLocalIds))
      Out << "      offset_to_skip_per_thread_data_load: " << PerThreadLoadBytes << "\n";
    if (Kernel.slmBytes)
      Out << "      slm_size: " << alignTo(Kernel.slmBytes, 1024) << "\n";
    if (!Kernel.inputs.empty())
      payload(Out, Kernel, Local ? 2 * Target.GrfBytes : Target.GrfBytes);
    if (Local)
      Out << "    per_thread_payload_arguments:\n      - arg_type: packed_local_ids\n        offset: 0\n        size: "
             "6\n";
    if (unsigned Scratch = Kernel.frameBytes + Kernel.spillBytes)
      Out << "    per_thread_memory_buffers:\n      - type: scratch\n        usage: single_space\n        size: "
          << std::max<uint64_t>(1024, PowerOf2Ceil(Scratch)) << "\n        slot: 0\n";
  }
  Out << "...\n";
  return Text;
}

} // namespace

std::vector<std::uint8_t> levelZeroProgram(const std::vector<GenKernel> &Kernels, const std::string &TargetName) {
  const gen::GenTarget &Target = gen::genTargetNamed(TargetName);
  std::string Yaml;
  raw_string_ostream Out(Yaml);
  Out << "--- !ELF\nFileHeader:\n  Class: ELFCLASS64\n  Data: ELFDATA2LSB\n  Type: ET_REL\n  Machine: 205\nSections:\n";
  for (const GenKernel &Kernel : Kernels)
    Out << "  - Name: '.text." << Kernel.name << "'\n    Type: SHT_PROGBITS\n    Flags: [ SHF_ALLOC, SHF_EXECINSTR ]\n"
        << "    AddressAlign: 64\n    Content: '" << hex(toStringRef(Kernel.code)) << "'\n";
  std::string Info = infoOf(Kernels, Target);
  auto Number = [](uint32_t N) { return std::string(reinterpret_cast<const char *>(&N), sizeof(N)); };
  constexpr uint32_t Metadata = 0x00200000;
  Out << "  - Name: .ze_info\n    Type: 0xFF000011\n    Content: '" << hex(Info) << "'\n"
      << "  - Name: .note.intelgt.compat\n    Type: SHT_NOTE\n    AddressAlign: 4\n    Notes:\n"
      << "      - { Name: IntelGT, Desc: '" << hex(Number(Target.Core)) << "', Type: 2 }\n"
      << "      - { Name: IntelGT, Desc: '" << hex(Number(Metadata)) << "', Type: 3 }\n"
      << "      - { Name: IntelGT, Desc: '" << hex(StringRef(Version, 5)) << "', Type: 4 }\nSymbols:\n";
  for (const GenKernel &Kernel : Kernels)
    Out << "  - { Name: '" << Kernel.name << "', Type: STT_FUNC, Section: '.text." << Kernel.name
        << "', Binding: STB_LOCAL }\n";
  yaml::Input Input(Yaml);
  SmallString<0> File;
  raw_svector_ostream Stream(File);
  std::string Problem;
  if (!yaml::convertYAML(Input, Stream, [&](const Twine &What) { Problem = What.str(); }))
    throw Error("cannot write a Level Zero program: " + Problem);
  return {File.begin(), File.end()};
}

} // namespace pocm
