//===- Profile.cpp - What a launch took, and where, as text -----------------------------------===//
#include "gensim/isa/Printer.h"
#include "gensim/timing/Reports.h"
#include "html/Format.h"
#include <algorithm>
#include <functional>
#include <numeric>
#include <ostream>

namespace pocm::gensim::timing {

using html::format, html::percent;
std::uint64_t Profile::executed() const {
  std::uint64_t all = 0;
  for (const InstructionTimes &i : instructions)
    all += i.executions;
  return all;
}

std::array<std::uint64_t, std::size_t(Reason::Count)> Profile::waits() const {
  std::array<std::uint64_t, std::size_t(Reason::Count)> all{};
  for (const InstructionTimes &i : instructions)
    std::ranges::transform(all, i.waits, all.begin(), std::plus());
  return all;
}

static const char *classOf(const Instruction &i) {
  switch (i.format) {
  case Format::Send:
  case Format::Splitsend:
    return "messages";
  case Format::Math:
    return "elementary functions";
  case Format::Jump:
  case Format::Branch:
  case Format::TwoBranch:
  case Format::Call:
  case Format::Ret:
    return "branches";
  case Format::Wait:
  case Format::Sync:
  case Format::Nop:
    return "waiting";
  case Format::Dpas:
    return "products of matrices";
  default:
    break;
  }
  if (i.opcode == Opcode::Mov || i.opcode == Opcode::Sel || i.opcode == Opcode::Movi)
    return "moves";
  if (i.opcode == Opcode::Cmp || i.opcode == Opcode::Cmpn)
    return "comparisons";
  return isFloat(i.from[0].type) ? "arithmetic of floats" : "arithmetic of integers";
}

std::map<std::string, std::uint64_t> Profile::classes() const {
  std::map<std::string, std::uint64_t> all;
  for (std::size_t k = 0; k < instructions.size(); ++k)
    if (instructions[k].executions)
      all[classOf(kernel->instructions[k])] += instructions[k].executions;
  return all;
}

void print(std::ostream &out, const Profile &r, unsigned most) {
  const Parameters &p = *r.parameters;
  auto clocks = double(r.clocks), all = clocks * r.units();
  auto executed = double(r.executed());
  out << format("kernel '%s' on %s: %llu clocks, %.4f ms at %.0f MHz\n", r.kernel->name.c_str(),
                std::string(r.kernel->platform->name).c_str(), static_cast<unsigned long long>(r.clocks),
                r.milliseconds(), p.megahertz);
  out << format("  threads       %llu in %llu groups\n", static_cast<unsigned long long>(r.threads),
                static_cast<unsigned long long>(r.groups));
  out << format("  instructions  %.0f, %.2f a clock and execution unit\n", executed, executed / std::max(all, 1.0));
  out << "  classes      ";
  const char *comma = " ";
  for (const auto &[name, count] : r.classes()) {
    out << comma << name << format(" %.1f %%", percent(double(count), executed));
    comma = ", ";
  }
  out << "\n";
  out << format("  units         active %.1f %%, stalled %.1f %%, idle %.1f %%\n", percent(double(r.active), all),
                percent(double(r.resident) - double(std::min(r.active, r.resident)), all),
                percent(all - double(r.resident), all));
  out << "  pipes        ";
  for (unsigned k = 0; k < Pipes; ++k)
    out << format(" %s %.1f %%%s", PipeNames[k], percent(double(r.pipeBusy[k]), all), k + 1 < Pipes ? "," : "\n");
  auto waits = r.waits();
  double waited = double(std::accumulate(waits.begin(), waits.end(), std::uint64_t(0)));
  out << "  threads wait for";
  std::vector<unsigned> order(waits.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return waits[a] > waits[b]; });
  const char *separator = " ";
  for (unsigned k : order)
    if (percent(double(waits[k]), waited) >= 0.1) {
      out << separator << format("%s %.1f %%", ReasonNames[k], percent(double(waits[k]), waited));
      separator = ", ";
    }
  const Traffic &t = r.traffic;
  double seconds = r.milliseconds() / 1000, line = p.lineBytes;
  auto rate = [&](double bytes) { return seconds > 0 ? bytes / seconds / 1e9 : 0; };
  out << "\n"
      << format("  L3            %llu lines for %llu messages, %.1f %% hits, %.1f GB/s; banks busy %.1f %%, ports %.1f "
                "%%\n",
                static_cast<unsigned long long>(t.lines), static_cast<unsigned long long>(t.messages),
                percent(double(t.l3Hits), double(t.lines)), rate(double(t.lines) * line),
                percent(r.bankBusy, clocks * p.l3Banks), percent(r.portBusy, clocks * p.subslices));
  double misses = double(t.llcHits + t.dramReads);
  out << format("  last level    %.0f lines, %.1f %% hits, %.1f GB/s\n", misses, percent(double(t.llcHits), misses),
                rate(misses * line));
  out << format("  memory        %llu lines read, %llu written, %.1f GB/s of %.1f\n",
                static_cast<unsigned long long>(t.dramReads), static_cast<unsigned long long>(t.dramWrites),
                rate(double(t.dramReads + t.dramWrites) * line), p.dramGigabytes);
  if (t.slmBytes)
    out << format("  shared local  %llu bytes in %llu clocks, %.1f GB/s\n", static_cast<unsigned long long>(t.slmBytes),
                  static_cast<unsigned long long>(t.slmClocks), rate(double(t.slmBytes)));
  std::vector<std::size_t> lines(r.instructions.size());
  std::iota(lines.begin(), lines.end(), std::size_t(0));
  std::sort(lines.begin(), lines.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(r.instructions[b].waited, a) < std::pair(r.instructions[a].waited, b);
  });
  out << "  where threads wait: share, executions, mostly for, instruction\n";
  for (std::size_t k = 0; k < std::min<std::size_t>(most, lines.size()); ++k) {
    const InstructionTimes &i = r.instructions[lines[k]];
    if (!i.waited)
      break;
    auto why = std::max_element(i.waits.begin(), i.waits.end()) - i.waits.begin();
    out << format("    %5.1f %% %10llu  %-23s 0x%05X  ", percent(double(i.waited), waited),
                  static_cast<unsigned long long>(i.executions), ReasonNames[why],
                  r.kernel->instructions[lines[k]].address)
        << textOf(r.kernel->instructions[lines[k]], *r.kernel->platform) << "\n";
  }
  std::vector<LineTimes> sources = linesOf(r);
  if (!sources.empty())
    out << "  source lines: share, executions, line\n";
  for (std::size_t k = 0; k < std::min<std::size_t>(most, sources.size()); ++k)
    out << format("    %5.1f %% %10llu  ", percent(double(sources[k].waited), waited),
                  static_cast<unsigned long long>(sources[k].executions))
        << r.lines.files[sources[k].where.file] << ":" << sources[k].where.line << "\n";
}

} // namespace pocm::gensim::timing
