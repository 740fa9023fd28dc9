//===- Context.cpp - A device with its queue, and kernels bound to it ---------===//
#include "runtime/Context.h"
#include "program/Container.h"
#include <algorithm>
#include <cstring>
#include <set>

namespace pocm::runtime {

Kernel::Kernel(std::shared_ptr<const program::Container> owner, const KernelSignature &signature, Device &device,
               std::shared_ptr<Memory> data)
    : program(std::move(owner)), description(&signature), code(device.load(*program, signature)),
      layout(device.argumentLayout(signature)), block(layout.back()), set(signature.parameters.size()),
      data(std::move(data)) {
  std::uint32_t slots = firstSurface;
  for (const Parameter &p : signature.parameters) {
    if (p.kind == ParameterKind::Sampler)
      samplers.resize(samplerSlots + signature.parameters.size());
    firstSlot.push_back(slots);
    slots += p.kind == ParameterKind::Surface ? p.count : 0;
  }
  surfaces.resize(slots);
}

const Parameter &Kernel::parameter(unsigned index) const {
  if (index >= description->parameters.size())
    throw Error("kernel '" + description->name + "' has " + std::to_string(description->parameters.size()) +
                " parameters; there is no argument " + std::to_string(index));
  return description->parameters[index];
}

void Kernel::setValue(unsigned index, const void *value, std::size_t bytes) {
  const Parameter &p = parameter(index);
  std::string name = "argument " + std::to_string(index) + " of kernel '" + description->name + "'";
  if (p.kind != ParameterKind::General)
    throw Error(name + " is a " + (p.kind == ParameterKind::Sampler ? "sampler" : "surface") + ", not a value");
  if (bytes != p.bytes)
    throw Error(name + " takes " + std::to_string(p.bytes) + " bytes, not " + std::to_string(bytes));
  std::memcpy(block.data() + layout[index], value, bytes);
  set[index] = true;
}

void Kernel::setSurfaces(unsigned index, std::span<const std::shared_ptr<Memory>> memories) {
  const Parameter &p = parameter(index);
  std::string name = "argument " + std::to_string(index) + " of kernel '" + description->name + "'";
  if (p.kind != ParameterKind::Surface)
    throw Error(name + " is a value of type " + p.element + ", not a surface");
  if (memories.size() != p.count)
    throw Error(name + " takes " + std::to_string(p.count) + " surfaces, not " + std::to_string(memories.size()));
  std::copy(memories.begin(), memories.end(), surfaces.begin() + firstSlot[index]);
  place(index);
  set[index] = true;
}

/// Writes the slots of a surface parameter to the block of arguments.
void Kernel::place(unsigned index) {
  for (std::uint32_t i = 0; i < description->parameters[index].count; ++i) {
    std::uint32_t slot = surfaces[firstSlot[index] + i] ? firstSlot[index] + i : 0;
    std::memcpy(block.data() + layout[index] + i * sizeof(slot), &slot, sizeof(slot));
  }
}

void Kernel::pinSurface(std::uint32_t slot, std::shared_ptr<Memory> memory) {
  for (unsigned i = 0; i < description->parameters.size(); ++i) {
    const Parameter &p = description->parameters[i];
    if (p.kind != ParameterKind::Surface || slot < firstSlot[i] || slot >= firstSlot[i] + p.count)
      continue;
    auto to = std::uint32_t(surfaces.size());
    to = std::max(to, slot + 1);
    surfaces.resize(to + p.count);
    std::move(surfaces.begin() + firstSlot[i], surfaces.begin() + firstSlot[i] + p.count, surfaces.begin() + to);
    firstSlot[i] = to;
    if (set[i])
      place(i);
  }
  surfaces.resize(std::max<std::size_t>(surfaces.size(), slot + 1));
  surfaces[slot] = std::move(memory);
}

void Kernel::pinSampler(std::uint32_t slot, const Sampler &sampler) {
  samplers.resize(std::max<std::size_t>(samplers.size(), samplerSlots));
  samplers[slot] = sampler;
}

void Kernel::setSampler(unsigned index, const Sampler &sampler) {
  const Parameter &p = parameter(index);
  if (p.kind != ParameterKind::Sampler)
    throw Error("argument " + std::to_string(index) + " of kernel '" + description->name + "' is of type " + p.element +
                ", not a sampler");
  std::uint32_t number = samplerSlots + index;
  samplers[number] = sampler;
  std::memcpy(block.data() + layout[index], &number, sizeof(number));
  set[index] = true;
}

unsigned Kernel::missing() const {
  unsigned n = 0;
  for (bool s : set)
    n += !s;
  return n;
}

Launch Kernel::capture() const {
  Launch launch;
  launch.code = code;
  launch.arguments = block;
  launch.surfaces = surfaces;
  launch.samplers = samplers;
  launch.data = data;
  return launch;
}

std::shared_ptr<Kernel> Context::createKernel(std::shared_ptr<const program::Container> program,
                                              const KernelSignature &signature) {
  auto variables = dataOf(program);
  return std::make_shared<Kernel>(std::move(program), signature, *device, std::move(variables));
}

std::shared_ptr<Memory> Context::dataOf(const std::shared_ptr<const program::Container> &program) {
  if (program->data.empty())
    return nullptr;
  std::lock_guard guard(lock);
  std::erase_if(data, [](const auto &entry) { return entry.first.expired(); });
  std::shared_ptr<Memory> &memory = data[program];
  if (!memory) {
    memory = Memory::buffer(program->data.size());
    memory->write(program->data.data(), program->data.size(), 0);
  }
  return memory;
}

std::shared_ptr<Event> Context::enqueue(std::vector<Launch> launches) {
  constexpr std::uint64_t briefThreads = 64;
  std::uint64_t threads = 0;
  std::set<std::shared_ptr<Memory>> used;
  for (Launch &launch : launches) {
    threads += launch.threadCount();
    for (auto &memory : launch.surfaces)
      if (memory) {
        memory = Memory::seen(memory);
        used.insert(memory);
      }
    for (const auto &memory : {launch.print, launch.data})
      if (memory)
        used.insert(memory);
  }
  auto work = [this, launches = std::move(launches)] {
    for (const Launch &launch : launches) {
      if (launch.condition && !launch.condition())
        return;
      device->run(launch);
    }
  };
  auto event = queue.submit(std::move(work), threads <= briefThreads);
  for (const auto &memory : used)
    memory->usedBy(event);
  return event;
}

std::shared_ptr<Event> Context::enqueue(std::function<void()> work,
                                        const std::vector<std::shared_ptr<Memory>> &memories) {
  auto event = queue.submit(std::move(work), false);
  for (const auto &memory : memories)
    memory->usedBy(event);
  return event;
}

} // namespace pocm::runtime
