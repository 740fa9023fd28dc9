// What docs/from-other-languages.md says that other languages' names are here compiles. The names are copied from its tables by
// hand, with variables around them: a row that is changed there is changed here, too.
// RUN: cmc %s -g -o %t.isa
#include <cm/cm.h>
#include <cm/cmtl.h>
constexpr float t4[4] = {1, 2, 3, 4};
extern "C" _GENX_MAIN_ void others(SurfaceIndex buf, float f) {
  vector<int, 16> n, x = 3, y = 400; cmtl::cm_vector_assign(n, 0, 1);
  vector<int, 4> k = {0, 1, 2, 3};
  vector<uint, 16> o = 0, src = 1, other = 2, ret, i = 5, got;
  write_atomic<ATOMIC_CMPXCHG>(buf, o, src, other, ret);
  cm_fence();
  vector<uchar, 16> s = cm_add<uchar>(x, y, SAT);
  vector<float, 4> a = 1, b = 2;
  float d = cm_sum<float>(a * b) + t4[1];
  cm_assert(f > 0);
  SIMD_IF_BEGIN(x > 0) {
    x = 5;
  }
  SIMD_IF_END;
  SIMD_DO_WHILE_BEGIN {
    x -= 1;
  }
  SIMD_DO_WHILE_END(x > 0);
  x.merge(y, x > 0);
  uint group = cm_group_id(0), local = cm_local_id(0), mask = cm_pack_mask(x > 1);
  printf("%d\n", mask + group + local);
  write_atomic<ATOMIC_ADD>(buf, o, src, ret);
  read(buf, 0, i, got);
  write(buf, 0, i, got);
  write(buf, 256, n + s + d + cm_cbit<uint>(7u));
}
