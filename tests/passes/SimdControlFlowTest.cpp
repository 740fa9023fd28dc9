// SIMD control flow as other tools write it: random nests of if, else and do-while, in the public dialect's goto and
// join, give every channel what it computes alone, on the cpu device, before and after the passes of the Gen middle
// end.
#include "ir/Kernel.h"
#include "passes/Passes.h"
#include "pocm/gen.h"
#include "pocm/passes.h"
#include "program/Container.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <memory>
#include <random>

using namespace llvm;

namespace {

/// x is a channel's value.
struct Statement {
  enum Kind { Assign, If, DoWhile } what = Assign;
  std::uint32_t number = 0; ///< x = x * 3 + number; if (x & number); while (x & number), at most `turns` times
  int turns = 0;
  std::vector<Statement> first, second;
};
using Statements = std::vector<Statement>;

Statements randomStatements(std::mt19937 &random, int depth) {
  Statements all;
  for (unsigned n = 1 + random() % 3; n > 0; --n) {
    Statement s;
    s.what = depth == 0 ? Statement::Assign : Statement::Kind(random() % 3);
    s.number = s.what == Statement::Assign ? random() % 1000 : 1u << random() % 6 | 1u << random() % 6;
    s.turns = int(random() % 4);
    if (s.what != Statement::Assign)
      s.first = randomStatements(random, depth - 1);
    if (s.what == Statement::If && random() % 2)
      s.second = randomStatements(random, depth - 1);
    all.push_back(s);
  }
  return all;
}

void interpret(const Statements &all, std::uint32_t &x) {
  for (const Statement &s : all) {
    int turn = 0;
    switch (s.what) {
    case Statement::Assign:
      x = x * 3 + s.number;
      break;
    case Statement::If:
      interpret(x & s.number ? s.first : s.second, x);
      break;
    case Statement::DoWhile:
      do
        interpret(s.first, x);
      while ((x & s.number) && turn++ < s.turns);
      break;
    }
  }
}

/// Writes the kernel as a front end that lowers to goto and join does.
class Writer {
  const int channels;
  std::string text;
  int next = 0;

  std::string fresh(const char *prefix) { return formatv("{0}{1}", prefix, next++).str(); }
  std::string define(const std::string &value) {
    std::string name = fresh("%v");
    text += formatv("  {0} = {1}\n", name, value).str();
    return name;
  }
  void label(const std::string &name) { text += name + ":\n"; }

  /// What is known at the end of a block.
  struct State {
    std::string block, mask, x;
  };
  struct Branch {
    std::string mask, waiting, jump;
  };

  std::string values() const { return formatv("<{0} x i32>", channels).str(); }
  std::string predicate() const { return formatv("<{0} x i1>", channels).str(); }

  Branch goTo(const std::string &mask, const std::string &waiting, const std::string &stays) {
    std::string t = formatv("{{<32 x i1>, {0}, i1}", predicate()).str();
    std::string g = define(formatv("call {0} @llvm.genx.simdcf.goto.v32i1.v{1}i1(<32 x i1> {2}, {3} {4}, {3} {5})", t,
                                   channels, mask, predicate(), waiting, stays));
    auto part = [&](int k) { return define(formatv("extractvalue {0} {1}, {2}", t, g, k)); };
    std::string m = part(0), w = part(1);
    return {m, w, part(2)};
  }
  Branch join(const std::string &mask, const std::string &waiting) {
    std::string t = "{<32 x i1>, i1}";
    std::string j = define(formatv("call {0} @llvm.genx.simdcf.join.v32i1.v{1}i1(<32 x i1> {2}, {3} {4})", t, channels,
                                   mask, predicate(), waiting));
    std::string m = define(formatv("extractvalue {0} {1}, 0", t, j));
    return {m, "", define(formatv("extractvalue {0} {1}, 1", t, j))};
  }
  /// x & number is not 0.
  std::string test(const std::string &x, std::uint32_t number) {
    std::string bits = define(formatv("and {0} {1}, splat (i32 {2})", values(), x, number));
    return define(formatv("icmp ne {0} {1}, zeroinitializer", values(), bits));
  }
  std::string phi(const std::string &type, const std::string &a, const std::string &from, const std::string &b,
                  const std::string &also) {
    return define(formatv("phi {0} [ {1}, %{2} ], [ {3}, %{4} ]", type, a, from, b, also));
  }

  void assign(State &at, std::uint32_t number) {
    std::string on = define(
        formatv("call {0} @llvm.genx.rdpredregion.v{1}i1.v32i1(<32 x i1> {2}, i32 0)", predicate(), channels, at.mask));
    std::string product = define(formatv("mul {0} {1}, splat (i32 3)", values(), at.x));
    std::string sum = define(formatv("add {0} {1}, splat (i32 {2})", values(), product, number));
    at.x = define(formatv("call {0} @llvm.genx.wrregioni.v{1}i32.v{1}i32.i16.v{1}i1({0} {2}, {0} {3}, i32 0, i32 {1}, "
                          "i32 1, i16 0, i32 undef, {4} {5})",
                          values(), channels, at.x, sum, predicate(), on));
  }

  void branch(State &at, const Statement &s) {
    std::string then = fresh("then"), otherwise = fresh("else"), body = fresh("body"), end = fresh("end");
    Branch g = goTo(at.mask, "zeroinitializer", test(at.x, s.number));
    text += formatv("  br i1 {0}, label %{1}, label %{2}\n", g.jump, otherwise, then).str();
    label(then);
    State first{then, g.mask, at.x};
    write(first, s.first);
    Branch over = goTo(first.mask, "zeroinitializer", "zeroinitializer");
    text += formatv("  br label %{0}\n", otherwise).str();
    label(otherwise);
    std::string mask = phi("<32 x i1>", g.mask, at.block, over.mask, first.block);
    std::string waiting = phi(predicate(), "zeroinitializer", at.block, over.waiting, first.block);
    std::string x = phi(values(), at.x, at.block, first.x, first.block);
    Branch j = join(mask, g.waiting);
    text += formatv("  br i1 {0}, label %{1}, label %{2}\n", j.jump, end, body).str();
    label(body);
    State second{body, j.mask, x};
    write(second, s.second);
    text += formatv("  br label %{0}\n", end).str();
    label(end);
    mask = phi("<32 x i1>", j.mask, otherwise, second.mask, second.block);
    x = phi(values(), x, otherwise, second.x, second.block);
    at = {end, join(mask, waiting).mask, x};
  }

  void loop(State &at, const Statement &s) {
    std::string head = fresh("head"), end = fresh("end"), mask = fresh("%mask"), waiting = fresh("%waiting"),
                x = fresh("%x"), turn = fresh("%turn");
    text += formatv("  br label %{0}\n", head).str();
    size_t phis = text.size(); // they name what the end of the loop defines
    State body{head, mask, x};
    write(body, s.first);
    std::string again = define(formatv("icmp slt i32 {0}, {1}", turn, s.turns));
    std::string more = define(formatv("add i32 {0}, 1", turn));
    std::string c = test(body.x, s.number);
    c = define(formatv("select i1 {0}, {1} {2}, {1} zeroinitializer", again, predicate(), c));
    Branch g = goTo(body.mask, waiting, c);
    text += formatv("  br i1 {0}, label %{1}, label %{2}\n", g.jump, end, head).str();
    auto entry = [&](const std::string &name, const std::string &type, const std::string &a, const std::string &b) {
      return formatv("  {0} = phi {1} [ {2}, %{3} ], [ {4}, %{5} ]\n", name, type, a, at.block, b, body.block).str();
    };
    text.insert(phis, head + ":\n" + entry(mask, "<32 x i1>", at.mask, g.mask) +
                          entry(waiting, predicate(), "zeroinitializer", g.waiting) + entry(x, values(), at.x, body.x) +
                          entry(turn, "i32", "0", more));
    label(end);
    at = {end, join(g.mask, g.waiting).mask, body.x};
  }

  void write(State &at, const Statements &all) {
    for (const Statement &s : all)
      s.what == Statement::Assign ? assign(at, s.number) : s.what == Statement::If ? branch(at, s) : loop(at, s);
  }

public:
  explicit Writer(int channels) : channels(channels) {}

  std::string module(const Statements &all) {
    text = formatv("declare <{0} x i32> @llvm.genx.oword.ld.v{0}i32(i32, i32, i32)\n"
                   "declare void @llvm.genx.oword.st.v{0}i32(i32, i32, <{0} x i32>)\n"
                   "declare {{<32 x i1>, <{0} x i1>, i1} @llvm.genx.simdcf.goto.v32i1.v{0}i1(<32 x i1>, <{0} x i1>, "
                   "<{0} x i1>)\n"
                   "declare {{<32 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v{0}i1(<32 x i1>, <{0} x i1>)\n"
                   "declare <{0} x i1> @llvm.genx.rdpredregion.v{0}i1.v32i1(<32 x i1>, i32)\n"
                   "declare <{0} x i32> @llvm.genx.wrregioni.v{0}i32.v{0}i32.i16.v{0}i1(<{0} x i32>, <{0} x i32>, i32, "
                   "i32, i32, i16, i32, <{0} x i1>)\n"
                   "define spir_func void @k(i32 %in, i32 %out) #0 {{\nentry:\n",
                   channels);
    State at{"entry", "splat (i1 true)",
             define(formatv("call {0} @llvm.genx.oword.ld.v{1}i32(i32 0, i32 %in, i32 0)", values(), channels))};
    write(at, all);
    text += formatv("  call void @llvm.genx.oword.st.v{0}i32(i32 %out, i32 0, {1} {2})\n", channels, values(), at.x);
    return text + "  ret void\n}\nattributes #0 = { \"CMGenxMain\" }\n";
  }
};

std::vector<std::uint8_t> programOf(const std::string &text) {
  LLVMContext context;
  std::unique_ptr<Module> module = pocm::readText(text, "nest.ll", context);
  std::string left;
  raw_string_ostream(left) << *module;
  EXPECT_EQ(left.find("call {"), std::string::npos) << left;
  pocm::setKernels(*module, {{module->getFunction("k"),
                              "k",
                              {{pocm::ParameterKind::Surface, "SurfaceIndex", 1},
                               {pocm::ParameterKind::Surface, "SurfaceIndex", 1}}}});
  pocm::program::Container container;
  container.kernels = {
      {"k",
       {{pocm::ParameterKind::Surface, "SurfaceIndex", 1, 4}, {pocm::ParameterKind::Surface, "SurfaceIndex", 1, 4}}}};
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(*module, stream);
  container.ir.assign(bitcode.begin(), bitcode.end());
  return pocm::program::write(container);
}

std::vector<std::uint32_t> resultOf(const std::vector<std::uint8_t> &program, const std::vector<std::uint32_t> &input) {
  static pocm::Device cpu = pocm::Device::open("cpu", {1, "native"});
  pocm::Kernel kernel = cpu.createKernel(pocm::Program::load(program), "k");
  pocm::Buffer in = cpu.createBuffer(4 * input.size()), out = cpu.createBuffer(4 * input.size());
  in.write(input.data(), 4 * input.size());
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  cpu.enqueue(kernel, {1, 1}).wait();
  std::vector<std::uint32_t> result(input.size());
  out.read(result.data(), 4 * result.size());
  return result;
}

TEST(SimdControlFlowDialect, everyChannelGoesItsOwnWay) {
  const char *const targets[] = {"skl", "icllp", "pvcxt"};
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    int channels = 8 << seed % 3;
    Statements all = randomStatements(random, 3);
    std::vector<std::uint32_t> input, want;
    for (int k = 0; k < channels; ++k) {
      input.push_back(random());
      want.push_back(input.back());
      interpret(all, want.back());
    }
    std::string text = Writer(channels).module(all);
    std::vector<std::uint8_t> program = programOf(text);
    ASSERT_EQ(resultOf(program, input), want) << "seed " << seed << "\n" << text;
    const char *target = targets[seed / 3 % 3];
    ASSERT_EQ(resultOf(pocm::afterGenPasses(program, target, ""), input), want) << "seed " << seed << " " << target;
    pocm::GenOptions checked;
    checked.check = true;
    checked.finalize = seed % 5 == 0;
    EXPECT_EQ(pocm::genCode(program, target, checked).size(), 1u);
  }
}

std::string complaintOf(const std::string &declaration, const std::string &body) {
  LLVMContext context;
  try {
    pocm::readText(declaration + "\ndefine void @f(<32 x i1> %em, <16 x i1> %rm, <16 x i1> %c) {\n" + body +
                       "  ret void\n}\n",
                   "f.ll", context);
  } catch (const pocm::Error &problem) {
    return problem.what();
  }
  return "";
}

TEST(SimdControlFlowDialect, whatItDoesNotSayIsRefused) {
  EXPECT_EQ(
      complaintOf("declare i1 @llvm.genx.simdcf.any.v16i1(<16 x i1>)",
                  "  %x = call i1 @llvm.genx.simdcf.any.v16i1(<16 x i1> %c)\n"),
      "'llvm.genx.simdcf.any.v16i1' in function 'f' is not supported: SIMD control flow is read as goto and join");
  std::string two = "declare {<32 x i1>, i1} @llvm.genx.simdcf.goto.v32i1.v16i1(<32 x i1>, <16 x i1>)";
  EXPECT_EQ(complaintOf(two, "  %x = call {<32 x i1>, i1} @llvm.genx.simdcf.goto.v32i1.v16i1(<32 x i1> %em, <16 x i1> "
                             "%rm)\n"),
            "'llvm.genx.simdcf.goto.v32i1.v16i1' in function 'f' has other operands than the dialect gives it");
  std::string other = "declare {<16 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(<32 x i1>, <16 x i1>)";
  EXPECT_EQ(complaintOf(other, "  %x = call {<16 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(<32 x i1> %em, <16 x "
                               "i1> %rm)\n"),
            "'llvm.genx.simdcf.join.v32i1.v16i1' in function 'f' has another result than the dialect gives it");
  std::string join = "declare {<32 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(<32 x i1>, <16 x i1>)";
  EXPECT_EQ(
      complaintOf(join, "  %x = call {<32 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(<32 x i1> %em, <16 x i1> "
                        "%rm)\n  %y = insertvalue {<32 x i1>, i1} %x, i1 true, 1\n"),
      "'llvm.genx.simdcf.join.v32i1.v16i1' in function 'f' has a result that is used whole; its parts can be used");
  EXPECT_EQ(complaintOf("declare <16 x i1> @llvm.genx.rdpredregion.v16i1.v32i1(<32 x i1>, i32)",
                        "  %x = call <16 x i1> @llvm.genx.rdpredregion.v16i1.v32i1(<32 x i1> %em, i32 17)\n"),
            "'llvm.genx.rdpredregion.v16i1.v32i1' in function 'f' does not name channels that its operand has");
}

} // namespace
