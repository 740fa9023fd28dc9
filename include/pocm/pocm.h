//===- pocm/pocm.h - PoCM for embedders: compile, program, device, queue -----===//
//
// The whole public C++ API on a page. Everything here throws pocm::Error with one clear
// line when it cannot do what was asked, except compile(), whose diagnostics are a value.
//
//     auto built = pocm::compile({.file = "linear_genx.cpp"});
//     auto program = pocm::Program::load(built.program);
//     auto device = pocm::Device::open("cpu");
//     auto in = device.createImage(w, h, 4), out = device.createImage(w, h, 4);
//     in.write(pixels, w * 4);
//     auto kernel = device.createKernel(program, "linear");
//     kernel.setArgument(0, in);
//     kernel.setArgument(1, out);
//     device.enqueue(kernel, {threadsX, threadsY}).wait();
//     out.read(pixels, w * 4);
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#define POCM_API __attribute__((visibility("default")))

namespace pocm {

/// Version of PoCM, as `cmc --version` prints it.
POCM_API const char *version();

/// A request that cannot be met; what() is one line that names the object, the value and the rule.
class POCM_API Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

//===- Compile (library pocm-compiler) --------------------------------------===//

struct CompileOptions {
  std::string file;                        ///< Path of the source; also its name in diagnostics.
  std::optional<std::string> source;       ///< Text to compile instead of reading `file`.
  std::vector<std::string> includes;       ///< -I folders.
  std::vector<std::string> defines;        ///< NAME or NAME=VALUE.
  std::string headers;                     ///< The language's headers in parsed form; empty: those of the disk cache.
  std::vector<std::string> disabledPasses; ///< Names of middle-end passes to leave out.
  std::string target = "cpu";              ///< What the source is compiled for: one of targets(), or another spelling.
  std::string revision;                    ///< Stepping of the target, CM_GENX_REVID; empty: the target's usual one.
  unsigned registers = 128;        ///< Of a thread: 128 or 256. Objects must be smaller on targets that have them.
  unsigned slmKilobytes = 0;       ///< Limit of shared local memory; 0: the target's.
  bool initializedGlobals = false; ///< Allow initialisers of file-scope variables.
  unsigned optimization = 2;       ///< 0 to 3.
  bool assertions = false;         ///< cm_assert counts.
  bool debugInfo = false;          ///< Keep debug information, and notes of variables and loops for reports.
  bool keepLines = false;          ///< Keep source lines only.
  bool keepUnwritten = false;      ///< Variables that nobody has written stay what they are, for the check device.
  bool color = false;              ///< Colour the diagnostics for a terminal.
  bool verifyEachPass = false;     ///< Check the IR after each pass.
  std::ostream *changes = nullptr; ///< Gets the IR after each pass that changed it.
  std::vector<std::string> clangOptions; ///< For Clang's front end, as `clang -cc1` takes them: -Wall, -w, ...
};

struct CompileResult {
  bool ok = false;
  std::string diagnostics;           ///< Clang-style text: errors, warnings, carets. May be non-empty when ok.
  std::vector<std::uint8_t> program; ///< The program file (.isa), when ok.
  std::string ir;                    ///< CM IR as text, when ok.
};

/// Compiles CM source to a program. Never throws for bad source.
POCM_API CompileResult compile(const CompileOptions &options);

/// The program without what debugInfo and keepLines keep.
POCM_API std::vector<std::uint8_t> withoutDebugInfo(const std::vector<std::uint8_t> &program);

/// Names of the targets whose language features the compiler knows, "cpu" first.
POCM_API std::vector<std::string> targets();
/// Whether this is the name of a target, its number (1280), an IP version (12.60) or a PCI id.
POCM_API bool isTarget(const std::string &name);
/// The target's name among targets(), for any of its names; empty for what is none.
POCM_API std::string targetNamed(const std::string &name);

/// Every public name of the language, a line each: kind, name, header, line of it, form, with tabs between them.
POCM_API std::string languageNames();

struct PassInfo {
  std::string name, description;
};
/// Which of a list of passes run: up to and including `last` (all when it is empty), without those that are disabled.
struct PassChoice {
  std::string last;
  std::vector<std::string> disabled;
  bool verifyEach = false;         ///< Check the IR after each of them.
  std::ostream *changes = nullptr; ///< Gets the IR after each that changed it.
};
/// The middle end's passes, in order.
POCM_API std::vector<PassInfo> passes();

/// Parses CM IR text, runs the named passes (PoCM's, or LLVM pipeline text), returns the resulting text. `changes` gets
/// the IR after each pass that changed it.
POCM_API std::string runPasses(std::string_view irText, std::string_view inputName,
                               const std::vector<std::string> &passNames, std::ostream *changes = nullptr);

//===- Program --------------------------------------------------------------===//

enum class ParameterKind : std::uint8_t { General = 0, Sampler = 1, Surface = 2 };
/// Which surfaces a kernel uses a parameter for, where only one kind will do and the compiler sees it.
enum class SurfaceUse : std::uint8_t { Any = 0, Buffer = 1, Image = 2 };

/// A kernel parameter: `count` elements of type `element` ("float", "uchar", ...), or that many surfaces.
struct Parameter {
  ParameterKind kind = ParameterKind::General;
  std::string element;
  std::uint32_t count = 1;
  std::uint32_t bytes = 0; ///< Size in the argument block; 4 for a surface.
  SurfaceUse use = SurfaceUse::Any;
};

struct KernelSignature {
  std::string name;
  std::vector<Parameter> parameters;
};

namespace program {
struct Container;
}

/// A loaded program file; shared and immutable.
class POCM_API Program {
public:
  /// Parses a program file. Throws Error when it is truncated, corrupt or foreign, and says which.
  static Program load(std::span<const std::uint8_t> file);
  const std::vector<KernelSignature> &kernels() const;
  /// The kernel of this name. Throws Error with the names there are.
  const KernelSignature &kernel(std::string_view name) const;
  /// The program with values for specialisation constants by id (cm_spec_constant), as text: "16", "0x10", "-1.5".
  /// Others keep their defaults. Throws Error for an id that the program does not have and a text that is no value of
  /// its type.
  Program specialized(const std::map<unsigned, std::string> &values) const;

  explicit Program(std::shared_ptr<const program::Container> container) : container(std::move(container)) {}
  std::shared_ptr<const program::Container> container;
};

/// The code that the cpu device would run for a kernel, as assembly or as the LLVM IR that it is made from. `cpu` is
/// LLVM's name of any CPU; empty means this machine's.
/// With a choice of passes that ends early it is the IR that the last one leaves.
POCM_API std::string cpuCode(const Program &program, std::string_view kernel, const std::string &cpu, bool assembly,
                             const PassChoice &passes = {});
/// The passes from CM IR to code of a CPU, in order.
POCM_API std::vector<PassInfo> cpuPasses();
/// Like runPasses, with those among the names, on each function of the text.
POCM_API std::string runCpuPasses(std::string_view irText, std::string_view inputName, const std::string &cpu,
                                  const std::vector<std::string> &passNames, std::ostream *changes = nullptr);

//===- Gen code --------------------------------------------------------------===//

/// An argument's place in the register file when a thread starts.
struct GenInput {
  std::uint32_t kind = 0;   ///< 0 general, 1 sampler, 2 surface; 8, 16, 24: group size, group count, local id;
                            ///< 32: the address of the program's __global variables.
  std::uint32_t offset = 0; ///< In bytes from r0.
  std::uint32_t size = 0;   ///< In bytes.

  // Of a surface or sampler in a Level Zero program, where its number is fixed:
  std::uint32_t bindingIndex = 0;
  bool image = false;   ///< Read or written by rows and columns.
  bool sampled = false; ///< Read through a sampler.
};

/// Where a line of vISA text comes from, and how full the registers are there.
struct GenLine {
  std::uint32_t file = 0;      ///< Index in GenKernel::files.
  std::uint32_t line = 0;      ///< Of the source; 0: unknown.
  std::uint32_t liveBytes = 0; ///< Of variables that hold something needed later.
};

/// A variable of the source in a kernel, functions inlined into it included.
struct GenVariable {
  std::string name, type, file;
  std::uint32_t line = 0, bytes = 0;
  std::string place; ///< "registers", "registers, indexed", "scratch memory", "shared local memory", "argument".
  std::string rule;  ///< Which one decided that.
  std::vector<std::uint32_t> indexedLines; ///< Where elements are chosen at run time.
  std::vector<std::uint32_t> directLines;  ///< Where the source does that and the code does not, unrolled.
};

/// Something about a line of the source: a loop that was unrolled, an access that costs.
struct GenRemark {
  std::string file;
  std::uint32_t line = 0;
  std::string text;
};

/// A kernel compiled for a Gen target.
struct GenKernel {
  std::string name;
  std::vector<GenInput> inputs; ///< Implicit ones first, then the kernel's parameters in order.
  std::uint32_t slmBytes = 0;   ///< Shared local memory of a group.
  bool hasBarrier = false;
  std::uint32_t instructions = 0;                      ///< In the code.
  std::uint32_t registers = 0;                         ///< That the code uses.
  std::uint32_t registersThere = 0, registerBytes = 0; ///< Of a thread; the size of one. Not kept in program files.
  std::uint32_t frameBytes = 0;   ///< Of a thread's variables in scratch memory, from its beginning on.
  std::uint32_t spillBytes = 0;   ///< Of a thread's registers in scratch memory, behind them.
  bool optimized = true;          ///< False when the finalizer only got through without its optimizations.
  std::vector<std::uint8_t> code; ///< The instructions.
  std::string visa;               ///< vISA assembly. Not kept in program files.
  std::string assembly;           ///< Gen assembly, as the finalizer prints it. Not kept in program files.

  // Of programs compiled with debug information, for reports. Not kept in program files.
  std::vector<std::string> files;
  std::vector<GenLine> lines; ///< A line of `visa` each. Comments "$N" of the assembly count from visaStart.
  std::uint32_t visaStart = 0;
  std::vector<GenVariable> variables; ///< Takes CompileOptions::debugInfo.
  std::vector<GenRemark> loops;       ///< Takes CompileOptions::debugInfo.
  std::vector<GenRemark> remarks;     ///< What costs time; takes lines.
  std::vector<GenRemark> spills;      ///< Where registers go to scratch memory and come back, most of it first.
};

struct GenOptions {
  bool finalize = true;                    ///< false: vISA only, which needs no finalizer.
  std::vector<std::string> disabledPasses; ///< Names of passes of the Gen middle end to leave out.
  std::vector<std::string> finalizer;      ///< Options for the finalizer.
  unsigned registers = 128;                ///< Of a thread: 256 on targets that have them, else 128 in any case.
  std::uint32_t spillLimit = 2 << 20;      ///< Bytes of a thread's variables and registers in scratch memory.
  bool check = false;                      ///< Have a second reader check the vISA text.
  bool verifyEachPass = false;             ///< Check the IR after each pass, not after the last one alone.
  std::ostream *changes = nullptr;         ///< Gets the IR after each pass that changed it.
  bool levelZero = false;                  ///< Arguments lie as Level Zero has them, threads of a space are groups.
};

/// Whether Gen code is made for a target of this name.
POCM_API bool isGenTarget(const std::string &name);

/// Gen code of all kernels of a program, in its order. Throws Error: what a kernel uses that the target has not, what
/// the finalizer refuses, or that there is no finalizer (GenX_IR) on the PATH.
POCM_API std::vector<GenKernel> genCode(const std::vector<std::uint8_t> &program, const std::string &target,
                                        const GenOptions &options = {});

/// A Level Zero program ("zebin") of kernels that genCode has made with GenOptions::levelZero. Throws Error when the
/// target is none that Gen code is made for.
POCM_API std::vector<std::uint8_t> levelZeroProgram(const std::vector<GenKernel> &kernels, const std::string &target);

/// A program as SPIR-V for OpenCL, as Intel's vector compiler takes it (`ocloc compile -spirv_input -options
/// "-vc-codegen"`): the public dialect's operations are imported functions. Throws Error for what that cannot say.
POCM_API std::vector<std::uint8_t> openClProgram(const std::vector<std::uint8_t> &program);

/// The program file with that code in it, instead of what it held for the target (its name as genCode takes it).
POCM_API std::vector<std::uint8_t> addGenCode(const std::vector<std::uint8_t> &program, const std::string &target,
                                              const std::vector<GenKernel> &kernels);
/// The code that a program holds for a target; nothing when it has none.
POCM_API std::vector<GenKernel> genKernels(const Program &program, const std::string &target);

/// The program with its CM IR as the Gen middle end leaves it after the pass `last` (all passes when it is empty),
/// without those that are disabled: still a program for any device, which does the same.
POCM_API std::vector<std::uint8_t> afterGenPasses(const std::vector<std::uint8_t> &program, const std::string &target,
                                                  const std::string &last,
                                                  const std::vector<std::string> &disabled = {},
                                                  std::ostream *changes = nullptr);
/// Names of the Gen middle end's passes, in order.
POCM_API std::vector<PassInfo> genPasses();
/// Like runPasses, with the Gen middle end's passes for a target among the names.
POCM_API std::string runGenPasses(std::string_view irText, std::string_view inputName, const std::string &target,
                                  const std::vector<std::string> &passNames, std::ostream *changes = nullptr);

//===- Device ---------------------------------------------------------------===//

namespace runtime {
class Context;
class Memory;
class Kernel;
class Event;
class PrintBuffer;
struct Progress;
} // namespace runtime

/// Linear memory on a device: `bytes` bytes, zero at first.
class POCM_API Buffer {
public:
  std::size_t bytes() const;
  void read(void *to, std::size_t bytes, std::size_t offset = 0) const;
  void write(const void *from, std::size_t bytes, std::size_t offset = 0);
  std::shared_ptr<runtime::Memory> memory;
};

/// A 2D surface of width x height pixels of `bytesPerPixel` bytes, zero at first.
class POCM_API Image {
public:
  std::uint32_t width() const;
  std::uint32_t height() const;
  std::uint32_t bytesPerPixel() const;
  /// Copies all rows, `stride` bytes apart in the caller's memory.
  void read(void *to, std::size_t stride) const;
  void write(const void *from, std::size_t stride);
  std::shared_ptr<runtime::Memory> memory;
};

/// How a sampler reads an image.
struct Sampler {
  enum class Filter : std::uint8_t { Nearest, Linear };
  enum class Address : std::uint8_t { Wrap, Mirror, Clamp, Border, MirrorOnce };
  Filter filter = Filter::Nearest;
  Address u = Address::Clamp, v = Address::Clamp, w = Address::Clamp;
  float border[4] = {}; ///< What lies beyond the edge with Address::Border: red, green, blue, alpha.
};

/// A kernel with its arguments. Arguments are captured at each enqueue.
class POCM_API Kernel {
public:
  const KernelSignature &signature() const;
  void setArgument(unsigned index, const void *value, std::size_t bytes);
  void setArgument(unsigned index, const Buffer &buffer);
  void setArgument(unsigned index, const Image &image);
  /// A vector<SurfaceIndex, N>: N buffers or images.
  void setArgument(unsigned index, std::span<const Buffer> buffers);
  void setArgument(unsigned index, std::span<const Image> images);
  void setArgument(unsigned index, const Sampler &sampler);
  std::shared_ptr<runtime::Kernel> kernel;
};

/// A launch on its way.
class POCM_API Event {
public:
  /// Waits until it has finished, then writes what it printed to standard output. Throws Error when it failed.
  void wait() const;
  bool finished() const;
  /// How much of its threads is done, from 0 to 1. Stays at 0 until it has finished on devices that do not count them
  /// (gensim) or were not asked to (DeviceOptions::progress).
  double progress() const;
  /// The launch fails with this reason unless it finishes first; when it runs, it has ended on return.
  void end(std::string_view reason) const;
  /// Execution time of the launch in nanoseconds; throws Error before it has finished.
  std::uint64_t nanoseconds() const;
  std::shared_ptr<runtime::Event> event;
  std::shared_ptr<runtime::PrintBuffer> output; ///< Null when the kernel does not print.
  std::weak_ptr<runtime::Context> context;
  std::shared_ptr<const runtime::Progress> threads;
};

/// Bytes of a pixel of a surface format, by its name in cm_rt.h without the prefix ("A8R8G8B8"); 0 when unknown.
POCM_API unsigned formatBytes(std::string_view name);
/// All known names, in a fixed order.
POCM_API std::vector<std::string> formatNames();

struct ThreadSpace {
  std::uint32_t width = 1, height = 1;
};

/// Thread groups, which share local memory and barriers: how many of them, and threads of each, in x, y and z.
struct ThreadGroups {
  std::uint32_t groups[3] = {1, 1, 1};
  std::uint32_t threads[3] = {1, 1, 1};
};

struct DeviceOptions {
  unsigned threads = 0; ///< Host threads that execute; 0: CM_RT_PARALLEL_THREADS, else one per core.
  std::string cpu;      ///< LLVM name of the CPU to generate code for; empty: POCM_CPU, else this machine's.
  /// "serial", "reverse" or "random[:SEED]": threads (or groups) one by one in that order, as far as their dependencies
  /// allow, to find programs that rely on another order. Empty: POCM_ORDER, else all host threads.
  std::string order = {};
  /// Seconds that a launch may run; then it is ended and fails. 0: POCM_TIMEOUT, else no limit.
  double timeout = 0;
  bool progress = false; ///< Count the threads that are done, for Event::progress().
};

/// A mistake that a checking device has found in a kernel.
struct Finding {
  std::string kind; ///< "beyond-surface", "race", ...: the list is in docs/check.md.
  std::string file; ///< Of the source; empty when the program has no debug information.
  unsigned line = 0, column = 0;
  std::string message;        ///< What is wrong, in words.
  std::string kernel, thread; ///< Where it happened first; `thread` in words.
  std::uint32_t x = 0, y = 0; ///< Of the thread.
  std::string surface;        ///< The argument's name, in quotes; empty where it is about none.
  std::int64_t offset = 0;    ///< Bytes; the x of a block or pixel.
  std::uint64_t bytes = 0;    ///< Of the access.
  std::uint64_t count = 1;    ///< How often it happened.
};

class POCM_API Device {
public:
  /// Opens a device by the name of Devices.def ("cpu").
  static Device open(std::string_view name, const DeviceOptions &options = {});
  /// Names of all devices.
  static std::vector<std::string> names();

  Buffer createBuffer(std::size_t bytes);
  Image createImage(std::uint32_t width, std::uint32_t height, std::uint32_t bytesPerPixel);
  /// An image of a format by its name in cm_rt.h without the prefix; typed and sampler reads convert by it. The chroma
  /// plane of NV12, P010 and P016 is height / 2 rows more in read and write.
  Image createImage(std::uint32_t width, std::uint32_t height, std::string_view format);
  /// Makes a kernel ready to run; compiles it for the device unless the disk cache has it.
  Kernel createKernel(const Program &program, std::string_view name);
  /// Queues a launch of space.width x space.height CM threads and returns at once.
  Event enqueue(const Kernel &kernel, ThreadSpace space);
  /// The same of one of its threads only, to look at it in a debugger.
  Event enqueueThread(const Kernel &kernel, std::uint32_t x, std::uint32_t y);
  /// Queues a launch of thread groups and returns at once.
  Event enqueueGroups(const Kernel &kernel, const ThreadGroups &groups);
  /// What a checking device ("check") has found in launches that have finished; always empty on other devices.
  std::vector<Finding> findings() const;

  std::shared_ptr<runtime::Context> context;
};

} // namespace pocm
