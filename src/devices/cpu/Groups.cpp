//===- Groups.cpp - Thread groups on a host thread ----------------------------------===//
//
// A kernel with barriers is a coroutine for each thread. The walker starts all threads of
// a group, each runs until it has to wait, and finish() resumes them in turn. A round in
// which no barrier opened and nobody had one open since the round before means that the
// threads wait for others that are gone.
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/Groups.h"
#include "devices/cpu/ThreadPool.h"
#include "pocm/pocm.h"
#include <cstdlib>
#include <new>

namespace pocm::cpu {
namespace {

constexpr std::size_t blockAlign = 64;

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + blockAlign - 1) / blockAlign * blockAlign; }

/// A suspended thread's frame begins with the function that goes on, null when the thread is done.
using Resume = void (*)(void *frame);

/// UBSan would look for a mark in front of the function that JIT compiled code does not have.
__attribute__((no_sanitize("function"))) bool resume(void *frame) {
  if (Resume goOn = *static_cast<Resume *>(frame))
    goOn(frame);
  return *static_cast<Resume *>(frame) != nullptr;
}

} // namespace

void GroupRunner::Free::operator()(std::uint8_t *p) const { std::free(p); }

GroupRunner::Block GroupRunner::allocate(std::size_t bytes) {
  Block block(static_cast<std::uint8_t *>(std::aligned_alloc(blockAlign, aligned(bytes))));
  if (!block)
    throw Error("no memory for a thread group: " + std::to_string(bytes) + " bytes");
  return block;
}

GroupRunner::GroupRunner() : Group{} {}

void GroupRunner::prepare(const KernelInfo &kernel, const std::uint32_t (&local)[3], const std::uint32_t (&groups)[3]) {
  constexpr std::size_t slack = ReadSlack;
  for (int d = 0; d < 3; ++d) {
    localSize[d] = local[d];
    groupCount[d] = groups[d];
  }
  if (slmCapacity < kernel.slmBytes) {
    slmMemory = allocate(kernel.slmBytes + slack);
    slmCapacity = kernel.slmBytes;
  }
  slm = {};
  slm.base = slmMemory.get();
  slm.end = slm.base + (slm.base ? slmCapacity + slack : 0);
  slm.pitch = slm.bytes = slm.width = std::int32_t(kernel.slmBytes);
  slm.height = slm.pixel = 1;
  stride = aligned(kernel.frameBytes);
  std::size_t needed = stride * local[0] * local[1] * local[2];
  if (frameCapacity < needed) {
    frames = allocate(needed);
    frameCapacity = needed;
  }
  std::size_t boxes = kernel.exchanges ? (std::size_t(local[0]) * local[1] * local[2] + 1) / 2 * 2 : 0; // pairs
  if (mailCount < boxes) {
    mailMemory = allocate(boxes * sizeof(Mailbox));
    mailCount = boxes;
  }
  mail = boxes ? reinterpret_cast<Mailbox *>(mailMemory.get()) : nullptr;
  emptyMail();
  started = waiting = 0;
  barrier = {};
  for (Barrier &b : named)
    b = {};
}

std::string GroupRunner::problem() const {
  std::uint32_t threads = localSize[0] * localSize[1] * localSize[2];
  return std::to_string(waiting) + " of the " + std::to_string(threads) + " threads of group (" +
         std::to_string(groupId[0]) + ", " + std::to_string(groupId[1]) + ", " + std::to_string(groupId[2]) +
         ") wait at the barrier of line " + std::to_string(waitLine) +
         " for threads that do not come; every thread of a group must reach each barrier";
}

void *GroupRunner::threadFrame(Group *group, std::uint64_t) {
  auto &self = *static_cast<GroupRunner *>(group);
  return self.frames.get() + self.stride * self.started++;
}

void GroupRunner::emptyMail() {
  for (std::size_t i = 0; mail && i < mailCount; ++i)
    mail[i].given = 0;
}

std::uint32_t GroupRunner::phases() const {
  std::uint32_t sum = barrier.phase + exchanges;
  for (const Barrier &b : named)
    sum += b.phase;
  return sum;
}

std::uint32_t GroupRunner::round() {
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < started; ++i)
    left += resume(frames.get() + stride * i);
  return left;
}

std::uint32_t GroupRunner::finish(Group *group) {
  auto &self = *static_cast<GroupRunner *>(group);
  constexpr int patience = 2; // rounds without an opened barrier
  std::uint32_t before = self.phases() - 1;
  int quiet = 0;
  while ((self.waiting = self.round()) && quiet < patience) {
    std::uint32_t now = self.phases();
    quiet = now == before ? quiet + 1 : 0;
    before = now;
  }
  self.started = 0;
  self.emptyMail();
  self.barrier.producers = 0; // a thread may have arrived for nobody
  for (Barrier &b : self.named)
    b.producers = b.consumers = 0;
  return self.waiting != 0;
}

std::uint32_t GroupRunner::namedArrive(Group *group, std::uint32_t id, std::uint32_t role, std::uint32_t producers,
                                       std::uint32_t consumers) {
  constexpr std::uint32_t producerOnly = 1, consumerOnly = 2;
  Barrier &b = group->named[id];
  std::uint32_t mine = b.phase;
  b.producers += role != consumerOnly;
  b.consumers += role != producerOnly;
  if (b.producers >= producers && b.consumers >= consumers)
    b = {0, 0, mine + 1};
  return mine;
}

std::unique_ptr<GroupRunner> RunnerPool::take() {
  if (auto runner = own[ThreadPool::host() % own.size()].swap(nullptr))
    return runner;
  std::lock_guard guard(lock);
  if (others.empty())
    return std::make_unique<GroupRunner>();
  auto runner = std::move(others.back());
  others.pop_back();
  return runner;
}

void RunnerPool::give(std::unique_ptr<GroupRunner> runner) {
  auto other = own[ThreadPool::host() % own.size()].swap(std::move(runner));
  if (!other)
    return;
  try {
    std::lock_guard guard(lock);
    others.push_back(std::move(other));
  } catch (const std::bad_alloc &) { // then the next group makes its own
  }
}

} // namespace pocm::cpu
