//===- EmitInputs.cpp - Where a kernel's arguments lie when a thread begins -----------------===//
#include "codegen/gen/EmitInputs.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Operands.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::gen {

void EmitInputs::declareAll() {
  // Level Zero puts a thread's local ids first, as words, if the kernel wants them; the CM runtime in any case.
  const bool First = isCm() ? usesGroups(Out.Functions) : uses(Op::LocalId);
  At = First ? 2 * Out.Target.GrfBytes : Out.Target.GrfBytes;
  implicit(LocalIdInput, Op::LocalId, Out.Target.GrfBytes, !isCm());
  if (implicit(GroupSizeInput, Op::LocalSize, At))
    At += 12;
  if (implicit(GroupCountInput, Op::GroupCount, At))
    At += 12;
  if (uses(Op::ProgramAddress))
    programAddress();
  if (!isCm() && Out.F.hasFnAttribute(LocalParametersAttribute)) // of which its hosts say sizes, not places
    fail("a __local pointer as a parameter in a Level Zero program");
  for (Argument &A : Out.F.args())
    argument(A);
}

// What the dispatch gives

bool EmitInputs::implicit(InputKind Kind, Op Operation, unsigned Offset, bool Words) {
  if (!uses(Operation))
    return false;
  const unsigned Size = Words ? 6 : 12;
  Declaration *D;
  if (Instruction *Only = Words ? nullptr : asksOnce(Operation)) {
    D = Operands.variable(Only);
    D->Given = true;
    Payloads.notePlaced(Only);
  } else {
    D = Out.declareGiven(Words ? ElementType::UW : ElementType::UD, 3, Align::Dword);
  }
  Out.Text.Implicit.push_back({D, Offset, Size, visaNumber(Kind)});
  OfDispatch[Kind] = D;
  Out.Result.Inputs.push_back({Kind, Offset, Size});
  return true;
}

/// Where the program's __global variables lie.
void EmitInputs::programAddress() {
  constexpr unsigned Size = 8;
  if (!isCm())
    fail("a __global variable of the program in a Level Zero program");
  At = unsigned(alignTo(At, Size));
  Declaration *D;
  if (Instruction *Only = asksOnce(Op::ProgramAddress)) {
    D = Operands.variable(Only);
    D->Given = true;
    Payloads.notePlaced(Only);
  } else {
    D = Out.declareGiven(ElementType::UD, 2, Align::Qword);
  }
  Out.Text.Inputs.push_back({D, At, Size});
  OfDispatch[ProgramDataInput] = D;
  Out.Result.Inputs.push_back({ProgramDataInput, At, Size});
  At += Size;
}

void EmitInputs::ask(CallInst &I, InputKind Kind) {
  if (Payloads.isPlaced(&I))
    return;
  Type *Element = I.getType()->getScalarType();
  if (Element->isIntegerTy(64)) // an address, by halves
    Element = Out.dword();
  Declaration *To = Operands.view(&I, Element, Sign::Unsigned);
  const int Count = int(bytesOf(I.getType()) / bytesOf(Element));
  for (int K = 0; K < Count; ++K) // one by one: the finalizer reads them where they are
    Out.add(Opcode::Mov, 1, {Builder::destination(To, K), Builder::scalar(OfDispatch[Kind], K)});
}

// What the host gives

void EmitInputs::argument(Argument &A) {
  const ParameterKind Kind = Out.Kernel.Parameters[A.getArgNo()].Kind;
  if (Kind == ParameterKind::General)
    return general(A);
  At = unsigned(alignTo(At, 4));
  if (Kind == ParameterKind::Surface && countOf(A.getType()) > 1)
    return surfaces(A);
  surfaceOrSampler(A);
}

void EmitInputs::general(Argument &A) {
  const unsigned Size = bytesOf(A.getType()), Natural = std::min(bytesOf(A.getType()->getScalarType()), 8u),
                 Grf = Out.Target.GrfBytes;
  At = unsigned(alignTo(At, Size >= Grf ? Grf : Natural));
  if (At / Grf != (At + Size - 1) / Grf)
    At = unsigned(alignTo(At, Grf)); // no argument straddles two registers that need not
  Declaration *D = Operands.variable(&A);
  Out.Text.Inputs.push_back({D, At, Size});
  D->Given = true;
  Out.Result.Inputs.push_back({ValueInput, At, Size});
  At += Size;
}

void EmitInputs::surfaceOrSampler(Argument &A) {
  constexpr unsigned Size = 4, FirstSampler = 6;
  const bool IsSurface = Out.Kernel.Parameters[A.getArgNo()].Kind == ParameterKind::Surface;
  Declaration *D = IsSurface ? Out.declareSurface() : Out.declareSampler(FirstSampler + A.getArgNo());
  Surfaces.give(&A, D);
  if (!isCm())
    return boundOf(A, D);
  Out.Text.Inputs.push_back({D, At, Size});
  if (isCalculatedWith(A))
    Out.add(Opcode::Movs, 1, {Builder::destination(Operands.variable(&A)), {SurfaceOperand{D}}});
  Out.Result.Inputs.push_back({IsSurface ? SurfaceInput : SamplerInput, At, Size});
  At += Size;
}

/// Level Zero has a fixed number for each surface and sampler, and no argument.
void EmitInputs::boundOf(Argument &A, Declaration *D) {
  const bool IsSurface = D->Is == Declaration::Kind::Surface;
  unsigned &Next = IsSurface ? NextBinding : NextSampler;
  D->Binding = Next;
  if (isCalculatedWith(A))
    Out.add(Opcode::Mov, 1, {Builder::destination(Operands.variable(&A)), {NumberOperand{Next, ElementType::UD}}});
  auto IsUsedBy = [&](ArrayRef<Op> Any) {
    return any_of(A.users(), [&](User *U) { return is_contained(Any, operationOf(U)); });
  };
  GenInput Bound{IsSurface ? SurfaceInput : SamplerInput, 0, 0, Next++};
  Bound.image = IsUsedBy({Op::MediaRead, Op::MediaWrite, Op::TypedRead, Op::TypedWrite, Op::TypedAtomic});
  Bound.sampled = IsSurface && IsUsedBy(Op::Sample);
  Out.Result.Inputs.push_back(Bound);
}

/// The numbers of several surfaces: an argument whose elements are numbers.
void EmitInputs::surfaces(Argument &A) {
  if (!isCm())
    fail("a vector of surfaces in a Level Zero program");
  const unsigned Size = bytesOf(A.getType()), Grf = Out.Target.GrfBytes;
  if (At / Grf != (At + Size - 1) / Grf)
    At = unsigned(alignTo(At, Grf));
  Declaration *D = Operands.variable(&A);
  Out.Text.Inputs.push_back({D, At, Size});
  D->Given = true;
  Out.Result.Inputs.push_back({SurfaceInput, At, Size});
  At += Size;
}

/// Whether a surface's number is also used as a number.
bool EmitInputs::isCalculatedWith(const Argument &A) const {
  return any_of(A.users(), [&](const User *U) {
    if (Out.Target.has(HasLsc) && !is_contained({Op::MediaRead, Op::MediaWrite, Op::Sample}, operationOf(U)))
      return true; // the load/store cache takes a surface's number
    Op Operation = operationOf(U);
    if (Operation == Op::Sample && operandOf(*cast<CallInst>(U), Role::Sampler) == &A)
      return false;
    return !pocm::has(Operation, Role::Surface) || operandOf(*cast<CallInst>(U), Role::Surface) != &A;
  });
}

// Who asks

std::vector<std::reference_wrapper<Instruction>> EmitInputs::instructions() const {
  std::vector<std::reference_wrapper<Instruction>> All;
  for (Function *G : Out.Functions)
    for (Instruction &I : llvm::instructions(*G))
      All.push_back(I);
  return All;
}

/// The only instruction with that operation, when it is one of the first block: what it asks for is in its own
/// variable from the beginning.
Instruction *EmitInputs::asksOnce(Op Operation) const {
  Instruction *Only = nullptr;
  for (Instruction &I : instructions())
    if (operationOf(&I) == Operation) {
      if (Only || I.getParent() != &Out.F.getEntryBlock())
        return nullptr;
      Only = &I;
    }
  return Only;
}

bool EmitInputs::uses(Op Operation) const {
  return any_of(instructions(), [&](Instruction &I) { return operationOf(&I) == Operation; });
}

} // namespace pocm::gen
