//===- Print.cpp - vISA instructions as text ------------------------------------------------===//
#include "codegen/gen/Print.h"
#include "codegen/gen/Finalizer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm::gen {
namespace {

class Printer {
  const GenTarget &Target;
  raw_ostream &Out;

  static StringRef nameOf(Align A) {
    static constexpr StringRef Names[] = {"word", "dword", "qword", "oword", "GRF"};
    return Names[unsigned(A)];
  }

  static FormattedNumber hex(std::uint64_t Bits, unsigned Digits = 1) {
    constexpr unsigned Prefix = 2;
    return format_hex(Bits, Prefix + Digits);
  }

  /// (register, element of it)
  void place(const Declaration &Of, int Element) {
    int Bytes = int(bytesOf(Of.Type)), At = Element * Bytes, Grf = int(Target.GrfBytes);
    Out << Of.Name << "(" << At / Grf << "," << At % Grf / Bytes << ")";
  }
  void region(const GenRegion &R) { Out << "<" << R.V << ";" << R.W << "," << R.H << ">"; }
  void modifiers(const Modifiers &M) {
    if (M.Complement)
      Out << "(~)";
    if (M.Negate || M.Absolute)
      Out << "(" << (M.Negate ? "-" : "") << (M.Absolute ? "abs" : "") << ")";
  }
  /// Those of four whose bits are set.
  void letters(StringRef All, unsigned Mask) {
    for (auto [K, Letter] : enumerate(All))
      if (Mask >> K & 1)
        Out << Letter;
  }
  void indirect(const Address &At, int Bytes) {
    Out << "r[" << At.Of->Name << "(" << At.Number << ")," << Bytes << "]";
  }

public:
  Printer(const GenTarget &Target, raw_ostream &Out) : Target(Target), Out(Out) {}

  // Operands

  void operator()(const SourceOperand &O) {
    modifiers(O.Does);
    place(*O.Of, O.Where.Offset);
    region(O.Where);
  }
  void operator()(const DestinationOperand &O) {
    place(*O.Of, O.First);
    Out << "<" << O.Stride << ">";
  }
  void operator()(const IndirectSource &O) {
    modifiers(O.Does);
    indirect(O.At, O.Bytes);
    if (O.PerChannel)
      Out << "<1,0>";
    else
      region(O.Where);
    Out << ":" << gen::nameOf(O.Type);
  }
  void operator()(const IndirectDestination &O) {
    indirect(O.At, O.Bytes);
    Out << "<" << O.Stride << ">:" << gen::nameOf(O.Type);
  }
  void operator()(const NumberOperand &O) { Out << O.Number << ":" << gen::nameOf(O.Type); }
  void operator()(const BitsOperand &O) { Out << hex(O.Bits, O.Digits) << ":" << gen::nameOf(O.Type); }
  void operator()(const PlainNumber &O) { Out << O.Number; }
  void operator()(const NameOperand &O) { Out << O.Of->Name; }
  void operator()(const RawOperand &O) { Out << O.Of->Name << ".0"; }
  void operator()(const RegisterOperand &O) { place(*O.Of, 0); }
  void operator()(const SurfaceOperand &O) { Out << O.Of->Name << "(0)"; }
  void operator()(const AddressOperand &O) { Out << O.Of->Name << "(0)<" << O.Of->Count << ">"; }
  void operator()(const AddressOf &O) { Out << "&" << O.Of->Name; }
  void operator()(const PlaceInCode &O) { Out << O.Name; }

  void operator()(const LscLane &Lane) {
    static constexpr StringRef Sizes[] = {"d8", "d16", "d32", "d64", "d8c32", "d16c32", "d16c32h"};
    Out << Sizes[unsigned(Lane.Size)];
    if (Lane.Components) {
      Out << ".";
      letters("xyzw", Lane.Components);
    } else if (Lane.Elements > 1 || Lane.Block) {
      Out << "x" << Lane.Elements;
    }
    Out << (Lane.Block ? "t" : "");
  }
  void operator()(const LscRectangle &R) {
    Out << "d" << R.Bits << ".";
    if (R.Blocks > 1)
      Out << R.Blocks << "x";
    Out << R.Width << "x" << R.Height << (R.Transposed ? "t" : "n") << (R.Transformed ? "t" : "n");
  }
  void operator()(const LscData &O) {
    Out << O.Of->Name << ":";
    std::visit(*this, O.Shape);
  }
  void lscPlace(const LscPlace &P) {
    if (P.Of)
      Out << P.Of->Name;
    else
      Out << hex(P.Number);
  }
  void operator()(const LscAddress &O) {
    static constexpr StringRef Kinds[] = {"flat", "bti", "ss"};
    Out << Kinds[unsigned(O.Memory.Is)];
    if (O.Memory.Is != LscMemory::Kind::Flat) {
      Out << "(";
      lscPlace(O.Memory.Surface);
      Out << ")";
    }
    Out << "[";
    for (const LscPlace &P : O.Places) {
      Out << (&P == O.Places.begin() ? "" : ",");
      lscPlace(P);
    }
    if (O.Offset)
      Out << (O.Offset < 0 ? "-" : "+") << hex(std::uint64_t(std::abs(std::int64_t(O.Offset))));
    Out << "]";
    if (O.Bits)
      Out << ":a" << O.Bits;
  }

  // Parts of names

  void operator()(Part P) { Out << gen::nameOf(P); }
  void operator()(unsigned Number) { Out << Number; }
  void operator()(PixelChannels Channels) { letters("RGBA", Channels.Mask); }

  // Lines

  void guard(const Guard &G) {
    static constexpr StringRef Asked[] = {"", ".any", ".all"};
    if (G)
      Out << "(" << (G.Inverted ? "!" : "") << G.Predicate->Name << Asked[unsigned(G.Channels)] << ") ";
  }

  /// The number of the first operand's word, of those behind the guard.
  static unsigned firstOperand(const EmittedInstruction &I) { return I.Channels || !I.Block.empty() ? 2 : 1; }

  void line(const EmittedInstruction &I) {
    if (I.Code == Opcode::Label || I.Code == Opcode::Function) {
      const std::string &Name = std::get<PlaceInCode>(I.Operands.front().Form).Name;
      Out << (I.Code == Opcode::Label ? Name + ":\n" : ".function \"" + Name + "\"\n");
      return;
    }
    Out << "    ";
    guard(I.If);
    Out << gen::nameOf(I.Code);
    for (const NamePart &Each : I.Parts) {
      Out << (&Each == I.Parts.begin() && takesOperation(I.Code) ? "" : ".");
      std::visit(*this, Each);
    }
    Out << (I.Saturate ? ".sat" : "");
    if (I.Channels)
      Out << (I.NoMask ? " (M1_NM, " : " (M1, ") << I.Channels << ")";
    if (!I.Block.empty())
      Out << " (" << join(map_range(I.Block, [](unsigned N) { return std::to_string(N); }), ",") << ")";
    for (const Operand &O : I.Operands) {
      Out << " ";
      std::visit(*this, O.Form);
    }
    Out << "\n";
  }

  void declaration(const Declaration &D) {
    static constexpr StringRef Kinds[] = {"G", "P", "A", "T", "S"};
    Out << ".decl " << D.Name << " v_type=" << Kinds[unsigned(D.Is)];
    if (D.Is == Declaration::Kind::General)
      Out << " type=" << gen::nameOf(D.Type);
    Out << " num_elts=" << D.Count;
    if (D.Of)
      Out << " alias=<" << D.Of->Name << ", " << D.At << ">";
    else if (D.Is == Declaration::Kind::General)
      Out << " align=" << nameOf(D.Aligned);
    Out << "\n";
  }

  void input(const InputPlace &I) {
    if (I.Implicit)
      Out << ".implicit_UNDEFINED_" << I.Implicit;
    else
      Out << ".input";
    Out << " " << I.Of->Name << " offset=" << I.Offset << " size=" << I.Bytes << "\n";
  }

  void attribute(const Attribute &A) {
    Out << ".kernel_attr " << A.Name;
    if (A.Number)
      Out << "=" << *A.Number;
    Out << "\n";
  }
};

} // namespace

void print(const Assembly &Kernel, const std::string &Name, const GenTarget &Target, VisaKernel &To) {
  raw_string_ostream Out(To.Text);
  Printer P(Target, Out);
  Out << ".version 3.6\n.kernel \"" << Name << "\"\n";
  for (const auto *Declarations : {&Kernel.Variables, &Kernel.Others})
    for (const Declaration &D : *Declarations)
      P.declaration(D);
  for (const auto *Inputs : {&Kernel.Inputs, &Kernel.Implicit})
    for (const InputPlace &I : *Inputs)
      P.input(I);
  Out << ".kernel_attr Target=\"cm\"\n.kernel_attr OutputAsmPath=\"" << OutputName << "\"\n";
  for (const Attribute &A : Kernel.Attributes)
    P.attribute(A);
  To.FirstLine = unsigned(count(To.Text, '\n'));
  Out << ".function \"" << Name << "_BB_0\"\n";
  To.Lines.push_back({});
  for (const EmittedInstruction &I : Kernel.Code) {
    P.line(I);
    To.Lines.push_back(I.Origin);
    unsigned Line = To.FirstLine + unsigned(To.Lines.size()), Word = Printer::firstOperand(I);
    for (const Operand &O : I.Operands) {
      if (!O.Meant.empty())
        To.Expected[{Line, Word}].assign(O.Meant.begin(), O.Meant.end());
      ++Word;
    }
  }
}

} // namespace pocm::gen
