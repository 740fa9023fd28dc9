//===- Frontend.cpp - CM source to CM IR --------------------------------------===//
//
// Sets up Clang as a library: spir64 as a neutral target on which vectors of any length
// are values, C++20, no system headers, the language's own headers mapped from memory
// over the real file system.
//
//===----------------------------------------------------------------------===//
#include "frontend/Frontend.h"
#include "frontend/Deduction.h"
#include "frontend/Diagnostics.h"
#include "frontend/ElementBounds.h"
#include "frontend/EmbeddedHeaders.h"
#include "frontend/HeaderCache.h"
#include "frontend/HeaderLines.h"
#include "frontend/IncludePaths.h"
#include "frontend/Kernels.h"
#include "frontend/Length.h"
#include "frontend/Names.h"
#include "frontend/PlainVariables.h"
#include "frontend/ShortFloats.h"
#include "frontend/SourceFiles.h"
#include "frontend/Targets.h"
#include "frontend/UserMacros.h"
#include "frontend/WithoutValue.h"
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "ir/Lines.h"
#include "ir/ObjectNames.h"
#include "ir/Operands.h"
#include "passes/BuiltinExpansions.h"
#include "passes/Passes.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// Where the language's headers appear in parsed form.
constexpr const char *ParsedHeadersFile = "/pocm/headers.pch";

/// A pragma of the legacy compiler.
class LegacyPragma : public PragmaHandler {
public:
  using PragmaHandler::PragmaHandler;
  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &Name) override {
    reportWarning(PP.getDiagnostics(), diag::Group::Deprecated, Name.getLocation(),
                  "pragma '%0' is deprecated and has no effect", getName());
  }
};

class EmitIr : public EmitLLVMOnlyAction {
public:
  EmitIr(llvm::LLVMContext *Context, std::vector<ParsedKernel> &Kernels, std::vector<SourceFile> &Files,
         ShortFloats &Conversions, const CompileOptions &Options)
      : EmitLLVMOnlyAction(Context), Kernels(Kernels), Files(Files), Conversions(Conversions),
        InitializedGlobals(Options.initializedGlobals), KeepUnwritten(Options.keepUnwritten) {}

protected:
  bool PrepareToExecuteAction(CompilerInstance &CI) override {
    CI.addDependencyCollector(listFiles(Files));
    return EmitLLVMOnlyAction::PrepareToExecuteAction(CI);
  }
  bool BeginSourceFileAction(CompilerInstance &CI) override {
    const SourceManager &Sources = CI.getSourceManager();
    if (!Sources.getBufferOrNone(Sources.getMainFileID())) // says why, as of UTF-16; the preprocessor would crash
      return false;
    CI.getPreprocessor().AddPragmaHandler(new LegacyPragma("cm_nonstrict")); // owned by the preprocessor
    CI.getPreprocessor().addPPCallbacks(hideUserMacros(CI.getPreprocessor()));
    limitTokens(CI.getPreprocessor(), Over);
    CI.setExternalSemaSource(memberTemplates());
    return EmitLLVMOnlyAction::BeginSourceFileAction(CI);
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef File) override {
    static_cast<Diagnostics *>(CI.getDiagnostics().getClient())->setContext(&CI.getASTContext());
    std::vector<std::unique_ptr<ASTConsumer>> All;
    All.push_back(completeOverloads());
    All.push_back(limitInstances(Over));
    All.push_back(findShortArguments(Conversions));
    All.push_back(collectKernels(Kernels));
    All.push_back(checkLanguageRules(headerFolder(), InitializedGlobals, CI.getPreprocessor()));
    if (KeepUnwritten)
      All.push_back(markWithoutValue());
    All.push_back(foldConstantCalls());
    All.push_back(leaveOutHeaderLines());
    All.push_back(EmitLLVMOnlyAction::CreateASTConsumer(CI, File));
    return std::make_unique<MultiplexConsumer>(std::move(All));
  }

private:
  std::vector<ParsedKernel> &Kernels;
  std::vector<SourceFile> &Files;
  ShortFloats &Conversions;
  bool InitializedGlobals, KeepUnwritten;
  std::shared_ptr<bool> Over = std::make_shared<bool>(false); ///< The source, before its end.
};

/// Groups of warnings that Intel's compiler has, as Clang's: that of regions which reach out of their objects; what the
/// others are about does not come up here, and they are left out. Other options stay as they are.
std::string knownWarning(llvm::StringRef Option) {
  for (llvm::StringRef Begin : {"-Wno-", "-Werror=", "-Wno-error=", "-W"})
    if (Option.starts_with(Begin) && Option.drop_front(Begin.size()).starts_with("cm-"))
      return Option.ends_with("cm-bounds-check") ? (Begin + "array-bounds").str() : "";
  return Option.str();
}

} // namespace

std::vector<std::string> clangArguments(const CompileOptions &Options, bool ParsedHeaders) {
  std::vector<std::string> Arguments = {
      "-triple", TripleName, "-emit-llvm-only", "-disable-llvm-passes", "-disable-llvm-verifier", "-x", "c++",
      "-std=c++20", "-ffreestanding", "-fno-rtti", "-nostdsysteminc", "-nobuiltininc", "-relaxed-aliasing", "-fwrapv",
      "-fno-threadsafe-statics", "-mconstructor-aliases", "-ffp-contract=off", "-ftemplate-backtrace-limit=0",
      "-ferror-limit", "200", "-fgnuc-version=4.2.1", "-fdeprecated-macro", "-fdeclspec",
      "-Wno-missing-template-arg-list-after-template-kw", "-Wno-unknown-attributes", "-Wno-return-type-c-linkage",
      "-Wno-ignored-attributes", "-Wno-extern-c-compat", "-Wunknown-pragmas",
      "-Wno-predefined-identifier-outside-function", // of CM_OPTIMIZATIONS_FENCE, which is an error there
      // Offsets of shared local memory that become pointers, the first is 0: a fault, not what LLVM may leave out.
      "-fno-delete-null-pointer-checks", "-Wuninitialized",
      // Line tables are always made, so that late diagnostics can name lines; they are dropped without -g.
      Options.debugInfo ? "-debug-info-kind=limited" : "-debug-info-kind=line-tables-only", "-dwarf-version=5",
      // The optimiser's view of the source; what really runs is the middle end.
      Options.optimization == 0 ? "-O1" : "-O2", "-disable-O0-optnone"};
  if (Options.keepUnwritten) // ElementBounds.cpp
    Arguments.insert(Arguments.end(),
                     {"-DPOCM_CHECK_BOUNDS", "-fsanitize=array-bounds", "-fsanitize-recover=array-bounds"});
  if (Options.color)
    Arguments.push_back("-fcolor-diagnostics");
  for (const std::string &Define : targetMacros(Options))
    Arguments.push_back("-D" + Define);
  auto setsAssertions = [](const std::string &Define) { return Define.starts_with("CM_ENABLE_ASSERTS"); };
  if (Options.assertions && llvm::none_of(Options.defines, setsAssertions))
    Arguments.push_back("-DCM_ENABLE_ASSERTS=1");
  for (const std::string &Define : Options.defines)
    Arguments.push_back("-D" + Define);
  for (const std::string &Include : Options.includes)
    Arguments.push_back("-I" + Include);
  // Old programs say <cm.h>, without the folder.
  Arguments.insert(Arguments.end(), {"-internal-isystem", headerFolder(), "-internal-isystem", headerFolder() + "/cm"});
  if (Options.headers.empty() && !ParsedHeaders)
    Arguments.insert(Arguments.end(), {"-include", "cm/cm.h"});
  else
    Arguments.insert(Arguments.end(),
                     {"-include-pch", ParsedHeaders ? ParsedHeadersFile : Options.headers, "-fno-validate-pch"});
  for (const std::string &Option : Options.clangOptions)
    if (std::string Known = knownWarning(Option); !Known.empty())
      Arguments.push_back(Known);
  Arguments.push_back(Options.file);
  return Arguments;
}

namespace {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
fileSystem(const CompileOptions &Options, const ShortFloats &Conversions, const std::vector<char> *ParsedHeaders) {
  auto InMemory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const EmbeddedHeader &Header : embeddedHeaders())
    InMemory->addFile(std::string(EmbeddedHeaderFolder) + "/" + std::string(Header.path), 0,
                      llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(Header.text), Header.path));
  if (ParsedHeaders)
    InMemory->addFile(ParsedHeadersFile, 0,
                      llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(ParsedHeaders->data(), ParsedHeaders->size()),
                                                       ParsedHeadersFile, /*RequiresNullTerminator=*/false));
  auto Real = llvm::vfs::getRealFileSystem();
  if (!Real->getCurrentWorkingDirectory()) { // somebody has deleted it; Clang does not expect that
    Real = llvm::vfs::createPhysicalFileSystem();
    Real->setCurrentWorkingDirectory("/");
  }
  for (const auto &[Path, Changed] : Conversions.texts())
    InMemory->addFile(Path, 0, llvm::MemoryBuffer::getMemBufferCopy(Changed, Path));
  llvm::SmallString<128> Path(Options.file);
  Real->makeAbsolute(Path);
  if (Options.source && !Conversions.texts().contains(Path.str().str())) {
    InMemory->addFile(Path, 0, llvm::MemoryBuffer::getMemBufferCopy(*Options.source, Options.file));
  }
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(Real);
  Overlay->pushOverlay(InMemory);
  return withPlainIncludes(Overlay);
}

/// Only hosts start kernels: another kernel calls a function with the same body.
void callCopies(llvm::Function &Kernel) {
  auto Calls = [&](const llvm::Use &U) {
    auto *Call = llvm::dyn_cast<llvm::CallBase>(U.getUser());
    return Call && Call->isCallee(&U);
  };
  if (llvm::none_of(Kernel.uses(), Calls))
    return;
  llvm::ValueToValueMapTy Map;
  llvm::Function *Copy = llvm::CloneFunction(&Kernel, Map);
  Copy->setName(Kernel.getName() + ".called");
  Copy->setLinkage(llvm::GlobalValue::InternalLinkage);
  Copy->setComdat(nullptr);
  Kernel.replaceUsesWithIf(Copy, Calls);
}

std::vector<KernelInfo> kernelsIn(llvm::Module &M, const std::vector<ParsedKernel> &Parsed) {
  std::vector<KernelInfo> Kernels;
  for (llvm::Function &F : M)
    if (!F.isDeclaration())
      F.addFnAttr("denormal-fp-math", "dynamic,dynamic"); // as the kernel wants that calls it
  for (const ParsedKernel &Kernel : Parsed)
    if (llvm::Function *Entry = M.getFunction(Kernel.Symbol)) {
      callCopies(*Entry);
      Entry->setLinkage(llvm::GlobalValue::ExternalLinkage); // an instance of a template may be merged with others
      Entry->setComdat(nullptr);
      Entry->addFnAttr("CMGenxMain");
      setDenormalMode(*Entry, Kernel.FloatControl);
      if (Kernel.FloatControl)
        Entry->addFnAttr(FloatControlAttribute, std::to_string(Kernel.FloatControl));
      Kernels.push_back({Entry, Kernel.Name, Kernel.Parameters});
    }
  return Kernels;
}

std::string locationOf(const llvm::Instruction &I) {
  const llvm::DILocation *Line = userLine(I);
  if (!Line)
    return "";
  return (Line->getFilename() + ":" + llvm::Twine(Line->getLine()) + ":" + llvm::Twine(Line->getColumn()) + ": ").str();
}

/// Clang converts between half and bfloat16 by a cast that does not exist: both have 16 bits. Float lies between.
void convertThroughFloat(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : make_early_inc_range(llvm::instructions(F))) {
      bool Cast = llvm::isa<llvm::FPTruncInst, llvm::FPExtInst>(I);
      if (!Cast || I.getType()->getScalarSizeInBits() != I.getOperand(0)->getType()->getScalarSizeInBits())
        continue;
      llvm::IRBuilder<> B(&I);
      llvm::Type *Float = I.getType()->getWithNewType(B.getFloatTy());
      I.replaceAllUsesWith(B.CreateFPTrunc(B.CreateFPExt(I.getOperand(0), Float), I.getType()));
      I.eraseFromParent();
    }
}

} // namespace

namespace {

/// Runs one of Clang's actions over the source. False when there were errors.
bool runClang(const CompileOptions &Options, const std::vector<std::string> &Arguments, FrontendAction &Action,
              llvm::raw_ostream &Stream, ShortFloats &Conversions, const std::vector<char> *ParsedHeaders = nullptr,
              unsigned *Errors = nullptr) {
  DiagnosticOptions DiagOptions;
  DiagOptions.ShowColors = Options.color;
  DiagOptions.ShowOptionNames = true;
  DiagOptions.SnippetLineLimit = 1;
  Diagnostics Printer(Stream, DiagOptions, headerFolder(), Conversions);
  std::vector<const char *> Pointers;
  for (const std::string &Argument : Arguments)
    Pointers.push_back(Argument.c_str());

  auto Files = fileSystem(Options, Conversions, ParsedHeaders);
  auto Invocation = std::make_shared<CompilerInvocation>();
  auto EarlyDiags = CompilerInstance::createDiagnostics(*Files, DiagOptions, &Printer, /*ShouldOwnClient=*/false);
  if (!CompilerInvocation::CreateFromArgs(*Invocation, Pointers, *EarlyDiags))
    return false;
  DiagnosticOptions &Given = Invocation->getDiagnosticOpts();
  Given.ShowColors = DiagOptions.ShowColors;
  Given.ShowOptionNames = DiagOptions.ShowOptionNames;
  Given.SnippetLineLimit = DiagOptions.SnippetLineLimit;
  DiagOptions = Given;

  CompilerInstance Clang(Invocation);
  Clang.setVirtualFileSystem(Files);
  Clang.createDiagnostics(&Printer, /*ShouldOwnClient=*/false);
  Clang.setVerboseOutputStream(Stream);
  Clang.createFileManager();
  bool Done = Clang.ExecuteAction(Action) && !Clang.getDiagnostics().hasErrorOccurred();
  if (Errors)
    *Errors = Printer.getNumErrors();
  return Done;
}

class ListNames : public ASTFrontendAction {
public:
  explicit ListNames(std::string &Text) : Text(Text) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    return listNames(CI.getPreprocessor(), Text);
  }

private:
  std::string &Text;
};

} // namespace

std::string names() {
  CompileOptions Options;
  Options.file = "names.cpp";
  Options.source = "#include <cm/genx_vme.h>\n#include <cm/cmtl.h>\n#include <cm/cmtl/dataport.h>\n#include "
                   "<cm/cmtl/global.h>\n#include <cm/cmtl/hint.h>\n"
                   "#include <cm/cmtl/mask.h>\n#include <cm/cmtl/math.h>\n#include <cm/cmtl/numbers.h>\n";
  std::string Text, Problems;
  llvm::raw_string_ostream Stream(Problems);
  ListNames Action(Text);
  ShortFloats None;
  runClang(Options, clangArguments(Options), Action, Stream, None);
  return Problems.empty() ? Text : Problems;
}

/// The source as Clang makes IR of it; null when there were errors.
static std::unique_ptr<llvm::Module> parseSource(llvm::LLVMContext &Context, const CompileOptions &Options,
                                                 std::vector<ParsedKernel> &Kernels, std::string &Text,
                                                 std::vector<SourceFile> &Files) {
  std::optional<std::vector<char>> Headers;
  if (Options.headers.empty())
    Headers = parsedHeaders(Options);
  ShortFloats Conversions;
  constexpr int Most = 16; // what is found in one reading may hide others
  for (int Reading = 1;; ++Reading) {
    Kernels.clear();
    Files.clear();
    EmitIr Action(&Context, Kernels, Files, Conversions, Options);
    std::string Said;
    llvm::raw_string_ostream Stream(Said);
    unsigned Errors = 0;
    bool Fits = runClang(Options, clangArguments(Options, Headers.has_value()), Action, Stream, Conversions,
                         Headers ? &*Headers : nullptr, &Errors);
    if (!Fits && Reading < Most && Conversions.rewrite())
      continue;
    if (!Fits && !Conversions.texts().empty()) {
      Conversions.hide();
      continue;
    }
    if (!Fits && Conversions.hides() && Errors == 0) {
      Conversions.stop();
      continue;
    }
    Text += Said;
    return Fits ? Action.takeModule() : nullptr;
  }
}

/// The mark of the headers' own variable becomes its attribute; the others, and Clang's list of them, have served.
static void takeMarks(llvm::Module &M) {
  llvm::GlobalVariable *List = M.getNamedGlobal("llvm.global.annotations");
  if (!List)
    return;
  for (const llvm::Use &Entry : llvm::cast<llvm::ConstantArray>(List->getInitializer())->operands()) {
    auto *Fields = llvm::cast<llvm::ConstantStruct>(Entry);
    auto *Marked = llvm::dyn_cast<llvm::GlobalVariable>(Fields->getOperand(0)->stripPointerCasts());
    llvm::StringRef Mark;
    if (Marked && llvm::getConstantStringInfo(Fields->getOperand(1), Mark) && Mark == ExecutionAttribute)
      Marked->addAttribute(Mark);
  }
  List->eraseFromParent();
}

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &Context, const CompileOptions &Options, std::string &Text,
                                    std::vector<SourceFile> &Files) {
  llvm::raw_string_ostream Stream(Text);
  std::vector<ParsedKernel> Parsed;
  std::unique_ptr<llvm::Module> M = parseSource(Context, Options, Parsed, Text, Files);
  if (!M)
    return nullptr;
  convertThroughFloat(*M);
  forgetAddressSpacesOfVariables(*M);
  giveEachThreadGuards(*M);
  noteElementBounds(*M);
  noteWithoutValue(*M);
  std::string Broken;
  llvm::raw_string_ostream Complaint(Broken);
  if (verifyModule(*M, &Complaint)) {
    Stream << "error: bug in cmc: the front end makes broken IR of this: " << Broken << "\n";
    return nullptr;
  }
  setKernels(*M, kernelsIn(*M, Parsed));
  if (std::string Problem = tooLarge(*M); !Problem.empty()) {
    Stream << Problem;
    return nullptr;
  }
  takeMarks(*M);
  return M;
}

namespace {
/// What -emit-pch does, without a file.
class ParseHeaders : public GeneratePCHAction {
public:
  const std::shared_ptr<PCHBuffer> Parsed = std::make_shared<PCHBuffer>();

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    std::string Sysroot;
    if (!ComputeASTConsumerArguments(CI, Sysroot))
      return nullptr;
    std::vector<std::unique_ptr<ASTConsumer>> All;
    All.push_back(leaveOutHeaderLines());
    All.push_back(std::make_unique<PCHGenerator>(CI.getPreprocessor(), CI.getModuleCache(), /*OutputFile=*/"", Sysroot,
                                                 Parsed, CI.getCodeGenOpts(), CI.getFrontendOpts().ModuleFileExtensions,
                                                 /*AllowASTWithErrors=*/false,
                                                 bool(CI.getFrontendOpts().IncludeTimestamps)));
    return std::make_unique<MultiplexConsumer>(std::move(All));
  }
};
} // namespace

std::optional<std::vector<char>> precompileHeaders(const CompileOptions &Options) {
  CompileOptions Headers = Options;
  Headers.headers.clear();
  Headers.file = "headers.h";
  Headers.source = "";
  std::vector<std::string> Arguments = clangArguments(Headers);
  *std::find(Arguments.begin(), Arguments.end(), "-emit-llvm-only") = "-emit-pch";
  *std::find(Arguments.begin(), Arguments.end(), "c++") = "c++-header";
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  ParseHeaders Action;
  ShortFloats None;
  const bool Done = runClang(Headers, Arguments, Action, Stream, None) && Text.empty() && Action.Parsed->IsComplete;
  return Done ? std::optional(std::vector<char>(Action.Parsed->Data.begin(), Action.Parsed->Data.end())) : std::nullopt;
}

std::string checkSimplified(llvm::Module &M, unsigned MostSlm) {
  std::string Problems;
  llvm::StringSet<> Said; // a line that is there several times by now has one problem
  for (const llvm::GlobalVariable &G : M.globals())
    if (G.getAddressSpace() && G.hasInitializer() && !llvm::isa<llvm::ConstantData>(G.getInitializer()))
      Problems += ("error: the initial value of '" + llvm::demangle(G.getName()) +
                   "' holds an address, which is not known before the program runs; assign it in a kernel\n");
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::instructions(F)) {
      auto *Call = llvm::dyn_cast<llvm::CallInst>(&I);
      if (!Call || Call->isInlineAsm())
        continue;
      if (auto *Bytes = operationOf(Call) == Op::SlmInit
                            ? llvm::dyn_cast<llvm::ConstantInt>(operandOf(*Call, Role::Bytes))
                            : nullptr;
          Bytes && Bytes->getZExtValue() > MostSlm)
        Problems += ("error: kernel '" + llvm::demangle(F.getName()) + "' has " + llvm::Twine(Bytes->getZExtValue()) +
                     " bytes of shared local memory, its __local variables and cm_slm_init together; there are " +
                     llvm::Twine(MostSlm) + "\n")
                        .str();
      llvm::Function *Callee = Call->getCalledFunction();
      if (Callee && pocm::isSubroutine(*Callee))
        continue;
      const bool Traps =
          Callee && llvm::is_contained({llvm::Intrinsic::trap, llvm::Intrinsic::debugtrap, llvm::Intrinsic::ubsantrap},
                                       Callee->getIntrinsicID());
      if (Callee && Callee->isDeclaration() && !Traps && operationOf(Call) != Op::RegionFormat &&
          (Callee->isIntrinsic() || operationOf(Call) != Op::None))
        continue;
      std::string Problem;
      std::string Name = Callee ? withObjectNames(llvm::demangle(Callee->getName())) : "";
      if (llvm::StringRef(Name).starts_with("_Z"))
        Name = "a lambda"; // which no name can be made of
      if (!Callee)
        Problem = "call through a pointer to a function of a type that no function in this file has";
      else if (Traps)
        Problem = "traps are not supported: a thread cannot stop the program; use cm_assert or return";
      else if (operationOf(Call) == Op::RegionFormat)
        Problem =
            "format of a region with gaps, whose strides are not known here, or as an argument of a function that is "
            "called; copy the region to a variable and format that";
      else if (llvm::StringRef(Name).starts_with("operator new"))
        Problem = "a kernel has no heap; use objects and arrays of constant size";
      else if (Callee->isDeclaration())
        Problem = "function '" + Name + "' is called but has no body in this file";
      else if (Callee->isVarArg())
        Problem = "call of '" + Name +
                  "', which reads a list of arguments: there is no stack that they could lie on; "
                  "take them as a parameter pack of a template";
      else
        Problem = "call of '" + Name + "' cannot be inlined: recursion is not supported; use a loop";
      if (std::string Text = locationOf(I) + "error: " + Problem + "\n"; Said.insert(Text).second)
        Problems += Text;
    }
  return Problems;
}

void noteLines(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::instructions(F)) {
      const llvm::DILocation *Line = userLine(I);
      if (!Line)
        continue;
      I.setDebugLoc(Line);
      if (llvm::is_contained({Op::Barrier, Op::SplitBarrier, Op::NamedWait, Op::DpasPair}, operationOf(&I)))
        setLine(I, Line->getLine());
    }
}

} // namespace pocm::frontend
