// Intel's assembler and disassembler, iga64 of Debian's libigc-tools.
#pragma once

#include "gensim/isa/Types.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace test {

/// A folder that is gone afterwards.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gensim-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char *name) const { return (path / name).string(); }
};

inline std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void runIga(const std::string &arguments, const Folder &folder, bool mayFail = false) {
  std::string command = "iga64 " + arguments + " > " + folder.file("out") + " 2> " + folder.file("err");
  if (std::system(command.c_str()) != 0 && !mayFail)
    throw std::runtime_error(command + ": " + contentsOf(folder.file("err")));
}

inline std::vector<std::uint8_t> assembled(const std::string &text, const pocm::gensim::Platform &platform) {
  Folder folder;
  std::ofstream(folder.file("in.asm")) << text;
  runIga("-a -p=" + std::string(platform.iga) + " " + folder.file("in.asm") + " -o " + folder.file("code"), folder);
  std::string code = contentsOf(folder.file("code"));
  return {code.begin(), code.end()};
}

inline std::string disassembled(const std::vector<std::uint8_t> &code, const pocm::gensim::Platform &platform) {
  Folder folder;
  std::ofstream(folder.file("code"), std::ios::binary)
      .write(reinterpret_cast<const char *>(code.data()), std::streamsize(code.size()));
  runIga("-d -p=" + std::string(platform.iga) + " " + folder.file("code"), folder);
  return contentsOf(folder.file("out"));
}

/// Where the disassembler finds an instruction wrong, in bytes.
inline std::set<std::size_t> refusedByIntels(const std::vector<std::uint8_t> &code,
                                             const pocm::gensim::Platform &platform) {
  Folder folder;
  std::ofstream(folder.file("code"), std::ios::binary)
      .write(reinterpret_cast<const char *>(code.data()), std::streamsize(code.size()));
  runIga("-d -p=" + std::string(platform.iga) + " --output-on-fail " + folder.file("code"), folder, true);
  std::set<std::size_t> all;
  static constexpr std::string_view where = "byte offset ";
  const std::string problems = contentsOf(folder.file("err"));
  for (std::size_t at = 0; (at = problems.find(where, at)) != std::string::npos;)
    all.insert(std::stoul(problems.substr(at += where.size()), nullptr, 16));
  return all;
}

} // namespace test
