// Exact sums that are limited to bytes and words are sums of dwords on simulated GPUs, with what the CPU gives: of numbers
// of all sizes, of the largest and least ones among them.
// REQUIRES: no-sanitizer
// RUN: cmc -verify-each -march=SKL,ICLLP,TGLLP,DG2,PVC %s -o %t.isa
// RUN: cmrun %t.isa sums --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,out=%t.cpu > /dev/null
// RUN: for t in skl icllp tgllp dg2 pvc; do \
// RUN:   cmrun %t.isa sums --threads 1x1 --arg buffer:in=%s --arg buffer:zero=1024,compare=%t.cpu --device gensim:$t || exit 1; \
// RUN: done
// RUN: od -An -w16 -t u1 -N 32 %t.cpu | FileCheck %s
// CHECK: {{^ *255 +0 +255 +0}}
// CHECK-NEXT: {{^ *127 +128 +127 +128}}
#include <cm/cm.h>

template <class To, class Of> _GENX_ void sum(SurfaceIndex out, int &place, vector<int, 16> x, vector<int, 16> y) {
  vector<Of, 16> a = x, b = y;
  write(out, place, cm_add<To>(a, b, SAT));
  place += 16 * sizeof(To);
}
template <class Of> _GENX_ void sums(SurfaceIndex out, int &place, vector<int, 16> x, vector<int, 16> y) {
  sum<uchar, Of>(out, place, x, y);
  sum<char, Of>(out, place, x, y);
  sum<ushort, Of>(out, place, x, y);
  sum<short, Of>(out, place, x, y);
}
extern "C" _GENX_MAIN_ void sums(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<int, 16> x, y;
  read(in, 0, x);
  read(in, 64, y);
  x *= 0x9E3779B1;
  y *= 0x85EBCA6B;
  x(0) = y(0) = 0x7FFFFFFF;
  x(1) = y(1) = 0x80000000;
  x(2) = 0x7FFFFFFF, y(2) = 1;
  x(3) = 0x80000000, y(3) = -1;
  int place = 0;
  sums<int>(out, place, x, y);
  sums<uint>(out, place, x, y);
  sums<short>(out, place, x, y);
  sums<ushort>(out, place, x, y);
  sums<char>(out, place, x, y);
  sums<uchar>(out, place, x, y);
}
