//===- Systolic.cpp - Products of matrices ----------------------------------------------===//
#include "gensim/eu/Execute.h"
#include <bit>

namespace pocm::gensim {

void executeDpas(Thread &t, const Instruction &i, const Platform &platform) {
  if (i.opcode == Opcode::Dpasw)
    throw Problem("systolic products of two threads are not supported by the simulator");
  unsigned lanes = platform.grfBytes / 4;
  Type first = i.from[1].type;
  bool numbers = isFloat(first);
  unsigned bits1 = numbers ? 16 : i.bits[1] ? i.bits[1] : 8, bits2 = numbers ? 16 : i.bits[2] ? i.bits[2] : 8;
  unsigned widest = std::max(bits1, bits2), perDword = 32 / std::max(widest, 4u);
  auto base = [&](const Operand &o) { return o.number * t.registerBytes + o.offset; };
  auto element = [&](const Operand &o, unsigned dword, unsigned k, unsigned bits) -> double {
    // `k` counts elements of `bits` bits from the dword on.
    unsigned at = base(o) + dword * 4, bit = k * bits;
    std::uint32_t word = t.registers.get<std::uint32_t>(at + bit / 32 * 4) >> bit % 32;
    if (numbers) {
      if (o.type == Type::HF)
        return doubleOf(std::uint16_t(word));
      return double(std::bit_cast<float>(word << 16));
    }
    word &= (1u << bits) - 1;
    return isSigned(o.type) ? double(std::int32_t(word << (32 - bits)) >> (32 - bits)) : double(word);
  };
  bool fromNull = i.from[0].kind == Operand::Kind::Architecture;
  Thread &state = t;
  std::vector<std::uint32_t> results(i.repeat * lanes);
  std::vector<bool> unknown(i.repeat * lanes);
  auto marked = [&](unsigned at) {
    std::uint32_t m;
    std::memcpy(&m, state.registers.marks + at, sizeof(m));
    return m != 0;
  };
  for (unsigned r = 0; r < i.repeat; ++r)
    for (unsigned n = 0; n < lanes; ++n) {
      unsigned place = r * lanes + n;
      bool bad = !fromNull && marked(base(i.from[0]) + place * 4);
      std::uint32_t old = fromNull ? 0 : t.registers.get<std::uint32_t>(base(i.from[0]) + place * 4);
      float sum = std::bit_cast<float>(old);
      std::int64_t whole = i.to.type == Type::UD ? std::int64_t(old) : std::int64_t(std::int32_t(old));
      for (unsigned d = 0; d < i.depth; ++d) {
        for (unsigned k = 0; k < perDword; ++k) {
          // A channel's elements of the first fill dwords one below the other, a row's of the second side by side.
          unsigned bit1 = (d * perDword + k) * bits1, at1 = bit1 / 32 * lanes + n;
          bad |= marked(base(i.from[1]) + at1 * 4);
          double a = element(i.from[1], at1, bit1 % 32 / bits1, bits1);
          unsigned bit2 = (d * perDword + k) * bits2;
          unsigned at2 = r * i.depth * perDword * bits2 / 32 + bit2 / 32;
          bad |= marked(base(i.from[2]) + at2 * 4);
          double b = element(i.from[2], at2, bit2 % 32 / bits2, bits2);
          if (numbers)
            sum = float(double(sum) + a * b);
          else
            whole += std::int64_t(a) * std::int64_t(b);
        }
      }
      unknown[place] = bad;
      if (numbers) {
        results[place] = std::bit_cast<std::uint32_t>(sum);
      } else {
        if (i.saturate)
          whole = i.to.type == Type::UD ? std::min<std::int64_t>(std::max<std::int64_t>(whole, 0), 0xFFFFFFFF)
                                        : std::min<std::int64_t>(std::max<std::int64_t>(whole, INT32_MIN), INT32_MAX);
        results[place] = std::uint32_t(whole);
      }
    }
  for (unsigned k = 0; k < results.size(); ++k) {
    unsigned at = base(i.to) + k * 4;
    t.registers.set(at, results[k]);
    if (unknown[k])
      std::memset(t.registers.marks + at, 0xFF, 4);
  }
}

} // namespace pocm::gensim
