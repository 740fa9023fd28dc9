//===- PublicNames.cpp - CM IR as text, and operations that the public dialect names itself -===//
//
//     call <8 x float> @llvm.genx.absf.v8f32(<8 x float> %x)   ->   @llvm.fabs.v8f32
//
// Why:      other tools write minima, roundings, elementary functions and the like so; passes
//           know them by LLVM's names.
// Needs:    IR of other tools; nothing of ours before it.
// Leaves:   what LLVM has no name for; ir/Intrinsics.h knows what of it CM IR has.
//
//===----------------------------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "pocm/pocm.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace pocm {
namespace {

struct Row {
  Intrinsic::ID Id;
  StringRef Name;
  unsigned Operands;
};

constexpr Row Rows[] = {
#define DIALECT(llvm, name, operands, types) {Intrinsic::llvm, name, operands},
#include "ir/Dialect.def"
};

/// The row of a function by that name, whatever types follow.
const Row *rowOf(StringRef Function) {
  if (!Function.consume_front("llvm.genx."))
    return nullptr;
  for (const Row &R : Rows)
    if (Function.starts_with(R.Name) && Function.drop_front(R.Name.size()).starts_with("."))
      return &R;
  return nullptr;
}

/// Operations that the public dialect has names of its own for get LLVM's.
void readPublicNames(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      const Row *R = Callee && Callee->isDeclaration() ? rowOf(Callee->getName()) : nullptr;
      if (!R || Call->arg_size() != R->Operands)
        continue;
      if (any_of(Call->args(), [&](const Use &U) { return U->getType() != Call->getType(); }))
        continue; // of other types there than here
      IRBuilder<> B(Call);
      SmallVector<Value *, 3> Operands(Call->args());
      if (R->Id == Intrinsic::abs)
        Operands.push_back(B.getFalse()); // the least number is its own
      Value *New = B.CreateIntrinsic(Call->getType(), R->Id, Operands);
      New->takeName(Call);
      Call->replaceAllUsesWith(New);
      Call->eraseFromParent();
    }
}

} // namespace

/// Where the blanks and comments that begin at a place of the text end, as LLVM's reader sees them.
static size_t behindBlanks(StringRef Text, size_t I) {
  constexpr StringRef Blanks(" \t\r\n\0", 5);
  while (I < Text.size())
    if (Blanks.contains(Text[I]))
      ++I;
    else if (Text[I] == ';')
      I = Text.find_first_of("\r\n", I);
    else if (Text.substr(I).starts_with("/*"))
      I = SaturatingAdd(Text.find("*/", I + 2), size_t(2));
    else
      return I;
  return Text.size();
}

/// Why LLVM's reader may not see the text; empty when it may. It calls itself for what lies in brackets and for each of
/// a chain of named types, and looks through types again and again.
static std::string tooMuchIn(StringRef Text) {
  constexpr unsigned Most = 512, MostTypes = 4096;
  unsigned Depth = 0, Types = 0;
  for (size_t I = behindBlanks(Text, 0); I < Text.size(); I = behindBlanks(Text, I + 1)) {
    const char C = Text[I];
    if (C == '"') // a name or text, in which quotes are \22
      I = std::min(Text.find('"', I + 1), Text.size() - 1);
    else if (StringRef("([{<").contains(C) && ++Depth > Most)
      return "too many brackets in each other";
    else if (StringRef(")]}>").contains(C))
      Depth -= Depth != 0;
    else if (C == '=' && Text.substr(behindBlanks(Text, I + 1)).starts_with("type") && ++Types > MostTypes)
      return "more than " + std::to_string(MostTypes) + " types with names";
  }
  return "";
}

std::unique_ptr<Module> readText(std::string_view Text, std::string_view Name, LLVMContext &Context) {
  if (std::string Problem = tooMuchIn(Text); !Problem.empty())
    throw Error("'" + std::string(Name) + "' has " + Problem);
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssembly(MemoryBufferRef(StringRef(Text), StringRef(Name)), Problem, Context);
  if (!M) {
    std::string Message;
    raw_string_ostream Stream(Message);
    Problem.print("", Stream, /*ShowColors=*/false);
    throw Error(StringRef(Message).trim().str());
  }
  readPublicNames(*M);
  readSimdControlFlow(*M);
  return M;
}

} // namespace pocm
