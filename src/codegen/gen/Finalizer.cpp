//===- Finalizer.cpp - vISA text to Gen code ------------------------------------------------===//
//
// The exit status of GenX_IR says little: it is 1 for harmless notes and 0 for some bad
// code. What counts are the files that it leaves and what it prints.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Finalizer.h"
#include "codegen/gen/CopiesAside.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace llvm;

extern char **environ;

namespace pocm::gen {
namespace {

/// A folder for one run, gone afterwards.
struct Scratch {
  SmallString<128> Path;
  bool Made = !sys::fs::createUniqueDirectory("pocm-gen", Path);
  ~Scratch() {
    if (Made)
      sys::fs::remove_directories(Path);
  }
  std::string file(const Twine &Name) const { return (Path + "/" + Name).str(); }
};

/// Processor time after which a run that makes no progress is ended: large kernels take seconds.
constexpr rlim_t MostSeconds = 120;

/// Runs a program in a folder with its output in a file there. Returns the exit status, -1 when it did not
/// run to its end.
int runIn(const std::string &Folder, const std::string &Program, const std::vector<std::string> &Arguments,
          const std::string &Output) {
  std::vector<char *> Raw{const_cast<char *>(Program.c_str())};
  for (const std::string &A : Arguments)
    Raw.push_back(const_cast<char *>(A.c_str()));
  Raw.push_back(nullptr);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_addchdir_np(&Actions, Folder.c_str());
  posix_spawn_file_actions_addopen(&Actions, 1, Output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&Actions, 1, 2);
  pid_t Child = 0;
  int Failed = posix_spawn(&Child, Program.c_str(), &Actions, nullptr, Raw.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  if (rlimit Limit{MostSeconds, MostSeconds}; !Failed)
    prlimit(Child, RLIMIT_CPU, &Limit, nullptr);
  int Status = 0;
  while (!Failed && waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  return Failed || !WIFEXITED(Status) ? -1 : WEXITSTATUS(Status);
}

std::string contentsOf(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// Lines that say nothing is wrong.
bool isHarmless(StringRef Line) {
  Line = Line.trim();
  return Line.empty() || Line.contains("Spill memory used") || Line.contains("Compiling kernel with spill code") ||
         Line == "[vISA Finalizer Messages]" || (Line.starts_with("Kernel ") && Line.ends_with("registers"));
}

/// A `goto` whose UIP is its own address, of which no thread ever gets out: the line, or nothing. Version 1.0.12504
/// makes one of a jump back that stands behind a return.
StringRef gotoItself(StringRef Assembly) {
  StringSet<> Here; // labels of the next instruction
  while (!Assembly.empty()) {
    StringRef Line;
    std::tie(Line, Assembly) = Assembly.split('\n');
    StringRef Text = Line.split("//").first.rtrim();
    if (Text.ends_with(":") && !Text.contains(' ')) {
      Here.insert(Text.drop_back());
      continue;
    }
    if (Text.trim().empty())
      continue;
    SmallVector<StringRef, 8> Words;
    SplitString(Text.split('{').first, Words);
    bool Jumps = any_of(Words, [](StringRef W) { return W == "goto" || W == "goto.b"; });
    if (Jumps && Here.contains(Words.back()))
      return Line;
    Here.clear();
  }
  return "";
}

/// Whether an operand has rows of one element each, several times: <2;4,0>. Value numbering of version 1.0.12504 takes
/// one for another whose rows are longer.
bool repeatsInRows(StringRef Text) {
  for (size_t At = Text.find(",0>"); At != StringRef::npos; At = Text.find(",0>", At + 1)) {
    auto [V, W] = Text.take_front(At).rsplit('<').second.split(';');
    unsigned Vertical = 0, Width = 0;
    if (!V.getAsInteger(10, Vertical) && !W.getAsInteger(10, Width) && Vertical && Width > 1)
      return true;
  }
  return false;
}

unsigned numberAfter(StringRef Text, const std::string &Key) {
  size_t At = Text.find(Key);
  unsigned Number = 0;
  if (At != StringRef::npos)
    Text.substr(At + Key.size()).ltrim().consumeInteger(10, Number);
  return Number;
}

} // namespace

Finalized finalize(const std::string &Text, const std::string &Name, const GenTarget &Target,
                   const std::vector<std::string> &Options) {
  Finalized Result;
  // A program that runs with another user's rights does not look where its caller says.
  ErrorOr<std::string> Program =
      secure_getenv("PATH") ? sys::findProgramByName("GenX_IR") : sys::findProgramByName("GenX_IR", {"/usr/bin"});
  if (!Program) {
    Result.Problem =
        "Gen code needs Intel's finalizer GenX_IR, which is not on the PATH: install Debian's package libigc-tools";
    return Result;
  }
  Scratch Folder;
  std::string Input = Folder.file("kernel.visaasm");
  std::error_code Problem;
  if (Folder.Made) {
    raw_fd_ostream Stream(Input, Problem);
    Stream << Text;
    Stream.close();
    if (Stream.has_error())
      Problem = Stream.error(), Stream.clear_error();
  }
  if (!Folder.Made || Problem) {
    Result.Problem = "cannot write to a temporary folder: " + Problem.message();
    return Result;
  }
  std::vector<std::string> Arguments{"kernel.visaasm", "-platform", Target.Platform,
                                     "-output",        "-binary",   "-printregusage"};
  if (repeatsInRows(Text))
    Arguments.push_back("-nolvn");
  if (readsCopiesAside(Text, Target.GrfBytes))
    Arguments.push_back("-nocopyprop");
  for (const std::string &Option : Options) { // one may hold several
    SmallVector<StringRef, 4> Words;
    StringRef(Option).split(Words, ' ', -1, /*KeepEmpty=*/false);
    Arguments.insert(Arguments.end(), Words.begin(), Words.end());
  }
  int Status = runIn(std::string(Folder.Path), *Program, Arguments, Folder.file("messages"));
  if (Status < 0) { // 1.0.12504 crashes on some large kernels for PVC
    Result.Optimized = false;
    Arguments.push_back("-debug");
    Status = runIn(std::string(Folder.Path), *Program, Arguments, Folder.file("messages"));
  }
  std::string Messages = contentsOf(Folder.file("messages"));
  Result.Assembly = contentsOf(Folder.file(std::string(OutputName) + ".asm"));
  std::string Code = contentsOf(Folder.file(std::string(OutputName) + ".dat"));
  Result.Code.assign(Code.begin(), Code.end());

  SmallVector<StringRef, 16> Lines;
  StringRef(Messages).split(Lines, '\n');
  std::string Complaints;
  for (size_t K = 1; K < Lines.size(); ++K) // the first repeats the command
    if (!isHarmless(Lines[K]))
      Complaints += Lines[K].str() + "\n";
  StringRef Assembly = Result.Assembly;
  bool Bad = Assembly.contains("illegal") || Assembly.contains("error decoding") || Assembly.contains("<<error");
  StringRef Endless = gotoItself(Assembly);
  if (Status < 0 || Result.Assembly.empty() || Result.Code.empty() || Bad || !Endless.empty() || !Complaints.empty()) {
    Result.Problem = "the finalizer refuses kernel '" + Name + "' for " + Target.Platform + ": ";
    std::string Reasons = Complaints + contentsOf(Folder.file(std::string(OutputName) + ".errors.txt"));
    if (Reasons.empty() && Status >= 0 && is_contained(Arguments, "-abortonspill"))
      Reasons = "its values do not fit into the registers, and -abortonspill is given";
    Result.Problem += Reasons;
    if (Status < 0)
      Result.Problem += "it crashed, or took longer than " + std::to_string(MostSeconds) + " s";
    if (!Endless.empty())
      Result.Problem += "a branch to itself, '" + Endless.trim().str() + "'";
    if (Bad)
      Result.Problem += "instructions that " + std::string(Target.Platform) + " does not have";
    return Result;
  }
  Result.Instructions = numberAfter(Assembly, "//.instCount");
  Result.Registers = numberAfter(Messages, "Kernel " + Name + " :");
  Result.SpillBytes = numberAfter(Assembly, "//.spill size");
  return Result;
}

} // namespace pocm::gen
