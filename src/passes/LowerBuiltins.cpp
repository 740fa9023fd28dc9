//===- LowerBuiltins.cpp - From the headers' builtins to CM IR ---------------===//
//
// Replaces calls of the functions that include/cm declares without a body:
//
//     call <144 x i8> @_ZN2cm7builtin11region_readIDv144_hhEET_PKT0_iii(%p, i32 32, i32 24, i32 1)
//  -> call <144 x i8> @cm.region.read.v144i8(%p, i64 32, i32 24, i32 1, i32 0)
//
// Why first: the new names carry what LLVM must know of them (memory effects), so all
//            later passes may move and merge them.
// Needs:    functions as Clang leaves them: builtins are found by their names.
// Leaves:    regions still on memory; promote-storage turns them into values.
//
//===----------------------------------------------------------------------===//
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/BuiltinExpansions.h"
#include "passes/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace pocm {
namespace {

/// The name of a declaration in namespace cm::builtin, without its template arguments; empty for anything else.
std::string builtinName(const Function &F) {
  std::string Mangled = F.getName().str(); // the demangler points into it
  ItaniumPartialDemangler Name;
  if (!F.isDeclaration() || !F.getName().starts_with("_ZN2cm7builtin") || Name.partialDemangle(Mangled.c_str()))
    return "";
  size_t Size = 0;
  char *Base = Name.getFunctionBaseName(nullptr, &Size);
  std::string Result = Base ? Base : "";
  std::free(Base);
  return Result;
}

/// The headers count row strides in elements, CM IR in bytes.
Value *inBytes(IRBuilder<> &B, Value *Elements, Type *Data) {
  return B.CreateMul(B.CreateSExt(Elements, B.getInt64Ty()), B.getInt64(elementBytes(Data)));
}

SmallVector<Value *, 8> operandsFor(Op Operation, CallInst &Call, IRBuilder<> &B) {
  SmallVector<Value *, 8> Operands(Call.args());
  if (Operation == Op::MemoryRead) {
    Operands[1] = inBytes(B, Operands[1], Call.getType());
    Operands.push_back(B.getInt32(0));
  } else if (Operation == Op::MemoryWrite) {
    Operands[2] = inBytes(B, Operands[2], Operands[1]->getType());
  } else if (has(Operation, Role::Predicate)) { // headers have masks there
    Value *&Predicate = Operands[indexOf(Operation, Role::Predicate)];
    Predicate = wantedLanes(B, Predicate);
  }
  return Operands;
}

/// What replaces the call, or null when no builtin has this name.
Value *lowered(StringRef Name, CallInst &Call) {
  IRBuilder<> B(&Call);
  if (Op Operation = operationOfBuiltin(Name); Operation != Op::None)
    return createOperation(B, Operation, Call.getType(), operandsFor(Operation, Call, B));
  return expandBuiltin(Name, Call, B);
}

} // namespace

bool lowerBuiltins(Module &M) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    std::string Name = builtinName(F);
    if (Name.empty())
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(U);
      Value *New = Call && Call->getCalledOperand() == &F ? lowered(Name, *Call) : nullptr;
      if (!New)
        continue;
      Call->replaceAllUsesWith(New);
      Call->eraseFromParent();
      Changed = true;
    }
    if (F.use_empty())
      F.eraseFromParent();
  }
  return Changed;
}

} // namespace pocm
