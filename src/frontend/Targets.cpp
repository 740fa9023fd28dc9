//===- Targets.cpp - Targets by name, and what each has ----------------------------===//
#include "frontend/Targets.h"
#include "pocm/pocm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace pocm {
namespace {

struct TargetRow {
  StringRef Names;
  unsigned Genx;
  StringRef Macro;
  unsigned Major, Minor, Revision;
  StringRef name() const { return Names.split(' ').first; }
};
constexpr TargetRow Targets[] = {
#define TARGET(names, genx, macro, major, minor, revid) {names, genx, macro, major, minor, revid},
#define FEATURE(macro, condition)
#define FEATURE_OF_WIDE_REGISTERS(macro, condition)
#define FIXED_FUNCTION(macro, condition)
#include "frontend/Targets.def"
};

/// What the target `cpu` makes of a feature: has it, has it without telling #if, or lacks it.
enum class OnCpu { Has, HasUntold, Lacks };
struct FeatureRow {
  StringRef Macro;
  bool (*Has)(unsigned genx, unsigned major, unsigned minor);
  OnCpu Cpu;
};
constexpr FeatureRow Features[] = {
#define TARGET(names, genx, macro, major, minor, revid)
#define FEATURE_ROW(macro, condition, cpu)                                                                             \
  {macro,                                                                                                              \
   []([[maybe_unused]] unsigned genx, [[maybe_unused]] unsigned major, [[maybe_unused]] unsigned minor) -> bool {      \
     return condition;                                                                                                 \
   },                                                                                                                  \
   OnCpu::cpu},
#define FEATURE(macro, condition) FEATURE_ROW(macro, condition, Has)
#define FEATURE_OF_WIDE_REGISTERS(macro, condition) FEATURE_ROW(macro, condition, HasUntold)
#define FIXED_FUNCTION(macro, condition) FEATURE_ROW(macro, condition, Lacks)
#include "frontend/Targets.def"
#undef FEATURE_ROW
};

constexpr StringRef Cpu = "cpu";
constexpr unsigned WideRegisters = 1280; // CM_GENX from which registers have 64 bytes

const TargetRow *find(StringRef Name) {
  std::string Lower = Name.lower();
  for (const TargetRow &T : Targets) {
    SmallVector<StringRef, 8> Spellings;
    T.Names.split(Spellings, ' ');
    if (is_contained(Spellings, Lower) || (T.name() != Cpu && std::to_string(T.Genx) == Lower))
      return &T;
    // An IP version may have a revision behind it: 12.60.7.
    for (StringRef Spelling : Spellings)
      if (Spelling.contains('.') && StringRef(Lower).starts_with((Spelling + ".").str()))
        return &T;
  }
  return nullptr;
}

} // namespace

std::vector<std::string> targets() {
  std::vector<std::string> Names;
  for (const TargetRow &T : Targets)
    Names.push_back(T.name() == Cpu ? Cpu.str() : T.name().upper());
  return Names;
}

bool isTarget(const std::string &Name) { return find(Name) != nullptr; }

std::string targetNamed(const std::string &Name) {
  const TargetRow *T = find(Name);
  return !T ? "" : T->name() == Cpu ? Cpu.str() : T->name().upper();
}

std::vector<std::string> frontend::targetMacros(const CompileOptions &Options) {
  const TargetRow *T = find(Options.target);
  if (!T)
    throw Error("unknown target '" + Options.target + "'; targets are " + join(targets(), ", ") +
                ", their numbers (1280), IP versions (12.60) and PCI ids (0x56a0)");
  bool IsCpu = T->name() == Cpu;
  bool Wide = !IsCpu && T->Genx >= WideRegisters;
  unsigned Bytes = Wide ? 64 : 32;
  std::vector<std::string> Macros{"__CM", "__CMC", "__INTEL_MDF=701", "__INTEL_CM=701"};
  auto Define = [&](StringRef Macro, unsigned Value) { Macros.push_back((Macro + "=" + Twine(Value)).str()); };
  Define("CM_GENX", T->Genx);
  Macros.push_back("CM_GENX_REVID=" + (Options.revision.empty() ? std::to_string(T->Revision) : Options.revision));
  Define(T->Macro, 1);
  Define("__CM_INTEL_TARGET_MAJOR", T->Major);
  Define("__CM_INTEL_TARGET_MINOR", T->Minor);
  Define("__CM_INTEL_TARGET_REVISION", T->Revision);
  Define("CM_GRF_WIDTH", Bytes * 8);
  constexpr unsigned Kilobyte = 1024;
  unsigned Slm = T->Genx >= 1380 ? 384 : T->Genx >= 1360 ? 192 : Wide || IsCpu ? 128 : 64;
  Define("CM_MAX_SLM_SIZE", (Options.slmKilobytes ? Options.slmKilobytes : Slm) * Kilobyte);
  Define("POCM_ON_CPU", IsCpu);
  // The cpu device has no register file that objects must fit. What has no name, as products of bytes in int, may be
  // narrowed to what does.
  constexpr unsigned MostBytes = 32769, Narrowed = 4;
  const unsigned RegisterFile = IsCpu ? MostBytes : Options.registers * Bytes;
  Define("POCM_REGISTER_FILE", RegisterFile);
  Define("POCM_LARGEST_VALUE", std::min(MostBytes, Narrowed * RegisterFile));
  Macros.push_back("POCM_TARGET=\"" + (IsCpu ? Cpu.str() : T->name().upper()) + "\"");
  for (const FeatureRow &F : Features) {
    bool Has = IsCpu ? F.Cpu != OnCpu::Lacks : F.Has(T->Genx, T->Major, T->Minor);
    Define(("POCM_" + F.Macro).str(), Has);
    Macros.push_back((F.Macro + "_CONTROL=CM_HAS_CONTROL(" + (Has ? "true" : "false") + ")").str());
    if (Has && !(IsCpu && F.Cpu == OnCpu::HasUntold))
      Define(F.Macro, 1);
  }
  return Macros;
}

} // namespace pocm
