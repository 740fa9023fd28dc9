// Prefix sum: three kernels of one task, each with a thread space of its own and a sync behind it.
//
//     prefix_sum PROGRAM.isa
#include "tutorial.h"

namespace {
constexpr std::uint32_t threads = 1024, perThread = 256, count = threads * perThread;
}

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    std::vector<std::uint32_t> values(count), got(count), want(count);
    std::mt19937 random(5);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      values[i] = random();
      want[i] = sum += values[i];
    }
    CmBuffer *in = session.buffer(values), *out = session.buffer(got);
    CmBuffer *sums = session.buffer(std::vector<std::uint32_t>(threads));
    CmKernel *totals = session.kernel("totals"), *scan = session.kernel("scan"), *add = session.kernel("add");
    tutorial::setAll(totals, in, sums);
    tutorial::setAll(scan, sums, int(threads));
    tutorial::setAll(add, in, sums, out);
    CmThreadSpace *row = session.space(threads, 1), *one = session.space(1, 1);
    CHECK(totals->AssociateThreadSpace(row));
    CHECK(scan->AssociateThreadSpace(one));
    CHECK(add->AssociateThreadSpace(row));
    double time = session.run(session.task({totals, scan, add}));
    session.read(out, got, nullptr);
    return tutorial::report("prefix_sum", got == want, time);
  });
}
