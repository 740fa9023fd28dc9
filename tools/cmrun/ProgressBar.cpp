//===- ProgressBar.cpp - Long work shows itself -----------------------------------------===//
#include "ProgressBar.h"
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace cmrun {

std::string progressLine(double part, double seconds) {
  constexpr int width = 30;
  int full = std::clamp(int(part * width), 0, width);
  std::string line = fmt::format("[{:#<{}}{: <{}}] ", "", full, "", width - full);
  if (part <= 0)
    return line + fmt::format("{:.0f} s", seconds);
  return line + fmt::format("{:3.0f} %, {:.0f} s left", part * 100, seconds * (1 - part) / part);
}

ProgressBar::ProgressBar(std::function<double()> part) : part(std::move(part)) {
  if (isatty(STDERR_FILENO))
    painter.emplace([this] { show(); });
}

ProgressBar::~ProgressBar() {
  if (!painter)
    return;
  {
    std::lock_guard guard(lock);
    over = true;
  }
  ended.notify_one();
  painter->join();
}

void ProgressBar::show() {
  using namespace std::chrono_literals;
  std::unique_lock held(lock);
  bool shown = false;
  for (auto next = begin + 2s; !ended.wait_until(held, next, [this] { return over; }); next += 200ms) {
    std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    fmt::print(stderr, "\r{}\x1b[K", progressLine(part(), passed.count()));
    std::fflush(stderr);
    shown = true;
  }
  if (shown)
    fmt::print(stderr, "\r\x1b[K");
}

} // namespace cmrun
