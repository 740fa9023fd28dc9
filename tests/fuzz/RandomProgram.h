// Random CM programs with their results, for cm-fuzz: whoever adds a piece of text adds what it does to a thread, in
// plain scalar C++ (CmValues.h), so that a program comes with a model of itself that shares nothing with the compiler
// or a device. The same seed gives the same program.
//
//     RandomProgram program(7);
//     program.text          vector<ushort, 16> v2 = ...; SIMD_IF_BEGIN(v2.select<8, 2>(1) > s1) { ... } SIMD_IF_END;
//     program.execute()     what is in the buffers after a launch
//
// In the folder program/, each on the one before: Model.h, Variables.h, Expressions.h, Assignments.h, MemoryAccesses.h
// and ControlFlow.h. Here is the whole program: its groups of threads, its buffers and what it stores at its end.
#pragma once

#include "program/ControlFlow.h"

namespace pocm::fuzz {

class RandomProgram : private ControlFlow {
public:
  using MemoryAccesses::inBytes;
  using MemoryAccesses::mostThreads;
  using MemoryAccesses::resultsAt;
  using MemoryAccesses::scratchBytes;

  std::string text;
  unsigned groups = 1, threads = 1; ///< Of a launch, and of a group.
  std::vector<std::int16_t> words = std::vector<std::int16_t>(16);
  std::int32_t number = 0;

  /// The program of a seed, without the statements of these numbers.
  explicit RandomProgram(unsigned seed, ProgramFeatures features = {}, std::set<int> without = {})
      : ControlFlow(seed, features, std::move(without)) {
    generate();
  }
  RandomProgram(const RandomProgram &) = delete; // its statements know where it is

  /// How many statements there are, the dropped ones included.
  int statementCount() const { return made; }

  /// What lies at a byte of the output: "element 3 of v2 of thread 1".
  std::string nameOf(std::size_t byte) const {
    if (byte < std::size_t(resultsAt))
      return byte < std::size_t(sharedAt)
                 ? fmt::format("byte {} of thread {}'s part", byte % scratchBytes, byte / scratchBytes)
                 : fmt::format("dword {} of ATOMIC_{}", (byte - sharedAt) % sharedBlock / 4,
                               atomics()[(byte - sharedAt) / sharedBlock].name);
    std::size_t at = byte - resultsAt, thread = at / std::size_t(resultBytes),
                part = at % std::size_t(resultBytes) / 128;
    return fmt::format("element {} of {} of thread {}", at % 128 / 4, results[part], thread);
  }

  /// Buffers before a launch.
  ProgramMemory memory() const {
    ProgramMemory all{Bytes(inBytes), Bytes(std::size_t(resultsAt) + groups * threads * std::size_t(resultBytes)),
                      Bytes(std::size_t(scratchBytes) * mostThreads)};
    for (int i = 0; i < inBytes; ++i)
      all.in[std::size_t(i)] = std::uint8_t(std::uint32_t(i / 4 * 2654435761u) >> (i % 4 * 8));
    for (std::size_t i = 0; i < resultsAt; ++i)
      all.out[i] = std::uint8_t(i * 37 + i / 256);
    for (std::size_t i = 0; i < all.addressed.size(); ++i)
      all.addressed[i] = std::uint8_t(i * 91 + i / 256);
    return all;
  }

  /// Buffers after a launch, by the model.
  ProgramMemory execute() const {
    ProgramMemory all = memory();
    for (unsigned group = 0; group < groups; ++group) {
      Bytes slm(std::size_t(slotBytes) * mostThreads + 256);
      std::vector<ModelThread> team(threads);
      for (unsigned local = 0; local < threads; ++local) {
        ModelThread &t = team[local];
        t.memory = &all;
        t.slm = &slm;
        t.local = local;
        t.number = group * threads + local;
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
    Expression e = v.isScalar()
                       ? scalar(2)
                       : read({ramp, Type::UShort, to.count, fmt::format("ramp.select<{}, 1>(0)", to.count), nullptr});
    if (!v.isScalar())
      e = binary(binary(e, scalar(2)), chance(50) ? scalar(2) : scalar(3));
    e = convert(factsOf(e.type).isFloat ? bounded(e, 4095) : e, v.type);
    return {fmt::format("{} = {};", to.text, e.text), [=](ModelThread &t) { write(to, t, e.value(t)); }};
  }

  /// Stores a variable as numbers of 32 bits, 32 of them at a time.
  void stored(int variable) {
    const Variable v = variables[std::size_t(variable)];
    int halves = factsOf(v.type).bytes == 8 ? 2 : 1;
    for (int half = 0; half < halves; ++half)
      for (int from = 0; from < v.elements(); from += 32) {
        int count = std::min(32, v.elements() - from);
        std::string part =
            v.isScalar() ? v.name
                         : fmt::format("{}{}.select<{}, 1>({})", v.name,
                                       v.rows ? fmt::format(".format<{}>()", factsOf(v.type).name) : "", count, from);
        if (half)
          part = fmt::format("({} >> 32)", part);
        int place = resultBytes;
        results.push_back(part);
        resultBytes += 128;
        body +=
            fmt::format("  result = 0;\n  result.select<{0}, 1>(0) = {1};\n  write(out, (int)(base + {2}), result);\n",
                        count, v.isScalar() ? "(int)" + part : fmt::format("vector<int, {}>({})", count, part), place);
        steps.push_back([=, this](ModelThread &t) {
          for (int k = 0; k < 32; ++k) {
            Lane x = 0;
            if (k < count)
              x = load(v.type, &t.variables[std::size_t(variable)][std::size_t((from + k) * factsOf(v.type).bytes)]);
            save(Type::Int, &t.memory->out[std::size_t(resultsAt + int(t.number) * resultBytes + place + 4 * k)],
                 half ? x >> 32 : x);
          }
        });
      }
  }

  void generate() {
    groups = unsigned(pick(1, 3));
    threads = unsigned(pick(1, 4));
    usesGroups = chance(60);
    blockWidth = 1 << pick(1, 5);
    number = pick(-1000, 1000);
    for (std::int16_t &word : words)
      word = std::int16_t(pick(-32768, 32767));
    std::string table;
    for (int k = 0; k < 64; ++k)
      table += fmt::format("{}{}", k ? ", " : "", k);
    fixed("vector<ushort, 64> ramp(numbers);", Type::UShort, 64, "ramp", ramp, [](ModelThread &) {
      Lanes all(64);
      for (std::size_t k = 0; k < 64; ++k)
        all[k] = Lane(k);
      return all;
    });
    int n = 0, p = 0;
    fixed("", Type::Int, 0, "n", n, [this](ModelThread &) { return Lanes{number}; });
    fixed("", Type::Short, 16, "p", p, [this](ModelThread &) { return Lanes(words.begin(), words.end()); });
    fixed("uint me = cm_linear_global_id();", Type::UInt, 0, "me", me, [](ModelThread &t) { return Lanes{t.number}; });
    fixed("uint local = cm_linear_local_id();", Type::UInt, 0, "local", localId,
          [](ModelThread &t) { return Lanes{t.local}; });
    fixed("uint base = RESULTS + me * EACH;", Type::UInt, 0, "base", base,
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
    for (int k = pick(2, 4); k > 0; --k)
      own.push_back(declare(integerType(), 0, 0, fmt::format("s{}", k)));
    for (int k = pick(1, 3); k > 0; --k)
      own.push_back(declare(anyType(), 0, blockWidth, fmt::format("v{}", k)));
    for (int k = pick(2, 4); k > 0; --k)
      own.push_back(declare(anyType(), 0, chance(60) ? 8 << pick(0, 3) : pick(2, 60), fmt::format("u{}", k)));
    for (int k = pick(0, 2); k > 0; --k)
      own.push_back(declare(anyType(), pick(2, 6), chance(60) ? 4 << pick(0, 1) : pick(2, 10), fmt::format("m{}", k)));
    for (int v : own)
      add(initialized(v));
    if (usesGroups) {
      add({"cm_slm_block_write(slm, (int)(local * 128), w);", [v = window](ModelThread &t) {
             std::memcpy(&(*t.slm)[t.local * slotBytes], t.variables[std::size_t(v)].data(), slotBytes);
           }});
      barrier();
    }
    for (int k = pick(4, 14); k > 0; --k) {
      add(statements(1, {}));
      if (usesGroups && chance(20)) {
        barrier();
        add(neighbour());
        barrier();
      }
    }
    body += "  vector<int, 32> result;\n";
    for (int v = window; v < int(variables.size()); ++v)
      stored(v);
    text = fmt::format("#include <cm/cm.h>\n#define RESULTS {}\n#define EACH {}\nconst ushort numbers[64] = {{{}}};\n"
                       "extern \"C\" _GENX_MAIN_ void k(SurfaceIndex in, SurfaceIndex out, svmptr_t memory, int n, "
                       "vector<short, 16> p) {{\n{}{}}}\n",
                       resultsAt, resultBytes, table, declarations, body);
  }
};

} // namespace pocm::fuzz
