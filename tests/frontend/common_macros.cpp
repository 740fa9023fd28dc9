// Names that programs give their sizes and types by -D are parameters of the language's headers, too.
// RUN: cmc -DN=4 -DT=3 -DR=7 -DC=5 -DI=1 -DS=2 -DV=9 -DX=1 -DY=2 -DM=2 -DK=4 -DH=8 -DSIZE=16 -DTYPE=int -Dvalue=3 \
// RUN:   -Dindex=5 -Draw=7 -Dwidth=5 -Doffset=4 -Dcount=3 -DValue=3 -DSource=3 -Dn=3 -Dx=5 -DDT=float %s -S -o - | FileCheck %s
#include <cm/cm.h>
#include <cm/cmtl.h>

// CHECK: call {{.*}}<4 x float> @llvm.genx.oword.ld
// CHECK: fadd <4 x float> %{{.*}}, splat (float 7.000000e+00)
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex surface) {
  vector<DT, N> all;
  read(surface, 0, all);
  vector<TYPE, SIZE> sequence;
  cmtl::cm_vector_assign(sequence, 0, 1);
  write(surface, 0, all + R);
  write(surface, 64, sequence);
}
