//===- SpecConstants.cpp - Values for cm_spec_constant ------------------------------------------===//
//
// A specialisation constant stays an operation in the program:
//
//     %n = call i32 @cm.spec.constant.i32(i32 7, i32 16)      id 7, default 16
//
// The host may give it a value before it makes kernels; the IR of the program is then
// copied with the value in place and simplified, so that devices see another program and
// their caches keep both. Without a value, code generators take the default.
//
// Gen code that the program holds stays with kernels that no value enters; that of others is
// dropped, and made anew where they run.
//
//===----------------------------------------------------------------------===//
#include "passes/SpecConstants.h"
#include "ir/Bitcode.h"
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "ir/Operands.h"
#include "passes/Passes.h"
#include "program/Bytes.h"
#include "program/Compiling.h"
#include "program/Container.h"
#include "program/GenBinary.h"
#include "program/Inside.h"
#include "program/OwnProcess.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace pocm {
namespace {

std::string nameOf(Type *T) {
  if (T->isIntegerTy())
    return "an integer of " + std::to_string(T->getIntegerBitWidth()) + " bits";
  return "a floating-point number of " + std::to_string(T->getPrimitiveSizeInBits().getFixedValue()) + " bits";
}

Constant *parseInteger(IntegerType *T, StringRef Text) {
  bool Negative = Text.consume_front("-");
  APInt Magnitude;
  if (Text.getAsInteger(0, Magnitude)) // 0x and 0 prefixes as in C
    return nullptr;
  unsigned Bits = T->getBitWidth();
  if (Magnitude.getActiveBits() > Bits)
    return nullptr;
  Magnitude = Magnitude.zextOrTrunc(Bits);
  if (Negative && Magnitude.ugt(APInt::getSignedMinValue(Bits)))
    return nullptr;
  return ConstantInt::get(T, Negative ? -Magnitude : Magnitude);
}

Constant *parseValue(Type *T, StringRef Text) {
  if (auto *Integer = dyn_cast<IntegerType>(T))
    return parseInteger(Integer, Text);
  APFloat Number(T->getFltSemantics());
  Expected<APFloat::opStatus> Status = Number.convertFromString(Text, APFloat::rmNearestTiesToEven);
  if (!Status) {
    consumeError(Status.takeError());
    return nullptr;
  }
  return ConstantFP::get(T, Number);
}

SmallVector<CallInst *, 8> specConstants(Module &M) {
  SmallVector<CallInst *, 8> All;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (CallInst *Call = asOperation(&I, Op::SpecConstant))
        All.push_back(Call);
  return All;
}

unsigned idOf(const CallInst *Call) { return unsigned(cast<ConstantInt>(operandOf(*Call, Role::Id))->getZExtValue()); }

void setTo(CallInst *Call, Value *New) {
  Call->replaceAllUsesWith(New);
  Call->eraseFromParent();
}

/// Gives the constants of these ids their values and says which ids there are.
std::set<unsigned> specialize(Module &M, const std::map<unsigned, std::string> &Values) {
  std::set<unsigned> Ids;
  for (CallInst *Call : specConstants(M)) {
    unsigned Id = idOf(Call);
    Ids.insert(Id);
    auto Given = Values.find(Id);
    if (Given == Values.end())
      continue;
    Constant *New = parseValue(Call->getType(), Given->second);
    if (!New)
      throw Error("specialisation constant " + std::to_string(Id) + ": '" + Given->second + "' is not " +
                  nameOf(Call->getType()));
    setTo(Call, New);
  }
  return Ids;
}

/// Kernels that use one of the constants, themselves or in functions that they call.
std::set<std::string> kernelsWith(Module &M, const std::map<unsigned, std::string> &Values) {
  std::set<const Function *> Using;
  for (CallInst *Call : specConstants(M))
    if (Values.contains(idOf(Call)))
      Using.insert(Call->getFunction());
  std::set<std::string> All;
  for (const KernelInfo &Kernel : kernelsOf(M))
    if (any_of(functionsOf(Kernel), [&](Function *F) { return Using.contains(F); }))
      All.insert(Kernel.Name);
  return All;
}

/// What becomes of a program.
struct Specialized {
  std::vector<std::uint8_t> Ir;
  std::set<std::string> Changed; ///< Names of kernels.
};

/// As one process tells another.
std::vector<std::uint8_t> bytesOf(const Specialized &S) {
  program::Writer W;
  W.number(std::uint32_t(S.Changed.size()));
  for (const std::string &Name : S.Changed)
    W.text(Name);
  W.append(S.Ir);
  return std::move(W.bytes);
}
Specialized specializedFrom(std::span<const std::uint8_t> Bytes) {
  program::Reader R(Bytes);
  Specialized S;
  for (std::uint32_t Left = R.count(sizeof(std::uint32_t)); Left; --Left)
    S.Changed.insert(R.text());
  S.Ir.assign(R.rest.begin(), R.rest.end());
  return S;
}

/// Takes the code of kernels away.
void dropCode(program::TargetCode &Code, const std::set<std::string> &Kernels) {
  std::vector<GenKernel> Kept = program::readGenKernels(Code.code);
  std::erase_if(Kept, [&](const GenKernel &K) { return Kernels.contains(K.name); });
  Code.code = program::writeGenKernels(Kept);
}

} // namespace

void takeSpecDefaults(Module &M) {
  for (CallInst *Call : specConstants(M))
    setTo(Call, operandOf(*Call, Role::Default));
}

/// The program's CM IR with these values.
static Specialized specializedHere(std::span<const std::uint8_t> Ir, const std::map<unsigned, std::string> &Values) {
  LLVMContext Context;
  std::unique_ptr<Module> M = readBitcode(Ir, Context);
  std::set<std::string> Changed = kernelsWith(*M, Values);
  std::set<unsigned> Ids = specialize(*M, Values);
  for (auto &[Id, Text] : Values)
    if (!Ids.contains(Id)) {
      std::string There;
      for (unsigned Other : Ids)
        There += (There.empty() ? "it has " : ", ") + std::to_string(Other);
      throw Error("the program has no specialisation constant " + std::to_string(Id) + "; " +
                  (There.empty() ? "it has none" : There));
    }
  runLlvmPasses(*M, "function(instcombine<no-verify-fixpoint>,early-cse,simplifycfg,adce)");
  return {writeBitcode(*M), std::move(Changed)};
}

std::vector<char> makeSpecialized(std::span<const std::string> Words, std::span<const std::uint8_t> Ir) {
  std::map<unsigned, std::string> Values;
  for (; Words.size() >= 2; Words = Words.subspan(2))
    Values[unsigned(std::stoul(Words[0]))] = Words[1];
  std::vector<std::uint8_t> Made = bytesOf(specializedHere(Ir, Values));
  return {Made.begin(), Made.end()};
}

Program Program::specialized(const std::map<unsigned, std::string> &values) const {
  if (values.empty())
    return *this;
  std::vector<std::string> Words{"specialize"};
  for (auto &[Id, Text] : values)
    Words.insert(Words.end(), {std::to_string(Id), Text});
  const bool Own = program::isOwn(inner->ir);
  const std::string Purpose = "specialise the program";
  Specialized Made;
  if (auto Answer = Own ? std::nullopt : program::inOwnProcess(Purpose, Words, inner->ir)) {
    Made = specializedFrom({reinterpret_cast<const std::uint8_t *>(Answer->data()), Answer->size()});
  } else {
    Compiling Working;
    program::workHere(Purpose, [&] { Made = specializedHere(inner->ir, values); });
    if (Own)
      program::noteOwn(Made.Ir);
  }
  auto New = std::make_shared<program::Container>(*inner);
  New->ir = std::move(Made.Ir);
  for (program::TargetCode &Code : New->code)
    dropCode(Code, Made.Changed);
  return Inside::around<Program>(std::move(New));
}

} // namespace pocm
