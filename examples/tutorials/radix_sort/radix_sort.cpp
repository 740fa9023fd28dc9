// Radix sort by 4 bits at a time: three kernels a pass, 24 enqueues into one event variable, of which only the last
// event is waited for.
//
//     radix_sort PROGRAM.isa
#include "tutorial.h"
#include <algorithm>

namespace {
constexpr std::uint32_t threads = 2048, perThread = 128, count = threads * perThread, digitBits = 4, digits = 16;
}

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    std::vector<std::uint32_t> keys(count), got(count);
    std::mt19937 random(6);
    for (std::uint32_t &k : keys)
      k = random();
    CmBuffer *from = session.buffer(keys), *to = session.buffer(got);
    CmBuffer *counts = session.buffer(std::vector<std::uint32_t>(threads * digits));
    CmKernel *countKernel = session.kernel("count"), *places = session.kernel("places"), *move = session.kernel("move");
    CmTask *countTask = session.task({countKernel}), *placesTask = session.task({places}),
           *moveTask = session.task({move});
    CmThreadSpace *row = session.space(threads, 1), *one = session.space(1, 1);
    CmEvent *event = CM_NO_EVENT;
    tutorial::setAll(places, counts, threads);
    for (std::uint32_t shift = 0; shift < 32; shift += digitBits) {
      tutorial::setAll(countKernel, from, counts, shift, threads);
      tutorial::setAll(move, from, counts, to, shift, threads);
      event = CM_NO_EVENT;
      CHECK(session.queue->Enqueue(countTask, event, row));
      event = CM_NO_EVENT;
      CHECK(session.queue->Enqueue(placesTask, event, one));
      event = nullptr;
      CHECK(session.queue->Enqueue(moveTask, event, row));
      std::swap(from, to);
    }
    session.read(from, got, event);
    std::sort(keys.begin(), keys.end());
    return tutorial::report("radix_sort", got == keys, session.finish(event));
  });
}
