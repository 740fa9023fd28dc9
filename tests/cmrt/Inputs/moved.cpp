// A program that makes a kernel in another folder than it was started in.
#include "cm_rt.h"
#include <cstdio>
#include <unistd.h>
#include <vector>

int main(int, char **argv) {
  std::vector<char> code(1u << 20);
  std::FILE *file = std::fopen(argv[1], "rb");
  const UINT bytes = UINT(std::fread(code.data(), 1, code.size(), file));
  CmDevice *device = nullptr;
  CmProgram *program = nullptr;
  CmKernel *kernel = nullptr;
  UINT version = 0;
  if (chdir(argv[2]) || CreateCmDevice(device, version) || device->LoadProgram(code.data(), bytes, program))
    return 1;
  std::printf("kernel: %d\n", device->CreateKernel(program, "place", kernel));
  return DestroyCmDevice(device);
}
