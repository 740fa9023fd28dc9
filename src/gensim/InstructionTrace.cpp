//===- InstructionTrace.cpp - Every instruction with what it wrote, as text --------------===//
#include "gensim/InstructionTrace.h"
#include "gensim/isa/Printer.h"

namespace pocm::gensim {

void InstructionTrace::executed(const Thread &t, const Instruction &i, std::uint32_t active, std::span<const Touch>) {
  char text[160];
  std::snprintf(text, sizeof(text), "[%u] %05X %08X  ", t.number, i.address, active);
  out << text << textOf(i, platform);
  if (i.to.kind == Operand::Kind::General && i.format != Format::Send && i.format != Format::Splitsend) {
    out << "  ->";
    unsigned bytes = sizeOf(i.to.type), at = i.to.number * t.registerBytes + i.to.offset;
    for (unsigned n = 0; n < i.size; ++n) {
      std::uint64_t value = 0, marks = 0;
      unsigned place = at + n * std::max<unsigned>(1, i.to.horizontal) * bytes;
      if (place + bytes > sizeof(t.registers.data))
        break;
      std::memcpy(&value, t.registers.data + place, bytes);
      std::memcpy(&marks, t.registers.marks + place, bytes);
      std::snprintf(text, sizeof(text), " %llX%s", static_cast<unsigned long long>(value), marks ? "?" : "");
      out << text;
    }
  } else if (i.format == Format::Send || i.format == Format::Splitsend) {
    if (i.to.kind == Operand::Kind::General) {
      out << "  ->";
      for (unsigned n = 0; n < 8; ++n) {
        std::snprintf(text, sizeof(text), " %X", t.registers.get<std::uint32_t>(i.to.number * t.registerBytes + n * 4));
        out << text;
      }
    }
  }
  if (i.condition != Condition::None) {
    std::snprintf(text, sizeof(text), "  f%u=%08X", i.flag, t.flags.get<std::uint32_t>(i.flag * 4));
    out << text;
  }
  out << "\n";
}

} // namespace pocm::gensim
