//===- CommandLine.h - Command lines of the tools that launch and transform -------------===//
//
//     if (std::optional<int> status = parsed(app, argc, argv))
//       return *status;
//
// The words for what is wrong are the same in each.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

/// The exit status of a command line that asks for help, or is wrong, which has been said; nothing of one to obey.
/// `hint` is added where a word is left over that is no option.
inline std::optional<int> parsed(CLI::App &app, int argc, char **argv, const std::string &hint = "") {
  constexpr int wrongCommandLine = 2;
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError &problem) {
    if (problem.get_exit_code() == 0)
      return app.exit(problem);
    // Of an option that is misspelt, CLI11 first says that the right one is missing.
    const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
    std::string what = problem.what();
    if (!unknown.empty() && (hint.empty() || unknown.front().starts_with("-")))
      what = "there is no '" + unknown.front() + "'";
    else if (!unknown.empty())
      what += "; " + hint;
    std::cerr << app.get_name() << ": error: " << what << "; " << app.get_name() << " --help says more\n";
    return wrongCommandLine;
  }
}
