// Seed: groups, shared local memory, atomics, SIMD control flow.
#include <cm/cm.h>
vector<int, 8> counter;
struct state { vector<float, 8> pos; int n; };
template <int N> _GENX_ int total(vector_ref<int, N> v) { return cm_sum<int>(v); }
_GENX_ void step(state &s, float dt) { s.pos += dt; s.n++; }
extern "C" _GENX_MAIN_ void group(SurfaceIndex in, SurfaceIndex out, int n) {
  cm_slm_init(1024);
  uint buffer = cm_slm_alloc(512);
  vector<uint, 8> offset, value;
  for (int i = 0; i < 8; i++)
    offset(i) = i;
  read(in, cm_linear_global_id() * 8, offset, value);
  cm_slm_write(buffer, offset, value);
  cm_barrier();
  cm_slm_atomic(buffer, ATOMIC_ADD, offset, value, 1u);
  counter.merge(value, value > 3);
  SIMD_IF_BEGIN(value > 5) {
    value *= 2;
    SIMD_DO_WHILE_BEGIN {
      value -= 1;
      SIMD_IF_BEGIN(value == 4) { SIMD_BREAK; }
      SIMD_IF_END;
    }
    SIMD_DO_WHILE_END(value > 2);
  }
  SIMD_ELSE { value += n; }
  SIMD_IF_END;
  state s;
  s.pos = 0.5f;
  s.n = 0;
  step(s, 2.0f);
  write_atomic<ATOMIC_INC>(out, offset);
  write(out, 0, offset, value + total(counter.select_all()) + s.n);
  printf("%d %f\n", n, s.pos(1));
}
