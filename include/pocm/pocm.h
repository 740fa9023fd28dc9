//===- pocm/pocm.h - PoCM for embedders: compile, program, device, queue -----===//
//
// The public C++ API on a page; tools find more in passes.h, gen.h, report.h and profile.h
// beside it. Everything here throws pocm::Error with one clear line when it cannot do what
// was asked, except compile(), whose diagnostics are a value.
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

/// A file that a source is made of.
struct SourceFile {
  std::string path;
  bool system = false; ///< From a folder of -isystem.
};

struct CompileResult {
  bool ok = false;
  std::string diagnostics;           ///< Clang-style text: errors, warnings, carets. May be non-empty when ok.
  std::vector<std::uint8_t> program; ///< The program file (.isa), when ok.
  std::string ir;                    ///< CM IR as text, when ok.
  std::vector<SourceFile> files;     ///< The source and what it includes, in order; without the language's own headers.
};

/// Compiles CM source, or CM IR as text when the name ends with .ll, to a program. Never throws for bad source.
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
/// What PoCM's libraries reach the inside of these objects with (program/Inside.h).
struct Inside;

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

private:
  friend struct Inside;
  Program() = default;
  std::shared_ptr<const program::Container> inner;
};

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

private:
  friend struct Inside;
  std::shared_ptr<runtime::Memory> inner;
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

private:
  friend struct Inside;
  std::shared_ptr<runtime::Memory> inner;
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
  /// For a surface, or for a parameter of 8 bytes that is an address (svmptr_t, a pointer): the buffer's first byte.
  void setArgument(unsigned index, const Buffer &buffer);
  void setArgument(unsigned index, const Image &image);
  /// A vector<SurfaceIndex, N>: N buffers or images.
  void setArgument(unsigned index, std::span<const Buffer> buffers);
  void setArgument(unsigned index, std::span<const Image> images);
  void setArgument(unsigned index, const Sampler &sampler);

private:
  friend struct Inside;
  std::shared_ptr<runtime::Kernel> inner;
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

private:
  friend struct Inside;
  std::shared_ptr<runtime::Event> inner;
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
  unsigned threads = 0; ///< Host threads that execute; 0: CM_RT_PARALLEL_THREADS, else one per core it may run on.
  /// Option "cpu" of the devices cpu and check: LLVM name of the CPU to generate code for; empty: POCM_CPU, else this
  /// machine's.
  std::string cpu;
  /// Option "order" of the devices cpu and check: "serial", "reverse" or "random[:SEED]": threads (or groups) one by
  /// one in that order, as far as their dependencies allow, to find programs that rely on another order. Empty:
  /// POCM_ORDER, else all host threads.
  std::string order = {};
  /// Seconds that a launch may run; then it is ended and fails. 0: POCM_TIMEOUT, else no limit.
  double timeout = 0;
  bool progress = false; ///< Count the threads that are done, for Event::progress().
  /// Other options of the device's own, by name; they may also stand behind its name ("check:stop,json=found.json").
  /// A device refuses what it does not have.
  std::map<std::string, std::string> own = {};
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
  /// Opens a device by its name ("cpu"), with a variant and options of its own behind it where it has such
  /// ("gensim:skl", "cpu:cpu=haswell,order=reverse"). Throws Error with those there are.
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

private:
  friend struct Inside;
  std::shared_ptr<runtime::Context> inner;
};

} // namespace pocm
