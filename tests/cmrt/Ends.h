// What tests of bad and early ends share: kernels that take their time, go on until they are let go, fault or keep all
// registers busy, and what a failed task must look like. The process and its other work go on, and the failed task is
// failed everywhere.
#pragma once

#include "HostApi.h"
#include "Sanitizers.h"
#include <atomic>
#include <chrono>
#include <thread>

namespace test {

inline constexpr const char *endsSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void count(SurfaceIndex out, uint n) {   // counts up to n, slowly, at each thread's place
  vector<uint, 8> v = 0;
  for (uint i = 0; i < n; i++) {
    read(out, get_thread_origin_x() * 32, v);
    v += 1;
    write(out, get_thread_origin_x() * 32, v);
  }
}
extern "C" _GENX_MAIN_ void mix(SurfaceIndex out, uint n) {     // keeps all registers busy
  vector<float, 256> v;
  for (int i = 0; i < 256; i++)
    v(i) = i;
  for (uint i = 0; i < n; i++) {
    v = v * 0.75f + 1.0f;
    v.select<128, 2>(0) += v.select<128, 2>(1) * 0.125f;
  }
  for (int i = 0; i < 8; i++)
    write(out, i * 128, v.select<32, 1>(i * 32));
}
extern "C" _GENX_MAIN_ void edges(SurfaceIndex out, uint n) {   // is mostly in what it calls: for the block over the end
  vector<uint, 64> v = 1, w;
  for (uint i = 0; i < n / 16; i++) {
    write(out, 4000 - 64, v.select<32, 1>(0));
    read(out, 4000 - 64 + i % 5 * 16, w.select<32, 1>(16));
    v = v * 5 + w + i;
  }
  for (int i = 0; i < 8; i++)
    write(out, i * 128, v.select<32, 1>(i % 2 * 32));
}
extern "C" _GENX_MAIN_ void held(svmptr_t gate, svmptr_t rounds) { // goes on until the gate is open
  vector<uint, 8> open = 0, n = 0;
  while (open(0) == 0) {
    cm_svm_block_read(gate, open);
    n += 1;
    cm_svm_block_write(rounds, n);
  }
}
extern "C" _GENX_MAIN_ void late(svmptr_t gate, svmptr_t rounds, svmptr_t where) { // the same, then faults
  vector<uint, 8> open = 0, n = 0;
  while (open(0) == 0) {
    cm_svm_block_read(gate, open);
    n += 1;
    cm_svm_block_write(rounds, n);
  }
  cm_svm_block_write(where, n);
}
extern "C" _GENX_MAIN_ void poke(svmptr_t where, uint n) {      // the same by address
  vector<uint, 8> v = 0;
  for (uint i = 0; i < n; i++) {
    cm_svm_block_read(where, v);
    v += 1;
    cm_svm_block_write(where, v);
  }
}
extern "C" _GENX_MAIN_ void pokeAt(svmptr_t where, uint x) {    // one thread only
  if (get_thread_origin_x() == x) {
    vector<uint, 8> v = 1;
    cm_svm_block_write(where, v);
  }
}
extern "C" _GENX_MAIN_ void cached(svmptr_t where) {           // by a message to the load/store cache
  vector<uint, 8> v = cm_ptr_load<uint, 8>((uint *)where, 0);
  cm_ptr_store<uint, 8>((uint *)where, 32, v + 1);
}
extern "C" _GENX_MAIN_ void group(svmptr_t where) {
  cm_slm_init(64);
  cm_barrier();
  if (cm_linear_group_id() == 2) {
    vector<uint, 8> v = 1;
    cm_svm_block_write(where, v);
  }
  cm_barrier();
}
extern "C" _GENX_MAIN_ void large(SurfaceIndex out, uint n) {   // with more variables than a small stack has room for
  uint table[25000];
  for (uint i = 0; i < n; i++)
    table[i * 7 % 25000] = i;
  vector<uint, 8> v = table[n];
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void divide(SurfaceIndex out, float a, float b) {
  vector<float, 8> v = a / b;
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void copy(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 8, 32> m;
  read(in, get_thread_origin_x() * 32, get_thread_origin_y() * 8, m);
  write(out, get_thread_origin_x() * 32, get_thread_origin_y() * 8, m);
}
)";

/// Looks again and again until it is so; false when that has not come in minutes, however busy the machine is.
template <class Condition> bool comes(Condition condition) {
  using namespace std::chrono_literals;
  for (const auto end = std::chrono::steady_clock::now() + 5min; !condition(); std::this_thread::sleep_for(1ms))
    if (std::chrono::steady_clock::now() > end)
      return false;
  return true;
}

/// What holds the kernels `held` and `late`, and how far they are.
struct Gate {
  alignas(32) std::atomic<std::uint32_t> is[8] = {};
  alignas(32) std::atomic<std::uint32_t> seen[8] = {};
  void open() { is[0] = 1; }
  bool reached() const { return seen[0] != 0; }
  std::uint64_t place() const { return reinterpret_cast<std::uint64_t>(is); }
  std::uint64_t rounds() const { return reinterpret_cast<std::uint64_t>(seen); }
};

class Ends : public HostApi {
protected:
  void SetUp() override {
    HostApi::SetUp();
    static const std::vector<std::uint8_t> file = compiled("ends.cpp", endsSource);
    ends = load(file);
  }
  CmThreadSpace *space(UINT width, UINT height) {
    CmThreadSpace *s = nullptr;
    EXPECT_EQ(device->CreateThreadSpace(width, height, s), CM_SUCCESS);
    return s;
  }
  template <class... T> CmKernel *with(const char *name, const T &...arguments) {
    CmKernel *k = kernel(ends, name);
    UINT i = 0;
    auto set = [&](auto &argument) { EXPECT_EQ(k->SetKernelArg(i++, sizeof(argument), &argument), CM_SUCCESS); };
    (set(arguments), ...);
    return k;
  }
  CmEvent *launch(CmKernel *k, UINT width = 1) {
    CmEvent *e = nullptr;
    CmThreadSpace *s = space(width, 1);
    CmTask *t = task(k);
    EXPECT_EQ(queue->Enqueue(t, e, s), CM_SUCCESS) << PocmLastError();
    device->DestroyTask(t);
    device->DestroyThreadSpace(s);
    return e;
  }
  /// The failed task is failed wherever one asks, and the queue goes on.
  void expectFailed(CmEvent *e, const char *words) {
    EXPECT_REFUSED(e->WaitForTaskFinished(), CM_TASK_MEDIA_RESET, words);
    CM_STATUS status = CM_STATUS_QUEUED;
    EXPECT_EQ(e->GetStatus(status), CM_SUCCESS);
    EXPECT_EQ(status, CM_STATUS_RESET);
    UINT64 time = 0;
    EXPECT_REFUSED(e->GetExecutionTime(time), CM_TASK_MEDIA_RESET, words);
    CmBuffer *b = buffer(32);
    std::uint32_t values[8] = {};
    EXPECT_REFUSED(b->ReadSurface(reinterpret_cast<unsigned char *>(values), e), CM_TASK_MEDIA_RESET, words);
    EXPECT_EQ(launch(with("count", *index(b), 3u))->WaitForTaskFinished(), CM_SUCCESS);
    EXPECT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr), CM_SUCCESS);
    EXPECT_EQ(values[0], 3u);
  }
  static constexpr std::uint32_t endless = ~0u; // at about a nanosecond each, seconds
  static constexpr std::uint32_t rounds = 50'000'000;
  CmProgram *ends = nullptr;
};

} // namespace test
