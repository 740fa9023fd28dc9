//===- Report.cpp - Return codes with a reason ----------------------------------===//
#include "cmrt/Report.h"
#include "cmrt/ErrorNames.h"
#include "program/Uncancelled.h"
#include "runtime/PerThread.h"
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {
pocm::runtime::PerThread<std::string> lastError;
} // namespace

namespace pocm::cmrt {

INT fail(INT code, const std::string &message) noexcept {
  try {
    lastError.mine() = message;
  } catch (...) {
    return failSilently(code);
  }
  if (const char *wanted = secure_getenv("POCM_CM_ERRORS"); wanted && *wanted && *wanted != '0') {
    const Uncancelled all;
    std::fprintf(stderr, "cmrt: %s: %s\n", errorName(code), message.c_str());
  }
  return code;
}

INT failSilently(INT code) noexcept {
  if (std::string *before = lastError.existing())
    before->clear();
  return code;
}

INT caught(const char *method) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return fail(CM_OUT_OF_HOST_MEMORY, "{}: the host has no memory left", method);
  } catch (const std::exception &problem) {
    return fail(CM_FAILURE, "{}: {}", method, problem.what());
  } catch (...) {
    return fail(CM_FAILURE, "{}: an exception of an unknown kind", method);
  }
}

const char *lastMessage() {
  const std::string *last = lastError.existing();
  return last ? last->c_str() : "";
}

} // namespace pocm::cmrt
