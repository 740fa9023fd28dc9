// Surfaces of the host API seen in other ways, and work that is not a kernel: aliases, views, fields, memory of the
// application's, copies through the queue, conditions, profiles, capabilities, what only hardware has.
#include "HostApi.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <sys/mman.h>

namespace {

using namespace test;

constexpr const char *surfaceSource = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void increment(SurfaceIndex buf) {
  vector<uint, 8> v;
  read(buf, 0, v);
  v += 1;
  write(buf, 0, v);
}
extern "C" _GENX_MAIN_ void copy(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 4, 16> m;
  read(in, 0, 0, m);
  write(out, 0, 0, m);
}
extern "C" _GENX_MAIN_ void slow(SurfaceIndex buf, int n) {
  vector<uint, 8> v;
  for (int i = 0; i < n; i++) {
    read(buf, 0, v);
    v += 1;
    write(buf, 0, v);
    cm_fence();
  }
}
extern "C" _GENX_MAIN_ void by_address(svmptr_t p) {
  vector<uint, 8> v;
  cm_svm_block_read(p, v);
  cm_svm_block_write(p + 32, v * 2);
}
)";

class Surfaces : public HostApi {
protected:
  void SetUp() override {
    HostApi::SetUp();
    static const std::vector<std::uint8_t> file = compiled("surfaces.cpp", surfaceSource);
    own = load(file);
  }
  void TearDown() override {
    HostApi::TearDown();
    for (const char *name : {"CM_RT_PLATFORM", "CM_RT_SKU", "CM_RT_MAX_THREADS"})
      unsetenv(name);
  }
  CmKernel *on(const char *name, SurfaceIndex *first, SurfaceIndex *second = nullptr) {
    CmKernel *k = kernel(own, name);
    EXPECT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), first), CM_SUCCESS) << PocmLastError();
    if (second)
      EXPECT_EQ(k->SetKernelArg(1, sizeof(SurfaceIndex), second), CM_SUCCESS) << PocmLastError();
    return k;
  }
  CmEvent *run(CmKernel *k) {
    CmEvent *event = nullptr;
    EXPECT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS) << PocmLastError();
    EXPECT_EQ(event->WaitForTaskFinished(), CM_SUCCESS);
    return event;
  }
  static std::vector<std::uint8_t> counting(std::size_t n) {
    std::vector<std::uint8_t> bytes(n);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t(0));
    return bytes;
  }
  template <class T> static T *aligned(std::size_t bytes) { return static_cast<T *>(std::aligned_alloc(4096, bytes)); }

  CmProgram *own = nullptr;
};

TEST_F(Surfaces, viewsOfBuffers) {
  CmBuffer *b = buffer(96);
  std::vector<UINT> zero(24), got(24);
  b->InitSurface(0, nullptr);
  SurfaceIndex *alias = nullptr;
  ASSERT_EQ(device->CreateBufferAlias(b, alias), CM_SUCCESS);
  EXPECT_EQ(alias->get_data(), index(b)->get_data() + 1602);
  CM_BUFFER_STATE_PARAM state{};
  state.uiBaseAddressOffset = 32;
  state.uiSize = 16;
  ASSERT_EQ(b->SetSurfaceStateParam(alias, &state), CM_SUCCESS);
  CmKernel *whole = on("increment", index(b)), *part = on("increment", alias);
  run(whole);
  run(part);
  run(part);
  auto check = [&](std::vector<UINT> want) {
    b->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), nullptr);
    EXPECT_EQ(got, want);
  };
  check({1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  // What is set after the argument counts at the next enqueue, for the buffer's own index too.
  state.uiBaseAddressOffset = 64;
  state.uiSize = 0;
  ASSERT_EQ(b->SetSurfaceStateParam(alias, &state), CM_SUCCESS);
  ASSERT_EQ(b->SetSurfaceStateParam(nullptr, &state), CM_SUCCESS);
  run(part);
  run(whole);
  check({1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2});

  EXPECT_REFUSED(b->SetSurfaceStateParam(alias, nullptr), CM_NULL_POINTER, "null");
  state.uiBaseAddressOffset = 8;
  EXPECT_REFUSED(b->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "multiple of 16");
  state.uiBaseAddressOffset = 80;
  state.uiSize = 17;
  EXPECT_REFUSED(b->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "17 bytes at 80");
  EXPECT_REFUSED(b->SetSurfaceStateParam(index(buffer(16)), &state), CM_INVALID_ARG_VALUE, "neither");
  for (int i = 1; i < 10; ++i)
    ASSERT_EQ(device->CreateBufferAlias(b, alias), CM_SUCCESS);
  EXPECT_REFUSED(device->CreateBufferAlias(b, alias), CM_EXCEED_MAX_NUM_BUFFER_ALIASES, "10");
  EXPECT_REFUSED(device->CreateBufferAlias(nullptr, alias), CM_NULL_POINTER, "null");
}

// Blocks that overlap are bounded together and read into one place where they leave the buffer. The largest buffer ends
// where offsets do: what is added to them leads from its last bytes to negative numbers, in front of its first.
TEST_F(Surfaces, blocksThatOverlapAtTheEndsOfTheLargestBuffer) {
  constexpr std::size_t size = 0x80000000u, filled = 256, reads = 5, read = 64;
  auto *memory = static_cast<std::uint8_t *>(
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  for (std::size_t i = 0; i < filled; ++i) {
    memory[i] = std::uint8_t(1 + i % 127);
    memory[size - filled + i] = std::uint8_t(128 + i % 127);
  }
  CmBufferUP *in = nullptr;
  ASSERT_EQ(device->CreateBufferUP(UINT(size), memory, in), CM_SUCCESS);
  CmBuffer *out = buffer(reads * read);
  CmKernel *k = kernel(load(compiled("overlapping.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void overlapping(SurfaceIndex in, SurfaceIndex out, int at) {
  vector<uint, 16> a, b, c, d, e;
  read(in, at, a);
  read(in, at + 16, b);
  read(in, at + 48, c);
  read(DWALIGNED(in), at + 4, d);
  read(DWALIGNED(in), at + 36, e);
  write(out, 0, a);
  write(out, 64, b);
  write(out, 128, c);
  write(out, 192, d);
  write(out, 256, e);
}
)")),
                       "overlapping");
  ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), index(in)), CM_SUCCESS);
  ASSERT_EQ(k->SetKernelArg(1, sizeof(SurfaceIndex), index(out)), CM_SUCCESS);
  for (std::int64_t around : {std::int64_t(0), std::int64_t(size)})
    for (int step = -160; step <= 160; step += 16) {
      auto at = std::int32_t(around + step);
      ASSERT_EQ(k->SetKernelArg(2, sizeof(at), &at), CM_SUCCESS);
      run(k);
      std::vector<std::uint8_t> got(reads * read), want;
      ASSERT_EQ(out->ReadSurface(got.data(), nullptr), CM_SUCCESS);
      for (int more : {0, 16, 48, 4, 36})
        for (std::int64_t i = 0; i < std::int64_t(read); ++i) {
          std::int64_t offset = std::int32_t(std::uint32_t(at) + std::uint32_t(more)) + i;
          want.push_back(offset >= 0 && offset < std::int64_t(size) ? memory[offset] : 0);
        }
      EXPECT_EQ(got, want) << around << " " << step;
    }
  EXPECT_EQ(device->DestroyBufferUP(in), CM_SUCCESS);
  munmap(memory, size);
}

TEST_F(Surfaces, viewsOfImages) {
  constexpr UINT width = 8, height = 8; // 32 bytes a row
  CmSurface2D *in = surface(width, height), *out = surface(width, height);
  std::vector<std::uint8_t> pixels = counting(width * height * 4), got(pixels.size());
  in->WriteSurface(pixels.data(), nullptr);
  SurfaceIndex *alias = nullptr;
  ASSERT_EQ(device->CreateSurface2DAlias(in, alias), CM_SUCCESS);
  CM_SURFACE2D_STATE_PARAM state{};
  state.format = CM_SURFACE_FORMAT_A8;
  state.width = 12;
  state.height = 3;
  state.surface_x_offset = 4;
  state.surface_y_offset = 2;
  ASSERT_EQ(in->SetSurfaceStateParam(alias, &state), CM_SUCCESS) << PocmLastError();
  auto check = [&](auto want) {
    out->ReadSurface(got.data(), nullptr);
    for (UINT y = 0; y < 4; ++y)
      for (UINT x = 0; x < 16; ++x)
        ASSERT_EQ(got[y * width * 4 + x], std::uint8_t(want(x, y))) << x << " " << y;
  };
  run(on("copy", alias, index(out)));
  // Beyond the view's edge, its last pixel and row.
  check([](UINT x, UINT y) { return (2 + std::min(y, 2u)) * 32 + 4 + std::min(x, 11u); });
  // Fields: every second row of the surface.
  for (auto [frame, first] : {std::pair{CM_TOP_FIELD, 0u}, {CM_BOTTOM_FIELD, 1u}}) {
    ASSERT_EQ(in->SetProperty(frame), CM_SUCCESS);
    run(on("copy", index(in), index(out)));
    check([&](UINT x, UINT y) { return (first + 2 * y) * 32 + x; });
  }
  ASSERT_EQ(in->SetProperty(CM_FRAME), CM_SUCCESS);
  run(on("copy", index(in), index(out)));
  check([](UINT x, UINT y) { return y * 32 + x; });

  EXPECT_REFUSED(in->SetProperty(CM_FRAME_TYPE(3)), CM_INVALID_ARG_VALUE, "3");
  state.width = 29;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, nullptr), CM_NULL_POINTER, "null");
  state.surface_y_offset = 6;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  state.format = 12345;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, &state), CM_SURFACE_FORMAT_NOT_SUPPORTED, "12345");
  EXPECT_REFUSED(in->SetSurfaceStateParam(index(out), &state), CM_INVALID_ARG_VALUE, "neither");
  for (int i = 1; i < 10; ++i)
    ASSERT_EQ(device->CreateSurface2DAlias(in, alias), CM_SUCCESS);
  EXPECT_REFUSED(device->CreateSurface2DAlias(in, alias), CM_EXCEED_MAX_NUM_2D_ALIASES, "10");
  EXPECT_REFUSED(device->CreateSurface2DAlias(nullptr, alias), CM_NULL_POINTER, "null");
  VASurfaceID id = 5;
  EXPECT_EQ(in->GetVaSurfaceID(id), CM_SUCCESS);
  EXPECT_EQ(id, VA_INVALID_SURFACE);
}

// Rows of large surfaces that would meet in the cache lie apart, and the pitch of a view counts them all the same.
TEST_F(Surfaces, viewsOfRowsThatLieApart) {
  constexpr UINT width = 1024, height = 256, pitch = width * 4;
  UINT known = 0, size = 0;
  ASSERT_EQ(device->GetSurface2DInfo(width, height, CM_SURFACE_FORMAT_A8R8G8B8, known, size), CM_SUCCESS);
  ASSERT_EQ(known, pitch);
  CmSurface2D *in = surface(width, height), *out = surface(width, height);
  std::vector<std::uint8_t> pixels(pitch * height), got(pixels.size());
  for (UINT i = 0; i < pixels.size(); ++i)
    pixels[i] = std::uint8_t(i / pitch * 16 + i % pitch);
  in->WriteSurface(pixels.data(), nullptr);
  in->ReadSurface(got.data(), nullptr);
  EXPECT_EQ(got, pixels);
  SurfaceIndex *alias = nullptr;
  ASSERT_EQ(device->CreateSurface2DAlias(in, alias), CM_SUCCESS);
  CM_SURFACE2D_STATE_PARAM state{};
  state.height = height / 2;
  state.pitch = 2 * pitch;
  ASSERT_EQ(in->SetSurfaceStateParam(alias, &state), CM_SUCCESS) << PocmLastError();
  run(on("copy", alias, index(out)));
  out->ReadSurface(got.data(), nullptr);
  for (UINT y = 0; y < 4; ++y)
    for (UINT x = 0; x < 16; ++x)
      ASSERT_EQ(got[y * pitch + x], std::uint8_t(2 * y * 16 + x)) << x << " " << y;
  state.height = 0;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  state.width = width / 2;
  state.pitch = pitch / 2;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "a multiple of 4096 bytes, not 2048");
  // What lies between two rows is nobody's.
  state = {};
  state.width = 2 * width;
  state.height = height / 2;
  state.pitch = 2 * pitch;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "at byte 4096, not at byte 8192");
  state = {};
  state.width = width + 64;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "at byte 4096, not at byte 4352");
  state = {};
  state.width = width;
  state.surface_x_offset = 64;
  state.height = height - 1;
  EXPECT_REFUSED(in->SetSurfaceStateParam(alias, &state), CM_INVALID_ARG_VALUE, "at byte 4096, not at byte 4352");
}

TEST_F(Surfaces, imagesInTheApplicationsMemory) {
  UINT pitch = 0, size = 0;
  ASSERT_EQ(device->GetSurface2DInfo(5, 6, CM_SURFACE_FORMAT_A8R8G8B8, pitch, size), CM_SUCCESS);
  EXPECT_EQ(pitch, 64u);
  EXPECT_EQ(size, 64u * 6);
  std::unique_ptr<std::uint8_t, decltype(&std::free)> lent(aligned<std::uint8_t>(4096), std::free);
  for (UINT i = 0; i < size; ++i)
    lent.get()[i] = std::uint8_t(i);
  CmSurface2DUP *up = nullptr;
  EXPECT_REFUSED(device->CreateSurface2DUP(5, 6, CM_SURFACE_FORMAT_A8R8G8B8, nullptr, up), CM_INVALID_ARG_VALUE,
                 "null");
  EXPECT_REFUSED(device->CreateSurface2DUP(5, 6, CM_SURFACE_FORMAT_A8R8G8B8, lent.get() + 16, up), CM_INVALID_ARG_VALUE,
                 "aligned");
  EXPECT_REFUSED(device->CreateSurface2DUP(5, 6, CM_SURFACE_FORMAT_NV12, lent.get(), up), CM_INVALID_WIDTH, "even");
  ASSERT_EQ(device->CreateSurface2DUP(5, 6, CM_SURFACE_FORMAT_A8R8G8B8, lent.get(), up), CM_SUCCESS);
  SurfaceIndex *i = nullptr;
  ASSERT_EQ(up->GetIndex(i), CM_SUCCESS);
  CmSurface2D *out = surface(5, 6);
  run(on("copy", i, index(out)));
  std::vector<std::uint8_t> got(5 * 6 * 4);
  out->ReadSurface(got.data(), nullptr);
  for (UINT y = 0; y < 4; ++y)
    for (UINT x = 0; x < 16; ++x)
      ASSERT_EQ(got[y * 20 + x], std::uint8_t(y * 64 + x));
  run(on("copy", index(surface(5, 6)), i)); // zeros, straight into our memory
  for (UINT y = 0; y < 4; ++y)
    for (UINT x = 0; x < 64; ++x)
      ASSERT_EQ(lent.get()[y * 64 + x], x < 16 ? 0 : std::uint8_t(y * 64 + x));
  EXPECT_EQ(up->SetProperty(CM_BOTTOM_FIELD), CM_SUCCESS);
  SurfaceIndex *sampled = nullptr;
  EXPECT_EQ(device->CreateSamplerSurface2DUP(up, sampled), CM_SUCCESS);
  EXPECT_EQ(device->DestroySamplerSurface(sampled), CM_SUCCESS);
  EXPECT_EQ(device->DestroySurface2DUP(up), CM_SUCCESS);
  EXPECT_REFUSED(device->DestroySurface2DUP(up), CM_NULL_POINTER, "null");
}

TEST_F(Surfaces, stridesOfTheHost) {
  CmSurface2D *nv12 = nullptr;
  ASSERT_EQ(device->CreateSurface2D(4, 4, CM_SURFACE_FORMAT_NV12, nv12), CM_SUCCESS);
  std::vector<std::uint8_t> in = counting(16 * 9), out(16 * 9, 0xEE);
  // Rows 16 apart, the second plane 6 rows after the first.
  ASSERT_EQ(nv12->WriteSurfaceHybridStrides(in.data(), nullptr, 16, 6), CM_SUCCESS);
  ASSERT_EQ(nv12->ReadSurfaceHybridStrides(out.data(), nullptr, 16, 6), CM_SUCCESS);
  for (UINT y = 0; y < 9; ++y)
    for (UINT x = 0; x < 16; ++x) {
      bool row = y < 4 || (y >= 6 && y < 8);
      EXPECT_EQ(out[y * 16 + x], row && x < 4 ? in[y * 16 + x] : 0xEE) << x << " " << y;
    }
  EXPECT_REFUSED(nv12->ReadSurfaceHybridStrides(out.data(), nullptr, 3, 6), CM_INVALID_ARG_VALUE, "stride of 3");
  EXPECT_REFUSED(nv12->WriteSurfaceHybridStrides(in.data(), nullptr, 16, 3), CM_INVALID_ARG_VALUE, "3 rows");
  EXPECT_REFUSED(nv12->ReadSurfaceHybridStrides(nullptr, nullptr, 16, 6), CM_INVALID_ARG_VALUE, "null");
}

TEST_F(Surfaces, copiesThroughTheQueue) {
  constexpr UINT width = 8, height = 4, bytes = width * height * 4;
  CmSurface2D *a = surface(width, height), *b = surface(width, height + 2);
  std::unique_ptr<std::uint8_t, decltype(&std::free)> host(aligned<std::uint8_t>(65536), std::free);
  std::memset(host.get(), 0, 65536);
  for (UINT i = 0; i < 1024; ++i)
    host.get()[i] = std::uint8_t(i * 7);
  CmEvent *event = nullptr, *none = CM_NO_EVENT;
  ASSERT_EQ(queue->EnqueueCopyCPUToGPU(a, host.get(), none), CM_SUCCESS);
  EXPECT_EQ(none, nullptr);
  ASSERT_EQ(queue->EnqueueCopyGPUToGPU(b, a, CM_FASTCOPY_OPTION_NONBLOCKING, event), CM_SUCCESS);
  std::uint8_t *back = host.get() + 8192;
  ASSERT_EQ(queue->EnqueueCopyGPUToCPU(b, back, event), CM_SUCCESS);
  ASSERT_EQ(event->WaitForTaskFinished(), CM_SUCCESS);
  EXPECT_EQ(std::memcmp(back, host.get(), bytes), 0);
  // Strides: rows 48 apart; only as many as the height stride says.
  std::memset(back, 0xEE, 1024);
  ASSERT_EQ(queue->EnqueueCopyGPUToCPUFullStride(a, back, 48, 3, CM_FASTCOPY_OPTION_BLOCKING, event), CM_SUCCESS);
  for (UINT y = 0; y < height; ++y)
    for (UINT x = 0; x < 48; ++x)
      EXPECT_EQ(back[y * 48 + x], y < 3 && x < 32 ? host.get()[y * 32 + x] : 0xEE);
  ASSERT_EQ(queue->EnqueueCopyCPUToGPUFullStrideDup(b, host.get() + 64, 48, 0, CM_FASTCOPY_OPTION_BLOCKING, event),
            CM_SUCCESS);
  ASSERT_EQ(queue->EnqueueCopyGPUToCPUFullStrideDup(b, back, 0, 0, CM_FASTCOPY_OPTION_BLOCKING, event), CM_SUCCESS);
  for (UINT y = 0; y < height + 2; ++y)
    EXPECT_EQ(std::memcmp(back + y * 32, host.get() + 64 + y * 48, 32), 0);
  ASSERT_EQ(queue->EnqueueInitSurface2D(a, 0x04030201, event), CM_SUCCESS);
  ASSERT_EQ(queue->EnqueueCopyGPUToCPU(a, back, event), CM_SUCCESS);
  event->WaitForTaskFinished();
  for (UINT i = 0; i < bytes; ++i)
    EXPECT_EQ(back[i], 1 + i % 4);
  // Host to host: a little at once, more through the queue.
  event = reinterpret_cast<CmEvent *>(8);
  ASSERT_EQ(queue->EnqueueCopyCPUToCPU(back, host.get(), 1000, 0, event), CM_SUCCESS);
  EXPECT_EQ(event, nullptr);
  EXPECT_EQ(std::memcmp(back, host.get(), 1000), 0);
  ASSERT_EQ(queue->EnqueueCopyCPUToCPU(host.get() + 16384, host.get(), 10000, CM_FASTCOPY_OPTION_BLOCKING, event),
            CM_SUCCESS);
  EXPECT_EQ(std::memcmp(host.get() + 16384, host.get(), 10000), 0);
  // Buffers, at an offset.
  CmBuffer *c = buffer(64);
  c->InitSurface(0, nullptr);
  ASSERT_EQ(queue->EnqueueWriteBuffer(c, 10, host.get(), 20, nullptr, event, 0), CM_SUCCESS);
  std::memset(back, 0xEE, 64);
  ASSERT_EQ(queue->EnqueueReadBuffer(c, 5, back, 30, event, event, CM_FASTCOPY_OPTION_BLOCKING), CM_SUCCESS);
  for (UINT i = 0; i < 31; ++i)
    EXPECT_EQ(back[i], i == 30 ? 0xEE : i >= 5 && i < 25 ? host.get()[i - 5] : 0);

  EXPECT_REFUSED(queue->EnqueueCopyCPUToGPU(nullptr, host.get(), event), CM_GPUCOPY_INVALID_SURFACES, "null");
  EXPECT_REFUSED(queue->EnqueueCopyCPUToGPU(a, nullptr, event), CM_GPUCOPY_INVALID_SYSMEM, "null");
  EXPECT_REFUSED(queue->EnqueueCopyGPUToCPU(a, host.get() + 8, event), CM_GPUCOPY_INVALID_SYSMEM, "16");
  EXPECT_REFUSED(queue->EnqueueCopyGPUToCPUFullStride(a, host.get(), 40, 0, 0, event), CM_GPUCOPY_INVALID_STRIDE, "40");
  EXPECT_REFUSED(queue->EnqueueCopyGPUToCPUFullStride(a, host.get(), 65424, 0, 0, event), CM_GPUCOPY_INVALID_SIZE,
                 "65424");
  EXPECT_REFUSED(queue->EnqueueCopyGPUToGPU(a, b, 0, event), CM_GPUCOPY_INVALID_SURFACES, "do not go into");
  EXPECT_REFUSED(queue->EnqueueCopyGPUToGPU(nullptr, b, 0, event), CM_FAILURE, "null");
  EXPECT_REFUSED(queue->EnqueueInitSurface2D(nullptr, 0, event), CM_FAILURE, "null");
  EXPECT_REFUSED(queue->EnqueueCopyCPUToCPU(back + 1, host.get(), 16, 0, event), CM_GPUCOPY_INVALID_SYSMEM, "16");
  EXPECT_REFUSED(queue->EnqueueReadBuffer(c, 0, nullptr, 4, nullptr, event, 0), CM_NULL_POINTER, "null");
  EXPECT_REFUSED(queue->EnqueueWriteBuffer(nullptr, 0, back, 4, nullptr, event, 0), CM_GPUCOPY_OUT_OF_RESOURCE, "null");
  EXPECT_REFUSED(queue->EnqueueReadBuffer(c, 60, back, 5, nullptr, event, 0), CM_GPUCOPY_INVALID_SIZE, "buffer of 64");
  EXPECT_REFUSED(queue->EnqueueReadBuffer(c, 65, back, 1, nullptr, event, 0), CM_GPUCOPY_INVALID_SIZE, "1 bytes at 65");
  EXPECT_REFUSED(queue->EnqueueWriteBuffer(c, SIZE_MAX, back, 1, nullptr, event, 0), CM_GPUCOPY_INVALID_SIZE,
                 "buffer of 64");
  constexpr UINT unknown = 2;
  const char *words = "there is no option 2";
  EXPECT_REFUSED(queue->EnqueueCopyCPUToGPUFullStride(a, back, 0, 0, unknown, event), CM_INVALID_ARG_VALUE, words);
  EXPECT_REFUSED(queue->EnqueueCopyGPUToCPUFullStride(a, back, 0, 0, unknown, event), CM_INVALID_ARG_VALUE, words);
  EXPECT_REFUSED(queue->EnqueueCopyGPUToGPU(a, a, unknown, event), CM_INVALID_ARG_VALUE, words);
  EXPECT_REFUSED(queue->EnqueueCopyCPUToCPU(back, back, 16, unknown, event), CM_INVALID_ARG_VALUE, words);
  EXPECT_REFUSED(queue->EnqueueReadBuffer(c, 0, back, 4, nullptr, event, unknown), CM_INVALID_ARG_VALUE, words);
  EXPECT_REFUSED(queue->EnqueueWriteBuffer(c, 0, back, 4, nullptr, event, unknown), CM_INVALID_ARG_VALUE, words);
}

TEST_F(Surfaces, aCopyWaitsForTheKernelBeforeIt) {
  CmBuffer *b = buffer(32);
  b->InitSurface(0, nullptr);
  CmKernel *k = on("slow", index(b));
  int rounds = 200000;
  k->SetKernelArg(1, sizeof(rounds), &rounds);
  CmEvent *event = nullptr, *read = nullptr;
  CmTask *t = task(k);
  ASSERT_EQ(queue->Enqueue(t, event, nullptr), CM_SUCCESS);
  UINT got[8];
  ASSERT_EQ(queue->EnqueueReadBuffer(b, 0, reinterpret_cast<unsigned char *>(got), 32, nullptr, read, 0), CM_SUCCESS);
  // Everything may go at once.
  EXPECT_EQ(device->DestroyTask(t), CM_SUCCESS);
  EXPECT_EQ(device->DestroyKernel(k), CM_SUCCESS);
  EXPECT_EQ(device->DestroySurface(b), CM_SUCCESS);
  EXPECT_EQ(queue->DestroyEvent(event), CM_SUCCESS);
  ASSERT_EQ(read->WaitForTaskFinished(60000), CM_SUCCESS);
  for (UINT v : got)
    EXPECT_EQ(v, UINT(rounds));
}

TEST_F(Surfaces, conditionsEndATask) {
  CmBuffer *b = buffer(64), *flag = buffer(16);
  struct {
    CM_CONDITIONAL_END_OPERATOR_CODE op;
    UINT value;
    bool goesOn;
  } cases[] = {{MAD_GREATER_THAN_IDD, 4, true},
               {MAD_GREATER_THAN_IDD, 5, false},
               {MAD_GREATER_THAN_OR_EQUAL_IDD, 5, true},
               {MAD_GREATER_THAN_OR_EQUAL_IDD, 6, false},
               {MAD_LESS_THAN_IDD, 6, true},
               {MAD_LESS_THAN_IDD, 5, false},
               {MAD_LESS_THAN_OR_EQUAL_IDD, 5, true},
               {MAD_LESS_THAN_OR_EQUAL_IDD, 4, false},
               {MAD_EQUAL_IDD, 5, true},
               {MAD_EQUAL_IDD, 4, false},
               {MAD_NOT_EQUAL_IDD, 4, true},
               {MAD_NOT_EQUAL_IDD, 5, false}};
  const UINT words[] = {0, 5, 0xFFFFFF05, 0xFF}; // at 8: a value and its mask
  flag->WriteSurface(reinterpret_cast<const unsigned char *>(words), nullptr);
  CmKernel *k = on("increment", index(b));
  for (const auto &c : cases)
    for (bool masked : {false, true}) {
      b->InitSurface(0, nullptr);
      CmTask *t = task(k);
      CM_CONDITIONAL_END_PARAM condition{c.value, c.op, masked, false};
      ASSERT_EQ(t->AddConditionalEnd(index(flag), masked ? 8 : 4, &condition), CM_SUCCESS) << PocmLastError();
      t->AddKernel(k);
      t->AddKernel(k);
      CmEvent *event = nullptr;
      ASSERT_EQ(queue->Enqueue(t, event, nullptr), CM_SUCCESS);
      UINT got[8];
      b->ReadSurface(reinterpret_cast<unsigned char *>(got), event, sizeof(got));
      EXPECT_EQ(got[0], c.goesOn ? 3u : 1u) << c.op << " " << c.value << " " << masked;
      CM_STATUS status;
      event->GetStatus(status);
      EXPECT_EQ(status, CM_STATUS_FINISHED);
    }
  CmTask *t = task(k);
  CM_CONDITIONAL_END_PARAM condition{0, MAD_EQUAL_IDD, false, false};
  EXPECT_REFUSED(t->AddConditionalEnd(nullptr, 0, &condition), CM_NULL_POINTER, "null");
  EXPECT_REFUSED(t->AddConditionalEnd(index(flag), 0, nullptr), CM_NULL_POINTER, "null");
  EXPECT_REFUSED(t->AddConditionalEnd(index(surface(4, 4)), 0, &condition), CM_NOT_IMPLEMENTED, "not a buffer");
  EXPECT_REFUSED(t->AddConditionalEnd(index(flag), 16, &condition), CM_INVALID_ARG_VALUE, "offset 16");
  EXPECT_REFUSED(t->AddConditionalEnd(index(flag), 2, &condition), CM_INVALID_ARG_VALUE, "offset 2");
  condition.opCode = CM_CONDITIONAL_END_OPERATOR_CODE(6);
  EXPECT_REFUSED(t->AddConditionalEnd(index(flag), 0, &condition), CM_INVALID_ARG_VALUE, "6");
}

TEST_F(Surfaces, tasksAndHints) {
  CmBuffer *b = buffer(32);
  b->InitSurface(0, nullptr);
  CmKernel *k = on("increment", index(b));
  CmTask *t = nullptr;
  ASSERT_EQ(device->CreateTask(t), CM_SUCCESS);
  CM_EXECUTION_CONFIG config;
  CM_KERNEL_SYNC_CONFIG sync{};
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(t->AddKernelWithConfig(k, &config), CM_SUCCESS);
    EXPECT_EQ(t->AddSyncEx(&sync), CM_SUCCESS);
  }
  EXPECT_REFUSED(t->AddKernel(k), CM_EXCEED_MAX_KERNEL_PER_ENQUEUE, "16");
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->EnqueueFast(t, event, nullptr), CM_SUCCESS);
  UINT got[8];
  b->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
  EXPECT_EQ(got[7], 16u);
  EXPECT_EQ(queue->DestroyEventFast(event), CM_SUCCESS);
  EXPECT_REFUSED(queue->DestroyEventFast(event), CM_INVALID_ARG_VALUE, "null");
  EXPECT_REFUSED(queue->DestroyEvent(event), CM_FAILURE, "null");
  EXPECT_REFUSED(queue->EnqueueWithHints(t, event, 0), CM_NULL_POINTER, "no thread space");
  CmThreadSpace *space = nullptr;
  device->CreateThreadSpace(1, 1, space);
  k->AssociateThreadSpace(space);
  ASSERT_EQ(queue->EnqueueWithHints(t, event, 2), CM_SUCCESS);
  b->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
  EXPECT_EQ(got[7], 32u);
  EXPECT_REFUSED(queue->EnqueueWithHints(task(k), event, 0), CM_FAILURE, "two or more");
  EXPECT_REFUSED(queue->EnqueueWithHints(nullptr, event, 0), CM_INVALID_ARG_VALUE, "null");
  CM_TASK_CONFIG properties{};
  EXPECT_EQ(t->GetProperty(properties), CM_SUCCESS);
  EXPECT_TRUE(properties.turboBoostFlag);
  EXPECT_FALSE(properties.fusedEuDispatchFlag);
  properties.fusedEuDispatchFlag = true;
  EXPECT_EQ(t->SetProperty(properties), CM_SUCCESS);
  properties = {};
  t->GetProperty(properties);
  EXPECT_TRUE(properties.fusedEuDispatchFlag);
  EXPECT_EQ(t->SetPowerOption(nullptr), CM_NOT_IMPLEMENTED);
  EXPECT_EQ(t->Reset(), CM_SUCCESS);
  EXPECT_REFUSED(queue->Enqueue(t, event, nullptr), CM_FAILURE, "no kernel");
  CmQueue *same = nullptr, *compute = nullptr;
  EXPECT_EQ(device->CreateQueue(same), CM_SUCCESS);
  EXPECT_EQ(same, queue);
  CM_QUEUE_CREATE_OPTION option = CM_DEFAULT_QUEUE_CREATE_OPTION;
  option.QueueType = CM_QUEUE_TYPE_COMPUTE;
  EXPECT_EQ(device->CreateQueueEx(compute, option), CM_SUCCESS);
  EXPECT_NE(compute, queue);
  EXPECT_EQ(compute->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  b->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
  EXPECT_EQ(got[7], 33u);
  option.QueueType = CM_QUEUE_TYPE_NONE;
  EXPECT_EQ(device->CreateQueueEx(compute, option), CM_NOT_IMPLEMENTED);
}

TEST_F(Surfaces, clonesAndAddresses) {
  CmKernel *k = on("increment", index(buffer(32))), *clone = nullptr;
  ASSERT_EQ(device->CloneKernel(clone, k), CM_SUCCESS);
  CmEvent *event = nullptr;
  EXPECT_REFUSED(queue->Enqueue(task(clone), event, nullptr), CM_NOT_SET_KERNEL_ARGUMENT, "1 of the 1");
  EXPECT_REFUSED(device->CloneKernel(clone, nullptr), CM_NULL_POINTER, "null");
  unsigned spill = 5;
  EXPECT_EQ(k->QuerySpillSize(spill), CM_SUCCESS);
  EXPECT_EQ(spill, 0u);

  CmBufferStateless *memory = nullptr;
  EXPECT_REFUSED(device->CreateBufferStateless(0, 0, nullptr, memory), CM_INVALID_WIDTH, "not 0");
  EXPECT_REFUSED(device->CreateBufferStateless(64, 2, nullptr, memory), CM_INVALID_CREATE_OPTION_FOR_BUFFER_STATELESS,
                 "2");
  EXPECT_REFUSED(device->CreateBufferStateless(64, 1, nullptr, memory), CM_SYSTEM_MEMORY_NOT_4KPAGE_ALIGNED, "null");
  ASSERT_EQ(device->CreateBufferStateless(64, 0, nullptr, memory), CM_SUCCESS);
  std::uint64_t address = 0;
  void *system = &address;
  ASSERT_EQ(memory->GetGfxAddress(address), CM_SUCCESS);
  EXPECT_EQ(memory->GetSysAddress(system), CM_SUCCESS);
  EXPECT_EQ(system, nullptr);
  std::vector<std::uint8_t> bytes = counting(64);
  EXPECT_EQ(memory->WriteSurface(bytes.data(), nullptr), CM_SUCCESS);
  CmKernel *p = kernel(own, "by_address");
  std::uint64_t wild = 4096;
  EXPECT_REFUSED(p->SetKernelArgPointer(0, 8, &wild), CM_INVALID_KERNEL_ARG_POINTER, "0x1000");
  EXPECT_REFUSED(p->SetKernelArgPointer(0, 8, nullptr), CM_INVALID_ARG_VALUE, "null");
  EXPECT_REFUSED(p->SetKernelArgPointer(1, 8, &address), CM_INVALID_ARG_INDEX, "no argument 1");
  EXPECT_REFUSED(p->SetKernelArgPointer(0, 4, &address), CM_INVALID_ARG_SIZE, "not 4");
  ASSERT_EQ(p->SetKernelArgPointer(0, 8, &address), CM_SUCCESS);
  CmEvent *done = run(p);
  UINT got[16];
  EXPECT_EQ(memory->ReadSurface(reinterpret_cast<unsigned char *>(got), done), CM_SUCCESS);
  for (UINT i = 0; i < 8; ++i)
    EXPECT_EQ(got[8 + i], got[i] * 2);
  EXPECT_EQ(device->DestroyBufferStateless(memory), CM_SUCCESS);
  EXPECT_REFUSED(device->DestroyBufferStateless(memory), CM_NULL_POINTER, "null");
  EXPECT_REFUSED(p->SetKernelArgPointer(0, 8, &address), CM_INVALID_KERNEL_ARG_POINTER, "no SVM or stateless buffer");
}

TEST_F(Surfaces, addressesOfTheHostsMemory) {
  struct alignas(4096) Page {
    UINT dwords[1024];
  };
  auto page = std::make_unique<Page>();
  std::iota(std::begin(page->dwords), std::end(page->dwords), 1u);
  CmBufferStateless *memory = nullptr;
  EXPECT_REFUSED(device->CreateBufferStateless(64, 1, page->dwords + 1, memory), CM_SYSTEM_MEMORY_NOT_4KPAGE_ALIGNED,
                 "not aligned to 4096 bytes");
  ASSERT_EQ(device->CreateBufferStateless(64, 1, page.get(), memory), CM_SUCCESS);
  void *system = nullptr;
  ASSERT_EQ(memory->GetSysAddress(system), CM_SUCCESS);
  EXPECT_EQ(system, page.get());
  std::uint64_t address = 0;
  ASSERT_EQ(memory->GetGfxAddress(address), CM_SUCCESS);
  CmKernel *p = kernel(own, "by_address");
  ASSERT_EQ(p->SetKernelArgPointer(0, 8, &address), CM_SUCCESS);
  CmEvent *done = run(p);
  UINT got[16];
  EXPECT_EQ(memory->ReadSurface(reinterpret_cast<unsigned char *>(got), done), CM_SUCCESS);
  for (UINT i = 0; i < 8; ++i) {
    EXPECT_EQ(got[8 + i], (i + 1) * 2);
    EXPECT_EQ(page->dwords[8 + i], (i + 1) * 2); // no copy
  }
  EXPECT_EQ(device->DestroyBufferStateless(memory), CM_SUCCESS);
  EXPECT_EQ(page->dwords[8], 2u);
}

TEST_F(Surfaces, profiles) {
  CmKernel *k = on("increment", index(buffer(32))), *w = kernel("where");
  w->SetKernelArg(0, sizeof(SurfaceIndex), index(surface(8, 8)));
  CmThreadSpace *space = nullptr;
  device->CreateThreadSpace(7, 5, space);
  w->AssociateThreadSpace(space);
  CmTask *t = task(k);
  t->AddKernel(w);
  CmEvent *event = nullptr;
  LARGE_INTEGER before, after, times[4];
  QueryPerformanceCounter(&before);
  ASSERT_EQ(queue->Enqueue(t, event, nullptr), CM_SUCCESS);
  ASSERT_EQ(event->WaitForTaskFinished(), CM_SUCCESS);
  QueryPerformanceCounter(&after);
  const CM_EVENT_PROFILING_INFO moments[] = {CM_EVENT_PROFILING_SUBMIT, CM_EVENT_PROFILING_HWSTART,
                                             CM_EVENT_PROFILING_HWEND, CM_EVENT_PROFILING_COMPLETE};
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(event->GetProfilingInfo(moments[i], 8, nullptr, &times[i]), CM_SUCCESS);
  EXPECT_LE(before.QuadPart, times[0].QuadPart);
  for (int i = 0; i < 3; ++i)
    EXPECT_LE(times[i].QuadPart, times[i + 1].QuadPart);
  EXPECT_LE(times[3].QuadPart, after.QuadPart);
  std::uint32_t count = 0, number = 1, sizes[4];
  EXPECT_EQ(event->GetProfilingInfo(CM_EVENT_PROFILING_KERNELCOUNT, 4, nullptr, &count), CM_SUCCESS);
  EXPECT_EQ(count, 2u);
  const char *name = nullptr;
  EXPECT_EQ(event->GetProfilingInfo(CM_EVENT_PROFILING_KERNELNAMES, 8, &number, &name), CM_SUCCESS);
  EXPECT_STREQ(name, "where");
  EXPECT_EQ(event->GetProfilingInfo(CM_EVENT_PROFILING_THREADSPACE, 16, &number, sizes), CM_SUCCESS);
  EXPECT_EQ(sizes[2], 7u);
  EXPECT_EQ(sizes[3], 5u);
  UINT64 ticks = 0;
  EXPECT_EQ(event->GetExecutionTickTime(ticks), CM_SUCCESS);
  EXPECT_GT(ticks, 0u);
  number = 2;
  EXPECT_REFUSED(event->GetProfilingInfo(CM_EVENT_PROFILING_KERNELNAMES, 8, &number, &name), CM_INVALID_PARAM_SIZE,
                 "no kernel 2");
  EXPECT_REFUSED(event->GetProfilingInfo(CM_EVENT_PROFILING_SUBMIT, 4, nullptr, &count), CM_INVALID_PARAM_SIZE,
                 "not 4");
  EXPECT_REFUSED(event->GetProfilingInfo(CM_EVENT_PROFILING_SUBMIT, 8, nullptr, nullptr), CM_NULL_POINTER, "null");
  EXPECT_REFUSED(event->GetProfilingInfo(CM_EVENT_PROFILING_INFO(9), 8, nullptr, &count), CM_FAILURE, "no item 9");
  CM_SURFACE_DETAILS details;
  EXPECT_EQ(event->GetSurfaceDetails(0, 0, details), CM_NOT_IMPLEMENTED);
}

TEST_F(Surfaces, capabilities) {
  auto number = [&](CM_DEVICE_CAP_NAME cap) {
    std::uint32_t value = ~0u;
    size_t size = sizeof(value);
    EXPECT_EQ(device->GetCaps(cap, size, &value), CM_SUCCESS) << cap;
    EXPECT_EQ(size, sizeof(value));
    return value;
  };
  EXPECT_EQ(number(CAP_GPU_PLATFORM), 7u);
  const std::pair<CM_DEVICE_CAP_NAME, std::uint32_t> limits[] = {
      {CAP_KERNEL_COUNT_PER_TASK, 16},
      {CAP_KERNEL_BINARY_SIZE, 1 << 16},
      {CAP_SAMPLER_COUNT, 512},
      {CAP_SAMPLER_COUNT_PER_KERNEL, 16},
      {CAP_BUFFER_COUNT, 256},
      {CAP_SURFACE2D_COUNT, 256},
      {CAP_SURFACE3D_COUNT, 64},
      {CAP_SURFACE_COUNT_PER_KERNEL, 255},
      {CAP_ARG_COUNT_PER_KERNEL, 255},
      {CAP_ARG_SIZE_PER_KERNEL, 2016},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_TASK, 1 << 18},
      {CAP_USER_DEFINED_THREAD_COUNT_PER_TASK_NO_THREAD_ARG, 1 << 18},
      {CAP_SURFACE3D_FORMAT_COUNT, 3},
      {CAP_SURFACE2DUP_COUNT, 512},
      {CAP_MAX_BUFFER_SIZE, 1u << 31}};
  for (auto [cap, value] : limits)
    EXPECT_EQ(number(cap), value) << cap;
  EXPECT_EQ(number(CAP_HW_THREAD_COUNT), 168u);
  EXPECT_EQ(number(CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP), 56u);
  EXPECT_EQ(number(CAP_USER_DEFINED_THREAD_COUNT_PER_MEDIA_WALKER), 67043344u);
  std::uint32_t count = number(CAP_SURFACE2D_FORMAT_COUNT);
  std::vector<std::uint32_t> formats(count);
  size_t size = count * 4;
  EXPECT_EQ(device->GetCaps(CAP_SURFACE2D_FORMATS, size, formats.data()), CM_SUCCESS);
  for (std::uint32_t format : formats) {
    CmSurface2D *s = nullptr;
    EXPECT_EQ(device->CreateSurface2D(4, 4, CM_SURFACE_FORMAT(format), s), CM_SUCCESS) << format;
  }
  CM_PLATFORM_INFO info{};
  size = sizeof(info);
  EXPECT_EQ(device->GetCaps(CAP_PLATFORM_INFO, size, &info), CM_SUCCESS);
  EXPECT_EQ(info.numSubSlices * info.numEUsPerSubSlice * info.numHWThreadsPerEU, 168u);
  std::uint32_t half = 84;
  EXPECT_EQ(device->SetCaps(CAP_HW_THREAD_COUNT, 4, &half), CM_SUCCESS);
  EXPECT_EQ(number(CAP_HW_THREAD_COUNT), 84u);
  half = 169;
  EXPECT_REFUSED(device->SetCaps(CAP_HW_THREAD_COUNT, 4, &half), CM_INVALID_HARDWARE_THREAD_NUMBER, "168");
  EXPECT_REFUSED(device->SetCaps(CAP_GT_PLATFORM, 4, &half), CM_INVALID_CAP_NAME, "CAP_HW_THREAD_COUNT");
  EXPECT_REFUSED(device->GetCaps(CM_DEVICE_CAP_NAME(-99), size, &half), CM_FAILURE, "-99");
  EXPECT_EQ(device->GetCaps(CAP_L3_CONFIG, size, &half), CM_FAILURE);
  size = 2;
  EXPECT_REFUSED(device->GetCaps(CAP_GPU_PLATFORM, size, &half), CM_FAILURE, "not 2");
  EXPECT_REFUSED(device->GetCaps(CAP_GPU_PLATFORM, size, nullptr), CM_NULL_POINTER, "null");
  EXPECT_EQ(device->SetSuggestedL3Config(L3_SUGGEST_CONFIG(7)), CM_SUCCESS);
  EXPECT_REFUSED(device->SetSuggestedL3Config(L3_SUGGEST_CONFIG(8)), CM_INVALID_ARG_VALUE, "8");
  std::uint32_t major = 0, minor = 0;
  EXPECT_EQ(device->GetVISAVersion(major, minor), CM_SUCCESS);
  EXPECT_EQ(major, 3u);
  CmThreadGroupSpace *space = nullptr;
  EXPECT_EQ(device->CreateThreadGroupSpace(56, 1, 1, 1, space), CM_SUCCESS);
  EXPECT_REFUSED(device->CreateThreadGroupSpace(57, 1, 1, 1, space), CM_INVALID_THREAD_GROUP_SPACE, "1 to 56");
  // Another platform for the next device.
  setenv("CM_RT_PLATFORM", "TGLLP", 1);
  setenv("CM_RT_SKU", "GT1", 1);
  setenv("CM_RT_MAX_THREADS", "100", 1);
  CmDevice *other = nullptr;
  ASSERT_EQ(CreateCmDevice(other, version), CM_SUCCESS);
  std::swap(other, device);
  EXPECT_EQ(number(CAP_GPU_PLATFORM), 15u);
  EXPECT_EQ(number(CAP_HW_THREAD_COUNT), 100u);
  EXPECT_EQ(number(CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP), 112u);
  std::swap(other, device);
  EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
  setenv("CM_RT_MAX_THREADS", "0", 1);
  EXPECT_REFUSED(CreateCmDevice(other, version), CM_FAILURE, "CM_RT_MAX_THREADS");
  setenv("CM_RT_SKU", "GT9", 1);
  EXPECT_REFUSED(CreateCmDevice(other, version), CM_FAILURE, "CM_RT_SKU is 'GT9'");
  setenv("CM_RT_PLATFORM", "PENTIUM", 1);
  EXPECT_REFUSED(CreateCmDevice(other, version), CM_FAILURE, "SKL, BXT");
}

TEST_F(Surfaces, platformsAreMadeOfSlices) {
  const std::pair<const char *, const char *> platforms[] = {
      {"SKL", "GT1"},   {"SKL", "GT4"},   {"BXT", "GTX"}, {"KBL", "GT3"},     {"ICLLP", "GT1"}, {"ICLLP", "GT2"},
      {"TGLLP", "GT1"}, {"TGLLP", "GT2"}, {"RKL", "GT1"}, {"DG1", "GT2"},     {"ADLS", "GT1"},  {"ADLP", "GT2"},
      {"ADLN", "GT1"},  {"DG2", "GTX"},   {"PVC", "GTX"}, {"XEHP_SDV", "GTX"}};
  for (auto [platform, sku] : platforms) {
    setenv("CM_RT_PLATFORM", platform, 1);
    setenv("CM_RT_SKU", sku, 1);
    CmDevice *other = nullptr;
    ASSERT_EQ(CreateCmDevice(other, version), CM_SUCCESS) << platform << sku;
    CM_PLATFORM_INFO info{};
    size_t size = sizeof(info);
    EXPECT_EQ(other->GetCaps(CAP_PLATFORM_INFO, size, &info), CM_SUCCESS);
    EXPECT_GE(info.numSlices, 1u) << platform << sku;
    EXPECT_EQ(info.numSubSlices % std::max(1u, unsigned(info.numSlices)), 0u) << platform << sku;
    std::uint32_t threads = 0;
    size = sizeof(threads);
    EXPECT_EQ(other->GetCaps(CAP_HW_THREAD_COUNT, size, &threads), CM_SUCCESS);
    EXPECT_EQ(info.numSubSlices * info.numEUsPerSubSlice * info.numHWThreadsPerEU, threads) << platform << sku;
    EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
  }
}

/// Slices, subslices, execution units of a subslice and threads of a unit, as Intel publishes them.
TEST_F(Surfaces, platformsHaveWhatIsPublished) {
  const struct {
    const char *platform, *sku;
    std::uint32_t number, slices, subslices, units, threads;
  } platforms[] = {
      {"SKL", "GT1", 7, 1, 2, 6, 7},         {"SKL", "GT2", 7, 1, 3, 8, 7},    {"SKL", "GT3", 7, 2, 6, 8, 7},
      {"SKL", "GT4", 7, 3, 9, 8, 7},         {"BXT", "GTX", 8, 1, 3, 8, 6},    {"BXT", "GTA", 8, 1, 3, 6, 6},
      {"BXT", "GTC", 8, 1, 2, 6, 6},         {"KBL", "GT2", 11, 1, 3, 8, 7},   {"KBL", "GT3", 11, 2, 6, 8, 7},
      {"ICLLP", "GT1", 13, 1, 4, 8, 7},      {"ICLLP", "GT2", 13, 1, 8, 8, 7}, {"TGLLP", "GT1", 15, 1, 2, 16, 7},
      {"TGLLP", "GT2", 15, 1, 6, 16, 7},     {"RKL", "GT1", 19, 1, 2, 16, 7},  {"DG1", "GT2", 20, 1, 6, 16, 7},
      {"ADLS", "GT1", 21, 1, 2, 16, 7},      {"ADLP", "GT2", 23, 1, 6, 16, 7}, {"ADLN", "GT1", 24, 1, 2, 16, 7},
      {"XEHP_SDV", "GTX", 14, 4, 32, 16, 8}, {"DG2", "GTX", 22, 8, 32, 16, 8}, {"PVC", "GTX", 18, 8, 64, 8, 8}};
  for (const auto &p : platforms) {
    SCOPED_TRACE(std::string(p.platform) + " " + p.sku);
    setenv("CM_RT_PLATFORM", p.platform, 1);
    setenv("CM_RT_SKU", p.sku, 1);
    CmDevice *other = nullptr;
    ASSERT_EQ(CreateCmDevice(other, version), CM_SUCCESS);
    CM_PLATFORM_INFO info{};
    size_t size = sizeof(info);
    EXPECT_EQ(other->GetCaps(CAP_PLATFORM_INFO, size, &info), CM_SUCCESS);
    EXPECT_EQ(info.numSlices, p.slices);
    EXPECT_EQ(info.numSubSlices, p.subslices);
    EXPECT_EQ(info.numEUsPerSubSlice, p.units);
    EXPECT_EQ(info.numHWThreadsPerEU, p.threads);
    std::uint32_t number = 0;
    size = sizeof(number);
    EXPECT_EQ(other->GetCaps(CAP_GPU_PLATFORM, size, &number), CM_SUCCESS);
    EXPECT_EQ(number, p.number);
    EXPECT_EQ(DestroyCmDevice(other), CM_SUCCESS);
  }
}

TEST_F(Surfaces, whatOnlyHardwareHas) {
  CmSurface2D *s = surface(4, 4), *va = s;
  SurfaceIndex *i = nullptr;
  EXPECT_EQ(device->CreateSurface2D(VASurfaceID(1), va), CM_VA_SURFACE_NOT_SUPPORTED);
  EXPECT_EQ(va, nullptr);
  VASurfaceID id = 1;
  EXPECT_EQ(device->CreateSurface2D(&id, 1, &va), CM_VA_SURFACE_NOT_SUPPORTED);
  EXPECT_EQ(device->CreateVaSurface2D(4, 4, CM_SURFACE_FORMAT_NV12, id, va), CM_VA_SURFACE_NOT_SUPPORTED);
  EXPECT_EQ(device->CreateVmeSurfaceG7_5(nullptr, nullptr, nullptr, 0, 0, i), CM_NULL_POINTER);
  EXPECT_EQ(device->CreateVmeSurfaceG7_5(s, nullptr, nullptr, 0, 0, i), CM_FEATURE_NOT_SUPPORTED_BY_HARDWARE);
  EXPECT_EQ(device->DestroyVmeSurfaceG7_5(i), CM_NULL_POINTER);
  EXPECT_EQ(device->CreateHevcVmeSurfaceG10(s, nullptr, nullptr, 5, 0, i), CM_INVALID_ARG_VALUE);
  EXPECT_EQ(device->CreateHevcVmeSurfaceG10(s, nullptr, nullptr, 1, 0, i), CM_FEATURE_NOT_SUPPORTED_BY_HARDWARE);
  EXPECT_EQ(device->DestroyHevcVmeSurfaceG10(i), CM_NULL_POINTER);
  EXPECT_EQ(device->SetVmeSurfaceStateParam(nullptr, nullptr), CM_INVALID_ARG_VALUE);
  CmSampler8x8 *scaler = nullptr;
  CM_SAMPLER_8X8_DESCR descr{};
  EXPECT_REFUSED(device->CreateSampler8x8(descr, scaler), CM_FEATURE_NOT_SUPPORTED_BY_HARDWARE, "8x8 sampler");
  EXPECT_EQ(device->DestroySampler8x8(scaler), CM_FAILURE);
  EXPECT_EQ(device->CreateSampler8x8Surface(nullptr, i), CM_FAILURE);
  EXPECT_EQ(device->CreateSampler8x8Surface(s, i), CM_FEATURE_NOT_SUPPORTED_BY_HARDWARE);
  EXPECT_EQ(device->CreateSampler8x8SurfaceEx(s, i), CM_FEATURE_NOT_SUPPORTED_BY_HARDWARE);
  EXPECT_EQ(device->DestroySampler8x8Surface(i), CM_NULL_POINTER);
  CmVebox *vebox = nullptr;
  EXPECT_EQ(device->CreateVebox(vebox), CM_FEATURE_NOT_SUPPORTED_BY_HARDWARE);
  EXPECT_EQ(device->DestroyVebox(vebox), CM_NULL_POINTER);
  CmEvent *event = nullptr;
  EXPECT_EQ(queue->EnqueueVebox(vebox, event), CM_NULL_POINTER);
  EXPECT_EQ(queue->SetResidentGroupAndParallelThreadNum(1, 1), CM_NOT_IMPLEMENTED);
  CmKernel *k = nullptr;
  EXPECT_REFUSED(device->CreateKernel(own, "increment", reinterpret_cast<const void *>(&id), k), CM_FAILURE,
                 "programs");
  CmSurface2DStateless *stateless = nullptr;
  UINT pitch = 0;
  EXPECT_EQ(device->CreateSurface2DStateless(4, 4, pitch, stateless), CM_NOT_IMPLEMENTED);
  EXPECT_EQ(device->DestroySurface2DStateless(stateless), CM_NULL_POINTER);
  CM_SAMPLER_STATE_EX state{};
  state.minFilterType = state.magFilterType = CM_TEXTURE_FILTER_TYPE_LINEAR;
  state.addressU = state.addressV = state.addressW = CM_TEXTURE_ADDRESS_CLAMP;
  CmSampler *sampler = nullptr;
  EXPECT_EQ(device->CreateSamplerEx(state, sampler), CM_SUCCESS);
  EXPECT_EQ(device->DestroySampler(sampler), CM_SUCCESS);
  SurfaceIndex *view = nullptr;
  ASSERT_EQ(device->CreateSamplerSurface2D(s, view), CM_SUCCESS);
  EXPECT_NE(view->get_data(), index(s)->get_data());
  EXPECT_EQ(device->DestroySamplerSurface(view), CM_SUCCESS);
  EXPECT_NE(view, nullptr);
  EXPECT_EQ(device->DestroySamplerSurface(view), CM_FAILURE);
  ASSERT_EQ(device->CreateSamplerSurface2DEx(s, view), CM_SUCCESS);
  EXPECT_EQ(device->CreateSamplerSurface2DEx(nullptr, view), CM_INVALID_ARG_VALUE);
  EXPECT_EQ(device->CreateSamplerSurface2D(nullptr, view), CM_FAILURE);
}

} // namespace
