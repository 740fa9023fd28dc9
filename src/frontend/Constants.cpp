//===- Constants.cpp - Constants that elements of integers cannot hold -----------------===//
//
// Clang compares constants with the types of scalars; here with those of elements:
//
//     vector<uchar, 8> v = 300;              warning: 300 becomes 44
//     vector<short, 8> w = 65535;            warning: 65535 becomes -1
//     w = 0xffff;                            bits, as many as elements have
//     if (sizeof(T) == 2) v = 65535;         nothing where T has another size
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Constants.h"
#include "frontend/Kernels.h"
#include "frontend/Objects.h"
#include "clang/AST/Decl.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// Whether a type can hold a number as Clang sees it for scalars, whose -1 may become the greatest unsigned number, and
/// whose unsigned numbers and bit patterns become signed ones of as many bits.
bool holds(const llvm::APSInt &Type, const llvm::APSInt &Number, bool Bits) {
  if (Number.isNegative())
    return Number.getSignificantBits() <= Type.getBitWidth();
  bool SignCounts = Type.isSigned() && Number.isSigned() && !Bits;
  return Number.getActiveBits() + SignCounts <= Type.getBitWidth();
}

std::string toText(const llvm::APFloat &Number) {
  llvm::SmallString<32> Text;
  Number.toString(Text);
  return Text.str().str();
}

/// The statements of a function to which no path leads.
llvm::DenseSet<const Stmt *> deadOf(const FunctionDecl &F, ASTContext &Context) {
  llvm::DenseSet<const Stmt *> Found;
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  std::unique_ptr<CFG> Graph = CFG::buildCFG(&F, F.getBody(), &Context, Options);
  if (!Graph)
    return Found;
  llvm::DenseSet<const CFGBlock *> Reached = {&Graph->getEntry()};
  std::vector<const CFGBlock *> Open = {&Graph->getEntry()};
  while (!Open.empty()) {
    const CFGBlock *Block = Open.back();
    Open.pop_back();
    for (const CFGBlock *Next : Block->succs()) // null where a constant condition leads elsewhere
      if (Next && Reached.insert(Next).second)
        Open.push_back(Next);
  }
  for (const CFGBlock *Block : *Graph)
    if (!Reached.contains(Block))
      for (const CFGElement &Element : *Block)
        if (std::optional<CFGStmt> S = Element.getAs<CFGStmt>())
          Found.insert(S->getStmt());
  return Found;
}

} // namespace

void Constants::check(QualType To, const Expr &From, const FunctionDecl *In) {
  std::optional<Object> Found = objectOf(To);
  Expr::EvalResult Value;
  if (!Found || !Found->Element->isIntegerType() || From.isValueDependent() || From.getExprLoc().isInvalid() ||
      !(From.getType()->isFloatingType() || From.getType()->isIntegerType()) || !From.EvaluateAsRValue(Value, Context))
    return;
  llvm::APSInt Whole(unsigned(Context.getTypeSize(Found->Element)), Found->Element->isUnsignedIntegerType());
  bool Exact = true;
  if (Value.Val.isFloat()) {
    Value.Val.getFloat().convertToInteger(Whole, llvm::APFloat::rmTowardZero, &Exact);
  } else if (Value.Val.isInt()) {
    Exact = holds(Whole, Value.Val.getInt(), isBitPattern(From));
    Whole = llvm::APSInt(Value.Val.getInt().extOrTrunc(Whole.getBitWidth()), Whole.isUnsigned());
  }
  if (Exact || !runs(From, In) || !Warned.insert(From.getExprLoc().getRawEncoding()).second)
    return;
  bool Float = Value.Val.isFloat();
  reportWarning(Context.getDiagnostics(), Float ? diag::Group::LiteralConversion : diag::Group::ConstantConversion,
                From.getExprLoc(), "%0 becomes %1 in elements of type %2",
                Float ? toText(Value.Val.getFloat()) : llvm::toString(Value.Val.getInt(), 10),
                llvm::toString(Whole, 10), Found->Element, From.getSourceRange());
}

/// 0xffff, 0177777 or 0b1111: a literal that is not decimal.
bool Constants::isBitPattern(const Expr &From) const {
  const auto *Literal = dyn_cast<IntegerLiteral>(From.IgnoreParenImpCasts());
  return Literal && *Context.getSourceManager().getCharacterData(Literal->getBeginLoc()) == '0';
}

bool Constants::runs(const Expr &E, const FunctionDecl *In) {
  if (!In || !In->getBody() || In->isDependentContext())
    return true;
  auto [Known, New] = Dead.try_emplace(In);
  if (New)
    Known->second = deadOf(*In, Context);
  return !Known->second.contains(&E) && !Known->second.contains(E.IgnoreParenImpCasts());
}

} // namespace pocm::frontend
