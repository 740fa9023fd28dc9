//===- indexed_genx.cpp - Kernels that choose elements at run time -----------------------===//
//
// Every thread works on what one thread of the peer in indexed.cpp works on: a stretch of
// bytes or words, whole loops inside. What is measured is the access, not the launch.
//
//===------------------------------------------------------------------------------------===//
#include <cm/cm.h>

// Counters in a vector: one is changed at a time.
extern "C" _GENX_MAIN_ void histogram_vector(SurfaceIndex in, SurfaceIndex out, int blocks) {
  vector<uint, 256> h = 0;
  int first = cm_linear_global_id() * blocks;
  for (int b = 0; b < blocks; b++) {
    vector<uchar, 64> p;
    read(in, (first + b) * 64, p);
    for (int i = 0; i < 64; i++)
      h(p(i)) += 1;
  }
  for (int i = 0; i < 8; i++)
    write(out, (cm_linear_global_id() * 8 + i) * 128, h.select<32, 1>(i * 32));
}

// The same in an array.
extern "C" _GENX_MAIN_ void histogram_array(SurfaceIndex in, SurfaceIndex out, int blocks) {
  uint h[256];
  for (int i = 0; i < 256; i++)
    h[i] = 0;
  int first = cm_linear_global_id() * blocks;
  for (int b = 0; b < blocks; b++) {
    vector<uchar, 64> p;
    read(in, (first + b) * 64, p);
    for (int i = 0; i < 64; i++)
      h[p(i)] += 1;
  }
  for (int i = 0; i < 8; i++) {
    vector<uint, 32> part;
    for (int k = 0; k < 32; k++)
      part(k) = h[i * 32 + k];
    write(out, (cm_linear_global_id() * 8 + i) * 128, part);
  }
}

// Blocks of an image as in a textbook: a matrix, two loops.
extern "C" _GENX_MAIN_ void histogram_matrix(SurfaceIndex in, SurfaceIndex out, int blocks) {
  vector<uint, 256> h = 0;
  int first = cm_linear_global_id() * blocks;
  for (int b = 0; b < blocks; b++) {
    matrix<uchar, 4, 32> p;
    read(in, (first + b) * 128, p.format<uchar>());
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 32; j++)
        h(p(i, j)) += 1;
  }
  for (int i = 0; i < 8; i++)
    write(out, (cm_linear_global_id() * 8 + i) * 128, h.select<32, 1>(i * 32));
}

// A table of bytes that comes from memory; each lane takes an entry of its own.
extern "C" _GENX_MAIN_ void table_bytes(SurfaceIndex in, SurfaceIndex table, SurfaceIndex out, int blocks) {
  vector<uchar, 256> t;
  read(table, 0, t.select<128, 1>(0));
  read(table, 128, t.select<128, 1>(128));
  int first = cm_linear_global_id() * blocks;
  for (int b = 0; b < blocks; b++) {
    vector<uchar, 64> p;
    read(in, (first + b) * 64, p);
    vector<ushort, 64> at = p;
    vector<uchar, 64> q = t.iselect(at);
    write(out, (first + b) * 64, q);
  }
}

// A palette of 64 floats.
extern "C" _GENX_MAIN_ void table_floats(SurfaceIndex in, SurfaceIndex table, SurfaceIndex out, int blocks) {
  vector<float, 64> t;
  read(table, 0, t.select<32, 1>(0));
  read(table, 128, t.select<32, 1>(32));
  int first = cm_linear_global_id() * blocks;
  for (int b = 0; b < blocks; b++) {
    vector<uchar, 32> p;
    read(in, (first + b) * 32, p);
    vector<ushort, 32> at = p & 63;
    vector<float, 32> q = t.iselect(at);
    write(out, (first + b) * 128, q);
  }
}

// Rows chosen by a number in memory: sums by class.
extern "C" _GENX_MAIN_ void rows(SurfaceIndex classes, SurfaceIndex in, SurfaceIndex out, int count) {
  matrix<float, 16, 16> sums = 0.0f;
  int first = cm_linear_global_id() * count;
  for (int i = 0; i < count; i += 16) {
    vector<uchar, 16> c;
    read(classes, first + i, c);
    for (int k = 0; k < 16; k++) {
      vector<float, 16> v;
      read(in, (first + i + k) * 64, v);
      sums.row(c(k) & 15) += v;
    }
  }
  for (int i = 0; i < 8; i++)
    write(out, (cm_linear_global_id() * 8 + i) * 128, sums.select<2, 1, 16, 1>(i * 2, 0).format<float>());
}

// Columns chosen at run time.
extern "C" _GENX_MAIN_ void columns(SurfaceIndex classes, SurfaceIndex in, SurfaceIndex out, int count) {
  matrix<float, 8, 16> sums = 0.0f;
  int first = cm_linear_global_id() * count;
  for (int i = 0; i < count; i += 16) {
    vector<uchar, 16> c;
    read(classes, first + i, c);
    for (int k = 0; k < 16; k++) {
      vector<float, 8> v;
      read(in, (first + i + k) * 32, v);
      sums.column(c(k) & 15) += v;
    }
  }
  for (int i = 0; i < 4; i++)
    write(out, (cm_linear_global_id() * 4 + i) * 128, sums.select<2, 1, 16, 1>(i * 2, 0).format<float>());
}

// A loop over elements whose count is known at run time only: insertion sort.
extern "C" _GENX_MAIN_ void insertion(SurfaceIndex in, SurfaceIndex out, int count, int blocks) {
  int first = cm_linear_global_id() * blocks;
  for (int b = 0; b < blocks; b++) {
    vector<uint, 32> v;
    read(in, (first + b) * 128, v);
    for (int i = 1; i < count; i++) {
      uint x = v(i);
      int k = i;
      while (k > 0 && v(k - 1) > x) {
        v(k) = v(k - 1);
        k--;
      }
      v(k) = x;
    }
    write(out, (first + b) * 128, v);
  }
}
