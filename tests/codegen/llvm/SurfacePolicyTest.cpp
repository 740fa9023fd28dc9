// Surface operations are lowered for targets that are no CPU: here for a GPU of NVIDIA's, whose policy finds surfaces
// in global memory. Nothing in the code comes from the host, and no function is missing.
#include "codegen/llvm/SurfacePolicy.h"
#include "codegen/helpers/Surface.h"
#include "codegen/llvm/HelperLibrary.h"
#include "codegen/llvm/Lowering.h"
#include "ir/SampleCalls.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <gtest/gtest.h>

using namespace pocm;
using namespace llvm;

namespace {

class GpuSurfaces : public SurfacePolicy {
public:
  explicit GpuSurfaces(Module &M) {
    Type *bytes = ArrayType::get(Type::getInt8Ty(M.getContext()), SurfaceSlots * sizeof(SurfaceView));
    table = new GlobalVariable(M, bytes, false, GlobalValue::ExternalLinkage, Constant::getNullValue(bytes), "surfaces",
                               nullptr, GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  }
  Value *viewOf(IRBuilder<> &B, Value *Surface) const override {
    Value *offset = B.CreateMul(B.CreateZExt(Surface, B.getInt64Ty()), B.getInt64(sizeof(SurfaceView)));
    return B.CreateGEP(B.getInt8Ty(), B.CreateAddrSpaceCast(table, B.getPtrTy()), offset);
  }
  unsigned readSlack() const override { return 0; }

private:
  GlobalVariable *table;
};

std::unique_ptr<TargetMachine> gpu() {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  std::string problem;
  Triple triple("nvptx64-nvidia-cuda");
  const Target *known = TargetRegistry::lookupTarget(triple, problem);
  return std::unique_ptr<TargetMachine>(known ? known->createTargetMachine(triple, "sm_90", "+ptx80", {}, std::nullopt)
                                              : nullptr);
}

/// What the lowerings of surfaces are for.
bool concernsSurfaces(StringRef name) {
  return any_of(std::initializer_list<StringRef>{"Media", "Oword", "BlockWrite", "Gather", "Scatter", "Typed", "Sample",
                                                 "Atomic", "Svm", "Lsc"},
                [&](StringRef begin) { return name.starts_with(begin); });
}

/// An operation that the module still has; empty when there is none.
std::string left(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (operationOf(&I) != Op::None && !isa<IntrinsicInst>(I))
        return cast<CallInst>(I).getCalledFunction()->getName().str();
  return "";
}

std::string assembly(Module &M, TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile);
  passes.run(M);
  return {bytes.begin(), bytes.end()};
}

TEST(SurfacePolicy, otherTargetsThanCpusHaveAllMessages) {
  auto machine = gpu();
  if (!machine)
    GTEST_SKIP() << "this LLVM has no such target";
  unsigned seen = 0;
  for (auto [name, operation] : samples::operations()) {
    if (!concernsSurfaces(name))
      continue;
    SCOPED_TRACE(name);
    samples::Kernel kernel(name, operation);
    Module &M = *kernel.module;
    M.setTargetTriple(machine->getTargetTriple());
    M.setDataLayout(machine->createDataLayout());
    Function &F = *M.getFunction("k");
    F.setCallingConv(CallingConv::PTX_Kernel);
    GpuSurfaces policy(M);
    ASSERT_EQ(lowerMediaBlocks(F, policy), "");
    lowerLscAccess(F, policy);
    lowerBufferAccess(F, policy);
    ASSERT_EQ(splitVectors(F, 128), "");
    ASSERT_EQ(left(M), "");
    linkHelpers(M, [](Helper) { return true; });
    runLlvmPasses(M, "always-inline,globaldce,function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)");
    std::string broken;
    raw_string_ostream stream(broken);
    ASSERT_FALSE(verifyModule(M, &stream)) << broken;
    for (const Function &each : M)
      EXPECT_TRUE(!each.isDeclaration() || each.isIntrinsic()) << each.getName().str();
    std::string text = assembly(M, *machine);
    EXPECT_NE(text.find(".entry k("), text.npos);
    EXPECT_EQ(text.find(".extern"), text.npos) << text;
    if (StringRef(name).starts_with("AtomicAdd"))
      EXPECT_NE(text.find("atom.add.u32"), text.npos) << text; // an instruction of its own
    ++seen;
  }
  EXPECT_GT(seen, 40u);
}

TEST(HelperLibrary, knowsNoTargetAndCallsNothing) {
  LLVMContext context;
  Module other("m", context);
  other.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  std::unique_ptr<Module> library = helperLibrary(context, other);
  cantFail(library->materializeAll());
  EXPECT_TRUE(library->named_metadata_empty());
  for (const Function &F : *library) {
    EXPECT_TRUE(!F.isDeclaration() || (F.isIntrinsic() && !F.isTargetIntrinsic())) << F.getName().str();
    for (const Instruction &I : instructions(F))
      EXPECT_FALSE(I.getType()->isX86_FP80Ty()) << F.getName().str();
  }
  for (const GlobalVariable &G : library->globals())
    EXPECT_TRUE(G.isConstant() && G.hasLocalLinkage()) << G.getName().str();
}

TEST(HelperLibrary, givesAKernelWhatItCallsAndNothingElse) {
  LLVMContext context;
  Module M("m", context);
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  IRBuilder<> b(BasicBlock::Create(context, "", Function::Create(type, GlobalValue::ExternalLinkage, "k", M)));
  for (Helper H : {Helper::TypedRead, Helper::MediaRead})
    b.CreateCall(Function::Create(type, GlobalValue::ExternalLinkage, symbolOf(H), M));
  b.CreateRetVoid();
  std::vector<Function *> linked = linkHelpers(M, [](Helper H) { return useOf(H) != HelperUse::Rare; });
  EXPECT_TRUE(M.getFunction("pocm_media_read")->isDeclaration());
  ASSERT_FALSE(linked.empty());
  for (const Function *F : linked) {
    EXPECT_TRUE(F->hasInternalLinkage()) << F->getName().str();
    EXPECT_FALSE(F->hasFnAttribute("target-cpu")) << F->getName().str();
  }
  EXPECT_FALSE(M.getFunction("pocm_typed_read")->isDeclaration());
  EXPECT_TRUE(M.getFunction("pocm_typed_read_any")->isDeclaration()); // it calls a rare one
  EXPECT_EQ(M.getFunction("pocm_sample"), nullptr);
  EXPECT_TRUE(linkHelpers(M, [](Helper H) { return useOf(H) != HelperUse::Rare; }).empty()); // all are there
}

} // namespace
