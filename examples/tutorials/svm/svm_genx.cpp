#include <cm/cm.h>

// Follows linked lists in memory that host and kernel share: a node is the address of the next one, 0 at the end, and a
// value. Each thread has a list; heads and totals are arrays in shared memory too.
extern "C" _GENX_MAIN_ void lists(svmptr_t heads, svmptr_t totals) {
  uint me = get_thread_origin_x();
  vector<uint64_t, 2> node;
  cm_svm_block_read_unaligned(heads + me * 8, node);
  svmptr_t next = node(0);
  uint64_t total = 0;
  while (next) {
    cm_svm_block_read_unaligned(next, node);
    next = node(0);
    total += node(1);
  }
  vector<uint64_t, 8> where = totals + me * 8, value = total;
  vector<ushort, 8> one = 0;
  one(0) = 1;
  SIMD_IF_BEGIN(one) { cm_svm_scatter_write(where, value); }
  SIMD_IF_END;
}
