// That the device with memory of its own notices who touches it, so that the tests of the host API say something.
#include "cmrt/HostApi.h"
#include "runtime/Device.h"

namespace {

using namespace test;
using namespace pocm::runtime;

TEST(ApartMemory, touchingItIsAFault) {
  auto device = openDevice("cpu", {});
  auto memory = Memory::buffer(*device, 100);
  std::uint8_t byte = 7;
  memory->writeNow(&byte, 1, 99);
  EXPECT_DEATH(*const_cast<volatile std::uint8_t *>(memory->address()) = 1, ""); // a sanitizer ends it by itself
  byte = 0;
  memory->readNow(&byte, 1, 99);
  EXPECT_EQ(byte, 7);
}

using Apart = HostApi;

TEST_F(Apart, lentMemoryIsPoisonWhileItsKernelRuns) {
  const char *text = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void look(SurfaceIndex lent, svmptr_t host, SurfaceIndex seen) {
  vector<uchar, 16> mine, theirs;
  read(lent, 0, mine);
  cm_svm_block_read(host, theirs);
  write(seen, 0, mine);
  write(seen, 16, theirs);
  mine += 1;
  write(lent, 0, mine);
}
)";
  alignas(4096) static std::uint8_t host[4096];
  std::fill_n(host, 16, std::uint8_t(5));
  CmBufferUP *up = nullptr;
  ASSERT_EQ(device->CreateBufferUP(sizeof(host), host, up), CM_SUCCESS);
  CmBuffer *seen = buffer(32);
  CmKernel *k = kernel(load(compiled("look.cpp", text)), "look");
  auto address = reinterpret_cast<std::uintptr_t>(host);
  k->SetKernelArg(0, sizeof(SurfaceIndex), index(up));
  k->SetKernelArg(1, sizeof(address), &address);
  k->SetKernelArg(2, sizeof(SurfaceIndex), index(seen));
  k->SetThreadCount(1);
  CmEvent *e = nullptr;
  ASSERT_EQ(queue->Enqueue(task(k), e), CM_SUCCESS) << PocmLastError();
  ASSERT_EQ(e->WaitForTaskFinished(), CM_SUCCESS) << PocmLastError();
  std::uint8_t bytes[32];
  ASSERT_EQ(seen->ReadSurface(bytes, nullptr), CM_SUCCESS);
  EXPECT_EQ(bytes[0], 5);
  EXPECT_EQ(bytes[16], 0xA5);
  EXPECT_EQ(host[0], 6);
  EXPECT_EQ(device->DestroyBufferUP(up), CM_SUCCESS);
}

} // namespace
