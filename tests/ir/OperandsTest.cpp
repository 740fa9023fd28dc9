// What Intrinsics.def says of operands: roles and types.
#include "ir/Operands.h"
#include "ir/SampleCalls.h"
#include <gtest/gtest.h>

using namespace pocm;
using namespace llvm;

namespace {

TEST(Operands, haveEachARoleOfItsOwn) {
  for (auto [name, operation] : samples::operations()) {
    std::set<Role> seen;
    for (auto [k, operand] : enumerate(operandsOf(operation))) {
      EXPECT_TRUE(seen.insert(operand.What).second) << name << " has two operands of one role";
      EXPECT_EQ(indexOf(operation, operand.What), k) << name;
    }
  }
}

TEST(Operands, areFoundByTheirRoles) {
  samples::Kernel kernel("Scatter", Op::Scatter);
  EXPECT_EQ(operandOf(*kernel.call, Role::Surface), kernel.call->getArgOperand(3));
  EXPECT_EQ(operandOf(*kernel.call, Role::Data), kernel.call->getArgOperand(6));
  EXPECT_EQ(valueRole(Op::Scatter), Role::Data);
  EXPECT_EQ(valueRole(Op::Gather), Role::Old);
  EXPECT_FALSE(has(Op::Scatter, Role::Old));
  EXPECT_FALSE(has(Op::None, Role::Surface));
  EXPECT_EQ(dataTypeOf(*kernel.call), kernel.call->getArgOperand(6)->getType());
  EXPECT_EQ(laneOperands(Op::TypedAtomic), (SmallVector<unsigned, 6>{1, 3, 4, 5, 6}));
  EXPECT_EQ(laneOperands(Op::TypedWrite), (SmallVector<unsigned, 6>{1, 3, 4, 5}))
      << "its data has several values a lane";
}

TEST(Operands, haveTheTypesThatTheirRowsSay) {
  for (auto [name, operation] : samples::operations()) {
    samples::Kernel kernel(name, operation);
    EXPECT_FALSE(verifyModule(*kernel.module)) << name;
    EXPECT_EQ(wrongOperands(*kernel.call), "") << name;
  }
}

TEST(Operands, ofAnotherTypeOrNumberAreFound) {
  for (auto [name, operation] : samples::operations()) {
    samples::Kernel kernel(name, operation);
    SmallVector<Value *, 17> operands(kernel.call->args());
    IRBuilder<> b(kernel.call);
    if (operation == Op::EndOfThread || operation == Op::Barrier)
      continue; // they have none, and return nothing
    // A vector of three pointers is nothing that any operation takes.
    Value *odd = PoisonValue::get(FixedVectorType::get(b.getPtrTy(), 3));
    auto remade = [&](Type *result, ArrayRef<Value *> with) {
      SmallVector<Type *, 17> types;
      for (Value *v : with)
        types.push_back(v->getType());
      Function *callee = kernel.call->getCalledFunction();
      auto *other =
          Function::Create(FunctionType::get(result, types, false), GlobalValue::ExternalLinkage, "", *kernel.module);
      std::string known = callee->getName().str();
      callee->setName("");
      other->setName(known);
      std::string problem = wrongOperands(*b.CreateCall(other, with));
      other->setName("");
      callee->setName(known);
      return problem;
    };
    EXPECT_EQ(remade(kernel.call->getType(), operands), "") << name;
    for (unsigned k = 0; k < operands.size(); ++k) {
      SmallVector<Value *, 17> changed(operands);
      changed[k] = odd;
      EXPECT_NE(remade(kernel.call->getType(), changed), "") << name << ", operand " << k;
    }
    if (!operands.empty())
      EXPECT_NE(remade(kernel.call->getType(), ArrayRef(operands).drop_back()), "") << name << ", one less";
    operands.push_back(b.getInt32(0));
    EXPECT_NE(remade(kernel.call->getType(), operands), "") << name << ", one more";
    operands.pop_back();
    EXPECT_NE(remade(odd->getType(), operands), "") << name << ", another result";
  }
}

TEST(Operands, ofLanesAreAsManyAsTheLanes) {
  samples::Kernel kernel("Gather", Op::Gather);
  IRBuilder<> b(kernel.call);
  SmallVector<Value *, 8> operands(kernel.call->args());
  operands[indexOf(Op::Gather, Role::Predicate)] = ConstantInt::getTrue(FixedVectorType::get(b.getInt1Ty(), 8));
  auto *call = createOperation(b, Op::Gather, kernel.call->getType(), operands);
  EXPECT_EQ(wrongOperands(*call),
            "operand 6 of llvm.genx.gather.scaled.v16i32.v8i1.v16i32 has another type than the operation takes");
}

TEST(Operands, ofLanesHaveAsManyValuesEach) {
  samples::Kernel kernel("TypedWrite", Op::TypedWrite);
  IRBuilder<> b(kernel.call);
  auto withData = [&](unsigned count) {
    SmallVector<Value *, 8> operands(kernel.call->args());
    operands.back() = PoisonValue::get(FixedVectorType::get(b.getInt32Ty(), count));
    return wrongOperands(*createOperation(b, Op::TypedWrite, kernel.call->getType(), operands));
  };
  EXPECT_EQ(withData(32), "");
  EXPECT_NE(withData(24), "") << "one and a half for each of 16 lanes";
}

TEST(Operands, shapeOfARegionInMemoryIsKnownWhereItIsConstant) {
  samples::Kernel kernel("MemoryWrite", Op::MemoryWrite);
  auto shape = constantShapeOf(*kernel.call);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->RowStride, 0);
  EXPECT_EQ(shape->Width, 16);
  EXPECT_EQ(shape->Stride, 1);
  IRBuilder<> b(kernel.call);
  setOperand(*kernel.call, Role::Width, kernel.call->getFunction()->getArg(0));
  EXPECT_FALSE(constantShapeOf(*kernel.call));
}

} // namespace
