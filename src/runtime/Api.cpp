//===- Api.cpp - The device half of pocm/pocm.h over the runtime --------------===//
#include "program/Formats.h"
#include "program/Inside.h"
#include "runtime/Context.h"
#include "runtime/Print.h"
#include <cstdio>

namespace pocm {

std::size_t Buffer::bytes() const { return inner->geometry().width; }

void Buffer::read(void *to, std::size_t count, std::size_t offset) const {
  if (offset > bytes() || count > bytes() - offset)
    throw Error("read of " + std::to_string(count) + " bytes at " + std::to_string(offset) + " leaves a buffer of " +
                std::to_string(bytes()) + " bytes");
  inner->read(to, count, offset);
}

void Buffer::write(const void *from, std::size_t count, std::size_t offset) {
  if (offset > bytes() || count > bytes() - offset)
    throw Error("write of " + std::to_string(count) + " bytes at " + std::to_string(offset) + " leaves a buffer of " +
                std::to_string(bytes()) + " bytes");
  inner->write(from, count, offset);
}

std::uint32_t Image::width() const { return inner->geometry().width; }
std::uint32_t Image::height() const { return inner->geometry().height; }
std::uint32_t Image::bytesPerPixel() const { return inner->geometry().pixelBytes; }

void Image::read(void *to, std::size_t stride) const { inner->readRows(static_cast<std::uint8_t *>(to), stride); }
void Image::write(const void *from, std::size_t stride) {
  inner->writeRows(static_cast<const std::uint8_t *>(from), stride);
}

namespace {
template <class Surface> std::vector<std::shared_ptr<runtime::Memory>> memoriesOf(std::span<const Surface> surfaces) {
  std::vector<std::shared_ptr<runtime::Memory>> all;
  for (const Surface &s : surfaces)
    all.push_back(Inside::of(s));
  return all;
}
} // namespace
void Kernel::setArgument(unsigned index, std::span<const Buffer> buffers) {
  inner->setSurfaces(index, memoriesOf(buffers));
}
void Kernel::setArgument(unsigned index, std::span<const Image> images) {
  inner->setSurfaces(index, memoriesOf(images));
}
void Kernel::setArgument(unsigned index, const Sampler &sampler) { inner->setSampler(index, sampler); }
const KernelSignature &Kernel::signature() const { return inner->signature(); }
void Kernel::setArgument(unsigned index, const void *value, std::size_t bytes) { inner->setValue(index, value, bytes); }
void Kernel::setArgument(unsigned index, const Buffer &buffer) {
  if (inner->takesAddress(index))
    inner->setAddress(index, Inside::of(buffer));
  else
    inner->setSurface(index, Inside::of(buffer));
}
void Kernel::setArgument(unsigned index, const Image &image) { inner->setSurface(index, Inside::of(image)); }

void Event::wait() const {
  inner->wait();
  if (output) {
    std::string text = output->take();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  if (std::string problem = inner->problem(); !problem.empty())
    throw Error(problem);
}
void Event::end(std::string_view reason) const {
  if (auto device = context.lock()) // or else it is finished
    device->end(*inner, std::string(reason));
}
bool Event::finished() const { return inner->finished(); }
double Event::progress() const {
  if (inner->finished())
    return 1;
  return threads && threads->all ? double(threads->done.load(std::memory_order_relaxed)) / double(threads->all) : 0;
}
std::uint64_t Event::nanoseconds() const {
  if (!inner->finished())
    throw Error("the launch has not finished; wait for it before asking for its time");
  return inner->nanoseconds();
}

Device Device::open(std::string_view name, const DeviceOptions &options) {
  return Inside::around<Device>(std::make_shared<runtime::Context>(name, options));
}
std::vector<Finding> Device::findings() const { return inner->findings(); }
void startProfile(Device &device, const Kernel &kernel) { Inside::of(device)->startProfile(*Inside::of(kernel)); }
Profile endProfile(Device &device) { return Inside::of(device)->endProfile(); }
Work workOf(const Device &device) { return Inside::of(device)->work(); }
std::vector<std::string> Device::names() { return runtime::deviceNames(); }

Buffer Device::createBuffer(std::size_t bytes) {
  constexpr std::size_t most = 0x80000000u;
  if (bytes == 0 || bytes > most)
    throw Error("a buffer has 1 to " + std::to_string(most) + " bytes, not " + std::to_string(bytes));
  return Inside::around<Buffer>(runtime::Memory::buffer(inner->heap(), bytes));
}

Image Device::createImage(std::uint32_t width, std::uint32_t height, std::uint32_t bytesPerPixel) {
  constexpr std::uint32_t most = 16384;
  if (width == 0 || height == 0 || width > most || height > most)
    throw Error("an image has 1 to " + std::to_string(most) + " pixels a side, not " + std::to_string(width) + "x" +
                std::to_string(height));
  if (bytesPerPixel == 0 || bytesPerPixel > 16 || (bytesPerPixel & (bytesPerPixel - 1)))
    throw Error("a pixel has 1, 2, 4, 8 or 16 bytes, not " + std::to_string(bytesPerPixel));
  return Inside::around<Image>(runtime::Memory::image(inner->heap(), width, height, bytesPerPixel));
}

Image Device::createImage(std::uint32_t width, std::uint32_t height, std::string_view format) {
  unsigned number = formatNumber(format), bytes = formatBytes(format);
  if (!number)
    throw Error("unknown surface format '" + std::string(format) + "'");
  if (formatIsPlanar(number) && (width % 2 || height % 2))
    throw Error("an image of format " + std::string(format) + " has an even width and height, not " +
                std::to_string(width) + "x" + std::to_string(height));
  constexpr std::uint32_t most = 16384;
  if (width == 0 || height == 0 || width > most || height > most)
    throw Error("an image has 1 to " + std::to_string(most) + " pixels a side, not " + std::to_string(width) + "x" +
                std::to_string(height));
  return Inside::around<Image>(runtime::Memory::image(inner->heap(), width, height, bytes, number));
}

Kernel Device::createKernel(const Program &program, std::string_view name) {
  return Inside::around<Kernel>(inner->createKernel(Inside::of(program), program.kernel(name)));
}

namespace {
Event launch(const std::shared_ptr<runtime::Context> &context, const Kernel &kernel,
             std::vector<runtime::Rectangle> threads, std::optional<runtime::Grid> grid) {
  if (unsigned n = Inside::of(kernel)->missing())
    throw Error("kernel '" + kernel.signature().name + "' cannot be launched: " + std::to_string(n) +
                " of its arguments are not set");
  std::vector<runtime::Launch> launches;
  launches.push_back(Inside::of(kernel)->capture());
  launches.back().threads = std::move(threads);
  launches.back().grid = grid;
  std::shared_ptr<runtime::Progress> progress;
  if (context->countsThreads) {
    progress = std::make_shared<runtime::Progress>();
    progress->all = launches.back().threadCount();
    launches.back().progress = progress;
  }
  if (!launches.back().code->prints())
    return Inside::around(context->enqueue(std::move(launches)), nullptr, context, progress);
  // Output appears when somebody waits for the launch.
  auto output = std::make_shared<runtime::PrintBuffer>(context->heap());
  launches.back().print = output->memory();
  return Inside::around(context->enqueue(std::move(launches)), output, context, progress);
}
} // namespace

Event Device::enqueue(const Kernel &kernel, ThreadSpace space) {
  constexpr std::uint32_t most = 1u << 16; // thread coordinates are ushort
  if (space.width == 0 || space.height == 0 || space.width > most || space.height > most)
    throw Error("a thread space has 1 to " + std::to_string(most) + " threads a side, not " +
                std::to_string(space.width) + "x" + std::to_string(space.height));
  return launch(inner, kernel, {{0, space.width, 0, space.height}}, {});
}

Event Device::enqueueThread(const Kernel &kernel, std::uint32_t x, std::uint32_t y) {
  constexpr std::uint32_t most = 1u << 16;
  if (x >= most || y >= most)
    throw Error("a thread space has at most " + std::to_string(most) + " threads a side; there is no thread (" +
                std::to_string(x) + ", " + std::to_string(y) + ")");
  return launch(inner, kernel, {{x, x + 1, y, y + 1}}, {});
}

Event Device::enqueueGroups(const Kernel &kernel, const ThreadGroups &groups) {
  constexpr std::uint64_t mostThreads = 1024, mostGroups = 1u << 31;
  runtime::Grid grid;
  std::uint64_t threads = 1, count = 1;
  for (int d = 0; d < 3; ++d) {
    grid.groups[d] = groups.groups[d];
    grid.threads[d] = groups.threads[d];
    threads = std::min<std::uint64_t>(threads * groups.threads[d], mostThreads + 1);
    count = std::min<std::uint64_t>(count * groups.groups[d], mostGroups + 1);
  }
  if (threads == 0 || threads > mostThreads)
    throw Error("a thread group has 1 to " + std::to_string(mostThreads) + " threads, not " +
                std::to_string(groups.threads[0]) + "x" + std::to_string(groups.threads[1]) + "x" +
                std::to_string(groups.threads[2]));
  if (count == 0 || count > mostGroups)
    throw Error("a launch has 1 to " + std::to_string(mostGroups) + " groups, not " + std::to_string(groups.groups[0]) +
                "x" + std::to_string(groups.groups[1]) + "x" + std::to_string(groups.groups[2]));
  for (int d = 0; d < 3; ++d)
    if (grid.side(d) > UINT32_MAX)
      throw Error("a launch has at most " + std::to_string(UINT32_MAX) + " threads a side, not " +
                  std::to_string(groups.groups[d]) + " groups of " + std::to_string(groups.threads[d]));
  return launch(inner, kernel, {}, grid);
}

} // namespace pocm
