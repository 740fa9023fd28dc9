// A program that loads the library at run time, lets go of it, and has a fault and a thread of its own afterwards.
#include "cm_rt.h"
#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>

int main(int, char **argv) {
  std::signal(SIGSEGV, [](int) {
    constexpr char text[] = "the program's own handler\n";
    _exit(write(1, text, sizeof(text) - 1) < 0);
  });
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::printf("%s\n", dlerror());
  auto create = reinterpret_cast<decltype(&CreateCmDevice)>(dlsym(library, "CreateCmDevice"));
  auto destroy = reinterpret_cast<decltype(&DestroyCmDevice)>(dlsym(library, "DestroyCmDevice"));
  std::thread([&] {
    CmDevice *device = nullptr;
    UINT version = 0;
    std::printf("created: %d\n", create(device, version, nullptr));
    std::printf("refused: %d\n", device->CreateBuffer(0, *new CmBuffer *));
    std::printf("destroyed: %d\n", destroy(device));
    dlclose(library);
  }).join();
  std::fflush(stdout);
  *reinterpret_cast<volatile int *>(16) = 1;
}
