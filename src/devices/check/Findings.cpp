//===- Findings.cpp - What is wrong with a kernel, in words ----------------------===//
#include "devices/check/Findings.h"
#include <algorithm>
#include <cstring>
#include <string_view>

namespace pocm::check {
bool isBounds(const Site &site) {
  return std::any_of(std::begin(boundsNames), std::end(boundsNames),
                     [&](std::string_view name) { return site.message == name; });
}

namespace {

const char *const kindNames[] = {
#define FINDING(id, name) name,
#include "devices/check/Findings.def"
};

std::string number(std::int64_t n) { return std::to_string(n); }
std::string pair(std::int64_t a, std::int64_t b) { return "(" + number(a) + ", " + number(b) + ")"; }
std::string bytes(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

std::string triple(const std::uint32_t (&t)[3]) {
  return "(" + number(t[0]) + ", " + number(t[1]) + ", " + number(t[2]) + ")";
}

std::string placeOf(const ThreadPlace &t) {
  std::string text = "thread " + pair(t.x, t.y);
  if (t.byGroups)
    text += ", " + triple(t.local) + " of group " + triple(t.group);
  return text;
}

const char *verb(Access access) {
  return access == Access::Read ? "read" : access == Access::Write ? "write" : "atomic";
}

/// "oword block read", "atomic".
std::string accessOf(const Site &site) {
  std::string text = site.message;
  return site.access == Access::Atomic ? text : text + " " + verb(site.access);
}

std::string lineOf(const Site &site) {
  return (site.file ? std::string(site.file) + ":" : "line ") + std::to_string(site.line);
}

bool isMediaBlock(const Site &site) { return std::strcmp(site.message, "media block") == 0; }
bool isOfPixels(const Site &site) { return std::strncmp(site.message, "typed", 5) == 0; }

/// "oword block read of 64 bytes"; of lanes each one's.
std::string sizedAccessOf(const Site &site) {
  if (isMediaBlock(site))
    return accessOf(site) + " of " + std::to_string(site.bytes) + "x" + std::to_string(site.rows * site.count) +
           " bytes";
  return accessOf(site) + (isOfPixels(site) || !site.bytes ? "" : " of " + bytes(site.bytes));
}

/// "of 64 bytes at offset 16", "of 32x8 bytes at (3, 4)".
std::string whereOf(const RawFinding &raw) {
  const Site &site = *raw.site;
  if (isMediaBlock(site))
    return " of " + std::to_string(site.bytes) + "x" + std::to_string(site.rows) + " bytes at " +
           pair(raw.offset, raw.second);
  if (isOfPixels(site))
    return " of pixel " + pair(raw.offset, raw.second);
  return " of " + bytes(raw.bytes) + " at offset " + number(raw.offset);
}

std::string sizeOf(const RawFinding &raw, const std::string &surface) {
  if (raw.slot == SlmSlot)
    return "the shared local memory of its group, which has " + bytes(raw.size);
  std::string text = surface + ", which has ";
  if (isMediaBlock(*raw.site))
    return text + std::to_string(raw.rows) + " rows of " + bytes(raw.size);
  if (isOfPixels(*raw.site))
    return text + std::to_string(raw.size) + "x" + std::to_string(raw.rows) + " pixels";
  return text + bytes(raw.size);
}

std::string messageOf(const RawFinding &raw, const std::string &surface) {
  const Site &site = *raw.site;
  switch (raw.kind) {
  case Kind::BeyondSurface:
    return accessOf(site) + whereOf(raw) + " leaves " + sizeOf(raw, surface);
  case Kind::Misaligned:
    return sizedAccessOf(site) + " at offset " + number(raw.offset) + " of " + surface +
           ": hardware rounds it down to a multiple of " + std::to_string(site.align);
  case Kind::WrongSurface:
    return accessOf(site) + " on " + surface + ", which is " + (raw.size ? "a buffer" : "an image") +
           "; this message takes " + (raw.size ? "images" : "buffers");
  case Kind::NoSurface:
    return accessOf(site) + " on surface number " + number(raw.slot) + ", which the launch does not have";
  case Kind::NoSlm:
    return accessOf(site) + whereOf(raw) + " of shared local memory, and there is no cm_slm_init";
  case Kind::BeyondAllocation:
    return accessOf(site) + " of " + bytes(raw.bytes) +
           (raw.size ? " at " + number(raw.offset) + " bytes of an allocation of " + bytes(raw.size) +
                           (raw.gone ? ", which the host has destroyed" : "")
                     : " at an address that is in no allocation and where there is no memory");
  case Kind::BeyondObject: {
    if (isBounds(site)) {
      constexpr const char *chosen[] = {"element", "row", "column", "element"};
      constexpr const char *of[] = {"an inner array or a reference", "a matrix", "a matrix", "a vector"};
      const auto which =
          std::size_t(std::find(std::begin(boundsNames), std::end(boundsNames), std::string_view(site.message)) -
                      std::begin(boundsNames));
      return std::string(chosen[which]) + " " + number(raw.offset) + " of " +
             (site.object ? site.object + std::string(", which has ") : of[which] + std::string(" that has ")) +
             std::to_string(raw.size);
    }
    std::string object = site.object ? "'" + std::string(site.object) + "'" : "its object";
    if (std::strcmp(site.message, "element") == 0)
      return std::string(verb(site.access)) + " of element " + number(raw.offset / std::int64_t(site.bytes)) + " of " +
             object + ", which has " + std::to_string(raw.size / site.bytes);
    return std::string(verb(site.access)) + " of " + bytes(site.bytes) + " at byte " + number(raw.offset) + " of " +
           object + ", which has " + bytes(raw.size);
  }
  case Kind::UnwrittenSlm:
    return sizedAccessOf(site) + " of shared local memory at offset " + number(raw.offset) +
           ", which no thread of the group has written before";
  case Kind::UnwrittenSurface:
    return sizedAccessOf(site) + " at offset " + number(raw.offset) + " of " + surface + ", which nobody has written";
  case Kind::UnwrittenValue: {
    std::string text = site.count > 1 ? "element " + number(raw.offset) + " of the " : "the ";
    text += std::string(site.message) + " depends on what nobody has written";
    return site.object ? text + ", in " + site.object : text;
  }
  case Kind::Race:
    return sizedAccessOf(site) + " at offset " + number(raw.offset) + " of " +
           (raw.slot == SlmSlot ? "shared local memory" : surface) + " races with the " + accessOf(*raw.other) +
           " of " + lineOf(*raw.other) + " by " + placeOf(raw.otherThread);
  case Kind::Barrier:
    if (raw.bytes == 0)
      return "the thread waits at a barrier at which it has not arrived";
    return number(std::int64_t(raw.bytes)) + " of the " + std::to_string(raw.size) +
           " threads of the group wait here for threads that do not come";
  }
  return "";
}

} // namespace

Finding inWords(const RawFinding &raw, const std::string &kernel, const std::string &surface) {
  Finding f;
  f.kind = kindNames[unsigned(raw.kind)];
  f.file = raw.site->file ? raw.site->file : "";
  f.line = raw.site->line;
  f.column = raw.site->column;
  f.kernel = kernel;
  f.message = messageOf(raw, surface);
  f.thread = placeOf(raw.thread);
  f.x = raw.thread.x;
  f.y = raw.thread.y;
  bool ofThread = raw.kind == Kind::BeyondObject || raw.kind == Kind::UnwrittenValue || raw.kind == Kind::Barrier;
  f.surface = ofThread ? "" : surface;
  f.offset = raw.offset;
  f.bytes = raw.bytes;
  f.count = raw.count;
  return f;
}

std::string textOf(const Finding &f) {
  std::string place = f.file.empty() ? "kernel '" + f.kernel + "'" : f.file;
  if (f.line)
    place += ":" + std::to_string(f.line);
  std::string text = place + ": error: " + f.message + " [" + f.kind + "]\n" + place + ": note: kernel '" + f.kernel +
                     "', " + f.thread;
  if (f.count > 1)
    text += "; " + std::to_string(f.count - 1) + (f.count == 2 ? " more time" : " more times");
  return text + "\n";
}

} // namespace pocm::check
