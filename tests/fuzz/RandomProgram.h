// Random CM programs with their results, for cm-fuzz: whoever adds a piece of text adds what it does to a thread, in
// plain scalar C++ (CmValues.h), so that a program comes with a model of itself that shares nothing with the compiler
// or a device. The same seed gives the same program.
//
//     RandomProgram program(7);
//     program.text          vector<ushort, 16> v2 = ...; SIMD_IF_BEGIN(v2.select<8, 2>(1) > s1) { ... } SIMD_IF_END;
//     program.name          "k7", the kernel's; several texts behind one heading() are one source
//     program.execute()     what is in the buffers after a launch
//
// In the folder program/, each on the one before: Model.h, Palette.h, Variables.h, BitFunctions.h, Arithmetic.h,
// Expressions.h, Assignments.h, MemoryAccesses.h, BlockAccesses.h, CacheMessages.h, MediaBlocks.h, Systolic.h,
// Functions.h and ControlFlow.h. Here is the whole program: its groups of threads, its buffers and images, and what it
// stores at its end.
#pragma once

#include "program/ControlFlow.h"

namespace pocm::fuzz {

class RandomProgram : private ControlFlow {
public:
  using MediaBlocks::imageHeight;
  using MediaBlocks::imageWidth;
  using MemoryAccesses::inBytes;
  using MemoryAccesses::mostThreads;
  using MemoryAccesses::resultsAt;
  using MemoryAccesses::scratchBytes;

  std::string name, text;
  unsigned groups = 1, threads = 1; ///< Of a launch, and of a group.
  std::vector<std::int16_t> words = std::vector<std::int16_t>(16);
  std::int32_t number = 0;
  int pixelBytes() const { return palette.pixelBytes; }

  /// The program of a seed, without the statements of these numbers.
  explicit RandomProgram(unsigned seed, ProgramFeatures features = {}, const std::set<int> &without = {},
                         const Mix &mix = shortPrograms)
      : RandomProgram({seed, features, without, mix}, false) {}

  /// The same where one variable is never given what it holds at first, which is anything (execute).
  std::unique_ptr<RandomProgram> forgetful() const {
    return std::unique_ptr<RandomProgram>(new RandomProgram(of, true));
  }
  RandomProgram(const RandomProgram &) = delete; // its statements know where it is

  /// What stands before the texts of programs.
  static std::string heading() {
    std::string table;
    for (int k = 0; k < 64; ++k)
      table += fmt::format("{}{}", k ? ", " : "", k);
    return fmt::format("#include <cm/cm.h>\nconst ushort numbers[64] = {{{}}};\n", table);
  }

  /// How many statements there are, the dropped ones included.
  int statementCount() const { return made; }

  /// What lies at a byte of the output: "element 3 of v2 of thread 1".
  std::string nameOf(std::size_t byte) const {
    if (byte < std::size_t(resultsAt))
      return byte < std::size_t(sharedAt)
                 ? fmt::format("byte {} of thread {}'s part", byte % scratchBytes, byte / scratchBytes)
                 : fmt::format("dword {} of ATOMIC_{}", (byte - sharedAt) % sharedBlock / 4,
                               atomics()[(byte - sharedAt) / sharedBlock].name);
    std::size_t at = (byte - resultsAt) % std::size_t(resultBytes),
                thread = (byte - resultsAt) / std::size_t(resultBytes);
    for (const Result &part : results)
      if (at >= part.at && at < part.at + part.bytes)
        return fmt::format("element {} of {} of thread {}", int(at - part.at) / part.each + part.first, part.name,
                           thread);
    return fmt::format("byte {} of thread {}", at, thread);
  }

  /// Buffers before a launch.
  ProgramMemory memory() const {
    ProgramMemory all{Bytes(inBytes), Bytes(std::size_t(resultsAt) + groups * threads * std::size_t(resultBytes)),
                      Bytes(std::size_t(scratchBytes) * mostThreads), Bytes(std::size_t(imageWidth) * imageHeight),
                      Bytes(std::size_t(imageWidth) * imageHeight)};
    for (std::size_t i = 0; i < all.picture.size(); ++i) {
      all.picture[i] = std::uint8_t(i * 59 + i / 48 * 7);
      all.canvas[i] = std::uint8_t(i * 101 + i / 48 * 3);
    }
    for (int i = 0; i < inBytes; ++i)
      all.in[std::size_t(i)] = std::uint8_t(std::uint32_t(i / 4 * 2654435761u) >> (i % 4 * 8));
    for (std::size_t i = 0; i < resultsAt; ++i)
      all.out[i] = std::uint8_t(i * 37 + i / 256);
    for (std::size_t i = 0; i < all.addressed.size(); ++i)
      all.addressed[i] = std::uint8_t(i * 91 + i / 256);
    return all;
  }

  /// Buffers after a launch, by the model.
  ProgramMemory execute() const { return execute(memory()); }
  /// The same with others before it, and with what a variable holds that was never given anything.
  ProgramMemory execute(ProgramMemory all, int unwritten = 0) const {
    for (unsigned group = 0; group < groups; ++group) {
      Bytes slm(std::size_t(slotBytes) * mostThreads + 256);
      std::vector<ModelThread> team(threads);
      for (unsigned local = 0; local < threads; ++local) {
        ModelThread &t = team[local];
        t.memory = &all;
        t.slm = &slm;
        t.local = local;
        t.number = group * threads + local;
        t.unwritten = unwritten;
        for (const Variable &v : variables)
          t.variables.emplace_back(std::size_t(v.elements() * factsOf(v.type).bytes));
      }
      for (const Step &step : steps) // barriers stand between them
        for (ModelThread &t : team)
          step(t);
    }
    return all;
  }

private:
  /// What a program is made from.
  struct Origin {
    unsigned seed;
    ProgramFeatures features;
    std::set<int> without;
    Mix mix;
  };
  const Origin of;
  const bool forgets;
  static constexpr int blockBytes = 128;

  RandomProgram(const Origin &of, bool forgets)
      : ControlFlow(of.seed, of.features, of.without, of.mix), name(fmt::format("k{}", of.seed)), of(of),
        forgets(forgets) {
    generate();
  }

  void add(const Statement &s) {
    body += indented(s.text) + "\n";
    steps.push_back(s.run);
  }
  /// After it a thread sees what others of its group have written before it.
  void barrier() { body += "  cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);\n  cm_barrier();\n"; }

  /// Reads what another thread of the group has in its part of the shared local memory.
  Statement neighbour() {
    int step = pick(0, 7);
    unsigned team = threads;
    return {fmt::format("cm_slm_block_read(slm, (int)((local + {}) % {} * {}), w);", step, threads, slotBytes),
            [=, v = window](ModelThread &t) {
              unsigned other = (t.local + unsigned(step)) % team;
              std::memcpy(t.variables[std::size_t(v)].data(), &(*t.slm)[other * slotBytes], slotBytes);
            }};
  }

  void fixed(const std::string &declaration, Type type, int columns, const std::string &name, int &variable,
             std::function<Lanes(ModelThread &)> lanes) {
    variables.push_back({type, 0, columns, name});
    variable = int(variables.size()) - 1;
    declarations += declaration.empty() ? "" : "  " + declaration + "\n";
    Place all{variable, type, columns, name, nullptr};
    steps.push_back([=](ModelThread &t) { write(all, t, lanes(t)); });
  }
  Statement initialized(int variable) {
    const Variable v = variables[std::size_t(variable)];
    Place to{variable, v.type, v.isScalar() ? 0 : v.elements(), v.name, nullptr};
    // Plain: what is interesting comes behind it, and each expression takes the compiler its time.
    const int times = pick(-9, 99), more = pick(-300, 300);
    Expression e = v.isScalar() ? scalar(2)
                                : Expression{Type::Int, to.count,
                                             fmt::format("(ramp.select<{}, 1>(0) * {} + {})", to.count, times, more),
                                             limitOf(Type::Int), [=](ModelThread &) {
                                               Lanes all;
                                               for (int k = 0; k < to.count; ++k)
                                                 all.push_back(k * times + more);
                                               return all;
                                             }};
    e = convert(factsOf(e.type).isFloat ? bounded(e, 4095) : e, v.type);
    return {fmt::format("{} = {};", to.text, e.text), [=](ModelThread &t) { write(to, t, e.value(t)); }};
  }

  /// Puts variables side by side into a block of 128 bytes after the other, floats as the whole numbers that they are.
  void stored(const std::vector<int> &all) {
    const int block = declare(Type::Int, 0, blockBytes / 4, "result");
    int used = 0;
    auto flush = [&] {
      body += fmt::format("  write(out, (int)(base + {}), result);\n", resultBytes);
      steps.push_back([=, this, at = resultBytes](ModelThread &t) {
        std::memcpy(&t.memory->out[std::size_t(resultsAt + int(t.number) * resultBytes + at)],
                    t.variables[std::size_t(block)].data(), blockBytes);
      });
      resultBytes += blockBytes;
      used = 0;
    };
    for (int variable : all) {
      const Variable v = variables[std::size_t(variable)];
      const int bytes = factsOf(v.type).bytes;
      const Type as = v.type == Type::Float    ? Type::Int
                      : v.type == Type::Half   ? Type::Short
                      : v.type == Type::BFloat ? Type::Short
                      : v.type == Type::Double ? Type::Long
                                               : v.type;
      for (int from = 0, count = 0; from < v.elements(); from += count) {
        used = (used + bytes - 1) / bytes * bytes;
        if (used + std::min(bytes * (v.elements() - from), blockBytes) > blockBytes)
          flush();
        count = std::min(v.elements() - from, (blockBytes - used) / bytes);
        const std::string place = fmt::format("result.format<{}>()", factsOf(as).name);
        if (v.isScalar()) {
          body += fmt::format("  {}({}) = {};\n", place, used / bytes, v.name);
        } else {
          std::string part = fmt::format("{}{}.select<{}, 1>({})", v.name,
                                         v.rows ? fmt::format(".format<{}>()", factsOf(v.type).name) : "", count, from);
          if (as != v.type)
            part = fmt::format("vector<{}, {}>({})", factsOf(as).name, count, part);
          body += fmt::format("  {}.select<{}, 1>({}) = {};\n", place, count, used / bytes, part);
        }
        results.push_back({std::size_t(resultBytes + used), std::size_t(count * bytes), bytes, from, v.name});
        steps.push_back([=](ModelThread &t) {
          for (int k = 0; k < count; ++k)
            save(as, &t.variables[std::size_t(block)][std::size_t(used + k * bytes)],
                 load(v.type, &t.variables[std::size_t(variable)][std::size_t((from + k) * bytes)]));
        });
        used += count * bytes;
      }
    }
    if (used)
      flush();
  }

  void generate() {
    groups = unsigned(pick(1, 3));
    threads = unsigned(pick(1, 4));
    usesGroups = chance(mix.groups);
    blockWidth = oneOf(palette.widths);
    number = pick(-1000, 1000);
    for (std::int16_t &word : words)
      word = std::int16_t(pick(-32768, 32767));
    fixed("vector<ushort, 64> ramp(numbers);", Type::UShort, 64, "ramp", ramp, [](ModelThread &) {
      Lanes all(64);
      for (std::size_t k = 0; k < 64; ++k)
        all[k] = Lane(k);
      return all;
    });
    int p = 0;
    fixed("", Type::Int, 0, "n", argument, [this](ModelThread &) { return Lanes{number}; });
    fixed("", Type::Short, 16, "p", p, [this](ModelThread &) { return Lanes(words.begin(), words.end()); });
    fixed("uint me = cm_linear_global_id();", Type::UInt, 0, "me", me, [](ModelThread &t) { return Lanes{t.number}; });
    fixed("uint local = cm_linear_local_id();", Type::UInt, 0, "local", localId,
          [](ModelThread &t) { return Lanes{t.local}; });
    fixed("", Type::UInt, 0, "base", base,
          [this](ModelThread &t) { return Lanes{resultsAt + int(t.number) * resultBytes}; });
    if (usesGroups)
      declarations += fmt::format("  cm_slm_init({0});\n  uint slm = cm_slm_alloc({0});\n", slotBytes * threads);
    window = declare(Type::Int, 0, 32, "w");
    std::vector<int> own;
    add({"w = ramp.select<32, 1>(0) * 5 + n;", [this, v = window](ModelThread &t) {
           Lanes all(32);
           for (std::size_t k = 0; k < 32; ++k)
             all[k] = wrapped(Type::Int, Lane(k) * 5 + number);
           write({v, Type::Int, 32, "", nullptr}, t, all);
         }});
    amounts = chance(mix.large) ? largeProgram : mix.middle == 100 || chance(mix.middle) ? middleProgram : smallProgram;
    for (int k = pick(1, amounts.scalars); k > 0; --k)
      own.push_back(declare(integerType(), 0, 0, fmt::format("s{}", k)));
    for (int k = pick(1, amounts.columns); k > 0; --k)
      own.push_back(declare(anyType(), 0, blockWidth, fmt::format("v{}", k)));
    for (int k = pick(amounts.fewest, amounts.vectors); k > 0; --k)
      own.push_back(declare(anyType(), 0, oneOf(palette.lengths), fmt::format("u{}", k)));
    for (int k = pick(0, amounts.matrices); k > 0; --k) {
      auto [rows, columns] = oneOf(palette.matrices);
      own.push_back(declare(anyType(), rows, columns, fmt::format("m{}", k)));
    }
    for (int k = chance(amounts.functions) ? pick(1, 2) : 0; k > 0; --k)
      defineFunction(name);
    const int forgotten = forgets ? own[of.seed % own.size()] : -1;
    if (forgets) {
      const std::string &it = variables[std::size_t(forgotten)].name, zero = " = 0";
      declarations.erase(declarations.find(" " + it + zero + ";") + 1 + it.size(), zero.size());
    }
    for (int v : own) {
      const Statement s = initialized(v);
      if (v == forgotten)
        steps.push_back([this, v](ModelThread &t) {
          const Variable &it = variables[std::size_t(v)];
          write({v, it.type, it.isScalar() ? 0 : it.elements(), "", nullptr}, t,
                Lanes(std::size_t(it.elements()), t.unwritten));
        });
      else
        add(s);
    }
    if (usesGroups) {
      add({"cm_slm_block_write(slm, (int)(local * 128), w);", [v = window](ModelThread &t) {
             std::memcpy(&(*t.slm)[t.local * slotBytes], t.variables[std::size_t(v)].data(), slotBytes);
           }});
      barrier();
    }
    for (int k = pick(amounts.least, amounts.most); k > 0; --k) {
      add(statements(1, {}));
      if (usesGroups && chance(20)) {
        barrier();
        add(neighbour());
        barrier();
      }
    }
    std::vector<int> all;
    for (int v = window; v < int(variables.size()); ++v)
      all.push_back(v);
    stored(all);
    text = functionsFor(body) +
           fmt::format("extern \"C\" _GENX_MAIN_ void {}(SurfaceIndex in, SurfaceIndex out, svmptr_t memory, int n, "
                       "vector<short, 16> p, SurfaceIndex picture, SurfaceIndex canvas) {{\n  uint base = {} + "
                       "cm_linear_global_id() * {};\n{}{}}}\n",
                       name, resultsAt, resultBytes, declarations, body);
  }
};

} // namespace pocm::fuzz
