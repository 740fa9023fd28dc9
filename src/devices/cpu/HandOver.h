//===- HandOver.h - Compiled code goes on in another host thread -----------------===//
//
// A handler of a signal makes the host thread call, between two instructions of a kernel, a
// function that leaves the fiber (runtime/Fiber.h). The call keeps every register, so that the
// kernel does not notice; when the fiber is run again, it goes on with the next instruction.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace pocm::cpu {

/// Learns how much there is to keep. Before the next.
void prepareHandOver();
/// Changes what a handler returns to (a ucontext_t): a call of `leave`, then what was interrupted. One `leave` for the
/// whole process.
void callThenGoOn(void *context, void (*leave)());

} // namespace pocm::cpu
