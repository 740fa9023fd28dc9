// OpenCL on this machine's CPU, by PoCL.
#define CL_TARGET_OPENCL_VERSION 120
#include "Peer.h"
#include <CL/cl.h>
#include <stdexcept>

namespace test {
namespace {

void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS)
    throw std::runtime_error(std::string(what) + " fails on the CPU: " + std::to_string(status));
}

cl_device_id cpuDevice() {
  cl_uint count = 0;
  cl_platform_id platforms[16];
  if (clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS)
    for (cl_uint k = 0; k < count && k < 16; ++k) {
      cl_device_id device;
      if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
        return device;
    }
  throw std::runtime_error("there is no OpenCL for this CPU (Debian's pocl-opencl-icd)");
}

} // namespace

struct Peer::State {
  cl_device_id device = cpuDevice();
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;

  ~State() {
    if (program)
      clReleaseProgram(program);
    if (queue)
      clReleaseCommandQueue(queue);
    if (context)
      clReleaseContext(context);
  }
};

Peer::Peer(const std::string &source, const std::string &options) : state(std::make_unique<State>()) {
  cl_int status = CL_SUCCESS;
  state->context = clCreateContext(nullptr, 1, &state->device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  state->queue = clCreateCommandQueue(state->context, state->device, 0, &status);
  check(status, "clCreateCommandQueue");
  const char *text = source.c_str();
  state->program = clCreateProgramWithSource(state->context, 1, &text, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  if (clBuildProgram(state->program, 1, &state->device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
    std::string log(65536, '\0');
    clGetProgramBuildInfo(state->program, state->device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    throw std::runtime_error("the CPU's compiler refuses the source: " + std::string(log.c_str()));
  }
}

Peer::~Peer() = default;

std::vector<std::vector<std::uint8_t>> Peer::run(const KernelLaunch &launch) {
  using Kind = LaunchArgument::Kind;
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(state->program, launch.kernel.c_str(), &status);
  check(status, "clCreateKernel");
  std::vector<cl_mem> memory(launch.arguments.size());
  std::vector<cl_sampler> samplers;
  for (cl_uint n = 0; n < launch.arguments.size(); ++n) {
    const LaunchArgument &a = launch.arguments[n];
    auto *bytes = const_cast<std::uint8_t *>(a.bytes.data());
    if (a.kind == Kind::Value) {
      check(clSetKernelArg(kernel, n, a.bytes.size(), bytes), "clSetKernelArg");
    } else if (a.kind == Kind::Local) {
      check(clSetKernelArg(kernel, n, a.localBytes, nullptr), "clSetKernelArg");
    } else if (a.kind == Kind::Sampler) {
      samplers.push_back(clCreateSampler(state->context, a.sampler.normalized, a.sampler.address,
                                         a.sampler.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &status));
      check(status, "clCreateSampler");
      check(clSetKernelArg(kernel, n, sizeof(cl_sampler), &samplers.back()), "clSetKernelArg");
    } else {
      if (a.kind == Kind::Buffer) {
        memory[n] =
            clCreateBuffer(state->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a.bytes.size(), bytes, &status);
      } else {
        cl_image_format format{cl_channel_order(a.format.order), cl_channel_type(a.format.type)};
        cl_image_desc shape{};
        shape.image_type = a.kind == Kind::ImageArray ? CL_MEM_OBJECT_IMAGE2D_ARRAY
                           : a.kind == Kind::Image1d  ? CL_MEM_OBJECT_IMAGE1D
                           : a.size[2] > 1            ? CL_MEM_OBJECT_IMAGE3D
                                                      : CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = a.size[0];
        shape.image_height = a.size[1];
        shape.image_depth = a.size[2];
        shape.image_array_size = a.size[2];
        memory[n] =
            clCreateImage(state->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &shape, bytes, &status);
      }
      check(status, ("creating memory for argument " + std::to_string(n) + " of " + launch.kernel).c_str());
      check(clSetKernelArg(kernel, n, sizeof(cl_mem), &memory[n]), "clSetKernelArg");
    }
  }
  std::size_t global[3], local[3], offset[3];
  for (unsigned d = 0; d < 3; ++d) {
    global[d] = launch.range.global[d];
    local[d] = launch.range.local[d];
    offset[d] = launch.range.offset[d];
  }
  check(
      clEnqueueNDRangeKernel(state->queue, kernel, launch.range.dimensions, offset, global, local, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
  check(clFinish(state->queue), "clFinish");
  std::vector<std::vector<std::uint8_t>> contents(launch.arguments.size());
  for (std::size_t n = 0; n < contents.size(); ++n) {
    const LaunchArgument &a = launch.arguments[n];
    if (!memory[n])
      continue;
    contents[n].resize(a.bytes.size());
    if (a.kind == Kind::Buffer) {
      check(clEnqueueReadBuffer(state->queue, memory[n], CL_TRUE, 0, contents[n].size(), contents[n].data(), 0, nullptr,
                                nullptr),
            "clEnqueueReadBuffer");
    } else {
      std::size_t origin[3] = {}, region[3] = {a.size[0], a.size[1], a.size[2]};
      check(clEnqueueReadImage(state->queue, memory[n], CL_TRUE, origin, region, 0, 0, contents[n].data(), 0, nullptr,
                               nullptr),
            "clEnqueueReadImage");
    }
    clReleaseMemObject(memory[n]);
  }
  for (cl_sampler s : samplers)
    clReleaseSampler(s);
  clReleaseKernel(kernel);
  return contents;
}

} // namespace test
