// Refusals of the host API that no other test of it meets: a row for each, the call, its code and what the message
// names. scripts/refusal-coverage tells when one is missing.
#include "HostApi.h"
#include "Kernels.h"
#include <functional>

extern "C" INT CMRT_CreateBuffer(CmDevice *device, UINT size, CmBuffer *&surface);

namespace {

using namespace test;

class Refusals : public HostApi {
protected:
  struct Row {
    INT code;
    const char *words;
    std::function<INT()> call;
  };
  static void check(const std::vector<Row> &rows) {
    for (const Row &row : rows)
      EXPECT_REFUSED(row.call(), row.code, row.words);
  }
  CmThreadSpace *space(UINT width, UINT height) {
    CmThreadSpace *s = nullptr;
    EXPECT_EQ(device->CreateThreadSpace(width, height, s), CM_SUCCESS);
    return s;
  }
  CmEvent *event = nullptr;
};

TEST_F(Refusals, surfacesAndPrograms) {
  CmSurface2D *image = nullptr;
  CmSurface3D *volume = nullptr;
  SurfaceIndex *view = nullptr;
  CmProgram *loaded = nullptr;
  CmKernel *made = nullptr;
  CmBuffer *b = buffer(64);
  CmSurface2D *s = surface(8, 8);
  ASSERT_EQ(device->CreateSurface3D(2, 2, 2, CM_SURFACE_FORMAT_R32G32B32A32F, volume), CM_SUCCESS);
  std::string longText(600, 'x');
  std::vector<std::uint8_t> file = test::image();
  alignas(CM_FLAG) unsigned char room[sizeof(CM_FLAG)] = {}; // its constructor is in no library
  auto &flag = *reinterpret_cast<CM_FLAG *>(room);
  flag.rotationFlag = CM_ROTATION_90;
  CM_SURFACE2D_STATE_PARAM deep{};
  deep.depth = 2049;
  check({
      {CM_INVALID_HEIGHT, "even height", [&] { return device->CreateSurface2D(8, 7, CM_SURFACE_FORMAT_NV12, image); }},
      {CM_SURFACE_FORMAT_NOT_SUPPORTED, "CreateSamplerSurface3D",
       [&] { return device->CreateSamplerSurface3D(volume, view); }},
      {CM_FAILURE, "CreateSamplerSurface2DUP", [&] { return device->CreateSamplerSurface2DUP(nullptr, view); }},
      {CM_NOT_IMPLEMENTED, "rotation", [&] { return device->CreateSamplerSurface2DEx(s, view, &flag); }},
      {CM_INVALID_ARG_VALUE, "LoadProgram: the options are longer",
       [&] { return device->LoadProgram(file.data(), UINT(file.size()), loaded, longText.c_str()); }},
      {CM_INVALID_ARG_VALUE, "does not belong to this device",
       [&] { return device->CreateKernel(reinterpret_cast<CmProgram *>(b), "add", made, nullptr); }},
      {CM_FAILURE, "name is longer", [&] { return device->CreateKernel(program, longText.c_str(), made, nullptr); }},
      {CM_INVALID_ARG_VALUE, "CreateKernel: the options are longer",
       [&] { return device->CreateKernel(program, "add", made, longText.c_str()); }},
      {CM_NULL_POINTER, "memory to read into", [&] { return b->ReadSurface(nullptr, nullptr); }},
      {CM_INVALID_ARG_VALUE, "2048 slices", [&] { return s->SetSurfaceStateParam(nullptr, &deep); }},
      {CM_FAILURE, "no print buffer", [&] { return device->FlushPrintBufferIntoFile("/dev/null"); }},
      {CM_NULL_POINTER, "SetCaps: the value", [&] { return device->SetCaps(CAP_HW_THREAD_COUNT, 4, nullptr); }},
  });
}

TEST_F(Refusals, whatTheHardwareHas) {
  SurfaceIndex *index8 = nullptr;
  CmSampler8x8 *scaler = nullptr, *there = reinterpret_cast<CmSampler8x8 *>(queue);
  CM_VME_SURFACE_STATE_PARAM motion{};
  CM_SAMPLER_8X8_DESCR descr{};
  SurfaceIndex some(9), *other = &some;
  auto *box = reinterpret_cast<CmVebox *>(queue);
  check({
      {CM_NOT_IMPLEMENTED, "makes no such objects", [&] { return device->DestroyVmeSurfaceG7_5(other); }},
      {CM_NULL_POINTER, "CreateHevcVmeSurfaceG10",
       [&] { return device->CreateHevcVmeSurfaceG10(nullptr, nullptr, nullptr, 0, 0, index8); }},
      {CM_INVALID_ARG_INDEX, "no motion estimation surface",
       [&] { return device->SetVmeSurfaceStateParam(&some, &motion); }},
      {CM_INVALID_ARG_VALUE, "not null on entry", [&] { return device->CreateSampler8x8(descr, there); }},
      {CM_NOT_IMPLEMENTED, "EnqueueVebox: this device has no", [&] { return queue->EnqueueVebox(box, event); }},
  });
  EXPECT_EQ(scaler, nullptr);
}

TEST_F(Refusals, functionsOfTheLibrary) {
  CmDevice *made = nullptr, *gone = reinterpret_cast<CmDevice *>(queue);
  CmBuffer *none = nullptr;
  std::uint32_t number = 0, used = 0;
  char little[4];
  check({
      {CM_NULL_POINTER, "the device or queue is null", [&] { return CMRT_CreateBuffer(nullptr, 4, none); }},
      {CM_NO_SUPPORTED_ADAPTER, "not 1", [&] { return CreateCmDeviceFromAdapter(made, number, 1, 0); }},
      {CM_FAILURE, "destroyed already", [&] { return DestroyCmDevice(gone); }},
      {CM_NO_SUPPORTED_ADAPTER, "not 2", [&] { return QueryCmAdapterInfo(2, VendorId, &number, 4, &used); }},
      {CM_NULL_POINTER, "place for the answer", [&] { return QueryCmAdapterInfo(0, VendorId, nullptr, 4, &used); }},
      {CM_INVALID_ARG_VALUE, "description takes", [&] { return QueryCmAdapterInfo(0, Description, little, 4, &used); }},
      {CM_INVALID_ARG_VALUE, "is not known", [&] { return QueryCmAdapterInfo(0, VendorId, little, 2, &used); }},
  });
}

constexpr const char *text = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void one(SurfaceIndex out, SamplerIndex s, int value) {
  vector<int, 4> v = value;
  for (int i = 0; i < 2000; i++) v = v * 5 + get_thread_origin_x();
  if (v(0) == 12345) write(out, 0, v);
}
extern "C" _GENX_MAIN_ void own(SurfaceIndex out) { vector<int, 4> v = 1; write(out, 0, v); }
)";

TEST_F(Refusals, kernelsAndSpaces) {
  CmProgram *mine = load(compiled("refusals.cpp", text));
  CmKernel *k = kernel(mine, "own"), *sampled = kernel(mine, "one");
  CmThreadGroupSpace *groups = nullptr, *noGroups = nullptr;
  CmThreadSpace *none = nullptr, *little = space(2, 2), *more = space(3, 3);
  ASSERT_EQ(device->CreateThreadGroupSpace(4, 1, 1, 1, groups), CM_SUCCESS);
  CmBuffer *out = buffer(64);
  int number = 1;
  std::uint64_t address = 0;
  check({
      {CM_NULL_POINTER, "DeAssociateThreadSpace: the thread space is null",
       [&] { return k->DeAssociateThreadSpace(none); }},
      {CM_INVALID_ARG_VALUE, "not associated", [&] { return k->DeAssociateThreadSpace(little); }},
      {CM_NULL_POINTER, "DeAssociateThreadGroupSpace", [&] { return k->DeAssociateThreadGroupSpace(noGroups); }},
      {CM_INVALID_ARG_SIZE, "not an address", [&] { return sampled->SetKernelArgPointer(2, sizeof(number), &number); }},
  });
  ASSERT_EQ(sampled->SetThreadCount(2), CM_SUCCESS);
  EXPECT_EQ(address, 0u);
  ASSERT_EQ(sampled->AssociateThreadGroupSpace(groups), CM_SUCCESS);
  check({{CM_INVALID_KERNEL_THREADSPACE, "thread group space already",
          [&] { return sampled->AssociateThreadSpace(little); }}});

  // Arguments for the threads of one space, used in another.
  ASSERT_EQ(k->AssociateThreadSpace(little), CM_SUCCESS);
  for (UINT i = 0; i < 4; ++i)
    ASSERT_EQ(k->SetThreadArg(i, 0, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  ASSERT_EQ(k->AssociateThreadSpace(more), CM_SUCCESS);
  check({{CM_INVALID_ARG_VALUE, "is set for 4 threads, but the kernel has 9",
          [&] { return queue->Enqueue(task(k), event, nullptr); }}});
  // More surfaces than there are binding slots.
  CmKernel *many = kernel(mine, "own");
  constexpr UINT threads = 300;
  ASSERT_EQ(many->SetThreadCount(threads), CM_SUCCESS);
  for (UINT i = 0; i < threads; ++i)
    ASSERT_EQ(many->SetThreadArg(i, 0, sizeof(SurfaceIndex), index(buffer(16))), CM_SUCCESS);
  check({{CM_EXCEED_SURFACE_AMOUNT, "binding slots", [&] { return queue->Enqueue(task(many), event, nullptr); }}});

  CmKernel *plain = kernel(mine, "own");
  plain->SetKernelArg(0, sizeof(SurfaceIndex), index(out));
  CmThreadSpace *huge = space(5000, 5000);
  ASSERT_EQ(huge->SelectMediaWalkingPattern(CM_WALK_VERTICAL), CM_SUCCESS);
  CM_THREAD_PARAM order[4] = {};
  order[2].scoreboardCoordinates.x = -1;
  order[0].scoreboardCoordinates.y = 1;
  CM_THREAD_PARAM twice[4] = {}, outside[4] = {};
  twice[1].scoreboardColor = twice[3].scoreboardColor = 1;
  twice[2].scoreboardCoordinates = outside[1].scoreboardCoordinates = {1, 0};
  outside[0].scoreboardCoordinates = {2, 0};
  check({
      {CM_INVALID_ARG_VALUE, "larger than 65536", [&] { return queue->Enqueue(task(plain), event, space(70000, 1)); }},
      {CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE, "5000x5000", [&] { return queue->Enqueue(task(plain), event, huge); }},
      {CM_INVALID_ARG_VALUE, "entry 2", [&] { return little->SetThreadSpaceOrder(4, order); }},
      {CM_INVALID_ARG_VALUE, "entry 3 is (0, 0), as one before", [&] { return little->SetThreadSpaceOrder(4, twice); }},
      {CM_INVALID_ARG_VALUE, "entry 0 is (2, 0)", [&] { return little->SetThreadSpaceOrder(4, outside); }},
      {CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE, "an order has at most 16777216 threads",
       [&] { return huge->SetThreadSpaceOrder(25'000'000, order); }},
      {CM_INVALID_ARG_VALUE, "the order is null", [&] { return little->SetThreadSpaceOrder(4, nullptr); }},
      {CM_INVALID_ARG_VALUE, "has 3 threads; the space has 4", [&] { return little->SetThreadSpaceOrder(3, order); }},
      {CM_INVALID_ARG_VALUE, "cannot run 4294967295 threads", [&] { return plain->SetThreadCount(UINT(-1)); }},
  });
  ASSERT_EQ(plain->SetThreadCount(2047u * 65536 + 1), CM_SUCCESS);
  plain->SetKernelArg(0, sizeof(SurfaceIndex), index(out));
  check({{CM_INVALID_ARG_VALUE, "more than 65536 rows", [&] { return queue->Enqueue(task(plain), event, nullptr); }}});
}

TEST_F(Refusals, eventsOfWorkThatGoesOn) {
  CmKernel *k = kernel(load(compiled("refusals.cpp", text)), "one");
  CmSampler *sampler = nullptr;
  SamplerIndex *handle = nullptr;
  ASSERT_EQ(device->CreateSampler({CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_ADDRESS_WRAP,
                                   CM_TEXTURE_ADDRESS_WRAP, CM_TEXTURE_ADDRESS_WRAP},
                                  sampler),
            CM_SUCCESS);
  sampler->GetIndex(handle);
  int value = 3;
  CmBuffer *out = buffer(64);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(out));
  k->SetKernelArg(1, sizeof(SamplerIndex), handle);
  k->SetKernelArg(2, sizeof(value), &value);
  ASSERT_EQ(queue->Enqueue(task(k), event, space(700, 700)), CM_SUCCESS); // the better part of a second
  UINT64 time = 0;
  LARGE_INTEGER moment;
  const char *name = nullptr;
  check({
      {CM_FAILURE, "GetExecutionTime: the task has not finished", [&] { return event->GetExecutionTime(time); }},
      {CM_FAILURE, "GetProfilingInfo: the task has not finished",
       [&] { return event->GetProfilingInfo(CM_EVENT_PROFILING_HWSTART, sizeof(moment), nullptr, &moment); }},
      {CM_EXCEED_MAX_TIMEOUT, "after 1 ms", [&] { return event->WaitForTaskFinished(1); }},
      {CM_NULL_POINTER, "number of the kernel",
       [&] { return event->GetProfilingInfo(CM_EVENT_PROFILING_KERNELNAMES, sizeof(name), nullptr, &name); }},
  });
  EXPECT_EQ(event->WaitForTaskFinished(600000), CM_SUCCESS); // however busy the machine is
}

TEST_F(Refusals, aFullTableOfSurfaces) {
  constexpr int count = 1602;
  void *page = std::aligned_alloc(4096, 4096), *none = nullptr;
  CmSurface2D *s = surface(4, 4);
  CmBuffer *b = nullptr;
  for (int i = 1; i < count; ++i)
    ASSERT_EQ(device->CreateBuffer(4, b), CM_SUCCESS) << i;
  CmBufferUP *user = nullptr;
  CmBufferSVM *shared = nullptr;
  CmSurface2D *image = nullptr;
  CmSurface2DUP *userImage = nullptr;
  CmSurface3D *volume = nullptr;
  SurfaceIndex *view = nullptr;
  CmBuffer *more = nullptr;
  check({
      {CM_EXCEED_SURFACE_AMOUNT, "CreateBuffer: the surface table", [&] { return device->CreateBuffer(4, more); }},
      {CM_EXCEED_SURFACE_AMOUNT, "CreateBufferUP", [&] { return device->CreateBufferUP(4, page, user); }},
      {CM_EXCEED_SURFACE_AMOUNT, "CreateBufferSVM", [&] { return device->CreateBufferSVM(4, none, 0, shared); }},
      {CM_EXCEED_SURFACE_AMOUNT,
       "CreateSurface2D:", [&] { return device->CreateSurface2D(4, 4, CM_SURFACE_FORMAT_A8R8G8B8, image); }},
      {CM_EXCEED_SURFACE_AMOUNT, "CreateSurface2DUP",
       [&] { return device->CreateSurface2DUP(4, 4, CM_SURFACE_FORMAT_A8R8G8B8, page, userImage); }},
      {CM_EXCEED_SURFACE_AMOUNT, "CreateSurface3D",
       [&] { return device->CreateSurface3D(4, 4, 4, CM_SURFACE_FORMAT_A8R8G8B8, volume); }},
      {CM_EXCEED_SURFACE_AMOUNT, "CreateSamplerSurface2D", [&] { return device->CreateSamplerSurface2D(s, view); }},
  });
  // One goes, one comes.
  ASSERT_EQ(device->DestroySurface(b), CM_SUCCESS);
  EXPECT_EQ(device->CreateBuffer(4, b), CM_SUCCESS);
  std::free(page);
}

} // namespace
