//===- UserMacros.h - Headers that no macro of the program can change -------===//
#pragma once
#include <memory>
#include <string_view>

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace pocm::frontend {

/// Whether the language's headers look at a macro of this name, which therefore reaches them.
bool headersSeeMacro(std::string_view Name);

/// While the language's headers are read, the program's own macros do not exist.
std::unique_ptr<clang::PPCallbacks> hideUserMacros(clang::Preprocessor &PP);

} // namespace pocm::frontend
