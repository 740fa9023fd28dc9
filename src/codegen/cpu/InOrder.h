//===- InOrder.h - Machine instructions that stay in the order of ours ----------------------------===//
#pragma once

namespace pocm::cpu {

/// Of functions whose instructions stay in their order.
constexpr const char *InOrderAttribute = "pocm-in-order";

/// The name of LLVM's scheduler of machine instructions that obeys the attribute, and is the target's own for others.
const char *schedulerInOrder();

} // namespace pocm::cpu
