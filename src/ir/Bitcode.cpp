//===- Bitcode.cpp - CM IR as bytes, the way program files hold it ----------------------===//
#include "ir/Bitcode.h"
#include "ir/Trust.h"
#include "pocm/pocm.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {

std::unique_ptr<Module> readBitcode(std::span<const std::uint8_t> Bytes, LLVMContext &Context) {
  if (Bytes.size() > MostBitcode)
    throw Error("the program's CM IR has " + std::to_string(Bytes.size()) + " bytes; at most " +
                std::to_string(MostBitcode) + " are read");
  StringRef Text(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  if (std::string Problem = distrust(Text); !Problem.empty())
    throw Error("the program's CM IR cannot be read: " + Problem);
  auto refuse = [](llvm::Error Problem) {
    if (Problem)
      throw Error("the program's CM IR cannot be read: " + toString(std::move(Problem)));
  };
  // Function by function: the reader's own end of a module that is not valid is that of the process.
  auto M = getLazyBitcodeModule(MemoryBufferRef(Text, "program"), Context);
  refuse(M.takeError());
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
