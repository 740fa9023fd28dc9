#include <cm/cm.h>
#include <cm/cmtl.h>

#define ROWS 16                   // rows whose results are written together
#define SHORT 16                  // elements of a short row, at most
#define FEW 64                    // products that most short rows have together, in few registers
#define STAGE (ROWS * SHORT + 16) // products that short rows share registers for, the last 16 of them where any begin

template <int N> _GENX_ vector<uint, N> lanes() {
  vector<uint, N> lane;
  cmtl::cm_vector_assign(lane.select_all(), 0, 1);
  return lane;
}

// N elements from `at` on, and the elements of x that their columns choose. Where all values of a block are zero, as in
// padded formats, nothing is read from x, and there is nothing to multiply.
template <int N>
_GENX_ bool readFactors(SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x, uint at, vector_ref<float, N> v,
                        vector_ref<float, N> chosen) {
  vector<uint, N> column;
  read(DWALIGNED(values), at * 4, v);
  if (!(v != 0).any())
    return false;
  read(DWALIGNED(columns), at * 4, column);
  read(x, 0, column, chosen);
  return true;
}

// Their products.
template <int N> _GENX_ vector<float, N> products(SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x, uint at) {
  vector<float, N> v, result = 0;
  if (readFactors<N>(columns, values, x, at, v, result))
    result *= v;
  return result;
}

// Adds such products to sums.
template <int N>
_GENX_ void addProducts(SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x, uint at, vector_ref<float, N> sum) {
  vector<float, N> v, chosen;
  if (readFactors<N>(columns, values, x, at, v, chosen))
    sum += v * chosen;
}

// A row by itself, N elements at a time; for those of the last block that belong to the next row nothing is read from x.
template <int N>
_GENX_ float longRow(SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x, uint first, uint last) {
  vector<float, N> sum = 0;
  uint at = first;
  for (; at + N <= last; at += N)
    addProducts<N>(columns, values, x, at, sum);
  for (; at < last; at += 16) {
    vector<uint, 16> column;
    vector<float, 16> v, chosen;
    read(DWALIGNED(values), at * 4, v);
    read(DWALIGNED(columns), at * 4, column);
    SIMD_IF_BEGIN(lanes<16>() < last - at) {
      read(x, 0, column, chosen);
      sum.template select<16, 1>(0) += v * chosen;
    }
    SIMD_IF_END;
  }
  return cm_sum<float>(sum);
}

// The sum of each row, a lane a row: products first .. first + length - 1, one after the other.
template <int N>
_GENX_ vector<float, ROWS> sumRows(vector<float, N> product, vector<uint, ROWS> first, vector<uint, ROWS> length) {
  vector<float, ROWS> sums = 0;
  uint longest = cm_reduced_max<uint>(length);
  for (uint i = 0; i < longest; i++) {
    vector<uint, ROWS> at = first + i;
    at.merge(0, length <= i);
    vector<float, ROWS> next = product.iselect(at);
    next.merge(0, length <= i);
    sums += next;
  }
  return sums;
}

// y = A x of a matrix in compressed sparse rows: row r has the elements starts[r] .. starts[r + 1] - 1. The width of
// the instructions follows the lengths of the rows. Where few of ROWS rows are long, products of the short ones that
// follow each other are taken together, 16 at a time whatever row they are of, and a lane for each row adds up; a long
// row has registers of 16 or 32 elements for itself.
extern "C" _GENX_MAIN_ void spmv(SurfaceIndex starts, SurfaceIndex columns, SurfaceIndex values, SurfaceIndex x,
                                 SurfaceIndex y, int rows, int blocks) {
  int block = (get_thread_origin_y() * 256 + get_thread_origin_x()) * blocks;
  for (int end = block + blocks; block < end && block * ROWS < rows; block++) {
    vector<uint, 32> bound;
    read(DWALIGNED(starts), block * ROWS * 4, bound);
    uint there = cm_min<uint>(rows - block * ROWS, ROWS);
    bound.merge(bound(there), lanes<32>() > there); // rows that are not there are empty
    vector<uint, ROWS> first = bound.select<ROWS, 1>(0), length = bound.select<ROWS, 1>(1) - first;
    vector<ushort, ROWS> isLong = length > SHORT;
    uint rest = cm_pack_mask(isLong); // long rows that have not been multiplied
    vector<float, ROWS> sums = 0;
    if (rest != (1 << ROWS) - 1) {
      vector<float, STAGE> product;
      length.merge(0, isLong);
      uint stage = 0, from = 0; // products, rows that have been taken
      for (uint ends = rest | 1 << ROWS; from < ROWS; ends &= ends - 1) {
        uint to = cm_fbl<uint>(ends), begin = bound(from), all = bound(to) - begin;
        first.merge(first + (stage - begin), lanes<ROWS>() >= from & lanes<ROWS>() < to);
        for (uint i = 0; i < all; i += 16)
          product.select<16, 1>(stage + i) = products<16>(columns, values, x, begin + i);
        stage += all;
        from = to + 1;
      }
      sums = stage <= FEW ? sumRows<FEW>(product.select<FEW, 1>(0), first, length) : sumRows<STAGE>(product, first, length);
    }
    for (; rest; rest &= rest - 1) {
      uint r = cm_fbl<uint>(rest), begin = bound(r), end = bound(r + 1);
      sums(r) =
          end - begin > 64 ? longRow<32>(columns, values, x, begin, end) : longRow<16>(columns, values, x, begin, end);
    }
    write(y, block * ROWS * 4, sums);
  }
}
