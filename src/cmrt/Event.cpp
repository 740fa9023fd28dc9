//===- Event.cpp - CmEvent ------------------------------------------------------------===//
#include "cmrt/Event.h"
#include <cstring>

namespace pocm::cmrt {

INT Event::GetProfilingInfo(CM_EVENT_PROFILING_INFO info, size_t size, PVOID input, PVOID output) {
  constexpr const char *method = "CmEvent::GetProfilingInfo";
  if (!output)
    return fail(CM_NULL_POINTER, "{}: the output is null", method);
  auto give = [&](const auto &value) {
    if (size < sizeof(value))
      return fail(CM_INVALID_PARAM_SIZE, "{}: item {} takes {} bytes, not {}", method, int(info), sizeof(value), size);
    std::memcpy(output, &value, sizeof(value));
    return INT(CM_SUCCESS);
  };
  auto moment = [&](std::uint64_t nanoseconds) {
    LARGE_INTEGER value;
    value.QuadPart = LONGLONG(nanoseconds);
    return give(value);
  };
  if (info == CM_EVENT_PROFILING_SUBMIT)
    return moment(done->submittedAt());
  if (info == CM_EVENT_PROFILING_KERNELCOUNT)
    return give(std::uint32_t(kernels.size()));
  if (info == CM_EVENT_PROFILING_KERNELNAMES || info == CM_EVENT_PROFILING_THREADSPACE) {
    std::uint32_t number = 0;
    if (!input)
      return fail(CM_NULL_POINTER, "{}: the number of the kernel is null", method);
    std::memcpy(&number, input, sizeof(number));
    if (number >= kernels.size())
      return fail(CM_INVALID_PARAM_SIZE, "{}: the task has {} kernels; there is no kernel {}", method, kernels.size(),
                  number);
    if (info == CM_EVENT_PROFILING_THREADSPACE)
      return give(kernels[number].threadSpace);
    const char *name = kernels[number].name.c_str();
    std::memcpy(output, &name, sizeof(name));
    return CM_SUCCESS;
  }
  if (info < CM_EVENT_PROFILING_HWSTART || info > CM_EVENT_PROFILING_THREADSPACE)
    return fail(CM_FAILURE, "{}: there is no item {}", method, int(info));
  if (!done->finished())
    return fail(CM_FAILURE, "{}: the task has not finished; wait for it first", method);
  return moment(info == CM_EVENT_PROFILING_HWSTART ? done->begunAt() : done->endedAt());
}

} // namespace pocm::cmrt
