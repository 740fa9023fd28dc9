//===- Context.h - A device with its queue, and kernels bound to it -----------===//
#pragma once

#include "runtime/Device.h"
#include "runtime/Queue.h"
#include <map>
#include <mutex>

namespace pocm::runtime {

/// A kernel with the arguments set so far. One thread at a time.
class Kernel {
public:
  /// `data` holds the program's __global variables; null when it has none.
  Kernel(std::shared_ptr<const program::Container> program, const KernelSignature &signature, Device &device,
         std::shared_ptr<Memory> data);

  const KernelSignature &signature() const { return *description; }
  /// Copies a value. Throws Error naming the kernel, the argument and the rule.
  void setValue(unsigned index, const void *value, std::size_t bytes);
  /// Null is the null surface: reads give zeros, writes are dropped. As many as the parameter has.
  void setSurfaces(unsigned index, std::span<const std::shared_ptr<Memory>> memories);
  void setSurface(unsigned index, std::shared_ptr<Memory> memory) { setSurfaces(index, {&memory, 1}); }
  /// Whether the parameter is a value that may be an address.
  bool takesAddress(unsigned index) const;
  /// The address of memory, which is used by launches like a surface.
  void setAddress(unsigned index, std::shared_ptr<Memory> memory);
  void setSampler(unsigned index, const Sampler &sampler);
  /// Kernels name these slots by number. What an argument has there moves elsewhere.
  /// Throws Error when there are not so many slots.
  void pinSurface(std::uint32_t slot, std::shared_ptr<Memory> memory);
  void pinSampler(std::uint32_t slot, const Sampler &sampler);
  static constexpr std::uint32_t firstSurface = 8; ///< Of the slots that arguments get, as on Gen9 and later.
  static constexpr std::uint32_t samplerSlots = 16;
  /// The argument is set for each thread of a launch (Launch::blocks); `offset` is its place in a block.
  void setByThread(unsigned index) { set[index] = true; }
  std::uint32_t offset(unsigned index) const { return layout.offsets[index]; }
  const std::shared_ptr<const Code> &compiled() const { return code; }
  /// Number of arguments that have no value yet.
  unsigned missing() const;
  /// The arguments as they are now, for one launch.
  Launch capture() const;

private:
  const Parameter &parameter(unsigned index) const;

  std::shared_ptr<const program::Container> program;
  const KernelSignature *description;
  std::shared_ptr<const Code> code;
  const ArgumentLayout &layout; // the code's
  /// As they are now; launches that have captured them share them, and changes are made to a copy then.
  std::shared_ptr<Bindings> bindings = std::make_shared<Bindings>();
  mutable std::atomic<bool> captured = false;
  Bindings &change();
  void place(Bindings &in, unsigned index) const;

  std::vector<std::uint32_t> firstSlot; // of each parameter
  std::vector<bool> set;
  std::shared_ptr<Memory> data;
  std::uint32_t slotCount; // of the device
  void checkSlots(std::size_t slots) const;
};

/// A device and the queue that feeds it.
class Context {
public:
  const bool countsThreads; ///< DeviceOptions::progress.
  /// Whether the process was forked since it was opened: nobody works here, and locks may be held for ever.
  bool lost() const { return born != generation(); }
  Context(std::string_view deviceName, const DeviceOptions &options);
  /// Waits for work that is not done, but not for long: what then is not done is ended. In a handler of a signal that
  /// has interrupted such work, which then cannot end, all that it needs is left as it is.
  ~Context();

  std::shared_ptr<Kernel> createKernel(std::shared_ptr<const program::Container> program,
                                       const KernelSignature &signature);
  /// Another lane for tasks: those that have nothing in common with earlier ones of other lanes need not wait for them.
  unsigned addLane() { return queue->addLane(); }
  /// Queues launches that run one after another as one task. Throws Error when an argument is missing.
  std::shared_ptr<Event> enqueue(std::vector<Launch> launches, unsigned lane = 0);
  /// Work of the host's own, such as a copy, and what it touches.
  struct HostWork {
    std::function<void()> work;
    std::vector<std::shared_ptr<Memory>> memories;
    std::vector<AddressRange> host = {}; ///< Memory of the host's.
    std::shared_ptr<Event> after = {};   ///< It waits for this one; null for none.
  };
  std::shared_ptr<Event> enqueue(HostWork work, unsigned lane = 0);
  /// Does work of the host's own at once, whatever the queue does. Throws Error when it faults.
  void runHere(const std::function<void()> &work, bool brief = false) { device->runHostWork(work, brief); }
  /// The device's memory.
  Heap &heap() { return *device; }
  /// Waits for everything enqueued so far.
  void finish() { queue->finish(); }
  /// What the device has found in kernels so far.
  std::vector<Finding> findings() const { return device->findings(); }
  /// Of launches of the kernel that run from here on, until endProfile().
  void startProfile(const Kernel &kernel) { device->startProfile(kernel.compiled()); }
  Profile endProfile() { return device->endProfile(); }
  Work work() const { return device->work(); }
  /// Takes no more work. What is not done by then is ended and fails with this reason. Any thread.
  void close(std::chrono::steady_clock::time_point then, std::string_view reason);
  /// How long close() usually lets work go on.
  static constexpr std::chrono::milliseconds patience{1000};
  /// Ends a task: one that runs is finished on return, one that waits for its turn will not begin. It has failed with
  /// this reason, unless it was faster.
  void end(Event &task, std::string_view reason);

private:
  std::shared_ptr<Memory> dataOf(const std::shared_ptr<const program::Container> &program);

  const unsigned born = generation();
  std::unique_ptr<Device> device; // outlives the queue
  std::unique_ptr<Queue> queue;
  /// Ends tasks that run for too long, where there is a limit.
  struct Watch {
    ~Watch();
    void watch(const Queue &queue, Device &device);
    std::chrono::milliseconds limit{0};
    std::string reason; ///< Why what exceeds it has failed.
    std::mutex lock;
    std::condition_variable wake;
    bool stop = false;
    OwnThread thread;
  };
  std::unique_ptr<Watch> watching;
  std::mutex lock; // guards `data`
  /// The __global variables of each program that is still there.
  std::map<std::weak_ptr<const program::Container>, std::shared_ptr<Memory>, std::owner_less<>> data;
};

} // namespace pocm::runtime
