// Prefix sums of dwords in one launch. A row of the thread space has a chunk of the numbers, which a cache holds: its
// first threads add up a strip each, the others write the sums of a strip each, so that memory is read once. A thread
// starts when the one to its left and the one above it have got to their signals: the pattern CM_WAVEFRONT.
#include <cm/cm.h>

#define STRIP 4096 // elements of a thread
#define STRIPS 16  // of a chunk

// What threads tell each other: a row of so many dwords for each chunk. Element i is what is before strip i in its
// chunk, the last one what is before the chunk.
#define NOTES 32

// Adds up what is before each element of 32: distances double.
_GENX_ inline vector<uint, 32> running(vector<uint, 32> v) {
  v.select<31, 1>(1) += v.select<31, 1>(0);
  v.select<30, 1>(2) += v.select<30, 1>(0);
  v.select<28, 1>(4) += v.select<28, 1>(0);
  v.select<24, 1>(8) += v.select<24, 1>(0);
  v.select<16, 1>(16) += v.select<16, 1>(0);
  return v;
}

_GENX_ inline uint note(SurfaceIndex notes, uint chunk, uint i) {
  vector<uint, 1> at = chunk * NOTES + i, value;
  read(notes, 0, at, value);
  return value(0);
}
_GENX_ inline void write_note(SurfaceIndex notes, uint chunk, uint i, uint value) {
  vector<uint, 1> at = chunk * NOTES + i, one = value;
  write(notes, 0, at, one);
}

// The total of a strip.
_GENX_ inline uint total(SurfaceIndex in, uint strip) {
  vector<uint, 32> sum = 0;
  for (uint i = 0; i < STRIP; i += 128) {
    vector<uint, 128> v;
#pragma unroll
    for (uint k = 0; k < 128; k += 32) // a message has 128 bytes
      read(in, (strip * STRIP + i + k) * 4, v.select<32, 1>(k));
    sum += v.select<32, 1>(0) + v.select<32, 1>(32) + (v.select<32, 1>(64) + v.select<32, 1>(96));
  }
  return cm_sum<uint>(sum);
}

// Writes the sums of a strip, and fetches the same strip of the next chunk.
_GENX_ inline void sums(SurfaceIndex in, SurfaceIndex out, uint strip, uint before) {
  vector<uint, 32> last;
  last(31) = before;
  for (uint i = 0; i < STRIP; i += 128) {
    vector<uint, 128> v;
#pragma unroll
    for (uint k = 0; k < 128; k += 32) {
      read(in, (strip * STRIP + i + k) * 4, v.select<32, 1>(k));
#ifdef CM_HAS_LSC
      cm_prefetch<32, DataSize::U32>(in, ((strip + STRIPS) * STRIP + i + k) * 4);
#endif
    }
#pragma unroll
    for (uint k = 0; k < 128; k += 32) {
      last = running(v.select<32, 1>(k)) + last(31);
      write(out, (strip * STRIP + i + k) * 4, last);
    }
  }
}

extern "C" _GENX_MAIN_ void scan(SurfaceIndex in, SurfaceIndex notes, SurfaceIndex out) {
  uint chunk = get_thread_origin_y(), strip = get_thread_origin_x();
  if (strip < STRIPS) {
    uint sum = total(in, chunk * STRIPS + strip);
    cm_wait();
    uint before = strip ? note(notes, chunk, strip) : 0;
    write_note(notes, chunk, strip + 1, before + sum);
    cm_fence();
    cm_signal();
  } else {
    strip -= STRIPS;
    cm_wait();
    uint before = chunk ? note(notes, chunk, NOTES - 1) : 0;
    if (strip == 0) {
      write_note(notes, chunk + 1, NOTES - 1, before + note(notes, chunk, STRIPS));
      cm_fence();
    }
    cm_signal();
    if (strip)
      before += note(notes, chunk, strip);
    sums(in, out, chunk * STRIPS + strip, before);
  }
}
