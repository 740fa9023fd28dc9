// OpenCL kernels made at random. Signed arithmetic that overflows means nothing in C, so sums and products are of
// unsigned types of 32 or 64 bits, or of vectors, which are not promoted; signed values come from conversions.
#include "RandomKernels.h"
#include <fmt/format.h>
#include <random>
#include <vector>

namespace test {
namespace {

struct Type {
  const char *name;     ///< Unsigned.
  const char *isSigned; ///< The signed one as wide.
  const char *wide;     ///< In which scalars are computed.
  unsigned lanes;
};
constexpr Type types[] = {
    {"uint", "int", "uint", 1},       {"uint", "int", "uint", 1},          {"ulong", "long", "ulong", 1},
    {"ushort", "short", "uint", 1},   {"uchar", "char", "uint", 1},        {"uint2", "int2", "uint2", 2},
    {"uint4", "int4", "uint4", 4},    {"ushort4", "short4", "ushort4", 4}, {"uchar8", "char8", "uchar8", 8},
    {"ulong2", "long2", "ulong2", 2},
};

class Kernel {
public:
  explicit Kernel(std::uint64_t seed) : random(seed * 0x9E3779B97F4A7C15u + 1) {
    static constexpr unsigned locals[] = {8, 16, 20, 32, 64};
    local = locals[below(5)];
    name = fmt::format("k{}", seed);
  }

  std::string text() {
    // Of more elements some do not fit in registers, and what it writes of bytes to scratch memory where not all
    // channels are on overwrites the others' (docs/finalizer.md).
    constexpr unsigned mostElements = 20;
    unsigned count = 3 + below(5), elements = 0;
    std::string variables;
    for (unsigned n = 0; n < count; ++n) {
      const Type &chosen = types[below(std::size(types))],
                 &t = elements + chosen.lanes > mostElements ? types[0] : chosen;
      elements += t.lanes;
      variables += fmt::format("  {0} v{1} = ({0})({2});\n", t.name, n,
                               t.lanes > 1 ? fmt::format("convert_{}(a[i]) + ({})({})", element(t), element(t), n + 1)
                                           : fmt::format("a[(i * {} + {}) & 255]", 1 + below(7), below(256)));
      known.push_back(&t);
    }
    bool array = below(3) == 0;
    arrays = array;
    std::string statements;
    for (unsigned n = 4 + below(8); n > 0; --n)
      statements += statement(2, 1, true);
    std::string results;
    for (unsigned n = 0; n < count; ++n) {
      const Type &t = *known[n];
      for (unsigned lane = 0; lane < t.lanes; ++lane)
        results +=
            fmt::format("  h = h * 31 + (ulong)v{}{};\n", n, lane || t.lanes > 1 ? fmt::format(".s{}", lane) : "");
    }
    return fmt::format("// launch: {0} global={1} local={2} in=uint:256 zero=ulong:{1} uint=0\n"
                       "kernel void {0}(global const uint *a, global ulong *to, uint zero) {{\n"
                       "  uint i = get_global_id(0), l = get_local_id(0);\n  local uint shared_[{2}];\n"
                       "  uint x[8];\n  for (uint k = 0; k < 8; ++k)\n    x[k] = a[(i + k) & 255];\n"
                       "{3}{4}  ulong h = x[i & 7];\n{5}  to[i] = h;\n}}\n",
                       name, local * 3, local, variables, statements, results);
  }

private:
  unsigned below(std::size_t n) { return unsigned(random() % n); }
  static std::string element(const Type &t) {
    std::string text = t.name;
    return t.lanes > 1 ? text.substr(0, text.size() - 1) : text;
  }
  /// A scalar of 32 bits.
  std::string number() {
    unsigned n = below(known.size());
    const Type &t = *known[n];
    switch (below(5)) {
    case 0:
      // Hidden from Intel's compiler, which folds constants wrongly without optimisation (docs/finalizer.md).
      return fmt::format("({}u ^ zero)", random() & 0xFFFFFFFF);
    case 1:
      return "i";
    case 2:
      return arrays ? fmt::format("x[{} & 7]", variable()) : "l";
    default:
      return t.lanes > 1 ? fmt::format("(uint)v{}.s{}", n, below(t.lanes)) : fmt::format("(uint)v{}", n);
    }
  }
  std::string variable() {
    unsigned n = below(known.size());
    return known[n]->lanes > 1 ? fmt::format("(uint)v{}.s{}", n, below(known[n]->lanes)) : fmt::format("(uint)v{}", n);
  }
  /// A value of that type.
  std::string value(const Type &t, unsigned depth) {
    if (depth == 0 || below(4) == 0) {
      std::vector<unsigned> same;
      for (unsigned n = 0; n < known.size(); ++n)
        if (known[n]->lanes == t.lanes)
          same.push_back(n);
      if (!same.empty() && below(3)) {
        unsigned n = same[below(same.size())];
        return t.lanes > 1 ? fmt::format("convert_{}(v{})", t.name, n) : fmt::format("(({})v{})", t.name, n);
      }
      return fmt::format("(({})({}))", t.name, t.lanes > 1 ? fmt::format("({})({})", element(t), number()) : number());
    }
    std::string a = value(t, depth - 1), b = value(t, depth - 1), c;
    auto wide = [&](const std::string &s) { return t.lanes > 1 ? s : fmt::format("({})({})", t.wide, s); };
    auto asSigned = [&](const std::string &s) { return fmt::format("as_{}({})", t.isSigned, s); };
    auto narrow = [&](const std::string &s) {
      return t.lanes > 1 ? fmt::format("({})", s) : fmt::format("(({})({}))", t.name, s);
    };
    auto exact = [&](const std::string &s) { return fmt::format("as_{}({})", t.name, s); };
    // What Intel's compiler cannot know: it loses signs and complements of constants (docs/finalizer.md).
    auto hidden = [&](const std::string &s) {
      // It would know the upper half of (ulong)zero.
      std::string zero = std::string_view(t.lanes > 1 ? element(t) : t.wide) == "ulong"
                             ? "upsample(zero, zero)"
                             : fmt::format("({})zero", t.lanes > 1 ? element(t) : t.wide);
      if (t.lanes > 1)
        zero = fmt::format("({})({})", t.name, zero);
      return wide(s) + " ^ " + zero;
    };
    auto literal = [&](unsigned n) { return t.lanes > 1 ? fmt::format("({})({})", t.name, n) : fmt::format("{}u", n); };
    switch (below(22)) {
    case 0:
    case 1:
      return narrow(wide(a) + " + " + wide(b));
    case 2:
      // What is widened from bytes that change it reads without the minus.
      return narrow(wide(a) + " - (" + hidden(b) + ")");
    case 3:
      return narrow(wide(a) + " * " + wide(b));
    case 4:
      return narrow(wide(a) + " & " + wide(b));
    case 5:
      return narrow(wide(a) + " ^ " + wide(b));
    case 6:
      return narrow("~(" + hidden(a) + ") | " + wide(b));
    case 7:
      return narrow(wide(a) + " << ((" + hidden(b) + ") & " + literal(7) + ")");
    case 8:
      return narrow(wide(a) + " >> ((" + hidden(b) + ") & " + literal(7) + ")");
    case 9:
      // Shifts of 64 bits by a constant 0 it gets wrong, without optimisation and where there are no such instructions.
      return exact(fmt::format("({})({} >> ({}){})", t.isSigned, asSigned(a), t.isSigned, 1 + below(7)));
    case 10:
      return narrow(wide(a) + " / (" + wide(b) + " | " + literal(1) + ")");
    case 11:
      return narrow(wide(a) + " % (" + wide(b) + " | " + literal(1) + ")");
    case 12:
      return fmt::format("min({}, {})", a, b);
    case 13:
      return exact(fmt::format("max({}, {})", asSigned(a), asSigned(b)));
    case 14:
      return fmt::format("add_sat({}, {})", a, b);
    case 15:
      return exact(fmt::format("sub_sat({}, {})", asSigned(narrow(hidden(a))), asSigned(narrow(hidden(b)))));
    case 16:
      // What is rotated by 0 it takes for unknown, and loses the sign of a negation that it moves into `rol`.
      return fmt::format("rotate({}, {})", narrow(hidden(a)), narrow("(" + hidden(b) + ") | " + literal(1)));
    case 17:
      return fmt::format("{}({})", below(2) ? "popcount" : "clz", a);
    case 18:
      // PoCL takes products of words for signed ones that do not overflow.
      return below(2) && element(t) != "ushort" ? narrow(hidden(fmt::format("mul_hi({}, {})", a, b)))
                                                : fmt::format("hadd({}, {})", a, b);
    case 19:
      return fmt::format("abs_diff({}, {})", narrow(hidden(a)), narrow(hidden(b)));
    case 20:
      if (t.lanes > 1)
        return fmt::format("select({}, {}, {} < {})", a, b, asSigned(a), asSigned(b));
      return fmt::format("(({})({} < {} ? {} : {}))", t.name, asSigned(a), asSigned(b), a, b);
    default:
      if (t.lanes == 2)
        return fmt::format("({}).yx", a);
      if (t.lanes == 4)
        return fmt::format("({}).{}", a, below(2) ? "wzyx" : "yyxw");
      return t.lanes > 1 ? fmt::format("bitselect({}, {}, {})", a, b, a)
                         : fmt::format("convert_{}_sat({}({}))", t.name, below(2) ? "(long)" : "(int)", number());
    }
  }
  std::string condition() {
    static constexpr const char *relations[] = {"<", "==", ">", "!=", "<=", ">="};
    switch (below(3)) {
    case 0:
      return fmt::format("({}) & {}", number(), 1 + below(7));
    case 1:
      return fmt::format("(int)({}) {} (int)({})", number(), relations[below(6)], number());
    default:
      return fmt::format("({}) {} ({})", number(), relations[below(6)], number());
    }
  }
  std::string block(unsigned depth, unsigned indent, bool inLoop) {
    std::string text;
    for (unsigned n = 1 + below(3); n > 0; --n)
      text += statement(depth, indent, false, inLoop);
    return text;
  }
  std::string statement(unsigned depth, unsigned indent, bool top, bool inLoop = false) {
    std::string space(indent * 2, ' ');
    unsigned kind = depth ? below(12) : below(5);
    if (kind == 11 && top) // all work items get here
      return fmt::format("{0}barrier(CLK_LOCAL_MEM_FENCE);\n{0}shared_[l] = {1};\n{0}barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "{0}x[{2}] ^= shared_[(l + ({3})) % {4}];\n",
                         space, number(), below(8), number(), local);
    if (kind >= 9 && depth)
      return fmt::format("{0}switch (({1}) & 3) {{\n{0}case 0:\n{2}{0}  break;\n{0}case 2:\n{3}{0}default:\n{4}{0}}}\n",
                         space, number(), block(depth - 1, indent + 1, false), block(depth - 1, indent + 1, false),
                         block(depth - 1, indent + 1, false));
    if (kind >= 7 && depth) {
      std::string counter = fmt::format("c{}", counters++);
      return fmt::format("{0}for (uint {1} = 0; {1} < (({2}) & 7); ++{1}) {{\n{3}{0}}}\n", space, counter, number(),
                         block(depth - 1, indent + 1, true));
    }
    if (kind >= 5 && depth)
      return fmt::format("{0}if ({1}) {{\n{2}{0}}} else {{\n{3}{0}}}\n", space, condition(),
                         block(depth - 1, indent + 1, inLoop), block(depth - 1, indent + 1, inLoop));
    if (inLoop && kind == 4)
      return fmt::format("{}if ({})\n{}  {};\n", space, condition(), space, below(2) ? "break" : "continue");
    if (arrays && kind == 3)
      return fmt::format("{}x[{} & 7] {} {};\n", space, variable(), below(2) ? "=" : "+=", number());
    unsigned n = below(known.size());
    const Type &t = *known[n];
    // What one way changes in an element and another as a whole it mixes up: the vector is computed anew behind that.
    if (t.lanes > 1 && below(4) == 0)
      return fmt::format("{0}v{1}.s{2} = ({3})({4});\n{0}v{1} ^= ({5})(({3})zero);\n", space, n, below(t.lanes),
                         element(t), number(), t.name);
    return fmt::format("{}v{} = {};\n", space, n, value(t, 1 + below(3)));
  }

  std::mt19937_64 random;
  std::string name;
  unsigned local, counters = 0;
  bool arrays = false;
  std::vector<const Type *> known;
};

} // namespace

std::string randomKernels(std::uint64_t first, unsigned count) {
  std::string text;
  for (unsigned n = 0; n < count; ++n)
    text += Kernel(first + n).text();
  return text;
}

} // namespace test
