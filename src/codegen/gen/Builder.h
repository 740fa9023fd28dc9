//===- Builder.h - Declares variables and appends vISA instructions -------------------------===//
//
//     Declaration *Sum = Out.declare(Dword, 1, Sign::Unsigned);
//     Out.add(Opcode::Add, 1, {Out.destination(Sum), A, B});       ->   add (M1, 1) V40(0,0)<1> ...
//
// What all parts of the emitter share: the kernel, its target, and the list of instructions that they append to.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Emitter.h"
#include "codegen/gen/Instruction.h"
#include "codegen/gen/Variables.h"
#include "ir/Kernel.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instructions.h"

namespace pocm::gen {

/// Why a kernel does not become Gen code.
struct Unsupported {
  std::string What;
  bool IsBug = false; // of cmc, whose passes should have seen to it
};

/// What the target has not, or the emitter.
[[noreturn]] void fail(const llvm::Twine &What);
/// What the passes should have seen to.
[[noreturn]] void bug(const llvm::Twine &What);

/// How messages to users call an instruction.
std::string nameOf(const llvm::Instruction &I);
/// An operand that has to be a number known now.
unsigned constantOf(llvm::Value *V, const char *What);
/// The type's bytes in a variable.
unsigned bytesOf(llvm::Type *T);

/// A thread's scratch memory, behind its frame's beginning: variables with where that is.
struct Frame {
  Declaration *Bytes = nullptr, *Owords = nullptr;
};

class Builder {
public:
  Builder(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options);

  const KernelInfo &Kernel;
  const GenTarget &Target;
  const Runtime For;
  llvm::Function &F;
  const std::vector<llvm::Function *> Functions; // the kernel's own, then those that it calls
  Variables Registers;

  VisaKernel Result; // what is known of the kernel beside its text
  Assembly Text;
  unsigned NamedBarriers = 0;
  Frame Scratch;

  // Declarations

  /// A general variable. A payload, and what fills a register, begins one.
  Declaration *declare(llvm::Type *Element, unsigned Count, Sign S = Sign::Signed, bool Payload = false);
  /// A dword for each lane: scattered messages move one per channel, whatever the size of the element.
  Declaration *dwords(int Lanes);
  /// What the dispatch writes before the kernel begins, and no value of the kernel owns.
  Declaration *declareGiven(ElementType Type, unsigned Count, Align Aligned);
  Declaration *declarePredicate(unsigned Channels);
  Declaration *declareAddress(unsigned Count);
  Declaration *declareSurface();
  Declaration *declareSampler(unsigned Number);
  /// vISA's own: %null, %r0, ...
  Declaration *predefined(llvm::StringRef Name);

  /// A variable whose elements are read or written as that type.
  Declaration *view(Declaration *D, llvm::Type *Element, Sign S);
  /// The same by a name that is declared now.
  Declaration *alias(Declaration *D, llvm::Type *Element, Sign S);
  /// Registers of a larger variable, from that byte on, as a variable of type T.
  Declaration *partOf(Declaration *D, unsigned At, llvm::Type *T, Sign S);
  /// Messages read and write whole registers.
  static void alignForMessage(Declaration *D) { D->Aligned = Align::Grf; }
  /// A message may read or write so many bytes there, of which nobody uses those behind the value.
  static void makeRoom(Declaration *D, unsigned Bytes);

  // Instructions

  /// Appends one; 0 channels for what has no execution size.
  EmittedInstruction &add(Opcode Code, int Channels, llvm::ArrayRef<Operand> Operands = {});

  llvm::Type *dword() const { return llvm::Type::getInt32Ty(F.getContext()); }
  Operand null() { return {RawOperand{predefined("%null")}}; }
  static Operand scalar(Declaration *D, int Element = 0) { return {SourceOperand{D, GenRegion{0, 1, 0, Element}}}; }
  static Operand contiguous(Declaration *D) { return {SourceOperand{D, GenRegion{1, 1, 0, 0}}}; }
  static Operand destination(Declaration *D, int Element = 0) { return {DestinationOperand{D, Element}}; }

private:
  std::map<std::string, Declaration, std::less<>> Predefined;
  unsigned NextVariable = 32, NextPredicate = 1, NextSurface = 6, NextAddress = 1;

  std::string nextVariable() { return "V" + std::to_string(NextVariable++); }
  Declaration *other(Declaration D);
};

} // namespace pocm::gen
