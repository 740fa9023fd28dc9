//===- cm-codegen.cpp - Code of programs from files, made in a process of its own ----------===//
//
// Started by PoCM's libraries (src/program/OwnProcess.h), never by hand.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/cpu/CodeGen.h"
#include "codegen/gen/OneKernel.h"
#include "devices/check/Instrument.h"
#include "passes/SpecConstants.h"
#include "program/OwnProcess.h"

int main(int argc, char **argv) {
  using Words = std::span<const std::string>;
  using Ir = std::span<const std::uint8_t>;
  return pocm::program::workInOwnProcess(
      argc, argv,
      {{"object", [](Words words, Ir ir) { return pocm::cpu::makeObject(words, ir); }},
       {"checked", [](Words words, Ir ir) { return pocm::cpu::makeObject(words, ir, pocm::check::instrument); }},
       {"counted", [](Words words, Ir ir) { return pocm::cpu::makeObject(words, ir, pocm::check::instrumentToCount); }},
       {"gen", pocm::gen::makeCodeOfKernel},
       {"specialize", pocm::makeSpecialized}});
}
