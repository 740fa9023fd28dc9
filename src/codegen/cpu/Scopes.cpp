//===- Scopes.cpp - Blocks of the source, for debuggers -------------------------------===//
//
//     for (int i ...) { int i = f(k); }   ->   the function
//                                                block of line 10: i
//                                                  block of line 10: i
//                                                    block of f's line: its parameters and variables
//
// A debugger shows the variables of the innermost block first, and none of blocks that it is not in.
//
//===-----------------------------------------------------------------------------------===//
#include "codegen/cpu/Scopes.h"
#include "ir/Lines.h"

using namespace llvm;

namespace pocm::cpu {

DILocalScope *Scopes::of(DILocalScope *Source, const DILocation *At) {
  if (!Source)
    return &Function;
  if (auto Known = Made.find({Source, At}); Known != Made.end())
    return Known->second;
  auto *Called = dyn_cast<DISubprogram>(Source);
  DILocalScope *Around = &Function;
  if (!Called)
    Around = of(cast<DILocalScope>(Source->getScope()), At);
  else if (At)
    Around = of(At->getScope(), At->getInlinedAt());
  const bool OfHeader = Source->getFilename().starts_with(headerFolder());
  if (auto *Block = dyn_cast<DILexicalBlock>(Source); Block && !OfHeader)
    Around = Builder.createLexicalBlock(Around, Block->getFile(), Block->getLine(), Block->getColumn());
  else if (Called && At && !OfHeader)
    Around = Builder.createLexicalBlock(Around, Called->getFile(), Called->getLine(), 0);
  return Made[{Source, At}] = Around;
}

DILocalScope *Scopes::of(const DILocation &Line) {
  DILocalScope *Scope = of(Line.getScope(), Line.getInlinedAt());
  if (Scope->getFile() == Line.getFile())
    return Scope;
  DILocalScope *&There = OtherFiles[{Scope, Line.getFile()}];
  if (!There)
    There = Builder.createLexicalBlockFile(Scope, Line.getFile(), 0);
  return There;
}

} // namespace pocm::cpu
