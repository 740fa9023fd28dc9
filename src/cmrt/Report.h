//===- Report.h - Return codes with a reason ------------------------------------===//
#pragma once

#include "cm_rt.h"
#include <fmt/format.h>
#include <string>

namespace pocm::cmrt {

/// Keeps `message` as this thread's last error, prints it to stderr when POCM_CM_ERRORS is set, and returns `code`.
INT fail(INT code, const std::string &message) noexcept;
/// The same when there is no memory for a message.
INT failSilently(INT code) noexcept;

template <class... Args> INT fail(INT code, fmt::format_string<Args...> format, Args &&...args) noexcept {
  try {
    return fail(code, fmt::format(format, std::forward<Args>(args)...));
  } catch (...) {
    return failSilently(code);
  }
}

/// For the `catch (...)` of a method: no exception leaves the library. CM_OUT_OF_HOST_MEMORY, or CM_FAILURE with the
/// reason.
INT caught(const char *method) noexcept;

/// This thread's last message, or an empty string.
const char *lastMessage();

} // namespace pocm::cmrt
