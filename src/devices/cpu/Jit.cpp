//===- Jit.cpp - Object files in this process -----------------------------------===//
#include "devices/cpu/Jit.h"
#include "codegen/cpu/CodeGen.h"
#include "codegen/helpers/Helpers.h"
#include "devices/cpu/Debugging.h"
#include "devices/cpu/Groups.h"
#include "devices/cpu/Guard.h"
#include "pocm/pocm.h"
#include "program/Compiling.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

// Of the C compiler's runtime: conversions that CPUs without instructions for half call.
extern "C" {
_Float16 __truncsfhf2(float);
_Float16 __truncdfhf2(double);
float __extendhfsf2(_Float16);
}

// Of the C library's vector functions (codegen/cpu/VectorMath.cpp); the types stand in no header.
#if defined(__x86_64__) && defined(__linux__)
#define VECTOR_MATH_1(name) void _ZGVbN4v_##name##f(), _ZGVdN8v_##name##f(), _ZGVeN16v_##name##f();
#define VECTOR_MATH_2(name) void _ZGVbN4vv_##name##f(), _ZGVdN8vv_##name##f(), _ZGVeN16vv_##name##f();
#define VECTOR_MATH(name, operands) VECTOR_MATH_##operands(name)
extern "C" {
#include "codegen/cpu/VectorMath.def"
}
#undef VECTOR_MATH_1
#undef VECTOR_MATH_2
#endif

using namespace llvm;

namespace pocm::cpu {
namespace {

#if defined(__x86_64__) && defined(__linux__)
struct VectorMath {
  const char *name;
  void (*function)();
};
const VectorMath vectorMath[] = {
#define VECTOR_MATH_OF(symbol) {#symbol, symbol},
#define VECTOR_MATH_1(name)                                                                                            \
  VECTOR_MATH_OF(_ZGVbN4v_##name##f) VECTOR_MATH_OF(_ZGVdN8v_##name##f) VECTOR_MATH_OF(_ZGVeN16v_##name##f)
#define VECTOR_MATH_2(name)                                                                                            \
  VECTOR_MATH_OF(_ZGVbN4vv_##name##f) VECTOR_MATH_OF(_ZGVdN8vv_##name##f) VECTOR_MATH_OF(_ZGVeN16vv_##name##f)
#define VECTOR_MATH(name, operands) VECTOR_MATH_##operands(name)
#include "codegen/cpu/VectorMath.def"
};
#endif

void check(llvm::Error Problem) {
  if (Problem)
    throw Error("the JIT linker refuses: " + toString(std::move(Problem)));
}

template <class T> T check(Expected<T> Value) {
  check(Value.takeError());
  return std::move(*Value);
}

/// Throws Error where there is no memory for linking that many bytes: to begin without would leave a session behind.
void checkRoom(std::size_t Bytes) {
  constexpr std::size_t Work = 4u << 20, Copies = 8;
  const std::size_t Room = Work + Copies * Bytes;
  void *Place = mmap(nullptr, Room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Place == MAP_FAILED)
    throw Error("there is no memory to link code in: that takes " + std::to_string(Room >> 20) + " MiB");
  munmap(Place, Room);
}

/// Makes LLVM ready, once for the process. When it does not come back from that, its locks are held for ever.
void beginLlvm() {
  static std::mutex Lock;
  static enum { New, Left, Ready } State = New;
  std::lock_guard Guard(Lock);
  if (State == Ready)
    return;
  if (State == Left)
    throw Error(
        "LLVM did not come back when this process used it first, without enough memory; start the process anew");
  checkRoom(0);
  State = Left;
  callGuarded("begin", initializeLlvm);
  State = Ready;
}

/// What compiled kernels may call.
orc::SymbolMap helpers(orc::LLJIT &Jit) {
  auto Callable = [](auto *Function) {
    return orc::ExecutorSymbolDef(orc::ExecutorAddr::fromPtr(Function),
                                  JITSymbolFlags::Exported | JITSymbolFlags::Callable);
  };
  orc::SymbolMap Symbols;
  // What LLVM calls, lane by lane, where the CPU has no instruction for it.
#define MATH_1(name)                                                                                                   \
  Symbols[Jit.mangleAndIntern(#name)] = Callable(static_cast<double (*)(double)>(&::name));                            \
  Symbols[Jit.mangleAndIntern(#name "f")] = Callable(static_cast<float (*)(float)>(&::name##f));
#define MATH_2(name)                                                                                                   \
  Symbols[Jit.mangleAndIntern(#name)] = Callable(static_cast<double (*)(double, double)>(&::name));                    \
  Symbols[Jit.mangleAndIntern(#name "f")] = Callable(static_cast<float (*)(float, float)>(&::name##f));
  // clang-format off
  MATH_1(floor) MATH_1(ceil) MATH_1(trunc) MATH_1(roundeven) MATH_1(nearbyint) MATH_1(exp2) MATH_1(log2) MATH_1(sin) MATH_1(cos)
  MATH_1(asin) MATH_1(acos) MATH_1(atan) MATH_1(tanh) MATH_1(sqrt) MATH_2(fmod) MATH_2(pow) MATH_2(fmin) MATH_2(fmax)
  // clang-format on
#undef MATH_1
#undef MATH_2
  // What is called rarely: other helpers are part of the kernel (codegen/cpu/CpuSurfaces.h).
#define HELPER_Rare(symbol) Symbols[Jit.mangleAndIntern(#symbol)] = Callable(&symbol);
#define HELPER_Called(symbol)
#define HELPER_Inlined(symbol)
#define HELPER(id, symbol, use) HELPER_##use(symbol)
#include "codegen/helpers/Helpers.def"
#undef HELPER_Rare
#undef HELPER_Called
#undef HELPER_Inlined
          const orc::SymbolMap Others{{Jit.mangleAndIntern(FrameHelper), Callable(&GroupRunner::threadFrame)},
                                      {Jit.mangleAndIntern(FinishHelper), Callable(&GroupRunner::finish)},
                                      {Jit.mangleAndIntern(ArriveHelper), Callable(&GroupRunner::namedArrive)},
                                      {Jit.mangleAndIntern("__truncsfhf2"), Callable(&__truncsfhf2)},
                                      {Jit.mangleAndIntern("__truncdfhf2"), Callable(&__truncdfhf2)},
                                      {Jit.mangleAndIntern("__extendhfsf2"), Callable(&__extendhfsf2)},
                                      {Jit.mangleAndIntern("sincosf"), Callable(&::sincosf)},
                                      {Jit.mangleAndIntern("sincos"), Callable(&::sincos)},
                                      {Jit.mangleAndIntern("memcpy"), Callable(&std::memcpy)},
                                      {Jit.mangleAndIntern("memmove"), Callable(&std::memmove)},
                                      {Jit.mangleAndIntern("memset"), Callable(&std::memset)}};
  Symbols.insert(Others.begin(), Others.end());
#if defined(__x86_64__) && defined(__linux__)
  for (auto [Name, Function] : vectorMath)
    Symbols[Jit.mangleAndIntern(Name)] = Callable(Function);
#endif
  return Symbols;
}

} // namespace

Jit::Jit(std::vector<Helper> Added) : more(std::move(Added)) {
  withSession([] {});
}

Jit::~Jit() {
  pocm::Compiling Working;
  try {
    if (session)
      withSession([this] { session.reset(); });
  } catch (...) { // no memory to take it apart
    (void)session.release();
  }
}

/// Does some of the linker's work, with a session.
void Jit::withSession(const std::function<void()> &Work) {
  beginLlvm();
  bool Whole = true;
  try {
    callGuarded(
        "link code",
        [&] {
          if (!session)
            beginSession();
          Work();
        },
        Whole);
  } catch (...) {
    if (!Whole)
      (void)session.release();
    throw;
  }
}

void Jit::beginSession() {
  orc::LLJITBuilder Builder;
  Builder.setPlatformSetUp(orc::setUpInactivePlatform); // kernels have no static constructors
  Builder.setLinkProcessSymbolsByDefault(false);
  session = check(Builder.create());
  session->getExecutionSession().setErrorReporter([to = reported](llvm::Error Problem) {
    *to += (to->empty() ? "" : "; ") + toString(std::move(Problem)); // of what the answer says only that it failed
  });
  registerWithDebuggers(*session);
}

Jit::Linked Jit::link(const std::vector<char> &Object, const std::string &Kernel) {
  checkRoom(Object.size());
  Linked Done{};
  withSession([&] { Done = linkHere(Object, Kernel); });
  return Done;
}

Jit::Linked Jit::linkHere(const std::vector<char> &Object, const std::string &Kernel) {
  static std::atomic<unsigned> Serial{0};
  auto Created = session->createJITDylib("kernel" + std::to_string(Serial++));
  check(Created.takeError());
  orc::JITDylib &Library = *Created;
  orc::SymbolMap Symbols = helpers(*session);
  for (const Helper &H : more)
    Symbols[session->mangleAndIntern(H.name)] = {orc::ExecutorAddr::fromPtr(H.function),
                                                 JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  check(Library.define(orc::absoluteSymbols(std::move(Symbols))));
  auto Buffer = MemoryBuffer::getMemBufferCopy(StringRef(Object.data(), Object.size()), "kernel.o");
  check(session->addObjectFile(Library, std::move(Buffer)));
  reported->clear();
  auto Found = session->lookup(Library, entrySymbol);
  if (!Found && !reported->empty()) {
    consumeError(Found.takeError());
    throw Error("the JIT linker refuses: " + *reported);
  }
  orc::ExecutorAddr Entry = check(std::move(Found));
  noteForProfilers(Object, Entry.getValue(), Kernel);
  return {Entry.toPtr<Walk>(), check(session->lookup(Library, infoSymbol)).toPtr<const KernelInfo *>()};
}

} // namespace pocm::cpu
