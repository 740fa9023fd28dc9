// Kernels of bits and bytes: CRC, a search, distances of descriptors, life, SHA-256, base64. Buffers.
#include <cm/cm.h>

/// CRC-32 of 16 messages of 4 * `count` bytes; dword i of all messages, then dword i + 1.
extern "C" _GENX_MAIN_ void crc(SurfaceIndex in, SurfaceIndex tables, SurfaceIndex out, int count) {
  uint thread = get_thread_origin_x();
  vector<uint, 256> table;
#pragma unroll
  for (int part = 0; part < 8; ++part)
    read(tables, part * 128, table.select<32, 1>(part * 32));
  vector<uint, 16> sum = 0xffffffff;
  for (int i = 0; i < count; ++i) {
    vector<uint, 16> data;
    read(in, (thread * count + i) * 64, data);
    sum ^= data;
#pragma unroll
    for (int byte = 0; byte < 4; ++byte)
      sum = table.iselect(vector<ushort, 16>(sum & 255)) ^ (sum >> 8);
  }
  write(out, thread * 64, vector<uint, 16>(~sum));
}

/// At how many of 224 places the eight bytes of `words` begin.
extern "C" _GENX_MAIN_ void search(SurfaceIndex in, SurfaceIndex out, vector<uint, 2> words) {
  uint thread = get_thread_origin_x();
  vector<uchar, 256> text;
#pragma unroll
  for (int part = 0; part < 2; ++part)
    read(in, thread * 224 + part * 128, text.select<128, 1>(part * 128));
  vector<uchar, 8> pattern = words.format<uchar>();
  vector<ushort, 224> hits = 1;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    hits &= text.select<224, 1>(i) == pattern(i);
  write(out, thread * 16, vector<uint, 4>(cm_sum<uint>(hits)));
}

/// In how many bits each of 16 descriptors of 256 bits differs from one.
extern "C" _GENX_MAIN_ void hamming(SurfaceIndex in, SurfaceIndex out, vector<uint, 8> query) {
  uint thread = get_thread_origin_x();
  matrix<uint, 16, 8> descriptors;
#pragma unroll
  for (int part = 0; part < 4; ++part)
    read(in, thread * 512 + part * 128, descriptors.select<4, 1, 8, 1>(part * 4, 0).format<uint>());
  vector<uint, 16> distance = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    distance += cm_cbit(vector<uint, 16>(descriptors.column(k) ^ query(k)));
  write(out, thread * 64, distance);
}

struct Row {
  vector<uint, 16> sum, carry; // of a cell and those beside it
};

_GENX_ inline Row row(SurfaceIndex in, int at, vector_ref<uint, 16> cells, vector_ref<uint, 16> sides, vector_ref<uint, 16> both) {
  vector<uint, 16> before, after;
  read(DWALIGNED(in), at - 4, before);
  read(DWALIGNED(in), at, cells);
  read(DWALIGNED(in), at + 4, after);
  vector<uint, 16> left = (cells << 1) | (before >> 31), right = (cells >> 1) | (after << 31);
  sides = left ^ right;
  both = left & right;
  Row r;
  r.sum = sides ^ cells;
  r.carry = both | (sides & cells);
  return r;
}

/// Conway's life, a bit a cell, 512 cells of a row; rows of `pitch` bytes.
extern "C" _GENX_MAIN_ void life(SurfaceIndex in, SurfaceIndex out, int pitch) {
  int at = (get_thread_origin_y() + 1) * pitch + 16 + get_thread_origin_x() * 64;
  vector<uint, 16> cells, sides, both, unused, unusedSides, unusedBoth;
  Row above = row(in, at - pitch, unused, unusedSides, unusedBoth);
  Row here = row(in, at, cells, sides, both);
  Row below = row(in, at + pitch, unused, unusedSides, unusedBoth);
  vector<uint, 16> ones = above.sum ^ below.sum ^ sides;
  vector<uint, 16> carry = (above.sum & below.sum) | ((above.sum ^ below.sum) & sides);
  vector<uint, 16> twos = above.carry ^ below.carry ^ both ^ carry;
  vector<uint, 16> pairs = (above.carry & below.carry) | ((above.carry ^ below.carry) & (both ^ carry)) | (both & carry);
  write(out, at, vector<uint, 16>(twos & ~pairs & (ones | cells)));
}

_GENX_ inline vector<uint, 16> turned(vector<uint, 16> x, int by) { return (x >> by) | (x << (32 - by)); }

/// SHA-256 of 16 messages of a block each; word i of all messages, then word i + 1.
extern "C" _GENX_MAIN_ void sha256(SurfaceIndex in, SurfaceIndex constants, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  matrix<uint, 16, 16> w;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    read(in, thread * 1024 + i * 64, w.row(i));
  const uint start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  matrix<uint, 8, 16> s;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    s.row(i) = start[i];
  for (int part = 0; part < 4; ++part) {
    vector<uint, 16> k;
    read(constants, part * 64, k);
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      vector<uint, 16> a = s.row(0), e = s.row(4);
      vector<uint, 16> t1 = s.row(7) + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & s.row(5)) ^ (~e & s.row(6))) + k(i) + w.row(i);
      vector<uint, 16> t2 = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & s.row(1)) ^ (a & s.row(2)) ^ (s.row(1) & s.row(2)));
#pragma unroll
      for (int r = 7; r > 0; --r)
        s.row(r) = s.row(r - 1);
      s.row(4) += t1;
      s.row(0) = t1 + t2;
    }
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      vector<uint, 16> x = w.row((i + 1) % 16), y = w.row((i + 14) % 16);
      w.row(i) += (turned(x, 7) ^ turned(x, 18) ^ (x >> 3)) + w.row((i + 9) % 16) + (turned(y, 17) ^ turned(y, 19) ^ (y >> 10));
    }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    write(out, thread * 512 + i * 64, vector<uint, 16>(s.row(i) + start[i]));
}

/// 96 bytes to 128 letters.
extern "C" _GENX_MAIN_ void base64(SurfaceIndex in, SurfaceIndex out) {
  uint thread = get_thread_origin_x();
  vector<uchar, 96> bytes;
  read(in, thread * 96, bytes.select<64, 1>(0));
  read(in, thread * 96 + 64, bytes.select<32, 1>(64));
  vector<uchar, 32> a = bytes.select<32, 3>(0), b = bytes.select<32, 3>(1), c = bytes.select<32, 3>(2);
  vector<uchar, 128> six;
  six.select<32, 4>(0) = a >> 2;
  six.select<32, 4>(1) = ((a & 3) << 4) | (b >> 4);
  six.select<32, 4>(2) = ((b & 15) << 2) | (c >> 6);
  six.select<32, 4>(3) = c & 63;
  vector<uchar, 128> letters = six + 'A';
  letters.merge(six + ('a' - 26), six > 25);
  letters.merge(six - (52 - '0'), six > 51);
  letters.merge('+', six == 62);
  letters.merge('/', six == 63);
  write(out, thread * 128, letters);
}
