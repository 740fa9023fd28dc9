//===- ErrorNames.h - Return codes as text ----------------------------------------------===//
#pragma once

namespace pocm::cmrt {

/// The enumerator's name; "Internal Error" for numbers that have none.
const char *errorName(int code);

} // namespace pocm::cmrt
