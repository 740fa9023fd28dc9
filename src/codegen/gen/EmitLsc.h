//===- EmitLsc.h - Memory accesses of DG2 and later as vISA instructions --------------------===//
//
//     %d = gather <16 x i32>, surface %s, offsets %o      ->   lsc_load.ugm (M1, 16) V35:d32 bti(V33)[V34]:a32
//     %d = svm.block.ld <32 x i32>, address %a            ->   lsc_load.ugm (M1, 1) V37:d32x32t flat[V36]:a64
//
// The load/store cache has one form for surfaces, shared local memory (slm), memory by address
// and typed surfaces (tgm). Media blocks and samplers keep the messages that they always had.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitPayloads.h"
#include "codegen/gen/EmitSurfaces.h"
#include "ir/Lsc.h"
#include "ir/Messages.h"

namespace pocm::gen {

class EmitLsc {
public:
  EmitLsc(Builder &Out, EmitOperands &Operands, EmitPayloads &Payloads, EmitSurfaces &Surfaces)
      : Out(Out), Operands(Operands), Payloads(Payloads), Surfaces(Surfaces) {}

  /// Appends an operation that the load/store cache does; false for any other.
  bool message(llvm::CallInst &I);

private:
  /// What memory, and the size of an address in it.
  struct Memory {
    Part Function; // ugm, slm, tgm
    LscMemory Where{};
    unsigned AddressBits = 32;
    llvm::SmallVector<OperandBytes, 1> Meant{}; // where the surface's number lies
  };
  using Parts = llvm::SmallVector<Part, 2>;

  Builder &Out;
  EmitOperands &Operands;
  EmitPayloads &Payloads;
  EmitSurfaces &Surfaces;

  static Memory byAddress() { return {.Function = Part::Untyped, .AddressBits = 64}; }
  static Memory shared() { return {.Function = Part::Shared}; }
  Memory frame() const;
  Memory onSurface(llvm::Value *V);
  Memory typedSurface(llvm::Value *V);
  Memory memoryOf(const lsc::Message &M);
  Memory memoryOf(llvm::CallInst &I, const MessageInfo &Info);
  void numberOf(Memory &M, llvm::Value *Surface);
  static Operand at(const Memory &M, llvm::ArrayRef<Payload> Places, int Offset = 0);
  static Operand data(const Payload &P, const LscLane &Lane);

  Payload lanes(llvm::Value *V, unsigned Sources = 1);
  Payload inBytes(llvm::Value *Offset, unsigned Shift);
  Payload resultInLanes(llvm::CallInst &I, unsigned Bytes);
  Payload none() { return {Out.predefined("%null")}; }
  llvm::SmallVector<Payload, 3> placesOf(llvm::CallInst &I);

  bool block(llvm::CallInst &I, const Memory &M, const Payload &Place, llvm::Value *Data = nullptr);
  bool scattered(llvm::CallInst &I, const Memory &M, bool Read);
  bool older(llvm::CallInst &I, const MessageInfo &Info);
  bool quad(llvm::CallInst &I, const MessageInfo &Info);
  bool atomic(llvm::CallInst &I, const MessageInfo &Message);
  bool fence(llvm::CallInst &I);

  bool lscMessage(const lsc::Message &M);
  bool lscAtomic(const lsc::Message &M, const Guard &G, const Memory &Where, const Parts &Caching,
                 const Operand &Place);
  bool block2d(const lsc::Block2d &Block);
};

} // namespace pocm::gen
