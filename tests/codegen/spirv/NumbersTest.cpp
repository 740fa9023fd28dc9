// The numbers of SPIR-V's instructions, capabilities and extended instructions are those that LLVM's own SPIR-V target
// writes for the same operations.
#include "codegen/spirv/SpirvWriter.h"
#include "ir/Kernel.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <gtest/gtest.h>
#include <set>

using namespace pocm;
using namespace llvm;

namespace {

/// Opcodes, and what says more than an opcode: capabilities and extended instructions.
using Numbers = std::set<std::pair<uint32_t, uint32_t>>;
constexpr uint32_t OpExtInst = 12, OpCapability = 17;

Numbers numbersOf(ArrayRef<uint32_t> Words) {
  constexpr size_t Header = 5;
  Numbers All;
  for (size_t At = Header; At < Words.size(); At += std::max(Words[At] >> 16, 1u)) {
    uint32_t Opcode = Words[At] & 0xFFFF;
    All.insert({Opcode, Opcode == OpCapability ? Words[At + 1] : Opcode == OpExtInst ? Words[At + 4] : 0});
  }
  return All;
}

/// What Intel's extensions have, what is said of every module whatever is in it, and what only one of them asks for.
const Numbers OnlyOurs = {
    {OpCapability, 4 /*Addresses*/},
    {OpCapability, 6 /*Kernel*/},
    {OpCapability, 5 /*Linkage*/},
    {OpCapability, 7 /*Vector16*/},
    {OpCapability, 5617 /*VectorComputeINTEL*/},
    {3 /*OpSource*/, 0},
    {5 /*OpName*/, 0},
    {10 /*OpExtension*/, 0},
    {11 /*OpExtInstImport*/, 0},
    {15 /*OpEntryPoint*/, 0},
    {16 /*OpExecutionMode*/, 0},
    {71 /*OpDecorate*/, 0},
    {19 /*OpTypeVoid*/, 0},
    {253 /*OpReturn*/, 0},
};

class SpirvNumbers : public testing::Test {
protected:
  LLVMContext Context;
  Type *I8 = Type::getInt8Ty(Context), *I16 = Type::getInt16Ty(Context), *I32 = Type::getInt32Ty(Context),
       *I64 = Type::getInt64Ty(Context), *Half = Type::getHalfTy(Context), *Float = Type::getFloatTy(Context),
       *Double = Type::getDoubleTy(Context);

  /// LLVM's, of a function that returns what is looked at.
  static Numbers llvms(Module &M) {
    static const bool Ready = (InitializeAllTargetInfos(), InitializeAllTargets(), InitializeAllTargetMCs(),
                               InitializeAllAsmPrinters(), true);
    Triple Machine("spirv64-unknown-unknown");
    std::string Problem;
    const Target *Known = Ready ? TargetRegistry::lookupTarget(Machine, Problem) : nullptr;
    if (!Known)
      throw std::runtime_error(Problem);
    std::unique_ptr<TargetMachine> Maker(Known->createTargetMachine(Machine, "", "", TargetOptions(), std::nullopt));
    M.setTargetTriple(Machine);
    M.setDataLayout(Maker->createDataLayout());
    SmallVector<char, 0> Bytes;
    raw_svector_ostream Out(Bytes);
    legacy::PassManager Passes;
    EXPECT_FALSE(Maker->addPassesToEmitFile(Passes, Out, nullptr, CodeGenFileType::ObjectFile));
    Passes.run(M);
    std::vector<uint32_t> Words(Bytes.size() / sizeof(uint32_t));
    std::copy_n(Bytes.data(), Words.size() * sizeof(uint32_t), reinterpret_cast<char *>(Words.data()));
    return numbersOf(Words);
  }

  /// Ours, of a kernel that computes it.
  static Numbers ours(Module &M) {
    Function *F = M.getFunction("k");
    KernelInfo Kernel;
    Kernel.Name = "k";
    Kernel.Entry = F;
    Kernel.Parameters.resize(F->arg_size());
    setKernels(M, {Kernel});
    std::string Problem;
    std::vector<uint32_t> Words = spirv::write(M, Problem);
    EXPECT_EQ(Problem, "");
    return numbersOf(Words);
  }

  /// Both of an operation on parameters of some types.
  void compare(const char *What, ArrayRef<Type *> Types, function_ref<Value *(IRBuilder<> &, ArrayRef<Value *>)> Make) {
    auto Built = [&](Module &M, StringRef Name, Type *Result) {
      auto *F = Function::Create(FunctionType::get(Result, Types, false), GlobalValue::ExternalLinkage, Name, M);
      IRBuilder<> B(BasicBlock::Create(Context, "", F));
      SmallVector<Value *> Arguments;
      for (Argument &A : F->args())
        Arguments.push_back(&A);
      Value *V = Make(B, Arguments);
      Result->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(V);
      return V->getType();
    };
    Module Own("own", Context), Other("other", Context);
    Type *Result = Built(Own, "k", Type::getVoidTy(Context));
    Built(Other, "f", Result);
    check(What, ours(Own), llvms(Other));
  }
  static void check(const char *What, const Numbers &Own, const Numbers &Other) {
    unsigned Same = 0;
    for (auto Number : Own)
      if (!OnlyOurs.contains(Number)) {
        EXPECT_TRUE(Other.contains(Number))
            << What << ": LLVM writes no " << Number.first << " (" << Number.second << ")";
        ++Same;
      }
    EXPECT_GE(Same, 2u) << What; // a type, and what is computed
  }
};

TEST_F(SpirvNumbers, ofOperationsAreLlvms) {
  using Values = ArrayRef<Value *>;
#define BINARY(llvm, spirv)                                                                                            \
  {                                                                                                                    \
    Type *T = #llvm[0] == 'F' ? Float : I32;                                                                           \
    compare(#llvm, {T, T}, [](IRBuilder<> &B, Values V) { return B.CreateBinOp(Instruction::llvm, V[0], V[1]); });     \
  }
#define COMPARE(llvm, spirv)                                                                                           \
  {                                                                                                                    \
    Type *T = #llvm[0] == 'F' ? Float : I32;                                                                           \
    compare(#llvm, {T, T}, [](IRBuilder<> &B, Values V) { return B.CreateCmp(CmpInst::llvm, V[0], V[1]); });           \
  }
#define EXTENDED(llvm, number, operands)                                                                               \
  {                                                                                                                    \
    Type *T = StringRef(#llvm) == "copysign" ? Float : I32;                                                            \
    compare(#llvm, {T, T}, [](IRBuilder<> &B, Values V) {                                                              \
      Value *More = operands == 1 ? B.getFalse() : V[1];                                                               \
      return B.CreateIntrinsic(Intrinsic::llvm, {V[0]->getType()}, {V[0], More});                                      \
    });                                                                                                                \
  }
#include "codegen/spirv/Spirv.def"
}

TEST_F(SpirvNumbers, ofConversionsAreLlvms) {
  const std::map<StringRef, std::pair<Type *, Type *>> Types = {
      {"FPToUI", {Float, I32}}, {"FPToSI", {Float, I32}}, {"SIToFP", {I32, Float}}, {"UIToFP", {I32, Float}},
      {"Trunc", {I32, I16}},    {"ZExt", {I16, I32}},     {"SExt", {I16, I32}},     {"FPTrunc", {Double, Float}},
      {"FPExt", {Half, Float}}, {"BitCast", {I32, Float}}};
#define CAST(llvm, spirv)                                                                                              \
  {                                                                                                                    \
    ASSERT_TRUE(Types.contains(#llvm));                                                                                \
    auto [From, To] = Types.at(#llvm);                                                                                 \
    compare(#llvm, {From},                                                                                             \
            [To = To](IRBuilder<> &B, ArrayRef<Value *> V) { return B.CreateCast(Instruction::llvm, V[0], To); });     \
  }
#include "codegen/spirv/Spirv.def"
}

// A capability for each type.
TEST_F(SpirvNumbers, ofTypesAreLlvms) {
  for (Type *T : {I8, I16, I32, I64})
    compare("an integer", {T, T}, [](IRBuilder<> &B, ArrayRef<Value *> V) { return B.CreateAdd(V[0], V[1]); });
  for (Type *T : {Half, Float, Double})
    compare("a float", {T, T}, [](IRBuilder<> &B, ArrayRef<Value *> V) { return B.CreateFAdd(V[0], V[1]); });
}

// Elements, choices, constants and branches.
TEST_F(SpirvNumbers, ofControlFlowAreLlvms) {
  auto Text = [](StringRef Head, StringRef Ret) {
    return (Head + R"((i32 %n, float %x, <4 x i32> %v) {
entry:
  %negated = fneg float %x
  %some = extractelement <4 x i32> %v, i32 2
  %other = insertelement <4 x i32> %v, i32 %n, i32 1
  %mixed = shufflevector <4 x i32> %other, <4 x i32> %v, <4 x i32> <i32 0, i32 5, i32 2, i32 6>
  %count = call i32 @llvm.ctpop.i32(i32 %n)
  %more = icmp sgt i32 %n, 7
  %chosen = select i1 %more, i32 %some, i32 %count
  br i1 %more, label %then, label %end
then:
  %sum = add i32 %chosen, %n
  br label %end
end:
  %phi = phi i32 [ %sum, %then ], [ %chosen, %entry ]
  %first = extractelement <4 x i32> %mixed, i32 0
  %bits = bitcast float %negated to i32
  %a = add i32 %phi, %first
  %all = add i32 %a, %bits
)" + Ret + "\n}\ndeclare i32 @llvm.ctpop.i32(i32)\n")
        .str();
  };
  SMDiagnostic Error;
  std::unique_ptr<Module> Own = parseAssemblyString(Text("define void @k", "ret void"), Error, Context),
                          Other = parseAssemblyString(Text("define i32 @f", "ret i32 %all"), Error, Context);
  ASSERT_TRUE(Own && Other) << Error.getMessage().str();
  check("control flow", ours(*Own), llvms(*Other));
}

} // namespace
