//===- EmitLsc.h - Memory accesses of DG2 and later as vISA text ----------------------------===//
//
//     %d = gather <16 x i32>, surface %s, offsets %o      ->   lsc_load.ugm (M1, 16) V35:d32 bti(V33)[V34]:a32
//     %d = svm.block.ld <32 x i32>, address %a            ->   lsc_load.ugm (M1, 1) V37:d32x32t flat[V36]:a64
//
// The load/store cache has one form for surfaces, shared local memory (slm), memory by address
// and typed surfaces (tgm). Media blocks and samplers keep the messages that they always had.
// Included by EmitMessages.h alone.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitOperands.h"
#include "ir/Lsc.h"
#include "ir/Operands.h"

namespace pocm::gen {

class EmitLsc : protected EmitOperands {
protected:
  using EmitOperands::EmitOperands;

  /// Prints an operation that the load/store cache does; false for any other.
  bool lscMessage(CallInst &I) {
    if (auto M = lsc::Message::match(&I))
      return message(*M);
    if (auto Block = lsc::Block2d::match(&I))
      return block2d(*Block);
    switch (Op Operation = operationOf(&I)) {
    case Op::OwordRead:
      return block(I, onSurface(operandOf(I, Role::Surface)), inBytes(operandOf(I, Role::Offset), 4), nullptr);
    case Op::OwordReadUnaligned:
      return block(I, onSurface(operandOf(I, Role::Surface)), inBytes(operandOf(I, Role::Offset), 0), nullptr);
    case Op::OwordWrite:
      return block(I, onSurface(operandOf(I, Role::Surface)), inBytes(operandOf(I, Role::Offset), 4),
                   operandOf(I, Role::Data));
    case Op::SvmBlockRead:
      return block(I, ByAddress, name(operandOf(I, Role::Address)), nullptr);
    case Op::SvmBlockWrite:
      return block(I, ByAddress, name(operandOf(I, Role::Address)), operandOf(I, Role::Data));
    case Op::Gather:
      return scattered(I, onSurface(operandOf(I, Role::Surface)), true);
    case Op::Scatter:
      return scattered(I, onSurface(operandOf(I, Role::Surface)), false);
    case Op::SvmGather:
      return scattered(I, ByAddress, true);
    case Op::SvmScatter:
      return scattered(I, ByAddress, false);
    case Op::FrameRead:
      return block(I, frame(), inBytes(operandOf(I, Role::Offset), 4), nullptr);
    case Op::FrameWrite:
      return block(I, frame(), inBytes(operandOf(I, Role::Offset), 4), operandOf(I, Role::Data));
    case Op::FrameGather:
      return scattered(I, frame(), true);
    case Op::FrameScatter:
      return scattered(I, frame(), false);
    case Op::TypedRead:
      return typedQuad(I, true);
    case Op::TypedWrite:
      return typedQuad(I, false);
    case Op::TypedAtomic: {
      AtomicInfo Info = atomicInfo(atomicOfNumber(constantOf(operandOf(I, Role::Number), "an atomic")));
      return atomic(I, Info, guard(operandOf(I, Role::Predicate)),
                    {".tgm", surfaceNumber(operandOf(I, Role::Surface)), "a32"}, coordinates(I));
    }
    case Op::Fence: {
      unsigned Bits = constantOf(operandOf(I, Role::FenceBits), "a fence's mask");
      Out << (Bits & 0x20 ? "    lsc_fence.slm.none.group\n"
                          : "    lsc_fence.ugm.none.gpu\n    lsc_fence.tgm.none.gpu\n");
      return true;
    }
    default:
      AtomicInfo Info = atomicInfo(Operation);
      if (Info.Sources < 0)
        return false;
      return atomic(I, Info, guard(operandOf(I, Role::Predicate)),
                    Info.ByAddress ? ByAddress : onSurface(operandOf(I, Role::Surface)),
                    lanes(operandOf(I, Role::Places)));
    }
  }

private:
  /// What memory: the suffix of the operation, what stands before the brackets, the size of an address.
  struct Memory {
    std::string Function, Base;
    const char *Address;
  };
  const Memory ByAddress{".ugm", "flat", "a64"};

  /// The thread's scratch memory: the surface whose state lies at so many bytes.
  Memory frame() { return {".ugm", "ss(" + FrameOword + ")", "a32"}; }

  /// A whole variable that holds the value, with room for so many bytes.
  std::string name(Value *V, unsigned Room = 0) {
    std::string Raw = raw(V, Sign::Unsigned, Room);
    return Raw.substr(0, Raw.size() - 2); // without ".0"
  }

  /// The same of an element for each lane. GenX_IR gives a message all channels that the shortest has, and wants
  /// variables of 64-bit elements to have room for them. The finalizer puts the sources of an atomic with two of them
  /// one behind the other, and takes each from where its variable begins: no part of another one.
  std::string lanes(Value *V, unsigned Sources = 1) {
    unsigned Bytes = bytesOf(V->getType()), Room = Target.lscChannels() * 8;
    bool Short = elementBytes(V->getType()->getScalarType()) == 8 && Bytes < Room;
    return name(V, Short ? Room : Sources > 1 ? Bytes : 0);
  }

  std::string surfaceNumber(Value *V) {
    if (auto *C = dyn_cast<ConstantInt>(V))
      return "bti(0x" + utohexstr(slotOf(*C), true) + ")";
    if (auto Number = Bindings.find(SurfaceNames.lookup(V)); Number != Bindings.end())
      return "bti(0x" + utohexstr(Number->second, true) + ")";
    Value *Register = registerOf(V);
    bool Whole = countOf(Register->getType()) == 1 && needsRegister(*Register); // no payload: it may lie anywhere
    return "bti(" + (Whole ? view(Register, V->getType(), Sign::Unsigned) : name(V)) + ")";
  }

  Memory onSurface(Value *V) {
    auto *C = dyn_cast<ConstantInt>(V);
    return C && C->getZExtValue() == SlmSurface ? Memory{".slm", "flat", "a32"}
                                                : Memory{".ugm", surfaceNumber(V), "a32"};
  }

  /// A variable with an offset in bytes of what counts in units of 1 << Shift.
  std::string inBytes(Value *Offset, unsigned Shift) {
    if (Shift == 0)
      return name(Offset);
    std::string To = declare(Offset->getType(), 1, Sign::Unsigned, /*Payload=*/true), From = scalar(Offset);
    if (auto *C = dyn_cast<ConstantInt>(Offset))
      Out << "    mov (M1, 1) " << To << "(0,0)<1> 0x" << utohexstr(uint32_t(C->getZExtValue() << Shift), true)
          << ":ud\n";
    else
      Out << "    shl (M1, 1) " << To << "(0,0)<1> " << From << " " << Shift << ":ud\n";
    return To;
  }

  static std::string at(const Memory &M, const std::string &Place) { return M.Base + "[" + Place + "]:" + M.Address; }

  /// Contiguous dwords, of one lane. Written when there is Data.
  bool block(CallInst &I, const Memory &M, const std::string &Place, Value *Data) {
    unsigned Bytes = bytesOf(Data ? Data->getType() : I.getType()), Dwords = Bytes / 4;
    if (Bytes % 4 || !is_contained({1u, 2u, 3u, 4u, 8u, 16u, 32u, 64u}, Dwords))
      fail("a block of " + std::to_string(Bytes) + " bytes");
    std::string Size = ":d32x" + std::to_string(Dwords) + "t";
    if (Data) {
      std::string From = name(Data);
      Out << "    lsc_store" << M.Function << " (M1, 1) " << at(M, Place) << " " << From << Size << "\n";
    } else {
      Out << "    lsc_load" << M.Function << " (M1, 1) " << whole(I) << Size << " " << at(M, Place) << "\n";
    }
    return true;
  }

  /// The variable that a message writes.
  std::string whole(CallInst &I) {
    std::string Payload = payload(&I);
    return Payload.substr(0, Payload.size() - 2);
  }

  /// The same of elements of so many bytes in lanes.
  std::string whole(CallInst &I, unsigned Bytes) {
    if (Bytes == 8)
      makeRoom(variable(&I).Name, Target.lscChannels() * Bytes);
    return whole(I);
  }

  static std::string sizeOfLane(int Bytes) {
    return Bytes == 8 ? ":d64" : Bytes == 4 ? ":d32" : Bytes == 2 ? ":d16c32" : ":d8c32";
  }

  bool scattered(CallInst &I, const Memory &M, bool Read) {
    Value *OldOrData = operandOf(I, valueRole(operationOf(&I)));
    Type *T = OldOrData->getType();
    int Lanes = countOf(T), Bytes = elementBytes(T);
    std::string G = guard(operandOf(I, Role::Predicate)), Place = at(M, lanes(operandOf(I, Role::Places)));
    std::string Data;
    if (Bytes < 4)
      Data = dwords(Lanes);
    else
      Data = Read ? whole(I, unsigned(Bytes)) : lanes(OldOrData);
    if (Read) {
      if (Bytes >= 4)
        keepOld(I, OldOrData, !G.empty());
      Out << "    " << G << "lsc_load" << M.Function << width(Lanes) << Data << sizeOfLane(Bytes) << " " << Place
          << "\n";
      if (Bytes < 4)
        fromDwords(I, Data, G, OldOrData);
      return true;
    }
    if (Bytes < 4)
      toDwords(Data, OldOrData);
    Out << "    " << G << "lsc_store" << M.Function << width(Lanes) << Place << " " << Data << sizeOfLane(Bytes)
        << "\n";
    return true;
  }

  /// The coordinates of a typed access, those that are 0 and come last left out.
  std::string coordinates(CallInst &I) {
    std::string Text = name(operandOf(I, Role::U)) + "," + name(operandOf(I, Role::V));
    if (operationOf(&I) != Op::TypedAtomic && !match(operandOf(I, Role::R), m_Zero()))
      Text += "," + name(operandOf(I, Role::R));
    return Text;
  }

  bool typedQuad(CallInst &I, bool Read) {
    unsigned Mask = constantOf(operandOf(I, Role::Components), "a mask of components");
    if (!Read && !isMask_32(Mask)) // only x, xy, xyz and xyzw are written
      return false;
    std::string Names;
    for (unsigned K = 0; K < 4; ++K)
      if (Mask >> K & 1)
        Names += "xyzw"[K];
    int Lanes = countOf(operandOf(I, Role::U)->getType());
    std::string G = guard(operandOf(I, Role::Predicate));
    std::string Place = at({"", surfaceNumber(operandOf(I, Role::Surface)), "a32"}, coordinates(I));
    if (Read) {
      keepOld(I, operandOf(I, Role::Old), !G.empty());
      Out << "    " << G << "lsc_load_quad.tgm" << width(Lanes) << whole(I) << ":d32." << Names << " " << Place << "\n";
    } else {
      std::string Data = name(operandOf(I, Role::Data));
      Out << "    " << G << "lsc_store_quad.tgm" << width(Lanes) << Place << " " << Data << ":d32." << Names << "\n";
    }
    return true;
  }

  // Messages that CM IR has as they are

  static std::string caching(unsigned L1, unsigned L3) {
    static const char *const Names[] = {"df", "uc", "ca", "wb", "wt", "st", "ri"};
    if ((L1 == lsc::Default && L3 == lsc::Default) || std::max(L1, L3) >= std::size(Names))
      return "";
    return "." + std::string(Names[L1]) + "." + Names[L3];
  }
  /// A prefetch goes somewhere in any case.
  static std::string prefetchCaching(unsigned L1, unsigned L3) {
    return caching(L1, L3).empty() || (L1 == lsc::Uncached && L3 == lsc::Uncached) ? ".uc.ca" : caching(L1, L3);
  }

  /// What a lane moves: ":d32x4", ":d32.xz", ":d8c32", ":d64x8t".
  static std::string dataOf(const lsc::Message &M) {
    static const char *const Sizes[] = {"d32", "d8", "d16", "d32", "d64", "d8c32", "d16c32", "d16c32h"};
    std::string Text = std::string(":") + Sizes[M.number(lsc::Size)];
    if (M.isQuad()) {
      Text += ".";
      for (unsigned K = 0; K < 4; ++K)
        if (M.number(lsc::Components) >> K & 1)
          Text += "xyzw"[K];
    } else if (M.elements() > 1 || M.isBlock()) {
      Text += "x" + std::to_string(M.elements());
    }
    return M.isBlock() ? Text + "t" : Text;
  }

  Memory memoryOf(const lsc::Message &M) {
    switch (M.Where) {
    case lsc::Space::Slm:
      return {".slm", "flat", "a32"};
    case lsc::Space::Stateless:
      return ByAddress;
    default:
      return {".ugm", surfaceNumber(M.surface()), "a32"};
    }
  }

  bool message(const lsc::Message &M) {
    CallInst &I = *M.Call;
    Memory Where = memoryOf(M);
    unsigned L1 = M.number(lsc::CacheL1), L3 = M.number(lsc::CacheL3);
    if (M.Where != lsc::Space::Slm)
      Where.Function += M.What == lsc::Kind::Prefetch ? prefetchCaching(L1, L3) : caching(L1, L3);
    std::string G = guard(M.predicate()), Place = M.isBlock() ? name(M.places()) : lanes(M.places()), Data = dataOf(M);
    if (int Offset = int(M.number(lsc::Offset)))
      Place += (Offset < 0 ? "-0x" : "+0x") + utohexstr(uint64_t(std::abs(int64_t(Offset))), true);
    Place = at(Where, Place);
    std::string Size = width(M.isBlock() ? 1 : countOf(M.places()->getType())), Quad = M.isQuad() ? "_quad" : "";
    if (M.What == lsc::Kind::Atomic)
      return lscAtomic(M, G, Where.Function + Size, Data + " " + Place);
    if (M.What == lsc::Kind::Prefetch) {
      Out << "    " << G << "lsc_load" << Where.Function << Size << "%null" << Data << " " << Place << "\n";
    } else if (M.reads()) {
      std::string To = M.isBlock() ? whole(I) : whole(I, M.bytes());
      keepOld(I, M.old(), !G.empty());
      Out << "    " << G << "lsc_load" << Quad << Where.Function << Size << To << Data << " " << Place << "\n";
    } else {
      std::string From = M.isBlock() ? name(M.value()) : lanes(M.value());
      Out << "    " << G << "lsc_store" << Quad << Where.Function << Size << Place << " " << From << Data << "\n";
    }
    return true;
  }

  bool lscAtomic(const lsc::Message &M, const std::string &G, const std::string &Head, const std::string &Tail) {
    std::string Values;
    for (unsigned K = 0; K < 2; ++K)
      Values += " " + (K < M.atomic().Sources ? lanes(sourceOf(*M.Call, K), M.atomic().Sources) : "%null");
    std::string To = M.Call->use_empty() ? "%null" : whole(*M.Call, M.bytes());
    if (!M.Call->use_empty())
      keepOld(*M.Call, M.value(), !G.empty());
    Out << "    " << G << "lsc_atomic_" << M.atomic().Name << Head << To << Tail << Values << "\n";
    return true;
  }

  bool block2d(const lsc::Block2d &Block) {
    if (!Target.has(HasLsc2d))
      fail("a block of two dimensions");
    Op Operation = operationOf(Block.Call);
    unsigned L1 = Block.number(lsc::L1Of2d), L3 = Block.number(lsc::L3Of2d), Blocks = Block.number(lsc::Blocks);
    std::string Shape = ":d" + std::to_string(8 * Block.bytes()) + ".";
    if (Blocks > 1)
      Shape += std::to_string(Blocks) + "x";
    Shape += std::to_string(Block.width()) + "x" + std::to_string(Block.height());
    Shape += Block.isTransposed() ? "t" : "n";
    Shape += Block.number(lsc::Vnni) ? "t" : "n"; // transformed
    std::string Place = "flat[";
    for (unsigned K = lsc::Base; K <= lsc::Y; ++K) {
      auto *C = dyn_cast<ConstantInt>(Block.operand(K));
      Place += (K > lsc::Base ? "," : "") + (C ? "0x" + utohexstr(C->getZExtValue(), true) : name(Block.operand(K)));
    }
    Place += "]";
    if (Operation == Op::LscStore2d) {
      std::string From = name(Block.operand(lsc::Data2d));
      Out << "    lsc_store_block2d.ugm" << caching(L1, L3) << " (M1, 1) " << Place << " " << From << Shape << "\n";
    } else {
      bool Reads = Operation == Op::LscLoad2d;
      Out << "    lsc_load_block2d.ugm" << (Reads ? caching(L1, L3) : prefetchCaching(L1, L3)) << " (M1, 1) "
          << (Reads ? whole(*Block.Call) : "%null") << Shape << " " << Place << "\n";
    }
    return true;
  }

  const lsc::AtomicRow &rowOf(CallInst &I, const AtomicInfo &Info) {
    auto *Row = find_if(lsc::Atomics, [&](const lsc::AtomicRow &R) {
      return R.Older == Info.Number && int(R.Sources) == Info.Sources;
    });
    if (Row == std::end(lsc::Atomics))
      fail(nameOf(I));
    return *Row;
  }

  /// The first source of a comparing exchange is the new value; the message has what to compare with before it.
  bool atomic(CallInst &I, const AtomicInfo &Info, const std::string &G, const Memory &M, const std::string &Place) {
    int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
    bool InDwords = Bytes < 4;
    std::string Sources[2] = {"%null", "%null"};
    for (int K = 0; K < Info.Sources && K < 2; ++K) {
      Value *V = sourceOf(I, unsigned(K));
      if (InDwords)
        toDwords(Sources[K] = dwords(Lanes), V);
      else
        Sources[K] = lanes(V, unsigned(Info.Sources));
    }
    const lsc::AtomicRow &Row = rowOf(I, Info);
    if (Row.Swaps)
      std::swap(Sources[0], Sources[1]);
    std::string To = I.use_empty() ? "%null" : InDwords ? dwords(Lanes) : whole(I, unsigned(Bytes));
    Value *Old = operationOf(&I) == Op::TypedAtomic ? PoisonValue::get(I.getType()) : operandOf(I, Role::Old);
    if (!I.use_empty() && !InDwords)
      keepOld(I, Old, !G.empty());
    Out << "    " << G << "lsc_atomic_" << Row.Name << M.Function << width(Lanes) << To << sizeOfLane(Bytes) << " "
        << at(M, Place) << " " << Sources[0] << " " << Sources[1] << "\n";
    if (InDwords && !I.use_empty())
      fromDwords(I, To, G, Old);
    return true;
  }
};

} // namespace pocm::gen
