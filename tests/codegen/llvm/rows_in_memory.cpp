// The extent of a region of rows counts row strides in bytes: rows that lie inside of their object are not moved.
// RUN: cmrun %s k --threads 1x1 --cpu x86-64 --arg buffer:zero=128,out=%t --arg int:100 && od -An -td4 -v -w96 %t | FileCheck %s
// CHECK: 0 1 2 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120
#include <cm/cm.h>

struct several {
  matrix<int, 8, 3> rows;
  vector<int, 4> other;
};
const int numbers[24] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};

extern "C" _GENX_MAIN_ void k(SurfaceIndex out, int n) {
  several all[2];
  for (int i = 0; i < 2; i++) {
    all[i & n].rows = matrix<int, 8, 3>(numbers);
    all[i & n].other = i;
  }
  several last = all[0];
  last.rows.select<7, 1, 3, 1>(1, 0) = last.rows.select<7, 1, 3, 1>(0, 0) + n;
  vector<int, 32> result = 0;
  result.select<24, 1>(0) = last.rows.format<int>();
  write(out, 0, result);
}
