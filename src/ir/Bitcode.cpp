//===- Bitcode.cpp - CM IR as bytes, the way program files hold it ----------------------===//
#include "ir/Bitcode.h"
#include "pocm/pocm.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {

std::unique_ptr<Module> readBitcode(std::span<const std::uint8_t> Bytes, LLVMContext &Context) {
  StringRef Text(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  auto M = parseBitcodeFile(MemoryBufferRef(Text, "program"), Context);
  if (!M)
    throw Error("the program's CM IR cannot be read: " + toString(M.takeError()));
  return std::move(*M);
}

std::vector<std::uint8_t> writeBitcode(const Module &M) {
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  return {Bitcode.begin(), Bitcode.end()};
}

} // namespace pocm
