// Small programs in Intel's assembly on the model of time.
#pragma once

#include "Iga.h"
#include "gensim/Machine.h"
#include "gensim/isa/Printer.h"
#include "gensim/timing/Gpu.h"
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <sstream>

using namespace pocm::gensim;
using namespace pocm::gensim::timing;

inline const Platform &skl = Platforms[0], &icllp = Platforms[1], &tgllp = Platforms[2];
inline const Platform *const timed[] = {&skl, &icllp, &tgllp};

inline std::string end(const Platform &p) {
  return p.generation == Generation::Gen12 ? "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n"
                                           : "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
}

inline std::string repeated(unsigned times, const std::function<std::string(unsigned)> &line) {
  std::string text;
  for (unsigned k = 0; k < times; ++k)
    text += line(k);
  return text;
}

/// Threads that run a text, in groups, with words of memory behind surface 0; r1.0 has the thread's number.
struct Setup {
  unsigned groups = 1, threads = 1;
  unsigned slmBytes = 0;
  bool barrier = false;
  std::size_t memory = 0;
  std::function<void(std::span<std::uint32_t>)> fill = {}; ///< Of the memory, which is zeros otherwise.
};

/// The profile with the kernel that it speaks of.
struct Times : Profile {
  Times(std::shared_ptr<Kernel> kernel, Profile &&profile) : Profile(std::move(profile)), code(std::move(kernel)) {}
  std::shared_ptr<Kernel> code;
};

inline Times timesOf(const Platform &platform, const std::string &text, const Setup &setup) {
  constexpr std::size_t page = 4096;
  std::vector<std::uint8_t> room(setup.memory + page);
  std::span<std::uint8_t> memory(room.data() + (page - reinterpret_cast<std::uintptr_t>(room.data()) % page),
                                 setup.memory);
  if (setup.fill)
    setup.fill({reinterpret_cast<std::uint32_t *>(memory.data()), memory.size() / sizeof(std::uint32_t)});
  auto code = std::make_shared<Kernel>("test", platform, test::assembled(text + end(platform), platform));
  const Kernel &kernel = *code;
  World world;
  if (!memory.empty()) {
    Surface s;
    s.base = memory.data();
    s.bytes = memory.size();
    world.surfaces.push_back(s);
  }
  Recorder recorder(*parametersOf(platform));
  Machine::Options options;
  options.observers.push_back(&recorder);
  options.slmBytes = setup.slmBytes;
  Machine machine(kernel, world, options);
  Gpu gpu(kernel, *parametersOf(platform), {setup.slmBytes, setup.barrier, 2});
  for (unsigned g = 0; g < setup.groups; ++g) {
    std::vector<Dispatch> group(setup.threads);
    for (unsigned t = 0; t < setup.threads; ++t) {
      std::vector<std::uint8_t> zeros(128 * 32);
      group[t].set(0, zeros.data(), zeros.size());
      group[t].set<std::uint32_t>(32, g * setup.threads + t);
    }
    machine.runGroup(group);
    gpu.add(recorder.take());
  }
  return {code, gpu.finish()};
}

inline unsigned threadsOf(const Platform &platform) {
  const Parameters &p = *parametersOf(platform);
  return unsigned(p.subslices * p.unitsPerSubslice * p.threadsPerUnit);
}

/// Instructions of 8 or 16 channels that do not depend on each other, as many threads as there are.
inline double operationsPerClockAndUnit(const Platform &platform, const std::string &operation, unsigned channels) {
  constexpr unsigned count = 500;
  Times r = timesOf(platform,
                    repeated(count,
                             [&](unsigned k) {
                               std::string text = operation;
                               auto put = [&](const std::string &name, unsigned number) {
                                 for (std::size_t at; (at = text.find(name)) != std::string::npos;)
                                   text.replace(at, name.size(), "r" + std::to_string(number));
                               };
                               put("$to", 10 + k % 20 * 2);
                               put("$a", 60);
                               put("$b", 63);
                               put("$c", 66);
                               return text + "\n";
                             }),
                    {threadsOf(platform), 1});
  return double(count) * channels * threadsOf(platform) / double(r.clocks) / r.units();
}

/// A loop of block reads, each of eight owords, as far apart as `stride` owords, from surface 0.
/// Threads begin `apart` owords from each other, but below `wrap`.
inline std::string blockReads(const Platform &p, unsigned count, unsigned stride, unsigned wrap, unsigned apart) {
  bool later = p.generation == Generation::Gen12;
  std::string text =
      "(W) mov (8|M0) r5.0<1>:ud 0x0:ud\n(W) mul (1|M0) r5.2<1>:d r1.0<0;1,0>:d " + std::to_string(apart) + ":w\n";
  text += std::string("(W) and (1|M0) r5.2<1>:d r5.2<0;1,0>:d ") + std::to_string(wrap - 1) + ":d" +
          (later ? " {@1}" : "") + "\n";
  for (unsigned k = 0; k < count; ++k) {
    text += later ? "(W) send.dc0 (16|M0) r20 r5 null 0x0 0x02480400 {@1,$0}\n"
                  : "(W) send (16|M0) r20 r5 0xA 0x02480400\n";
    text +=
        "(W) add (1|M0) r5.2<1>:d r5.2<0;1,0>:d " + std::to_string(stride) + ":w" + (later ? " {$0.src}" : "") + "\n";
    text += "(W) mov (8|M0) r30.0<1>:ud r20.0<8;8,1>:ud" + std::string(later ? " {$0.dst}" : "") + "\n";
  }
  return text;
}
