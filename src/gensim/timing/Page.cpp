//===- Page.cpp - A page about a launch: where the time goes, and what limits it ------------------===//
//
// One file without references to others: tiles of totals, what threads wait for, threads over time, a roofline, the
// source beside the instructions with each line's share of the waiting.
//
//===----------------------------------------------------------------------===//
#include "gensim/isa/Printer.h"
#include "gensim/timing/Reports.h"
#include "html/Code.h"
#include "html/Elements.h"
#include "html/Format.h"
#include "html/Roofline.h"
#include <algorithm>
#include <map>
#include <numeric>

namespace pocm::gensim::timing {
namespace {

using html::color, html::escaped, html::format, html::grouped, html::percent, html::row, html::scaled;

std::string totals(const Profile &r) {
  double all = double(r.clocks) * r.units();
  const Traffic &t = r.traffic;
  return html::tiles({{format("%.4f ms", r.milliseconds()), "at full clock"},
                      {grouped(double(r.clocks)), "clocks"},
                      {grouped(double(r.threads)), "threads"},
                      {format("%.2f", double(r.executed()) / std::max(all, 1.0)), "instructions a clock and unit"},
                      {format("%.1f %%", percent(double(r.active), all)), "of clocks a pipe works"},
                      {format("%.1f %%", percent(double(r.resident), all)), "of clocks a unit has threads"},
                      {format("%.1f %%", percent(double(t.l3Hits), double(t.lines))), "of lines are in L3"}});
}

/// One bar of parts with a legend.
std::string stack(const std::vector<std::pair<std::string, double>> &parts) {
  double all = 0;
  for (const auto &[name, value] : parts)
    all += value;
  std::string bar = "<div class=stack>", legend = "<div class=legend>";
  for (std::size_t k = 0; k < parts.size(); ++k) {
    double share = percent(parts[k].second, all);
    if (share <= 0)
      continue;
    std::string name = escaped(parts[k].first), value = format("%.1f %%", share);
    bar += "<div title=\"" + name + ": " + value + "\" style=\"width:" + format("%.3f", share) +
           "%;background:" + color(k) + "\"></div>";
    if (share >= 0.05)
      legend += "<span><i style=\"background:" + color(k) + "\"></i>" + name + " <small>" + value + "</small></span>";
  }
  return bar + "</div>" + legend + "</div>\n";
}

std::string waits(const Profile &r) {
  auto all = r.waits();
  std::vector<std::pair<std::string, double>> parts;
  for (std::size_t k = 0; k < all.size(); ++k)
    parts.push_back({ReasonNames[k], double(all[k])});
  return "<h2>What threads wait for</h2>\n" + stack(parts);
}

std::string classes(const Profile &r) {
  std::vector<std::pair<std::string, double>> parts;
  for (const auto &[name, count] : r.classes())
    parts.push_back({name, double(count)});
  return "<h2>Instructions</h2>\n" + stack(parts);
}

std::string memory(const Profile &r) {
  const Parameters &p = *r.parameters;
  const Traffic &t = r.traffic;
  auto clocks = double(r.clocks);
  double seconds = std::max(r.milliseconds() / 1000, 1e-12);
  auto rate = [&](double bytes) { return scaled(bytes / seconds, "B/s"); };
  std::string out = "<h2>Memory</h2>\n<table>";
  out += row("messages", grouped(double(t.messages)), scaled(double(t.requestedBytes), "B") + " asked for");
  out += row("subslices' ports", format("%.1f %%", percent(r.portBusy, clocks * p.subslices)), "of clocks");
  out += row("L3 cache", rate(double(t.lines) * p.lineBytes),
             format("%.1f %% hits, banks busy %.1f %%", percent(double(t.l3Hits), double(t.lines)),
                    percent(r.bankBusy, clocks * p.l3Banks)));
  double misses = double(t.llcHits + t.dramReads);
  out +=
      row("last level's cache", rate(misses * p.lineBytes), format("%.1f %% hits", percent(double(t.llcHits), misses)));
  out += row("memory", rate(double(t.dramReads + t.dramWrites) * p.lineBytes),
             format("of %.1f GB/s; %.0f lines read, %.0f written", p.dramGigabytes, double(t.dramReads),
                    double(t.dramWrites)));
  if (t.slmBytes)
    out += row("shared local memory", rate(double(t.slmBytes)),
               format("%.2f bytes a clock", double(t.slmBytes) / double(std::max<std::uint64_t>(t.slmClocks, 1))));
  double all = clocks * r.units();
  for (unsigned k = 0; k < Pipes; ++k)
    out += row(PipeNames[k], format("%.1f %%", percent(double(r.pipeBusy[k]), all)), "of clocks");
  return out + "</table>\n";
}

/// Threads on the machine over time.
std::string occupancy(const Profile &r) {
  constexpr int width = 560, height = 180, left = 40, bottom = 24, top = 10;
  constexpr std::size_t steps = 260;
  if (r.spans.empty() || !r.clocks)
    return {};
  std::vector<double> there(steps);
  double step = double(r.clocks) / steps;
  for (const Profile::Span &s : r.spans)
    for (std::size_t k = std::size_t(double(s.begin) / step); k < steps && double(k) * step < double(s.end); ++k)
      there[k] += (std::min(double(s.end), double(k + 1) * step) - std::max(double(s.begin), double(k) * step)) / step;
  double most = r.units() * r.parameters->threadsPerUnit;
  std::string line;
  for (std::size_t k = 0; k < steps; ++k)
    line += format("%.1f,%.1f ", left + double(width - left - 8) * double(k) / (steps - 1),
                   top + (height - top - bottom) * (1 - std::min(1.0, there[k] / most)));
  std::string out = "<h2>Threads on the machine</h2>\n" + format("<svg viewBox=\"0 0 %d %d\" role=img>", width, height);
  out += format("<line class=axis x1=%d y1=%d x2=%d y2=%d /><line class=axis x1=%d y1=%d x2=%d y2=%d />", left,
                height - bottom, width - 8, height - bottom, left, top, left, height - bottom);
  out += format("<text x=%d y=%d text-anchor=end>%.0f</text><text x=%d y=%d text-anchor=end>0</text>", left - 6,
                top + 8, most, left - 6, height - bottom);
  out += format("<text x=%d y=%d>0</text><text x=%d y=%d text-anchor=end>", left, height - 8, width - 8, height - 8) +
         grouped(double(r.clocks)) + " clocks</text>";
  out += "<polyline class=roof points=\"" + line + "\" /></svg>\n";
  return r.threads > r.spans.size()
             ? out + "<p class=dim>The first " + grouped(double(r.spans.size())) + " threads alone.</p>\n"
             : out;
}

std::string roofline(const Profile &r) {
  const Roofline f = rooflineOf(r);
  const double seconds = r.milliseconds() / 1000;
  if (f.operations <= 0 || seconds <= 0)
    return {};
  html::Roofline chart{f.operations / seconds, f.peak, {{"L3", f.l3Rate}, {"memory", f.memoryRate}}, {}};
  if (f.memoryBytes > 0)
    chart.points.push_back({"memory", f.operations / f.memoryBytes});
  if (f.l3Bytes > 0)
    chart.points.push_back({"L3", f.operations / f.l3Bytes});
  return "<h2>Roofline</h2>\n" + chart.svg() + "<p class=dim>" + scaled(chart.done, "op/s") +
         format(" (%.1f %% of the peak); multiply-adds count twice, channels that were off too. Points: bytes of "
                "memory, and of the L3 cache.</p>\n",
                percent(chart.done, f.peak));
}

std::string mark(SourceLines::Line where) { return where.line ? html::markOf(where.file, where.line) : ""; }

struct Waiting {
  double waited = 0;
  std::array<std::uint64_t, std::size_t(Reason::Count)> reasons{};
  std::uint64_t executions = 0;
  void add(const InstructionTimes &i) {
    waited += double(i.waited);
    executions += i.executions;
    for (std::size_t k = 0; k < reasons.size(); ++k)
      reasons[k] += i.waits[k];
  }
  std::size_t mostly() const { return std::size_t(std::max_element(reasons.begin(), reasons.end()) - reasons.begin()); }
  std::string title() const {
    std::string text = grouped(double(executions)) + " executions";
    for (std::size_t k = 0; k < reasons.size(); ++k)
      if (waited > 0 && percent(double(reasons[k]), waited) >= 1)
        text += format("; %.0f %% ", percent(double(reasons[k]), waited)) + ReasonNames[k];
    return text;
  }
  html::Share share(double all) const { return {percent(waited, all), mostly(), title()}; }
};

std::string sourcePane(const Profile &r, double waited) {
  std::map<std::uint32_t, std::map<std::uint32_t, Waiting>> files;
  for (const LineTimes &l : linesOf(r))
    for (std::size_t k : l.instructions)
      files[l.where.file][l.where.line].add(r.instructions[k]);
  std::vector<html::SourceFile> sources;
  for (const auto &[file, lines] : files) {
    sources.push_back({r.lines.files[file], file, {}});
    for (const auto &[number, w] : lines)
      sources.back().lines[number] = w.share(waited);
  }
  return html::sourcePane(sources);
}

std::string code(const Profile &r) {
  auto all = r.waits();
  double waited = double(std::accumulate(all.begin(), all.end(), std::uint64_t(0)));
  std::string source = sourcePane(r, waited);
  std::string instructions = "<b>Instructions</b>\n";
  for (std::size_t k = 0; k < r.instructions.size(); ++k) {
    const Instruction &i = r.kernel->instructions[k];
    Waiting w;
    w.add(r.instructions[k]);
    instructions +=
        html::codeLine(mark(r.lines.of(k)), w.share(waited), format("%05X", i.address), textOf(i, *r.kernel->platform));
  }
  return "<h2>Code</h2>\n<p class=dim>Each line's share of the clocks for which threads wait, in the colour of what "
         "they wait for mostly (a full bar is a third). Point at a line to mark what belongs to it, click to bring it "
         "into view.</p>\n" +
         html::panes({source, instructions});
}

} // namespace

std::string pageOf(const Profile &r) {
  return html::pageOf(r.kernel->name + " on " + std::string(r.kernel->platform->name),
                      format("A model of %.0f execution units at %.0f MHz; %s groups.", r.units(),
                             r.parameters->megahertz, grouped(double(r.groups)).c_str()),
                      totals(r) + waits(r) + classes(r) + "<div class=columns><div>" + memory(r) + "</div><div>" +
                          occupancy(r) + "</div><div>" + roofline(r) + "</div></div>\n" + code(r));
}

} // namespace pocm::gensim::timing
