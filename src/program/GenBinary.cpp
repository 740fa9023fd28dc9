//===- GenBinary.cpp - Gen code inside a program file ------------------------===//
#include "program/GenBinary.h"
#include "program/Bytes.h"
#include "program/Container.h"
#include "program/Inside.h"
#include "program/KernelNames.h"
#include <algorithm>

namespace pocm::program {

std::vector<std::uint8_t> writeGenKernels(const std::vector<GenKernel> &kernels) {
  Writer w;
  w.number(std::uint32_t(kernels.size()));
  for (const GenKernel &kernel : kernels) {
    w.text(kernel.name);
    w.number(std::uint32_t(kernel.inputs.size()));
    for (const GenInput &input : kernel.inputs) {
      w.number(input.kind);
      w.number(input.offset);
      w.number(input.size);
    }
    w.number(kernel.slmBytes);
    w.number(std::uint8_t(kernel.hasBarrier));
    w.number(kernel.instructions);
    w.number(kernel.registers);
    w.number(kernel.registersThere);
    w.number(kernel.registerBytes);
    w.number(kernel.frameBytes);
    w.number(kernel.spillBytes);
    w.number(std::uint32_t(kernel.code.size()));
    w.append(kernel.code);
  }
  return std::move(w.bytes);
}

std::vector<GenKernel> readGenKernels(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t leastKernel = 41, leastInput = 12;
  Reader r(bytes);
  std::vector<GenKernel> kernels(r.count(leastKernel));
  for (GenKernel &kernel : kernels) {
    kernel.name = r.text();
    if (!isKernelName(kernel.name))
      damaged("the name of a kernel is no identifier");
    kernel.inputs.resize(r.count(leastInput));
    for (GenInput &input : kernel.inputs) {
      input.kind = r.number<std::uint32_t>();
      input.offset = r.number<std::uint32_t>();
      input.size = r.number<std::uint32_t>();
    }
    kernel.slmBytes = r.number<std::uint32_t>();
    kernel.hasBarrier = r.number<std::uint8_t>() != 0;
    kernel.instructions = r.number<std::uint32_t>();
    kernel.registers = r.number<std::uint32_t>();
    kernel.registersThere = r.number<std::uint32_t>();
    kernel.registerBytes = r.number<std::uint32_t>();
    kernel.frameBytes = r.number<std::uint32_t>();
    kernel.spillBytes = r.number<std::uint32_t>();
    std::uint32_t size = r.count(1);
    kernel.code.assign(r.rest.begin(), r.rest.begin() + size);
    r.rest = r.rest.subspan(size);
  }
  return kernels;
}

} // namespace pocm::program

namespace pocm {

std::vector<std::uint8_t> addGenCode(const std::vector<std::uint8_t> &file, const std::string &target,
                                     const std::vector<GenKernel> &kernels) {
  program::Container container = program::read(file);
  std::erase_if(container.code, [&](const program::TargetCode &code) { return code.target == target; });
  container.code.push_back({target, program::writeGenKernels(kernels)});
  return program::write(container);
}

std::vector<GenKernel> genKernels(const Program &program, const std::string &target) {
  for (const program::TargetCode &code : Inside::of(program)->code)
    if (code.target == target)
      return program::readGenKernels(code.code);
  return {};
}

} // namespace pocm
