#include <cm/cm.h>
#include <cm/cmtl.h>

#define ROWS 16   // rows whose results are written together
#define STAGE 256 // products that short rows share registers for

template <int N> _GENX_ vector<uint, N> lanes() {
  vector<uint, N> lane;
  cmtl::cm_vector_assign(lane.select_all(), 0, 1);
  return lane;
}

// Products of N elements from `at` on with the elements of x that their columns choose. Where all values of a block are
// zero, as in padded formats, nothing is read from x.
template <int N> _GENX_ vector<float, N> products(SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x, uint at) {
  vector<float, N> v, result = 0;
  vector<uint, N> column;
  read(DWALIGNED(values), at * 4, v);
  if ((v != 0).any()) {
    read(DWALIGNED(columns), at * 4, column);
    read(x, 0, column, result);
    result *= v;
  }
  return result;
}

// A row by itself, N elements at a time; those of the last block that belong to the next row do not count.
template <int N>
_GENX_ float longRow(SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x, uint first, uint last) {
  vector<float, N> sum = 0;
  uint at = first;
  for (; at + N <= last; at += N)
    sum += products<N>(columns, values, x, at);
  if (at < last) {
    vector<float, N> rest = products<N>(columns, values, x, at);
    rest.merge(0, lanes<N>() >= last - at);
    sum += rest;
  }
  return cm_sum<float>(sum);
}

// y = A x of a matrix in compressed sparse rows: row r has the elements starts[r] .. starts[r + 1] - 1. The width of
// the instructions follows the lengths of the rows. Where ROWS rows have few elements, their products are taken
// together, 16 at a time whatever row they are of, and a lane for each row adds up; a row of many has registers of 16
// or 32 elements for itself.
extern "C" _GENX_MAIN_ void spmv(SurfaceIndex starts, SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x,
                                 SurfaceIndex y, int rows, int blocks) {
  int block = (get_thread_origin_y() * 256 + get_thread_origin_x()) * blocks;
  for (int end = block + blocks; block < end && block * ROWS < rows; block++) {
    vector<uint, 32> bound;
    read(DWALIGNED(starts), block * ROWS * 4, bound);
    vector<uint, ROWS> first = bound.select<ROWS, 1>(0), last = bound.select<ROWS, 1>(1);
    last.merge(first, lanes<ROWS>() + block * ROWS >= rows); // rows that are not there are empty
    vector<uint, ROWS> length = last - first;
    uint begin = first(0), longest = cm_reduced_max<uint>(length);
    vector<float, ROWS> sums = 0;
    if (longest <= 16) {
      uint all = cm_reduced_max<uint>(last) - begin;
      vector<float, STAGE> product;
      for (uint i = 0; i < all; i += 16)
        product.select<16, 1>(i) = products<16>(columns, values, x, begin + i);
      first -= begin;
      for (uint i = 0; i < longest; i++) {
        vector<float, ROWS> next = product.iselect(first + i & STAGE - 1);
        next.merge(0, length <= i);
        sums += next;
      }
    } else {
      for (int r = 0; r < ROWS; r++)
        sums(r) = length(r) > 64 ? longRow<32>(columns, values, x, first(r), last(r))
                                 : longRow<16>(columns, values, x, first(r), last(r));
    }
    write(y, block * ROWS * 4, sums);
  }
}
