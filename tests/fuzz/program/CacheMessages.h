// Messages to the load/store cache of a random program, where the target has it: blocks, gathers and scatters of
// several elements a lane, parts of dwords, predicates, atomics, and blocks of two dimensions.
//
//     v1.select<16, 1>(3) = cm_load<int, VectorSize::N2>(out, places * 8 + me * 512, v2.select<8, 1>(0) > 3);
#pragma once

#include "BlockAccesses.h"

namespace pocm::fuzz {

class CacheMessages : protected BlockAccesses {
protected:
  using BlockAccesses::BlockAccesses;

  Statement cacheMessage(const Scope &scope) {
    if (!may.cacheMessages)
      return assignment(scope);
    switch (pick(0, scope.width ? 1 : may.rectangles ? 5 : 3)) {
    case 0:
      return cacheLanes(scope, false);
    case 1:
      return chance(50) ? cacheLanes(scope, true) : cacheAtomic(scope);
    case 2:
    case 3:
      return cacheBlock(scope);
    default:
      return cacheRectangle(scope);
    }
  }

private:
  /// The name of a function for a space, and what stands before the offsets.
  struct Access {
    std::string suffix, first, base;
    std::string named(const char *verb) const {
      return suffix == "ptr" ? fmt::format("cm_ptr_{}", verb) : fmt::format("cm_{}{}", verb, suffix);
    }
  };
  static Access accessTo(Space space) {
    switch (space) {
    case Space::Surface:
      return {"", "out, ", fmt::format(" + me * {}", scratchBytes)};
    case Space::Local:
      return {"_slm", "", fmt::format(" + (slm + local * {})", slotBytes)};
    default:
      return {"ptr", fmt::format("(const void *)(memory + me * {}), ", scratchBytes), ""};
    }
  }
  static const char *sizeNamed(int elements) {
    switch (elements) {
    case 2:
      return "VectorSize::N2";
    case 3:
      return "VectorSize::N3";
    case 4:
      return "VectorSize::N4";
    case 8:
      return "VectorSize::N8";
    default:
      return "VectorSize::N1";
    }
  }
  Type bytesType(int least) {
    for (;;)
      if (const Type type = integerType(); factsOf(type).bytes >= least)
        return type;
  }
  /// A variable is given what a function returns.
  Statement given(const Scope &scope, const Expression &e) {
    const int v = variableOf(e.count, true);
    if (v < 0)
      return assignment(scope);
    const Place to = region(v, e.count);
    Expression from = factsOf(to.type).isFloat ? bounded(e, limitOf(to.type)) : e;
    return {fmt::format("{} = {};", to.text, from.text), [=](ModelThread &t) {
              Lanes all = from.value(t);
              for (Lane &x : all)
                x = converted(to.type, from.type, x);
              write(to, t, all);
            }};
  }

  Statement cacheBlock(const Scope &scope) {
    const Space in = space();
    const Access access = accessTo(in);
    const Type type = bytesType(4);
    const int bytes = factsOf(type).bytes, counts[] = {2, 3, 4, 8, 16, 32, 64}, count = counts[pick(0, 6)];
    if (count * bytes > std::min(roomOf(in), 256)) // registers that DG2 has for one
      return assignment(scope);
    const Expression where = offset((roomOf(in) - count * bytes) / bytes);
    const std::string from = fmt::format("{}(int){} * {}{}", access.first, where.text, bytes, access.base);
    if (chance(50)) {
      const Expression e = convert(integers(value(count, 1, true)), type);
      return {fmt::format("{}<{}, {}>({}, {});", access.named("store"), factsOf(type).name, count, from, e.text),
              [=](ModelThread &t) {
                const Lane first = where.value(t)[0] * bytes;
                const Lanes all = e.value(t);
                for (int k = 0; k < count; ++k)
                  save(type, bytesOf(in, t, first + k * bytes), all[std::size_t(k)]);
              }};
    }
    return given(scope,
                 {type, count, fmt::format("{}<{}, {}>({})", access.named("load"), factsOf(type).name, count, from),
                  limitOf(type), [=](ModelThread &t) {
                    const Lane first = where.value(t)[0] * bytes;
                    Lanes all;
                    for (int k = 0; k < count; ++k)
                      all.push_back(load(type, bytesOf(in, t, first + k * bytes)));
                    return all;
                  }});
  }

  /// Several elements of each lane, element 0 of all lanes first; or a part of a dword of each.
  Statement cacheLanes(const Scope &scope, bool writes) {
    const Space in = space();
    const Access access = accessTo(in);
    const int lanes = scope.width ? scope.width : 1 << pick(1, 5);
    struct Size {
      const char *name;
      int bytes, up;
    };
    static const Size parts[] = {{"DataSize::U8U32", 1, 0}, {"DataSize::U16U32", 2, 0}, {"DataSize::U16U32H", 2, 16}};
    const bool partly = chance(25);
    const Size part = parts[pick(0, 2)];
    const Type type = partly ? Type::UInt : bytesType(1);
    const int bytes = partly ? part.bytes : factsOf(type).bytes;
    const int sizes[] = {1, 1, 2, 3, 4, 8}, each = scope.width || partly ? 1 : sizes[pick(0, 5)];
    int apart = bytes;
    while (apart < bytes * each)
      apart *= 2;
    if (lanes * apart > roomOf(in) || lanes * each > mostAtOnce)
      return assignment(scope);
    const Expression where = places(lanes, roomOf(in) / apart, writes);
    const bool some = chance(40);
    const Expression mask = comparison(value(lanes, 2, true), value(lanes, 2));
    const std::string form = fmt::format("{}<{}, {}{}{}>", access.named(writes ? "store" : "load"), factsOf(type).name,
                                         sizeNamed(each), partly ? ", " : "", partly ? part.name : "");
    const std::string from = fmt::format("{}{} * {}{}", access.first, where.text, apart, access.base);
    const Type memory = !partly ? type : bytes == 1 ? Type::UChar : Type::UShort;
    const int up = partly ? part.up : 0;
    if (writes) {
      const Expression e = convert(integers(value(lanes * each, 1, true)), type);
      return {fmt::format("{}({}, {}{});", form, from, e.text, some ? ", " + mask.text : ""), [=](ModelThread &t) {
                const Lanes offsets = where.value(t), all = e.value(t), on = mask.value(t);
                for (int k = 0; k < lanes; ++k)
                  for (int i = 0; i < each && t.isActive(k) && (!some || at(on, k)); ++i)
                    save(memory, bytesOf(in, t, offsets[std::size_t(k)] * apart + i * bytes),
                         all[std::size_t(i * lanes + k)] >> up);
              }};
    }
    return given(scope, {type, lanes * each, fmt::format("{}({}{})", form, from, some ? ", " + mask.text : ""),
                         limitOf(type), [=](ModelThread &t) {
                           const Lanes offsets = where.value(t), on = mask.value(t);
                           Lanes all(std::size_t(lanes * each));
                           for (int k = 0; k < lanes; ++k)
                             for (int i = 0; i < each && (!some || at(on, k)); ++i)
                               all[std::size_t(i * lanes + k)] =
                                   load(memory, bytesOf(in, t, offsets[std::size_t(k)] * apart + i * bytes)) << up;
                           return all;
                         }});
  }

  Statement cacheAtomic(const Scope &scope) {
    struct Operation {
      const char *name;
      int sources;
      Lane (*change)(Type signedOne, Lane old, Lane a, Lane b);
    };
    static const Operation operations[] = {
        {"IINC", 0, [](Type, Lane o, Lane, Lane) { return sum(o, 1); }},
        {"IDEC", 0, [](Type, Lane o, Lane, Lane) { return difference(o, 1); }},
        {"LOAD", 0, [](Type, Lane o, Lane, Lane) { return o; }},
        {"STORE", 1, [](Type, Lane, Lane a, Lane) { return a; }},
        {"IADD", 1, [](Type, Lane o, Lane a, Lane) { return sum(o, a); }},
        {"ISUB", 1, [](Type, Lane o, Lane a, Lane) { return difference(o, a); }},
        {"SMIN", 1, [](Type, Lane o, Lane a, Lane) { return std::min(o, a); }},
        {"SMAX", 1, [](Type, Lane o, Lane a, Lane) { return std::max(o, a); }},
        {"UMIN", 1, [](Type u, Lane o, Lane a, Lane) { return isLess(u, wrapped(u, a), wrapped(u, o)) ? a : o; }},
        {"UMAX", 1, [](Type u, Lane o, Lane a, Lane) { return isLess(u, wrapped(u, o), wrapped(u, a)) ? a : o; }},
        {"ICAS", 2, [](Type, Lane o, Lane a, Lane b) { return o == a ? b : o; }},
        {"AND", 1, [](Type, Lane o, Lane a, Lane) { return o & a; }},
        {"OR", 1, [](Type, Lane o, Lane a, Lane) { return o | a; }},
        {"XOR", 1, [](Type, Lane o, Lane a, Lane) { return o ^ a; }},
    };
    const Operation op = operations[pick(0, int(std::size(operations)) - 1)];
    const Space in = space();
    const Access access = accessTo(in);
    const int lanes = scope.width ? scope.width : 1 << pick(1, 5);
    const Type type = in == Space::Local ? Type::Int : oneOf<Type>({Type::Int, Type::Int, Type::Long});
    const int bytes = factsOf(type).bytes;
    const int v = variableOf(lanes, true);
    if (lanes * bytes > roomOf(in) || v < 0)
      return assignment(scope);
    const Place to = region(v, lanes);
    if (factsOf(to.type).isFloat)
      return assignment(scope);
    const Expression where = places(lanes, roomOf(in) / bytes, true);
    const Expression a = convert(integers(value(lanes, 2, true)), type),
                     b = convert(integers(value(lanes, 2, true)), type);
    const std::string sources = (op.sources > 0 ? ", " + a.text : "") + (op.sources > 1 ? ", " + b.text : "");
    const std::string text =
        fmt::format("{} = {}<AtomicOp::{}, {}>({}{} * {}{}{});", to.text, access.named("atomic"), op.name,
                    factsOf(type).name, access.first, where.text, bytes, access.base, sources);
    return {text, [=](ModelThread &t) {
              const Lanes offsets = where.value(t), first = a.value(t), second = b.value(t);
              Lanes old = Lanes(std::size_t(lanes));
              for (int k = 0; k < lanes; ++k)
                if (t.isActive(k)) {
                  std::uint8_t *place = bytesOf(in, t, offsets[std::size_t(k)] * bytes);
                  const Lane was = load(type, place);
                  save(type, place, op.change(unsignedOf(type), was, first[std::size_t(k)], second[std::size_t(k)]));
                  old[std::size_t(k)] = converted(to.type, type, was);
                }
              write(to, t, old);
            }};
  }

  /// A block of rows of 64 bytes each, which a thread has eight of; what lies outside is 0 and is not written.
  Statement cacheRectangle(const Scope &scope) {
    static constexpr int rowBytes = 64, rowCount = scratchBytes / rowBytes;
    const Type type = integerType();
    const int bytes = factsOf(type).bytes, height = 1 << pick(0, 3);
    int width = 1 << pick(0, 4);
    while (width * bytes < 4)
      width *= 2;
    while (width * bytes > rowBytes || width * height > mostAtOnce)
      width /= 2;
    if (width * bytes < 4)
      return assignment(scope);
    const bool writes = chance(40);
    const bool transposed = !writes && bytes == 4 && width <= 8 && chance(30);
    const bool transformed = !writes && !transposed && bytes <= 2 && height * bytes >= 4 && chance(40);
    const int unit = std::max(4 / bytes, 1), left = pick(0, 2) * unit, above = pick(0, 3);
    const Expression across = masked(scalarVariable(), rowBytes / 4 - 1), down = masked(scalarVariable(), 7);
    const std::string form =
        fmt::format("cm_ptr_{}<{}, {}, {}{}>(({} *)(memory + me * {}), {}, {}, {}, (int){} * {} - {}, (int){} - {}",
                    writes ? "store" : "load", factsOf(type).name, width, height,
                    transposed    ? ", 1, true"
                    : transformed ? ", 1, false, true"
                                  : "",
                    factsOf(type).name, scratchBytes, rowBytes - 1, rowCount - 1, rowBytes - 1, across.text, unit, left,
                    down.text, above);
    auto place = [=](ModelThread &t, int row, int column) -> std::uint8_t * {
      const int x = (int(across.value(t)[0]) * unit - left + column) * bytes, y = int(down.value(t)[0]) - above + row;
      if (x < 0 || x >= rowBytes || y < 0 || y >= rowCount)
        return nullptr;
      return bytesOf(Space::Address, t, y * rowBytes + x);
    };
    const int count = width * height;
    if (writes) {
      const Expression e = convert(integers(value(count, 1, true)), type);
      return {fmt::format("{}, {});", form, e.text), [=](ModelThread &t) {
                const Lanes all = e.value(t);
                for (int k = 0; k < count; ++k)
                  if (std::uint8_t *there = place(t, k / width, k % width))
                    save(type, there, at(all, k));
              }};
    }
    const int packed = 4 / std::min(bytes, 4);
    return given(scope, {type, count, form + ")", limitOf(type), [=](ModelThread &t) {
                           Lanes all = Lanes(std::size_t(count));
                           for (int r = 0; r < height; ++r)
                             for (int c = 0; c < width; ++c) {
                               const int to = transposed    ? c * height + r
                                              : transformed ? (r / packed * width + c) * packed + r % packed
                                                            : r * width + c;
                               const std::uint8_t *there = place(t, r, c);
                               all[std::size_t(to)] = there ? load(type, there) : 0;
                             }
                           return all;
                         }});
  }
};

} // namespace pocm::fuzz
