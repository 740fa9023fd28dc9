// The host API as programs use and misuse it: return codes, out arguments, lifetimes.
#include "HostApi.h"
#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace {

using namespace test;

constexpr const char *groupSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void groups(SurfaceIndex out) {
  cm_slm_init(1024);
  vector<uint, 1> me = cm_linear_local_id(), value = cm_linear_group_id() * 100 + cm_linear_local_id();
  cm_slm_write(0, me, value);
  cm_barrier();
  cm_slm_read(0, cm_linear_local_size() - 1 - me, value);
  write(out, cm_linear_global_id(), value(0));
  if (cm_linear_global_id() == 0)
    printf("groups %u of %u\n", cm_linear_group_count(), cm_linear_local_size());
}
extern "C" _GENX_MAIN_ void stuck() {
  if (cm_linear_local_id() == 0)
    cm_barrier();
}
)";

// PRG-03: values of specialisation constants in the options of LoadProgram.
TEST_F(HostApi, specializationConstants) {
  std::vector<std::uint8_t> file = compiled("constants.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void k(SurfaceIndex out) {
  vector<int, 4> v = cm_spec_constant<int, 7, 5>();
  write(out, 0, v);
}
)");
  CmProgram *p = nullptr;
  auto value = [&](const char *options) {
    EXPECT_EQ(device->LoadProgram(file.data(), UINT(file.size()), p, options), CM_SUCCESS);
    CmKernel *k = kernel(p, "k");
    CmBuffer *out = nullptr;
    EXPECT_EQ(device->CreateBuffer(16, out), CM_SUCCESS);
    SurfaceIndex *i = nullptr;
    EXPECT_EQ(out->GetIndex(i), CM_SUCCESS);
    EXPECT_EQ(k->SetKernelArg(0, sizeof(*i), i), CM_SUCCESS);
    CmEvent *event = CM_NO_EVENT;
    EXPECT_EQ(queue->Enqueue(task(k), event), CM_SUCCESS);
    int values[4] = {};
    EXPECT_EQ(out->ReadSurface(reinterpret_cast<unsigned char *>(values), nullptr), CM_SUCCESS);
    return values[3];
  };
  EXPECT_EQ(value(nullptr), 5);
  EXPECT_EQ(value("nojitter -spec-constant=7=-12 -nocompaction"), -12);
  EXPECT_EQ(value("-spec-constant=7=1 -spec-constant=7=0x11"), 17);
  EXPECT_REFUSED(device->LoadProgram(file.data(), UINT(file.size()), p, "-spec-constant=8=1"), CM_INVALID_ARG_VALUE,
                 "no specialisation constant 8; it has 7");
  EXPECT_REFUSED(device->LoadProgram(file.data(), UINT(file.size()), p, "-spec-constant=7"), CM_INVALID_ARG_VALUE,
                 "'-spec-constant=7' is not -spec-constant=ID=VALUE");
  EXPECT_REFUSED(device->LoadProgram(file.data(), UINT(file.size()), p, "-spec-constant=7=many"), CM_INVALID_ARG_VALUE,
                 "'many' is not an integer of 32 bits");
}

// Programs from source, and what is in them.
TEST_F(HostApi, sourceAndReflection) {
  constexpr const char *text = R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void first(SurfaceIndex out) {
  vector<int, 4> v = VALUE;
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void second(vector<SurfaceIndex, 3> surfaces, matrix<short, 2, 3> m, SamplerIndex sampler, double d) {}
)";
  CmProgram *p = nullptr;
  ASSERT_EQ(PocmLoadProgramSource(device, "text.cpp", text, " -DVALUE=6*7  -O1", &p), CM_SUCCESS) << PocmLastError();
  UINT count = 0, arguments = 0;
  const char *name = nullptr;
  ASSERT_EQ(PocmGetKernelCount(device, p, &count), CM_SUCCESS);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(PocmGetKernelInfo(device, p, 1, &name, &arguments), CM_SUCCESS);
  EXPECT_STREQ(name, "second");
  ASSERT_EQ(arguments, 4u);
  struct {
    PocmArgumentKind kind;
    UINT count, size;
  } want[] = {{POCM_ARGUMENT_SURFACE, 3, 48},
              {POCM_ARGUMENT_VALUE, 6, 12},
              {POCM_ARGUMENT_SAMPLER, 1, 16},
              {POCM_ARGUMENT_VALUE, 1, 8}};
  for (UINT i = 0; i < 4; ++i) {
    PocmArgumentInfo info{};
    ASSERT_EQ(PocmGetArgumentInfo(device, p, 1, i, &info), CM_SUCCESS);
    EXPECT_EQ(info.kind, want[i].kind) << i;
    EXPECT_EQ(info.count, want[i].count) << i;
    EXPECT_EQ(info.setSize, want[i].size) << i;
    if (i == 1) {
      EXPECT_STREQ(info.element, "short");
    }
  }
  CmKernel *k = kernel(p, "first");
  CmBuffer *out = buffer(16);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(out));
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  int got[4];
  out->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
  EXPECT_EQ(got[3], 42);

  CmProgram *bad = p;
  EXPECT_REFUSED(PocmLoadProgramSource(device, "text.cpp", text, nullptr, &bad), CM_JIT_COMPILE_FAILURE,
                 "text.cpp:3:22: error: use of undeclared identifier 'VALUE'");
  EXPECT_EQ(bad, nullptr);
  EXPECT_REFUSED(PocmLoadProgramSource(device, "text.cpp", text, "-O9", &bad), CM_JIT_COMPILE_FAILURE, "'-O9'");
  EXPECT_REFUSED(PocmLoadProgramSource(device, "text.cpp", text, "-march=none", &bad), CM_JIT_COMPILE_FAILURE,
                 "unknown target");
  EXPECT_REFUSED(PocmLoadProgramSource(nullptr, "text.cpp", text, nullptr, &bad), CM_NULL_POINTER, "device");
  EXPECT_REFUSED(PocmLoadProgramSource(device, "text.cpp", nullptr, nullptr, &bad), CM_NULL_POINTER, "null");
  PocmArgumentInfo info;
  EXPECT_REFUSED(PocmGetKernelCount(device, nullptr, &count), CM_INVALID_ARG_VALUE, "program");
  EXPECT_REFUSED(PocmGetKernelInfo(device, p, 2, &name, &arguments), CM_INVALID_ARG_INDEX, "no kernel 2");
  EXPECT_REFUSED(PocmGetArgumentInfo(device, p, 1, 4, &info), CM_INVALID_ARG_INDEX, "no argument 4");
  EXPECT_REFUSED(PocmGetArgumentInfo(device, p, 1, 0, nullptr), CM_NULL_POINTER, "null");
}

/// Applications pass the constant itself where a pointer to a SurfaceIndex is expected.
TEST_F(HostApi, aKernelTakesTheNullSurface) {
  CmKernel *k = kernel("add");
  CmSurface2D *in = surface(4, 4);
  int value = 1;
  ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(in)), CM_SUCCESS);
  ASSERT_EQ(k->SetKernelArg(1, sizeof(SurfaceIndex), reinterpret_cast<const void *>(std::uintptr_t(0xFFFF))),
            CM_SUCCESS);
  ASSERT_EQ(k->SetKernelArg(2, sizeof(value), &value), CM_SUCCESS);
  ASSERT_EQ(k->SetThreadCount(16), CM_SUCCESS);
  CmThreadSpace *space = nullptr;
  ASSERT_EQ(device->CreateThreadSpace(4, 4, space), CM_SUCCESS);
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, space), CM_SUCCESS); // what is written there goes nowhere
  EXPECT_EQ(event->WaitForTaskFinished(), CM_SUCCESS);
}

// As many threads as CM lets have arguments of their own, and one more.
TEST_F(HostApi, argumentsOfTheMostThreads) {
  constexpr UINT most = 262144;
  CmKernel *k = kernel("add");
  const int value = 1;
  ASSERT_EQ(k->SetThreadCount(most), CM_SUCCESS);
  EXPECT_EQ(k->SetThreadArg(most - 1, 2, sizeof(value), &value), CM_SUCCESS);
  EXPECT_EQ(k->SetThreadArg(most, 2, sizeof(value), &value), CM_INVALID_THREAD_INDEX);
  // One call costs the same however many threads there are; a thread that is set again stands for no other.
  CmSurface2D *image = surface(4, 4);
  for (UINT i : {0u, 1u})
    ASSERT_EQ(k->SetKernelArg(i, sizeof(SurfaceIndex), index(image)), CM_SUCCESS);
  for (UINT i = most - 1; i > 0; --i)
    ASSERT_EQ(k->SetThreadArg(i, 2, sizeof(value), &value), CM_SUCCESS);
  for (int again = 0; again < 2; ++again)
    ASSERT_EQ(k->SetThreadArg(1, 2, sizeof(value), &value), CM_SUCCESS);
  CmEvent *event = CM_NO_EVENT;
  EXPECT_REFUSED(queue->Enqueue(task(k), event, nullptr), CM_KERNEL_ARG_SETTING_FAILED, "1 of the 3 arguments");
  for (UINT i = 0; i < most; ++i)
    ASSERT_EQ(k->SetThreadArg(i, 2, sizeof(value), &value), CM_SUCCESS);
  EXPECT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS) << PocmLastError();
  // A space that has more threads than were set.
  CmThreadSpace *wider = nullptr;
  CmKernel *few = kernel("add");
  for (UINT i : {0u, 1u})
    ASSERT_EQ(few->SetKernelArg(i, sizeof(SurfaceIndex), index(image)), CM_SUCCESS);
  ASSERT_EQ(few->SetThreadCount(2), CM_SUCCESS);
  for (UINT i : {0u, 1u})
    ASSERT_EQ(few->SetThreadArg(i, 2, sizeof(value), &value), CM_SUCCESS);
  ASSERT_EQ(device->CreateThreadSpace(4, 1, wider), CM_SUCCESS);
  ASSERT_EQ(few->AssociateThreadSpace(wider), CM_SUCCESS);
  ASSERT_EQ(few->SetThreadArg(3, 2, sizeof(value), &value), CM_SUCCESS);
  event = CM_NO_EVENT;
  EXPECT_REFUSED(queue->Enqueue(task(few), event, nullptr), CM_INVALID_ARG_VALUE, "set for 3 threads");
  CmKernel *larger = kernel("add");
  ASSERT_EQ(larger->SetThreadCount(most + 1), CM_SUCCESS);
  EXPECT_REFUSED(larger->SetThreadArg(0, 2, sizeof(value), &value), CM_FAILURE, "has 262145 threads");
}

TEST_F(HostApi, aTutorialProgramRuns) {
  EXPECT_EQ(version, 702u);
  constexpr UINT width = 7, height = 5;
  CmSurface2D *in = surface(width, height), *out = surface(width, height);
  std::vector<std::uint8_t> pixels(width * height * 4), result(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = std::uint8_t(i);
  ASSERT_EQ(in->WriteSurface(pixels.data(), nullptr), CM_SUCCESS);
  CmKernel *k = kernel("add");
  int value = 200;
  ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(in)), CM_SUCCESS);
  ASSERT_EQ(k->SetKernelArg(1, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  ASSERT_EQ(k->SetKernelArg(2, sizeof(value), &value), CM_SUCCESS);
  ASSERT_EQ(k->SetThreadCount(width * height), CM_SUCCESS);
  CmThreadSpace *space = nullptr;
  ASSERT_EQ(device->CreateThreadSpace(width, height, space), CM_SUCCESS);
  CmTask *t = task(k);
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(t, event, space), CM_SUCCESS);
  // As the tutorials do: the task and the space go before the work is done.
  EXPECT_EQ(device->DestroyTask(t), CM_SUCCESS);
  EXPECT_EQ(device->DestroyThreadSpace(space), CM_SUCCESS);
  EXPECT_EQ(t, nullptr);
  EXPECT_EQ(space, nullptr);
  ASSERT_EQ(out->ReadSurface(result.data(), event), CM_SUCCESS);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    ASSERT_EQ(result[i], std::uint8_t(pixels[i] + 200));
  CM_STATUS status = CM_STATUS_QUEUED;
  EXPECT_EQ(event->GetStatus(status), CM_SUCCESS);
  EXPECT_EQ(status, CM_STATUS_FINISHED);
  UINT64 time = 0;
  EXPECT_EQ(event->GetExecutionTime(time), CM_SUCCESS);
  EXPECT_GT(time, 0u);
  EXPECT_EQ(event->WaitForTaskFinished(), CM_SUCCESS);
  EXPECT_EQ(queue->DestroyEvent(event), CM_SUCCESS);
  EXPECT_EQ(event, nullptr);
}

TEST_F(HostApi, threadsWithoutASpaceAreLaidOutInRowsOf2047) {
  constexpr UINT count = 2047 * 2 + 3;
  CmSurface2D *out = surface(2047, 3);
  CmKernel *k = kernel("where");
  ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  ASSERT_EQ(k->SetThreadCount(count), CM_SUCCESS);
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  std::vector<std::uint16_t> result(2047 * 3 * 2);
  ASSERT_EQ(out->ReadSurface(reinterpret_cast<unsigned char *>(result.data()), event), CM_SUCCESS);
  for (UINT i = 0; i < 2047 * 3; ++i) {
    bool ran = i < count;
    ASSERT_EQ(result[i * 2], ran ? i % 2047 : 0) << i;
    ASSERT_EQ(result[i * 2 + 1], ran ? i / 2047 : 0) << i;
  }
}

TEST_F(HostApi, argumentsCountFromTheMomentOfTheEnqueue) {
  CmSurface2D *in = surface(1, 1);
  CmKernel *k = kernel("add");
  std::vector<CmSurface2D *> outs;
  CmEvent *event = nullptr;
  ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(in)), CM_SUCCESS);
  CmTask *t = task(k);
  for (int value = 0; value < 100; ++value) {
    outs.push_back(surface(1, 1));
    ASSERT_EQ(k->SetKernelArg(1, sizeof(SurfaceIndex), index(outs.back())), CM_SUCCESS);
    ASSERT_EQ(k->SetKernelArg(2, sizeof(value), &value), CM_SUCCESS);
    event = CM_NO_EVENT;
    ASSERT_EQ(queue->Enqueue(t, event, nullptr), CM_SUCCESS);
    EXPECT_EQ(event, nullptr);
  }
  for (int value = 0; value < 100; ++value) {
    unsigned char pixel[4];
    ASSERT_EQ(outs[std::size_t(value)]->ReadSurface(pixel, nullptr), CM_SUCCESS);
    EXPECT_EQ(pixel[0], value);
  }
}

TEST_F(HostApi, surfacesDieAfterTheWorkThatUsesThem) {
  CmKernel *k = kernel("where");
  for (int i = 0; i < 50; ++i) {
    CmSurface2D *out = surface(64, 64);
    ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
    ASSERT_EQ(k->SetThreadCount(4000), CM_SUCCESS);
    CmEvent *event = CM_NO_EVENT;
    ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
    EXPECT_EQ(device->DestroySurface(out), CM_SUCCESS);
    EXPECT_EQ(out, nullptr);
  }
}

TEST_F(HostApi, copiesOfASurfaceIndexWork) {
  CmSurface2D *out = surface(1, 1);
  SurfaceIndex copy(*index(out));
  CmKernel *k = kernel("where");
  EXPECT_EQ(k->SetKernelArg(0, sizeof(copy), &copy), CM_SUCCESS);
}

TEST_F(HostApi, threadGroupsMeetAndPrint) {
  CmProgram *own = load(compiled("groups.cpp", groupSource));
  CmKernel *k = kernel(own, "groups");
  ASSERT_NE(k, nullptr);
  CmBuffer *out = nullptr;
  ASSERT_EQ(device->CreateBuffer(4096, out), CM_SUCCESS);
  SurfaceIndex *index = nullptr;
  out->GetIndex(index);
  k->SetKernelArg(0, sizeof(*index), index);
  EXPECT_EQ(device->FlushPrintBuffer(), CM_FAILURE);
  EXPECT_EQ(device->InitPrintBuffer(0), CM_INVALID_ARG_VALUE);
  ASSERT_EQ(device->InitPrintBuffer(65536), CM_SUCCESS);
  CmThreadGroupSpace *space = nullptr, *own2 = nullptr;
  ASSERT_EQ(device->CreateThreadGroupSpace(4, 2, 3, 2, space), CM_SUCCESS);
  ASSERT_EQ(device->CreateThreadGroupSpaceEx(2, 1, 2, 1, 1, 3, own2), CM_SUCCESS);
  CmTask *t = task(k);
  auto run = [&](CmThreadGroupSpace *given, unsigned local, unsigned groups) {
    CmEvent *e = nullptr;
    ASSERT_EQ(queue->EnqueueWithGroup(t, e, given), CM_SUCCESS);
    ASSERT_EQ(e->WaitForTaskFinished(), CM_SUCCESS);
    std::vector<unsigned> got(local * groups);
    out->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), nullptr, got.size() * 4);
    for (unsigned i = 0; i < got.size(); ++i)
      EXPECT_EQ(got[i], i / local * 100 + local - 1 - i % local) << i;
    queue->DestroyEvent(e);
  };
  run(space, 8, 6);
  ASSERT_EQ(k->AssociateThreadGroupSpace(own2), CM_SUCCESS);
  run(nullptr, 4, 3);
  run(space, 8, 6);
  ASSERT_EQ(k->DeAssociateThreadGroupSpace(own2), CM_SUCCESS);
  EXPECT_EQ(k->DeAssociateThreadGroupSpace(own2), CM_INVALID_ARG_VALUE);
  run(nullptr, 1, 1);
  std::string path = testing::TempDir() + "pocm-print-" + std::to_string(getpid());
  std::remove(path.c_str());
  ASSERT_EQ(device->FlushPrintBufferIntoFile(path.c_str()), CM_SUCCESS);
  std::ifstream printed(path);
  std::string text((std::istreambuf_iterator<char>(printed)), {});
  EXPECT_EQ(text, "groups 6 of 8\ngroups 3 of 4\ngroups 6 of 8\ngroups 1 of 1\n");
  std::remove(path.c_str());
  EXPECT_EQ(device->FlushPrintBufferIntoFile(nullptr), CM_NULL_POINTER);
  EXPECT_EQ(device->FlushPrintBufferIntoFile("/no/such/folder/file"), CM_FAILURE);

  CmThreadGroupSpace *bad = nullptr;
  EXPECT_EQ(device->CreateThreadGroupSpace(65, 1, 1, 1, bad), CM_INVALID_THREAD_GROUP_SPACE);
  EXPECT_EQ(device->CreateThreadGroupSpace(1, 0, 1, 1, bad), CM_INVALID_THREAD_GROUP_SPACE);
  EXPECT_EQ(device->CreateThreadGroupSpace(64, 64, 1, 1, bad), CM_INVALID_THREAD_GROUP_SPACE);
  EXPECT_EQ(k->AssociateThreadGroupSpace(bad), CM_INVALID_ARG_VALUE);
  CmThreadSpace *flat = nullptr;
  device->CreateThreadSpace(2, 2, flat);
  k->AssociateThreadSpace(flat);
  EXPECT_EQ(k->AssociateThreadGroupSpace(space), CM_INVALID_KERNEL_THREADGROUPSPACE);
  CmEvent *e = nullptr;
  EXPECT_EQ(queue->EnqueueWithGroup(nullptr, e, space), CM_INVALID_ARG_VALUE);
  EXPECT_EQ(device->DestroyThreadGroupSpace(space), CM_SUCCESS);
  EXPECT_EQ(space, nullptr);
  EXPECT_EQ(device->DestroyThreadGroupSpace(space), CM_FAILURE);

  CmKernel *stuck = nullptr;
  ASSERT_EQ(device->CreateKernel(own, "stuck", stuck), CM_SUCCESS);
  CmTask *hopeless = task(stuck);
  ASSERT_EQ(queue->EnqueueWithGroup(hopeless, e, own2), CM_SUCCESS);
  EXPECT_EQ(e->WaitForTaskFinished(), CM_TASK_MEDIA_RESET);
  EXPECT_NE(std::string(PocmLastError()).find("kernel 'stuck': 1 of the 4 threads of group"), std::string::npos)
      << PocmLastError();
}

TEST_F(HostApi, theApplicationsMemoryIsTheSurface) {
  constexpr const char *text = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void shared(SurfaceIndex lent, SurfaceIndex own, svmptr_t address) {
  vector<uint, 8> v, w;
  read(lent, 0, v);
  write(lent, 32, v + 1);
  read(own, 0, w);
  cm_svm_block_write(address + 32, v + w);
})";
  CmProgram *own = load(compiled("shared.cpp", text));
  CmKernel *k = kernel(own, "shared");
  ASSERT_NE(k, nullptr);
  std::unique_ptr<unsigned, decltype(&std::free)> lent(static_cast<unsigned *>(std::aligned_alloc(4096, 4096)),
                                                       std::free);
  CmBufferUP *up = nullptr;
  EXPECT_EQ(device->CreateBufferUP(64, nullptr, up), CM_INVALID_ARG_VALUE);
  EXPECT_EQ(device->CreateBufferUP(64, lent.get() + 1, up), CM_INVALID_ARG_VALUE);
  EXPECT_EQ(device->CreateBufferUP(63, lent.get(), up), CM_INVALID_WIDTH);
  ASSERT_EQ(device->CreateBufferUP(64, lent.get(), up), CM_SUCCESS);
  CmBufferSVM *svm = nullptr;
  void *memory = lent.get() + 1;
  EXPECT_EQ(device->CreateBufferSVM(64, memory, 0, svm), CM_SYSTEM_MEMORY_NOT_4KPAGE_ALIGNED);
  memory = nullptr;
  EXPECT_EQ(device->CreateBufferSVM(0, memory, 0, svm), CM_INVALID_WIDTH);
  ASSERT_EQ(device->CreateBufferSVM(64, memory, 0, svm), CM_SUCCESS);
  void *address = nullptr;
  ASSERT_EQ(svm->GetAddress(address), CM_SUCCESS);
  EXPECT_EQ(address, memory);
  auto *numbers = static_cast<unsigned *>(memory);
  for (unsigned i = 0; i < 8; ++i) {
    lent.get()[i] = 10 * i;
    numbers[i] = 1000 + i;
  }
  SurfaceIndex *index = nullptr;
  up->GetIndex(index);
  k->SetKernelArg(0, sizeof(*index), index);
  svm->GetIndex(index);
  k->SetKernelArg(1, sizeof(*index), index);
  ASSERT_EQ(k->SetKernelArg(2, sizeof(address), &address), CM_SUCCESS);
  CmEvent *e = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), e), CM_SUCCESS);
  ASSERT_EQ(e->WaitForTaskFinished(), CM_SUCCESS);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(lent.get()[8 + i], 10 * i + 1);
    EXPECT_EQ(numbers[8 + i], 1000 + 11 * i);
  }
  EXPECT_EQ(device->DestroyBufferUP(up), CM_SUCCESS);
  EXPECT_EQ(device->DestroyBufferUP(up), CM_NULL_POINTER);
  EXPECT_EQ(device->DestroyBufferSVM(svm), CM_SUCCESS);
  EXPECT_EQ(device->DestroyBufferSVM(svm), CM_NULL_POINTER);
}

TEST_F(HostApi, samplers) {
  constexpr const char *text = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void sampled(SurfaceIndex in, SamplerIndex s, SurfaceIndex out) {
  vector<float, 16> u = 0.5f, v = 0.25f;
  matrix<float, 1, 16> m;
  sample16(m, CM_R_ENABLE, in, s, u, v);
  vector<uint, 8> r = m.select<1, 1, 8, 1>(0, 0) * 255.0f + 0.5f;
  write(out, 0, r);
})";
  CmProgram *own = load(compiled("sampler.cpp", text));
  CmKernel *k = kernel(own, "sampled");
  ASSERT_NE(k, nullptr);
  CmSurface2D *in = surface(2, 2);
  unsigned char pixels[16] = {0, 0, 100, 0, 0, 0, 200, 0, 0, 0, 10, 0, 0, 0, 20, 0};
  ASSERT_EQ(in->WriteSurface(pixels, nullptr), CM_SUCCESS);
  CmBuffer *out = nullptr;
  ASSERT_EQ(device->CreateBuffer(32, out), CM_SUCCESS);
  SurfaceIndex *index = nullptr;
  in->GetIndex(index);
  k->SetKernelArg(0, sizeof(*index), index);
  out->GetIndex(index);
  k->SetKernelArg(2, sizeof(*index), index);
  EXPECT_EQ(k->SetKernelArg(1, 4, index), CM_INVALID_ARG_SIZE);
  SamplerIndex none(99);
  EXPECT_EQ(k->SetKernelArg(1, sizeof(none), &none), CM_FAILURE);
  CM_SAMPLER_STATE state{CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_ADDRESS_CLAMP,
                         CM_TEXTURE_ADDRESS_CLAMP, CM_TEXTURE_ADDRESS_CLAMP};
  for (auto [filter, want] : {std::pair{CM_TEXTURE_FILTER_TYPE_POINT, 200u}, {CM_TEXTURE_FILTER_TYPE_LINEAR, 150u}}) {
    state.minFilterType = state.magFilterType = filter;
    CmSampler *sampler = nullptr;
    ASSERT_EQ(device->CreateSampler(state, sampler), CM_SUCCESS);
    SamplerIndex *handle = nullptr;
    ASSERT_EQ(sampler->GetIndex(handle), CM_SUCCESS);
    ASSERT_EQ(k->SetKernelArg(1, sizeof(*handle), handle), CM_SUCCESS);
    CmEvent *e = nullptr;
    CmTask *t = task(k);
    ASSERT_EQ(queue->Enqueue(t, e), CM_SUCCESS);
    ASSERT_EQ(e->WaitForTaskFinished(), CM_SUCCESS);
    unsigned got[8];
    out->ReadSurface(reinterpret_cast<unsigned char *>(got), nullptr, 32);
    EXPECT_EQ(got[3], want);
    EXPECT_EQ(device->DestroySampler(sampler), CM_SUCCESS);
    EXPECT_EQ(sampler, nullptr);
    EXPECT_EQ(device->DestroySampler(sampler), CM_FAILURE);
  }
  CmSampler *sampler = nullptr;
  state.addressU = CM_TEXTURE_ADDRESS_TYPE(77);
  EXPECT_EQ(device->CreateSampler(state, sampler), CM_EXCEED_SAMPLER_AMOUNT);
  state.addressU = CM_TEXTURE_ADDRESS_WRAP;
  std::vector<CmSampler *> many(512);
  for (CmSampler *&one : many)
    EXPECT_EQ(device->CreateSampler(state, one), CM_SUCCESS);
  EXPECT_EQ(device->CreateSampler(state, sampler), CM_EXCEED_SAMPLER_AMOUNT);
}

TEST_F(HostApi, misuseOfSurfaces) {
  CmSurface2D *s = nullptr;
  EXPECT_REFUSED(device->CreateSurface2D(0, 1, CM_SURFACE_FORMAT_A8, s), CM_INVALID_WIDTH, "not 0");
  EXPECT_REFUSED(device->CreateSurface2D(1, 16385, CM_SURFACE_FORMAT_A8, s), CM_INVALID_HEIGHT, "16385");
  EXPECT_REFUSED(device->CreateSurface2D(1, 1, CM_SURFACE_FORMAT_UNKNOWN, s), CM_SURFACE_FORMAT_NOT_SUPPORTED,
                 "format");
  EXPECT_REFUSED(device->CreateSurface2D(3, 1, CM_SURFACE_FORMAT_YUY2, s), CM_INVALID_WIDTH, "even");
  EXPECT_EQ(s, nullptr);
  EXPECT_REFUSED(device->DestroySurface(s), CM_NULL_POINTER, "null");
  s = surface(2, 2);
  EXPECT_REFUSED(s->ReadSurface(nullptr, nullptr), CM_INVALID_ARG_VALUE, "null");
  unsigned char bytes[64];
  EXPECT_REFUSED(s->WriteSurfaceStride(bytes, nullptr, 7), CM_INVALID_ARG_VALUE, "stride of 7 bytes");
  CmSurface2D *copy = s;
  EXPECT_EQ(device->DestroySurface(s), CM_SUCCESS);
  EXPECT_REFUSED(device->DestroySurface(copy), CM_FAILURE, "destroyed already");
  CmBuffer *b = nullptr;
  EXPECT_REFUSED(device->CreateBuffer(0, b), CM_INVALID_WIDTH, "not 0");
  EXPECT_REFUSED(device->CreateBuffer(0x80000001u, b), CM_INVALID_WIDTH, "2147483649");
  ASSERT_EQ(device->CreateBuffer(8, b), CM_SUCCESS);
  ASSERT_EQ(b->InitSurface(0x01020304, nullptr), CM_SUCCESS);
  ASSERT_EQ(b->ReadSurface(bytes, nullptr), CM_SUCCESS);
  EXPECT_EQ(bytes[4], 4);
  EXPECT_REFUSED(b->WriteSurface(nullptr, nullptr), CM_NULL_POINTER, "null");
}

TEST_F(HostApi, misuseOfProgramsAndKernels) {
  CmProgram *p = nullptr;
  unsigned char intel[] = "CISA\3\6";
  EXPECT_REFUSED(device->LoadProgram(nullptr, 5, p), CM_INVALID_COMMON_ISA, "null");
  EXPECT_REFUSED(device->LoadProgram(intel, sizeof(intel), p), CM_INVALID_COMMON_ISA, "Intel's CM compiler");
  auto file = image();
  file.resize(file.size() / 2);
  EXPECT_REFUSED(device->LoadProgram(file.data(), UINT(file.size()), p), CM_INVALID_COMMON_ISA, "damaged");
  EXPECT_EQ(p, nullptr);
  CmKernel *k = nullptr;
  EXPECT_REFUSED(device->CreateKernel(nullptr, "add", k), CM_INVALID_ARG_VALUE, "program is null");
  EXPECT_REFUSED(device->CreateKernel(program, static_cast<const char *>(nullptr), k), CM_NULL_POINTER, "name is null");
  EXPECT_REFUSED(device->CreateKernel(program, "sub", k), CM_FAILURE, "it has: add, where");
  k = kernel("add");
  int value = 1;
  EXPECT_REFUSED(k->SetKernelArg(3, 4, &value), CM_INVALID_ARG_INDEX, "has 3 parameters; there is no argument 3");
  EXPECT_REFUSED(k->SetKernelArg(2, 4, nullptr), CM_INVALID_ARG_VALUE, "null");
  EXPECT_REFUSED(k->SetKernelArg(2, 2, &value), CM_INVALID_ARG_SIZE, "takes 4 bytes, not 2");
  EXPECT_REFUSED(k->SetKernelArg(0, 4, &value), CM_INVALID_ARG_SIZE, "SurfaceIndex");
  SurfaceIndex nobody(1500u);
  EXPECT_REFUSED(k->SetKernelArg(0, sizeof(nobody), &nobody), CM_FAILURE, "no surface with index 1500");
  EXPECT_REFUSED(k->SetThreadCount(0), CM_INVALID_ARG_VALUE, "0 threads");
  CmThreadSpace *none = nullptr;
  EXPECT_REFUSED(k->AssociateThreadSpace(none), CM_INVALID_ARG_VALUE, "null");
  EXPECT_REFUSED(device->CreateThreadSpace(0, 4, none), CM_INVALID_THREAD_SPACE, "0x4");
}

TEST_F(HostApi, misuseOfTasksAndEvents) {
  CmKernel *k = kernel("add");
  CmTask *t = nullptr;
  CmEvent *event = nullptr;
  ASSERT_EQ(device->CreateTask(t), CM_SUCCESS);
  EXPECT_REFUSED(queue->Enqueue(nullptr, event, nullptr), CM_INVALID_ARG_VALUE, "task is null");
  EXPECT_REFUSED(queue->Enqueue(t, event, nullptr), CM_FAILURE, "no kernel");
  EXPECT_REFUSED(t->AddKernel(nullptr), CM_INVALID_ARG_VALUE, "null");
  ASSERT_EQ(t->AddKernel(k), CM_SUCCESS);
  EXPECT_REFUSED(queue->Enqueue(t, event, nullptr), CM_NOT_SET_KERNEL_ARGUMENT, "3 of the 3");
  int value = 1;
  ASSERT_EQ(k->SetKernelArg(2, 4, &value), CM_SUCCESS);
  EXPECT_REFUSED(queue->Enqueue(t, event, nullptr), CM_KERNEL_ARG_SETTING_FAILED, "2 of the 3");
  for (int i = 1; i < 16; ++i)
    ASSERT_EQ(t->AddKernel(k), CM_SUCCESS);
  EXPECT_REFUSED(t->AddKernel(k), CM_EXCEED_MAX_KERNEL_PER_ENQUEUE, "16");
  EXPECT_REFUSED(queue->DestroyEvent(event), CM_FAILURE, "null");
  EXPECT_REFUSED(queue->DestroyEventFast(event), CM_INVALID_ARG_VALUE, "null");
}

TEST_F(HostApi, aDifferentThreadCountForgetsTheArguments) {
  CmKernel *k = kernel("where");
  CmSurface2D *out = surface(8, 1);
  ASSERT_EQ(k->SetThreadCount(4), CM_SUCCESS);
  ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  ASSERT_EQ(k->SetThreadCount(4), CM_SUCCESS);
  CmEvent *event = nullptr;
  EXPECT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  ASSERT_EQ(k->SetThreadCount(5), CM_SUCCESS);
  EXPECT_EQ(queue->Enqueue(task(k), event, nullptr), CM_NOT_SET_KERNEL_ARGUMENT);
}

TEST(HostApiFunctions, devicesAdaptersNamesAndClock) {
  CmDevice *none = nullptr;
  UINT version = 0;
  EXPECT_EQ(DestroyCmDevice(none), CM_FAILURE);
  EXPECT_EQ(CreateCmDeviceFromAdapter(none, version, 3), CM_NO_SUPPORTED_ADAPTER);
  uint32_t count = 0;
  EXPECT_EQ(GetCmSupportedAdapters(count), CM_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(CMRT_Enqueue(nullptr, nullptr, nullptr), CM_NULL_POINTER);
  EXPECT_STREQ(GetCmErrorString(0), "CM_SUCCESS");
  EXPECT_STREQ(GetCmErrorString(-1), "CM_FAILURE");
  EXPECT_STREQ(GetCmErrorString(-57), "CM_DEVICE_INVALID_VIDEO_DEVICE");
  EXPECT_STREQ(GetCmErrorString(-105), "CM_LOAD_LIBRARY_FAILED");
  EXPECT_STREQ(GetCmErrorString(-106), "Internal Error");
  EXPECT_STREQ(GetCmErrorString(5), "Internal Error");
  for (int code = -20000; code < 20000; ++code)
    ASSERT_NE(GetCmErrorString(code), nullptr) << code;
  for (int code : {INT32_MIN, INT32_MAX})
    EXPECT_NE(GetCmErrorString(code), nullptr) << code;
}

TEST(HostApiFunctions, severalDevicesAreIndependent) {
  CmDevice *a = nullptr, *b = nullptr;
  UINT version = 0;
  ASSERT_EQ(CreateCmDevice(a, version), CM_SUCCESS);
  ASSERT_EQ(CreateCmDevice(b, version), CM_SUCCESS);
  EXPECT_NE(a, b);
  EXPECT_EQ(DestroyCmDevice(a), CM_SUCCESS);
  CmQueue *queue = nullptr;
  EXPECT_EQ(b->CreateQueue(queue), CM_SUCCESS);
  CmQueue *again = nullptr;
  EXPECT_EQ(b->CreateQueue(again), CM_SUCCESS);
  EXPECT_EQ(queue, again);
  EXPECT_EQ(DestroyCmDevice(b), CM_SUCCESS);
}

} // namespace
