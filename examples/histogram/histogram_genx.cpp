#include <cm/cm.h>
#include <cm/cmtl.h>

#define BLOCK 256 // bytes that are in registers before they are counted: their values are there when they choose counters
#define PARTS 32  // of a block, of which one byte each is counted in turn: neighbours of equal value need not wait
#define WIDTH 256 // of the thread space
#define TABLES 2  // neighbouring parts count in tables of their own

// Counts bytes. Each thread has `perThread` of them, counts in tables that stay in its registers, and adds its sums to the
// counters that all threads share, 16 at a time. Counters of 16 bits would leave room for more tables, but CPUs let a
// counter wait for another one in the same 8 bytes, where neighbours in an image often count.
extern "C" _GENX_MAIN_ void histogram(SurfaceIndex in, SurfaceIndex counts, uint bytes, uint perThread) {
  vector<uint, TABLES * 256> h = 0;
  uint first = (get_thread_origin_y() * WIDTH + get_thread_origin_x()) * perThread;
  if (first >= bytes)
    return;
  uint end = cm_min<uint>(first + perThread, bytes);
  for (uint at = first; at < end; at += BLOCK) {
    vector<uchar, BLOCK> p;
#pragma unroll
    for (int i = 0; i < BLOCK; i += 128) // a message has 128 bytes
      read(in, at + i, p.select<128, 1>(i));
    vector<uchar, PARTS> others = 0; // bits that are not those of the first byte
#pragma unroll
    for (int i = 0; i < BLOCK; i += PARTS)
      others |= p.select<PARTS, 1>(i) ^ p(0);
    if (at + BLOCK <= end && !others.any())
#pragma unroll
      for (int table = 0; table < TABLES; table++) // a homogeneous block: its counter would wait for itself each time
        h(table * 256 + p(0)) += BLOCK / TABLES;
    else if (at + BLOCK <= end)
      for (int i = 0; i < BLOCK / PARTS; i++)
#pragma unroll
        for (int part = 0; part < PARTS; part++)
          h(part % TABLES * 256 + p(part * (BLOCK / PARTS) + i)) += 1;
    else
      for (uint i = 0; i < end - at; i++)
        h(p(i)) += 1;
  }
  vector<uint, 16> bin;
  cmtl::cm_vector_assign(bin.select_all(), 0, 1);
  for (int i = 0; i < 256; i += 16) {
    vector<uint, 16> sum = h.select<16, 1>(i);
#pragma unroll
    for (int table = 1; table < TABLES; table++)
      sum += h.select<16, 1>(table * 256 + i);
    write_atomic<ATOMIC_ADD, uint, 16>(counts, bin + i, sum);
  }
}
