//===- EmitSurfaces.cpp - Surfaces and samplers of messages ---------------------------------===//
#include "codegen/gen/EmitSurfaces.h"
#include "program/KernelInterface.h"

using namespace llvm;

namespace pocm::gen {

Operand EmitSurfaces::bound(Declaration *D) {
  if (D->Binding && Bound.insert(D).second)
    Out.add(Opcode::Movs, 1, {{SurfaceOperand{D}}, {NumberOperand{*D->Binding, ElementType::UD}}}).forAll();
  return {NameOperand{D}};
}

unsigned EmitSurfaces::slotOf(const ConstantInt &Number) const {
  constexpr unsigned FirstGlobal = 1, GlobalOfPrint = 1; // of its four global surfaces
  if (Number.getZExtValue() != PrintSurface)
    return unsigned(Number.getZExtValue());
  if (Out.For == Runtime::LevelZero)
    fail("printf in a Level Zero program");
  return FirstGlobal + GlobalOfPrint;
}

Operand EmitSurfaces::surface(Value *V) {
  if (Declaration *D = given(V))
    return bound(D);
  auto *C = dyn_cast<ConstantInt>(V);
  if (C && C->getZExtValue() == SlmSurface)
    return {NameOperand{Out.predefined("%slm")}};
  Declaration *D = Out.declareSurface();
  Operand From = C ? Operand{NumberOperand{slotOf(*C), ElementType::UD}} : Operands.source(V, 1, Sign::Unsigned);
  Out.add(Opcode::Movs, 1, {{SurfaceOperand{D}}, From});
  return {NameOperand{D}};
}

} // namespace pocm::gen
