//===- Schedule.h - In which order threads run that are listed ---------------------------===//
#pragma once

#include "devices/cpu/ThreadPool.h"
#include "runtime/Order.h"
#include <optional>
#include <random>
#include <string>

namespace pocm::cpu {

/// Runs every thread of an order, each after those that it waits for: `run(position)`, which must not throw.
class Schedule {
public:
  /// `text` of POCM_ORDER: "" runs on all host threads; "serial", "reverse" and "random[:SEED]" run on one, to show
  /// whether a program depends on an order that nothing promises. Throws Error for another text.
  explicit Schedule(const std::string &text);

  /// Whether the host asked for one of the orders above.
  bool asked() const { return kind != Kind::Any; }
  /// 0 to count - 1, as asked, for work without dependencies.
  std::vector<std::uint32_t> permutation(std::uint32_t count) const;
  void run(const runtime::Order &order, ThreadPool &pool, const std::function<void(std::uint32_t)> &run) const;

private:
  enum class Kind { Any, Serial, Reverse, Random };
  void runAsAsked(const runtime::Order &order, const std::function<void(std::uint32_t)> &run) const;
  Kind kind = Kind::Any;
  std::uint32_t seed = 1;
};

} // namespace pocm::cpu
