//===- Sampler.cpp - Messages to the sampler ------------------------------------------------===//
#include "gensim/memory/Memory.h"
#include <algorithm>

namespace pocm::gensim {

namespace {
unsigned bits(std::uint32_t value, unsigned last, unsigned first) {
  return value >> first & ((2u << (last - first)) - 1);
}
} // namespace

/// sample_lz and sample_c_lz of floats, which are what CM's sample becomes, ld_lz, which takes numbers of texels, and
/// sample_l of the level 0, which is what OpenCL's images are asked for on DG2.
void sampler(const Message &m) {
  constexpr unsigned SampleLevel = 2, SampleLz = 0x18, SampleCompareLz = 0x19, LoadLz = 0x1A;
  std::uint32_t d = m.descriptor;
  unsigned type = bits(d, 16, 12), mode = bits(d, 18, 17);
  const std::string which = "of the sampler, type " + std::to_string(type);
  if ((type != SampleLevel && (type < SampleLz || type > LoadLz)) || (mode != 1 && mode != 2))
    m.refuse(which);
  // Registers of 64 bytes hold twice as many.
  unsigned lanes = (mode == 1 ? 8 : 16) * (m.thread.registerBytes / 32),
           header = bits(d, 19, 19) ? m.thread.registerBytes : 0;
  unsigned block = std::max(lanes * 4, m.thread.registerBytes);
  std::uint32_t disabled = 0, offsets = 0;
  if (header) {
    auto word = m.value<std::uint32_t>(8, "uses a header that nobody has written");
    disabled = bits(word, 15, 12);
    offsets = bits(word, 11, 0);
  }
  auto offset = [&](unsigned low) { return std::int32_t(offsets >> low << 28) >> 28; };
  int by[3] = {offset(8), offset(4), offset(0)};
  unsigned count = (m.length + m.extraLength) * m.thread.registerBytes / block; // of blocks, the header's not
  if (header)
    count = (m.length + m.extraLength - 1) * m.thread.registerBytes / block;
  bool compares = type == SampleCompareLz;
  const Surface &s = m.surface(bits(d, 7, 0));
  for (unsigned n = 0; n < lanes && n < m.i.size; ++n) {
    if (!(m.enabled >> n & 1))
      continue;
    float uvw[3] = {}, reference = 0;
    std::uint32_t rgba[4] = {}, texel[3] = {};
    unsigned at = 0;
    auto next = [&]<class T>(T &to) {
      to = m.value<T>(header + at++ * block + n * 4, "samples where nobody has said");
    };
    if (float level = 0; type == SampleLevel)
      if (next(level); level != 0)
        m.refuse(which + " of level " + std::to_string(level));
    if (compares)
      next(reference);
    for (unsigned k = 0; k < 3 && at < count; ++k)
      type == LoadLz ? next(texel[k]) : next(uvw[k]);
    for (unsigned k = 0; k < 3; ++k)
      texel[k] += std::uint32_t(by[k]);
    if (s.pixels && type == LoadLz)
      s.pixels->read(texel[0], texel[1], texel[2], rgba);
    else if (s.pixels)
      s.pixels->sample(bits(d, 11, 8), uvw, by, compares ? &reference : nullptr, rgba);
    unsigned row = 0;
    for (unsigned c = 0; c < 4; ++c)
      if (!(disabled >> c & 1) && row * block + n * 4 < m.responseLength * m.thread.registerBytes)
        m.respond(row++ * block + n * 4, &rgba[c], nullptr, 4);
  }
}

} // namespace pocm::gensim
