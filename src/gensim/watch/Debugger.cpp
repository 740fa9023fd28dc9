//===- Debugger.cpp - A prompt for the simulated machine -------------------------------------------===//
#include "gensim/watch/Debugger.h"
#include "gensim/InstructionTrace.h"
#include "gensim/eu/Lanes.h"
#include "gensim/isa/Printer.h"
#include <charconv>
#include <istream>
#include <ostream>
#include <sstream>

namespace pocm::gensim {
namespace {

template <class... Values> std::string format(const char *pattern, Values... values) {
  char text[160];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

/// A number, decimal or with 0x. Throws Problem.
std::uint64_t numberOf(const std::string &text) {
  bool isHex = text.starts_with("0x") || text.starts_with("0X");
  const char *begin = text.data() + (isHex ? 2 : 0), *end = text.data() + text.size();
  std::uint64_t value = 0;
  auto [rest, problem] = std::from_chars(begin, end, value, isHex ? 16 : 10);
  if (problem != std::errc() || rest != end)
    throw Problem("'" + text + "' is no number");
  return value;
}

/// An element as text; "?" behind it when nobody has written a part of it.
std::string elementText(const std::uint8_t *data, const std::uint8_t *marks, Type type) {
  std::uint64_t bits = 0, unknown = 0;
  unsigned bytes = sizeOf(type);
  std::memcpy(&bits, data, bytes);
  if (marks)
    std::memcpy(&unknown, marks, bytes);
  std::string text;
  if (type == Type::F) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    text = format("%.9g", double(value));
  } else if (type == Type::DF) {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    text = format("%.17g", value);
  } else if (type == Type::HF) {
    text = format("%.5g", doubleOf(std::uint16_t(bits)));
  } else if (isSigned(type)) {
    text = std::to_string(std::int64_t(bits << (64 - bytes * 8)) >> (64 - bytes * 8));
  } else {
    text = format("%0*llX", int(bytes * 2), static_cast<unsigned long long>(bits));
  }
  return unknown ? text + "?" : text;
}

Type typeNamed(const std::string &name) {
  for (Type type :
       {Type::UB, Type::B, Type::UW, Type::W, Type::UD, Type::D, Type::UQ, Type::Q, Type::HF, Type::F, Type::DF})
    if (nameOf(type) == name)
      return type;
  throw Problem("there is no type '" + name + "'; write ub, b, uw, w, ud, d, uq, q, hf, f or df");
}

} // namespace

struct Debugger::Command {
  const char *name, *arguments, *does;
  void (Debugger::*run)(const Thread &, const Words &);
};

std::span<const Debugger::Command> Debugger::commands() {
  static const Command all[] = {
      {"step", "[N]", "executes one instruction, or N; an empty line does the last command again", &Debugger::step},
      {"continue", "", "goes on to the next breakpoint", &Debugger::goOn},
      {"break", "[ADDRESS]", "stops before the instruction there; without an address lists breakpoints",
       &Debugger::breakAt},
      {"delete", "ADDRESS", "removes a breakpoint", &Debugger::removeBreak},
      {"thread", "N|all", "stops in that thread of each group alone, or in all", &Debugger::choose},
      {"threads", "", "lists the group's threads", &Debugger::listThreads},
      {"list", "[ADDRESS]", "shows instructions around the next one, or from an address on", &Debugger::list},
      {"print", "[THREAD/]REGISTER[.BYTE][:TYPE] ...", "shows registers: r9, r9.4:f, 2/r9, a0, f0, acc0, cr0, sr0",
       &Debugger::print},
      {"memory", "SURFACE|slm|scratch [OFFSET [BYTES]]", "shows memory", &Debugger::memory},
      {"trace", "on|off", "prints every instruction that is executed, with what it wrote", &Debugger::trace},
      {"help", "", "lists commands; each may be shortened", &Debugger::help},
      {"quit", "", "ends the launch", &Debugger::quit},
  };
  return all;
}

void Debugger::groupBegins(const GroupView &view) {
  threads = view.threads;
  world = &view.world;
  ++groups;
}

bool Debugger::stopsAt(const Thread &t) {
  if (only && *only != t.number)
    return false;
  if (steps && !--steps)
    return true;
  return breakpoints.contains(t.ip);
}

void Debugger::threadBegins(const Thread &t) {
  if (stopsAt(t))
    prompt(t);
}

void Debugger::executed(const Thread &t, const Instruction &i, std::uint32_t active, std::span<const Touch> touches) {
  if (tracing && (!only || *only == t.number))
    InstructionTrace(out, *kernel.platform).executed(t, i, active, touches);
  if (t.status != Thread::Status::Ended && stopsAt(t))
    prompt(t);
}

void Debugger::showInstruction(const Thread &t, std::size_t index) {
  const Instruction &i = kernel.instructions[index];
  out << (i.address == t.ip                 ? "  => "
          : breakpoints.contains(i.address) ? "   * "
                                            : "     ")
      << format("%05X  ", i.address) << textOf(i, *kernel.platform);
  if (std::string from = origin ? origin(index) : ""; !from.empty())
    out << "  // " << from;
  out << "\n";
}

void Debugger::show(const Thread &t) {
  out << "group " << groups - 1 << ", thread " << t.number << format(", channels %08X\n", t.active());
  showInstruction(t, std::size_t(&kernel.at(t.ip) - kernel.instructions.data()));
}

void Debugger::prompt(const Thread &t) {
  show(t);
  steps = 0;
  for (goesOn = false; !goesOn;) {
    out << "(gensim) " << std::flush;
    std::string line;
    if (!std::getline(in, line))
      throw Quit();
    if (line.find_first_not_of(" \t") == std::string::npos)
      line = last;
    last = line;
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;)
      words.push_back(word);
    try {
      const Command *wanted = nullptr;
      for (const Command &c : commands())
        if (c.name == words[0] || (!wanted && std::string_view(c.name).starts_with(words[0])))
          wanted = &c;
      if (!wanted)
        throw Problem("there is no command '" + words[0] + "'; help lists them");
      (this->*wanted->run)(t, words);
    } catch (const Problem &problem) {
      out << problem.what() << "\n";
    }
  }
}

void Debugger::step(const Thread &, const Words &words) {
  steps = words.size() > 1 ? std::max<std::uint64_t>(1, numberOf(words[1])) : 1;
  goesOn = true;
}

void Debugger::goOn(const Thread &, const Words &) { goesOn = true; }

void Debugger::breakAt(const Thread &t, const Words &words) {
  if (words.size() > 1) {
    std::uint64_t address = numberOf(words[1]);
    if (address > UINT32_MAX)
      throw Problem("the kernel is not that long");
    kernel.at(std::uint32_t(address));
    breakpoints.insert(std::uint32_t(address));
  }
  for (std::uint32_t address : breakpoints)
    showInstruction(t, std::size_t(&kernel.at(address) - kernel.instructions.data()));
}

void Debugger::removeBreak(const Thread &, const Words &words) {
  if (words.size() < 2 || !breakpoints.erase(std::uint32_t(numberOf(words[1]))))
    throw Problem("there is no such breakpoint");
}

void Debugger::choose(const Thread &, const Words &words) {
  if (words.size() < 2)
    throw Problem("write thread N or thread all");
  if (words[1] == "all")
    only.reset();
  else
    only = std::uint32_t(numberOf(words[1]));
}

void Debugger::listThreads(const Thread &, const Words &) {
  static constexpr const char *states[] = {"runs", "waits at a barrier", "waits for the other thread of its pair",
                                           "has ended"};
  for (const auto &t : threads)
    out << "thread " << t->number << ": " << (t->instructions ? states[unsigned(t->status)] : "has not begun")
        << format(", at %05X, %llu instructions, channels %08X\n", t->ip,
                  static_cast<unsigned long long>(t->instructions), t->active());
}

void Debugger::list(const Thread &t, const Words &words) {
  constexpr std::size_t before = 4, count = 12;
  std::size_t first =
      std::size_t(&kernel.at(words.size() > 1 ? std::uint32_t(numberOf(words[1])) : t.ip) - kernel.instructions.data());
  if (words.size() < 2)
    first -= std::min(first, before);
  for (std::size_t k = first; k < std::min(first + count, kernel.instructions.size()); ++k)
    showInstruction(t, k);
}

/// A register's elements: "r9.4:f" from byte 4 on, "2/r9" thread 2's.
void Debugger::print(const Thread &t, const Words &words) {
  for (std::size_t k = 1; k < words.size(); ++k) {
    std::string word = words[k];
    Thread *of = threads[t.number].get();
    if (std::size_t slash = word.find('/'); slash != std::string::npos) {
      std::uint64_t number = numberOf(word.substr(0, slash));
      if (number >= threads.size())
        throw Problem("the group has " + std::to_string(threads.size()) + " threads");
      of = threads[number].get();
      word = word.substr(slash + 1);
    }
    std::size_t colon = std::min(word.find(':'), word.size()), dot = std::min(word.find('.'), colon);
    Type type = colon < word.size() ? typeNamed(word.substr(colon + 1)) : Type::UD;
    std::uint64_t byte = dot < colon ? numberOf(word.substr(dot + 1, colon - dot - 1)) : 0;
    std::size_t digits = std::min(word.find_first_of("0123456789"), dot);
    std::string file = word.substr(0, digits);
    std::uint64_t number = digits < dot ? numberOf(word.substr(digits, dot - digits)) : 0;
    static constexpr std::pair<const char *, Arf> files[] = {{"a", Arf::A},   {"acc", Arf::Acc}, {"f", Arf::F},
                                                             {"sr", Arf::Sr}, {"cr", Arf::Cr},   {"n", Arf::N}};
    Operand o;
    o.kind = file == "r" ? Operand::Kind::General : Operand::Kind::None;
    for (auto [name, arf] : files)
      if (file == name) {
        o.kind = Operand::Kind::Architecture;
        o.arf = arf;
      }
    if (o.kind == Operand::Kind::None)
      throw Problem("there is no register '" + word + "'; write r9, a0, f0, acc0, cr0, sr0 or n0");
    Area area = areaOf(*of, o);
    std::uint64_t size = file == "r" || file == "acc" ? of->registerBytes : file == "f" ? 4 : 32, at = number * size;
    if (number > MostRegisters || byte >= size || at + size > area.bytes)
      throw Problem("there is no register '" + word + "'");
    out << file << number << "." << byte << ":" << nameOf(type) << " ";
    for (std::uint64_t b = byte; b + sizeOf(type) <= size; b += sizeOf(type))
      out << " " << elementText(area.data + at + b, area.marks + at + b, type);
    out << "\n";
  }
}

void Debugger::memory(const Thread &t, const Words &words) {
  constexpr std::uint64_t row = 16;
  if (words.size() < 2)
    throw Problem("write memory SURFACE|slm|scratch [OFFSET [BYTES]]");
  Thread &own = *threads[t.number];
  Space space;
  if (words[1] == "slm") {
    space = world->slm;
  } else if (words[1] == "scratch") {
    space = {own.scratch.data(), own.scratchMarks.data(), own.scratch.size()};
  } else {
    std::uint64_t number = numberOf(words[1]);
    if (number >= world->surfaces.size() || !world->surfaces[number].base)
      throw Problem("there is no surface " + words[1]);
    space = {world->surfaces[number].base, nullptr, world->surfaces[number].bytes};
  }
  std::uint64_t offset = words.size() > 2 ? numberOf(words[2]) : 0, count = words.size() > 3 ? numberOf(words[3]) : 64;
  if (offset >= space.bytes)
    throw Problem("it has " + std::to_string(space.bytes) + " bytes");
  count = std::min(count, space.bytes - offset);
  for (std::uint64_t k = 0; k < count; ++k) {
    if (k % row == 0)
      out << format("%08llX ", static_cast<unsigned long long>(offset + k));
    bool unknown = space.marks && space.marks[offset + k];
    out << (unknown ? std::string(" ??") : format(" %02X", space.data[offset + k]));
    if (k % row == row - 1 || k + 1 == count)
      out << "\n";
  }
}

void Debugger::trace(const Thread &, const Words &words) {
  if (words.size() < 2 || (words[1] != "on" && words[1] != "off"))
    throw Problem("write trace on or trace off");
  tracing = words[1] == "on";
}

void Debugger::help(const Thread &, const Words &) {
  for (const Command &c : commands())
    out << format("  %-52s %s\n", (std::string(c.name) + " " + c.arguments).c_str(), c.does);
}

void Debugger::quit(const Thread &, const Words &) { throw Quit(); }

} // namespace pocm::gensim
