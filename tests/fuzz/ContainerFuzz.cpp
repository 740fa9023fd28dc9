// Whatever bytes a program file has, reading it either succeeds or throws pocm::Error; a file that reads well is
// written and read again to the same contents. The checksum is repaired first, so that mutations reach what lies behind
// it.
#include "program/Container.h"
#include <cstdlib>
#include <cstring>

using namespace pocm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  constexpr std::size_t checksumField = 8, covered = 16, sizeField = 24, header = 32;
  std::vector<std::uint8_t> file(data, data + size);
  if (file.size() >= header) {
    std::memcpy(file.data(), "PoCM.isa", 8);
    std::uint64_t total = file.size();
    std::memcpy(file.data() + sizeField, &total, sizeof(total));
    std::uint64_t sum = program::checksum(std::span(file).subspan(covered));
    std::memcpy(file.data() + checksumField, &sum, sizeof(sum));
  }
  try {
    program::Container once = program::read(file);
    program::Container twice = program::read(program::write(once));
    if (once.ir != twice.ir || once.code != twice.code || once.kernels.size() != twice.kernels.size())
      std::abort();
  } catch (const Error &) {
  }
  return 0;
}
