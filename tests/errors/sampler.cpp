// What samplers of newer targets no longer do is refused for them.
// RUN: cmc -march=TGLLP -emit-llvm %s -o %t.ll
// RUN: not cmc -march=XEHP_SDV %s -o %t.isa 2>&1 | FileCheck %s
// RUN: not cmc -march=DG2 %s -o %t.isa 2>&1 | FileCheck %s
extern "C" _GENX_MAIN_ void kernel(SamplerIndex sampler, SurfaceIndex in, SurfaceIndex out) {
  matrix<ushort, 4, 32> m;
  // CHECK: sampler.cpp:[[@LINE+1]]:{{[0-9]+}}: error: sample32 needs CM_HAS_SAMPLE_UNORM, which target
  sample32(m, CM_A_ENABLE, in, sampler, 0, 0, 1, 1);
  write(out, 0, m.row(0));
}
