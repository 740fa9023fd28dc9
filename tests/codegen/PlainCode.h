// Code of a run-line's function that LLVM makes alone, for the oldest CPU, without optimisation and of scalars: no pass
// of PoCM's has seen it, so a pass that computes something wrong cannot do so on both sides, and LLVM's own mistakes
// with vectors, which some passes are there for, are not in it. It takes a function of LLVM's own operations that does
// not trap.
#pragma once

#include "ir/Operands.h"
#include "passes/Passes.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include <stdexcept>

namespace pocm::runlines {

class PlainCode {
public:
  /// Code of `Kernel`, a function of M of type void(i32 surface, i64 block, i64 address). Throws for operations that
  /// LLVM has no code for.
  PlainCode(const llvm::Module &M, llvm::StringRef Kernel) {
    for (const llvm::Function &F : M)
      for (const llvm::Instruction &I : llvm::instructions(F))
        if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
            operationOf(&I) != Op::None && Call && Call->getIntrinsicID() == llvm::Intrinsic::not_intrinsic)
          throw std::runtime_error("plain code has no '" + Call->getCalledFunction()->getName().str() +
                                   "': write its function out, and say 'as NAME' behind the run-line");
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::orc::JITTargetMachineBuilder Builder{llvm::Triple(llvm::sys::getProcessTriple())};
    Builder.setCPU("generic").setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
    Jit = got(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(Builder)).create());
    auto Context = std::make_unique<llvm::LLVMContext>();
    llvm::SmallVector<char, 0> Bytes;
    llvm::raw_svector_ostream Stream(Bytes);
    llvm::WriteBitcodeToFile(M, Stream);
    auto Copy = got(llvm::parseBitcodeFile({{Bytes.data(), Bytes.size()}, "plain"}, *Context));
    Copy->setTargetTriple(Jit->getTargetTriple());
    Copy->setDataLayout(Jit->getDataLayout());
    Copy->getFunction(Kernel)->setCallingConv(llvm::CallingConv::C);
    runLlvmPasses(*Copy, "function(scalarizer<load-store>)");
    if (llvm::Error Problem = Jit->addIRModule({std::move(Copy), std::move(Context)}))
      throw std::runtime_error(llvm::toString(std::move(Problem)));
    Code = got(Jit->lookup(Kernel)).toPtr<Function>();
  }

  void operator()(const void *Block, const void *Address) const {
    Code(0, std::uint64_t(std::uintptr_t(Block)), std::uint64_t(std::uintptr_t(Address)));
  }

private:
  using Function = void (*)(std::uint32_t, std::uint64_t, std::uint64_t);
  std::unique_ptr<llvm::orc::LLJIT> Jit;
  Function Code = nullptr;

  template <class T> static T got(llvm::Expected<T> Value) {
    if (!Value)
      throw std::runtime_error(llvm::toString(Value.takeError()));
    return std::move(*Value);
  }
};

} // namespace pocm::runlines
