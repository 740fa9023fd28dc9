// Blocks by address and pixels by coordinates on the simulated GPU leave what they leave on the CPU.
// RUN: head -c 512 %s > %t.in
// RUN: for d in cpu gensim:skl gensim:tgllp; do cmrun %s blocks --threads 1x1 --device $d --arg buffer:in=%t.in --arg buffer:zero=512,out=%t.$d || exit 1; done
// RUN: cmp %t.cpu %t.gensim:skl && cmp %t.cpu %t.gensim:tgllp
// RUN: for d in cpu gensim:skl gensim:tgllp gensim:dg2; do cmrun %s pixels --threads 1x1 --device $d --arg image:in=%t.in,width=16,height=8,format=R32_UINT --arg buffer:zero=128,out=%t.$d || exit 1; done
// RUN: cmp %t.cpu %t.gensim:skl && cmp %t.cpu %t.gensim:tgllp && cmp %t.cpu %t.gensim:dg2
#include <cm/cm.h>

// Of 16 and 128 bytes.
extern "C" _GENX_MAIN_ void blocks(svmptr_t in, svmptr_t out) {
  vector<uint, 4> one;
  vector<uint, 32> all;
  cm_svm_block_read(in + 128, one);
  cm_svm_block_write(out + 256, one);
  cm_svm_block_read(in, all);
  cm_svm_block_write(out + 16, all);
}

extern "C" _GENX_MAIN_ void pixels(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> u, v;
  for (int i = 0; i < 16; ++i) {
    u(i) = i * 3 & 15;
    v(i) = i & 7;
  }
  vector<uint, 16> loaded;
  cm_3d_load<CM_3D_LOAD_LZ, CM_R_ENABLE>(loaded, 0, in, u, v);
  write(out, 0, loaded);
  cm_3d_load<CM_3D_LOAD_LZ, CM_R_ENABLE>(loaded, 0x100, in, u, v);
  write(out, 64, loaded);
}
