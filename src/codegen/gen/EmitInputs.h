//===- EmitInputs.h - Where a kernel finds its arguments, as vISA text ----------------------===//
//
//     i32 %n                      ->   .input V32 offset=64 size=4
//     llvm.genx.local.id          ->   .implicit_UNDEFINED_3 V33 offset=32 size=12
//
// The layouts are those of the CM runtime and of Level Zero. Included by Emitter.cpp alone.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitMessages.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Operands.h"
#include "llvm/IR/InstIterator.h"

namespace pocm::gen {

class EmitInputs : protected EmitMessages {
protected:
  using EmitMessages::EmitMessages;

  void inputs() {
    // Level Zero puts a thread's local ids first, as words, if the kernel wants them; the CM runtime in any case.
    bool Cm = For == Runtime::Cm, First = Cm ? usesGroups(Functions) : uses(Op::LocalId);
    unsigned At = First ? 2 * Target.GrfBytes : Target.GrfBytes;
    auto Implicit = [&](const char *Keyword, InputKind Kind, Op Operation, unsigned Offset, bool Words = false) {
      if (!uses(Operation))
        return false;
      unsigned Size = Words ? 6 : 12;
      std::string Name;
      if (Instruction *Only = Words ? nullptr : asksOnce(Operation)) {
        Name = variable(Only).Name;
        GivenAs.insert(Only);
        general(Name).Given = true;
      } else {
        Name = "V" + std::to_string(NextVariable++);
        Decl << ".decl " << Name << " v_type=G type=" << (Words ? "uw" : "ud") << " num_elts=3 align=dword\n";
      }
      ImplicitIn << ".implicit_UNDEFINED_" << visaNumber(Kind) << " " << Name << " offset=" << Offset
                 << " size=" << Size << "\n";
      ImplicitInputs[Keyword] = Name;
      Result.Inputs.push_back({Kind, Offset, Size});
      return true;
    };
    Implicit("local_id", LocalIdInput, Op::LocalId, Target.GrfBytes, !Cm);
    if (Implicit("local_size", GroupSizeInput, Op::LocalSize, At))
      At += 12;
    if (Implicit("group_count", GroupCountInput, Op::GroupCount, At))
      At += 12;
    if (uses(Op::ProgramAddress))
      programAddress(At);
    if (!Cm && F.hasFnAttribute(LocalParametersAttribute)) // of which its hosts say sizes, not places
      fail("a __local pointer as a parameter in a Level Zero program");
    unsigned NextBinding = 1, NextSampler = 0; // surface 0 is the debugger's
    for (Argument &A : F.args()) {
      const KernelParameter &P = Kernel.Parameters[A.getArgNo()];
      unsigned Size = bytesOf(A.getType());
      unsigned Natural = std::min(bytesOf(A.getType()->getScalarType()), 8u);
      At = alignTo(At, P.Kind == ParameterKind::General ? (Size >= Target.GrfBytes ? Target.GrfBytes : Natural) : 4);
      if (P.Kind == ParameterKind::General && At / Target.GrfBytes != (At + Size - 1) / Target.GrfBytes)
        At = unsigned(alignTo(At, Target.GrfBytes)); // no argument straddles two registers that need not
      if (P.Kind == ParameterKind::General) {
        In << ".input " << variable(&A).Name << " offset=" << At << " size=" << Size << "\n";
        general(variable(&A).Name).Given = true;
      } else {
        bool IsSurface = P.Kind == ParameterKind::Surface;
        if (IsSurface && countOf(A.getType()) > 1) {
          surfaces(A, At);
          continue;
        }
        std::string Name = IsSurface ? "T" + std::to_string(NextSurface++) : "S" + std::to_string(6 + A.getArgNo());
        Decl << ".decl " << Name << " v_type=" << (IsSurface ? "T" : "S") << " num_elts=1\n";
        SurfaceNames[&A] = Name;
        if (!Cm) {
          unsigned &Next = IsSurface ? NextBinding : NextSampler;
          Bindings[Name] = Next;
          if (isCalculatedWith(A))
            Out << "    mov (M1, 1) " << variable(&A).Name << "(0,0)<1> " << Next << ":ud\n";
          auto IsUsedBy = [&](ArrayRef<Op> Any) {
            return any_of(A.users(), [&](User *U) { return is_contained(Any, operationOf(U)); });
          };
          GenInput Bound{unsigned(P.Kind), 0, 0, Next++};
          Bound.image = IsUsedBy({Op::MediaRead, Op::MediaWrite, Op::TypedRead, Op::TypedWrite, Op::TypedAtomic});
          Bound.sampled = IsSurface && IsUsedBy(Op::Sample);
          Result.Inputs.push_back(Bound);
          continue;
        }
        In << ".input " << Name << " offset=" << At << " size=4\n";
        if (isCalculatedWith(A))
          Out << "    movs (M1, 1) " << variable(&A).Name << "(0,0)<1> " << Name << "(0)\n";
        Size = 4;
      }
      Result.Inputs.push_back({unsigned(P.Kind), At, Size});
      At += Size;
    }
  }

  /// The numbers of several surfaces: an argument whose elements are numbers.
  void surfaces(Argument &A, unsigned &At) {
    if (For != Runtime::Cm)
      fail("a vector of surfaces in a Level Zero program");
    unsigned Size = bytesOf(A.getType());
    if (At / Target.GrfBytes != (At + Size - 1) / Target.GrfBytes)
      At = unsigned(alignTo(At, Target.GrfBytes));
    In << ".input " << variable(&A).Name << " offset=" << At << " size=" << Size << "\n";
    general(variable(&A).Name).Given = true;
    Result.Inputs.push_back({SurfaceInput, At, Size});
    At += Size;
  }

  /// Where the program's __global variables lie.
  void programAddress(unsigned &At) {
    constexpr unsigned Size = 8;
    if (For != Runtime::Cm)
      fail("a __global variable of the program in a Level Zero program");
    At = unsigned(alignTo(At, Size));
    std::string Name = "V" + std::to_string(NextVariable++);
    if (Instruction *Only = asksOnce(Op::ProgramAddress)) {
      Name = variable(Only).Name;
      GivenAs.insert(Only);
      general(Name).Given = true;
    } else {
      Decl << ".decl " << Name << " v_type=G type=ud num_elts=2 align=qword\n";
    }
    In << ".input " << Name << " offset=" << At << " size=" << Size << "\n";
    ImplicitInputs["program"] = Name;
    Result.Inputs.push_back({ProgramDataInput, At, Size});
    At += Size;
  }

  /// Whether a surface's number is also used as a number.
  bool isCalculatedWith(const Argument &A) {
    return any_of(A.users(), [&](const User *U) {
      if (Target.has(HasLsc) && !is_contained({Op::MediaRead, Op::MediaWrite, Op::Sample}, operationOf(U)))
        return true; // the load/store cache takes a surface's number
      Op Operation = operationOf(U);
      if (Operation == Op::Sample && operandOf(*cast<CallInst>(U), Role::Sampler) == &A)
        return false;
      return !has(Operation, Role::Surface) || operandOf(*cast<CallInst>(U), Role::Surface) != &A;
    });
  }

  std::vector<std::reference_wrapper<Instruction>> instructions() {
    std::vector<std::reference_wrapper<Instruction>> All;
    for (Function *G : Functions)
      for (Instruction &I : llvm::instructions(*G))
        All.push_back(I);
    return All;
  }

  /// The only instruction with that operation, when it is one of the first block: what it asks for is in its own
  /// variable from the beginning.
  Instruction *asksOnce(Op Operation) {
    Instruction *Only = nullptr;
    for (Instruction &I : instructions())
      if (operationOf(&I) == Operation) {
        if (Only || I.getParent() != &F.getEntryBlock())
          return nullptr;
        Only = &I;
      }
    return Only;
  }

  bool uses(Op Operation) {
    return any_of(instructions(), [&](Instruction &I) { return operationOf(&I) == Operation; });
  }
};

} // namespace pocm::gen
