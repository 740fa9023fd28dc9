// Shared virtual memory: the host builds linked lists, kernels follow the same pointers.
//
//     svm PROGRAM.isa
#include "tutorial.h"
#include <algorithm>

namespace {
constexpr std::uint32_t lists = 64, nodes = 4096;

struct Node {
  Node *next;
  std::uint64_t value;
};
} // namespace

int main(int argc, char **argv) {
  return tutorial::main(argc, argv, [](const std::string &path) {
    tutorial::Session session(path);
    constexpr std::uint32_t bytes = nodes * sizeof(Node) + lists * (sizeof(Node *) + sizeof(std::uint64_t)) + 64;
    void *memory = nullptr;
    CmBufferSVM *shared = nullptr;
    CHECK(session.device->CreateBufferSVM(bytes, memory, 0, shared));
    auto *node = static_cast<Node *>(memory);
    auto **heads = reinterpret_cast<Node **>(node + nodes);
    auto *totals = reinterpret_cast<std::uint64_t *>(heads + lists + 1); // threads read their head and the next
    std::vector<std::uint64_t> want(lists);
    std::mt19937 random(8);
    for (std::uint32_t i = 0; i < lists; ++i)
      heads[i] = nullptr;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      std::uint32_t list = random() % (lists - 1); // the last one stays empty
      node[i] = {heads[list], random()};
      heads[list] = &node[i];
      want[list] += node[i].value;
    }
    CmKernel *kernel = session.kernel("lists");
    tutorial::setAll(kernel, reinterpret_cast<std::uint64_t>(heads), reinterpret_cast<std::uint64_t>(totals));
    double time = session.run(session.task({kernel}), session.space(lists, 1));
    bool correct = std::equal(want.begin(), want.end(), totals);
    int status = tutorial::report("svm", correct, time);
    CHECK(session.device->DestroyBufferSVM(shared));
    return status;
  });
}
