//===- Bitcode.cpp - CM IR as bytes, the way program files hold it ----------------------===//
#include "ir/Bitcode.h"
#include "ir/Kernel.h"
#include "ir/Trust.h"
#include "pocm/pocm.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {

namespace {

void refuse(llvm::Error Problem) {
  if (Problem)
    throw Error("the program's CM IR cannot be read: " + toString(std::move(Problem)));
}

/// Functions that constants name, or what those are made of, however deep.
class NamedFunctions {
public:
  std::vector<Function *> All;

  void add(Value *V) {
    SmallVector<Value *, 16> Rest{V};
    while (!Rest.empty()) {
      auto *C = dyn_cast<Constant>(Rest.pop_back_val());
      if (!C || !Seen.insert(C).second)
        continue;
      if (auto *F = dyn_cast<Function>(C))
        All.push_back(F);
      else
        Rest.append(C->op_begin(), C->op_end());
    }
  }

private:
  SmallPtrSet<const Constant *, 32> Seen;
};

/// Reads the bodies of a kernel and of what it may call: what it names, what that names, and what tables name. Others
/// become declarations.
void readOnly(Module &M, std::string_view Kernel) {
  refuse(M.materializeMetadata());
  NamedFunctions Wanted;
  for (const KernelInfo &K : kernelsOf(M))
    if (K.Name == Kernel)
      Wanted.add(K.Entry);
  for (GlobalVariable &G : M.globals())
    Wanted.add(&G);
  for (std::size_t Next = 0; Next < Wanted.All.size(); ++Next) {
    refuse(Wanted.All[Next]->materialize());
    for (Instruction &I : instructions(*Wanted.All[Next]))
      for (Use &Operand : I.operands())
        Wanted.add(Operand.get());
  }
  for (Function &F : M)
    if (F.isMaterializable())
      F.deleteBody();
}

} // namespace

std::unique_ptr<Module> readBitcode(std::span<const std::uint8_t> Bytes, LLVMContext &Context,
                                    std::string_view Kernel) {
  if (Bytes.size() > MostBitcode)
    throw Error("the program's CM IR has " + std::to_string(Bytes.size()) + " bytes; at most " +
                std::to_string(MostBitcode) + " are read");
  StringRef Text(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  if (std::string Problem = distrust(Text); !Problem.empty())
    throw Error("the program's CM IR cannot be read: " + Problem);
  // Function by function: the reader's own end of a module that is not valid is that of the process.
  auto M = getLazyBitcodeModule(MemoryBufferRef(Text, "program"), Context);
  refuse(M.takeError());
  if (!Kernel.empty())
    readOnly(**M, Kernel);
  for (Function &F : **M)
    refuse(F.materialize());
  std::string Reason;
  raw_string_ostream Stream(Reason);
  if (verifyModule(**M, &Stream))
    throw Error("the program's CM IR is not valid: " + Reason.substr(0, Reason.find('\n')));
  refuse((*M)->materializeAll());
  if (std::string Problem = distrust(**M); !Problem.empty())
    throw Error("the program's CM IR is not used: " + Problem);
  return std::move(*M);
}

std::vector<std::uint8_t> writeBitcode(const Module &M) {
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  return {Bitcode.begin(), Bitcode.end()};
}

} // namespace pocm
