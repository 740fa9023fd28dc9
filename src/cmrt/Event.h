//===- Event.h - CmEvent ------------------------------------------------------------===//
#pragma once

#include "cmrt/Unsupported.h"
#include "runtime/Queue.h"

namespace pocm::cmrt {

class Event final : public UnsupportedEvent {
public:
  explicit Event(std::shared_ptr<runtime::Event> task) : done(std::move(task)) {}
  runtime::Event &task() { return *done; }

  INT GetStatus(CM_STATUS &status) override {
    switch (done->state()) {
    case runtime::Event::State::Queued:
      status = CM_STATUS_QUEUED;
      break;
    case runtime::Event::State::Running:
      status = CM_STATUS_STARTED;
      break;
    case runtime::Event::State::Finished:
      status = CM_STATUS_FINISHED;
      break;
    }
    return CM_SUCCESS;
  }
  /// Nanoseconds of execution, at least 1: programs divide by it.
  INT GetExecutionTime(UINT64 &time) override {
    if (!done->finished())
      return fail(CM_FAILURE, "CmEvent::GetExecutionTime: the task has not finished; wait for it first");
    time = std::max<UINT64>(1, done->nanoseconds());
    return CM_SUCCESS;
  }
  INT WaitForTaskFinished(DWORD milliseconds) override {
    if (!done->waitFor(std::chrono::milliseconds(milliseconds)))
      return fail(CM_EXCEED_MAX_TIMEOUT, "CmEvent::WaitForTaskFinished: the task is not done after {} ms",
                  milliseconds);
    if (std::string problem = done->problem(); !problem.empty())
      return fail(CM_FAILURE, "the task failed: {}", problem);
    return CM_SUCCESS;
  }

private:
  std::shared_ptr<runtime::Event> done;
};

} // namespace pocm::cmrt
