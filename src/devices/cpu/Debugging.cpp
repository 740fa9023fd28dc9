//===- Debugging.cpp - Compiled kernels for debuggers and profilers ----------------===//
//
// A program made with -g keeps its lines through the code generator (codegen/cpu/LineTable.cpp).
//
//     (gdb) break linear_genx.cpp:12        hits in each CM thread
//     $ POCM_PERF_MAP=1 perf record cmrun linear_genx.cpp linear ...; perf report     names kernels
//     $ POCM_JITDUMP=/tmp perf record -k mono ...; perf inject --jit ...              and lines (JitDump.h)
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/Debugging.h"
#include "codegen/cpu/CodeGen.h"
#include "devices/cpu/JitDump.h"
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

/// What the object file's symbols call functions. All lie in one section.
static std::vector<CompiledFunction> functionsOf(const std::vector<char> &Object, std::uint64_t Entry,
                                                 const std::string &Kernel) {
  std::vector<CompiledFunction> Functions;
  auto File =
      object::ObjectFile::createObjectFile(MemoryBufferRef(StringRef(Object.data(), Object.size()), "kernel.o"));
  if (!File) {
    consumeError(File.takeError());
    return Functions;
  }
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
  for (CompiledFunction &F : Functions)
    F.address += Entry - EntryAt;
  return Functions;
}

void noteForProfilers(const std::vector<char> &Object, std::uint64_t Entry, const std::string &Kernel) {
  static const bool Mapped = !program::environment("POCM_PERF_MAP").empty(),
                    Dumped = !program::environment("POCM_JITDUMP").empty();
  if (!Mapped && !Dumped)
    return;
  const std::vector<CompiledFunction> Functions = functionsOf(Object, Entry, Kernel);
  if (Dumped)
    dumpForPerf(Functions, Object, Entry);
  std::string Map = "/tmp/perf-" + std::to_string(getpid()) + ".map"; // where perf looks
  std::FILE *Out = Mapped ? openForProfilers(Map, true) : nullptr;
  if (!Out)
    return;
  for (const CompiledFunction &F : Functions)
    std::fprintf(Out, "%llx %llx %s\n", static_cast<unsigned long long>(F.address),
                 static_cast<unsigned long long>(F.bytes), F.name.c_str());
  std::fclose(Out);
}

} // namespace pocm::cpu
