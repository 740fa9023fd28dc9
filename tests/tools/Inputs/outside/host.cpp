// Doubles numbers through the host API; the program file is PROGRAM, or the first argument.
#include "cm_rt.h"
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#ifndef PROGRAM
#define PROGRAM ""
#endif

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : PROGRAM, std::ios::binary);
  std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
  CmDevice *device = nullptr;
  UINT version = 0;
  CmProgram *program = nullptr;
  CmKernel *kernel = nullptr;
  CmTask *task = nullptr;
  CmQueue *queue = nullptr;
  CmBuffer *buffer = nullptr;
  CmThreadSpace *space = nullptr;
  SurfaceIndex *index = nullptr;
  CmEvent *event = nullptr;
  std::vector<int> numbers(32);
  for (int i = 0; i < 32; ++i)
    numbers[i] = i;
  bool fine = CreateCmDevice(device, version) == CM_SUCCESS &&
              device->LoadProgram(code.data(), code.size(), program) == CM_SUCCESS &&
              device->CreateKernel(program, "twice", kernel) == CM_SUCCESS &&
              device->CreateBuffer(128, buffer) == CM_SUCCESS &&
              buffer->WriteSurface(reinterpret_cast<unsigned char *>(numbers.data()), nullptr) == CM_SUCCESS &&
              buffer->GetIndex(index) == CM_SUCCESS && kernel->SetKernelArg(0, sizeof(*index), index) == CM_SUCCESS &&
              device->CreateThreadSpace(4, 1, space) == CM_SUCCESS && device->CreateTask(task) == CM_SUCCESS &&
              task->AddKernel(kernel) == CM_SUCCESS && device->CreateQueue(queue) == CM_SUCCESS &&
              queue->Enqueue(task, event, space) == CM_SUCCESS &&
              buffer->ReadSurface(reinterpret_cast<unsigned char *>(numbers.data()), event) == CM_SUCCESS &&
              DestroyCmDevice(device) == CM_SUCCESS;
  std::printf("%s: %d %d %d\n", fine ? "fine" : "failed", numbers[0], numbers[1], numbers[31]);
  return fine ? 0 : 1;
}
