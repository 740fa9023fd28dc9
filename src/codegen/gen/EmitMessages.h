//===- EmitMessages.h - Messages to memory, samplers and the gateway as vISA instructions ---===//
//
//     %d = gather <16 x i32>, scaled, surface %s, offsets %o   ->   gather_scaled.4 (M1, 16) T6 0:ud V34.0 V35.0
//
// And what the dispatch and the hardware give a thread, which operations ask for.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitInputs.h"
#include "codegen/gen/EmitLsc.h"
#include "ir/Operands.h"

namespace pocm::gen {

/// A row of Opcodes.def that says all of a message.
struct MessageRow;

class EmitMessages {
public:
  EmitMessages(Builder &Out, EmitOperands &Operands, EmitPayloads &Payloads, EmitSurfaces &Surfaces, EmitInputs &Inputs)
      : Out(Out), Operands(Operands), Payloads(Payloads), Surfaces(Surfaces), Inputs(Inputs),
        Lsc(Out, Operands, Payloads, Surfaces),
        ThreadsAreGroups(Out.For == Runtime::LevelZero || !Out.Target.has(HasMediaWalker)) {}

  void message(llvm::CallInst &I);

private:
  Builder &Out;
  EmitOperands &Operands;
  EmitPayloads &Payloads;
  EmitSurfaces &Surfaces;
  EmitInputs &Inputs;
  EmitLsc Lsc;
  const bool ThreadsAreGroups; // a thread of a thread space is dispatched as a group

  /// Where a scattered message's offsets count from.
  struct Place {
    Operand Surface, Offset;
  };
  Place placeOf(llvm::CallInst &I);
  Place scratch();

  // By rows of Opcodes.def
  void byRow(llvm::CallInst &I, const MessageRow &R);
  static std::optional<NamePart> partOf(llvm::CallInst &I, Role What, int Lanes);
  Operand columnOf(llvm::CallInst &I, int Column);
  Operand address(llvm::Value *V);
  // Blocks
  void mediaBlock(llvm::CallInst &I, bool Read);
  // Channels
  void readChannels(llvm::CallInst &I, bool Scaled, const Place &From, const Operand &At);
  void writeChannels(llvm::CallInst &I, bool Scaled, const Place &To, const Operand &At);
  void svmScattered(llvm::CallInst &I, bool Read);
  // Scratch memory
  void frameRead(llvm::CallInst &I);
  void frameWrite(llvm::CallInst &I);
  Operand frameOword(llvm::Value *Offset);
  Operand frameBytes(llvm::Value *Offsets);
  // Atomics
  void atomic(llvm::CallInst &I, const AtomicInfo &Info);
  void svmAtomic(llvm::CallInst &I, const AtomicInfo &Info);
  Operand atomicSource(llvm::CallInst &I, const AtomicInfo &Info, int K);
  Operand atomicResult(llvm::CallInst &I, const AtomicInfo &Info, bool Guarded);
  // Typed surfaces and samplers
  Operand coordinate(llvm::Value *V);
  void sample(llvm::CallInst &I);
  std::pair<unsigned, Operand> sampled(llvm::Value *Components);
  // Others
  void predefined(llvm::CallInst &I, llvm::StringRef Name);
  void timestamp(llvm::CallInst &I);
  void dpas(llvm::CallInst &I);
  Operand byteScalar(llvm::Value *V);
  void namedArrive(llvm::CallInst &I);
  void namedArriveAs(llvm::CallInst &I, unsigned BarrierRole);
  void namedWait(llvm::CallInst &I);
  void noteBarrier(llvm::CallInst &I);
  void barrier(llvm::CallInst &I);
  void fence(llvm::CallInst &I);
};

} // namespace pocm::gen
