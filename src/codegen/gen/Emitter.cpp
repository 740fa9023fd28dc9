//===- Emitter.cpp - Bales as vISA text ---------------------------------------------------===//
//
//     %r = rdregion <16 x i8> %m, 0, 16, 1, 35
//     %c = uitofp <16 x i8> %r to <16 x float>
//     %w = wrregion %old, %c, 0, 16, 1, 64       ->   mov (M1, 16) V40(2,0)<1> V33_ub(1,3)<1;1,0>
//
// One instruction per head of a bale; nothing is decided here but the spelling. Variables
// come from Variables.h, operands from Source::of.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Emitter.h"
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenRegion.h"
#include "codegen/gen/Variables.h"
#include "ir/Lines.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

enum class Sign { Signed, Unsigned };

/// Spelling of an element type: d, ub, hf, ...
std::string letterOf(Type *T, Sign S) {
  bool U = S == Sign::Unsigned;
  if (T->isPointerTy())
    return "uq";
  if (T->isHalfTy())
    return "hf";
  if (T->isBFloatTy())
    return U ? "uw" : "w"; // only ever moved
  if (T->isFloatTy())
    return "f";
  if (T->isDoubleTy())
    return "df";
  switch (T->getIntegerBitWidth()) {
  case 8:
    return U ? "ub" : "b";
  case 16:
    return U ? "uw" : "w";
  case 32:
    return U ? "ud" : "d";
  default:
    return U ? "uq" : "q";
  }
}

/// How the vISA instruction for an operation is spelled.
struct Spelling {
  const char *Name = nullptr;
  Sign Operands = Sign::Signed, Result = Sign::Signed;
  bool Saturate = false;
  bool NegateLast = false; ///< a - b is an add.
};

std::optional<Spelling> spellingOf(const Instruction &I) {
  using S = Sign;
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::FAdd:
    return Spelling{"add"};
  case Instruction::Sub:
  case Instruction::FSub:
    return Spelling{"add", S::Signed, S::Signed, false, true};
  case Instruction::Mul:
  case Instruction::FMul:
    return Spelling{"mul"};
  case Instruction::SDiv:
  case Instruction::FDiv:
    return Spelling{"div"};
  case Instruction::UDiv:
    return Spelling{"div", S::Unsigned, S::Unsigned};
  case Instruction::SRem:
    return Spelling{"mod"};
  case Instruction::URem:
    return Spelling{"mod", S::Unsigned, S::Unsigned};
  case Instruction::Shl:
    return Spelling{"shl"};
  case Instruction::LShr:
    return Spelling{"shr", S::Unsigned, S::Unsigned};
  case Instruction::AShr:
    return Spelling{"asr"};
  case Instruction::And:
    return Spelling{"and"};
  case Instruction::Or:
    return Spelling{"or"};
  case Instruction::Xor:
    return Spelling{match(&I, m_Not(m_Value())) ? "not" : "xor"};
  case Instruction::ZExt:
  case Instruction::UIToFP:
    return Spelling{"mov", S::Unsigned, S::Unsigned};
  case Instruction::Trunc:
  case Instruction::SExt:
  case Instruction::SIToFP:
  case Instruction::FPToSI:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::FNeg:
    return Spelling{"mov"};
  case Instruction::FPToUI:
    return Spelling{"mov", S::Signed, S::Unsigned};
  default:
    break;
  }
  if (operationOf(&I) == Op::ReciprocalSqrt)
    return Spelling{"rsqrt"};
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return std::nullopt;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::fma:
    return Spelling{"mad"};
  case Intrinsic::fptosi_sat:
    return Spelling{"mov", S::Signed, S::Signed, true};
  case Intrinsic::fptoui_sat:
    return Spelling{"mov", S::Signed, S::Unsigned, true};
  case Intrinsic::smin:
  case Intrinsic::minnum:
    return Spelling{"min"};
  case Intrinsic::umin:
    return Spelling{"min", S::Unsigned, S::Unsigned};
  case Intrinsic::smax:
  case Intrinsic::maxnum:
    return Spelling{"max"};
  case Intrinsic::umax:
    return Spelling{"max", S::Unsigned, S::Unsigned};
  case Intrinsic::abs:
  case Intrinsic::fabs:
    return Spelling{"mov"};
  case Intrinsic::sadd_sat:
    return Spelling{"add", S::Signed, S::Signed, true};
  case Intrinsic::uadd_sat:
    return Spelling{"add", S::Unsigned, S::Unsigned, true};
  case Intrinsic::ssub_sat:
    return Spelling{"add", S::Signed, S::Signed, true, true};
  case Intrinsic::usub_sat:
    return Spelling{"add", S::Unsigned, S::Unsigned, true, true};
  case Intrinsic::ctpop:
    return Spelling{"cbit", S::Unsigned, S::Unsigned};
  case Intrinsic::ctlz:
    return Spelling{"lzd", S::Unsigned, S::Unsigned};
  case Intrinsic::cttz:
    return Spelling{"fbl", S::Unsigned, S::Unsigned};
  case Intrinsic::bitreverse:
    return Spelling{"bfrev", S::Unsigned, S::Unsigned};
  case Intrinsic::sqrt:
    return Spelling{"sqrt"};
  case Intrinsic::sin:
    return Spelling{"sin"};
  case Intrinsic::cos:
    return Spelling{"cos"};
  case Intrinsic::exp2:
    return Spelling{"exp"};
  case Intrinsic::log2:
    return Spelling{"log"};
  case Intrinsic::pow:
    return Spelling{"pow"};
  case Intrinsic::floor:
    return Spelling{"rndd"};
  case Intrinsic::ceil:
    return Spelling{"rndu"};
  case Intrinsic::trunc:
    return Spelling{"rndz"};
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return Spelling{"rnde"};
  default:
    return std::nullopt;
  }
}

const char *conditionOf(CmpInst::Predicate P) {
  switch (P) {
  case CmpInst::ICMP_EQ:
  case CmpInst::FCMP_OEQ:
    return "eq";
  case CmpInst::ICMP_NE:
  case CmpInst::FCMP_UNE:
    return "ne";
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::FCMP_OLT:
    return "lt";
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
  case CmpInst::FCMP_OLE:
    return "le";
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
  case CmpInst::FCMP_OGT:
    return "gt";
  default:
    return "ge";
  }
}

/// Surface numbers with a name of their own.
constexpr unsigned SlmSurface = 254;

class Emitter {
  const KernelInfo &Kernel;
  const GenTarget &Target;
  Function &F;
  Variables Registers;
  VisaKernel Result;
  std::string Declarations, Inputs, ImplicitText, Code;
  raw_string_ostream Decl{Declarations}, In{Inputs}, ImplicitIn{ImplicitText}, Out{Code};

  struct GeneralVariable {
    std::string Name, Letter;
    unsigned Count;
    const char *Align;
  };
  std::vector<GeneralVariable> General;
  /// Addresses that the block being printed has taken last; few, for address registers are.
  struct TakenAddress {
    std::string Variable;
    const Value *Offset;
    std::string Name;
  };
  static constexpr size_t MostTaken = 4;
  std::vector<TakenAddress> Taken;
  struct Declared {
    std::string Name, Letter;
    unsigned Bytes = 0;
    std::map<std::string, std::string> Views; // by type letter
  };
  std::map<unsigned, Declared> Variable;
  DenseMap<const Value *, std::string> PredicateNames, SurfaceNames;
  DenseMap<const BasicBlock *, unsigned> BlockNumbers;
  unsigned NextVariable = 32, NextPredicate = 1, NextSurface = 6, NextAddress = 1;
  std::map<std::string, std::string> ImplicitInputs; // their variables by keyword

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
    General.push_back({Name, letterOf(Element, S), Count,
                       Payload       ? "GRF"
                       : Bytes >= 16 ? "oword"
                       : Bytes >= 8  ? "qword"
                       : Bytes >= 4  ? "dword"
                                     : "word"});
    return Name;
  }

  /// Messages read and write whole registers.
  void alignForMessage(Value *Register) {
    std::string &Name = variable(Register).Name;
    for (GeneralVariable &G : General)
      if (G.Name == Name)
        G.Align = "GRF";
  }

  Declared &variable(Value *Register) {
    Declared &D = Variable[Registers.variableOf(Register)];
    if (D.Name.empty()) {
      Type *T = Register->getType();
      D.Letter = letterOf(T->getScalarType(), Sign::Signed);
      D.Bytes = bytesOf(T);
      D.Name = declare(T->getScalarType(), unsigned(countOf(T)));
    }
    return D;
  }

  /// The variable's name when its elements are read or written as that type.
  std::string view(Value *Register, Type *Element, Sign S) {
    Declared &D = variable(Register);
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

  std::string place(const std::string &Name, int Element, int Bytes) {
    int At = Element * Bytes, Grf = int(Target.GrfBytes);
    return Name + "(" + std::to_string(At / Grf) + "," + std::to_string(At % Grf / Bytes) + ")";
  }

  std::string predicateName(Value *P) {
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
    Out << "    setp (M1_NM, " << Count << ") " << Name << " " << format_hex(Bits, 6) << ":uw\n";
    return Name;
  }

  // Operands

  std::string immediate(Constant *C, Type *Element, Sign S) {
    Constant *One = C;
    if (C->getType()->isVectorTy()) {
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

  /// <0, 1, ..., 7> as 0x76543210:uv.
  std::string packed(Constant *C) {
    auto *T = cast<FixedVectorType>(C->getType());
    if (!T->getElementType()->isIntegerTy(16) || T->getNumElements() > 8 || C->getSplatValue(true))
      return "";
    uint64_t Bits = 0;
    for (unsigned K = 0; K < T->getNumElements(); ++K) {
      auto *E = dyn_cast<ConstantInt>(C->getAggregateElement(K));
      if (!E || E->getZExtValue() > 15)
        return "";
      Bits |= E->getZExtValue() << (4 * K);
    }
    return "0x" + utohexstr(Bits, true, 8) + ":uv";
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
    OperandBytes Meant{variable(Base).Name, unsigned(Bytes), {}};
    for (int E : Elements)
      Meant.Offsets.push_back(E * Bytes);
    Result.Expected[{Text, int(Elements.size())}] = std::move(Meant);
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
    if (!S.Complement && !S.Absolute && !S.Negate)
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

  static std::string strides(const GenRegion &R) {
    return "<" + std::to_string(R.V) + ";" + std::to_string(R.W) + "," + std::to_string(R.H) + ">";
  }

  std::string source(Source S, int Count, Sign Natural) {
    Sign Read = S.Extended ? (S.Signed ? Sign::Signed : Sign::Unsigned) : Natural;
    if (auto *C = dyn_cast<Constant>(S.Base))
      return immediate(modified(C, S), S.Element, Read);
    int Bytes = elementBytes(S.Element->isPointerTy() ? Type::getInt64Ty(S.Element->getContext()) : S.Element);
    SmallVector<int, 32> Elements;
    for (int K = 0; K < Count; ++K)
      Elements.push_back(S.Where.element(K));
    unsigned Whole = bytesOf(S.Base->getType());
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

  /// Addresses of elements, in a variable of their own: its name.
  std::string addresses(const std::string &Variable, Value *Offset, int Count) {
    bool Scalar = !Offset->getType()->isVectorTy();
    if (Scalar) // the same address may just have been taken
      for (const TakenAddress &T : Taken)
        if (T.Variable == Variable && T.Offset == Offset)
          return T.Name;
    std::string A = "A" + std::to_string(NextAddress++);
    Decl << ".decl " << A << " v_type=A num_elts=" << Count << "\n";
    std::string From = source(Offset, Count, Sign::Unsigned);
    Out << "    addr_add (M1, " << Count << ") " << A << "(0)<" << Count << "> &" << Variable << " " << From << "\n";
    if (Scalar) {
      if (Taken.size() == MostTaken)
        Taken.erase(Taken.begin());
      Taken.push_back({Variable, Offset, A});
    }
    return A;
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
    return "r[" + addresses(Name, S.Where.Dynamic, 1) + "(0)," + std::to_string(R->Offset * Bytes) + "]" + strides(*R) +
           Type;
  }

  /// Where a bale writes.
  std::string destination(const Bale &B, Sign S) {
    Type *Element = B.Head->getType()->getScalarType();
    if (!B.Into)
      return view(B.Head, Element, S) + "(0,0)<1>";
    int Bytes = elementBytes(Element), Count = B.count();
    std::string Name = view(B.Head, Element, S);
    if (B.Into->Where.Dynamic) {
      int Stride = Count > 1 ? B.Into->Where.element(1) - B.Into->Where.element(0) : 1;
      return "r[" + addresses(Name, B.Into->Where.Dynamic, 1) + "(0),0]<" + std::to_string(Stride) +
             ">:" + letterOf(Element, S);
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

  /// Copies `Bytes` from one variable to another, two registers at a time.
  void copy(Value *To, Value *From) {
    Type *T = From->getType();
    unsigned Bytes = bytesOf(T), Done = 0;
    LLVMContext &Context = T->getContext();
    while (Done < Bytes) {
      unsigned Size = Bytes - Done, Unit = Size >= 4 && Done % 4 == 0 ? 4 : Size >= 2 && Done % 2 == 0 ? 2 : 1;
      unsigned Count = bit_floor(std::min(Size / Unit, 2 * Target.GrfBytes / Unit));
      Count = std::min(Count, 16u);
      Type *Element = Type::getIntNTy(Context, 8 * Unit);
      Out << "    mov" << width(int(Count)) << place(view(To, Element, Sign::Unsigned), int(Done / Unit), int(Unit))
          << "<1> " << place(view(From, Element, Sign::Unsigned), int(Done / Unit), int(Unit))
          << (Count > 1 ? "<1;1,0>\n" : "<0;1,0>\n");
      Done += Count * Unit;
    }
  }

  /// A payload of a message: a variable's name with ".offset"; anything else is moved into one.
  std::string raw(Value *V, Sign S = Sign::Unsigned) {
    Value *Register = registerOf(V);
    if (!isa<Constant>(Register) && needsRegister(*Register)) {
      alignForMessage(Register);
      return view(Register, V->getType()->getScalarType(), S) + ".0";
    }
    if (isa<Constant>(Register) && !V->getType()->isVectorTy()
            ? false
            : isa<Constant>(V) && !cast<Constant>(V)->getSplatValue(true))
      bug("a payload of different constants");
    Type *Element = V->getType()->getScalarType();
    int Count = countOf(V->getType());
    std::string Name = declare(Element, unsigned(Count), S, /*Payload=*/true);
    int Most = std::max(1, int(2 * Target.GrfBytes) / elementBytes(Element));
    for (int Start = 0; Start < Count;) {
      int Size = int(bit_floor(unsigned(std::min({Most, Count - Start, 16}))));
      Source Part = Source::of(V);
      Part.Where.Offset = Part.Where.element(Start);
      std::string From = source(Part, Size, S);
      Out << "    mov" << width(Size) << place(Name, Start, elementBytes(Element)) << "<1> " << From << "\n";
      Start += Size;
    }
    return Name + ".0";
  }

  // Surfaces

  std::string surface(Value *V) {
    if (auto Found = SurfaceNames.find(V); Found != SurfaceNames.end())
      return Found->second;
    if (auto *C = dyn_cast<ConstantInt>(V); C && C->getZExtValue() == SlmSurface)
      return "%slm";
    std::string Name = "T" + std::to_string(NextSurface++);
    Decl << ".decl " << Name << " v_type=T num_elts=1\n";
    std::string From = source(V, 1, Sign::Unsigned);
    Out << "    movs (M1, 1) " << Name << "(0) " << From << "\n";
    return Name;
  }

  std::string scalar(Value *V) { return source(V, 1, Sign::Unsigned); }

  // Inputs

  void inputs() {
    bool Group = usesGroups();
    unsigned At = Group ? 2 * Target.GrfBytes : Target.GrfBytes;
    auto Implicit = [&](const char *Keyword, unsigned Number, Op Operation, unsigned Offset) {
      for (Instruction &I : instructions())
        if (operationOf(&I) == Operation) {
          std::string Name = "V" + std::to_string(NextVariable++);
          Decl << ".decl " << Name << " v_type=G type=ud num_elts=3 align=dword\n";
          ImplicitIn << ".implicit_UNDEFINED_" << Number << " " << Name << " offset=" << Offset << " size=12\n";
          ImplicitInputs[Keyword] = Name;
          Result.Inputs.push_back({8 * Number, Offset, 12});
          return true;
        }
      return false;
    };
    Implicit("local_id", 3, Op::LocalId, Target.GrfBytes);
    if (Implicit("local_size", 1, Op::LocalSize, At))
      At += 12;
    if (Implicit("group_count", 2, Op::GroupCount, At))
      At += 12;
    for (Argument &A : F.args()) {
      const KernelParameter &P = Kernel.Parameters[A.getArgNo()];
      unsigned Size = bytesOf(A.getType());
      unsigned Natural = std::min(bytesOf(A.getType()->getScalarType()), 8u);
      At = alignTo(At, P.Kind == IrParameterKind::General ? (Size >= Target.GrfBytes ? Target.GrfBytes : Natural) : 4);
      if (P.Kind == IrParameterKind::General && At / Target.GrfBytes != (At + Size - 1) / Target.GrfBytes)
        At = unsigned(alignTo(At, Target.GrfBytes)); // no argument straddles two registers that need not
      if (P.Kind == IrParameterKind::General) {
        In << ".input " << variable(&A).Name << " offset=" << At << " size=" << Size << "\n";
      } else {
        bool IsSurface = P.Kind == IrParameterKind::Surface;
        std::string Name = IsSurface ? "T" + std::to_string(NextSurface++) : "S" + std::to_string(6 + A.getArgNo());
        Decl << ".decl " << Name << " v_type=" << (IsSurface ? "T" : "S") << " num_elts=1\n";
        In << ".input " << Name << " offset=" << At << " size=4\n";
        SurfaceNames[&A] = Name;
        if (isCalculatedWith(A))
          Out << "    movs (M1, 1) " << variable(&A).Name << "(0,0)<1> " << Name << "(0)\n";
        Size = 4;
      }
      Result.Inputs.push_back({unsigned(P.Kind), At, Size});
      At += Size;
    }
  }

  /// Whether a surface's number is also used as a number.
  static bool isCalculatedWith(const Argument &A) {
    return any_of(A.users(), [&](const User *U) {
      unsigned Index = surfaceOperand(operationOf(U));
      if (operationOf(U) == Op::Sample && cast<CallInst>(U)->getArgOperand(1) == &A)
        return false;
      return Index == ~0u || cast<CallInst>(U)->getArgOperand(Index) != &A;
    });
  }

  /// Which operand of a message is its surface; ~0u for operations without one.
  static unsigned surfaceOperand(Op Operation) {
    switch (Operation) {
    case Op::MediaRead:
    case Op::MediaWrite:
    case Op::OwordRead:
    case Op::OwordReadUnaligned:
      return 1;
    case Op::TypedRead:
    case Op::TypedWrite:
    case Op::TypedAtomic:
    case Op::Sample:
      return 2;
    case Op::OwordWrite:
      return 0;
    case Op::Gather:
    case Op::Scatter:
      return 3;
    default:
      return atomicInfo(Operation).Sources >= 0 && !atomicInfo(Operation).ByAddress ? 1 : ~0u;
    }
  }

  std::vector<std::reference_wrapper<Instruction>> instructions() {
    std::vector<std::reference_wrapper<Instruction>> All;
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        All.push_back(I);
    return All;
  }

  bool usesGroups() {
    return any_of(instructions(), [](Instruction &I) {
      return is_contained({Op::LocalId, Op::LocalSize, Op::GroupCount, Op::GroupIdX, Op::GroupIdY, Op::GroupIdZ,
                           Op::Barrier, Op::SplitBarrier, Op::SlmInit},
                          operationOf(&I));
    });
  }

  // Instructions

  void vectorInstruction(const Bale &B) {
    int Count = B.count();
    if (!B.Main) {
      std::string From = B.Into ? source(B.Into->value(), Count, Sign::Signed)
                                : source(Source::ofRead(*RegionRead::match(B.Head)), Count, Sign::Signed);
      std::string To = destination(B, Sign::Signed);
      Out << "    mov" << width(Count) << To << " " << From << "\n";
      return;
    }
    Instruction &I = *B.Main;
    if (auto *Select = dyn_cast<SelectInst>(&I)) {
      std::string P = predicate(Select->getCondition());
      std::string To = destination(B, Sign::Signed), T = source(I.getOperand(1), Count, Sign::Signed),
                  E = source(I.getOperand(2), Count, Sign::Signed);
      Out << "    (" << P << ") sel" << width(Count) << To << " " << T << " " << E << "\n";
      return;
    }
    auto S = spellingOf(I);
    if (!S)
      fail(nameOf(I));
    std::string Text;
    SmallVector<unsigned, 4> Operands = regionOperandsOf(I);
    for (unsigned K = 0; K < Operands.size(); ++K) {
      Source From = Source::of(I.getOperand(Operands[K]));
      bool Last = K + 1 == Operands.size();
      if (StringRef(S->Name) == "not" && Last)
        break;
      if (S->NegateLast && Last) {
        if (isa<Constant>(From.Base))
          From.Base = negated(cast<Constant>(From.Base));
        else
          From.Negate ^= true;
      }
      if (auto *Call = dyn_cast<IntrinsicInst>(&I);
          Call && is_contained({Intrinsic::abs, Intrinsic::fabs}, Call->getIntrinsicID()))
        From.Absolute = true;
      if (I.getOpcode() == Instruction::FNeg)
        From.Negate ^= true;
      Text += " " + source(From, Count, S->Operands);
    }
    std::string To = destination(B, S->Result);
    Out << "    " << S->Name << (S->Saturate ? ".sat" : "") << width(Count) << To << Text << "\n";
  }

  Constant *negated(Constant *C) {
    Type *T = C->getType();
    if (T->isIntOrIntVectorTy())
      return ConstantExpr::getNeg(C);
    auto *Splat = dyn_cast_or_null<ConstantFP>(T->isVectorTy() ? C->getSplatValue(true) : C);
    if (!Splat)
      fail("a difference with a vector of different constants");
    return ConstantFP::get(T, -Splat->getValueAPF());
  }

  void compare(CmpInst &I) {
    int Count = countOf(I.getType());
    Sign S = I.isUnsigned() ? Sign::Unsigned : Sign::Signed;
    std::string L = source(I.getOperand(0), Count, S), R = source(I.getOperand(1), Count, S);
    Out << "    cmp." << conditionOf(I.getPredicate()) << width(Count) << predicateName(&I) << " " << L << " " << R
        << "\n";
  }

  void logic(BinaryOperator &I) {
    int Count = countOf(I.getType());
    Value *Inverted;
    if (match(&I, m_Not(m_Value(Inverted)))) {
      std::string P = predicate(Inverted);
      Out << "    not" << width(Count) << predicateName(&I) << " " << P << "\n";
      return;
    }
    std::string L = predicate(I.getOperand(0)), R = predicate(I.getOperand(1));
    Out << "    " << I.getOpcodeName() << width(Count) << predicateName(&I) << " " << L << " " << R << "\n";
  }

  void cast(BitCastInst &I) {
    if (isPredicate(I.getSrcTy())) {
      std::string P = predicate(I.getOperand(0));
      Out << "    mov (M1, 1) " << view(&I, I.getType()->getScalarType(), Sign::Unsigned) << "(0,0)<1> " << P << "\n";
      return;
    }
    int Count = countOf(I.getType());
    std::string From = source(I.getOperand(0), 1, Sign::Unsigned);
    Out << "    setp" << width(Count) << predicateName(&I) << " " << From << "\n";
  }

  static std::string nameOf(const Instruction &I) {
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

  void mediaBlock(CallInst &I, bool Read) {
    // by CmBufferAttrib: alignment says nothing here
    static const char *const Modifiers[] = {"nomod",    "top",     "bottom",     "nomod",
                                            "modified", "top_mod", "bottom_mod", "modified"};
    unsigned Modifier = constantOf(I.getArgOperand(0), "a media block's modifier");
    unsigned Plane = constantOf(I.getArgOperand(2), "a media block's plane");
    unsigned Width = constantOf(I.getArgOperand(3), "a media block's width");
    Type *T = Read ? I.getType() : I.getArgOperand(6)->getType();
    unsigned Pitch = std::max(4u, bit_ceil(Width)), Bytes = bytesOf(T);
    unsigned Height = std::max(1u, Bytes / Pitch);
    if (Modifier >= std::size(Modifiers) || Width > 64 || Pitch * Height > 256)
      fail("a media block of " + std::to_string(Width) + " x " + std::to_string(Height) + " bytes");
    std::string S = surface(I.getArgOperand(1)), X = scalar(I.getArgOperand(4)), Y = scalar(I.getArgOperand(5));
    std::string Data = Read ? payload(&I) : raw(I.getArgOperand(6));
    Out << "    media_" << (Read ? "ld." : "st.") << Modifiers[Modifier] << " (" << Width << "," << Height << ") " << S
        << " " << (Plane ? std::to_string(Plane) + " " : "") << X << " " << Y << " " << Data << "\n";
  }

  /// The variable that a message writes.
  std::string payload(Instruction *I, Sign S = Sign::Unsigned) {
    alignForMessage(I);
    return view(I, I->getType()->getScalarType(), S) + ".0";
  }

  unsigned owords(Type *T) {
    unsigned Bytes = bytesOf(T);
    if (Bytes % 16 || !isPowerOf2_32(Bytes / 16) || Bytes / 16 > 8)
      fail("an oword block of " + std::to_string(Bytes) + " bytes");
    return Bytes / 16;
  }

  void owordRead(CallInst &I, bool Unaligned) {
    bool Modified = constantOf(I.getArgOperand(0), "an oword block's modifier");
    std::string S = surface(I.getArgOperand(1)), At = scalar(I.getArgOperand(2));
    Out << "    oword_ld" << (Unaligned ? "_unaligned" : "") << (Modified ? ".mod" : "") << " (" << owords(I.getType())
        << ") " << S << " " << At << " " << payload(&I) << "\n";
  }

  void owordWrite(CallInst &I) {
    Value *Data = I.getArgOperand(2);
    std::string S = surface(I.getArgOperand(0)), At = scalar(I.getArgOperand(1)), From = raw(Data);
    Out << "    oword_st (" << owords(Data->getType()) << ") " << S << " " << At << " " << From << "\n";
  }

  /// "(P7) " unless all channels are on.
  std::string guard(Value *P) {
    auto *C = dyn_cast<Constant>(P);
    return C && C->isAllOnesValue() ? "" : "(" + predicate(P) + ") ";
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

  /// The low bytes of dwords become the result.
  void fromDwords(CallInst &I, const std::string &Dwords, const std::string &G, Value *Old) {
    int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
    std::string Letter = letterOf(I.getType()->getScalarType(), Sign::Unsigned);
    Decl << ".decl " << Dwords << "_" << Letter << " v_type=G type=" << Letter << " num_elts=" << Lanes * 4 / Bytes
         << " alias=<" << Dwords << ", 0>\n";
    keepOld(I, Old, !G.empty());
    Out << "    " << G << "mov" << width(Lanes) << view(&I, I.getType()->getScalarType(), Sign::Unsigned) << "(0,0)<1> "
        << Dwords << "_" << Letter << "(0,0)<" << 4 / Bytes << ";1,0>\n";
  }

  void gather(CallInst &I) {
    int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
    std::string G = guard(I.getArgOperand(0)), S = surface(I.getArgOperand(3)), Global = scalar(I.getArgOperand(4)),
                Offsets = raw(I.getArgOperand(5));
    std::string To = Bytes == 4 ? payload(&I) : dwords(Lanes) + ".0";
    if (Bytes == 4)
      keepOld(I, I.getArgOperand(6), !G.empty());
    Out << "    " << G << (match(I.getArgOperand(2), m_Zero()) ? "gather_scaled." : "gather.") << Bytes << width(Lanes)
        << S << " " << Global << " " << Offsets << " " << To << "\n";
    if (Bytes == 4)
      return;
    fromDwords(I, To.substr(0, To.size() - 2), G, I.getArgOperand(6));
  }

  void scatter(CallInst &I) {
    Value *Data = I.getArgOperand(6);
    int Lanes = countOf(Data->getType()), Bytes = elementBytes(Data->getType());
    std::string G = guard(I.getArgOperand(0)), S = surface(I.getArgOperand(3)), Global = scalar(I.getArgOperand(4)),
                Offsets = raw(I.getArgOperand(5)), From;
    if (Bytes == 4) {
      From = raw(Data);
    } else {
      From = dwords(Lanes);
      std::string Narrow = source(Data, Lanes, Sign::Unsigned);
      Out << "    mov" << width(Lanes) << From << "(0,0)<1> " << Narrow << "\n";
      From += ".0";
    }
    Out << "    " << G << (match(I.getArgOperand(2), m_Zero()) ? "scatter_scaled." : "scatter.") << Bytes
        << width(Lanes) << S << " " << Global << " " << Offsets << " " << From << "\n";
  }

  std::string atomicName(CallInst &I, const AtomicInfo &Info) {
    static const std::map<unsigned, const char *> Names{
        {0x00, "add"},     {0x01, "sub"},     {0x02, "inc"},  {0x03, "dec"},    {0x04, "min"},  {0x05, "max"},
        {0x06, "xchg"},    {0x07, "cmpxchg"}, {0x08, "and"},  {0x09, "or"},     {0x0A, "xor"},  {0x0B, "minsint"},
        {0x0C, "maxsint"}, {0x10, "fmax"},    {0x11, "fmin"}, {0x12, "fcmpwr"}, {0x13, "fadd"}, {0x14, "fsub"}};
    auto Name = Names.find(Info.Number);
    if (Name == Names.end())
      fail(nameOf(I));
    return Name->second;
  }

  static bool isFloat(const AtomicInfo &Info) { return Info.Number >= 0x10; }
  static Sign signOf(const AtomicInfo &Info) {
    return Info.Number == 0x0B || Info.Number == 0x0C ? Sign::Signed : Sign::Unsigned;
  }

  /// Source `K` of an atomic whose first source is operand `First`.
  std::string atomicSource(CallInst &I, const AtomicInfo &Info, unsigned First, int K) {
    if (K >= Info.Sources)
      return "%null.0";
    Value *V = I.getArgOperand(First + unsigned(K));
    std::string Name = raw(V, signOf(Info));
    return isFloat(Info) && V->getType()->isIntOrIntVectorTy() ? floatView(V, Name) : Name;
  }

  std::string atomicResult(CallInst &I, const AtomicInfo &Info) {
    if (I.use_empty())
      return "%null.0";
    std::string Name = payload(&I, signOf(Info));
    return isFloat(Info) && I.getType()->isIntOrIntVectorTy() ? floatView(&I, Name) : Name;
  }

  /// (predicate, surface, offsets, sources ..., old value)
  void atomic(CallInst &I, const AtomicInfo &Info) {
    int Lanes = countOf(I.getArgOperand(2)->getType());
    std::string G = guard(I.getArgOperand(0)), S = surface(I.getArgOperand(1)), Offsets = raw(I.getArgOperand(2)),
                First = atomicSource(I, Info, 3, 0), Second = atomicSource(I, Info, 3, 1);
    std::string To = atomicResult(I, Info);
    Out << "    " << G << "dword_atomic." << atomicName(I, Info) << width(Lanes) << S << " " << Offsets << " " << First
        << " " << Second << " " << To << "\n";
  }

  /// The payload as floats, for atomics that the language gives integers.
  std::string floatView(Value *V, const std::string &Payload) {
    Value *Register = registerOf(V);
    if (!isa<Constant>(Register) && needsRegister(*Register))
      return view(Register, Type::getFloatTy(V->getContext()), Sign::Signed) + ".0";
    std::string Name = Payload.substr(0, Payload.size() - 2);
    Decl << ".decl " << Name << "_f v_type=G type=f num_elts=" << countOf(V->getType()) << " alias=<" << Name
         << ", 0>\n";
    return Name + "_f.0";
  }

  // Typed surfaces and samplers

  /// RGBA, or fewer, for a mask whose bit 0 is R.
  std::string components(CallInst &I, unsigned Mask, int Have) {
    std::string Names;
    for (unsigned K = 0; K < 4; ++K)
      if (Mask >> K & 1)
        Names += "RGBA"[K];
    if (int(Names.size()) != Have)
      fail(nameOf(I) + " of " + std::to_string(Have) + " components");
    return Names;
  }

  /// A coordinate, absent when it is 0 and nothing comes after it.
  std::string coordinate(Value *V) { return match(V, m_Zero()) ? "%null.0" : raw(V); }

  /// (channel mask, predicate, surface, u, v, r, old value or data)
  void typed(CallInst &I, bool Read) {
    int Lanes = countOf(I.getArgOperand(3)->getType());
    Type *T = Read ? I.getType() : I.getArgOperand(6)->getType();
    std::string Names = components(I, constantOf(I.getArgOperand(0), "a mask of components"), countOf(T) / Lanes);
    std::string G = guard(I.getArgOperand(1)), S = surface(I.getArgOperand(2)), U = raw(I.getArgOperand(3)),
                V = raw(I.getArgOperand(4)), R = coordinate(I.getArgOperand(5));
    std::string Data = Read ? payload(&I) : raw(I.getArgOperand(6));
    if (Read)
      keepOld(I, I.getArgOperand(6), !G.empty());
    Out << "    " << G << (Read ? "gather4_typed." : "scatter4_typed.") << Names << width(Lanes) << S << " " << U << " "
        << V << " " << R << " %null.0 " << Data << "\n";
  }

  /// (number, predicate, surface, u, v, first source, second source)
  void typedAtomic(CallInst &I) {
    AtomicInfo Info = atomicInfo(atomicOfNumber(constantOf(I.getArgOperand(0), "an atomic")));
    int Lanes = countOf(I.getArgOperand(3)->getType());
    auto Operand = [&](int K) {
      return K < Info.Sources ? raw(I.getArgOperand(5 + unsigned(K))) : std::string("%null.0");
    };
    std::string G = guard(I.getArgOperand(1)), S = surface(I.getArgOperand(2)), U = raw(I.getArgOperand(3)),
                V = raw(I.getArgOperand(4)), First = Operand(0), Second = Operand(1);
    std::string To = I.use_empty() ? "%null.0" : payload(&I);
    Out << "    " << G << "typed_atomic." << atomicName(I, Info) << width(Lanes) << S << " " << U << " " << V
        << " %null.0 %null.0 " << First << " " << Second << " " << To << "\n";
  }

  /// (channel mask and, from bit 16 on, texel offsets; sampler, surface, u, v, r, reference, 1 when there is a
  /// reference)
  void sample(CallInst &I) {
    int Lanes = countOf(I.getArgOperand(3)->getType());
    unsigned Mask = constantOf(I.getArgOperand(0), "a mask of components");
    if (Mask >> 16 || !match(I.getArgOperand(7), m_Zero()))
      fail("sampling with texel offsets or a reference value");
    if (Lanes != 8 && Lanes != 16)
      fail("sampling " + std::to_string(Lanes) + " places");
    std::string Names = components(I, Mask & 15, countOf(I.getType()) / Lanes);
    auto Sampler = SurfaceNames.find(I.getArgOperand(1));
    if (Sampler == SurfaceNames.end())
      fail("a sampler that is no argument of the kernel");
    std::string S = surface(I.getArgOperand(2)), Coordinates;
    for (unsigned K = 3; K < 6; ++K)
      Coordinates += " " + raw(I.getArgOperand(K), Sign::Signed);
    Out << "    sample_lz." << Names << width(Lanes) << "0x0:uw " << Sampler->second << " " << S << " " << payload(&I)
        << Coordinates << "\n";
  }

  // Memory by address

  void svmBlock(CallInst &I, bool Read) {
    Type *T = Read ? I.getType() : I.getArgOperand(1)->getType();
    unsigned Size = owords(T);
    std::string At = source(I.getArgOperand(0), 1, Sign::Unsigned);
    std::string Data = Read ? payload(&I) : raw(I.getArgOperand(1));
    Out << "    svm_block_" << (Read ? "ld" : "st") << " (" << Size << ") " << At << " " << Data << "\n";
  }

  /// (predicate, log2 blocks, addresses, old value or data)
  void svmScattered(CallInst &I, bool Read) {
    Type *T = Read ? I.getType() : I.getArgOperand(3)->getType();
    int Lanes = countOf(T), Bytes = elementBytes(T);
    std::string G = guard(I.getArgOperand(0)), Addresses = raw(I.getArgOperand(2));
    // what is smaller than a dword travels as so many bytes of a dword
    std::string Shape = Bytes >= 4 ? std::to_string(Bytes) + ".1" : "1." + std::to_string(Bytes);
    const char *Name = Read ? "svm_gather." : "svm_scatter.";
    if (Bytes >= 4) {
      std::string Data = Read ? payload(&I) : raw(I.getArgOperand(3));
      if (Read)
        keepOld(I, I.getArgOperand(3), !G.empty());
      Out << "    " << G << Name << Shape << width(Lanes) << Addresses << " " << Data << "\n";
      return;
    }
    std::string Dwords = dwords(Lanes);
    if (!Read) {
      std::string From = source(I.getArgOperand(3), Lanes, Sign::Unsigned);
      Out << "    mov" << width(Lanes) << Dwords << "(0,0)<1> " << From << "\n";
    }
    Out << "    " << G << Name << Shape << width(Lanes) << Addresses << " " << Dwords << ".0\n";
    if (Read)
      fromDwords(I, Dwords, G, I.getArgOperand(3));
  }

  void svmAtomic(CallInst &I, const AtomicInfo &Info) {
    int Lanes = countOf(I.getArgOperand(1)->getType());
    std::string G = guard(I.getArgOperand(0)), Addresses = raw(I.getArgOperand(1)), First = atomicSource(I, Info, 2, 0),
                Second = atomicSource(I, Info, 2, 1);
    bool Wide = I.getType()->getScalarSizeInBits() == 64;
    std::string To = atomicResult(I, Info);
    Out << "    " << G << "svm_atomic." << atomicName(I, Info) << (Wide ? ".64" : "") << width(Lanes) << Addresses
        << " " << To << " " << First << " " << Second << "\n";
  }

  void predefined(CallInst &I, const char *Name) {
    Out << "    mov (M1, 1) " << view(&I, I.getType()->getScalarType(), Sign::Unsigned) << "(0,0)<1> " << Name
        << "(0,0)<0;1,0>\n";
  }

  void implicit(CallInst &I, const char *Keyword) {
    std::string To = view(&I, I.getType()->getScalarType(), Sign::Unsigned);
    for (int K = 0; K < countOf(I.getType()); ++K)
      Out << "    mov (M1, 1) " << To << "(0," << K << ")<1> " << ImplicitInputs[Keyword] << "(0," << K << ")<0;1,0>\n";
  }

  void message(CallInst &I) {
    switch (Op Operation = operationOf(&I)) {
    case Op::ThreadX:
      return predefined(I, "%thread_x");
    case Op::ThreadY:
      return predefined(I, "%thread_y");
    case Op::Color:
      return predefined(I, "%color");
    case Op::HardwareId:
      return predefined(I, "%hw_id");
    case Op::GroupIdX:
      return predefined(I, "%group_id_x");
    case Op::GroupIdY:
      return predefined(I, "%group_id_y");
    case Op::GroupIdZ:
      return predefined(I, "%group_id_z");
    case Op::Timestamp:
      for (int K = 0; K < 4; ++K)
        Out << "    mov (M1, 1) " << view(&I, I.getType()->getScalarType(), Sign::Unsigned) << "(0," << K
            << ")<1> %tsc(0," << K << ")<0;1,0>\n";
      return;
    case Op::LocalId:
      return implicit(I, "local_id");
    case Op::LocalSize:
      return implicit(I, "local_size");
    case Op::GroupCount:
      return implicit(I, "group_count");
    case Op::SlmInit:
      Result.SlmBytes = std::max(Result.SlmBytes, constantOf(I.getArgOperand(0), "shared local memory of a size"));
      return;
    case Op::Barrier:
      Result.HasBarrier = true;
      Out << "    barrier\n";
      return;
    case Op::SplitBarrier:
      Result.HasBarrier = true;
      Out << "    sbarrier." << (constantOf(I.getArgOperand(0), "a barrier's half") ? "signal" : "wait") << "\n";
      return;
    case Op::Fence: {
      unsigned Bits = constantOf(I.getArgOperand(0), "a fence's mask");
      Out << "    fence_" << (Bits & 0x20 ? "local" : "global") << (Bits & 1 ? ".E" : "") << "\n";
      return;
    }
    case Op::MediaRead:
      return mediaBlock(I, true);
    case Op::MediaWrite:
      return mediaBlock(I, false);
    case Op::OwordRead:
      return owordRead(I, false);
    case Op::OwordReadUnaligned:
      return owordRead(I, true);
    case Op::OwordWrite:
      return owordWrite(I);
    case Op::Gather:
      return gather(I);
    case Op::Scatter:
      return scatter(I);
    case Op::TypedRead:
      return typed(I, true);
    case Op::TypedWrite:
      return typed(I, false);
    case Op::TypedAtomic:
      return typedAtomic(I);
    case Op::Sample:
      return sample(I);
    case Op::SvmBlockRead:
      return svmBlock(I, true);
    case Op::SvmBlockWrite:
      return svmBlock(I, false);
    case Op::SvmGather:
      return svmScattered(I, true);
    case Op::SvmScatter:
      return svmScattered(I, false);
    default:
      if (AtomicInfo Info = atomicInfo(Operation); Info.Sources >= 0)
        return Info.ByAddress ? svmAtomic(I, Info) : atomic(I, Info);
      fail(nameOf(I));
    }
  }

  // Blocks

  /// Whether a block does nothing but go on to another.
  bool isThrough(BasicBlock *Block) {
    auto *Branch = dyn_cast<BranchInst>(&Block->front());
    if (!Branch || Branch->isConditional() || Block == &F.getEntryBlock() || Branch->getSuccessor(0) == Block)
      return false;
    return none_of(Branch->getSuccessor(0)->phis(), [&](PHINode &Phi) { return needsCopy(Phi, Block); });
  }

  /// Where a jump to a block ends up.
  BasicBlock *landing(BasicBlock *Block) {
    for (int Steps = 0; Steps < 64 && isThrough(Block); ++Steps)
      Block = Block->getSingleSuccessor();
    return Block;
  }

  /// The block whose code is printed next.
  BasicBlock *printedAfter(BasicBlock *Block) {
    do
      Block = Block->getNextNode();
    while (Block && isThrough(Block));
    return Block;
  }

  bool needsCopy(PHINode &Phi, BasicBlock *From) {
    Value *V = Phi.getIncomingValueForBlock(From);
    if (isPredicate(Phi.getType()) || isa<UndefValue>(V) || !needsRegister(Phi))
      return false;
    return isa<Constant>(V) || Registers.variableOf(registerOf(V)) != Registers.variableOf(&Phi);
  }

  std::string label(const BasicBlock *Block) { return "BB_" + std::to_string(BlockNumbers.lookup(Block)); }

  /// What the phis of `To` hold when control comes from `From`, all at once.
  void phiCopies(BasicBlock *From, BasicBlock *To) {
    struct Move {
      Value *To, *From;
      std::string Saved; // where From was put before it was overwritten
    };
    SmallVector<Move, 8> Moves;
    for (PHINode &Phi : To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(From);
      if (!needsCopy(Phi, From))
        continue;
      Moves.push_back({&Phi, isa<Constant>(V) ? V : registerOf(V), ""});
    }
    // A move goes when nobody still has to read what it overwrites; in a circle that is put aside first.
    auto Reads = [&](const Move &M, Value *Register) {
      return M.Saved.empty() && !isa<Constant>(M.From) &&
             Registers.variableOf(M.From) == Registers.variableOf(Register);
    };
    while (!Moves.empty()) {
      auto Next = find_if(Moves, [&](const Move &M) {
        return none_of(Moves, [&](const Move &N) { return &N != &M && Reads(N, M.To); });
      });
      if (Next == Moves.end()) {
        Next = Moves.begin();
        Type *T = Next->To->getType();
        std::string Aside = declare(T->getScalarType(), unsigned(countOf(T)));
        copyElements(Aside, view(Next->To, T->getScalarType(), Sign::Signed), T);
        for (Move &M : Moves)
          if (Reads(M, Next->To))
            M.Saved = Aside;
      }
      if (!Next->Saved.empty())
        copyElements(view(Next->To, Next->From->getType()->getScalarType(), Sign::Signed), Next->Saved,
                     Next->From->getType());
      else if (auto *C = dyn_cast<Constant>(Next->From))
        constantInto(Next->To, C);
      else
        copy(Next->To, Next->From);
      Moves.erase(Next);
    }
  }

  /// Copies a whole variable of that type, by its elements.
  void copyElements(const std::string &To, const std::string &From, Type *T) {
    int Bytes = elementBytes(T), Count = countOf(T), Most = std::min(16, int(2 * Target.GrfBytes) / Bytes);
    for (int Start = 0; Start < Count;) {
      int Size = int(bit_floor(unsigned(std::min(Most, Count - Start))));
      Out << "    mov" << width(Size) << place(To, Start, Bytes) << "<1> " << place(From, Start, Bytes)
          << (Size > 1 ? "<1;1,0>\n" : "<0;1,0>\n");
      Start += Size;
    }
  }

  void constantInto(Value *To, Constant *C) {
    Type *T = To->getType(), *Element = T->getScalarType();
    int Bytes = elementBytes(Element), Count = countOf(T), Most = std::min(16, int(2 * Target.GrfBytes) / Bytes);
    auto Number = [&](int K) { return T->isVectorTy() ? C->getAggregateElement(unsigned(K)) : C; };
    for (int Start = 0; Start < Count;) {
      int Run = 1; // of one number
      while (Start + Run < Count && Number(Start + Run) == Number(Start))
        ++Run;
      int Size = int(bit_floor(unsigned(std::min(Most, Run))));
      if (!isa<UndefValue>(Number(Start)))
        Out << "    mov" << width(Size) << place(view(To, Element, Sign::Signed), Start, Bytes) << "<1> "
            << immediate(Number(Start), Element, Sign::Signed) << "\n";
      Start += Size;
    }
  }

  /// Doubles are refused where there are none.
  void checkTypes(Instruction &I) {
    auto IsDouble = [](Value *V) { return V->getType()->getScalarType()->isDoubleTy(); };
    if (!Target.has(HasFp64) && isVectorInstruction(I) && (IsDouble(&I) || any_of(I.operands(), IsDouble)))
      fail("arithmetic on double");
  }

  void instruction(Instruction &I) {
    checkTypes(I);
    if (isBaled(I) || isAlias(&I) || isa<PHINode>(I))
      return;
    if (auto *Compare = dyn_cast<CmpInst>(&I))
      return compare(*Compare);
    if (auto *Cast = dyn_cast<BitCastInst>(&I))
      return cast(*Cast);
    if (auto *Logic = dyn_cast<BinaryOperator>(&I); Logic && isPredicate(I.getType()))
      return logic(*Logic);
    if (I.isTerminator())
      return terminator(I);
    if (RegionWrite::match(&I) || RegionRead::match(&I) || isVectorInstruction(I)) {
      Bale B = Bale::of(I);
      if (B.Into) {
        Value *Old = registerOf(B.Into->old());
        if (!isa<Constant>(Old) && Registers.variableOf(Old) != Registers.variableOf(&I))
          copy(&I, Old);
        else if (isa<Constant>(Old) && !isa<UndefValue>(Old))
          constantInto(&I, llvm::cast<Constant>(Old));
        if (isa<UndefValue>(B.Into->value()))
          return;
      }
      return vectorInstruction(B);
    }
    if (auto *Call = dyn_cast<CallInst>(&I); Call && operationOf(&I) != Op::None)
      return message(*Call);
    fail(nameOf(I));
  }

  void terminator(Instruction &I) {
    BasicBlock *Block = I.getParent();
    for (BasicBlock *Next : successors(Block))
      phiCopies(Block, Next);
    if (isa<ReturnInst>(I)) {
      Out << "    ret (M1, 1)\n";
      return;
    }
    if (isa<UnreachableInst>(I)) {
      Out << "    ret (M1, 1)\n";
      return;
    }
    auto *Branch = dyn_cast<BranchInst>(&I);
    if (!Branch)
      fail(nameOf(I));
    BasicBlock *Next = printedAfter(Block), *Yes = landing(Branch->getSuccessor(0));
    if (Branch->isUnconditional()) {
      if (Yes != Next)
        Out << "    jmp (M1, 1) " << label(Yes) << "\n";
      return;
    }
    BasicBlock *No = landing(Branch->getSuccessor(1));
    if (Yes == No) {
      if (Yes != Next)
        Out << "    jmp (M1, 1) " << label(Yes) << "\n";
      return;
    }
    std::string P = predicate(Branch->getCondition());
    if (Yes == Next) {
      Out << "    (!" << P << ") jmp (M1, 1) " << label(No) << "\n";
      return;
    }
    Out << "    (" << P << ") jmp (M1, 1) " << label(Yes) << "\n";
    if (No != Next)
      Out << "    jmp (M1, 1) " << label(No) << "\n";
  }

public:
  Emitter(const KernelInfo &Kernel, const GenTarget &Target)
      : Kernel(Kernel), Target(Target), F(*Kernel.Entry), Registers(F) {}

  VisaKernel run() {
    try {
      unsigned Number = 0;
      for (BasicBlock &Block : F)
        BlockNumbers[&Block] = Number++;
      inputs();
      for (BasicBlock &Block : F) {
        if (isThrough(&Block))
          continue;
        if (&Block != &F.getEntryBlock())
          Out << label(&Block) << ":\n";
        Taken.clear();
        for (Instruction &I : Block) {
          try {
            instruction(I);
          } catch (Unsupported &Problem) {
            if (StringRef(Problem.What).starts_with("bug"))
              raw_string_ostream(Problem.What) << " in" << I;
            Problem.What += atLine(I);
            throw;
          }
        }
      }
    } catch (const Unsupported &Problem) {
      Result.Problem = Problem.What;
      return Result;
    }
    raw_string_ostream Text(Result.Text);
    Text << ".version 3.6\n.kernel \"" << Kernel.Name << "\"\n";
    for (const GeneralVariable &G : General)
      Text << ".decl " << G.Name << " v_type=G type=" << G.Letter << " num_elts=" << G.Count << " align=" << G.Align
           << "\n";
    Text << Declarations << Inputs << ImplicitText << ".kernel_attr Target=\"cm\"\n.kernel_attr OutputAsmPath=\""
         << Kernel.Name << "\"\n";
    if (Result.SlmBytes)
      Text << ".kernel_attr SLMSize=" << (Result.SlmBytes + 1023) / 1024 << "\n";
    if (!Result.HasBarrier)
      Text << ".kernel_attr NoBarrier\n";
    Text << ".function \"" << Kernel.Name << "_BB_0\"\n" << Code;
    return Result;
  }

private:
  static std::string atLine(const Instruction &I) {
    unsigned Line = lineOf(I) ? lineOf(I) : I.getDebugLoc() ? I.getDebugLoc().getLine() : 0;
    return Line ? ", line " + std::to_string(Line) : "";
  }
};

} // namespace

VisaKernel emitVisa(const KernelInfo &Kernel, const GenTarget &Target) { return Emitter(Kernel, Target).run(); }

} // namespace pocm::gen
