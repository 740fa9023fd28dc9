// Written as the public tutorials write their hosts, with Debian's header and nothing else.
#include "cm_rt.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    int result = (call);                                                                                               \
    if (result != CM_SUCCESS) {                                                                                        \
      std::fprintf(stderr, "%s: %s\n", #call, GetCmErrorString(result));                                               \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (false)

int main(int argc, char **argv) {
  std::FILE *file = std::fopen(argv[1], "rb");
  std::fseek(file, 0, SEEK_END);
  std::vector<char> code(std::ftell(file));
  std::rewind(file);
  if (std::fread(code.data(), 1, code.size(), file) != code.size())
    return 1;
  std::fclose(file);

  CmDevice *device = nullptr;
  UINT version = 0;
  CHECK(CreateCmDevice(device, version));
  std::printf("version %u\n", version);
  CmProgram *program = nullptr;
  CHECK(device->LoadProgram(code.data(), code.size(), program, "nojitter"));
  CmKernel *kernel = nullptr;
  CHECK(device->CreateKernel(program, "place", kernel));
  CmSurface2D *surface = nullptr;
  CHECK(device->CreateSurface2D(8, 8, CM_SURFACE_FORMAT_A8R8G8B8, surface));
  SurfaceIndex *index = nullptr;
  CHECK(surface->GetIndex(index));
  CHECK(kernel->SetThreadCount(64));
  CHECK(kernel->SetKernelArg(0, sizeof(SurfaceIndex), index));
  CmThreadSpace *space = nullptr;
  CHECK(device->CreateThreadSpace(8, 8, space));
  CmTask *task = nullptr;
  CHECK(device->CreateTask(task));
  CHECK(task->AddKernel(kernel));
  CmQueue *queue = nullptr;
  CHECK(device->CreateQueue(queue));
  CmEvent *event = nullptr;
  CHECK(queue->Enqueue(task, event, space));
  CHECK(device->DestroyTask(task));
  CHECK(device->DestroyThreadSpace(space));
  DWORD timeout = -1;
  CHECK(event->WaitForTaskFinished(timeout));
  std::vector<unsigned short> places(8 * 8 * 2);
  CHECK(surface->ReadSurface(reinterpret_cast<unsigned char *>(places.data()), event));
  UINT64 time = 0;
  CHECK(event->GetExecutionTime(time));
  CHECK(queue->DestroyEvent(event));
  int right = 0;
  for (int i = 0; i < 64; ++i)
    right += places[i * 2] == i % 8 && places[i * 2 + 1] == i / 8;
  std::printf("%d threads wrote their places\n", right);
  CHECK(DestroyCmDevice(device));
  return time > 0 ? 0 : 1;
}
