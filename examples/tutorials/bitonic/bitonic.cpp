// Bitonic sort: many small kernels after each other, enqueued without waiting. Each enqueue keeps the arguments that
// the kernel had at that moment.
//
//     bitonic PROGRAM.isa
#include "tutorial.h"
#include <algorithm>

namespace {
constexpr std::uint32_t count = 1u << 18, perThread = 32, width = 512;
}

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    std::vector<std::uint32_t> keys(count), got(count);
    std::mt19937 random(4);
    for (std::uint32_t &k : keys)
      k = random();
    CmBuffer *data = session.buffer(keys);
    CmThreadSpace *all = session.space(width, count / perThread / width);
    CmThreadSpace *pairs = session.space(width, count / 2 / perThread / width);
    CmKernel *begin = session.kernel("begin"), *step = session.kernel("step"), *finish = session.kernel("finish");
    for (CmKernel *k : {begin, step, finish})
      tutorial::set(k, 0, data);
    CmTask *beginTask = session.task({begin}), *stepTask = session.task({step}), *finishTask = session.task({finish});

    std::vector<CmEvent *> events(1);
    CHECK(session.queue->Enqueue(beginTask, events.back(), all));
    for (std::uint32_t size = 64; size <= count; size *= 2) {
      tutorial::set(step, 1, size);
      for (std::uint32_t distance = size / 2; distance >= 32; distance /= 2) {
        tutorial::set(step, 2, distance);
        events.push_back(nullptr);
        CHECK(session.queue->Enqueue(stepTask, events.back(), pairs));
      }
      tutorial::set(finish, 1, size);
      events.push_back(nullptr);
      CHECK(session.queue->Enqueue(finishTask, events.back(), all));
    }
    // The last one is done: so are all.
    session.read(data, got, events.back());
    double time = 0;
    for (CmEvent *event : events) {
      UINT64 nanoseconds = 0;
      CHECK(event->GetExecutionTime(nanoseconds));
      time += double(nanoseconds) / 1e6;
    }
    std::sort(keys.begin(), keys.end());
    return tutorial::report("bitonic, " + std::to_string(events.size()) + " kernels", got == keys, time);
  });
}
