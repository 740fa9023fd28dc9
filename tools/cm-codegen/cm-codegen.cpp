//===- cm-codegen.cpp - Code of programs from files, made in a process of its own ----------===//
//
// Started by PoCM's libraries (src/program/OwnProcess.h), never by hand.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/cpu/CodeGen.h"
#include "passes/SpecConstants.h"
#include "program/OwnProcess.h"

int main(int argc, char **argv) {
  return pocm::program::workInOwnProcess(argc, argv,
                                         {{"object", pocm::cpu::makeObject}, {"specialize", pocm::makeSpecialized}});
}
