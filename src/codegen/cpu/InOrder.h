//===- InOrder.h - Machine instructions that stay in the order of ours ----------------------------===//
#pragma once

namespace pocm::cpu {

/// Of functions whose instructions stay in their order.
constexpr const char *InOrderAttribute = "pocm-in-order";

/// Lets functions have that attribute. Once, before code is made.
void useOrders();

} // namespace pocm::cpu
