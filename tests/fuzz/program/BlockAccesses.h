// Blocks of bytes, and four dwords a lane, that a random program reads and writes in a thread's own part of a surface,
// of shared local memory and of memory by address; what it reads of its input may reach beyond the end:
//
//     read(DWALIGNED(in), (int)(s1 & 127) * 4, v2.select<12, 1>(3));      write_untyped(out, CM_BR_ENABLE, f1, places);
#pragma once

#include "MemoryAccesses.h"

namespace pocm::fuzz {

class BlockAccesses : protected MemoryAccesses {
protected:
  using MemoryAccesses::MemoryAccesses;

  Statement byteBlock(const Scope &scope) {
    if (scope.width)
      return assignment(scope);
    const Space in = space();
    const bool writes = chance(40), input = in == Space::Surface && !writes && chance(50);
    const bool odd = !writes && chance(50);
    const int unit = odd ? 4 : 16;
    const Place block = blockOf(writes || in == Space::Address, !writes);
    if (!block.count)
      return assignment(scope);
    const int bytes = block.count * factsOf(block.type).bytes;
    const Expression where = offset(input ? inBytes / unit + 3 : (roomOf(in) - bytes) / unit);
    const std::string place = fmt::format("(int){} * {}", where.text, unit);
    const char *verb = writes ? "write" : "read";
    std::string text;
    if (in == Space::Surface)
      text = fmt::format("{}({}, {}{}, {});", verb,
                         odd     ? fmt::format("DWALIGNED({})", input ? "in" : "out")
                         : input ? "in"
                                 : "out",
                         input ? "" : fmt::format("(int)me * {} + ", scratchBytes), place, block.text);
    else if (in == Space::Local)
      text = fmt::format("cm_slm_block_{}(slm, {}(int)local * {} + {}, {});", verb, odd ? "GENX_DWALIGNED, " : "",
                         slotBytes, place, block.text);
    else
      text = fmt::format("cm_svm_block_{}{}(memory + me * {} + {}, {});", verb, odd ? "_unaligned" : "", scratchBytes,
                         place, block.text);
    return {text, [=](ModelThread &t) {
              const int first = int(where.value(t)[0]) * unit, each = factsOf(block.type).bytes;
              const std::vector<int> elements = elementsOf(block, t);
              Bytes &variable = t.variables[std::size_t(block.variable)];
              for (int k = 0; k < bytes; ++k) {
                std::uint8_t &here = variable[std::size_t(elements[std::size_t(k / each)] * each + k % each)];
                if (writes)
                  *bytesOf(in, t, first + k) = here;
                else if (input)
                  here = first + k < inBytes ? t.memory->in[std::size_t(first + k)] : 0;
                else
                  here = *bytesOf(in, t, first + k);
              }
            }};
  }

  /// Four dwords of each lane, or some of them.
  Statement fourChannels(const Scope &scope) {
    if (scope.width || scope.depth > 1)
      return assignment(scope);
    const Space in = space();
    const int lanes = in == Space::Local ? 8 : 8 << pick(0, 2), channels = pick(1, 15);
    const bool writes = chance(50), input = in == Space::Surface && !writes && chance(50);
    const int rows = __builtin_popcount(unsigned(channels));
    const int v = declare(oneOf<Type>({Type::Int, Type::UInt}), in == Space::Surface ? rows : 0,
                          in == Space::Surface ? lanes : rows * lanes, fmt::format("f{}", ++blocks));
    const Place block{v, variables[std::size_t(v)].type, rows * lanes, variables[std::size_t(v)].name, nullptr};
    // In dwords; lanes that write must not meet.
    const int apart = writes ? 4 : 1, room = input ? inBytes : roomOf(in);
    Expression where = places(lanes, writes ? room / 16 : room / 8, writes);
    const std::string mask = maskNamed(channels), dwords = fmt::format("({} * {})", where.text, apart);
    std::string text;
    if (in == Space::Surface)
      text = fmt::format("{}_untyped({}, CM_{}_ENABLE, {}, {}{});", writes ? "write" : "read", input ? "in" : "out",
                         mask, block.text, dwords, input ? "" : fmt::format(" + me * {}", scratchBytes / 4));
    else if (in == Space::Local) {
      const bool scaled = chance(50);
      text = fmt::format("cm_slm_{}4{}(slm, ({} + local * {}){}, {}, SLM_{}_ENABLE);", writes ? "write" : "read",
                         scaled ? "_scaled" : "", dwords, slotBytes / 4, scaled ? " * 4" : "", block.text, mask);
    } else
      text = fmt::format(
          "cm_svm_{}4_scaled(vector<unsigned long long, {}>({} * 4) + (memory + me * {}), {}, CM_{}_ENABLE);",
          writes ? "scatter" : "gather", lanes, dwords, scratchBytes, block.text, mask);
    Statement result{"", {}};
    const Expression values =
        convert(integers(value(rows * lanes > mostAtOnce ? 0 : rows * lanes, 2, true)), block.type);
    if (writes)
      text = fmt::format("{} = {};\n{}", block.text, values.text, text);
    result.text = text;
    result.run = [=](ModelThread &t) {
      if (writes)
        write(block, t, values.value(t));
      const Lanes offsets = where.value(t);
      Bytes &bytes = t.variables[std::size_t(v)];
      for (int k = 0; k < lanes; ++k)
        for (int channel = 0, row = 0; channel < 4; ++channel)
          if (channels >> channel & 1) {
            std::uint8_t *here = &bytes[std::size_t((row++ * lanes + k) * 4)];
            const Lane at = (offsets[std::size_t(k)] * apart + channel) * 4;
            std::uint8_t *there = input ? &t.memory->in[std::size_t(at)] : bytesOf(in, t, at);
            writes ? std::memcpy(there, here, 4) : std::memcpy(here, there, 4);
          }
    };
    return result;
  }
  static std::string maskNamed(int channels) {
    std::string name;
    for (int k = 3; k >= 0; --k)
      if (channels >> k & 1)
        name += "RGBA"[k];
    return name;
  }

private:
  int blocks = 0;

  /// Integers that lie in one block, of 16, 32, 64 or 128 bytes where those are wanted; no elements if there are none.
  Place blockOf(bool powers, bool filled) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const int v = variableOf(2, filled);
      if (v < 0)
        break;
      const Variable found = variables[std::size_t(v)];
      const int each = factsOf(found.type).bytes, count = chance(40) ? found.elements() : partOf(found.elements());
      const int bytes = count * each;
      const bool power = bytes == 16 || bytes == 32 || bytes == 64 || bytes == 128;
      if (!factsOf(found.type).isFloat && bytes <= slotBytes && (power || (!powers && bytes % 4 == 0)))
        return region(v, count);
    }
    return {-1, Type::Int, 0, "", nullptr};
  }
};

} // namespace pocm::fuzz
