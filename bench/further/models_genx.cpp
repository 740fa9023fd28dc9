// Kernels of models: a fluid on a lattice, products with 4-bit weights, attention, ciphers by tables and by lanes,
// perspective, colour cubes, codes of several lengths, lists that are followed, a trellis, tridiagonal systems, large
// integers, numbers that are kept, coefficients in zigzag order.
#include <cm/cm.h>
#include <cm/cmtl.h>

template <class T, int N = 16> _GENX_ inline vector<T, N> lanes() {
  vector<T, N> lane;
  cmtl::cm_vector_assign<T, N>(lane, 0, 1);
  return lane;
}

/// A step of a fluid on a lattice with nine directions (D2Q9): what flows in from the neighbours collides. Nine planes
/// of `pitch` x (rows + 2) floats behind each other, in and out; a thread has 16 cells of a row.
extern "C" _GENX_MAIN_ void lattice(SurfaceIndex in, SurfaceIndex out, int pitch, int rows, float omega) {
  const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  int x = get_thread_origin_x() * 16 + 16, y = get_thread_origin_y() + 1, plane = pitch * (rows + 2);
  matrix<float, 9, 16> f;
#pragma unroll
  for (int k = 0; k < 9; ++k)
    read(DWALIGNED(in), (k * plane + (y - dy[k]) * pitch + x - dx[k]) * 4, f.row(k));
  vector<float, 16> density = f.row(0), u = 0, v = 0;
#pragma unroll
  for (int k = 1; k < 9; ++k) {
    density += f.row(k);
    u += f.row(k) * float(dx[k]);
    v += f.row(k) * float(dy[k]);
  }
  u /= density;
  v /= density;
  vector<float, 16> square = 1.0f - 1.5f * (u * u + v * v);
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const float weight = k == 0 ? 4.0f / 9 : k < 5 ? 1.0f / 9 : 1.0f / 36;
    vector<float, 16> along = 3.0f * (u * float(dx[k]) + v * float(dy[k]));
    vector<float, 16> rest = weight * density * (square + along + 0.5f * along * along);
    f.row(k) += omega * (rest - f.row(k));
    write(out, (k * plane + y * pitch + x) * 4, f.row(k));
  }
}

/// y = W x with weights of 4 bits: rows of `width`, a scale (half) for each 32; a thread has a row. A byte has two
/// weights, the lower one first, 8 of it is 0.
extern "C" _GENX_MAIN_ void fourbit(SurfaceIndex weights, SurfaceIndex scales, SurfaceIndex x, SurfaceIndex y,
                                    int width) {
  int row = get_thread_origin_x();
  vector<float, 32> sum = 0;
  for (int k = 0; k < width; k += 64) {
    vector<uchar, 32> bytes;
    read(weights, (row * width + k) / 2, bytes);
    vector<float, 64> factors;
    read(x, k * 4, factors.select<32, 1>(0));
    read(x, k * 4 + 128, factors.select<32, 1>(32));
    vector<uint, 1> scale;
    read(DWALIGNED(scales), (row * width + k) / 16, scale);
    vector<half, 2> two = scale.format<half>();
    vector<char, 64> w;
    w.select<32, 2>(0) = bytes & 15;
    w.select<32, 2>(1) = bytes >> 4;
    w -= 8;
    vector<float, 64> product = vector<float, 64>(w) * factors;
    sum += product.select<32, 1>(0) * float(two(0));
    sum += product.select<32, 1>(32) * float(two(1));
  }
  vector<float, 1> all = cm_sum<float>(sum);
  write(y, 0, vector<uint, 1>(row), all);
}

/// Attention of a query of 64 numbers over `keys` keys and values, as it is computed in one pass; a thread a query.
extern "C" _GENX_MAIN_ void attention(SurfaceIndex queries, SurfaceIndex keys, SurfaceIndex values, SurfaceIndex out,
                                      int count) {
  int at = get_thread_origin_x() * 256;
  vector<float, 64> q, sum = 0;
  read(queries, at, q.select<32, 1>(0));
  read(queries, at + 128, q.select<32, 1>(32));
  float most = -1e30f, total = 0;
  for (int k = 0; k < count; k += 8) {
    vector<float, 8> score;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      vector<float, 64> key;
      read(keys, (k + i) * 256, key.select<32, 1>(0));
      read(keys, (k + i) * 256 + 128, key.select<32, 1>(32));
      score(i) = cm_sum<float>(q * key) * 0.125f;
    }
    float now = cm_max<float>(most, cm_reduced_max<float>(score));
    float before = cm_exp((most - now) * 1.442695f);
    score = cm_exp((score - now) * 1.442695f);
    total = total * before + cm_sum<float>(score);
    sum *= before;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      vector<float, 64> value;
      read(values, (k + i) * 256, value.select<32, 1>(0));
      read(values, (k + i) * 256 + 128, value.select<32, 1>(32));
      sum += float(score(i)) * value;
    }
    most = now;
  }
  sum /= total;
  write(out, at, sum.select<32, 1>(0));
  write(out, at + 128, sum.select<32, 1>(32));
}

/// Nine rounds of AES by tables: 16 blocks of four dwords a thread, a lane each.
extern "C" _GENX_MAIN_ void tables(SurfaceIndex in, SurfaceIndex table, SurfaceIndex keys, SurfaceIndex out) {
  int at = get_thread_origin_x() * 256;
  vector<uint, 64> blocks;
  read(in, at, blocks.select<32, 1>(0));
  read(in, at + 128, blocks.select<32, 1>(32));
  matrix<uint, 4, 16> s, t;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    s.row(i) = blocks.select<16, 4>(i);
  for (int round = 0; round < 9; ++round) {
    vector<uint, 4> key;
    read(keys, round * 16, key);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      vector<uint, 16> a, b, c, d;
      read(table, 0, vector<uint, 16>(s.row(i) & 255), a);
      read(table, 256, vector<uint, 16>((s.row((i + 1) & 3) >> 8) & 255), b);
      read(table, 512, vector<uint, 16>((s.row((i + 2) & 3) >> 16) & 255), c);
      read(table, 768, vector<uint, 16>(s.row((i + 3) & 3) >> 24), d);
      t.row(i) = a ^ b ^ c ^ d ^ key(i);
    }
    s = t;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    blocks.select<16, 4>(i) = s.row(i);
  write(out, at, blocks.select<32, 1>(0));
  write(out, at + 128, blocks.select<32, 1>(32));
}

_GENX_ inline vector<unsigned long long, 8> turned(vector<unsigned long long, 8> x, int by) {
  return by ? (x << by) | (x >> (64 - by)) : x;
}

/// Keccak-f[1600] of eight states of 25 qwords, a lane each; the states lie qword by qword.
extern "C" _GENX_MAIN_ void sponge(SurfaceIndex in, SurfaceIndex constants, SurfaceIndex out) {
  const int by[25] = {0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14};
  int at = get_thread_origin_x() * 1600;
  matrix<unsigned long long, 25, 8> s, b;
#pragma unroll
  for (int i = 0; i < 25; ++i)
    read(in, at + i * 64, s.row(i));
  for (int round = 0; round < 24; ++round) {
    matrix<unsigned long long, 5, 8> c;
#pragma unroll
    for (int x = 0; x < 5; ++x)
      c.row(x) = s.row(x) ^ s.row(x + 5) ^ s.row(x + 10) ^ s.row(x + 15) ^ s.row(x + 20);
#pragma unroll
    for (int x = 0; x < 5; ++x) {
      vector<unsigned long long, 8> d = c.row((x + 4) % 5) ^ turned(c.row((x + 1) % 5), 1);
#pragma unroll
      for (int y = 0; y < 5; ++y)
        b.row(y + 5 * ((2 * x + 3 * y) % 5)) = turned(s.row(x + 5 * y) ^ d, by[x + 5 * y]);
    }
#pragma unroll
    for (int y = 0; y < 5; ++y)
#pragma unroll
      for (int x = 0; x < 5; ++x)
        s.row(x + 5 * y) = b.row(x + 5 * y) ^ (~b.row((x + 1) % 5 + 5 * y) & b.row((x + 2) % 5 + 5 * y));
    vector<unsigned long long, 2> constant;
    read(constants, round * 16, constant);
    s.row(0) ^= constant(0);
  }
#pragma unroll
  for (int i = 0; i < 25; ++i)
    write(out, at + i * 64, s.row(i));
}

/// A picture of RGBA dwords seen in perspective, four neighbours weighted; outside it is 0. A thread has 16 pixels.
extern "C" _GENX_MAIN_ void perspective(SurfaceIndex in, SurfaceIndex out, vector<float, 9> m, int width, int height) {
  int x0 = get_thread_origin_x() * 16, y = get_thread_origin_y();
  vector<float, 16> x = lanes<int>() + x0;
  vector<float, 16> w = 1.0f / (m(6) * x + (m(7) * y + m(8)));
  vector<float, 16> u = (m(0) * x + (m(1) * y + m(2))) * w, v = (m(3) * x + (m(4) * y + m(5))) * w;
  vector<float, 16> left = cm_rndd<float>(u), top = cm_rndd<float>(v);
  vector<int, 16> i = left, j = top;
  vector<ushort, 16> inside = (i >= 0) & (i < width - 1) & (j >= 0) & (j < height - 1);
  vector<uint, 16> result = 0;
  SIMD_IF_BEGIN(inside) {
    vector<uint, 16> a, b, c, d, at = j * width + i;
    read(in, 0, at, a);
    read(in, 1, at, b);
    read(in, width, at, c);
    read(in, width + 1, at, d);
    vector<uint, 16> fx = (u - left) * 256.0f, fy = (v - top) * 256.0f;
    vector<uint, 16> all = 0;
#pragma unroll
    for (int channel = 0; channel < 32; channel += 8) {
      vector<uint, 16> upper = ((a >> channel) & 255) * (256 - fx) + ((b >> channel) & 255) * fx;
      vector<uint, 16> lower = ((c >> channel) & 255) * (256 - fx) + ((d >> channel) & 255) * fx;
      all |= ((upper * (256 - fy) + lower * fy) >> 16) << channel;
    }
    result = all;
  }
  SIMD_IF_END;
  write(out, (y * width + x0) * 4, result);
}

/// Colours through a cube of 17 x 17 x 17 colours, eight corners weighted; RGBA dwords, 16 a thread.
extern "C" _GENX_MAIN_ void cube(SurfaceIndex in, SurfaceIndex colours, SurfaceIndex out) {
  int at = get_thread_origin_x() * 64;
  vector<uint, 16> p;
  read(in, at, p);
  vector<uint, 16> r = p & 255, g = (p >> 8) & 255, b = (p >> 16) & 255;
  vector<uint, 16> place = (r >> 4) + (g >> 4) * 17 + (b >> 4) * 289;
  r &= 15;
  g &= 15;
  b &= 15;
  vector<uint, 16> red = 0, green = 0, blue = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    vector<uint, 16> corner, wr = k & 1 ? r : vector<uint, 16>(16 - r), wg = k & 2 ? g : vector<uint, 16>(16 - g),
                             wb = k & 4 ? b : vector<uint, 16>(16 - b);
    read(colours, (k & 1) + (k >> 1 & 1) * 17 + (k >> 2) * 289, place, corner);
    vector<uint, 16> weight = wr * wg * wb;
    red += weight * (corner & 255);
    green += weight * ((corner >> 8) & 255);
    blue += weight * ((corner >> 16) & 255);
  }
  p = (p & 0xff000000) | (red >> 12) | (green >> 12) << 8 | (blue >> 12) << 16;
  write(out, at, p);
}

/// Codes of 1 to 8 bits, 64 letters of each of 16 streams of 40 dwords with 16 bits each, a lane a stream. A table of
/// 256 words gives the letter, and its code's length in the upper byte.
extern "C" _GENX_MAIN_ void codes(SurfaceIndex in, SurfaceIndex table, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<ushort, 256> letters;
#pragma unroll
  for (int i = 0; i < 256; i += 64)
    read(table, i * 2, letters.select<64, 1>(i));
  vector<uint, 16> next = (lanes<uint>() + thread * 16) * 40, bits = 0, have = 0, word = 0;
  for (int i = 0; i < 64; ++i) {
    SIMD_IF_BEGIN(have <= 16) {
      vector<uint, 16> fresh;
      read(in, 0, next, fresh);
      bits |= fresh << have;
      have += 16;
      next += 1;
    }
    SIMD_IF_END;
    vector<ushort, 16> code = letters.iselect(vector<ushort, 16>(bits & 255));
    vector<uint, 16> length = code >> 8;
    word = word >> 8 | vector<uint, 16>(code) << 24;
    bits >>= length;
    have -= length;
    if ((i & 3) == 3)
      write(out, 0, vector<uint, 16>((lanes<uint>() + thread * 16) * 16 + i / 4), word);
  }
}

/// The ends of lists: each of 16 lanes follows its links until one leads to itself, and counts them.
extern "C" _GENX_MAIN_ void lists(SurfaceIndex links, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uint, 16> at = lanes<uint>() + thread * 16, steps = 0;
  SIMD_DO_WHILE_BEGIN {
    vector<uint, 16> next;
    read(links, 0, at, next);
    SIMD_IF_BEGIN(next == at) { SIMD_BREAK; }
    SIMD_IF_END;
    at = next;
    steps += 1;
  }
  SIMD_DO_WHILE_END(steps < 1000);
  write(out, thread * 64, vector<uint, 16>(at << 10 | steps));
}

/// The least cost of each of 64 states of a convolutional code (K = 7) over `count` pairs of soft bits, and which way
/// each came, 64 bits a step.
extern "C" _GENX_MAIN_ void trellis(SurfaceIndex in, SurfaceIndex signs, SurfaceIndex ways, SurfaceIndex costs,
                                    int count) {
  uint thread = get_thread_origin_x();
  vector<short, 32> first, second;
  read(signs, 0, first);
  read(signs, 64, second);
  vector<short, 64> cost = 1000;
  cost(0) = 0;
  for (int i = 0; i < count; i += 16) {
    vector<short, 32> soft;
    read(in, (thread * count + i) * 4, soft);
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      vector<short, 32> branch = first * soft(2 * k) + second * soft(2 * k + 1);
      vector<short, 32> low = cost.select<32, 1>(0), high = cost.select<32, 1>(32);
      vector<short, 32> a = low + branch, b = high - branch, c = low - branch, d = high + branch;
      vector<uint, 2> taken;
      taken(0) = cm_pack_mask(a > b);
      taken(1) = cm_pack_mask(c > d);
      cost.select<32, 2>(0) = cm_min<short>(a, b);
      cost.select<32, 2>(1) = cm_min<short>(c, d);
      write(ways, 0, vector<uint, 2>(lanes<uint, 2>() + (thread * count + i + k) * 2), taken);
    }
    cost -= cm_reduced_min<short>(cost);
  }
  write(costs, thread * 128, cost);
}

/// Tridiagonal systems of 32 unknowns, 16 of them a thread, a lane each; they lie row by row: below, middle, above,
/// right side.
extern "C" _GENX_MAIN_ void systems(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 32 * 256, to = get_thread_origin_x() * 32 * 64;
  matrix<float, 32, 16> upper, right;
  vector<float, 16> c = 0, d = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    matrix<float, 4, 16> row;
    read(in, at + i * 256, row.select<2, 1, 16, 1>(0, 0).format<float>());
    read(in, at + i * 256 + 128, row.select<2, 1, 16, 1>(2, 0).format<float>());
    vector<float, 16> factor = 1.0f / (row.row(1) - row.row(0) * c);
    c = row.row(2) * factor;
    d = (row.row(3) - row.row(0) * d) * factor;
    upper.row(i) = c;
    right.row(i) = d;
  }
  vector<float, 16> x = 0;
#pragma unroll
  for (int i = 31; i >= 0; --i) {
    x = right.row(i) - upper.row(i) * x;
    write(out, to + i * 64, x);
  }
}

/// Products of integers of 256 bits, 512 bits each: 16 pairs a thread, a lane each, limb by limb.
extern "C" _GENX_MAIN_ void limbs(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 1024;
  matrix<uint, 8, 16> a, b;
  matrix<uint, 16, 16> r = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    read(in, at + i * 64, a.row(i));
    read(in, at + 512 + i * 64, b.row(i));
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    vector<uint, 16> carry = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      vector<unsigned long long, 16> product = vector<unsigned long long, 16>(a.row(i)) * b.row(k);
      product += r.row(i + k);
      product += carry;
      r.row(i + k) = product;
      carry = product >> 32;
    }
    r.row(i + 8) = carry;
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
    write(out, at + i * 64, r.row(i));
}

/// Of 256 dwords those below a limit, one behind the other, and how many they are.
extern "C" _GENX_MAIN_ void kept(SurfaceIndex in, SurfaceIndex out, SurfaceIndex counts, uint limit) {
  uint thread = get_thread_origin_x(), count = 0;
  for (int i = 0; i < 256; i += 16) {
    vector<uint, 16> value;
    read(in, thread * 1024 + i * 4, value);
    vector<ushort, 16> wanted = value < limit;
    vector<uint, 16> place = wanted;
#pragma unroll
    for (int step = 1; step < 16; step *= 2) {
      vector<uint, 32> wide = 0;
      wide.select<16, 1>(16) = place;
      place += wide.select<16, 1>(16 - step);
    }
    SIMD_IF_BEGIN(wanted) { write(out, thread * 256 + count - 1, place, value); }
    SIMD_IF_END;
    count += place(15);
  }
  write(counts, 0, vector<uint, 1>(thread), vector<uint, 1>(count));
}

/// 64 coefficients of words, divided by a table's numbers (a multiplication by their reciprocals), in zigzag order; a
/// thread has a block, and says how many there are up to the last one that is not 0.
extern "C" _GENX_MAIN_ void zigzag(SurfaceIndex in, SurfaceIndex factors, SurfaceIndex order, SurfaceIndex out,
                                   SurfaceIndex lengths) {
  uint thread = get_thread_origin_x();
  vector<short, 64> c, f;
  vector<ushort, 64> from;
  read(in, thread * 128, c);
  read(factors, 0, f);
  read(order, 0, from);
  vector<int, 64> scaled = (vector<int, 64>(c) * f + 0x4000) >> 15;
  vector<short, 64> q = scaled, z = q.iselect(from);
  write(out, thread * 128, z);
  uint low = cm_pack_mask(z.select<32, 1>(0) != 0), high = cm_pack_mask(z.select<32, 1>(32) != 0);
  uint length = high ? 64 - cm_lzd<uint>(high) : 32 - cm_lzd<uint>(low);
  write(lengths, 0, vector<uint, 1>(thread), vector<uint, 1>(length));
}
