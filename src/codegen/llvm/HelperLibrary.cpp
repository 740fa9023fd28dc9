//===- HelperLibrary.cpp - The helpers of kernels, as bitcode ---------------------------===//
//
//     call void @pocm_atomic(i32 0, i32 16, i32 4, ...)        declared
//     ->  the same call, of a function of the kernel's module that is always inlined
//
// The sources of codegen/helpers, compiled to bitcode with the product, are one library: of these functions, all others
// internal. A kernel gets what it calls, which is all that is read of the library's bodies. The library knows no
// target: what it says of the one that it was compiled for is dropped here.
//
// Why:    constants of a message fold with its helper, which gets the instructions of the kernel's CPU; and a GPU calls
//         no functions of the host.
// Needs:  calls as SurfaceAccess.cpp makes them; bitcode from files has been verified long before.
// Leaves: the same calls, of functions with bodies, which the next pass inlines.
//
//===------------------------------------------------------------------------------------===//
#include "codegen/llvm/HelperLibrary.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace pocm {

/// Generated from the sources of codegen/helpers.
extern const unsigned char HelperBitcode[];
extern const std::size_t HelperBitcodeSize;

namespace {

struct HelperRow {
  const char *Symbol;
  HelperUse Use;
};
constexpr HelperRow Rows[] = {
#define HELPER(id, symbol, use) {#symbol, HelperUse::use},
#include "codegen/helpers/Helpers.def"
};

/// What is of the CPU that the library was compiled for: a string, or only of use to unwinders.
void forgetTarget(Function &F) {
  AttributeMask Host;
  for (Attribute A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute())
      Host.addAttribute(A.getKindAsString());
  Host.addAttribute(Attribute::UWTable);
  F.removeFnAttrs(Host);
}

} // namespace

const char *symbolOf(Helper H) { return Rows[unsigned(H)].Symbol; }
HelperUse useOf(Helper H) { return Rows[unsigned(H)].Use; }

std::unique_ptr<Module> helperLibrary(LLVMContext &C, const Module &For) {
  StringRef Bytes(reinterpret_cast<const char *>(HelperBitcode), HelperBitcodeSize);
  std::unique_ptr<Module> Library = cantFail(getLazyBitcodeModule(MemoryBufferRef(Bytes, "helpers"), C));
  for (NamedMDNode &Node : make_early_inc_range(Library->named_metadata())) // flags and names of the compiler
    Node.eraseFromParent();
  Library->setTargetTriple(For.getTargetTriple());
  Library->setDataLayout(For.getDataLayout());
  return Library;
}

std::vector<Function *> linkHelpers(Module &M, function_ref<bool(Helper)> Links) {
  SmallVector<Helper, 4> Wanted;
  for (unsigned K = 0; K < std::size(Rows); ++K)
    if (const Function *F = M.getFunction(Rows[K].Symbol); F && F->isDeclaration() && Links(Helper(K)))
      Wanted.push_back(Helper(K));
  if (Wanted.empty())
    return {};
  SmallPtrSet<Function *, 32> Before;
  for (Function &F : M)
    if (!F.isDeclaration())
      Before.insert(&F);
  std::unique_ptr<Module> Library = helperLibrary(M.getContext(), M);
  SmallVector<GlobalValue *, 4> Values;
  for (Helper H : Wanted)
    Values.push_back(Library->getFunction(symbolOf(H)));
  cantFail(IRMover(M).move(std::move(Library), Values, nullptr, /*IsPerformingImport=*/false));
  for (Helper H : Wanted) {
    Function &F = *M.getFunction(symbolOf(H));
    F.setLinkage(GlobalValue::InternalLinkage);
    for (unsigned K = 0; K < F.arg_size(); ++K) // a kernel may well hand on what it never computed
      F.removeParamAttrs(K, AttributeMask().addAttribute(Attribute::NoUndef).addAttribute(Attribute::NonNull));
    if (useOf(H) == HelperUse::Inlined)
      F.addFnAttr(Attribute::AlwaysInline);
  }
  std::vector<Function *> Linked;
  for (Function &F : M)
    if (!F.isDeclaration() && !Before.contains(&F)) {
      forgetTarget(F);
      Linked.push_back(&F);
    }
  append_range(Linked, linkHelpers(M, Links)); // that these call
  return Linked;
}

} // namespace pocm
