// Surfaces of the host API that have more than a plane of pixels, samplers, and the slots through which kernels reach
// both: three dimensions, planar formats, borders, slots that the host pins.
#include "HostApi.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

using namespace test;

using PlanesAndSlots = HostApi;

constexpr const char *volumeText = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void look(SurfaceIndex in, SamplerIndex s, SurfaceIndex out, vector<float, 16> u, vector<float, 16> v, vector<float, 16> w) {
  matrix<float, 4, 16> m;
  sample16(m, CM_ABGR_ENABLE, in, s, u, v, w);
  for (int r = 0; r < 4; r++) write(out, r * 64, m.row(r));
  vector<float, 16> red;
  cm_3d_sample<CM_3D_SAMPLE_L, CM_R_ENABLE>(red, 0x00F, s, in, 0.0f, u, v, w); // one slice back
  write(out, 256, red);
}
extern "C" _GENX_MAIN_ void move(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> x, y, z;
  for (int i = 0; i < 16; i++) { x(i) = i % 4; y(i) = i / 4 % 2; z(i) = i / 8 + 2 * get_thread_origin_x(); } // the second thread has one slice beyond the end
  matrix<float, 4, 16> m;
  read_typed(in, CM_ABGR_ENABLE, m, x, y, z);
  vector<float, 16> again;
  cm_3d_load<CM_3D_LOAD, CM_R_ENABLE>(again, 0, in, x, y, 0u, z);
  m.row(0) = again;
  write_typed(out, CM_ABGR_ENABLE, m, x, y, 2 - z);
})";

TEST_F(PlanesAndSlots, threeDimensions) {
  constexpr UINT width = 4, height = 2, depth = 3, count = width * height * depth;
  CmSurface3D *volume = nullptr, *other = nullptr;
  constexpr CM_SURFACE_FORMAT argb = CM_SURFACE_FORMAT_A8R8G8B8;
  EXPECT_REFUSED(device->CreateSurface3D(0, 4, 4, argb, volume), CM_INVALID_WIDTH, "2048");
  EXPECT_REFUSED(device->CreateSurface3D(4, 2049, 4, argb, volume), CM_INVALID_HEIGHT, "2049");
  EXPECT_REFUSED(device->CreateSurface3D(4, 4, 1, argb, volume), CM_INVALID_DEPTH, "2 to 2048");
  EXPECT_REFUSED(device->CreateSurface3D(4, 4, 4, CM_SURFACE_FORMAT_A8, volume), CM_SURFACE_FORMAT_NOT_SUPPORTED,
                 "A16B16G16R16");
  EXPECT_EQ(volume, nullptr);
  ASSERT_EQ(device->CreateSurface3D(width, height, depth, argb, volume), CM_SUCCESS);
  ASSERT_EQ(device->CreateSurface3D(width, height, depth, argb, other), CM_SUCCESS);
  std::vector<std::uint8_t> pixels(count * 4), got(count * 4);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = std::uint8_t(i * 37 + i / 5);
  EXPECT_REFUSED(volume->WriteSurface(pixels.data(), nullptr, pixels.size() - 1), CM_INVALID_ARG_VALUE, "95");
  EXPECT_REFUSED(volume->ReadSurface(nullptr, nullptr), CM_INVALID_ARG_VALUE, "null");
  ASSERT_EQ(volume->WriteSurface(pixels.data(), nullptr), CM_SUCCESS);
  ASSERT_EQ(volume->ReadSurface(got.data(), nullptr, got.size()), CM_SUCCESS);
  EXPECT_EQ(got, pixels);
  EXPECT_EQ(volume->SelectMemoryObjectControlSetting(MEMORY_OBJECT_CONTROL_UNKNOWN), CM_SUCCESS);

  // Slices in the opposite order, by typed reads, loads and writes.
  CmProgram *own = load(test::compiled("volume.cpp", volumeText));
  CmKernel *move = kernel(own, "move");
  move->SetKernelArg(0, sizeof(SurfaceIndex), index(volume));
  move->SetKernelArg(1, sizeof(SurfaceIndex), index(other));
  CmThreadSpace *two = nullptr;
  ASSERT_EQ(device->CreateThreadSpace(2, 1, two), CM_SUCCESS);
  CmEvent *event = nullptr;
  ASSERT_EQ(other->InitSurface(0x01020304, nullptr), CM_SUCCESS);
  ASSERT_EQ(queue->Enqueue(task(move), event, two), CM_SUCCESS);
  ASSERT_EQ(other->ReadSurface(got.data(), event), CM_SUCCESS);
  for (UINT z = 0; z < depth; ++z)
    EXPECT_TRUE(std::equal(&got[z * 32], &got[z * 32] + 32, &pixels[(depth - 1 - z) * 32])) << z;

  // The rows of a flat surface as slices.
  CmSurface2D *flat = surface(width, height * depth);
  ASSERT_EQ(flat->WriteSurface(pixels.data(), nullptr), CM_SUCCESS);
  CM_SURFACE2D_STATE_PARAM slices{};
  slices.height = height;
  slices.depth = depth;
  ASSERT_EQ(flat->SetSurfaceStateParam(nullptr, &slices), CM_SUCCESS);
  move->SetKernelArg(0, sizeof(SurfaceIndex), index(flat));
  ASSERT_EQ(other->InitSurface(0x01020304, nullptr), CM_SUCCESS);
  ASSERT_EQ(queue->Enqueue(task(move), event, two), CM_SUCCESS);
  ASSERT_EQ(other->ReadSurface(got.data(), event), CM_SUCCESS);
  for (UINT z = 0; z < depth; ++z)
    EXPECT_TRUE(std::equal(&got[z * 32], &got[z * 32] + 32, &pixels[(depth - 1 - z) * 32])) << z;
  slices.depth = depth + 1;
  EXPECT_REFUSED(flat->SetSurfaceStateParam(nullptr, &slices), CM_INVALID_ARG_VALUE, "leaves the surface");

  // Filtered, with a border of its own.
  CmKernel *look = kernel(own, "look");
  auto at = [&](int x, int y, int z, int channel, const float *border) -> double {
    if (x < 0 || x >= int(width) || z < 0 || z >= int(depth))
      return border[channel];
    y = std::clamp(y, 0, int(height) - 1);
    static constexpr int order[] = {2, 1, 0, 3};
    return pixels[std::size_t(((z * 2 + y) * 4 + x) * 4 + order[channel])] / 255.0;
  };
  CM_SAMPLER_STATE_EX state{};
  state.minFilterType = state.magFilterType = CM_TEXTURE_FILTER_TYPE_LINEAR;
  state.addressU = state.addressW = CM_TEXTURE_ADDRESS_BORDER;
  state.addressV = CM_TEXTURE_ADDRESS_CLAMP;
  state.SurfaceFormat = CM_PIXEL_OTHER;
  const float border[] = {0.25f, 0.5f, -1.0f, 2.0f};
  state.BorderColorRedF = border[0];
  state.BorderColorGreenF = border[1];
  state.BorderColorBlueF = border[2];
  state.BorderColorAlphaF = border[3];
  CmSampler *sampler = nullptr;
  SamplerIndex *handle = nullptr;
  SurfaceIndex *view = nullptr;
  ASSERT_EQ(device->CreateSamplerEx(state, sampler), CM_SUCCESS);
  ASSERT_EQ(sampler->GetIndex(handle), CM_SUCCESS);
  EXPECT_EQ(device->CreateSamplerSurface3D(nullptr, view), CM_FAILURE);
  ASSERT_EQ(device->CreateSamplerSurface3D(volume, view), CM_SUCCESS);
  float u[16], v[16], w[16], seen[80];
  for (int i = 0; i < 16; ++i) {
    u[i] = float(i * 7 % 16) / 11 - 0.2f;
    v[i] = float(i * 5 % 16) / 12 - 0.1f;
    w[i] = float(i * 3 % 16) / 10 - 0.25f;
  }
  CmBuffer *out = buffer(sizeof(seen));
  look->SetKernelArg(0, sizeof(SurfaceIndex), view);
  look->SetKernelArg(1, sizeof(SamplerIndex), handle);
  look->SetKernelArg(2, sizeof(SurfaceIndex), index(out));
  look->SetKernelArg(3, sizeof(u), u);
  look->SetKernelArg(4, sizeof(v), v);
  look->SetKernelArg(5, sizeof(w), w);
  look->SetThreadCount(1);
  ASSERT_EQ(queue->Enqueue(task(look), event, nullptr), CM_SUCCESS);
  out->ReadSurface(reinterpret_cast<unsigned char *>(seen), event);
  for (int i = 0; i < 16; ++i) {
    double x = double(u[i]) * 4 - 0.5, y = double(v[i]) * 2 - 0.5, z = double(w[i]) * 3 - 0.5;
    int ix = int(std::floor(x)), iy = int(std::floor(y)), iz = int(std::floor(z));
    for (int c = 0; c < 5; ++c) {
      double want = 0;
      int channel = c % 4, back = c == 4 ? -1 : 0;
      for (int k = 0; k < 8; ++k) {
        int dx = k & 1, dy = k >> 1 & 1, dz = k >> 2;
        want += at(ix + dx, iy + dy, iz + dz + back, channel, border) * (dx ? x - ix : 1 - (x - ix)) *
                (dy ? y - iy : 1 - (y - iy)) * (dz ? z - iz : 1 - (z - iz));
      }
      EXPECT_NEAR(seen[c * 16 + i], want, 1e-5) << "lane " << i << ", channel " << c;
    }
  }
  EXPECT_EQ(device->DestroySurface(volume), CM_SUCCESS);
  EXPECT_EQ(volume, nullptr);
  EXPECT_REFUSED(device->DestroySurface(volume), CM_NULL_POINTER, "null");
}

constexpr const char *pinsText = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void pins(SurfaceIndex a, vector<SurfaceIndex, 3> more, SurfaceIndex out) {
  vector<int, 4> from, v;
  read(SurfaceIndex(8), 0, from);  v(0) = from(0);
  read(SurfaceIndex(9), 0, from);  v(1) = from(0);
  read(SurfaceIndex(2), 0, from);  v(2) = from(0);
  read(more(1), 0, from);          v(3) = from(0);
  write(out, 0, v);
  read(a, 0, from);                v(0) = from(0);
  read(SurfaceIndex(239), 0, from); v(1) = from(0);
  vector<float, 16> sample;
  cm_3d_sample<CM_3D_SAMPLE_LZ, CM_R_ENABLE>(sample, 0, SamplerIndex(5), SurfaceIndex(40), vector<float, 16>(1.5f), vector<float, 16>(0.5f));
  v(2) = sample(0) * 1000;
  v(3) = 0;
  write(out, 16, v);
})";

TEST_F(PlanesAndSlots, slotsThatTheHostPins) {
  CmKernel *k = kernel(load(test::compiled("pins.cpp", pinsText)), "pins");
  auto holding = [&](int value) {
    CmBuffer *b = buffer(64);
    EXPECT_EQ(b->InitSurface(DWORD(value), nullptr), CM_SUCCESS);
    return b;
  };
  CmBuffer *out = buffer(64);
  SurfaceIndex three[] = {*index(holding(20)), *index(holding(21)), *index(holding(22))};
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(holding(10)));
  k->SetKernelArg(1, sizeof(three), three);
  k->SetKernelArg(2, sizeof(SurfaceIndex), index(out));
  EXPECT_REFUSED(k->SetSurfaceBTI(nullptr, 8), CM_NULL_POINTER, "null");
  EXPECT_REFUSED(k->SetSurfaceBTI(index(out), 7), CM_KERNELPAYLOAD_SURFACE_INVALID_BTINDEX, "8 to 239");
  EXPECT_REFUSED(k->SetSurfaceBTI(index(out), 240), CM_KERNELPAYLOAD_SURFACE_INVALID_BTINDEX, "240");
  // The slots of the first two arguments.
  EXPECT_EQ(k->SetSurfaceBTI(index(holding(1)), 8), CM_SUCCESS);
  EXPECT_EQ(k->SetSurfaceBTI(index(holding(2)), 9), CM_SUCCESS);
  EXPECT_EQ(k->SetSurfaceBTI(index(holding(239)), 239), CM_SUCCESS);
  EXPECT_REFUSED(k->SetSurfaceBTI(index(out), 8), CM_KERNELPAYLOAD_SURFACE_INVALID_BTINDEX, "already");
  CmSurface2D *image = surface(4, 4);
  EXPECT_REFUSED(k->SetStaticBuffer(4, index(out)), CM_INVALID_GLOBAL_BUFFER_INDEX, "4 static buffers");
  EXPECT_REFUSED(k->SetStaticBuffer(1, nullptr), CM_INVALID_BUFFER_HANDLER, "null");
  EXPECT_REFUSED(k->SetStaticBuffer(1, index(image)), CM_INVALID_BUFFER_HANDLER, "not a buffer");
  SurfaceIndex *alias = nullptr;
  CmBuffer *fixed = holding(3);
  ASSERT_EQ(device->CreateBufferAlias(fixed, alias), CM_SUCCESS);
  EXPECT_REFUSED(k->SetStaticBuffer(1, alias), CM_INVALID_ARG_INDEX, "alias");
  EXPECT_EQ(k->SetStaticBuffer(1, index(fixed)), CM_SUCCESS);
  CM_SAMPLER_STATE_EX state{};
  state.minFilterType = state.magFilterType = CM_TEXTURE_FILTER_TYPE_POINT;
  state.addressU = state.addressV = state.addressW = CM_TEXTURE_ADDRESS_BORDER;
  state.SurfaceFormat = CM_PIXEL_OTHER;
  state.BorderColorRedF = 0.5f;
  CmSampler *sampler = nullptr;
  SamplerIndex *handle = nullptr;
  ASSERT_EQ(device->CreateSamplerEx(state, sampler), CM_SUCCESS);
  ASSERT_EQ(sampler->GetIndex(handle), CM_SUCCESS);
  EXPECT_REFUSED(k->SetSamplerBTI(nullptr, 5), CM_NULL_POINTER, "null");
  EXPECT_REFUSED(k->SetSamplerBTI(handle, 16), CM_KERNELPAYLOAD_SAMPLER_INVALID_BTINDEX, "0 to 15");
  EXPECT_EQ(k->SetSamplerBTI(handle, 5), CM_SUCCESS);
  EXPECT_REFUSED(k->SetSamplerBTI(handle, 5), CM_FAILURE, "already");
  EXPECT_EQ(k->SetSurfaceBTI(index(image), 40), CM_SUCCESS);
  k->SetThreadCount(1);
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  int got[8];
  out->ReadSurface(reinterpret_cast<unsigned char *>(got), event, sizeof(got));
  EXPECT_EQ(std::vector<int>(got, got + 8), (std::vector<int>{1, 2, 3, 21, 10, 239, 500, 0}));
}

// Every planar format: what the host writes, packed, is where kernels see its planes, and back.
TEST_F(PlanesAndSlots, planesOfEveryFormat) {
  CmProgram *own = load(test::compiled("planes.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void planes(SurfaceIndex in, SurfaceIndex out, SurfaceIndex first) {
  matrix<uchar, 2, 8> y, u, v;
  read_plane(in, GENX_SURFACE_Y_PLANE, 0, 0, y);
  read_plane(in, GENX_SURFACE_U_PLANE, 0, 0, u);
  read_plane(in, GENX_SURFACE_V_PLANE, 0, 0, v);
  write(first, 0, y.format<uchar>());
  write(first, 16, u.format<uchar>());
  write(first, 32, v.format<uchar>());
  write_plane(out, GENX_SURFACE_Y_PLANE, 8, 2, y);
  write_plane(out, GENX_SURFACE_U_PLANE, 0, 0, u);
  write_plane(out, GENX_SURFACE_V_PLANE, 0, 0, v);
})"));
  struct Planar {
    CM_SURFACE_FORMAT format;
    UINT bytes, chroma, divisor;
    bool half, swapped;
  };
  const Planar all[] = {
      {CM_SURFACE_FORMAT_NV12, 1, 1, 2, false, false}, {CM_SURFACE_FORMAT_P010, 2, 1, 2, false, false},
      {CM_SURFACE_FORMAT_P016, 2, 1, 2, false, false}, {CM_SURFACE_FORMAT_P208, 1, 1, 1, false, false},
      {CM_SURFACE_FORMAT_411P, 1, 2, 1, false, false}, {CM_SURFACE_FORMAT_411R, 1, 2, 4, false, false},
      {CM_SURFACE_FORMAT_422H, 1, 2, 1, false, false}, {CM_SURFACE_FORMAT_422V, 1, 2, 2, false, false},
      {CM_SURFACE_FORMAT_444P, 1, 2, 1, false, false}, {CM_SURFACE_FORMAT_RGBP, 1, 2, 1, false, false},
      {CM_SURFACE_FORMAT_BGRP, 1, 2, 1, false, false}, {CM_SURFACE_FORMAT_IMC3, 1, 2, 2, false, false},
      {CM_SURFACE_FORMAT_YV12, 1, 2, 2, true, true},   {CM_SURFACE_FORMAT_I420, 1, 2, 2, true, false}};
  for (const Planar &p : all) {
    constexpr UINT width = 20, height = 8;
    UINT row = width * p.bytes, chromaRow = p.half ? row / 2 : row, chromaRows = height / p.divisor;
    std::size_t luma = row * height, chroma = std::size_t(chromaRow) * chromaRows, total = luma + p.chroma * chroma;
    std::vector<std::uint8_t> pixels(total), got(total + 1, 0xEE);
    for (std::size_t i = 0; i < total; ++i)
      pixels[i] = std::uint8_t(i * 7 + i / 13);
    CmSurface2D *in = nullptr, *out = nullptr;
    ASSERT_EQ(device->CreateSurface2D(width, height, p.format, in), CM_SUCCESS) << int(p.format);
    ASSERT_EQ(device->CreateSurface2D(width, height, p.format, out), CM_SUCCESS);
    ASSERT_EQ(in->WriteSurface(pixels.data(), nullptr), CM_SUCCESS);
    ASSERT_EQ(in->ReadSurface(got.data(), nullptr), CM_SUCCESS);
    EXPECT_EQ(got[total], 0xEE);
    got.pop_back();
    EXPECT_EQ(got, pixels) << int(p.format);
    ASSERT_EQ(out->InitSurface(0xAAAAAAAA, nullptr), CM_SUCCESS);
    CmBuffer *first = buffer(48);
    CmKernel *k = kernel(own, "planes");
    k->SetKernelArg(0, sizeof(SurfaceIndex), index(in));
    k->SetKernelArg(1, sizeof(SurfaceIndex), index(out));
    k->SetKernelArg(2, sizeof(SurfaceIndex), index(first));
    k->SetThreadCount(1);
    CmEvent *event = nullptr;
    ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
    std::uint8_t seen[48];
    first->ReadSurface(seen, event);
    std::vector<std::uint8_t> want(total, 0xAA);
    for (UINT plane = 0; plane < 3; ++plane) {
      std::size_t place = plane && p.swapped ? 3 - plane : plane; // in memory
      std::size_t base = plane ? luma + (place - 1) * chroma : 0;
      UINT stride = plane ? chromaRow : row, x = plane ? 0 : 8, y = plane ? 0 : 2;
      for (UINT r = 0; r < 2; ++r)
        for (UINT c = 0; c < 8; ++c) {
          bool there = plane <= p.chroma;
          std::uint8_t value = there ? pixels[base + r * stride + c] : 0;
          EXPECT_EQ(seen[plane * 16 + r * 8 + c], value) << int(p.format) << " plane " << plane;
          if (there)
            want[base + (y + r) * stride + x + c] = value;
        }
    }
    got.assign(total, 0);
    ASSERT_EQ(out->ReadSurface(got.data(), nullptr), CM_SUCCESS);
    EXPECT_EQ(got, want) << int(p.format);
    EXPECT_EQ(device->DestroySurface(in), CM_SUCCESS);
    EXPECT_EQ(device->DestroySurface(out), CM_SUCCESS);
  }
}

// Samplers of single threads: each thread sees the border of its own.
// A higher surface has its planes elsewhere.
TEST_F(PlanesAndSlots, planesGoIntoHigherSurfaces) {
  constexpr UINT width = 6, height = 4, higher = 8;
  struct Planar {
    CM_SURFACE_FORMAT format;
    UINT planes, chromaBytes; // of a row
  };
  for (const Planar &kind : {Planar{CM_SURFACE_FORMAT_NV12, 1, width}, Planar{CM_SURFACE_FORMAT_YV12, 2, width / 2}}) {
    CmSurface2D *from = nullptr, *to = nullptr;
    ASSERT_EQ(device->CreateSurface2D(width, height, kind.format, from), CM_SUCCESS);
    ASSERT_EQ(device->CreateSurface2D(width, higher, kind.format, to), CM_SUCCESS);
    std::vector<std::uint8_t> pixels(width * height * 3 / 2), got(width * higher * 3 / 2, 255);
    std::iota(pixels.begin(), pixels.end(), std::uint8_t(1));
    ASSERT_EQ(from->WriteSurface(pixels.data(), nullptr), CM_SUCCESS);
    CmEvent *event = nullptr;
    ASSERT_EQ(queue->EnqueueCopyGPUToGPU(to, from, CM_FASTCOPY_OPTION_BLOCKING, event), CM_SUCCESS);
    ASSERT_EQ(to->ReadSurface(got.data(), nullptr), CM_SUCCESS);
    std::vector<std::uint8_t> want(got.size(), 0);
    std::copy_n(pixels.begin(), width * height, want.begin());
    for (UINT p = 0; p < kind.planes; ++p)
      std::copy_n(pixels.begin() + width * height + p * kind.chromaBytes * height / 2, kind.chromaBytes * height / 2,
                  want.begin() + width * higher + p * kind.chromaBytes * higher / 2);
    EXPECT_EQ(got, want) << kind.format;
  }
}

TEST_F(PlanesAndSlots, samplersOfThreads) {
  CmKernel *k = kernel(load(test::compiled("samplers.cpp", R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void borders(SurfaceIndex in, SamplerIndex s, SurfaceIndex out) {
  vector<float, 16> sample;
  cm_3d_sample<CM_3D_SAMPLE_LZ, CM_R_ENABLE>(sample, 0, s, in, vector<float, 16>(1.5f), vector<float, 16>(0.5f));
  vector<float, 4> v = sample(0);
  write(out, get_thread_origin_x() * 16, v);
})")),
                       "borders");
  constexpr UINT threads = 6;
  ASSERT_EQ(k->SetThreadCount(threads), CM_SUCCESS);
  CmBuffer *out = buffer(threads * 16);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(surface(4, 4)));
  k->SetKernelArg(2, sizeof(SurfaceIndex), index(out));
  CM_SAMPLER_STATE_EX state{};
  state.minFilterType = state.magFilterType = CM_TEXTURE_FILTER_TYPE_POINT;
  state.addressU = state.addressV = state.addressW = CM_TEXTURE_ADDRESS_BORDER;
  state.SurfaceFormat = CM_PIXEL_UINT;
  for (UINT i = 0; i < threads; ++i) {
    state.BorderColorRedU = i % 4 * 10;
    CmSampler *sampler = nullptr;
    SamplerIndex *handle = nullptr;
    ASSERT_EQ(device->CreateSamplerEx(state, sampler), CM_SUCCESS);
    ASSERT_EQ(sampler->GetIndex(handle), CM_SUCCESS);
    EXPECT_EQ(k->SetThreadArg(i, 1, 3, handle), CM_INVALID_ARG_SIZE);
    ASSERT_EQ(k->SetThreadArg(i, 1, sizeof(SamplerIndex), handle), CM_SUCCESS);
  }
  CmEvent *event = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), event, nullptr), CM_SUCCESS);
  float got[threads][4];
  out->ReadSurface(reinterpret_cast<unsigned char *>(got), event);
  for (UINT i = 0; i < threads; ++i)
    EXPECT_EQ(got[i][0], float(i % 4 * 10)) << i;
}

} // namespace
