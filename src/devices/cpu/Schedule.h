//===- Schedule.h - In which order threads run that are listed ---------------------------===//
#pragma once

#include "devices/cpu/ThreadPool.h"
#include "runtime/Order.h"
#include <optional>
#include <random>
#include <string>

namespace pocm::cpu {

/// Runs every thread of an order, each after those that it waits for.
class Schedule {
public:
  /// Runs `count` threads, from this one on to the right, of each of so many rows. Must not throw.
  using Run = std::function<void(const runtime::ListedThread &, std::uint32_t count, std::uint32_t rows)>;

  /// Who runs them, and what a thread of their kernel has cost.
  struct Hosts {
    ThreadPool &pool;
    Cost &cost;
  };

  /// `text` of POCM_ORDER: "" runs on all host threads; "serial", "reverse" and "random[:SEED]" run on one, to show
  /// whether a program depends on an order that nothing promises. Throws Error for another text.
  explicit Schedule(const std::string &text);

  /// Whether the host asked for one of the orders above.
  bool asked() const { return kind != Kind::Any; }
  /// 0 to count - 1, as asked, for work without dependencies. Throws Error for more than can be listed.
  std::vector<std::uint32_t> permutation(std::uint64_t count) const;
  /// `alike`: neighbours of a row may go in one call, as they have the same arguments.
  void run(const runtime::Order &order, bool alike, Hosts hosts, const Run &run) const;

private:
  enum class Kind { Any, Serial, Reverse, Random };
  void runAsAsked(const runtime::Order &order, const Run &run) const;
  static void runFreely(const runtime::Order &order, Hosts hosts, const Run &run);
  static void runByRows(const runtime::Rows &rows, bool alike, Hosts hosts, const Run &run);
  Kind kind = Kind::Any;
  std::uint32_t seed = 1;
};

} // namespace pocm::cpu
