//===- Event.h - CmEvent ------------------------------------------------------------===//
#pragma once

#include "cmrt/Report.h"
#include "runtime/Queue.h"
#include <vector>

namespace pocm::cmrt {

/// What GetProfilingInfo says of a kernel of the task.
struct KernelProfile {
  std::string name;
  UINT threadSpace[4]; ///< Local width and height, global width and height.
};

class Event final : public CmEvent {
public:
  explicit Event(std::vector<KernelProfile> kernels) : kernels(std::move(kernels)) {}
  /// The work that it stands for. Once, before the application sees it.
  void standFor(std::shared_ptr<runtime::Event> task) { done = std::move(task); }
  const std::shared_ptr<runtime::Event> &task() const { return done; }

  INT GetStatus(CM_STATUS &status) override {
    switch (done->state()) {
    case runtime::Event::State::Queued:
      status = CM_STATUS_QUEUED;
      break;
    case runtime::Event::State::Running:
      status = CM_STATUS_STARTED;
      break;
    case runtime::Event::State::Finished:
      status = done->failed() ? CM_STATUS_RESET : CM_STATUS_FINISHED;
      break;
    }
    return CM_SUCCESS;
  }
  /// Nanoseconds of execution, at least 1: programs divide by it.
  INT GetExecutionTime(UINT64 &time) override {
    if (!done->finished())
      return fail(CM_FAILURE, "CmEvent::GetExecutionTime: the task has not finished; wait for it first");
    if (done->failed())
      return failedAs("CmEvent::GetExecutionTime: the task failed: ", *done);
    time = std::max<UINT64>(1, done->nanoseconds());
    return CM_SUCCESS;
  }
  /// The same: a tick is a nanosecond.
  INT GetExecutionTickTime(UINT64 &ticks) override { return GetExecutionTime(ticks); }
  INT GetSurfaceDetails(UINT, UINT, CM_SURFACE_DETAILS &) override {
    return fail(CM_NOT_IMPLEMENTED, "CmEvent::GetSurfaceDetails: only for tools that are attached to the hardware");
  }
  INT GetProfilingInfo(CM_EVENT_PROFILING_INFO info, size_t size, PVOID input, PVOID output) override;
  INT WaitForTaskFinished(DWORD milliseconds) override {
    const auto task = done; // another host thread may destroy this event, or its device, meanwhile
    if (!task->waitFor(std::chrono::milliseconds(milliseconds)))
      return fail(CM_EXCEED_MAX_TIMEOUT, "CmEvent::WaitForTaskFinished: the task is not done after {} ms",
                  milliseconds);
    return task->failed() ? failedAs("the task failed: ", *task) : INT(CM_SUCCESS);
  }

private:
  static INT failedAs(const char *what, const runtime::Event &task) noexcept {
    try {
      return fail(CM_TASK_MEDIA_RESET, what + task.problem());
    } catch (...) { // no memory to say it
      return failSilently(CM_TASK_MEDIA_RESET);
    }
  }
  std::shared_ptr<runtime::Event> done;
  std::vector<KernelProfile> kernels;
};

} // namespace pocm::cmrt
