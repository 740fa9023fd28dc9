// Objects that are gone or of another device, and more of something than there may be.
#include "Ends.h"
#include <sys/resource.h>

extern "C" INT CMRT_Enqueue(CmQueue *queue, CmTask *task, CmEvent **event, const CmThreadSpace *space);

namespace {

using namespace test;

class OnCheckDevice : public Ends {
  WithVariable chosen{"CM_RT_DEVICE", "check"};
};

/// On other devices a kernel keeps the memory of its arguments.
TEST_F(OnCheckDevice, destroyedSurfacesAreNoArguments) {
  CmBuffer *b = buffer(64);
  CmKernel *k = with("count", *index(b), 1u);
  EXPECT_EQ(launch(k)->WaitForTaskFinished(), CM_SUCCESS);
  SurfaceIndex gone = *index(b);
  CmKernel *byThread = kernel(ends, "count");
  ASSERT_EQ(byThread->SetThreadCount(1), CM_SUCCESS);
  std::uint32_t once = 1;
  ASSERT_EQ(byThread->SetThreadArg(0, 0, sizeof(gone), &gone), CM_SUCCESS);
  ASSERT_EQ(byThread->SetKernelArg(1, sizeof(once), &once), CM_SUCCESS);
  ASSERT_EQ(device->DestroySurface(b), CM_SUCCESS);
  CmEvent *e = nullptr;
  EXPECT_REFUSED(queue->Enqueue(task(k), e, space(1, 1)), CM_FAILURE,
                 "argument 0 of kernel 'count' is a surface that was destroyed");
  EXPECT_REFUSED(queue->Enqueue(task(byThread), e, nullptr), CM_FAILURE, "an argument is a surface that was destroyed");
  EXPECT_REFUSED(k->SetKernelArg(0, sizeof(gone), &gone), CM_FAILURE, "there is no surface with index");
}

TEST_F(Ends, deadAndForeignObjectsAreRefused) {
  CmDevice *other = nullptr;
  UINT v;
  ASSERT_EQ(CreateCmDevice(other, v), CM_SUCCESS);
  CmBuffer *b = buffer(64), *deadBuffer = buffer(64), *foreignBuffer = nullptr;
  CmSurface2D *s = surface(8, 8), *deadSurface = surface(8, 8), *foreignSurface = nullptr;
  other->CreateBuffer(64, foreignBuffer);
  other->CreateSurface2D(8, 8, CM_SURFACE_FORMAT_A8R8G8B8, foreignSurface);
  CmKernel *k = with("count", *index(b), 1u), *deadKernel = with("count", *index(b), 1u), *clone = nullptr;
  CmTask *t = task(k), *deadTask = task(k), *ofDead = task(deadKernel), *foreignTask = nullptr;
  other->CreateTask(foreignTask);
  CmThreadSpace *sp = space(1, 1), *deadSpace = space(1, 1), *foreignSpace = nullptr;
  other->CreateThreadSpace(1, 1, foreignSpace);
  CmThreadGroupSpace *deadGroups = nullptr;
  device->CreateThreadGroupSpace(1, 1, 1, 1, deadGroups);
  CmEvent *deadEvent = launch(k), *foreignEvent = nullptr;
  CmQueue *foreignQueue = nullptr;
  other->CreateQueue(foreignQueue);
  SurfaceIndex *deadIndex = index(deadBuffer), *alias = nullptr;
  CmSampler *sampler = nullptr;
  SamplerIndex *deadSampler = nullptr;
  ASSERT_EQ(device->CreateSampler({CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_FILTER_TYPE_POINT, CM_TEXTURE_ADDRESS_WRAP,
                                   CM_TEXTURE_ADDRESS_WRAP, CM_TEXTURE_ADDRESS_WRAP},
                                  sampler),
            CM_SUCCESS);
  sampler->GetIndex(deadSampler);
  auto gone = [](auto object, auto destroy) {
    auto copy = object;
    EXPECT_EQ(destroy(copy), CM_SUCCESS);
    return object;
  };
  gone(deadBuffer, [&](auto &o) { return device->DestroySurface(o); });
  gone(deadSurface, [&](auto &o) { return device->DestroySurface(o); });
  gone(deadKernel, [&](auto &o) { return device->DestroyKernel(o); });
  gone(deadTask, [&](auto &o) { return device->DestroyTask(o); });
  gone(deadSpace, [&](auto &o) { return device->DestroyThreadSpace(o); });
  gone(deadGroups, [&](auto &o) { return device->DestroyThreadGroupSpace(o); });
  deadEvent->WaitForTaskFinished();
  gone(deadEvent, [&](auto &o) { return queue->DestroyEvent(o); });
  gone(sampler, [&](auto &o) { return device->DestroySampler(o); });
  alignas(16) unsigned char bytes[256] = {};
  CmEvent *e = nullptr;

  for (CmTask *which : {deadTask, foreignTask}) {
    EXPECT_REFUSED(queue->Enqueue(which, e, sp), CM_INVALID_ARG_VALUE, "the task is null or none of this device");
    EXPECT_REFUSED(queue->EnqueueWithHints(which, e, 0), CM_INVALID_ARG_VALUE, "none of this device");
    EXPECT_REFUSED(CMRT_Enqueue(queue, which, &e, sp), CM_INVALID_ARG_VALUE, "none of this device");
  }
  EXPECT_REFUSED(queue->Enqueue(ofDead, e, sp), CM_INVALID_ARG_VALUE, "kernel 0 of the task is destroyed");
  for (CmThreadSpace *which : {deadSpace, foreignSpace}) {
    CmThreadSpace *copy = which;
    EXPECT_REFUSED(queue->Enqueue(t, e, which), CM_INVALID_THREAD_SPACE, "the thread space is none of this device");
    EXPECT_REFUSED(k->AssociateThreadSpace(copy), CM_INVALID_ARG_VALUE, "is none of this device");
  }
  EXPECT_REFUSED(queue->EnqueueWithGroup(t, e, deadGroups), CM_INVALID_THREAD_GROUP_SPACE, "is none of this device");
  EXPECT_REFUSED(k->AssociateThreadGroupSpace(deadGroups), CM_INVALID_ARG_VALUE, "group space is none of this device");
  EXPECT_REFUSED(t->AddKernel(deadKernel), CM_INVALID_ARG_VALUE, "the kernel is null or none of this device");
  EXPECT_REFUSED(sp->AssociateThread(0, 0, deadKernel, 0), CM_INVALID_ARG_VALUE, "none of this device");
  EXPECT_REFUSED(device->CloneKernel(clone, deadKernel), CM_NULL_POINTER, "none of this device");
  EXPECT_REFUSED(b->ReadSurface(bytes, deadEvent, 64), CM_INVALID_ARG_VALUE, "the event is not one of this device");
  EXPECT_REFUSED(k->SetKernelArg(0, sizeof(SurfaceIndex), deadIndex), CM_FAILURE, "there is no surface with index");
  EXPECT_REFUSED(device->DestroySamplerSurface(deadIndex), CM_FAILURE, "not that of a sampler surface");
  EXPECT_EQ(deadSampler->get_data(), 1u); // may be asked, and names nothing
  for (CmSurface2D *which : {deadSurface, foreignSurface}) {
    EXPECT_REFUSED(queue->EnqueueCopyCPUToGPU(which, bytes, e), CM_GPUCOPY_INVALID_SURFACES, "none of this device");
    EXPECT_REFUSED(queue->EnqueueCopyGPUToCPU(which, bytes, e), CM_GPUCOPY_INVALID_SURFACES, "none of this device");
    EXPECT_REFUSED(queue->EnqueueCopyGPUToGPU(which, s, 0, e), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(queue->EnqueueCopyGPUToGPU(s, which, 0, e), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(queue->EnqueueInitSurface2D(which, 0, e), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(device->CreateSurface2DAlias(which, alias), CM_NULL_POINTER, "none of this device");
    EXPECT_REFUSED(device->CreateSamplerSurface2D(which, alias), CM_FAILURE, "none of this device");
    EXPECT_REFUSED(device->CreateSamplerSurface2DEx(which, alias, nullptr), CM_INVALID_ARG_VALUE,
                   "none of this device");
  }
  for (CmBuffer *which : {deadBuffer, foreignBuffer}) {
    EXPECT_REFUSED(device->CreateBufferAlias(which, alias), CM_NULL_POINTER, "none of this device");
    EXPECT_REFUSED(queue->EnqueueReadBuffer(which, 0, bytes, 64, nullptr, e, 0), CM_GPUCOPY_OUT_OF_RESOURCE,
                   "none of this device");
  }
  ASSERT_EQ(foreignQueue->EnqueueWriteBuffer(foreignBuffer, 0, bytes, 64, nullptr, foreignEvent, 0), CM_SUCCESS);
  ASSERT_EQ(foreignEvent->WaitForTaskFinished(), CM_SUCCESS); // no device knows what another one does with the host's
  for (CmEvent *which : {deadEvent, foreignEvent, reinterpret_cast<CmEvent *>(t)}) {
    EXPECT_REFUSED(queue->EnqueueReadBuffer(b, 0, bytes, 64, which, e, 0), CM_INVALID_ARG_VALUE,
                   "EnqueueReadBuffer: the event is not one of this device");
    EXPECT_REFUSED(queue->EnqueueWriteBuffer(b, 0, bytes, 64, which, e, 0), CM_INVALID_ARG_VALUE,
                   "EnqueueWriteBuffer: the event is not one of this device");
    EXPECT_REFUSED(b->ReadSurface(bytes, which, 64), CM_INVALID_ARG_VALUE, "the event is not one of this device");
  }
  EXPECT_EQ(queue->EnqueueReadBuffer(b, 0, bytes, 64, CM_NO_EVENT, e, 1), CM_SUCCESS);
  EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
  EXPECT_EQ(launch(k)->WaitForTaskFinished(), CM_SUCCESS);
}

TEST_F(Ends, moreSurfacesThanAKernelMayHave) {
  auto kernelOf = [&](UINT count) {
    CmKernel *k = nullptr;
    CmProgram *p =
        load(compiled("many.cpp", ("#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void many(vector<SurfaceIndex, " +
                                   std::to_string(count) + "> s) { vector<int, 8> v = 1; write(s(0), 0, v); }")
                                      .c_str()));
    INT code = device->CreateKernel(p, "many", k);
    return std::pair(code, k);
  };
  EXPECT_EQ(kernelOf(245).first, CM_EXCEED_SURFACE_AMOUNT) << PocmLastError();
  auto [code, k] = kernelOf(244);
  ASSERT_EQ(code, CM_SUCCESS) << PocmLastError();
  // One more, in a slot that an argument has.
  EXPECT_REFUSED(k->SetSurfaceBTI(index(buffer(64)), 8), CM_EXCEED_SURFACE_AMOUNT, "more than 244 surfaces");
  auto [more, none] = kernelOf(300);
  EXPECT_EQ(more, CM_EXCEED_SURFACE_AMOUNT);
  EXPECT_EQ(none, nullptr);
  std::string arguments = "#include <cm/cm.h>\nextern \"C\" _GENX_MAIN_ void args(int a0";
  for (int i = 1; i < 256; ++i)
    arguments += ", int a" + std::to_string(i);
  CmProgram *p = load(compiled("args.cpp", (arguments + ") {}").c_str()));
  EXPECT_REFUSED(device->CreateKernel(p, "args", k), CM_EXCEED_KERNEL_ARG_AMOUNT, "has 256 arguments; at most 255");
}

TEST_F(Ends, launchesThatCannotBeCounted) {
  CmThreadGroupSpace *groups = nullptr;
  ASSERT_EQ(device->CreateThreadGroupSpace(16, 1, 1u << 29, 1, groups), CM_SUCCESS);
  CmEvent *e = nullptr;
  CmBuffer *b = buffer(64);
  EXPECT_REFUSED(queue->EnqueueWithGroup(task(with("count", *index(b), 1u)), e, groups),
                 CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE, "threads a side");
  CmThreadSpace *large = space(65536, 65536);
  EXPECT_REFUSED(large->AssociateThread(0, 0, kernel(ends, "count"), 0), CM_EXCEED_MAX_THREAD_AMOUNT_PER_ENQUEUE,
                 "associated one by one");
}

// What 16 million threads wait for is computed, not listed.
TEST_F(Ends, wavesOfManyThreadsTakeLittleMemory) {
  CmProgram *p = load(compiled("wave.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void wave(SurfaceIndex out) {   // counts its column, after the one to the upper right
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  if (x % 512 == 511) {
    vector<uint, 4> mine = 0, other;
    if (y > 0) {
      read(out, ((x + 1) % 4096 / 512) * 16, other);
      read(out, (x / 512) * 16, mine);
    }
    mine += 1;
    write(out, (x / 512) * 16, mine);
  }
}
)"));
  CmKernel *k = kernel(p, "wave");
  CmBuffer *b = buffer(16 * 8);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(b));
  CmThreadSpace *s = space(4096, 4096);
  ASSERT_EQ(s->SelectThreadDependencyPattern(CM_WAVEFRONT26), CM_SUCCESS);
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  CmEvent *e = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), e, s), CM_SUCCESS);
  ASSERT_EQ(e->WaitForTaskFinished(DWORD(-1)), CM_SUCCESS);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 200 * 1024); // kilobytes
  std::uint32_t counts[32] = {};
  ASSERT_EQ(b->ReadSurface(reinterpret_cast<unsigned char *>(counts), nullptr), CM_SUCCESS);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(counts[i * 4], 4096u) << i;
}

} // namespace
