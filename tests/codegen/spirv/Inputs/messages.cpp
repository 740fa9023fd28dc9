#include <cm/cm.h>
extern "C" _GENX_MAIN_ void narrow(SurfaceIndex data, svmptr_t memory, int x) {
  vector<uint, 8> at = x;
  vector<uchar, 8> bytes;
  read(data, 0, at, bytes);
  write(data, 1, at, bytes);
  vector<svmptr_t, 8> places = memory;
  vector<short, 8> words;
  cm_svm_scatter_read(places, words);
  vector<int, 12> row = words(0);
  cm_svm_block_write(memory, row);
}
