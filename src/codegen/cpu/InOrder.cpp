//===- InOrder.cpp - Machine instructions that stay in the order of ours --------------------------===//
//
// LLVM's scheduler of machine instructions moves loads to the front of long blocks. Where sums fill most of the
// registers, as in products of matrices, what was loaded early goes to the stack, and so do sums. Functions with
// InOrderAttribute keep the order that they have, in which loads stand in front of what takes them (SunkLoads.cpp).
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/InOrder.h"
#include "llvm/CodeGen/MachineScheduler.h"
#include "llvm/IR/Function.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// One instruction after the other.
class Order : public MachineSchedStrategy {
public:
  void initialize(ScheduleDAGMI *All) override {
    DAG = All;
    Next = 0;
  }
  SUnit *pickNode(bool &IsTop) override {
    if (DAG->top() == DAG->bottom())
      return nullptr;
    IsTop = true;
    return &DAG->SUnits[Next++];
  }
  void schedNode(SUnit *, bool) override {}
  void releaseTopNode(SUnit *) override {}
  void releaseBottomNode(SUnit *) override {}

private:
  ScheduleDAGMI *DAG = nullptr;
  unsigned Next = 0;
};

ScheduleDAGInstrs *schedule(MachineSchedContext *C) {
  if (C->MF->getFunction().hasFnAttribute(InOrderAttribute))
    return new ScheduleDAGMILive(C, std::make_unique<Order>());
  if (ScheduleDAGInstrs *OfTarget = C->TM->createMachineScheduler(C))
    return OfTarget;
  return createSchedLive(C);
}

constexpr const char *Name = "pocm";
MachineSchedRegistry Registered(Name, "the target's order, or ours where a function asks for it", schedule);

} // namespace

const char *schedulerInOrder() { return Name; }

} // namespace pocm::cpu
