// What counters and places can be: of loops that are known, and of random functions, whose values an interpreter
// follows.
#include "ir/Intervals.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <gtest/gtest.h>
#include <random>

using namespace pocm;
using namespace llvm;

namespace {

/// What the argument of each call of @use can be where it is called.
std::vector<std::pair<std::int64_t, std::int64_t>> uses(const char *source) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(source, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  Function &f = *module->getFunction("f");
  std::vector<CallInst *> calls;
  std::vector<Value *> asked;
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallInst>(&i)) {
      calls.push_back(call);
      asked.push_back(call->getArgOperand(0));
    }
  const DominatorTree dominators(f);
  const Intervals intervals(f, dominators, asked);
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (CallInst *call : calls) {
    const ConstantRange range = intervals.at(call->getArgOperand(0), *call);
    all.emplace_back(range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue());
  }
  return all;
}
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(Intervals, ofCountersEndWhereTheirLoopDoes) {
  EXPECT_EQ(uses(R"(
declare void @use(i32)
define void @f() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @use(i32 %i)
  %next = add i32 %i, 1
  call void @use(i32 %next)
  %more = icmp slt i32 %next, 1000
  br i1 %more, label %loop, label %end
end:
  call void @use(i32 %next)
  ret void
})"),
            (Pairs{{0, 999}, {1, 1000}, {1000, 1000}}));
}

// An insertion sort's: down to -1, and where an element is read not less than 0.
TEST(Intervals, ofPlacesFollowConditions) {
  EXPECT_EQ(uses(R"(
declare void @use(i32)
define void @f(i1 %larger) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 1, %entry ], [ %i.next, %behind ]
  %before = add i32 %i, -1
  br label %while
while:
  %j = phi i32 [ %before, %outer ], [ %j.next, %move ]
  %there = icmp sgt i32 %j, -1
  br i1 %there, label %compare, label %behind
compare:
  call void @use(i32 %j)
  br i1 %larger, label %move, label %behind
move:
  %to = add i32 %j, 1
  call void @use(i32 %to)
  %j.next = add i32 %j, -1
  br label %while
behind:
  %to.2 = add i32 %j, 1
  call void @use(i32 %to.2)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 32
  br i1 %more, label %outer, label %end
end:
  ret void
})"),
            (Pairs{{0, 30}, {1, 31}, {0, 31}}));
}

// A heap's: children of what is inside are inside.
TEST(Intervals, ofPlacesThatALoopChooses) {
  EXPECT_EQ(uses(R"(
declare void @use(i32)
define void @f(i1 %right, i1 %smaller, i32 %n) {
entry:
  %first = and i32 %n, 15
  br label %while
while:
  %k = phi i32 [ %first, %entry ], [ %c, %exchange ]
  %twice = shl i32 %k, 1
  %left = or disjoint i32 %twice, 1
  %is = icmp slt i32 %left, 32
  br i1 %is, label %child, label %end
child:
  %both = icmp slt i32 %twice, 30
  %next = add i32 %twice, 2
  %choose = select i1 %both, i1 %right, i1 false
  %c = select i1 %choose, i32 %next, i32 %left
  call void @use(i32 %c)
  br i1 %smaller, label %exchange, label %end
exchange:
  call void @use(i32 %k)
  br label %while
end:
  ret void
})"),
            (Pairs{{1, 31}, {0, 31}}));
}

// What may be undefined is not what a condition says of it.
TEST(Intervals, ofFrozenValuesAreUnknown) {
  EXPECT_EQ(uses(R"(
declare void @use(i8)
define void @f(i8 %n) {
entry:
  %small = and i8 %n, 3
  %any = freeze i8 %small
  call void @use(i8 %any)
  ret void
})"),
            (Pairs{{-128, 127}}));
}

/// A random function of numbers: assignments, conditions and loops.
class RandomFunction {
public:
  explicit RandomFunction(unsigned seed) : random(seed) {
    f = Function::Create(FunctionType::get(Type::getVoidTy(context), {number, number}, false),
                         GlobalValue::ExternalLinkage, "f", module);
    b.SetInsertPoint(BasicBlock::Create(context, "", f));
    for (int i = 0; i < 4; ++i)
      variables.push_back(b.CreateAlloca(number));
    for (unsigned i = 0; i < 4; ++i)
      b.CreateStore(i < 2 ? static_cast<Value *>(f->getArg(i)) : b.getInt16(std::uint16_t(pick(0, 3))), variables[i]);
    statements(4, 0);
    b.CreateRetVoid();
    DominatorTree dominators(*f);
    PromoteMemToReg(variables, dominators);
  }
  Function &function() { return *f; }

private:
  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); }
  Value *constant() { return b.getInt16(std::uint16_t(pick(0, 3) ? pick(-2, 40) : pick(-40000, 40000))); }
  Value *term() { return pick(0, 2) ? b.CreateLoad(number, variables[unsigned(pick(0, 3))]) : constant(); }
  Value *expression() {
    Value *x = term(), *y = pick(0, 1) ? constant() : term();
    switch (pick(0, 10)) {
    case 0:
      return b.CreateAnd(x, y);
    case 1:
      return b.CreateOr(x, y);
    case 2:
      return b.CreateMul(x, b.getInt16(std::uint16_t(pick(0, 4))));
    case 3:
      return b.CreateLShr(x, b.getInt16(std::uint16_t(pick(0, 15))));
    case 4:
      return b.CreateXor(x, y);
    case 5:
      return b.CreateZExt(b.CreateTrunc(x, b.getInt8Ty()), number);
    case 6:
      return b.CreateSelect(condition(), x, y);
    case 7:
      return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
    case 8:
      return b.CreateSub(x, y);
    default:
      return b.CreateAdd(x, y);
    }
  }
  Value *condition() {
    Value *one = b.CreateICmp(CmpInst::Predicate(pick(CmpInst::FIRST_ICMP_PREDICATE, CmpInst::LAST_ICMP_PREDICATE)),
                              pick(0, 3) ? term() : b.CreateAdd(term(), constant()), pick(0, 1) ? constant() : term());
    return pick(0, 3) ? one : pick(0, 1) ? b.CreateLogicalAnd(one, condition()) : b.CreateLogicalOr(one, condition());
  }
  void statements(int count, int depth) {
    for (; count > 0; --count)
      statement(depth);
  }
  void statement(int depth) {
    const int kind = depth > 2 ? 0 : pick(0, 3);
    if (kind < 2) {
      b.CreateStore(expression(), variables[unsigned(pick(0, 3))]);
      return;
    }
    BasicBlock *test = BasicBlock::Create(context, "", f), *body = BasicBlock::Create(context, "", f),
               *other = BasicBlock::Create(context, "", f), *end = BasicBlock::Create(context, "", f);
    if (kind == 2) {
      b.CreateBr(test);
      b.SetInsertPoint(test);
      b.CreateCondBr(condition(), body, other);
      b.SetInsertPoint(other);
      statements(pick(0, 2), depth + 1);
      b.CreateBr(end);
      b.SetInsertPoint(body);
      statements(pick(1, 2), depth + 1);
      b.CreateBr(end);
    } else { // a counter, but what the loop does with it
      AllocaInst *counter = variables[unsigned(pick(0, 3))];
      const int step = pick(0, 1) ? 1 : pick(-3, 3);
      b.CreateStore(term(), counter);
      b.CreateBr(test);
      b.SetInsertPoint(test);
      static constexpr CmpInst::Predicate ends[] = {CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::ICMP_NE,
                                                    CmpInst::ICMP_SGE};
      b.CreateCondBr(b.CreateICmp(ends[pick(0, 3)], b.CreateLoad(number, counter), term()), body, other);
      b.SetInsertPoint(body);
      statements(pick(1, 3), depth + 1);
      b.CreateStore(b.CreateAdd(b.CreateLoad(number, counter), b.getInt16(std::uint16_t(step))), counter);
      b.CreateBr(test);
      b.SetInsertPoint(other);
      b.CreateBr(end);
    }
    b.SetInsertPoint(end);
  }

  LLVMContext context;
  Module module{"m", context};
  Type *number = Type::getInt16Ty(context);
  IRBuilder<> b{context};
  Function *f;
  std::vector<AllocaInst *> variables;
  std::mt19937 random;
};

/// Runs a function for a while, and looks at each use of a number.
class Interpreter {
public:
  Interpreter(const Intervals &intervals, std::vector<APInt> arguments)
      : intervals(intervals), arguments(std::move(arguments)) {}

  unsigned outside = 0, told = 0; ///< Uses of what it cannot be; of what is not anything.

  void run(Function &f) {
    BasicBlock *from = nullptr, *at = &f.getEntryBlock();
    for (int steps = 0; steps < 500 && at; ++steps) {
      std::vector<std::pair<PHINode *, APInt>> phis;
      for (PHINode &phi : at->phis())
        phis.emplace_back(&phi, value(phi.getIncomingValueForBlock(from)));
      for (auto &[phi, now] : phis)
        values.insert_or_assign(phi, now);
      BasicBlock *next = nullptr;
      for (Instruction &i : make_range(at->getFirstNonPHIIt(), at->end()))
        if (auto *branch = dyn_cast<BranchInst>(&i))
          next = branch->getSuccessor(branch->isConditional() && !value(branch->getCondition()).getBoolValue());
        else if (!i.getType()->isVoidTy())
          values.insert_or_assign(&i, made(i));
      from = std::exchange(at, next);
    }
  }

private:
  APInt value(Value *v) const {
    if (auto *c = dyn_cast<ConstantInt>(v))
      return c->getValue();
    if (auto *a = dyn_cast<Argument>(v))
      return arguments[a->getArgNo()];
    return values.find(v)->second;
  }
  APInt used(Instruction &i, unsigned operand) {
    const APInt now = value(i.getOperand(operand));
    if (now.getBitWidth() == 1)
      return now;
    const ConstantRange range = intervals.at(i.getOperand(operand), i);
    outside += !range.contains(now);
    told += !range.isFullSet();
    return now;
  }
  APInt made(Instruction &i) {
    const APInt x = used(i, 0);
    if (isa<TruncInst>(i))
      return x.trunc(8);
    if (isa<ZExtInst>(i))
      return x.zext(16);
    const APInt y = used(i, 1);
    if (auto *compared = dyn_cast<ICmpInst>(&i))
      return APInt(1, ICmpInst::compare(x, y, compared->getPredicate()));
    if (isa<SelectInst>(i))
      return x.getBoolValue() ? y : used(i, 2);
    switch (i.getOpcode()) {
    case Instruction::Add:
      return x + y;
    case Instruction::Sub:
      return x - y;
    case Instruction::Mul:
      return x * y;
    case Instruction::And:
      return x & y;
    case Instruction::Or:
      return x | y;
    case Instruction::Xor:
      return x ^ y;
    case Instruction::LShr:
      return x.lshr(y);
    default:
      return APIntOps::smin(x, y); // the one intrinsic
    }
  }

  const Intervals &intervals;
  std::vector<APInt> arguments;
  DenseMap<Value *, APInt> values;
};

TEST(Intervals, holdWhatRandomFunctionsCompute) {
  unsigned told = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomFunction some(seed);
    Function &f = some.function();
    ASSERT_FALSE(verifyFunction(f, &errs())) << seed;
    std::vector<Value *> asked;
    for (Instruction &i : instructions(f))
      if (i.getType()->isIntegerTy() && !i.getType()->isIntegerTy(1))
        asked.push_back(&i);
    const DominatorTree dominators(f);
    const Intervals intervals(f, dominators, asked);
    std::mt19937 random(seed);
    for (int run = 0; run < 4; ++run) {
      auto argument = [&] { return APInt(16, run < 2 ? random() % 50 : random(), false, /*implicitTrunc=*/true); };
      const APInt one = argument(), two = argument();
      Interpreter interpreter(intervals, {one, two});
      interpreter.run(f);
      ASSERT_EQ(interpreter.outside, 0u) << "seed " << seed << " of " << one.getZExtValue() << ", "
                                         << two.getZExtValue();
      told += interpreter.told;
    }
  }
  EXPECT_GT(told, 50'000u); // or nothing was tried
}

} // namespace
