// What the finalizer cannot encode, or makes wrong, and is printed otherwise (docs/finalizer.md): the code of each kernel
// computes on simulated GPUs what it does on the CPU, and the second reader finds nothing. The input is this text.
// REQUIRES: no-sanitizer
// RUN: cmc -verify-each -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: for k in compared_table repeated_pair times_one changed_between pair_under_mask compared_pair widened_pair chosen_spread; do \
// RUN:   cmrun %t.isa $k --threads 1x1 --arg buffer:in=%s --arg buffer:zero=512,out=%t.cpu --arg int:3 > /dev/null || exit 1; \
// RUN:   for t in $(echo skl tgllp pvc icllp dg2 | %some 2); do \
// RUN:     cmrun %t.isa $k --threads 1x1 --arg buffer:in=%s --arg buffer:zero=512,compare=%t.cpu --arg int:3 --device gensim:$t || exit 1; \
// RUN:   done; \
// RUN: done
#include <cm/cm.h>

const ushort table[25] = {10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13, 14, 14, 14, 14, 14};

// Constants that take a packed immediate and a number more, compared with a word: the immediate would become a part of
// the comparison.
extern "C" _GENX_MAIN_ void compared_table(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                           int n) {
  vector<ushort, 25> bounds(table);
  vector<short, 16> words;
  vector<int, 32> values, chosen = 0;
  read(in, 0, words);
  read(in, 32, values);
  words = (words & 7) + 9;
  chosen.select<25, 1>(0).merge(values.select<25, 1>(7), vector<int, 25>(bounds) < words(1));
  chosen.select<9, 1>(23).merge(values.select<9, 1>(1), vector<int, 9>(bounds.select<9, 1>(0)) < words(2));
  write(out, 0, chosen);
}

// A pair of 64-bit numbers, again and again: rows of a move that is made of dwords.
extern "C" _GENX_MAIN_ void repeated_pair(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                          int n) {
  vector<int, 16> values;
  vector<long long, 16> old, numbers;
  read(in, 0, values);
  read(in, 128, old);
  numbers = old;
  numbers.merge(values, values > n);
  vector<long long, 16> pairs = 7;
  pairs.select<15, 1>(0) = (numbers.replicate<8, 0, 2, 1>(0).select<15, 1>(1));
  write(out, 0, pairs);
  old.select<15, 1>(1) = numbers.replicate<5, 0, 3, 1>(4);
  write(out, 128, old);
}

// A product whose lower halves are multiplied by 1, of numbers that lie apart.
extern "C" _GENX_MAIN_ void times_one(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]], int n) {
  vector<unsigned long long, 16> numbers;
  read(in, 0, numbers);
  vector<unsigned long long, 4> product = numbers.select<4, 2>(1) * 0xFFFFFFFF00000001ull;
  write(out, 0, product);
  vector<long long, 8> wide = numbers.format<int>().select<8, 4>(0);
  write(out, 128, vector<long long, 8>(wide * vector<long long, 8>(1 + (n & 0))));
}

// Numbers of which one instruction wrote some, and others those at the ends and in between, moved together.
extern "C" _GENX_MAIN_ void changed_between(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                            int n) {
  vector<long long, 32> numbers;
  vector<int, 32> others;
  numbers.select<16, 1>(0) = 3;
  numbers.select<16, 1>(16) = n;
  read(in, 256, others);
  vector<long long, 8> sum = 0;
  for (int round = 0; round < n; ++round) {
    numbers.select<8, 1>(14).merge(others.select<8, 1>(round), others.select<8, 1>(4) > round);
    numbers.select<8, 3>(2) ^= vector<long long, 8>(others.select<8, 1>(8) + round);
    sum += numbers.select<8, 2>(17);
  }
  write(out, 0, sum);
  write(out, 64, vector<long long, 16>(numbers.select<16, 1>(9)));
}

// Words and bytes that a message brings for the second of two channels: on PVC two channels of them take no predicate.
extern "C" _GENX_MAIN_ void pair_under_mask(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                            int n) {
  cm_slm_init(256);
  uint local = cm_slm_alloc(256);
  vector<int, 32> values;
  read(in, 0, values);
  cm_slm_block_write(local, 0, values);
  cm_barrier();
  vector<short, 2> words = -2, others = values.select<2, 1>(1);
  vector<uchar, 2> bytes = 9;
  vector<uint, 2> places = vector<uint, 2>(values.select<2, 1>(3)) & 31;
  vector<ushort, 2> second = 0;
  second(1) = 1;
  SIMD_IF_BEGIN(second) {
    cm_slm_read_scaled(local, places * 2, words);
    cm_slm_read_scaled(local, places * 2 + 6, others);
    cm_slm_read_scaled(local, places + 3, bytes);
  } SIMD_IF_END;
  vector<short, 8> results = 7;
  results.select<2, 1>(n - 2) = words;
  results.select<2, 1>(n + 3) = others;
  results.select<2, 1>(n) = bytes;
  write(out, 0, results);
}

// Two channels of words and bytes that are calculated, asked for any of them, and kept: on PVC what sets a predicate for
// two channels is not cut in two.
extern "C" _GENX_MAIN_ void compared_pair(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                          int n) {
  vector<short, 16> words;
  vector<char, 32> bytes;
  vector<short, 8> results = 0;
  read(in, 0, words);
  read(in, 64, bytes);
  vector<short, 2> odd = words.select<2, 2>(3) & 49;
  SIMD_IF_BEGIN(odd) {
    results.select<2, 1>(3) = odd;
  } SIMD_IF_END;
  vector<char, 2> lower = words.format<char>().select<2, 4>(1) & bytes.select<2, 1>(5);
  SIMD_IF_BEGIN(lower) {
    results.select<2, 1>(1) += lower;
  } SIMD_IF_END;
  vector<short, 2> from = words.format<char>().select<2, 4>(1);
  SIMD_IF_BEGIN(from) {
    results.select<2, 1>(6) = from + n;
  } SIMD_IF_END;
  write(out, 0, results);
}

// Bytes from a place known at run time as factors of 64 bits, where what other addresses point into changes before the
// product: they are widened before.
const ushort steps[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                          16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
extern "C" _GENX_MAIN_ void chosen_spread(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                          int n) {
  vector<ushort, 32> ramp(steps);
  vector<uchar, 64> bytes;
  vector<int, 32> values;
  read(in, 0, bytes);
  read(in, 64, values);
  bytes |= n;
  vector<long long, 32> factors = (ramp >> 2) - 1;
  bytes.select<31, 1>(30) -=
      vector<ushort, 31>(bytes.select<31, 1>(n & 31) * factors.select<31, 1>(n & 1) + values.select<31, 1>(1));
  write(out, 0, bytes);
}

// A pair of words that is widened for a comparison with what turns out to be 0.
extern "C" _GENX_MAIN_ void widened_pair(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]],
                                         int n) {
  vector<short, 16> words;
  read(in, 0, words);
  vector<ushort, 32> ramp(steps);
  vector<int, 2> zeros = ramp.select<2, 1>(0) & 32767u;
  vector<int, 4> results = n;
  SIMD_IF_BEGIN(words.select<2, 1>(3) > n) {
  } SIMD_ELSEIF(words.select<2, 1>(7) > n) {
  } SIMD_ELSEIF(vector<short, 2>(vector<ushort, 2>(words.select<2, 1>(5), SAT)) > (-zeros.replicate<2, 0, 1, 1>(0))) {
  } SIMD_ELSE {
    results.select<2, 1>(2) += 5;
  } SIMD_IF_END;
  write(out, 0, results);
}
