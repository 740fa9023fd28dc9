//===- EmitOperands.h - Variables and operands as vISA text ---------------------------------===//
//
//     <16 x i8> of %m from byte 35 on   ->   V33_ub(1,3)<1;1,0>
//
// The part of the emitter that knows how values are called: declarations, regions, immediates,
// predicates, addresses, whole registers, surfaces. Included by Emitter.cpp alone.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Bales.h"
#include "codegen/gen/Emitter.h"
#include "codegen/gen/GenRegion.h"
#include "codegen/gen/Pieces.h"
#include "codegen/gen/Predicates.h"
#include "codegen/gen/Spelling.h"
#include "codegen/gen/Variables.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

namespace pocm::gen {

using namespace llvm;
using namespace llvm::PatternMatch;

class EmitOperands {
protected:
  const KernelInfo &Kernel;
  const GenTarget &Target;
  const Runtime For;
  Function &F;
  const std::vector<Function *> Functions; // the kernel's own, then those that it calls
  Variables Registers;
  VisaKernel Result;
  std::string Declarations, Inputs, ImplicitText, Code;
  raw_string_ostream Decl{Declarations}, In{Inputs}, ImplicitIn{ImplicitText}, Out{Code};

  struct GeneralVariable {
    std::string Name, Letter;
    unsigned Count, ElementBytes;
    const char *Align;
    bool Given = false; // an input, which lies where the dispatch puts it
  };
  std::vector<GeneralVariable> General;
  /// Addresses that the block being printed has taken last; few, for address registers are.
  struct TakenAddress {
    std::string Variable;
    Source Offset;
    std::string Name;
    int Count;
  };
  static constexpr size_t MostTaken = 4;
  std::vector<TakenAddress> Taken;
  const bool ReuseAddresses;
  std::map<std::string, unsigned> Bindings; // surfaces and samplers that have known numbers
  std::set<std::string> Bound;              // those that the block being printed has given them already
  struct Declared {
    std::string Name, Letter;
    unsigned Bytes = 0;
    std::map<std::string, std::string> Views; // by type letter
  };
  std::map<unsigned, Declared> Variable;
  bool CrossesRegisters = false; // an operand of this instruction lies in one register more than it need
  DenseMap<const Value *, std::string> PredicateNames, SurfaceNames;
  unsigned NextVariable = 32, NextPredicate = 1, NextSurface = 6, NextAddress = 1, NamedBarriers = 0;
  std::map<std::string, std::string> ImplicitInputs; // their variables by keyword
  SmallPtrSet<const Value *, 4> GivenAs;             // instructions whose variables are such inputs
  std::string FrameBase, FrameOword;                 // where the thread's scratch memory begins, in bytes and owords

  struct Unsupported {
    std::string What;
  };

  [[noreturn]] void fail(const Twine &What) { throw Unsupported{What.str()}; }
  /// What the passes should have seen to.
  [[noreturn]] void bug(const Twine &What) { throw Unsupported{("bug in cmc: " + What).str()}; }

  static unsigned bytesOf(Type *T) {
    return unsigned(countOf(T)) * unsigned(T->isPtrOrPtrVectorTy() ? 8 : elementBytes(T));
  }

  // Declarations

  std::string declare(Type *Element, unsigned Count, Sign S = Sign::Signed, bool Payload = false) {
    std::string Name = "V" + std::to_string(NextVariable++);
    unsigned Bytes = bytesOf(Element) * Count;
    Payload |= Bytes >= Target.GrfBytes;
    General.push_back({Name, letterOf(Element, S), Count, bytesOf(Element),
                       Payload       ? "GRF"
                       : Bytes >= 16 ? "oword"
                       : Bytes >= 8  ? "qword"
                       : Bytes >= 4  ? "dword"
                                     : "word"});
    return Name;
  }

  /// What is declared by that name.
  GeneralVariable &general(StringRef Name) {
    return *find_if(General, [&](const GeneralVariable &G) { return G.Name == Name; });
  }

  /// Messages read and write whole registers.
  void alignForMessage(Value *Register) { general(variable(Register).Name).Align = "GRF"; }

  /// A message may read or write so many bytes there, of which nobody uses those behind the value.
  void makeRoom(const std::string &Name, unsigned Bytes) {
    if (GeneralVariable &G = general(Name); !G.Given)
      G.Count = std::max(G.Count, Bytes / G.ElementBytes);
  }

  /// A variable by its number, which holds values of type T.
  Declared &variable(unsigned Number, Type *T) {
    Declared &D = Variable[Number];
    if (D.Name.empty()) {
      D.Letter = letterOf(T->getScalarType(), Sign::Signed);
      D.Bytes = bytesOf(T);
      D.Name = declare(T->getScalarType(), unsigned(countOf(T)));
    }
    return D;
  }
  Declared &variable(Value *Register) { return variable(Registers.variableOf(Register), Register->getType()); }

  /// The variable's name when its elements are read or written as that type.
  std::string view(Declared &D, Type *Element, Sign S) {
    std::string Letter = letterOf(Element, S);
    if (Letter == D.Letter)
      return D.Name;
    std::string &Name = D.Views[Letter];
    if (Name.empty()) {
      Name = D.Name + "_" + Letter;
      Decl << ".decl " << Name << " v_type=G type=" << Letter << " num_elts=" << D.Bytes / bytesOf(Element)
           << " alias=<" << D.Name << ", 0>\n";
    }
    return Name;
  }
  std::string view(Value *Register, Type *Element, Sign S) { return view(variable(Register), Element, S); }

  /// A declared variable as one of that type.
  std::string alias(const std::string &Name, Type *Element, unsigned Count, Sign S) {
    std::string Other = Name + "_" + letterOf(Element, S);
    Decl << ".decl " << Other << " v_type=G type=" << letterOf(Element, S) << " num_elts=" << Count << " alias=<"
         << Name << ", 0>\n";
    return Other;
  }

  std::string place(const std::string &Name, int Element, int Bytes) {
    int At = Element * Bytes, Grf = int(Target.GrfBytes);
    return Name + "(" + std::to_string(At / Grf) + "," + std::to_string(At % Grf / Bytes) + ")";
  }

  std::string predicateName(Value *P) {
    for (auto *I = dyn_cast<Instruction>(P); I && isLowerChannels(*I); I = dyn_cast<Instruction>(P))
      P = I->getOperand(0);
    if (auto *I = dyn_cast<Instruction>(P); I && isBaled(*I))
      bug("a predicate that no instruction writes");
    std::string &Name = PredicateNames[P];
    if (Name.empty()) {
      Name = "P" + std::to_string(NextPredicate++);
      Decl << ".decl " << Name << " v_type=P num_elts=" << countOf(P->getType()) << "\n";
    }
    return Name;
  }

  /// A predicate that can be read; a constant one is set first.
  std::string predicate(Value *P) {
    auto *C = dyn_cast<Constant>(P);
    if (!C)
      return predicateName(P);
    std::string Name = "P" + std::to_string(NextPredicate++);
    int Count = countOf(P->getType());
    Decl << ".decl " << Name << " v_type=P num_elts=" << Count << "\n";
    unsigned Bits = 0;
    for (int K = 0; K < Count; ++K) {
      Constant *E = P->getType()->isVectorTy() ? C->getAggregateElement(unsigned(K)) : C;
      Bits |= unsigned(match(E, m_One())) << K;
    }
    Out << "    setp (M1_NM, " << Count << ") " << Name << " " << format_hex(Bits, 6)
        << (Count > 16 ? ":ud\n" : ":uw\n");
    return Name;
  }

  // Operands

  std::string immediate(Constant *C, Type *Element, Sign S) {
    Constant *One = C;
    if (C->getType()->isVectorTy() && !isa<UndefValue>(C)) {
      if (std::string Packed = packed(C); !Packed.empty())
        return Packed;
      One = C->getSplatValue(/*AllowPoison=*/true);
      if (!One)
        bug("a vector of different constants");
    }
    if (isa<UndefValue>(One) || isa<ConstantPointerNull>(One))
      One = Constant::getNullValue(Element->isPointerTy() ? Type::getInt64Ty(C->getContext()) : Element);
    std::string Letter = letterOf(Element, S);
    if (auto *Number = dyn_cast<ConstantFP>(One)) {
      APInt Bits = Number->getValueAPF().bitcastToAPInt();
      return "0x" + utohexstr(Bits.getZExtValue(), true, Bits.getBitWidth() / 4) + ":" + Letter;
    }
    auto *Number = dyn_cast<ConstantInt>(One);
    if (!Number)
      fail("a constant that is no number");
    if (Letter == "b" || Letter == "ub")
      Letter = S == Sign::Unsigned ? "uw" : "w"; // there are no byte immediates
    APInt Bits = Number->getValue();
    if (Bits.getBitWidth() > 32)
      return "0x" + utohexstr(Bits.getZExtValue(), true) + ":" + Letter;
    return std::to_string(S == Sign::Unsigned ? int64_t(Bits.getZExtValue()) : Bits.getSExtValue()) + ":" + Letter;
  }

  /// <0, 1, ..., 7> as 0x76543210:uv, of small words with signs as :v, of four small floats as :vf.
  std::string packed(Constant *C) {
    auto *T = cast<FixedVectorType>(C->getType());
    unsigned Count = T->getNumElements();
    if (C->getSplatValue(true))
      return "";
    uint64_t Bits = 0;
    if (T->getElementType()->isFloatTy() && Count == 4) {
      for (unsigned K = 0; K < Count; ++K) {
        auto *E = dyn_cast<ConstantFP>(C->getAggregateElement(K));
        auto Eight = E ? packedFloat(E->getValueAPF().bitcastToAPInt()) : std::nullopt;
        if (!Eight)
          return "";
        Bits |= uint64_t(*Eight) << (8 * K);
      }
      return "0x" + utohexstr(Bits, true, 8) + ":vf";
    }
    if (!T->getElementType()->isIntegerTy(16) || Count > 8)
      return "";
    bool Unsigned = true, Signed = true;
    for (unsigned K = 0; K < Count; ++K) {
      auto *E = dyn_cast<ConstantInt>(C->getAggregateElement(K));
      if (!E)
        return "";
      Unsigned &= E->getValue().isIntN(4);
      Signed &= E->getValue().isSignedIntN(4);
      Bits |= (E->getZExtValue() & 15) << (4 * K);
    }
    return Unsigned || Signed ? "0x" + utohexstr(Bits, true, 8) + (Unsigned ? ":uv" : ":v") : "";
  }

  std::string modifiers(const Source &S) {
    std::string Text;
    if (S.Complement)
      Text += "(~)";
    if (S.Negate || S.Absolute)
      Text += std::string("(") + (S.Negate ? "-" : "") + (S.Absolute ? "abs" : "") + ")";
    return Text;
  }

  /// Notes the bytes that an operand of a bale means.
  void expect(const std::string &Text, Value *Base, ArrayRef<int> Elements, int Bytes) {
    int Grf = int(Target.GrfBytes), First = Elements.front() * Bytes / Grf, Last = (Elements.back() + 1) * Bytes - 1;
    if (isContiguous(Elements) && Last / Grf - First >= int(divideCeil(Elements.size() * size_t(Bytes), Grf)))
      CrossesRegisters = true;
    OperandBytes Meant{variable(Base).Name, unsigned(Bytes), {}};
    for (int E : Elements)
      Meant.Offsets.push_back(E * Bytes);
    Result.Expected[{Text, int(Elements.size())}] = std::move(Meant);
  }

  /// Notes the bytes of a variable that a message takes and somebody gave it, from a place in the variable on.
  void expectPayload(const std::string &Name, Value *Base, const BitVector &Defined, unsigned First = 0) {
    OperandBytes Meant{variable(Base).Name, 1, {}};
    for (unsigned Byte : Defined.set_bits())
      Meant.Offsets.push_back(int(First + Byte));
    auto [At, New] = Result.Expected.try_emplace({Name, 0}, Meant);
    if (!New) // of several messages
      erase_if(At->second.Offsets, [&](int Byte) { return !is_contained(Meant.Offsets, Byte); });
  }

  static bool isContiguous(ArrayRef<int> Elements) {
    for (size_t K = 1; K < Elements.size(); ++K)
      if (Elements[K] != Elements[K - 1] + 1)
        return false;
    return true;
  }

  /// A constant as its operand's modifiers leave it.
  Constant *modified(Constant *C, const Source &S) {
    Type *T = C->getType();
    auto *Splat = T->isVectorTy() ? C->getSplatValue(true) : C;
    if ((!S.Complement && !S.Absolute && !S.Negate) || isa<UndefValue>(C))
      return C;
    if (!Splat)
      bug("an operation on a constant");
    if (auto *Number = dyn_cast<ConstantFP>(Splat)) {
      APFloat V = Number->getValueAPF();
      if (S.Absolute)
        V.clearSign();
      if (S.Negate)
        V.changeSign();
      return ConstantFP::get(Splat->getType(), V);
    }
    APInt V = isa<ConstantInt>(Splat) ? cast<ConstantInt>(Splat)->getValue() : APInt(T->getScalarSizeInBits(), 0);
    if (S.Complement)
      V.flipAllBits();
    if (S.Absolute)
      V = V.abs();
    if (S.Negate)
      V.negate();
    return ConstantInt::get(Splat->getType(), V);
  }

  /// A constant whose bits are read as elements of another type: one number for all of them.
  Constant *readAs(Constant *C, Type *Element) {
    Type *T = C->getType();
    if (T->getScalarType() == Element || isa<UndefValue>(C) || C->isNullValue())
      return C;
    auto *Elements = FixedVectorType::get(Element, bytesOf(T) / bytesOf(Element));
    Constant *Cast = ConstantFoldCastOperand(Instruction::BitCast, C, Elements, F.getDataLayout());
    if (!Cast || !Cast->getSplatValue())
      bug("a constant that is read as elements of another type");
    return Cast;
  }

  static std::string strides(const GenRegion &R) {
    return "<" + std::to_string(R.V) + ";" + std::to_string(R.W) + "," + std::to_string(R.H) + ">";
  }

  /// Whether nothing is ever written to bytes of a register from one on up to another.
  static bool isUndefined(Value *V, int From, int To) {
    for (auto W = RegionWrite::matchMasked(V); W; W = RegionWrite::matchMasked(V)) {
      int Bytes = elementBytes(W->Call->getType()), Last = W->Where.element(W->count() - 1);
      bool Reaches = !W->Where.isConstant() || (W->Where.Offset * Bytes < To && (Last + 1) * Bytes > From);
      if (Reaches && !isa<UndefValue>(W->value()))
        return false;
      V = registerOf(W->old());
    }
    return isa<UndefValue>(V);
  }

  /// Whether nobody has written what channels read of a register, which is printed as zeros then.
  static bool isUndefined(const Source &S, int Count) {
    if (S.Where.Dynamic)
      return isUndefined(S.Base, 0, int(bytesOf(S.Base->getType())));
    int Least = S.Where.element(0), Most = Least, Bytes = S.Element->isPointerTy() ? 8 : elementBytes(S.Element);
    for (int K = 1; K < Count; ++K) {
      Least = std::min(Least, S.Where.element(K));
      Most = std::max(Most, S.Where.element(K));
    }
    return isUndefined(S.Base, Least * Bytes, (Most + 1) * Bytes);
  }

  std::string source(Source S, int Count, Sign Natural) {
    Sign Read = S.Extended ? (S.Signed ? Sign::Signed : Sign::Unsigned) : Natural;
    if (auto *C = dyn_cast<Constant>(S.Base))
      return immediate(modified(readAs(C, S.Element), S), S.Element, Read);
    int Bytes = elementBytes(S.Element->isPointerTy() ? Type::getInt64Ty(S.Element->getContext()) : S.Element);
    SmallVector<int, 32> Elements;
    for (int K = 0; K < Count; ++K)
      Elements.push_back(S.Where.element(K));
    unsigned Whole = bytesOf(S.Base->getType());
    if (isUndefined(S, Count)) // by the passes that came before
      return immediate(Constant::getNullValue(S.Element), S.Element, Read);
    std::string Name = view(S.Base, S.Element, Read);
    if (S.Where.Dynamic)
      return modifiers(S) + indirect(S, Name, Elements, Bytes, Read);
    auto R = sourceRegion(Elements, {Bytes, Target.GrfBytes, Whole >= Target.GrfBytes});
    if (!R && isContiguous(Elements)) // the finalizer cuts what lies in more than two registers
      R = GenRegion{1, 1, 0, Elements[0]};
    if (!R)
      bug("a region that no instruction has");
    for (int E : Elements)
      if (E < 0 || unsigned(E + 1) * unsigned(Bytes) > Whole)
        bug("a region outside its variable");
    std::string Text = place(Name, R->Offset, Bytes) + strides(*R);
    expect(Text, S.Base, Elements, Bytes);
    return modifiers(S) + Text;
  }

  std::string source(Value *V, int Count, Sign Natural) { return source(Source::of(V), Count, Natural); }

  /// Addresses of elements, in a variable of their own: its name. What is chosen at run time is read and written
  /// through address registers, of which there are 16; the step gen-addresses of emission takes the same address once.
  std::string addresses(const std::string &Variable, Value *Offset, int Count) {
    Source Of = Source::of(Offset);
    for (const TakenAddress &T : Taken) // the same address may just have been taken
      if (ReuseAddresses && T.Variable == Variable && T.Count == Count && T.Offset.Base == Of.Base &&
          T.Offset.Where == Of.Where && T.Offset.Element == Of.Element)
        return T.Name;
    std::string A = "A" + std::to_string(NextAddress++);
    Decl << ".decl " << A << " v_type=A num_elts=" << Count << "\n";
    std::string From = source(Offset, Count, Sign::Unsigned);
    Out << "    addr_add (M1, " << Count << ") " << A << "(0)<" << Count << "> &" << Variable << " " << From << "\n";
    if (Count > 1) // that takes half of the address registers
      Taken.clear();
    if (Taken.size() == MostTaken)
      Taken.erase(Taken.begin());
    Taken.push_back({Variable, Of, A, Count});
    return A;
  }

  /// r[A3(0),32]: what lies at an offset, in bytes, of a variable.
  std::string element(const std::string &Variable, Value *Offset, int Further) {
    Step S = Step::of(Offset);
    return "r[" + addresses(Variable, S.Base, 1) + "(0)," + std::to_string(S.Bytes + Further) + "]";
  }

  std::string indirect(const Source &S, const std::string &Name, ArrayRef<int> Elements, int Bytes, Sign Read) {
    int Count = int(Elements.size());
    std::string Type = ":" + letterOf(S.Element, Read);
    if (auto *V = dyn_cast<FixedVectorType>(S.Where.Dynamic->getType()); V && V->getNumElements() > 1)
      return "r[" + addresses(Name, S.Where.Dynamic, Count) + "(0),0]<1,0>" + Type;
    bool Aligned = bytesOf(S.Base->getType()) >= Target.GrfBytes && isMultipleOf(S.Where.Dynamic, Target.GrfBytes);
    auto R = sourceRegion(Elements, {Bytes, Target.GrfBytes, Aligned});
    if (!R)
      bug("an indirect region that no instruction has");
    return element(Name, S.Where.Dynamic, R->Offset * Bytes) + strides(*R) + Type;
  }

  // Copies

  /// How a value is copied: by a move, or by what the finalizer does not take for one.
  struct Copy {
    const char *Name, *Rest;
  };
  static constexpr Copy Moving{.Name = "mov", .Rest = ""}, Copying{.Name = "or", .Rest = " 0:w"};

  /// Whether channels choose their elements, which the finalizer would let others read through the addresses (Bales).
  static bool isChosen(const Source &S) {
    auto *Places = S.Where.Dynamic ? dyn_cast<FixedVectorType>(S.Where.Dynamic->getType()) : nullptr;
    return Places && Places->getNumElements() > 1 && !S.Negate && !S.Absolute;
  }

  /// The integer that an element's bits are.
  static Type *bitsOf(Type *Element) {
    return Type::getIntNTy(Element->getContext(), unsigned(8 * elementBytes(Element)));
  }

  /// Elements from apart in a variable of their own: an operand.
  std::string together(Source S, int Count) {
    std::string Name = declare(S.Element, unsigned(Count));
    S.Element = bitsOf(S.Element);
    std::string From = source(S, Count, Sign::Signed), Bits = alias(Name, S.Element, unsigned(Count), Sign::Signed);
    Out << "    " << Copying.Name << width(Count) << Bits << "(0,0)<1> " << From << Copying.Rest << "\n";
    return Name + "(0,0)<1;1,0>";
  }

  /// Where a bale writes.
  std::string destination(const Bale &B, Sign S) { return destination(B, S, B.Head->getType()->getScalarType()); }
  std::string destination(const Bale &B, Sign S, Type *Element) {
    if (!B.Into)
      return view(B.Head, Element, S) + "(0,0)<1>";
    int Bytes = elementBytes(Element), Count = B.count();
    std::string Name = view(B.Head, Element, S);
    if (B.Into->Where.Dynamic) {
      int Stride = Count > 1 ? B.Into->Where.element(1) - B.Into->Where.element(0) : 1;
      return element(Name, B.Into->Where.Dynamic, 0) + "<" + std::to_string(Stride) + ">:" + letterOf(Element, S);
    }
    SmallVector<int, 32> Elements;
    for (int K = 0; K < Count; ++K)
      Elements.push_back(B.Into->Where.element(K));
    auto R = destinationRegion(Elements, {Bytes, Target.GrfBytes, bytesOf(B.Head->getType()) >= Target.GrfBytes});
    if (!R && isContiguous(Elements))
      R = GenRegion{1, 1, 1, Elements[0]};
    if (!R)
      bug("a destination region that no instruction has");
    for (int E : Elements)
      if (E < 0 || E >= countOf(B.Head->getType()))
        bug("a region outside its variable");
    std::string Text = place(Name, R->Offset, Bytes) + "<" + std::to_string(R->H) + ">";
    expect(Text, B.Head, Elements, Bytes);
    return Text;
  }

  static std::string width(int Count) { return " (M1, " + std::to_string(Count) + ") "; }

  // Whole registers

  /// Cuts a row of elements into what one instruction moves: Move(first, count).
  template <class Function> void inMoves(int Count, int Bytes, Function Move) {
    int Most = std::clamp(int(2 * Target.GrfBytes) / Bytes, 1, 16);
    for (int Start = 0; Start < Count;) {
      int Size = int(bit_floor(unsigned(std::min(Most, Count - Start))));
      Move(Start, Size);
      Start += Size;
    }
  }

  void move(const std::string &To, const std::string &From, int Start, int Size, int Bytes) {
    Out << "    mov" << width(Size) << place(To, Start, Bytes) << "<1> " << place(From, Start, Bytes)
        << (Size > 1 ? "<1;1,0>\n" : "<0;1,0>\n");
  }

  /// The bytes of a value that somebody gave it, on some path, as far as writes of regions say.
  static BitVector definedBytes(Value *V) {
    SmallPtrSet<Value *, 8> Seen;
    return definedBytes(V, Seen);
  }
  static BitVector definedBytes(Value *V, SmallPtrSetImpl<Value *> &Seen) {
    BitVector Defined(bytesOf(V->getType()));
    for (V = registerOf(V); auto W = RegionWrite::matchMasked(V); V = registerOf(W->old())) {
      if (!W->Where.isConstant())
        return BitVector(Defined.size(), true);
      if (isa<UndefValue>(W->value()))
        continue;
      unsigned Bytes = unsigned(elementBytes(W->Call->getType()));
      for (int K = 0; K < W->count(); ++K)
        Defined.set(unsigned(W->Where.element(K)) * Bytes, unsigned(W->Where.element(K) + 1) * Bytes);
    }
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      if (Seen.insert(V).second)
        for (Value *In : Phi->incoming_values())
          if (!Defined.all())
            Defined |= definedBytes(In, Seen);
    } else if (auto *C = dyn_cast<Constant>(V)) {
      unsigned Bytes = unsigned(elementBytes(C->getType()));
      for (unsigned K = 0; K * Bytes < Defined.size(); ++K)
        if (!isa<UndefValue>(C->getType()->isVectorTy() ? C->getAggregateElement(K) : C))
          Defined.set(K * Bytes, (K + 1) * Bytes);
    } else {
      Defined.set();
    }
    return Defined;
  }

  /// Copies what is defined of a register, as dwords as far as they go.
  void copy(Declared &To, Declared &From, const BitVector &Defined) {
    int Bytes = int(Defined.size()), Done = 0;
    for (int Unit : {4, 2, 1}) {
      Type *Element = Type::getIntNTy(F.getContext(), unsigned(8 * Unit));
      int End = Done + (Bytes - Done) / Unit * Unit;
      auto IsDefined = [&](int At) { return Defined.find_first_in(unsigned(At), unsigned(At + Unit)) >= 0; };
      for (int First = Done, Last; First < End; First = Last + Unit) {
        for (Last = First; Last < End && IsDefined(Last);)
          Last += Unit;
        inMoves((Last - First) / Unit, Unit, [&](int Start, int Size) {
          move(view(To, Element, Sign::Unsigned), view(From, Element, Sign::Unsigned), First / Unit + Start, Size,
               Unit);
        });
      }
      Done = End;
    }
  }
  void copy(Value *To, Value *From) { copy(variable(To), variable(From), definedBytes(From)); }

  /// Registers of a larger variable, from that byte on, as a payload of type T.
  std::string partOf(Value *Register, unsigned At, Type *T, Sign S) {
    alignForMessage(Register);
    std::string Name = "V" + std::to_string(NextVariable++);
    Decl << ".decl " << Name << " v_type=G type=" << letterOf(T->getScalarType(), S) << " num_elts=" << countOf(T)
         << " alias=<" << variable(Register).Name << ", " << At << ">\n";
    return Name;
  }

  /// Registers of a larger variable, by a name of their own; empty when they do not begin where a register does.
  std::string payloadWhereItLies(const RegionRead &Read, Sign S) {
    Type *Element = Read.Call->getType()->getScalarType();
    Value *Register = registerOf(Read.source());
    unsigned At = unsigned(Read.Where.Offset) * bytesOf(Element);
    if (isa<Constant>(Register) || isa<Argument>(Register) || At % Target.GrfBytes)
      return "";
    std::string Name = partOf(Register, At, Read.Call->getType(), S);
    BitVector Defined = definedBytes(Register), Part(bytesOf(Element) * unsigned(Read.count()));
    for (unsigned K = 0; K < Part.size(); ++K)
      Part[K] = Defined[At + K];
    expectPayload(Name, Register, Part, At);
    return Name;
  }

  /// A payload of a message: a variable's name with ".offset"; anything else is moved into one.
  /// When Room is given, the variable has room for so many bytes.
  std::string raw(Value *V, Sign S = Sign::Unsigned, unsigned Room = 0) {
    Value *Register = registerOf(V);
    bool Placed = (isa<Argument>(Register) || GivenAs.contains(Register)) &&
                  bytesOf(Register->getType()) < Target.GrfBytes; // where its input begins
    if (!isa<Constant>(Register) && needsRegister(*Register) && !Placed) {
      alignForMessage(Register);
      if (Room)
        makeRoom(variable(Register).Name, Room);
      std::string Name = view(Register, V->getType()->getScalarType(), S);
      expectPayload(Name, Register, definedBytes(Register));
      return Name + ".0";
    }
    if (auto *C = dyn_cast<Constant>(V);
        C && V->getType()->isVectorTy() && !isa<UndefValue>(C) && !C->getSplatValue(/*AllowPoison=*/true))
      bug("a payload of different constants");
    if (auto Read = RegionRead::match(V); Read && isBaled(*Read->Call) && !Room)
      if (std::string Name = payloadWhereItLies(*Read, S); !Name.empty())
        return Name + ".0";
    Type *Element = V->getType()->getScalarType();
    int Count = countOf(V->getType()), Bytes = elementBytes(Element);
    std::string Name = declare(Element, unsigned(Count), S, /*Payload=*/true);
    if (Room)
      makeRoom(Name, Room);
    auto *I = dyn_cast<Instruction>(V);
    const bool TakenApart = I && isTakenApart(Source::of(V), Count, *I->getParent(), Registers);
    const Copy &How = TakenApart ? Copying : Moving;
    const std::string To = TakenApart ? alias(Name, bitsOf(Element), unsigned(Count), S) : Name;
    inMoves(Count, Bytes, [&](int Start, int Size) {
      Source Part = Source::of(V);
      Part.Where.Offset = Part.Where.element(Start);
      if (TakenApart)
        Part.Element = bitsOf(Element);
      std::string From = source(Part, Size, S);
      Out << "    " << How.Name << width(Size) << place(To, Start, Bytes) << "<1> " << From << How.Rest << "\n";
    });
    return Name + ".0";
  }

  /// Sets a whole register to a constant: runs of one number, of bytes and words as dwords as far as they are whole.
  void constantInto(Value *To, Constant *C) { constantInto(variable(To), C); }
  void constantInto(Declared &To, Constant *C) {
    Type *T = C->getType(), *Element = T->getScalarType();
    int Bytes = elementBytes(Element), Count = countOf(T);
    auto Number = [&](int K) { return T->isVectorTy() ? C->getAggregateElement(unsigned(K)) : C; };
    for (int First = 0, Run = 1; First < Count; First += Run, Run = 1) {
      while (First + Run < Count && Number(First + Run) == Number(First))
        ++Run;
      if (isa<UndefValue>(Number(First)))
        continue;
      int Done = 0;
      auto *Integer = dyn_cast<ConstantInt>(Number(First));
      if (Integer && Bytes < 4 && First * Bytes % 4 == 0 && Run * Bytes > int(Target.GrfBytes) / 2) {
        Type *Dword = Type::getInt32Ty(F.getContext());
        auto *Four = ConstantInt::get(Dword, APInt::getSplat(32, Integer->getValue()));
        fill(view(To, Dword, Sign::Unsigned), Four, Sign::Unsigned, First * Bytes / 4, Run * Bytes / 4);
        Done = Run * Bytes / 4 * 4 / Bytes;
      }
      fill(view(To, Element, Sign::Signed), Number(First), Sign::Signed, First + Done, Run - Done);
    }
  }

  void fill(const std::string &Name, Constant *Number, Sign S, int First, int Count) {
    Type *Element = Number->getType();
    int Bytes = elementBytes(Element);
    inMoves(Count, Bytes, [&](int Start, int Size) {
      Out << "    mov" << width(Size) << place(Name, First + Start, Bytes) << "<1> " << immediate(Number, Element, S)
          << "\n";
    });
  }

  // Surfaces

  /// A surface or sampler; in each block it is given its number again, which the finalizer then sees in the messages.
  const std::string &bound(const std::string &Name) {
    if (auto Number = Bindings.find(Name); Number != Bindings.end() && Bound.insert(Name).second)
      Out << "    movs (M1_NM, 1) " << Name << "(0) " << Number->second << ":ud\n";
    return Name;
  }

  /// The slot of the binding table where the CM runtime puts a surface that kernels know by its number.
  unsigned slotOf(ConstantInt &Number) {
    constexpr unsigned FirstGlobal = 1, GlobalOfPrint = 1; // of its four global surfaces
    if (Number.getZExtValue() != PrintSurface)
      return unsigned(Number.getZExtValue());
    if (For == Runtime::LevelZero)
      fail("printf in a Level Zero program");
    return FirstGlobal + GlobalOfPrint;
  }

  std::string surface(Value *V) {
    if (auto Found = SurfaceNames.find(V); Found != SurfaceNames.end())
      return bound(Found->second);
    auto *C = dyn_cast<ConstantInt>(V);
    if (C && C->getZExtValue() == SlmSurface)
      return "%slm";
    std::string Name = "T" + std::to_string(NextSurface++);
    Decl << ".decl " << Name << " v_type=T num_elts=1\n";
    std::string From = C ? std::to_string(slotOf(*C)) + ":ud" : source(V, 1, Sign::Unsigned);
    Out << "    movs (M1, 1) " << Name << "(0) " << From << "\n";
    return Name;
  }

  std::string scalar(Value *V) { return source(V, 1, Sign::Unsigned); }

  // Payloads

  /// The variable that a message writes.
  std::string payload(Instruction *I, Sign S = Sign::Unsigned) {
    if (auto Place = Registers.placeOf(*I))
      return partOf(const_cast<CallInst *>(Place->Whole), Place->At, I->getType(), S) + ".0";
    alignForMessage(I);
    return view(I, I->getType()->getScalarType(), S) + ".0";
  }

  /// "(P7) " unless all channels are on.
  std::string guard(Value *P) {
    auto *C = dyn_cast<Constant>(P);
    return C && C->isAllOnesValue() ? "" : "(" + predicate(P) + ") ";
  }

  /// The channels of a message that its predicate has on.
  struct Channels {
    std::string Guard; // with a blank behind it, or empty
    int Count;         // of which the message has as many
  };

  /// The first 1, 2 or 4 alone are a message of so many.
  Channels channelsOn(Value *P, int Lanes) {
    auto *C = dyn_cast<Constant>(P);
    for (int First = 1; C && First < Lanes && First <= 4; First *= 2) {
      bool Alone = true;
      for (int K = 0; K < Lanes; ++K) {
        auto *Bit = dyn_cast_or_null<ConstantInt>(C->getAggregateElement(unsigned(K)));
        Alone &= Bit && Bit->isOne() == (K < First);
      }
      if (Alone)
        return {"", First};
    }
    return {guard(P), Lanes};
  }

  /// Scattered messages move a dword per channel, whatever the size of the element.
  std::string dwords(int Lanes) {
    return declare(Type::getInt32Ty(F.getContext()), unsigned(Lanes), Sign::Unsigned, /*Payload=*/true);
  }

  /// Channels that are off keep the old value.
  void keepOld(CallInst &I, Value *Old, bool Guarded) {
    if (!Guarded || isa<UndefValue>(Old))
      return;
    if (auto *C = dyn_cast<Constant>(Old))
      constantInto(&I, C);
    else if (Registers.variableOf(registerOf(Old)) != Registers.variableOf(&I))
      copy(&I, registerOf(Old));
  }

  /// Elements of less than a dword as an operand: those of floats as the bits that they are.
  std::string narrow(Value *Data) {
    Source S = Source::of(Data);
    S.Element = bitsOf(S.Element);
    if (auto *C = dyn_cast<Constant>(S.Base))
      S.Base = ConstantExpr::getBitCast(C, vectorLike(S.Element, C->getType()));
    return source(S, countOf(Data->getType()), Sign::Unsigned);
  }

  /// Such elements, each in a dword of its own.
  void toDwords(const std::string &Dwords, Value *Data) {
    std::string From = narrow(Data);
    Out << "    mov" << width(countOf(Data->getType())) << Dwords << "(0,0)<1> " << From << "\n";
  }

  /// The low bytes of dwords become the result. Where two channels take no predicate, the old value is put among the
  /// dwords.
  void fromDwords(CallInst &I, const std::string &Dwords, std::string G, Value *Old) {
    int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
    Type *Bits = bitsOf(I.getType()->getScalarType());
    std::string Letter = letterOf(Bits, Sign::Unsigned);
    Decl << ".decl " << Dwords << "_" << Letter << " v_type=G type=" << Letter << " num_elts=" << Lanes * 4 / Bytes
         << " alias=<" << Dwords << ", 0>\n";
    if (!G.empty() && Lanes == 2 && Target.has(CutsGuardedPairs)) {
      if (!isa<UndefValue>(Old)) {
        std::string Kept = narrow(Old);
        Out << "    " << G << "sel" << width(Lanes) << Dwords << "(0,0)<1> " << Dwords << "(0,0)<1;1,0> " << Kept
            << "\n";
      }
      G = "";
    }
    keepOld(I, Old, !G.empty());
    Out << "    " << G << "mov" << width(Lanes) << view(&I, Bits, Sign::Unsigned) << "(0,0)<1> " << Dwords << "_"
        << Letter << "(0,0)<" << 4 / Bytes << ";1,0>\n";
  }

  unsigned owords(Type *T) {
    unsigned Bytes = bytesOf(T);
    if (Bytes % 16 || !isPowerOf2_32(Bytes / 16) || Bytes / 16 > 8)
      fail("an oword block of " + std::to_string(Bytes) + " bytes");
    return Bytes / 16;
  }

  unsigned constantOf(Value *V, const char *What) {
    auto *C = dyn_cast<ConstantInt>(V);
    if (!C)
      fail(std::string(What) + " that is no constant");
    return unsigned(C->getZExtValue());
  }

  static std::string nameOf(const Instruction &I) {
    if (operationOf(&I) == Op::LocalBase || isa<IntToPtrInst>(I))
      return "a pointer that goes into a function, or where a private one becomes a number";
    if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && I.getType()->getScalarType()->isDoubleTy())
      return "'" + Intrinsic::getBaseName(Call->getIntrinsicID()).drop_front(strlen("llvm.")).str() + "' of double";
    if (auto *Call = dyn_cast<CallInst>(&I))
      return Call->getCalledFunction() ? "'" + Call->getCalledFunction()->getName().str() + "'"
                                       : "a call through a pointer";
    return std::string("'") + I.getOpcodeName() + "'";
  }

  EmitOperands(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options)
      : Kernel(Kernel), Target(Target), For(Options.For), F(*Kernel.Entry), Functions(functionsOf(Kernel)),
        Registers(Functions, Options.Coalesce, Target.GrfBytes), ReuseAddresses(Options.ReuseAddresses) {}
};

} // namespace pocm::gen
