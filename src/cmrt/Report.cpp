//===- Report.cpp - Return codes with a reason ----------------------------------===//
#include "cmrt/Report.h"
#include "cmrt/ErrorNames.h"
#include <cstdio>
#include <cstdlib>

namespace {
thread_local std::string lastError;
} // namespace

namespace pocm::cmrt {

INT fail(INT code, const std::string &message) {
  lastError = message;
  if (const char *wanted = std::getenv("POCM_CM_ERRORS"); wanted && *wanted && *wanted != '0')
    std::fprintf(stderr, "cmrt: %s: %s\n", errorName(code) ? errorName(code) : "CM_SUCCESS", message.c_str());
  return code;
}

const char *lastMessage() { return lastError.c_str(); }

} // namespace pocm::cmrt
