//===- Builder.cpp - Declares variables and appends vISA instructions -----------------------===//
#include "codegen/gen/Builder.h"
#include "ir/Intrinsics.h"
#include "ir/Region.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::gen {

void fail(const Twine &What) { throw Unsupported{What.str()}; }
void bug(const Twine &What) { throw Unsupported{("bug in cmc: " + What).str(), /*IsBug=*/true}; }

std::string nameOf(const Instruction &I) {
  if (operationOf(&I) == Op::LocalBase || isa<IntToPtrInst>(I))
    return "a pointer that goes into a function, or where a private one becomes a number";
  if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && I.getType()->getScalarType()->isDoubleTy())
    return "'" + Intrinsic::getBaseName(Call->getIntrinsicID()).drop_front(strlen("llvm.")).str() + "' of double";
  if (auto *Call = dyn_cast<CallInst>(&I))
    return Call->getCalledFunction() ? "'" + Call->getCalledFunction()->getName().str() + "'"
                                     : "a call through a pointer";
  return std::string("'") + I.getOpcodeName() + "'";
}

unsigned constantOf(Value *V, const char *What) {
  auto *C = dyn_cast<ConstantInt>(V);
  if (!C)
    fail(std::string(What) + " that is no constant");
  return unsigned(C->getZExtValue());
}

unsigned bytesOf(Type *T) { return unsigned(countOf(T)) * unsigned(T->isPtrOrPtrVectorTy() ? 8 : elementBytes(T)); }

Builder::Builder(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options)
    : Kernel(Kernel), Target(Target), For(Options.For), F(*Kernel.Entry), Functions(functionsOf(Kernel)),
      Registers(Functions, Options.Coalesce, Target.GrfBytes) {}

Declaration *Builder::declare(Type *Element, unsigned Count, Sign S, bool Payload) {
  Declaration &D = Text.Variables.emplace_back();
  D.Name = nextVariable();
  D.Type = elementTypeOf(Element, S);
  D.Count = Count;
  D.Bytes = bytesOf(Element) * Count;
  D.Aligned = Payload || D.Bytes >= Target.GrfBytes ? Align::Grf
              : D.Bytes >= 16                       ? Align::Oword
              : D.Bytes >= 8                        ? Align::Qword
              : D.Bytes >= 4                        ? Align::Dword
                                                    : Align::Word;
  return &D;
}

Declaration *Builder::dwords(int Lanes) { return declare(dword(), unsigned(Lanes), Sign::Unsigned, /*Payload=*/true); }

Declaration *Builder::other(Declaration D) { return &Text.Others.emplace_back(std::move(D)); }

Declaration *Builder::declareGiven(ElementType Type, unsigned Count, Align Aligned) {
  return other({.Name = nextVariable(),
                .Type = Type,
                .Count = Count,
                .Aligned = Aligned,
                .Given = true,
                .Bytes = Count * bytesOf(Type)});
}

Declaration *Builder::declarePredicate(unsigned Channels) {
  return other({.Name = "P" + std::to_string(NextPredicate++), .Is = Declaration::Kind::Predicate, .Count = Channels});
}

Declaration *Builder::declareAddress(unsigned Count) {
  return other({.Name = "A" + std::to_string(NextAddress++), .Is = Declaration::Kind::Address, .Count = Count});
}

Declaration *Builder::declareSurface() {
  return other({.Name = "T" + std::to_string(NextSurface++), .Is = Declaration::Kind::Surface});
}

Declaration *Builder::declareSampler(unsigned Number) {
  return other({.Name = "S" + std::to_string(Number), .Is = Declaration::Kind::Sampler});
}

Declaration *Builder::predefined(StringRef Name) {
  Declaration &D = Predefined[Name.str()];
  D.Name = Name.str();
  D.Is = Declaration::Kind::Predefined;
  return &D;
}

Declaration *Builder::view(Declaration *D, Type *Element, Sign S) {
  if (D->IsView)
    D = D->Of;
  ElementType Type = elementTypeOf(Element, S);
  if (Type == D->Type)
    return D;
  Declaration *&View = D->Views[Type];
  if (!View) {
    View = alias(D, Element, S);
    View->IsView = true;
  }
  return View;
}

Declaration *Builder::alias(Declaration *D, Type *Element, Sign S) {
  ElementType Type = elementTypeOf(Element, S);
  return other({.Name = D->Name + "_" + nameOf(Type).str(),
                .Type = Type,
                .Count = D->Bytes / bytesOf(Element),
                .Bytes = D->Bytes,
                .Of = D});
}

Declaration *Builder::partOf(Declaration *D, unsigned At, Type *T, Sign S) {
  return other({.Name = nextVariable(),
                .Type = elementTypeOf(T->getScalarType(), S),
                .Count = unsigned(countOf(T)),
                .Bytes = bytesOf(T),
                .Of = D,
                .At = At});
}

void Builder::makeRoom(Declaration *D, unsigned Bytes) {
  if (!D->Given)
    D->Count = std::max(D->Count, Bytes / bytesOf(D->Type));
}

EmittedInstruction &Builder::add(Opcode Code, int Channels, ArrayRef<Operand> Operands) {
  return Text.Code.emplace_back(
      EmittedInstruction{.Code = Code, .Channels = unsigned(Channels), .Operands = SmallVector<Operand, 4>(Operands)});
}

} // namespace pocm::gen
