// Sixteen kernels of one task on one buffer, each after the one before, in the buffer's own memory and in the
// application's.
//
//     buffer PROGRAM.isa
#include "tutorial.h"
#include <algorithm>
#include <memory>

namespace {
constexpr int threads = 512, count = threads * 32, kernels = 16;
}

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    std::vector<int> values(count), got(count);
    for (int i = 0; i < count; ++i)
      values[std::size_t(i)] = i * 3;
    CmBuffer *data = session.buffer(values);
    constexpr std::size_t page = 4096, bytes = count * sizeof(int);
    std::unique_ptr<int, decltype(&std::free)> mine(static_cast<int *>(std::aligned_alloc(page, bytes)), std::free);
    std::copy(values.begin(), values.end(), mine.get());
    CmBufferUP *shared = nullptr;
    CHECK(session.device->CreateBufferUP(UINT(bytes), mine.get(), shared));

    double time = 0;
    for (SurfaceIndex *surface : {tutorial::index(data), tutorial::index(shared)}) {
      CmTask *task = session.task({});
      for (int i = 0; i < kernels; ++i) {
        CmKernel *kernel = session.kernel("increment");
        tutorial::setAll(kernel, surface, 1 << i);
        CHECK(task->AddKernel(kernel));
        CHECK(task->AddSync());
      }
      time += session.run(task, session.space(threads, 1));
    }
    session.read(data, got, nullptr);
    bool correct = true;
    for (int i = 0; i < count; ++i)
      correct &= got[std::size_t(i)] == i * 3 + (1 << kernels) - 1 && mine.get()[i] == got[std::size_t(i)];
    return tutorial::report("buffer", correct, time);
  });
}
