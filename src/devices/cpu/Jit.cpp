//===- Jit.cpp - Object files in this process -----------------------------------===//
#include "devices/cpu/Jit.h"
#include "codegen/cpu/CodeGen.h"
#include "devices/cpu/MediaEdges.h"
#include "pocm/pocm.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"
#include <atomic>
#include <cstring>

using namespace llvm;

namespace pocm::cpu {
namespace {

void check(llvm::Error Problem) {
  if (Problem)
    throw Error("the JIT linker refuses: " + toString(std::move(Problem)));
}

template <class T> T check(Expected<T> Value) {
  check(Value.takeError());
  return std::move(*Value);
}

/// What compiled kernels may call.
orc::SymbolMap helpers(orc::LLJIT &Jit) {
  auto Callable = [](auto *Function) {
    return orc::ExecutorSymbolDef(orc::ExecutorAddr::fromPtr(Function),
                                  JITSymbolFlags::Exported | JITSymbolFlags::Callable);
  };
  return {{Jit.mangleAndIntern(MediaReadHelper), Callable(&readBlockOverEdge)},
          {Jit.mangleAndIntern(MediaWriteHelper), Callable(&writeBlockOverEdge)},
          {Jit.mangleAndIntern("memcpy"), Callable(&std::memcpy)},
          {Jit.mangleAndIntern("memset"), Callable(&std::memset)}};
}

} // namespace

Jit::Jit() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  orc::LLJITBuilder Builder;
  Builder.setPlatformSetUp(orc::setUpInactivePlatform); // kernels have no static constructors
  Builder.setLinkProcessSymbolsByDefault(false);
  jit = check(Builder.create());
}

Jit::~Jit() = default;

Walk Jit::link(const std::vector<char> &Object) {
  static std::atomic<unsigned> Serial{0};
  auto Created = jit->createJITDylib("kernel" + std::to_string(Serial++));
  check(Created.takeError());
  orc::JITDylib &Library = *Created;
  check(Library.define(orc::absoluteSymbols(helpers(*jit))));
  auto Buffer = MemoryBuffer::getMemBufferCopy(StringRef(Object.data(), Object.size()), "kernel.o");
  check(jit->addObjectFile(Library, std::move(Buffer)));
  return check(jit->lookup(Library, entrySymbol)).toPtr<Walk>();
}

} // namespace pocm::cpu
