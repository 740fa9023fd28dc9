//===- Instruction.h - What vISA text is made of --------------------------------------------===//
//
//     .decl V33 v_type=G type=d num_elts=32 align=GRF         Declaration
//     .decl V33_ub v_type=G type=ub num_elts=128 alias=<V33, 0>    the same variable's bytes
//
//     (P1) mov.sat (M1, 16) V33_ub(1,3)<1> (-)V40(0,0)<1;1,0>      EmittedInstruction
//      guard  |        |       destination, source: Operand
//           parts   channels
//
// The emitter makes a list of them (Assembly), which is printed once, at the end (Print.h).
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/GenRegion.h"
#include "codegen/gen/Origin.h"
#include "codegen/gen/Spelling.h"
#include "codegen/gen/VisaReader.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>
#include <map>
#include <variant>

namespace pocm::gen {

// Variables

enum class Align : unsigned char { Word, Dword, Qword, Oword, Grf };

/// A variable, or another name for a part of one.
struct Declaration {
  enum class Kind : unsigned char { General, Predicate, Address, Surface, Sampler, Predefined };

  std::string Name{};
  Kind Is = Kind::General;
  ElementType Type = ElementType::UD;           // of a general variable's elements
  unsigned Count = 1;                           // of elements, channels or numbers
  Align Aligned = Align::Word;                  // of a general variable
  bool Given = false;                           // an input, which lies where the dispatch puts it
  unsigned Bytes = 0;                           // of the value in a general variable, which may have room for more
  Declaration *Of = nullptr;                    // of which variable it is another name,
  unsigned At = 0;                              // and from which byte of it on
  std::optional<unsigned> Binding{};            // the number of a surface or sampler that has a known one
  std::map<ElementType, Declaration *> Views{}; // the variable with elements of other types
  bool IsView = false;                          // one of those
};

// Operands

/// What a source does with what it reads.
struct Modifiers {
  bool Negate = false, Absolute = false, Complement = false;
};

/// V33(1,3)<8;4,2>
struct SourceOperand {
  Declaration *Of;
  GenRegion Where;
  Modifiers Does{};
};
/// V33(1,3)<2>
struct DestinationOperand {
  Declaration *Of;
  int First; // element
  int Stride = 1;
};
/// An address: one of those that an address variable holds.
struct Address {
  Declaration *Of = nullptr;
  unsigned Number = 0;
};
/// r[A1(0),32]<8;4,2>:ud, or r[A1(0),0]<1,0>:ud where each channel has an address of its own.
struct IndirectSource {
  Address At;
  int Bytes; // behind the address
  GenRegion Where;
  ElementType Type;
  bool PerChannel = false;
  Modifiers Does{};
};
/// r[A1(0),32]<2>:ud
struct IndirectDestination {
  Address At;
  int Bytes;
  int Stride;
  ElementType Type;
};
/// 5:d
struct NumberOperand {
  std::int64_t Number;
  ElementType Type;
};
/// 0x3f800000:f, with at least so many digits.
struct BitsOperand {
  std::uint64_t Bits;
  ElementType Type;
  unsigned Digits = 1;
};
/// 2
struct PlainNumber {
  unsigned Number;
};
/// A variable by its name alone: P1, T6, %null.
struct NameOperand {
  Declaration *Of;
};
/// V33.0: whole registers.
struct RawOperand {
  Declaration *Of;
};
/// V33(0,0): registers from the first on.
struct RegisterOperand {
  Declaration *Of;
};
/// T6(0)
struct SurfaceOperand {
  Declaration *Of;
};
/// A1(0)<16>
struct AddressOperand {
  Declaration *Of;
};
/// &V33
struct AddressOf {
  Declaration *Of;
};
/// A label or a subroutine.
struct PlaceInCode {
  std::string Name;
};

// Operands of the load/store cache

/// The size of an element in memory, which of the last three is not that in registers.
enum class LscSize : unsigned char { D8, D16, D32, D64, D8C32, D16C32, D16C32H };

/// What a lane moves: d32, d32x4, d32.xz, d8c32; of a block d64x8t.
struct LscLane {
  LscSize Size;
  unsigned Elements = 1;
  unsigned Components = 0; // a bit for each of x, y, z and w
  bool Block = false;
};
/// d8.2x16x8nn
struct LscRectangle {
  unsigned Bits, Blocks, Width, Height;
  bool Transposed, Transformed;
};
/// V33:d32
struct LscData {
  Declaration *Of;
  std::variant<LscLane, LscRectangle> Shape;
};
/// A variable or a number.
struct LscPlace {
  Declaration *Of = nullptr;
  std::uint64_t Number = 0;
};
/// What memory an access is of: flat, a surface by its number (bti), a surface whose state lies at a place (ss).
struct LscMemory {
  enum class Kind : unsigned char { Flat, Binding, State };
  Kind Is = Kind::Flat;
  LscPlace Surface{};
};
/// bti(V33)[V34+0x20]:a32
struct LscAddress {
  LscMemory Memory;
  llvm::SmallVector<LscPlace, 3> Places;
  int Offset = 0;
  unsigned Bits = 0; // of an address; 0: not said
};

struct Operand {
  std::variant<SourceOperand, DestinationOperand, IndirectSource, IndirectDestination, NumberOperand, BitsOperand,
               PlainNumber, NameOperand, RawOperand, RegisterOperand, SurfaceOperand, AddressOperand, AddressOf,
               PlaceInCode, LscData, LscAddress>
      Form;
  llvm::SmallVector<OperandBytes, 1> Meant{}; // for the second reader
  bool Crosses = false;                       // lies in one register more than it need

  bool isIndirect() const {
    return std::holds_alternative<IndirectSource>(Form) || std::holds_alternative<IndirectDestination>(Form);
  }
};

// Instructions

/// (P1), (!P1), (P1.any): the channels for which an instruction is done, or whether a jump is.
struct Guard {
  enum class Asks : unsigned char { Each, Any, All };
  Declaration *Predicate = nullptr; // null: for all
  bool Inverted = false;
  Asks Channels = Asks::Each;
  explicit operator bool() const { return Predicate; }
};

/// RGBA, or fewer: the channels of pixels, a bit for each.
struct PixelChannels {
  unsigned Mask;
};
/// A part of a message's name: one of Parts.def, a number, channels.
using NamePart = std::variant<Part, unsigned, PixelChannels>;

struct EmittedInstruction {
  Opcode Code;
  unsigned Channels = 0; // 0: it has no execution size
  llvm::SmallVector<Operand, 4> Operands{};
  Guard If{};
  bool Saturate = false;
  bool NoMask = false;                    // for all channels, whatever control flow has left on
  llvm::SmallVector<NamePart, 2> Parts{}; // of its name: a condition, parts of a message's descriptor
  llvm::SmallVector<unsigned, 2> Block{}; // a media block's width and height, an oword block's owords
  VisaLine Origin{};

  // How it is put together

  EmittedInstruction &guarded(const Guard &G) {
    If = G;
    return *this;
  }
  EmittedInstruction &saturated(bool Does) {
    Saturate = Does;
    return *this;
  }
  EmittedInstruction &forAll() {
    NoMask = true;
    return *this;
  }
  EmittedInstruction &part(NamePart Next) {
    Parts.push_back(Next);
    return *this;
  }
  EmittedInstruction &parts(llvm::ArrayRef<Part> All) {
    Parts.append(All.begin(), All.end());
    return *this;
  }
};

// The whole

/// .input V32 offset=64 size=4
struct InputPlace {
  Declaration *Of;
  unsigned Offset, Bytes;
  unsigned Implicit = 0; // the number of what the dispatch gives by itself
};

/// .kernel_attr NBarrierCnt=2
struct Attribute {
  const char *Name;
  std::optional<unsigned> Number{};
};

struct Assembly {
  std::deque<Declaration> Variables, Others; // values' own, which come first; what goes with them
  std::vector<InputPlace> Inputs, Implicit;
  std::vector<Attribute> Attributes;
  std::vector<EmittedInstruction> Code;
};

} // namespace pocm::gen
