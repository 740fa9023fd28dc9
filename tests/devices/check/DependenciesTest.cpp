// Dependencies between threads of a launch: the check device is silent where they order what threads read and write,
// and finds those that are missing, lead elsewhere, or in the wrong direction, in every order of threads.
#include "Kernels.h"
#include "program/Inside.h"
#include "runtime/Context.h"

namespace {

constexpr const char *source = R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void chain(SurfaceIndex data, int dx, int dy) {
  int x = get_thread_origin_x(), y = get_thread_origin_y(), u = x + dx, v = y + dy;
  vector<int, 4> sum = 0;
  if (u >= 0 && u < 6 && v >= 0 && v < 4)
    read(data, (v * 6 + u) * 16, sum); // line 6
  sum += 1;
  write(data, (y * 6 + x) * 16, sum); // line 8
}
)";

struct Row {
  const char *name;
  int dx, dy; ///< Which neighbour a thread reads.
  std::vector<pocm::runtime::Neighbour> waits;
  const char *kind; ///< Null: nothing is wrong.
};

const Row rows[] = {
    {"left", -1, 0, {{1, 0}}, nullptr},
    {"above", 0, -1, {{0, 1}}, nullptr},
    {"aboveRight", 1, -1, {{-1, 1}}, nullptr},
    {"throughOthers", -1, -1, {{1, 0}, {0, 1}}, nullptr},
    {"noneAtAll", -1, 0, {}, "race"},
    {"leftButReadsAbove", 0, -1, {{1, 0}}, "race"},
    {"aboveButReadsLeft", -1, 0, {{0, 1}}, "race"},
    {"diagonalIsNotEnough", 0, -1, {{1, 1}}, "race"},
    {"leftInsteadOfRight", 1, 0, {{1, 0}}, "unwritten-surface"},
    {"aboveInsteadOfBelow", 0, 1, {{0, 1}}, "unwritten-surface"},
};

class Dependencies : public testing::TestWithParam<Row> {};

TEST_P(Dependencies, areFoundWhereTheyAreWrong) {
  setenv("POCM_CACHE_DIR", "off", 0);
  const Row &row = GetParam();
  pocm::CompileOptions options;
  options.file = "chain.cpp";
  options.source = source;
  options.debugInfo = true;
  pocm::CompileResult compiled = pocm::compile(options);
  ASSERT_TRUE(compiled.ok) << compiled.diagnostics;
  pocm::Program program = pocm::Program::load(compiled.program);
  for (const char *order : {"serial", "reverse", "random:3"}) {
    pocm::DeviceOptions how;
    how.order = order;
    pocm::Device device = pocm::Device::open("check", how);
    pocm::Kernel kernel = device.createKernel(program, "chain");
    pocm::Buffer data = device.createBuffer(6 * 4 * 16);
    pocm::Inside::of(data)->leaveUndefined();
    kernel.setArgument(0, data);
    kernel.setArgument(1, &row.dx, sizeof(row.dx));
    kernel.setArgument(2, &row.dy, sizeof(row.dy));
    pocm::runtime::Launch launch = pocm::Inside::of(kernel)->capture();
    pocm::runtime::Order space;
    space.width = 6, space.height = 4;
    space.neighbours = row.waits;
    if (row.waits.empty())
      launch.threads = {{0, 6, 0, 4}};
    else
      launch.order = std::make_shared<pocm::runtime::Order>(space);
    auto task = pocm::Inside::of(device)->enqueue({launch});
    task->wait();
    EXPECT_EQ(task->problem(), "");
    bool found = false;
    for (const pocm::Finding &f : device.findings()) {
      // Without an order a thread may also read what nobody has written yet.
      bool early = row.waits.empty() || std::string_view(row.kind ? row.kind : "") == "race";
      EXPECT_TRUE(row.kind && (f.kind == row.kind || (early && f.kind == "unwritten-surface")))
          << order << ": " << f.message;
      EXPECT_TRUE(f.line == 6 || f.line == 8) << f.line;
      found |= row.kind && f.kind == row.kind;
    }
    EXPECT_EQ(found, row.kind != nullptr) << order;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Dependencies, testing::ValuesIn(rows),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
