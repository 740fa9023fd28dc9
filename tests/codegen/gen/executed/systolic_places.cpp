// A systolic product's result goes to where no register begins: it is moved there, for the product itself writes whole
// registers. The input is this text.
// REQUIRES: no-sanitizer
// RUN: cmrun -DCOLUMNS=16 %s places_of_columns --threads 1x1 --arg buffer:in=%s --arg buffer:zero=256,out=%t.cpu > /dev/null
// RUN: cmrun -DCOLUMNS=16 %s places_of_columns --threads 1x1 --arg buffer:in=%s --arg buffer:zero=256,compare=%t.cpu --device gensim:pvc
// RUN: cmrun -DCOLUMNS=8 %s places_of_columns --threads 1x1 --arg buffer:in=%s --arg buffer:zero=256,out=%t.cpu > /dev/null
// RUN: cmrun -DCOLUMNS=8 %s places_of_columns --threads 1x1 --arg buffer:in=%s --arg buffer:zero=256,compare=%t.cpu --device gensim:dg2
#include <cm/cm.h>

template <int N> void places(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8 * N> b;
  for (int k = 0; k < 8 * N; k += 16)
    read(in, 64 + 4 * k, b.template select<16, 1>(k));
  vector<int, 16> a;
  read(in, 16, a);
  vector<int, N> one = a.template select<N, 1>(0);
  vector<int, 2 * N> two = b.template select<2 * N, 1>(3);
  vector<int, 64> result = 5;
  result.template select<8, 1>(0) = a.template select<8, 1>(0);
  result.template select<N, 1>(8) = cm_dpas<CM_PRECISION_S8, CM_PRECISION_U8, 8, 1>(one, b, a.select<8, 1>(0));
  result.template select<2 * N, 1>(N + 12) = cm_dpas<CM_PRECISION_S8, CM_PRECISION_U8, 8, 2>(two, b, a);
  write(out, 0, result.select<32, 1>(0));
  write(out, 128, result.select<32, 1>(32));
}

extern "C" _GENX_MAIN_ void places_of_columns(SurfaceIndex in [[type("buffer_t")]],
                                              SurfaceIndex out [[type("buffer_t")]]) {
  places<COLUMNS>(in, out);
}
