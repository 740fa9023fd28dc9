//===- Debugger.h - A prompt for the simulated machine --------------------------------------------===//
//
//     (gensim) break 0x140
//     (gensim) continue
//     group 0, thread 0, channels FFFFFFFF
//       => 00140  add (8|M0) r10.0<1>:d r9.0<8;8,1>:d 1:d
//     (gensim) print r9:d
//     r9.0:d  0 1 2 3 4 5 6 7
//
// An observer, which asks what to do next where a thread has stopped. Threads of a group run one after another, each
// until it ends or waits at a barrier; registers of all of them can be looked at. docs/gensim.md has the commands.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Machine.h"
#include <iosfwd>
#include <optional>
#include <set>

namespace pocm::gensim {

/// The user wants no more of the launch.
class Quit : public std::runtime_error {
public:
  Quit() : runtime_error("ended at the debugger's prompt") {}
};

class Debugger : public Observer {
public:
  /// Where an instruction comes from, "linear_genx.cpp:18"; empty when it is not known.
  using Origin = std::function<std::string(std::size_t instruction)>;
  Debugger(const Kernel &kernel, std::istream &in, std::ostream &out, Origin origin = {})
      : kernel(kernel), in(in), out(out), origin(std::move(origin)) {}
  void groupBegins(const GroupView &view) override;
  void threadBegins(const Thread &thread) override;
  void executed(const Thread &thread, const Instruction &i, std::uint32_t active,
                std::span<const Touch> touches) override;

private:
  struct Command;
  static std::span<const Command> commands();
  using Words = std::vector<std::string>;

  bool stopsAt(const Thread &thread);
  void prompt(const Thread &thread);
  void show(const Thread &thread);
  void showInstruction(const Thread &thread, std::size_t index);
  void step(const Thread &thread, const Words &words);
  void goOn(const Thread &thread, const Words &words);
  void breakAt(const Thread &thread, const Words &words);
  void removeBreak(const Thread &thread, const Words &words);
  void choose(const Thread &thread, const Words &words);
  void list(const Thread &thread, const Words &words);
  void print(const Thread &thread, const Words &words);
  void memory(const Thread &thread, const Words &words);
  void listThreads(const Thread &thread, const Words &words);
  void trace(const Thread &thread, const Words &words);
  void help(const Thread &thread, const Words &words);
  void quit(const Thread &thread, const Words &words);

  const Kernel &kernel;
  std::istream &in;
  std::ostream &out;
  Origin origin;
  std::span<const std::unique_ptr<Thread>> threads; ///< Of the group.
  const World *world = nullptr;
  std::set<std::uint32_t> breakpoints;
  std::uint64_t groups = 0, steps = 1; ///< Steps until it stops; 0: at breakpoints alone.
  bool tracing = false, goesOn = false;
  std::optional<std::uint32_t> only; ///< Steps and breakpoints of this thread alone.
  std::string last = "step";         ///< An empty line repeats it.
};

} // namespace pocm::gensim
