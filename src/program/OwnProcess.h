//===- OwnProcess.h - Work of LLVM's in a process of its own -------------------------------===//
//
// LLVM may end or hang the process in which it reads a damaged program. So programs from files
// are worked on by `cm-codegen`, a program beside the library, which has limits of time and
// memory:
//
//     host:        inOwnProcess("make code of kernel 'k'", {"object", "k", ...}, bitcode)
//     cm-codegen:  the worker "object" is called with {"k", ...} and bitcode; what it returns goes back
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pocm::program {

/// What the worker named by the first word of `work` makes of the others and of `input`. None when there is no process
/// to be had: no cm-codegen of this build, or none may be started. Throws Error with what the worker throws, or
/// "LLVM cannot <purpose>: " and the reason. Any thread.
std::optional<std::vector<char>> inOwnProcess(const std::string &purpose, const std::vector<std::string> &work,
                                              std::span<const std::uint8_t> input);

/// The same work here, where there is no such process: on a large stack, and what ends the process otherwise is an
/// Error, as far as a device knows how (guardWith).
void workHere(const std::string &purpose, const std::function<void()> &work);
using Guard = void (*)(std::string_view purpose, const std::function<void()> &work);
void guardWith(Guard guard);

/// Something that cm-codegen can do.
using Worker = std::function<std::vector<char>(std::span<const std::string> arguments, std::span<const std::uint8_t>)>;

/// The main function of cm-codegen.
int workInOwnProcess(int argc, char **argv, const std::map<std::string, Worker> &workers);

/// Remembers CM IR that this process has compiled itself.
void noteOwn(std::span<const std::uint8_t> ir);
/// Whether it has.
bool isOwn(std::span<const std::uint8_t> ir);

} // namespace pocm::program
