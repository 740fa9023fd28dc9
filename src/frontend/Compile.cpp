//===- Compile.cpp - The public compile() and cm-opt's entry ------------------===//
#include "frontend/Frontend.h"
#include "frontend/PlainVariables.h"
#include "frontend/Targets.h"
#include "ir/Bitcode.h"
#include "ir/Kernel.h"
#include "ir/Lines.h"
#include "ir/SourceNotes.h"
#include "ir/SurfaceUse.h"
#include "ir/Trust.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "pocm/passes.h"
#include "program/Compiling.h"
#include "program/Container.h"
#include "program/OwnProcess.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {
namespace {

std::string textOf(const Module &M) {
  std::string Text;
  raw_string_ostream(Text) << M;
  return Text;
}

program::Container containerOf(const Module &M) {
  program::Container Container;
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    KernelSignature Signature{Kernel.Name, {}};
    for (unsigned I = 0; I < Kernel.Parameters.size(); ++I) {
      const KernelParameter &P = Kernel.Parameters[I];
      // Bytes as the host passes them: elements back to back, whatever padding the value has in IR.
      Type *T = Kernel.Entry->getArg(I)->getType();
      unsigned Element = std::max(1u, T->getScalarSizeInBits() / 8);
      const SurfaceUse Use =
          P.Kind == ParameterKind::Surface ? surfaceUseOf(*Kernel.Entry->getArg(I)) : SurfaceUse::Any;
      Signature.parameters.push_back({ParameterKind(P.Kind), P.Element, P.Count, Element * P.Count, Use});
    }
    Container.kernels.push_back(std::move(Signature));
  }
  if (const GlobalVariable *Data = M.getNamedGlobal(ProgramDataName)) {
    Container.data.resize(
        M.getDataLayout().getTypeAllocSize(Data->getValueType())); // zeros are no ConstantDataSequential
    if (auto *Sequential = dyn_cast<ConstantDataSequential>(Data->getInitializer()))
      copy(Sequential->getRawDataValues().bytes(), Container.data.begin());
  }
  Container.ir = writeBitcode(M);
  return Container;
}

/// Notes what is said of loops that are unrolled or become vectors while this lives.
class LoopRemarks {
public:
  LoopRemarks(LLVMContext &Context, bool Wanted) {
    if (Wanted)
      Context.setDiagnosticHandler(std::make_unique<Handler>(Notes));
  }
  void attach(Module &M) const {
    if (!Notes.empty())
      setLoopNotes(M, Notes);
  }

private:
  std::vector<LoopNote> Notes;

  struct Handler : DiagnosticHandler {
    std::vector<LoopNote> &Notes;
    explicit Handler(std::vector<LoopNote> &Notes) : Notes(Notes) {}
    static bool isOfLoops(StringRef Pass) { return Pass == "loop-unroll" || Pass == "vectorize-elements"; }
    bool isPassedOptRemarkEnabled(StringRef Pass) const override { return isOfLoops(Pass); }
    bool isAnyRemarkEnabled() const override { return true; }
    bool handleDiagnostics(const DiagnosticInfo &Info) override {
      auto *Remark = dyn_cast<OptimizationRemark>(&Info);
      if (!Remark || !isOfLoops(Remark->getPassName()) || !Remark->getLocation().isValid() ||
          Remark->getLocation().getRelativePath().starts_with(headerFolder()))
        return Remark; // others are printed
      LoopNote Note{Remark->getLocation().getRelativePath().str(), Remark->getLocation().getLine(), Remark->getMsg(),
                    noteName(Remark->getFunction().getSubprogram())};
      if (none_of(Notes, [&](const LoopNote &N) {
            return std::tie(N.File, N.Line, N.Text, N.Function) ==
                   std::tie(Note.File, Note.Line, Note.Text, Note.Function);
          }))
        Notes.push_back(std::move(Note));
      return true;
    }
  };
};

} // namespace

std::vector<std::uint8_t> withoutDebugInfo(const std::vector<std::uint8_t> &File) {
  program::Container Container = program::read(File);
  LLVMContext Context;
  std::unique_ptr<Module> M = readBitcode(Container.ir, Context);
  stripSourceNotes(*M);
  Container.ir = writeBitcode(*M);
  return program::write(Container);
}

namespace {
/// The data layout of CM IR, which Clang gives modules of its triple.
constexpr const char *LayoutText =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";

/// What is wrong with CM IR that somebody may have written by hand; empty when nothing is.
std::string problemOf(const Module &M) {
  const Triple Ours(frontend::TripleName);
  if (M.getTargetTriple() != Ours)
    return "is for '" + M.getTargetTriple().str() + "'; CM's is '" + Ours.str() + "'";
  if (M.getDataLayoutStr() != LayoutText)
    return "has another data layout than CM, which is '" + std::string(LayoutText) + "'";
  std::string Reason;
  raw_string_ostream Stream(Reason);
  if (verifyModule(M, &Stream))
    return "is not valid: " + Reason.substr(0, Reason.find('\n'));
  if (std::string Problem = distrust(M); !Problem.empty())
    return "is not used: " + Problem;
  const std::vector<KernelInfo> Kernels = kernelsOf(M);
  if (Kernels.empty())
    return "has no kernels as !genx.kernels names them";
  for (const KernelInfo &Kernel : Kernels)
    if (Kernel.Parameters.size() != Kernel.Entry->arg_size())
      return "names other parameters of kernel '" + Kernel.Name + "' than it has";
  return "";
}

/// The program of CM IR that -S -emit-llvm has printed, which the middle end has been over.
CompileResult compileIr(const CompileOptions &Options) {
  CompileResult Result;
  LLVMContext Context;
  try {
    frontend::targetMacros(Options); // an unknown target
    if (std::string Problem = unknownPass(Options.disabledPasses); !Problem.empty())
      throw Error(Problem);
    std::string Text = Options.source.value_or("");
    if (!Options.source) {
      auto File = MemoryBuffer::getFile(Options.file);
      if (!File)
        throw Error("no such file or directory: '" + Options.file + "'");
      Text = (*File)->getBuffer().str();
    }
    std::unique_ptr<Module> M = readText(Text, Options.file, Context);
    if (M->getTargetTriple().empty())
      M->setTargetTriple(Triple(frontend::TripleName));
    if (M->getDataLayoutStr().empty())
      M->setDataLayout(LayoutText);
    if (std::string Problem = problemOf(*M); !Problem.empty())
      throw Error("the CM IR in '" + Options.file + "' " + Problem);
    if (!Options.debugInfo && !Options.keepLines)
      StripDebugInfo(*M);
    Result.program = program::write(containerOf(*M));
    LLVMContext Again; // what is made loads as other programs do
    readBitcode(program::read(Result.program).ir, Again);
    Result.ir = textOf(*M);
    Result.files = {{Options.file, false}};
    Result.ok = true;
  } catch (const Error &Problem) {
    Result.diagnostics = std::string("error: ") + Problem.what() + "\n";
    Result.program.clear();
  }
  return Result;
}

CompileResult compileHere(const CompileOptions &Options) {
  CompileResult Result;
  LLVMContext Context;
  std::unique_ptr<Module> M;
  try {
    M = frontend::parse(Context, Options, Result.diagnostics, Result.files);
  } catch (const Error &Problem) { // an unknown target
    Result.diagnostics += std::string("error: ") + Problem.what() + "\n";
  }
  if (!M)
    return Result;
  if (Options.keepUnwritten)
    M->addModuleFlag(Module::Max, KeepUnwrittenFlag, 1);
  if (Options.keepUnwritten && Options.initializedGlobals)
    M->addModuleFlag(Module::Max, InitializedGlobalsFlag, 1);
  if (Options.debugInfo && Options.optimization == 0)
    M->addModuleFlag(Module::Max, KeepVariablesFlag, 1);
  if (!Options.keepUnwritten) // which names those, too
    frontend::forgetVariablesOfHeaders(*M);
  std::vector<std::string> Disabled = Options.disabledPasses;
  if (Options.optimization == 0) // what only makes the program smaller; promotion itself is not optional
    append_range(Disabled, ArrayRef{"region-constant-folding", "region-collapsing", "dead-vector-removal"});
  LoopRemarks Loops(Context, Options.debugInfo);
  std::string Problem = runMiddleEnd(*M, Disabled, {Options.verifyEachPass, Options.changes});
  Loops.attach(*M);
  if (!Problem.empty()) {
    Result.diagnostics += "error: " + Problem + "\n";
    return Result;
  }
  Problem = frontend::checkSimplified(*M, std::max(MostSlm, Options.slmKilobytes * 1024));
  if (!Problem.empty()) {
    Result.diagnostics += Problem;
    return Result;
  }
  frontend::noteLines(*M);
  if (!Options.debugInfo && !Options.keepLines)
    StripDebugInfo(*M);
  const program::Container Made = containerOf(*M);
  program::noteOwn(Made.ir);
  Result.program = program::write(Made);
  Result.ir = textOf(*M);
  Result.ok = true;
  return Result;
}
} // namespace

CompileResult compile(const CompileOptions &Options) {
  Compiling Working;
  CompileResult Result;
  const bool FromIr = StringRef(Options.file).ends_with(".ll");
  withLargeStack([&] { Result = FromIr ? compileIr(Options) : compileHere(Options); });
  return Result;
}

namespace {
/// An option of PocmLoadProgramSource; false for an unknown one.
bool setOption(CompileOptions &Options, StringRef Token) {
  if (Token.consume_front("-D"))
    Options.defines.push_back(Token.str());
  else if (Token.consume_front("-I"))
    Options.includes.push_back(Token.str());
  else if (Token.consume_front("-march="))
    Options.target = Token.str();
  else if (Token == "-ffp-contract=off")
    Options.disabledPasses.push_back("contraction");
  else if (Token == "-mCM_init_global")
    Options.initializedGlobals = true;
  else if (Token == "-fcheck")
    Options.keepUnwritten = true;
  else if (Token == "-g")
    Options.debugInfo = Options.assertions = true;
  else if (Token.consume_front("-O"))
    return !Token.getAsInteger(10, Options.optimization) && Options.optimization <= 3;
  else
    return false;
  return true;
}
} // namespace

/// For the CM runtime's PocmLoadProgramSource, which opens this library when it needs it: 1 when the source compiles.
/// `give` gets the program, empty otherwise, and the diagnostics.
extern "C" POCM_API int pocm_compile_source(const char *Name, const char *Source, const char *OptionText,
                                            void (*Give)(void *, const unsigned char *, size_t, const char *),
                                            void *State) {
  CompileOptions Options;
  Options.file = Name;
  Options.source = Source;
  SmallVector<StringRef, 8> Tokens;
  StringRef(OptionText).split(Tokens, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Token : Tokens)
    if (!setOption(Options, Token)) {
      Give(State, nullptr, 0, ("option '" + Token + "' is not known here").str().c_str());
      return 0;
    }
  CompileResult Result = compile(Options);
  Give(State, Result.program.data(), Result.program.size(), Result.diagnostics.c_str());
  return Result.ok;
}

std::string languageNames() { return frontend::names(); }

std::vector<PassInfo> passes() {
  std::vector<PassInfo> All;
  for (const PassDescription &P : middleEndPasses())
    All.push_back({P.Name, P.Description});
  return All;
}

std::string runPasses(std::string_view IrText, std::string_view InputName, const std::vector<std::string> &PassNames,
                      std::ostream *Changes) {
  LLVMContext Context;
  std::unique_ptr<Module> M = readText(IrText, InputName, Context);
  if (std::string Failure = runPasses(*M, PassNames, {true, Changes}); !Failure.empty())
    throw Error(Failure);
  return textOf(*M);
}

} // namespace pocm
