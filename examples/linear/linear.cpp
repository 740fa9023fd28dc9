// Runs the four linear filters of linear_genx.cpp on a photograph through the CM host API, checks each against plain
// C++ and times them on the photograph at 3840x2160; the results are written where a folder is given.
//
//     linear PROGRAM.isa PHOTO [OUTPUT-FOLDER]
//
// The photograph's packed RGB bytes lie in an A8R8G8B8 surface of 3/4 its width: the kernels count in bytes.

#include "cm_rt.h"
#include "image/Photo.h"
#include "plain.h"
#include "reference.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace {

using linear::Bytes;

void check(INT code, const char *call) {
  if (code != CM_SUCCESS)
    throw std::runtime_error(std::string(call) + " fails: " + GetCmErrorString(code));
}

/// The photograph's rows, padded to whole surface pixels by repeating the last pixel.
Bytes packed(const pocm::image::Photo &photo) {
  Bytes bytes{int((photo.stride() + 3) / 4 * 4), int(photo.height), {}};
  bytes.data.resize(std::size_t(bytes.rowBytes) * photo.height);
  for (unsigned y = 0; y < photo.height; ++y) {
    std::uint8_t *row = &bytes.data[y * std::size_t(bytes.rowBytes)];
    std::copy_n(&photo.pixels[y * photo.stride()], photo.stride(), row);
    for (std::size_t x = photo.stride(); x < std::size_t(bytes.rowBytes); ++x)
      row[x] = row[x - 3];
  }
  return bytes;
}

std::vector<char> readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error(std::string("cannot read '") + path + "'");
  return std::vector<char>(std::istreambuf_iterator<char>(file), {});
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// One image on the device, to be filtered by one kernel or another.
class Filter {
public:
  Filter(CmDevice *device, CmProgram *program, const Bytes &in) : device(device), program(program), in(in) {
    UINT width = UINT(in.rowBytes / 4), height = UINT(in.rows);
    check(device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_A8R8G8B8, input), "CreateSurface2D");
    check(device->CreateSurface2D(width, height, CM_SURFACE_FORMAT_A8R8G8B8, output), "CreateSurface2D");
    check(input->WriteSurface(in.data.data(), nullptr), "WriteSurface");
    check(device->CreateQueue(queue), "CreateQueue");
  }
  ~Filter() {
    device->DestroySurface(input);
    device->DestroySurface(output);
  }

  /// Runs the kernel `runs` times; returns the execution times in milliseconds.
  std::vector<double> run(const char *name, int runs) {
    CmKernel *kernel = nullptr;
    check(device->CreateKernel(program, name, kernel), "CreateKernel");
    SurfaceIndex *inputIndex = nullptr, *outputIndex = nullptr;
    check(input->GetIndex(inputIndex), "GetIndex");
    check(output->GetIndex(outputIndex), "GetIndex");
    check(kernel->SetKernelArg(0, sizeof(SurfaceIndex), inputIndex), "SetKernelArg");
    check(kernel->SetKernelArg(1, sizeof(SurfaceIndex), outputIndex), "SetKernelArg");

    // A thread makes 24 bytes of 6 rows.
    UINT width = UINT(in.rowBytes + 23) / 24, height = UINT(in.rows + 5) / 6;
    check(kernel->SetThreadCount(width * height), "SetThreadCount");
    CmThreadSpace *space = nullptr;
    check(device->CreateThreadSpace(width, height, space), "CreateThreadSpace");
    CmTask *task = nullptr;
    check(device->CreateTask(task), "CreateTask");
    check(task->AddKernel(kernel), "AddKernel");

    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
      CmEvent *event = nullptr;
      check(queue->Enqueue(task, event, space), "Enqueue");
      check(event->WaitForTaskFinished(60000), "WaitForTaskFinished");
      UINT64 nanoseconds = 0;
      check(event->GetExecutionTime(nanoseconds), "GetExecutionTime");
      times.push_back(double(nanoseconds) / 1e6);
      check(queue->DestroyEvent(event), "DestroyEvent");
    }
    check(device->DestroyTask(task), "DestroyTask");
    check(device->DestroyThreadSpace(space), "DestroyThreadSpace");
    check(device->DestroyKernel(kernel), "DestroyKernel");
    return times;
  }

  Bytes result() {
    Bytes out = in;
    check(output->ReadSurface(out.data.data(), nullptr), "ReadSurface");
    return out;
  }

private:
  CmDevice *device;
  CmProgram *program;
  const Bytes &in;
  CmSurface2D *input = nullptr, *output = nullptr;
  CmQueue *queue = nullptr;
};

void save(const std::string &path, const Bytes &bytes, const pocm::image::Photo &like) {
  pocm::image::Photo photo{like.width, like.height, 3, std::vector<std::uint8_t>(like.stride() * like.height)};
  for (unsigned y = 0; y < like.height; ++y)
    std::copy_n(&bytes.data[y * std::size_t(bytes.rowBytes)], like.stride(), &photo.pixels[y * like.stride()]);
  pocm::image::savePng(path, photo);
}

double timePlainLoop(decltype(plain_float) &loop, const Bytes &in, int runs) {
  std::vector<std::uint8_t> out(in.data.size());
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    auto begin = std::chrono::steady_clock::now();
    loop(in.data.data(), out.data(), in.rowBytes, in.rows, 0, in.rows);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  return median(times);
}

int run(const char *programPath, const char *photoPath, const std::string &folder) {
  constexpr unsigned timedWidth = 3840, timedHeight = 2160;
  constexpr int runs = 15;
  pocm::image::Photo photo = pocm::image::load(photoPath);
  Bytes small = packed(photo), large = packed(pocm::image::scaled(photo, timedWidth, timedHeight));
  if (!folder.empty())
    std::filesystem::create_directories(folder);

  CmDevice *device = nullptr;
  UINT version = 0;
  check(CreateCmDevice(device, version), "CreateCmDevice");
  std::vector<char> code = readFile(programPath);
  CmProgram *program = nullptr;
  check(device->LoadProgram(code.data(), UINT(code.size()), program), "LoadProgram");

  std::printf("%s, %u x %u; timed at %u x %u on one core\n\n", photoPath, photo.width, photo.height, timedWidth,
              timedHeight);
  double plain = timePlainLoop(plain_float, large, runs), integer = timePlainLoop(plain_integer, large, runs);
  double megapixels = timedWidth * timedHeight / 1e6;
  std::printf("%-14s %-8s %10s %12s %12s\n", "kernel", "correct", "ms", "Mpixel/s", "plain / CM");
  bool allCorrect = true;
  for (std::string_view kernel : linear::kernels) {
    std::string name(kernel);
    Filter onPhoto(device, program, small);
    onPhoto.run(name.c_str(), 1);
    Bytes out = onPhoto.result();
    Filter onLarge(device, program, large);
    double ms = median(onLarge.run(name.c_str(), runs));
    bool correct = out.data == linear::reference(kernel, small).data &&
                   onLarge.result().data == linear::reference(kernel, large).data;
    allCorrect &= correct;
    if (!folder.empty())
      save(folder + "/" + name + ".png", out, photo);
    std::printf("%-14s %-8s %10.3f %12.0f %11.2fx\n", name.c_str(), correct ? "yes" : "NO", ms, megapixels / ms * 1e3,
                plain / ms);
  }
  for (auto [name, ms] : {std::pair{"plain, float", plain}, {"plain, integer", integer}})
    std::printf("%-14s %-8s %10.3f %12.0f %11.2fx\n", name, "", ms, megapixels / ms * 1e3, plain / ms);
  if (!folder.empty())
    std::printf("\nThe filtered photographs are in %s.\n", folder.c_str());
  check(DestroyCmDevice(device), "DestroyCmDevice");
  return allCorrect ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: linear PROGRAM.isa PHOTO [OUTPUT-FOLDER]\n");
    return 2;
  }
  setenv("CM_RT_PARALLEL_THREADS", "1", 0); // the plain loop has one thread, too
  try {
    return run(argv[1], argv[2], argc > 3 ? argv[3] : "");
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "linear: %s\n", problem.what());
    return 2;
  }
}
