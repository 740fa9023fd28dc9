//===- SourceNotes.cpp - What the source's variables and loops became -----------------===//
#include "ir/SourceNotes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr const char *VariablesName = "pocm.variables", *LoopsName = "pocm.loops";

class Writer {
public:
  explicit Writer(LLVMContext &Context) : Context(Context) {}
  Writer &operator<<(const std::string &Text) {
    Parts.push_back(MDString::get(Context, Text));
    return *this;
  }
  Writer &operator<<(unsigned Number) {
    Parts.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Number)));
    return *this;
  }
  Writer &operator<<(Function *F) {
    Parts.push_back(ValueAsMetadata::get(F));
    return *this;
  }
  MDNode *node() { return MDNode::get(Context, Parts); }

private:
  LLVMContext &Context;
  SmallVector<Metadata *, 10> Parts;
};

/// Reads a node that may come from a file that somebody has changed: what is missing stays empty.
class Reader {
public:
  explicit Reader(const MDNode *Node) : Node(Node) {}
  std::string text() {
    auto *Text = dyn_cast_or_null<MDString>(next());
    return Text ? Text->getString().str() : "";
  }
  unsigned number() {
    auto *Number = mdconst::dyn_extract_or_null<ConstantInt>(next());
    return Number ? unsigned(Number->getZExtValue()) : 0;
  }
  Function *function() {
    auto *Value = dyn_cast_or_null<ValueAsMetadata>(next());
    return Value ? dyn_cast<Function>(Value->getValue()) : nullptr;
  }

private:
  const MDNode *Node;
  unsigned At = 0;
  Metadata *next() { return At < Node->getNumOperands() ? Node->getOperand(At++).get() : nullptr; }
};

NamedMDNode *emptied(Module &M, const char *Name) {
  NamedMDNode *List = M.getOrInsertNamedMetadata(Name);
  List->clearOperands();
  return List;
}

} // namespace

std::vector<VariableNote> variableNotes(const Module &M) {
  std::vector<VariableNote> All;
  const NamedMDNode *List = M.getNamedMetadata(VariablesName);
  for (const MDNode *Node : List ? List->operands() : iterator_range<NamedMDNode::const_op_iterator>({}, {})) {
    Reader R(Node);
    VariableNote N;
    N.Kernel = R.function();
    N.Name = R.text(), N.Symbol = R.text(), N.Type = R.text(), N.File = R.text();
    N.Line = R.number(), N.Bytes = R.number();
    SmallVector<StringRef, 4> Lines;
    std::string Text = R.text();
    SplitString(Text, Lines);
    for (StringRef Line : Lines)
      if (unsigned Number; !Line.getAsInteger(10, Number))
        N.IndexedLines.push_back(Number);
    N.Place = Residence(std::min(R.number(), unsigned(Residence::Argument)));
    N.Rule = R.text();
    if (N.Kernel)
      All.push_back(std::move(N));
  }
  return All;
}

void setVariableNotes(Module &M, const std::vector<VariableNote> &Notes) {
  NamedMDNode *List = emptied(M, VariablesName);
  for (const VariableNote &N : Notes) {
    std::string Lines = join(map_range(N.IndexedLines, [](unsigned Line) { return std::to_string(Line); }), " ");
    List->addOperand((Writer(M.getContext()) << N.Kernel << N.Name << N.Symbol << N.Type << N.File << N.Line << N.Bytes
                                             << Lines << unsigned(N.Place) << N.Rule)
                         .node());
  }
}

std::string noteName(const DISubprogram *Of) {
  if (!Of)
    return "";
  return (Of->getLinkageName().empty() ? Of->getName() : Of->getLinkageName()).str();
}

namespace {
/// Names of all functions that are a part of this one, or are called by it.
StringSet<> functionsIn(const Function &Of) {
  StringSet<> Names;
  SmallPtrSet<const DILocation *, 32> Seen;
  SetVector<const Function *> All;
  All.insert(&Of);
  for (unsigned K = 0; K < All.size(); ++K) {
    Names.insert(noteName(All[K]->getSubprogram()));
    for (const Instruction &I : instructions(*All[K])) {
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction())
        All.insert(Call->getCalledFunction());
      for (const DILocation *At = I.getDebugLoc(); At && Seen.insert(At).second; At = At->getInlinedAt())
        Names.insert(noteName(At->getScope()->getSubprogram()));
    }
  }
  return Names;
}
} // namespace

std::vector<LoopNote> loopNotes(const Function &Kernel) {
  std::vector<LoopNote> All;
  const NamedMDNode *List = Kernel.getParent()->getNamedMetadata(LoopsName);
  if (!List)
    return All;
  const StringSet<> Here = functionsIn(Kernel);
  for (const MDNode *Node : List->operands()) {
    Reader R(Node);
    LoopNote N;
    N.File = R.text(), N.Line = R.number(), N.Text = R.text(), N.Function = R.text();
    const bool known =
        any_of(All, [&](const LoopNote &O) { return O.File == N.File && O.Line == N.Line && O.Text == N.Text; });
    if (!known && Here.contains(N.Function))
      All.push_back(std::move(N));
  }
  return All;
}

void setLoopNotes(Module &M, const std::vector<LoopNote> &Notes) {
  NamedMDNode *List = emptied(M, LoopsName);
  for (const LoopNote &N : Notes)
    List->addOperand((Writer(M.getContext()) << N.File << N.Line << N.Text << N.Function).node());
}

VariableNote *noteOf(std::vector<VariableNote> &Notes, const AllocaInst &Variable) {
  auto Find = [&](auto Is) -> VariableNote * {
    auto Found = find_if(Notes, [&](const VariableNote &N) { return N.Kernel == Variable.getFunction() && Is(N); });
    return Found == Notes.end() ? nullptr : &*Found;
  };
  for (const DbgVariableRecord *Record : findDVRDeclares(const_cast<AllocaInst *>(&Variable)))
    return Find([V = Record->getVariable()](const VariableNote &N) {
      return N.Name == V->getName() && N.Line == V->getLine() && N.Symbol.empty();
    });
  return Find([&](const VariableNote &N) { return !N.Symbol.empty() && Variable.getName().starts_with(N.Symbol); });
}

void stripSourceNotes(Module &M) {
  StripDebugInfo(M);
  for (const char *Name : {VariablesName, LoopsName})
    if (NamedMDNode *List = M.getNamedMetadata(Name))
      List->eraseFromParent();
}

} // namespace pocm
