//===- KernelArguments.cpp - Kernel parameters as plain values ---------------===//
//
// Clang passes objects of class type by pointer. A kernel is called by a walker, which
// has values, not objects:
//
//     define void @k(ptr byval(%class.SurfaceIndex) %s, ptr byval(%class.vector) %v)
//  -> define void @k(i32 %s, <8 x float> %v)
//
// Pointers become numbers: hosts pass addresses, and for __local ones places in shared local memory. A bool is the byte
// that the host passes; any but 0 is true.
//
// The values are stored to variables at once; sroa and promote-storage dissolve them.
// Needs:    functions as Clang leaves them, kernels marked; nothing inlined.
// Leaves:   parameters that are not classes as they are.
// Not done: structures of several members, which the front end refuses beforehand.
//
//===----------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "passes/ClassTypes.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace pocm {
namespace {

bool isLocalPointer(const Type *T) {
  constexpr unsigned Local = 3; // Clang's number for spir64
  return T->isPointerTy() && T->getPointerAddressSpace() == Local;
}

Function *byValue(Function &Old) {
  SmallVector<Type *, 8> Types;
  for (Argument &A : Old.args()) {
    Type *Leaf = A.hasByValAttr() ? leafOf(A.getParamByValType()) : A.getType();
    if (!Leaf)
      return nullptr;
    Types.push_back(isLocalPointer(Leaf)   ? Type::getInt32Ty(Old.getContext())
                    : Leaf->isPointerTy()  ? Type::getInt64Ty(Old.getContext())
                    : Leaf->isIntegerTy(1) ? Type::getInt8Ty(Old.getContext())
                                           : Leaf);
  }
  auto *New =
      Function::Create(FunctionType::get(Old.getReturnType(), Types, false), Old.getLinkage(), "", Old.getParent());
  New->takeName(&Old);
  New->setCallingConv(Old.getCallingConv());
  New->setAttributes(AttributeList::get(Old.getContext(), Old.getAttributes().getFnAttrs(), {}, {}));
  New->splice(New->begin(), &Old);
  if (any_of(Old.args(), [](const Argument &A) { return isLocalPointer(A.getType()); }))
    New->addFnAttr(LocalParametersAttribute);
  New->setSubprogram(Old.getSubprogram());
  IRBuilder<> B(&New->getEntryBlock(), New->getEntryBlock().getFirstInsertionPt());
  for (auto [From, To] : zip(Old.args(), New->args())) {
    To.setName(From.getName());
    Value *Replacement = &To;
    if (From.hasByValAttr()) {
      auto *Variable = B.CreateAlloca(From.getParamByValType());
      Variable->setAlignment(From.getParamAlign().valueOrOne());
      B.CreateStore(&To, Variable);
      Replacement = Variable;
    } else if (isLocalPointer(From.getType())) {
      Value *Slm = createOperation(B, Op::LocalBase, B.getPtrTy(), {B.getInt32(0), B.getInt32(0)}, "slm");
      Replacement = B.CreateAddrSpaceCast(B.CreateGEP(B.getInt8Ty(), Slm, &To), From.getType());
    } else if (From.getType()->isPointerTy()) {
      Replacement = B.CreateIntToPtr(&To, From.getType());
    } else if (From.getType()->isIntegerTy(1)) {
      Replacement = B.CreateIsNotNull(&To);
    }
    From.replaceAllUsesWith(Replacement);
  }
  return New;
}

} // namespace

bool passKernelArgumentsByValue(Module &M) {
  std::vector<KernelInfo> Kernels = kernelsOf(M);
  bool Changed = false;
  for (KernelInfo &Kernel : Kernels) {
    if (none_of(Kernel.Entry->args(),
                [](Argument &A) { return A.getType()->isPointerTy() || A.getType()->isIntegerTy(1); }))
      continue;
    Function *New = byValue(*Kernel.Entry);
    if (!New)
      continue;
    Function *Old = Kernel.Entry;
    Kernel.Entry = New;
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
    Changed = true;
  }
  if (Changed)
    setKernels(M, Kernels);
  return Changed;
}

} // namespace pocm
