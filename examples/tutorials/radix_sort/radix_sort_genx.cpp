#include <cm/cm.h>

#define PER_THREAD 128
#define DIGITS 16

// One pass of a sort by 4 bits at a time, the lowest first. First kernel: how often each digit is among a thread's
// keys; counts lie digit by digit, so that a running sum over all of them gives the places.
extern "C" _GENX_MAIN_ void count(SurfaceIndex keys, SurfaceIndex counts, uint shift, uint threads) {
  uint thread = get_thread_origin_x();
  vector<uint, DIGITS> number = 0;
  for (int i = 0; i < PER_THREAD; i += 32) {
    vector<uint, 32> v;
    read(keys, (thread * PER_THREAD + i) * 4, v);
    v = (v >> shift) & (DIGITS - 1);
#pragma unroll
    for (int digit = 0; digit < DIGITS; digit++) {
      vector<ushort, 32> is = v == digit;
      number(digit) += cm_cbit(cm_pack_mask(is));
    }
  }
  vector<uint, DIGITS> at;
  for (int digit = 0; digit < DIGITS; digit++)
    at(digit) = digit * threads + thread;
  write(counts, 0, at, number);
}

// Second kernel, one thread: counts become places.
extern "C" _GENX_MAIN_ void places(SurfaceIndex counts, uint threads) {
  uint before = 0;
  for (uint i = 0; i < DIGITS * threads; i += 16) {
    vector<uint, 16> v, sum;
    read(counts, i * 4, v);
    sum = v;
    sum.select<15, 1>(1) += sum.select<15, 1>(0);
    sum.select<14, 1>(2) += sum.select<14, 1>(0);
    sum.select<12, 1>(4) += sum.select<12, 1>(0);
    sum.select<8, 1>(8) += sum.select<8, 1>(0);
    write(counts, i * 4, sum - v + before);
    before += sum(15);
  }
}

// Third kernel: every key goes to its place. Among the 16 keys in a register, those with the same digit keep their
// order.
extern "C" _GENX_MAIN_ void move(SurfaceIndex keys, SurfaceIndex counts, SurfaceIndex out, uint shift, uint threads) {
  uint thread = get_thread_origin_x();
  vector<uint, DIGITS> at, place;
  for (int digit = 0; digit < DIGITS; digit++)
    at(digit) = digit * threads + thread;
  read(counts, 0, at, place);
  for (int i = 0; i < PER_THREAD; i += 16) {
    vector<uint, 16> v, to = 0;
    read(keys, (thread * PER_THREAD + i) * 4, v);
    vector<uint, 16> digits = (v >> shift) & (DIGITS - 1);
#pragma unroll
    for (int k = 0; k < 16; k++) {
      uint digit = digits(k);
      to(k) = place(digit);
      place(digit) += 1;
    }
    write(out, 0, to, v);
  }
}
