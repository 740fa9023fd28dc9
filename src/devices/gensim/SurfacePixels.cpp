//===- SurfacePixels.cpp - Pixels of a surface, by its format -----------------------------===//
//
// Formats are the runtime's; what they mean is what the cpu device makes of them.
//
//===----------------------------------------------------------------------===//
#include "devices/gensim/SurfacePixels.h"
#include "codegen/helpers/Helpers.h"
#include "devices/cpu/Views.h"
#include <algorithm>

namespace pocm::gensim {
namespace {

class SurfacePixels : public Pixels {
public:
  SurfacePixels(runtime::Memory &memory, const std::vector<Sampler> &samplers) {
    view = cpu::viewOf(memory);
    for (const Sampler &s : samplers)
      states.push_back(cpu::viewOf(s));
    table.base = reinterpret_cast<std::uint8_t *>(states.data());
    table.bytes = std::int64_t(states.size() * sizeof(SamplerView));
  }
  void read(std::uint32_t u, std::uint32_t v, std::uint32_t w, std::uint32_t (&rgba)[4]) const override {
    std::uint8_t wanted = 1;
    pocm_typed_read_any(&view, 15, 1, &wanted, &u, &v, &w, rgba);
  }
  void write(std::uint32_t u, std::uint32_t v, std::uint32_t w, unsigned channel, std::uint32_t value) const override {
    std::uint8_t wanted = 1;
    pocm_typed_write_any(&view, 1u << channel, 1, &wanted, &u, &v, &w, &value);
  }
  std::uint8_t *at(std::uint32_t u, std::uint32_t v, std::uint32_t w) const override {
    bool flat = view.depth <= 1;
    if (u >= std::uint32_t(view.width / view.pixel) || v >= std::uint32_t(view.height) ||
        (!flat && w >= std::uint32_t(view.depth)))
      return nullptr;
    return view.base + (v + (flat ? 0 : std::int64_t(w) * view.height)) * view.pitch + std::int64_t(u) * view.pixel;
  }
  void sample(unsigned sampler, const float (&uvw)[3], const int (&by)[3], const float *reference,
              std::uint32_t (&rgba)[4]) const override {
    std::uint32_t mask =
        15 | std::uint32_t(by[2] & 15) << 16 | std::uint32_t(by[1] & 15) << 20 | std::uint32_t(by[0] & 15) << 24;
    pocm_sample_any(&view, &table, sampler, mask, 1, &uvw[0], &uvw[1], &uvw[2], reference, rgba);
  }

private:
  SurfaceView view{}, table{};
  std::vector<SamplerView> states;
};

} // namespace

std::shared_ptr<const Pixels> pixelsOf(runtime::Memory &memory, const std::vector<Sampler> &samplers) {
  return std::make_shared<SurfacePixels>(memory, samplers);
}

} // namespace pocm::gensim
