//===- runtime.cpp - Tutorial programs of the host API beside peers on the same cores ------===//
//
//     bench-runtime [ROUNDS]      one host thread
//
// integral: 3840x2160 bytes, blocks of 32 x 8 in a wavefront; peers: OpenCV's integral, a plain loop.
// nbody: one step of 16,384 bodies, 4,096 at a time in shared local memory; peers: OpenCL on the CPU (PoCL) with tiles
// of 256 in local memory, written by component and by vector, ispc, a plain loop.
//
//===----------------------------------------------------------------------===//
#define CL_TARGET_OPENCL_VERSION 120
#include "Harness.h"
#include "peers.h"
#include "tutorials/tutorial.h"
#include <CL/cl.h>
#include <bit>
#include <cmath>
#include <cstring>
#if __has_include(<opencv2/imgproc.hpp>) && defined(POCM_BENCH_OPENCV)
#include <opencv2/imgproc.hpp>
#define WITH_OPENCV 1
#else
#define WITH_OPENCV 0
#endif

#ifdef POCM_BENCH_ISPC
extern "C" void ispc_nbody(int n, const float *x, const float *y, const float *z, const float *m, float softening,
                           float *ax, float *ay, float *az);
#endif

namespace {

bool integral(int rounds) {
  constexpr int width = 3840, height = 2160;
  std::vector<std::uint8_t> pixels(width * height);
  std::mt19937 random(1);
  for (auto &p : pixels)
    p = std::uint8_t(random());
  std::vector<std::uint32_t> want(width * height), got(width * height), plain(width * height);
  plain_integral(width, height, pixels.data(), want.data());

  tutorial::Session session(POCM_PROGRAMS "/integral_genx.isa");
  CmSurface2D *in = nullptr, *out = nullptr;
  CHECK(session.device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R8_UINT, in));
  CHECK(session.device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_R32_UINT, out));
  CHECK(in->WriteSurface(pixels.data(), nullptr));
  CmKernel *kernel = session.kernel("integral");
  tutorial::setAll(kernel, in, out);
  CmThreadSpace *space = session.space((width + 31) / 32, (height + 7) / 8);
  CHECK(space->SelectThreadDependencyPattern(CM_WAVEFRONT));
  CmTask *task = session.task({kernel});
  std::vector<bench::Case> cases;
#if WITH_OPENCV
  cv::setNumThreads(1);
  cv::Mat from(height, width, CV_8U, pixels.data()), to;
  cases.push_back({"OpenCV integral", [&] { cv::integral(from, to, CV_32S); },
                   [&] {
                     for (int y = 0; y < height; ++y) // with a row and a column of zeros in front
                       if (std::memcmp(to.ptr<int>(y + 1) + 1, &want[std::size_t(y * width)], width * 4))
                         return false;
                     return true;
                   }});
#endif
  cases.push_back({"plain loop, g++ -O3 -march=native",
                   [&] { plain_integral(width, height, pixels.data(), plain.data()); }, [&] { return plain == want; }});
  cases.push_back({"PoCM, integral through the host API", [&] { session.run(task, space); },
                   [&] {
                     CHECK(out->ReadSurface(reinterpret_cast<unsigned char *>(got.data()), nullptr));
                     return got == want;
                   }});
  std::printf("integral image, 3840x2160, one thread\n");
  return bench::table(cases, rounds);
}

constexpr int bodies = 16384;
constexpr float dt = 0.01f, softening = 0.5f;

constexpr const char *clSource = R"(
#define TILE 256
#define STEP(NAME, ...)                                                                                                \
  kernel void NAME(global const float4 *p, global const float4 *v, global float4 *newP, global float4 *newV, int n,    \
                   float dt, float softening) {                                                                        \
    local float4 tile[TILE];                                                                                           \
    int i = get_global_id(0);                                                                                          \
    float4 me = p[i];                                                                                                  \
    float3 a = 0;                                                                                                      \
    for (int start = 0; start < n; start += TILE) {                                                                    \
      tile[get_local_id(0)] = p[start + get_local_id(0)];                                                              \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
      for (int j = 0; j < TILE; j++)                                                                                   \
        __VA_ARGS__                                                                                                    \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    }                                                                                                                  \
    float4 speed = v[i];                                                                                               \
    speed.xyz += a * dt;                                                                                               \
    me.xyz += speed.xyz * dt;                                                                                          \
    newP[i] = me;                                                                                                      \
    newV[i] = speed;                                                                                                   \
  }
STEP(vectors, {
  float3 d = tile[j].xyz - me.xyz;
  float q = rsqrt(dot(d, d) + softening);
  a += d * (tile[j].w * q * q * q);
})
STEP(scalars, {
  float4 other = tile[j];
  float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  float q = rsqrt(dx * dx + dy * dy + dz * dz + softening), pull = other.w * q * q * q;
  a.x += pull * dx;
  a.y += pull * dy;
  a.z += pull * dz;
})
)";

void must(cl_int code, const char *call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " fails with " + std::to_string(code));
}

/// The same step on an OpenCL CPU device.
class OpenClBodies {
public:
  OpenClBodies(const std::vector<float> &p, const std::vector<float> &v, const char *name, const char *options) {
    cl_platform_id platform;
    must(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int code;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    cl_program program = clCreateProgramWithSource(context, 1, const_cast<const char **>(&clSource), nullptr, &code);
    must(clBuildProgram(program, 1, &device, options, nullptr, nullptr), "clBuildProgram");
    kernel = clCreateKernel(program, name, &code);
    must(code, "clCreateKernel");
    for (int i = 0; i < 4; ++i) {
      auto *data = const_cast<float *>(i == 0 ? p.data() : v.data());
      memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bodies * 16, data, &code);
      must(clSetKernelArg(kernel, cl_uint(i), sizeof(cl_mem), &memory[i]), "clSetKernelArg");
    }
    must(clSetKernelArg(kernel, 4, sizeof(int), &bodies), "clSetKernelArg");
    must(clSetKernelArg(kernel, 5, sizeof(float), &dt), "clSetKernelArg");
    must(clSetKernelArg(kernel, 6, sizeof(float), &softening), "clSetKernelArg");
  }
  void run() {
    size_t global = bodies, local = 256;
    must(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), "enqueue");
    must(clFinish(queue), "clFinish");
  }
  std::vector<float> velocities() {
    std::vector<float> v(bodies * 4);
    must(clEnqueueReadBuffer(queue, memory[3], CL_TRUE, 0, v.size() * 4, v.data(), 0, nullptr, nullptr), "read");
    return v;
  }

private:
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  cl_mem memory[4] = {};
};

/// `magnitudes`: coordinates and masses are positive floats of random bits, of all magnitudes up to 1; else bodies are
/// spread evenly.
bool nbody(int rounds, bool magnitudes) {
  std::vector<float> p(bodies * 4), v(bodies * 4), separate[7];
  for (auto &s : separate)
    s.resize(bodies);
  std::mt19937 random(3);
  std::uniform_real_distribution<float> place(-10, 10), mass(0.1f, 1);
  for (std::size_t i = 0; i < bodies; ++i)
    for (std::size_t c = 0; c < 4; ++c)
      separate[c][i] = p[i * 4 + c] = magnitudes ? std::bit_cast<float>(std::uint32_t(random()) & 0x3f7fffff)
                                      : c < 3    ? place(random)
                                                 : mass(random);
  auto separately = [&](auto step) {
    step(bodies, separate[0].data(), separate[1].data(), separate[2].data(), separate[3].data(), softening,
         separate[4].data(), separate[5].data(), separate[6].data());
  };
  separately(plain_nbody);
  const std::vector<float> want[3] = {separate[4], separate[5], separate[6]};
  auto close = [&](auto value, float scale) {
    for (std::size_t i = 0; i < bodies; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        if (std::abs(value(i, c) - want[c][i] * scale) > 1e-3f * (1 + std::abs(want[c][i])))
          return false;
    return true;
  };
  auto closeVelocities = [&](const std::vector<float> &velocities) {
    return close([&](std::size_t i, std::size_t c) { return velocities[i * 4 + c]; }, dt);
  };
  auto closeAccelerations = [&] { return close([&](std::size_t i, std::size_t c) { return separate[4 + c][i]; }, 1); };

  tutorial::Session session(POCM_PROGRAMS "/nbody_genx.isa");
  std::vector<float> result(bodies * 4);
  CmBuffer *newP = session.buffer(result), *newV = session.buffer(result);
  CmKernel *kernel = session.kernel("nbody");
  tutorial::setAll(kernel, session.buffer(p), session.buffer(v), newP, newV, bodies, dt, softening);
  CmThreadGroupSpace *groups = nullptr;
  CHECK(session.device->CreateThreadGroupSpace(32, 1, bodies / 16 / 32, 1, groups));
  CmTask *task = session.task({kernel});
  const char *relaxed = "-cl-fast-relaxed-math -cl-mad-enable";
  OpenClBodies scalars(p, v, "scalars", relaxed), vectors(p, v, "vectors", ""),
      relaxedVectors(p, v, "vectors", relaxed);
  std::vector<bench::Case> cases;
  auto peer = [&](const char *name, OpenClBodies &openCl) {
    cases.push_back({name, [&] { openCl.run(); }, [&] { return closeVelocities(openCl.velocities()); }});
  };
  peer("OpenCL (PoCL), x, y, z one by one, relaxed math", scalars);
  peer("OpenCL (PoCL), float3 and dot, relaxed math", relaxedVectors);
  peer("OpenCL (PoCL), float3 and dot", vectors);
  cases.push_back({"plain loop, g++ -O3 -march=native", [&] { separately(plain_nbody); }, closeAccelerations});
#ifdef POCM_BENCH_ISPC
  cases.push_back({"ispc, -O3 --opt=fast-math", [&] { separately(ispc_nbody); }, closeAccelerations});
#endif
  cases.push_back({"PoCM, nbody through the host API",
                   [&] {
                     CmEvent *event = nullptr;
                     CHECK(session.queue->EnqueueWithGroup(task, event, groups));
                     session.finish(event);
                   },
                   [&] {
                     session.read(newV, result, nullptr);
                     return closeVelocities(result);
                   }});
  std::printf("\nn-body, one step of 16,384 bodies, %s, one thread\n",
              magnitudes ? "coordinates of all magnitudes up to 1" : "spread evenly");
  return bench::table(cases, rounds);
}

} // namespace

int main(int argc, char **argv) {
  setenv("CM_RT_PARALLEL_THREADS", "1", 1);
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
  int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  try {
    bool correct = integral(rounds);
    for (bool magnitudes : {false, true})
      correct &= nbody(std::max(3, rounds / 3), magnitudes);
#ifndef POCM_BENCH_ISPC
    std::printf("ispc peer: none on the PATH when this was built\n");
#endif
    return correct ? 0 : 1;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "bench-runtime: %s\n", problem.what());
    return 2;
  }
}
