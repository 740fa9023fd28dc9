//===- Kernel.h - CmKernel, CmTask ------------------------------------------------===//
#pragma once

#include "cmrt/Surfaces.h"
#include "cmrt/ThreadSpace.h"
#include "program/Container.h"
#include "program/KernelInterface.h"
#include "runtime/Context.h"
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace pocm::cmrt {

class Device;

/// Only forward-declared for applications: a pointer to it is all they have.
struct GroupSpace {
  runtime::Grid grid;
};

/// A sampler's state, and the handle that applications pass to kernels: its number is the state's.
class Sampler final : public CmSampler {
public:
  explicit Sampler(SamplerIndex *index) : index(index) {}
  INT GetIndex(SamplerIndex *&pIndex) override {
    pIndex = index;
    return CM_SUCCESS;
  }
  UINT number() { return index->get_data(); }

private:
  SamplerIndex *const index; // the table's
};

/// States of the samplers that live, by number, and the objects that applications hold, which stay. Any thread.
class SamplerTable {
public:
  static constexpr UINT count = 512;
  /// 0 when the table is full.
  UINT add(const pocm::Sampler &state);
  std::optional<pocm::Sampler> find(UINT number) const;
  void remove(UINT number);
  SamplerIndex *handle(UINT number);

private:
  mutable std::mutex lock;
  std::map<UINT, std::unique_ptr<SamplerIndex>> handles;      // by number
  std::array<std::optional<pocm::Sampler>, count + 1> states; // from 1 on
};

/// A program image; kernels keep it alive by sharing the container.
struct ProgramObject {
  std::shared_ptr<const program::Container> container;
};

/// Any thread: setters and launches of several host threads come one after another.
class Kernel final : public CmKernel {
public:
  Kernel(Device &device, std::shared_ptr<const program::Container> program, const KernelSignature &signature);
  static constexpr size_t mostSurfaces = pocm::SamplerSurface; ///< Slots of a launch: reserved ones follow.

  INT SetThreadCount(UINT count) override;
  INT SetKernelArg(UINT index, size_t size, const void *value) override;
  INT SetThreadArg(UINT thread, UINT index, size_t size, const void *value) override;
  INT AssociateThreadSpace(CmThreadSpace *&space) override;
  INT DeAssociateThreadSpace(CmThreadSpace *&space) override;
  INT AssociateThreadGroupSpace(CmThreadGroupSpace *&space) override;
  INT DeAssociateThreadGroupSpace(CmThreadGroupSpace *&space) override;

  INT SetStaticBuffer(UINT slot, const void *surface) override;
  INT SetSurfaceBTI(SurfaceIndex *surface, UINT slot) override;
  INT SetSamplerBTI(SamplerIndex *sampler, UINT slot) override;
  INT QuerySpillSize(unsigned int &bytes) override;
  INT SetKernelArgPointer(UINT index, size_t size, const void *value) override;

  /// What CloneKernel starts from: program and name, nothing that was set.
  const std::shared_ptr<const program::Container> &source() const { return program; }
  const KernelSignature &description() const { return signature; }
  bool hasThreadSpace() const {
    std::lock_guard guard(lock);
    return space.has_value();
  }

  /// The launch of this kernel as it is now. `taskSpace` wins over the kernel's own. Otherwise a return code.
  INT capture(const CmThreadSpace *taskSpace, runtime::Launch &launch) const;
  /// The same in groups: the task's, else the kernel's own, else a group for each thread.
  INT captureGroups(const CmThreadGroupSpace *taskSpace, runtime::Launch &launch) const;

private:
  void reset();
  INT setSurface(UINT index, size_t size, const void *value);
  INT findSurfaces(UINT index, size_t size, const void *value,
                   std::vector<std::shared_ptr<runtime::Memory>> &memories) const;
  INT checkValue(const char *method, UINT index, size_t size, const void *value) const;
  /// Gives each listed thread a block of arguments of its own.
  INT addThreadArguments(runtime::Launch &launch) const;
  INT checkThreads(const runtime::Order &order, std::uint64_t count) const;
  /// The same for a value that one thread gets anew.
  void changePrepared(UINT thread, UINT index, const void *value, size_t size);
  std::uint64_t threadsForArguments() const;
  INT setSampler(UINT index, size_t size, const void *value);
  INT findSampler(UINT index, size_t size, const void *value, pocm::Sampler &state) const;
  INT checkArguments(const char *method) const;
  std::vector<runtime::Rectangle> rows() const;

  Device &device;
  std::shared_ptr<const program::Container> program;
  const KernelSignature &signature; // in the container
  const SurfaceTable &surfaces;
  const SamplerTable &samplers;
  mutable std::mutex lock; // guards what follows
  std::shared_ptr<runtime::Kernel> kernel;
  UINT threadCount = 0;
  struct OwnSpace {
    const CmThreadSpace *object; // compared only: the space may be gone
    std::shared_ptr<SpaceLayout> layout;
  };
  std::optional<OwnSpace> space;
  struct OwnGroups {
    const CmThreadGroupSpace *object; // compared only
    runtime::Grid grid;
  };
  std::optional<OwnGroups> groups;
  /// A per-thread argument: the bytes of each thread, or its surfaces or sampler.
  struct ThreadArgument {
    std::vector<std::uint8_t> bytes;
    std::vector<std::shared_ptr<runtime::Memory>> memories;
    std::vector<pocm::Sampler> samplers;
    std::vector<bool> set;
    std::size_t unset = 0; ///< Threads that have none yet.
  };
  std::map<UINT, ThreadArgument> threadArguments; // by parameter
  /// What they made of a launch, which the next one shares; a change in between is made to a copy when it still does.
  struct Prepared {
    std::shared_ptr<const runtime::Bindings> from; // the kernel's
    std::shared_ptr<const runtime::Order> order;   // whose threads all have a block
    std::shared_ptr<const runtime::Bindings> bindings;
    std::shared_ptr<runtime::ThreadBlocks> blocks;
  };
  mutable std::optional<Prepared> prepared;
  mutable std::shared_ptr<const runtime::Order> ownOrder; // of threads without a space, as many as the last one had
  std::set<UINT> kernelArguments;                         // parameters that all threads share
  std::set<UINT> pinnedSurfaces, pinnedSamplers;          // slots
};

/// Any thread, as kernels.
class Task final : public CmTask {
public:
  explicit Task(const Device &device) : device(device) {}
  INT AddKernel(CmKernel *kernel) override;
  INT AddKernelWithConfig(CmKernel *kernel, const CM_EXECUTION_CONFIG *) override { return AddKernel(kernel); }
  INT Reset() override;
  /// Kernels of a task run one after another in any case.
  INT AddSync() override { return CM_SUCCESS; }
  INT AddSyncEx(const CM_KERNEL_SYNC_CONFIG *) override { return CM_SUCCESS; }
  INT SetPowerOption(PCM_POWER_OPTION) override {
    return fail(CM_NOT_IMPLEMENTED, "CmTask::SetPowerOption: there is no power to save, as on Linux in general");
  }
  INT AddConditionalEnd(SurfaceIndex *surface, UINT offset, CM_CONDITIONAL_END_PARAM *condition) override;
  INT SetProperty(const CM_TASK_CONFIG &config) override {
    std::lock_guard guard(lock);
    properties = config;
    return CM_SUCCESS;
  }
  INT GetProperty(CM_TASK_CONFIG &config) override {
    std::lock_guard guard(lock);
    config = properties;
    return CM_SUCCESS;
  }

  size_t size() const {
    std::lock_guard guard(lock);
    return kernels.size();
  }
  mutable std::mutex lock; ///< Guards the task.
  std::vector<Kernel *> kernels;
  /// Asked before the kernel of this number runs; false ends the task.
  std::map<size_t, std::pair<std::function<bool()>, std::shared_ptr<runtime::Memory>>> conditions;

private:
  static CM_TASK_CONFIG defaults() {
    CM_TASK_CONFIG config{};
    config.turboBoostFlag = true;
    return config;
  }
  const Device &device;
  CM_TASK_CONFIG properties = defaults();
};

} // namespace pocm::cmrt
