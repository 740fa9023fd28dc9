//===- Checks.h - Mistakes of kernels, found while they are executed ------------------------------===//
//
//     barrier at 0x1F0: reached by channels 0x00FF of 0xFFFF
//     send at 0x140: reads bytes 4096 to 4099 of surface 1, which has 4096
//     send at 0x180: writes 4 bytes of shared local memory that thread 0 has read since the last barrier
//
// An observer: execution does not know of it. Accesses beyond surfaces and shared local memory, reads of shared local
// memory that nobody has written, races between threads of a group and between groups, barriers that only some channels
// reach. (What unwritten registers decide is found by the machine itself.)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gensim/Machine.h"
#include <unordered_map>

namespace pocm::gensim {

class Checks : public Observer {
public:
  /// `orderedGroups`: each group runs behind those before it, which is then no race.
  explicit Checks(const Kernel &kernel, bool orderedGroups = false) : kernel(kernel), orderedGroups(orderedGroups) {}
  bool wantsAll() const override { return false; }
  void groupBegins(const GroupView &view) override;
  void executed(const Thread &thread, const Instruction &i, std::uint32_t active,
                std::span<const Touch> touches) override;

  /// A line for each kind of mistake of each instruction, with the first case in words.
  std::vector<std::string> findings() const;

private:
  enum class Kind : std::uint8_t { Outside, Unwritten, Race, Barrier };
  struct Finding {
    std::string text;
    std::uint64_t count = 0;
  };
  /// Who has used a byte last. A moment is a thread's stretch between two barriers; 0: nobody.
  struct Shadow {
    std::uint32_t writer = 0, reader = 0; ///< Threads, numbered through the launch from 1 on.
    std::uint32_t writtenIn = 0, readIn = 0;
    bool atomic = false, severalReaders = false;
  };
  void find(Kind kind, const Instruction &i, const std::function<std::string()> &text);
  void use(Shadow &shadow, const Thread &thread, const Instruction &i, const Touch &touch);
  bool isOrdered(std::uint32_t other, std::uint32_t itsMoment, const Thread &thread) const;
  std::string nameOf(std::uint32_t thread) const;

  const Kernel &kernel;
  bool orderedGroups;
  const World *world = nullptr;
  std::uint32_t groups = 0, firstOfGroup = 1, nextThread = 1;
  std::vector<std::uint32_t> moments; ///< Of the group's threads: barriers passed.
  std::vector<Shadow> slm;
  static constexpr std::uint64_t pageBytes = 4096;
  std::unordered_map<std::uint64_t, std::vector<Shadow>> pages;
  std::map<std::pair<std::uint32_t, Kind>, Finding> found;
};

} // namespace pocm::gensim
