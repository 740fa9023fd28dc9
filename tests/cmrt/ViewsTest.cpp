// Parts of surfaces seen as other surfaces: none leads out of its memory.
#include "Ends.h"
#include <random>
#include <sys/mman.h>

namespace {

using namespace test;

TEST_F(Ends, viewsThatLeaveTheirSurface) {
  CmSurface2D *row = surface(8, 1), *planes = nullptr, *s = surface(64, 64);
  EXPECT_REFUSED(row->SetProperty(CM_BOTTOM_FIELD), CM_INVALID_ARG_VALUE, "has no such field");
  EXPECT_EQ(row->SetProperty(CM_TOP_FIELD), CM_SUCCESS);
  ASSERT_EQ(device->CreateSurface2D(64, 64, CM_SURFACE_FORMAT_NV12, planes), CM_SUCCESS);
  CM_SURFACE2D_STATE_PARAM state{};
  state.width = 32;
  EXPECT_REFUSED(planes->SetSurfaceStateParam(nullptr, &state), CM_SURFACE_FORMAT_NOT_SUPPORTED, "with planes");
  state.surface_y_offset = ~0u;
  state.pitch = ~0u;
  EXPECT_REFUSED(s->SetSurfaceStateParam(nullptr, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  state = {};
  state.height = 1u << 21;
  state.depth = 2048;
  EXPECT_REFUSED(s->SetSurfaceStateParam(nullptr, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  state = {};
  state.surface_x_offset = 65;
  EXPECT_REFUSED(s->SetSurfaceStateParam(nullptr, &state), CM_INVALID_ARG_VALUE, "leaves the surface's");
  EXPECT_EQ(launch(with("copy", *index(s), *index(row)), 100)->WaitForTaskFinished(), CM_SUCCESS);
}

// Whatever is called in whatever order: kernels touch nothing around the memory of a surface. The surfaces lie over
// memory between pages that may not be touched; under AddressSanitizer those of the library are watched as well.
TEST_F(Ends, randomSequencesOfViews) {
  if (underThreadSanitizer) // the threads of a launch read what others write
    GTEST_SKIP();
  constexpr const char *text = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void all(SurfaceIndex in, SurfaceIndex out) {
  int x = int(get_thread_origin_x()) * 24 - 40, y = int(get_thread_origin_y()) * 6 - 10;
  matrix<uchar, 8, 32> m, u;
  read(in, x, y, m);
  read_plane(in, GENX_SURFACE_UV_PLANE, x, y, u);
  m += u;
  write(out, x, y, m);
  write_plane(out, GENX_SURFACE_UV_PLANE, x, y, u);
  vector<uint, 8> v;
  read(in, (y * 64 + x) * 16, v);
  write(out, (y * 64 + x) * 16, v);
}
)";
  CmProgram *p = load(compiled("views.cpp", text));
  CmKernel *k = kernel(p, "all");
  CmThreadSpace *s = space(8, 20);
  constexpr std::size_t page = 4096, most = 16 * page;
  auto *room = static_cast<std::uint8_t *>(
      mmap(nullptr, most + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(room, page, PROT_NONE);
  mprotect(room + page + most, page, PROT_NONE);
  std::minstd_rand random(1);
  auto below = [&](UINT n) { return UINT(random() % n); };
  constexpr CM_SURFACE_FORMAT formats[] = {CM_SURFACE_FORMAT_A8R8G8B8, CM_SURFACE_FORMAT_NV12, CM_SURFACE_FORMAT_YV12,
                                           CM_SURFACE_FORMAT_R16_UINT, CM_SURFACE_FORMAT_P208, CM_SURFACE_FORMAT_I420};
  int accepted = 0;
  for (int round = 0; round < 200; ++round) {
    CM_SURFACE_FORMAT format = formats[below(6)];
    UINT width = 2 * (1 + below(32)), height = 2 * (1 + below(24)), pitch = 0, bytes = 0;
    if (format == CM_SURFACE_FORMAT_A8R8G8B8 || format == CM_SURFACE_FORMAT_R16_UINT)
      height -= below(2);
    ASSERT_EQ(device->GetSurface2DInfo(width, height, format, pitch, bytes), CM_SUCCESS);
    ASSERT_LE(bytes, most);
    CmSurface2DUP *up = nullptr;
    CmSurface2D *own = nullptr;
    // As near to one of the pages as the rule of whole pages lets it.
    std::uint8_t *at = below(2) ? room + page : room + page + most - (bytes + page - 1) / page * page;
    ASSERT_EQ(device->CreateSurface2DUP(width, height, format, at, up), CM_SUCCESS);
    ASSERT_EQ(device->CreateSurface2D(width, height, format, own), CM_SUCCESS);
    SurfaceIndex *indices[3] = {index(up), index(own), index(own)};
    for (int step = 0; step < 6; ++step) {
      CM_SURFACE2D_STATE_PARAM state{};
      auto size = [&](UINT around) { return below(8) ? below(2 * around) : UINT(random()) << below(4); };
      switch (below(4)) {
      case 0:
        accepted += up->SetProperty(CM_FRAME_TYPE(below(3))) == CM_SUCCESS;
        break;
      case 1:
        accepted += own->SetProperty(CM_FRAME_TYPE(below(3))) == CM_SUCCESS;
        break;
      case 2:
        device->CreateSurface2DAlias(own, indices[2]);
        if (!indices[2])
          indices[2] = index(own);
        break;
      default:
        if (below(2))
          state.format = formats[below(4)];
        state.width = below(2) ? size(width) : 0;
        state.height = below(2) ? size(height) : 0;
        state.pitch = below(2) ? size(pitch) : 0;
        state.depth = below(4) ? 0 : below(5);
        state.surface_x_offset = below(2) ? size(width) : 0;
        state.surface_y_offset = below(2) ? size(height) : 0;
        accepted += own->SetSurfaceStateParam(indices[1 + below(2)], &state) == CM_SUCCESS;
      }
    }
    ASSERT_EQ(k->SetKernelArg(0, sizeof(SurfaceIndex), indices[below(3)]), CM_SUCCESS);
    ASSERT_EQ(k->SetKernelArg(1, sizeof(SurfaceIndex), indices[below(3)]), CM_SUCCESS);
    CmEvent *e = nullptr;
    CmTask *t = task(k);
    ASSERT_EQ(queue->Enqueue(t, e, s), CM_SUCCESS) << PocmLastError();
    ASSERT_EQ(e->WaitForTaskFinished(), CM_SUCCESS) << round << ": " << PocmLastError();
    device->DestroyTask(t);
    device->DestroySurface2DUP(up);
    device->DestroySurface(own);
  }
  EXPECT_GT(accepted, 100);
  munmap(room, most + 2 * page);
}

} // namespace
