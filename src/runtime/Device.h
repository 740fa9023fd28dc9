//===- Device.h - A place where kernels run -----------------------------------===//
//
// The border between what all devices share and each of them. The runtime has checked
// the arguments and ordered the work; a device only executes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/profile.h"
#include "runtime/Memory.h"
#include "runtime/Order.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>

namespace pocm::runtime {

/// Byte offset of each argument in a block, and the block's size.
struct ArgumentLayout {
  std::vector<std::uint32_t> offsets;
  std::uint32_t bytes = 0;
};

/// A kernel made ready for one device.
class Code {
public:
  virtual ~Code() = default;
  /// The kernel's name.
  virtual std::string_view name() const = 0;
  /// Where a launch's block of arguments has them for this code.
  virtual const ArgumentLayout &arguments() const = 0;
  /// Whether the kernel prints.
  virtual bool prints() const = 0;
  /// Whether a thread is done in well below a millisecond whatever its arguments: it has no loops that could go on.
  virtual bool endsSoon() const { return false; }
  /// Whether it may reach memory besides its surfaces and variables, by address; or that is not known, or the device
  /// cannot run several launches at once.
  virtual bool reachesByAddress() const { return true; }
};

/// Threads (x, y) with x0 <= x < x1 and y0 <= y < y1.
struct Rectangle {
  std::uint32_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  std::uint64_t threads() const { return std::uint64_t(x1 - x0) * (y1 - y0); }
};

/// Thread groups: how many of them and how many threads each has, by dimension.
struct Grid {
  std::uint32_t groups[3] = {1, 1, 1}, threads[3] = {1, 1, 1};
  std::uint64_t groupCount() const { return std::uint64_t(groups[0]) * groups[1] * groups[2]; }
  std::uint64_t threadCount() const { return groupCount() * threads[0] * threads[1] * threads[2]; }
  /// Threads in a dimension.
  std::uint64_t side(int d) const { return std::uint64_t(groups[d]) * threads[d]; }
};

/// How far a launch has got: threads that are done. Written by the host threads that run it.
struct Progress {
  std::atomic<std::uint64_t> done = 0;
  std::uint64_t all = 0;
};

/// The arguments of a kernel.
struct Bindings {
  std::vector<std::uint8_t> block;               ///< Values; a surface is its slot, u32.
  std::vector<std::shared_ptr<Memory>> surfaces; ///< By slot; 0 is the null surface and always empty.
  std::vector<std::shared_ptr<Memory>> reached;  ///< Memory whose address is an argument, where the runtime knows it.
  std::vector<Sampler> samplers;                 ///< By number; the first are those of slots that the host has pinned.
};

/// The arguments of threads that have some of their own: a block for each.
struct ThreadBlocks {
  ThreadBlocks(const std::vector<std::uint8_t> &block, std::size_t count)
      : blockBytes((block.size() + align - 1) / align * align), bytes(blockBytes * count) {
    for (std::size_t n = 0; n < count; ++n)
      std::copy(block.begin(), block.end(), at(n));
  }
  std::uint8_t *at(std::size_t thread) { return bytes.data() + thread * blockBytes; }
  const std::uint8_t *at(std::size_t thread) const { return bytes.data() + thread * blockBytes; }
  std::size_t count() const { return bytes.size() / blockBytes; }

private:
  static constexpr std::size_t align = 16;
  std::size_t blockBytes;
  std::vector<std::uint8_t> bytes;
};

/// What a launch hands to a device: captured when it was enqueued, immutable since.
struct Launch {
  std::shared_ptr<const Code> code;
  std::shared_ptr<const Bindings> bindings;
  std::vector<Rectangle> threads;     ///< Every thread a group of its own; empty when there is a grid.
  std::shared_ptr<const Order> order; ///< Instead of rectangles: threads listed one by one.
  /// Of listed threads, by ListedThread::block; null when all have the block of the bindings.
  std::shared_ptr<const ThreadBlocks> blocks;
  std::optional<Grid> grid;
  std::shared_ptr<Memory> print;      ///< Where printf goes; without it, nowhere.
  std::shared_ptr<Memory> data;       ///< The program's __global variables; null when it has none.
  std::shared_ptr<Progress> progress; ///< Null where nobody asks.

  /// Asked before the launch runs; false ends the task: neither it nor what follows runs. Empty: it runs.
  std::function<bool()> condition;
  std::shared_ptr<Memory> conditionOn; ///< What the condition reads.

  std::uint64_t threadCount() const {
    std::uint64_t n = grid ? grid->threadCount() : order ? order->threadCount() : 0;
    for (const Rectangle &r : threads)
      n += r.threads();
    return n;
  }
};

/// What kernels are made of; the same one for all kernels of a program.
using SharedProgram = std::shared_ptr<const program::Container>;

/// Its memory is that of Heap, unless it has some of its own.
class Device : public Heap {
public:
  /// Makes `kernel` ready; may compile. Any thread. Throws Error.
  virtual std::shared_ptr<const Code> load(const SharedProgram &program, const KernelSignature &kernel) = 0;
  /// Slots of surfaces that a launch may use, those that arguments do not get included.
  virtual std::uint32_t surfaceSlots() const = 0;
  /// Runs every thread of the launch; on return all stores are visible to the host. Any thread, several at once.
  /// Throws Error when a thread faults, when threads of a group wait for each other for ever, or soon after `ended` has
  /// become true and interrupt() was called; the launch is then incomplete.
  virtual void run(const Launch &launch, const std::atomic<bool> &ended) = 0;
  /// Brings host threads out of the launch that was given `ended`, which is true. Called again and again until run()
  /// has returned. Any thread.
  virtual void interrupt(const std::atomic<bool> &ended) = 0;
  /// Whether run() of this launch can be left in the middle, when it was called on a fiber.
  virtual bool canHandOver(const Launch &) const { return false; }
  /// Brings the host thread that runs the launch with `ended` to leave its fiber. Called again and again until it has,
  /// or run() has returned. Any thread.
  virtual void handOver(const std::atomic<bool> &) {}
  /// Does work of the host's own on memories, such as a copy, in the queue's turn. Throws Error when it faults, where
  /// the device can tell. `brief`: it takes so little time that what telling costs is felt; a host thread that blocks
  /// the signals of faults then ends the process. Any thread.
  virtual void runHostWork(const std::function<void()> &work, [[maybe_unused]] bool brief) { work(); }
  /// Mistakes that were found in kernels that ran, where the device looks for them. Any thread.
  virtual std::vector<Finding> findings() const { return {}; }
  /// From here on samples launches of this code, until endProfile(). Any thread. Throws Error where there are no
  /// profiles.
  virtual void startProfile(std::shared_ptr<const Code>) { throw Error("profiles are of the cpu device"); }
  virtual Profile endProfile() { return {}; }
  /// What launches did, where the device counts it. Any thread.
  virtual Work work() const { return {}; }
};

/// Opens a device of Devices.def by its name, "cpu", with a variant and options of its own behind it: "gensim:icllp",
/// "check:stop,json=found.json". Throws Error with the names there are. (src/devices/Registry.cpp)
std::unique_ptr<Device> openDevice(std::string_view name, const DeviceOptions &options);
std::vector<std::string> deviceNames();

} // namespace pocm::runtime
