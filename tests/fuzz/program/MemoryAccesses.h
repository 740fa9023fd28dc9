// Scattered reads, writes and atomics of a random program: in a thread's own part of a surface, of shared local memory
// and of memory by address, and, where their order does not matter, in a part that all threads share.
#pragma once

#include "ElementLoops.h"

namespace pocm::fuzz {

class MemoryAccesses : protected ElementLoops {
protected:
  using ElementLoops::ElementLoops;

  static constexpr int inBytes = 1024, scratchBytes = 512, slotBytes = 128, mostThreads = 16;
  static constexpr int sharedAt = scratchBytes * mostThreads, sharedBlock = 64, resultsAt = sharedAt + 8 * sharedBlock;

  /// Places of so many elements among `room`, a power of two; different ones, where that is asked for.
  Expression places(int count, int room, bool different) {
    Expression e = whole(ramp);
    if (different) {
      Expression steps = read(region(ramp, count));
      steps = read({ramp, Type::UShort, count, fmt::format("ramp.select<{}, 1>(0)", count), [count](ModelThread &) {
                      std::vector<int> all;
                      for (int k = 0; k < count; ++k)
                        all.push_back(k);
                      return all;
                    }});
      int odd = pick(0, 7) * 2 + 1;
      Expression from = scalarVariable();
      e = {Type::Int, count, fmt::format("({} * {} + (int)({}))", steps.text, odd, from.text), limitOf(Type::Int),
           [=](ModelThread &t) {
             Lanes all = steps.value(t);
             Lane first = converted(Type::Int, from.type, from.value(t)[0]);
             for (Lane &x : all)
               x = wrapped(Type::Int, sum(product(x, odd), first));
             return all;
           }};
    } else {
      e = value(count, 2, true);
      if (factsOf(e.type).isFloat)
        e = convert(e, Type::Int);
    }
    return convert(masked(e, room - 1), Type::UInt);
  }

  enum class Space : std::uint8_t { Surface, Local, Address };
  static std::uint8_t *bytesOf(Space space, ModelThread &t, Lane offset) {
    switch (space) {
    case Space::Surface:
      return &t.memory->out[std::size_t(t.number * scratchBytes + offset)];
    case Space::Local:
      return &(*t.slm)[std::size_t(t.local * slotBytes + offset)];
    default:
      return &t.memory->addressed[std::size_t(t.number * scratchBytes + offset)];
    }
  }
  static int roomOf(Space space) { return space == Space::Local ? slotBytes : scratchBytes; }

  /// A space of memory and a number of elements that messages to it have.
  int lanesOf(const Scope &scope) { return scope.width ? scope.width : 1 << pick(1, 5); }

  /// The text of the offsets of elements in a thread's own part of a space, and how many bytes one of them is.
  std::string offsets(Space space, const Expression &where, int bytes, bool scaled) {
    int scale = scaled ? bytes : 1;
    switch (space) {
    case Space::Surface:
      return fmt::format("{} * {}", where.text, scale);
    case Space::Local:
      return fmt::format("{} * {} + local * {}", where.text, scale, slotBytes / (scaled ? 1 : bytes));
    default:
      return fmt::format("vector<unsigned long long, {}>({} * {}) + (memory + me * {})", where.count, where.text, bytes,
                         scratchBytes);
    }
  }
  Space space() {
    return !usesGroups || chance(mix.elsewhere) ? (chance(60) ? Space::Surface : Space::Address) : Space::Local;
  }

  Statement scatter(const Scope &scope) {
    Space to = space();
    int count = lanesOf(scope);
    Type type = anyType();
    int bytes = factsOf(type).bytes;
    while (count * bytes > roomOf(to)) {
      type = Type::UChar;
      bytes = 1;
    }
    if (bytes == 8 && to == Space::Surface) { // which has elements of 1, 2 and 4 bytes
      type = Type::Int;
      bytes = 4;
    }
    bool scaled = chance(50);
    Expression where = places(count, roomOf(to) / bytes, true), e = value(count, 1, true);
    e = factsOf(type).isFloat ? convert(convert(bounded(e, (1 << 20) - 1), Type::Int), type) : convert(e, type);
    std::string at = offsets(to, where, bytes, scaled), text;
    if (to == Space::Surface)
      text = fmt::format("write{}(out, me * {}, {}, {});", scaled ? "_scaled" : "", scratchBytes / (scaled ? 1 : bytes),
                         at, e.text);
    else if (to == Space::Local)
      text = fmt::format("cm_slm_write{}(slm, {}, {});", scaled ? "_scaled" : "", at, e.text);
    else
      text = fmt::format("cm_svm_scatter_write({}, {});", at, e.text);
    return {text, [=](ModelThread &t) {
              Lanes offset = where.value(t), lanes = e.value(t);
              for (int k = 0; k < count; ++k)
                if (t.isActive(k))
                  save(type, bytesOf(to, t, offset[std::size_t(k)] * bytes), lanes[std::size_t(k)]);
            }};
  }

  /// A variable of integers, that many elements of which a message can fill.
  std::pair<int, int> filled(const Scope &scope, int least, int most) {
    for (int attempt = 0; attempt < 30; ++attempt) {
      int count = lanesOf(scope), v = variableOf(count, true);
      if (v < 0)
        continue;
      const Variable &found = variables[std::size_t(v)];
      int bytes = factsOf(found.type).bytes;
      if (!factsOf(found.type).isFloat && bytes >= least && bytes <= most)
        return {v, count};
    }
    return {-1, 0};
  }
  Statement gather(const Scope &scope) {
    Space from = space();
    auto [v, count] = filled(scope, 1, from == Space::Surface ? 4 : 8);
    if (v < 0)
      return assignment(scope);
    Place to = region(v, count);
    Type type = to.type;
    int bytes = factsOf(type).bytes;
    bool scaled = chance(50), input = from == Space::Surface && chance(50);
    Expression where = places(count, input ? inBytes / bytes : roomOf(from) / bytes, false);
    std::string text, at = offsets(from, where, bytes, scaled);
    if (from == Space::Surface)
      text = fmt::format("read{}({}, {}, {}, {});", scaled ? "_scaled" : "", input ? "in" : "out",
                         input ? "0" : fmt::format("me * {}", scratchBytes / (scaled ? 1 : bytes)), at, to.text);
    else if (from == Space::Local)
      text = fmt::format("cm_slm_read{}(slm, {}, {});", scaled ? "_scaled" : "", at, to.text);
    else
      text = fmt::format("cm_svm_scatter_read({}, {});", at, to.text);
    return {text, [=](ModelThread &t) {
              Lanes offset = where.value(t), lanes;
              for (int k = 0; k < count; ++k) {
                Lane byte = offset[std::size_t(k)] * bytes;
                lanes.push_back(load(type, input ? &t.memory->in[std::size_t(byte)] : bytesOf(from, t, byte)));
              }
              write(to, t, lanes);
            }};
  }

  struct Atomic {
    const char *name;
    int sources;
    bool commutes;
    Lane (*change)(Type type, Lane old, Lane a, Lane b);
  };
  static const std::vector<Atomic> &atomics() {
    static const std::vector<Atomic> all = {
        {"ADD", 1, true, [](Type, Lane o, Lane a, Lane) { return sum(o, a); }},
        {"SUB", 1, true, [](Type, Lane o, Lane a, Lane) { return difference(o, a); }},
        {"INC", 0, true, [](Type, Lane o, Lane, Lane) { return sum(o, 1); }},
        {"DEC", 0, true, [](Type, Lane o, Lane, Lane) { return difference(o, 1); }},
        {"MIN", 1, true, [](Type t, Lane o, Lane a, Lane) { return isLess(t, a, o) ? a : o; }},
        {"MAX", 1, true, [](Type t, Lane o, Lane a, Lane) { return isLess(t, o, a) ? a : o; }},
        {"OR", 1, true, [](Type, Lane o, Lane a, Lane) { return o | a; }},
        {"XOR", 1, true, [](Type, Lane o, Lane a, Lane) { return o ^ a; }},
        {"AND", 1, false, [](Type, Lane o, Lane a, Lane) { return o & a; }},
        {"XCHG", 1, false, [](Type, Lane, Lane a, Lane) { return a; }},
        {"CMPXCHG", 2, false, [](Type, Lane o, Lane a, Lane b) { return o == b ? a : o; }},
    };
    return all;
  }
  /// A thread's own dwords (or numbers of other sizes by address), with what was there before.
  Statement atomic(const Scope &scope) {
    Space in = space();
    const Atomic &op = oneOf(atomics());
    auto [v, count] = filled(scope, in == Space::Address ? (may.wordAtomics ? 2 : 4) : 4, in == Space::Address ? 8 : 4);
    if (v < 0)
      return assignment(scope);
    Type type = variables[std::size_t(v)].type, bits = type;
    for (Type u : {Type::UShort, Type::UInt, Type::ULong})
      if (factsOf(u).bytes == factsOf(type).bytes)
        bits = u;
    Place to = region(v, count);
    int bytes = factsOf(type).bytes;
    if (count * bytes > roomOf(in))
      return assignment(scope);
    Expression where = places(count, roomOf(in) / bytes, true), a = convert(value(count, 2, true), bits),
               b = convert(value(count, 2, true), bits);
    std::string sources = op.sources == 0   ? ""
                          : op.sources == 1 ? ", " + a.text
                                            : ", " + a.text + ", " + b.text,
                text, at = offsets(in, where, bytes, false);
    Expression mask = comparison(value(count, 2, true), value(count, 2));
    bool isMasked = in == Space::Surface && chance(40);
    if (in == Space::Surface)
      text = fmt::format("write_atomic<ATOMIC_{}>({}out, {} + me * {}{}, {});", op.name,
                         isMasked ? mask.text + ", " : "", at, scratchBytes / bytes, sources, to.text);
    else if (in == Space::Local)
      text = fmt::format("cm_slm_atomic(slm, ATOMIC_{}, {}, {}{});", op.name, at, to.text, sources);
    else
      text = fmt::format("svm_atomic<ATOMIC_{}>({}, {}{});", op.name, at, to.text, sources);
    return {text, [=, change = op.change](ModelThread &t) {
              Lanes offset = where.value(t), first = a.value(t), second = b.value(t), on = mask.value(t),
                    old = read(to).value(t);
              for (std::size_t k = 0; k < std::size_t(count); ++k) {
                if (!t.isActive(int(k)) || (isMasked && !on[k]))
                  continue;
                std::uint8_t *place = bytesOf(in, t, offset[k] * bytes);
                Lane was = load(bits, place);
                save(bits, place, change(bits, was, first[k], second[k]));
                old[k] = wrapped(type, was);
              }
              write(to, t, old);
            }};
  }
  /// Dwords that all threads change at once, by one operation for each place, whose order does not matter.
  Statement shared(const Scope &scope) {
    int count = lanesOf(scope), kind = pick(0, 7), block = sharedAt + kind * sharedBlock;
    const Atomic &op = atomics()[std::size_t(kind)];
    Expression where = places(count, sharedBlock / 4, false), a = convert(value(count, 2, true), Type::UInt);
    return {fmt::format("write_atomic<ATOMIC_{}>(out, {} + {}{});", op.name, where.text, block / 4,
                        op.sources ? ", " + a.text : ""),
            [=, change = op.change](ModelThread &t) {
              Lanes offset = where.value(t), first = a.value(t);
              for (std::size_t k = 0; k < std::size_t(count); ++k)
                if (t.isActive(int(k))) {
                  std::uint8_t *place = &t.memory->out[std::size_t(block + offset[k] * 4)];
                  save(Type::UInt, place, change(Type::UInt, load(Type::UInt, place), first[k], 0));
                }
            }};
  }
};

} // namespace pocm::fuzz
