//===- Page.cpp - A page about a launch: where the time goes, and what limits it ------------------===//
//
// One file without references to others: tiles of totals, what threads wait for, threads over time, a roofline, the
// source beside the instructions with each line's share of the waiting.
//
//===----------------------------------------------------------------------===//
#include "gensim/isa/Printer.h"
#include "gensim/timing/Format.h"
#include "gensim/timing/PageStyle.h"
#include "gensim/timing/Reports.h"
#include "html/LinkedLines.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>

namespace pocm::gensim::timing {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

/// 12,345,678.
std::string grouped(double value) {
  std::string digits = format("%.0f", value), out;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k && (digits.size() - k) % 3 == 0)
      out += ',';
    out += digits[k];
  }
  return out;
}

std::string scaled(double value, const char *unit) {
  static constexpr const char *prefixes[] = {"", "K", "M", "G", "T"};
  unsigned k = 0;
  for (; value >= 1000 && k + 1 < std::size(prefixes); ++k)
    value /= 1000;
  return format(value < 10 ? "%.2f %s%s" : "%.0f %s%s", value, prefixes[k], unit);
}

std::string color(std::size_t n) { return format("var(--c%zu)", n % 10); }

std::string tile(const std::string &value, const char *what) {
  return "<div><b>" + value + "</b><span>" + what + "</span></div>";
}

std::string tiles(const Profile &r) {
  double all = double(r.clocks) * r.units();
  const Traffic &t = r.traffic;
  return "<div class=tiles>" + tile(format("%.4f ms", r.milliseconds()), "at full clock") +
         tile(grouped(double(r.clocks)), "clocks") + tile(grouped(double(r.threads)), "threads") +
         tile(format("%.2f", double(r.executed()) / std::max(all, 1.0)), "instructions a clock and unit") +
         tile(format("%.1f %%", percent(double(r.active), all)), "of clocks a pipe works") +
         tile(format("%.1f %%", percent(double(r.resident), all)), "of clocks a unit has threads") +
         tile(format("%.1f %%", percent(double(t.l3Hits), double(t.lines))), "of lines are in L3") + "</div>\n";
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

std::string row(const std::string &what, const std::string &value, const std::string &note = {}) {
  return "<tr><td>" + escaped(what) + "<td class=n>" + value + "<td class=dim>" + escaped(note) + "</tr>\n";
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

/// Operations a second by operations a byte, both logarithmic, under what the machine can do.
std::string roofline(const Profile &r) {
  constexpr double width = 560, height = 260, left = 54, bottom = 34, top = 12, right = 12;
  Roofline f = rooflineOf(r);
  double seconds = r.milliseconds() / 1000;
  if (f.operations <= 0 || seconds <= 0)
    return {};
  double done = f.operations / seconds;
  std::vector<std::pair<const char *, double>> points;
  if (f.memoryBytes > 0)
    points.push_back({"memory", f.operations / f.memoryBytes});
  if (f.l3Bytes > 0)
    points.push_back({"L3", f.operations / f.l3Bytes});
  double x0 = std::floor(std::log10(f.peak / f.l3Rate)) - 1, x1 = std::ceil(std::log10(f.peak / f.memoryRate)) + 1;
  for (auto [name, at] : points) {
    x0 = std::min(x0, std::floor(std::log10(at)));
    x1 = std::max(x1, std::ceil(std::log10(at) + 0.1));
  }
  double y1 = std::ceil(std::log10(f.peak) + 0.05), y0 = std::min(y1 - 3, std::floor(std::log10(done)));
  auto x = [&](double v) { return left + (width - left - right) * (std::log10(v) - x0) / (x1 - x0); };
  auto y = [&](double v) { return top + (height - top - bottom) * (y1 - std::log10(v)) / (y1 - y0); };
  std::string out = "<h2>Roofline</h2>\n" + format("<svg viewBox=\"0 0 %.0f %.0f\" role=img>", width, height);
  for (double e = x0; e <= x1; ++e)
    out += format("<line class=axis x1=%.1f y1=%.1f x2=%.1f y2=%.1f /><text x=%.1f y=%.1f text-anchor=middle>%g</text>",
                  x(std::pow(10, e)), top, x(std::pow(10, e)), height - bottom, x(std::pow(10, e)),
                  height - bottom + 14, std::pow(10, e));
  for (double e = y0; e <= y1; ++e)
    out += format("<line class=axis x1=%.1f y1=%.1f x2=%.1f y2=%.1f /><text x=%.1f y=%.1f text-anchor=end>", left,
                  y(std::pow(10, e)), width - right, y(std::pow(10, e)), left - 5, y(std::pow(10, e)) + 4) +
           scaled(std::pow(10, e), "") + "</text>";
  auto roof = [&](double rate, const char *name) {
    double least = std::pow(10, x0), knee = f.peak / rate, from = std::max(least, std::pow(10, y0) / rate);
    out += format("<polyline class=roof points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" />", x(from), y(rate * from), x(knee),
                  y(f.peak), x(std::pow(10, x1)), y(f.peak));
    double middle = std::sqrt(from * knee);
    out += format("<text x=%.1f y=%.1f text-anchor=end>%s %s</text>", x(middle) - 6, y(rate * middle), name,
                  scaled(rate, "B/s").c_str());
  };
  roof(f.l3Rate, "L3");
  roof(f.memoryRate, "memory");
  out += format("<text x=%.1f y=%.1f text-anchor=end>%s</text>", width - right, y(f.peak) - 5,
                scaled(f.peak, "op/s").c_str());
  for (auto [name, at] : points)
    out += format("<circle cx=%.1f cy=%.1f r=5 fill=\"var(--hot)\"><title>%s: %.2f operations a "
                  "byte</title></circle><text x=%.1f y=%.1f>%s</text>",
                  x(at), y(done), name, at, x(at) + 8, y(done) + 4, name);
  out +=
      format("<text x=%.1f y=%.1f text-anchor=middle>operations a byte</text></svg>\n", (left + width) / 2, height - 4);
  return out + "<p class=dim>" + scaled(done, "op/s") +
         format(" (%.1f %% of the peak); multiply-adds count twice, channels that were off too. Points: bytes of "
                "memory, and of the L3 cache.</p>\n",
                percent(done, f.peak));
}

/// A line's share as a bar of the colour of its main reason.
std::string share(double part, double whole, std::size_t reason, const std::string &title) {
  double value = percent(part, whole);
  return std::string("<u title=\"") + escaped(title) +
         format("\"><s style=\"width:%.1f%%;background:", std::min(100.0, value * 3)) + color(reason) + "\"></s></u>" +
         format("<em%s>%s</em>", value >= 5 ? " class=hot" : "", value >= 0.05 ? format("%.1f %%", value).c_str() : "");
}

std::string mark(SourceLines::Line where) {
  return where.line ? format(" data-at=\"%u:%u\"", where.file, where.line) : "";
}

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
};

std::string sourcePane(const Profile &r, double waited) {
  std::map<std::uint32_t, std::map<std::uint32_t, Waiting>> files;
  for (const LineTimes &l : linesOf(r))
    for (std::size_t k : l.instructions)
      files[l.where.file][l.where.line].add(r.instructions[k]);
  if (files.empty())
    return {};
  std::string out = "<div class=pane><b>Source</b>\n";
  for (const auto &[file, lines] : files) {
    const std::string &name = r.lines.files[file];
    std::ifstream stream(name);
    out += "<div class=dim>" + escaped(name) + (stream ? "" : " (cannot be read)") + "</div>\n";
    std::string text;
    std::uint32_t last = lines.rbegin()->first;
    for (std::uint32_t number = 1; std::getline(stream, text) || number <= last; ++number, text.clear()) {
      auto found = lines.find(number);
      bool used = found != lines.end();
      out += "<div" + (used ? mark({file, number}) : "") + ">" +
             (used ? share(found->second.waited, waited, found->second.mostly(), found->second.title())
                   : "<u style=\"background:none\"></u><em></em>") +
             format("<i>%u</i>", number) + escaped(text) + "</div>\n";
    }
  }
  return out + "</div>";
}

std::string code(const Profile &r) {
  auto all = r.waits();
  double waited = double(std::accumulate(all.begin(), all.end(), std::uint64_t(0)));
  std::string source = sourcePane(r, waited);
  std::string out = "<h2>Code</h2>\n<p class=dim>Each line's share of the clocks for which threads wait, in the colour "
                    "of what they wait for mostly (a full bar is a third). Point at a line to mark what belongs to it, "
                    "click to bring it into view.</p>\n";
  out +=
      format("<div class=\"code%s\">", source.empty() ? " one" : "") + source + "<div class=pane><b>Instructions</b>\n";
  for (std::size_t k = 0; k < r.instructions.size(); ++k) {
    const Instruction &i = r.kernel->instructions[k];
    Waiting w;
    w.add(r.instructions[k]);
    out += "<div" + mark(r.lines.of(k)) + ">" + share(w.waited, waited, w.mostly(), w.title()) +
           format("<i>%05X</i>", i.address) + escaped(textOf(i, *r.kernel->platform)) + "</div>\n";
  }
  return out + "</div></div>\n";
}

} // namespace

std::string pageOf(const Profile &r) {
  std::string title = escaped(r.kernel->name + " on " + std::string(r.kernel->platform->name));
  return "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
         "content=\"width=device-width\"><title>" +
         title + "</title><style>" + PageStyle + "</style>\n<h1>" + title + "</h1>\n<p class=dim>" +
         format("A model of %.0f execution units at %.0f MHz; %s groups.</p>\n", r.units(), r.parameters->megahertz,
                grouped(double(r.groups)).c_str()) +
         tiles(r) + waits(r) + classes(r) + "<div class=columns><div>" + memory(r) + "</div><div>" + occupancy(r) +
         "</div><div>" + roofline(r) + "</div></div>\n" + code(r) + "<script>" + html::LinkedLinesScript +
         "</script></html>\n";
}

} // namespace pocm::gensim::timing
