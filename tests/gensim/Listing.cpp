// Our listing of a kernel beside Intel's.
#include "Listing.h"
#include "Encoding.h"
#include "Iga.h"
#include "gensim/isa/Printer.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>
#include <string_view>

namespace test {
namespace {

using namespace pocm::gensim;

bool startsNumber(const std::string &word) {
  return !word.empty() &&
         (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-' || word[0] == '.' ||
          word.starts_with("nan") || word.starts_with("inf") || word.starts_with("qnan") || word.starts_with("snan"));
}

/// An immediate float, which both print in as few digits as say it, or in hexadecimal.
std::string normalFloat(const std::string &word) {
  std::size_t colon = word.find(':');
  std::string type = word.substr(colon + 1), digits = word.substr(0, colon);
  if (colon == std::string::npos || !startsNumber(word) || (type != "f" && type != "hf" && type != "df"))
    return word;
  char text[64];
  bool negative = digits.starts_with('-');
  if (digits.find("nan") != std::string::npos) // Intel's shows the bits, too
    return "nan:" + type;
  double value;
  if (digits.starts_with("0x")) {
    auto bits = std::uint64_t(std::stoull(digits, nullptr, 16));
    auto single = std::bit_cast<float>(std::uint32_t(bits));
    value = type == "f" ? double(single) : type == "hf" ? doubleOf(std::uint16_t(bits)) : std::bit_cast<double>(bits);
  } else {
    value = std::strtod(digits.c_str(), nullptr);
  }
  if (std::isnan(value))
    return "nan:" + type;
  if (value == 0 && negative)
    value = -0.0;
  if (type == "hf")
    value = double(_Float16(value));
  std::snprintf(text, sizeof(text), "%.17g:", type == "f" ? double(float(value)) : value);
  return text + type;
}

/// Tokens that a synchronization waits for, "($14,$15)", as a mask.
std::string normalTokens(const std::string &word) {
  std::uint32_t mask = 0;
  for (std::size_t at = 0; (at = word.find('$', at)) != std::string::npos;)
    mask |= 1u << std::stoul(word.substr(++at));
  char text[16];
  std::snprintf(text, sizeof(text), "0x%X", mask);
  return text;
}

/// What Intel's disassembler writes for a table of three operands, "(s0^s1&s2)", as that table.
class Formula {
public:
  explicit Formula(std::string_view text) : rest(text) {}
  unsigned table() {
    unsigned value = differing();
    while (takes('|'))
      value |= differing();
    return value;
  }

private:
  unsigned differing() {
    unsigned value = both();
    while (takes('^'))
      value ^= both();
    return value;
  }
  unsigned both() {
    unsigned value = operand();
    while (takes('&'))
      value &= operand();
    return value;
  }
  unsigned operand() {
    static constexpr unsigned Rows[] = {0xAA, 0xCC, 0xF0}, All = 0xFF; // where s0, s1 and s2 are set
    if (takes('~'))
      return ~operand() & All;
    if (takes('(')) {
      const unsigned value = table();
      takes(')');
      return value;
    }
    if (!takes('s') || rest.empty() || rest[0] < '0' || rest[0] > '2')
      return 0;
    const unsigned value = Rows[rest[0] - '0'];
    rest.remove_prefix(1);
    return value;
  }
  bool takes(char c) {
    if (rest.empty() || rest[0] != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  std::string_view rest;
};

std::string normalTable(const std::string &word) {
  static constexpr std::string_view Name = "bfn.";
  if (!word.starts_with(Name) || word.find('s') == std::string::npos)
    return word;
  char text[16];
  std::snprintf(text, sizeof(text), "bfn.(0x%02X)", Formula(std::string_view(word).substr(Name.size())).table());
  return text;
}

/// A line without comments, what only schedules it, spaces, and lengths and types of messages' operands.
std::string normal(std::string line) {
  line = line.substr(0, line.find("//"));
  if (std::size_t brace = line.rfind('{'); brace != std::string::npos)
    line.erase(brace);
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  bool untyped = false, sync = false; // operands without types
  std::string text;
  for (std::string &word : words) {
    untyped |= word.starts_with("send") || word == "call" || word == "ret";
    sync |= word.starts_with("sync.all");
    if (sync && word.find('$') != std::string::npos)
      word = normalTokens(word);
    bool isRegister = word.starts_with("r") || word.starts_with("null");
    if (untyped && isRegister)
      word = word.substr(0, word.find(':'));
    text += (text.empty() ? "" : " ") + normalFloat(normalTable(word));
  }
  return text;
}

/// A line without its predicate.
std::string unpredicated(const std::string &line) {
  return line.starts_with("(f") || line.starts_with("(~f") ? line.substr(line.find(')') + 2) : line;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    bool isLabel = line.starts_with("L") && line.find(':') != std::string::npos;
    if (std::string words = normal(line); !isLabel && !words.empty())
      lines.push_back(words);
  }
  return lines;
}

} // namespace

Listing compareText(const Kernel &kernel, const std::vector<std::uint8_t> &code) {
  std::vector<std::string> theirs = linesOf(disassembled(code, *kernel.platform));
  Listing listing;
  for (const Instruction &i : kernel.instructions) {
    std::string ours = normal(textOf(i, *kernel.platform));
    std::string other = listing.instructions < theirs.size() ? theirs[listing.instructions] : "nothing";
    if (i.predicate >= Predicate::X) // Intel's does not show it
      ours = unpredicated(ours), other = unpredicated(other);
    if (ours != other && listing.difference.empty())
      listing.difference = "instruction " + std::to_string(listing.instructions) + ": " + ours + " | " + other;
    ++listing.instructions;
  }
  if (listing.instructions < theirs.size() && listing.difference.empty())
    listing.difference = "nothing | " + theirs[listing.instructions];
  return listing;
}

Listing compareListing(const Kernel &kernel, const std::vector<std::uint8_t> &code) {
  Listing listing = compareText(kernel, code);
  if (listing.difference.empty())
    listing.difference = encodingProblem(kernel, code);
  return listing;
}

} // namespace test
