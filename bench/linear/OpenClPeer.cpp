//===- OpenClPeer.cpp - The filter as SIMT kernels on an OpenCL CPU device ------------===//
#define CL_TARGET_OPENCL_VERSION 120
#include "OpenClPeer.h"
#include <CL/cl.h>
#include <algorithm>
#include <stdexcept>

namespace bench {
namespace {

constexpr const char *source = R"(
kernel void images(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0;
  for (int j = -1; j < 2; j++)
    for (int i = -1; i < 2; i++)
      sum += read_imagef(in, nearest, (int2)(x + i, y + j));
  write_imagef(out, (int2)(x, y), sum * 0.1111f);
}
kernel void bytes(global const uchar *in, global uchar *out, int pitch) {
  int x = get_global_id(0) + 3, y = get_global_id(1) + 1;
  global const uchar *a = in + (y - 1) * pitch + x, *b = a + pitch, *c = b + pitch;
  ushort sum = a[-3] + a[0] + a[3] + b[-3] + b[0] + b[3] + c[-3] + c[0] + c[3];
  out[y * pitch + x] = (uint)sum * 7282u >> 16;
}
)";

void check(cl_int code, const char *call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " fails with " + std::to_string(code));
}

class Peer : public OpenClPeer {
public:
  Peer(cl_device_id device, const std::vector<std::uint8_t> &rgb, int width, int height)
      : device(device), width(std::size_t(width)), height(std::size_t(height)), pitch(width * 3) {
    cl_int code;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, const_cast<const char **>(&source), nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    images = clCreateKernel(program, "images", &code);
    check(code, "clCreateKernel");
    bytes = clCreateKernel(program, "bytes", &code);
    check(code, "clCreateKernel");

    std::vector<std::uint8_t> rgba(this->width * this->height * 4, 255);
    for (std::size_t i = 0; i < this->width * this->height; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        rgba[i * 4 + c] = rgb[i * 3 + c];
    cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = this->width;
    shape.image_height = this->height;
    imageIn = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, rgba.data(), &code);
    check(code, "clCreateImage");
    imageOut = clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &shape, nullptr, &code);
    check(code, "clCreateImage");
    byteIn = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, rgb.size(),
                            const_cast<std::uint8_t *>(rgb.data()), &code);
    check(code, "clCreateBuffer");
    byteOut = clCreateBuffer(context, CL_MEM_WRITE_ONLY, rgb.size(), nullptr, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(images, 0, sizeof(cl_mem), &imageIn), "clSetKernelArg");
    check(clSetKernelArg(images, 1, sizeof(cl_mem), &imageOut), "clSetKernelArg");
    check(clSetKernelArg(bytes, 0, sizeof(cl_mem), &byteIn), "clSetKernelArg");
    check(clSetKernelArg(bytes, 1, sizeof(cl_mem), &byteOut), "clSetKernelArg");
    check(clSetKernelArg(bytes, 2, sizeof(int), &pitch), "clSetKernelArg");
  }
  ~Peer() override {
    for (cl_mem memory : {imageIn, imageOut, byteIn, byteOut})
      clReleaseMemObject(memory);
    clReleaseKernel(images);
    clReleaseKernel(bytes);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }

  std::string name() const override {
    char text[256] = {};
    cl_platform_id platform;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, nullptr);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof(text) - 1, text, nullptr);
    return text;
  }
  void runImages() override {
    const std::size_t global[] = {width, height}, local[] = {16, 1};
    check(clEnqueueNDRangeKernel(queue, images, 2, nullptr, global, local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
  }
  void runBytes() override {
    constexpr std::size_t group = 128; // the columns that do not fill a group are left out, which favours the peer
    const std::size_t global[] = {std::size_t(pitch - 6) / group * group, height - 2}, local[] = {group, 1};
    check(clEnqueueNDRangeKernel(queue, bytes, 2, nullptr, global, local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
  }
  std::vector<std::uint8_t> readImages() override {
    std::vector<std::uint8_t> rgba(width * height * 4);
    const std::size_t origin[3] = {}, region[3] = {width, height, 1};
    check(clEnqueueReadImage(queue, imageOut, CL_TRUE, origin, region, 0, 0, rgba.data(), 0, nullptr, nullptr),
          "clEnqueueReadImage");
    return rgba;
  }
  std::vector<std::uint8_t> readBytes() override {
    std::vector<std::uint8_t> rgb(width * height * 3);
    check(clEnqueueReadBuffer(queue, byteOut, CL_TRUE, 0, rgb.size(), rgb.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return rgb;
  }

private:
  cl_device_id device;
  std::size_t width, height;
  int pitch;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel images, bytes;
  cl_mem imageIn, imageOut, byteIn, byteOut;
};

} // namespace

std::unique_ptr<OpenClPeer> OpenClPeer::open(const std::vector<std::uint8_t> &rgb, int width, int height) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
    return nullptr;
  for (cl_uint i = 0; i < std::min(count, 8u); ++i) {
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return std::make_unique<Peer>(device, rgb, width, height);
  }
  return nullptr;
}

} // namespace bench
