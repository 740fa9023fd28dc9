//===- Debugging.cpp - Compiled kernels for debuggers and profilers ----------------===//
//
// A program made with -g keeps its lines through the code generator (codegen/cpu/LineTable.cpp).
//
//     (gdb) break linear_genx.cpp:12        hits in each CM thread
//     $ POCM_PERF_MAP=1 perf record cmrun linear_genx.cpp linear ...; perf report     names kernels
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/Debugging.h"
#include "codegen/cpu/CodeGen.h"
#include "program/DiskCache.h"
#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Object/ELFObjectFile.h"
#include <cstdio>
#include <unistd.h>

using namespace llvm;

namespace pocm::cpu {

void registerWithDebuggers(orc::LLJIT &Jit) {
  auto *Linker = dyn_cast<orc::ObjectLinkingLayer>(&Jit.getObjLinkingLayer());
  if (!Linker)
    return;
  Error Problem = Error::success();
  auto Plugin = std::make_shared<orc::ELFDebugObjectPlugin>(Jit.getExecutionSession(), /*RequireDebugSections=*/true,
                                                            /*AutoRegisterCode=*/true, Problem);
  if (!Problem)
    Linker->addPlugin(std::move(Plugin));
  consumeError(std::move(Problem)); // without it kernels run all the same
}

void noteForProfilers(const std::vector<char> &Object, std::uint64_t Entry, const std::string &Kernel) {
  static const bool Wanted = !program::environment("POCM_PERF_MAP").empty();
  if (!Wanted)
    return;
  auto File =
      object::ObjectFile::createObjectFile(MemoryBufferRef(StringRef(Object.data(), Object.size()), "kernel.o"));
  if (!File)
    return consumeError(File.takeError());
  struct Function {
    std::string Name;
    std::uint64_t Address, Size;
  };
  std::vector<Function> Functions;
  std::uint64_t EntryAt = 0;
  for (const object::SymbolRef &Symbol : (*File)->symbols()) {
    auto Type = Symbol.getType();
    auto Name = Symbol.getName();
    auto Address = Symbol.getAddress();
    if (!Type || !Name || !Address) {
      consumeError(Type.takeError());
      consumeError(Name.takeError());
      consumeError(Address.takeError());
      continue;
    }
    if (*Type != object::SymbolRef::ST_Function)
      continue;
    bool IsEntry = *Name == entrySymbol;
    if (IsEntry)
      EntryAt = *Address;
    Functions.push_back(
        {IsEntry ? Kernel : Kernel + "." + Name->str(), *Address, object::ELFSymbolRef(Symbol).getSize()});
  }
  std::string Map = "/tmp/perf-" + std::to_string(getpid()) + ".map"; // where perf looks
  std::FILE *Out = std::fopen(Map.c_str(), "a");
  if (!Out)
    return;
  for (const Function &F : Functions) // all lie in one section
    std::fprintf(Out, "%llx %llx %s\n", static_cast<unsigned long long>(Entry + F.Address - EntryAt),
                 static_cast<unsigned long long>(F.Size), F.Name.c_str());
  std::fclose(Out);
}

} // namespace pocm::cpu
