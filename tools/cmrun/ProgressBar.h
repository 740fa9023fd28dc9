//===- ProgressBar.h - Long work shows itself -----------------------------------------===//
//
//     [###########                   ]  37 %, 12 s left
//
// On a terminal, from two seconds on; gone when the work is over.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace cmrun {

class ProgressBar {
public:
  /// `part` says how much is done, from 0 to 1; called by another thread.
  explicit ProgressBar(std::function<double()> part);
  ~ProgressBar();

private:
  void show();

  std::function<double()> part;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::mutex lock; // guards `over`
  std::condition_variable ended;
  bool over = false;
  std::optional<std::thread> painter; // none where standard error is no terminal
};

/// The line after so many seconds.
std::string progressLine(double part, double seconds);

} // namespace cmrun
