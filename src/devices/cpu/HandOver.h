//===- HandOver.h - Compiled code goes on in another host thread -----------------===//
//
// A handler of a signal makes the host thread call, between two instructions of a kernel, a
// function that leaves the fiber (runtime/Fiber.h). The call keeps every register, so that the
// kernel does not notice; when the fiber is run again, it goes on with the next instruction.
// Where the signal comes in a function that the kernel has called, the call happens when that
// returns:
//
//     before    kernel: call helper; next      on the stack of the helper: where `next` is
//     after     kernel: call helper; next      where pocm_return_and_go_on is, which goes on with `next`
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace pocm::cpu {

/// Learns how much there is to keep. Before the next ones, which are where there are fibers.
void prepareHandOver();
/// Changes what a handler returns to (a ucontext_t): a call of `leave`, then what was interrupted. One `leave` for the
/// whole process.
void callThenGoOn(void *context, void (*leave)());
/// What to write where a function finds the address that it returns to: `returned` is called then, with every register
/// kept, and says where the caller goes on. One `returned` for the whole process.
std::uintptr_t returnThenGoOn(std::uintptr_t (*returned)());

} // namespace pocm::cpu
