//===- Intrinsics.cpp - CM IR operations by name ----------------------------===//
//
// See Intrinsics.h. Names are matched by stem, so text written by other tools with
// other overload suffixes is recognised too.
//
//===----------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Trust.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace pocm {
namespace {

enum class Memory { None, ReadStorage, WriteStorage, ReadSurfaces, WriteSurfaces, ReadEverything, WriteEverything };

struct Row {
  Op Id;
  StringRef Builtin, Name, Overloads;
  Memory Effect;
};

constexpr Row Rows[] = {
#define INTRINSIC(id, builtin, name, overloads, memory, ...) {Op::id, builtin, name, overloads, Memory::memory},
#include "ir/Intrinsics.def"
};

const Row &rowOf(Op Operation) { return Rows[static_cast<unsigned>(Operation)]; }

/// Operations by their names without overload suffixes; those of some end with i or f.
const StringMap<Op> &stems() {
  static const StringMap<Op> All = [] {
    StringMap<Op> Map;
    for (const Row &R : Rows)
      if (R.Overloads.starts_with("FI"))
        Map[(R.Name + "i").str()] = Map[(R.Name + "f").str()] = R.Id;
      else
        Map.try_emplace(R.Name, R.Id);
    return Map;
  }();
  return All;
}

Op operationNamed(StringRef Function) {
  const StringMap<Op> &Known = stems();
  for (size_t End = Function.size(); End != StringRef::npos; End = Function.take_front(End).rfind('.'))
    if (auto Found = Known.find(Function.take_front(End)); Found != Known.end())
      return Found->second;
  return Op::None;
}

MemoryEffects effectsOf(Memory Effect) {
  switch (Effect) {
  case Memory::None:
    return MemoryEffects::none();
  case Memory::ReadStorage:
    return MemoryEffects::argMemOnly(ModRefInfo::Ref);
  case Memory::WriteStorage:
    return MemoryEffects::argMemOnly(ModRefInfo::Mod);
  case Memory::ReadSurfaces:
    return MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref);
  case Memory::WriteSurfaces:
    return MemoryEffects::inaccessibleMemOnly(ModRefInfo::ModRef);
  case Memory::ReadEverything:
    return MemoryEffects::readOnly();
  case Memory::WriteEverything:
    return MemoryEffects::unknown();
  }
  llvm_unreachable("every kind of memory effect is listed");
}

} // namespace

Op atomicOfNumber(unsigned Number, bool ByAddress) {
  switch (Number) {
#define ATOMIC(id, name, number, sources)                                                                              \
  case number:                                                                                                         \
    return ByAddress ? Op::Svm##id : Op::id;
#include "ir/Atomics.def"
  default:
    return Op::None;
  }
}

AtomicInfo atomicInfo(Op Operation) {
  switch (Operation) {
#define ATOMIC(id, name, number, sources)                                                                              \
  case Op::id:                                                                                                         \
    return {number, sources, false};                                                                                   \
  case Op::Svm##id:                                                                                                    \
    return {number, sources, true};
#include "ir/Atomics.def"
  default:
    return {};
  }
}

Op operationOf(const Value *V) {
  auto *Call = dyn_cast_or_null<CallInst>(V);
  auto *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->isDeclaration())
    return Op::None;
  // Passes ask again and again of few functions. Another one may have come to lie where one was: names are compared.
  struct Known {
    const Function *Callee = nullptr;
    std::string Name;
    Op Operation = Op::None;
  };
  thread_local Known Cache[256];
  Known &Last = Cache[DenseMapInfo<const Function *>::getHashValue(Callee) % std::size(Cache)];
  StringRef Name = Callee->getName();
  if (Last.Callee != Callee || Last.Name != Name)
    Last = {Callee, Name.str(), operationNamed(Name)};
  return Last.Operation;
}

bool isOptimizationFence(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  auto *Assembly = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return Assembly && Assembly->getAsmString().empty() && Call->arg_empty();
}

CallInst *asOperation(Value *V, Op Wanted) { return operationOf(V) == Wanted ? cast<CallInst>(V) : nullptr; }

bool touchesMemory(Op Operation) { return rowOf(Operation).Effect != Memory::None; }

bool mayWrite(Op Operation) {
  const Memory Effect = rowOf(Operation).Effect;
  return Effect == Memory::WriteStorage || Effect == Memory::WriteSurfaces || Effect == Memory::WriteEverything;
}

Op operationOfBuiltin(StringRef Name) {
  for (const Row &R : Rows)
    if (!R.Builtin.empty() && R.Builtin == Name)
      return R.Id;
  return Op::None;
}

std::string typeSuffix(Type *T) {
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return "v" + std::to_string(V->getNumElements()) + typeSuffix(V->getElementType());
  if (T->isIntegerTy())
    return "i" + std::to_string(T->getIntegerBitWidth());
  if (T->isBFloatTy())
    return "bf16";
  if (T->isFloatingPointTy())
    return "f" + std::to_string(T->getPrimitiveSizeInBits().getFixedValue());
  return "p" + std::to_string(T->getPointerAddressSpace());
}

bool isOperation(const Function &F) { return F.isDeclaration() && operationNamed(F.getName()) != Op::None; }

namespace {
/// The name of an operation on these types.
std::string spelled(const Row &R, Type *Result, ArrayRef<Type *> Operands) {
  std::string Mangled = R.Name.str();
  for (char C : R.Overloads) {
    if (C == 'F') {
      Type *Decides = Result->isVoidTy() && Operands.size() > 1 ? Operands[1] : Result;
      Mangled += Decides->isFPOrFPVectorTy() ? 'f' : 'i';
    } else if (C == 'R') {
      Mangled += "." + typeSuffix(Result);
    } else if (unsigned Operand = hexDigitValue(C); C != 'F' && Operand < Operands.size()) {
      Mangled += "." + typeSuffix(Operands[Operand]);
    }
  }
  return Mangled;
}
} // namespace

bool spellsItsTypes(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  FunctionType *T = Callee->getFunctionType();
  return Callee->getName() == spelled(rowOf(operationOf(&Call)), T->getReturnType(), T->params());
}

CallInst *createOperation(IRBuilderBase &Builder, Op Operation, Type *Result, ArrayRef<Value *> Operands,
                          const Twine &Name) {
  const Row &R = rowOf(Operation);
  SmallVector<Type *, 8> Types;
  for (Value *Operand : Operands)
    Types.push_back(Operand->getType());
  std::string Mangled = spelled(R, Result, Types);
  Module *M = Builder.GetInsertBlock()->getModule();
  FunctionCallee Callee = M->getOrInsertFunction(Mangled, FunctionType::get(Result, Types, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  if (Operation == Op::EndOfThread)
    F->setDoesNotReturn();
  else
    F->setWillReturn();
  F->setMemoryEffects(effectsOf(R.Effect));
  return Builder.CreateCall(Callee, Operands, Name);
}

} // namespace pocm
