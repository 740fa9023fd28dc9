// A function of an IR test computes the same before and after a pass: both are called on the cpu device, with the
// arguments of the test's run-lines (RunLine.h), and the bytes of their results are compared. Which NaN a float is does
// not matter.
//
//     ; RUN: cm-opt --march=skl --passes=gen-division %s | run-lines %s
//     ; run: quotient(<7, -7, 0, 5>, 2) == 03000000 fdffffff 00000000 02000000
//     ; run: quotient(random, -20..20)
//
//     run-lines BEFORE [AFTER] [--calls N] [--plain] [--plain-after]
//         prints "2 run-lines, 101 calls"; AFTER is standard input by default
//
// On the cpu device all passes of CPUs run, so for one of those BEFORE is code that LLVM makes alone (--plain):
//
//     ; RUN: cm-opt --march=cpu --passes=cpu-divisions %s | run-lines --plain %s
//     ; run: quotient(random, random) as guarded
//
// Of passes that leave what programs may not have, such as gathers, or what the device would flush, AFTER is, too
// (--plain-after).
//
// A function becomes a kernel that loads the arguments from memory, calls it, and stores its result there.
#include "PlainCode.h"
#include "RunLine.h"
#include "ir/Bitcode.h"
#include "ir/Kernel.h"
#include "passes/Passes.h"
#include "program/Container.h"
#include "program/OwnProcess.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace pocm;
using namespace pocm::runlines;

namespace {

constexpr unsigned MemoryBytes = 4096;

/// How an argument or a result lies in memory: predicates are bytes of 0 and 1, integers of other bits those of the
/// next size.
Type *inMemory(Type *T) {
  const unsigned Bits = T->getScalarSizeInBits();
  return T->isIntOrIntVectorTy() ? T->getWithNewBitWidth(std::max(8u, unsigned(PowerOf2Ceil(Bits)))) : T;
}
unsigned elementBytes(Type *T) { return inMemory(T)->getScalarSizeInBits() / 8; }
unsigned bytesOf(Type *T) { return unsigned(inMemory(T)->getPrimitiveSizeInBits() / 8); }

/// A function of a test, to be called.
class Callee {
public:
  Callee(StringRef Text, const RunLine &Line, StringRef Name, bool IsPlain)
      : Line(Line), M(readText(Text, "text", Context)) {
    Function *F = M->getFunction(Name);
    if (!F || F->isDeclaration())
      throw std::runtime_error("there is no function '" + Name.str() + "'");
    Type = F->getFunctionType();
    if (Type->getNumParams() != Line.Arguments.size())
      throw std::runtime_error("'" + Line.Text + "' has " + std::to_string(Line.Arguments.size()) +
                               " arguments, and the function " + std::to_string(Type->getNumParams()));
    makeKernel(*F);
    if (IsPlain) {
      Plain.emplace(*M, KernelName);
      return;
    }
    program::Container Container;
    Container.kernels = {{"k",
                          {{ParameterKind::Surface, "SurfaceIndex", 1, 4},
                           {ParameterKind::General, "svmptr_t", 1, 8},
                           {ParameterKind::General, "svmptr_t", 1, 8}}}};
    Container.ir = writeBitcode(*M);
    program::noteOwn(Container.ir);
    K = cpu().createKernel(Program::load(program::write(Container)), "k");
  }

  /// The arguments' bytes for a call.
  std::string arguments(std::mt19937_64 &Random) const {
    std::string Bytes(Results, '\0');
    for (auto [Index, Argument] : enumerate(Line.Arguments)) {
      llvm::Type *T = Type->getParamType(unsigned(Index));
      Bytes.resize(alignTo(Bytes.size(), Alignment));
      if (Argument == "memory")
        continue;
      for (const APInt &Element : elementsOf(Argument, *T, Random)) {
        const APInt Wide = Element.zextOrTrunc(8 * elementBytes(T));
        Bytes.append(reinterpret_cast<const char *>(Wide.getRawData()), elementBytes(T));
      }
    }
    return Bytes;
  }

  /// The result's bytes, and those of the memory behind them.
  std::string call(const std::string &Arguments, const std::string &Memory) {
    std::string Block = Arguments, Addressed = Memory, OfSurface = Memory;
    const void *BlockAddress = Block.data(), *Address = Addressed.data();
    if (Plain) {
      (*Plain)(BlockAddress, Address);
      return Block.substr(0, resultBytes()) + OfSurface + Addressed;
    }
    Buffer Surface = cpu().createBuffer(MemoryBytes);
    Surface.write(Memory.data(), MemoryBytes);
    K->setArgument(0, Surface);
    K->setArgument(1, &BlockAddress, 8);
    K->setArgument(2, &Address, 8);
    cpu().enqueue(*K, {1, 1}).wait();
    Surface.read(OfSurface.data(), MemoryBytes);
    return Block.substr(0, resultBytes()) + OfSurface + Addressed;
  }
  unsigned resultBytes() const { return Type->getReturnType()->isVoidTy() ? 0 : bytesOf(Type->getReturnType()); }
  unsigned argumentsAt() const { return Results; }

  /// Where two results differ.
  std::optional<size_t> differenceOf(StringRef A, StringRef B) const {
    if (A == B)
      return std::nullopt;
    llvm::Type *T = Type->getReturnType();
    const unsigned Size = T->isVoidTy() ? 1 : elementBytes(T);
    auto IsNan = [&](StringRef Bytes) {
      APInt Bits(8 * Size, 0);
      for (unsigned K = 0; K < Size; ++K)
        Bits.insertBits(std::uint8_t(Bytes[K]), 8 * K, 8);
      return APFloat(T->getScalarType()->getFltSemantics(), Bits).isNaN();
    };
    for (size_t At = 0; At < A.size(); At += At < resultBytes() ? Size : 1) {
      const StringRef X = A.substr(At, At < resultBytes() ? Size : 1), Y = B.substr(At, X.size());
      if (X != Y && !(At < resultBytes() && T->isFPOrFPVectorTy() && IsNan(X) && IsNan(Y)))
        return At;
    }
    return std::nullopt;
  }

private:
  static constexpr unsigned Alignment = 64;
  const RunLine &Line;
  LLVMContext Context;
  std::unique_ptr<Module> M;
  FunctionType *Type = nullptr;
  unsigned Results = 0; ///< Bytes in front of the arguments.
  std::optional<Kernel> K;
  std::optional<PlainCode> Plain; ///< Instead of the kernel.
  static constexpr const char *KernelName = "run-line";

  static Device &cpu() {
    static Device Opened = Device::open("cpu", {.threads = 1, .cpu = "native", .timeout = 10});
    return Opened;
  }

  void makeKernel(Function &F) {
    Type = F.getFunctionType();
    Results = unsigned(alignTo(std::max(1u, resultBytes()), Alignment));
    auto *I32 = llvm::Type::getInt32Ty(Context), *I64 = llvm::Type::getInt64Ty(Context);
    Function *Entry = Function::Create(FunctionType::get(llvm::Type::getVoidTy(Context), {I32, I64, I64}, false),
                                       GlobalValue::ExternalLinkage, KernelName, *M);
    Entry->setCallingConv(CallingConv::SPIR_FUNC);
    Entry->addFnAttr("CMGenxMain");
    if (F.hasFnAttribute(FloatControlAttribute))
      Entry->addFnAttr(F.getFnAttribute(FloatControlAttribute));
    IRBuilder<> B(BasicBlock::Create(Context, "", Entry));
    std::uint64_t At = Results;
    auto Place = [&](std::uint64_t Offset) {
      return B.CreateIntToPtr(B.CreateAdd(Entry->getArg(1), B.getInt64(Offset)), B.getPtrTy());
    };
    SmallVector<Value *, 8> Arguments;
    for (auto [Index, Text] : enumerate(Line.Arguments)) {
      llvm::Type *T = Type->getParamType(unsigned(Index));
      At = alignTo(At, Alignment);
      if (Text == "memory") {
        Arguments.push_back(T->isPointerTy() ? B.CreateIntToPtr(Entry->getArg(2), T) : Entry->getArg(0));
        continue;
      }
      Value *Loaded = B.CreateAlignedLoad(inMemory(T), Place(At), Align(1));
      Arguments.push_back(inMemory(T) == T ? Loaded : B.CreateTrunc(Loaded, T));
      At += bytesOf(T);
    }
    CallInst *Call = B.CreateCall(&F, Arguments);
    Call->setCallingConv(F.getCallingConv());
    if (!Call->getType()->isVoidTy()) {
      Value *Result = Call;
      if (llvm::Type *T = inMemory(Call->getType()); T != Call->getType())
        Result = B.CreateZExt(Call, T);
      B.CreateAlignedStore(Result, Place(0), Align(1));
    }
    B.CreateRetVoid();
    InlineFunctionInfo Info;
    if (!InlineFunction(*Call, Info).isSuccess())
      throw std::runtime_error("'" + Line.Name + "' cannot be called");
    setKernels(*M, {{Entry,
                     "k",
                     {{ParameterKind::Surface, "SurfaceIndex", 1},
                      {ParameterKind::General, "svmptr_t", 1},
                      {ParameterKind::General, "svmptr_t", 1}}}});
    for (Function &Other : *M)
      if (!Other.isDeclaration() && &Other != Entry)
        Other.setLinkage(GlobalValue::InternalLinkage);
    runLlvmPasses(*M, "globaldce");
  }
};

/// What is wrong with one run-line; empty when nothing is.
std::string problemOf(const RunLine &Line, StringRef Before, StringRef After, unsigned Calls, bool Plain,
                      bool PlainAfter) {
  Callee Original(Before, Line, Line.Plain.empty() ? Line.Name : Line.Plain, Plain);
  Callee Changed(After, Line, Line.Name, PlainAfter);
  std::mt19937_64 Random(1);
  for (unsigned Call = 0; Call < Calls; ++Call) {
    std::string Memory(MemoryBytes, '\0');
    std::generate(Memory.begin(), Memory.end(), [&] { return char(Random()); });
    const std::string Arguments = Original.arguments(Random);
    const std::string Want = Original.call(Arguments, Memory), Result = Changed.call(Arguments, Memory);
    const StringRef Value = StringRef(Want).take_front(Original.resultBytes());
    if (Line.Bytes && (Value.size() != Line.Bytes->size() || Original.differenceOf(Value, *Line.Bytes)))
      return "gives " + toHex(Value, true) + " before";
    if (std::optional<size_t> At = Original.differenceOf(Want, Result))
      return "call " + std::to_string(Call) + " differs at byte " + std::to_string(*At) + ": " +
             toHex(StringRef(Result).substr(*At, 16), true) + ", not " + toHex(StringRef(Want).substr(*At, 16), true) +
             ", of arguments " + toHex(StringRef(Arguments).drop_front(Original.argumentsAt()), true);
  }
  return "";
}

} // namespace

int main(int Count, char **Words) {
  std::vector<std::string> Files;
  unsigned Calls = 100, Made = 0, Wrong = 0;
  bool Plain = false, PlainAfter = false;
  for (int K = 1; K < Count; ++K)
    if (StringRef(Words[K]) == "--plain")
      Plain = true;
    else if (StringRef(Words[K]) == "--plain-after")
      PlainAfter = true;
    else if (StringRef(Words[K]) != "--calls")
      Files.push_back(Words[K]);
    else if (++K == Count || StringRef(Words[K]).getAsInteger(10, Calls))
      Files.clear();
  if (Files.empty() || Files.size() > 2) {
    errs() << "usage: run-lines BEFORE [AFTER] [--calls N] [--plain] [--plain-after]\n";
    return 2;
  }
  auto Before = MemoryBuffer::getFile(Files[0]);
  auto After = MemoryBuffer::getFileOrSTDIN(Files.size() == 2 ? Files[1] : "-");
  if (!Before || !After) {
    errs() << "run-lines: cannot read '" << (Before ? Files.back() : Files.front()) << "'\n";
    return 2;
  }
  try {
    const std::vector<RunLine> Lines = runLinesOf((*Before)->getBuffer());
    for (const RunLine &Line : Lines) {
      const unsigned Wanted = Line.varies() ? Calls : 1;
      if (std::string Problem =
              problemOf(Line, (*Before)->getBuffer(), (*After)->getBuffer(), Wanted, Plain, PlainAfter);
          !Problem.empty())
        ++Wrong, outs() << Line.Text << ": " << Problem << "\n";
      Made += Wanted;
    }
    outs() << Lines.size() << " run-lines, " << Made << " calls\n";
    return Wrong != 0 || Lines.empty();
  } catch (const std::exception &Problem) {
    outs() << "run-lines: " << Problem.what() << "\n";
    return 1;
  }
}
