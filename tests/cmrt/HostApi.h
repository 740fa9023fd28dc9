// What tests of the host API share: a device with a program, and shorthand for making its objects.
#pragma once

#include "Kernels.h"
#include "pocm/cmrt.h"
#include <gtest/gtest.h>

namespace test {

/// The code, and that the reason names what it should.
#define EXPECT_REFUSED(call, code, words)                                                                              \
  do {                                                                                                                 \
    EXPECT_EQ(call, code);                                                                                             \
    EXPECT_NE(std::string(PocmLastError()).find(words), std::string::npos) << PocmLastError();                         \
  } while (false)

inline constexpr const char *source = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void add(SurfaceIndex in, SurfaceIndex out, int value) {
  matrix<uchar, 1, 4> m;
  read(in, get_thread_origin_x() * 4, get_thread_origin_y(), m);
  m += value;
  write(out, get_thread_origin_x() * 4, get_thread_origin_y(), m);
}
extern "C" _GENX_MAIN_ void where(SurfaceIndex out) {
  vector<ushort, 2> v;
  v(0) = get_thread_origin_x();
  v(1) = get_thread_origin_y();
  write(out, get_thread_origin_x() * 4, get_thread_origin_y(), v);
}
)";

inline std::vector<std::uint8_t> compiled(const char *name, const char *text) {
  pocm::CompileOptions options;
  options.file = name;
  options.source = text;
  pocm::CompileResult result = pocm::compile(options);
  EXPECT_TRUE(result.ok) << result.diagnostics;
  return result.program;
}

inline std::vector<std::uint8_t> image() {
  static const std::vector<std::uint8_t> file = compiled("host_api.cpp", source);
  return file;
}

class HostApi : public testing::Test {
protected:
  void SetUp() override {
    setenv("POCM_CACHE_DIR", "off", 0);
    ASSERT_EQ(CreateCmDevice(device, version), CM_SUCCESS);
    program = load(image());
    ASSERT_NE(program, nullptr);
    ASSERT_EQ(device->CreateQueue(queue), CM_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(DestroyCmDevice(device), CM_SUCCESS); }

  CmProgram *load(std::vector<std::uint8_t> file) {
    CmProgram *p = nullptr;
    EXPECT_EQ(device->LoadProgram(file.data(), UINT(file.size()), p), CM_SUCCESS);
    return p;
  }
  CmKernel *kernel(const char *name) { return kernel(program, name); }
  CmKernel *kernel(CmProgram *of, const char *name) {
    CmKernel *k = nullptr;
    EXPECT_EQ(device->CreateKernel(of, name, k), CM_SUCCESS);
    return k;
  }
  CmTask *task(CmKernel *k) {
    CmTask *t = nullptr;
    EXPECT_EQ(device->CreateTask(t), CM_SUCCESS);
    EXPECT_EQ(t->AddKernel(k), CM_SUCCESS);
    return t;
  }
  CmSurface2D *surface(UINT width, UINT height) {
    CmSurface2D *s = nullptr;
    EXPECT_EQ(device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_A8R8G8B8, s), CM_SUCCESS);
    return s;
  }
  CmBuffer *buffer(UINT bytes) {
    CmBuffer *b = nullptr;
    EXPECT_EQ(device->CreateBuffer(bytes, b), CM_SUCCESS);
    return b;
  }
  template <class Surface> static SurfaceIndex *index(Surface *s) {
    SurfaceIndex *i = nullptr;
    EXPECT_EQ(s->GetIndex(i), CM_SUCCESS);
    return i;
  }

  CmDevice *device = nullptr;
  UINT version = 0;
  CmProgram *program = nullptr;
  CmQueue *queue = nullptr;
};

} // namespace test
