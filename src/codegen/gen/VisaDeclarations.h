//===- VisaDeclarations.h - What vISA text declares ---------------------------------===//
//
// Variables, predicates, addresses and the rest by their names, as the reader (VisaReader.h) finds them.
//
//===------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/VisaFlow.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace pocm::gen {

struct VisaDeclarations {
  /// A variable in registers.
  struct General {
    std::string Root;
    int Offset = 0; // of an alias in its root
    unsigned ElementBytes = 0, Bytes = 0;
    std::string Letter;
  };
  llvm::StringMap<General> Variables;
  llvm::StringMap<int> Predicates, Addresses; ///< And how many bits or elements they have.
  llvm::StringSet<> Others;

  /// A line with .decl; what is wrong with it, or empty. `Flow` learns of all that may be read before it is written.
  std::string add(llvm::StringRef Statement, VisaFlow &Flow);
};

} // namespace pocm::gen
