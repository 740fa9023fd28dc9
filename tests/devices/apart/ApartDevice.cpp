// A device with memory of its own, for tests: the cpu device, whose surfaces lie on pages that nobody may touch but
// while a launch runs or the device copies. What the runtime or the host API does behind its back is a fault.
//
// - allocate: pages without access; address() is where kernels find them, and nobody else.
// - lend: pages, and the host's memory, which is copied when a launch begins, and back when it has ended; in between it
//   holds poison.
// - lend by address: the host's memory, which is what that means; so is what is too long to copy.
//
// A launch with surfaces that the device has not made fails. Programs that link this file have it under every name.
#include "runtime/Device.h"
#include "runtime/Opening.h"
#include <cstring>
#include <mutex>
#include <set>
#include <sys/mman.h>

namespace pocm::runtime {

std::unique_ptr<Device> openCpuDevice(const Opening &how);

namespace {

constexpr std::uint64_t page = 4096, readOver = 64;
constexpr std::uint8_t poison = 0xA5;

/// All pages of a device. They are open as long as anybody works with them.
class Vault {
public:
  void add(void *start, std::uint64_t bytes) {
    std::lock_guard guard(lock);
    all.emplace(start, bytes);
    protect(start, bytes);
  }
  void remove(void *start, std::uint64_t bytes) {
    std::lock_guard guard(lock);
    all.erase({start, bytes});
    munmap(start, bytes);
  }
  class Opened {
  public:
    explicit Opened(Vault &vault) : vault(vault) { vault.use(+1); }
    Opened(const Opened &) = delete;
    ~Opened() { vault.use(-1); }

  private:
    Vault &vault;
  };

private:
  void use(int more) {
    std::lock_guard guard(lock);
    const bool wasOpen = users > 0;
    users += more;
    if (wasOpen != users > 0)
      for (auto &[start, bytes] : all)
        protect(start, bytes);
  }
  void protect(void *start, std::uint64_t bytes) const {
    mprotect(start, bytes, users > 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
  }

  std::mutex lock;
  int users = 0;
  std::set<std::pair<void *, std::uint64_t>> all;
};

/// Memory on pages of a vault.
class Pages : public Storage {
public:
  Pages(std::shared_ptr<Vault> of, std::uint64_t count)
      : vault(std::move(of)), count(count), mapped((count + readOver + page - 1) / page * page) {
    void *p = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
      throw Error("no memory for a surface of " + std::to_string(count) + " bytes");
    start = static_cast<std::uint8_t *>(p);
    vault->add(start, mapped);
  }
  ~Pages() override { vault->remove(start, mapped); }

  std::uint8_t *address() const override { return start; }
  std::uint64_t size() const override { return count + readOver; }
  void download(void *to, std::uint64_t offset, std::uint64_t n) const override {
    Vault::Opened open(*vault);
    std::memcpy(to, start + offset, n);
  }
  void upload(const void *from, std::uint64_t offset, std::uint64_t n) override {
    Vault::Opened open(*vault);
    std::memcpy(start + offset, from, n);
  }
  void copy(std::uint64_t offset, const Storage &from, std::uint64_t there, std::uint64_t n) override {
    std::vector<std::uint8_t> bytes(n);
    from.download(bytes.data(), there, n);
    upload(bytes.data(), offset, n);
  }
  bool isOf(const Vault &device) const { return vault.get() == &device; }

protected:
  const std::shared_ptr<Vault> vault;
  const std::uint64_t count;

private:
  const std::uint64_t mapped;
  std::uint8_t *start = nullptr;
};

/// Pages for memory of the host's, which is what counts while no launch runs.
class Lent : public Pages {
public:
  Lent(std::shared_ptr<Vault> of, void *host, std::uint64_t count)
      : Pages(std::move(of), count), host(static_cast<std::uint8_t *>(host)) {}
  void download(void *to, std::uint64_t offset, std::uint64_t n) const override { std::memcpy(to, host + offset, n); }
  void upload(const void *from, std::uint64_t offset, std::uint64_t n) override { std::memcpy(host + offset, from, n); }

  void begin() {
    before.assign(host, host + count);
    std::memcpy(address(), host, count);
  }
  void hide() { std::memset(host, poison, count); }
  void restore() { std::memcpy(host, before.data(), count); }
  /// Only what has changed: another surface may lie over the same memory.
  void end() {
    for (std::uint64_t k = 0; k < count; ++k)
      if (address()[k] != before[k])
        host[k] = address()[k];
  }

private:
  std::uint8_t *const host;
  std::vector<std::uint8_t> before;
};

/// The host's memory is the device's for the time of a launch.
class Borrowed {
public:
  explicit Borrowed(std::set<Lent *> from) : all(std::move(from)) {
    for (Lent *lent : all)
      lent->begin();
    for (Lent *lent : all)
      lent->hide();
  }
  Borrowed(const Borrowed &) = delete;
  ~Borrowed() {
    for (Lent *lent : all)
      lent->restore();
    for (Lent *lent : all)
      lent->end();
  }

private:
  const std::set<Lent *> all;
};

class ApartDevice : public Device {
public:
  explicit ApartDevice(std::unique_ptr<Device> cpu) : cpu(std::move(cpu)) {}

  std::shared_ptr<Storage> allocate(std::uint64_t bytes) override { return std::make_shared<Pages>(vault, bytes); }
  std::shared_ptr<Storage> lend(void *host, std::uint64_t bytes, Lending how) override {
    constexpr std::uint64_t mostCopied = 64 << 20;
    if (how == Lending::AsSurface && bytes <= mostCopied)
      return std::make_shared<Lent>(vault, host, bytes);
    auto shared = Heap::lend(host, bytes, how);
    std::lock_guard guard(lock);
    std::erase_if(mapped, [](auto &storage) { return storage.expired(); });
    mapped.insert(shared);
    return shared;
  }

  std::shared_ptr<const Code> load(const SharedProgram &program, const KernelSignature &kernel) override {
    return cpu->load(program, kernel);
  }
  std::uint32_t surfaceSlots() const override { return cpu->surfaceSlots(); }
  void interrupt(const std::atomic<bool> &ended) override { cpu->interrupt(ended); }
  bool canHandOver(const Launch &launch) const override { return cpu->canHandOver(launch); }
  void handOver(const std::atomic<bool> &ended) override { cpu->handOver(ended); }

  void run(const Launch &launch, const std::atomic<bool> &ended) override {
    std::set<Lent *> lent;
    for (const std::shared_ptr<Memory> &memory : launch.bindings->surfaces)
      check(memory, lent);
    check(launch.print, lent);
    check(launch.data, lent);
    Vault::Opened open(*vault);
    Borrowed borrowed(lent);
    cpu->run(launch, ended);
  }

private:
  void check(const std::shared_ptr<Memory> &memory, std::set<Lent *> &lent) {
    if (!memory)
      return;
    auto *pages = dynamic_cast<Pages *>(memory->place().get());
    if (auto *host = dynamic_cast<Lent *>(pages))
      lent.insert(host);
    std::lock_guard guard(lock);
    if (pages ? !pages->isOf(*vault) : !mapped.contains(memory->place()))
      throw Error("a surface of the launch is no memory of this device");
  }

  const std::shared_ptr<Vault> vault = std::make_shared<Vault>();
  const std::unique_ptr<Device> cpu;
  std::mutex lock; // guards `mapped`
  std::set<std::weak_ptr<Storage>, std::owner_less<>> mapped;
};

} // namespace

std::unique_ptr<Device> openDevice(std::string_view, const DeviceOptions &options) {
  return std::make_unique<ApartDevice>(openCpuDevice(Opening("cpu", options)));
}

std::vector<std::string> deviceNames() { return {"cpu"}; }

} // namespace pocm::runtime
