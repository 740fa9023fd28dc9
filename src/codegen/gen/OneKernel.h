//===- OneKernel.h - Gen code of one kernel of a program ------------------------------------===//
#pragma once

#include "pocm/gen.h"
#include "program/Container.h"
#include <span>
#include <string>

namespace pocm::gen {

/// Code of one kernel, whatever others use that the target has not. A program from a file is worked on by a process of
/// its own (program/OwnProcess.h), where one is to be had. Throws Error.
GenKernel codeOfKernel(const program::Container &Program, const std::string &Kernel, const std::string &Target);

/// What that process does.
std::vector<char> makeCodeOfKernel(std::span<const std::string> Words, std::span<const std::uint8_t> File);

} // namespace pocm::gen
