//===- Reports.cpp - A profile as files -----------------------------------------------------------===//
#include "gensim/timing/Reports.h"
#include "gensim/isa/Printer.h"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace pocm::gensim::timing {

using nlohmann::json;

std::vector<LineTimes> linesOf(const Profile &profile) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, LineTimes> byLine;
  for (std::size_t k = 0; k < profile.instructions.size(); ++k) {
    SourceLines::Line where = profile.lines.of(k);
    if (!where.line)
      continue;
    LineTimes &l = byLine[{where.file, where.line}];
    l.where = where;
    l.executions += profile.instructions[k].executions;
    l.waited += profile.instructions[k].waited;
    l.instructions.push_back(k);
  }
  std::vector<LineTimes> all;
  for (auto &[key, line] : byLine)
    all.push_back(std::move(line));
  std::sort(all.begin(), all.end(), [](const LineTimes &a, const LineTimes &b) {
    return std::tuple(b.waited, a.where.file, a.where.line) < std::tuple(a.waited, b.where.file, b.where.line);
  });
  return all;
}

Roofline rooflineOf(const Profile &profile) {
  const Parameters &p = *profile.parameters;
  Roofline r;
  for (std::size_t k = 0; k < profile.instructions.size(); ++k) {
    const Instruction &i = profile.kernel->instructions[k];
    bool computes = i.format == Format::Basic || i.format == Format::Ternary || i.format == Format::Math;
    bool moves = i.opcode == Opcode::Mov || i.opcode == Opcode::Sel;
    unsigned each = i.opcode == Opcode::Mad || i.opcode == Opcode::Mac || i.opcode == Opcode::Madm ? 2 : 1;
    if (computes && !moves)
      r.operations += double(profile.instructions[k].executions) * i.size * each;
  }
  double hertz = p.megahertz * 1e6;
  r.peak = profile.units() * p.lanesPerPipe * (1 + p.secondPipeFloats) * 2 * hertz;
  r.memoryBytes = double(profile.traffic.dramReads + profile.traffic.dramWrites) * p.lineBytes;
  r.l3Bytes = double(profile.traffic.lines) * p.lineBytes;
  r.memoryRate = p.dramGigabytes * 1e9;
  r.l3Rate = std::min(p.l3Banks * p.lineBytes, p.subslices * p.portBytes) * hertz;
  return r;
}

json jsonOf(const Profile &r) {
  const Parameters &p = *r.parameters;
  const Traffic &t = r.traffic;
  double all = double(r.clocks) * r.units();
  json pipes = json::object(), waits = json::object(), classes = json::object(), parameters = json::object();
  for (unsigned k = 0; k < Pipes; ++k)
    pipes[PipeNames[k]] = all > 0 ? double(r.pipeBusy[k]) / all : 0;
  auto waited = r.waits();
  for (std::size_t k = 0; k < waited.size(); ++k)
    if (waited[k])
      waits[ReasonNames[k]] = waited[k];
  for (const auto &[name, count] : r.classes())
    classes[name] = count;
  for (const ParameterText &text : textsOf(*r.kernel->platform))
    parameters[text.name] = {{"value", text.value}, {"source", text.source}};
  auto linesAsJson = [&] {
    json all = json::array();
    for (const LineTimes &l : linesOf(r))
      all.push_back({{"file", r.lines.files[l.where.file]},
                     {"line", l.where.line},
                     {"executions", l.executions},
                     {"waited", l.waited}});
    return all;
  };
  json instructions = json::array();
  for (std::size_t k = 0; k < r.instructions.size(); ++k) {
    const InstructionTimes &i = r.instructions[k];
    json reasons = json::object();
    for (std::size_t n = 0; n < i.waits.size(); ++n)
      if (i.waits[n])
        reasons[ReasonNames[n]] = i.waits[n];
    instructions.push_back({{"address", r.kernel->instructions[k].address},
                            {"text", textOf(r.kernel->instructions[k], *r.kernel->platform)},
                            {"executions", i.executions},
                            {"pipe_clocks", i.clocks},
                            {"waited", i.waited},
                            {"waits", reasons}});
    if (SourceLines::Line where = r.lines.of(k); where.line)
      instructions.back()["line"] = where.line;
  }
  Roofline roof = rooflineOf(r);
  return {{"kernel", r.kernel->name},
          {"platform", r.kernel->platform->name},
          {"clocks", r.clocks},
          {"milliseconds", r.milliseconds()},
          {"megahertz", p.megahertz},
          {"threads", r.threads},
          {"groups", r.groups},
          {"instructions_executed", r.executed()},
          {"instructions_per_clock_and_unit", all > 0 ? double(r.executed()) / all : 0},
          {"units",
           {{"active", double(r.active) / std::max(all, 1.0)}, {"occupied", double(r.resident) / std::max(all, 1.0)}}},
          {"pipes", pipes},
          {"waits", waits},
          {"classes", classes},
          {"memory",
           {{"messages", t.messages},
            {"bytes_asked_for", t.requestedBytes},
            {"l3_lines", t.lines},
            {"l3_hits", t.l3Hits},
            {"llc_hits", t.llcHits},
            {"lines_read", t.dramReads},
            {"lines_written", t.dramWrites},
            {"line_bytes", p.lineBytes},
            {"slm_bytes", t.slmBytes},
            {"slm_clocks", t.slmClocks}}},
          {"roofline",
           {{"operations", roof.operations},
            {"peak_per_second", roof.peak},
            {"memory_bytes", roof.memoryBytes},
            {"memory_bytes_per_second", roof.memoryRate},
            {"l3_bytes", roof.l3Bytes},
            {"l3_bytes_per_second", roof.l3Rate}}},
          {"lines", linesAsJson()},
          {"code", instructions},
          {"parameters", parameters}};
}

json chromeTraceOf(const Profile &r) {
  json events = json::array();
  std::vector<bool> named(std::size_t(r.units()));
  double microseconds = 1 / r.parameters->megahertz;
  auto perSubslice = unsigned(r.parameters->unitsPerSubslice);
  for (const Profile::Span &s : r.spans) {
    if (!named[s.unit]) {
      named[s.unit] = true;
      std::string name =
          "subslice " + std::to_string(s.unit / perSubslice) + ", unit " + std::to_string(s.unit % perSubslice);
      events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", s.unit}, {"args", {{"name", name}}}});
      events.push_back(
          {{"ph", "M"}, {"name", "process_sort_index"}, {"pid", s.unit}, {"args", {{"sort_index", s.unit}}}});
    }
    events.push_back({{"ph", "X"},
                      {"name", "group " + std::to_string(s.group)},
                      {"cat", r.kernel->name},
                      {"pid", s.unit},
                      {"tid", s.slot},
                      {"ts", double(s.begin) * microseconds},
                      {"dur", double(s.end - s.begin) * microseconds},
                      {"args", {{"clocks", s.end - s.begin}}}});
  }
  return {{"traceEvents", events}, {"displayTimeUnit", "ns"}};
}

void writeReport(const std::string &file, const Profile &profile) {
  if (file == "-")
    return print(std::cerr, profile);
  bool isTrace = file.ends_with(".trace.json"), isPage = file.ends_with(".html"), isJson = file.ends_with(".json");
  std::ofstream out(file, isTrace || isPage || isJson ? std::ios::out : std::ios::app);
  if (isTrace)
    out << chromeTraceOf(profile).dump() << "\n";
  else if (isJson)
    out << jsonOf(profile).dump(2) << "\n";
  else if (isPage)
    out << pageOf(profile);
  else
    print(out, profile);
  if (!out.flush())
    throw Problem("cannot write '" + file + "'");
}

} // namespace pocm::gensim::timing
